//! Writes a pack, skill by skill.
//!
//! The caller reads the files and computes their digests, since it may know them already. Equal
//! input, in the same order, gives equal bytes. Nothing here judges a skill: what has a finding at
//! deny must not be handed in.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use unicode_normalization::UnicodeNormalization as _;

use super::layout::{FORMAT, MAGIC, field, file, skill};
use super::{Pack, tree, with_normalised};
use crate::source::frontmatter::{FIELDS, Form, Frontmatter, Text};
use crate::source::skill::{Body, SkillText};
use crate::source::yaml::{Entry, ScalarKind, Value};

/// One skill to be packed.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs, reason = "built by the caller, field by field")]
pub struct SkillSource<'s> {
    /// Its directory, as it is shown, with `/`.
    pub path: &'s str,
    /// The name of that directory.
    pub dir_name: &'s str,
    /// What was read of its SKILL.md.
    pub text: &'s SkillText,
    /// Its files, SKILL.md among them, in the order of their paths.
    pub files: Vec<FileSource<'s>>,
}

/// One file to be packed.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs, reason = "built by the caller, field by field")]
pub struct FileSource<'s> {
    /// The path, relative to the skill's directory, with `/`.
    pub path: &'s str,
    /// The content.
    pub bytes: &'s [u8],
    /// The SHA-256 of the content.
    pub sha256: [u8; 32],
    /// Whether it may be executed.
    pub executable: bool,
}

/// A finished pack, and the names under which its skills are looked up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The text.
    pub text: String,
    /// The block of bytes.
    pub bytes: Vec<u8>,
    /// The tables.
    pub tables: Vec<u8>,
    /// Every name that can be looked up, in order, with the skill's index.
    pub names: Vec<(String, u32)>,
}

impl Written {
    /// The names of the skills, in order.
    pub fn skill_names(&self) -> Vec<String> {
        match Pack::new(&self.text, &self.bytes, &self.tables) {
            Ok(pack) => pack.skills().map(|skill| skill.name().to_owned()).collect(),
            Err(_) => Vec::new(),
        }
    }
}

/// The pack would pass 4 GiB, more than its offsets can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the skills come to more than 4 GiB, which is the most that one bundle can hold")
    }
}

impl std::error::Error for TooLarge {}

/// A pack that is being written.
#[derive(Debug, Default)]
pub struct PackWriter {
    texts: Texts,
    bytes: Vec<u8>,
    binaries: HashMap<[u8; 32], Span>,
    skills: BTreeMap<String, Record>,
    dir_names: Vec<(String, String)>,
}

/// An offset and a length, in bytes.
type Span = [u64; 2];

/// A skill's record and the records that it points to.
#[derive(Debug, Default)]
struct Record {
    words: Vec<u64>,
    files: Vec<(Vec<u64>, [u8; 32])>,
    items: Vec<Span>,
    fields: Vec<[u64; field::WORDS]>,
}

impl PackWriter {
    /// An empty pack.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one skill. A second one of the same name takes the place of the first; callers see to it
    /// that there is none.
    pub fn add(&mut self, source: &SkillSource<'_>) {
        let mut record = Record { words: vec![0; skill::WORDS], ..Record::default() };
        let mut skill_file = None;
        for source in &source.files {
            let (words, span) = self.file(source);
            if source.path == "SKILL.md" {
                skill_file = Some(span);
            }
            record.files.push((words, source.sha256));
        }
        let read = &source.text.frontmatter;
        let in_file = InFile { start: skill_file.map(|span: Span| span[0] + source.text.mark_len as u64) };
        let texts = &mut self.texts;
        let mut text = |at: usize, span: Span| record.words[at..at + 2].copy_from_slice(&span);
        text(skill::NAME, texts.intern(&source.text.name));
        text(skill::PATH, texts.intern(source.path));
        for (at, field) in [
            (skill::DESCRIPTION, &read.description),
            (skill::VERSION, &read.version),
            (skill::AUTHOR, &read.author),
            (skill::LICENSE, &read.license),
            (skill::COMPATIBILITY, &read.compatibility),
            (skill::ARGUMENT_HINT, &read.argument_hint),
        ] {
            if let Some(field) = field {
                text(at, in_file.field(field).unwrap_or_else(|| texts.intern(&field.value)));
            }
        }
        text(skill::BODY, match (&source.text.body, skill_file) {
            (Body::Slice(span), Some([start, _])) => [start + span.start as u64, span.len() as u64],
            (Body::Slice(_), None) => [0, 0],
            (Body::Normalised(body), _) => texts.push(body),
        });
        text(skill::HEAD, texts.push(&head(source)));
        let tree = tree::render(source.path, source.files.iter().map(|file| file.path));
        text(skill::TREE, texts.push(&tree));
        let description = read.description.as_ref().map_or("", |text| &text.value);
        text(skill::LOWER_DESCRIPTION, texts.intern(&description.to_lowercase()));
        for (at, list) in [
            (skill::TAGS, &read.tags),
            (skill::TRIGGERS, &read.triggers),
            (skill::TOOLS, &read.allowed_tools),
            (skill::ARGUMENTS, &read.arguments),
        ] {
            record.list(at, list.iter().map(|item| texts.intern(item)));
        }
        for (at, list) in [(skill::LOWER_TAGS, &read.tags), (skill::LOWER_TRIGGERS, &read.triggers)] {
            record.list(at, list.iter().map(|item| texts.intern(&item.to_lowercase())));
        }
        record.fields = read.entries.iter().map(|entry| field_record(entry, &in_file, texts)).collect();
        let model = if read.model_may_call { skill::MODEL_MAY_CALL } else { 0 };
        let user = if read.user_may_call { skill::USER_MAY_CALL } else { 0 };
        record.words[skill::FLAGS] = u64::from(model | user);
        self.dir_names.push((with_normalised(source.dir_name, str::to_owned), source.text.name.clone()));
        self.skills.insert(source.text.name.clone(), record);
    }

