//! Where a text names a skill: `` `name` ``, `/name` or `$name`, outside of blocks of code.

use skills_source::source::Span;

/// A place in a text that names a skill or command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    /// Where the name is, without what is before it.
    pub(crate) span: Span,
    pub(crate) name: String,
}

/// The places in `part` of a text that may name a skill. Whether one of that name exists is for the caller.
pub(crate) fn mentions(text: &str, part: Span) -> Vec<Mention> {
    let mut mentions = Vec::new();
    let body = &text[part.clone()];
    let code = fenced(body);
    let mut at = 0;
    while let Some(start) = body[at..].find(is_letter).map(|start| at + start) {
        let end = body[start..].find(|c| !is_letter(c)).map_or(body.len(), |len| start + len);
        at = end;
        // There a `$name` is a variable, and `/name` a directory.
        if code.iter().any(|block| block.contains(&start)) {
            continue;
        }
        let mut before = body[..start].chars().rev();
        let after = body[end..].chars().next();
        let is_meant = match (before.next(), before.next()) {
            (Some('`'), _) => after == Some('`'),
            (Some('/' | '$'), above) => {
                let begins = above.is_none_or(|c| c.is_whitespace() || matches!(c, '`' | '(' | '"' | '\''));
                let ends = after.is_none_or(|c| !matches!(c, '/' | '_' | '(' | '['));
                // `/etc.` may end a sentence, `/a.md` is a file.
                let is_file =
                    after == Some('.') && body[end + 1..].chars().next().is_some_and(char::is_alphanumeric);
                begins && ends && !is_file
            }
            _ => false,
        };
        if is_meant {
            let span = part.start + start..part.start + end;
            mentions.push(Mention { span, name: body[start..end].to_owned() });
        }
    }
    mentions
}

/// The blocks of code between fences. One that is never closed goes on to the end.
fn fenced(text: &str) -> Vec<Span> {
    let (mut blocks, mut open, mut at) = (Vec::new(), None, 0);
    for line in text.split_inclusive('\n') {
        let shown = line.trim_start_matches([' ', '\t', '>']).trim_end();
        let sign = shown.chars().next().filter(|c| matches!(c, '`' | '~'));
        let count = sign.map_or(0, |sign| shown.chars().take_while(|c| *c == sign).count());
        match open {
            None if count >= 3 && !(sign == Some('`') && shown[count..].contains('`')) => {
                open = Some((sign, count, at));
            }
            Some((opened, least, start)) if sign == opened && count >= least && shown.len() == count => {
                blocks.push(start..at + line.len());
                open = None;
            }
            _ => {}
        }
        at += line.len();
    }
    blocks.extend(open.map(|(_, _, start)| start..text.len()));
    blocks
}

/// Whether a character can be in a name.
pub(crate) fn is_letter(c: char) -> bool {
    c == '-' || c.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_where_they_are_meant() {
        let named = |text: &str| -> Vec<String> {
            let found = mentions(text, 0..text.len());
            assert!(found.iter().all(|mention| text[mention.span.clone()] == mention.name));
            found.into_iter().map(|mention| mention.name).collect()
        };
        assert_eq!(
            named("Use `pdf-forms`, /review or $deploy. Then `/x`."),
            ["pdf-forms", "review", "deploy", "x"]
        );
        assert_eq!(named("é `名前` /end."), ["名前", "end"]);
        assert_eq!(named("`a`\n```sh\necho $b /c `d`\n```\n/e\n> ~~~~\n> ~~~\n> /f\n"), ["a", "e"]);
        assert_eq!(named("a/b /usr/bin /x.md `a b` pdf-forms $x_y /f(x) http://y"), [""; 0]);
    }
}
