//! Where a link leads that leaves the skill: back into it, or into another skill.

use skills_source::scan::{FoundSkill, SKILL_FILE};

/// The path in the skill to which a link out of it comes back.
pub(super) fn back(destination: &str, dir: &FoundSkill) -> Option<String> {
    let path = resolved(destination, dir)?;
    let below = path.strip_prefix(dir.path.as_str())?.strip_prefix('/')?;
    dir.files.iter().any(|file| file.path == below).then(|| below.to_owned())
}

/// The name of the other skill that a link leads to: the one that is there, or one that the path names although
/// it lies elsewhere, or may lie in another root.
pub(super) fn other_skill(destination: &str, dir: &FoundSkill, all: &[FoundSkill]) -> Option<String> {
    let holds = |path: &str, skill: &FoundSkill| {
        path.strip_prefix(skill.path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let others = || all.iter().filter(|other| other.path != dir.path);
    let path = resolved(destination, dir);
    if let Some(there) = path.and_then(|path| others().find(|other| holds(&path, other))) {
        return Some(there.dir_name.clone());
    }
    let path = bare(destination);
    let parts = || path.split('/').filter(|part| !matches!(*part, "" | "." | ".."));
    let named = parts().find(|part| others().any(|other| other.dir_name == *part));
    // A SKILL.md is a skill's wherever it lies: copied in, it would be one inside another.
    let by_file = || {
        let above = path.strip_suffix(SKILL_FILE)?.trim_end_matches('/');
        above.rsplit('/').next().filter(|name| !matches!(*name, "" | "." | ".."))
    };
    let by_looks = || {
        path.strip_prefix("../")
            .map(|rest| rest.trim_end_matches('/'))
            .filter(|name| !name.is_empty() && !name.contains(['/', '.']))
    };
    named.or_else(by_file).or_else(by_looks).map(str::to_owned)
}

/// A destination without what comes after its path.
fn bare(destination: &str) -> &str {
    destination.split(['#', '?']).next().unwrap_or_default()
}

/// The shown path of what a link in a skill's directory leads to, unless that is above what is shown.
fn resolved(destination: &str, dir: &FoundSkill) -> Option<String> {
    let mut parts: Vec<&str> = dir.path.split('/').collect();
    for part in bare(destination).split('/') {
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
            ("../group/deep/SKILL.md", Some("deep")),
            ("../../elsewhere/tool/SKILL.md", Some("tool")),
            ("../tool/", Some("tool")),
            ("../../README.md", None),
            ("../SKILL.md", None),
        ] {
            assert_eq!(other_skill(link, argus, &found.skills).as_deref(), name, "{link}");
        }
        assert_eq!(back("../argus/references/a.md#x", argus).as_deref(), Some("references/a.md"));
        assert_eq!(back("../argus/references/gone.md", argus), None);
    }
}
