//! Long results: the model gets the beginning and the counts, and can read on in a file.
//!
//! The files are in a temporary directory of the conversation, which is deleted with it;
//! [`storage`](super::storage) decides who can read them. The content isn't interpreted: a string is cut at a
//! character, not at a sentence or a record.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use tempfile::TempDir;

use super::error::{CallError, ErrorCode};
use super::lock::lock;
use super::random;
use super::shown::shown;
use super::storage::{self, PrivateFile};

/// The name of the tool that reads on in a long result.
pub const READ_RESULT: &str = "read_result";

/// How many characters of a result a model gets at once, unless set.
pub const RESULT_LIMIT: usize = skills::FileContent::LIMIT;

/// The largest total size of one store in bytes, unless set.
const STORE_LIMIT: u64 = 256 * 1024 * 1024;

/// The byte offset of every character whose number is a multiple of this is kept in memory.
const STEP: usize = 64 * 1024;

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

/// Stores the long results of one conversation in a temporary directory, which is deleted with the last clone
/// of the store. Only this user can read them. A store costs nothing until a result is long.
#[derive(Clone)]
pub struct ResultStore(Arc<Files>);

struct Files {
    parent: Option<PathBuf>,
    limit: u64,
    /// Whether files stay visible in the directory even if the system can hide them.
    keeps_names: bool,
    /// Outside the lock, so that a disk that hangs while the directory is made blocks no other caller.
    dir: OnceLock<TempDir>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    bytes: u64,
    results: HashMap<String, Arc<Stored>>,
}

struct Stored {
    file: PrivateFile,
    total_chars: usize,
    /// The byte offset of every [`STEP`]th character.
    steps: Vec<u64>,
}

impl ResultStore {
    /// A store in the system's directory for temporary files, of at most 256 MiB.
    pub fn new() -> Self {
        Self::build(None, STORE_LIMIT, false)
    }

    /// A store in a new directory below `parent`, of at most `max_bytes` bytes.
    pub fn under(parent: impl Into<PathBuf>, max_bytes: u64) -> Self {
        Self::build(Some(parent.into()), max_bytes, false)
    }

    /// A store whose files are visible to tests.
    #[cfg(test)]
    pub(super) fn visible() -> Self {
        Self::build(None, STORE_LIMIT, true)
    }

    fn build(parent: Option<PathBuf>, limit: u64, keeps_names: bool) -> Self {
        Self(Arc::new(Files { parent, limit, keeps_names, dir: OnceLock::new(), kept: Mutex::default() }))
    }

    /// The directory, if a result has been stored.
    pub fn dir(&self) -> Option<PathBuf> {
        self.0.dir.get().map(|dir| dir.path().to_owned())
    }

    /// Reads at most `limit` characters of a long result, starting at the character `offset`.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidArguments`] for a handle that this conversation doesn't have, or an offset past
    /// the end; [`ErrorCode::Failed`] if the file can't be read.
    pub fn read(&self, handle: &str, offset: usize, limit: usize) -> Result<Piece, CallError> {
        let stored =
            lock(&self.0.kept).results.get(handle.trim()).cloned().ok_or_else(|| no_such_handle(handle))?;
        if offset > stored.total_chars {
            return Err(past_the_end(offset, stored.total_chars));
        }
        let text = stored.read(offset, limit).map_err(|error| failed("the result cannot be read", &error))?;
        let next = offset + text.chars().count();
        Ok(Piece {
            handle: handle.trim().to_owned(),
            text,
            total_chars: stored.total_chars,
            next_offset: (next < stored.total_chars).then_some(next),
        })
    }

    /// Stores a string, and returns the reserved room (which deletes it when dropped), the handle and the
    /// length in characters.
    fn keep(&self, text: &str) -> Result<(Room, String, usize), CallError> {
        // Room is reserved before it is filled, so that concurrent results don't share it.
        let mut room = self.take_room(text.len() as u64)?;
        let (handle, stored) = self
            .write(text)
            .map_err(|error| failed("the call has run, but its result cannot be kept", &error))?;
        let total_chars = stored.total_chars;
        let stored = Arc::new(stored);
        room.kept = Some((handle.clone(), Arc::clone(&stored)));
        lock(&self.0.kept).results.insert(handle.clone(), stored);
        Ok((room, handle, total_chars))
    }

    fn take_room(&self, bytes: u64) -> Result<Room, CallError> {
        let mut kept = lock(&self.0.kept);
        if kept.bytes + bytes > self.0.limit {
            return Err(CallError::new(
                ErrorCode::Failed,
                format!(
                    "the call has run, but its result of {bytes} bytes is more than this conversation may store"
                ),
                "ask for less: narrow the request or set a limit",
            ));
        }
        kept.bytes += bytes;
        Ok(Room { store: self.clone(), bytes, kept: None })
    }

    fn write(&self, text: &str) -> io::Result<(String, Stored)> {
        let handle = format!("result-{}", random::hex::<16>().map_err(io::Error::other)?);
        let path = self.0.make_dir()?.join(&handle);
        let file = PrivateFile::write(path, text, self.0.keeps_names)?;
        Ok((handle, Stored::of(file, text)))
    }
}

