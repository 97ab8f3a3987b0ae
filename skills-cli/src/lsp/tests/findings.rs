//! What the server shows is what a check finds.

use super::*;

/// Every file below a directory that the server takes, with its text.
fn served(dir: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut todo = vec![dir.to_owned()];
    while let Some(dir) = todo.pop() {
        for entry in fs::read_dir(dir).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                todo.push(path);
            } else if super::super::place::Kind::of(&path).is_some() {
                found.extend(fs::read_to_string(&path).ok().map(|text| (path, text)));
            }
        }
    }
    found.sort();
    found
}

/// Code, words and place of a finding, and the file whose diagnostics have it.
type Shown = (PathBuf, String, String, Option<Range>);

#[test]
fn a_fixture_reads_as_in_a_check() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures").canonicalize();
    let fixtures = fixtures.expect("they are beside this package");
    let (mut compared, mut folders) = (0, 0);
    let of_kind = |kind: &str| fs::read_dir(fixtures.join(kind)).expect("a directory");
    for entry in of_kind("bad").chain(of_kind("good")) {
        let folder = entry.expect("an entry").path();
        let files = served(&folder);
        if files.is_empty() {
            continue;
        }
        let client = Client::new(&folder);
        for (path, text) in &files {
            client.open(path, text);
        }
        let mut shown: Vec<Shown> = Vec::new();
        for (path, _) in &files {
            for diagnostic in client.diagnostics(path, Some(1)) {
                let text = |key: &str| diagnostic[key].as_str().expect("it has one").to_owned();
                let is_own = diagnostic["relatedInformation"][0]["location"]["uri"].is_null()
                    || !diagnostic["relatedInformation"][0]["message"]
                        .as_str()
                        .expect("it has one")
                        .starts_with("found in `");
                let range = serde_json::from_value(diagnostic["range"].clone()).expect("a range");
                shown.push((path.clone(), text("code"), text("message"), is_own.then_some(range)));
            }
        }
        let own = |path: &Path| files.iter().any(|(open, _)| open == path);
        let mut found: Vec<Shown> = checked(&folder, "skills")
            .iter()
            .map(|finding| {
                let path = folder.join(&finding.path);
                let words = format!("{}\nhelp: {}", finding.message, finding.help);
                let range = own(&path).then(|| range_in_protocol(finding));
                (path, finding.code.as_str().to_owned(), words, range)
            })
            .collect();
        // What is on no file of its own is at the file that is open.
        for (path, ..) in found.iter_mut().filter(|(path, ..)| !own(path)) {
            let near = files.iter().map(|(open, _)| open);
            let dir = path.clone();
            let beside = near.clone().find(|open| dir.starts_with(open.parent().expect("it has one")));
            *path = beside.or_else(|| near.clone().next()).expect("one is open").clone();
        }
        let sort = |all: &mut Vec<Shown>| {
            all.sort_by(|a, b| (&a.0, &a.1, &a.2).cmp(&(&b.0, &b.1, &b.2)));
        };
        sort(&mut shown);
        sort(&mut found);
        assert_eq!(shown, found, "{}", folder.display());
        compared += found.len();
        folders += 1;
        assert_eq!(client.leave(), Exit::Success);
    }
    assert!(folders > 100 && compared > 200, "{folders} {compared}");
}

#[test]
fn other_files_get_no_answer() {
    let (_dir, root) = place();
    let readme = write(&root, "skills/pdf/README.md", "[x](gone.md)");
    let skill = write(&root, "skills/pdf/SKILL.md", "x");
    let mut client = Client::new(&root);
    client.open(&readme, "[x](gone.md)");
    client.open(&skill, "x");
    // The first diagnostics are those of the skill.
    let Message::Notification(first) = client.receive() else { panic!("not a notification") };
    assert_eq!(first.params["uri"], json!(uri_of(&skill)));
    let unknown = client.try_request("textDocument/foldingRange", &json!({})).expect_err("it isn't served");
    assert_eq!(unknown, "there is no method `textDocument/foldingRange`");
    let broken =
        client.try_request("textDocument/codeAction", &json!({"range": 7})).expect_err("no parameters");
    assert!(broken.starts_with("the parameters cannot be read: "), "{broken}");
    client.notify("textDocument/didChange", &json!({"textDocument": 7}));
    assert_eq!(client.leave(), Exit::Success);
}