    /// Finishes the pack.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] where an offset does not fit 32 bits.
    pub fn finish(mut self) -> Result<Written, TooLarge> {
        let names = self.names();
        let name_spans: Vec<Span> = names.iter().map(|(name, _)| self.texts.intern(name)).collect();
        let count = |of: fn(&Record) -> usize| self.skills.values().map(of).sum::<usize>();
        let mut tables = Tables::default();
        tables.words(&[
            u64::from(MAGIC),
            u64::from(FORMAT),
            self.texts.blob.len() as u64,
            self.bytes.len() as u64,
            self.skills.len() as u64,
            count(|record| record.files.len()) as u64,
            count(|record| record.items.len()) as u64,
            count(|record| record.fields.len()) as u64,
            names.len() as u64,
        ]);
        let (mut files, mut items, mut fields) = (0, 0, 0);
        for record in self.skills.values() {
            let mut words = record.words.clone();
            words[skill::FILES..skill::FILES + 2].copy_from_slice(&[files, record.files.len() as u64]);
            words[skill::FIELDS..skill::FIELDS + 2].copy_from_slice(&[fields, record.fields.len() as u64]);
            for at in LISTS {
                words[at] += items;
            }
            tables.words(&words);
            files += record.files.len() as u64;
            items += record.items.len() as u64;
            fields += record.fields.len() as u64;
        }
        for (words, digest) in self.skills.values().flat_map(|record| &record.files) {
            tables.words(words);
            tables.bytes.extend_from_slice(digest);
        }
        for item in self.skills.values().flat_map(|record| &record.items) {
            tables.words(item);
        }
        for field in self.skills.values().flat_map(|record| &record.fields) {
            tables.words(field);
        }
        for ([start, len], (_, index)) in name_spans.into_iter().zip(&names) {
            tables.words(&[start, len, u64::from(*index)]);
        }
        if tables.overflow {
            return Err(TooLarge);
        }
        Ok(Written { text: self.texts.blob, bytes: self.bytes, tables: tables.bytes, names })
    }

    fn file(&mut self, source: &FileSource<'_>) -> (Vec<u64>, Span) {
        let text = std::str::from_utf8(source.bytes).ok().filter(|text| !text.contains('\0'));
        let span = match text {
            Some(text) => self.texts.file(source.sha256, text),
            None => *self.binaries.entry(source.sha256).or_insert_with(|| {
                let start = self.bytes.len() as u64;
                self.bytes.extend_from_slice(source.bytes);
                [start, source.bytes.len() as u64]
            }),
        };
        let mut flags = if text.is_none() { file::BINARY } else { 0 };
        if source.executable {
            flags |= file::EXECUTABLE;
        }
        let path = self.texts.intern(source.path);
        let media_type = self.texts.intern(media_type(source.path, text.is_some()));
        let mut words = vec![0; file::DIGEST];
        words[file::PATH..file::PATH + 2].copy_from_slice(&path);
        words[file::CONTENT..file::CONTENT + 2].copy_from_slice(&span);
        words[file::MEDIA_TYPE..file::MEDIA_TYPE + 2].copy_from_slice(&media_type);
        words[file::FLAGS] = u64::from(flags);
        (words, span)
    }

    /// The names of skills in all the forms that a keyboard or a file system gives them, then the
    /// names of directories that only one skill has.
    fn names(&self) -> Vec<(String, u32)> {
        let mut names = BTreeMap::new();
        let index: HashMap<&str, u32> =
            self.skills.keys().enumerate().map(|(index, name)| (name.as_str(), index as u32)).collect();
        for (name, &index) in self.skills.keys().filter_map(|name| index.get_key_value(name.as_str())) {
            names.insert((*name).to_owned(), index);
            if !name.is_ascii() {
                names.entry(name.nfc().collect()).or_insert(index);
                names.entry(name.nfd().collect()).or_insert(index);
            }
        }
        let mut by_dir: BTreeMap<&str, Option<u32>> = BTreeMap::new();
        for (dir, name) in self.dir_names.iter().filter(|(dir, _)| !dir.is_empty()) {
            let skill = index.get(name.as_str()).copied();
            by_dir.entry(dir).and_modify(|only| *only = None).or_insert(skill);
        }
        for (dir, skill) in by_dir {
            if let Some(skill) = skill {
                names.entry(dir.to_owned()).or_insert(skill);
            }
        }
        names.into_iter().collect()
    }
}

