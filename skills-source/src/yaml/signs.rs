//! Characters that look like YAML's own signs and are others: a full-width colon, a no-break space.

use super::quote::{holds_comment, text as in_quotes};
use crate::fault::{Edit, Fault};
use crate::source::Span;
use crate::subject::Subject;

/// Has a fault in the YAML at `span` point at a sign of its line that is not YAML's, if there is one. `whole`
/// looks at every line, where the fault is about all of them.
pub(crate) fn point_at(text: &str, span: Span, subject: Subject, whole: bool, fault: &mut Fault) {
    let from = if whole { span.start } else { fault.span.start.clamp(span.start, span.end) };
    let start = text[span.start..from].rfind(['\n', '\r']).map_or(span.start, |end| span.start + end + 1);
    let mut at = start;
    for line in text[start..span.end].split(['\n', '\r']) {
        if let Some((found, c, right)) = wrong_sign(line) {
            let wanted = if right == ' ' { "blank".to_owned() } else { format!("`{right}`") };
            let shown = if right == ' ' {
                format!("U+{:04X}", c as u32)
            } else {
                format!("`{c}` (U+{:04X})", c as u32)
            };
            fault.span = at + found..at + found + c.len_utf8();
            fault.message =
                format!("{} is not valid YAML: {shown} is not the {wanted} of YAML", subject.the());
            "this only looks like it".clone_into(&mut fault.label);
            fault.help =
                format!("write a {wanted} of ASCII here").replace("a `:`", "`: `, the colon and blank");
            if quote(c) == Some(right) {
                fault.edit = in_typed_quotes(line, found, right, at).map(Box::new);
            }
            return;
        }
        at += line.len() + 1;
        if !whole {
            return;
        }
    }
}

/// The edit of a value in typographic quotes from `found` to the end of its line, which is at `at`.
fn in_typed_quotes(line: &str, found: usize, right: char, at: usize) -> Option<Edit> {
    let value = line[found..].trim_end();
    let mut inside = value.chars();
    let (Some(_), Some(last)) = (inside.next(), inside.next_back()) else { return None };
    let inside = inside.as_str();
    let is_whole = quote(last) == Some(right) && !inside.contains(|c| quote(c) == Some(right));
    let is_clear = is_whole && !inside.trim().is_empty() && !holds_comment(inside);
    let span = at + found..at + found + value.len();
    is_clear.then(|| Edit { span, text: in_quotes(inside), meaning: Some(inside.to_owned()) })
}

/// The first sign of a line that is not YAML's, and which it is taken for.
fn wrong_sign(line: &str) -> Option<(usize, char, char)> {
    let is_blank = |c: char| c.is_whitespace() && !c.is_ascii();
    let indent = line.len() - line.trim_start().len();
    if let Some((at, c)) = line[..indent].char_indices().find(|(_, c)| is_blank(*c)) {
        return Some((at, c, ' '));
    }
    let mut signs = line[indent..].chars();
    if let (Some(c @ ('－' | '﹣' | '−' | '–' | '—')), Some(' ' | '　')) = (signs.next(), signs.next())
    {
        return Some((indent, c, '-'));
    }
    let item = line[indent..].strip_prefix("- ").map_or(indent, |_| indent + 2);
    let rest = &line[item..];
    let key =
        rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_')).filter(|len| *len > 0)?;
    let mut after = rest[key..].chars();
    let at = item + key;
    match (after.next()?, after.next()) {
        (c @ ('：' | '﹕' | '︰' | '꞉' | '∶'), _) => Some((at, c, ':')),
        (':', Some(c)) if is_blank(c) => Some((at + 1, c, ' ')),
        (':', _) => in_value(&line[at + 1..]).map(|(found, c, right)| (at + 1 + found, c, right)),
        _ => None,
    }
}

/// The first quote, bracket or comma in a value that is not YAML's, outside of ASCII quotes.
fn in_value(value: &str) -> Option<(usize, char, char)> {
    let start = value.len() - value.trim_start().len();
    let first = value[start..].chars().next()?;
    if let Some(right) = quote(first).or_else(|| opening(first)) {
        return Some((start, first, right));
    }
    let closer = match first {
        '[' => ']',
        '{' => '}',
        _ => return None,
    };
    let mut quoted = None;
    let mut before = first;
    for (at, c) in value.char_indices().skip_while(|(at, _)| *at <= start) {
        match quoted {
            Some(end) if c == end => quoted = None,
            None if matches!(c, '"' | '\'') => quoted = Some(c),
            // Between two items, rather than in the text of one.
            None if matches!(c, '，' | '、' | '；') && matches!(before, '"' | '\'' | ']' | '}') => {
                return Some((at, c, ','));
            }
            None if matches!(c, '：' | '﹕' | '︰') && matches!(before, '"' | '\'') => {
                return Some((at, c, ':'));
            }
            None if matches!(c, '］' | '｝') && !value.contains(closer) => {
                return Some((at, c, closer));
            }
            None if matches!(before, '[' | '{' | ',') && quote(c).is_some() => {
                return quote(c).map(|right| (at, c, right));
            }
            Some(_) | None => {}
        }
        if !c.is_whitespace() {
            before = c;
        }
    }
    None
}

