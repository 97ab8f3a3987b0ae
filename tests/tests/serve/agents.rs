//! Calls whose answers differ between agents: what was given, the right answer, and why it is right.

use serde_json::{Value, json};
use skills::Session;
use skills::findings::Finding;
use skills::live::{LiveRegistry, Overlays, Root};
use skills_tests::disk::{self, TempDir};

/// Two skills and a command, as an overlay.
fn skills() -> (TempDir, LiveRegistry) {
    let dir = disk::temp();
    let write = |path: &str, bytes: &[u8]| disk::write(dir.path(), &format!("skills/{path}"), bytes);
    write(
        "review/SKILL.md",
        "---\nname: review\ndescription: Reviews\nwhen_to_use: [A change is too big, 'asked: now']\narguments: [datei]\n---\n请审查$ARGUMENTS的代码 $datei。\n"
            .as_bytes(),
    );
    write("review/docs/a.md", b"A");
    write("review/references/b.md", b"B");
    write("review/latin.txt", b"caf\xe9 \xe9\xe9");
    write("review/data.bin", b"\0\x01\xff");
    write("review/odd\u{200b}name.md", b"odd");
    write("other/SKILL.md", b"---\nname: other\ndescription: Other\n---\nBody\n");
    write("tell.command.yaml", b"name: tell\ndescription: Tells\ntype: text\ntemplate_path: tell.txt\n");
    write("tell.txt", b"Tell a joke.");
    write("say.command.yaml", b"name: say\ndescription: Says\ntype: text\ntemplate_path: say.txt\n");
    write("say.txt", "说$ARGUMENTS的话 $ARGUMENTS[1] {args.positional.0}".as_bytes());
    let live = Overlays::without_bundle().root(Root::new(dir.path().join("skills")).label("project")).open();
    (dir, live)
}

fn read(live: &LiveRegistry, path: &str) -> String {
    live.call(&json!({"action": "read_file", "skill_name": "review", "file_path": path}).to_string()).text
}

/// What `read_file` gives for a path.
#[test]
fn paths_of_files() {
    let (dir, live) = skills();
    let base = live.snapshot().registry().get("review").expect("it is served").skill.path().to_owned();
    let outside = "Error: file_path must stay inside the skill directory.";
    for (path, right, why) in [
        ("references/../docs/a.md", "A", "`..` that stays inside is the other file"),
        ("./references//../docs/./a.md", "A", "and so are empty parts and `.`"),
        ("docs/../../review/docs/a.md", outside, "a step above the skill is outside, wherever it leads then"),
        ("../other/SKILL.md", outside, "another skill's file is none of this one"),
        ("docs/..\\..\\x", outside, "also with backslashes"),
        (" docs/a.md\n", "A", "models put blanks around a path"),
        ("odd\\u{200b}name.md", "odd", "the list of files shows odd characters as escapes"),
        ("odd\u{200b}name.md", "odd", "and the file has its own name too"),
        ("file:///etc/passwd", outside, "a scheme is no path"),
        ("/etc/passwd", outside, "an absolute path elsewhere is outside"),
        (
            "docs/b.md",
            "Error: skill file not found: 'docs/b.md'. Did you mean 'references/b.md' or 'docs/a.md'?",
            "a near name helps",
        ),
    ] {
        let text = read(&live, path);
        let text = text.rsplit("\n\n").next().unwrap_or_default();
        assert_eq!(text, right, "{path}: {why}");
    }
    for (path, right) in
        [("docs/a.md", "A"), ("references/../docs/a.md", "A"), ("../other/SKILL.md", outside)]
    {
        assert!(
            read(&live, &format!("{base}/{path}")).ends_with(right),
            "what `load` showed, and below: {path}"
        );
    }
    drop(dir);
}