#[test]
fn a_change_of_one_file_is_seen_in_the_others() {
    let (_dir, root) = place();
    let text = |name: &str| format!("---\nname: {name}\ndescription: Works on {name}\n---\n");
    let a = write(&root, "skills/a/SKILL.md", text("a"));
    let b = write(&root, "skills/b/SKILL.md", text("b"));
    let client = Client::new(&root);
    client.open(&a, &text("a"));
    client.open(&b, &text("b"));
    client.diagnostics(&b, Some(1));
    client.change(&a, 2, &json!([{"text": text("b")}]));
    client.diagnostics(&a, Some(2));
    let found = client.diagnostics(&b, Some(1));
    assert!(codes(&found).contains(&"E013"), "{found:#?}");
    let first =
        &found.iter().find(|found| found["code"] == "E013").expect("it is there")["relatedInformation"][0];
    assert_eq!(first["location"]["uri"], json!(uri_of(&a)));
    assert_eq!(first["location"]["range"]["start"], json!({"line": 1, "character": 6}));
    // Closed without saving, the file on disk counts again.
    client.notify_on("textDocument/didClose", &a);
    assert!(client.diagnostics(&a, None).is_empty());
    assert!(client.diagnostics(&b, Some(1)).is_empty());
}

#[test]
fn settings_count_while_they_are_written() {
    let (_dir, root) = place();
    let manifest = write(&root, "Cargo.toml", "[package]\nname = \"x\"\n");
    let text = "---\nname: b\ndescription: Works\n---\n";
    let skill = write(&root, "skills/a/SKILL.md", text);
    let client = Client::new(&root);
    client.open(&skill, text);
    assert_eq!(codes(&client.diagnostics(&skill, Some(1))), ["L103"]);
    client.open(&manifest, "[package]\nname = \"x\"\n");
    assert!(client.diagnostics(&manifest, Some(1)).is_empty());
    let settings = "[package]\nname = \"x\"\n[package.metadata.skills]\nallow = [\"L103\"]\nprofil = \"é\"\n";
    client.change(&manifest, 2, &json!([{"text": settings}]));
    let found = client.diagnostics(&manifest, Some(2));
    assert_eq!((codes(&found), &found[0]["range"]["start"]["line"]), (vec!["E019"], &json!(4)));
    assert!(client.diagnostics(&skill, Some(1)).is_empty());
    // One without settings for skills is somebody else's.
    client.change(&manifest, 3, &json!([{"text": "[package\n"}]));
    assert!(client.diagnostics(&manifest, Some(3)).is_empty());
}

#[test]
fn what_others_write_is_seen() {
    let (_dir, root) = place();
    let text = "---\nname: a\ndescription: Works\n---\n[x](x.md)\n";
    let skill = write(&root, "skills/a/SKILL.md", text);
    let watching = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let client = Client::able(&root, &watching);
    let Message::Request(asked) = client.receive() else { panic!("not a request") };
    assert_eq!(asked.method, "client/registerCapability");
    client.open(&skill, text);
    assert_eq!(codes(&client.diagnostics(&skill, Some(1))), ["L105"]);
    let other = write(&root, "skills/a/x.md", "x");
    client
        .notify("workspace/didChangeWatchedFiles", &json!({"changes": [{"uri": uri_of(&other), "type": 1}]}));
    assert!(client.diagnostics(&skill, Some(1)).is_empty());
    // A client that doesn't tell of it saves in the end.
    fs::remove_file(&other).expect("removed");
    client.notify_on("textDocument/didSave", &skill);
    assert_eq!(codes(&client.diagnostics(&skill, Some(1))), ["L105"]);
}

