//! The size, digest and media type of a skill's file: known at build time for a bundled file, read from disk
//! for others.

use skills_pack::SkillFile;

use super::entry::Entry;

/// Size, digest and media type of a file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FileFacts<'a> {
    /// The size in bytes.
    pub size: usize,
    /// The SHA-256 of the bytes; `None` if the file is on disk and can't be read.
    pub sha256: Option<[u8; 32]>,
    /// The media type, such as `text/markdown`.
    pub media_type: &'a str,
}

impl<'a> FileFacts<'a> {
    /// Returns the facts of a file. For a bundled file this costs nothing; a file on disk is read.
    pub fn of(entry: &Entry<'a>, file: &SkillFile<'a>) -> Self {
        if let (None, Some(files)) = (file.bytes(), entry.files)
            && let Ok(bytes) = entry.read(file)
        {
            let is_text = super::read_file::is_text(file, &bytes);
            return Self {
                size: bytes.len(),
                sha256: Some(files.sha256(&bytes)),
                media_type: files.media_type(file.path(), is_text),
            };
        }
        Self { size: file.size(), sha256: file.sha256().copied(), media_type: file.media_type() }
    }
}
