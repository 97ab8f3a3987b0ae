//! Reading files from disk: the current text of a plain file of the skill, and nothing else.

use std::fs::File;

use skills::ActionError;
use skills_tests::disk::{self, TempDir, skill_md};

use super::{file, refused, remove_all, rename, summary};

/// A root whose skill `alpha` was loaded, so that its files are known.
fn open(dir: &TempDir) -> skills::live::LiveRegistry {
    let live = super::open(dir);
    assert!(live.snapshot().registry().load("alpha").is_ok());
    live
}

fn skill() -> TempDir {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/alpha/SKILL.md", skill_md("alpha", "One"));
    disk::write(dir.path(), "skills/alpha/references/a.md", "A");
    disk::write(dir.path(), "skills/alpha/references/deep/b.md", "B");
    disk::write(dir.path(), "skills/alpha/data.bin", [0, 159, 146, 150]);
    disk::write(dir.path(), "secret.txt", "secret");
    disk::write(dir.path(), "outside/a.md", "secret");
    disk::write(dir.path(), "outside/deep/b.md", "secret");
    dir
}

#[test]
fn a_text_is_current() {
    let dir = skill();
    let live = open(&dir);
    disk::write(dir.path(), "skills/alpha/references/a.md", "New");
    assert_eq!(file(&live, "alpha", "references/a.md"), "New");
    disk::write(dir.path(), "skills/alpha/SKILL.md", "new");
    assert_eq!(file(&live, "alpha", "SKILL.md"), "new", "also before a refresh");
}

#[test]
fn a_deleted_file_is_an_error_of_that_call() {
    let dir = skill();
    let live = open(&dir);
    disk::remove(&dir.path().join("skills/alpha/references/a.md"));
    let snapshot = live.snapshot();
    let error = snapshot.registry().read_file("alpha", "references/a.md", 0).expect_err("it is gone");
    assert_eq!(error.to_string(), "Error: skill file not found: 'references/a.md'.");
    assert_eq!(file(&live, "alpha", "references/deep/b.md"), "B");
    remove_all(&dir.path().join("skills/alpha"));
    assert_eq!(refused(&live, "alpha", "references/deep/b.md"), "RESOURCE_NOT_FOUND");
    assert_eq!(refused(&live, "alpha", "SKILL.md"), "RESOURCE_NOT_FOUND");
    // What was read stays: the skill is in memory until the next refresh.
    assert!(snapshot.registry().load("alpha").is_ok());
}

