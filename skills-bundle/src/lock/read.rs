//! Reads a lock. What can't be understood is an error with its place: a lock is never taken for less than it
//! says.

use std::fs;
use std::ops::Range;
use std::path::Path;

use skills_source::code::Code;
use skills_source::fault::Fault;
use skills_source::finding::Finding;
use skills_source::scan::in_words;
use skills_source::source::Source;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::write::{inline, key};
use super::{Digest, Lock, LockedFile, LockedSkill, VERSION, paths, tree};

/// The most bytes of a lock.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

const RESTORE: &str = "restore the file from version control";

impl Lock {
    /// Reads the lock in this file, which is shown as `path`.
    ///
    /// # Errors
    ///
    /// Findings at deny (E017) if the file can't be read, is not a lock, or has a version that isn't known.
    #[allow(clippy::disallowed_methods, reason = "it is no file of a skill")]
    pub fn open(file: &Path, path: &str) -> Result<Self, Vec<Finding>> {
        let unreadable = |message: String| vec![on_file(path, message, RESTORE)];
        let len = fs::metadata(file).map_err(|error| unreadable(in_words(&error).to_owned()))?.len();
        if len > MAX_BYTES {
            return Err(unreadable(format!("the lock is longer than {} MiB", MAX_BYTES >> 20)));
        }
        let bytes = fs::read(file).map_err(|error| unreadable(in_words(&error).to_owned()))?;
        match String::from_utf8(bytes) {
            Ok(text) => Self::read(path, &text),
            Err(_) => Err(unreadable("the lock is not UTF-8".to_owned())),
        }
    }

    /// Reads the text of a lock, which is shown as `path`.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn read(path: &str, text: &str) -> Result<Self, Vec<Finding>> {
        let source = Source::new(path, text);
        let mut faults = Vec::new();
        let mut lock = parse(text, &mut faults);
        if faults.is_empty() {
            lock.skills.sort_by(|a, b| (&a.name, &a.dir).cmp(&(&b.name, &b.dir)));
            lock.source = Some(source);
            return Ok(lock);
        }
        Err(faults.into_iter().map(|fault| Finding::new(&source, fault)).collect())
    }
}

fn on_file(path: &str, message: String, help: &str) -> Finding {
    Finding::on_path(Code::E017, path.to_owned(), message, help.to_owned())
}

fn fault(span: Range<usize>, message: impl Into<String>, help: &str) -> Fault {
    Fault::new(Code::E017, span, message.into()).help(help)
}

fn parse(text: &str, faults: &mut Vec<Fault>) -> Lock {
    let mut lock = Lock::default();
    if let Some(span) = conflict(text) {
        let help = "resolve the conflict: keep each `[[skill]]` of both sides whole";
        faults.push(fault(span, "the lock has conflict markers", help));
        return lock;
    }
    let root = match DeTable::parse(text) {
        Ok(root) => root.into_inner(),
        Err(error) => {
            let message = format!("the lock is not valid TOML: {}", error.message().replace('\n', "; "));
            faults.push(fault(error.span().unwrap_or(0..0), message, RESTORE));
            return lock;
        }
    };
    // What another version means by its keys isn't known, so none of them is read.
    if let Some(fault) = unknown_version(&root) {
        faults.push(fault);
        return lock;
    }
    for (name, value) in &root {
        match name.get_ref().as_ref() {
            "version" => {}
            "skill" => match value.get_ref().as_array() {
                Some(entries) => lock.skills = skills(entries, faults),
                None => faults.push(fault(value.span(), "`skill` must be a list of tables", RESTORE)),
            },
            other => lock.unknown.push((key(other), inline(value.get_ref()))),
        }
    }
    for pair in by_directory(&lock.skills).windows(2) {
        if pair[0].dir == pair[1].dir {
            let message = format!("`{}` is locked twice", pair[1].dir);
            faults.push(fault(pair[1].place.clone(), message, "keep one of the two entries"));
        }
    }
    lock
}

