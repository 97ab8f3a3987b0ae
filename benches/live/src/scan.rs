//! From a directory to what is served of it, and what has changed since.

use std::fs;
use std::path::{Path, PathBuf};

use bench_harness::clock::{Case, Group, Measured, US};
use bench_harness::markdown::Target;

use skills::live::LiveRegistry;

use crate::material::{Material, open};
use crate::others;

const BARE: &str = "bare read of each SKILL.md";
const SCAN: &str = "scan";
const REFRESH: &str = "refresh, nothing has changed";
const ODD: &str = "refresh, nothing has changed, two odd file names";
const BODY: &str = "refresh, one body was edited";
const DESCRIPTION: &str = "refresh, one description was edited";
const AGENT_SKILLS: &str = "`agent-skills` 0.3.0";
const SKILLS_RS: &str = "`skills-rs` 0.1.0";

/// All of it, from a cached disk.
pub fn group(material: &Material) -> Group<'_> {
    let root = || std::slice::from_ref(&material.root);
    let edited = || std::slice::from_ref(&material.edited);
    let [body, description] = &material.to_edit;
    let read = |files: &Vec<PathBuf>| {
        files.iter().map(|file| fs::read(file).map_or(0, |text| text.len())).sum::<usize>()
    };
    Group {
        title: "Scan and refresh",
        about: "The bare read knows where the files are and opens nothing else. `scan` finds all skills, checks every \
                SKILL.md by every rule and packs it. An edit writes a SKILL.md; writing it is part of the time. `agent-skills` and `skills-rs` are given the directories; \
                neither looks at the other files, and of `skills-rs` it is the part of its discovery that needs no HTTP client.",
        unit: US,
        columns: vec![format!("{} skills", material.files.len())],
        rows: vec![
            (BARE, vec![Case::new(std::slice::from_ref(&material.files), read)]),
            (SCAN, vec![Case::new(root(), |root| open(root))]),
            (
                REFRESH,
                vec![Case::new(std::slice::from_ref(&material.live), |live| live.refresh().is_empty())],
            ),
            (ODD, vec![Case::new(std::slice::from_ref(&material.odd), |live| live.refresh().is_empty())]),
            (
                BODY,
                vec![Case::new(
                    edited(),
                    edit(body, |number| format!("description: Edited\n---\n{number}\n")),
                )],
            ),
            (
                DESCRIPTION,
                vec![Case::new(
                    edited(),
                    edit(description, |number| format!("description: Edited {number}\n---\n")),
                )],
            ),
            (AGENT_SKILLS, vec![Case::new(root(), |root| others::agent_skills(root))]),
            (SKILLS_RS, vec![Case::new(root(), |root| others::skills_rs(root))]),
        ],
    }
}

/// Writes a SKILL.md anew, with what follows its name, and refreshes.
fn edit<'a>(file: &'a Path, rest: fn(usize) -> String) -> impl FnMut(&'a LiveRegistry) -> usize + 'a {
    let name = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let mut number = 0;
    move |live| {
        number += 1;
        let text = format!("---\nname: {name}\n{}", rest(number));
        fs::write(file, text).map_or(0, |()| live.refresh().changed.len())
    }
}

/// The promises about both.
pub fn promised(measured: &Measured) -> Vec<Target> {
    let limits = [
        (SCAN, BARE, 8.0),
        (REFRESH, BARE, 0.5),
        (ODD, BARE, 0.5),
        (BODY, SCAN, 0.15),
        (DESCRIPTION, SCAN, 0.15),
        (SCAN, SKILLS_RS, 1.0),
    ];
    let target = |(ours, theirs, most): (&str, &str, f64)| {
        let found = measured.ratio((ours, 0), (theirs, 0))?;
        Some(Target { what: format!("{ours}, of: {theirs}"), most, found, unit: "" })
    };
    limits.into_iter().filter_map(target).collect()
}
