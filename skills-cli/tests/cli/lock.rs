//! `skills lock`, and the digests of `skills list --json`.
//!
//! Several tests are named after what went wrong for users of other tools.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::place::Place;

const LOCK: &str = "skill-sources.lock";

/// The files of the recipe's example, their lines, and the digest that other tools compute.
const SKILL_MD: &str = "---\nname: pdf\ndescription: Fills PDF forms.\n---\nRun tools/fill.sh\n";
const FILL: &str = "#!/bin/sh\necho hi\n";
const VECTOR: &str = "sha256:826b8ed95ee0cd8fa674db9fe2786f9c66e1ed3f00480b7df24264b141cc3c76";

/// An entry whose lines are computed here, by the recipe, with nothing of the program.
fn entry(place: &Place, dir: &str, files: &[&str]) -> String {
    let mut files = files.to_vec();
    files.sort_unstable();
    let lines: Vec<String> = files
        .iter()
        .map(|path| {
            let bytes = fs::read(place.path().join(dir).join(path)).expect("it is there");
            format!("644 {} {} {path}", bytes.len(), sha256(&bytes))
        })
        .collect();
    let all: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let digest = sha256(format!("skills-tree-v1\n{all}").as_bytes());
    let name = dir.rsplit('/').next().expect("it has a last part");
    format!(
        "\n[[skill]]\nname = \"{name}\"\ndir = \"{dir}\"\nsource = \"acme/skills#v1\"\ndigest = \"sha256:{digest}\"\nfiles = {lines:?}\n"
    )
}

/// The hexadecimal digits of a SHA-256.
fn sha256(bytes: &[u8]) -> String {
    let digest = skills_bundle::lock::LockedFile::of("x", false, bytes).sha256;
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Two locked skills, one of which has a file beside its SKILL.md.
fn locked() -> Place {
    let place = Place::new();
    place.skill("skills/pdf", "Fills forms").file("skills/pdf/tools/fill.sh", "echo one\n");
    place.skill("skills/csv", "Reads tables").skill("skills/own", "Is nobody else's");
    let entries = entry(&place, "skills/pdf", &["SKILL.md", "tools/fill.sh"])
        + &entry(&place, "skills/csv", &["SKILL.md"]);
    place.file(LOCK, format!("version = 1\n{entries}"));
    place
}

/// Every file with its bytes and its time.
fn everything(root: &Path) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let mut found = BTreeMap::new();
    let mut todo = vec![root.to_owned()];
    while let Some(directory) = todo.pop() {
        for entry in fs::read_dir(directory).expect("it is there") {
            let path = entry.expect("it can be read").path();
            let modified = path.metadata().and_then(|metadata| metadata.modified()).expect("it has a time");
            if path.is_dir() {
                found.insert(path.clone(), (Vec::new(), modified));
                todo.push(path);
            } else {
                found.insert(path.clone(), (fs::read(&path).expect("it can be read"), modified));
            }
        }
    }
    found
}

#[test]
fn what_is_as_locked_passes_and_anything_else_is_named() {
    let place = locked();
    let ran = place.run(["lock", "--check"]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.code), ("2 skills are locked: 2 ok\n", "", 0));
    place.file("skills/pdf/tools/fill.sh", "echo two\n").file("skills/pdf/new.md", "x");
    place.file(
        "skills/csv/SKILL.md",
        fs::read_to_string(place.path().join("skills/csv/SKILL.md")).expect("read").replace('\n', "\r\n"),
    );
    let ran = place.run(["lock", "--check"]);
    insta::assert_snapshot!(ran.stdout, @r"
    skills/csv: line ends only
      SKILL.md: line ends only
    skills/pdf: edited
      new.md: extra file
      tools/fill.sh: edited
    2 skills are locked: 1 line ends only, 1 edited
    ");
    insta::assert_snapshot!(ran.stderr, @"help: write into `.gitattributes` beside skill-sources.lock, and check the files out again: `skills/csv/** -text`");
    assert_eq!(ran.code, 1);
    let ran = place.run(["lock", "--check", "--json"]);
    let csv = serde_json::json!({
        "name": "csv", "dir": "skills/csv", "state": "line ends only",
        "files": [{"path": "SKILL.md", "state": "line ends only"}],
    });
    let pdf = serde_json::json!({
        "name": "pdf", "dir": "skills/pdf", "state": "edited",
        "files": [
            {"path": "SKILL.md", "state": "ok"},
            {"path": "new.md", "state": "extra file"},
            {"path": "tools/fill.sh", "state": "edited"},
        ],
    });
    assert_eq!(ran.json(), serde_json::json!({"skills": [csv, pdf]}));
    assert_eq!((ran.stderr.as_str(), ran.code), ("", 1));
    fs::remove_dir_all(place.path().join("skills")).expect("removed");
    let ran = place.run(["lock", "--check"]);
    assert!(ran.code == 1 && ran.stdout.ends_with("2 skills are locked: 2 missing\n"), "{}", ran.stdout);
}

