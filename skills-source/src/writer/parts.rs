//! The pieces from which a pack is put together: its text, its shared words, its tables.

use std::collections::HashMap;

use crate::frontmatter::Text;
use crate::yaml::{Node, Scalar};
use skills_pack::blocks::Growing;

/// An offset and a length, in bytes.
pub(super) type Span = [u64; 2];

/// The text block. Each file and each short text stands in it once.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub(super) block: Growing,
    short: HashMap<String, Span>,
    files: HashMap<[u8; 32], Span>,
}

impl Texts {
    pub(super) fn push(&mut self, text: &str) -> Span {
        if text.is_empty() {
            return [0, 0];
        }
        [self.block.push(text.as_bytes()), text.len() as u64]
    }

    pub(super) fn intern(&mut self, text: &str) -> Span {
        if let Some(span) = self.short.get(text) {
            return *span;
        }
        let span = self.push(text);
        self.short.insert(text.to_owned(), span);
        span
    }

    pub(super) fn file(&mut self, digest: [u8; 32], text: &str) -> Span {
        if let Some(span) = self.files.get(&digest) {
            return *span;
        }
        let span = self.push(text);
        self.files.insert(digest, span);
        span
    }
}

/// Words that many records share: keys and media types.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) words: Vec<String>,
    known: HashMap<String, u64>,
}

impl Shared {
    pub(super) fn index(&mut self, word: &str) -> u64 {
        if let Some(index) = self.known.get(word) {
            return *index;
        }
        let index = self.words.len() as u64;
        self.words.push(word.to_owned());
        self.known.insert(word.to_owned(), index);
        index
    }
}

#[derive(Default)]
pub(super) struct Tables {
    pub(super) bytes: Vec<u8>,
    pub(super) overflow: bool,
}

impl Tables {
    pub(super) fn words(&mut self, words: &[u64]) {
        for &word in words {
            self.overflow |= word > u64::from(u32::MAX);
            self.bytes.extend_from_slice(&(word as u32).to_le_bytes());
        }
    }
}

/// Where the text of SKILL.md, without its mark, starts in the text block.
pub(super) struct InFile {
    pub(super) start: Option<u64>,
}

impl InFile {
    /// A value that stands in the file as it reads needs no copy.
    pub(super) fn text(&self, text: &Text) -> Option<Span> {
        self.exact(text.exact, &text.span)
    }

    pub(super) fn exact(&self, exact: bool, span: &std::ops::Range<usize>) -> Option<Span> {
        (exact && !span.is_empty()).then_some([self.start? + span.start as u64, span.len() as u64])
    }

    pub(super) fn scalar(&self, node: &Node, scalar: &Scalar, texts: &mut Texts) -> Span {
        self.exact(scalar.exact, &node.span).unwrap_or_else(|| texts.intern(&scalar.text))
    }
}