#[test]
fn a_text_that_is_not_utf8_is_shown() {
    let (_dir, live) = skills();
    assert_eq!(
        read(&live, "latin.txt"),
        "Skill file: review/latin.txt\n\n[not UTF-8: 3 bytes are shown as U+FFFD]\ncaf\u{fffd} \u{fffd}\u{fffd}"
    );
    let call = json!({"action": "read_file", "skill_name": "review", "file_path": "latin.txt", "offset": 4});
    let reply = live.call(&call.to_string());
    let data: Value = serde_json::from_str(&reply.document).expect("it is JSON");
    assert_eq!(
        (&data["data"]["total_chars"], &data["data"]["content"]),
        (&json!(7), &json!(" \u{fffd}\u{fffd}"))
    );
    assert_eq!(data["data"]["content_base64"], "Y2Fm6SDp6Q==", "the exact bytes");
    assert!(read(&live, "data.bin").ends_with("Binary file: application/octet-stream, 3 bytes."));
}

/// What is put into instructions and templates.
#[test]
fn arguments() {
    let (_dir, live) = skills();
    let snapshot = live.snapshot();
    let sent = |text: &str| snapshot.registry().invoke(text).expect("it is there").expect("a call").text;
    for (call, right, why) in [
        ("/review 主 副", "请审查主 副的代码 主。", "a name ends before a letter that is not ASCII"),
        ("/tell", "Tell a joke.", "nothing was written"),
        ("/tell about  cats ", "Tell a joke.\n\nArguments:\nabout  cats", "what was written is not dropped"),
        ("/say 'a b' c", "说'a b' c的话 c a b", "`$ARGUMENTS` is `{raw}` in a template"),
        ("/other x", "Body\n\nARGUMENTS: x", "a skill keeps it too"),
    ] {
        assert_eq!(sent(call), right, "{call}: {why}");
    }
    let loaded = live.call(r#"{"action": "load", "skill_name": "review", "arguments": "主"}"#).text;
    assert!(loaded.contains("请审查主的代码 主。"), "{loaded}");
}

/// When to use a skill is told and searched wherever its description is.
#[test]
fn when_to_use() {
    let (_dir, live) = skills();
    let whole = "Reviews A change is too big; asked: now";
    let snapshot = live.snapshot();
    let registry = snapshot.registry();
    for text in [
        registry.list().to_string(),
        registry.search("too big").expect("a query").to_string(),
        registry.catalogue(&skills::catalogue::CatalogueOptions::default()).text,
        registry.load("review").expect("it is served").text(),
    ] {
        assert!(text.contains(whole), "{text}");
    }
    let findings: Vec<&Finding> = snapshot.findings().collect();
    assert!(findings.iter().all(|finding| !finding.message.contains("when_to_use")), "{findings:?}");
}

/// A session is kept in every form of the tools.
#[test]
fn what_is_loaded_is_sent_once_in_every_form() {
    let (_dir, live) = skills();
    let already = "Skill 'other' is already loaded in visible chat history.";
    let mut session = Session::new();
    let load = |session: &mut Session, tool: &str, arguments: Value| {
        let snapshot = live.snapshot();
        let reply = session.call_tool(&snapshot.registry(), tool, &arguments.to_string());
        reply.map(|reply| reply.text)
    };
    let first = load(&mut session, "load_skill", json!({"skill_name": "other"})).expect("a tool of ours");
    assert!(first.starts_with("Skill: other\n"), "{first}");
    assert_eq!(load(&mut session, "load_skill", json!({"skill_name": "other"})).as_deref(), Some(already));
    let one = json!({"action": "load", "skill_name": "other"});
    assert_eq!(load(&mut session, "skills_tool", one).as_deref(), Some(already));
    assert_eq!(load(&mut session, "bash", json!({})), None);
    assert_eq!(
        live.call_tool("load_skill", r#"{"skill_name": "other"}"#).map(|reply| reply.text),
        Some(first)
    );
    assert!(live.call_tool("bash", "{}").is_none());
}
