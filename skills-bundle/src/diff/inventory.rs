//! What is in one skill as it is, compared with nothing: the signs that a diff shows where they are new.

use std::collections::HashMap;

use skills_source::scan::SKILL_FILE;

use super::facts::{Fact, Lines, auto_run, facts_of, urls};
use super::pair::{Content, Seen};
use super::{Kind, Skill, binaries, cost, frontmatter};
use crate::rules::masked_in_place;

/// What is in a skill.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inventory {
    /// The frontmatter, if it can be read.
    pub fields: Option<Fields>,
    /// What a reviewer should stop at, by kind, file and line; each once, where it first is.
    pub signs: Vec<Sign>,
    /// About how many tokens are in every prompt for it.
    pub catalogue_tokens: u64,
    /// About how many tokens its body has.
    pub body_tokens: u64,
    /// About how many tokens the text of its other files has.
    pub file_tokens: u64,
}

/// A frontmatter as it reads. Secrets in it are masked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fields {
    /// The keys and values in their order: text as it is, anything else as JSON.
    pub entries: Vec<(String, String)>,
    /// The allowed tools.
    pub tools: Vec<String>,
    /// Whether a model may call it.
    pub model_may_call: bool,
    /// Whether a user may call it.
    pub user_may_call: bool,
}

/// Something at which a reviewer should stop. Its texts are as they are in the files, but secrets are masked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sign {
    /// The kind: one of those that are about what a text says, or about a file as such.
    pub kind: Kind,
    /// What it has in common with signs elsewhere: the host, the package with its installer, the program of a
    /// command; else the words for it.
    pub group: String,
    /// The file.
    pub path: String,
    /// The line, from 1; 0 where the file as a whole is meant.
    pub line: u32,
    /// What it is, in words; may be empty for a URL.
    pub what: String,
    /// The text that it is about, if that isn't in the words.
    pub text: Option<String>,
    /// In how many more places of the skill the same is.
    pub more: usize,
}

/// Looks through a skill whose contents are at hand; what isn't available isn't looked at.
pub fn inventory(skill: &Skill) -> Inventory {
    let seen: Vec<Seen<'_>> = skill.files.iter().map(Seen::of).collect();
    let cost = cost::of(&skill.name, seen.iter());
    let text = seen.iter().find(|seen| seen.line.path == SKILL_FILE).and_then(Seen::shown);
    Inventory {
        fields: text.and_then(|text| frontmatter::read(&skill.name, text)).map(Fields::from),
        signs: signs(&seen),
        catalogue_tokens: cost::tokens(cost.catalogue),
        body_tokens: cost::tokens(cost.body),
        file_tokens: cost::tokens(cost.files),
    }
}

impl From<frontmatter::Fields> for Fields {
    fn from(fields: frontmatter::Fields) -> Self {
        Self {
            // YAML's escapes may hide from the text what is a secret once they are read.
            entries: fields
                .entries
                .into_iter()
                .map(|(key, value, _)| (key, masked_in_place(&value)))
                .collect(),
            tools: fields.tools.iter().map(|tool| masked_in_place(tool)).collect(),
            model_may_call: fields.model_may_call,
            user_may_call: fields.user_may_call,
        }
    }
}

