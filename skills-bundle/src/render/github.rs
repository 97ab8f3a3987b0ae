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
}
