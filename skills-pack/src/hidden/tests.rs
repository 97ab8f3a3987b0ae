use super::*;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

fn found(text: &str) -> Vec<(char, Hidden)> {
    find(text).map(|(_, c, hidden)| (c, hidden)).collect()
}

/// The characters that are hidden wherever they stand, by class.
const ALWAYS: &[(Hidden, core::ops::RangeInclusive<char>)] = &[
    (Hidden::SoftHyphen, '\u{ad}'..='\u{ad}'),
    (Hidden::Invisible, '\u{34f}'..='\u{34f}'),
    (Hidden::Invisible, '\u{61c}'..='\u{61c}'),
    (Hidden::Invisible, '\u{115f}'..='\u{1160}'),
    (Hidden::Invisible, '\u{180b}'..='\u{180f}'),
    (Hidden::Invisible, '\u{200b}'..='\u{200f}'),
    (Hidden::Override, '\u{202a}'..='\u{202e}'),
    (Hidden::Invisible, '\u{2060}'..='\u{2064}'),
    (Hidden::Override, '\u{2066}'..='\u{2069}'),
    (Hidden::Invisible, '\u{206a}'..='\u{206f}'),
    (Hidden::Invisible, '\u{3164}'..='\u{3164}'),
    (Hidden::Invisible, '\u{fe00}'..='\u{fe0f}'),
    (Hidden::Invisible, '\u{feff}'..='\u{feff}'),
    (Hidden::Invisible, '\u{ffa0}'..='\u{ffa0}'),
    (Hidden::Invisible, '\u{fff9}'..='\u{fffb}'),
    (Hidden::Tag, '\u{e0000}'..='\u{e007f}'),
    (Hidden::Invisible, '\u{e0100}'..='\u{e01ef}'),
];

#[test]
fn every_class_is_found_between_latin_letters() {
    let of = |c: char| ALWAYS.iter().find(|(_, range)| range.contains(&c)).map(|(hidden, _)| *hidden);
    for c in '\0'..=char::MAX {
        assert_eq!(kind(c), of(c), "U+{:04X}", c as u32);
        if let Some(hidden) = of(c) {
            for text in [format!("a{c}b"), format!("{c}b"), format!("a{c}"), format!("12345678 x {c} y")] {
                assert_eq!(found(&text), [(c, hidden)], "U+{:04X} in {text:?}", c as u32);
            }
        }
    }
}

#[test]
fn spelling_is_let_be() {
    for (text, what) in [
        ("👩\u{200d}💻 👨\u{200d}👩\u{200d}👧\u{200d}👦", "joiners in emoji"),
        ("👩🏽\u{200d}🚀 🏳\u{fe0f}\u{200d}🌈 🏴\u{200d}☠\u{fe0f} ⛹🏽\u{200d}♂\u{fe0f}", "with styles and skins"),
        ("❤\u{fe0f}\u{200d}🔥 👁\u{fe0f}\u{200d}🗨\u{fe0f} 🧑\u{200d}🦰", "hearts, eyes, hair"),
        ("می\u{200c}خواهم کتاب\u{200c}ها", "Persian"),
        ("ه\u{200d}. ش", "a Persian abbreviation"),
        (
            "PDF\u{200c}ها را در Git\u{200c}هاب و 24\u{200c}ساعته",
            "Persian endings of Latin words and numbers",
        ),
        ("«فایل»\u{200c}ها", "an ending after a quote"),
        ("ไทย\u{200b}ภาษา PDF\u{200b}ไทย", "ends of words in Thai"),
        ("ភាសា\u{200b}ខ្មែរ ។\u{200b}", "in Khmer"),
        ("ພາສາ\u{200b}ລາວ", "in Lao"),
        ("မြန်မာ\u{200b}စာ", "in Burmese"),
        ("क्\u{200d}ष क्\u{200c}ष", "Hindi"),
        ("ക്\u{200d} ന്\u{200d}", "Malayalam, at the end of a word"),
        ("র\u{200d}্য", "Bengali"),
        ("ශ්\u{200d}රී", "Sinhala"),
        ("سلام\u{200f}! C++\u{200e} مرحبا", "marks in Arabic"),
        ("שלום\u{200f} (x)\u{200e}", "marks in Hebrew"),
        ("\u{61c}عربي 123", "a letter mark"),
        ("1\u{fe0f}\u{20e3} #\u{fe0f}\u{20e3} *\u{fe0f}\u{20e3}", "keycaps"),
        ("☺\u{fe0e} ☺\u{fe0f} ©\u{fe0f} ™\u{fe0f} ⚠\u{fe0f} ✔\u{fe0f} ℹ\u{fe0f} ▶\u{fe0f}", "styles"),
        ("🇩🇪 🇫🇷", "flags of countries"),
        ("🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", "the flag of England"),
        ("🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}.", "the flag of Scotland"),
        ("x 🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f} y", "the flag of Wales"),
        ("葛\u{e0100}飾 辻\u{e0101} 㐂\u{fe00}", "variants of Chinese characters"),
        ("ᠠ\u{180b}ᠨ\u{180c}ᠡ\u{180d}", "variants of Mongolian letters"),
        ("ᠪᠣᠳᠠ\u{180e}ᠠ", "a Mongolian vowel apart"),
        ("é ñ – “x” … 漢字 한국어 ไทย e\u{301}", "other letters"),
    ] {
        assert_eq!(found(text), [], "{what}");
    }
}

