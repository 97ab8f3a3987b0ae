//! Files that the published package would lack because of Cargo.toml or .gitignore: L128.

use std::path::Path;

use skills_source::code::Code;
use skills_source::finding::Finding;
use skills_source::scan::{FoundFile, FoundSkill};

use crate::published::Published;
use crate::roots::below;

/// Adds the files that a package lacks to `findings`, which are those on directories with a Cargo.toml.
pub(crate) fn check(
    published: &[Published],
    root: &Path,
    label: &str,
    skills: &[FoundSkill],
    mut findings: Vec<Finding>,
) -> Vec<Finding> {
    let Ok(root) = root.canonicalize() else { return findings };
    let known: Vec<String> = findings.iter().map(|finding| finding.path.clone()).collect();
    for skill in skills {
        let is_known = known.iter().any(|path| is_in(&skill.path, path));
        let dir = root.join(below(label, &skill.path));
        // Of a file that isn't saved yet nobody knows.
        let lacks = |package: &Published, file: &FoundFile| {
            package.lacks(&dir.join(&file.path)) && file.disk.exists()
        };
        let mut published = published.iter().filter(|_| !is_known);
        let Some(published) = published.find(|package| skill.files.iter().any(|file| lacks(package, file)))
        else {
            continue;
        };
        let lacks = |file: &&FoundFile| lacks(published, file);
        if skill.files.iter().all(|file| lacks(&file)) {
            findings.push(missing(skill.path.clone(), "this skill", published));
            continue;
        }
        let shown = skill.files.iter().filter(lacks).map(|file| format!("{}/{}", skill.path, file.path));
        let new = shown.filter(|path| !known.iter().any(|above| is_in(path, above)));
        findings.extend(new.map(|path| missing(path, "this file", published)));
    }
    findings
}

fn is_in(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn missing(path: String, what: &str, published: &Published) -> Finding {
    let why = published.why();
    let message =
        format!("the published package would lack {what}, because of {why}, and build without a warning");
    let help = "publish it too, add it to `ignore` if the skill doesn't need it, or allow L128 if the package is \
                never published";
    Finding::on_path(Code::L128, path, message, help.to_owned())
}
