//! One skill's entry in a catalogue, and the text around all entries.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::CatalogueForm;
use crate::entry::Entry;
use crate::text::{Flat, count_chars};

/// The text before, between and after the entries of a catalogue that isn't empty.
pub(super) fn frame(form: CatalogueForm) -> [&'static str; 3] {
    match form {
        CatalogueForm::Plain => ["", "\n", ""],
        CatalogueForm::Xml => ["<available_skills>\n", "\n", "\n</available_skills>"],
        CatalogueForm::Json => ["[\n", ",\n", "\n]"],
    }
}

/// A catalogue without skills.
pub(super) fn nothing(form: CatalogueForm) -> &'static str {
    match form {
        CatalogueForm::Plain => "(none)",
        CatalogueForm::Xml => "",
        CatalogueForm::Json => "[]",
    }
}

/// A skill's entry; the length of its description is chosen later.
pub(super) struct Line<'a> {
    form: CatalogueForm,
    name: &'a str,
    description: Cow<'a, str>,
    /// The skill's location in three parts, of which only the second may need escapes.
    location: [&'a str; 3],
    /// The length in characters of everything but the description, and of the text around the description.
    fixed: usize,
    around: usize,
    chars: usize,
    /// The characters that are escaped: their position in characters, and how many more characters their
    /// escape has.
    escaped: Vec<(usize, usize)>,
}

/// The text around the name, the description and the location.
fn pieces(form: CatalogueForm) -> [[&'static str; 2]; 3] {
    match form {
        CatalogueForm::Plain => [["- ", ""], [": ", ""], ["", ""]],
        CatalogueForm::Xml => [
            ["<skill>\n<name>", "</name>\n"],
            ["<description>", "</description>\n"],
            ["<location>", "</location>\n</skill>"],
        ],
        CatalogueForm::Json => {
            [["{\"name\":\"", "\""], [",\"description\":\"", "\""], [",\"location\":\"", "\"}"]]
        }
    }
}

/// A shorter description is useless, so only the name is shown.
const SHORTEST: usize = 8;

impl<'a> Line<'a> {
    pub(super) fn new(form: CatalogueForm, entry: &Entry<'a>) -> Self {
        let name = entry.skill.name();
        let description = one_line(entry.skill.description());
        let location = match form {
            CatalogueForm::Plain => [""; 3],
            _ if entry.is_bundled() => ["skill://", name, "/SKILL.md"],
            _ => ["", entry.skill.path(), "/SKILL.md"],
        };
        let mut escaped = Vec::new();
        if needs_escape(form, &description) {
            for (at, c) in description.chars().enumerate() {
                let more = more_chars(form, c);
                if more > 0 {
                    escaped.push((at, more));
                }
            }
        }
        let [of_name, [before, after], of_location] = pieces(form);
        let constant = of_name.into_iter().chain(of_location).chain([location[0], location[2]]);
        let fixed = constant.map(str::len).sum::<usize>()
            + escaped_chars(form, name)
            + escaped_chars(form, location[1]);
        let (around, chars) = (before.len() + after.len(), count_chars(&description));
        Self { form, name, description, location, fixed, around, chars, escaped }
    }

    /// The length of the whole description, in characters.
    pub(super) fn description_chars(&self) -> usize {
        self.chars
    }

    /// The length of the entry with at most `longest` characters of description, and whether the description
    /// is whole.
    pub(super) fn cost(&self, longest: usize) -> (usize, bool) {
        let shown = self.shown(longest);
        let escapes = self.escaped.iter().take_while(|(at, _)| *at < shown);
        let more: usize = escapes.map(|(_, more)| more).sum();
        let around = if shown > 0 { self.around } else { 0 };
        (self.fixed + around + shown + more, shown == self.chars)
    }

    pub(super) fn write(&self, longest: usize, text: &mut String) {
        let [[open, named], [before, after], [at, close]] = pieces(self.form);
        text.push_str(open);
        push(self.form, self.name, text);
        text.push_str(named);
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
        let [scheme, place, file] = self.location;
        text.push_str(at);
        text.push_str(scheme);
        push(self.form, place, text);
        text.push_str(file);
        text.push_str(close);
    }

    /// How many characters of the description are shown, including the `…`.
    fn shown(&self, longest: usize) -> usize {
        match longest {
            longest if self.chars <= longest => self.chars,
            longest if longest < SHORTEST => 0,
            longest => longest,
        }
    }
}

fn one_line(description: &str) -> Cow<'_, str> {
    if description.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) {
        Flat(description).to_string().into()
    } else {
        description.into()
    }
}

/// The length of the escaped text, in characters.
fn escaped_chars(form: CatalogueForm, text: &str) -> usize {
    let more = if needs_escape(form, text) { text.chars().map(|c| more_chars(form, c)).sum() } else { 0 };
    count_chars(text) + more
}

/// How many characters an escape adds.
fn more_chars(form: CatalogueForm, c: char) -> usize {
    escape_of(form, c).map_or(0, |escape| count_chars(&escape) - 1)
}

fn needs_escape(form: CatalogueForm, text: &str) -> bool {
    // Without an early exit, the compiler checks many bytes at once.
    form != CatalogueForm::Plain && text.bytes().fold(false, |found, byte| found | may_be_escaped(form, byte))
}

fn push(form: CatalogueForm, text: &str, to: &mut String) {
    if !needs_escape(form, text) {
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

/// The escape of a character. XML can't hold control characters.
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
