//! The parser's refusals: the one file that knows its words.
//!
//! `serde_yaml` gives an error as a place and an English sentence. [`PHRASES`] has every part of those
//! sentences that is acted on, and a test speaks each; so the manifests take exact versions of
//! `yaml_serde` and of `libyaml-rs`, where the words are. What to say to the author is not known here
//! (that is `explain`).

use super::lines;

/// What the parser may say, as far as it is acted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phrase {
    /// Blocks nest deeper than the parser goes.
    TooDeep,
    /// Aliases repeat more than the parser allows.
    TooMuchRepetition,
    /// A colon where no key can be.
    StrayColon,
    /// The YAML has ended, and more follows.
    SecondDocument,
    /// A value begins with a sign that none may begin with.
    BadStart,
    /// A quote is open at the end, or at a line such as `...`.
    OpenQuote,
    /// An escape that double quotes do not know.
    BadEscape,
    /// Something else than an item in brackets, or brackets that are open at the end.
    Brackets,
    /// A `*` or `&` that names nothing.
    Alias,
    /// A tab in the indentation, or the indentation ends in one.
    Tab,
    /// More than signs after `|` or `>`.
    BlockHeader,
    /// A dash on the line of a key.
    ListOnKeyLine,
    /// A line without a colon.
    NoColon,
    /// Something between a value and the next key or dash.
    AfterValue,
}

/// How the parser says each. Where it says two, the first of them counts.
const PHRASES: &[(Phrase, &str)] = &[
    (Phrase::TooDeep, "recursion limit"),
    (Phrase::TooMuchRepetition, "repetition limit"),
    (Phrase::StrayColon, "mapping values are not allowed"),
    (Phrase::SecondDocument, "more than one document"),
    (Phrase::BadStart, "cannot start any token"),
    (Phrase::OpenQuote, "while scanning a quoted scalar"),
    (Phrase::BadEscape, "while parsing a quoted scalar"),
    (Phrase::Brackets, "while parsing a flow"),
    (Phrase::Alias, "scanning an alias"),
    (Phrase::Alias, "scanning an anchor"),
    (Phrase::Alias, "unknown anchor"),
    (Phrase::Tab, "found a tab character"),
    (Phrase::BlockHeader, "block scalar"),
    (Phrase::ListOnKeyLine, "block sequence entries are not allowed"),
    (Phrase::NoColon, "could not find expected ':'"),
    (Phrase::AfterValue, "did not find expected key"),
    (Phrase::AfterValue, "did not find expected '-'"),
];

/// An error of the parser, taken apart.
#[derive(Debug)]
pub(super) struct Refusal {
    message: String,
    /// Where the parser stopped: a byte offset, if it says one.
    pub(super) at: Option<usize>,
}

impl Refusal {
    pub(super) fn of(error: &serde_yaml::Error) -> Self {
        Self { message: error.to_string(), at: error.location().map(|location| location.index()) }
    }

