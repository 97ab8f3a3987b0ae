//! The arguments of a slash command: splits them into words and flags, and fills a template with them.
//!
//! Quotes group words, as in a shell. An apostrophe inside a word, or a quote that is never closed, is plain
//! text, since people write these arguments in prose. Nothing is executed. Arguments of a skill follow other
//! rules: see [`arguments`](super::arguments).

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use skills_pack::template::{Placeholder, placeholder};

/// The arguments of a call of a slash command.
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
    /// All arguments as written, trimmed.
    pub raw: String,
    /// The words that don't belong to a flag, in order, without their quotes.
    pub positional: Vec<String>,
    /// The flags by name, with `_` for `-`. If a flag is given twice, the last value counts. A flag without a
    /// value has the value `true`.
    pub flags: BTreeMap<String, String>,
}

impl CallArguments {
    /// Parses words, `--flag value`, `--flag=value`, `-v`, and groups such as `-vq`.
    ///
    /// `--flag` takes the next word as its value unless that word is a flag. To pass a switch before a word,
    /// write `--flag=true`, or put the switch last. Short flags take no value. After `--` everything is a
    /// word, and so are numbers such as `-5` and anything in quotes.
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

    /// Returns the value of a flag. `-` and `_` in its name are equivalent.
    pub fn flag(&self, name: &str) -> Option<&str> {
        let value =
            if name.contains('-') { self.flags.get(&name.replace('-', "_")) } else { self.flags.get(name) };
        value.map(String::as_str)
    }

    /// Returns `template` with `{raw}`, `{args.positional.N}` and `{args.flags.NAME}` replaced, and
    /// `$ARGUMENTS` and `$ARGUMENTS[N]`, which mean the first two. A missing argument becomes an empty string,
    /// and all other braces and dollar signs stay.
    ///
    /// There is one pass: inserted text is never scanned for placeholders.
    pub fn render(&self, template: &str) -> String {
        self.fill(template).0
    }

    /// Returns the text of a call with these arguments: the template, [rendered](Self::render). If it has no
    /// placeholder, the arguments follow it.
    pub fn put_into(&self, template: &str) -> String {
        let (mut text, has_place) = self.fill(template);
        if !has_place && !self.raw.is_empty() {
            text.push_str("\n\nArguments:\n");
            text.push_str(&self.raw);
        }
        text
    }

    /// The template, filled in, and whether it has a placeholder.
    fn fill(&self, template: &str) -> (String, bool) {
        let mut text = String::with_capacity(template.len() + self.raw.len());
        let mut has_place = false;
        let mut rest = template;
        while let Some(at) = rest.find(['{', '$']) {
            text.push_str(&rest[..at]);
            rest = &rest[at..];
            let Some((found, len)) = placeholder(rest) else {
                // `{` and `$` are one byte long.
                text.push_str(&rest[..1]);
                rest = &rest[1..];
                continue;
            };
            has_place = true;
            text.push_str(match found {
                Placeholder::Raw => &self.raw,
                Placeholder::Positional(index) => self.positional.get(index).map_or("", String::as_str),
                Placeholder::Flag(name) => self.flag(name).unwrap_or_default(),
            });
            rest = &rest[len..];
        }
        text.push_str(rest);
        (text, has_place)
    }

    fn set(&mut self, name: &str, value: String) {
        self.flags.insert(name.replace('-', "_"), value);
    }
}

const TRUE: &str = "true";

/// A word of the arguments, without its quotes.
struct Word {
    text: String,
    /// The byte offset at which a quoted part begins; a flag can't begin there.
    quoted_at: Option<usize>,
}

/// The flags that one word holds.
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
        // `=` inside quotes separates nothing.
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

/// Splits at white space. Quotes group words and are removed.
///
/// A quote opens a group if no letter or digit is before it and the same quote follows later, so `don't` is
/// one word and so is `a="b c"`.
fn words(text: &str) -> Vec<Word> {
    // The last position of each quote: none opens a group after it.
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
    fn words_and_flags_are_distinguished() {
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
