use super::*;
use crate::command::{self, TemplateFile};
use crate::rules::Rules;
use crate::skill;
use skills_pack::layout::header;
use skills_pack::layout::name::DIRECTORY;
use skills_pack::{FieldValue, Named, Skill};

/// A field with its key.
fn shown(key: &str, value: FieldValue<'_>) -> String {
    match value {
        FieldValue::Text(text) => format!("{key}={text}"),
        FieldValue::Json(json) => format!("{key}:{json}"),
        FieldValue::List(items) => format!("{key}[{}]", items.collect::<Vec<_>>().join("|")),
    }
}

/// How long a value is, whatever it is.
fn shown_len(value: FieldValue<'_>) -> usize {
    match value {
        FieldValue::Text(text) | FieldValue::Json(text) => text.len(),
        FieldValue::List(items) => items.take(1000).map(str::len).sum(),
    }
}

/// Files as their paths and bytes.
type Files<'f> = &'f [(&'f str, &'f [u8])];

/// Packs skills given as `(directory, SKILL.md, other files)`.
fn packed(skills: &[(&str, &str, Files<'_>)]) -> Written {
    let mut writer = PackWriter::new();
    for (dir_name, skill_md, others) in skills {
        let mut rules = Rules::default();
        rules.unicode_names = true;
        let (text, _) = skill::read("SKILL.md", dir_name, skill_md.as_bytes(), &rules);
        let mut files = vec![("SKILL.md", skill_md.as_bytes())];
        files.extend(others.iter().copied());
        files.sort_unstable();
        let files = files.iter().map(|(path, bytes)| FileSource {
            path,
            content: FileBytes::Packed(bytes, [bytes.len() as u8; 32]),
            executable: path.contains(".sh"),
        });
        writer.add(&SkillSource {
            path: &format!("skills/{dir_name}"),
            dir_name,
            text: &text.expect("the text has a frontmatter"),
            files: files.collect(),
        });
    }
    writer.finish().expect("it is small")
}

fn with_pack<R>(written: &Written, run: impl FnOnce(Pack<'_>) -> R) -> R {
    run(Pack::from_owned(&written.texts, &written.bytes, &written.tables).expect("the blocks fit"))
}

fn first<'p>(pack: &Pack<'p>) -> Skill<'p> {
    pack.skill(0).expect("there is a skill")
}

#[test]
fn what_is_written_is_read() {
    let text = "---\nname: pdf\ndescription: \"A \\\"b\\\"\"\nversion: 1.10\ntags: [A, b]\nx: {y: 1}\nz: true\n---\n\nBody é\n";
    let written = packed(&[("pdf", text, &[("a/b.sh", b"#!/bin/sh\n"), ("logo.png", b"\x89PNG\0\xff")])]);
    with_pack(&written, |pack| {
        let skill = first(&pack);
        assert_eq!((skill.name(), skill.path(), skill.description()), ("pdf", "skills/pdf", "A \"b\""));
        assert_eq!((skill.version(), skill.author(), skill.body()), (Some("1.10"), None, "Body é"));
        assert_eq!(skill.tags().collect::<Vec<_>>(), ["A", "b"]);
        assert_eq!(skill.triggers().len(), 0);
        let fields: Vec<String> = skill.frontmatter().map(|(key, value)| shown(key, value)).collect();
        assert_eq!(
            fields,
            ["name=pdf", "description=A \"b\"", "version=1.10", "tags[A|b]", "x:{\"y\":1}", "z:true"]
        );
        let files: Vec<_> = skill.files().map(|file| (file.path(), file.size(), file.media_type())).collect();
        assert_eq!(
            files,
            [
                ("SKILL.md", text.len(), "text/markdown"),
                ("a/b.sh", 10, "application/x-sh"),
                ("logo.png", 6, "image/png")
            ]
        );
        let script = skill.file("a/b.sh").expect("it is there");
        assert!(
            script.is_executable()
                && script.text() == Some("#!/bin/sh\n")
                && script.sha256() == Some(&[10; 32])
        );
        let logo = skill.file("logo.png").expect("it is there");
        assert!(
            logo.text().is_none()
                && logo.bytes() == Some(b"\x89PNG\0\xff".as_slice())
                && skill.file("logo").is_none()
        );
    });
}

/// The fields of a frontmatter as they were written, and with YAML's types.
fn both(yaml: &str) -> [Vec<String>; 2] {
    let text = format!("---\nname: pdf\ndescription: x\n{yaml}---\n");
    with_pack(&packed(&[("pdf", &text, &[])]), |pack| {
        let skill = first(&pack);
        let written = skill.frontmatter().skip(2).map(|(key, value)| shown(key, value)).collect();
        [written, skill.typed_frontmatter().skip(2).map(|(key, value)| shown(key, value)).collect()]
    })
}

#[test]
fn numbers_are_text_as_written_and_numbers_in_yaml() {
    let [written, typed] = both("version: 1.10\nlicense: 0x1f\nauthor: true\nb: 7\nc: \"1.10\"\nd: 1e3\n");
    assert_eq!(written, ["version=1.10", "license=0x1f", "author=true", "b:7", "c=1.10", "d:\"1e3\""]);
    assert_eq!(typed, ["version:1.1", "license:31", "author:true", "b:7", "c=1.10", "d:1000.0"]);
}

#[test]
fn numbers_that_json_cannot_hold_are_null_or_text() {
    let [written, typed] = both(
        "a: [.inf, -.INF, .nan]\nb: 18446744073709551615\nc: 18446744073709551616\nd: -9223372036854775808\ne: -9223372036854775809\n",
    );
    assert_eq!(written[0], "a:[\".inf\",\"-.INF\",\".nan\"]");
    assert_eq!(
        typed,
        [
            "a:[null,null,null]",
            "b:18446744073709551615",
            "c:\"18446744073709551616\"",
            "d:-9223372036854775808",
            "e:\"-9223372036854775809\""
        ]
    );
}

#[test]
fn types_are_kept_inside_and_so_is_the_order() {
    let [written, typed] = both(
        "z: {y: 1.0, x: [007, -0, +5, 0b11, 1_0], 2: ~, 1.50: {a: False}}\ntags: [a, b]\nparameters: {a: 0x10}\n",
    );
    assert_eq!(
        written,
        [
            r#"z:{"y":"1.0","x":["007","-0","+5","0b11","1_0"],"2":null,"1.50":{"a":false}}"#,
            "tags[a|b]",
            r#"parameters:{"a":16.0}"#
        ]
    );
    assert_eq!(
        typed,
        [
            r#"z:{"y":1.0,"x":["007",0,5,3,"1_0"],"2":null,"1.50":{"a":false}}"#,
            "tags[a|b]",
            r#"parameters:{"a":16}"#
        ]
    );
}

#[test]
fn types_are_those_that_a_reader_of_yaml_gives() {
    let yaml = "version: 1.10\na: {b: [1.0, 0x1f, .inf, -0, 0o17, 1e3, 12345678901234567890, yes, ~], c: 'x'}\nd: |\n  1.0\ne: !!float 2.5\n3: *x\n";
    let yaml = yaml.replace("*x", "[&x 1.50, *x]");
    let read: serde_json::Value = serde_yaml::from_str(&yaml).expect("it is YAML");
    let text = format!("---\nname: pdf\ndescription: x\n{yaml}---\n");
    with_pack(&packed(&[("pdf", &text, &[])]), |pack| {
        let mut count = 0;
        for (key, value) in first(&pack).typed_frontmatter().skip(2) {
            let value = match value {
                FieldValue::Json(json) => serde_json::from_str(json).expect("it is JSON"),
                FieldValue::Text(text) => serde_json::Value::from(text),
                FieldValue::List(_) => panic!("{key} is a list"),
            };
            assert_eq!(value, read[key], "{key}");
            count += 1;
        }
        assert_eq!(count, 5);
    });
}

#[test]
fn a_frontmatter_without_numbers_is_packed_once() {
    let with = |value: &str| {
        let text = format!("---\nname: pdf\ndescription: x\nmetadata: {{version: {value}}}\n---\n");
        let written = packed(&[("pdf", &text, &[])]);
        (written.texts.concat().matches("{\"version\"").count(), written.tables.len())
    };
    let ((quoted, small), (number, large)) = (with("'1.0'"), with("1.0"));
    assert_eq!((quoted, number, large - small), (1, 2, 16));
}

#[test]
fn the_body_and_plain_values_are_slices_of_the_file() {
    let text = "---\nname: pdf\ndescription: once upon a time\n---\nonly here\n";
    let written = packed(&[("pdf", text, &[])]);
    assert_eq!(written.texts.concat().matches("only here").count(), 1);
    // What search looks at stands in the tables.
    assert_eq!(written.texts.concat().matches("once upon a time").count(), 1);
}

#[test]
fn marks_and_line_ends_do_not_move_the_body() {
    let text = "\u{feff}---\r\nname: pdf\r\ndescription: plain text\r\n---\r\n\r\none\r\ntwo\r\n";
    let written = packed(&[("pdf", text, &[])]);
    with_pack(&written, |pack| {
        let skill = first(&pack);
        assert_eq!((skill.description(), skill.body()), ("plain text", "one\ntwo"));
        assert_eq!(skill.file("SKILL.md").and_then(|file| file.bytes()), Some(text.as_bytes()));
    });
}

#[test]
fn a_nul_in_the_body_moves_nothing() {
    let text = "---\nname: pdf\ndescription: Reads forms\ntags: [a, b]\n---\nBody \0 end";
    with_pack(&packed(&[("pdf", text, &[("x.bin", b"\0")])]), |pack| {
        let skill = first(&pack);
        assert_eq!((skill.name(), skill.description(), skill.body()), ("pdf", "Reads forms", "Body \0 end"));
        assert_eq!(skill.file("SKILL.md").and_then(|file| file.bytes()), Some(text.as_bytes()));
    });
}

#[test]
fn equal_files_stand_in_the_pack_once() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: x\n---\n");
    let (a, b) = (skill("a"), skill("b"));
    let files: &[(&str, &[u8])] = &[("LICENSE", b"the same words"), ("x.bin", b"\0the same bytes")];
    let written = packed(&[("a", &a, files), ("b", &b, files)]);
    assert_eq!(
        (written.texts.concat().matches("the same words").count(), written.bytes.concat().len()),
        (1, 15)
    );
}

