//! Which findings of a root concern one file of it: what an editor shows in that file, and what `check FILE` and `check -`
//! keep.

use std::path::Path;

use skills_bundle::Finding;

use super::place::Kind;

/// One file of a root, by the paths that findings show.
#[derive(Debug)]
pub(crate) struct Concern {
    path: String,
    root: String,
    beside: Beside,
}

/// The files beside it that are its own.
#[derive(Debug)]
enum Beside {
    /// Those in the directory of the skill; `None` if the root has no such skill.
    Skill(Option<String>),
    /// The template of a command.
    Template(Option<String>),
    Nothing,
}

impl Concern {
    /// The file at `path`, whose text is `text`. `skill` is the directory of the skill that a SKILL.md makes, and `root`
    /// that of the root.
    pub(crate) fn new(kind: Kind, path: String, skill: Option<String>, root: String, text: &str) -> Self {
        let beside = match kind {
            Kind::Skill => Beside::Skill(skill),
            Kind::Command => Beside::Template(template_of(text, &path)),
            Kind::Manifest => Beside::Nothing,
        };
        Self { path, root, beside }
    }

    /// Whether a finding is on the file itself.
    pub(crate) fn is_own(&self, finding: &Finding) -> bool {
        finding.path == self.path
    }

    /// Whether a finding is on something that is shown with the file, since nobody can open it as a file that is served.
    pub(crate) fn is_beside(&self, finding: &Finding) -> bool {
        let path = finding.path.as_str();
        let is_in = |dir: &String| {
            path.strip_prefix(dir.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        Kind::of(Path::new(path)).is_none()
            && match &self.beside {
                Beside::Skill(skill) => skill.as_ref().is_some_and(|dir| path == self.root || is_in(dir)),
                Beside::Template(template) => template.as_deref() == Some(path),
                Beside::Nothing => false,
            }
    }
}

/// The template that the definition at `path` names, as findings show it.
fn template_of(text: &str, path: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix("template_path:"))?;
    let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let mut parts: Vec<&str> = Vec::new();
    for part in directory.split('/').chain(line.trim().trim_matches(['"', '\'']).split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