/// Elsewhere a check writes: it is the same function as the update.
#[test]
fn a_check_writes_nothing() {
    let place = locked();
    place.file("skills/pdf/tools/fill.sh", "echo two\n");
    let before = everything(place.path());
    for args in
        [&["lock", "--check"][..], &["lock", "--check", "--json"], &["check", "skills"], &["list", "--json"]]
    {
        place.run(args);
        assert_eq!(everything(place.path()), before, "{args:?}");
    }
}

/// Elsewhere changed bytes are restored and the lock is rewritten to fit them.
#[test]
fn a_digest_is_compared_every_time() {
    let place = locked();
    for content in ["echo two\n", "echo one", "echo one\n\n", "Echo one\n", ""] {
        place.file("skills/pdf/tools/fill.sh", content);
        assert_eq!(place.run(["lock", "--check"]).code, 1, "{content:?}");
        assert_eq!(place.run(["lock", "--check"]).code, 1, "the first run has changed nothing");
    }
    place.file("skills/pdf/tools/fill.sh", "echo one\n");
    assert_eq!(place.run(["lock", "--check"]).code, 0);
}

/// Elsewhere a lock with conflict markers, or of another version, is taken for an empty one and overwritten.
#[test]
fn a_lock_that_is_not_understood_is_never_wiped() {
    let place = locked();
    let lock = fs::read_to_string(place.path().join(LOCK)).expect("it is there");
    let side = lock.replace("acme", "other");
    for (broken, word) in [
        (format!("<<<<<<< HEAD\n{lock}=======\n{side}>>>>>>> branch\n"), "conflict markers"),
        (lock.replace("version = 1", "version = 2"), "a version that is not known here: 2"),
        (lock.replace("version = 1", ""), "no `version`"),
        ("{\"version\": 1}".to_owned(), "not valid TOML"),
        ("\u{0}".to_owned(), "not valid TOML"),
        (lock.replacen("644", "600", 1), "neither 644 nor 755"),
    ] {
        place.file(LOCK, &broken);
        let before = everything(place.path());
        let ran = place.run(["lock", "--check"]);
        assert!(
            ran.code == 2 && ran.stdout.is_empty() && ran.stderr.contains(word),
            "{word}: {}",
            ran.stderr
        );
        let ran = place.run(["lock", "--check", "--json"]);
        assert_eq!((ran.error_code().as_str(), ran.code, ran.stderr.as_str()), ("LOCK_UNREADABLE", 2, ""));
        assert_eq!(everything(place.path()), before);
    }
    fs::remove_file(place.path().join(LOCK)).expect("removed");
    let ran = place.run(["lock", "--check", "--json"]);
    assert_eq!((ran.error_code().as_str(), ran.code), ("LOCK_NOT_FOUND", 2), "nothing was looked at");
}

