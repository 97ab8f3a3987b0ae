use super::super::tables::{assert_fresh, push};
use super::super::{hash, own_stem, short};
use super::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const STOP_WORDS_LIST: &str = include_str!("../stop.txt");
const STOP_PAIRS_LIST: &str = include_str!("../stop_pairs.txt");
const BACKGROUND_LIST: &str = include_str!("../background.tsv");
const CHAT_LIST: &str = include_str!("../chat.txt");
const FORMS_LIST: &str = include_str!("../forms.txt");
const ENGLISH_LIST: &str = include_str!("../english.tsv");

/// In how many texts of the background a word of `chat.txt` counts to be.
const CHAT_TEXTS: u16 = 1500;

#[test]
fn tables_are_those_of_the_lists() {
    let hashes = |list| lines(list).map(|line| (hash_of(line), String::new())).collect();
    let forms = forms();
    let mut background: BTreeMap<u32, u16> = BTreeMap::new();
    for line in lines(BACKGROUND_LIST) {
        let (word, count) = line.split_once('\t').unwrap();
        // The last bit of a term that is no pair is 0.
        let stem = hash_of(word) & !1;
        let common = background.entry(*forms.get(&stem).unwrap_or(&stem)).or_default();
        *common = (*common).max(count.parse().unwrap());
    }
    for word in lines(CHAT_LIST) {
        let common = background.entry(own_stem(word, hash(word.as_bytes()))).or_default();
        *common = (*common).max(CHAT_TEXTS);
    }
    let background = background.into_iter().map(|(stem, count)| (stem, count.to_string()));
    let mut all = String::new();
    let mut english = Vec::new();
    for line in lines(ENGLISH_LIST) {
        let (word, pairs) = line.split_once('\t').unwrap();
        let place = format!("{}, {}", all.len(), word.len());
        english.extend(pairs.split(' ').map(|pair| (hash_of(pair), place.clone())));
        all.push_str(word);
    }
    let mut rust = "//! What `lists` looks up, written from the lists by a test of it.\n".to_owned();
    push(&mut rust, "Words that say nothing.", "STOP_WORDS", "u32", &sorted(hashes(STOP_WORDS_LIST)));
    push(&mut rust, "Pairs that say nothing.", "STOP_PAIRS", "u32", &sorted(hashes(STOP_PAIRS_LIST)));
    let about = "Terms, each with the count of texts of the background that have it.";
    push(&mut rust, about, "BACKGROUND", "(u32, u16)", &sorted(background.collect()));
    let about = "Stems, each with the one that stands for it.";
    let forms = forms.into_iter().map(|(stem, first)| (stem, shown(first)));
    push(&mut rust, about, "FORMS", "(u32, u32)", &sorted(forms.collect()));
    let about = "Pairs, each with the start and the length of its English word in `ENGLISH_WORDS`.";
    push(&mut rust, about, "ENGLISH", "(u32, u16, u8)", &sorted(english));
    writeln!(rust, "\n/// English words, one after another.\n#[rustfmt::skip]").unwrap();
    writeln!(rust, "pub(super) static ENGLISH_WORDS: &str = \"{all}\";").unwrap();
    assert_fresh("list_tables.rs", &rust);
}

/// Entries in the order of their hashes, of which each is alone or has something beside it.
fn sorted(mut entries: Vec<(u32, String)>) -> Vec<String> {
    entries.sort_unstable();
    let shown = entries.into_iter().map(|(hash, beside)| {
        let hash = shown(hash);
        if beside.is_empty() { hash } else { format!("({hash}, {beside})") }
    });
    shown.collect()
}

fn shown(hash: u32) -> String {
    format!("{:#06x}_{:04x}", hash >> 16, hash & 0xffff)
}

/// The stem of each word of `forms.txt` but the first of a line, with the stem of the first.
fn forms() -> BTreeMap<u32, u32> {
    let stem = |word: &str| own_stem(word, hash(word.as_bytes()));
    let mut forms = BTreeMap::new();
    for line in lines(FORMS_LIST) {
        let (first, others) = line.split_once(' ').unwrap();
        for other in others.split(' ') {
            assert_ne!(stem(other), stem(first), "{other}: its stem is that of `{first}`");
            assert_eq!(forms.insert(stem(other), stem(first)), None, "{other}: another line has its stem");
        }
    }
    assert!(
        forms.values().all(|first| !forms.contains_key(first)),
        "the first of a line stands for all of it"
    );
    forms
}

/// Lines with something in them that are no comments.
fn lines(list: &str) -> impl Iterator<Item = &str> {
    list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn hash_of(word: &str) -> u32 {
    short(hash(word.as_bytes()))
}

#[test]
fn lists_hold_different_hashes() {
    let all = |list| {
        let hashes = lines(list).map(|line| hash_of(line.split('\t').next().unwrap()) & !1);
        hashes.collect::<Vec<u32>>()
    };
    let mut hashes = all(BACKGROUND_LIST);
    assert_eq!(hashes.len(), 1000);
    assert_eq!((background(hashes[0]), background(hashes[999]), background(2)), (3047, 44, 0));
    hashes.extend(all(STOP_PAIRS_LIST));
    let count = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), count);
}