#[test]
fn names_win_over_directories_and_shared_directories_name_nothing() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: x\n---\n");
    let texts = [skill("a"), skill("b"), skill("c"), skill("cafe\u{301}")];
    let written = packed(&[
        ("b", &texts[0], &[]),
        ("PDF Tools", &texts[1], &[]),
        ("PDF Tools", &texts[2], &[]),
        ("d", &texts[3], &[]),
    ]);
    let names: Vec<(&str, u32)> = written.names.iter().map(|(name, index)| (name.as_str(), *index)).collect();
    assert_eq!(names, [("a", 0), ("b", 1), ("c", 2), ("cafe\u{301}", 3), ("café", 3), ("d", 3 | DIRECTORY)]);
    with_pack(&written, |pack| {
        let read: Vec<(&str, Named)> = pack.names().collect();
        assert_eq!(read, names.iter().map(|&(name, word)| (name, Named::of(word))).collect::<Vec<_>>());
        assert!(read.iter().all(|&(name, named)| pack.find(name) == Some(named)));
        assert_eq!((pack.find(""), pack.find("pdf-tools"), pack.find("zz")), (None, None, None));
    });
}

#[test]
fn blocks_that_do_not_fit_are_refused() {
    let written = packed(&[("a", "---\nname: a\ndescription: x\n---\n", &[])]);
    let Written { texts, tables, .. } = &written;
    let text = texts[0].as_str();
    assert!(Pack::new(&[&text], &[], tables).is_ok());
    assert!(Pack::new(&[&&text[1..]], &[], tables).is_err());
    assert!(Pack::new(&[&text], &[&[0].as_slice()], tables).is_err());
    assert!(Pack::new(&[&text], &[], &tables[..tables.len() - 4]).is_err());
    assert!(Pack::new(&[], &[], &[]).is_err());
    let mut other = tables.clone();
    other[4] ^= 1;
    assert!(Pack::new(&[&text], &[], &other).is_err());
}

