//! `completion/complete`: names, paths, and the choices of a prompt's argument.

use std::sync::Arc;

use serde_json::{Value, json};
use skills::live::{Overlays, Root};
use skills::mcp::Server;
use skills::{Policy, Registry};
use skills_tests::{SKILLS, disk};

use super::{Client, run};

const TEMPLATE: &str = "skill://{skill_name}/{+file_path}";

async fn complete(client: &mut Client, of: Value, (name, value): (&str, &str), given: Value) -> Value {
    let params =
        json!({"ref": of, "argument": {"name": name, "value": value}, "context": {"arguments": given}});
    client.ask("completion/complete", &params).await
}

fn template() -> Value {
    json!({"type": "ref/resource", "uri": TEMPLATE})
}

fn prompt(name: &str) -> Value {
    json!({"type": "ref/prompt", "name": name})
}

#[test]
fn the_variables_of_the_template_are_completed() {
    run(async {
        let policy = Policy::allow_all().block("plain-note");
        let mut client = Client::of(Server::new(Registry::new(&SKILLS).with_policy(policy))).await;
        let templates = client.ask("resources/templates/list", &json!({})).await;
        assert_eq!(templates["result"]["resourceTemplates"][0]["uriTemplate"], TEMPLATE);
        let answer = complete(&mut client, template(), ("skill_name", "PDF"), json!({})).await;
        assert_eq!(
            answer["result"]["completion"],
            json!({"values": ["pdf-forms"], "total": 1, "hasMore": false})
        );
        // What the model doesn't see isn't completed.
        let all =
            complete(&mut client, template(), ("skill_name", ""), json!({})).await["result"].to_string();
        assert!(
            all.contains("model-only") && !all.contains("release-by-hand") && !all.contains("plain-note")
        );
        let given = json!({"skill_name": "pdf-forms"});
        let files = complete(&mut client, template(), ("file_path", "fi"), given).await;
        let values = &files["result"]["completion"]["values"];
        assert_eq!(*values, json!(["references/fields.md", "scripts/fill.py", "scripts/fill.sh"]));
        for given in [json!({}), json!({"skill_name": "none"}), json!({"skill_name": "release-by-hand"})] {
            let none = complete(&mut client, template(), ("file_path", ""), given).await;
            assert_eq!(none["result"]["completion"]["values"], json!([]));
        }
        client.close().await;
    });
}

#[test]
fn the_choices_of_a_hint_are_completed() {
    run(async {
        let root = disk::temp();
        let skill =
            |name: &str, more: &str| format!("---\nname: {name}\ndescription: Does it\n{more}---\nText\n");
        let bump = skill("bump", "arguments: [part, why]\nargument-hint: \"[patch|minor|major] [why]\"\n");
        disk::write(root.path(), "bump/SKILL.md", bump);
        disk::write(root.path(), "only-model/SKILL.md", skill("only-model", "user-invocable: false\n"));
        let command =
            "name: mode\ndescription: Sets it\ntype: text\ntemplate_path: t.txt\nargument_hint: <on|off>\n";
        disk::write(root.path(), "mode.command.yaml", command);
        disk::write(root.path(), "t.txt", "Mode {raw}");
        let live = Arc::new(Overlays::without_bundle().root(Root::new(root.path())).open());
        let mut client = Client::of(Server::live(live)).await;
        for (name, argument, expected) in [
            ("bump", ("part", "m"), json!(["minor", "major"])),
            ("bump", ("why", ""), json!([])),
            ("bump", ("other", ""), json!([])),
            ("mode", ("arguments", ""), json!(["on", "off"])),
        ] {
            let answer = complete(&mut client, prompt(name), argument, json!({})).await;
            assert_eq!(answer["result"]["completion"]["values"], expected, "{answer}");
        }
        for (of, argument, why) in [
            (prompt("only-model"), ("arguments", ""), "No prompt is named `only-model`"),
            (prompt("none"), ("arguments", ""), "No prompt is named `none`"),
            (template(), ("file", ""), "it has skill_name and file_path"),
            (json!({"type": "ref/resource", "uri": "x://{y}"}), ("y", ""), "no resource template is x://{y}"),
        ] {
            let answer = complete(&mut client, of, argument, json!({})).await;
            assert_eq!(answer["error"]["code"], -32602, "{answer}");
            assert!(answer["error"]["message"].as_str().unwrap().contains(why), "{answer}");
        }
        client.close().await;
    });
}

#[test]
fn a_hundred_values_are_the_most() {
    run(async {
        let root = disk::temp();
        for number in 0..120 {
            let name = format!("skill-{number:03}");
            disk::write(root.path(), &format!("{name}/SKILL.md"), disk::skill_md(&name, "Does a thing"));
        }
        let live = Arc::new(Overlays::without_bundle().root(Root::new(root.path())).open());
        let mut client = Client::of(Server::live(live)).await;
        let answer = complete(&mut client, template(), ("skill_name", "skill"), json!({})).await;
        let completion = &answer["result"]["completion"];
        assert_eq!(completion["values"].as_array().unwrap().len(), 100);
        assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(120), &json!(true)));
        client.close().await;
    });
}
