//! Which findings can be fixed without asking: the edit for a misspelt field, and a last look at the
//! edits that the reading of YAML proposed.
//!
//! An edit is a proposal: [`fix`](crate::fix) applies it, reads the file again and compares. Nothing is
//! applied here, and there is no edit where two things may have been meant.

use crate::code::Code;
use crate::fault::{Edit, Fault};
use crate::frontmatter::{FIELDS, Field, Form, Frontmatter};
use skills_pack::nearest;

/// Gives a fault the edit that fixes it, or takes one away that the fields do not allow.
pub(crate) fn complete(text: &str, read: &Frontmatter, fault: &mut Fault) {
    match fault.code {
        Code::E003 => fault.edit = fault.edit.take().filter(|edit| is_allowed(text, read, edit)),
        Code::E007 | Code::E011 | Code::E020 | Code::L104 => {
            fault.edit = right_key(text, read, fault).map(Box::new);
        }
        _ => {}
    }
}

/// No edit of YAML that cannot be read at all can be proved to be right.
pub(crate) fn forget(faults: &mut [Fault]) {
    for fault in faults {
        fault.edit = None;
    }
}

fn is_allowed(text: &str, read: &Frontmatter, edit: &Edit) -> bool {
    let Some(meaning) = &edit.meaning else { return true };
    let entry = read.entries.iter().rfind(|entry| entry.key_span.start <= edit.span.start);
    let Some(entry) = entry else { return false };
    let field = field_of(&entry.key);
    if edit.span.is_empty() {
        // What has no blank after its colon may be anything but for the name of a field before it.
        return field.is_some() && text.get(entry.key_span.clone()) == Some(entry.key.as_str());
    }
    // Brackets are part of a string only where a string is expected.
    !meaning.starts_with(['[', '{']) || field.is_some_and(|field| field.form == Form::Text)
}

/// The edit of a key that can only be a misspelt field.
fn right_key(text: &str, read: &Frontmatter, fault: &Fault) -> Option<Edit> {
    let entry = read.entries.iter().find(|entry| entry.key_span == fault.span)?;
    let key = entry.key.as_str();
    if text.get(fault.span.clone()) != Some(key) || field_of(key).is_some() {
        return None;
    }
    let right = certain(key)?;
    let field = field_of(right)?;
    let is_taken = field.names.iter().any(|name| read.entry(name).is_some());
    (!is_taken).then(|| Edit { span: fault.span.clone(), text: right.to_owned(), meaning: None })
}

/// The name that a misspelt one can only mean.
fn certain(key: &str) -> Option<&'static str> {
    let plain = |word: &str| word.to_lowercase().replace(['_', ' '], "-");
    let key = plain(key);
    if let Some(same) = names().find(|name| plain(name) == key) {
        return Some(same);
    }
    let is_close = |name: &&str| nearest::slips(&key, &plain(name)) <= slips_allowed(&key, name);
    let mut close = names().filter(is_close);
    let first = close.next()?;
    // `argument_hint` and `argument-hint` are one word.
    let is_only = close.all(|other| plain(other) == plain(first));
    // A plural is another word, not a slip.
    let is_plural = key.strip_suffix('s') == Some(first) || first.strip_suffix('s') == Some(&key);
    (is_only && !is_plural).then_some(first)
}

/// How many slips a misspelt word may have and still be no other word.
fn slips_allowed(key: &str, name: &str) -> usize {
    match key.len().min(name.len()) {
        0..6 => 0,
        6..9 => 1,
        _ => 2,
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().flat_map(|field| field.names).copied().filter(|name| !name.contains('.'))
}

fn field_of(key: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.names.contains(&key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_certain_is_fixed() {
        for (key, right) in [
            ("Name", "name"),
            ("descripton", "description"),
            ("desciptoin", "description"),
            ("Allowed Tools", "allowed-tools"),
            ("ALLOWED_TOOLS", "allowed-tools"),
            ("licence", "license"),
            ("disable-model-invokation", "disable-model-invocation"),
        ] {
            assert_eq!(certain(key), Some(right), "{key}");
        }
        for key in ["game", "authors", "argument", "tag-line", "versioned", "titel", "", "skils"] {
            assert_eq!(certain(key), None, "{key}");
        }
    }
}
