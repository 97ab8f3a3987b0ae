//! What is in an archive: its directory is read, and nothing in it is run or kept.
//!
//! Documents of offices are ZIP archives too. An archive is hostile: what is read of it is bounded, whatever it
//! says of itself.

use std::io::{BufRead as _, BufReader, Cursor, Read};

use flate2::Crc;
use flate2::read::MultiGzDecoder;

/// The most files of an archive that are listed; more are counted.
const MAX_FILES: usize = 10_000;

/// The most bytes that are unpacked to find the names in the compressed archives of a skill, old and new together.
pub(super) const MAX_UNPACKED: u64 = 256 * 1024 * 1024;

/// What is in an archive.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Inside {
    /// Its files, in its order.
    pub(super) files: Vec<Entry>,
    /// How many more there are.
    pub(super) more: usize,
    /// Why it can't be opened.
    pub(super) fault: Option<String>,
}

/// A file in an archive.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) path: String,
    pub(super) size: u64,
    /// A checksum of its contents: a file of the same size may be another.
    checksum: u32,
}

/// Opens an archive, if these bytes are one that is known. `budget` is how many bytes may still be unpacked, and
/// becomes less by those that were.
pub(super) fn look(bytes: &[u8], budget: &mut u64) -> Inside {
    if bytes.starts_with(b"PK") {
        return zip(bytes);
    }
    if bytes.starts_with(b"\x1f\x8b") {
        return gzip(bytes, budget);
    }
    if is_tar(bytes) { tar(bytes) } else { Inside::default() }
}

/// A tar archive that is compressed, as one or more members of gzip. What isn't a tar archive is one compressed file.
fn gzip(bytes: &[u8], budget: &mut u64) -> Inside {
    let mut unpacked = MultiGzDecoder::new(bytes).take(*budget);
    let mut head = Vec::new();
    let is_tar = unpacked.by_ref().take(512).read_to_end(&mut head).is_ok() && is_tar(&head);
    let mut inside = if is_tar { tar(Cursor::new(head).chain(&mut unpacked)) } else { Inside::default() };
    *budget = unpacked.limit();
    if *budget == 0 {
        // Where the limit is between two files, it looks like the end of the archive.
        inside.fault = Some("more than 256 MiB unpacked: what follows is not listed".to_owned());
    }
    inside
}

/// Whether a file in a document holds macros.
pub(super) fn has_macros(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.eq_ignore_ascii_case("vbaProject.bin") || path.starts_with("Basic/") || path.starts_with("Scripts/")
}

fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..).is_some_and(|rest| rest.starts_with(b"ustar"))
}

fn zip(bytes: &[u8]) -> Inside {
    let mut archive = match zip::ZipArchive::new(Cursor::new(bytes)) {
        Ok(archive) => archive,
        Err(error) => return Inside { fault: Some(error.to_string()), ..Inside::default() },
    };
    let mut inside = Inside { more: archive.len().saturating_sub(MAX_FILES), ..Inside::default() };
    for at in 0..archive.len().min(MAX_FILES) {
        match archive.by_index_raw(at) {
            Ok(file) if file.is_dir() => {}
            Ok(file) => inside.files.push(Entry {
                path: String::from_utf8_lossy(file.name_raw()).into_owned(),
                size: file.size(),
                checksum: file.crc32(),
            }),
            Err(error) => {
                inside.fault.get_or_insert_with(|| error.to_string());
            }
        }
    }
    inside
}

fn tar(reader: impl Read) -> Inside {
    let mut inside = Inside::default();
    let mut archive = tar::Archive::new(reader);
    // Some programs unpack what is behind the end too.
    archive.set_ignore_zeros(true);
    let fault = |error: std::io::Error| Some(error.to_string());
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return Inside { fault: fault(error), ..inside },
    };
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                inside.fault = fault(error);
                break;
            }
        };
        if entry.header().entry_type().is_dir() {
            continue;
        }
        if inside.files.len() == MAX_FILES {
            inside.more += 1;
            continue;
        }
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let size = entry.size();
        match checksum(entry) {
            Ok(checksum) => inside.files.push(Entry { path, size, checksum }),
            Err(error) => {
                inside.files.push(Entry { path, size, checksum: 0 });
                inside.fault = fault(error);
                break;
            }
        }
    }
    inside
}

fn checksum(file: impl Read) -> std::io::Result<u32> {
    let (mut file, mut crc) = (BufReader::new(file), Crc::new());
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            return Ok(crc.sum());
        }
        crc.update(bytes);
        let length = bytes.len();
        file.consume(length);
    }
}
