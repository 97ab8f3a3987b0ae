//! What reading YAML gives: a tree of values that know where they are in the text.
//!
//! Only the types are here. Which fields a skill has is not known
//! (that is [`frontmatter`](crate::frontmatter)).

use crate::source::Span;

/// A value and where it is.
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

/// A scalar: its text, and its type in YAML 1.2.
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
    /// Where the key is.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}
