//! What the skills have in common: hosts, commands, packages and other signs, and the tools that they may use.

use std::collections::BTreeMap;

use super::{Overview, Row};
use crate::diff::Kind;

/// The kinds of signs of which there is an inventory, in the order of a report.
pub const KINDS: [Kind; 8] = [
    Kind::Hosts,
    Kind::Commands,
    Kind::Packages,
    Kind::Access,
    Kind::AutoRun,
    Kind::Binaries,
    Kind::Hidden,
    Kind::Padding,
];

/// Something that several skills may have, such as a host.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group {
    /// What it is: the host, the program, the package with its installer.
    pub name: String,
    /// What a reviewer should know of it, in words.
    pub notes: Vec<String>,
    /// The skills that have it, by their place in the overview, each with in how many places.
    pub skills: Vec<(usize, usize)>,
}

/// The groups of a kind, those that most skills have first.
pub fn groups(overview: &Overview, kind: Kind) -> Vec<Group> {
    let mut found: BTreeMap<&str, Group> = BTreeMap::new();
    for (at, row) in overview.skills.iter().enumerate() {
        for sign in row.signs(kind) {
            let group = found.entry(&sign.group).or_insert_with(|| Group {
                name: sign.group.clone(),
                notes: Vec::new(),
                skills: Vec::new(),
            });
            if !sign.what.is_empty() && sign.what != group.name && !group.notes.contains(&sign.what) {
                group.notes.push(sign.what.clone());
            }
            match group.skills.last_mut().filter(|(skill, _)| *skill == at) {
                Some((_, places)) => *places += 1 + sign.more,
                None => group.skills.push((at, 1 + sign.more)),
            }
        }
    }
    let mut groups: Vec<Group> = found.into_values().collect();
    for group in &mut groups {
        group.notes.sort_unstable();
    }
    // Stable: those of as many skills stay by name.
    groups.sort_by_key(|group| std::cmp::Reverse(group.skills.len()));
    groups
}

/// Which skill may use which tool without asking.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Matrix {
    /// The tools, those that most skills name first.
    pub tools: Vec<Tool>,
    /// The skills that name tools, by their place in the overview.
    pub skills: Vec<usize>,
}

/// A tool that skills name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tool {
    /// Its name, without what is in parentheses.
    pub name: String,
    /// The skills that name it, by their place in the overview, each with what is in parentheses; nothing where
    /// the tool is named without any.
    pub skills: BTreeMap<usize, Vec<String>>,
}

/// The tools that the skills name in their frontmatter.
pub fn matrix(overview: &Overview) -> Matrix {
    let mut found: BTreeMap<&str, BTreeMap<usize, Vec<String>>> = BTreeMap::new();
    let mut skills = Vec::new();
    for (at, row) in overview.skills.iter().enumerate() {
        let tools = tools(row);
        for tool in tools {
            let (name, limit) = parts(tool);
            let limits = found.entry(name).or_default().entry(at).or_default();
            // Named without a limit once, it has none, whatever else is named.
            let is_unlimited = tools.iter().any(|other| parts(other) == (name, None));
            limits.extend(limit.filter(|_| !is_unlimited).map(str::to_owned));
        }
        if !tools.is_empty() {
            skills.push(at);
        }
    }
    let mut tools: Vec<Tool> =
        found.into_iter().map(|(name, skills)| Tool { name: name.to_owned(), skills }).collect();
    tools.sort_by_key(|tool| std::cmp::Reverse(tool.skills.len()));
    Matrix { tools, skills }
}

fn tools(row: &Row) -> &[String] {
    row.fields().map_or(&[], |fields| &fields.tools)
}

/// `Bash(git add *)` is `Bash`, and what it is limited to.
fn parts(tool: &str) -> (&str, Option<&str>) {
    match tool.split_once('(') {
        Some((name, limit)) if !name.trim().is_empty() => {
            (name.trim(), Some(limit.strip_suffix(')').unwrap_or(limit)))
        }
        _ => (tool, None),
    }
}
