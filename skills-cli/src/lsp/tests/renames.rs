//! What a rename carries along, what it leaves, and what it refuses.

use super::*;

/// Two skills, of which one names the other in every way.
fn two(name_line: &str) -> (tempfile::TempDir, PathBuf, PathBuf, String) {
    let (dir, root) = place();
    let text = format!("---\n{name_line}\ndescription: Reads forms\n---\nSee [own](refs/x.md)\n");
    let skill = write(&root, "skills/pdf/SKILL.md", &text);
    write(&root, "skills/pdf/refs/x.md", "x");
    let other = "---\nname: b\ndescription: Bakes bread. Not for forms, use `pdf`.\n---\n`pdf`\n\
                 ```sh\necho $pdf > /pdf `pdf`\n```\n";
    write(&root, "skills/b/SKILL.md", other);
    write(&root, "skills/b/references/n.md", "`pdf` [p](../../pdf/SKILL.md#a) [q](pdf/x) <../../pdf/x.md>\n");
    write(&root, "skills/b/evals/t.json", r#"[{"query": "pdf", "should_trigger": false, "owner": "pdf"}]"#);
    write(&root, "skills/evals/all.csv", "prompt,skill\npdf,pdf\n");
    (dir, root, skill, text)
}

fn rename(client: &mut Client, path: &Path, new: &str) -> Result<Value, String> {
    let at = json!({"line": 1, "character": 7});
    client.try_request(
        "textDocument/rename",
        &json!({"textDocument": {"uri": uri_of(path)}, "position": at, "newName": new}),
    )
}

fn on_disk(root: &Path, path: &str) -> String {
    fs::read_to_string(root.join(path)).expect("it is there")
}

#[test]
fn what_names_a_skill_is_carried_along() {
    let (_dir, root, skill, text) = two("name: pdf");
    let mut client = Client::new(&root);
    client.open(&skill, &text);
    let edit = rename(&mut client, &skill, "forms").expect("an edit");
    let after = |path: &str| edited(&on_disk(&root, path), &root.join(path), &edit);
    let other = on_disk(&root, "skills/b/SKILL.md");
    let expected = other.replacen("`pdf`", "`forms`", 2);
    assert_eq!(after("skills/b/SKILL.md"), expected, "the code stays");
    assert_eq!(
        after("skills/b/references/n.md"),
        "`pdf` [p](../../forms/SKILL.md#a) [q](pdf/x) <../../pdf/x.md>\n"
    );
    assert!(
        after("skills/b/evals/t.json")
            .contains(r#""query": "pdf", "should_trigger": false, "owner": "forms""#)
    );
    assert_eq!(after("skills/evals/all.csv"), "prompt,skill\npdf,forms\n");
    assert_eq!(edited(&text, &skill, &edit), text.replace("name: pdf", "name: forms"));
    // The name that it has already changes nothing.
    assert_eq!(rename(&mut client, &skill, "pdf"), Ok(json!({})));
}

#[test]
fn the_file_that_results_has_the_new_name() {
    for (name_line, new, after) in [
        ("name: pdf", "null", Some("name: \"null\"")),
        ("name: pdf", "true", Some("name: \"true\"")),
        ("name: 'pdf'", "12", Some("name: '12'")),
        ("name: 'pdf'", "forms", Some("name: 'forms'")),
        ("name: >-\n  pdf", "forms", None),
        ("name: pdf", "abc' # ", None),
        ("name: pdf", "a\"b", None),
    ] {
        let (_dir, root, skill, text) = two(name_line);
        let mut client = Client::new(&root);
        client.open(&skill, &text);
        let at = if name_line.contains('\n') {
            json!({"line": 2, "character": 3})
        } else {
            json!({"line": 1, "character": 7})
        };
        let params = json!({"textDocument": {"uri": uri_of(&skill)}, "position": at, "newName": new});
        let renamed = client.try_request("textDocument/rename", &params);
        match (renamed, after) {
            (Ok(edit), Some(after)) => {
                assert_eq!(edited(&text, &skill, &edit), text.replace(name_line, after));
            }
            (Ok(edit), None) => {
                // Whatever is offered is right when it is read again.
                let text = edited(&text, &skill, &edit);
                let draft = compile::SkillDraft::new(format!("{new}/SKILL.md"), text.clone());
                assert_eq!(compile::check_text(&Config::new(""), &draft), [], "{text}");
            }
            (Err(why), None) => assert!(!why.is_empty()),
            (Err(why), Some(_)) => panic!("{new}: {why}"),
        }
    }
}

#[test]
fn a_directory_that_is_there_is_not_taken() {
    let (_dir, root, skill, text) = two("name: pdf");
    fs::create_dir(root.join("skills/forms")).expect("made");
    let mut client = Client::new(&root);
    client.open(&skill, &text);
    let why = rename(&mut client, &skill, "forms").expect_err("it is refused");
    assert!(why.starts_with("there is a directory `forms` already"), "{why}");
}

/// Renaming files needs document changes too.
#[test]
fn a_client_without_document_changes_gets_the_name_alone() {
    let (_dir, root, skill, text) = two("name: pdf");
    let able = json!({"workspace": {"workspaceEdit": {"resourceOperations": ["rename"]}}});
    let client = Client::able(&root, &able);
    client.open(&skill, &text);
    let id = RequestId::from(77);
    let params = json!({"textDocument": {"uri": uri_of(&skill)}, "position": {"line": 1, "character": 7}, "newName": "forms"});
    let request = Request { id: id.clone(), method: "textDocument/rename".to_owned(), params };
    client.connection.sender.send(Message::Request(request)).expect("the server listens");
    let mut is_told = false;
    let edit = loop {
        match client.receive() {
            Message::Notification(said) if said.method == "window/showMessage" => is_told = true,
            Message::Response(response) if response.id == id => {
                break response.response_result.expect("an edit");
            }
            _ => {}
        }
    };
    assert!(is_told);
    let changes = edit["changes"].as_object().expect("by file");
    assert!(!changes.contains_key(uri_of(&root.join("skills/b/references/n.md")).as_ref()), "{edit:#}");
    assert!(changes.contains_key(uri_of(&skill).as_ref()), "{edit:#}");
    assert_eq!(client.leave(), Exit::Success);
}

#[cfg(unix)]
#[test]
fn a_workspace_behind_a_symlink_keeps_its_uris() {
    let (_dir, root, _, text) = two("name: pdf");
    let (_other, above) = place();
    let shown = above.join("shown");
    std::os::unix::fs::symlink(&root, &shown).expect("linked");
    let mut client = Client::new(&shown);
    let skill = shown.join("skills/pdf/SKILL.md");
    client.open(&skill, &text);
    let edit = rename(&mut client, &skill, "forms").expect("an edit");
    let all = edit.to_string();
    assert!(!all.contains(uri_of(&root).as_ref()), "{edit:#}");
    let moved = edit["documentChanges"].as_array().and_then(|all| all.last()).expect("changes");
    assert_eq!(moved["newUri"], json!(uri_of(&shown.join("skills/forms"))));
}

#[cfg(unix)]
#[test]
fn a_file_may_be_open_under_two_uris() {
    let (_dir, root, skill, text) = two("name: pdf");
    let linked = root.join("linked");
    std::os::unix::fs::symlink(root.join("skills"), &linked).expect("linked");
    let other = linked.join("pdf/SKILL.md");
    let client = Client::new(&root);
    client.open(&skill, &text);
    client.diagnostics(&skill, Some(1));
    client.open(&other, &text);
    client.diagnostics(&other, Some(1));
    client.notify_on("textDocument/didClose", &other);
    assert!(client.diagnostics(&other, None).is_empty());
    let broken = text.replace("Reads forms", "Reads: forms");
    client.change(&skill, 2, &json!([{ "text": broken }]));
    assert_eq!(codes(&client.diagnostics(&skill, Some(2))), ["E003"], "it is still open");
    assert_eq!(client.leave(), Exit::Success);
}
