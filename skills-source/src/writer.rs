//! Writes a pack, skill by skill.
//!
//! The caller reads the files and computes their digests, since it may know them already. Equal
//! input, in the same order, gives equal bytes. Nothing here judges a skill: what has a finding at
//! deny must not be handed in.

mod append;
mod command;
mod describe;
mod parts;
mod record;
mod search;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use unicode_normalization::UnicodeNormalization as _;

use skills_pack::blocks::Growing;
use skills_pack::layout::{self, FORMAT, MAGIC, field, file, name, skill};
use skills_pack::{Pack, with_normalised};

use crate::skill::{Body, SkillText};
pub use command::CommandSource;
pub use describe::media_type;
use describe::{head, is_text_by_name};
use parts::{InFile, Shared, Span, Tables, Texts};
use record::{Field, Record, texts_of};
use search::{Indexed, Vocabulary};
pub use search::{IndexedSkills, SearchIndex};

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
    pub content: FileBytes<'s>,
    /// Whether it may be executed.
    pub executable: bool,
}

/// The content of a file to be packed.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::exhaustive_enums, reason = "built by the caller")]
pub enum FileBytes<'s> {
    /// It goes into the pack, with its SHA-256.
    Packed(&'s [u8], [u8; 32]),
    /// It stays on disk, where it has this many bytes.
    OnDisk(u64),
    /// The SKILL.md of a skill that stays on disk: the pack holds what was read of it.
    OnDiskSkill(&'s [u8]),
}

impl<'s> FileBytes<'s> {
    /// The bytes that are handed in; none of a file that stays on disk.
    fn bytes(self) -> &'s [u8] {
        match self {
            Self::Packed(bytes, _) | Self::OnDiskSkill(bytes) => bytes,
            Self::OnDisk(_) => &[],
        }
    }
}

/// A finished pack, and the names under which its skills are looked up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The text, in pieces of about 1 MiB; empty ones keep the place of longer ones before them.
    pub texts: Vec<String>,
    /// The bytes, in pieces likewise.
    pub bytes: Vec<Vec<u8>>,
    /// The tables.
    pub tables: Vec<u8>,
    /// Every name that can be looked up, in order, with the skill's index, to which
    /// [`DIRECTORY`](skills_pack::layout::name::DIRECTORY) is added where it is not the skill's own.
    pub names: Vec<(String, u32)>,
}

