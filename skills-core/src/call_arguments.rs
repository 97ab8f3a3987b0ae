//! The arguments of a slash command: words and flags, and a template with them put in.
//!
//! Quotes group, as in a shell, but an apostrophe inside a word or one that nothing closes is text:
//! people write these arguments, in plain language. Nothing is ever executed. The arguments of a skill
//! are another matter (that is [`arguments`](super::arguments)).

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use skills_pack::template::{Placeholder, placeholder};

/// The arguments with which a slash command is called.
///
/// ```
/// use skills_core::CallArguments;
///
/// let arguments = CallArguments::parse("src/main.rs 'two words' --max-lines 5 -vq");
/// assert_eq!(arguments.positional, ["src/main.rs", "two words"]);
/// assert_eq!(arguments.flag("max-lines"), Some("5"));
/// assert_eq!(arguments.render("Explain {args.positional.0} in {args.flags.max_lines} lines."), "Explain src/main.rs in 5 lines.");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallArguments {
    /// All of it as it was written, trimmed.
    pub raw: String,
    /// The words that belong to no flag, in order, without their quotes.
    pub positional: Vec<String>,
    /// The flags by name, with `_` for `-`; of equal ones the last. A flag without a value has the value
    /// `true`.
    pub flags: BTreeMap<String, String>,
}

impl CallArguments {
    /// Reads `--flag value`, `--flag=value`, `-v`, bundles such as `-vq`, and words.
    ///
    /// `--flag` takes the next word as its value unless that is a flag itself, so a switch before a word
    /// is written `--flag=true` or after it. `-v` and its like take none. After `--` everything is a
    /// word; so are numbers such as `-5`, and what stands in quotes.
    pub fn parse(text: &str) -> Self {
        let mut arguments = Self { raw: text.trim().to_owned(), ..Self::default() };
        let mut words = words(&arguments.raw).into_iter().peekable();
        let mut only_words = false;
        while let Some(word) = words.next() {
            let flags = if only_words { Flags::None } else { Flags::of(&word) };
            match flags {
                Flags::None => arguments.positional.push(word.text),
                Flags::End => only_words = true,
                Flags::Long { name, value: Some(value) } => arguments.set(&name, value),
                Flags::Long { name, value: None } => {
                    let value = words.next_if(|next| matches!(Flags::of(next), Flags::None));
                    arguments.set(&name, value.map_or_else(|| TRUE.to_owned(), |word| word.text));
                }
                Flags::Short { letters, value } => {
                    for letter in letters.chars() {
                        arguments.set(letter.encode_utf8(&mut [0; 4]), TRUE.to_owned());
                    }
                    if let (Some(value), Some(last)) = (value, letters.chars().last()) {
                        arguments.set(last.encode_utf8(&mut [0; 4]), value);
                    }
                }
            }
        }
        arguments
    }

    /// The value of a flag. `-` and `_` in its name are the same.
    pub fn flag(&self, name: &str) -> Option<&str> {
        let value =
            if name.contains('-') { self.flags.get(&name.replace('-', "_")) } else { self.flags.get(name) };
        value.map(String::as_str)
    }

    /// The template with these arguments put in: `{raw}`, `{args.positional.N}` and `{args.flags.NAME}`.
    /// What is missing leaves nothing behind, and every other brace stays.
    ///
    /// There is one pass: what was put in is never looked at again.
    pub fn render(&self, template: &str) -> String {
        let mut text = String::with_capacity(template.len() + self.raw.len());
        let mut rest = template;
        while let Some(at) = rest.find('{') {
            text.push_str(&rest[..at]);
            rest = &rest[at..];
            let Some((found, len)) = placeholder(rest) else {
                // The sign is one byte.
                text.push('{');
                rest = &rest[1..];
                continue;
            };
            text.push_str(match found {
                Placeholder::Raw => &self.raw,
                Placeholder::Positional(index) => self.positional.get(index).map_or("", String::as_str),
                Placeholder::Flag(name) => self.flag(name).unwrap_or_default(),
            });
            rest = &rest[len..];
        }
        text.push_str(rest);
        text
    }

    fn set(&mut self, name: &str, value: String) {
        self.flags.insert(name.replace('-', "_"), value);
    }
}

const TRUE: &str = "true";

/// A word of the arguments, without its quotes.
struct Word {
    text: String,
    /// Where in the text the part begins that stood in quotes; what begins with it is no flag.
    quoted_at: Option<usize>,
}

/// What flags a word gives.
enum Flags {
    None,
    /// `--`
    End,
    Long {
        name: String,
        value: Option<String>,
    },
    Short {
        letters: String,
        value: Option<String>,
    },
}

