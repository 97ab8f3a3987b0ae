//! The placeholders of a slash command's template.
//!
//! | placeholder | value |
//! | --- | --- |
//! | `{raw}` | the arguments as written, trimmed |
//! | `{args.positional.N}` | positional argument N, counted from 0 |
//! | `{args.flags.NAME}` | the value of a flag; `-` in the flag's name is `_` here |
//! | `$ARGUMENTS` | the same as `{raw}`, as in a skill |
//! | `$ARGUMENTS[N]` | the same as `{args.positional.N}` |
//!
//! Every other brace is plain text. This module doesn't fill in values (`skills-core` does) or guess what
//! else an author may have meant (`skills-source` does).

/// A placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placeholder<'t> {
    /// `{raw}`
    Raw,
    /// `{args.positional.N}`
    Positional(usize),
    /// `{args.flags.NAME}`
    Flag(&'t str),
}

/// The placeholder at the start of `text`, and its length in bytes.
pub fn placeholder(text: &str) -> Option<(Placeholder<'_>, usize)> {
    const RAW: &str = "{raw}";
    if text.starts_with(RAW) {
        return Some((Placeholder::Raw, RAW.len()));
    }
    if let Some(after) = text.strip_prefix("$ARGUMENTS") {
        return as_in_a_skill(after).map(|(found, len)| (found, text.len() - after.len() + len));
    }
    let (found, rest) = if let Some(rest) = text.strip_prefix("{args.positional.") {
        let (digits, rest) = split(rest, |c| c.is_ascii_digit())?;
        // No call has that many words.
        (Placeholder::Positional(digits.parse().unwrap_or(usize::MAX)), rest)
    } else {
        let rest = text.strip_prefix("{args.flags.")?;
        let (name, rest) = split(rest, |c| c.is_alphanumeric() || matches!(c, '_' | '-'))?;
        (Placeholder::Flag(name), rest)
    };
    Some((found, text.len() - rest.strip_prefix('}')?.len()))
}

/// The placeholder that begins with `$ARGUMENTS`, and how many bytes of what follows belong to it.
fn as_in_a_skill(after: &str) -> Option<(Placeholder<'_>, usize)> {
    if after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    let indexed = after.strip_prefix('[').and_then(|rest| split(rest, |c| c.is_ascii_digit()));
    Some(match indexed {
        Some((digits, rest)) if rest.starts_with(']') => {
            (Placeholder::Positional(digits.parse().unwrap_or(usize::MAX)), digits.len() + 2)
        }
        _ => (Placeholder::Raw, 0),
    })
}

/// The text up to the first character that isn't wanted, unless it is empty, and the rest.
fn split(text: &str, wanted: impl Fn(char) -> bool) -> Option<(&str, &str)> {
    let end = text.find(|c| !wanted(c)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_placeholders_count() {
        for (text, expected) in [
            ("{raw}}", Some((Placeholder::Raw, 5))),
            ("{args.positional.12}", Some((Placeholder::Positional(12), 20))),
            ("{args.positional.99999999999999999999999}", Some((Placeholder::Positional(usize::MAX), 41))),
            ("{args.flags.dry_run} x", Some((Placeholder::Flag("dry_run"), 20))),
            ("{args.flags.größe}", Some((Placeholder::Flag("größe"), 20))),
            ("$ARGUMENTS的", Some((Placeholder::Raw, 10))),
            ("$ARGUMENTS[2]", Some((Placeholder::Positional(2), 13))),
            ("$ARGUMENTS[x]", Some((Placeholder::Raw, 10))),
            ("$ARGUMENTS_FILE", None),
            ("$1", None),
            ("{ raw }", None),
            ("{raw", None),
            ("{RAW}", None),
            ("{args.positional.}", None),
            ("{args.positional.-1}", None),
            ("{args.positional.1", None),
            ("{args.flags.}", None),
            ("{args.flags.a b}", None),
            ("{args}", None),
            ("raw", None),
            ("", None),
        ] {
            assert_eq!(placeholder(text), expected, "{text}");
        }
    }
}
