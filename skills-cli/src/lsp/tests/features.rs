//! Completion, hovers, links and definitions.

use super::*;

/// A request at a place in an open file: at the end of the first `part` of the text.
fn at(path: &Path, text: &str, part: &str) -> Value {
    json!({"textDocument": {"uri": uri_of(path)}, "position": range_of(text, part).end})
}

fn labels(items: &Value) -> Vec<&str> {
    items.as_array().expect("a list").iter().map(|item| item["label"].as_str().expect("it has one")).collect()
}

/// The text after an item is taken.
fn taken(text: &str, items: &Value, label: &str) -> String {
    let items = items.as_array().expect("a list");
    let item =
        items.iter().find(|item| item["label"] == label).unwrap_or_else(|| panic!("{label}: {items:#?}"));
    let edit: TextEdit = serde_json::from_value(item["textEdit"].clone()).expect("an edit");
    let source = Source::new("", text);
    let [start, end] =
        [edit.range.start, edit.range.end].map(|at| super::super::position::offset(&source, at));
    [&text[..start], &edit.new_text, &text[end..]].concat()
}

struct Opened {
    dir: tempfile::TempDir,
    root: PathBuf,
    skill: PathBuf,
    client: Client,
}

/// A root of two skills, one of which is open with this text.
fn opened(text: &str) -> Opened {
    let (dir, root) = place();
    let skill = write(&root, "skills/pdf/SKILL.md", text);
    write(&root, "skills/pdf/references/fields of forms.md", "x");
    write(&root, "skills/pdf/a.md", "x");
    write(&root, "skills/xls/SKILL.md", "---\nname: xls\ndescription: Sums columns\n---\n");
    let client = Client::new(&root);
    client.open(&skill, text);
    Opened { dir, root, skill, client }
}

#[test]
fn fields_are_completed_by_profile() {
    let text = "---\nname: pdf\ndescription: Reads 😀\ndis\nuser-invocable: \n---\n";
    let Opened { dir: _dir, root, skill, mut client } = opened(text);
    let items = client.request("textDocument/completion", &at(&skill, text, "dis"));
    let fields = labels(&items);
    assert!(fields.contains(&"disable-model-invocation") && fields.contains(&"triggers"), "{fields:?}");
    assert!(
        !fields.contains(&"name") && !fields.contains(&"hooks"),
        "what is there, what nobody knows: {fields:?}"
    );
    assert_eq!(
        taken(text, &items, "disable-model-invocation"),
        text.replace("\ndis\n", "\ndisable-model-invocation: \n")
    );
    let items = client.request("textDocument/completion", &at(&skill, text, "user-invocable: "));
    assert_eq!(labels(&items), ["true", "false"]);
    assert_eq!(taken(text, &items, "false"), text.replace("user-invocable: ", "user-invocable: false"));
    let items = client.request("textDocument/completion", &at(&skill, text, "name: p"));
    assert_eq!(labels(&items), ["pdf"], "the directory's name");
    for nowhere in ["Reads", "---\nname"] {
        let items = client.request("textDocument/completion", &at(&skill, text, nowhere));
        assert!(labels(&items).iter().all(|label| *label != "xls"), "{items:#?}");
    }
    for (profile, known, unknown) in [("claude", "hooks", "triggers"), ("standard", "metadata", "tags")] {
        let settings =
            format!("[package]\nname = \"x\"\n[package.metadata.skills]\nprofile = \"{profile}\"\n");
        let manifest = write(&root, "Cargo.toml", &settings);
        client.open(&manifest, &settings);
        let items = client.request("textDocument/completion", &at(&skill, text, "dis"));
        let fields = labels(&items);
        assert!(fields.contains(&known) && !fields.contains(&unknown), "{profile}: {fields:?}");
        client.notify_on("textDocument/didClose", &manifest);
    }
}

/// What looks like a field in the body is none.
#[test]
fn only_fields_of_the_frontmatter_are_there() {
    for text in [
        "---\nname: pdf\nlic\n---\nlicense: none\ndescription: x\n",
        "---\nname: pdf\nlic\n\nlicense: none\ndescription: x\n",
    ] {
        let Opened { dir: _dir, skill, mut client, .. } = opened(text);
        let items = client.request("textDocument/completion", &at(&skill, text, "lic"));
        let fields = labels(&items);
        assert!(
            fields.contains(&"license") && fields.contains(&"description") && !fields.contains(&"name"),
            "{fields:?}"
        );
    }
}