/// The places of a skill's record that count list items.
const LISTS: [usize; 6] =
    [skill::TAGS, skill::TRIGGERS, skill::TOOLS, skill::ARGUMENTS, skill::LOWER_TAGS, skill::LOWER_TRIGGERS];

impl Record {
    fn list(&mut self, at: usize, items: impl Iterator<Item = Span>) {
        let first = self.items.len();
        self.items.extend(items);
        self.words[at] = first as u64;
        self.words[at + 1] = (self.items.len() - first) as u64;
    }
}

/// The text block. Each file and each short text stands in it once.
#[derive(Debug, Default)]
struct Texts {
    blob: String,
    short: HashMap<String, Span>,
    files: HashMap<[u8; 32], Span>,
}

impl Texts {
    fn push(&mut self, text: &str) -> Span {
        if text.is_empty() {
            return [0, 0];
        }
        let start = self.blob.len() as u64;
        self.blob.push_str(text);
        [start, text.len() as u64]
    }

    fn intern(&mut self, text: &str) -> Span {
        if let Some(span) = self.short.get(text) {
            return *span;
        }
        let span = self.push(text);
        self.short.insert(text.to_owned(), span);
        span
    }

    fn file(&mut self, digest: [u8; 32], text: &str) -> Span {
        if let Some(span) = self.files.get(&digest) {
            return *span;
        }
        let span = self.push(text);
        self.files.insert(digest, span);
        span
    }
}

#[derive(Default)]
struct Tables {
    bytes: Vec<u8>,
    overflow: bool,
}

impl Tables {
    fn words(&mut self, words: &[u64]) {
        for &word in words {
            self.overflow |= word > u64::from(u32::MAX);
            self.bytes.extend_from_slice(&(word as u32).to_le_bytes());
        }
    }
}

/// Where the text of SKILL.md, without its mark, starts in the text block.
struct InFile {
    start: Option<u64>,
}

impl InFile {
    /// A value that stands in the file as it reads needs no copy.
    fn field(&self, text: &Text) -> Option<Span> {
        self.exact(text.exact, &text.span)
    }

    fn exact(&self, exact: bool, span: &std::ops::Range<usize>) -> Option<Span> {
        (exact && !span.is_empty()).then_some([self.start? + span.start as u64, span.len() as u64])
    }
}

fn field_record(entry: &Entry, in_file: &InFile, texts: &mut Texts) -> [u64; field::WORDS] {
    let key = in_file
        .exact(entry.key_span.len() == entry.key.len(), &entry.key_span)
        .filter(|_| entry.key.len() > 12)
        .unwrap_or_else(|| texts.intern(&entry.key));
    let is_text_field = FIELDS.iter().any(|field| field.form == Form::Text && field.names.contains(&&*entry.key));
    let (value, kind) = match &entry.node.value {
        Value::Scalar(scalar) if scalar.kind == ScalarKind::Text || is_text_field => {
            let value = in_file.exact(scalar.exact, &entry.node.span).unwrap_or_else(|| texts.intern(&scalar.text));
            (value, field::TEXT)
        }
        _ => (texts.intern(&Frontmatter::json(&entry.node)), field::JSON),
    };
    [key[0], key[1], value[0], value[1], u64::from(kind)]
}

/// The answer to `load` up to the description (contract 3.4).
fn head(source: &SkillSource<'_>) -> String {
    let read = &source.text.frontmatter;
    let text = |text: &Option<Text>| text.as_ref().map_or_else(String::new, |text| text.value.clone());
    let mut head = String::new();
    for (label, value) in [
        ("Skill", source.text.name.clone()),
        ("Path", source.path.to_owned()),
        ("Version", text(&read.version)),
        ("Author", text(&read.author)),
        ("License", text(&read.license)),
        ("Compatibility", text(&read.compatibility)),
        ("Tags", read.tags.join(", ")),
        ("Allowed tools", read.allowed_tools.join(", ")),
        ("Triggers", read.triggers.join(", ")),
    ] {
        if !value.is_empty() {
            head.push_str(&format!("{label}: {value}\n"));
        }
    }
    head.push_str("\nDescription:\n");
    head
}

/// By the file's ending. A text is never taken for sound, film or image: `.ts` is TypeScript.
fn media_type(path: &str, is_text: bool) -> &'static str {
    let fallback = if is_text { "text/plain" } else { "application/octet-stream" };
    let guess = mime_guess::from_path(path).first_raw().unwrap_or(fallback);
    let is_media = ["audio/", "video/", "image/", "font/"].iter().any(|kind| guess.starts_with(kind));
    match is_text {
        true if is_media && guess != "image/svg+xml" => fallback,
        true if guess == "application/octet-stream" => fallback,
        false if guess.starts_with("text/") => fallback,
        _ => guess,
    }
}

#[cfg(test)]
mod tests;
