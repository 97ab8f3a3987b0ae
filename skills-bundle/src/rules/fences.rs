//! Code fences in the body that are never closed: L129.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use skills_source::code::Code;
use skills_source::fault::Fault;
use skills_source::source::Span;

/// Judges the body, which is at `body` in `text`.
pub(crate) fn check(text: &str, body: Span) -> Option<Fault> {
    let part = &text[body.clone()];
    if !may_be_open(part) {
        return None;
    }
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_TASKLISTS;
    // The last block, and where its content ends.
    let mut last: Option<(Span, usize)> = None;
    let mut is_inside = false;
    for (event, range) in Parser::new_ext(part, options).into_offset_iter() {
        match (event, &mut last) {
            (Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))), last) => {
                let first = part[range.clone()].lines().next().unwrap_or_default();
                *last = Some((range.clone(), range.start + first.len()));
                is_inside = true;
            }
            (Event::Text(_), Some((_, end))) if is_inside => *end = range.end,
            (Event::End(TagEnd::CodeBlock), _) => is_inside = false,
            _ => {}
        }
    }
    // Only the last one can be open to the end.
    let (last, content_end) = last.filter(|(range, _)| part[range.end..].trim().is_empty())?;
    // Below the content of a closed one is the line that closes it.
    let below = part.get(content_end..last.end).unwrap_or_default();
    if below.contains(['`', '~']) {
        return None;
    }
    let block = &part[last.clone()];
    let sign = block.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let opening = block.chars().take_while(|c| *c == sign).count();
    let first = block.lines().next()?;
    let start = body.start + last.start;
    let fence: String = std::iter::repeat_n(sign, opening).collect();
    let fault =
        Fault::new(Code::L129, start..start + first.trim_end().len(), "the code fence is never closed")
            .label("all after this is code");
    Some(match too_deep(block, sign, opening) {
        Some(line) => fault
            .related(start + line.start..start + line.end, "this is indented too far to close it")
            .help("move that line to the left: with 4 blanks or a tab before it, a fence is a line of code"),
        None => fault.help(format!("write `{fence}` on a line of its own where the code ends")),
    })
}

/// The first line of an open block that would close it with less before it.
fn too_deep(block: &str, sign: char, opening: usize) -> Option<Span> {
    let mut at = 0;
    for (number, line) in block.split_inclusive('\n').enumerate() {
        // In a quote the line begins with its signs.
        let shown = line.trim().trim_start_matches(['>', ' ', '\t']);
        if number > 0 && shown.len() >= opening && shown.chars().all(|c| c == sign) {
            let end = at + line.trim_end().len();
            return Some(end - shown.len()..end);
        }
        at += line.len();
    }
    None
}

/// Whether a fence seems to be open at the end: if not, no Markdown has to be read.
fn may_be_open(body: &str) -> bool {
    let mut open: Option<(char, usize)> = None;
    for line in body.lines() {
        // So far in, it closes a fence of a list alone.
        let is_deep = line.starts_with("    ") || line.starts_with('>') || line.contains('\t');
        let line = line.trim_start_matches([' ', '\t', '>', '-', '*', '+', '.', ')']);
        let line = line.trim_start_matches(|c: char| c.is_ascii_digit() || " .)\t>".contains(c));
        let Some(sign) = line.chars().next().filter(|c| matches!(c, '`' | '~')) else { continue };
        let len = line.chars().take_while(|c| *c == sign).count();
        if len < 3 {
            continue;
        }
        let rest = line[len..].trim();
        match open {
            None if sign == '~' || !rest.contains('`') => open = Some((sign, len)),
            Some((opened, least)) if opened == sign && len >= least && rest.is_empty() => {
                if is_deep {
                    return true;
                }
                open = None;
            }
            _ => {}
        }
    }
    open.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str) -> Option<String> {
        let text = format!("--- é\n{body}");
        check(&text, 7..text.len()).map(|fault| text[fault.span].to_owned())
    }

    #[test]
    fn open_fences_are_found() {
        for (body, fence) in [
            ("```sh\nls\n\n## Next\n", "```sh"),
            ("a\n\n~~~\nb\n```\n", "~~~"),
            ("````md\n```\nx\n```\n", "````md"),
            ("```\na\n```\n\n```\nb", "```"),
            ("1. a\n\n   ```sh\n   ls\n", "```sh"),
            ("```", "```"),
            ("```\n``` no\n", "```"),
            ("```sh\nls\n    ```\n\nNext\n", "```sh"),
            ("```sh\nls\n\t```", "```sh"),
            ("> ```\n> a\n>     ```\n", "```"),
            ("- ```\n  a\n      ```\n", "```"),
        ] {
            assert_eq!(found(body).as_deref(), Some(fence), "{body}");
        }
    }

    #[test]
    fn a_fence_that_is_indented_too_far_is_named() {
        let of = |body: &str| check(body, 0..body.len()).map(|fault| (fault.related, fault.help));
        let (related, help) = of("```\nls\n    ```\n").expect("it is open");
        assert_eq!(related.first().map(|(span, _)| span.clone()), Some(11..14));
        assert!(help.contains("with 4 blanks or a tab before it"), "{help}");
        let (related, help) = of("```\nls\n").expect("it is open");
        assert!(related.is_empty() && help.starts_with("write `"), "{help}");
    }

    #[test]
    fn closed_ones_are_let_be() {
        for body in [
            "```sh\nls\n```\n\nNext\n",
            "```\na\n```",
            "````md\n```\nx\n````\n",
            "> ```\n> a\n> ```\n",
            "> ```\n> a\n\nnot in the quote any more\n",
            "- ```\n  a\n  ```\n",
            "`` ``` `` in a line, and ```code``` too\n",
            "    ```\n    indented code\n",
            "~~~\n```\n~~~\n",
            "```\n```",
            "~~~\n~~~\n",
            "```\na\n   ```\n",
            "1. a\n\n    ```sh\n    ls\n    ```\n\nNext\n",
            "- a\n  - b\n\n    ```\n    c\n    ```\n",
            "> ```\n>\n> a\n>   ```\n",
            "```\na\n\n\n```\n\n",
            "",
        ] {
            assert_eq!(found(body), None, "{body}");
        }
    }
}
