//! The extension `io.modelcontextprotocol/skills`: entries, URIs, digests.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Value, json};
use sha2::Digest as _;
use skills::Audience;
use skills::live::{Overlays, Root};
use skills_tests::cases::case;
use skills_tests::disk;

use super::{Client, Registry, SKILLS, Server, run};

#[test]
fn digests_match_the_build_and_the_files() {
    run(async {
        let mut client = Client::new().await;
        let listed = client.ask("skills/list", &json!({})).await;
        let skills = listed["result"]["skills"].as_array().unwrap();
        let registry = Registry::new(&SKILLS).for_audience(Audience::Everyone);
        assert_eq!(skills.len(), registry.skills().len());
        for (skill, entry) in skills.iter().zip(registry.skills()) {
            assert_eq!(skill["uri"], format!("skill://{}/SKILL.md", entry.skill.name()));
            let files = skill["resources"].as_array().unwrap();
            assert_eq!(files.len(), entry.skill.files().len());
            for (described, file) in files.iter().zip(entry.skill.files()) {
                let read = client.ask("resources/read", &json!({"uri": described["uri"]})).await;
                let content = &read["result"]["contents"][0];
                assert_eq!(content["mimeType"], file.media_type());
                let bytes = bytes(content);
                assert_eq!(bytes, file.bytes().unwrap(), "{described}");
                assert_eq!(described["size"], bytes.len());
                assert_eq!(described["digest"], hex(file.sha256().unwrap()));
                assert_eq!(described["digest"], hex(&sha2::Sha256::digest(&bytes).into()));
            }
            let got = client.ask("skills/get", &json!({"uri": skill["uri"]})).await;
            assert_eq!(&got["result"]["skill"], skill);
        }
        client.close().await;
    });
}

/// Names with spaces, percent signs and other letters: every listed URI can be read.
#[test]
fn odd_names_can_be_read_by_their_listed_uri() {
    let dir = case("208-percent-names-over-mcp");
    run(async {
        let overlays = Overlays::without_bundle().root(Root::new(dir.path().join("skills")));
        let mut client = Client::of(Server::live(Arc::new(overlays.open()))).await;
        let listed = client.ask("skills/list", &json!({})).await;
        let files = listed.pointer("/result/skills/0/resources").unwrap().as_array().unwrap();
        let mut read = Vec::new();
        for file in files {
            let answer = client.ask("resources/read", &json!({"uri": file["uri"]})).await;
            read.push(bytes(&answer["result"]["contents"][0]));
        }
        let on_disk = disk::files(&dir.path().join("skills/guide"));
        let mut expected: Vec<_> =
            on_disk.iter().map(|file| disk::read(&dir.path().join("skills/guide").join(file))).collect();
        read.sort();
        expected.sort();
        assert_eq!(read, expected);
        assert_eq!(read.len(), if cfg!(windows) { 3 } else { 4 });
        client.close().await;
    });
}

#[test]
fn an_unknown_uri_is_refused_with_its_name() {
    run(async {
        let mut client = Client::new().await;
        for uri in [
            "skill://no-such/SKILL.md",
            "skill://pdf-forms/no-such.md",
            "skill://pdf-forms/%2e%2e/plain-note/SKILL.md",
            "skill://pdf-forms/..%2fplain-note%2fSKILL.md",
            "skill://pdf-forms//SKILL.md",
            "skill://pdf-forms/SKILL.md/",
            "skill://pdf-forms/./SKILL.md",
            "skill://pdf-forms/SKILL.md%00",
            "skill://pdf-forms/SKILL%2",
            "skill://pdf-forms/%ff",
            "skill://PDF-Forms/SKILL.md",
            "skill://user@pdf-forms/SKILL.md",
            "skill://pdf-forms:80/SKILL.md",
            "skill:pdf-forms/SKILL.md",
            "file:///etc/passwd",
            "http://pdf-forms/SKILL.md",
            "../../etc/passwd",
            "",
        ] {
            for (method, code) in
                [("resources/read", -32002), ("skills/get", -32602), ("resources/directory/read", -32602)]
            {
                let answer = client.ask(method, &json!({"uri": uri})).await;
                assert_eq!(answer["error"]["code"], code, "{method} {uri}: {answer}");
                assert!(answer["error"]["message"].as_str().unwrap().contains(uri), "{answer}");
            }
        }
        // Reading accepts every encoding of a character; an entry has exactly one URI.
        let other = json!({"uri": "SKILL://%70df-forms/SKILL.md"});
        assert!(client.ask("resources/read", &other).await["result"].is_object());
        let answer = client.ask("skills/get", &other).await;
        assert!(
            answer["error"]["message"].as_str().unwrap().ends_with("it is at skill://pdf-forms/SKILL.md")
        );
        client.close().await;
    });
}

