//! How much YAML is read: how deep it nests, and how far aliases expand.
//!
//! Brackets are counted before the parser sees them, values while it hands them out. The size of the
//! frontmatter itself is bounded by [`rules`](crate::rules).

use std::cell::Cell;

use crate::code::Code;
use crate::fault::Fault;
use crate::source::Span;
use crate::subject::Subject;

/// The deepest nesting of brackets and blocks that is read.
pub const MAX_DEPTH: usize = 32;

/// The most values, aliases expanded, that are read from one text.
pub const MAX_NODES: usize = 20_000;

/// The most bytes that the scalars of one text may come to, aliases expanded.
pub const MAX_SCALAR_BYTES: usize = 256 * 1024;

/// What is left of the limits that aliases could break.
pub(super) struct Budget {
    nodes: Cell<usize>,
    bytes: Cell<usize>,
    is_spent: Cell<bool>,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self { nodes: Cell::new(MAX_NODES), bytes: Cell::new(MAX_SCALAR_BYTES), is_spent: Cell::new(false) }
    }

    /// Takes one value with this many bytes of text, or fails.
    pub(super) fn spend<E: serde::de::Error>(&self, bytes: usize) -> Result<(), E> {
        let left = (self.nodes.get().checked_sub(1), self.bytes.get().checked_sub(bytes));
        let (Some(nodes), Some(bytes)) = left else {
            self.is_spent.set(true);
            return Err(E::custom("aliases expand too far"));
        };
        self.nodes.set(nodes);
        self.bytes.set(bytes);
        Ok(())
    }

    /// Whether [`spend`](Self::spend) has failed.
    pub(super) fn is_spent(&self) -> bool {
        self.is_spent.get()
    }
}

/// The fault of aliases that expand too far.
pub(super) fn expands_too_far(at: Span, subject: Subject) -> Fault {
    Fault::new(Code::E018, at, format!("aliases expand to more than {} may hold", subject.the()))
        .help("write the values out, without anchors (`&`) and aliases (`*`)")
}

/// The fault of blocks that nest deeper than the parser goes.
pub(super) fn blocks_too_deep(at: Span, subject: Subject) -> Fault {
    Fault::new(Code::E018, at, format!("{} is nested too deeply", subject.the())).help(subject.flatten())
}

/// Nested brackets cost the parser quadratic time, so their depth is bounded before it sees them.
pub(super) fn brackets_too_deep(text: &str, span: Span, subject: Subject) -> Option<Fault> {
    let at = span.start + nested_too_deeply(&text[span])?;
    Some(
        Fault::new(
            Code::E018,
            at..at + 1,
            format!("{} is nested deeper than {MAX_DEPTH} levels", subject.the()),
        )
        .help(subject.flatten()),
    )
}

/// Where brackets nest too deeply. Those in a text that began before them are part of it. What is
/// uncertain counts as nested: a line of a block or of a quoted text that begins with a bracket.
fn nested_too_deeply(yaml: &str) -> Option<usize> {
    let opening = yaml.matches('[').count() + yaml.matches('{').count();
    if opening <= MAX_DEPTH {
        return None;
    }
    let mut depth = 0_usize;
    let (mut value_may_begin, mut has_tag) = (true, false);
    let mut before = b'\n';
    for (at, byte) in yaml.bytes().enumerate() {
        match byte {
            b'[' | b'{' if value_may_begin || depth > 0 => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'\n' | b'\r' => (value_may_begin, has_tag) = (true, false),
            b' ' | b'\t' => value_may_begin |= matches!(before, b':' | b'-' | b'?'),
            // A tag or an anchor comes before a value.
            b'!' | b'&' if value_may_begin => has_tag = true,
            _ => value_may_begin &= has_tag,
        }
        if depth > MAX_DEPTH {
            return Some(at);
        }
        before = byte;
    }
    None
}
