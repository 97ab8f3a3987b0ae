//! The action `read_file`.
//!
//! A path is compared with the skill's list of files and never joined to another path. For a path that isn't
//! in the list, the error says whether it points outside the skill, is a directory, or doesn't exist. The
//! content is in the pack or, in an overlay, read from disk during the call.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use super::error::ActionError;
use super::files::Files;
use super::registry::{Entry, Registry};
use super::text::{count_chars, skip_chars};
use skills_pack::hidden::{self, Shown};
use skills_pack::nearest;
use skills_pack::{Skill, SkillFile};

/// The most characters of text in one answer.
pub(crate) const READ_LIMIT: usize = 24_000;

/// The most files that the error about a directory lists.
const DIRECTORY_LIMIT: usize = 100;

/// The answer of `read_file`. `Display` writes the text for the model.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FileContent<'a> {
    /// The skill.
    pub entry: Entry<'a>,
    /// The file, as in the skill's list.
    pub file: SkillFile<'a>,
    /// The media type, such as `text/markdown`.
    pub media_type: &'a str,
    /// The requested part of the text, at most [`LIMIT`](Self::LIMIT) characters; consecutive parts can be
    /// joined. `None` for a binary file. The text for the model leaves out white space before a cut.
    pub text: Option<Cow<'a, str>>,
    /// The length of the whole text in characters; 0 for a binary file.
    pub total_chars: usize,
    /// The offset of the next part in characters, or `None` at the end.
    pub next_offset: Option<usize>,
    /// The bytes that were read from disk, if `text` doesn't hold all of them.
    read: Vec<u8>,
}

impl FileContent<'_> {
    /// The most characters of text that one `read_file` returns.
    pub const LIMIT: usize = READ_LIMIT;
}

impl<'a> Registry<'a> {
    /// Reads a file of a skill, starting at `offset` in characters.
    ///
    /// `path` is relative to the skill's directory, with `/`; `.` and empty parts are ignored. An offset past
    /// the end returns an empty string.
    ///
    /// # Errors
    ///
    /// [`ActionError::Missing`] if an argument is blank, [`ActionError::SkillNotFound`],
    /// [`ActionError::Outside`], [`ActionError::Directory`] with the files in the directory,
    /// [`ActionError::FileNotFound`], and for a file on disk [`ActionError::Internal`].
    pub fn read_file(&self, name: &str, path: &str, offset: usize) -> Result<FileContent<'a>, ActionError> {
        let entry = self.named("read_file", name);
        // A missing name is reported first, then a missing path, then an unknown name.
        if path.trim().is_empty() && !matches!(entry, Err(ActionError::Missing { .. })) {
            return Err(ActionError::Missing { action: "read_file", argument: "file_path" });
        }
        let entry = entry?;
        let file = find(entry.skill, path)?;
        if let (None, Some(files)) = (file.bytes(), entry.files) {
            return from_disk(entry, file, files, offset);
        }
        let page = file.text().map(|text| Page::of(text, offset, Cow::Borrowed));
        Ok(content(entry, file, file.media_type(), page, Vec::new()))
    }
}

/// The part of the text that one call returns, and its position.
struct Page<'a> {
    text: Cow<'a, str>,
    total_chars: usize,
    next_offset: Option<usize>,
}

impl<'a> Page<'a> {
    fn of<'t>(text: &'t str, offset: usize, keep: impl FnOnce(&'t str) -> Cow<'a, str>) -> Self {
        let rest = skip_chars(text, offset);
        let part = &rest[..rest.len() - skip_chars(rest, READ_LIMIT).len()];
        let next_offset = (part.len() < rest.len()).then_some(offset.saturating_add(READ_LIMIT));
        Self { text: keep(part), total_chars: count_chars(text), next_offset }
    }
}

/// The answer for a file. Without a page, the file is binary.
fn content<'a>(
    entry: Entry<'a>,
    file: SkillFile<'a>,
    media_type: &'a str,
    page: Option<Page<'a>>,
    read: Vec<u8>,
) -> FileContent<'a> {
    let (text, total_chars, next_offset) = match page {
        Some(page) => (Some(page.text), page.total_chars, page.next_offset),
        None => (None, 0, None),
    };
    FileContent { entry, file, media_type, text, total_chars, next_offset, read }
}

