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
