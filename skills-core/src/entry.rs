//! A skill as a registry serves it, and the contents of its files. Which skills are served isn't known here.

use alloc::borrow::Cow;

use skills_pack::hidden::{self, Hidden};
use skills_pack::{Skill, SkillFile, bad_bytes};

use super::error::ActionError;
use super::files::Files;
use super::layer::Layer;

/// A skill, and where it comes from.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// The skill. If it is on disk, its list of files has only the SKILL.md until the skill is loaded, or
    /// [`with_files`](Self::with_files) is called.
    pub skill: Skill<'a>,
    /// The origin: `bundle`, or the label of its pack or live root.
    pub origin: &'a str,
    /// Whether its name is reserved for it, so that no other pack or root can use the name.
    pub sealed: bool,
    pub(crate) files: Option<&'a dyn Files>,
    /// Whether the skill has its list of files.
    is_listed: bool,
}

impl<'a> Entry<'a> {
    /// Whether the skill is compiled into the program rather than read from disk.
    pub fn is_bundled(&self) -> bool {
        self.files.is_none()
    }

    /// Whether this is the last good version of a skill whose SKILL.md is now broken.
    pub fn is_stale(&self) -> bool {
        self.files.is_some_and(|files| files.is_stale(self.skill.path()))
    }

    /// The same, with the list of files of a skill on disk. Its directory is looked at now, unless that was done
    /// before.
    #[must_use]
    pub fn with_files(self) -> Self {
        let listed =
            self.files.filter(|_| !self.is_listed).and_then(|files| files.listed(self.skill.index()));
        let skill = listed.and_then(|pack| pack.skill(0)).unwrap_or(self.skill);
        Self { skill, is_listed: true, ..self }
    }

    /// The bytes of one of the skill's files: compiled in, or read from disk now.
    ///
    /// # Errors
    ///
    /// Only for files on disk: [`ActionError::FileNotFound`] if the file no longer exists,
    /// [`ActionError::Outside`] if a symlink has replaced it, [`ActionError::Refused`] if it is text with
    /// Unicode tag characters, [`ActionError::Internal`] if it can't be read or is larger than 64 MiB.
    pub fn read(&self, file: &SkillFile<'a>) -> Result<Cow<'a, [u8]>, ActionError> {
        match (file.bytes(), self.files) {
            (Some(bytes), _) => Ok(Cow::Borrowed(bytes)),
            (None, Some(files)) => {
                let bytes = files.read(self.skill.path(), file.path())?;
                if has_tags(&bytes) {
                    return Err(ActionError::Refused { path: file.path().into() });
                }
                Ok(Cow::Owned(bytes))
            }
            (None, None) => Err(ActionError::file_not_found(file.path())),
        }
    }

    pub(crate) fn of(layer: &Layer<'a>, skill: Skill<'a>) -> Self {
        Self { skill, origin: layer.label, sealed: layer.is_sealed, files: layer.files, is_listed: false }
    }
}

/// Whether these bytes are text, in the sense that a model is shown them, with Unicode tag characters. Builds
/// refuse such a file.
fn has_tags(bytes: &[u8]) -> bool {
    // The first byte of a tag character.
    if !bytes.contains(&0xf3) || bytes.contains(&0) {
        return false;
    }
    let text = match core::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => match bad_bytes::replaced(bytes) {
            Some((text, _)) => Cow::Owned(text),
            None => return false,
        },
    };
    hidden::find(&text).any(|(.., kind)| kind == Hidden::Tag)
}
