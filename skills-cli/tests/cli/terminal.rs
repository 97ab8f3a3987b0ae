//! What reaches a terminal or a pipe: no control characters, no colour where none belongs, and no
//! trouble when the reader goes away.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::json;

use crate::place::{Place, Ran};

const HOSTILE: &str = "a\u{1b}[2J\u{9b}31m\u{202e}b\u{2066}c\u{7f}\u{7}\rd";

/// Case 106: a skill that may be served, with hostile text wherever no rule forbids it.
fn hostile() -> Place {
    let place = Place::new();
    place.file(
        "skills/esc/SKILL.md",
        format!("---\nname: esc\ndescription: Fine\nauthor: \"\\e]0;t\\a\\u202E\"\n---\n{HOSTILE}\n\tx\n"),
    );
    place.file("skills/esc/text.md", format!("{HOSTILE}\r\n\tx\n"));
    place.file("skills/bad/SKILL.md", "---\nname: bad\ndescription: \"\\e[2J \\u202Egnp\"\n---\n");
    #[cfg(unix)]
    place.file("skills/esc/a\nb\u{1b}\u{202e}.txt", "x").file("skills/no\u{1b}[2J\nskill/x.txt", "x");
    place
}

fn assert_harmless(ran: &Ran) {
    let harmful = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t' | '\r')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    for text in [&ran.stdout, &ran.stderr] {
        assert!(!text.contains(harmful), "{text:?}");
        assert!(!text.replace("\r\n", "").contains('\r'), "{text:?}");
    }
}

#[test]
fn nothing_from_outside_acts_on_a_terminal() {
    let place = hostile();
    let call = format!(r#"{{"action": "load", "skill_name": "{}"}}"#, r"\u001b[2J");
    let commands: [&[&str]; 16] = [
        &["list"],
        &["search", HOSTILE],
        &["search", "fine"],
        &["load", "esc"],
        &["load", HOSTILE],
        &["read", "esc", "text.md"],
        &["read", "esc", "a\nb\u{1b}\u{202e}.txt"],
        &["read", "esc", HOSTILE],
        &["call", HOSTILE],
        &["call", &call],
        &["check", "skills"],
        &["check", HOSTILE],
        &["check", "skills", "--deny", HOSTILE],
        &["new", HOSTILE],
        &["new", "fine", "--dir", HOSTILE],
        &[HOSTILE],
    ];
    for command in commands {
        for form in [&[][..], &["--json"]] {
            assert_harmless(&place.run(["--root", "skills"].iter().chain(form).chain(command)));
        }
    }
    assert_harmless(&place.run(["--root", HOSTILE, "list"]));
}

#[test]
fn a_text_is_escaped_and_a_document_keeps_it() {
    let place = hostile();
    let ran = place.run(["--root", "skills", "read", "esc", "text.md"]);
    let shown = r"a\u{1b}[2J\u{9b}31m\u{202e}b\u{2066}c\u{7f}\u{7}\rd";
    assert_eq!(ran.stdout, format!("Skill file: esc/text.md\n\n{shown}\r\n\tx\n\n"));
    let document = place.run(["--root", "skills", "read", "esc", "text.md", "--json"]).json();
    assert_eq!(document["content"], json!(format!("{HOSTILE}\r\n\tx\n")));
}

#[test]
fn marks_that_a_language_needs_stay() {
    let place = Place::new();
    let text = "ภาษาไทย \u{200f}שלום\u{200e} می\u{200c}خواهم 👩\u{200d}💻 e\u{301}";
    place.skill("skills/words", text);
    let ran = place.run(["--root", "skills", "--no-bundle", "search", "words"]);
    assert!(ran.stdout.contains(text), "{}", ran.stdout);
}

#[test]
fn there_is_no_colour_in_a_pipe() {
    let place = hostile();
    for no_color in ["", "1"] {
        let run = place.command(["check", "skills"]).env("NO_COLOR", no_color).output();
        assert!(!run.expect("it runs").stderr.contains(&0x1b));
    }
    assert!(!place.run(["--help"]).stdout.contains('\u{1b}'));
}

#[test]
fn the_locale_changes_nothing() {
    let place = Place::new();
    place.skill("skills/umlaut", "Größe → 技能 😀");
    let run = |locale: &str| {
        let mut command = place.command(["--root", "skills", "--no-bundle", "list"]);
        command.env("LC_ALL", locale).env("LANG", locale).output().expect("it runs").stdout
    };
    assert!(String::from_utf8(run("C")).expect("UTF-8").contains("Größe → 技能 😀"));
    assert_eq!(run("C"), run("C.UTF-8"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::new();
    place.skill("skills/long", "Long").file(
        "skills/long/SKILL.md",
        format!("---\nname: long\ndescription: x\n---\n{}", "line\n".repeat(100_000)),
    );
    for form in [&[][..], &["--json"]] {
        let mut command = place.command(["--root", "skills", "load", "long"].iter().chain(form));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut first = String::new();
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        stdout.read_line(&mut first).expect("it writes");
        drop(stdout);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
        assert!(first == "Skill: long\n" || first == "{\n", "{first}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    let output = Place::new().command(["list"]).stdout(full).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .starts_with("skills: the result cannot be written: no space is left")
    );
}

/// A terminal that `script` makes, and a repository that takes its time.
#[cfg(target_os = "linux")]
#[test]
fn a_repository_that_takes_long_is_waited_for_on_a_terminal() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::Command;

    let place = Place::new();
    place.file("bin/git", "#!/bin/sh\ncase \"$*\" in *ls-remote*) sleep 3 ;; esac\nexit 1\n");
    let git = place.path().join("bin/git");
    std::fs::set_permissions(&git, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let path = format!("{}:{}", place.path().join("bin").display(), std::env::var("PATH").expect("a path"));
    let add = "add https://example.org/skills.git pdf";
    let mut command = Command::new("script");
    let line = format!("{} {add}", env!("CARGO_BIN_EXE_skills"));
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]).env("TERM", "xterm");
    let Ok(ran) = command.env("PATH", &path).current_dir(place.path()).stdin(Stdio::null()).output() else {
        // Not every system has it.
        return;
    };
    let shown = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(shown.contains("asking the repository"), "{shown:?}");
    assert!(shown.contains("cannot be read"), "{shown:?}");
    // No terminal, no progress.
    let mut command = place.command(add.split(' '));
    let ran = command.env("PATH", &path).output().expect("it runs");
    assert!(!String::from_utf8_lossy(&ran.stderr).contains("asking the repository"), "{ran:?}");
}