#[test]
fn files_and_skills_are_completed_in_a_body() {
    let text = "---\nname: pdf\ndescription: Reads\n---\n中 [a](re and [b](a.md)\nNot `x, use /x\n";
    let Opened { dir: _dir, skill, mut client, .. } = opened(text);
    let items = client.request("textDocument/completion", &at(&skill, text, "](re"));
    assert_eq!(labels(&items), ["a.md", "<references/fields of forms.md>"]);
    assert_eq!(
        taken(text, &items, "<references/fields of forms.md>"),
        text.replace("(re and", "(<references/fields of forms.md> and")
    );
    for (part, with) in [("`x", "`xls"), ("/x", "/xls")] {
        let items = client.request("textDocument/completion", &at(&skill, text, part));
        assert_eq!(labels(&items), ["xls"]);
        assert_eq!(taken(text, &items, "xls"), text.replace(part, with));
    }
    for nothing in ["中 ", "and ", "[b](a.md)"] {
        let items = client.request("textDocument/completion", &at(&skill, text, nothing));
        assert_eq!(labels(&items), [""; 0], "{nothing}");
    }
}

fn hovered(client: &mut Client, params: &Value) -> String {
    let hover = client.request("textDocument/hover", params);
    hover["contents"]["value"].as_str().map(str::to_owned).unwrap_or_default()
}

#[test]
fn a_hover_says_what_a_model_sees() {
    let text = "---\nname: pdf\ndescription: |\n  Reads ``` forms\n  of all kinds\nallowedTools: Read\nhooks: x\n---\nAs `xls`: [a](a.md)\n";
    let Opened { dir: _dir, skill, mut client, .. } = opened(text);
    let described = hovered(&mut client, &at(&skill, text, "Reads"));
    assert!(described.contains("````text\n- pdf: Reads ``` forms of all kinds\n````"), "{described}");
    assert!(described.contains("The description has 28 of 1024 characters."), "{described}");
    assert!(
        described.contains("The catalogue of this root, of 2 skills, has 56 of 12000 characters."),
        "{described}"
    );
    let field = hovered(&mut client, &at(&skill, text, "allowedT"));
    assert!(
        field.starts_with("**allowed-tools** (list of tools)") && field.contains("Also read as"),
        "{field}"
    );
    let unknown = hovered(&mut client, &at(&skill, text, "hoo"));
    assert!(unknown.ends_with("Readers of the profile `default` ignore it."), "{unknown}");
    assert_eq!(hovered(&mut client, &at(&skill, text, "`xl")), "**xls**\n\nSums columns");
    assert_eq!(hovered(&mut client, &at(&skill, text, "](a.m")), "`a.md`: 1 byte, a file of the skill `pdf`");
    assert_eq!(hovered(&mut client, &at(&skill, text, "As ")), "");
}

#[test]
fn a_long_description_is_shown_where_it_is_cut() {
    let long = format!("{}end here{}", "x".repeat(1016), "y".repeat(20));
    let text = format!("---\nname: pdf\ndescription: {long}\ndisable-model-invocation: true\n---\n");
    let Opened { dir: _dir, skill, mut client, .. } = opened(&text);
    let described = hovered(&mut client, &at(&skill, &text, "xxx"));
    assert!(described.contains("end here” .".trim_end_matches(" .")), "{described}");
    assert!(described.starts_with("No model sees this"), "{described}");
}

#[test]
fn links_and_names_lead_somewhere() {
    let text = "---\nname: pdf\ndescription: Reads\n---\nAs `xls`: [a](a.md#x) [b](gone.md) [c](https://x.y)\n\
                [d](<references/fields of forms.md>) ../../../../etc/passwd [e](../../../etc/passwd)\n";
    let Opened { dir: _dir, root, skill, mut client } = opened(text);
    let links =
        client.request("textDocument/documentLink", &json!({"textDocument": {"uri": uri_of(&skill)}}));
    let targets: Vec<&Value> = links.as_array().expect("a list").iter().map(|link| &link["target"]).collect();
    let uri = |path: &str| json!(uri_of(&root.join("skills").join(path)));
    assert_eq!(targets, [&uri("pdf/a.md"), &uri("pdf/references/fields of forms.md")]);
    let found = client.request("textDocument/definition", &at(&skill, text, "`xl"));
    assert_eq!(
        (&found["uri"], &found["range"]["start"]),
        (&uri("xls/SKILL.md"), &json!({"line": 1, "character": 6}))
    );
    assert_eq!(client.request("textDocument/definition", &at(&skill, text, "](a.m"))["uri"], uri("pdf/a.md"));
    for nowhere in ["](gone", "As ", "](https", "](../../..", "name: p"] {
        assert_eq!(
            client.request("textDocument/definition", &at(&skill, text, nowhere)),
            Value::Null,
            "{nowhere}"
        );
    }
}

/// A root in a package, with a skill that others name.
fn package() -> (tempfile::TempDir, PathBuf, PathBuf, String) {
    let (dir, root) = place();
    let text =
        "---\r\nname: 'xls'\r\ndescription: Sums 😀\r\n---\r\n😀 `xls` and /xls, not xls or `xlsx`\r\n"
            .to_owned();
    let skill = write(&root, "skills/xls/SKILL.md", &text);
    write(
        &root,
        "skills/pdf/SKILL.md",
        "---\nname: pdf\ndescription: Reads\n---\nSee `xls` [x](../xls/SKILL.md) $xls.\n",
    );
    write(&root, "Cargo.toml", "[package]\nname = \"x\"\n");
    write(&root, "src/main.rs", "let a = (\"é\", skill!(\"xls\"), skill!(\"pdf\"), \"xls\");\n");
    write(&root, "target/x.rs", "skill!(\"xls\")");
    (dir, root, skill, text)
}

