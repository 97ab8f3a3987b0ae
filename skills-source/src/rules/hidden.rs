//! Characters that nobody sees: E015 where they may carry instructions or are in what every model reads, else
//! L126.
//!
//! Which characters those are, and where spelling needs them, is known to [`skills_pack::hidden`].

use skills_pack::hidden::{self, Hidden};
use skills_pack::text::AndMore;

use crate::code::Code;
use crate::document::Document;
use crate::fault::Fault;
use crate::frontmatter::{DESCRIPTION, Frontmatter, NAME};
use crate::source::Span;
use crate::yaml::{Node, Value};

/// Other names of what tells when to use a skill.
const WHEN_TO_USE: [&str; 2] = ["when_to_use", "when-to-use"];

/// The faults of a text that a model may read: the body of a skill, a template, a file beside a SKILL.md.
pub fn check_text(text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    check_span(text, 0..text.len(), &mut faults);
    faults
}

/// The same of a part of a text.
pub(super) fn check_span(text: &str, span: Span, faults: &mut Vec<Fault>) {
    let found: Vec<Found> = hidden::find(&text[span.clone()])
        .map(|(at, c, hidden)| Found { span: span.start + at..span.start + at + c.len_utf8(), c, hidden })
        .collect();
    faults.extend(
        worst(&found, |found| found.hidden == Hidden::Tag).map(|(first, more)| tags(first, more, &found)),
    );
    let others = worst(&found, |found| found.hidden != Hidden::Tag);
    faults.extend(others.map(|(first, more)| seen_by_nobody(Code::L126, "the text", first, more)));
}

/// A hidden character and its place.
struct Found {
    span: Span,
    c: char,
    hidden: Hidden,
}

/// The first of those that are `wanted`, and how many come after it.
fn worst(found: &[Found], wanted: impl Fn(&Found) -> bool) -> Option<(&Found, usize)> {
    let mut all = found.iter().filter(|found| wanted(found));
    Some((all.next()?, all.count()))
}

/// Judges the frontmatter, which is at `document.frontmatter`.
pub(super) fn check(text: &str, document: &Document, read: &Frontmatter, faults: &mut Vec<Fault>) {
    check_fields(text, document.frontmatter.clone(), read, faults);
}

/// Judges the fields of a frontmatter or a command's definition at `span`: their text, and what escapes in it
/// make.
pub(super) fn check_fields(text: &str, span: Span, read: &Frontmatter, faults: &mut Vec<Fault>) {
    let starts: Vec<usize> = read.entries.iter().map(|entry| entry.key_span.start).collect();
    let first = starts.iter().copied().min().unwrap_or(span.end).clamp(span.start, span.end);
    check_span(text, span.start..first, faults);
    for entry in &read.entries {
        let start = entry.key_span.start;
        let next = starts.iter().copied().filter(|other| *other > start).min().unwrap_or(span.end);
        let place = start..next.clamp(start, span.end.max(start));
        let is_told =
            faults.iter().any(|fault| fault.code == Code::E015 && place.contains(&fault.span.start));
        let in_text = hidden::find(&text[place.clone()]).map(|(at, c, hidden)| Found {
            span: start + at..start + at + c.len_utf8(),
            c,
            hidden,
        });
        let mut in_text: Vec<Found> = in_text.collect();
        let mut in_values = Vec::new();
        decoded(&entry.key, &entry.key_span, &mut in_values);
        values(&entry.node, &mut in_values);
        // A character that is in a value is in the text too, unless it was written as an escape. What more is in
        // the text is in comments, most often after the value.
        let mut found: Vec<Found> = Vec::new();
        for other in in_values {
            match in_text.iter().position(|found| found.c == other.c) {
                Some(at) => found.push(in_text.remove(at)),
                None => found.push(other),
            }
        }
        if is_unreadable(&entry.node) {
            found.append(&mut in_text);
        }
        found.sort_by_key(|found| found.span.start);
        let is_prose = is_prose(&entry.key);
        let what = format!("`{}`", entry.key.escape_debug());
        if is_told {
            found.clear();
        }
        if let Some((first, more)) = worst(&found, |found| found.hidden == Hidden::Tag) {
            faults.push(tags(first, more, &found));
        } else if let Some((first, more)) =
            worst(&found, |found| is_prose && found.hidden != Hidden::SoftHyphen)
        {
            faults.push(seen_by_nobody(Code::E015, &what, first, more));
        } else if let Some((first, more)) = worst(&found, |_| true) {
            faults.push(seen_by_nobody(Code::L126, &what, first, more));
        }
        faults.extend(
            worst(&in_text, |found| found.hidden == Hidden::Tag)
                .map(|(first, more)| tags(first, more, &in_text)),
        );
        faults.extend(
            worst(&in_text, |found| found.hidden != Hidden::Tag)
                .map(|(first, more)| seen_by_nobody(Code::L126, "a comment", first, more)),
        );
    }
}

