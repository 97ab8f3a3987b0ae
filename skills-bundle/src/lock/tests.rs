//! The form of the lock, the digest, and what differs on disk. What users see of it is tested with the program.

use std::fs;
use std::path::Path;

use super::*;

/// The example of the recipe: two files, and the digest that other tools compute for them.
const VECTOR: &str = "sha256:826b8ed95ee0cd8fa674db9fe2786f9c66e1ed3f00480b7df24264b141cc3c76";
const VECTOR_LINES: [&str; 2] = [
    "644 66 ac783417ac2e42491c627f5ad3bf8b2005bd406f16e7396e73294a78a163a036 SKILL.md",
    "755 18 299001868fb8c02fd431c336c6d058f5558c5dff5b5af5e6fe04b870a6a9cbba tools/fill.sh",
];

/// A lock with one entry, as it is written, with everything that this version knows.
fn whole() -> String {
    format!(
        "# Written by `skills`; `skills lock --check` compares it with the disk.\n\
         version = 1\n\n\
         [[skill]]\n\
         name = \"pdf\"\n\
         dir = \"skills/pdf\"\n\
         source = \"acme/skills/skills/pdf#v1.2.0\"\n\
         url = \"https://example.org/acme/skills.git\"\n\
         path = \"skills/pdf\"\n\
         ref = \"refs/tags/v1.2.0\"\n\
         commit = \"0123456789abcdef0123456789abcdef01234567\"\n\
         tree = \"76543210fedcba9876543210fedcba9876543210\"\n\
         artifact = \"{VECTOR}\"\n\
         license = \"Apache-2.0\"\n\
         digest = \"{VECTOR}\"\n\
         files = [\n  \"{}\",\n  \"{}\",\n]\n",
        VECTOR_LINES[0], VECTOR_LINES[1]
    )
}

fn read(text: &str) -> Lock {
    Lock::read("skill-sources.lock", text).unwrap_or_else(|findings| panic!("{text}\n{findings:?}"))
}

/// What is wrong with a lock, in words.
fn faults(text: &str) -> String {
    let findings = Lock::read("skill-sources.lock", text).expect_err("it is no lock");
    assert!(findings.iter().all(|finding| finding.level == skills_source::code::Level::Deny));
    findings.iter().map(|finding| format!("{finding}\n")).collect()
}

#[test]
fn the_digest_is_that_of_the_recipe() {
    let lock = read(&whole());
    assert_eq!(lock.skills[0].digest.to_string(), VECTOR);
    assert_eq!(VECTOR.parse(), Ok(lock.skills[0].digest));
    // In whatever order the files come.
    assert_eq!(digest(lock.skills[0].files.iter().rev()).to_string(), VECTOR);
    let skill = b"---\nname: pdf\ndescription: Fills PDF forms.\n---\nRun tools/fill.sh\n";
    let files = [
        LockedFile::of("SKILL.md", false, skill),
        LockedFile::of("tools/fill.sh", true, b"#!/bin/sh\necho hi\n"),
    ];
    assert_eq!(files.each_ref().map(ToString::to_string), VECTOR_LINES);
    assert_eq!(digest(&files).to_string(), VECTOR);
    // The order is that of bytes, not that of a language: in Czech `ch` comes after `h`.
    let files = ["a/ch", "a/d", "a-b", "Z", "é", "z"].map(|path| LockedFile::of(path, false, b""));
    let text: String = ["Z", "a-b", "a/ch", "a/d", "z", "é"]
        .map(|path| {
            format!("644 0 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 {path}\n")
        })
        .concat();
    assert_eq!(digest(&files), Digest(Sha256::hash(format!("skills-tree-v1\n{text}").as_bytes())));
}

#[test]
fn what_is_read_is_written_again() {
    assert_eq!(read(&whole()).to_string(), whole());
    assert_eq!(read(&whole().replace('\n', "\r\n")).to_string(), whole());
    assert_eq!(
        read("version = 1").to_string(),
        "# Written by `skills`; `skills lock --check` compares it with the disk.\nversion = 1\n"
    );
    // A plain directory has no repository, and entries are sorted by name, then directory.
    let entry = |name: &str, dir: &str| {
        format!(
            "[[skill]]\nname = \"{name}\"\ndir = \"{dir}\"\nsource = \"./x\"\ndigest = \"{VECTOR}\"\nfiles = {VECTOR_LINES:?}\n"
        )
    };
    let lock = read(&format!("version = 1\n{}{}{}", entry("b", "x/b"), entry("a", "y/a"), entry("a", "x/a")));
    let order: Vec<&str> = lock.skills.iter().map(|skill| skill.dir.as_str()).collect();
    assert_eq!(order, ["x/a", "y/a", "x/b"], "two skills may have one name");
    assert_eq!(read(&lock.to_string()).skills.len(), 3);
}

