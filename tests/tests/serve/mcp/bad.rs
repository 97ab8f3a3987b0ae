//! Invalid input gets the right error, and the next request is answered.

use serde_json::json;
use skills::Registry;
use skills::mcp::Server;
use skills_tests::SKILLS;

use super::{COMMANDS, Client, run};

#[test]
fn malformed_messages_are_answered_or_ignored() {
    run(async {
        let mut client = Client::new().await;
        // Something that isn't a message may stay unanswered; a request with an id is always answered.
        for line in [
            "",
            "{",
            "null",
            "[]",
            "not json",
            r#"{"jsonrpc":"2.0","id":900}"#,
            r#"{"jsonrpc":"1.0","id":901,"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":902,"method":7}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/none"}"#,
            r#"{"jsonrpc":"2.0","id":903,"result":{}}"#,
            "\u{feff}{}",
        ] {
            client.send(line).await;
        }
        client.send_bytes(b"\xff\xfe{\"jsonrpc\":\"2.0\"}").await;
        client.send_bytes(&vec![b'['; 100_000]).await;
        let answer = client.ask("tools/list", &json!({})).await;
        assert_eq!(answer["result"]["tools"].as_array().unwrap().len(), 5);
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
        // The answer to an invalid request may lack the id.
        let wrong =
            [json!({}), json!({"name": 7}), json!([]), json!({"name": "load_skill", "arguments": "x"})];
        for params in wrong {
            let request = json!({"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": params});
            client.send(&request.to_string()).await;
            let answer = client.receive().await;
            let code = answer["error"]["code"].as_i64().unwrap_or_default();
            assert!((-32602..=-32600).contains(&code), "{params}: {answer}");
        }
        client.close().await;
    });
}

#[test]
fn the_tools_explain_invalid_arguments() {
    run(async {
        let mut client = Client::new().await;
        for (tool, arguments, code) in [
            ("load_skill", json!({}), "INVALID_ARGUMENTS"),
            ("load_skill", json!({"skill_name": ["pdf-forms"]}), "INVALID_ARGUMENTS"),
            ("load_skill", json!({"skill_name": "../pdf-forms"}), "SKILL_NOT_FOUND"),
            ("search_skills", json!({"query": " "}), "INVALID_ARGUMENTS"),
            ("read_skill_resource", json!({"skill_name": "pdf-forms"}), "INVALID_ARGUMENTS"),
            (
                "read_skill_resource",
                json!({"skill_name": "pdf-forms", "file_path": "../x"}),
                "INVALID_RESOURCE_PATH",
            ),
            (
                "read_skill_resource",
                json!({"skill_name": "pdf-forms", "file_path": "none"}),
                "RESOURCE_NOT_FOUND",
            ),
            ("skills_tool", json!({"action": "delete"}), "INVALID_ACTION"),
        ] {
            let answer = client.call(tool, &arguments).await;
            assert_eq!(answer["isError"], true, "{tool} {arguments}");
            assert_eq!(answer["structuredContent"]["error"]["code"], code, "{tool} {arguments}");
            let text = answer["content"][0]["text"].as_str().unwrap();
            assert!(text.starts_with("Error: "), "{text}");
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
        assert_eq!(missing["structuredContent"]["error"]["code"], "SKILL_NOT_FOUND");
        assert!(missing["content"][0]["text"].as_str().unwrap().len() < 1_000, "it is not sent back whole");
        let loaded = client.call("load_skill", &json!({"skill_name": "plain-note", "arguments": long})).await;
        assert!(loaded["content"][0]["text"].as_str().unwrap().contains("word word"));
        let long = &long[..1024 * 1024];
        let file =
            client.call("read_skill_resource", &json!({"skill_name": "pdf-forms", "file_path": long})).await;
        assert_eq!(file["structuredContent"]["error"]["code"], "RESOURCE_NOT_FOUND");
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
