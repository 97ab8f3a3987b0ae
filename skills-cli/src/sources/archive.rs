//! Skills in an archive, tar with gzip or ZIP: all of it is read in memory, and its digest was demanded first.
//!
//! An archive is hostile: what is read of it is bounded, whatever it says of itself. One that holds anything but
//! files and directories with plain names is refused as a whole.

use std::collections::BTreeSet;
use std::io::{Cursor, Read};
use std::sync::Arc;

use flate2::read::MultiGzDecoder;
use skills_bundle::lock::{Digest, LockedFile, path_clash, path_fault};
use zip::CompressionMethod;

use super::{Artifact, At, Found, MAX_BYTES, MAX_FILES, Place, below, refused, roots};
use crate::failure::Failure;

/// The most bytes of an archive.
pub(super) const MAX_ARCHIVE: u64 = 64 * 1024 * 1024;

/// How many times its own size an archive may unpack to; what is below the bytes of `FREE` may in any case.
const MAX_RATIO: u64 = 200;
const FREE: u64 = 1024 * 1024;

/// The most bytes of a path.
const MAX_PATH: usize = 4096;

/// The most directories above a file.
const MAX_DEPTH: usize = 32;

const REPACK: &str = "have it packed again where it comes from, with files and directories alone";

/// Whether the name of a file says that it is an archive.
pub(super) fn is_archive(name: &str) -> bool {
    stem(name).is_some()
}

/// The name of an archive without what says that it is one.
fn stem(name: &str) -> Option<&str> {
    [".tar.gz", ".tgz", ".zip"].iter().find_map(|end| name.strip_suffix(end))
}

/// Refuses bytes that aren't those that were asked for.
///
/// # Errors
///
/// If they have another digest.
pub(super) fn verify(shown: &str, bytes: &[u8], digest: Digest) -> Result<(), Failure> {
    let found = Digest(LockedFile::of("", false, bytes).sha256);
    if found == digest {
        return Ok(());
    }
    let message = format!("`{shown}` is not what was asked for: its digest is {found}, and not {digest}");
    Err(Failure::other(
        "DIGEST_MISMATCH",
        message,
        "somebody changed it, or the digest is that of another file",
    ))
}

/// The skills in an archive whose digest was compared; `name` is that of its file.
///
/// # Errors
///
/// If it can't be read, is too large, or holds what isn't taken.
pub(super) fn skills(name: &str, bytes: &[u8], artifact: &Artifact) -> Result<Vec<Found>, Failure> {
    let files =
        unpack(bytes).map_err(|why| refused(format!("the archive `{name}` is refused: {why}"), REPACK))?;
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let all = stem(name).unwrap_or(name);
    let skill = |root: String| {
        let files = files.iter().filter_map(|file| {
            let path = below(&root, &file.path)?.to_owned();
            Some(Place { path, ..file.clone() })
        });
        let dir_name = root.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(all).to_owned();
        let (files, artifact) = (files.collect(), Some(artifact.clone()));
        Found { path: root, dir_name, tree: None, artifact, files, others: Vec::new() }
    };
    Ok(roots(files.iter().map(|file| file.path.as_str()), "").into_iter().map(skill).collect())
}

/// All files of an archive.
fn unpack(bytes: &[u8]) -> Result<Vec<Place>, String> {
    if bytes.len() as u64 > MAX_ARCHIVE {
        return Err(format!("it is larger than {} MiB", MAX_ARCHIVE >> 20));
    }
    let mut unpacked = Unpacked::new(bytes.len() as u64);
    if bytes.starts_with(b"PK") {
        zip(bytes, &mut unpacked)?;
    } else if bytes.starts_with(b"\x1f\x8b") {
        tar(bytes, &mut unpacked)?;
    } else {
        return Err("it is neither tar with gzip nor ZIP".to_owned());
    }
    unpacked.all()
}

/// What was unpacked, and how much still may be.
struct Unpacked {
    files: Vec<Place>,
    entries: usize,
    /// How many bytes may be unpacked in all, and how many of them still.
    most: u64,
    left: u64,
}

impl Unpacked {
    fn new(len: u64) -> Self {
        let most = (len * MAX_RATIO).clamp(FREE, MAX_BYTES);
        Self { files: Vec::new(), entries: 0, most, left: most }
    }

