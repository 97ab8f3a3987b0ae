//! An overview for a terminal: its numbers, and nothing else.

use skills_pack::text::counted;

use crate::overview::{KINDS, Overview, groups, matrix};
use crate::render::escape;

/// A line for each number that a reader asks for first. It ends in a line feed.
pub fn text(overview: &Overview) -> String {
    let totals = overview.totals();
    let mut lines = Vec::new();
    let mut line = |what: &str, value: String| lines.push(format!("{what:<18}{value}"));
    let broken =
        if totals.broken > 0 { format!(", {} of them broken", totals.broken) } else { String::new() };
    line("skills", format!("{}{broken}", totals.skills));
    if overview.commands > 0 {
        line("slash commands", overview.commands.to_string());
    }
    line("files", format!("{} with {}", totals.files, counted(totals.bytes, "byte")));
    let states: Vec<String> = totals.states.iter().map(|(state, count)| format!("{count} {state}")).collect();
    line("lock", states.join(", "));
    if overview.skills.iter().any(|row| row.reviewed_by.is_some()) {
        line("not reviewed", totals.not_reviewed.to_string());
    }
    if !overview.is_program {
        line(
            "findings",
            format!("{}, {}", counted(totals.denied, "error"), counted(totals.warned, "warning")),
        );
        let tokens = [totals.catalogue_tokens, totals.body_tokens, totals.file_tokens];
        let [catalogue, body, files] = tokens.map(|count| counted(count, "token"));
        line("names, descriptions", format!("about {catalogue}"));
        line("when loaded", format!("about {body}"));
        line("in other files", format!("about {files}"));
        for kind in KINDS {
            line(kind.name(), groups(overview, kind).len().to_string());
        }
        line("allowed tools", matrix(overview).tools.len().to_string());
    }
    lines.iter().map(|line| format!("{}\n", escape(line))).collect()
}
