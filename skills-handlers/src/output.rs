//! The result of a call: the text for the model, and how it reads on if there is more.
//!
//! Long texts are kept in files ([`results`](super::results)) or in a store of the host's ([`store`](super::store)).

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};

/// The name of the tool that reads on in a long result.
pub const READ_RESULT: &str = "read_result";

/// How many characters of a result a model gets at once, unless set.
pub const RESULT_LIMIT: usize = skills::FileContent::LIMIT;

/// The result of a call. `Display` writes the text for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// The result: a string as it is, anything else as JSON. Only the beginning if it is long.
    pub text: String,
    /// The rest of a long result.
    pub rest: Option<Rest>,
}

/// The rest of a long result.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rest {
    /// The handle for `read_result`, valid in this conversation only.
    pub handle: String,
    /// The length of the whole result in characters.
    pub total_chars: usize,
    /// The number of items if the result is a JSON array, or of entries if it is an object.
    pub items: Option<usize>,
    /// The number of lines of the whole result.
    pub lines: usize,
    /// The offset of the rest, in characters.
    pub next_offset: usize,
}

impl Output {
    /// A result of this text, for a [`Stage`](super::Stage) that answers a call by itself.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), rest: None }
    }
}

impl Rest {
    /// The rest of a long text, of which the model gets the beginning up to this offset.
    pub(super) fn of(text: &str, handle: String, total_chars: usize, next_offset: usize) -> Self {
        Self {
            handle,
            total_chars,
            items: count_items(text),
            lines: text.matches('\n').count() + usize::from(!text.ends_with('\n')),
            next_offset,
        }
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        let Some(rest) = &self.rest else { return Ok(()) };
        write!(f, "\n\n[truncated: {} of {} characters", rest.next_offset, rest.total_chars)?;
        match rest.items {
            Some(items) => write!(f, ", {items} items in all")?,
            None => write!(f, ", {} lines in all", rest.lines)?,
        }
        write!(f, "; read on with {READ_RESULT} handle={} offset={}]", rest.handle, rest.next_offset)
    }
}

/// The end of a long result whose rest isn't kept.
pub(super) struct NotKept {
    /// How many characters of it there are.
    pub(super) shown: usize,
    pub(super) total_chars: usize,
}

impl fmt::Display for NotKept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n\n[truncated: {} of {} characters; ask for less]", self.shown, self.total_chars)
    }
}

/// A part of a long result. `Display` writes the text for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Piece {
    /// The handle that was read.
    pub handle: String,
    /// The part.
    pub text: String,
    /// The length of the whole result in characters.
    pub total_chars: usize,
    /// The offset of the next part in characters, or `None` at the end.
    pub next_offset: Option<usize>,
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { handle, text, total_chars, next_offset } = self;
        match next_offset {
            Some(next) => write!(
                f,
                "{text}\n\n[truncated: up to {next} of {total_chars} characters; read on with {READ_RESULT} \
                 handle={handle} offset={next}]"
            ),
            None => write!(f, "{text}\n\n[end: {total_chars} characters in all]"),
        }
    }
}

/// A JSON string without quotes and escapes; anything else stays JSON.
pub(super) fn bare(json: String) -> String {
    match json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) if inner.contains('\\') => serde_json::from_str(&json).unwrap_or(json),
        Some(inner) => inner.to_owned(),
        None => json,
    }
}

fn count_items(text: &str) -> Option<usize> {
    match text.as_bytes().first()? {
        b'[' => serde_json::from_str::<Vec<IgnoredAny>>(text).ok().map(|items| items.len()),
        b'{' => serde_json::from_str::<Entries>(text).ok().map(|entries| entries.0),
        _ => None,
    }
}

/// The number of entries of an object.
struct Entries(usize);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Count;
        impl<'de> Visitor<'de> for Count {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = 0;
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
                    entries += 1;
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Count)
    }
}
