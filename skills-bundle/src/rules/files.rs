//! The files of a skill by their names, number and sizes: L110, L113, L117.
//!
//! Nothing is opened here.

use std::collections::{BTreeMap, BTreeSet};

use skills_pack::hidden::{self, Hidden};
use skills_source::code::Code;
use skills_source::finding::Finding;
use skills_source::scan::{CommandFiles, FoundSkill, SKILL_FILE};
use unicode_normalization::UnicodeNormalization as _;

/// The most files of a skill, as the extension of MCP for skills has it.
const MAX_FILES: usize = 512;

/// The most bytes of a skill, as the same extension has it.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// The most characters of a path in the skill. Windows opens no path of 260 by default, and
/// there is something above the skill.
const MAX_PATH_CHARS: usize = 200;

/// Judges the files of one skill.
pub(crate) fn check(dir: &FoundSkill) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(too_large(dir));
    findings
        .extend(dir.files.iter().filter(|file| is_nested(&file.path)).map(|file| nested(dir, &file.path)));
    findings.extend(file_names(dir));
    findings
}

/// The names of the directories above skills and commands, which a model reads in their paths.
pub(crate) fn directory_names(label: &str, dirs: &[FoundSkill], commands: &CommandFiles) -> Vec<Finding> {
    let of_skills = dirs.iter().map(|dir| dir.path.strip_prefix(label).unwrap_or_default());
    let of_skills = of_skills.map(|path| path.trim_start_matches('/'));
    let mut directories: BTreeSet<&str> = BTreeSet::new();
    for path in of_skills.chain(commands.definitions.iter().map(|file| file.path.as_str())) {
        let ends = path.match_indices('/').map(|(at, _)| at);
        directories.extend(ends.filter_map(|end| path.get(..end)));
    }
    let skills: BTreeSet<&str> = dirs.iter().map(|dir| dir.path.as_str()).collect();
    let above = directories.into_iter().filter_map(|path| {
        let shown = commands.shown(path);
        // A skill's own name, and those in it, are judged with its files.
        let is_in_skill = shown.match_indices('/').map(|(at, _)| &shown[..at]).chain([shown.as_str()]);
        if is_in_skill.into_iter().any(|above| skills.contains(above)) {
            return None;
        }
        let name = path.rsplit('/').next().unwrap_or_default();
        Some(unportable_name(shown, name, &unportable(name)?))
    });
    above.collect()
}

/// Directories of skills that only some systems tell apart.
pub(crate) fn clashing_directories(dirs: &[FoundSkill]) -> Vec<Finding> {
    clashes(dirs.iter().map(|dir| dir.path.as_str()))
        .into_iter()
        .map(|(path, other)| clash(path.to_owned(), path, other))
        .collect()
}

fn too_large(dir: &FoundSkill) -> Option<Finding> {
    let bytes: u64 = dir.files.iter().map(|file| file.len).sum();
    let count = dir.files.len();
    let message = if count > MAX_FILES {
        format!("the skill has {count} files, more than {MAX_FILES}")
    } else if bytes > MAX_BYTES {
        let tenths = bytes * 10 / (1024 * 1024);
        format!("the skill has {}.{} MiB, more than 16", tenths / 10, tenths % 10)
    } else {
        return None;
    };
    let help = "put on the ignore list what no agent reads, or split the skill";
    Some(Finding::on_path(Code::L110, dir.path.clone(), message, help.to_owned()))
}

fn is_nested(path: &str) -> bool {
    path.strip_suffix(SKILL_FILE).is_some_and(|directory| directory.ends_with('/'))
}

fn nested(dir: &FoundSkill, file: &str) -> Finding {
    let outer = &dir.path;
    Finding::on_path(
        Code::L113,
        format!("{outer}/{file}"),
        format!("this SKILL.md is inside the skill `{outer}`, and is one of its files"),
        "give it another name if it is an example; move the directory out, or switch nested skills on, if it is a \
         skill"
            .to_owned(),
    )
}

fn file_names(dir: &FoundSkill) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    let shown = |file: &str| format!("{}/{file}", dir.path);
    let mut last: Option<String> = None;
    if let Some(why) = unportable(&dir.dir_name) {
        findings.push(unportable_name(dir.path.clone(), &dir.dir_name, &why));
    }
    for file in &dir.files {
        let mut end = 0;
        for part in file.path.split('/') {
            end += part.len() + usize::from(end > 0);
            let Some(why) = unportable(part) else { continue };
            let path = &file.path[..end];
            // A directory is reported once, not with each of its files.
            if last.as_deref() != Some(path) {
                findings.push(unportable_name(shown(path), part, &why));
                last = Some(path.to_owned());
            }
        }
        if file.path.len() > MAX_PATH_CHARS && file.path.chars().count() > MAX_PATH_CHARS {
            findings.push(too_long(shown(&file.path), file.path.chars().count()));
        }
    }
    let clashing = clashes(dir.files.iter().map(|file| file.path.as_str()));
    findings.extend(clashing.into_iter().map(|(path, other)| clash(shown(path), path, other)));
    findings
}