    /// What it says, in the order of [`PHRASES`].
    pub(super) fn phrases(&self) -> impl Iterator<Item = Phrase> + '_ {
        PHRASES.iter().filter(|(_, words)| self.message.contains(words)).map(|&(phrase, _)| phrase)
    }

    pub(super) fn says(&self, phrase: Phrase) -> bool {
        self.phrases().any(|said| said == phrase)
    }

    /// The reason, in the parser's own words, without the places.
    pub(super) fn reason(&self) -> &str {
        self.message.split(" at line ").next().unwrap_or("it cannot be read")
    }

    /// Where the thing began that the parser was reading when it stopped: the second place in its
    /// sentence, as an offset into `yaml`.
    pub(super) fn began_at(&self, yaml: &str) -> Option<usize> {
        let (_, context) = self.message.split_once(", while ")?;
        let (_, place) = context.rsplit_once("at line ")?;
        let (line, column) = place.split_once(" column ")?;
        let line: usize = line.parse().ok()?;
        let column: usize = column.parse().ok()?;
        let start = lines::line_start(yaml, line.checked_sub(1)?)?;
        let (at, _) = yaml[start..].char_indices().nth(column.checked_sub(1)?)?;
        Some(start + at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(yaml: &str) -> Refusal {
        let error = serde_yaml::from_str::<serde_yaml::Value>(yaml).expect_err(yaml);
        Refusal::of(&error)
    }

    /// Each row of the table, and YAML that the parser refuses with its words.
    fn spoken() -> Vec<(Phrase, &'static str, String)> {
        let nested: String = (0..150).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        let mut bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
        for (name, before) in ('b'..='i').zip('a'..) {
            bomb.push_str(&format!("{name}: &{name} [{}]\n", vec![format!("*{before}"); 9].join(",")));
        }
        [
            (Phrase::TooDeep, "recursion limit", nested.as_str()),
            (Phrase::TooMuchRepetition, "repetition limit", &bomb),
            (Phrase::StrayColon, "mapping values are not allowed", "a: b: c\n"),
            (Phrase::SecondDocument, "more than one document", "a: b\n---\nc: d\n"),
            (Phrase::BadStart, "cannot start any token", "a: @x\n"),
            (Phrase::OpenQuote, "while scanning a quoted scalar", "a: \"b\n"),
            (Phrase::BadEscape, "while parsing a quoted scalar", "a: \"\\d\"\n"),
            (Phrase::Brackets, "while parsing a flow", "a: [b\nc: d\n"),
            (Phrase::Alias, "scanning an alias", "a: *\n"),
            (Phrase::Alias, "scanning an anchor", "a: &\n"),
            (Phrase::Alias, "unknown anchor", "a: *b\n"),
            (Phrase::Tab, "found a tab character", "a:\n  b: c\n\td: e\n"),
            (Phrase::BlockHeader, "block scalar", "a: |b\n"),
            (Phrase::ListOnKeyLine, "block sequence entries are not allowed", "a: - b\n"),
            (Phrase::NoColon, "could not find expected ':'", "a: b\nc\nd: e\n"),
            (Phrase::AfterValue, "did not find expected key", "a: \"b\" c\n"),
            (Phrase::AfterValue, "did not find expected '-'", "a:\n  - b\n  c: d\n"),
        ]
        .map(|(phrase, words, yaml)| (phrase, words, yaml.to_owned()))
        .into()
    }

    #[test]
    fn each_phrase_is_still_spoken() {
        let spoken = spoken();
        let rows: Vec<_> = spoken.iter().map(|(phrase, words, _)| (*phrase, *words)).collect();
        assert_eq!(rows, PHRASES, "each row of the table has its YAML here");
        for (phrase, words, yaml) in spoken {
            let refusal = refusal(&yaml);
            assert!(refusal.message.contains(words), "{yaml:?}: {}", refusal.message);
            assert_eq!(refusal.phrases().next(), Some(phrase), "{yaml:?}: {}", refusal.message);
        }
    }

    #[test]
    fn variants_of_a_phrase_are_the_same_to_us() {
        for (phrase, yaml) in [
            (Phrase::OpenQuote, "a: 'b\n...\n"),
            (Phrase::BadEscape, "a: \"\\xzz\"\n"),
            (Phrase::BadEscape, "a: \"\\uD800\"\n"),
            (Phrase::Brackets, "a: {b\n"),
            (Phrase::Brackets, "a: {b: c]\n"),
            (Phrase::Brackets, "a: [,]\n"),
            (Phrase::Tab, "a: |\n\tb\n"),
            (Phrase::BlockHeader, "a: |0\n"),
        ] {
            let refusal = refusal(yaml);
            assert_eq!(refusal.phrases().next(), Some(phrase), "{yaml:?}: {}", refusal.message);
        }
    }

    #[test]
    fn places_and_reasons_are_read_from_the_sentence() {
        let yaml = "é: x\nk: é [\nd: [a, b\ne: f\n";
        let refusal = refusal(yaml);
        assert_eq!(refusal.began_at(yaml), yaml.find("[a"), "{}", refusal.message);
        assert_eq!(refusal.at, yaml.rfind(':'), "{}", refusal.message);
        assert_eq!(refusal.reason(), "did not find expected ',' or ']'");
        let without = super::Refusal { message: "no place".to_owned(), at: None };
        assert_eq!((without.began_at(yaml), without.reason()), (None, "no place"));
        assert_eq!(without.phrases().next(), None);
    }
}
