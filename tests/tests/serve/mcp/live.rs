//! Roots on disk: the current state is served, and clients are notified.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use skills::live::{LiveRegistry, Overlays, Root};
use skills::mcp::Server;
use skills_tests::{SKILLS, disk};

use super::{Client, run};

fn over(root: &std::path::Path) -> Arc<LiveRegistry> {
    Arc::new(Overlays::over(&SKILLS).root(Root::new(root).label("here")).open())
}

#[test]
fn an_entry_describes_the_current_files() {
    run(async {
        let root = disk::temp();
        disk::write(root.path(), "note/SKILL.md", disk::skill_md("note", "Takes notes"));
        disk::write(root.path(), "note/a.md", "one");
        let mut client = Client::of(Server::live(over(root.path()))).await;
        for (text, size) in [("one", 3), ("other", 5)] {
            disk::write(root.path(), "note/a.md", text);
            let entry = client.ask("skills/get", &json!({"uri": "skill://note/SKILL.md"})).await;
            let file = entry["result"]["skill"]["resources"]
                .as_array()
                .unwrap()
                .iter()
                .find(|file| file["uri"] == "skill://note/a.md")
                .unwrap()
                .clone();
            assert_eq!(file["size"], size, "{file}");
            let read = client.ask("resources/read", &json!({"uri": "skill://note/a.md"})).await;
            assert_eq!(read["result"]["contents"][0]["text"], text);
        }
        // A host compares the description with the file that it reads.
        disk::write(root.path(), "note/SKILL.md", disk::skill_md("note", "Keeps notes"));
        let entry = client.ask("skills/get", &json!({"uri": "skill://note/SKILL.md"})).await;
        assert_eq!(entry["result"]["skill"]["frontmatter"]["description"], "Keeps notes");
        client.close().await;
    });
}

/// A client that asks for it is notified without a handshake, and only of what it asked for.
#[test]
fn a_subscription_is_notified() {
    run(async {
        let root = disk::temp();
        let mut client = Client::silent(Server::live(over(root.path())));
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let found = client.ask("server/discover", &json!({"_meta": meta})).await;
        assert_eq!(found["result"]["capabilities"]["tools"]["listChanged"], true, "{found}");
        let wanted = json!({"toolsListChanged": true});
        let listen = json!({"jsonrpc": "2.0", "id": "listen", "method": "subscriptions/listen",
            "params": {"_meta": meta, "notifications": wanted}});
        client.send(&listen.to_string()).await;
        let accepted = client.receive().await;
        assert_eq!(accepted["method"], "notifications/subscriptions/acknowledged", "{accepted}");
        disk::write(root.path(), "note/SKILL.md", disk::skill_md("note", "Takes notes"));
        assert_eq!(client.receive().await["method"], "notifications/tools/list_changed");
        let nothing = tokio::time::timeout(Duration::from_millis(300), client.receive()).await;
        assert!(nothing.is_err(), "{nothing:?}");
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": "listen"}});
        client.send(&cancel.to_string()).await;
        client.close().await;
    });
}

