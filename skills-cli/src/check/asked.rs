//! What a check was asked for: directories, or files in one.
//!
//! A file is judged where it is: the root that it belongs to is checked as a whole, as a build and an editor do, and what
//! concerns the file is kept.

use std::env;
use std::path::{Component, Path, PathBuf};

use skills_bundle::compile::{self, Report};
use skills_bundle::lock::LOCK_FILE;
use skills_bundle::{Code, Finding};
use skills_source::scan::real;

use crate::lsp::concern::Concern;
use crate::lsp::place::{Kind, root_of};

/// The roots to check, and which findings are wanted.
#[derive(Debug, Default)]
pub(super) struct Asked {
    roots: Vec<PathBuf>,
    /// The directories that are wanted as a whole, as findings show them.
    directories: Vec<String>,
    files: Vec<AskedFile>,
}

#[derive(Debug)]
struct AskedFile {
    kind: Kind,
    /// The directory of the file, as findings show it.
    directory: String,
    path: String,
    concern: Concern,
}

impl Asked {
    /// The directories, and the files that a check judges, which are on disk.
    pub(super) fn new(paths: &[PathBuf]) -> Self {
        let mut asked = Self::default();
        for path in paths {
            if let Some(kind) = kind_of(path).filter(|_| path.is_file()) {
                #[allow(clippy::disallowed_methods, reason = "only a line of it is looked for")]
                let text = if kind == Kind::Command { std::fs::read(path) } else { Ok(Vec::new()) };
                asked.add_file(path, kind, &text.unwrap_or_default());
            } else {
                asked.directories.push(compile::label(path));
                asked.add_root(path);
            }
        }
        asked
    }

    /// The file at `path`, which has this text, on disk or not.
    pub(super) fn file(path: &Path, text: &[u8]) -> Self {
        let mut asked = Self::default();
        if let Some(kind) = kind_of(path) {
            asked.add_file(path, kind, text);
        }
        asked
    }

    /// The directories to check, without duplicates.
    pub(super) fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    fn add_root(&mut self, root: &Path) {
        let place = real(root);
        if self.roots.iter().all(|known| real(known) != place) {
            self.roots.push(root.to_owned());
        }
    }

    fn add_file(&mut self, path: &Path, kind: Kind, text: &[u8]) {
        let (root, levels) = root_around(path, kind);
        let label = compile::label(&root);
        let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        let below = parts[parts.len().saturating_sub(levels + 1)..].join("/");
        let shown = if label.ends_with('/') { format!("{label}{below}") } else { format!("{label}/{below}") };
        let directory = shown.rsplit_once('/').map_or("", |(directory, _)| directory).to_owned();
        let text = String::from_utf8_lossy(text);
        let concern = Concern::new(kind, shown.clone(), Some(directory.clone()), label, &text);
        self.files.push(AskedFile { kind, directory, path: shown, concern });
        self.add_root(&root);
    }

    /// Leaves out of a report what concerns nothing that was asked for.
    pub(super) fn narrow(&self, report: &mut Report) {
        if self.files.is_empty() {
            return;
        }
        report.findings.retain(|finding| self.wants(finding));
        // Why a file isn't found is wanted too.
        let is_near = |path: &str| {
            self.is_in_directory(path)
                || self.files.iter().any(|file| is_in(path, &file.directory) || is_in(&file.path, path))
        };
        report.left_out.retain(|left_out| is_near(&left_out.path));
        report.without_skill.retain(|path| is_near(path));
        report.shadowed.retain(|hidden| is_near(&hidden.path));
        if self.directories.is_empty() {
            let count = |kind: Kind| self.files.iter().filter(|file| file.kind == kind).count();
            report.skills = report.skills.min(count(Kind::Skill));
            report.commands = report.commands.min(count(Kind::Command));
        }
    }

    /// Whether a finding concerns something that was asked for. Settings and locks concern everything, and the queries
    /// were chosen before they were judged.
    fn wants(&self, finding: &Finding) -> bool {
        let name = finding.path.rsplit('/').next().unwrap_or_default();
        finding.code == Code::L130
            || name == "Cargo.toml"
            || name == LOCK_FILE
            || self.is_in_directory(&finding.path)
            || self.files.iter().any(|file| file.concern.is_own(finding) || file.concern.is_beside(finding))
    }

    /// Whether the skill in a directory was asked for.
    pub(super) fn wants_skill(&self, directory: &str) -> bool {
        self.is_in_directory(directory)
            || self.files.iter().any(|file| file.kind == Kind::Skill && file.directory == directory)
    }

    fn is_in_directory(&self, path: &str) -> bool {
        self.directories.iter().any(|directory| is_in(path, directory))
    }
}

/// What a path names that a check judges as a file.
pub(super) fn kind_of(path: &Path) -> Option<Kind> {
    Kind::of(path).filter(|kind| *kind != Kind::Manifest)
}

/// The directory that a file is in.
pub(super) fn directory_of_file(path: &Path) -> &Path {
    path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."))
}

/// Whether a path is a directory's, or below it, both as findings show them.
fn is_in(path: &str, directory: &str) -> bool {
    if directory == "." {
        return !path.starts_with("../") && !path.starts_with('/');
    }
    path.strip_prefix(directory)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || directory.ends_with('/'))
}

/// The root that a file belongs to, written as the file is, and how many directories the file's own is below it.
/// The working directory is what a workspace is for an editor.
fn root_around(path: &Path, kind: Kind) -> (PathBuf, usize) {
    let own = directory_of_file(path);
    let working = env::current_dir().unwrap_or_default();
    let file = without_dots(&working.join(path));
    let place = root_of(&file, kind, &[working]);
    let below = file.parent().and_then(|own| own.strip_prefix(&place.dir).ok());
    let levels = below.map_or(0, |below| below.components().count());
    let root = own.ancestors().nth(levels).unwrap_or(own);
    let root = if root == Path::new("") { Path::new(".") } else { root };
    // A path with `..` or a symlink in it may lead elsewhere.
    if real(root) == real(&place.dir) { (root.to_owned(), levels) } else { (own.to_owned(), 0) }
}

/// An absolute path without `.` and `..`. Symlinks stay: a skill is where it is shown.
fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(clean.pop()),
            part => clean.push(part),
        }
    }
    clean
}
