//! Code fences in the body that are never closed: L129.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
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
    let blocks = Parser::new_ext(part, options).into_offset_iter().filter_map(|(event, range)| match event {
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => Some(range),
        _ => None,
    });
    // Only the last one can be open to the end.
    let last = blocks.last().filter(|range| part[range.end..].trim().is_empty())?;
    let block = &part[last.clone()];
    let sign = block.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let opening = block.chars().take_while(|c| *c == sign).count();
    let mut lines = block.lines();
    let first = lines.next()?;
    let closes = |line: &str| {
        // In a quote or a list the line begins with its signs.
        let line = line.trim().trim_start_matches(['>', ' ', '\t']);
        line.len() >= opening && line.chars().all(|c| c == sign)
    };
    if lines.next_back().is_some_and(closes) {
        return None;
    }
    let start = body.start + last.start;
    let fence: String = std::iter::repeat_n(sign, opening).collect();
    Some(
        Fault::new(Code::L129, start..start + first.trim_end().len(), "the code fence is never closed")
            .label("all after this is code")
            .help(format!("write `{fence}` on a line of its own where the code ends")),
    )
}

/// Whether a fence seems to be open at the end: if not, no Markdown has to be read.
fn may_be_open(body: &str) -> bool {
    let mut open: Option<(char, usize)> = None;
    for line in body.lines() {
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
            Some((opened, least)) if opened == sign && len >= least && rest.is_empty() => open = None,
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
        ] {
            assert_eq!(found(body).as_deref(), Some(fence), "{body}");
        }
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
            "",
        ] {
            assert_eq!(found(body), None, "{body}");
        }
    }
}
