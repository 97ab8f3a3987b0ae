//! Where a link leads that leaves the skill: back into it, or into another skill.

use skills_source::scan::{FoundSkill, SKILL_FILE};

/// The path in the skill to which a link out of it comes back.
pub(super) fn back(destination: &str, dir: &FoundSkill) -> Option<String> {
    let path = resolved(destination, dir)?;
    let below = path.strip_prefix(dir.path.as_str())?.strip_prefix('/')?;
    dir.files.iter().any(|file| file.path == below).then(|| below.to_owned())
}

/// Another skill that a link leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Other {
    /// The name of one that is in the root.
    Known(String),
    /// The name that one must have if there is one: it isn't in the root.
    Unknown(String),
}

/// The other skill that a link leads to: the one that is there, or one that the path names although it lies
/// elsewhere, or may lie in another root.
pub(super) fn other_skill(destination: &str, dir: &FoundSkill, all: &[FoundSkill]) -> Option<Other> {
    let holds = |path: &str, skill: &FoundSkill| {
        path.strip_prefix(skill.path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let others = || all.iter().filter(|other| other.path != dir.path);
    let path = resolved(destination, dir);
    if let Some(there) = path.and_then(|path| others().find(|other| holds(&path, other))) {
        return Some(Other::Known(there.dir_name.clone()));
    }
    let path = bare(destination);
    let path = path.as_str();
    let parts = || path.split('/').filter(|part| !matches!(*part, "" | "." | ".."));
    let named = parts().find(|part| others().any(|other| other.dir_name == *part));
    // A SKILL.md is a skill's wherever it lies: copied in, it would be one inside another.
    let by_file = || {
        let above = path.strip_suffix(SKILL_FILE)?.trim_end_matches('/');
        above.rsplit('/').next().filter(|name| !matches!(*name, "" | "." | ".."))
    };
    let by_looks = || {
        path.trim_start_matches("./")
            .strip_prefix("../")
            .map(|rest| rest.trim_end_matches('/'))
            .filter(|name| !name.is_empty() && !name.contains(['/', '.']))
    };
    let known = named.map(|name| Other::Known(name.to_owned()));
    known.or_else(|| by_file().or_else(by_looks).map(|name| Other::Unknown(name.to_owned())))
}

/// The skill of the root whose SKILL.md a link names that leads to no file.
pub(super) fn named_skill(path: &str, dir: &FoundSkill, all: &[FoundSkill]) -> Option<String> {
    let above = path.strip_suffix(SKILL_FILE)?.strip_suffix('/')?;
    let name = above.rsplit('/').next()?;
    let other = all.iter().find(|other| other.dir_name == name && other.path != dir.path)?;
    Some(other.dir_name.clone())
}

/// A destination without what comes after its path, with `/` between its parts.
fn bare(destination: &str) -> String {
    destination.split(['#', '?']).next().unwrap_or_default().replace('\\', "/")
}

/// The shown path of what a link in a skill's directory leads to, unless that is above what is shown.
fn resolved(destination: &str, dir: &FoundSkill) -> Option<String> {
    let mut parts: Vec<&str> = dir.path.split('/').collect();
    let bare = bare(destination);
    for part in bare.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_source::scan::{self, ScanOptions};

    #[test]
    #[allow(clippy::disallowed_methods, reason = "tests lay out their own trees")]
    fn links_to_other_skills_and_back_are_told_apart() {
        let root = tempfile::tempdir().expect("a directory");
        for file in [
            "argus/SKILL.md",
            "argus/references/a.md",
            "setup/SKILL.md",
            "setup/x/y.md",
            "group/deep/SKILL.md",
        ] {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
            std::fs::write(path, "").expect("a file");
        }
        let found = scan::scan(root.path(), "skills", &ScanOptions::default());
        let argus = &found.skills[0];
        for (link, name) in [
            ("../setup/SKILL.md", Some("setup")),
            ("../../setup/SKILL.md", Some("setup")),
            ("../setup/x/y.md#part", Some("setup")),
            ("../setup", Some("setup")),
            ("..\\setup\\SKILL.md", Some("setup")),
            ("./../setup/x/y.md", Some("setup")),
            ("./../tool", Some("tool")),
            ("../group/deep/SKILL.md", Some("deep")),
            ("../../elsewhere/tool/SKILL.md", Some("tool")),
            ("../tool/", Some("tool")),
            ("../../README.md", None),
            ("../SKILL.md", None),
        ] {
            let name = name.map(|name| match name {
                "tool" => Other::Unknown(name.to_owned()),
                name => Other::Known(name.to_owned()),
            });
            assert_eq!(other_skill(link, argus, &found.skills), name, "{link}");
        }
        for (path, name) in [
            ("setup/SKILL.md", Some("setup")),
            ("skills/setup/SKILL.md", Some("setup")),
            ("tool/SKILL.md", None),
            ("argus/SKILL.md", None),
            ("SKILL.md", None),
        ] {
            assert_eq!(named_skill(path, argus, &found.skills).as_deref(), name, "{path}");
        }
        assert_eq!(back("./../argus/references/a.md", argus).as_deref(), Some("references/a.md"));
        assert_eq!(back("..\\argus\\references\\a.md", argus).as_deref(), Some("references/a.md"));
        assert_eq!(back("../argus/references/a.md#x", argus).as_deref(), Some("references/a.md"));
        assert_eq!(back("../argus/references/gone.md", argus), None);
    }
}