/// A prompt's text is what a call with a slash would send.
#[test]
fn prompts_are_slash_commands_and_skills() {
    run(async {
        let root = disk::temp();
        let skill = "---\nname: note\ndescription: Takes notes\narguments: [topic]\n---\n\nNote $topic.\n";
        disk::write(root.path(), "note/SKILL.md", skill);
        let command = |name: &str, more: &str| {
            format!("name: {name}\ndescription: Explains it\ntype: text\ntemplate_path: t.txt\n{more}")
        };
        disk::write(root.path(), "explain.command.yaml", command("explain", "argument_hint: <path>\n"));
        disk::write(root.path(), "quiet.command.yaml", command("quiet", "webui_hidden: true\n"));
        disk::write(root.path(), "t.txt", "Explain {args.positional.0}");
        let plain = command("plain", "").replace("t.txt", "plain.txt");
        disk::write(root.path(), "plain.command.yaml", plain);
        disk::write(root.path(), "plain.txt", "Tell a joke.");
        let live = Arc::new(Overlays::without_bundle().root(Root::new(root.path())).open());
        let mut client = Client::of(Server::live(live)).await;
        let listed = client.ask("prompts/list", &json!({})).await;
        let prompts = listed["result"]["prompts"].as_array().unwrap().clone();
        let names: Vec<&str> = prompts.iter().map(|prompt| prompt["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["explain", "note", "plain"]);
        assert_eq!(prompts[0]["arguments"][0]["description"], "<path>");
        for (name, arguments, text) in [
            ("explain", json!({"arguments": "'a b' c"}), "Explain a b"),
            ("quiet", json!({}), "Explain "),
            ("plain", json!({"arguments": "about cats"}), "Tell a joke.\n\nArguments:\nabout cats"),
            ("plain", json!({}), "Tell a joke."),
            ("note", json!({"topic": "two words"}), "Note two words."),
        ] {
            let got = client.ask("prompts/get", &json!({"name": name, "arguments": arguments})).await;
            assert_eq!(got["result"]["messages"][0]["content"]["text"], text, "{got}");
        }
        let shown = client.text("load_skill", &json!({"skill_name": "/explain"})).await;
        assert!(shown.starts_with("Slash command: /explain\n"), "{shown}");
        client.close().await;
    });
}

#[test]
fn a_change_is_notified_once() {
    run(async {
        let root = disk::temp();
        let live = over(root.path());
        let mut client = Client::of(Server::live(Arc::clone(&live))).await;
        // A call that finds nothing looks at the disk, and may see the change before the watcher does.
        disk::write(root.path(), "note/SKILL.md", disk::skill_md("note", "Takes notes"));
        client
            .send(
                &json!({"jsonrpc": "2.0", "id": "load", "method": "tools/call",
            "params": {"name": "load_skill", "arguments": {"skill_name": "note"}}})
                .to_string(),
            )
            .await;
        let (mut notified, mut answered) = (Vec::new(), false);
        while notified.len() < 3 || !answered {
            let message = client.receive().await;
            if message["id"] == "load" {
                assert_eq!(message["result"]["isError"], false, "{message}");
                answered = true;
            } else {
                notified.push(message["method"].as_str().unwrap().to_owned());
            }
        }
        notified.sort();
        let lists = ["prompts", "resources", "tools"];
        assert_eq!(notified, lists.map(|list| format!("notifications/{list}/list_changed")));
        // The watcher's own refresh, which follows, finds nothing new.
        tokio::time::sleep(Duration::from_millis(500)).await;
        let nothing: Result<Value, _> =
            tokio::time::timeout(Duration::from_millis(100), client.receive()).await;
        assert!(nothing.is_err(), "{nothing:?}");
        client.close().await;
    });
}

#[test]
fn skills_that_hosts_need_not_load_are_not_in_the_extension() {
    run(async {
        let root = disk::temp();
        for number in 0..512 {
            disk::write(root.path(), &format!("many/files/{number}.txt"), "x");
        }
        disk::write(root.path(), "many/SKILL.md", disk::skill_md("many", "Has 513 files"));
        let mut client = Client::of(Server::live(over(root.path()))).await;
        let listed = client.ask("skills/list", &json!({})).await.to_string();
        assert!(!listed.contains("skill://many/"));
        let answer = client.ask("skills/get", &json!({"uri": "skill://many/SKILL.md"})).await;
        assert!(answer["error"]["message"].as_str().unwrap().contains("more than 512 files"), "{answer}");
        let loaded = client.call("load_skill", &json!({"skill_name": "many"})).await;
        assert_eq!(loaded["isError"], false, "the tools still serve it");
        client.close().await;
    });
}

#[test]
fn a_name_that_the_extension_cannot_have_hides_no_other_skill() {
    run(async {
        let root = disk::temp();
        disk::write(root.path(), "odd/SKILL.md", "---\nname: Odd_Name\ndescription: Is lenient\n---\nText\n");
        let live = Overlays::over(&SKILLS).root(Root::new(root.path()).lenient(true)).open();
        let mut client = Client::of(Server::live(live.into())).await;
        let listed = client.ask("skills/list", &json!({})).await;
        assert_eq!(listed["result"]["skills"].as_array().unwrap().len(), SKILLS.len(), "{listed}");
        client.close().await;
    });
}
