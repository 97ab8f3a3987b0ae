//! Skills from public repositories, compiled and served whole.
//!
//! They are other people's work, so they are beside the checkout and not in it, and these tests are ignored
//! by default; `.ci/run` runs them if the corpus exists. Each repository is a root of its own. The verdict of
//! the reference validator on each skill is compared with ours, with our own levels and with those of the
//! profile `standard`; the tables `corpus-differences.tsv` and `standard-differences.tsv` explain every
//! difference.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, and so do its helpers")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use skills::{Audience, Registry};
use skills_bundle::compile::{check, compile_good};
use skills_bundle::{Config, Finding, Generated, Level, Profile};
use skills_tests::disk;

/// A repository of the corpus, compiled.
struct Repository {
    name: String,
    generated: Generated,
}

fn corpus() -> (PathBuf, Vec<Repository>) {
    let corpus = disk::shared("corpus");
    let names = disk::directories(&corpus).into_iter().map(|path| disk::name(&path));
    let compiled = names.map(|name| {
        let generated = compile_good(&Config::new(&name).base(&corpus));
        Repository { name, generated }
    });
    let repositories = compiled.collect();
    (corpus, repositories)
}

/// A skill's row in `verdicts.tsv`: its directory, and whether the reference accepts it.
fn verdicts(corpus: &Path) -> Vec<(String, bool)> {
    let table = disk::read_text(&corpus.join("verdicts.tsv"));
    let rows = table.lines().skip(1).map(|line| {
        let mut cells = line.split('\t');
        let path = cells.next().unwrap_or_default().to_owned();
        (path, cells.next() == Some("yes"))
    });
    rows.collect()
}

fn is_in(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn denied<'f>(findings: &'f [Finding], directory: &str) -> Vec<&'f Finding> {
    findings
        .iter()
        .filter(|finding| finding.level == Level::Deny && is_in(&finding.path, directory))
        .collect()
}

#[test]
#[ignore = "needs the corpus beside the checkout: skills from public repositories"]
fn every_skill_is_served_or_has_a_finding() {
    let (corpus, repositories) = corpus();
    let listed: BTreeSet<String> = verdicts(&corpus).into_iter().map(|(path, _)| path).collect();
    let mut seen = BTreeSet::new();
    for Repository { name, generated } in &repositories {
        let pack = generated.pack().expect("the blocks fit");
        let served: BTreeSet<&str> = pack.skills().map(|skill| skill.path()).collect();
        let shadowed = &generated.report.shadowed;
        assert!(shadowed.is_empty(), "one root hides nothing: {shadowed:?}");
        for path in listed.iter().filter(|path| is_in(path, name)) {
            let denied = denied(&generated.report.findings, path);
            assert!(served.contains(path.as_str()) == denied.is_empty(), "{path}: {denied:?}");
            seen.insert(path.clone());
        }
        let beyond: Vec<_> = served.iter().filter(|path| !listed.contains(**path)).collect();
        assert!(beyond.is_empty(), "served, but not listed: {beyond:?}");
        assert!(generated.report.skills >= served.len());
    }
    assert_eq!(seen, listed, "every listed skill lies in a repository");
}

#[test]
#[ignore = "needs the corpus beside the checkout: skills from public repositories"]
fn every_difference_from_the_reference_is_explained() {
    let (corpus, repositories) = corpus();
    let findings = repositories.into_iter().flat_map(|repository| repository.generated.report.findings);
    assert_explained(&corpus, &findings.collect::<Vec<_>>(), "corpus-differences.tsv");
}

/// The profile `standard` has the verdicts of the reference.
#[test]
#[ignore = "needs the corpus beside the checkout: skills from public repositories"]
fn the_profile_standard_agrees_with_the_reference() {
    let corpus = disk::shared("corpus");
    let repositories = disk::directories(&corpus).into_iter().map(|path| disk::name(&path));
    let config = |name: &String| Config::new(name).base(&corpus).profile(Profile::Standard);
    let findings = repositories.flat_map(|name| check(&config(&name)).findings);
    assert_explained(&corpus, &findings.collect::<Vec<_>>(), "standard-differences.tsv");
}

