//! What is known of a file of a skill: fixed at build for a bundled one, looked up for one on disk.

use skills_pack::SkillFile;

use super::registry::Entry;

/// Size, digest and media type of a file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FileFacts<'a> {
    /// The size in bytes.
    pub size: usize,
    /// The SHA-256 of the bytes; `None` for a file on disk that cannot be read now.
    pub sha256: Option<[u8; 32]>,
    /// The media type, such as `text/markdown`.
    pub media_type: &'a str,
}

impl<'a> FileFacts<'a> {
    /// The facts of a bundled file cost nothing; a file of an overlay is read for them.
    pub fn of(entry: &Entry<'a>, file: &SkillFile<'a>) -> Self {
        #[cfg(feature = "overlay")]
        if file.bytes().is_none()
            && let Ok(bytes) = entry.read(file)
        {
            use sha2::Digest as _;
            return Self {
                size: bytes.len(),
                sha256: Some(sha2::Sha256::digest(&bytes).into()),
                media_type: skills_source::writer::media_type(
                    file.path(),
                    super::read_file::is_text(file, &bytes),
                ),
            };
        }
        let _ = entry;
        Self { size: file.size(), sha256: file.sha256().copied(), media_type: file.media_type() }
    }
}
