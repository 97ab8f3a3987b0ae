//! The fields themselves: L104 for one that nobody knows, L118 for a boolean in quotes.

use super::profile::{Profile, is_of_claude_alone};
use crate::code::Code;
use crate::fault::Fault;
use crate::frontmatter::{FIELDS, Form, Frontmatter, TOOLS};
use crate::source::Span;
use crate::yaml::{Entry, Node, ScalarKind, Value};
use skills_pack::nearest;
use skills_pack::text::{Quoted, did_you_mean};

pub(super) fn check(text: &str, read: &Frontmatter, profile: Profile, faults: &mut Vec<Fault>) {
    let known = profile.fields();
    let mut reported = 0;
    for entry in &read.entries {
        // A key that was pointed at as the name or description misspelt is not reported again.
        let is_reported = faults.iter().any(|fault| fault.span == entry.key_span);
        // A merge key was reported with the YAML.
        let is_reported = is_reported || entry.key == "<<";
        if !is_reported && !knows(profile, &known, &entry.key) {
            reported += 1;
            if reported <= MAX_REPORTED {
                faults.push(unknown(entry, profile, &known));
            }
        }
        faults.extend(flag_in_quotes(text, entry));
    }
    // To the standard `metadata` may hold anything.
    if profile != Profile::Standard {
        faults.extend(read.entries.iter().flat_map(|entry| wide_colons(&entry.node)).take(MAX_REPORTED));
    }
    let more = reported.saturating_sub(MAX_REPORTED);
    let last = faults.iter_mut().rfind(|fault| fault.code == Code::L104);
    if let Some(last) = last.filter(|_| more > 0) {
        last.help.push_str(&format!("; {more} more unknown fields are reported once these are gone"));
    }
}

/// How many unknown fields of a file are reported.
const MAX_REPORTED: usize = 64;

fn knows(profile: Profile, known: &[&str], key: &str) -> bool {
    known.contains(&key)
        // Claude Code reads most of its fields in kebab, snake and camel case.
        || profile == Profile::Claude
            && known.iter().any(|known| plain(known) == plain(key))
            && !TOOLS.names.contains(&key)
}

