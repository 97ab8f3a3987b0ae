//! Code actions.

use super::*;

fn actions(client: &mut Client, path: &Path, range: Range, only: &Value) -> Vec<Value> {
    let context = json!({"diagnostics": [], "only": only});
    let params = json!({"textDocument": {"uri": uri_of(path)}, "range": range, "context": context});
    client.request("textDocument/codeAction", &params).as_array().expect("a list").clone()
}

const BAD: &str =
    "---\r\nname: pdf\r\ndescripton: Reads 😀 forms: all\r\nlicense: \"MIT\"\r\n---\r\nBody 😀\r\n";

#[test]
fn a_safe_edit_is_a_quick_fix() {
    let (_dir, root) = place();
    let skill = write(&root, "skills/pdf/SKILL.md", BAD);
    let mut client = Client::new(&root);
    client.open(&skill, BAD);
    client.diagnostics(&skill, Some(1));
    let range = range_of(BAD, "descripton");
    let fixes = actions(&mut client, &skill, range, &json!(["quickfix"]));
    let titles: Vec<&str> = fixes.iter().filter_map(|fix| fix["title"].as_str()).collect();
    assert!(titles.contains(&"Write `description` instead of `descripton`"), "{titles:?}");
    let fix =
        fixes.iter().find(|fix| fix["title"] == "Write `description` instead of `descripton`").expect("it");
    assert_eq!((&fix["kind"], &fix["isPreferred"]), (&json!("quickfix"), &json!(true)));
    assert_eq!(edited(BAD, &skill, &fix["edit"]), BAD.replace("descripton", "description"));
    assert_eq!(fix["edit"]["documentChanges"][0]["textDocument"]["version"], json!(1));
    // Nothing is wrong in the body.
    assert_eq!(
        actions(&mut client, &skill, range_of(BAD, "Body"), &json!(["quickfix"])),
        Vec::<Value>::new()
    );
}

#[test]
fn everything_is_fixed_at_once() {
    let (_dir, root) = place();
    let skill = write(&root, "skills/pdf/SKILL.md", BAD);
    let mut client = Client::new(&root);
    client.open(&skill, BAD);
    let range = range_of(BAD, "Body");
    for only in [json!(["source.fixAll"]), json!(["source.fixAll.skills"]), json!(["source"])] {
        let all = actions(&mut client, &skill, range, &only);
        let fixed = edited(BAD, &skill, &all[0]["edit"]);
        let expected = BAD.replace("descripton: Reads 😀 forms: all", "description: \"Reads 😀 forms: all\"");
        assert_eq!((all.len(), fixed.as_str()), (1, expected.as_str()));
        let fix = skills_bundle::fix::fix_text(&Config::new("skills"), "skills/pdf/SKILL.md", BAD.as_bytes());
        assert_eq!(fix.map(|fixed| fixed.bytes), Some(expected.into_bytes()));
    }
    assert_eq!(actions(&mut client, &skill, range, &json!(["source.organizeImports"])), Vec::<Value>::new());
}

#[test]
fn a_suggested_edit_is_offered_beside() {
    let (_dir, root) = place();
    let text = "---\nname: PDF_tools\ndescription: Reads\n---\n[a](refs/fields.md#x)\n";
    let skill = write(&root, "skills/pdf-tools/SKILL.md", text);
    write(&root, "skills/pdf-tools/references/fields.md", "x");
    let mut client = Client::new(&root);
    client.open(&skill, text);
    for (part, after) in [
        ("PDF_tools", text.replace("PDF_tools", "pdf-tools")),
        ("refs/fields.md#x", text.replace("refs/", "references/")),
    ] {
        let fixes = actions(&mut client, &skill, range_of(text, part), &json!(["quickfix"]));
        assert_eq!((fixes.len(), &fixes[0]["isPreferred"]), (1, &json!(false)), "{fixes:#?}");
        assert_eq!(edited(text, &skill, &fixes[0]["edit"]), after);
    }
}

/// Old clients know only edits by file.
#[test]
fn a_client_without_document_changes_gets_changes() {
    let (_dir, root) = place();
    let skill = write(&root, "skills/pdf/SKILL.md", BAD);
    let mut client = Client::able(&root, &json!({}));
    client.open(&skill, BAD);
    let all = actions(&mut client, &skill, range_of(BAD, "Body"), &json!(["source.fixAll"]));
    let uri = uri_of(&skill);
    assert!(all[0]["edit"]["changes"][uri.as_ref()].is_array(), "{all:#?}");
}

/// An editor hides a byte-order mark, or sends it. Both times the places are those in its text.
#[test]
fn a_byte_order_mark_moves_nothing() {
    for sends_it in [true, false] {
        let (_dir, root) = place();
        let text = "---\nname: pdf\ndescription: Reads forms: all\n---\n";
        let on_disk = format!("\u{feff}{text}");
        write(
            &root,
            "Cargo.toml",
            "[package]\nname = \"x\"\n[package.metadata.skills]\nprofile = \"standard\"\n",
        );
        let skill = write(&root, "skills/pdf/SKILL.md", &on_disk);
        let shown = if sends_it { on_disk.as_str() } else { text };
        let mut client = Client::new(&root);
        client.open(&skill, shown);
        let found = client.diagnostics(&skill, Some(1));
        assert_eq!(codes(&found), ["E001", "E003"], "the mark is on disk");
        assert_eq!(found[1]["range"]["start"]["line"], json!(2));
        let all = actions(&mut client, &skill, range_of(shown, "pdf"), &json!(["source.fixAll"]));
        let expected = shown.replace("Reads forms: all", "\"Reads forms: all\"");
        assert_eq!(edited(shown, &skill, &all[0]["edit"]), expected);
    }
}