#[test]
fn what_only_looks_like_spelling_is_found() {
    for (text, count) in [
        ("x\u{200d}y", 1),
        ("👩\u{200d}x", 1),
        ("x\u{200d}💻", 1),
        ("👩\u{200d}\u{200d}💻", 2),
        ("می\u{200c}\u{200c}خواهم", 2),
        ("a\u{200c}1", 1),
        ("a\u{200d}خ", 1),
        ("PDF\u{200c}\u{200c}ها", 2),
        ("PDF \u{200c}ها", 1),
        ("a\u{200b}b ไทย", 1),
        ("ไทย\u{200b}\u{200b}ไทย", 2),
        ("ไทย \u{200b} x", 1),
        ("ไทย\u{2060}ไทย", 1),
        ("a\u{200f}b", 1),
        ("ש\nabc\u{200f}", 1),
        ("ש\u{200f}\u{200f}", 1),
        ("ש the word is much too far away\u{200f} from here to matter", 1),
        ("a\u{fe0f}", 1),
        ("🚀\u{fe0e}", 1),
        ("☺\u{fe0f}\u{fe0f}", 1),
        ("☺\u{fe0f}\u{fe0e}", 1),
        ("葛\u{e0100}\u{e0101}", 1),
        ("葛\u{fe03}", 1),
        ("葛\u{fe0f}", 1),
        ("ᠠ\u{180b}\u{180c}", 1),
        ("ᠠ\u{180f}", 1),
        ("a\u{180e}ᠠ", 1),
        ("🏴\u{e0075}\u{e0073}\u{e0063}\u{e0061}\u{e007f}", 5),
        ("🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}", 5),
        ("🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}\u{e0041}", 7),
        ("🏳\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", 6),
        ("\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", 6),
    ] {
        assert_eq!(found(text).len(), count, "{text:?}");
    }
}

#[test]
fn places_are_those_of_a_look_at_every_character() {
    let alphabet = ['a', ' ', 'é', '葛', '👩', '\u{200d}', '\u{fe0f}', '\u{e0041}', '\u{202e}', 'ش', '\n'];
    let mut state = 7u32;
    for round in 0..2_000 {
        let text: String = (0..round % 40)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                alphabet[(state >> 8) as usize % alphabet.len()]
            })
            .collect();
        let naive: Vec<_> =
            text.char_indices().filter_map(|(at, c)| Some((at, c, judge(&text, at, c)?))).collect();
        assert_eq!(find(&text).collect::<Vec<_>>(), naive, "{text:?}");
    }
}

#[test]
fn shown_names_can_be_read_back() {
    for (name, shown) in [
        ("a.md", "a.md"),
        ("a\u{200b}b.md", "a\\u{200b}b.md"),
        ("a\nb\u{202e}", "a\\u{a}b\\u{202e}"),
        ("👩\u{200d}💻.md", "👩\u{200d}💻.md"),
        ("a\\n.md", "a\\n.md"),
        ("a\\u{200b}b.md", "a\\u{5c}u{200b}b.md"),
        ("\\xff\\x.md", "\\u{5c}xff\\x.md"),
        ("\\\u{200b}", "\\\\u{200b}"),
        ("\\u{5c}u{\u{200b}}", "\\u{5c}u{5c}u{\\u{200b}}"),
    ] {
        assert_eq!(Shown(name).to_string(), shown);
        assert_eq!(super::shown(name), shown);
        assert_eq!(unescaped(shown).unwrap_or_else(|| shown.into()), name);
    }
    assert_eq!(unescaped("\\xc3\\xa9.md").as_deref(), Some("é.md"));
    for other in [
        "a.md",
        "\\",
        "\\u",
        "\\u{",
        "\\u{}",
        "\\u{d800}",
        "\\u{1234567}",
        "\\xf",
        "\\xff",
        "\\u{+1}",
        "\\x+1",
        "\\xé",
    ] {
        assert_eq!(unescaped(other), None, "{other}");
    }
}
