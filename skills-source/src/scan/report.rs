//! The findings of the walk: what is wrong and how to fix it, in words.
//!
//! A path in a message is as the user wrote it or as shown, never a resolved one of this machine.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::code::Code;
use crate::finding::Finding;

use super::links::Refusal;
use super::{SKILL_FILE, Wanted, in_words, is_skill_name};

/// Message and help for a directory that has the name of a skill file.
pub(super) const SKILL_FILE_IS_DIRECTORY: (&str, &str) =
    ("`SKILL.md` is a directory", "give the directory another name, or make `SKILL.md` a file");

/// Message and help for a name with Unicode tag characters.
pub(super) const TAGS_IN_NAME: (&str, &str) = (
    "the name holds Unicode tag characters, which nobody sees and a model reads",
    "rename it, or put it on the ignore list",
);

/// Message and help for a link from one skill into another.
pub(super) const INTO_ANOTHER_SKILL: (&str, &str) = (
    "the symlink leads into another skill: it is not followed",
    "put a copy here, or move what both need out of the other skill and link to that",
);

/// Message and help for a `SKILL.md` at the root that lists skills.
pub(super) const INDEX: (&str, &str) = (
    "this `SKILL.md` has no frontmatter and stands above other skills: it is taken for an index and not served",
    "give it another name, such as README.md; or begin it with a frontmatter if all below is one skill",
);

/// Message and help for a name that is not UTF-8.
pub(super) const NOT_UTF8: (&str, &str) =
    ("the name is not UTF-8", "rename it, or put it on the ignore list");

/// The root with every link resolved, if it is a directory.
pub(super) fn check_root(root: &Path, label: &str, wanted: Wanted) -> Result<PathBuf, Box<Finding>> {
    let found = fs::canonicalize(root).and_then(|real| Ok((fs::metadata(&real)?, real)));
    let give = wanted.give();
    let (message, help) = match found {
        Ok((metadata, real)) if metadata.is_dir() => return Ok(real),
        Ok((metadata, _)) if metadata.is_file() => {
            ("the root is a file, not a directory".to_owned(), give_the_directory(label, wanted))
        }
        Ok(_) => ("the root is not a directory".to_owned(), give.to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound && fs::symlink_metadata(root).is_ok() => {
            ("the root is a symlink that points at nothing".to_owned(), give.to_owned())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            ("the root is not found".to_owned(), format!("create it, or {give}"))
        }
        Err(error) => (format!("the root cannot be read: {}", in_words(&error)), give.to_owned()),
    };
    Err(Box::new(Finding::on_path(Code::E017, label.to_owned(), message, help)))
}

impl Wanted {
    /// What to do where a root is none.
    fn give(self) -> &'static str {
        match self {
            Self::Everything | Self::SkillFiles => "give the directory that holds your skills",
            Self::Commands => "give the directory that holds your commands",
        }
    }
}

fn give_the_directory(label: &str, wanted: Wanted) -> String {
    let (directory, name) = label.rsplit_once('/').unwrap_or((".", label));
    if is_skill_name(name) {
        format!("give the directory that holds it: `{directory}`")
    } else {
        wanted.give().to_owned()
    }
}

/// An entry of the ignore list that is no pattern.
pub(super) fn bad_pattern(label: &str, pattern: &str, why: &str) -> Finding {
    Finding::on_path(
        Code::E017,
        label.to_owned(),
        format!("the ignore list's `{pattern}` is not a pattern: {why}"),
        "use `*`, `?`, `**` as a whole part of the path, and `[[]` for a `[`".to_owned(),
    )
}

pub(super) fn unreadable(path: String, what: &str, error: &io::Error) -> Finding {
    let help = match error.kind() {
        io::ErrorKind::PermissionDenied => "change its permissions, or put it on the ignore list",
        _ => "fix it, or put it on the ignore list",
    };
    Finding::on_path(
        Code::E017,
        path,
        format!("the {what} cannot be read: {}", in_words(error)),
        help.to_owned(),
    )
}

/// A pipe, a socket, a device.
pub(super) fn special(path: String, what: &str) -> Finding {
    let name = path.rsplit('/').next().unwrap_or_default();
    let message = format!("`{name}` is {what}, not a plain file");
    let help = "replace it with a plain file, or put it on the ignore list".to_owned();
    Finding::on_path(Code::E017, path, message, help)
}

pub(super) fn refused_link(path: String, link: &Path, label: &str, why: &Refusal) -> Finding {
    let mut message = match why {
        Refusal::Outside => "the symlink points outside the root".to_owned(),
        Refusal::Nowhere => "the symlink points at nothing".to_owned(),
        Refusal::Unreadable(error) => return unreadable(path, "symlink's target", error),
    };
    if let Ok(text) = fs::read_link(link) {
        let text = text.to_string_lossy();
        // Writing to a string cannot fail.
        let _ = write!(message, ": its target is `{text}`");
    }
    let help = match why {
        Refusal::Outside => format!("put a copy here, or move what it points at into `{label}`"),
        _ => "remove the symlink, or restore its target".to_owned(),
    };
    Finding::on_path(Code::E014, path, message, help)
}

/// A `skill.md`, with or without a `SKILL.md` beside it.
pub(super) fn misspelt(path: String, name: &str, beside_exact: bool) -> Finding {
    let (message, help) = if beside_exact {
        (
            format!("`{name}` is beside `{SKILL_FILE}`: where case does not matter, one of them is lost"),
            format!("keep one: move what is missing into `{SKILL_FILE}`, then `git rm {}`", quoted(&path)),
        )
    } else {
        let right = format!("{}{SKILL_FILE}", &path[..path.len() - name.len()]);
        (
            format!("the file must be named `{SKILL_FILE}`, not `{name}`"),
            format!("rename it: `git mv {} {}`", quoted(&path), quoted(&right)),
        )
    };
    Finding::on_path(Code::E016, path, message, help)
}

/// The path as one word of a shell.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    if path.chars().all(plain) && !path.starts_with('-') {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

pub(super) fn too_deep(path: String, most: u32) -> Finding {
    let levels = if most == 1 { "1 level".to_owned() } else { format!("{most} levels") };
    Finding::on_path(
        Code::E018,
        path,
        format!("the directory is deeper than {levels} below the root"),
        "move it up, or put it on the ignore list".to_owned(),
    )
}

/// The walk ends here.
pub(super) fn stopped(path: String, message: String) -> Finding {
    let help = "what comes after this was not looked at: give a smaller root, or make the ignore list longer";
    Finding::on_path(Code::E018, path, message, help.to_owned())
}
