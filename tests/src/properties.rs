//! Properties that must hold for any input, as functions that panic if they don't.
//!
//! The tests of this package try them with generated inputs (`tests/properties`), and the targets of `fuzz/`
//! with inputs from a fuzzer.

#![allow(clippy::panic, clippy::expect_used, reason = "a property that does not hold is a failing test")]

use skills::search::SEARCH_LIMIT;
use skills::triggers::{CaseFile, Cases, Form};
use skills::{Audience, Registry};
use skills_bundle::Finding;
use skills_bundle::diff;
use skills_bundle::fix;
use skills_bundle::lock::{self, Lock, LockedFile};
use skills_bundle::render::{self, Color};
use skills_bundle::reviews::{self, Review, Reviewed, Reviews};
use skills_source::document::{self, Document};
use skills_source::rules::Rules;
use skills_source::skill::{self, Body};
use skills_source::source::{Excerpt, Span};
use skills_source::yaml::{Node, Value};

use crate::SKILLS;

const PATH: &str = "skills/garden/SKILL.md";

/// Splitting a file loses no byte: fences, frontmatter, blanks and the body are all there is.
pub fn document_is_split_whole(bytes: &[u8]) {
    let text = match document::decode(bytes) {
        Ok(text) => text,
        Err(error) => {
            assert!(!error.message.is_empty());
            error.shown.iter().for_each(|(text, span)| assert_span(text, span));
            return;
        }
    };
    assert!(bytes.ends_with(text.as_bytes()) && bytes.len() - text.len() <= 3);
    match document::split(text) {
        Ok(Document { frontmatter, body, .. }) => {
            assert_span(text, &frontmatter);
            assert_span(text, &body);
            let above = text[..frontmatter.start].trim_matches([' ', '\t', '\r', '\n']);
            assert_eq!(above, "---", "{text:?}");
            let between = &text[frontmatter.end..body.start];
            assert_eq!(between.trim(), "---", "{text:?}");
            assert!(between.starts_with("---"), "the fence is at column 1: {text:?}");
            assert!(text[body.end..].trim().is_empty(), "{text:?}");
            assert_eq!(text[body.clone()].trim(), &text[body], "{text:?}");
        }
        Err(fault) => {
            assert_span(text, &fault.span);
            fault.related.iter().for_each(|(span, _)| assert_span(text, span));
        }
    }
}

/// Reading a file terminates, reports why nothing was read, and every position is in the text.
pub fn frontmatter_is_read(bytes: &[u8]) {
    let (skill, findings) = skill::read(PATH, "garden", bytes, &Rules::default());
    let text = document::decode(bytes).unwrap_or_default();
    assert!(skill.is_some() || !findings.is_empty(), "nothing is read and nothing is said: {text:?}");
    if let Some(skill) = &skill {
        for entry in &skill.frontmatter.entries {
            assert_span(text, &entry.key_span);
            assert_node(text, &entry.node);
            skill.frontmatter.entries.iter().for_each(|other| {
                assert!(
                    std::ptr::eq(entry, other) || entry.key != other.key,
                    "twice {}: {text:?}",
                    entry.key
                );
            });
        }
        if let Body::Slice(body) = &skill.body {
            let body = bytes.get(body.clone()).expect("the body lies in the file");
            assert!(std::str::from_utf8(body).is_ok_and(|body| body.trim() == body && !body.contains('\r')));
        }
    }
    let lines = String::from_utf8_lossy(bytes).matches(['\n', '\r']).count() + 1;
    for finding in &findings {
        assert!(
            finding.line > 0 && finding.line as usize <= lines && finding.column > 0,
            "{finding}: {text:?}"
        );
        finding.excerpt().into_iter().for_each(assert_excerpt);
        for related in &finding.related {
            assert!(related.line > 0 && related.line as usize <= lines, "{finding}: {text:?}");
            related.excerpt().into_iter().for_each(assert_excerpt);
        }
        if let Some(edit) = &finding.edit {
            assert_span(text, &edit.span);
            assert!(finding.source.is_some(), "{finding}: {text:?}");
        }
    }
    assert_rendered(&findings);
}

