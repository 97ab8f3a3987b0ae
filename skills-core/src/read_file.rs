//! The action `read_file`.
//!
//! The path is looked up by [`file_path`](super::file_path). The content is in the pack or, in an overlay, read
//! from disk during the call.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use super::entry::Entry;
use super::error::ActionError;
use super::file_path;
use super::files::Files;
use super::registry::Registry;
use super::text::{count_chars, skip_chars};
use skills_pack::SkillFile;
use skills_pack::bad_bytes;
use skills_pack::hidden::Shown;

/// The most characters of text in one answer.
pub(crate) const READ_LIMIT: usize = 24_000;

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
    /// joined. `None` for a binary file. The text for the model leaves out white space before a cut. In a file
    /// that isn't UTF-8, each bad byte is U+FFFD here.
    pub text: Option<Cow<'a, str>>,
    /// The length of the whole text in characters; 0 for a binary file.
    pub total_chars: usize,
    /// The offset of the next part in characters, or `None` at the end.
    pub next_offset: Option<usize>,
    /// The number of bytes that aren't UTF-8. [`bytes`](Self::bytes) has them.
    pub bad_bytes: usize,
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
    /// `path` is relative to the skill's directory, with `/`, or absolute below it. `.`, `..` and empty parts are
    /// resolved in the text of the path, never on disk. An offset past the end returns an empty string.
    ///
    /// # Errors
    ///
    /// [`ActionError::Missing`] if an argument is blank, [`ActionError::SkillNotFound`],
    /// [`ActionError::Outside`], [`ActionError::Directory`] with the files in the directory,
    /// [`ActionError::FileNotFound`], and for a file on disk [`ActionError::Refused`] and
    /// [`ActionError::Internal`].
    pub fn read_file(&self, name: &str, path: &str, offset: usize) -> Result<FileContent<'a>, ActionError> {
        let entry = self.named("read_file", name);
        // A missing name is reported first, then a missing path, then an unknown name.
        if path.trim().is_empty() && !matches!(entry, Err(ActionError::Missing { .. })) {
            return Err(ActionError::Missing { action: "read_file", argument: "file_path" });
        }
        let entry = entry?;
        let file = file_path::find(entry.skill, path)?;
        if let (None, Some(files)) = (file.bytes(), entry.files) {
            return from_disk(entry, file, files, offset);
        }
        let page = match (file.text(), file.bytes()) {
            (Some(text), _) => Some(Page::of(text, offset, Cow::Borrowed)),
            (None, Some(bytes)) => Page::with_bad_bytes(bytes, offset),
            (None, None) => None,
        };
        Ok(content(entry, file, file.media_type(), page, Vec::new()))
    }
}

/// The part of the text that one call returns, and its position.
struct Page<'a> {
    text: Cow<'a, str>,
    total_chars: usize,
    next_offset: Option<usize>,
    bad_bytes: usize,
}

impl<'a> Page<'a> {
    fn of<'t>(text: &'t str, offset: usize, keep: impl FnOnce(&'t str) -> Cow<'a, str>) -> Self {
        let rest = skip_chars(text, offset);
        let part = &rest[..rest.len() - skip_chars(rest, READ_LIMIT).len()];
        let next_offset = (part.len() < rest.len()).then_some(offset.saturating_add(READ_LIMIT));
        Self { text: keep(part), total_chars: count_chars(text), next_offset, bad_bytes: 0 }
    }

    /// A text in another encoding, with U+FFFD for each byte that isn't UTF-8; `None` if the file looks binary.
    fn with_bad_bytes(bytes: &[u8], offset: usize) -> Option<Self> {
        let (text, bad_bytes) = bad_bytes::replaced(bytes)?;
        let page = Self::of(&text, offset, |part| Cow::Owned(part.to_string()));
        Some(Self { bad_bytes, ..page })
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
    let (text, total_chars, next_offset, bad_bytes) = match page {
        Some(page) => (Some(page.text), page.total_chars, page.next_offset, page.bad_bytes),
        None => (None, 0, None, 0),
    };
    FileContent { entry, file, media_type, text, total_chars, next_offset, bad_bytes, read }
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
    let page = match text {
        Some(text) => Some(Page::of(text, offset, |part| Cow::Owned(part.to_string()))),
        None => Page::with_bad_bytes(&read, offset),
    };
    let media_type = files.media_type(file.path(), page.is_some());
    Ok(content(entry, file, media_type, page, read))
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
        match self.bad_bytes {
            0 => {}
            1 => f.write_str("[not UTF-8: 1 byte is shown as U+FFFD]\n")?,
            bad => writeln!(f, "[not UTF-8: {bad} bytes are shown as U+FFFD]")?,
        }
        match &self.text {
            Some(text) if self.next_offset.is_some() => f.write_str(text.trim_end())?,
            Some(text) => f.write_str(text)?,
            None => write!(f, "Binary file: {}, {} bytes.", self.media_type, self.bytes().len())?,
        }
        if self.next_offset.is_some() { f.write_str("\n\n[truncated]") } else { Ok(()) }
    }
}
