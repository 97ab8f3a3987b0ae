//! Answers as JSON documents, with nothing shortened.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use skills_tests::{SKILLS, names};

use crate::{everything, registry};

fn data(call: &Value) -> Value {
    let reply = serde_json::to_value(registry().call(&call.to_string())).expect("a reply is JSON");
    assert!(reply["error"].is_null() && reply["text"].is_string(), "{reply}");
    reply["data"].clone()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn list() {
    let data = data(&json!({"action": "list"}));
    let skills = data["skills"].as_array().expect("a list");
    let mut fields = keys(&skills[0]);
    fields.sort_unstable();
    assert_eq!(fields, ["description", "name", "origin", "path", "sealed", "tags", "version"]);
    let of = |name: &str| skills.iter().find(|skill| skill["name"] == name).expect("it is listed");
    assert_eq!(
        *of("pdf-forms"),
        json!({
            "name": "pdf-forms",
            "description": "Fills in and reads PDF forms. Use when a form must be completed from data.",
            "version": "1.10",
            "tags": ["pdf", "Forms"],
            "origin": "bundle",
            "sealed": false,
            "path": "skills/pdf-forms",
        })
    );
    assert_eq!(of("plain-note")["version"], Value::Null);
    assert_eq!(of("wordy")["description"], SKILLS.get("wordy").expect("it is there").description());
    assert_eq!(data["commands"], json!([]));
}

#[test]
fn search() {
    let data = data(&json!({"action": "search", "query": " Weekly Report "}));
    assert_eq!(
        data,
        json!({
            "query": "Weekly Report",
            "ranking": "hybrid",
            "results": [
                {
                    "name": "weekly-report",
                    // In thousandths; `cargo skills search --explain` shows what it is made of.
                    "score": 23220,
                    "description": "Writes the report of the week",
                },
            ],
        })
    );
}

#[test]
fn load() {
    let data = data(&json!({"action": "load", "skill_name": "pdf-forms"}));
    assert_eq!(data["skill_name"], "pdf-forms");
    assert_eq!(data["already_loaded"], false);
    assert_eq!(data["instructions"], SKILLS.get("pdf-forms").expect("it is there").body());
    assert_eq!(data["text"], registry().load("pdf-forms").expect("it is there").text());
    assert_eq!(
        data["frontmatter"],
        json!({
            "name": "pdf-forms",
            "description": "Fills in and reads PDF forms. Use when a form must be completed from data.",
            "version": "1.10",
            "author": "The test authors",
            "license": "MIT OR Apache-2.0",
            "compatibility": "needs python3",
            "tags": ["pdf", "Forms"],
            "triggers": ["fill in a form", "read a form"],
            "allowed-tools": "Read, Bash(python3 scripts/fill.py *)",
            "argument-hint": ["form"],
            "arguments": "form data",
            "metadata": {"reviewed": true, "effort": 3},
        })
    );
    let text =
        serde_json::to_string(&registry().load("pdf-forms").expect("it is there")).expect("it is JSON");
    let places = ["\"name\"", "\"version\"", "\"arguments\"", "\"metadata\""].map(|key| text.find(key));
    assert!(places.is_sorted(), "the author's order");
    let files = data["files"].as_array().expect("a list");
    let paths: Vec<_> = files.iter().map(|file| file["path"].as_str().unwrap_or_default()).collect();
    assert_eq!(
        paths,
        [
            "SKILL.md",
            "assets/empty.txt",
            "assets/stamp.png",
            "references/fields.md",
            "scripts/fill.py",
            "scripts/fill.sh"
        ]
    );
    for (file, entry) in SKILLS.get("pdf-forms").expect("it is there").files().zip(files) {
        let hex: String = Sha256::digest(bytes_of(&file)).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            *entry,
            json!({
                "path": file.path(),
                "size": file.size(),
                "sha256": hex,
                "media_type": file.media_type(),
                "executable": cfg!(unix) && file.path() == "scripts/fill.sh",
            })
        );
    }
    let media: Vec<_> = files.iter().map(|file| file["media_type"].as_str().unwrap_or_default()).collect();
    assert_eq!(
        media,
        ["text/markdown", "text/plain", "image/png", "text/markdown", "text/plain", "application/x-sh"]
    );
}

#[test]
fn read() {
    let text = data(
        &json!({"action": "read_file", "skill_name": "pdf-forms", "file_path": "./references/fields.md"}),
    );
    assert_eq!(
        text,
        json!({
            "skill_name": "pdf-forms",
            "file_path": "references/fields.md",
            "media_type": "text/markdown",
            "size": 37,
            "content": "# Fields\n\nText, check box, choice.\n",
            "total_chars": 35,
            "next_offset": null,
        })
        .as_object()
        .map(|expected| {
            let mut expected = expected.clone();
            let len = SKILLS
                .get("pdf-forms")
                .and_then(|skill| skill.file("references/fields.md"))
                .map(|file| file.size());
            expected.insert("size".to_owned(), json!(len));
            Value::from(expected)
        })
        .expect("an object")
    );
    let binary =
        data(&json!({"action": "read_file", "skill_name": "pdf-forms", "file_path": "assets/stamp.png"}));
    let bytes = STANDARD.decode(binary["content_base64"].as_str().expect("a string")).expect("it is base64");
    let file = SKILLS.get("pdf-forms").and_then(|skill| skill.file("assets/stamp.png")).expect("it is there");
    assert_eq!((bytes.as_slice(), bytes.len()), (bytes_of(&file), 264));
    assert!(binary.get("content").is_none() && binary["media_type"] == "image/png");
}

#[test]
fn the_bundle_lists_its_contents() {
    assert_eq!(SKILLS.len(), 10);
    let all: Vec<_> = SKILLS.skills().map(|skill| skill.name()).collect();
    assert!(all.is_sorted());
    assert!(SKILLS.digest().starts_with("sha256:") && SKILLS.digest().len() == 71);
    assert_eq!(everything().skills().len(), SKILLS.len());
    assert_eq!((names::PDF_FORMS, names::WEEKLY_REPORT), ("pdf-forms", "weekly-report"));
    assert_eq!(skills::skill!("pdf-forms"), "pdf-forms");
}

/// The raw file stays as it is, and digests cover it; the body has line feeds only.
#[test]
fn line_endings_and_marks() {
    let skill = SKILLS.get("made-on-windows").expect("it is there");
    assert_eq!(skill.body(), "First line.\n\n    indented\nLast line.");
    let file = skill.file("SKILL.md").expect("it is there");
    assert!(
        bytes_of(&file).starts_with(b"\xef\xbb\xbf---\r\nname: ")
            && bytes_of(&file).ends_with(b"Last line.\r\n")
    );
    assert_eq!(file.sha256().expect("it is bundled").as_slice(), Sha256::digest(bytes_of(&file)).as_slice());
    assert_eq!(skill.license(), Some("MIT"));
}

fn bytes_of<'a>(file: &skills::SkillFile<'a>) -> &'a [u8] {
    file.bytes().expect("it is bundled")
}