/// The first line that version control leaves where two sides conflict.
pub(crate) fn conflict(text: &str) -> Option<Range<usize>> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("<<<<<<<") || line.starts_with(">>>>>>>") {
            return Some(start..start + line.trim_end().len());
        }
        start += line.len();
    }
    None
}

fn unknown_version(root: &DeTable<'_>) -> Option<Fault> {
    let Some(version) = root.get("version") else {
        return Some(fault(0..0, "the lock has no `version`", RESTORE));
    };
    let known = VERSION.to_string();
    let number = version.get_ref().as_integer().map(ToString::to_string);
    if number.as_deref() == Some(&known) {
        return None;
    }
    let shown = number.unwrap_or_else(|| "that isn't a number".to_owned());
    let message = format!("the lock has a version that is not known here: {shown}");
    Some(fault(version.span(), message, "use the version of this program that wrote it, or a later one"))
}

fn by_directory(skills: &[LockedSkill]) -> Vec<&LockedSkill> {
    let mut sorted: Vec<&LockedSkill> = skills.iter().collect();
    sorted.sort_by(|a, b| a.dir.cmp(&b.dir));
    sorted
}

fn skills(entries: &DeArray<'_>, faults: &mut Vec<Fault>) -> Vec<LockedSkill> {
    let mut skills = Vec::with_capacity(entries.len());
    for entry in entries {
        match entry.get_ref().as_table() {
            Some(table) => skills.extend(skill(table, entry.span(), faults)),
            None => faults.push(fault(entry.span(), "an entry must be a table", "write `[[skill]]`")),
        }
    }
    skills
}

/// One entry; `None` after a fault.
fn skill(table: &DeTable<'_>, span: Range<usize>, faults: &mut Vec<Fault>) -> Option<LockedSkill> {
    let before = faults.len();
    let mut skill = LockedSkill { place: span, ..LockedSkill::default() };
    let mut digest = None;
    for needed in ["name", "dir", "source", "digest", "files"] {
        if table.get(needed).is_none() {
            faults.push(fault(skill.place.clone(), format!("the entry has no `{needed}`"), RESTORE));
        }
    }
    for (name, value) in table {
        match name.get_ref().as_ref() {
            "name" => {
                skill.name = text(value, faults).unwrap_or_default();
                skill.place = value.span();
            }
            "dir" => skill.dir = directory(value, faults).unwrap_or_default(),
            "source" => skill.source = text(value, faults).unwrap_or_default(),
            "url" => skill.url = text(value, faults),
            "path" => skill.path = text(value, faults),
            "ref" => skill.reference = text(value, faults),
            "commit" => skill.commit = hexadecimal(value, faults),
            "tree" => skill.tree = hexadecimal(value, faults),
            "artifact" => skill.artifact = artifact(value, faults),
            "license" => skill.license = text(value, faults),
            "digest" => digest = Some((text(value, faults).unwrap_or_default(), value.span())),
            "files" => skill.files = files(value, faults),
            other => skill.unknown.push((key(other), inline(value.get_ref()))),
        }
    }
    if faults.len() > before {
        return None;
    }
    // A digest that doesn't fit its own files would say nothing of either.
    let (given, span) = digest?;
    skill.digest = tree::digest(&skill.files);
    if given != skill.digest.to_string() {
        let help = "restore the entry from version control: its lines belong together";
        faults.push(fault(span, "the digest is not that of the files listed", help));
        return None;
    }
    Some(skill)
}

fn text(value: &Spanned<DeValue<'_>>, faults: &mut Vec<Fault>) -> Option<String> {
    let Some(text) = value.get_ref().as_str() else {
        faults.push(fault(value.span(), "expected a string", "put it in quotes"));
        return None;
    };
    if text.chars().any(char::is_control) {
        faults.push(fault(value.span(), "the value has a control character", RESTORE));
        return None;
    }
    Some(text.to_owned())
}