#[test]
fn unknown_keys_survive() {
    let extra = "pinned = true\nsigner = \"a \\\"b\\\" \\\\ \\u007f\"\nwhen = 2026-11-30T08:00:00Z\nratio = 0.5\nhex = 0xff\n\
                 \"odd key\" = [1, [\"two\"], { three = 3 }]\nempty = {}\n";
    let text = whole().replace("license =", &format!("{extra}license ="));
    let text = text.replace("version = 1\n", "version = 1\ngenerator = \"x\"\n");
    let text = format!("{text}\n[skill.nested]\ndeep.er = \"kept\"\n\n[top]\nkey = 1\n");
    let lock = read(&text);
    let written = lock.to_string();
    for kept in [
        "\ngenerator = \"x\"\n",
        "\npinned = true\n",
        "\nsigner = \"a \\\"b\\\" \\\\ \\u007f\"\n",
        "\nwhen = 2026-11-30T08:00:00Z\n",
        "\nratio = 0.5\n",
        "\nhex = 0xff\n",
        "\n\"odd key\" = [1, [\"two\"], { three = 3 }]\n",
        "\nempty = {}\n",
        "\nnested = { deep = { er = \"kept\" } }\n",
        "\ntop = { key = 1 }\n",
    ] {
        assert!(written.contains(kept), "{kept:?} is not in {written}");
    }
    let again = read(&written);
    assert_eq!((&again.skills[0].unknown, &again.unknown), (&lock.skills[0].unknown, &lock.unknown));
    assert_eq!(again.to_string(), written);
}

#[test]
fn a_lock_that_is_not_understood_is_an_error() {
    let conflict = whole().replace("license =", "<<<<<<< HEAD\nlicense =");
    assert!(
        faults(&conflict).starts_with("skill-sources.lock:14:1: error[E017]: the lock has conflict markers")
    );
    let later = whole().replace("version = 1", "version = 2\nskill = 7").replace("[[skill]]", "[[other]]");
    assert_eq!(
        faults(&later),
        "skill-sources.lock:2:11: error[E017]: the lock has a version that is not known here: 2\n"
    );
    let without = |line: &str| whole().replace(line, "");
    let whole_text = whole();
    let entry = &whole_text[whole_text.find("[[skill]]").expect("it has one")..];
    for (text, word) in [
        (String::new(), "no `version`"),
        ("version = \"1\"".to_owned(), "a version that is not known here"),
        ("version = 1\nskill = 1".to_owned(), "must be a list of tables"),
        ("version = 1\nskill = [1]".to_owned(), "an entry must be a table"),
        (whole() + "[[skill", "is not valid TOML"),
        (without("name = \"pdf\"\n"), "the entry has no `name`"),
        (without("source = \"acme/skills/skills/pdf#v1.2.0\"\n"), "the entry has no `source`"),
        (whole().replace("\"pdf\"", "7"), "expected a string"),
        (whole().replace("\"pdf\"", "\"p\\u001bdf\""), "a control character"),
        (whole().replace("\"skills/pdf\"\nsource", "\"../pdf\"\nsource"), "the directory cannot be locked"),
        (whole().replace("\"skills/pdf\"\nsource", "\"/etc\"\nsource"), "the directory cannot be locked"),
        (whole().replace("0123456789abcdef0123456789abcdef01234567", "main"), "40 or 64 hexadecimal digits"),
        (whole().replacen("sha256:", "sha1:", 1), "expected `sha256:` and 64 hexadecimal digits"),
        (whole().replace("644 66", "644 67"), "the digest is not that of the files listed"),
        (
            whole().replace("digest = \"sha256:826b8ed9", "digest = \"sha256:926b8ed9"),
            "the digest is not that of the files listed",
        ),
        (whole().replace("644 66", "664 66"), "neither 644 nor 755"),
        (whole().replace("644 66", "644 066"), "the size is not a number"),
        (whole().replace("644 66", "644 +66"), "the size is not a number"),
        (whole().replace("ac783417", "AC783417"), "not 64 hexadecimal digits"),
        (whole().replace("tools/fill.sh", "../fill.sh"), "not a plain relative path"),
        (whole().replace("tools/fill.sh", "A.md"), "not in the order of their paths"),
        (whole().replace("tools/fill.sh", "skill.md"), "are one file on some systems"),
        (whole().replace("SKILL.md", "R.md"), "the files have no `SKILL.md`"),
        (whole() + entry, "is locked twice"),
    ] {
        assert!(faults(&text).contains(word), "{word}: {}", faults(&text));
    }
}

