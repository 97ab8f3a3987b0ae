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

/// Prints a report, and writes it to `file` too.
pub fn publish(report: &str, file: Option<&Path>) -> Outcome<()> {
    println!("{report}");
    file.map_or(Ok(()), |file| fs::write(file, report).map_err(io("write", file)))
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
