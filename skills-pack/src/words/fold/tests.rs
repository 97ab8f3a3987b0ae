use super::super::tables::{assert_fresh, push};
use super::*;
use unicode_normalization::{UnicodeNormalization as _, char::compose};

#[test]
fn tables_are_those_of_unicode() {
    let mut rust = "//! What `fold` looks up for every character of the basic plane that becomes one other, written from \
        the\n//! crate `unicode-normalization` by a test of `fold`.\n"
        .to_owned();
    let runs: Vec<String> =
        runs().iter().map(|(first, to, count)| format!("({first:#x}, {to:#x}, {count})")).collect();
    let about =
        "Runs of compatibility forms, in order: the first, what it becomes, and how many follow alike.";
    push(&mut rust, about, "ALONE", "(u16, u16, u16)", &runs);
    let pairs: Vec<String> =
        pairs().iter().map(|(base, mark, both)| format!("({base:#x}, {mark:#x}, {both:#x})")).collect();
    let about = "A letter and a mark, in order, and the one letter that they are.";
    push(&mut rust, about, "COMPOSED", "(u16, u16, u16)", &pairs);
    let marked: Vec<String> = marked().iter().map(|(c, base)| format!("({c:#x}, {base:#x})")).collect();
    push(&mut rust, "Letters with marks, in order, and each without them.", "MARKED", "(u16, u16)", &marked);
    assert_fresh("fold_tables.rs", &rust);
}

/// Small letters of Latin and Greek that are another one and marks.
fn marked() -> Vec<(u16, u16)> {
    let number = |c: char| u16::try_from(u32::from(c)).unwrap();
    let of = |(code, c): (u16, char)| {
        let base = core::iter::once(c).nfd().next()?;
        let has_marks = base.is_ascii_lowercase() || ('α'..='ω').contains(&base) || c == 'ё';
        (base != c && has_marks).then(|| (code, number(base)))
    };
    plane().filter_map(of).collect()
}

#[test]
fn letters_are_written_without_marks() {
    let unmarked = |word: &str, spelling| {
        let mut buffer = vec![0; word.len()];
        let len = unmarked(word, spelling, &mut buffer);
        String::from_utf8(buffer[..len].to_vec()).unwrap()
    };
    for (word, plain, long) in [
        ("kündigung", "kundigung", "kuendigung"),
        ("straße", "strasse", "strasse"),
        ("smørrebrød", "smorrebrod", "smoerrebroed"),
        ("ångström", "angstrom", "aangstroem"),
        ("œuvre", "oeuvre", "oeuvre"),
        ("đặng", "dang", "dang"),
        ("łódź", "lodz", "lodz"),
        ("ανάλυση", "αναλυση", "αναλυση"),
        ("ёлка", "елка", "елка"),
        ("край", "край", "край"),
        ("naïve", "naive", "naive"),
    ] {
        assert_eq!(
            (unmarked(word, Spelling::Plain), unmarked(word, Spelling::Long)),
            (plain.into(), long.into())
        );
    }
    // It never needs more room than the word.
    for (_, c) in plane() {
        for spelling in [Spelling::Plain, Spelling::Long] {
            super::unmarked(&c.to_string(), spelling, &mut vec![0; c.len_utf8()]);
        }
    }
}

/// Characters but surrogates, as numbers.
fn plane() -> impl Iterator<Item = (u16, char)> {
    (0x80..=u16::MAX).filter_map(|code| Some((code, char::from_u32(code.into())?)))
}

/// Of every character that becomes one other: the first of a run, what it becomes, and how many there are.
fn runs() -> Vec<(u16, u16, u16)> {
    let mut runs: Vec<(u16, u16, u16)> = Vec::new();
    for (code, c) in plane() {
        let mut folded = core::iter::once(c).nfkc();
        let (Some(to), None) = (folded.next(), folded.next()) else { continue };
        let Ok(to) = u16::try_from(u32::from(to)) else { continue };
        match runs.last_mut() {
            _ if to == code => {}
            Some((first, start, count)) if *first + *count == code && *start + *count == to => *count += 1,
            _ => runs.push((code, to, 1)),
        }
    }
    runs
}

/// Every letter that is another letter and a mark, but for the syllables of Hangul.
fn pairs() -> Vec<(u16, u16, u16)> {
    let mut pairs = Vec::new();
    for (code, c) in plane().filter(|(code, _)| !(0xac00..=0xd7a3).contains(code)) {
        let apart: Vec<char> = core::iter::once(c).nfd().collect();
        // All marks but the last are in one letter with the base.
        let Some((mark, rest)) = apart.split_last() else { continue };
        let mut base = rest.iter().copied().nfc();
        let (Some(base), None) = (base.next(), base.next()) else { continue };
        // A base that becomes another character never comes to this table.
        if compose(base, *mark) == Some(c) && core::iter::once(base).nfkc().eq([base]) {
            pairs.push((
                u16::try_from(u32::from(base)).unwrap(),
                u16::try_from(u32::from(*mark)).unwrap(),
                code,
            ));
        }
    }
    pairs.sort_unstable();
    pairs
}

#[test]
fn folding_is_nfkc_where_one_character_comes_out() {
    let folded = |text: &str| {
        let mut chars = String::new();
        each_folded(None, text, &mut |c, _| {
            chars.push(c);
            true
        });
        chars
    };
    let mut compared = 0;
    for c in '\u{80}'..='\u{ffff}' {
        let normal: String = c.nfkc().collect();
        // What is outside the basic plane stays as it is.
        if normal.chars().count() == 1 && normal.chars().all(|c| u16::try_from(u32::from(c)).is_ok()) {
            let lower: String = normal.chars().flat_map(char::to_lowercase).collect();
            assert_eq!(folded(&c.to_string()), lower, "{c:?}");
            compared += 1;
        }
        let apart: String = c.nfd().collect();
        let marks: Vec<char> = apart.chars().collect();
        if let [base, mark] = marks[..]
            && !base.is_ascii()
            && normal.chars().count() == 1
            && c.nfc().eq([c])
        {
            assert_eq!(folded(&apart), folded(&c.to_string()), "{base:?} {mark:?}");
        }
    }
    assert!(compared > 60_000, "{compared}");
}