/// A fixed file cannot be fixed more, stays a skill with the same fields, and keeps its body.
pub fn fix_is_idempotent(bytes: &[u8]) {
    let rules = Rules::default();
    let Some(fixed) = fix::fix_skill(PATH, "garden", bytes, &rules) else { return };
    assert!(!fixed.findings.is_empty() && fixed.bytes != bytes);
    assert_eq!(fix::fix_skill(PATH, "garden", &fixed.bytes, &rules), None, "fixing twice fixes more");
    let (before, findings) = skill::read(PATH, "garden", bytes, &rules);
    let (after, left) = skill::read(PATH, "garden", &fixed.bytes, &rules);
    let after = after.expect("what is fixed can be read");
    // Fences of dashes that aren't those of a frontmatter are fixed too: before that nothing could be read.
    let Some(before) = before else { return };
    assert_eq!(before.frontmatter.entries.len(), after.frontmatter.entries.len());
    let changed = |entry: &skills_source::yaml::Entry| matches!(entry.node.value, Value::Unreadable);
    for (old, new) in before.frontmatter.entries.iter().zip(&after.frontmatter.entries) {
        assert!(changed(old) || !changed(new), "{}: what could be read still can", new.key);
    }
    let of_yaml = |findings: &[Finding]| {
        findings.iter().filter(|finding| finding.code == skills_bundle::Code::E003).count()
    };
    assert!(of_yaml(&left) <= of_yaml(&findings));
    assert_eq!(body(&before.body, bytes), body(&after.body, &fixed.bytes));
    let mark = |bytes: &[u8]| bytes.starts_with(b"\xef\xbb\xbf");
    assert_eq!(mark(bytes), mark(&fixed.bytes));
}

/// A file is only returned for a path that names it, and then it is the right file.
pub fn path_stays_inside(path: &str, offset: usize) {
    let registry = Registry::new(&SKILLS).for_audience(Audience::Everyone);
    for entry in registry.skills() {
        let name = entry.skill.name();
        let Ok(content) = registry.read_file(name, path, offset) else { continue };
        // A second implementation of path resolution. What is around a path doesn't count.
        let path = path.trim();
        let named: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        let leads_up = path.split(['/', '\\']).any(|part| part == "..");
        let found = content.file.path();
        assert!(named.join("/") == found || path == found, "{path:?} gave {found}");
        assert!(!leads_up && !path.starts_with('/') && !path.contains('\0'), "{path:?} gave {found}");
        let text = content.file.text();
        let expected: Option<String> = text.map(|text| text.chars().skip(offset).take(24_000).collect());
        assert_eq!(content.text.as_deref(), expected.as_deref());
        assert_eq!(content.total_chars, text.map_or(0, |text| text.chars().count()));
    }
}

/// A raw tool call returns text and valid JSON, whatever it contains.
pub fn call_is_answered(json: &str) {
    let reply = Registry::new(&SKILLS).call(json);
    assert!(!reply.text.is_empty());
    if let Err(error) = &reply.outcome {
        assert!(!error.code().is_empty() && !error.suggestion().is_empty());
        assert!(reply.text.starts_with("Error"), "{}", reply.text);
    }
    serde_json::to_string(&reply).expect("a reply is JSON");
}

/// A lock is read whole or not at all, what is read is written and read again as it was, and one in a program
/// is found among any other bytes.
pub fn lock_is_read(bytes: &[u8]) {
    let found = lock::in_program(bytes, "program");
    found.locks.iter().for_each(assert_written_again);
    let text = String::from_utf8_lossy(bytes);
    match Lock::read("skill-sources.lock", &text) {
        Ok(lock) => {
            assert_written_again(&lock);
            let program = [bytes, &lock::block(&text), bytes].concat();
            assert!(!lock::in_program(&program, "program").locks.is_empty(), "{text:?}");
        }
        Err(findings) => {
            assert!(!findings.is_empty(), "{text:?}");
            assert_rendered(&findings);
        }
    }
}

fn assert_written_again(lock: &Lock) {
    for skill in &lock.skills {
        assert!(skill.dir.split('/').all(|part| !matches!(part, "" | "." | "..")), "{}", skill.dir);
        assert_eq!(lock::digest(&skill.files), skill.digest);
    }
    let written = lock.to_string();
    let again = Lock::read("skill-sources.lock", &written)
        .unwrap_or_else(|findings| panic!("{written:?}: {findings:?}"));
    assert_eq!(again.skills.len(), lock.skills.len());
    assert_eq!(again.to_string(), written);
}

fn body(body: &Body, file: &[u8]) -> Vec<u8> {
    match body {
        Body::Slice(span) => file[span.clone()].to_vec(),
        Body::Normalised(text) => text.clone().into_bytes(),
        other => panic!("a body of an unknown kind: {other:?}"),
    }
}

fn assert_span(text: &str, span: &Span) {
    assert!(text.get(span.clone()).is_some(), "{span:?} isn't in {text:?}");
}

fn assert_excerpt(excerpt: Excerpt<'_>) {
    assert!(excerpt.text.get(excerpt.start..excerpt.end).is_some(), "{excerpt:?}");
    assert!(!excerpt.text.contains(['\n', '\r']), "{excerpt:?}");
}

fn assert_node(text: &str, node: &Node) {
    assert_span(text, &node.span);
    match &node.value {
        Value::Scalar(scalar) if scalar.exact => assert_eq!(text[node.span.clone()], scalar.text),
        Value::List(items) => items.iter().for_each(|item| assert_node(text, item)),
        Value::Map(entries) => {
            for entry in entries {
                assert_span(text, &entry.key_span);
                assert_node(text, &entry.node);
            }
        }
        Value::Tagged(_, inner) => assert_node(text, inner),
        _ => {}
    }
}

