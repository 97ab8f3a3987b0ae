//! Which files are served, which root a file belongs to, and file URIs.

use std::fs;
use std::path::{Component, Path, PathBuf};

use gen_lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use skills_source::scan::SKILL_FILE;

/// What an open file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A SKILL.md.
    Skill,
    /// The definition of a slash command.
    Command,
    /// A Cargo.toml, for its `[package.metadata.skills]`.
    Manifest,
}

impl Kind {
    /// What a file is by its name; `None` for one that isn't served. The language that the editor says it is in
    /// doesn't matter: VS Code has `skill` for a SKILL.md, others have `markdown`.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let lower = name.to_ascii_lowercase();
        if name.eq_ignore_ascii_case(SKILL_FILE) {
            Some(Self::Skill)
        } else if lower.ends_with(".command.yaml") || lower.ends_with(".command.yml") {
            Some(Self::Command)
        } else {
            (name == "Cargo.toml").then_some(Self::Manifest)
        }
    }
}

/// At most this many entries of a directory are looked at to learn whether it holds skills.
const MAX_LOOKED_AT: usize = 1_000;

/// Where a root is, and from where its files are shown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RootPlace {
    /// The directory of skills or commands.
    pub(crate) dir: PathBuf,
    /// The folder of the workspace that it is in; else the directory above it.
    pub(crate) base: PathBuf,
}

/// The root that the file at `path` belongs to.
///
/// It is the nearest directory above it that is called `skills`, or for a command `commands`, in the workspace if the
/// file is. Else it is the one that holds the outermost skill around the file, if that is in the workspace; else the
/// skill itself.
pub(crate) fn root_of(path: &Path, kind: Kind, folders: &[PathBuf]) -> RootPlace {
    let own = path.parent().unwrap_or(path);
    let folder = folders
        .iter()
        .filter(|folder| path.starts_with(folder))
        .max_by_key(|folder| folder.as_os_str().len());
    let in_folder = |dir: &Path| folder.is_none_or(|folder| dir.starts_with(folder));
    let is_named = |dir: &Path, name: &str| dir.file_name().is_some_and(|known| known == name);
    // The directory of a skill may be called `skills` itself.
    let first = if kind == Kind::Skill { own.parent().unwrap_or(own) } else { own };
    let named = first
        .ancestors()
        .take_while(|dir| in_folder(dir))
        .find(|dir| is_named(dir, "skills") || kind == Kind::Command && is_named(dir, "commands"));
    // Or it is the root, and its SKILL.md an index.
    let is_root = || kind == Kind::Skill && is_named(own, "skills") && holds_skills(own);
    let dir = named.or_else(|| is_root().then_some(own)).unwrap_or_else(|| match (kind, folder) {
        (Kind::Skill, Some(folder)) => {
            let inside = own.ancestors().take_while(|dir| dir.starts_with(folder));
            let outermost = inside.filter(|dir| *dir == own || dir.join(SKILL_FILE).is_file()).last();
            let skill = outermost.unwrap_or(own);
            skill.parent().filter(|above| above.starts_with(folder)).unwrap_or(skill)
        }
        _ => own,
    });
    let base = folder.cloned().or_else(|| Some(dir.parent()?.to_owned()));
    RootPlace { dir: dir.to_owned(), base: base.unwrap_or_else(|| dir.to_owned()) }
}

/// Whether there are skills in a directory, or in one of a group.
fn holds_skills(dir: &Path) -> bool {
    #[allow(clippy::disallowed_methods, reason = "it only says which directory is scanned")]
    let below = |dir: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(dir).into_iter().flatten().take(MAX_LOOKED_AT).flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
    };
    let is_skill = |dir: &PathBuf| dir.join(SKILL_FILE).is_file();
    let children = below(dir);
    children.iter().any(is_skill) || children.iter().any(|dir| below(dir).iter().any(is_skill))
}

/// What is not escaped in the path of a file URI.
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// The path that a `file:` URI names; `None` for any other URI.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_ref().strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    // What has a host is on another machine.
    let path = percent_decode_str(rest.split(['?', '#']).next()?.strip_prefix('/')?).decode_utf8().ok()?;
    // `/C:/x` is a drive of Windows, also where the colon is escaped.
    let has_drive =
        path.as_bytes().get(1) == Some(&b':') && path.starts_with(|c: char| c.is_ascii_alphabetic());
    Some(if has_drive && cfg!(windows) { PathBuf::from(&*path) } else { PathBuf::from(format!("/{path}")) })
}

