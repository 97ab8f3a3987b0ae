//! Finds a file of a skill by the path that a caller gives.
//!
//! A path is compared with the skill's list of files and never joined to another path. For a path that isn't
//! in the list, the error says whether it points outside the skill, is a directory, or doesn't exist.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::error::ActionError;
use skills_pack::{Skill, SkillFile};
use skills_pack::{hidden, nearest};

/// The most files that the error about a directory lists.
const DIRECTORY_LIMIT: usize = 100;

/// Finds a file by its path as it is shown, with the escapes of the tree undone, else as given, else trimmed,
/// else with `.` and `..` resolved.
pub(super) fn find<'a>(skill: Skill<'a>, given: &str) -> Result<SkillFile<'a>, ActionError> {
    let trimmed = given.trim();
    let unescaped = hidden::unescaped(trimmed).map_or(Cow::Borrowed(trimmed), Cow::Owned);
    let has_escape = matches!(unescaped, Cow::Owned(_));
    let as_shown = || skill.file(&unescaped).filter(|_| has_escape);
    if let Some(file) = as_shown().or_else(|| skill.file(given)).or_else(|| skill.file(trimmed)) {
        return Ok(file);
    }
    // `load` shows the path of a skill on disk, so an absolute path that begins with it is accepted.
    let base = skill.path();
    let is_absolute = base.starts_with('/') || base.as_bytes().get(1) == Some(&b':');
    let below = unescaped.strip_prefix(base).filter(|_| is_absolute).and_then(|rest| rest.strip_prefix('/'));
    let path = below.unwrap_or(&unescaped);
    if leads_out(path) {
        return Err(ActionError::Outside);
    }
    let plain = resolved(path).ok_or(ActionError::Outside)?;
    match skill.file(&plain) {
        Some(file) if !path.ends_with(['/', '.']) || path.ends_with(file.path()) => return Ok(file),
        _ => {}
    }
    let below = |file: &SkillFile<'a>| {
        plain.is_empty() || file.path().strip_prefix(plain.as_str()).is_some_and(|rest| rest.starts_with('/'))
    };
    let inside: Vec<&str> = skill.files().filter(below).map(|file| file.path()).collect();
    if inside.is_empty() {
        return Err(ActionError::FileNotFound {
            path: trimmed.to_string(),
            nearest: nearest_files(skill, &plain),
        });
    }
    Err(ActionError::Directory {
        path: trimmed.to_string(),
        more: inside.len().saturating_sub(DIRECTORY_LIMIT),
        files: inside.into_iter().take(DIRECTORY_LIMIT).map(Into::into).collect(),
    })
}

/// A path without empty parts, `.` and `..`; `None` if it points outside.
fn resolved(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether no skill's directory can hold a path, by the rules of any system: it is absolute, or has a drive, a
/// scheme, a NUL, or `..` next to a backslash.
fn leads_out(path: &str) -> bool {
    let first = path.split(['/', '\\']).next().unwrap_or_default();
    let has_scheme = first.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    });
    let steps_up = |part: &str| part.contains('\\') && part.split('\\').any(|inner| inner == "..");
    path.starts_with(['/', '\\', '~']) || path.contains('\0') || has_scheme || path.split('/').any(steps_up)
}

/// A longer path, in bytes, isn't a typing mistake.
const MAX_PATH: usize = 4096;

/// Paths that the caller may have meant: they differ only in `\`, case or the extension, have the same file
/// name in another directory, or are nearly the same.
fn nearest_files(skill: Skill<'_>, path: &str) -> Vec<String> {
    if path.len() > MAX_PATH {
        return Vec::new();
    }
    let wanted = path.replace('\\', "/").to_lowercase();
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_lowercase();
    let stem = |path: &str| path.rsplit_once('.').map_or(path, |(stem, _)| stem).to_lowercase();
    let files: Vec<&str> = skill.files().map(|file| file.path()).collect();
    let mut nearest: Vec<&str> = Vec::new();
    let same = files.iter().filter(|file| file.to_lowercase() == wanted);
    let (wanted_stem, wanted_name) = (stem(&wanted), name(&wanted));
    let same_stem = files.iter().filter(|file| stem(file) == wanted || stem(file) == wanted_stem);
    let same_name = files.iter().filter(|file| name(file) == wanted_name);
    for file in same
        .chain(same_stem)
        .chain(same_name)
        .copied()
        .chain(nearest::closest(&wanted, files.iter().copied()))
    {
        if nearest.len() < 3 && !nearest.contains(&file) {
            nearest.push(file);
        }
    }
    nearest.into_iter().map(Into::into).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_resolved_as_text() {
        assert_eq!(resolved("references/../docs/./a.md").as_deref(), Some("docs/a.md"));
        assert_eq!(resolved("a//b/..").as_deref(), Some("a"));
        for outside in ["..", "a/../..", "../a", "a/../../b/c"] {
            assert_eq!(resolved(outside), None, "{outside}");
        }
    }
}
