//! Misspelt limits: E020; and limits where nobody looks for them: L104.
//!
//! A limit is a flag that says who may call a skill, or the list of its tools. Readers ignore a field that
//! they do not know, so one that is nearly a limit is worse than none, whatever the profile.

use unicode_normalization::UnicodeNormalization as _;

use super::profile::{self, Profile};
use crate::code::Code;
use crate::fault::Fault;
use crate::frontmatter::{FIELDS, Field, Frontmatter, LIMITS, METADATA};
use crate::yaml::Value;
use skills_pack::nearest;
use skills_pack::text::{Quoted, did_you_mean};

/// Shorter names are too near to other words to be guessed at.
const MIN_GUESSED: usize = 10;

/// How many edits away a name may be that is meant for a limit.
const MAX_EDITS: usize = 2;

pub(super) fn check(read: &Frontmatter, profile: Profile, faults: &mut Vec<Fault>) {
    let misspelt = read.entries.iter().filter_map(|entry| Some((entry, meant(&entry.key)?)));
    faults.extend(misspelt.map(|(entry, meant)| {
        let shown = entry.key.escape_debug();
        let question = did_you_mean(Quoted(meant));
        Fault::new(Code::E020, entry.key_span.clone(), format!("`{shown}` limits nothing: {question}"))
            .label(question)
            .help(format!("write `{meant}` instead of `{shown}`"))
            .suggested(entry.key_span.clone(), meant)
    }));
    // To the standard `metadata` may hold anything.
    if profile != Profile::Standard {
        faults.extend(below_metadata(read));
    }
}

/// Limits directly below `metadata`, where no reader obeys them. `tools` may be anything there.
fn below_metadata(read: &Frontmatter) -> Vec<Fault> {
    let Some(Value::Map(entries)) = read.entry(METADATA.name()).map(|entry| &entry.node.value) else {
        return Vec::new();
    };
    let limit = |key: &str| {
        let mut names = LIMITS.iter().flat_map(|field| field.names.iter().map(|name| (field.name(), *name)));
        let is_it = |name: &str| name.len() >= MIN_GUESSED && plain(name) == plain(key);
        names.find(|(_, name)| is_it(name)).map(|(limit, _)| limit)
    };
    let found = entries.iter().filter_map(|entry| Some((entry, limit(&entry.key)?)));
    let fault = found.map(|(entry, limit)| {
        let shown = entry.key.escape_debug();
        let message = format!("`{shown}` below `metadata` limits nothing");
        Fault::new(Code::L104, entry.key_span.clone(), message)
            .label("readers obey it at the top level alone")
            .help(format!("write `{limit}` at the left margin, not below `metadata`"))
    });
    fault.collect()
}

/// The lines of a SKILL.md that set a limit or seem to, with the lines of their values.
///
/// It needs no valid file: two versions of a file with equal lines have the same limits, whatever else is
/// wrong with one of them.
pub fn limit_lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut in_limit = false;
    let mut lines = Vec::new();
    for line in bytes.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let goes_on =
            line.first().is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'#' | b']' | b'}'));
        in_limit =
            sets_limit(&String::from_utf8_lossy(line)) || in_limit && goes_on && !line.starts_with(b"---");
        if in_limit && !line.is_empty() {
            lines.push(line);
        }
    }
    lines
}

fn sets_limit(line: &str) -> bool {
    let key = line.split(':').next().unwrap_or_default().trim().trim_matches(['"', '\'']);
    let is_name = LIMITS.iter().any(|field| field.names.contains(&key)) || meant(key).is_some();
    let plain_line = plain(line);
    let mut long = LIMITS.iter().flat_map(|field| field.names).filter(|name| name.len() >= MIN_GUESSED);
    line.contains(':') && (is_name || long.any(|name| plain_line.contains(&plain(name))))
}

/// The limit that a key seems to be meant for, if it is not the name of anything.
fn meant(key: &str) -> Option<&'static str> {
    if FIELDS.iter().any(|field| field.names.contains(&key)) {
        return None;
    }
    let names = || LIMITS.iter().flat_map(|field| field.names.iter().map(|name| (field.name(), *name)));
    let plain_key = plain(key);
    if let Some((meant, _)) = names().find(|(_, name)| plain(name) == plain_key) {
        return Some(meant);
    }
    // `disallowed-tools` is near to a limit and another field.
    if profile::is_known(|known| plain(known) == plain_key) {
        return None;
    }
    let is_near = |name: &str| {
        let (long, plain_name) = (name.len() >= MIN_GUESSED, plain(name));
        long && nearest::slips(key, name).min(nearest::slips(&plain_key, &plain_name)) <= MAX_EDITS
    };
    let near = names().find(|(_, name)| is_near(name)).map(|(meant, _)| meant);
    let of_tools = || LIMITS.iter().find(|field| field.names.contains(&"tools")).map(Field::name);
    near.or_else(|| if plain_key == "tool" { of_tools() } else { None })
}

/// A key without what people write differently.
fn plain(key: &str) -> String {
    key.nfkc().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_limits_are_found_in_a_broken_file() {
        let text = "---\nname: [a\ntools:\n- Read\n- Grep\nlicense: x\n{user_invocable: no}\n---\nBody\n";
        let lines: Vec<&[u8]> = vec![b"tools:", b"- Read", b"- Grep", b"{user_invocable: no}"];
        assert_eq!(limit_lines(text.as_bytes()), lines);
        assert_eq!(limit_lines(b"---\nname: a\ndescription: b\n---\nBody\n"), [b""; 0]);
    }

    #[test]
    fn what_is_nearly_a_limit_is_found() {
        for (key, limit) in [
            ("disable-model-invokation", "disable-model-invocation"),
            ("Disable-Model-Invocation", "disable-model-invocation"),
            ("disable model invocation", "disable-model-invocation"),
            ("disablemodelinvocation", "disable-model-invocation"),
            ("disable\u{2011}model\u{2011}invocation", "disable-model-invocation"),
            ("disable-model-invocation\u{200b}", "disable-model-invocation"),
            ("disableModelInvokation", "disable-model-invocation"),
            ("disable-modell-invokation", "disable-model-invocation"),
            ("user-invokable", "user-invocable"),
            ("UserInvocable", "user-invocable"),
            ("users-invocable", "user-invocable"),
            ("allowed-tool", "allowed-tools"),
            ("Allowed Tools", "allowed-tools"),
            ("allow-tools", "allowed-tools"),
            ("ａllowed-tools", "allowed-tools"),
            ("Tools", "allowed-tools"),
            ("tool", "allowed-tools"),
            ("Tool", "allowed-tools"),
        ] {
            assert_eq!(meant(key), Some(limit), "{key:?}");
        }
    }

    #[test]
    fn other_fields_are_let_be() {
        for key in [
            "hooks",
            "model",
            "tags",
            "tag",
            "toolbox",
            "tooling",
            "toolset",
            "toots",
            "disallowed-tools",
            "disallowedTools",
            "required-tools",
            "enable-model-invocation-log",
            "user",
            "invocable",
            "name",
            "allowed",
            "disable",
            "context",
            "user-facing",
            "allowed-domains",
            "mcp-tools",
            "",
        ] {
            assert_eq!(meant(key), None, "{key}");
        }
        for field in FIELDS {
            assert!(field.names.iter().all(|name| meant(name).is_none()), "{}", field.name());
        }
    }
}