/// Room reserved in a store, and the file in it. Both are released when this is dropped, unless the result
/// was delivered by then.
struct Room {
    store: ResultStore,
    bytes: u64,
    /// The handle and the file, once it exists.
    kept: Option<(String, Arc<Stored>)>,
}

impl Room {
    fn stays(mut self) {
        (self.bytes, self.kept) = (0, None);
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if let Some((handle, stored)) = &self.kept {
            lock(&self.store.0.kept).results.remove(handle);
            if stored.file.delete().is_err() {
                return; // A file that remains on disk still takes up its room.
            }
        }
        lock(&self.store.0.kept).bytes -= self.bytes;
    }
}

impl Files {
    fn make_dir(&self) -> io::Result<&Path> {
        if let Some(dir) = self.dir.get() {
            // Another program may have swept it, after a long time without a result.
            storage::keep_dir(dir.path())?;
            return Ok(dir.path());
        }
        let made = storage::make_dir(self.parent.as_deref())?;
        // If two were made concurrently, one is dropped, and thereby deleted.
        Ok(self.dir.get_or_init(|| made).path())
    }
}

impl Stored {
    fn of(file: PrivateFile, text: &str) -> Self {
        // Most results are ASCII, and checking for that is faster than counting characters.
        if text.is_ascii() {
            let steps = (0..text.len() as u64).step_by(STEP).collect();
            return Self { file, total_chars: text.len(), steps };
        }
        let (mut steps, mut total_chars) = (Vec::new(), 0);
        for (at, _) in text.char_indices() {
            if total_chars % STEP == 0 {
                steps.push(at as u64);
            }
            total_chars += 1;
        }
        Self { file, total_chars, steps }
    }

    fn read(&self, offset: usize, limit: usize) -> io::Result<String> {
        let wanted = limit.min(self.total_chars - offset);
        let Some(&start) = self.steps.get(offset / STEP) else { return Ok(String::new()) };
        let skipped = offset % STEP;
        // A character has at most four bytes.
        let bytes = self.file.read(start, 4 * (skipped + wanted) as u64)?;
        let end = bytes.iter().rposition(|byte| !matches!(byte, 0x80..=0xbf)).unwrap_or(0);
        // The last character may be incomplete.
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            Err(_) => std::str::from_utf8(&bytes[..end]).map_err(io::Error::other)?,
        };
        Ok(text.chars().skip(skipped).take(wanted).collect())
    }
}

impl Default for ResultStore {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ResultStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResultStore").field("dir", &self.dir()).finish_non_exhaustive()
    }
}

/// A result within the limits. What was stored is deleted with this value unless it is [taken](Self::take),
/// so a result that comes after its call was cancelled takes up no room.
pub(super) struct Fitted {
    output: Output,
    room: Option<Room>,
}

impl Fitted {
    pub(super) fn take(self) -> Output {
        if let Some(room) = self.room {
            room.stays();
        }
        self.output
    }
}

/// The whole result if it has at most `limit` characters; else its beginning, with the whole stored.
///
/// Files are only read and written for a long result.
pub(super) fn fit(mut text: String, limit: usize, store: &ResultStore) -> Result<Fitted, CallError> {
    let Some((cut, _)) = past(&text, limit) else {
        return Ok(Fitted { output: Output { text, rest: None }, room: None });
    };
    let (room, handle, total_chars) = store.keep(&text)?;
    let rest = rest(&text, handle, total_chars, limit);
    text.truncate(cut);
    text.shrink_to_fit();
    Ok(Fitted { output: Output { text, rest: Some(rest) }, room: Some(room) })
}

/// What the model is told of a long text that it got the beginning of.
pub(super) fn rest(text: &str, handle: String, total_chars: usize, next_offset: usize) -> Rest {
    Rest {
        handle,
        total_chars,
        items: count_items(text),
        lines: text.matches('\n').count() + usize::from(!text.ends_with('\n')),
        next_offset,
    }
}

/// The error for a handle that belongs to no result of this conversation.
pub(super) fn no_such_handle(handle: &str) -> CallError {
    CallError::new(
        ErrorCode::InvalidArguments,
        format!("no result has the handle `{}`", shown(handle)),
        "use a handle from a result of this conversation, or make the call again",
    )
}

/// The error for reading on from behind the end.
pub(super) fn past_the_end(offset: usize, total_chars: usize) -> CallError {
    CallError::new(
        ErrorCode::InvalidArguments,
        format!("the offset {offset} is past the end: the result has {total_chars} characters"),
        "give a smaller offset",
    )
}

/// A JSON string without quotes and escapes; anything else stays JSON.
pub(super) fn bare(json: String) -> String {
    match json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) if inner.contains('\\') => serde_json::from_str(&json).unwrap_or(json),
        Some(inner) => inner.to_owned(),
        None => json,
    }
}

/// Whether [`fit`] must write a file. May return `true` for a result that doesn't need one.
pub(super) fn may_be_long(text: &str, limit: usize) -> bool {
    text.len() > limit
}

fn past(text: &str, limit: usize) -> Option<(usize, char)> {
    if text.len() <= limit { None } else { text.char_indices().nth(limit) }
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

fn failed(what: &str, error: &io::Error) -> CallError {
    CallError::new(ErrorCode::Failed, format!("{what}: {}", error.kind()), "ask for less")
}

#[cfg(test)]
mod tests;