#[test]
fn directories_are_listed_level_by_level() {
    run(async {
        let mut client = Client::new().await;
        let mut found = Vec::new();
        let mut open = vec!["skill://deep-tree".to_owned()];
        while let Some(uri) = open.pop() {
            let answer = client.ask("resources/directory/read", &json!({"uri": uri})).await;
            for child in answer["result"]["resources"].as_array().unwrap() {
                let child_uri = child["uri"].as_str().unwrap().to_owned();
                assert_eq!(child_uri.rsplit_once('/').unwrap().0, uri);
                if child["mimeType"] == "inode/directory" {
                    open.push(child_uri);
                } else {
                    found.push(child_uri);
                }
            }
        }
        let entry = client.ask("skills/get", &json!({"uri": "skill://deep-tree/SKILL.md"})).await;
        let mut expected: Vec<String> = entry["result"]["skill"]["resources"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| file["uri"].as_str().unwrap().to_owned())
            .collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
        client.close().await;
    });
}

#[test]
fn long_lists_come_in_pages() {
    run(async {
        let root = skills_tests::disk::temp();
        for number in 0..250 {
            let name = format!("skill-{number:03}");
            let text = skills_tests::disk::skill_md(&name, &format!("Does thing {number}"));
            skills_tests::disk::write(root.path(), &format!("{name}/SKILL.md"), text);
        }
        let live = skills::live::Overlays::without_bundle().root(skills::live::Root::new(root.path())).open();
        let mut client = Client::of(Server::live(live.into())).await;
        let (mut names, mut pages, mut params) = (Vec::new(), 0, json!({}));
        loop {
            let answer = client.ask("skills/list", &params).await;
            pages += 1;
            let skills = answer["result"]["skills"].as_array().unwrap().clone();
            names
                .extend(skills.iter().map(|skill| skill["frontmatter"]["name"].as_str().unwrap().to_owned()));
            match &answer["result"]["nextCursor"] {
                Value::Null => break,
                cursor => params = json!({ "cursor": cursor }),
            }
        }
        assert_eq!((names.len(), pages), (250, 3));
        assert!(names.is_sorted());
        client.close().await;
    });
}

#[test]
fn a_frontmatter_has_the_types_of_yaml() {
    let text =
        "---\nname: typed\ndescription: x\nversion: 1.10\nmetadata: {a: '1.10', b: [0x1f, .inf]}\n---\n";
    run(async {
        let root = skills_tests::disk::temp();
        skills_tests::disk::write(root.path(), "typed/SKILL.md", text);
        let live = skills::live::Overlays::without_bundle().root(skills::live::Root::new(root.path())).open();
        let mut client = Client::of(Server::live(live.into())).await;
        let answer = client.ask("skills/list", &json!({})).await;
        let expected = json!({
            "name": "typed",
            "description": "x",
            "version": 1.1,
            "metadata": {"a": "1.10", "b": [31, null]},
        });
        assert_eq!(answer["result"]["skills"][0]["frontmatter"], expected, "{answer}");
        client.close().await;
    });
}

fn bytes(content: &Value) -> Vec<u8> {
    use base64::Engine as _;
    match content["text"].as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => base64::prelude::BASE64_STANDARD.decode(content["blob"].as_str().unwrap()).unwrap(),
    }
}

fn hex(digest: &[u8; 32]) -> String {
    digest.iter().fold("sha256:".to_owned(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    })
}
