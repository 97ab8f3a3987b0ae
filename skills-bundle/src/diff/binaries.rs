//! Files that nobody can read: what they are by their first bytes, and what is in those that hold other files.

use std::collections::{HashMap, HashSet};

use skills_pack::text::Hex;

use super::archives::{self, Entry, Inside};
use super::pair::{Content, Pair, Seen};
use super::{Change, Items, Kind, count, file_names};

/// What a file is by its first bytes.
struct Magic {
    at: usize,
    bytes: &'static [u8],
    what: &'static str,
    /// It is run, and no reader can review it.
    is_code: bool,
}

const fn magic(at: usize, bytes: &'static [u8], what: &'static str, is_code: bool) -> Magic {
    Magic { at, bytes, what, is_code }
}

const MAGIC: [Magic; 30] = [
    magic(0, b"\x7fELF", "a program or library (ELF)", true),
    magic(0, b"MZ", "a program or library for Windows", true),
    magic(0, b"\xfe\xed\xfa\xce", "a program or library for macOS", true),
    magic(0, b"\xfe\xed\xfa\xcf", "a program or library for macOS", true),
    magic(0, b"\xce\xfa\xed\xfe", "a program or library for macOS", true),
    magic(0, b"\xcf\xfa\xed\xfe", "a program or library for macOS", true),
    magic(0, b"\xca\xfe\xba\xbe", "a Java class, or a program for macOS", true),
    magic(0, b"\0asm", "WebAssembly", true),
    magic(0, b"dex\n", "a program for Android", true),
    magic(0, b"BC\xc0\xde", "LLVM bitcode", true),
    magic(0, b"\x1bLua", "compiled Lua", true),
    magic(0, b"!<arch>", "a static library", true),
    magic(0, b"PK\x03\x04", "a ZIP archive", false),
    magic(0, b"PK\x05\x06", "a ZIP archive", false),
    magic(0, b"\x1f\x8b", "data compressed with gzip", false),
    magic(0, b"BZh", "data compressed with bzip2", false),
    magic(0, b"\xfd7zXZ\0", "data compressed with xz", false),
    magic(0, b"\x28\xb5\x2f\xfd", "data compressed with Zstandard", false),
    magic(0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", false),
    magic(0, b"Rar!", "a RAR archive", false),
    magic(257, b"ustar", "a tar archive", false),
    magic(0, b"%PDF-", "a PDF document", false),
    magic(0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document, which may have macros", false),
    magic(0, b"SQLite format 3\0", "a SQLite database", false),
    magic(0, b"\x89PNG\r\n\x1a\n", "a PNG image", false),
    magic(0, b"\xff\xd8\xff", "a JPEG image", false),
    magic(0, b"GIF8", "a GIF image", false),
    magic(8, b"WEBP", "a WebP image", false),
    magic(0, b"wOFF", "a font", false),
    magic(0, b"wOF2", "a font", false),
];

/// Ends of names of what is run and isn't text, where no first bytes tell.
const COMPILED: [(&str, &str); 5] = [
    (".pyc", "compiled Python, which may differ from its source"),
    (".pyo", "compiled Python, which may differ from its source"),
    (".pyd", "a Python library"),
    (".pkl", "a pickle, which runs code when it is read"),
    (".pickle", "a pickle, which runs code when it is read"),
];

pub(super) fn find(pair: &Pair<'_>, items: &mut Items<'_, '_>) {
    let mut budget = archives::MAX_UNPACKED;
    for file in pair.files.iter().filter(|file| file.is_news()) {
        let Some(new) = &file.new else { continue };
        match &new.content {
            Content::Binary(bytes) => {
                let change = if file.old.is_some() { Change::Changed } else { Change::Added };
                let (what, is_code) = kind_of(file.path(), bytes);
                let note = if is_code { ": it can't be reviewed, and it is run" } else { "" };
                let item = items.file(Kind::Binaries, change, file.path(), 0, format!("{what}{note}"));
                item.values(file.old.as_ref().map(digest), Some(digest(new)));
                // The new one first, so that an old one can't use up what may be unpacked.
                let after = archives::look(bytes, &mut budget);
                let before = file.old.as_ref().map_or_else(Inside::default, |old| match &old.content {
                    Content::Binary(bytes) => archives::look(bytes, &mut budget),
                    _ => Inside::default(),
                });
                inside(file.path(), &before, after, items);
            }
            Content::Text { text, .. } if text.contains('\0') => {
                let what = "text with NUL bytes, which other tools take for binary and don't show";
                items.file(Kind::Binaries, Change::Added, file.path(), 0, what);
            }
            Content::Text { text, .. } if text.contains(char::REPLACEMENT_CHARACTER) => {
                let what =
                    "text that isn't UTF-8, or has U+FFFD: bytes that can't be read are shown as U+FFFD";
                items.file(Kind::Binaries, Change::Added, file.path(), 0, what);
            }
            Content::Text { .. } => {}
            Content::Unknown => {
                let item =
                    items.file(Kind::Binaries, Change::Changed, file.path(), 0, "contents not available");
                item.values(file.old.as_ref().map(digest), Some(digest(new)));
            }
        }
    }
}

/// The files of an archive that the old one didn't have, and those that are gone.
fn inside(path: &str, before: &Inside, after: Inside, items: &mut Items<'_, '_>) {
    let old: HashMap<&str, &Entry> = before.files.iter().map(|entry| (entry.path.as_str(), entry)).collect();
    let new: HashSet<&str> = after.files.iter().map(|entry| entry.path.as_str()).collect();
    for entry in after.files.iter().filter(|entry| old.get(entry.path.as_str()) != Some(entry)) {
        let is_old = old.contains_key(entry.path.as_str());
        let change = if is_old { Change::Changed } else { Change::Added };
        let script = if file_names::is_script(&entry.path) || archives::has_macros(&entry.path) {
            ": a script"
        } else {
            ""
        };
        let what = format!("in it: `{}`, {}{script}", entry.path, count(entry.size, "byte"));
        items.file(Kind::Binaries, change, path, 0, what);
    }
    for entry in before.files.iter().filter(|old| !new.contains(old.path.as_str())) {
        items.file(Kind::Binaries, Change::Removed, path, 0, format!("in it: `{}`", entry.path));
    }
    if after.more > 0 {
        let what = format!("in it: {} more files that are not listed", after.more);
        items.file(Kind::Binaries, Change::Added, path, 0, what);
    }
    if let Some(why) = after.fault {
        items.file(Kind::Binaries, Change::Added, path, 0, format!("it cannot be opened: {why}"));
    }
}

/// What a file is, and whether it is code.
pub(super) fn kind_of(path: &str, bytes: &[u8]) -> (&'static str, bool) {
    let lower = path.to_ascii_lowercase();
    if let Some((_, what)) = COMPILED.iter().find(|(end, _)| lower.ends_with(end)) {
        return (what, true);
    }
    let begins = |magic: &&Magic| bytes.get(magic.at..).is_some_and(|rest| rest.starts_with(magic.bytes));
    MAGIC
        .iter()
        .find(begins)
        .map_or(("of no kind that is known here", false), |magic| (magic.what, magic.is_code))
}

fn digest(seen: &Seen<'_>) -> String {
    format!("{}, sha256:{}", count(seen.line.size, "byte"), Hex(&seen.line.sha256))
}