fn artifact(value: &Spanned<DeValue<'_>>, faults: &mut Vec<Fault>) -> Option<Digest> {
    match text(value, faults)?.parse() {
        Ok(digest) => Some(digest),
        Err(why) => {
            faults.push(fault(value.span(), why, RESTORE));
            None
        }
    }
}

fn directory(value: &Spanned<DeValue<'_>>, faults: &mut Vec<Fault>) -> Option<String> {
    let dir = text(value, faults)?;
    if let Some(why) = paths::fault(&dir) {
        let help = "write the directory relative to the lock, with `/`";
        faults.push(fault(value.span(), format!("the directory cannot be locked: {why}"), help));
        return None;
    }
    Some(dir)
}

/// A number of git: 40 digits, or 64 with SHA-256.
fn hexadecimal(value: &Spanned<DeValue<'_>>, faults: &mut Vec<Fault>) -> Option<String> {
    let digits = text(value, faults)?;
    if matches!(digits.len(), 40 | 64) && digits.bytes().all(is_lower_hex) {
        return Some(digits);
    }
    faults.push(fault(value.span(), "expected 40 or 64 hexadecimal digits", RESTORE));
    None
}

fn files(value: &Spanned<DeValue<'_>>, faults: &mut Vec<Fault>) -> Vec<LockedFile> {
    let Some(lines) = value.get_ref().as_array() else {
        faults.push(fault(value.span(), "`files` must be a list of strings", RESTORE));
        return Vec::new();
    };
    let mut files: Vec<LockedFile> = Vec::with_capacity(lines.len());
    for line in lines {
        match line.get_ref().as_str().ok_or("expected a string").and_then(file) {
            Ok(file) if files.last().is_some_and(|last| last.path >= file.path) => {
                faults.push(fault(line.span(), "the files are not in the order of their paths", RESTORE));
            }
            Ok(file) => files.push(file),
            Err(why) => {
                faults.push(fault(line.span(), format!("the line of a file is wrong: {why}"), RESTORE));
            }
        }
    }
    if let Some((one, other)) = paths::clash(files.iter().map(|file| file.path.as_str())) {
        let message = format!("`{one}` and `{other}` are one file on some systems");
        faults.push(fault(value.span(), message, "rename one of them where they come from"));
    }
    if files.is_empty() && !lines.is_empty() {
        return files;
    }
    if files.iter().all(|file| file.path != skills_source::scan::SKILL_FILE) {
        faults.push(fault(value.span(), "the files have no `SKILL.md`", RESTORE));
    }
    files
}

/// The file of a line: mode, size, SHA-256 and path, with one space between them.
fn file(line: &str) -> Result<LockedFile, &'static str> {
    let mut parts = line.splitn(4, ' ');
    let mut next = || parts.next().ok_or("it has too few parts");
    let (mode, size, sha256, path) = (next()?, next()?, next()?, next()?);
    let executable = match mode {
        "644" => false,
        "755" => true,
        _ => return Err("the mode is neither 644 nor 755"),
    };
    // One way to write each number, as the digest is of the lines.
    let number: u64 = size.parse().map_err(|_| "the size is not a number")?;
    if number.to_string() != size {
        return Err("the size is not a number");
    }
    let sha256 = digits(sha256).ok_or("the SHA-256 is not 64 hexadecimal digits")?;
    match paths::fault(path) {
        Some(why) => Err(why),
        None => Ok(LockedFile { executable, size: number, sha256, path: path.to_owned() }),
    }
}

/// The bytes of 64 lower-case hexadecimal digits.
fn digits(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.bytes().all(is_lower_hex) {
        return None;
    }
    for (byte, two) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok()?;
    }
    Some(bytes)
}

fn is_lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

impl std::str::FromStr for Digest {
    type Err = &'static str;

    /// Reads `sha256:` and 64 lower-case hexadecimal digits.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix("sha256:").and_then(digits);
        digits.map(Digest).ok_or("expected `sha256:` and 64 hexadecimal digits")
    }
}