/// Elsewhere a digest depends on the developer's locale, and on the line ends of a checkout.
#[test]
fn a_digest_is_the_same_on_every_machine() {
    let place = Place::new();
    place.file("skills/pdf/SKILL.md", SKILL_MD);
    let files = ["SKILL.md", "tools/charts.py", "tools/data.py", "tools/aa.md", "tools/z.md", "Z.md"];
    for file in &files[1..] {
        place.file(&format!("skills/pdf/{file}"), file.as_bytes());
    }
    place.file(LOCK, format!("version = 1\n{}", entry(&place, "skills/pdf", &files)));
    let digest = |locale: &str| {
        let mut list = place.command(["--root", "skills", "--no-bundle", "list", "--json"]);
        let listed =
            list.env("LC_ALL", locale).env("LANG", locale).env("TZ", locale).output().expect("it runs");
        let document: serde_json::Value = serde_json::from_slice(&listed.stdout).expect("it is JSON");
        let mut check = place.command(["lock", "--check"]);
        assert!(
            check.env("LC_ALL", locale).env("LANG", locale).output().expect("it runs").status.success(),
            "{locale}"
        );
        document["skills"][0]["digest"].as_str().expect("it has one").to_owned()
    };
    let lock = fs::read_to_string(place.path().join(LOCK)).expect("it is there");
    for locale in ["C", "cs_CZ.UTF-8", "da_DK.UTF-8", "et_EE.UTF-8", "en_US.UTF-8"] {
        assert!(lock.contains(&format!("digest = \"{}\"", digest(locale))), "{locale}");
    }
    // Git's own conversion is told apart from an edit, and never hidden.
    place.file("skills/pdf/Z.md", "one\n").file("skills/pdf/SKILL.md", SKILL_MD);
    place.file(LOCK, format!("version = 1\n{}", entry(&place, "skills/pdf", &files)));
    place.file("skills/pdf/SKILL.md", SKILL_MD.replace('\n', "\r\n"));
    let document = place.run(["lock", "--check", "--json"]).json();
    assert_eq!(document["skills"][0]["state"], "line ends only");
    place.file("skills/pdf/Z.md", "two\r\n");
    let document = place.run(["lock", "--check", "--json"]).json();
    assert_eq!(document["skills"][0]["state"], "edited");
}

/// Elsewhere the name is the identity, and a second source overwrites the first.
#[test]
fn two_skills_of_one_name_are_both_compared() {
    let place = Place::new();
    place.skill("a/pdf", "Fills forms").skill("b/pdf", "Reads forms");
    let entries = entry(&place, "b/pdf", &["SKILL.md"]) + &entry(&place, "a/pdf", &["SKILL.md"]);
    place.file(LOCK, format!("version = 1\n{entries}"));
    assert_eq!(place.run(["lock", "--check"]).stdout, "2 skills are locked: 2 ok\n");
    place.file("b/pdf/new.md", "x");
    assert_eq!(
        place.run(["lock", "--check"]).stdout,
        "b/pdf: extra file\n  new.md: extra file\n2 skills are locked: 1 ok, 1 extra file\n"
    );
}

/// Elsewhere all is said to be well where nothing was looked at.
#[test]
fn what_cannot_be_looked_at_is_not_ok() {
    let place = locked();
    fs::remove_dir_all(place.path().join("skills/csv")).expect("removed");
    place.file("skills/csv", "a file in its place");
    fs::remove_file(place.path().join("skills/pdf/tools/fill.sh")).expect("removed");
    fs::create_dir(place.path().join("skills/pdf/tools/fill.sh")).expect("made");
    let document = place.run(["lock", "--check", "--json"]).json();
    let states: Vec<_> = [0, 1].map(|at| document["skills"][at]["state"].clone()).into();
    assert_eq!(states, ["missing", "edited"]);
}

#[cfg(unix)]
#[test]
fn no_secret_is_read_through_a_link() {
    let place = locked();
    place.file("secret", "echo one\n");
    let file = place.path().join("skills/pdf/tools/fill.sh");
    fs::remove_file(&file).expect("removed");
    std::os::unix::fs::symlink("../../../secret", &file).expect("linked");
    let ran = place.run(["lock", "--check"]);
    assert!(
        ran.code == 1 && ran.stdout.starts_with("skills/pdf: edited\n  tools/fill.sh: "),
        "{}",
        ran.stdout
    );
    // Only `extra` and `edited` say something of a link; nothing says that all is well.
    assert!(!ran.stdout.contains("2 ok"), "{}", ran.stdout);
}

#[test]
fn a_name_from_a_lock_does_nothing_to_a_terminal() {
    let place = locked();
    place.file("skills/pdf/\u{202e}gpj.sh", "x");
    let ran = place.run(["lock", "--check"]);
    assert!(
        ran.stdout.contains("\\u{202e}gpj.sh: extra file") && !ran.stdout.contains('\u{202e}'),
        "{}",
        ran.stdout
    );
}

