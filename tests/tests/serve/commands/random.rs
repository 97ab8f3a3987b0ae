//! Random definitions and calls always get an answer and never panic.

use skills::commands::{CallArguments, parse_invocation};
use skills_source::command::{self, TemplateFile};
use skills_source::rules::Rules;
use skills_tests::prng::Prng;

use super::registry;

const ROUNDS: usize = 5_000;

const PIECES: [&str; 40] = [
    "/",
    "explain",
    "review",
    "greet",
    "pdf",
    " ",
    "  ",
    "\n",
    "\t",
    "'",
    "\"",
    "\\",
    "--",
    "-",
    "-v",
    "-xq",
    "=",
    "--a",
    "--a-b=",
    "{",
    "}",
    "{raw}",
    "{args.positional.0}",
    "{args.positional.99999999999999999999}",
    "{args.flags.a_b}",
    "{args.flags.",
    "{args.positional.",
    "$ARGUMENTS",
    "$0",
    "\\$",
    "${SKILL_DIR}",
    "é",
    "👩‍💻",
    "\u{3000}",
    "\0",
    "\u{202e}",
    "5",
    "word",
    "a/b",
    ": ",
];

fn random(prng: &mut Prng, most: usize) -> String {
    let count = prng.below(most);
    (0..count).map(|_| *prng.pick(&PIECES)).collect()
}

#[test]
fn any_text_is_read_and_rendered() {
    let mut prng = Prng::new(4);
    for _ in 0..ROUNDS {
        let (template, text) = (random(&mut prng, 12), random(&mut prng, 12));
        let arguments = CallArguments::parse(&text);
        assert_eq!(arguments.raw, text.trim());
        let rendered = arguments.render(&template);
        // Where nothing is put in, nothing is changed.
        if !["{raw}", "{args.", "$ARGUMENTS"].iter().any(|place| template.contains(place)) {
            assert_eq!(rendered, template);
        }
        // Two templates side by side give the two texts side by side, unless they make a placeholder.
        if !template.contains(['{', '}', '$']) {
            assert_eq!(
                arguments.render(&format!("{template}{{raw}}{template}")),
                format!("{template}{}{template}", arguments.raw)
            );
        }
        assert!(arguments.positional.iter().map(String::len).sum::<usize>() <= text.len());
        if let Some((name, arguments)) = parse_invocation(&text, |_| true) {
            assert!(text.contains(&format!("/{name}")) && text.contains(arguments));
            assert!(!name.contains(char::is_whitespace) && arguments.trim() == arguments);
        }
        if let Ok(Some(invocation)) = registry().invoke(&text) {
            assert_eq!(
                registry().callable(invocation.target.name()).map(|found| found.name()),
                Some(invocation.target.name())
            );
        }
    }
}

/// Words and flags that are written out can be parsed back.
#[test]
fn quoted_words_can_be_parsed_back() {
    let mut prng = Prng::new(5);
    for _ in 0..ROUNDS {
        let words: Vec<String> = (0..prng.below(6)).map(|_| random(&mut prng, 5).replace('"', "")).collect();
        let written: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let arguments = CallArguments::parse(&written.join(" "));
        assert_eq!(arguments.positional, words);
        assert!(arguments.flags.is_empty());
        let flags: Vec<String> =
            words.iter().enumerate().map(|(at, word)| format!("--flag-{at}=\"{word}\"")).collect();
        let arguments = CallArguments::parse(&flags.join("\n"));
        let read: Vec<&str> =
            (0..words.len()).filter_map(|at| arguments.flag(&format!("flag_{at}"))).collect();
        assert_eq!(read, words);
        let placeholders: String = (0..words.len()).map(|at| format!("{{args.flags.flag_{at}}}")).collect();
        assert_eq!(arguments.render(&placeholders), words.concat());
    }
}

#[test]
fn any_definition_gets_an_answer() {
    let mut prng = Prng::new(6);
    let good = "name: explain\ndescription: Explains a file\ntype: text\ntemplate_path: explain.txt\nargument_hint: \"<x>\"\n";
    for _ in 0..2_000 {
        let mut text = good.to_owned();
        for _ in 0..prng.below(3) {
            let mut at = prng.below(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.insert_str(at, &random(&mut prng, 3));
        }
        let template = random(&mut prng, 20);
        let (command, findings) =
            command::read("c/explain.command.yaml", text.as_bytes(), &Rules::default(), |_| {
                Ok(TemplateFile { path: "c/explain.txt".to_owned(), bytes: template.clone().into_bytes() })
            });
        assert!(command.is_some() || !findings.is_empty(), "nothing is read and nothing is said: {text:?}");
        for finding in &findings {
            let excerpt = finding.excerpt();
            assert!(
                excerpt
                    .is_none_or(|excerpt| excerpt.start <= excerpt.end && excerpt.end <= excerpt.text.len())
            );
            assert!(
                !finding.message.contains("frontmatter") && !finding.help.contains("SKILL.md"),
                "{finding}: {}",
                finding.help
            );
        }
    }
}

/// A megabyte of anything takes little time. If the time grew with the square of the length, this would take days.
#[test]
fn long_texts_are_read_in_linear_time() {
    for piece in ["{", "'", "\"", " ' ", "-a ", "--a b ", "{raw", "/a ", "é "] {
        let long = piece.repeat((1 << 20) / piece.len());
        let arguments = CallArguments::parse(&long);
        assert!(arguments.render(&long).len() >= long.len() / 2);
        let _ = (
            parse_invocation(&long, |_| false),
            registry().invoke(&long),
            registry().invoke(&format!("/explain {long}")),
        );
    }
    let distinct: String = (0..100_000).map(|at| format!("--f{at} ")).collect();
    assert_eq!(CallArguments::parse(&distinct).flags.len(), 100_000);
}
