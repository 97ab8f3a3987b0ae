//! Misspelt limits: E020.
//!
//! A limit is a flag that says who may call a skill, or the list of its tools. Readers ignore a field that
//! they do not know, so one that is nearly a limit is worse than none, whatever the profile.

use unicode_normalization::UnicodeNormalization as _;

use super::profile;
use crate::code::Code;
use crate::fault::Fault;
use crate::frontmatter::{FIELDS, Field, Frontmatter, LIMITS};
use skills_pack::nearest;
use skills_pack::text::{Quoted, did_you_mean};

/// Shorter names are too near to other words to be guessed at.
const MIN_GUESSED: usize = 10;

/// How many edits away a name may be that is meant for a limit.
const MAX_EDITS: usize = 2;

pub(super) fn check(read: &Frontmatter, faults: &mut Vec<Fault>) {
    let misspelt = read.entries.iter().filter_map(|entry| Some((entry, meant(&entry.key)?)));
    faults.extend(misspelt.map(|(entry, meant)| {
        let shown = entry.key.escape_debug();
        let question = did_you_mean(Quoted(meant));
        Fault::new(Code::E020, entry.key_span.clone(), format!("`{shown}` limits nothing: {question}"))
            .label(question)
            .help(format!("write `{meant}` instead of `{shown}`"))
    }));
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
    near.or_else(|| {
        (plain_key == "tool")
            .then(|| LIMITS.iter().find(|field| field.names.contains(&"tools")))?
            .map(Field::name)
    })
}

/// A key without what people write differently.
fn plain(key: &str) -> String {
    key.nfkc().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
