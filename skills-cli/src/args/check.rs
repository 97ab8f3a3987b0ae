//! The arguments of the commands for authors: `check`, `explain`, `new`, `lsp`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use skills_bundle::{Code, Level, Profile};
use skills_pack::nearest;
use skills_pack::text::{Quoted, did_you_mean};
use skills_source::code::RULES;
use skills_source::rules::Rules;

use super::Global;

#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "they are switches of the command line")]
pub(crate) struct Check {
    /// A directory of skills or slash commands, a skill, a SKILL.md, a NAME.command.yaml, or - for one file on
    /// stdin
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Take what is on stdin for the content of the SKILL.md or NAME.command.yaml at PATH, which need not exist
    #[arg(long, value_name = "PATH")]
    pub(crate) stdin_path: Option<PathBuf>,

    /// Use a named set of levels
    #[arg(long, value_name = "NAME", value_parser = profiles())]
    pub(crate) profile: Option<Profile>,

    /// Report RULE, a code or a name such as L103 or name-not-directory, as an error
    #[arg(long, value_name = "RULE", value_parser = rule)]
    pub(crate) deny: Vec<Code>,

    /// Report RULE as a warning
    #[arg(long, value_name = "RULE", value_parser = settable_rule)]
    pub(crate) warn: Vec<Code>,

    /// Do not report RULE
    #[arg(long, value_name = "RULE", value_parser = settable_rule)]
    pub(crate) allow: Vec<Code>,

    /// The output format of findings
    #[arg(long, value_name = "FORM", value_enum)]
    pub(crate) format: Option<Format>,

    /// Apply every fix that is unambiguous: values that need quotes, misspelt fields, a SKILL.md in other
    /// letters
    ///
    /// A fix is applied only if the skill then reads as intended, and a file is written only if it did not
    /// change meanwhile. Comments, order and everything else stay. Remaining findings are reported.
    #[arg(long)]
    pub(crate) fix: bool,

    /// Print what --fix would change as a diff on stdout, and change nothing
    #[arg(long, requires = "fix")]
    pub(crate) dry_run: bool,

    /// Check again whenever something is written, until Ctrl-C
    #[arg(long, conflicts_with_all = ["fix", "stdin_path"])]
    pub(crate) watch: bool,

    /// Succeed even if there are no skills
    #[arg(long)]
    pub(crate) allow_empty: bool,

    #[command(flatten)]
    pub(super) global: Global,
}

/// The output format of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The source line, what is wrong in it, and how to fix it; on stderr
    Full,
    /// One line each; on stderr
    Concise,
    /// One JSON object each, with all details; on stdout
    JsonLines,
    /// As annotations of GitHub Actions; on stdout
    Github,
    /// As one SARIF 2.1.0 document for code scanning; on stdout
    Sarif,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// A rule's code or name, such as L103 or name-not-directory; all rules unless given
    #[arg(value_name = "RULE", value_parser = rule)]
    pub(crate) rule: Option<Code>,

    #[command(flatten)]
    pub(super) global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct New {
    /// The name of the skill and of its directory
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// The directory of skills to put it in [default: skills]
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,

    #[command(flatten)]
    pub(super) global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Lsp {
    /// What editors pass to every server, and is so anyway
    #[arg(long, hide = true)]
    stdio: bool,

    #[command(flatten)]
    pub(super) global: Global,
}

pub(super) fn profiles() -> impl TypedValueParser<Value = Profile> {
    let names =
        Profile::ALL.iter().map(|profile| PossibleValue::new(profile.name()).aliases(profile.aliases()));
    PossibleValuesParser::new(names).map(|name| Profile::parse(&name).unwrap_or_default())
}

fn rule(text: &str) -> Result<Code, String> {
    Code::parse(text).ok_or_else(|| {
        let known = RULES.iter().flat_map(|rule| [rule.code.as_str(), rule.name]);
        match nearest::closest(text, known).first() {
            None => "there is no such rule; `skills explain` lists them all".to_owned(),
            Some(near) => format!("there is no such rule; {}", did_you_mean(Quoted(near))),
        }
    })
}

fn settable_rule(text: &str) -> Result<Code, String> {
    let code = rule(text)?;
    match Rules::default().set_level(code, Level::Allow) {
        Ok(()) => Ok(code),
        Err(error) => Err(error.to_string()),
    }
}
