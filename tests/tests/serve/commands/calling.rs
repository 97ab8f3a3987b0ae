//! Calls with a slash.

use skills::commands::{Callable, Invocation, parse_invocation};
use skills::{Audience, Registry};

use super::{COMMANDS, registry};

fn invoked(text: &str) -> Invocation<'static> {
    registry().invoke(text).expect("nothing is missing").unwrap_or_else(|| panic!("`{text}` calls nothing"))
}

/// The text that is sent.
fn sent(text: &str) -> String {
    invoked(text).text
}

#[test]
fn a_command_is_called_from_either_end() {
    assert_eq!(sent("/explain src/main.rs"), "Explain src/main.rs");
    assert_eq!(sent("src/main.rs /explain"), "Explain src/main.rs");
    assert_eq!(sent("  /explain\n'src/my main.rs'\n"), "Explain src/my main.rs");
    assert_eq!(sent("/Explain x"), "Explain x");
    assert_eq!(sent("/explain"), "Explain ");
    // The name at the start is called, and the rest is its arguments.
    assert_eq!(sent("/explain /review"), "Explain /review");
    assert_eq!(sent("/usr /explain"), "Explain /usr");
}

#[test]
fn a_name_inside_a_sentence_calls_nothing() {
    for text in [
        "",
        "   ",
        "/",
        "explain",
        "what does /explain do?",
        "use /explain, please",
        "I mean /explain.",
        "see /usr/bin/explain",
        "a/explain",
        "x/explain /",
        "// explain",
        "/ explain",
        "/usr/bin is full",
        "./explain x",
        "\u{2044}explain",
    ] {
        assert!(registry().invoke(text).is_ok_and(|found| found.is_none()), "{text}");
    }
}

#[test]
fn an_unknown_name_at_the_start_is_an_error_with_a_suggestion() {
    let error = registry().invoke("/explian x").expect_err("there is none");
    assert_eq!(error.code(), "COMMAND_NOT_FOUND");
    assert_eq!(error.suggestion(), "did you mean /explain?");
    assert_eq!(
        error.to_string(),
        "Error: slash command not found: '/explian'. Try skills_tool action=list. Did you mean '/explain'?"
    );
    // At the end it is more likely a path or a word.
    assert!(registry().invoke("look into /tmp").is_ok_and(|found| found.is_none()));
    // A suggestion never names a skill that the caller may not call.
    assert!(registry().invoke("/model-only").is_err());
    assert!(!registry().invoke("/model-onl").expect_err("there is none").suggestion().contains("model-only"));
}

#[test]
fn arguments_are_words_and_flags() {
    let text = sent("/review HEAD~1 --lang=rust --dry-run -v");
    assert_eq!(
        text,
        "Review HEAD~1.\nAll of it: HEAD~1 --lang=rust --dry-run -v\n\
         Language: rust; dry run: true; {other} {\"json\": 1}"
    );
    let call = invoked("/review 'a b' --lang c -xq");
    assert_eq!((call.target.name(), call.target.argument_hint()), ("review", Some("[range]")));
    assert_eq!(call.arguments.positional, ["a b"]);
    assert_eq!(call.arguments.flag("lang"), Some("c"));
    assert!(call.arguments.flag("x") == Some("true") && call.arguments.flag("q") == Some("true"));
}

/// The name at the end isn't the value of the flag before it.
#[test]
fn flags_are_read_at_either_end() {
    for (start, end) in [
        ("/review 'a b' --lang c", "'a b' --lang c /review"),
        ("/review x --dry-run", "x --dry-run /review"),
        ("/review -vq", "-vq /review"),
    ] {
        let (start, end) = (invoked(start), invoked(end));
        assert_eq!((&start.arguments, &start.text), (&end.arguments, &end.text));
    }
    assert_eq!(invoked("x --dry-run /review").arguments.flag("dry-run"), Some("true"));
    for text in ["x /review --lang c", "x /review -v"] {
        assert!(registry().invoke(text).is_ok_and(|found| found.is_none()), "{text}");
    }
}

#[test]
fn inserted_text_is_never_expanded() {
    assert_eq!(
        sent("/greet {raw} {args.positional.0} $ARGUMENTS"),
        "Greet {raw} {args.positional.0} $ARGUMENTS"
    );
    assert_eq!(sent("/explain '{args.positional.0}{raw}'"), "Explain {args.positional.0}{raw}");
    assert_eq!(
        sent("/pdf '$ARGUMENTS' '$file'"),
        "Read $ARGUMENTS, pages $file, of '$ARGUMENTS' '$file'. See commands/pdf."
    );
}

#[test]
fn skills_are_commands_unless_a_command_has_the_name() {
    assert!(matches!(invoked("/greet you").target, Callable::Command(_)));
    assert_eq!(sent("/greet you"), "Greet you");
    assert_eq!(sent("/pdf a.pdf 1-2"), "Read a.pdf, pages 1-2, of a.pdf 1-2. See commands/pdf.");
    assert_eq!(sent("a.pdf 1-2 /pdf"), sent("/pdf a.pdf 1-2"));
    // The user is asking, whatever the registry's audience.
    assert_eq!(sent("/by-hand 'now then'"), "By hand: now then");
    assert!(registry().load("by-hand").is_err());
    assert!(registry().invoke("/model-only").is_err());
    let everyone = registry().for_audience(Audience::Everyone);
    assert!(everyone.load("model-only").is_ok() && everyone.invoke("/model-only").is_err());
    let names: Vec<&str> = registry().callables().iter().map(Callable::name).collect();
    assert_eq!(names, ["by-hand", "explain", "greet", "pdf", "review"]);
    assert!(matches!(registry().callables()[2], Callable::Command(_)));
    // A hidden command can still be called.
    assert_eq!(sent("/secret-menu x"), "Explain x");
}

#[test]
fn the_host_keeps_its_names() {
    let registry = Registry::new(&COMMANDS).with_reserved(&["help", "/PDF", "explain", "Secret-Menu"]);
    let reserved: Vec<_> =
        registry.reserved().iter().map(|found| (found.name(), matches!(found, Callable::Skill(_)))).collect();
    assert_eq!(reserved, [("explain", false), ("pdf", true), ("secret-menu", false)]);
    for text in ["/pdf a.pdf", "/help", "/Explain x", "x /explain", "/secret-menu"] {
        assert!(registry.invoke(text).is_ok_and(|found| found.is_none()), "{text}");
    }
    // The skill can still be loaded by its name, and the definition is shown.
    assert!(registry.load("pdf").is_ok() && registry.load_command("/explain").is_ok());
    let names: Vec<&str> = registry.callables().iter().map(Callable::name).collect();
    assert_eq!(names, ["by-hand", "greet", "review"]);
    assert!(registry.invoke("/review x").is_ok_and(|found| found.is_some()));
    assert_eq!(
        registry.invoke("/explan").expect_err("there is none").suggestion(),
        "list to see the slash commands; a skill has no slash before its name"
    );
}

#[test]
fn a_message_is_parsed_by_the_known_names() {
    let read = |text| parse_invocation(text, |name| ["a", "b-c"].contains(&name));
    assert_eq!(read("/a"), Some(("a", "")));
    assert_eq!(read("/a\n  x\ty \n"), Some(("a", "x\ty")));
    assert_eq!(read("x y\u{3000}/b-c"), Some(("b-c", "x y")));
    assert_eq!(read("/d x /a"), Some(("a", "/d x")));
    assert_eq!(read("/d x"), None);
    assert_eq!(read("x /a y"), None);
    assert_eq!(read("/a: x"), None);
}