    /// Counts an entry, and returns its path; none for the directory of all.
    fn entry(&mut self, path: &[u8]) -> Result<Option<String>, String> {
        self.entries += 1;
        if self.entries > MAX_FILES {
            return Err(format!("it has more than {MAX_FILES} files and directories"));
        }
        if path.len() > MAX_PATH {
            return Err(format!("a path in it is longer than {MAX_PATH} bytes"));
        }
        let shown = String::from_utf8_lossy(path).into_owned();
        let path = std::str::from_utf8(path).map_err(|_| format!("the path `{shown}` is not UTF-8"))?;
        let path = path.strip_prefix("./").unwrap_or(path);
        let path = path.strip_suffix('/').unwrap_or(path);
        if matches!(path, "" | ".") && matches!(shown.as_str(), "." | "./") {
            return Ok(None);
        }
        if let Some(why) = path_fault(path) {
            return Err(format!("the path `{shown}` cannot be taken: {why}"));
        }
        if path.split('/').count() > MAX_DEPTH + 1 {
            return Err(format!("`{shown}` is below more than {MAX_DEPTH} directories"));
        }
        Ok(Some(path.to_owned()))
    }

    /// Unpacks a file that says that it has `len` bytes.
    fn file(&mut self, path: String, executable: bool, len: u64, reader: impl Read) -> Result<(), String> {
        let too_much = || format!("it unpacks to more than {} bytes", self.most);
        if len > self.left {
            return Err(too_much());
        }
        let mut bytes = Vec::new();
        let read = reader.take(self.left + 1).read_to_end(&mut bytes);
        read.map_err(|error| format!("`{path}` cannot be unpacked: {error}"))?;
        let unpacked = bytes.len() as u64;
        self.left = self.left.checked_sub(unpacked).ok_or_else(too_much)?;
        if unpacked != len {
            return Err(format!("`{path}` has {unpacked} bytes, and should have {len}"));
        }
        self.files.push(Place { path, executable, at: At::Held(Arc::new(bytes)) });
        Ok(())
    }

    /// All files, if no two of them, and no file and a directory, are one on any system.
    fn all(mut self) -> Result<Vec<Place>, String> {
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        let above = |path: &'_ str| path.match_indices('/').map(|(at, _)| at).collect::<Vec<_>>();
        let directories: BTreeSet<&str> = self
            .files
            .iter()
            .flat_map(|file| above(&file.path).into_iter().map(move |at| &file.path[..at]))
            .collect();
        let files = self.files.iter().map(|file| file.path.as_str());
        match path_clash(files.chain(directories)) {
            Some((one, other)) if one == other => Err(format!("`{one}` is in it twice")),
            Some((one, other)) => Err(format!("`{one}` and `{other}` are one on some systems")),
            None => Ok(self.files),
        }
    }
}

fn tar(bytes: &[u8], unpacked: &mut Unpacked) -> Result<(), String> {
    let broken = |error: std::io::Error| format!("it cannot be read: {error}");
    // Also what is between files is unpacked, and names may be long.
    let most = unpacked.most + FREE;
    let mut stream = MultiGzDecoder::new(bytes).take(most);
    let mut archive = tar::Archive::new(&mut stream);
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let kind = entry.header().entry_type();
        if kind.is_pax_global_extensions() {
            // What `git archive` writes first: the commit.
            continue;
        }
        let raw = entry.path_bytes().into_owned();
        let path = unpacked.entry(&raw)?;
        if kind.is_dir() {
            continue;
        }
        if !kind.is_file() {
            let shown = String::from_utf8_lossy(&raw);
            return Err(format!("`{shown}` in it is {}", what(kind)));
        }
        let path = path.filter(|_| !raw.ends_with(b"/"));
        let path = path.ok_or("a file in it has the name of a directory")?;
        let mode = entry.header().mode().map_err(broken)?;
        let len = entry.size();
        unpacked.file(path, mode & 0o111 != 0, len, &mut entry)?;
    }
    // Behind the end there is nothing but padding.
    let mut rest = [0; 8192];
    loop {
        match stream.read(&mut rest).map_err(broken)? {
            0 if stream.limit() == 0 => return Err(format!("it unpacks to more than {most} bytes")),
            0 => return Ok(()),
            len if rest[..len].iter().all(|byte| *byte == 0) => {}
            _ => return Err("there is more behind its end".to_owned()),
        }
    }
}

fn what(kind: tar::EntryType) -> &'static str {
    match kind {
        tar::EntryType::Symlink => "a symlink",
        tar::EntryType::Link => "a hard link",
        tar::EntryType::Char | tar::EntryType::Block => "a device",
        tar::EntryType::Fifo => "a pipe",
        _ => "not a file",
    }
}