/// Whether every model reads a field before it chooses a skill.
fn is_prose(key: &str) -> bool {
    NAME.names.contains(&key) || DESCRIPTION.names.contains(&key) || WHEN_TO_USE.contains(&key)
}

/// Whether a part of a value could not be read.
fn is_unreadable(node: &Node) -> bool {
    match &node.value {
        Value::Unreadable => true,
        Value::Null | Value::Scalar(_) => false,
        Value::List(items) => items.iter().any(is_unreadable),
        Value::Map(entries) => entries.iter().any(|entry| is_unreadable(&entry.node)),
        Value::Tagged(_, inner) => is_unreadable(inner),
    }
}

/// What escapes in a value make is not in the text.
fn values(node: &Node, found: &mut Vec<Found>) {
    match &node.value {
        Value::Scalar(scalar) => decoded(&scalar.text, &node.span, found),
        Value::List(items) => items.iter().for_each(|item| values(item, found)),
        Value::Map(entries) => {
            for entry in entries {
                decoded(&entry.key, &entry.key_span, found);
                values(&entry.node, found);
            }
        }
        Value::Tagged(_, inner) => values(inner, found),
        Value::Null | Value::Unreadable => {}
    }
}

fn decoded(value: &str, span: &Span, found: &mut Vec<Found>) {
    found.extend(hidden::find(value).map(|(_, c, hidden)| Found { span: span.clone(), c, hidden }));
}

/// How many characters of what tags spell are shown.
const SHOWN: usize = 60;

fn tags(first: &Found, more: usize, found: &[Found]) -> Fault {
    let tags = found.iter().filter(|found| found.hidden == Hidden::Tag);
    let letters = tags.filter_map(|found| char::from_u32((found.c as u32).checked_sub(0xe0000)?));
    let mut spelt: String = letters.filter(|c| matches!(c, ' '..='~')).take(SHOWN + 1).collect();
    if spelt.len() > SHOWN {
        spelt.truncate(SHOWN);
        spelt.push('…');
    }
    let help = match spelt.as_str() {
        "" => "delete it".to_owned(),
        spelt => format!("delete what is written in tags: `{spelt}`"),
    };
    let message =
        format!("the text holds the Unicode tag character U+{:04X}{}", first.c as u32, AndMore(more));
    Fault::new(Code::E015, first.span.clone(), message)
        .label("nobody sees it, and a model reads it")
        .help(help)
}

