//! The edits that fix a value, where the author can only have meant one thing.
//!
//! Where two things may be meant (a list or a string, a comment or a part of the string), the author
//! has to choose. Nothing is applied here.

use super::view::View;
use crate::fault::Edit;
use crate::subject::Subject;
use crate::yaml::lines::{Entry, entry_at, line_at};
use crate::yaml::quote;

/// The value that holds `at`, written plainly on one line, without the byte-order marks in it.
pub(in crate::yaml) fn without_mark(yaml: &str, base: usize, at: usize, subject: Subject) -> Option<Edit> {
    let view = View { original: yaml, yaml, base, subject };
    let plain = |value: &str| !value.starts_with(['"', '\'', '[', '{', '|', '>']);
    let value = &yaml[view.trimmed(entry_at(yaml, at)?.value)];
    let clean = value.replace('\u{feff}', "");
    let meaning = clean.trim();
    let mut edit =
        view.edit_whole(at, |value| (value.contains('\u{feff}') && plain(value)).then_some(value))?;
    meaning.clone_into(&mut edit.text);
    edit.meaning = Some(meaning.to_owned());
    Some(edit)
}

impl View<'_> {
    /// The value of the entry, or of the line in it, put in quotes as it stands, line ends and all.
    pub(super) fn quoted_as_it_stands(&self, at: usize, entry: &Entry) -> Option<Edit> {
        let line = line_at(self.yaml, at);
        let value = if self.begins_beside_its_key(entry) {
            entry.value.clone()
        } else {
            let key = self.original[line.start..at].find(": ")?;
            line.start + key + 1..line.end
        };
        let span = self.trimmed(value);
        let text = &self.original[span.clone()];
        let edit = Edit {
            text: quote::text(text),
            span: self.base + span.start..self.base + span.end,
            meaning: None,
        };
        (!text.is_empty() && !quote::holds_comment(text)).then_some(edit)
    }

    /// The value of a field on one line, put in quotes, if `mean` tells the text that is meant.
    pub(super) fn edit_whole<'v>(
        &'v self,
        at: usize,
        mean: impl FnOnce(&'v str) -> Option<&'v str>,
    ) -> Option<Edit> {
        let entry = entry_at(self.yaml, at).filter(|entry| !self.beside_key(entry).is_empty())?;
        let span = self.trimmed(entry.value);
        let value = &self.original[span.clone()];
        let is_clear = !value.contains(['\n', '\r']) && !quote::holds_comment(value);
        let meaning = mean(value).filter(|meaning| is_clear && !meaning.is_empty())?;
        Some(Edit {
            text: quote::text(meaning),
            span: self.base + span.start..self.base + span.end,
            meaning: Some(meaning.to_owned()),
        })
    }
}
