//! Invalid input gets the right error, and the next request is answered.

use serde_json::{Value, json};
use skills::Registry;
use skills::mcp::Server;
use skills_tests::SKILLS;

use super::{COMMANDS, Client, run};

#[test]
fn malformed_messages_are_answered_or_ignored() {
    run(async {
        let mut client = Client::new().await;
        let deep = "[".repeat(100_000);
        let lines = [
            (&b"{"[..], -32700, json!(null)),
            (b"not json", -32700, json!(null)),
            (b"\xff\xfe{\"jsonrpc\":\"2.0\"}", -32700, json!(null)),
            (deep.as_bytes(), -32700, json!(null)),
            (b"null", -32600, json!(null)),
            (b"[]", -32600, json!(null)),
            ("\u{feff}{}".as_bytes(), -32600, json!(null)),
            (br#"{"jsonrpc":"2.0","id":900}"#, -32600, json!(900)),
            (br#"{"jsonrpc":"1.0","id":901,"method":"tools/list"}"#, -32600, json!(901)),
            (br#"{"jsonrpc":"2.0","id":902,"method":7}"#, -32600, json!(902)),
        ];
        for (line, code, id) in lines {
            client.send_bytes(line).await;
            let answer = client.receive().await;
            let shown = String::from_utf8_lossy(&line[..line.len().min(60)]);
            assert_eq!(
                (&answer["error"]["code"], answer.get("id")),
                (&json!(code), Some(&id)),
                "{shown}: {answer}"
            );
            assert!(answer["error"]["message"].as_str().is_some_and(|why| why.len() > 20), "{answer}");
        }
        // What needs no answer gets none.
        for line in [
            "",
            " \r",
            r#"{"jsonrpc":"2.0","method":"notifications/none"}"#,
            r#"{"jsonrpc":"2.0","id":903,"result":{}}"#,
        ] {
            client.send(line).await;
        }
        client.send(r#"{"jsonrpc":"2.0","id":904,"method":"tools/list"}"#).await;
        let answer = client.receive().await;
        assert_eq!((&answer["id"], answer["result"]["tools"].as_array().unwrap().len()), (&json!(904), 4));
        client.close().await;
    });
}

/// The parser counts the message itself as the first level.
#[test]
fn a_message_has_at_most_127_levels() {
    run(async {
        let mut client = Client::new().await;
        let message = |levels: usize| {
            let (open, close) = ("[".repeat(levels - 3), "]".repeat(levels - 3));
            format!(
                r#"{{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{{"name":"list_skills","arguments":{{"x":{open}{close}}}}}}}"#
            )
        };
        client.send(&message(127)).await;
        let answer = client.receive().await;
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(8), &json!(false)), "{answer}");
        client.send(&message(128)).await;
        let answer = client.receive().await;
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32700), &Value::Null), "{answer}");
        let why = answer["error"]["message"].as_str().unwrap();
        assert!(why.contains("no more than 127 levels"), "{why}");
        client.close().await;
    });
}

#[test]
fn invalid_requests_have_their_codes() {
    run(async {
        let mut client = Client::new().await;
        for (method, params, code) in [
            ("no/such", json!({}), -32601),
            ("skills/none", json!({}), -32601),
            ("tools/call", json!({"name": "rm", "arguments": {}}), -32602),
            ("prompts/get", json!({"name": "no-such"}), -32602),
            ("skills/list", json!({"cursor": "7"}), -32602),
            ("prompts/list", json!({"cursor": ""}), -32602),
            ("resources/list", json!({"cursor": "after"}), -32602),
            ("resources/directory/read", json!({"uri": "skill://pdf-forms", "cursor": "x"}), -32602),
        ] {
            assert_eq!(client.error_code(method, &params).await, code, "{method} {params}");
        }
        for (params, why) in [
            (json!({}), "missing field `name`"),
            (json!({"name": 7}), "expected a string"),
            (json!([]), "must be an object"),
            (json!({"name": "load_skill", "arguments": "x"}), "expected a map"),
        ] {
            let answer = client.ask("tools/call", &params).await;
            assert_eq!(answer["error"]["code"], -32602, "{params}: {answer}");
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.contains("tools/call") && message.contains(why), "{params}: {message}");
        }
        for (method, params) in [
            ("prompts/get", json!({"name": 7})),
            ("resources/read", json!({})),
            ("skills/get", json!({"uri": []})),
            ("completion/complete", json!({"ref": {"type": "ref/none"}})),
        ] {
            let answer = client.ask(method, &params).await;
            assert_eq!(answer["error"]["code"], -32602, "{answer}");
            assert!(answer["error"]["message"].as_str().unwrap().contains(method), "{answer}");
        }
        client.close().await;
    });
}