/// Every skill on which the reference and these findings disagree has a line in a table, with the reason, and
/// no other skill does.
fn assert_explained(corpus: &Path, findings: &[Finding], table: &str) {
    let word = |valid: bool| if valid { "yes" } else { "no" };
    let mut different = BTreeMap::new();
    for (path, reference) in verdicts(corpus) {
        let ours = denied(findings, &path).is_empty();
        if ours != reference {
            different.insert(path, (word(reference).to_owned(), word(ours).to_owned()));
        }
    }
    let table = disk::read_text(&Path::new(env!("CARGO_MANIFEST_DIR")).join(table));
    let mut explained = BTreeMap::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [path, reference, ours, reason] = cells[..] else { panic!("four cells a line: {line}") };
        assert!(!reason.is_empty(), "no reason: {line}");
        explained.insert(path.to_owned(), (reference.to_owned(), ours.to_owned()));
    }
    let new: Vec<_> = different.iter().filter(|(path, _)| !explained.contains_key(*path)).collect();
    let gone: Vec<_> = explained.keys().filter(|path| !different.contains_key(*path)).collect();
    assert!(new.is_empty() && gone.is_empty(), "not explained: {new:#?}\nno longer different: {gone:#?}");
    assert_eq!(different, explained);
}

#[test]
#[ignore = "needs the corpus beside the checkout: skills from public repositories"]
fn served_files_equal_those_on_disk() {
    let (corpus, repositories) = corpus();
    let mut skills = 0;
    for Repository { generated, .. } in &repositories {
        let pack = generated.pack().expect("the blocks fit");
        let registry = Registry::empty().with_pack("corpus", pack).for_audience(Audience::Everyone);
        let left_out: Vec<&str> = generated.report.left_out.iter().map(|left| left.path.as_str()).collect();
        for skill in pack.skills() {
            skills += 1;
            let directory = corpus.join(skill.path());
            let text = registry.load(skill.name()).expect("it is served").text();
            let body = body(&disk::read_text(&directory.join("SKILL.md")));
            let body = if body.is_empty() { "(empty)" } else { &body };
            assert!(text.contains(&format!("\n\nContent (SKILL.md body):\n{body}\n\n")), "{}", skill.path());
            assert!(text.contains(skill.description()) && !skill.description().is_empty());

            let on_disk: BTreeSet<String> = files(&directory)
                .into_iter()
                .filter(|path| !left_out.iter().any(|left| is_in(&format!("{}/{path}", skill.path()), left)))
                .collect();
            let served: BTreeSet<String> = skill.files().map(|file| file.path().to_owned()).collect();
            assert_eq!(served, on_disk, "{}", skill.path());
            for file in skill.files() {
                let bytes = disk::read(&directory.join(file.path()));
                assert!(file.bytes() == Some(&*bytes), "{}/{}", skill.path(), file.path());
                assert_eq!(
                    file.sha256().expect("it is packed").as_slice(),
                    Sha256::digest(&bytes).as_slice()
                );
                assert_eq!(whole(&registry, skill.name(), file.path()).as_deref(), file.text());
            }
        }
    }
    assert!(skills > 300, "only {skills} skills are served");
}

/// The files of a skill, with `/`.
fn files(directory: &Path) -> Vec<String> {
    disk::files(directory).iter().map(|path| path.to_string_lossy().replace('\\', "/")).collect()
}

/// A text, read part by part.
fn whole(registry: &Registry<'_>, skill: &str, path: &str) -> Option<String> {
    let mut whole = String::new();
    let mut offset = 0;
    loop {
        let content = registry.read_file(skill, path, offset).expect("a file that is listed can be read");
        whole.push_str(content.text.as_deref()?);
        let Some(next) = content.next_offset else { return Some(whole) };
        offset = next;
    }
}

/// The body by a second, simple and slow implementation.
fn body(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let is_fence = |line: &&str| line.starts_with("---") && line[3..].chars().all(|c| c == ' ' || c == '\t');
    let mut lines = text.lines();
    let _ = lines.by_ref().find(is_fence);
    let _ = lines.by_ref().find(is_fence);
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}
