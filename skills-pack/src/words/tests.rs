use super::*;

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    scan(text, &mut |word| {
        words.push(word.text.to_owned());
        true
    });
    words
}

#[test]
fn text_becomes_words() {
    for (text, expected) in [
        ("", ""),
        ("PDF Forms", "pdf forms"),
        ("e-mail", "e mail email"),
        ("a-b_c.d/e", "a b c d e abcde"),
        ("-x- y--z", "x y z"),
        ("c++ C# f#, .NET", "c++ c# f# .net"),
        ("asp.net c#x", "asp net aspnet c x"),
        ("the user's users' don't", "the user users don t dont"),
        ("end. Next", "end next"),
        ("园艺", "园艺"),
        ("园艺工具x", "园艺 艺工 工具 x"),
        ("x园y", "x 园 y"),
        ("Ünï", "uni ünï ueni"),
        ("résumé-writer", "resume résumé writer resumewriter"),
        ("re\u{301}sume\u{301}", "resume résumé"),
        ("Straße", "strasse straße"),
        ("край", "край"),
        ("ＰＤＦ　Ｆｏｒｍｓ", "pdf forms"),
        ("ﾌｫｰﾑ", "フォ ォー ーム"),
        ("ｶﾞｲﾄﾞ", "ガイ イド"),
        ("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", "한글"),
        ("ΣΑΣ", "σασ"),
        ("x 😀 \\ud83d .*[a-z]+", "x ud83d a z az"),
    ] {
        let expected: Vec<&str> = expected.split_whitespace().collect();
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn stems_are_those_of_rust_stemmers() {
    let theirs = rust_stemmers::Stemmer::create(rust_stemmers::Algorithm::English);
    let lists = [include_str!("background.tsv"), include_str!("stop.txt"), include_str!("mod.rs")];
    let mut bases: Vec<String> = words(&lists.concat());
    bases.sort_unstable();
    bases.dedup();
    let suffixes = [
        "", "s", "es", "ed", "ing", "ingly", "edly", "ly", "er", "ers", "ness", "fulness", "ful", "ation",
        "ational", "ization", "izer", "ity", "alism", "iveness", "ousness", "biliti", "ement", "ible", "ogi",
        "y", "ies", "sses", "eed", "lessli", "ative", "icate", "ism", "ion", "l", "e", "yed", "bbing", "li",
    ];
    let mut compared = 0;
    for base in bases.iter().filter(|base| is_letters(base.as_bytes())) {
        for word in suffixes.iter().map(|suffix| format!("{base}{suffix}")).filter(|word| word.len() > 2) {
            let mut buffer = [0; MAX_WORD];
            buffer[..word.len()].copy_from_slice(word.as_bytes());
            let len = stem::english(&mut buffer, word.len());
            assert_eq!(scan::valid(&buffer[..len]), theirs.stem(&word), "{word}");
            compared += 1;
        }
    }
    assert!(compared > 40_000, "{compared}");
}

fn terms(text: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    scan(text, &mut |word| {
        terms.extend(term(word));
        true
    });
    terms
}

#[test]
fn what_says_nothing_is_no_term() {
    assert_eq!(terms("The user's, to be or don't; 帮我"), []);
    assert_eq!(terms("Merging merged merges"), [terms("merge")[0]; 3]);
    assert!(terms("园艺")[0].is_pair() && !terms("pdf")[0].is_pair());
}

#[test]
fn forms_of_a_word_are_one_term() {
    for (one, other) in [
        ("write", "written"),
        ("database", "db"),
        ("k8s", "Kubernetes"),
        ("colour", "colors"),
        ("verifies", "verification"),
        ("Kündigung", "kundigungen"),
        ("rédiger", "redige"),
        ("Straßen", "strassen"),
    ] {
        assert_eq!(terms(one)[0], terms(other)[0], "{one} {other}");
    }
    assert_ne!(terms("write"), terms("read"));
}

#[test]
fn common_pairs_are_english_words() {
    assert_eq!(terms("数据"), terms("data"));
    assert_eq!(terms("數據資料"), [terms("data")[0], terms("據資")[0], terms("data")[0]]);
    assert_eq!(terms("重构"), terms("refactoring"));
    // Neither half of one, nor one that the list does not have.
    assert!(terms("构造")[0].is_pair() && !terms("重构")[0].is_pair());
    let mut pairs = std::collections::BTreeSet::new();
    for line in include_str!("english.tsv").lines().filter(|line| !line.starts_with('#')) {
        let (word, listed) = line.split_once('\t').unwrap();
        for pair in listed.split(' ') {
            assert_eq!((terms(pair), terms(word).len()), (terms(word), 1), "{pair}");
            assert!(pairs.insert(pair), "{pair} stands there twice");
        }
    }
    assert!(pairs.len() > 800);
}

#[test]
fn the_hash_is_fnv_1a() {
    assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
}

#[test]
fn a_scan_stops_when_it_is_told() {
    let mut count = 0;
    scan(&"word-word 园艺园艺 é ".repeat(1000), &mut |_| {
        count += 1;
        count < 10
    });
    assert_eq!(count, 10);
}
