//! What several text fields are judged by.

use crate::code::Code;
use crate::fault::Fault;
use crate::frontmatter::{FIELDS, Field, Frontmatter, Text};
use crate::source::Span;
use crate::subject::Subject;
use skills_pack::hidden::{self, Hidden};
use skills_pack::nearest;
use skills_pack::text::{Quoted, did_you_mean};

/// Where a field that is missing is reported: where the fields begin.
#[derive(Debug, Clone)]
pub(super) struct Top {
    pub(super) span: Span,
    pub(super) subject: Subject,
}

/// A field that must be there and is not. A key that looks like it is pointed at.
pub(super) fn missing_field(read: &Frontmatter, field: Field, top: Top, code: Code, write: &str) -> Fault {
    let name = field.name();
    let message = format!("`{name}` is missing");
    if let Some(empty) = field.names.iter().find_map(|name| read.entry(name)) {
        let help = format!("{write}; put a string such as `null` in quotes");
        return Fault::new(code, empty.key_span.clone(), message).label("this has no value").help(help);
    }
    let known = |key: &str| FIELDS.iter().any(|field| field.names.contains(&key));
    let keys = read.entries.iter().map(|entry| entry.key.as_str()).filter(|key| !known(key));
    match nearest::closest(name, keys).first().and_then(|key| read.entry(key)) {
        Some(close) => Fault::new(code, close.key_span.clone(), message)
            .label(did_you_mean(Quoted(name)))
            .help(format!("write `{name}` instead of `{}`", close.key)),
        None => Fault::new(code, top.span, message).label(top.subject.inside()).help(write),
    }
}

/// E015: characters that rewrite the terminal or the order of what is read, or that nobody sees.
pub(super) fn control_characters(name: &str, text: &Text, allowed: impl Fn(char) -> bool) -> Option<Fault> {
    let controls = text.value.char_indices().filter(|&(_, c)| c.is_control() && !allowed(c));
    let control = controls.map(|(at, c)| (at, c, "control".to_owned())).next();
    let mut hidden = hidden::find(&text.value).filter(|&(_, _, hidden)| hidden != Hidden::SoftHyphen);
    let hidden = hidden.next().map(|(at, c, hidden)| (at, c, hidden.to_string()));
    let (at, found, what) = control.into_iter().chain(hidden).min_by_key(|&(at, ..)| at)?;
    Some(
        Fault::new(
            Code::E015,
            text.part(at..at + found.len_utf8()),
            format!("`{name}` holds the {what} character U+{:04X}", found as u32),
        )
        .label("in this value")
        .help("delete it, and the escape that makes it"),
    )
}

/// Whether a character is one of which E015 may speak.
pub(super) fn is_hostile(c: char) -> bool {
    c.is_control() || hidden::kind(c).is_some_and(|hidden| hidden != Hidden::SoftHyphen)
}

/// Text past the standard's limit, underlined from where it passes it.
pub(super) fn too_long(name: &str, text: &Text, max: usize, code: Code, help: &str) -> Option<Fault> {
    let count = text.value.chars().count();
    let (from, _) = text.value.char_indices().nth(max)?;
    let limit = if max >= 1000 { format!("{},{:03}", max / 1000, max % 1000) } else { max.to_string() };
    Some(
        Fault::new(
            code,
            text.part(from..text.value.len()),
            format!("`{name}` is longer than {limit} characters: it has {count}"),
        )
        .label(if text.exact { "past the limit from here on" } else { "this value" })
        .help(help),
    )
}

/// L108: what reads like an element of XML or HTML.
pub(super) fn tag_like(name: &str, text: &Text) -> Option<Fault> {
    let value = text.value.as_str();
    let (at, tag) = value.match_indices('<').find_map(|(at, _)| {
        let rest = &value[at + 1..];
        let word = rest.strip_prefix('/').unwrap_or(rest);
        let end = rest.find(['<', '>'])?;
        let name_len =
            word.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').unwrap_or(word.len());
        let inside = word.get(name_len..word.len() - (rest.len() - end)).unwrap_or_default().trim();
        let is_tag = word.starts_with(|c: char| c.is_ascii_alphabetic())
            && rest[end..].starts_with('>')
            // `n <m and m> 2` is no tag; `<a href=…>` and `<br/>` are.
            && (matches!(inside, "" | "/") || inside.contains('='));
        is_tag.then(|| (at, &value[at..at + end + 2]))
    })?;
    Some(
        Fault::new(
            Code::L108,
            text.part(at..at + tag.len()),
            format!("`{name}` holds `{}`, which reads like a tag", tag.escape_debug()),
        )
        .label("some hosts put this into XML unescaped")
        .help("name the placeholder in words, without `<` and `>`"),
    )
}
