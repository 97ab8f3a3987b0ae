//! The pieces of Markdown that every report is made of.
//!
//! Which rows a table has and which limit stands where is each benchmark's own business.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::failure::{Outcome, io};

/// What stands in a cell without a number.
pub const NONE: &str = "–";

/// One promise beside what was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// What was promised.
    pub what: String,
    /// The most that it may be.
    pub most: f64,
    /// What it is.
    pub found: f64,
    /// The unit of both, with a blank before it if it is to have one.
    pub unit: &'static str,
}

/// Prints a report, and writes it to `file` too. Reports of other benchmarks in the file stay: each begins with a
/// title of its own.
pub fn publish(report: &str, file: Option<&Path>) -> Outcome<()> {
    println!("{report}");
    let Some(file) = file else { return Ok(()) };
    let written = fs::read_to_string(file).unwrap_or_default();
    fs::write(file, replaced(&written, report)).map_err(io("write", file))
}

/// `written` with `report` in place of the report that has the same title, or at its end.
fn replaced(written: &str, report: &str) -> String {
    let title = report.lines().next().unwrap_or_default();
    let mut reports: Vec<String> = Vec::new();
    for line in written.lines() {
        if line.starts_with("# ") || reports.is_empty() {
            reports.push(String::new());
        }
        if let Some(last) = reports.last_mut() {
            last.push_str(line);
            last.push('\n');
        }
    }
    match reports.iter_mut().find(|one| one.lines().next() == Some(title)) {
        Some(same) => report.clone_into(same),
        None => reports.push(report.to_owned()),
    }
    let reports: Vec<&str> = reports.iter().map(|report| report.trim_end()).collect();
    reports.join("\n\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn a_report_replaces_the_one_with_its_title() {
        assert_eq!(replaced("", "# A\n\n1\n"), "# A\n\n1\n");
        assert_eq!(replaced("# A\n\n1\n", "# A\n2\n"), "# A\n2\n");
        assert_eq!(replaced("# A\n1\n", "# B\n2\n"), "# A\n1\n\n# B\n2\n");
        assert_eq!(replaced("# A\n1\n\n# B\n2\n", "# A\n3\n"), "# A\n3\n\n# B\n2\n");
        assert_eq!(replaced("# A\n1\n\n# B\n2\n", "# B\n3\n"), "# A\n1\n\n# B\n3\n");
    }
}

/// A number as a cell shows it.
pub fn cell(value: Option<f64>, digits: usize) -> String {
    value.map_or(NONE.to_owned(), |value| format!("{value:.digits$}"))
}

/// A list of a title and a text each.
pub fn list(lines: &[(&str, String)]) -> String {
    let mut text = String::new();
    for (title, line) in lines {
        let _ = writeln!(text, "- {title}: {line}");
    }
    text
}

/// A table that says of each promise whether it is kept; empty if there is none.
pub fn targets(targets: &[Target]) -> String {
    if targets.is_empty() {
        return String::new();
    }
    let mut text = "| target | at most | found | kept |\n| --- | ---: | ---: | --- |\n".to_owned();
    for Target { what, most, found, unit } in targets {
        let kept = if found <= most { "yes" } else { "**no**" };
        let _ = writeln!(text, "| {what} | {most}{unit} | {found:.2}{unit} | {kept} |");
    }
    text
}