/// A pack of a skill and of these commands, given as their definitions and templates.
fn with_commands(commands: &[(&str, &str)]) -> Written {
    let mut writer = PackWriter::new();
    let skill_md = b"---\nname: a\ndescription: x\ntags: [t]\n---\n";
    let (text, _) = skill::read("SKILL.md", "a", skill_md, &Rules::default());
    let files = vec![FileSource {
        path: "SKILL.md",
        content: FileBytes::Packed(skill_md, [1; 32]),
        executable: false,
    }];
    let text = text.expect("the text has a frontmatter");
    writer.add(&SkillSource { path: "skills/a", dir_name: "a", text: &text, files });
    for (definition, template) in commands {
        let (text, _) = command::read("c.command.yaml", definition.as_bytes(), &Rules::default(), |_| {
            Ok(TemplateFile { path: "c.txt".to_owned(), bytes: template.as_bytes().to_vec() })
        });
        let text = text.expect("it is good");
        writer.add_command(&CommandSource {
            path: &format!("commands/{}.command.yaml", text.name),
            text: &text,
        });
    }
    writer.finish().expect("it is small")
}

const COMMANDS: [(&str, &str); 2] = [
    ("name: zed\ndescription: Last\ntype: text\ntemplate_path: c.txt\nwebui_hidden: true\n", "é {raw}"),
    (
        "name: b\ndescription: \"B \\\"q\\\"\"\ntype: text\ntemplate_path: c.txt\nargument_hint: [x]\nlist: [t, u]\nmap: {k: 1}\n",
        "é {raw}",
    ),
];

