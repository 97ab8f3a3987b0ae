//! What a check found, as plain data.
//!
//! A finding carries its own excerpt of the file, so that a renderer needs nothing else. This module
//! does not decide what is a fault (that is [`rules`](crate::rules)) and prints nothing.

use std::fmt;
use std::ops::Range;

use crate::code::{Code, Level};

/// One fault in one file: where, what, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Which rule was broken.
    pub code: Code,
    /// How much it weighs in this run: the rule's default, unless set otherwise.
    pub level: Level,
    /// The file or directory, with `/`, beginning with the root as the user gave it.
    pub path: String,
    /// Line in the file, from 1. It is 1 where the finding is about a whole file or directory.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong. Stands alone; no final period.
    pub message: String,
    /// What is written beside the underline. May be empty.
    pub label: String,
    /// What to do about it.
    pub help: String,
    /// The line of the file and the part of it to underline, where there is one.
    pub excerpt: Option<Excerpt>,
    /// Other places that matter, such as the first of two equal keys.
    pub related: Vec<Related>,
    /// The change to the file that mends it, where only one can be meant.
    pub edit: Option<Edit>,
}

/// One line of a file, with the part to underline.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// The whole line, without its line end.
    pub text: String,
    /// Byte offset in `text` where the underline starts.
    pub start: usize,
    /// Byte offset in `text` where it ends; equal to `start` for a point between characters.
    pub end: usize,
}

/// A second place in the same file or in another one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related {
    /// The file, as in [`Finding::path`].
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What this place has to do with the fault.
    pub label: String,
    /// The line and the part to underline.
    pub excerpt: Option<Excerpt>,
}

/// A change to one part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// What is replaced, as byte offsets into the file's text without a byte-order mark.
    pub span: Range<usize>,
    /// Line and column of its start, both from 1, the column in characters.
    pub start: (u32, u32),
    /// Line and column of its end.
    pub end: (u32, u32),
    /// What stands there afterwards.
    pub text: String,
    /// What the changed value reads as afterwards, where it cannot be read before.
    pub meaning: Option<String>,
}

impl Finding {
    /// A finding about a whole file or directory, placed at its first line.
    pub fn on_path(code: Code, path: String, message: String, help: String) -> Self {
        Self {
            code,
            level: code.rule().level,
            path,
            line: 1,
            column: 1,
            message,
            label: String::new(),
            help,
            excerpt: None,
            related: Vec::new(),
            edit: None,
        }
    }

    /// What findings are sorted by: path, then line, column and code.
    pub fn sort_key(&self) -> (&str, u32, u32, Code) {
        (&self.path, self.line, self.column, self.code)
    }
}

impl fmt::Display for Finding {
    /// The concise form, on one line: `path:line:column: error[E009]: message`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, level, path, line, column, message, .. } = self;
        write!(f, "{path}:{line}:{column}: {level}[{code}]: {message}")
    }
}
