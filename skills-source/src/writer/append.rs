//! Puts two packs that are being written together, so that several processors can write one.

use std::collections::HashMap;

use super::PackWriter;
use super::parts::Span;
use super::record::Record;
use super::search::Vocabulary;
use skills_pack::layout::{field, file, skill};

impl PackWriter {
    /// Adds the skills of another pack without commands, as if each had been added to this one. Of two with one
    /// name the later one stays.
    ///
    /// Texts that both packs have stand there twice, so this is for packs in memory.
    pub fn append(&mut self, other: Self) {
        if self.skills.is_empty() && self.commands.is_empty() {
            let index = self.vocabulary.index;
            *self = other;
            self.vocabulary.index = index;
            return;
        }
        let shared: Vec<u64> = other.shared.words.iter().map(|word| self.shared.index(word)).collect();
        let terms = self.vocabulary.learn_all(&other.vocabulary);
        let text = self.texts.block.append(other.texts.block);
        let bytes = self.bytes.append(other.bytes);
        for (digest, [start, len]) in sorted(other.binaries) {
            self.binaries.entry(digest).or_insert([start + bytes, len]);
        }
        self.dir_names.extend(other.dir_names);
        for (name, mut record) in other.skills {
            moved(&mut record, text, bytes, &shared);
            record.indexed.renumber(&terms);
            self.skills.insert(name, record);
        }
    }
}

fn sorted(binaries: HashMap<[u8; 32], Span>) -> Vec<([u8; 32], Span)> {
    let mut binaries: Vec<([u8; 32], Span)> = binaries.into_iter().collect();
    binaries.sort_unstable();
    binaries
}

/// Moves what a record says of its texts and bytes this far back, and gives shared words their new numbers.
fn moved(record: &mut Record, text: u64, bytes: u64, shared: &[u64]) {
    let back = |span: &mut [u64], by: u64| {
        if let [start, len, ..] = span
            && *len > 0
        {
            *start += by;
        }
    };
    let shared = |index: u64| shared.get(index as usize).copied().unwrap_or_default();
    for at in (0..skill::FILES).step_by(2) {
        back(&mut record.words[at..at + 2], text);
    }
    for (words, _) in &mut record.files {
        let flags = words[file::MEDIA_TYPE] & ((1 << file::FLAG_BITS) - 1);
        words[file::MEDIA_TYPE] =
            shared(words[file::MEDIA_TYPE] >> file::FLAG_BITS) << file::FLAG_BITS | flags;
        back(&mut words[file::PATH..], text);
        let content = &mut words[file::CONTENT..file::CONTENT + 2];
        let (is_binary, is_on_disk) =
            (flags & u64::from(file::BINARY) != 0, flags & u64::from(file::ON_DISK) != 0);
        match (is_binary, is_on_disk) {
            // Of a file on disk only the length is known, unless it is the SKILL.md, which comes after its head.
            (_, true) if content[0] == 0 => {}
            (true, false) => back(content, bytes),
            _ => back(content, text),
        }
    }
    for item in &mut record.items {
        back(item, text);
    }
    for one in &mut record.fields {
        one.key = shared(one.key);
        if one.kind & (field::LIST | field::TYPED) == 0 {
            back(&mut one.value, text);
        }
    }
}

impl Vocabulary {
    /// Learns the terms of another vocabulary, and returns the number of each of them here.
    fn learn_all(&mut self, other: &Self) -> Vec<u32> {
        other.hashes().iter().map(|hash| self.number_of(*hash)).collect()
    }
}