/// A skill on disk, and its entry.
fn on_disk(root: &Path, files: &[(&str, &str)]) -> Lock {
    let mut skill =
        LockedSkill { name: "pdf".to_owned(), dir: "skills/pdf".to_owned(), ..LockedSkill::default() };
    for (path, content) in files {
        write(root, path, content);
        skill.files.push(LockedFile::of(*path, false, content.as_bytes()));
    }
    skill.files.sort_by(|a, b| a.path.cmp(&b.path));
    skill.digest = digest(&skill.files);
    Lock { skills: vec![skill], ..Lock::default() }
}

#[allow(clippy::disallowed_methods, reason = "tests lay out their own trees")]
fn write(root: &Path, path: &str, content: &str) {
    let file = root.join("skills/pdf").join(path);
    fs::create_dir_all(file.parent().expect("it has one"))
        .and_then(|()| fs::write(&file, content))
        .expect("written");
}

const FILES: [(&str, &str); 4] = [
    ("SKILL.md", "---\nname: pdf\n---\n"),
    ("a/b.md", "one\ntwo\n"),
    (".env", "A=1\n"),
    ("target/x.txt", "x\n"),
];

/// The states after a change, without those that are as locked.
fn after(change: impl FnOnce(&Path)) -> (SkillState, Vec<(String, FileState)>) {
    let root = tempfile::tempdir().expect("a directory");
    let lock = on_disk(root.path(), &FILES);
    change(root.path());
    let [compared] = check(&lock, root.path(), &[]).try_into().expect("one skill");
    (compared.state, compared.differing().cloned().collect())
}

#[test]
fn every_difference_has_its_state() {
    let one = |path: &str, state| vec![(path.to_owned(), state)];
    assert_eq!(after(|_| ()), (SkillState::Ok, vec![]));
    let edited = after(|root| write(root, "a/b.md", "one\nthree\n"));
    assert_eq!(edited, (SkillState::Edited, one("a/b.md", FileState::Edited)));
    let line_ends = after(|root| write(root, "a/b.md", "one\r\ntwo\r\n"));
    assert_eq!(line_ends, (SkillState::LineEndsOnly, one("a/b.md", FileState::LineEnds)));
    let half = after(|root| write(root, "a/b.md", "one\r\ntwo\n"));
    assert_eq!(half, (SkillState::LineEndsOnly, one("a/b.md", FileState::LineEnds)));
    let alone = after(|root| write(root, "a/b.md", "one\rtwo\n"));
    assert_eq!(alone, (SkillState::Edited, one("a/b.md", FileState::Edited)), "a lone CR is an edit");
    let extra = after(|root| write(root, "a/c.md", "c"));
    assert_eq!(extra, (SkillState::ExtraFile, one("a/c.md", FileState::Extra)));
    // What a build leaves out by its name counts only where the lock lists it.
    assert_eq!(after(|root| write(root, ".cache/x", "c")), (SkillState::Ok, vec![]));
    let hidden = after(|root| write(root, ".env", "A=2\n"));
    assert_eq!(hidden, (SkillState::Edited, one(".env", FileState::Edited)));
    let generated = after(|root| fs::remove_file(root.join("skills/pdf/target/x.txt")).expect("removed"));
    assert_eq!(generated, (SkillState::Edited, one("target/x.txt", FileState::Missing)));
    let gone = after(|root| fs::remove_dir_all(root.join("skills")).expect("removed"));
    assert_eq!((gone.0, gone.1.len()), (SkillState::Missing, 4));
    let no_skill = after(|root| fs::remove_file(root.join("skills/pdf/SKILL.md")).expect("removed"));
    assert_eq!(no_skill.0, SkillState::Missing);
    // The locked file is the one with CRLF.
    let root = tempfile::tempdir().expect("a directory");
    let lock = on_disk(root.path(), &[("SKILL.md", "---\r\nname: pdf\r\n---\r\n")]);
    write(root.path(), "SKILL.md", "---\nname: pdf\n---\n");
    assert_eq!(check(&lock, root.path(), &[])[0].state, SkillState::LineEndsOnly);
    // What Cargo.toml ignores doesn't count as extra either.
    write(root.path(), "SKILL.md", "---\r\nname: pdf\r\n---\r\n");
    write(root.path(), "notes.bak", "x");
    assert_eq!(check(&lock, root.path(), &["*.bak".to_owned()])[0].state, SkillState::Ok);
    assert_eq!(check(&lock, root.path(), &[])[0].state, SkillState::ExtraFile);
}

