//! Reads YAML into a tree that keeps the author's text and knows where everything stands.
//!
//! `serde_yaml` parses; where a scalar is no text to it, this module asks it a second time, for the
//! text as it was written (`1.10` stays `1.10`). Scalars that it can hand out
//! without a copy are slices of the input, and their address gives their position.
//!
//! After a fault the entry that holds it is masked, with the same length, and the rest is read
//! again (`mask`), so that one fault never hides the others. Which fields a skill has, and what
//! they mean, is not known here (that is [`frontmatter`](crate::frontmatter)).

mod explain;
mod lines;
mod mask;
mod quote;
mod tree;

pub(crate) use quote::line as in_quotes;

use crate::code::Code;
use crate::fault::Fault;
use crate::source::Span;

/// The deepest nesting of brackets and blocks that is read.
pub const MAX_DEPTH: usize = 32;

/// The most values, aliases expanded, that are read from one text.
pub const MAX_NODES: usize = 20_000;

/// The most bytes that the scalars of one text may come to, aliases expanded.
pub const MAX_SCALAR_BYTES: usize = 256 * 1024;

/// How many faults of one text are masked before the rest of it is given up.
const MAX_MASKS: usize = 64;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Node {
    /// Byte offsets into the text. Where the value is not written as it reads (escapes, blocks,
    /// several lines) the span covers its first line.
    pub span: Span,
    /// The value.
    pub value: Value,
}

impl Node {
    /// Where to point at a value that is no scalar: at the first key or scalar in it that has a place.
    pub(crate) fn place(&self) -> Span {
        match &self.value {
            Value::List(items) => items.first().map_or(self.span.clone(), Self::place),
            Value::Map(entries) => entries.first().map_or(self.span.clone(), |entry| entry.key_span.clone()),
            _ => self.span.clone(),
        }
    }
}

/// A YAML value. Scalars keep the text the author wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// `null`, `~` or nothing at all.
    Null,
    /// A scalar.
    Scalar(Scalar),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping, in the author's order.
    Map(Vec<Entry>),
    /// A value with a tag of its own, such as `!important text`.
    Tagged(String, Box<Node>),
    /// A value that a fault has been reported for.
    Unreadable,
}

/// A scalar: its text, and what YAML 1.2 takes it for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scalar {
    /// The text, unquoted and unescaped but otherwise as written.
    pub text: String,
    /// What it resolves to.
    pub kind: ScalarKind,
    /// Whether the node's span holds exactly `text`, so that a part of it can be pointed at.
    pub exact: bool,
}

impl Scalar {
    /// The number that the text is to YAML 1.2: decimal, or whole with `0x` or `0o`. `None` for what is
    /// not finite, which JSON cannot say.
    pub fn number(&self) -> Option<f64> {
        let text = self.text.strip_prefix('+').unwrap_or(&self.text);
        let based = |prefix: &str, radix| u32::from_str_radix(text.strip_prefix(prefix)?, radix).ok();
        if let Some(whole) = based("0x", 16).or_else(|| based("0o", 8)) {
            return Some(f64::from(whole));
        }
        text.parse().ok().filter(|number: &f64| number.is_finite())
    }
}

/// What YAML 1.2 resolves a scalar to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScalarKind {
    /// Text.
    Text,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
}

/// One entry of a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The key's text.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

/// Reads the YAML in `text[span]`; all positions are offsets into `text`.
///
/// Returns the root, unless nothing could be read, and the faults: [`Code::E003`] for what is not
/// YAML, [`Code::E005`] for a key given twice (the first stays), [`Code::E018`] past a limit.
pub fn read(text: &str, span: Span) -> (Option<Node>, Vec<Fault>) {
    let mut faults = Vec::new();
    if let Some(fault) = too_deep(text, span.clone()) {
        return (None, vec![fault]);
    }
    let mut masked = mask::Masked::new(&text[span.clone()]);
    while let Some((at, fault)) = control_character(masked.text(), span.start) {
        let hidden = masked.apply(explain::hide(masked.text(), at));
        faults.push(fault);
        if !hidden || faults.len() >= MAX_MASKS {
            return (None, faults);
        }
    }
    loop {
        match tree::read(text, span.start, &masked, &mut faults) {
            Ok(root) => return (Some(root), faults),
            Err(tree::Failure::Limit(fault)) => {
                faults.push(fault);
                return (None, faults);
            }
            Err(tree::Failure::Syntax(error)) => {
                let problem = explain::explain(text, span.clone(), &masked, &error);
                faults.push(problem.fault);
                if faults.len() >= MAX_MASKS || !masked.apply(problem.mask) {
                    if let (true, Some(last)) = (faults.len() >= MAX_MASKS, faults.last_mut()) {
                        last.help.push_str("; what else is wrong in this file is told once these are mended");
                    }
                    return (None, faults);
                }
            }
        }
    }
}

/// Control characters may not stand in YAML; `serde_yaml` does not say where one does.
fn control_character(yaml: &str, base: usize) -> Option<(usize, Fault)> {
    // Nearly every frontmatter is plain ASCII, which one pass over its bytes tells.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    if yaml.bytes().fold(true, |plain, byte| plain & is_plain(byte)) {
        return None;
    }
    let (at, found) = yaml.char_indices().find(|&(at, c)| {
        let mark_inside = c == '\u{feff}' && at > 0;
        // The parser takes U+0085, U+2028 and U+2029 for line ends; YAML 1.2 and editors do not.
        (c.is_control() && !matches!(c, '\t' | '\n' | '\r'))
            || matches!(c, '\u{2028}' | '\u{2029}')
            || mark_inside
            || c == '\u{fffe}'
            || c == '\u{ffff}'
    })?;
    let what = if found == '\u{feff}' { "byte-order mark" } else { "control character" };
    Some((
        at,
        Fault::new(
            Code::E003,
            base + at..base + at + found.len_utf8(),
            format!("the frontmatter is not valid YAML: it holds the {what} U+{:04X}", found as u32),
        )
        .label("this character, which most editors do not show")
        .help("delete it")
        .edit(explain::without_mark(yaml, base, at)),
    ))
}

/// Nested brackets cost the parser quadratic time, so their depth is bounded before it sees them.
fn too_deep(text: &str, span: Span) -> Option<Fault> {
    let at = span.start + nested_too_deeply(&text[span])?;
    Some(
        Fault::new(
            Code::E018,
            at..at + 1,
            format!("the frontmatter is nested deeper than {MAX_DEPTH} levels"),
        )
        .help("keep metadata flat, or put the data in a file beside SKILL.md"),
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
            // A tag or an anchor stands before a value.
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

#[cfg(test)]
mod tests;