#[test]
fn what_is_beside_a_skill_is_shown_at_its_top() {
    let (_dir, root) = place();
    let text = "---\nname: a\ndescription: Works\n---\n";
    let skill = write(&root, "skills/a/SKILL.md", text);
    write(&root, "skills/a/notes.md", "one\nhid\u{200b}den\n");
    let client = Client::new(&root);
    client.open(&skill, text);
    let found = client.diagnostics(&skill, Some(1));
    let place = &found[0]["relatedInformation"][0];
    assert_eq!(
        (codes(&found), place["location"]["uri"].clone()),
        (vec!["L126"], json!(uri_of(&root.join("skills/a/notes.md"))))
    );
    assert_eq!(
        (&found[0]["range"]["end"]["line"], &place["location"]["range"]["start"]),
        (&json!(0), &json!({"line": 1, "character": 3}))
    );
}

#[test]
fn a_skill_that_is_nowhere_yet_is_judged() {
    let (_dir, root) = place();
    let client = Client::new(&root);
    let skill = root.join("skills/new/SKILL.md");
    client.open(&skill, "---\nname: old\ndescription: Works: well\n---\n");
    assert_eq!(codes(&client.diagnostics(&skill, Some(1))), ["L103", "E003"]);
    assert_eq!(client.leave(), Exit::Success);
}

#[test]
fn a_skill_in_a_new_directory_has_its_neighbours() {
    let (_dir, root) = place();
    write(&root, "skills/a/SKILL.md", "---\nname: a\ndescription: Fills forms\n---\n");
    let client = Client::new(&root);
    let skill = root.join("skills/newd/SKILL.md");
    client.open(&skill, "---\nname: a\ndescription: Reads sheets\n---\n");
    assert_eq!(codes(&client.diagnostics(&skill, Some(1))), ["E013"]);
}

#[test]
fn an_index_is_seen_as_one() {
    let (_dir, root) = place();
    write(&root, "skills/k/SKILL.md", "---\nname: k\ndescription: Fills forms\n---\n");
    let index = write(&root, "skills/SKILL.md", "# Index\n");
    let client = Client::new(&root);
    client.open(&index, "# Index\n");
    let found = client.diagnostics(&index, Some(1));
    assert_eq!((codes(&found), &found[0]["severity"]), (vec!["L131"], &json!(2)));
}

#[test]
fn after_a_shutdown_only_exit_is_left() {
    let (_dir, root) = place();
    let mut client = Client::new(&root);
    let again = client.try_request("initialize", &json!({"capabilities": {}}));
    assert_eq!(again, Err("the server is initialized already".to_owned()));
    assert_eq!(client.request("shutdown", &Value::Null), Value::Null);
    for method in ["textDocument/hover", "shutdown"] {
        let refused = client.try_request(method, &json!({}));
        assert_eq!(refused, Err("the server was asked to shut down, and waits for `exit`".to_owned()));
    }
    client.notify("exit", &Value::Null);
    assert_eq!(client.server.take().and_then(|server| server.join().ok()), Some(Exit::Success));
}

#[test]
fn a_client_that_does_not_introduce_itself_is_not_served() {
    for (is_asking, expected) in [(true, Ok(Exit::Nothing)), (false, Err(()))] {
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || super::super::serve(&server).map_err(drop));
        if is_asking {
            let request =
                Request { id: 1.into(), method: "textDocument/hover".to_owned(), params: json!({}) };
            connection.sender.send(Message::Request(request)).expect("it listens");
            let Ok(Message::Response(answer)) = connection.receiver.recv() else { panic!("no answer") };
            let error = answer.response_result.expect_err("it is refused");
            assert_eq!(
                (error.code, error.message.as_str()),
                (-32002, "the first request has to be `initialize`, not `textDocument/hover`")
            );
            let exit = Notification { method: "exit".to_owned(), params: Value::Null };
            connection.sender.send(Message::Notification(exit)).expect("it listens");
        }
        drop(connection);
        assert_eq!(server.join().expect("it ends"), expected);
    }
}

#[test]
fn a_client_that_vanishes_ends_the_server() {
    let (_dir, root) = place();
    let Client { connection, server, .. } = Client::new(&root);
    drop(connection);
    assert_eq!(server.and_then(|server| server.join().ok()), Some(Exit::Nothing));
}