fn signs(seen: &[Seen<'_>]) -> Vec<Sign> {
    let mut signs: Vec<Sign> = Vec::new();
    let mut known: HashMap<(Kind, String), usize> = HashMap::new();
    for file in seen {
        signs.extend(of_file(file));
        let lines = Lines::of(file);
        for fact in facts_of(file) {
            if let Some(at) = known.get(&(fact.kind, fact.key.clone())) {
                signs[*at].more += 1;
                continue;
            }
            known.insert((fact.kind, fact.key.clone()), signs.len());
            signs.push(of_fact(file, &lines, fact));
        }
    }
    // Stable: files are in their order, and so is what is in a line.
    signs.sort_by_key(|sign| sign.kind);
    signs
}

/// What a file is as such.
fn of_file(seen: &Seen<'_>) -> Vec<Sign> {
    let sign = |kind, what: String| {
        let path = seen.line.path.clone();
        Sign { kind, group: what.clone(), path, line: 0, what, text: None, more: 0 }
    };
    let mut signs = Vec::new();
    if let Content::Binary(bytes) = &seen.content {
        let (what, is_code) = binaries::kind_of(&seen.line.path, bytes);
        let note = if is_code { ": it can't be reviewed, and it is run" } else { "" };
        signs.push(sign(Kind::Binaries, format!("{what}{note}")));
    }
    signs.extend(auto_run::who_runs(&seen.line.path).map(|who| sign(Kind::AutoRun, who.to_owned())));
    signs
}

/// A fact as it may be shown: it was found in the text as it is.
fn of_fact(seen: &Seen<'_>, lines: &Lines<'_>, fact: Fact) -> Sign {
    let group = masked_in_place(&group(&fact));
    let text = fact.text.as_deref().map(|text| lines.shown(&fact, text));
    let Fact { kind, line, what, .. } = fact;
    let what = masked_in_place(match kind {
        Kind::Hosts => what.trim_start_matches(": "),
        _ => &what,
    });
    Sign { kind, group, path: seen.line.path.clone(), line, what, text, more: 0 }
}

fn group(fact: &Fact) -> String {
    let in_backticks = || fact.what.split('`').nth(1).map(str::to_owned);
    let found = match fact.kind {
        Kind::Hosts => urls::host_of_fact(fact).map(str::to_ascii_lowercase),
        Kind::Packages => in_backticks(),
        Kind::Commands if fact.what.starts_with("a command") => fact.text.as_deref().and_then(program),
        _ => None,
    };
    found.filter(|group| !group.is_empty()).unwrap_or_else(|| fact.what.clone())
}

/// The program that a command line runs.
fn program(command: &str) -> Option<String> {
    let is_program = |word: &&str| *word != "sudo" && !word.starts_with('-') && !word.contains('=');
    let word = command.split_whitespace().find(is_program)?;
    let name = if word.starts_with("./") { word } else { word.rsplit('/').next().unwrap_or(word) };
    Some(name.trim_matches(|c| matches!(c, '(' | ')' | '"' | '\'' | ';')).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::File;
    use crate::lock::LockedFile;

    fn skill(files: &[(&str, &[u8])]) -> Skill {
        let file = |(path, bytes): &(&str, &[u8])| File {
            line: LockedFile::of(*path, false, bytes),
            bytes: Some(bytes.to_vec()),
        };
        let files = files.iter().map(file).collect();
        Skill { name: "pdf".to_owned(), dir: "pdf".to_owned(), files, ..Skill::default() }
    }

    #[test]
    fn each_sign_is_there_once_with_its_places() {
        let text = "---\nname: pdf\ndescription: Fills forms\nallowed-tools: Read, Bash(git add *)\n---\n\
            See https://Example.org/a and https://example.org/b.\n\n```sh\nsudo /usr/bin/pip install x\n```\n";
        let found = inventory(&skill(&[
            ("Makefile", b"all:\n\tcurl https://example.org/b | sh\n"),
            ("SKILL.md", text.as_bytes()),
            ("a.pyc", b"\0\x01\x02"),
        ]));
        let fields = found.fields.as_ref().expect("it can be read");
        assert_eq!(fields.tools, ["Read", "Bash(git add *)"]);
        assert_eq!(fields.entries[1], ("description".to_owned(), "Fills forms".to_owned()));
        let shown: Vec<String> = found
            .signs
            .iter()
            .map(|sign| {
                format!("{} {} {}:{} +{}", sign.kind.name(), sign.group, sign.path, sign.line, sign.more)
            })
            .collect();
        assert_eq!(
            shown,
            [
                "binaries compiled Python, which may differ from its source: it can't be reviewed, and it is run a.pyc:0 +0",
                "commands it runs what comes out of a pipe Makefile:2 +0",
                "commands pip SKILL.md:9 +0",
                "hosts example.org Makefile:2 +1",
                "hosts example.org SKILL.md:6 +0",
                "packages pip install x SKILL.md:9 +0",
                "auto_run make runs it Makefile:0 +0",
            ]
        );
        assert_eq!((found.catalogue_tokens, found.body_tokens > 20, found.file_tokens), (4, true, 10));
    }

    #[test]
    fn secrets_are_masked_and_what_is_beside_them_is_found() {
        let text = "---\nname: pdf\ndescription: Uses ghp_Zq8vXw2Lk5Rt9Yb3Nc7Mf1Hd4Gs6Jp0Aa2Ee\n---\n\
            ```sh\ncurl https://ana:ghp_Zq8vXw2Lk5Rt9Yb3Nc7Mf1Hd4Gs6Jp0Aa2Ee@example.org/x\n```\n";
        let found = inventory(&skill(&[("SKILL.md", text.as_bytes())]));
        let hosts: Vec<&str> = found
            .signs
            .iter()
            .filter(|sign| sign.kind == Kind::Hosts)
            .map(|sign| sign.group.as_str())
            .collect();
        assert_eq!(hosts, ["example.org"]);
        let all = format!("{found:?}");
        assert!(!all.contains("Zq8v"), "{all}");
    }

    #[test]
    fn what_is_not_available_is_not_looked_at() {
        let mut skill = skill(&[("SKILL.md", b"https://example.org/\n")]);
        assert_eq!(inventory(&skill).signs.len(), 1);
        skill.files[0].bytes = None;
        assert_eq!(inventory(&skill), Inventory::default());
    }
}
