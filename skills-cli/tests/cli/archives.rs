//! `skills add ARCHIVE#sha256=…`: what is taken of an archive, and what must not be.

use std::io::{Cursor, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use skills_bundle::lock::{Digest, LockedFile};
use tar::EntryType;
use zip::write::SimpleFileOptions;

use crate::place::Place;
use crate::project::{files, lock, project, run};

pub(crate) const SKILL: &str = "---\nname: pdf\ndescription: Fills forms\n---\n\nBody of pdf.\n";

const PLAIN: EntryType = EntryType::Regular;

/// What is behind the `#` of an archive.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Digest(LockedFile::of("", false, bytes).sha256).to_string().replace(':', "=")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("written");
    encoder.finish().expect("written")
}

/// A tar archive with these entries: path, kind, mode and contents, or where a link leads to.
fn tar(entries: &[(&str, EntryType, u32, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (path, kind, mode, text) in entries {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_entry_type(*kind);
        header.set_mode(*mode);
        let is_link = kind.is_symlink() || kind.is_hard_link();
        if is_link {
            header.as_old_mut().linkname[..text.len()].copy_from_slice(text.as_bytes());
        }
        let text = if is_link { "" } else { text };
        header.set_size(text.len() as u64);
        header.set_cksum();
        archive.append(&header, text.as_bytes()).expect("written");
    }
    archive.into_inner().expect("written")
}

pub(crate) fn tar_gz(entries: &[(&str, EntryType, u32, &str)]) -> Vec<u8> {
    gzip(&tar(entries))
}

/// A skill, and one more entry.
fn with(path: &str, kind: EntryType, text: &str) -> Vec<u8> {
    tar_gz(&[("SKILL.md", PLAIN, 0o644, SKILL), (path, kind, 0o644, text)])
}

fn zip(entries: &[(&str, u32, &str)], method: zip::CompressionMethod) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, mode, text) in entries {
        let options = SimpleFileOptions::default().compression_method(method).unix_permissions(*mode);
        if *mode & 0o120_000 == 0o120_000 {
            archive.add_symlink(*path, *text, options).expect("written");
        } else {
            archive.start_file(*path, options).expect("begun");
            archive.write_all(text.as_bytes()).expect("written");
        }
    }
    archive.finish().expect("written").into_inner()
}

/// The same bytes with one text in place of another of its length, wherever it is.
fn patched(mut bytes: Vec<u8>, old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    for at in 0..=bytes.len() - old.len() {
        if bytes[at..].starts_with(old.as_bytes()) {
            bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
        }
    }
    bytes
}

/// Adds the only skill of an archive.
fn add(place: &Place, name: &str, bytes: &[u8], more: &[&str]) -> crate::place::Ran {
    place.file(&format!("project/{name}"), bytes);
    run(place, &[&["add", &format!("{name}#{}", digest(bytes)), "--yes"][..], more].concat())
}

