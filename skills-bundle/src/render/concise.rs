//! Findings as one line each, and the line that closes a run.
//!
//! The lines are those of [`Finding`]'s `Display`, with hidden characters as escapes, so that one
//! finding is one line whatever its file is called.

use skills_source::code::Level;
use skills_source::finding::Finding;

use super::escape;
use super::visible::escape_path;

/// One line a finding: `path:line:column: error[E009]: message`. Each ends in a line feed.
pub fn concise(findings: &[Finding]) -> String {
    let line = |finding: &Finding| {
        let Finding { code, level, path, line, column, message, .. } = finding;
        let (path, message) = (escape_path(path), escape(message));
        format!("{path}:{line}:{column}: {level}[{code}]: {message}\n")
    };
    findings.iter().map(line).collect()
}

/// The line that closes a run, without a line feed: `checked 12 skills: 2 errors, 1 warning`, or where
/// there are slash commands `checked 12 skills, 1 command: no findings`.
pub fn summary(skills: usize, commands: usize, findings: &[Finding]) -> String {
    let of = |level| findings.iter().filter(|finding| finding.level == level).count();
    let parts: Vec<String> = [(of(Level::Deny), "error"), (of(Level::Warn), "warning")]
        .into_iter()
        .filter(|&(count, _)| count > 0)
        .map(|(count, noun)| counted(count, noun))
        .collect();
    let found = if parts.is_empty() { "no findings".to_owned() } else { parts.join(", ") };
    let what: Vec<String> = [(skills, "skill"), (commands, "command")]
        .into_iter()
        .filter(|&(count, noun)| count > 0 || noun == "skill" && commands == 0)
        .map(|(count, noun)| counted(count, noun))
        .collect();
    format!("checked {}: {found}", what.join(", "))
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::sample::{finding, on_path};

    #[test]
    fn a_finding_is_a_line() {
        let mut hostile = on_path("skills/a\nb.txt", "the file \u{202e}cannot\u{1b}[2J be read");
        hostile.level = Level::Warn;
        insta::assert_snapshot!(concise(&[finding("name: pdf_tools", "_"), hostile]), @r"
        skills/pdf-tools/SKILL.md:2:10: error[E009]: `name` may hold only a-z, 0-9 and `-`
        skills/a\u{a}b.txt:1:1: warning[E009]: the file \u{202e}cannot\u{1b}[2J be read
        ");
        assert_eq!(concise(&[]), "");
    }

    #[test]
    fn the_summary_counts_in_good_english() {
        let error = finding("name: pdf_tools", "_");
        let (mut warning, mut allowed) = (error.clone(), error.clone());
        (warning.level, allowed.level) = (Level::Warn, Level::Allow);
        assert_eq!(summary(0, 0, &[]), "checked 0 skills: no findings");
        assert_eq!(summary(1, 0, &[allowed]), "checked 1 skill: no findings");
        assert_eq!(summary(2, 0, std::slice::from_ref(&warning)), "checked 2 skills: 1 warning");
        assert_eq!(
            summary(12, 1, &[error.clone(), warning, error]),
            "checked 12 skills, 1 command: 2 errors, 1 warning"
        );
        assert_eq!(summary(0, 2, &[]), "checked 2 commands: no findings");
    }
}