/// The ASCII quote that a typographic one is taken for.
fn quote(c: char) -> Option<char> {
    match c {
        '“' | '”' | '„' | '‟' | '＂' => Some('"'),
        '‘' | '’' | '‚' | '‛' | '＇' => Some('\''),
        _ => None,
    }
}

/// The ASCII bracket that a wide one is taken for.
pub(crate) fn opening(c: char) -> Option<char> {
    match c {
        '［' => Some('['),
        '｛' => Some('{'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::code::Code;
    use crate::rules::Rules;
    use crate::skill;

    #[test]
    fn signs_that_are_not_of_yaml_are_named() {
        for (fields, place, words) in [
            (
                "name: pdf\ndescription: x\nmetadata: {\"a\"：\"b\"}",
                (Code::E003, 4, 15),
                "`：` (U+FF1A) is not the `:` of YAML",
            ),
            (
                "name: pdf\ndescription: x\nmetadata: {作者：甲, b: c}",
                (Code::L104, 4, 12),
                "`：` (U+FF1A) is not the `:` of YAML",
            ),
            (
                "name: pdf\ndescription: x\ntags:\n－ a\n－ b",
                (Code::E003, 5, 1),
                "`－` (U+FF0D) is not the `-` of YAML",
            ),
            (
                "name: pdf\ndescription: x\ntags:\n  － a\n  － b",
                (Code::E012, 4, 1),
                "begins with `－` (U+FF0D), which is not the `-` of YAML",
            ),
            (
                "name: pdf\ndescription: x\nallowed-tools: Bash（git add *）",
                (Code::E012, 4, 16),
                "`（` (U+FF08) is not the `(` of a tool",
            ),
            ("name：pdf\ndescription：x", (Code::E004, 2, 5), "`：` (U+FF1A) is not the `:` of YAML"),
            (
                "name: pdf\ndescription： x\nlicense: y",
                (Code::E003, 3, 12),
                "`：` (U+FF1A) is not the `:` of YAML",
            ),
            (
                "name: pdf\ndescription:\u{a0}x\nlicense: y",
                (Code::E003, 3, 13),
                "U+00A0 is not the blank of YAML",
            ),
            ("name:\u{3000}pdf", (Code::E004, 2, 6), "U+3000 is not the blank of YAML"),
            (
                "name: pdf\ndescription: “Reads: forms”",
                (Code::E003, 3, 14),
                "`“` (U+201C) is not the `\"` of YAML",
            ),
            (
                "name: pdf\ndescription: x\ntags: [\"a\"，\"b\"]",
                (Code::E003, 4, 11),
                "`，` (U+FF0C) is not the `,` of YAML",
            ),
            (
                "name: pdf\ndescription: x\ntags: [a, b］",
                (Code::E003, 4, 12),
                "`］` (U+FF3D) is not the `]` of YAML",
            ),
            (
                "name: pdf\ndescription: x\ntags: ［a, b］",
                (Code::E012, 4, 1),
                "begins with `［` (U+FF3B), which is not the `[` of YAML",
            ),
            (
                "name: pdf\ndescription: x\nallowed-tools: Read，Write",
                (Code::E012, 4, 16),
                "`，` (U+FF0C) is not the `,` of a list",
            ),
        ] {
            let text = format!("---\n{fields}\n---\nx\n");
            let (_, findings) = skill::read("s/pdf/SKILL.md", "pdf", text.as_bytes(), &Rules::default());
            let found = findings.iter().find(|finding| (finding.code, finding.line, finding.column) == place);
            let message = found.map(|finding| finding.message.clone()).unwrap_or_default();
            assert!(message.contains(words), "{fields}: {findings:#?}");
        }
    }

    #[test]
    fn wide_signs_in_a_text_are_text() {
        for fields in [
            "name: pdf\ndescription: 读取，填写（表单）：“快”",
            "name: pdf\ndescription: “Reads” forms",
            "name: pdf\ndescription: x\ntags: [\"a，b\", '［c］']",
            "name: pdf\ndescription: x\nallowed-tools: Bash(git commit -m \"你好，世界\")",
        ] {
            let text = format!("---\n{fields}\n---\nx\n");
            let (_, findings) = skill::read("s/pdf/SKILL.md", "pdf", text.as_bytes(), &Rules::default());
            assert!(
                findings.iter().all(|finding| !finding.message.contains("U+FF")),
                "{fields}: {findings:#?}"
            );
            assert!(findings.iter().all(|finding| finding.code != Code::E003), "{fields}: {findings:#?}");
        }
        // The fault is the bracket, not the comma.
        let text = "---\nname: pdf\ndescription: x\ntags: [甲，乙\n---\nx\n";
        let (_, findings) = skill::read("s/pdf/SKILL.md", "pdf", text.as_bytes(), &Rules::default());
        assert!(findings.iter().any(|finding| finding.code == Code::E003), "{findings:#?}");
        assert!(findings.iter().all(|finding| !finding.message.contains("U+FF0C")), "{findings:#?}");
    }
}