#[test]
fn commands_are_written_and_read_beside_skills() {
    let written = with_commands(&COMMANDS);
    assert_eq!(written.texts.concat().matches("{raw}").count(), 1, "equal templates stand there once");
    with_pack(&written, |pack| {
        assert_eq!((pack.len(), pack.commands().len()), (1, 2));
        assert_eq!(first(&pack).tags().collect::<Vec<_>>(), ["t"]);
        let names: Vec<&str> = pack.commands().map(|command| command.name()).collect();
        assert_eq!(names, ["b", "zed"]);
        let b = pack.command("b").expect("it is there");
        assert_eq!((b.description(), b.argument_hint(), b.template()), ("B \"q\"", Some("[x]"), "é {raw}"));
        assert!(!b.is_hidden() && b.path() == "commands/b.command.yaml");
        let fields: Vec<String> = b
            .fields()
            .filter(|(key, _)| matches!(*key, "list" | "map" | "type"))
            .map(|(key, value)| shown(key, value))
            .collect();
        assert_eq!(fields, ["type=text", "list[t|u]", "map:{\"k\":1}"]);
        let zed = pack.command("zed").expect("it is there");
        assert!(zed.is_hidden() && zed.argument_hint().is_none());
        assert!(pack.command("").is_none() && pack.command("c").is_none() && pack.command("zz").is_none());
    });
}

#[test]
fn damaged_commands_never_panic() {
    let written = with_commands(&COMMANDS);
    for at in header::WORDS * 4..written.tables.len() {
        let mut tables = written.tables.clone();
        tables[at] = tables[at].wrapping_add(113);
        let Ok(pack) = Pack::from_owned(&written.texts, &written.bytes, &tables) else { continue };
        let _ = (pack.command("b").is_some(), pack.command("zed").is_some());
        for command in pack.commands().take(10) {
            let fields: usize = command.fields().take(100).map(|(key, _)| key.len()).sum();
            let _ =
                (fields, command.name(), command.template(), command.argument_hint(), command.is_hidden());
        }
    }
}

#[test]
fn a_damaged_pack_never_panics() {
    let written = packed(&[(
        "a",
        "---\nname: a\ndescription: é x\ntags: [é]\nversion: 1.0\nm: {é: 1.0}\n---\nbody é\n",
        &[("é.md", "é".as_bytes())],
    )]);
    for at in header::WORDS * 4..written.tables.len() {
        let mut tables = written.tables.clone();
        tables[at] = tables[at].wrapping_add(113);
        let Ok(pack) = Pack::from_owned(&written.texts, &written.bytes, &tables) else { continue };
        let skill = first(&pack);
        let lists = [skill.tags(), skill.triggers(), skill.allowed_tools(), skill.arguments()];
        let counted =
            lists.into_iter().map(|list| list.take(1000).map(str::len).sum::<usize>()).sum::<usize>();
        let fields: usize = skill
            .frontmatter()
            .take(1000)
            .chain(skill.typed_frontmatter().take(1000))
            .map(|(key, value)| key.len() + shown_len(value))
            .sum();
        let files: usize = skill
            .files()
            .take(1000)
            .map(|file| file.bytes().map_or(0, <[u8]>::len) + file.path().len())
            .sum();
        let _ = (
            counted,
            fields,
            files,
            skill.body(),
            skill.head(),
            skill.tree(),
            skill.file("é.md"),
            pack.find("a"),
        );
    }
}

#[test]
fn media_types_follow_the_content_too() {
    assert_eq!(media_type("a.ts", true), "text/plain");
    assert_eq!(media_type("a.svg", true), "image/svg+xml");
    assert_eq!(media_type("a.md", false), "application/octet-stream");
    assert_eq!(media_type("noext", true), "text/plain");
    assert_eq!(media_type("noext", false), "application/octet-stream");
}