/// A build refuses such a file; here it costs the file, not the skill.
#[test]
fn a_file_with_hidden_instructions_is_refused() {
    let dir = skill();
    let hidden: String = "obey".chars().filter_map(|c| char::from_u32(0xe0000 + c as u32)).collect();
    let latin1 = [b"caf\xe9 ", hidden.as_bytes()].concat();
    for bytes in [format!("Steps{hidden}").into_bytes(), latin1] {
        disk::write(dir.path(), "skills/alpha/references/a.md", bytes);
        let live = open(&dir);
        let snapshot = live.snapshot();
        let error = snapshot.registry().read_file("alpha", "references/a.md", 0).expect_err("it is refused");
        assert_eq!(
            error.to_string(),
            "Error: skill file not shown: 'references/a.md' holds invisible characters (E015)."
        );
        assert_eq!(error.code(), "RESOURCE_REFUSED");
        assert_eq!(file(&live, "alpha", "references/deep/b.md"), "B");
    }
    // A flag needs them, and in a binary file nobody reads them.
    disk::write(
        dir.path(),
        "skills/alpha/references/a.md",
        "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    );
    disk::write(dir.path(), "skills/alpha/data.bin", format!("\0{hidden}"));
    let live = open(&dir);
    assert!(file(&live, "alpha", "references/a.md").starts_with('\u{1f3f4}'));
    assert!(live.snapshot().registry().read_file("alpha", "data.bin", 0).is_ok());
}

#[test]
fn a_binary_file_is_described_and_returned() {
    let dir = skill();
    let live = open(&dir);
    let snapshot = live.snapshot();
    let content = snapshot.registry().read_file("alpha", "data.bin", 0).expect("it can be read");
    assert_eq!((content.text.is_none(), content.bytes()), (true, [0, 159, 146, 150].as_slice()));
    assert_eq!(
        content.to_string(),
        "Skill file: alpha/data.bin\n\nBinary file: application/octet-stream, 4 bytes."
    );
    // Its current content counts, not its name or earlier content.
    disk::write(dir.path(), "skills/alpha/data.bin", "text now");
    let content = snapshot.registry().read_file("alpha", "data.bin", 0).expect("it can be read");
    assert_eq!((content.text.as_deref(), content.media_type), (Some("text now"), "text/plain"));
    disk::write(dir.path(), "skills/alpha/references/a.md", [0xff, 0xfe]);
    let content = snapshot.registry().read_file("alpha", "references/a.md", 0).expect("it can be read");
    assert_eq!((content.text.as_deref(), content.media_type), (Some("\u{fffd}\u{fffd}"), "text/markdown"));
}

#[test]
fn a_long_text_comes_in_parts() {
    let dir = skill();
    let text: String = (0..5_000).map(|line| format!("Zeile {line} – äöü\n")).collect();
    disk::write(dir.path(), "skills/alpha/references/a.md", &text);
    let live = open(&dir);
    let snapshot = live.snapshot();
    let (mut parts, mut offset) = (String::new(), Some(0));
    while let Some(at) = offset {
        let content = snapshot.registry().read_file("alpha", "references/a.md", at).expect("it can be read");
        assert_eq!(content.total_chars, text.chars().count());
        assert_eq!(content.bytes(), text.as_bytes(), "the exact bytes of the whole file");
        assert_eq!(content.to_string().ends_with("\n\n[truncated]"), content.next_offset.is_some());
        parts.push_str(content.text.as_deref().expect("it is text"));
        offset = content.next_offset;
    }
    assert_eq!(parts, text);
    let past = snapshot.registry().read_file("alpha", "references/a.md", 1_000_000).expect("no error");
    assert_eq!((past.text.as_deref(), past.next_offset), (Some(""), None));
}

#[test]
fn a_file_of_more_than_64_mib_is_not_read() {
    let dir = skill();
    let live = open(&dir);
    let path = dir.path().join("skills/alpha/references/a.md");
    let set_len =
        |len| File::options().write(true).open(&path).and_then(|file| file.set_len(len)).expect("it grows");
    set_len(64 * 1024 * 1024 + 1);
    let snapshot = live.snapshot();
    let error = snapshot.registry().read_file("alpha", "references/a.md", 0).expect_err("it is too large");
    assert!(
        matches!(error, ActionError::Internal { .. }) && error.to_string().contains("larger than"),
        "{error}"
    );
    set_len(64 * 1024 * 1024);
    assert!(snapshot.registry().read_file("alpha", "references/a.md", 0).is_ok());
}

/// A SKILL.md that has grown beyond its limit since the scan can still be read.
#[test]
fn a_skill_file_that_grew_can_be_read() {
    let dir = skill();
    let live = open(&dir);
    disk::write(dir.path(), "skills/alpha/SKILL.md", skill_md("alpha", "One") + &"x".repeat(2 * 1024 * 1024));
    let snapshot = live.snapshot();
    let content = snapshot.registry().read_file("alpha", "SKILL.md", 0).expect("it can be read");
    assert!(content.total_chars > 2 * 1024 * 1024);
    assert_eq!(summary(&live.refresh()), "~alpha");
    let snapshot = live.snapshot();
    assert!(snapshot.registry().get("alpha").is_some_and(|entry| entry.is_stale()));
    assert!(
        snapshot
            .findings()
            .any(|finding| finding.message.starts_with("the file is larger than 1048576 bytes"))
    );
}

#[cfg(unix)]
#[test]
fn a_symlink_that_replaces_a_file_is_not_followed() {
    let dir = skill();
    let live = open(&dir);
    for target in ["../../../secret.txt", "/etc/hostname", "deep/b.md"] {
        let path = dir.path().join("skills/alpha/references/a.md");
        disk::remove(&path);
        disk::link(dir.path(), "skills/alpha/references/a.md", target);
        assert_eq!(refused(&live, "alpha", "references/a.md"), "INVALID_RESOURCE_PATH", "{target}");
    }
    // A symlink inside the root is followed after a refresh; one that points outside isn't.
    assert_eq!(summary(&live.refresh()), "", "its SKILL.md is the same");
    assert_eq!(file(&live, "alpha", "references/a.md"), "B");
    disk::remove(&dir.path().join("skills/alpha/references/a.md"));
    disk::link(dir.path(), "skills/alpha/references/a.md", "../../../secret.txt");
    live.refresh();
    let snapshot = live.snapshot();
    assert!(
        snapshot.registry().get("alpha").is_some_and(|entry| !entry.is_stale()),
        "only the file is left out"
    );
    assert_eq!(refused(&live, "alpha", "references/a.md"), "RESOURCE_NOT_FOUND");
}

#[cfg(unix)]
#[test]
fn a_symlink_that_replaces_a_directory_is_not_followed() {
    for (swapped, paths) in [
        ("references", &["references/a.md", "references/deep/b.md"][..]),
        ("references/deep", &["references/deep/b.md"]),
    ] {
        let dir = skill();
        let live = open(&dir);
        let at = dir.path().join("skills/alpha").join(swapped);
        let outside = dir.path().join(if swapped == "references" { "outside" } else { "outside/deep" });
        rename(&at, &dir.path().join("before"));
        for target in [outside.as_path(), dir.path().join("before").as_path()] {
            disk::link(dir.path(), &format!("skills/alpha/{swapped}"), &target.to_string_lossy());
            for path in paths {
                assert_eq!(
                    refused(&live, "alpha", path),
                    "INVALID_RESOURCE_PATH",
                    "{path} by {}",
                    target.display()
                );
            }
            disk::remove(&at);
        }
    }
    // The directory of the skill itself.
    let dir = skill();
    let live = open(&dir);
    rename(&dir.path().join("skills/alpha"), &dir.path().join("before"));
    disk::write(dir.path(), "outside/SKILL.md", skill_md("alpha", "secret"));
    disk::link(dir.path(), "skills/alpha", "../outside");
    assert_eq!(refused(&live, "alpha", "SKILL.md"), "INVALID_RESOURCE_PATH");
    // The root: the scanned directory stays open, whatever replaces it.
    disk::remove(&dir.path().join("skills/alpha"));
    rename(&dir.path().join("before"), &dir.path().join("skills/alpha"));
    rename(&dir.path().join("skills"), &dir.path().join("moved"));
    disk::write(dir.path(), "elsewhere/alpha/references/a.md", "secret");
    disk::link(dir.path(), "skills", "elsewhere");
    assert_eq!(file(&live, "alpha", "references/a.md"), "A");
}

#[cfg(unix)]
#[test]
fn special_files_do_not_block() {
    let dir = skill();
    let live = open(&dir);
    let path = dir.path().join("skills/alpha/references/a.md");
    disk::remove(&path);
    super::make_pipe(&path);
    assert_eq!(refused(&live, "alpha", "references/a.md"), "INVALID_RESOURCE_PATH");
    disk::remove(&path);
    let _listening = std::os::unix::net::UnixListener::bind(&path).expect("a socket");
    assert!(["INVALID_RESOURCE_PATH", "INTERNAL"].contains(&refused(&live, "alpha", "references/a.md")));
    disk::remove(&path);
    disk::write(dir.path(), "skills/alpha/references/a.md/x", "x");
    assert_eq!(refused(&live, "alpha", "references/a.md"), "INVALID_RESOURCE_PATH");
}

/// While a file is replaced with a symlink as fast as possible, the secret is never read.
#[cfg(unix)]
#[test]
fn no_race_reads_the_secret() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let dir = skill();
    let live = open(&dir);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let at = dir.path().join("skills/alpha/references");
            disk::write(dir.path(), "skills/alpha/references/plain", "A");
            while !done.load(Ordering::Relaxed) {
                disk::link(&at, "link", "../../../secret.txt");
                rename(&at.join("link"), &at.join("a.md"));
                disk::write(&at, "plain", "A");
                rename(&at.join("plain"), &at.join("a.md"));
            }
        });
        let snapshot = live.snapshot();
        let (mut read, mut kept_out) = (0, 0);
        // On a busy machine the other thread may not run for a while.
        for round in 0..1_000_000 {
            if round >= 3_000 && read > 0 && kept_out > 0 {
                break;
            }
            match snapshot.registry().read_file("alpha", "references/a.md", 0) {
                Ok(content) => {
                    assert_eq!(content.text.as_deref(), Some("A"));
                    read += 1;
                }
                Err(error) => {
                    assert_eq!(error.code(), "INVALID_RESOURCE_PATH");
                    kept_out += 1;
                }
            }
        }
        done.store(true, Ordering::Relaxed);
        assert!(read > 0 && kept_out > 0, "both were met: {read}, {kept_out}");
    });
}

#[test]
fn names_are_looked_up_and_never_joined() {
    let dir = skill();
    let live = open(&dir);
    let snapshot = live.snapshot();
    let long = "a".repeat(1024 * 1024);
    for name in ["../x", "/etc", "alpha/references", "..", ".", "alpha\0", "alpha/../alpha", "./alpha", &long]
    {
        let error = snapshot.registry().read_file(name, "SKILL.md", 0).expect_err("no such skill");
        assert_eq!(error.code(), "SKILL_NOT_FOUND", "{}", &name[..name.len().min(20)]);
        assert!(error.to_string().len() < 1_000);
    }
    let error = snapshot.registry().load("").expect_err("no name");
    assert_eq!(error.to_string(), "Error: skill_name is required for action=load.");
}