#[test]
fn the_tools_explain_invalid_arguments() {
    run(async {
        let mut client = Client::new().await;
        let read = |more: Value| {
            let mut arguments = json!({"skill_name": "pdf-forms"});
            for (key, value) in more.as_object().unwrap() {
                arguments[key] = value.clone();
            }
            arguments
        };
        for (tool, arguments, text) in [
            ("load_skill", json!({}), "Error: skill_name is required for load_skill."),
            ("load_skill", json!({"skill_name": null}), "Error: skill_name is required for load_skill."),
            (
                "load_skill",
                json!({"skill_name": ["x"]}),
                "Error: skill_name must be a string for load_skill.",
            ),
            (
                "load_skill",
                json!({"skill_name": "pdf-froms"}),
                "Error: skill not found: 'pdf-froms'. Try list_skills or search_skills. Did you mean 'pdf-forms'?",
            ),
            ("list_skills", json!({"offset": "x"}), "Error: offset must be a whole number for list_skills."),
            ("list_skills", json!({"offset": -1}), "Error: offset must be a whole number for list_skills."),
            ("list_skills", json!({"limit": 1.5}), "Error: limit must be a whole number for list_skills."),
            ("list_skills", json!({"limit": [1]}), "Error: limit must be a whole number for list_skills."),
            ("search_skills", json!({"query": " "}), "Error: query is required for search_skills."),
            ("search_skills", json!({"query": {}}), "Error: query must be a string for search_skills."),
            ("read_skill_resource", read(json!({})), "Error: file_path is required for read_skill_resource."),
            (
                "read_skill_resource",
                read(json!({"file_path": "SKILL.md", "offset": true})),
                "Error: offset must be a whole number for read_skill_resource.",
            ),
            (
                "read_skill_resource",
                read(json!({"file_path": "../x"})),
                "Error: file_path must stay inside the skill directory.",
            ),
            (
                "read_skill_resource",
                read(json!({"file_path": "references/field.md"})),
                "Error: skill file not found: 'references/field.md'. Did you mean 'references/fields.md'?",
            ),
        ] {
            let answer = client.call(tool, &arguments).await;
            assert_eq!(answer["isError"], true, "{tool} {arguments}");
            assert_eq!(answer["content"], json!([{"type": "text", "text": text}]), "{tool} {arguments}");
            assert_eq!(answer.get("structuredContent"), None);
        }
        // What models write for a number and for nothing is understood.
        for arguments in [json!({"offset": "0", "limit": 2.0}), json!({"offset": null, "limit": ""})] {
            assert_eq!(client.call("list_skills", &arguments).await["isError"], false, "{arguments}");
        }
        client.close().await;
    });
}