impl Written {
    /// The names of the skills, in order.
    pub fn skill_names(&self) -> Vec<String> {
        match Pack::from_owned(&self.texts, &self.bytes, &self.tables) {
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
    bytes: Growing,
    binaries: HashMap<[u8; 32], Span>,
    shared: Shared,
    skills: BTreeMap<String, Record>,
    dir_names: Vec<(String, String)>,
    commands: BTreeMap<String, Record>,
    vocabulary: Vocabulary,
}

impl PackWriter {
    /// An empty pack.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes this much for search, instead of everything.
    #[must_use]
    pub fn with_search(mut self, index: SearchIndex) -> Self {
        self.vocabulary.index = index;
        self
    }

    /// Adds one skill. A second one of the same name takes the place of the first; callers see to it
    /// that there is none.
    pub fn add(&mut self, source: &SkillSource<'_>) {
        let mut record = Record { words: vec![0; skill::WORDS], ..Record::default() };
        // What `load` copies stands close together: the head right before SKILL.md.
        let (head, path) = head(source);
        let [start, len] = self.texts.push(&head);
        record.span(skill::HEAD, [start, len]);
        record.span(skill::PATH, [start + path as u64, source.path.len() as u64]);
        let mut skill_file = None;
        for source in &source.files {
            let (words, span) = self.file(source);
            if source.path == "SKILL.md" {
                skill_file = Some(span);
            }
            let digest = if let FileBytes::Packed(_, sha256) = source.content { sha256 } else { [0; 32] };
            record.files.push((words, digest));
        }
        let read = &source.text.frontmatter;
        let in_file = InFile { start: skill_file.map(|span: Span| span[0] + source.text.mark_len as u64) };
        let texts = &mut self.texts;
        for (at, field) in read.texts() {
            if let Some(field) = field {
                record.span(at, in_file.text(field).unwrap_or_else(|| texts.intern(&field.value)));
            }
        }
        if read.when_to_use.is_some() {
            record.span(skill::DESCRIPTION, texts.intern(&read.whole_description()));
        }
        if read.name.as_ref().is_none_or(|name| name.value != source.text.name) {
            record.span(skill::NAME, texts.intern(&source.text.name));
        }
        record.span(
            skill::BODY,
            match (&source.text.body, skill_file) {
                (Body::Slice(span), Some([start, _])) => [start + span.start as u64, span.len() as u64],
                (Body::Slice(_), None) => [0, 0],
                (Body::Normalised(body), _) => texts.push(body),
            },
        );
        let tree = tree::render(source.files.iter().map(|file| file.path));
        record.span(skill::TREE, texts.intern(&tree));
        for entry in &read.entries {
            record.field(entry, &in_file, texts, &mut self.shared);
        }
        for (at, list) in read.lists() {
            // Most lists stand in the frontmatter item by item, and their items are records already.
            let written = read.entries.iter().zip(&record.fields).find(|(entry, field)| {
                field.kind == field::LIST && texts_of(entry).is_some_and(|texts| texts.eq(list.iter()))
            });
            let items = match written.map(|(_, field)| field.value) {
                Some(items) => items,
                None => record.list(list.iter().map(|item| texts.intern(item))),
            };
            record.span(at, items);
        }
        let model = if read.model_may_call { skill::MODEL_MAY_CALL } else { 0 };
        record.indexed = self.vocabulary.add(source, body_of(source));
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
    pub fn finish(self) -> Result<Written, TooLarge> {
        self.finish_indexed().map(|(written, _)| written)
    }

    /// Finishes the pack, and keeps what its section for search was made of.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] where an offset does not fit 32 bits.
    pub fn finish_indexed(mut self) -> Result<(Written, IndexedSkills), TooLarge> {
        let indexed: Vec<Indexed> =
            self.skills.values_mut().map(|record| std::mem::take(&mut record.indexed)).collect();
        let indexed = IndexedSkills::of(std::mem::take(&mut self.vocabulary), indexed);
        let names = self.names();
        let name_spans: Vec<Span> = names.iter().map(|(name, _)| self.texts.intern(name)).collect();
        let shared: Vec<Span> = self.shared.words.iter().map(|word| self.texts.intern(word)).collect();
        let count = |of: fn(&Record) -> usize| {
            self.skills.values().chain(self.commands.values()).map(of).sum::<usize>() as u64
        };
        let search = indexed.section().ok_or(TooLarge)?;
        let mut tables = Tables::default();
        tables.words(&[
            u64::from(MAGIC),
            u64::from(FORMAT),
            self.texts.block.len(),
            self.bytes.len(),
            self.skills.len() as u64,
            count(|record| record.files.len()),
            shared.len() as u64 + count(|record| record.items.len()),
            count(|record| record.fields.len()),
            names.len() as u64,
            self.commands.len() as u64,
            search.len() as u64 / 4,
        ]);
        let (mut files, mut items, mut fields) = (0, shared.len() as u64, 0);
        for record in self.skills.values_mut() {
            record.span(skill::FILES, [files, record.files.len() as u64]);
            record.span(skill::FIELDS, [fields, record.fields.len() as u64]);
            for at in LISTS {
                record.words[at] += items;
            }
            record.move_lists(items);
            tables.words(&record.words);
            files += record.files.len() as u64;
            items += record.items.len() as u64;
            fields += record.fields.len() as u64;
        }
        for record in self.commands.values_mut() {
            record.span(layout::command::FIELDS, [fields, record.fields.len() as u64]);
            record.move_lists(items);
            items += record.items.len() as u64;
            fields += record.fields.len() as u64;
        }
        let all = || self.skills.values().chain(self.commands.values());
        for (words, digest) in self.skills.values().flat_map(|record| &record.files) {
            tables.words(words);
            tables.bytes.extend_from_slice(digest);
        }
        for item in shared.iter().chain(all().flat_map(|record| &record.items)) {
            tables.words(item);
        }
        for Field { key, kind, value } in all().flat_map(|record| &record.fields) {
            tables.words(&[key << field::KIND_BITS | u64::from(*kind), value[0], value[1]]);
        }
        for ([start, len], (_, index)) in name_spans.into_iter().zip(&names) {
            tables.words(&[start, len, u64::from(*index)]);
        }
        for record in self.commands.values() {
            tables.words(&record.words);
        }
        tables.bytes.extend_from_slice(&search);
        if tables.overflow {
            return Err(TooLarge);
        }
        let texts = self.texts.block.into_slots().into_iter();
        let written = Written {
            // Only whole texts were pushed, so every piece is one.
            texts: texts.map(|piece| String::from_utf8(piece).unwrap_or_default()).collect(),
            bytes: self.bytes.into_slots(),
            tables: tables.bytes,
            names,
        };
        Ok((written, indexed))
    }

    fn file(&mut self, source: &FileSource<'_>) -> ([u64; file::DIGEST], Span) {
        let (is_text, on_disk, span) = match source.content {
            FileBytes::Packed(bytes, sha256) => {
                // A SKILL.md is text whatever it holds: its fields and its body are slices of it.
                let is_skill = source.path == "SKILL.md";
                let text = std::str::from_utf8(bytes).ok().filter(|text| is_skill || !text.contains('\0'));
                let span = match text {
                    Some(text) => self.texts.file(sha256, text),
                    None => *self
                        .binaries
                        .entry(sha256)
                        .or_insert_with(|| [self.bytes.push(bytes), bytes.len() as u64]),
                };
                (text.is_some(), false, span)
            }
            FileBytes::OnDisk(len) => (is_text_by_name(source.path), true, [0, len]),
            FileBytes::OnDiskSkill(bytes) => {
                (true, true, self.texts.push(std::str::from_utf8(bytes).unwrap_or_default()))
            }
        };
        let flags =
            [(file::BINARY, !is_text), (file::ON_DISK, on_disk), (file::EXECUTABLE, source.executable)];
        let flags = flags.into_iter().filter(|(_, set)| *set).fold(0, |flags, (flag, _)| flags | flag);
        let media_type = self.shared.index(media_type(source.path, is_text));
        let path = self.texts.intern(source.path);
        let mut words = [0; file::DIGEST];
        words[file::PATH..file::PATH + 2].copy_from_slice(&path);
        words[file::CONTENT..file::CONTENT + 2].copy_from_slice(&span);
        words[file::MEDIA_TYPE] = media_type << file::FLAG_BITS | u64::from(flags);
        (words, span)
    }

    /// The names of skills in all the forms that a keyboard or a file system gives them, then the
    /// names of directories that only one skill has, marked as such.
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
                names.entry(dir.to_owned()).or_insert(skill | name::DIRECTORY);
            }
        }
        names.into_iter().collect()
    }
}

/// The places of a skill's record that count list items.
const LISTS: [usize; 4] = [skill::TAGS, skill::TRIGGERS, skill::TOOLS, skill::ARGUMENTS];

/// The body of a skill's SKILL.md.
fn body_of<'s>(source: &SkillSource<'s>) -> &'s str {
    let span = match &source.text.body {
        Body::Slice(span) => span,
        Body::Normalised(body) => return body,
    };
    let file = source.files.iter().find(|file| file.path == "SKILL.md");
    let text =
        file.and_then(|file| std::str::from_utf8(file.content.bytes().get(source.text.mark_len..)?).ok());
    text.and_then(|text| text.get(span.clone())).unwrap_or_default()
}