/// A link to a file with the same bytes isn't the file: its target can change, or be somebody's secret.
#[cfg(unix)]
#[test]
fn no_link_passes_for_a_file() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let linked = |path: &'static str, target: &'static str| {
        after(move |root| {
            let file = root.join("skills/pdf").join(path);
            fs::copy(&file, root.join("same")).expect("copied");
            fs::create_dir_all(root.join("skills/pdf/z")).expect("made");
            fs::copy(&file, root.join("skills/pdf/z/same")).expect("copied");
            fs::remove_file(&file).and_then(|()| symlink(target, &file)).expect("linked");
        })
    };
    for (path, target) in
        [("a/b.md", "../z/same"), ("a/b.md", "../../../same"), (".env", "z/same"), (".env", "../../same")]
    {
        let (state, files) = linked(path, target);
        let of_path: Vec<_> = files.iter().filter(|(other, _)| other == path).collect();
        assert!(state == SkillState::Edited && of_path.len() == 1, "{path} -> {target}: {files:?}");
    }
    let (state, files) =
        after(|root| symlink("/etc/passwd", root.join("skills/pdf/a/c.md")).expect("linked"));
    assert_eq!((state, files), (SkillState::ExtraFile, vec![("a/c.md".to_owned(), FileState::Extra)]));
    let moved = after(|root| {
        fs::rename(root.join("skills/pdf"), root.join("skills/real")).expect("moved");
        symlink("real", root.join("skills/pdf")).expect("linked");
    });
    assert_eq!(moved.0, SkillState::Missing);
    let (state, files) = after(|root| {
        let file = root.join("skills/pdf/a/b.md");
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("set");
    });
    assert_eq!((state, files), (SkillState::Mode, vec![("a/b.md".to_owned(), FileState::Mode)]));
}

#[test]
fn a_lock_is_found_in_a_program() {
    let program =
        [&[0xf7; 3000], &block(&whole())[..], &[0; 100], &block(&whole()), &block("version = 1")].concat();
    let found = in_program(&program, "tool");
    assert_eq!((found.locks.len(), found.damaged), (2, 0), "the same constant twice is one");
    assert_eq!(found.locks[0].to_string(), whole());
    for at in [0, 20, 30, 60, 200] {
        let mut damaged = block(&whole());
        damaged[at] ^= 1;
        let found = in_program(&damaged, "tool");
        assert!(found.locks.is_empty(), "{at}");
        // Without its marker it is no block at all.
        assert_eq!(found.damaged, usize::from(at >= 20), "{at}");
    }
    let lie = block("version = 2");
    assert_eq!(in_program(&lie, "tool").damaged, 1);
    assert_eq!(in_program(&lie.repeat(500), "tool").damaged, 100, "it is given up");
    let found = in_program(&[0xf7; 1000], "tool");
    assert_eq!((found.locks.len(), found.damaged), (0, 0));
}

/// The lock is looked for up to the workspace, and not above it.
#[test]
fn a_lock_is_found_up_to_the_workspace() {
    let root = tempfile::tempdir().expect("a directory");
    let root = root.path().canonicalize().expect("it is there");
    let file = |path: &str, text: &str| {
        let path = root.join(path);
        #[allow(clippy::disallowed_methods, reason = "tests lay out their own trees")]
        fs::create_dir_all(path.parent().expect("it has one"))
            .and_then(|()| fs::write(path, text))
            .expect("written");
    };
    file("skill-sources.lock", "above all");
    file("w/Cargo.toml", "[workspace]\nexclude = [\"out\"]\n");
    file("w/in/Cargo.toml", "[package]\nname = \"in\"\n");
    file("w/out/Cargo.toml", "[package]\nname = \"out\"\n");
    file("plain/deep/x", "");
    file("alone/Cargo.toml", "[package]\nname = \"alone\"\n");
    let found = |path: &str| find(&root.join(path));
    for path in ["w", "w/in", "w/out", "alone", "plain/deep"] {
        assert_eq!(found(path).file, None, "{path}");
    }
    assert_eq!(
        (found("w/in").directory, found("w/in").shown),
        (root.join("w"), "../skill-sources.lock".to_owned())
    );
    assert_eq!(found("plain/deep").directory, root.join("plain/deep"));
    file("w/skill-sources.lock", "");
    assert_eq!(found("w/in").file, Some(root.join("w/skill-sources.lock")));
    assert_eq!(found("w").shown, "skill-sources.lock");
    assert_eq!(found("w/out").file, None, "that package is not of the workspace");
    file("plain/deep/skill-sources.lock", "");
    assert_eq!(found("plain/deep").file, Some(root.join("plain/deep/skill-sources.lock")));
    file("w/in/skill-sources.lock", "");
    assert_eq!(found("w/in").directory, root.join("w/in"));
}
