//! Text that nobody sees: hidden characters, letters that look like others, comments, and what a renderer
//! leaves out.

use skills_pack::hidden;
use skills_source::look_alike;

use super::{Fact, Looked};
use crate::diff::Kind;

pub(super) fn find(path: &str, looked: &Looked<'_>, facts: &mut Vec<Fact>) {
    for (at, line) in looked.text.lines().enumerate() {
        let number = at as u32 + 1;
        let line = if at == 0 { line.strip_prefix('\u{feff}').unwrap_or(line) } else { line };
        if !line.is_ascii() {
            characters(line, number, facts);
            look_alikes(line, number, facts);
        }
        control_characters(line, number, facts);
        if let Some(comment) = reference_comment(line).filter(|_| looked.markdown.is_some()) {
            facts.push(Fact::of_line(
                Kind::Hidden,
                number,
                comment,
                "a comment, which a renderer leaves out",
            ));
        }
    }
    comments(path, looked, facts);
    unseen_elements(looked, facts);
}

/// One fact for a line, with what tags spell.
fn characters(line: &str, number: u32, facts: &mut Vec<Fact>) {
    let found: Vec<_> = hidden::find(line).collect();
    let Some((_, first, kind)) = found.first() else { return };
    let mut what = match found.len() {
        1 => format!("the {kind} character U+{:04X}", *first as u32),
        many => format!(
            "{many} characters that nobody sees, the first of them the {kind} character U+{:04X}",
            *first as u32
        ),
    };
    let spelt: String = found.iter().filter_map(|(_, c, _)| spelt(*c)).collect();
    if !spelt.is_empty() {
        what.push_str(&format!("; they spell `{spelt}`"));
    }
    facts.push(Fact::of_line(Kind::Hidden, number, line, what));
}

/// The character that a tag or a variation selector stands for: text is smuggled in both, a byte each.
fn spelt(c: char) -> Option<char> {
    let byte = match c as u32 {
        tag @ 0xe0020..=0xe007e => tag - 0xe0000,
        selector @ 0xfe00..=0xfe0f => selector - 0xfe00,
        selector @ 0xe0100..=0xe01ef => selector - 0xe0100 + 16,
        _ => return None,
    };
    char::from_u32(byte).filter(|c| matches!(c, ' '..='~'))
}

/// Words in which letters of one alphabet are drawn like those of another.
fn look_alikes(line: &str, number: u32, facts: &mut Vec<Fact>) {
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    for word in line.split(|c| !is_letter(c)).filter(|word| !word.is_ascii()) {
        let has_latin = word.contains(|c: char| c.is_ascii_alphabetic());
        if has_latin && word.contains(look_alike::is_drawn_like_latin) {
            let escaped: String = word
                .chars()
                .map(|c| if c.is_ascii() { c.to_string() } else { c.escape_unicode().to_string() })
                .collect();
            let what = format!("`{escaped}` looks like `{}`", look_alike::drawn(word));
            let key = format!("looks like: {word}");
            facts.push(Fact { kind: Kind::Hidden, key, line: number, what, text: None });
        }
    }
}

fn control_characters(line: &str, number: u32, facts: &mut Vec<Fact>) {
    let is_act = |c: &char| c.is_control() && !matches!(c, '\t' | '\r' | '\u{c}' | '\0');
    if let Some(c) = line.chars().find(is_act) {
        let what = format!("the control character U+{:04X}, which acts on a terminal", c as u32);
        facts.push(Fact::of_line(Kind::Hidden, number, line, what));
    }
}

/// `[//]: # (text)`: a definition that nothing refers to.
fn reference_comment(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('[')?;
    let (label, rest) = rest.split_once("]:")?;
    let target = rest.trim_start();
    let is_comment =
        matches!(label, "//" | "comment" | "_" | "") || target.starts_with("# ") || target.starts_with("<> ");
    is_comment.then_some(line)
}

/// Comments of HTML, in Markdown and in what is HTML or XML. In code they are shown, so they aren't hidden.
fn comments(path: &str, looked: &Looked<'_>, facts: &mut Vec<Fact>) {
    let text = looked.text;
    let is_html =
        [".html", ".htm", ".xml", ".svg"].iter().any(|end| path.to_ascii_lowercase().ends_with(end));
    let is_in_html = |at: usize| match &looked.markdown {
        // They are in their order.
        Some(parts) => parts
            .html
            .get(parts.html.partition_point(|span| span.end <= at))
            .is_some_and(|span| span.contains(&at)),
        None => is_html,
    };
    let mut from = 0;
    while let Some(start) = text[from..].find("<!--").map(|at| from + at) {
        from = start + 4;
        if is_in_html(start) {
            let end = text[start..].find("-->").map_or(text.len(), |at| start + at + 3);
            from = end;
            let lines = text[start..end].lines().count();
            let length = if lines > 1 { format!(" of {lines} lines") } else { String::new() };
            let what = format!("a comment{length}, which a renderer leaves out");
            facts.push(Fact::of_line(Kind::Hidden, looked.line_of(start), &text[start..end], what));
        }
    }
}

/// Signs in a tag by which its text isn't seen.
const UNSEEN: [&str; 7] =
    ["display:none", "visibility:hidden", "font-size:0", "opacity:0", " hidden>", " hidden ", "aria-hidden"];

fn unseen_elements(looked: &Looked<'_>, facts: &mut Vec<Fact>) {
    let Some(parts) = &looked.markdown else { return };
    for span in &parts.html {
        let tag = &looked.text[span.clone()];
        let plain = tag.to_ascii_lowercase().replace(": ", ":");
        if !tag.starts_with("<!--") && UNSEEN.iter().any(|sign| plain.contains(sign)) {
            let what = "an element that a browser doesn't show";
            facts.push(Fact::of_line(Kind::Hidden, looked.line_of(span.start), tag, what));
        }
    }
}