/// A file of tests of triggers is read, whatever it holds: each case can be judged, and every line is in the file.
pub fn cases_are_read(bytes: &[u8]) {
    let registry = Registry::new(&SKILLS);
    let mut cases = Cases::new();
    let form = cases.read(&registry, &CaseFile { path: "pdf-forms.json", bytes });
    let report = cases.judge(&registry);
    let has_any = !report.cases.is_empty() || !report.problems.is_empty() || !report.skipped.is_empty();
    assert_eq!(form == Form::Cases, has_any, "{:?}", String::from_utf8_lossy(bytes));
    let lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).count();
    for judged in &report.cases {
        let case = &judged.case;
        assert!(!case.query.trim().is_empty() && (1..=SEARCH_LIMIT).contains(&case.top_k), "{case:?}");
        assert!(registry.clone().for_audience(Audience::Everyone).get(&case.skill).is_some(), "{case:?}");
        assert!(judged.passed || !judged.advice.is_empty(), "{judged:?}");
    }
    let places = report.cases.iter().filter_map(|judged| judged.case.place.as_ref());
    let places = places.chain(report.problems.iter().map(|problem| &problem.place));
    for place in places.chain(report.skipped.iter().map(|skipped| &skipped.place)) {
        assert!((1..=lines).contains(&place.line), "{place} of {lines} lines");
    }
    let shown: String = report.cases.iter().map(ToString::to_string).collect();
    assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
    serde_json::to_value(&report).expect("it is JSON");
}

/// Any two contents can be compared as skills, documents and archives, and nothing that is shown of them acts on a
/// terminal, hides, or leaves its fence.
pub fn diff_is_safe(bytes: &[u8]) {
    let (old, new) = bytes.split_at(bytes.len() / 2);
    let side = |bytes: &[u8]| {
        let file = |path: &str| {
            let line = LockedFile::of(path, bytes.len().is_multiple_of(2), bytes);
            diff::File { line, bytes: Some(bytes.to_vec()) }
        };
        let files = ["SKILL.md", "a.bin", "package.json", "run.sh"].map(file).to_vec();
        vec![diff::Skill {
            name: "garden".to_owned(),
            dir: "skills/garden".to_owned(),
            files,
            ..Default::default()
        }]
    };
    let found = diff::diff(&diff::Sides { old: side(old), new: side(new), mine: Vec::new() });
    // Modes differ where lengths do, and so do bytes.
    assert_eq!(found.is_same(), old == new, "{bytes:?}");
    let markdown = diff::render::markdown(&found);
    for shown in [diff::render::text(&found), diff::render::sarif(&found), markdown.clone()] {
        let acts =
            |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{202a}'..='\u{202e}');
        assert!(!shown.contains(acts), "{shown:?}");
    }
    let mut fence: Option<&str> = None;
    for line in markdown.lines() {
        let run = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            None if run.len() >= 3 && line.ends_with("diff") => fence = Some(run),
            Some(open) if line == open => fence = None,
            Some(_) => assert!(line.starts_with(['+', '-', ' ', '@', '\\', '…']), "{line:?} in {markdown}"),
            None => {}
        }
    }
    assert_eq!(fence, None, "{markdown}");
    assert_eq!(diff::render::json(&found)["same"], found.is_same());
}

/// Reviews are read whole or not at all, and one more can be added to any that were read.
pub fn reviews_are_read(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let digest = lock::digest(&[]);
    let one = Review::new("a \"b\"", "Ana", Reviewed::Whole(digest));
    match Reviews::read("skill-reviews.toml", &text) {
        Ok(before) => {
            let Ok(more) = reviews::with(&text, &one) else { return };
            let after = Reviews::read("skill-reviews.toml", &more).expect("it was read again");
            assert_eq!(after.reviews.len(), before.reviews.len() + 1, "{more}");
            assert!(after.covering("a \"b\"", digest, reviews::REVIEWED).is_some(), "{more}");
        }
        Err(findings) => {
            assert!(!findings.is_empty() && findings.iter().all(|finding| !finding.help.is_empty()));
            // Nothing in nothing: a file that isn't there is begun.
            assert_eq!(reviews::with(&text, &one).is_ok(), text.trim().is_empty(), "{text:?}");
        }
    }
}

/// Every format shows every finding, and none prints control characters.
fn assert_rendered(findings: &[Finding]) {
    let full = render::full(findings, Color::Never);
    assert_eq!(full.is_empty(), findings.is_empty());
    let lines = [render::concise(findings), render::github(findings), render::json_lines(findings)];
    for text in &lines {
        assert_eq!(text.lines().count(), findings.len(), "{text:?}");
    }
    let sarif = render::sarif(findings, true);
    for text in lines.iter().chain([&full, &sarif]) {
        assert!(!text.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{text:?}");
    }
    for text in lines[2].lines().chain([sarif.as_str()]) {
        serde_json::from_str::<serde_json::Value>(text).expect("it is JSON");
    }
}
