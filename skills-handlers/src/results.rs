//! Long results: the model gets the beginning and the counts, and can read on in a file.
//!
//! The files are in a temporary directory of the conversation, which is deleted with it;
//! [`private_files`](super::private_files) decides who can read them. The content isn't interpreted: a string is cut at a
//! character, not at a sentence or a record.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::error::{CallError, ErrorCode};
use super::lock::lock;
use super::output::{NotKept, Output, Piece, Rest};
use super::private_files::{PrivateDir, PrivateFile};
use super::random;
use super::shown::shown;

/// The largest total size of one store in bytes, unless set.
const STORE_LIMIT: u64 = 256 * 1024 * 1024;

/// The most results of one store that makes room for new ones.
const MOST_RESULTS: usize = 1_000;

/// The byte offset of every character whose number is a multiple of this is kept in memory.
const STEP: usize = 64 * 1024;

/// Stores the long results of one conversation in a temporary directory, which is deleted with the last clone
/// of the store. Only this user can read them. A store costs nothing until a result is long.
#[derive(Clone)]
pub struct ResultStore(Arc<Files>);

struct Files {
    parent: Option<PathBuf>,
    limit: u64,
    /// Whether results make room for new ones, beginning with the one that was read longest ago.
    drops_oldest: bool,
    /// Whether files stay visible in the directory even if the system can hide them.
    keeps_names: bool,
    /// Not locked while the directory is made, so that a disk that hangs then blocks no other caller.
    dir: Mutex<Option<Arc<PrivateDir>>>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    bytes: u64,
    results: HashMap<String, Entry>,
    /// How often results were stored or read.
    uses: u64,
}

