//! The result of a build: small, deterministic, and only from inside the package.

use std::path::Path;

use skills_bundle::compile::{compile, compile_good};
use skills_bundle::{Code, Config, emit};
use skills_tests::disk::{self, copy, skill_md, write};

use super::{case, compiled, config, names, open, pack, served};

/// The case only has steps: a change of any byte shows in the generated source.
#[test]
fn a_cache_by_source_text_sees_every_change() {
    let dir = case("086-wrapper-cache-hides-change");
    write(dir.path(), "skills/a/SKILL.md", skill_md("a", "x"));
    write(dir.path(), "skills/a/data.bin", b"\0\x01");
    write(dir.path(), "skills/a/notes.md", "one\n");
    let text = || emit::bundle_from_files(&compiled(&dir));
    let mut seen = vec![text()];
    let changes: [(&str, &[u8]); 4] = [
        ("data.bin", b"\0\x02"),
        ("notes.md", b"two\n"),
        ("new.md", b""),
        ("SKILL.md", b"---\nname: a\ndescription: y\n---\n"),
    ];
    for (path, bytes) in changes {
        write(dir.path(), &format!("skills/a/{path}"), bytes);
        let after = text();
        assert!(!seen.contains(&after), "{path}");
        seen.push(after);
    }
    disk::remove(&dir.path().join("skills/a/new.md"));
    write(dir.path(), "skills/a/newer.md", "");
    assert!(!seen.contains(&text()), "a renamed file");
}

/// `benches` measures what Cargo needs for it; this test shows that nothing grows with the asset.
#[test]
fn a_large_asset_is_not_in_the_source() {
    let dir = case("088-compile-time-blow-up");
    write(dir.path(), "skills/a/SKILL.md", skill_md("a", "x"));
    let asset: Vec<u8> =
        (0..10 * 1024 * 1024_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    write(dir.path(), "skills/a/large.bin", &asset);
    let generated = compiled(&dir);
    let skill = pack(&generated).skill(0).expect("it is compiled");
    assert!(skill.file("large.bin").is_some_and(|file| file.bytes() == Some(asset.as_slice())));
    assert!(emit::bundle_from_files(&generated).len() < 2048);
}

#[test]
fn generated_source_stays_small() {
    let dir = case("089-generated-source-too-large-for-editor");
    for at in 0..2000 {
        let name = format!("a-skill-with-a-name-of-some-length-{at}");
        write(
            dir.path(),
            &format!("skills/{name}/SKILL.md"),
            skill_md(&name, "Does one small thing for a test."),
        );
    }
    let generated = compiled(&dir);
    assert_eq!(pack(&generated).len(), 2000);
    let len = emit::bundle_from_files(&generated).len();
    assert!(len < 200 * 1024, "{len} bytes for 2,000 skills");
}

#[test]
fn a_root_outside_the_package() {
    let dir = case("091-files-outside-the-package");
    let package = dir.path().join("ws/crate");
    let config = || Config::new("../shared-skills").base(&package).package(&package);
    let generated = compile(&config(), None).expect("it is a warning");
    let codes: Vec<_> = generated.report.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::L116]);
    assert_eq!(pack(&generated).skill(0).map(|skill| skill.path()), Some("shared-skills/one"));
    assert!(compile(&config().deny("L116"), None).is_err());
    assert!(
        compile(&config().allow("L116"), None).is_ok_and(|generated| generated.report.findings.is_empty())
    );
}

/// The case only has steps: equal skills in two places give equal blocks and source, with or without an
/// earlier pack, whatever the order in which files were created.
#[test]
fn equal_input_gives_equal_output() {
    let dir = case("092-unstable-generated-code");
    let skills = Path::new(env!("CARGO_MANIFEST_DIR")).join("skills");
    copy(&skills, &dir.path().join("skills"));
    let other = disk::temp();
    for file in disk::files(&skills).iter().rev() {
        let path = file.to_str().expect("our names are UTF-8");
        write(other.path(), &format!("skills/{path}"), disk::read(&skills.join(file)));
    }
    // Modes are part of what is compiled.
    copy(&skills.join("pdf-forms/scripts"), &other.path().join("skills/pdf-forms/scripts"));
    let (first, second) = (compiled(&dir), compiled(&other));
    assert_eq!(first.written, second.written);
    assert_eq!(emit::bundle_from_files(&first), emit::bundle_from_files(&second));
    let again = compile(&config(&dir), Some(&pack(&first))).expect("nothing is broken");
    assert_eq!((&again.written, &again.digest), (&first.written, &first.digest));
    for machine in [dir.path(), other.path()] {
        let machine = machine.to_str().expect("a plain path");
        let text = emit::bundle_from_files(&first);
        assert!(
            !first.written.texts.concat().contains(machine) && !text.contains(machine),
            "no absolute path"
        );
    }
}

#[test]
fn forms_of_a_root() {
    let dir = case("094-single-file-root");
    let with = |root: &str| compile_good(&Config::new(root).base(dir.path()));
    let first = with("skills");
    assert_eq!(served(&first), ["one"]);
    for root in ["skills/", "./skills", "./skills//."] {
        assert_eq!(with(root).written, first.written, "{root}");
    }
    let one = with("skills/one");
    assert_eq!(
        (served(&one), pack(&one).skill(0).map(|skill| skill.path())),
        (vec!["one"], Some("skills/one"))
    );
    let file = with("skills/one/SKILL.md").report;
    let codes: Vec<_> = file.findings.iter().map(|finding| (finding.code, finding.help.as_str())).collect();
    assert_eq!(codes, [(Code::E017, "give the directory that holds it: `skills/one`")]);
    for root in ["skills", "skills/", "skills/one", "skills/one/."] {
        let live = open(&dir, &[root]);
        assert_eq!((names(&live), live.snapshot().findings().count()), (vec!["one".to_owned()], 0), "{root}");
    }
    let live = open(&dir, &["skills/one/SKILL.md"]);
    let codes: Vec<_> = live.snapshot().findings().map(|finding| finding.code).collect();
    assert_eq!((names(&live).len(), codes), (0, vec![Code::E017]));
}

/// The cases "083-watches-less-than-it-embeds" and "085-watch-line-forms", which only have steps.
///
/// This checks what this package's own build script told Cargo to watch, one path per line: no globs or
/// lists, and every compiled file is below one of them. `tests/cargo` shows that Cargo then builds again.
#[test]
fn all_embedded_files_are_watched() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let printed = disk::read_text(&Path::new(env!("OUT_DIR")).with_file_name("output"));
    let lines = printed.lines().filter_map(|line| line.strip_prefix("cargo::rerun-if-changed="));
    let watched: Vec<_> = lines.map(|line| package.join(line)).collect();
    assert!(!watched.is_empty() && watched.iter().all(|path| path.exists()), "{watched:?}");
    for skill in skills_tests::SKILLS.skills() {
        for file in skill.files() {
            let path = package.join(skill.path()).join(file.path());
            assert!(path.is_file(), "{}", path.display());
            assert!(watched.iter().any(|watched| path.starts_with(watched)), "{}", path.display());
        }
    }
}