fn zip(bytes: &[u8], unpacked: &mut Unpacked) -> Result<(), String> {
    let broken = |error: zip::result::ZipError| format!("it cannot be read: {error}");
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    let end = bytes.len().checked_sub(22 + archive.comment().len());
    if !end.and_then(|end| bytes.get(end..)).is_some_and(|end| end.starts_with(b"PK\x05\x06")) {
        return Err("there is more behind its end".to_owned());
    }
    if archive.has_duplicate_names() {
        return Err("a file is in it twice".to_owned());
    }
    for at in 0..archive.len() {
        let file = archive.by_index_raw(at).map_err(broken)?;
        let (raw, mode) = (file.name_raw().to_vec(), file.unix_mode());
        let (is_dir, is_encrypted, method) = (file.is_dir(), file.encrypted(), file.compression());
        drop(file);
        let path = unpacked.entry(&raw)?;
        let shown = String::from_utf8_lossy(&raw).into_owned();
        match mode.map_or(0, |mode| mode & 0o170_000) {
            0 | 0o100_000 => {}
            0o040_000 if is_dir => {}
            0o120_000 => return Err(format!("`{shown}` in it is a symlink")),
            _ => return Err(format!("`{shown}` in it is not a file")),
        }
        if is_dir {
            continue;
        }
        if is_encrypted {
            return Err(format!("`{shown}` in it is encrypted"));
        }
        if !matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(format!("`{shown}` in it is compressed in a way that is not taken: {method}"));
        }
        let path = path.ok_or("a file in it has no name")?;
        let file = archive.by_index(at).map_err(broken)?;
        let (len, executable) = (file.size(), mode.is_some_and(|mode| mode & 0o111 != 0));
        unpacked.file(path, executable, len, file)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn packed() -> [Vec<u8>; 2] {
        let text = "---\nname: pdf\n---\n".repeat(8);
        let mut tar =
            tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for path in ["SKILL.md", "tools/fill.sh"] {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            tar.append_data(&mut header, path, text.as_bytes()).expect("written");
            zip.start_file(path, zip::write::SimpleFileOptions::default()).expect("begun");
            zip.write_all(text.as_bytes()).expect("written");
        }
        let tar = tar.into_inner().and_then(flate2::write::GzEncoder::finish).expect("written");
        [tar, zip.finish().expect("written").into_inner()]
    }

    fn tar_of(path: &str) -> Vec<u8> {
        let encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let mut tar = tar::Builder::new(encoder);
        let mut header = tar::Header::new_gnu();
        header.set_size(0);
        header.set_mode(0o644);
        tar.append_data(&mut header, path, &[][..]).expect("written");
        tar.into_inner().and_then(flate2::write::GzEncoder::finish).expect("written")
    }

    #[test]
    fn what_git_obeys_and_endless_names_are_refused() {
        for path in [".git/config", "tools/.GIT/hooks/x", "a/.git"] {
            let error = unpack(&tar_of(path)).expect_err(path);
            assert!(error.contains("which git obeys"), "{path}: {error}");
        }
        assert_eq!(unpack(&tar_of(".gitignore")).map(|files| files.len()), Ok(1));
        let error = unpack(&tar_of(&"a/".repeat(40_000))).expect_err("too long");
        assert_eq!(error, "a path in it is longer than 4096 bytes");
        let [_, mut zip] = packed();
        zip.extend([0; 80]);
        assert_eq!(unpack(&zip).expect_err("more"), "there is more behind its end");
    }

    /// Whatever byte is another, and wherever it ends: an archive is unpacked or refused.
    #[test]
    fn a_damaged_archive_is_refused_or_read() {
        for whole in packed() {
            assert_eq!(unpack(&whole).map(|files| files.len()), Ok(2));
            let mut refused = 0;
            for at in 0..whole.len() {
                for flip in [0x01, 0x10, 0xff] {
                    let mut damaged = whole.clone();
                    damaged[at] ^= flip;
                    refused += usize::from(unpack(&damaged).is_err());
                }
                assert!(unpack(&whole[..at]).is_err(), "{at}");
            }
            assert!(refused > whole.len(), "{refused}");
        }
    }

    #[test]
    fn bytes_are_those_of_their_digest() {
        let digest = Digest(LockedFile::of("", false, b"x").sha256);
        assert!(verify("x", b"x", digest).is_ok() && verify("x", b"y", digest).is_err());
    }
}