/// Whether these bytes are text, by the same rule as at build time.
pub(super) fn is_text(file: &SkillFile<'_>, bytes: &[u8]) -> bool {
    core::str::from_utf8(bytes).is_ok() && (file.path() == "SKILL.md" || !bytes.contains(&0))
}

/// Builds the answer for a file on disk. Its content now decides whether it is text, by the same rule as at
/// build time.
fn from_disk<'a>(
    entry: Entry<'a>,
    file: SkillFile<'a>,
    files: &dyn Files,
    offset: usize,
) -> Result<FileContent<'a>, ActionError> {
    let read = entry.read(&file)?.into_owned();
    let text = core::str::from_utf8(&read).ok().filter(|_| is_text(&file, &read));
    let media_type = files.media_type(file.path(), text.is_some());
    let page = text.map(|text| Page::of(text, offset, |part| Cow::Owned(part.to_string())));
    Ok(content(entry, file, media_type, page, read))
}

fn find<'a>(skill: Skill<'a>, path: &str) -> Result<SkillFile<'a>, ActionError> {
    if let Some(file) = skill.file(path) {
        return Ok(file);
    }
    // `load` shows the path of a skill on disk, so an absolute path that begins with it is accepted.
    let base = skill.path();
    if base.starts_with('/')
        && let Some(below) = path.strip_prefix(base).and_then(|rest| rest.strip_prefix('/'))
    {
        return find(skill, below);
    }
    if leads_out(path) {
        return Err(ActionError::Outside);
    }
    let mut plain = String::with_capacity(path.len());
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        if !plain.is_empty() {
            plain.push('/');
        }
        plain.push_str(part);
    }
    match skill.file(&plain) {
        Some(file) if !path.ends_with(['/', '.']) || path.ends_with(file.path()) => return Ok(file),
        _ => {}
    }
    let below = |file: &SkillFile<'a>| {
        plain.is_empty() || file.path().strip_prefix(plain.as_str()).is_some_and(|rest| rest.starts_with('/'))
    };
    let inside: Vec<&str> = skill.files().filter(below).map(|file| file.path()).collect();
    if inside.is_empty() {
        // A tree shows names with escapes.
        if let Some(file) = hidden::unescaped(path).and_then(|path| skill.file(&path)) {
            return Ok(file);
        }
        return Err(ActionError::FileNotFound {
            path: path.to_string(),
            nearest: nearest_files(skill, &plain),
        });
    }
    Err(ActionError::Directory {
        path: path.to_string(),
        more: inside.len().saturating_sub(DIRECTORY_LIMIT),
        files: inside.into_iter().take(DIRECTORY_LIMIT).map(Into::into).collect(),
    })
}

/// Whether no skill's directory can hold a path, by the rules of any system: it is absolute, or has `..`, a
/// drive, a scheme, or a NUL.
fn leads_out(path: &str) -> bool {
    let mut parts = path.split(['/', '\\']);
    let first = parts.clone().next().unwrap_or_default();
    let has_scheme = first.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    });
    path.starts_with(['/', '\\', '~']) || path.contains('\0') || has_scheme || parts.any(|part| part == "..")
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

impl FileContent<'_> {
    /// The exact bytes of the whole file.
    pub fn bytes(&self) -> &[u8] {
        self.file.bytes().unwrap_or(&self.read)
    }

    /// The text for the model, allocated once.
    pub fn to_text(&self) -> String {
        let content = self.text.as_ref().map_or(128, |text| text.len());
        let size = content + self.entry.skill.name().len() + self.file.path().len() + 64;
        let mut text = String::with_capacity(size);
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{self}");
        text
    }
}

impl fmt::Display for FileContent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Skill file: ")?;
        f.write_str(self.entry.skill.name())?;
        f.write_str("/")?;
        Shown(self.file.path()).fmt(f)?;
        f.write_str("\n\n")?;
        match &self.text {
            Some(text) if self.next_offset.is_some() => f.write_str(text.trim_end())?,
            Some(text) => f.write_str(text)?,
            None => write!(f, "Binary file: {}, {} bytes.", self.media_type, self.bytes().len())?,
        }
        if self.next_offset.is_some() { f.write_str("\n\n[truncated]") } else { Ok(()) }
    }
}