/// A name that the host reserves for a command of its own isn't a prompt and isn't suggested.
#[test]
fn a_reserved_name_is_reported_as_reserved() {
    let reserved = "the host reserves this name for a command of its own";
    let unknown = "list the skills to see their names";
    let unknown_command = "list to see the slash commands; a skill has no slash before its name";
    run(async {
        let registry = Registry::new(&SKILLS).with_reserved(&["plain-note", "explain-it"]);
        let mut client = Client::of(Server::new(registry)).await;
        for (name, why) in [
            ("plain-note", reserved),
            ("/plain-note", reserved),
            (" Plain-Note ", reserved),
            ("plain-not", unknown),
            ("/plain-not", unknown_command),
            // Nothing has this name, so the reservation isn't the reason.
            ("explain-it", unknown),
            ("word", "did you mean wordy?"),
        ] {
            no_prompt(&mut client, name, why).await;
        }
        let got = client.ask("prompts/get", &json!({"name": "wordy"})).await;
        assert!(got["result"]["messages"][0]["content"]["text"].is_string(), "{got}");
        client.close().await;
    });
    run(async {
        let registry = Registry::new(&COMMANDS).with_reserved(&["explain", "/PDF", "secret-menu"]);
        let mut client = Client::of(Server::new(registry)).await;
        for (name, why) in [
            ("explain", reserved),
            ("/explain", reserved),
            ("Explain", reserved),
            // A hidden command can still be called.
            ("secret-menu", reserved),
            ("pdf", reserved),
            ("explan", unknown),
            ("/explan", unknown_command),
            ("/reviw", "did you mean review?"),
        ] {
            no_prompt(&mut client, name, why).await;
        }
        for name in ["review", "/review", "by-hand"] {
            let got = client.ask("prompts/get", &json!({"name": name})).await;
            assert!(got["result"]["messages"][0]["content"]["text"].is_string(), "{got}");
        }
        client.close().await;
    });
    // What nobody reserves is there.
    run(async {
        let mut client = Client::of(Server::new(Registry::new(&COMMANDS))).await;
        let got =
            client.ask("prompts/get", &json!({"name": "explain", "arguments": {"arguments": "x"}})).await;
        assert_eq!(got["result"]["messages"][0]["content"]["text"], "Explain x", "{got}");
        no_prompt(&mut client, "explan", "did you mean explain?").await;
        client.close().await;
    });
}

async fn no_prompt(client: &mut Client, name: &str, why: &str) {
    let answer = client.ask("prompts/get", &json!({"name": name})).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert_eq!(answer["error"]["message"], format!("No prompt is named `{name}`: {why}"));
}

#[test]
fn ten_megabytes_of_arguments_are_answered() {
    run(async {
        let mut client = Client::new().await;
        let long = "word ".repeat(2 * 1024 * 1024);
        let found = client.call("search_skills", &json!({"query": long})).await;
        assert_eq!(found["isError"], false);
        let missing = client.call("load_skill", &json!({"skill_name": long})).await;
        assert_eq!(missing["isError"], true);
        assert!(missing["content"][0]["text"].as_str().unwrap().len() < 1_000, "it is not sent back whole");
        let loaded = client.call("load_skill", &json!({"skill_name": "plain-note", "arguments": long})).await;
        assert!(loaded["content"][0]["text"].as_str().unwrap().contains("word word"));
        let long = &long[..1024 * 1024];
        let file =
            client.call("read_skill_resource", &json!({"skill_name": "pdf-forms", "file_path": long})).await;
        assert!(file["content"][0]["text"].as_str().unwrap().starts_with("Error: skill file not found: "));
        let uri = format!("skill://pdf-forms/{}", "%20/".repeat(256 * 1024));
        assert_eq!(client.error_code("resources/read", &json!({"uri": uri})).await, -32002);
        client.close().await;
    });
}

#[test]
fn an_endless_line_uses_bounded_memory() {
    run(async {
        let mut client = Client::new().await;
        // A message that is too long is dropped up to its end.
        let chunk = vec![b'x'; 1024 * 1024];
        for _ in 0..20 {
            tokio::io::AsyncWriteExt::write_all(&mut client.to, &chunk).await.unwrap();
        }
        client.send("").await;
        let answer = client.receive().await;
        assert_eq!(
            (&answer["error"]["code"], answer.get("id")),
            (&json!(-32700), Some(&json!(null))),
            "{answer}"
        );
        assert!(client.ask("tools/list", &json!({})).await["result"].is_object());
        client.close().await;
    });
}

#[test]
fn the_server_ends_when_a_client_disconnects() {
    run(async {
        // In the middle of a call, in a line, before the first message, and during the handshake.
        let call = r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"load_skill","arguments":{"skill_name":"pdf-forms"}}}"#;
        let mut client = Client::new().await;
        for _ in 0..100 {
            client.send(call).await;
        }
        client.close().await;
        let mut client = Client::new().await;
        tokio::io::AsyncWriteExt::write_all(&mut client.to, &call.as_bytes()[..60]).await.unwrap();
        client.close().await;
        Client::silent(Server::new(Registry::new(&SKILLS))).close().await;
        let mut client = Client::silent(Server::new(Registry::new(&SKILLS)));
        client.send(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#).await;
        client.receive().await;
        client.close().await;
    });
}
