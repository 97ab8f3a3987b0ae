//! Where a text names a skill: `` `name` ``, `/name`, `$name`, or a link to its directory.

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
    let mut at = 0;
    while let Some(start) = body[at..].find(is_letter).map(|start| at + start) {
        let end = body[start..].find(|c| !is_letter(c)).map_or(body.len(), |len| start + len);
        at = end;
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
        assert_eq!(named("a/b /usr/bin /x.md `a b` pdf-forms $x_y /f(x) http://y"), [""; 0]);
    }
}