struct Entry {
    stored: Arc<Stored>,
    bytes: u64,
    last_use: u64,
    /// Whether its call has ended.
    is_delivered: bool,
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
        Self(Arc::new(Files::new(None, STORE_LIMIT)))
    }

    /// As [`new`](Self::new), but when the store is full, the results that were read longest ago make room.
    #[cfg(any(feature = "mcp", test))]
    pub(super) fn of_caller(max_bytes: u64) -> Self {
        Self(Arc::new(Files { drops_oldest: true, ..Files::new(None, max_bytes) }))
    }

    /// A store in a new directory below `parent`, of at most `max_bytes` bytes.
    pub fn under(parent: impl Into<PathBuf>, max_bytes: u64) -> Self {
        Self(Arc::new(Files::new(Some(parent.into()), max_bytes)))
    }

    /// A store whose files are visible to tests.
    #[cfg(test)]
    pub(super) fn visible() -> Self {
        Self(Arc::new(Files { keeps_names: true, ..Files::new(None, STORE_LIMIT) }))
    }

    /// How many bytes it holds.
    #[cfg(any(feature = "mcp", test))]
    pub(super) fn bytes(&self) -> u64 {
        lock(&self.0.kept).bytes
    }

    /// The directory, if a result has been stored.
    pub fn dir(&self) -> Option<PathBuf> {
        lock(&self.0.dir).as_ref().map(|dir| dir.path().to_owned())
    }

    /// Reads at most `limit` characters of a long result, starting at the character `offset`.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidArguments`] for a handle that this conversation doesn't have, or an offset past
    /// the end; [`ErrorCode::Failed`] if the file can't be read.
    pub fn read(&self, handle: &str, offset: usize, limit: usize) -> Result<Piece, CallError> {
        let stored = lock(&self.0.kept).find(handle.trim()).ok_or_else(|| no_such_handle(handle))?;
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
        lock(&self.0.kept).add(handle.clone(), stored, room.bytes);
        Ok((room, handle, total_chars))
    }

    fn take_room(&self, bytes: u64) -> Result<Room, CallError> {
        let mut kept = lock(&self.0.kept);
        let dropped = if self.0.drops_oldest { kept.make_room(bytes, self.0.limit) } else { Vec::new() };
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
        drop(kept);
        for entry in dropped.iter().filter(|entry| entry.stored.file.delete().is_err()) {
            // A file that remains on disk still takes up its room.
            lock(&self.0.kept).bytes += entry.bytes;
        }
        Ok(Room { store: self.clone(), bytes, kept: None })
    }

    fn write(&self, text: &str) -> io::Result<(String, Stored)> {
        let handle = format!("result-{}", random::hex::<16>().map_err(io::Error::other)?);
        let path = self.0.make_dir()?.path().join(&handle);
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
        if let Some((handle, _)) = self.kept.take()
            && let Some(entry) = lock(&self.store.0.kept).results.get_mut(&handle)
        {
            entry.is_delivered = true;
        }
        self.bytes = 0;
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

impl Kept {
    fn add(&mut self, handle: String, stored: Arc<Stored>, bytes: u64) {
        self.uses += 1;
        self.results.insert(handle, Entry { stored, bytes, last_use: self.uses, is_delivered: false });
    }

    fn find(&mut self, handle: &str) -> Option<Arc<Stored>> {
        self.uses += 1;
        let entry = self.results.get_mut(handle)?;
        entry.last_use = self.uses;
        Some(Arc::clone(&entry.stored))
    }

    /// Removes the results that were used longest ago, until there is room. Their files remain.
    fn make_room(&mut self, bytes: u64, limit: u64) -> Vec<Entry> {
        let mut removed = Vec::new();
        let delivered = self.results.values().filter(|entry| entry.is_delivered);
        let others = self.bytes - delivered.map(|entry| entry.bytes).sum::<u64>();
        while others + bytes <= limit && (self.bytes + bytes > limit || self.results.len() >= MOST_RESULTS) {
            let delivered = self.results.iter().filter(|(_, entry)| entry.is_delivered);
            let oldest = delivered.min_by_key(|(_, entry)| entry.last_use).map(|(handle, _)| handle.clone());
            let Some(entry) = oldest.and_then(|handle| self.results.remove(&handle)) else { break };
            self.bytes -= entry.bytes;
            removed.push(entry);
        }
        removed
    }
}

impl Files {
    fn new(parent: Option<PathBuf>, limit: u64) -> Self {
        let (dir, kept) = (Mutex::default(), Mutex::default());
        Self { parent, limit, drops_oldest: false, keeps_names: false, dir, kept }
    }

    /// The directory, which is made if it isn't there. If another user has taken its name, there is a new one.
    fn make_dir(&self) -> io::Result<Arc<PrivateDir>> {
        let before = lock(&self.dir).clone();
        if let Some(dir) = &before
            && dir.renew()?
        {
            return Ok(Arc::clone(dir));
        }
        let made = Arc::new(PrivateDir::make(self.parent.as_deref())?);
        let mut dir = lock(&self.dir);
        match &*dir {
            // If two were made concurrently, one is dropped, and thereby deleted.
            Some(now) if before.as_ref().is_none_or(|before| !Arc::ptr_eq(now, before)) => {
                Ok(Arc::clone(now))
            }
            _ => {
                *dir = Some(Arc::clone(&made));
                Ok(made)
            }
        }
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
    let rest = Rest::of(&text, handle, total_chars, limit);
    text.truncate(cut);
    text.shrink_to_fit();
    Ok(Fitted { output: Output { text, rest: Some(rest) }, room: Some(room) })
}

/// The whole result if it has at most `limit` characters; else its beginning, which says that there is no more.
pub(super) fn cut(mut text: String, limit: usize) -> Output {
    if let Some((cut, _)) = past(&text, limit) {
        let not_kept = NotKept { shown: limit, total_chars: text.chars().count() }.to_string();
        text.truncate(cut);
        text.push_str(&not_kept);
    }
    Output::new(text)
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

/// Whether [`fit`] must write a file. May return `true` for a result that doesn't need one.
pub(super) fn may_be_long(text: &str, limit: usize) -> bool {
    text.len() > limit
}

fn past(text: &str, limit: usize) -> Option<(usize, char)> {
    if text.len() <= limit { None } else { text.char_indices().nth(limit) }
}

fn failed(what: &str, error: &io::Error) -> CallError {
    CallError::new(ErrorCode::Failed, format!("{what}: {}", error.kind()), "ask for less")
}

#[cfg(test)]
mod tests;
