//! What the YAML of a file is to its author, for the words of a message.

/// What YAML is read of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "YAML is a part of a file or all of it")]
pub enum Subject {
    /// The frontmatter of a SKILL.md.
    Frontmatter,
    /// A whole file of YAML: the definition of a slash command, or tests of a skill.
    Definition,
}

impl Subject {
    /// As the subject of a sentence.
    pub(crate) fn the(self) -> &'static str {
        match self {
            Self::Frontmatter => "the frontmatter",
            Self::Definition => "the file",
        }
    }

    /// As a label beside its beginning.
    pub(crate) fn inside(self) -> &'static str {
        match self {
            Self::Frontmatter => "in this frontmatter",
            Self::Definition => "in this file",
        }
    }

    /// What to do where it nests too deeply.
    pub(crate) fn flatten(self) -> &'static str {
        match self {
            Self::Frontmatter => "keep metadata flat, or put the data in a file beside SKILL.md",
            Self::Definition => "keep it flat",
        }
    }
}