fn renaming(path: &Path, text: &str, part: &str, new: &str) -> Value {
    let mut params = at(path, text, part);
    params["newName"] = json!(new);
    params
}

#[test]
fn a_skill_is_renamed_wherever_it_is_named() {
    let (_dir, root, skill, text) = package();
    let mut client = Client::new(&root);
    client.open(&skill, &text);
    let prepared = client.request("textDocument/prepareRename", &at(&skill, &text, "name: 'x"));
    assert_eq!(
        (&prepared["placeholder"], &prepared["range"]),
        (&json!("xls"), &json!(range_of(&text, "xls")))
    );
    let edit = client.request("textDocument/rename", &renaming(&skill, &text, "name: 'x", "sheets"));
    let own = text.replace("'xls'", "'sheets'").replace("`xls`", "`sheets`").replace("/xls,", "/sheets,");
    assert_eq!(edited(&text, &skill, &edit), own);
    let on_disk = |path: &str| fs::read_to_string(root.join(path)).expect("it is there");
    let after = |path: &str| edited(&on_disk(path), &root.join(path), &edit);
    assert_eq!(after("skills/pdf/SKILL.md"), on_disk("skills/pdf/SKILL.md").replace("xls", "sheets"));
    assert_eq!(after("src/main.rs"), on_disk("src/main.rs").replace("skill!(\"xls\")", "skill!(\"sheets\")"));
    assert_eq!(after("target/x.rs"), "skill!(\"xls\")");
    let changes = edit["documentChanges"].as_array().expect("a list");
    let moved = changes.last().expect("the last one");
    let uri = |path: &str| json!(uri_of(&root.join(path)));
    assert_eq!(
        (&moved["kind"], &moved["oldUri"], &moved["newUri"]),
        (&json!("rename"), &uri("skills/xls"), &uri("skills/sheets"))
    );
    // From a mention, the same.
    let pdf = root.join("skills/pdf/SKILL.md");
    let mentioning = on_disk("skills/pdf/SKILL.md");
    client.open(&pdf, &mentioning);
    assert_eq!(client.request("textDocument/rename", &renaming(&pdf, &mentioning, "`xl", "sheets"))["documentChanges"].as_array().map(Vec::len), Some(changes.len()));
}

#[test]
fn a_name_that_cannot_be_is_refused() {
    let (_dir, root, skill, text) = package();
    let mut client = Client::new(&root);
    client.open(&skill, &text);
    for (new, why) in [
        ("pdf", "another skill of this root is named `pdf`"),
        ("Big Sheets", "`name` may hold only a-z, 0-9 and `-`"),
        ("a'b", ""),
        ("", ""),
        ("../x", ""),
    ] {
        let error = client.try_request("textDocument/rename", &renaming(&skill, &text, "name: 'x", new));
        let error = error.expect_err("it is refused");
        assert!(!error.is_empty() && error.contains(why), "{new}: {error}");
    }
    let nowhere = client.try_request("textDocument/rename", &renaming(&skill, &text, "descr", "x"));
    assert!(nowhere.is_err_and(|why| why.starts_with("there is no name of a skill here")));
    assert_eq!(client.request("textDocument/prepareRename", &at(&skill, &text, "descr")), Value::Null);
}

#[test]
fn a_client_that_renames_no_directory_is_told() {
    let (_dir, root, skill, text) = package();
    let client = Client::able(&root, &json!({}));
    client.open(&skill, &text);
    let id = RequestId::from(99);
    let params = renaming(&skill, &text, "name: 'x", "sheets");
    let request = Request { id: id.clone(), method: "textDocument/rename".to_owned(), params };
    client.connection.sender.send(Message::Request(request)).expect("the server listens");
    let mut told = String::new();
    let edit = loop {
        match client.receive() {
            Message::Notification(said) if said.method == "window/showMessage" => {
                told = said.params["message"].as_str().expect("words").to_owned();
            }
            Message::Response(response) if response.id == id => {
                break response.response_result.expect("an edit");
            }
            _ => {}
        }
    };
    assert!(told.starts_with("the directory is still called `xls`"), "{told}");
    assert_eq!(edit["changes"].as_object().map(serde_json::Map::len), Some(3), "{edit:#}");
    // The directory stays, and so does the link to it.
    let pdf = &edit["changes"][uri_of(&root.join("skills/pdf/SKILL.md")).as_ref()];
    assert_eq!(pdf.as_array().map(Vec::len), Some(2), "{pdf:#}");
    assert_eq!(client.leave(), Exit::Success);
}
