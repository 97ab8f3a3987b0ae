//! Invalid arguments, and help.

use crate::place::Place;

#[test]
fn wrong_usage_is_reported_in_both_formats() {
    let place = Place::new();
    let wrong: [&[&str]; 25] = [
        &["prompt", "--format", "nobody"],
        &["export"],
        &["mcp", "x"],
        &["install"],
        &["install", "--agent", "emacs"],
        &["uninstall", "--agent", "codex", "--dir", "x"],
        &["load"],
        &["prompt", "--budget", "-1"],
        &["read", "a"],
        &["search"],
        &["check"],
        &["new"],
        &["call"],
        &["list", "--root"],
        &["list", "--no-such"],
        &["search", "x", "--ranking", "best"],
        &["search", "x", "--limit", "0"],
        &["search", "x", "--limit", "26"],
        &["search", "x", "--limit", "many"],
        &["read", "a", "b", "--offset", "-1"],
        &["schema", "--for", "nobody"],
        &["test", "--min-rank1", "101"],
        &["test", "--max-drop", "5"],
        &["test", "--init", "--min-rank1", "5"],
        &["why", "write-skill"],
    ];
    for args in wrong {
        let ran = place.run(args);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", 2), "{args:?}");
        assert!(
            ran.stderr.starts_with("skills: ") && ran.stderr.ends_with("help: try `--help`\n"),
            "{}",
            ran.stderr
        );
        let ran = place.run(["--json"].iter().chain(args));
        assert_eq!((ran.error_code().as_str(), ran.code, ran.stderr.as_str()), ("USAGE", 2, ""), "{args:?}");
    }
}

#[test]
fn an_unknown_command_is_named() {
    let ran = Place::new().run(["lits", "--json"]);
    let error = &ran.json()["error"];
    assert_eq!(error["message"], "unknown command `lits`");
    assert_eq!(error["suggestion"], "did you mean `list`?");
    for (typed, meant) in [
        ("validte", "did you mean `validate`?"),
        ("chek", "did you mean `check`?"),
        ("isntall", "did you mean `install`, `uninstall`?"),
        ("lnit", "did you mean `lint`, `init`?"),
        ("frobnicate", "Usage: skills [OPTIONS] <COMMAND>"),
    ] {
        let ran = Place::new().run([typed, "--json"]);
        assert_eq!(ran.json()["error"]["suggestion"], meant, "{typed}");
    }
    insta::assert_snapshot!(Place::new().run(["lits"]).stderr, @r"
    skills: unknown command `lits`
    help: did you mean `list`?

    Usage: skills [OPTIONS] <COMMAND>

    help: try `--help`
    ");
}

#[test]
fn an_unknown_ranking_lists_the_known_ones() {
    insta::assert_snapshot!(Place::new().run(["search", "x", "--ranking", "best"]).stderr, @r"
    skills: invalid value `best` for `--ranking <NAME>`
    help: possible values: `hybrid`, `reference`
    help: try `--help`
    ");
}

#[test]
fn no_command_shows_the_help() {
    let ran = Place::new().run([""; 0]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 2));
    assert!(ran.stderr.contains("Usage: skills [OPTIONS] <COMMAND>") && ran.stderr.contains("Examples:"));
    let ran = Place::new().run(["--json"]);
    assert_eq!((ran.error_code().as_str(), ran.code), ("USAGE", 2));
}

#[test]
fn json_after_two_dashes_is_not_an_option() {
    let ran = Place::new().run(["search", "--", "--json"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("No skills matched query: '--json'\n", 1));
    let ran = Place::new().run(["load", "--", "--json", "more"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 1));
    assert!(ran.stderr.starts_with("skills: no skill is named `--json`"), "{}", ran.stderr);
}

#[test]
fn help_and_version_succeed() {
    let place = Place::new();
    for (args, key) in [
        (&["--help"][..], "help"),
        (&["help", "check"], "help"),
        (&["load", "-h"], "help"),
        (&["-V"], "version"),
    ] {
        let ran = place.run(args);
        assert!(ran.code == 0 && ran.stderr.is_empty() && ran.stdout.ends_with('\n'), "{args:?}");
        let ran = place.run(["--json"].iter().chain(args));
        assert!(ran.code == 0 && ran.json()[key].is_string(), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn arguments_need_not_be_utf8() {
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::OsStrExt as _;

    let place = Place::new();
    let odd = || OsStr::from_bytes(b"\xff\xfe").to_owned();
    let word = OsString::from;
    let commands = [
        (vec![odd()], 2),
        (vec![word("load"), odd()], 2),
        (vec![word("search"), odd()], 2),
        (vec![word("call"), odd()], 2),
        (vec![word("new"), odd()], 2),
        (vec![word("check"), odd()], 2),
        (vec![word("read"), word("write-skill"), odd()], 1),
        (vec![word("list"), word("--root"), odd()], 2),
        (vec![word("new"), word("x"), word("--dir"), odd()], 0),
    ];
    for (args, code) in commands {
        let ran = place.run(&args);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
        let ran = place.run(args.iter().cloned().chain([word("--json")]));
        ran.json();
    }
}
