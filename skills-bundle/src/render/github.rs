//! Findings as annotations of GitHub Actions: lines that the runner shows in the changed files.
//!
//! The form is `::error file=…,line=…::text`. Characters that would end a part of it are written as `%3A` and
//! the like, hidden characters as escapes.

use skills_source::code::Level;
use skills_source::finding::Finding;

use super::escape;

/// One annotation a finding, each in a line.
///
/// Paths are shown as the roots were given: relative to the repository if the check runs there.
pub fn github(findings: &[Finding]) -> String {
    findings.iter().map(|finding| annotation(finding) + "\n").collect()
}

/// An annotation that is for no finding: an error or a warning at a line of a file. `text` may have several lines.
pub fn github_note(is_error: bool, path: &str, line: usize, title: &str, text: &str) -> String {
    let kind = if is_error { "error" } else { "warning" };
    let path = property(path.strip_prefix("./").unwrap_or(path));
    let text = text.lines().map(|line| data(&escape(line))).collect::<Vec<_>>().join("%0A");
    format!("::{kind} file={path},line={line},title={}::{text}\n", property(title))
}

fn annotation(finding: &Finding) -> String {
    let kind = match finding.level {
        Level::Deny => "error",
        Level::Warn => "warning",
        Level::Allow => "notice",
    };
    let Finding { path, line, column, message, help, .. } = finding;
    let path = property(path.strip_prefix("./").unwrap_or(path));
    let end = finding.end_column().map_or_else(String::new, |end| format!(",endLine={line},endColumn={end}"));
    let title = property(&format!("{} {}", finding.code, finding.code.rule().name));
    let text = data(&format!("{}\0help: {}", escape(message), escape(help))).replace('\0', "%0A");
    format!("::{kind} file={path},line={line},col={column}{end},title={title}::{text}")
}

/// A text after the second pair of colons.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value between the first pair of colons and the second.
fn property(text: &str) -> String {
    data(&escape(text)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::sample::{finding, on_path};

    #[test]
    fn a_finding_is_an_annotation() {
        let mut warning = on_path("./a,b/100%:c.txt", "50% of ::error file=x::\nit");
        warning.level = Level::Warn;
        insta::assert_snapshot!(github(&[finding("name: pdf_tools", "_"), warning]), @r"
        ::error file=skills/pdf-tools/SKILL.md,line=2,col=10,endLine=2,endColumn=11,title=E009 name-characters::`name` may hold only a-z, 0-9 and `-`%0Ahelp: write `name: pdf-tools`
        ::warning file=a%2Cb/100%25%3Ac.txt,line=1,col=1,title=E009 name-characters::50%25 of ::error file=x::\nit%0Ahelp: see to it
        ");
        assert_eq!(github(&[]), "");
    }

    #[test]
    fn a_note_may_have_several_lines() {
        assert_eq!(
            github_note(false, "./a:b.json", 3, "skills test", "100%\n\u{1b}[2J::error::"),
            "::warning file=a%3Ab.json,line=3,title=skills test::100%25%0A\\u{1b}[2J::error::\n"
        );
    }
}