/// The `file:` URI of an absolute path.
pub(crate) fn uri_of(path: &Path) -> Uri {
    let mut uri = "file://".to_owned();
    for part in path.components() {
        match part {
            Component::RootDir | Component::CurDir => {}
            part => {
                let text = part.as_os_str().to_string_lossy();
                // What Windows puts before a path without limits is no part of it.
                let text = text.strip_prefix(r"\\?\").unwrap_or(&text);
                uri.push('/');
                uri.extend(utf8_percent_encode(text, IN_PATH));
            }
        }
    }
    if uri == "file://" {
        uri.push('/');
    }
    Uri::from(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_is_a_path_and_back() {
        for (uri, path) in [
            ("file:///a/b%20c/SKILL.md", "/a/b c/SKILL.md"),
            ("file:///a/%C3%A9%F0%9F%98%80", "/a/é😀"),
            ("file:///a/50%25%23%3F", "/a/50%#?"),
        ] {
            assert_eq!(path_of(&Uri::from(uri)).as_deref(), Some(Path::new(path)));
            assert_eq!(uri_of(Path::new(path)), Uri::from(uri));
        }
        for (uri, path) in [
            ("file://localhost/a", Some("/a")),
            ("file:///a+b@c", Some("/a+b@c")),
            ("untitled:Untitled-1", None),
            ("file://host/share", None),
            ("file:///a/%FF", None),
        ] {
            assert_eq!(path_of(&Uri::from(uri)).as_deref(), path.map(Path::new), "{uri}");
        }
    }

    #[test]
    fn a_file_belongs_to_the_nearest_root() {
        let dir = tempfile::tempdir().expect("a directory");
        let at = |path: &str| dir.path().join(path);
        #[allow(clippy::disallowed_methods, reason = "tests lay out their own trees")]
        for path in ["tools/pdf/SKILL.md", "tools/pdf/examples/in/SKILL.md", "SKILL.md"] {
            std::fs::create_dir_all(at(path).parent().expect("it has one")).expect("a directory");
            std::fs::write(at(path), "").expect("a file");
        }
        #[allow(clippy::disallowed_methods, reason = "tests lay out their own trees")]
        for path in ["indexed/skills/group/pdf/SKILL.md", "indexed/skills/SKILL.md"] {
            std::fs::create_dir_all(at(path).parent().expect("it has one")).expect("a directory");
            std::fs::write(at(path), "# Index\n").expect("a file");
        }
        let folders = [dir.path().to_owned(), at("tools")];
        for (path, root, base) in [
            ("skills/pdf/SKILL.md", "skills", ""),
            (".claude/skills/group/pdf/SKILL.md", ".claude/skills", ""),
            ("skills/skills/SKILL.md", "skills", ""),
            ("indexed/skills/SKILL.md", "indexed/skills", ""),
            ("tools/pdf/SKILL.md", "tools", "tools"),
            ("tools/pdf/examples/in/SKILL.md", "tools", "tools"),
            ("x/commands/a.command.yaml", "x/commands", ""),
            ("skills/a.command.yaml", "skills", ""),
            ("x/a.command.yaml", "x", ""),
        ] {
            let kind = Kind::of(Path::new(path)).expect("it is served");
            let place = root_of(&at(path), kind, &folders);
            assert_eq!((place.dir, place.base), (at(root), at(base).components().collect()), "{path}");
        }
        // Nothing outside the workspace is walked but a directory that is called `skills`.
        let outside = root_of(Path::new("/home/me/pdf/SKILL.md"), Kind::Skill, &folders);
        assert_eq!((outside.dir, outside.base), (PathBuf::from("/home/me/pdf"), PathBuf::from("/home/me")));
        let outside = root_of(Path::new("/home/me/skills/pdf/SKILL.md"), Kind::Skill, &folders);
        assert_eq!(outside.dir, PathBuf::from("/home/me/skills"));
    }

    #[test]
    fn files_are_known_by_their_names() {
        for (name, kind) in [
            ("SKILL.md", Some(Kind::Skill)),
            ("skill.md", Some(Kind::Skill)),
            ("x.command.yaml", Some(Kind::Command)),
            ("Cargo.toml", Some(Kind::Manifest)),
            ("README.md", None),
            ("x.yaml", None),
            ("cargo.toml", None),
        ] {
            assert_eq!(Kind::of(Path::new(name)), kind, "{name}");
        }
    }
}