impl Flags {
    fn of(word: &Word) -> Self {
        let text = word.text.as_str();
        if word.quoted_at == Some(0) {
            return Self::None;
        }
        if text == "--" {
            return Self::End;
        }
        let (name, value) =
            text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value.to_string())));
        // A sign in quotes is no sign.
        if word.quoted_at.is_some_and(|at| at < name.len()) {
            return Self::None;
        }
        let is_name = |name: &str| {
            name.starts_with(char::is_alphanumeric)
                && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
        };
        if let Some(name) = name.strip_prefix("--") {
            return if is_name(name) { Self::Long { name: name.to_owned(), value } } else { Self::None };
        }
        match name.strip_prefix('-') {
            Some(letters) if !letters.is_empty() && letters.chars().all(char::is_alphabetic) => {
                Self::Short { letters: letters.to_owned(), value }
            }
            _ => Self::None,
        }
    }
}

/// The words: white space separates, and quotes group and are taken off.
///
/// A quote opens a group where no letter or digit stands before it and an equal one closes it later, so
/// that `don't` is a word and `a="b c"` is one too.
fn words(text: &str) -> Vec<Word> {
    // Where the last of each quote stands: after it none can be closed.
    let last = |quote| text.rfind(quote).unwrap_or(0);
    let (last_double, last_single) = (last('"'), last('\''));
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let closed_later = match c {
            '"' => at < last_double,
            '\'' => at < last_single,
            _ => false,
        };
        match quote {
            Some(open) if c == open => quote = None,
            None if closed_later && !before.is_alphanumeric() => {
                quote = Some(c);
                let word = word.get_or_insert(Word { text: String::new(), quoted_at: None });
                word.quoted_at.get_or_insert(word.text.len());
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert(Word { text: String::new(), quoted_at: None }).text.push(c),
        }
        before = c;
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (Vec<String>, Vec<String>) {
        let arguments = CallArguments::parse(text);
        let flags = arguments.flags.iter().map(|(name, value)| alloc::format!("{name}={value}")).collect();
        (arguments.positional, flags)
    }

    #[test]
    fn words_and_flags_are_told_apart() {
        for (text, positional, flags) in [
            ("", &[][..], &[][..]),
            ("a  b\n\tc", &["a", "b", "c"], &[]),
            ("'a b' \"c d\" ''", &["a b", "c d", ""], &[]),
            ("--lang rust x", &["x"], &["lang=rust"]),
            ("x --lang=rust --dry-run", &["x"], &["dry_run=true", "lang=rust"]),
            ("--a --b c", &[], &["a=true", "b=c"]),
            ("--a=1 --a 2", &[], &["a=2"]),
            ("--msg=\"two words\" --m 'a b'", &[], &["m=a b", "msg=two words"]),
            ("--a '--b' \"-c\"", &["-c"], &["a=--b"]),
            ("--a= --b=c=d", &[], &["a=", "b=c=d"]),
            ("-v file -xq", &["file"], &["q=true", "v=true", "x=true"]),
            ("-vo=out.txt", &[], &["o=out.txt", "v=true"]),
            ("--count -5 -3 -", &["-3", "-"], &["count=-5"]),
            ("--a -- --b -c", &["--b", "-c"], &["a=true"]),
            ("--- --=x -->x -a/b", &["---", "--=x", "-->x", "-a/b"], &[]),
            ("it's ok, don't 'stop", &["it's", "ok,", "don't", "'stop"], &[]),
            ("path=\"a b\"c ('x y')", &["path=a bc", "(x y)"], &[]),
            ("C:\\dir \\\"x", &["C:\\dir", "\\\"x"], &[]),
            ("-é --größe=1", &[], &["größe=1", "é=true"]),
        ] {
            let (found, found_flags) = parsed(text);
            assert_eq!((found, found_flags), (owned(positional), owned(flags)), "{text}");
        }
    }

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn templates_are_filled_in_one_pass() {
        let arguments = CallArguments::parse(" a '{raw}' --dry-run {args.positional.0} ");
        for (template, expected) in [
            ("{raw}", "a '{raw}' --dry-run {args.positional.0}"),
            ("{args.positional.0}|{args.positional.1}|{args.positional.2}|", "a|{raw}||"),
            (
                "{args.flags.dry_run}{args.flags.dry-run}{args.flags.x}",
                "{args.positional.0}{args.positional.0}",
            ),
            (
                "{{raw}} {x} {} { \"a\": 1 } {args} {",
                "{a '{raw}' --dry-run {args.positional.0}} {x} {} { \"a\": 1 } {args} {",
            ),
            ("", ""),
        ] {
            assert_eq!(arguments.render(template), expected, "{template}");
        }
        assert_eq!(CallArguments::default().render("<{raw}{args.positional.0}{args.flags.a}>"), "<>");
    }
}
