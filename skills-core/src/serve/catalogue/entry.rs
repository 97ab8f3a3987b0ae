//! One skill's part of a catalogue, and what stands around all of them.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::CatalogueForm;
use crate::serve::registry::Entry;
use crate::serve::text::{Flat, count_chars};

/// What stands before, between and after the entries of a catalogue that has some.
pub(super) fn frame(form: CatalogueForm) -> [&'static str; 3] {
    match form {
        CatalogueForm::Plain => ["", "\n", ""],
        CatalogueForm::Xml => ["<available_skills>\n", "\n", "\n</available_skills>"],
        CatalogueForm::Json => ["[\n", ",\n", "\n]"],
    }
}

/// A catalogue of no skills.
pub(super) fn nothing(form: CatalogueForm) -> &'static str {
    match form {
        CatalogueForm::Plain => "(none)",
        CatalogueForm::Xml => "",
        CatalogueForm::Json => "[]",
    }
}

/// A skill's entry, with its description of any length.
pub(super) struct Line<'a> {
    form: CatalogueForm,
    /// Up to the description, around it if there is one, and after it; all but it is escaped.
    parts: [Cow<'static, str>; 4],
    description: Cow<'a, str>,
    /// Characters of the first and last part, and of the two around the description.
    fixed: usize,
    around: usize,
    chars: usize,
    /// The characters that are escaped: their place, in characters, and how many more they become.
    escaped: Vec<(usize, usize)>,
}

/// A description shorter than this says nothing; the name stands alone then.
const SHORTEST: usize = 8;

impl<'a> Line<'a> {
    pub(super) fn new(form: CatalogueForm, entry: &Entry<'a>) -> Self {
        let name = escaped(form, entry.skill.name());
        let parts: [Cow<'static, str>; 4] = match form {
            CatalogueForm::Plain => [format!("- {name}").into(), ": ".into(), "".into(), "".into()],
            CatalogueForm::Xml => [
                format!("<skill>\n<name>{name}</name>\n").into(),
                "<description>".into(),
                "</description>\n".into(),
                format!("<location>{}</location>\n</skill>", escaped(form, &location(entry))).into(),
            ],
            CatalogueForm::Json => [
                format!("{{\"name\":\"{name}\"").into(),
                ",\"description\":\"".into(),
                "\"".into(),
                format!(",\"location\":\"{}\"}}", escaped(form, &location(entry))).into(),
            ],
        };
        let description = one_line(entry.skill.description());
        let mut escaped = Vec::new();
        if form != CatalogueForm::Plain && description.bytes().any(|byte| may_be_escaped(form, byte)) {
            for (at, c) in description.chars().enumerate() {
                let more = escape_of(form, c).map_or(0, |escape| count_chars(&escape) - 1);
                if more > 0 {
                    escaped.push((at, more));
                }
            }
        }
        let count = |at: usize| count_chars(&parts[at]);
        let (fixed, around) = (count(0) + count(3), count(1) + count(2));
        let chars = count_chars(&description);
        Self { form, parts, description, fixed, around, chars, escaped }
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.fixed + self.around + self.description.len()
    }

    /// The characters of the whole description.
    pub(super) fn description_chars(&self) -> usize {
        self.chars
    }

    /// The characters that the entry takes with a description of at most `longest`, and whether the
    /// description is whole.
    pub(super) fn cost(&self, longest: usize) -> (usize, bool) {
        let shown = self.shown(longest);
        let escapes = self.escaped.iter().take_while(|(at, _)| *at < shown);
        let more: usize = escapes.map(|(_, more)| more).sum();
        let around = if shown > 0 { self.around } else { 0 };
        (self.fixed + around + shown + more, shown == self.chars)
    }

    pub(super) fn write(&self, longest: usize, text: &mut String) {
        let [open, before, after, close] = &self.parts;
        text.push_str(open);
        let shown = self.shown(longest);
        if shown > 0 {
            text.push_str(before);
            if shown == self.chars {
                push(self.form, &self.description, text);
            } else {
                let cut = self.description.char_indices().nth(shown - 1).map_or(0, |(at, _)| at);
                push(self.form, self.description[..cut].trim_end(), text);
                text.push('…');
            }
            text.push_str(after);
        }
        text.push_str(close);
    }

    /// How many characters of the description are shown, the sign of a cut counted.
    fn shown(&self, longest: usize) -> usize {
        match longest {
            longest if self.chars <= longest => self.chars,
            longest if longest < SHORTEST => 0,
            longest => longest,
        }
    }
}

/// Where a skill is to be found: `skill://NAME/SKILL.md` for a bundled one, else its file on disk.
fn location(entry: &Entry<'_>) -> String {
    if entry.is_bundled() {
        format!("skill://{}/SKILL.md", entry.skill.name())
    } else {
        format!("{}/SKILL.md", entry.skill.path())
    }
}

fn one_line(description: &str) -> Cow<'_, str> {
    if description.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) {
        Flat(description).to_string().into()
    } else {
        description.into()
    }
}

fn escaped(form: CatalogueForm, text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    push(form, text, &mut escaped);
    escaped
}

fn push(form: CatalogueForm, text: &str, to: &mut String) {
    if form == CatalogueForm::Plain || !text.bytes().any(|byte| may_be_escaped(form, byte)) {
        return to.push_str(text);
    }
    for c in text.chars() {
        match escape_of(form, c) {
            Some(escape) => to.push_str(&escape),
            None => to.push(c),
        }
    }
}

fn may_be_escaped(form: CatalogueForm, byte: u8) -> bool {
    match form {
        CatalogueForm::Plain => false,
        CatalogueForm::Xml => matches!(byte, b'<' | b'>' | b'&' | b'"' | b'\'' | 0..0x20 | 0x7f | 0xc2),
        CatalogueForm::Json => matches!(byte, b'"' | b'\\' | 0..0x20),
    }
}

/// What stands for a character. Control characters are none of XML.
fn escape_of(form: CatalogueForm, c: char) -> Option<Cow<'static, str>> {
    Some(match (form, c) {
        (CatalogueForm::Xml, '<') => "&lt;".into(),
        (CatalogueForm::Xml, '>') => "&gt;".into(),
        (CatalogueForm::Xml, '&') => "&amp;".into(),
        (CatalogueForm::Xml, '"') => "&quot;".into(),
        (CatalogueForm::Xml, '\'') => "&apos;".into(),
        (CatalogueForm::Xml, c) if c.is_control() => "\u{fffd}".into(),
        (CatalogueForm::Json, '"') => "\\\"".into(),
        (CatalogueForm::Json, '\\') => "\\\\".into(),
        (CatalogueForm::Json, c) if c < ' ' => {
            let mut escape = String::new();
            // Writing to a `String` cannot fail.
            let _ = write!(escape, "\\u{:04x}", c as u32);
            escape.into()
        }
        _ => return None,
    })
}