#[test]
fn the_digest_of_a_list_is_that_of_the_recipe() {
    let place = Place::new();
    place.file("skills/pdf/SKILL.md", SKILL_MD).file("skills/pdf/tools/fill.sh", FILL);
    let document = place.run(["list", "--json", "--root", "skills"]).json();
    let skills = document["skills"].as_array().expect("it is a list");
    assert!(skills.len() > 1);
    for skill in skills {
        let digest = skill["digest"].as_str().expect("each has one");
        assert!(digest.len() == 71 && digest.starts_with("sha256:"), "{digest}");
    }
    let of_pdf = skills.iter().find(|skill| skill["name"] == "pdf").expect("it is listed");
    let listed = of_pdf["digest"].as_str().expect("it has one");
    let lock = entry(&place, "skills/pdf", &["SKILL.md", "tools/fill.sh"]);
    assert!(lock.contains(listed), "{listed} is not in {lock}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let file = place.path().join("skills/pdf/tools/fill.sh");
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("set");
        let document = place.run(["list", "--json", "--root", "skills", "--no-bundle"]).json();
        assert_eq!(document["skills"][0]["digest"], VECTOR);
    }
}

/// A program is read, not run, and may be anything.
#[test]
fn the_lock_in_a_program_is_found() {
    let place = Place::new();
    place.skill("skills/pdf", "Fills forms");
    let lock = format!("version = 1\n{}", entry(&place, "skills/pdf", &["SKILL.md"]));
    let block = skills_bundle::lock::block(&lock);
    place.file("tool", [&[0x7f, b'E', b'L', b'F'][..], &[0; 1000], &block, b"tail"].concat());
    let ran = place.run(["lock", "--program", "tool"]);
    assert!(ran.code == 0 && ran.stdout.contains("dir = \"skills/pdf\""), "{}{}", ran.stdout, ran.stderr);
    let document = place.run(["lock", "--program", "tool", "--json"]).json();
    assert_eq!((&document["skills"][0]["name"], &document["damaged"]), (&"pdf".into(), &0.into()));
    let mut damaged = block.clone();
    *damaged.last_mut().expect("it has bytes") ^= 1;
    place.file("damaged", damaged).file("cut", &block[..block.len() - 1]);
    for file in ["damaged", "cut"] {
        let ran = place.run(["lock", "--program", file]);
        assert!(
            ran.code == 1 && ran.stdout.is_empty() && ran.stderr.contains("1 damaged lock"),
            "{}",
            ran.stderr
        );
    }
    // This program has no locked skills, but a marker to look for.
    let ran = place.run(["lock", "--program", env!("CARGO_BIN_EXE_skills")]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.starts_with("skills: there is no lock in `"), "{}", ran.stderr);
    for missing in ["not-there", "."] {
        let ran = place.run(["lock", "--program", missing, "--json"]);
        assert_eq!((ran.error_code().as_str(), ran.code), ("IO", 2));
    }
    assert_eq!(place.run(["lock"]).code, 2);
    assert_eq!(place.run(["lock", "--check", "--program", "tool"]).code, 2);
}

/// The lock of the page on provenance is one, and its shell script gives the digest, with nothing of ours.
#[cfg(unix)]
#[test]
fn the_page_is_right_about_the_lock_and_the_digest() {
    use std::os::unix::fs::PermissionsExt as _;

    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/provenance.md");
    let page = fs::read_to_string(page).expect("it is there");
    let block = |start: &str| {
        let (_, after) = page.split_once(start).expect("the page has it");
        after.split_once("\n```").expect("it ends").0.to_owned() + "\n"
    };
    let place = Place::new();
    place.file("skills/pdf/SKILL.md", SKILL_MD).file("skills/pdf/tools/fill.sh", FILL);
    let tool = place.path().join("skills/pdf/tools/fill.sh");
    fs::set_permissions(tool, fs::Permissions::from_mode(0o755)).expect("set");
    place.file(LOCK, block("```toml\n"));
    let ran = place.run(["lock", "--check"]);
    assert_eq!(ran.stdout, "1 skill is locked: 1 ok\n", "{}", ran.stderr);
    let script = block("```sh\n");
    let ran = std::process::Command::new("sh").args(["-c", &script]).current_dir(place.path()).output();
    let digest = String::from_utf8(ran.expect("it runs").stdout).expect("it is text");
    assert_eq!(format!("sha256:{}", digest.split(' ').next().unwrap_or_default()), VECTOR);
}