fn unknown(entry: &Entry, profile: Profile, known: &[&'static str]) -> Fault {
    let key = entry.key.as_str();
    let fault = |message: String| Fault::new(Code::L104, entry.key_span.clone(), message);
    let shown = key.escape_debug();
    if let Some(blank) = key.chars().next().filter(|c| c.is_whitespace()) {
        return fault(format!("`{shown}` is not a field: U+{:04X} is no indentation to YAML", blank as u32))
            .label("begins with something like a blank")
            .help("indent it with blanks of ASCII, or delete what is before it");
    }
    if profile == Profile::Claude && TOOLS.names.contains(&key) {
        let right = TOOLS.name();
        return fault(format!("`{shown}` is not a field of a skill to Claude Code: it is called `{right}`"))
            .label(format!("the field is `{right}`"))
            .help(format!("write `{right}` instead of `{shown}`"))
            .suggested(entry.key_span.clone(), right);
    }
    if let Some(meant) = misspelt(key, known) {
        let question = did_you_mean(Quoted(meant));
        return fault(format!("`{shown}` is not a field: {question}"))
            .label(question)
            .help(format!("write `{meant}` instead of `{shown}`"))
            .suggested(entry.key_span.clone(), meant);
    }
    if profile == Profile::Default && is_of_claude_alone(key) {
        return fault(format!("`{shown}` is a field that Claude Code alone reads"))
            .label("other readers ignore it")
            .help("choose the profile `claude`, or allow L104, if it is meant for Claude Code");
    }
    let message = match profile {
        Profile::Default => format!("`{shown}` is not a field that readers of skills know"),
        Profile::Claude => format!("`{shown}` is not a field that Claude Code knows"),
        Profile::Standard => format!("`{shown}` is not a field of the standard"),
    };
    let is_limit = |field: &&crate::frontmatter::Field| {
        field.is_limit() && field.names.iter().any(|name| plain(name) == plain(key))
    };
    if FIELDS.iter().any(|field| is_limit(&field)) {
        return fault(message)
            .label("some readers obey it")
            .help("leave it here, where readers who know it obey it, and allow L104");
    }
    fault(message)
        .label("readers ignore it")
        .help("move it below `metadata`, which is there for fields of your own; or allow L104")
}

/// Keys without a value in a mapping, that have a full-width colon where YAML wants its own.
fn wide_colons(node: &Node) -> Vec<Fault> {
    let Value::Map(entries) = &node.value else { return Vec::new() };
    let mut faults = Vec::new();
    for entry in entries {
        faults.extend(wide_colons(&entry.node));
        if entry.node.value == Value::Null
            && let Some((name, _)) = entry.key.split_once('：')
        {
            let message = format!(
                "`{}` is a key without a value: `：` (U+FF1A) is not the `:` of YAML",
                entry.key.escape_debug()
            );
            let help = format!("write `{}: …`, with the colon and a blank of ASCII", name.escape_debug());
            let fault = Fault::new(Code::L104, entry.key_span.clone(), message);
            faults.push(fault.label("all of this is the key").help(help));
        }
    }
    faults
}

/// The known field that a key seems to be meant for.
fn misspelt(key: &str, known: &[&'static str]) -> Option<&'static str> {
    if let Some(same) = known.iter().find(|known| plain(known) == plain(key)) {
        return Some(same);
    }
    // `name_zh` is not a misspelt `name`, but a field of its own.
    let mut near = nearest::closest(key, known.iter().copied().filter(|known| *known != "skill")).into_iter();
    near.find(|known| key.len() <= known.len() + 1 && (key.len() > 3 || key.len() == known.len()))
        .and_then(|near| known.iter().copied().find(|known| *known == near))
}

/// A key without what people write differently.
fn plain(key: &str) -> String {
    key.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

/// L118. Plain `true` is a boolean to YAML, in quotes it is a string.
fn flag_in_quotes(text: &str, entry: &Entry) -> Option<Fault> {
    let is_flag = |field: &&crate::frontmatter::Field| {
        field.form == Form::Flag && field.names.contains(&entry.key.as_str())
    };
    FIELDS.iter().find(is_flag)?;
    let Value::Scalar(scalar) = &entry.node.value else { return None };
    let value = scalar.text.trim().to_ascii_lowercase();
    if scalar.kind != ScalarKind::Text || !matches!(value.as_str(), "true" | "false") {
        return None;
    }
    let message = format!("`{}` is a string, not a boolean", entry.key);
    let fault = Fault::new(Code::L118, entry.node.span.clone(), message)
        .label("the quotes make it a string")
        .help(format!("write `{}: {value}`", entry.key));
    Some(match with_quotes(text, &entry.node.span) {
        Some(span) => fault.suggested(span, value),
        None => fault,
    })
}

/// The place of a value with the quotes around it, if it has some.
fn with_quotes(text: &str, span: &Span) -> Option<Span> {
    let span = span.start.checked_sub(1)?..span.end + 1;
    let around = text.get(span.clone())?;
    ['"', '\''].iter().any(|quote| around.starts_with(*quote) && around.ends_with(*quote)).then_some(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_misses_are_corrected() {
        let known = Profile::Default.fields();
        for (key, meant) in [
            ("allowedtools", Some("allowed-tools")),
            ("allowedTools", Some("allowed-tools")),
            ("Description", Some("description")),
            ("desciption", Some("description")),
            ("desc", Some("description")),
            ("user-invokable", Some("user-invocable")),
            ("trigers", Some("triggers")),
            ("licence", Some("license")),
            ("compatability", Some("compatibility")),
            ("name_zh", None),
            ("description_en", None),
            ("skills", None),
            ("category", None),
            ("title", None),
            ("type", None),
            ("risk", None),
            ("origin", None),
            ("source", None),
            ("command", None),
            ("id", None),
            ("language", None),
            ("domain", None),
            ("dependencies", None),
        ] {
            assert_eq!(misspelt(key, &known), meant, "{key}");
        }
    }
}