#[test]
fn a_skill_of_an_archive_is_taken_and_locked() {
    let place = project();
    let tar = tar_gz(&[
        (
            "pax_global_header",
            EntryType::XGlobalHeader,
            0o644,
            "52 comment=0123456789012345678901234567890123456789\n",
        ),
        ("./", EntryType::Directory, 0o755, ""),
        ("./tools/", EntryType::Directory, 0o755, ""),
        ("./SKILL.md", PLAIN, 0o644, SKILL),
        ("./tools/fill.sh", PLAIN, 0o755, "#!/bin/sh\n"),
    ]);
    let ran = add(&place, "pdf.tar.gz", &tar, &["--offline"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "skills/pdf: add\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains(&format!("  {}\n", digest(&tar).replace('=', ":"))), "{}", ran.stderr);
    let text = lock(&place);
    for line in [
        format!("source = \"./pdf.tar.gz#{}\"", digest(&tar)),
        format!("artifact = \"{}\"", digest(&tar).replace('=', ":")),
    ] {
        assert!(text.contains(&format!("\n{line}\n")), "{line} is not in {text}");
    }
    assert!(text.contains("\"755 10 ") && !text.contains("\nurl") && !text.contains("\ncommit"), "{text}");
    assert_eq!(run(&place, &["lock", "--check"]).stdout, "1 skill is locked: 1 ok\n");

    // Also of ZIP, and below directories; what is behind `./` and what is packed how makes no difference.
    let skills =
        [("x/skills/pdf/SKILL.md", 0o644, SKILL), ("x/skills/pdf/tools/fill.sh", 0o755, "#!/bin/sh\n")];
    let mut digests = Vec::new();
    for (method, dir) in [(zip::CompressionMethod::Deflated, "a"), (zip::CompressionMethod::Stored, "b")] {
        let bytes = zip(&skills, method);
        let ran = add(&place, "many.zip", &bytes, &["--dir", dir]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        digests.push(lock(&place).matches("path = \"x/skills/pdf\"").count());
    }
    assert_eq!(digests, [1, 2]);
    let text = lock(&place);
    let files: Vec<&str> = text.lines().filter(|line| line.starts_with("digest")).collect();
    assert!(files.len() == 3 && files.iter().all(|digest| *digest == files[0]), "{files:?}");

    // An archive never changes, so nobody has to look.
    let ran = run(&place, &["outdated", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert_eq!(ran.json()["skills"][0]["state"], "pinned");
    assert_eq!(run(&place, &["update", "--yes"]).code, 0);
    let newer = tar_gz(&[("SKILL.md", PLAIN, 0o644, SKILL), ("new.md", PLAIN, 0o644, "new\n")]);
    place.file("project/pdf.tar.gz", &newer);
    let source = format!("pdf.tar.gz#{}", digest(&newer));
    let ran = run(&place, &["update", "--from", &source, "--yes"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "skills/pdf: update\n"), "{}", ran.stderr);
    assert!(
        self::files(&place).contains(&"skills/pdf/new.md".to_owned())
            && lock(&place).contains(&digest(&newer))
    );
}

#[test]
fn an_archive_is_taken_only_with_its_digest() {
    let place = project();
    let bytes = with("a.md", PLAIN, "a");
    place.file("project/pdf.tgz", &bytes).file("other.tgz", &bytes);
    let before = files(&place);
    let other = format!("sha256={}", "0a".repeat(32));
    for (source, word) in [
        ("pdf.tgz".to_owned(), "is taken only with its digest"),
        ("pdf.tgz#v1".to_owned(), "is not the digest of an archive"),
        ("./pdf.tgz#sha256=0a".to_owned(), "is not the digest of an archive"),
        (format!("pdf.tgz#{other}"), "is not what was asked for: its digest is sha256:"),
        (format!("../other.tgz#{}", digest(&bytes)), "is outside of the workspace"),
        (format!("./no.tgz#{other}"), "does not exist"),
        (format!("https://example.org/pdf.tgz#{other}"), "needs the network"),
        ("https://example.org/pdf.tgz".to_owned(), "is taken only with its digest"),
    ] {
        let ran = run(&place, &["add", &source, "--yes", "--offline"]);
        assert!(ran.code == 2 && ran.stderr.contains(word), "{source}: {}", ran.stderr);
        assert_eq!(files(&place), before, "{source}");
    }
    let ran = run(&place, &["add", &format!("../other.tgz#{}", digest(&bytes)), "--yes", "--allow-outside"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

/// Links, devices, paths that lead away, files that are one elsewhere, and bombs: each is refused, by name.
#[test]
fn what_is_hostile_is_refused() {
    let place = project();
    place.file("secret", "top secret");
    let deep = format!("{}x.md", "d/".repeat(33));
    let many: Vec<String> = (0..10_001).map(|number| format!("{number}.md")).collect();
    let many: Vec<_> = many.iter().map(|path| (path.as_str(), PLAIN, 0o644, "")).collect();
    let zeros = "\0".repeat(20 << 20);
    let stored = zip::CompressionMethod::Stored;
    let two = [("SKILL.md", 0o644, SKILL), ("xx/evil.md", 0o644, "evil")];
    let twins = [("SKILL.md", 0o644, SKILL), ("a1.md", 0o644, "1"), ("a2.md", 0o644, "2")];
    let mut trailing = tar(&[("SKILL.md", PLAIN, 0o644, SKILL)]);
    trailing.extend(tar(&[("more.md", PLAIN, 0o644, "more")]));
    let plain = with("a.md", PLAIN, "a");
    let cases = [
        ("link.tgz", with("notes.md", EntryType::Symlink, "../../secret"), "`notes.md` in it is a symlink"),
        ("hard.tgz", with("notes.md", EntryType::Link, "SKILL.md"), "`notes.md` in it is a hard link"),
        ("device.tgz", with("null", EntryType::Char, ""), "is a device"),
        ("block.tgz", with("sda", EntryType::Block, ""), "is a device"),
        ("pipe.tgz", with("pipe", EntryType::Fifo, ""), "is a pipe"),
        ("sparse.tgz", with("sparse", EntryType::GNUSparse, ""), "is refused"),
        ("absolute.tgz", with("/etc/passwd", PLAIN, "x"), "the path `/etc/passwd` cannot be taken"),
        ("above.tgz", with("../evil.md", PLAIN, "x"), "the path `../evil.md` cannot be taken"),
        ("inside.tgz", with("a/../../evil.md", PLAIN, "x"), "cannot be taken"),
        ("directory.tgz", with("../evil", EntryType::Directory, ""), "cannot be taken"),
        ("windows.tgz", with("a\\b.md", PLAIN, "x"), "has a backslash"),
        ("drive.tgz", with("C:/b.md", PLAIN, "x"), "drive letter"),
        ("escape.tgz", with("\u{1b}[2J.md", PLAIN, "x"), "control"),
        ("slash.tgz", with("a.md/", PLAIN, "x"), "has the name of a directory"),
        ("twice.tgz", with("SKILL.md", PLAIN, "x"), "`SKILL.md` is in it twice"),
        ("case.tgz", with("skill.MD", PLAIN, "x"), "are one on some systems"),
        (
            "composed.tgz",
            tar_gz(&[
                ("SKILL.md", PLAIN, 0o644, SKILL),
                ("\u{e9}.md", PLAIN, 0o644, "1"),
                ("e\u{301}.md", PLAIN, 0o644, "2"),
            ]),
            "are one on some systems",
        ),
        ("below.tgz", with("SKILL.md/x.md", PLAIN, "x"), "`SKILL.md` is in it twice"),
        ("deep.tgz", with(&deep[..], PLAIN, "x"), "below more than 32 directories"),
        ("many.tgz", tar_gz(&many), "more than 10000 files"),
        ("bomb.tgz", with("zeros", PLAIN, &zeros), "it unpacks to more than"),
        (
            "padding.tgz",
            gzip(&[&tar(&[("SKILL.md", PLAIN, 0o644, SKILL)])[..], zeros.as_bytes()].concat()),
            "more than",
        ),
        ("behind.tgz", gzip(&trailing), "there is more behind its end"),
        ("cut.tgz", plain[..plain.len() - 20].to_vec(), "is refused"),
        ("other.tgz", b"Rar!".to_vec(), "neither tar with gzip nor ZIP"),
        ("file.tgz", gzip(SKILL.as_bytes()), "is refused"),
        ("empty.tgz", tar_gz(&[]), "there are no skills"),
        ("hidden.tgz", tar_gz(&[(".hidden/SKILL.md", PLAIN, 0o644, SKILL)]), "there are no skills"),
        (
            "link.zip",
            zip(&[two[0], ("notes.md", 0o120_777, "../secret")], stored),
            "`notes.md` in it is a symlink",
        ),
        (
            "above.zip",
            patched(zip(&two, stored), "xx/evil", "../evil"),
            "the path `../evil.md` cannot be taken",
        ),
        ("absolute.zip", patched(zip(&two, stored), "xx/evil", "/x/evil"), "cannot be taken"),
        ("twice.zip", patched(zip(&twins, stored), "a2.md", "a1.md"), "twice"),
        ("case.zip", patched(zip(&twins, stored), "a2.md", "A1.md"), "are one on some systems"),
        ("bomb.zip", zip(&[two[0], ("zeros", 0o644, &zeros)], zip::CompressionMethod::Deflated), "more than"),
        ("changed.zip", patched(zip(&two, stored), "Body of pdf", "Soul of pdf"), "cannot be unpacked"),
        ("cut.zip", zip(&two, stored)[..150].to_vec(), "is refused"),
    ];
    for (name, bytes, word) in cases {
        place.file(&format!("project/{name}"), &bytes);
        let before = files(&place);
        let ran = add(&place, name, &bytes, &[]);
        assert!(ran.code == 2 && ran.stderr.contains(word), "{name}: {} {}", ran.code, ran.stderr);
        assert!(!ran.stderr.contains("top secret") && !ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
        assert_eq!(files(&place), before, "{name}");
    }
    assert!(!place.path().join("evil.md").exists());
}
