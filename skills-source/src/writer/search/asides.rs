//! Sentences of a description that speak of another skill, such as `For reports use report-writer.`
//!
//! Their words are what the other skill is for, so they count here as little as those of a body. Which
//! ones they are is known once all skills are. It knows names of two words and more alone: `demo` in a
//! sentence may be any demo.

use super::{BODY, DESCRIPTION, Indexed, Vocabulary, neighbours};
use skills_pack::words::{self, Kind};

/// A sentence that may speak of another skill.
#[derive(Debug)]
pub(super) struct Aside {
    /// The hashes of what may be names in it.
    names: Vec<u32>,
    /// Of each of its terms, where it stands among the skill's counts, and its kind.
    places: Vec<(u32, Kind)>,
    /// The hashes of those that have neighbours, in order.
    run: Vec<u32>,
}

impl Vocabulary {
    /// Reads a description. Sentences that may speak of another skill are set aside; the first one says what
    /// this one does, whatever it names.
    pub(super) fn describe(&mut self, text: &str, indexed: &mut Indexed, run: &mut Vec<u32>) {
        for (at, sentence) in sentences(text).into_iter().enumerate() {
            let names = if at == 0 { Vec::new() } else { compounds(sentence) };
            if names.is_empty() {
                self.read(sentence, DESCRIPTION, indexed, run);
                neighbours(&mut indexed.neighbours, run);
            } else {
                let aside = self.set_aside(names, sentence, indexed);
                indexed.asides.push(aside);
            }
        }
    }

    fn set_aside(&mut self, names: Vec<u32>, sentence: &str, indexed: &mut Indexed) -> Aside {
        let mut aside = Aside { names, places: Vec::new(), run: Vec::new() };
        words::scan(sentence, &mut |word| {
            let number = self.number(word);
            if number > 0 {
                aside.places.push((self.place_of(number - 1, &mut indexed.counts), word.kind));
                if word.kind.is_new() {
                    aside.run.push(self.hashes[number as usize - 1]);
                }
            }
            true
        });
        aside
    }
}

/// Counts the sentences of a skill that were set aside, now that all skills are known.
/// `names` are their folded names, sorted.
pub(super) fn settle(skill: &mut Indexed, names: &[u32]) {
    for aside in std::mem::take(&mut skill.asides) {
        let is_other = |name: &u32| *name != skill.folded_name && names.binary_search(name).is_ok();
        let field = if aside.names.iter().any(is_other) { BODY } else { DESCRIPTION };
        for (place, kind) in aside.places {
            skill.count(place as usize, field, kind);
        }
        if field == DESCRIPTION {
            neighbours(&mut skill.neighbours, &aside.run);
        }
    }
    skill.neighbours.sort_unstable();
    skill.neighbours.dedup();
}

/// The sentences of a text.
fn sentences(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut sentences = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        let end = at + 1;
        if ends_sentence(bytes, at) {
            sentences.push(&text[start..end]);
            start = end;
        }
        at = end;
    }
    sentences.push(&text[start..]);
    sentences
}

/// Whether the last byte of a sentence stands here.
fn ends_sentence(bytes: &[u8], at: usize) -> bool {
    let next = if at + 1 < bytes.len() { bytes[at + 1] } else { b' ' };
    match bytes[at] {
        b'.' | b';' | b'!' | b'?' => next == b' ' || next == b'\n',
        // Between paragraphs and items of a list.
        b'\n' => next == b'\n' || next == b'-' || next == b'*',
        // The same signs in Chinese and Japanese.
        0x82 => bytes[..at].ends_with(&[0xe3, 0x80]),
        0x81 | 0x9b | 0x9f => bytes[..at].ends_with(&[0xef, 0xbc]),
        _ => false,
    }
}

/// The hashes of the words with a hyphen in them, in the form in which names are compared.
fn compounds(sentence: &str) -> Vec<u32> {
    let mut found = Vec::new();
    if !sentence.as_bytes().contains(&b'-') {
        return found;
    }
    for word in sentence.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_') {
        if word.trim_matches('-').contains('-') {
            found.push(words::folded_hash(word));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_has_sentences() {
        for (text, expected) in [
            ("", vec![""]),
            ("Reads v1.2 files", vec!["Reads v1.2 files"]),
            ("Reads. Writes; e.g. now! End.", vec!["Reads.", " Writes;", " e.g.", " now!", " End.", ""]),
            ("读。写；完", vec!["读。", "写；", "完"]),
            ("one\ntwo\n\n- three", vec!["one\ntwo\n", "\n", "- three"]),
            ("á á\u{82}", vec!["á á\u{82}"]),
        ] {
            assert_eq!(sentences(text), expected, "{text}");
            assert_eq!(sentences(text).concat(), text);
        }
    }

    #[test]
    fn names_have_a_hyphen() {
        let hashes = |names: &[&str]| names.iter().map(|name| words::folded_hash(name)).collect::<Vec<u32>>();
        assert_eq!(
            compounds("For `pdf-forms` or (Mail-Merge)→c_d-e."),
            hashes(&["pdf-forms", "mail-merge", "c-d-e"])
        );
        assert!(compounds("Use --flag, -x, a - b or demo — not that").is_empty());
    }
}