fn seen_by_nobody(code: Code, what: &str, first: &Found, more: usize) -> Fault {
    let (hidden, c, more) = (first.hidden, first.c as u32, AndMore(more));
    let message = format!("{what} holds the {hidden} character U+{c:04X}{more}");
    let label = match hidden {
        Hidden::Override => "what is read is not what is seen",
        _ => "nobody sees it, and a model reads it",
    };
    Fault::new(code, first.span.clone(), message)
        .label(label)
        .help("delete it, or name it in words where the text is about it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use crate::skill;

    fn found(text: &str) -> Vec<(Code, u32, u32)> {
        let (_, findings) = skill::read("s/pdf/SKILL.md", "pdf", text.as_bytes(), &Rules::default());
        findings.iter().map(|finding| (finding.code, finding.line, finding.column)).collect()
    }

    fn with(description: &str, more: &str, body: &str) -> String {
        format!("---\nname: pdf\ndescription: {description}\n{more}---\n{body}\n")
    }

    #[test]
    fn what_every_model_reads_is_denied() {
        for c in ['\u{200b}', '\u{202e}', '\u{e0041}', '\u{fe0f}', '\u{34f}'] {
            assert_eq!(found(&with(&format!("Reads{c} forms"), "", "x")), [(Code::E015, 3, 19)], "{c:?}");
            let more = format!("when_to_use: On{c} forms\n");
            assert_eq!(
                found(&with("Reads", &more, "x")).iter().filter(|f| f.0 == Code::E015).count(),
                1,
                "{c:?}"
            );
            let escaped = format!("\"Reads \\U{:08x} forms\"", c as u32);
            assert_eq!(found(&with(&escaped, "", "x")), [(Code::E015, 3, 14)], "{c:?}");
            let folded = format!("|\n  Reads\n  {c}forms");
            assert_eq!(
                found(&with(&folded, "", "x")).iter().filter(|f| f.0 == Code::E015).count(),
                1,
                "{c:?}"
            );
        }
    }

    #[test]
    fn elsewhere_only_tags_are_denied() {
        for (c, code) in [
            ('\u{e0041}', Code::E015),
            ('\u{200b}', Code::L126),
            ('\u{202e}', Code::L126),
            ('\u{ad}', Code::L126),
        ] {
            assert_eq!(found(&with("Reads", "", &format!("a{c}b\na{c}b"))), [(code, 5, 2)], "{c:?}");
            assert_eq!(found(&with("Reads", &format!("tags: [a{c}]\n"), "x")), [(code, 4, 9)], "{c:?}");
            assert_eq!(
                found(&with("Reads", &format!("metadata: {{a{c}: b}}\n"), "x")),
                [(code, 4, 13)],
                "{c:?}"
            );
            assert_eq!(found(&with("Reads", &format!("# a{c}\n"), "x")).len(), 1, "{c:?}");
            let escaped = format!("license: \"\\U{:08x}\"\n", c as u32);
            assert_eq!(found(&with("Reads", &escaped, "x")), [(code, 4, 10)], "{c:?}");
        }
        assert_eq!(found(&with("Soft\u{ad}hyphen", "", "x")), [(Code::L126, 3, 18)]);
        // What is in the text does not hide what is written as an escape.
        let both = "license: \"a\u{ad}\\U000e0041\"\n";
        assert_eq!(found(&with("Reads", both, "x")).first().map(|found| found.0), Some(Code::E015));
    }

    #[test]
    fn a_comment_is_charged_to_no_field() {
        for (text, expected) in [
            (with("Reads forms", "# a\u{200b}b\n", "x"), vec![(Code::L126, 4, 4)]),
            (with("Reads forms # a\u{202e}b", "", "x"), vec![(Code::L126, 3, 29)]),
            (with("Reads forms", "# a\u{e0041}b\n", "x"), vec![(Code::E015, 4, 4)]),
            (with("Re\u{200b}ads", "# a\u{200b}b\n", "x"), vec![(Code::E015, 3, 16), (Code::L126, 4, 4)]),
            (with("|\n  Reads\n  for\u{200b}ms", "# x\nlicense: a\n", "x"), vec![(Code::E015, 3, 14)]),
        ] {
            let found: Vec<_> = found(&text).into_iter().filter(|found| found.0 != Code::L114).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_tags_spell_is_shown() {
        let hidden: String =
            "ignore all".chars().filter_map(|c| char::from_u32(0xe0000 + c as u32)).collect();
        let faults = check_text(&format!("a{hidden}b\u{200b}c\u{200b}"));
        let shown: Vec<_> =
            faults.iter().map(|fault| (fault.message.as_str(), fault.help.as_str())).collect();
        assert_eq!(
            shown,
            [
                (
                    "the text holds the Unicode tag character U+E0069 and 9 more",
                    "delete what is written in tags: `ignore all`"
                ),
                (
                    "the text holds the invisible character U+200B and 1 more",
                    "delete it, or name it in words where the text is about it"
                ),
            ]
        );
    }

    #[test]
    fn spelling_is_let_be() {
        let text = with(
            "می\u{200c}خواهم 👩\u{200d}💻 ❤\u{fe0f}",
            "tags: [क्\u{200d}ष]\n",
            "C++\u{200e} مرحبا 1\u{fe0f}\u{20e3}",
        );
        assert_eq!(found(&text), []);
        assert_eq!(found(&format!("\u{feff}{text}")), []);
    }
}
