//! Characters that look like YAML's own signs and are others: a full-width colon, a no-break space.

use crate::fault::Fault;
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
            return;
        }
        at += line.len() + 1;
        if !whole {
            return;
        }
    }
}

/// The first sign of a line that is not YAML's, and which it is taken for.
fn wrong_sign(line: &str) -> Option<(usize, char, char)> {
    let is_blank = |c: char| c.is_whitespace() && !c.is_ascii();
    let indent = line.len() - line.trim_start().len();
    if let Some((at, c)) = line[..indent].char_indices().find(|(_, c)| is_blank(*c)) {
        return Some((at, c, ' '));
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
        ] {
            let text = format!("---\n{fields}\n---\nx\n");
            let (_, findings) = skill::read("s/pdf/SKILL.md", "pdf", text.as_bytes(), &Rules::default());
            let found = findings.iter().find(|finding| (finding.code, finding.line, finding.column) == place);
            let message = found.map(|finding| finding.message.clone()).unwrap_or_default();
            assert!(message.contains(words), "{fields}: {findings:#?}");
        }
    }
}