/// Why a name does not work on every system, if so.
fn unportable(name: &str) -> Option<String> {
    if let Some(c) = name.chars().find(|c| c.is_control() || "<>:\"|?*\\".contains(*c)) {
        return Some(format!("Windows allows no `{}` in a name", c.escape_debug()));
    }
    if let Some((_, c, hidden)) = hidden::find(name).find(|(.., hidden)| *hidden != Hidden::Tag) {
        return Some(format!("nobody sees its {hidden} character U+{:04X}", c as u32));
    }
    if name.ends_with(['.', ' ']) {
        let last = if name.ends_with('.') { "dot" } else { "blank" };
        return Some(format!("Windows drops the {last} at its end"));
    }
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    is_device(stem).then(|| format!("`{}` is a device to Windows", stem.escape_debug()))
}

/// Names that Windows keeps for devices, whatever the ending and the letters.
fn is_device(stem: &str) -> bool {
    let is = |name: &str| stem.eq_ignore_ascii_case(name);
    let numbered = |prefix: &str| {
        let number = stem.get(..3).filter(|start| start.eq_ignore_ascii_case(prefix)).map(|_| &stem[3..]);
        number.is_some_and(|number| {
            let mut chars = number.chars();
            matches!((chars.next(), chars.next()), (Some('1'..='9' | '¹' | '²' | '³'), None))
        })
    };
    ["con", "prn", "aux", "nul", "conin$", "conout$"].into_iter().any(is)
        || numbered("com")
        || numbered("lpt")
}

fn unportable_name(path: String, name: &str, why: &str) -> Finding {
    let message = format!("the name `{}` does not work on every system: {why}", name.escape_debug());
    let help = "rename it, with letters, digits, `-`, `_` and `.` alone";
    Finding::on_path(Code::L117, path, message, help.to_owned())
}

fn too_long(path: String, count: usize) -> Finding {
    let message = format!(
        "the path has {count} characters in the skill, more than {MAX_PATH_CHARS}, and does not work on every system"
    );
    let help = "shorten the names of its directories: Windows opens no path of more than 260 by itself";
    Finding::on_path(Code::L117, path, message, help.to_owned())
}

fn clash(path: String, name: &str, other: &str) -> Finding {
    let are_one = if name.to_lowercase() == other.to_lowercase() {
        "where case does not matter"
    } else {
        "where forms of Unicode are not told apart"
    };
    let message =
        format!("`{}` and `{}` are the same name {are_one}", name.escape_debug(), other.escape_debug());
    Finding::on_path(Code::L117, path, message, "rename one of the two".to_owned())
}

/// Paths, and directories on the way to them, that differ in the case of letters or in Unicode normalisation
/// alone: the later one and the earlier one of each pair.
fn clashes<'p>(paths: impl Iterator<Item = &'p str> + Clone) -> Vec<(&'p str, &'p str)> {
    let may_clash = |path: &str| {
        path.strip_suffix(SKILL_FILE)
            .unwrap_or(path)
            .bytes()
            .any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii())
    };
    if !paths.clone().any(may_clash) {
        return Vec::new();
    }
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let mut clashes = BTreeMap::new();
    for path in paths {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        // Below two directories that clash, everything does.
        for end in ends {
            let part = &path[..end];
            let first = *seen.entry(part.nfc().collect::<String>().to_lowercase()).or_insert(part);
            if first != part {
                clashes.insert(part, first);
                break;
            }
        }
    }
    clashes.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_some_systems_refuse() {
        for name in [
            "CON",
            "aux.md",
            "Com1.tar.gz",
            "lpt³",
            "a?b",
            "a:b",
            "x.",
            "x ",
            "a\\b",
            "tab\t",
            "nul .txt",
            "a\u{200b}b",
            "a\u{202e}b",
            "a\u{ad}b",
        ] {
            assert!(unportable(name).is_some(), "{name}");
        }
        for name in [
            "console",
            "com",
            "com10",
            "auxiliary.md",
            "a b",
            "é.md",
            "👩\u{200d}💻.md",
            "می\u{200c}خواهم",
            ".x",
            "README",
            "lpt",
            "com0",
        ] {
            assert_eq!(unportable(name), None, "{name}");
        }
    }

    #[test]
    fn names_that_some_systems_do_not_tell_apart() {
        let of = |paths: &[&'static str]| clashes(paths.iter().copied());
        assert_eq!(of(&["A.md", "a.md", "b/C.md", "b/c.md"]), [("a.md", "A.md"), ("b/c.md", "b/C.md")]);
        assert_eq!(of(&["Data/x", "Data/y", "data/x", "data/z"]), [("data", "Data")]);
        assert_eq!(of(&["É.md", "é.md"]), [("é.md", "É.md")]);
        assert_eq!(of(&["e\u{301}.md", "é.md"]), [("é.md", "e\u{301}.md")]);
        assert_eq!(of(&["Data/a", "Data/b", "a", "b"]), []);
    }
}
