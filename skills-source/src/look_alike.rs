//! Names that people cannot tell apart.
//!
//! A name has a skeleton: compatibility forms (such as fullwidth letters) are folded, letters of other scripts
//! that are drawn like a Latin one become that one, and what separates words becomes a hyphen. Two names with
//! one skeleton look alike. Names that only differ in Latin letters never do.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Letters outside Latin that are drawn like a Latin one, in lower case.
const DRAWN_ALIKE: &[(char, &str)] = &[
    ('a', "аαɑ"),
    ('b', "ЬьƄ"),
    ('c', "сϲᴄ"),
    ('d', "ԁɗ"),
    ('e', "еєҽ"),
    ('g', "ɡց"),
    ('h', "һհ"),
    ('i', "іıɩιӏ"),
    ('j', "јϳ"),
    ('k', "кκᴋ"),
    ('m', "мᴍ"),
    ('n', "пոռ"),
    ('o', "оοօᴏ"),
    ('p', "рρ"),
    ('q', "ԛզ"),
    ('r', "гᴦ"),
    ('s', "ѕꜱ"),
    ('t', "тτᴛ"),
    ('u', "υսц"),
    ('v', "νѵᴠ"),
    ('w', "ԝωѡᴡ"),
    ('x', "хχ"),
    ('y', "уγүу"),
    ('z', "ᴢ"),
];

/// What two names that look alike have in common.
pub fn skeleton(name: &str) -> String {
    let mut skeleton = String::with_capacity(name.len());
    let folded =
        name.nfkd().flat_map(char::to_lowercase).filter(|c| !is_combining_mark(*c) && !is_invisible(*c));
    for c in folded {
        let c = if is_separator(c) { '-' } else { latin(c).unwrap_or(c) };
        if c != '-' || !skeleton.ends_with('-') {
            skeleton.push(c);
        }
    }
    skeleton.trim_matches('-').to_owned()
}

/// Whether a letter of another alphabet is drawn like a Latin one. The dotless i is, and is a letter of Latin
/// alphabets itself.
pub fn is_drawn_like_latin(c: char) -> bool {
    c != 'ı' && latin(c).is_some()
}

/// The text with every letter that is drawn like a Latin one as that one.
pub fn drawn(text: &str) -> String {
    text.chars().map(|c| latin(c).unwrap_or(c)).collect()
}

/// The Latin letter that a letter is drawn like. Capitals are found by their small letters.
fn latin(c: char) -> Option<char> {
    let small = c.to_lowercase().next().unwrap_or(c);
    let (latin, _) = DRAWN_ALIKE.iter().find(|(_, others)| others.contains(small))?;
    Some(if c == small { *latin } else { latin.to_ascii_uppercase() })
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '_' | '.' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{30fb}')
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_have_one_skeleton() {
        for name in [
            "pdf-tools",
            "PDF Tools",
            "pdf_tools",
            "ｐｄｆ-ｔｏｏｌｓ",
            "рdf-tооls",
            "pdf\u{200b}-tools",
            "pdf--tools-",
            "pdf‐tools",
            "pdf-töols",
        ] {
            assert_eq!(skeleton(name), "pdf-tools", "{name}");
        }
        for name in ["pdf-tool", "pdftools", "pdf-tools-2", "工具"] {
            assert_ne!(skeleton(name), "pdf-tools", "{name}");
        }
    }
}
