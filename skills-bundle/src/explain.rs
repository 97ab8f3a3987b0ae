//! The table of rules for people and programs: one rule, all of them, and the page of the docs.
//!
//! All words come from the table; nothing is judged here.

use std::fmt::Write as _;

use serde_json::{Value, json};
use skills_source::code::{RULES, Rule};
use skills_source::rules::Profile;

/// What a rule finds, why, an example of each side, and its level in each profile; without a line
/// feed at the end.
pub fn rule(rule: &Rule) -> String {
    let Rule { code, name, summary, why, .. } = rule;
    format!(
        "{code} {name}: {summary}\n\nWhy: {why}\n\nBad:\n{}\n\nGood:\n{}\n\n{}",
        indented(rule.bad),
        indented(rule.good),
        levels(rule)
    )
}

/// All rules, one a line: code, level, name and what it finds; without a line feed at the end.
pub fn list() -> String {
    let width = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or_default();
    let lines = RULES.iter().map(|rule| {
        let Rule { code, name, summary, .. } = rule;
        format!("{code}  {:4}  {name:width$}  {summary}", rule.level.name())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A rule as data: `code`, `name`, `level`, `settable`, `summary`, `why`, `bad`, `good`, and
/// `profiles` with the level in each.
pub fn rule_json(rule: &Rule) -> Value {
    let profiles: serde_json::Map<String, Value> = Profile::ALL
        .iter()
        .map(|profile| (profile.name().to_owned(), profile.level(rule.code).name().into()))
        .collect();
    json!({
        "code": rule.code.as_str(),
        "name": rule.name,
        "level": rule.level.name(),
        "settable": rule.code.has_settable_level(),
        "summary": rule.summary,
        "why": rule.why,
        "bad": rule.bad,
        "good": rule.good,
        "profiles": profiles,
    })
}

/// The page `docs/rules.md`.
pub fn page() -> String {
    let mut page = PAGE_HEAD.to_owned();
    for rule in RULES {
        let Rule { code, name, summary, .. } = rule;
        let level = |profile: Profile| profile.level(*code).name();
        let [default, claude, standard] = [Profile::Default, Profile::Claude, Profile::Standard].map(level);
        // Writing to a string cannot fail.
        let _ = writeln!(
            page,
            "| [{code}](#{}-{name}) | {} | {default} | {claude} | {standard} |",
            code.as_str().to_lowercase(),
            cell(summary)
        );
    }
    for rule in RULES {
        let Rule { code, name, summary, why, bad, good, .. } = rule;
        let _ = write!(
            page,
            "\n## {code} {name}\n\nFinds: {summary}.\n\nWhy: {why}.\n\nBad:\n\n{}\nGood:\n\n{}",
            fenced(bad),
            fenced(good)
        );
    }
    page
}

const PAGE_HEAD: &str = "\
# Rules

Made from the table of rules in `skills-source/src/code.rs`; [CONTRIBUTING.md](../CONTRIBUTING.md) says how.
`skills explain RULE` prints one of them.

`deny` fails the build or check, `warn` is reported, `allow` is not. Rules that begin with `E` always deny, except E024. The
level of the others is set by code or name, in this order, the later on top:

1. by a profile: `default` unless chosen; `claude` is what Claude accepts; `standard` is what the Agent Skills
   specification and its reference validator accept;
2. in `[workspace.metadata.skills]` of the workspace's Cargo.toml, then in `[package.metadata.skills]` of the package's,
   for build and check alike;
3. in the build script, by `Config::profile`, `deny`, `warn` and `allow`; for a check, by `--profile`, `--deny`, `--warn`
   and `--allow`.

```toml
[package.metadata.skills]
profile = \"claude\"
deny = [\"name-not-directory\"]   # rules by code or name
warn = [\"L101\"]
allow = [\"L104\"]
ignore = [\"drafts/\"]            # what is left out, as patterns
unicode-names = true            # names in any script
```

| rule | finds | default | claude | standard |
| --- | --- | --- | --- | --- |
";

fn levels(rule: &Rule) -> String {
    if !rule.code.has_settable_level() {
        return "Level: always deny".to_owned();
    }
    let different: Vec<String> = Profile::ALL
        .iter()
        .map(|profile| (profile, profile.level(rule.code)))
        .filter(|(_, level)| *level != rule.level)
        .map(|(profile, level)| format!("; {} in the profile `{profile}`", level.name()))
        .collect();
    format!("Level: {}{}", rule.level.name(), different.concat())
}

fn indented(text: &str) -> String {
    text.trim_end()
        .lines()
        .map(|line| format!("    {line}").trim_end().to_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

fn fenced(text: &str) -> String {
    format!("```text\n{}\n```\n", text.trim_end())
}

/// Text in a cell of a table: `|` would end it, and `<word>` would be an element outside code.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// `UPDATE_DOCS=1 cargo test -p skills-bundle docs` writes the page.
    #[test]
    #[allow(clippy::disallowed_methods, reason = "the page is written on demand")]
    fn the_docs_are_the_table() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules.md");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::create_dir_all(file.with_file_name("")).expect("the directory can be made");
            std::fs::write(&file, page()).expect("the page can be written");
        }
        let written = std::fs::read_to_string(&file).expect("there is a page").replace("\r\n", "\n");
        assert!(written == page(), "docs/rules.md is stale: UPDATE_DOCS=1 cargo test -p skills-bundle docs");
    }

    #[test]
    fn a_rule_is_told_whole() {
        for row in RULES {
            let (text, data) = (rule(row), rule_json(row));
            for part in [row.name, row.summary, row.why] {
                assert!(text.contains(part), "{text}");
                assert!(!part.ends_with('.') && !part.is_empty(), "{part}");
            }
            assert_eq!(data["profiles"]["default"], data["level"]);
            assert!(list().contains(row.summary));
        }
    }
}
