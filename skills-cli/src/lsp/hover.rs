//! Hovers: what a field is for, what a model sees of a description, what another skill does.

use gen_lsp_types::{Hover, Position};
use skills::catalogue::PROMPT_BUDGET;
use skills_bundle::{Finding, links_of, render};
use skills_pack::text::counted;
use skills_source::document::split;
use skills_source::frontmatter::{About, DESCRIPTION, Field, WHEN_TO_USE};
use skills_source::rules::MAX_DESCRIPTION;
use skills_source::scan::FoundSkill;
use skills_source::skill::SkillText;
use skills_source::source::Span;

use super::complete::{form, is_in_frontmatter, markdown};
use super::document::Document;
use super::mentions::mentions;
use super::place::Kind;
use super::root::Root;
use crate::test::failing::OfSkill;

pub(crate) fn hover(document: &Document, root: &mut Root, position: Position) -> Option<Hover> {
    if document.kind != Kind::Skill {
        return None;
    }
    let text = document.body();
    let at = document.offset(position);
    let (span, words) = if is_in_frontmatter(text, at) {
        in_frontmatter(document, root, at)?
    } else {
        in_body(document, root, at)?
    };
    Some(Hover { contents: markdown(&words).into(), range: Some(document.range(&span)) })
}

fn in_frontmatter(document: &Document, root: &mut Root, at: usize) -> Option<(Span, String)> {
    let described = described(document, root, at);
    if described.is_some() {
        return described;
    }
    let text = document.body();
    let start = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let end = text[start..].find(':').map(|len| start + len)?;
    let key = text.get(start..end)?;
    let about = About::of(key).filter(|_| at <= end)?;
    let names = about.names();
    let mut words = format!("**{}** ({})\n\n{}", about.name, form(about.form), about.text);
    if names.len() > 1 {
        let others: Vec<String> =
            names.iter().filter(|name| **name != key).map(|name| format!("`{name}`")).collect();
        words.push_str(&format!("\n\nAlso read as {}.", others.join(", ")));
    }
    let profile = root.rules().profile();
    if !About::all(profile).contains(&about) {
        words.push_str(&format!("\n\nReaders of the profile `{profile}` ignore it."));
    }
    Some((start..end, words))
}

/// On the description: the line that a model sees, and how much room it takes.
fn described(document: &Document, root: &mut Root, at: usize) -> Option<(Span, String)> {
    let total = catalogue_chars(root);
    let count =
        root.skills().filter(|(_, text)| text.is_some_and(|text| text.frontmatter.model_may_call)).count();
    let (_, text) = root.skill_of(&document.path)?;
    let text = text?;
    let frontmatter = &text.frontmatter;
    // A block has its text below its sign, so the value is what is before the next field.
    let number = frontmatter.entries.iter().rposition(|entry| entry.key_span.start <= at)?;
    let entry = frontmatter.entries.get(number).filter(|entry| entry.key_span.end < at)?;
    let is_shown = |field: &Field| field.names.contains(&entry.key.as_str());
    if ![DESCRIPTION, WHEN_TO_USE].iter().any(is_shown) {
        return None;
    }
    let next = frontmatter.entries.get(number + 1).map(|next| next.key_span.start);
    let end = next.or_else(|| Some(split(document.body()).ok()?.frontmatter.end))?;
    let span = entry.key_span.start..document.body().get(..end)?.trim_end().len().max(entry.key_span.end);
    let whole = frontmatter.whole_description();
    let chars = whole.chars().count();
    let line = line_of(&text.name, &whole);
    let mut words = if frontmatter.model_may_call {
        format!("A model sees this line:\n\n{}\n", fenced(&line))
    } else {
        "No model sees this: `disable-model-invocation` is set.\n".to_owned()
    };
    words.push_str(&format!("\nThe description has {chars} of {MAX_DESCRIPTION} characters."));
    if let Some((cut, _)) = whole.char_indices().nth(MAX_DESCRIPTION) {
        let before: String =
            whole[..cut].chars().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect();
        words.push_str(&format!(
            " Readers that keep to the limit cut it after “{}”.",
            render::escape(&before)
        ));
    }
    words.push_str(&format!(
        "\n\nThe catalogue of this root, of {}, has {total} of {PROMPT_BUDGET} characters.",
        counted(count, "skill")
    ));
    if total > PROMPT_BUDGET {
        words.push_str(" What is past them is left out of a system prompt.");
    }
    words.push_str(&queries(document, root).unwrap_or_default());
    Some((span, words))
}

/// What the queries of tests for the skill give.
fn queries(document: &Document, root: &mut Root) -> Option<String> {
    root.judge_queries();
    let OfSkill { queries, failed, failing } = root.queries_of(&document.path)?;
    let all = if *queries == 1 {
        "the query that tests".to_owned()
    } else {
        format!("the {queries} queries that test")
    };
    if failing.is_empty() {
        return Some(format!("\n\nIt passes {all} it."));
    }
    let row = |finding: &Finding| {
        let Finding { path, line, message, help, .. } = finding;
        format!("{}\nhelp: {}", render::escape(&format!("{path}:{line}: {message}")), render::escape(help))
    };
    let rows: Vec<String> = failing.iter().map(row).collect();
    let count = if *queries == 1 { String::new() } else { format!("{failed} of ") };
    Some(format!("\n\nIt doesn't pass {count}{all} it:\n\n{}", fenced(&rows.join("\n"))))
}

/// The line of a skill in a catalogue.
fn line_of(name: &str, description: &str) -> String {
    format!("- {name}: {}", description.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn catalogue_chars(root: &mut Root) -> usize {
    let shown = |(_, text): (&FoundSkill, Option<&SkillText>)| {
        let text = text.filter(|text| text.frontmatter.model_may_call)?;
        Some(line_of(&text.name, &text.frontmatter.whole_description()).chars().count() + 1)
    };
    root.skills().filter_map(shown).sum()
}

/// A text as a block of code that it can't close.
fn fenced(text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}text\n{text}\n{fence}")
}

/// The name of a skill at a place in an open file: its own, or of one that its body mentions.
pub(crate) fn name_at(document: &Document, root: &mut Root, at: usize) -> Option<(Span, String)> {
    let holds = |span: &Span| span.start <= at && at <= span.end;
    let own = root.skill_of(&document.path).and_then(|(_, text)| {
        let text = text?;
        Some((text.frontmatter.name.as_ref()?.span.clone(), text.name.clone()))
    });
    if let Some(own) = own.filter(|(span, _)| holds(span)) {
        return Some(own);
    }
    let text = document.body();
    let mention = mentions(text, split(text).ok()?.body).into_iter().find(|mention| holds(&mention.span))?;
    root.skill_named(&mention.name)?;
    Some((mention.span, mention.name))
}

fn in_body(document: &Document, root: &mut Root, at: usize) -> Option<(Span, String)> {
    let text = document.body();
    let body = split(text).ok()?.body;
    let holds = |span: &Span| span.start <= at && at <= span.end;
    if let Some(link) = links_of(text, body.clone()).into_iter().find(|link| holds(&link.span)) {
        let (file, dir) = root.file_of_link(&document.path, &link.path)?;
        let size = counted(file.len, "byte");
        let words = format!("`{}`: {size}, a file of the skill `{dir}`", file.path);
        return Some((link.span, words));
    }
    let mention = mentions(text, body).into_iter().find(|mention| holds(&mention.span))?;
    let (_, other) = root.skill_named(&mention.name)?;
    let other = other?;
    let words = format!("**{}**\n\n{}", other.name, other.frontmatter.whole_description());
    Some((mention.span, words))
}
