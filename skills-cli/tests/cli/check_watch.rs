//! `check --watch`.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::place::Place;

/// How long the program may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program that watches, and the lines that it prints.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(place: &Place, args: &[&str]) -> Self {
        let mut command = place.command(args);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        let stderr = BufReader::new(child.stderr.take().expect("it is a pipe"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, lines }
    }

    /// The lines up to the next one that is this.
    fn until(&self, last: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line| line != last) {
            lines.push(self.lines.recv_timeout(PATIENCE).expect("the line comes"));
        }
        lines
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const WAITS: &str = "note: watching for changes; Ctrl-C ends it";

#[test]
fn what_is_written_is_checked_again() {
    let place = Place::new();
    place.file("Cargo.toml", "[package]\nname = \"x\"\npublish = false\n").skill("skills/pdf", "Reads forms");
    let watching = Watching::start(&place, &["check", "skills", "--watch", "--format", "concise"]);
    assert_eq!(watching.until(WAITS), ["checked 1 skill: no findings", WAITS]);
    place.file("skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads: forms\n---\n");
    let lines = watching.until("checked 1 skill: 1 error");
    assert!(lines.contains(&"note: `skills/pdf/SKILL.md` has changed".to_owned()), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("skills/pdf/SKILL.md:3:19: error[E003]")), "{lines:#?}");
    watching.until(WAITS);
    // A new skill, and settings beside the root.
    place
        .skill("skills/pdf", "Reads forms")
        .file("skills/b/SKILL.md", "---\nname: a\ndescription: Works\n---\n");
    watching.until("checked 2 skills: 1 warning");
    place.file(
        "Cargo.toml",
        "[package]\nname = \"x\"\npublish = false\n[package.metadata.skills]\nallow = [\"L103\"]\n",
    );
    watching.until("checked 2 skills: no findings");
    // A root that goes away and comes back.
    std::fs::rename(place.path().join("skills"), place.path().join("gone")).expect("moved");
    watching.until(WAITS);
    std::fs::rename(place.path().join("gone"), place.path().join("skills")).expect("moved");
    watching.until("checked 2 skills: no findings");
    watching.until(WAITS);
    place.file("skills/b/SKILL.md", "# no\n");
    watching.until("checked 2 skills: 1 error");
}

/// A check that prints into a file of the skill would be the reason for the next one, for ever.
#[test]
fn its_own_output_is_not_checked_again() {
    let place = Place::new();
    place.skill("skills/pdf", "Reads forms").file("skills/pdf/w.log", "").file("skills/pdf/x.txt", "a");
    let log = place.path().join("skills/pdf/w.log");
    let output = || std::fs::File::options().append(true).open(&log).expect("it is there");
    let mut command = place.command(["check", "skills", "--watch"]);
    let mut child = command.stdout(output()).stderr(output()).spawn().expect("it starts");
    let printed = || std::fs::read_to_string(&log).expect("it is text");
    let until = |enough: &dyn Fn(&str) -> bool| {
        let end = std::time::Instant::now() + PATIENCE;
        while !enough(&printed()) && std::time::Instant::now() < end {
            thread::sleep(Duration::from_millis(20));
        }
        printed()
    };
    until(&|text| text.contains(WAITS));
    // Whatever its own output has caused is printed before what a written file causes.
    for round in 2..4 {
        place.file("skills/pdf/x.txt", "b".repeat(round));
        until(&|text| text.matches(WAITS).count() >= round);
    }
    let text = printed();
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let changes: Vec<&str> = text.lines().filter(|line| line.ends_with(" has changed")).collect();
    assert_eq!(changes, ["note: `skills/pdf/x.txt` has changed"; 2], "{text}");
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let place = Place::new();
    place.skill("skills/pdf", "Reads forms");
    for (args, message) in [
        (&["check", "-", "--watch"][..], "`--watch` cannot be used with `-`"),
        (&["check", "skills", "--watch", "--json"], "`--watch` cannot be used with `--json`"),
        (&["check", "skills", "--watch", "--format", "sarif"], "`--watch` cannot be used with `--format`"),
        (&["check", "skills", "--watch", "--fix"], "cannot be used with"),
        (&["check", "nowhere", "--watch"], "`nowhere` cannot be watched: "),
    ] {
        let ran = place.run(args);
        assert_eq!(ran.code, 2, "{args:?}");
        assert!(
            ran.stderr.contains(message) || ran.stdout.contains(message),
            "{args:?}: {}{}",
            ran.stdout,
            ran.stderr
        );
    }
}
