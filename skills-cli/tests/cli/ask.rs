//! `list`, `search`, `load`, `read`, `call` and `schema`.

use serde_json::json;

use crate::place::Place;

/// One root, `mine`, with two skills.
fn mine() -> Place {
    let place = Place::new();
    place
        .file(
            "mine/pdf/SKILL.md",
            "---\nname: pdf\ndescription: Reads and fills PDF forms\nversion: 1.10\ntags: [documents, forms]\n\
             triggers: fill a form, merge pdf\nx-zeta: 1\nx-alpha: 2\n---\n\n# PDF\n\tuse it\n",
        )
        .file("mine/pdf/references/forms.md", "All about forms\n")
        .file("mine/pdf/assets/dot.png", b"\x89PNG\r\n\x1a\n\0\0")
        .file(
            "mine/secret/SKILL.md",
            "---\nname: secret\ndescription: For users alone\ndisable-model-invocation: true\n---\n",
        );
    place
}

const MINE: [&str; 3] = ["--root", "mine", "--no-bundle"];

fn args<'a>(more: &[&'a str]) -> Vec<&'a str> {
    MINE.iter().chain(more).copied().collect()
}

#[test]
fn list_shows_the_user_all_skills() {
    let ran = mine().run(args(&["list"]));
    insta::assert_snapshot!(ran.stdout, @r"
    Available skills (2):
    - pdf v1.10 tags=documents,forms: Reads and fills PDF forms
    - secret: For users alone

    Tip: `search WORDS` finds a skill, `load NAME` shows it.
    ");
    assert!(ran.stdout.ends_with("shows it.\n") && !ran.stdout.ends_with("\n\n"));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn list_as_a_document() {
    let ran = mine().run(args(&["list", "--json"]));
    let expected = json!({
        "skills": [
            {
                "name": "pdf",
                "description": "Reads and fills PDF forms",
                "version": "1.10",
                "tags": ["documents", "forms"],
                "origin": "mine",
                "sealed": false,
                "path": "mine/pdf",
                "digest": "sha256:a4d3da81496097146f001027ca6938bc8924513a65a880c25f3c6ba71402931f",
            },
            {
                "name": "secret",
                "description": "For users alone",
                "version": null,
                "tags": [],
                "origin": "mine",
                "sealed": false,
                "path": "mine/secret",
                "digest": "sha256:33202df3d8e06cdc7e74b786390ae47ac77ce411c83644fdfb23abaee9ceaab9",
            },
        ],
        "commands": [],
        "warnings": [],
        "shadowed": [],
    });
    assert_eq!((ran.json(), ran.code), (expected, 0));
}

#[test]
fn an_empty_list_is_success() {
    let place = Place::new();
    let ran = place.run(["list", "--no-bundle"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("No skills or slash commands found.\n", 0));
    assert_eq!(place.run(["list", "--no-bundle", "--json"]).json()["skills"], json!([]));
}

#[test]
fn search_finds_the_best_first() {
    let ran = mine().run(args(&["search", "pdf", "form"]));
    insta::assert_snapshot!(ran.stdout, @r"
    Skills matching 'pdf form' (1):
    - pdf: Reads and fills PDF forms

    Tip: `load NAME` shows the whole instructions.
    ");
    assert_eq!(ran.code, 0);
    let document = mine().run(args(&["search", "--json", "--ranking", "reference", "pdf form"])).json();
    let result = json!({"name": "pdf", "score": 4, "description": "Reads and fills PDF forms"});
    assert_eq!(document, json!({"query": "pdf form", "ranking": "reference", "results": [result]}));
}

#[test]
fn search_explains_itself() {
    let ran = mine().run(args(&["search", "--explain", "pdf", "form"]));
    insta::assert_snapshot!(ran.stdout);
    let ran = mine().run(args(&["search", "--explain", "--ranking", "reference", "pdf"]));
    insta::assert_snapshot!(ran.stdout);
    let document = mine().run(args(&["search", "--explain", "--json", "pdf"])).json();
    assert_eq!(
        (&document["ranking"], &document["results"][0]["confidence"]),
        (&json!("hybrid"), &json!(1000))
    );
    assert_eq!(document["results"][0]["parts"][0]["what"], "the query is the name, so the skill comes first");
}

#[test]
fn search_without_a_match_fails() {
    let ran = mine().run(args(&["search", "zebra"]));
    assert_eq!((ran.stdout.as_str(), ran.code), ("No skills matched query: 'zebra'\n", 1));
    let ran = mine().run(args(&["search", "zebra", "--json"]));
    assert_eq!((ran.json()["results"].clone(), ran.code), (json!([]), 1));
}

#[test]
fn search_is_limited() {
    let place = Place::new();
    for number in 10..50 {
        place.skill(&format!("many/skill-{number}"), "One of many");
    }
    let count = |more: &[&str]| {
        let ran = place.run(["--root", "many", "--json", "search", "many"].iter().chain(more));
        ran.json()["results"].as_array().map(Vec::len)
    };
    assert_eq!(count(&["--limit", "3", "--ranking", "reference"]), Some(3));
    assert_eq!(count(&[]), Some(25));
}

#[test]
fn a_blank_query_is_wrong_usage() {
    let ran = mine().run(args(&["search", " ", ""]));
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 2));
    insta::assert_snapshot!(ran.stderr, @r"
    skills: the query is blank
    help: pass one that is not blank
    ");
    let ran = mine().run(args(&["search", " ", "--json"]));
    assert_eq!((ran.error_code().as_str(), ran.code), ("INVALID_ARGUMENTS", 2));
}

#[test]
fn load_shows_a_skill_whole() {
    let ran = mine().run(args(&["load", "PDF"]));
    insta::assert_snapshot!(ran.stdout, @r"
    Skill: pdf
    Path: mine/pdf
    Version: 1.10
    Tags: documents, forms
    Triggers: fill a form, merge pdf

    Description:
    Reads and fills PDF forms

    Content (SKILL.md body):
    # PDF
    	use it

    Files (`read NAME PATH` shows one):
    mine/pdf/
    ├── assets/
    │   └── dot.png
    ├── references/
    │   └── forms.md
    └── SKILL.md
    ");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn load_as_a_document() {
    let ran = mine().run(args(&["load", "pdf", "--json"]));
    let document = ran.json();
    assert_eq!(document["skill_name"], "pdf");
    assert_eq!(document["instructions"], "# PDF\n\tuse it");
    assert_eq!(document["already_loaded"], false);
    assert_eq!(document["frontmatter"]["version"], "1.10");
    assert_eq!(document["files"][1]["path"], "assets/dot.png");
    assert_eq!(document["files"][1]["media_type"], "image/png");
    assert_eq!(
        document["text"].as_str().map(|text| format!("{text}\n")),
        // A document has the text for a model, which has a tool in place of the command.
        Some(mine().run(args(&["load", "pdf"])).stdout.replace(
            "Files (`read NAME PATH` shows one):",
            "Files (use skills_tool action=read_file to open):"
        ))
    );
    let order = ["name", "description", "version", "tags", "triggers", "x-zeta", "x-alpha"];
    let at = order.map(|key| ran.stdout.find(&format!("\"{key}\":")).unwrap_or_default());
    assert!(at.is_sorted(), "the frontmatter keeps the author's order: {}", ran.stdout);
}

#[test]
fn a_skill_that_does_not_exist() {
    let ran = mine().run(args(&["load", "pfd"]));
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 1));
    insta::assert_snapshot!(ran.stderr, @r"
    skills: no skill is named `pfd`
    help: did you mean `pdf`?
    ");
    let ran = mine().run(args(&["load", "zebra"]));
    insta::assert_snapshot!(ran.stderr, @r"
    skills: no skill is named `zebra`
    help: `skills list` shows all skills
    ");
    let ran = mine().run(args(&["load", "pfd", "--json"]));
    assert_eq!((ran.error_code().as_str(), ran.code), ("SKILL_NOT_FOUND", 1));
    assert_eq!(ran.json()["error"]["suggestion"], "did you mean pdf?");
    let ran = mine().run(args(&["load", "/pdf", "--json"]));
    assert_eq!((ran.error_code().as_str(), ran.code), ("COMMAND_NOT_FOUND", 1));
}

#[test]
fn read_shows_a_file() {
    let ran = mine().run(args(&["read", "pdf", "references/forms.md"]));
    assert_eq!(
        (ran.stdout.as_str(), ran.code),
        ("Skill file: pdf/references/forms.md\n\nAll about forms\n\n", 0)
    );
    let document = mine().run(args(&["read", "pdf", "references/forms.md", "--json"])).json();
    let expected = json!({
        "skill_name": "pdf",
        "file_path": "references/forms.md",
        "media_type": "text/markdown",
        "size": 16,
        "content": "All about forms\n",
        "total_chars": 16,
        "next_offset": null,
    });
    assert_eq!(document, expected);
}

#[test]
fn read_describes_a_binary_file_and_gives_its_bytes() {
    let ran = mine().run(args(&["read", "pdf", "assets/dot.png"]));
    let text = "Skill file: pdf/assets/dot.png\n\nBinary file: image/png, 10 bytes.\n";
    assert_eq!((ran.stdout.as_str(), ran.code), (text, 0));
    let document = mine().run(args(&["read", "pdf", "assets/dot.png", "--json"])).json();
    assert_eq!(document["content_base64"], "iVBORw0KGgoAAA==");
    assert_eq!(document["content"], json!(null));
}

#[test]
fn a_long_file_can_be_read_on() {
    let place = mine();
    place.file("mine/pdf/long.txt", "ä".repeat(24_000) + "end");
    let ran = place.run(args(&["read", "pdf", "long.txt"]));
    assert!(ran.stdout.ends_with("ä\n\n[truncated]\n"), "the cut is shown");
    assert_eq!((ran.stderr.as_str(), ran.code), ("note: read on with --offset 24000\n", 0));
    let ran = place.run(args(&["read", "pdf", "long.txt", "--offset", "24000"]));
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("Skill file: pdf/long.txt\n\nend\n", ""));
    let document = place.run(args(&["read", "pdf", "long.txt", "--json"])).json();
    assert_eq!((&document["total_chars"], &document["next_offset"]), (&json!(24_003), &json!(24_000)));
}

#[test]
fn a_file_that_cannot_be_read() {
    let cases = [
        ("../secret/SKILL.md", "INVALID_RESOURCE_PATH", 1),
        ("/etc/passwd", "INVALID_RESOURCE_PATH", 1),
        ("references", "RESOURCE_NOT_FOUND", 1),
        ("references/form.md", "RESOURCE_NOT_FOUND", 1),
        ("", "INVALID_ARGUMENTS", 2),
    ];
    for (path, code, exit) in cases {
        let ran = mine().run(args(&["read", "pdf", path, "--json"]));
        assert_eq!((ran.error_code().as_str(), ran.code), (code, exit), "{path}");
        let ran = mine().run(args(&["read", "pdf", path]));
        assert_eq!((ran.stdout.as_str(), ran.code), ("", exit), "{path}");
    }
    let ran = mine().run(args(&["read", "pdf", "references"]));
    insta::assert_snapshot!(ran.stderr, @r"
    skills: `references` is a directory
    help: read one of its files: `references/forms.md`
    ");
    let ran = mine().run(args(&["read", "pdf", "references/form.md"]));
    insta::assert_snapshot!(ran.stderr, @r"
    skills: the skill has no file `references/form.md`
    help: did you mean `references/forms.md`?
    ");
}

#[test]
fn call_answers_as_for_a_model() {
    let ran = mine().run(args(&["call", r#"{"action": "list"}"#]));
    assert!(ran.stdout.contains("- pdf") && !ran.stdout.contains("secret"), "{}", ran.stdout);
    let ran = mine().run(args(&["call", "--json", r#"{"action": "load", "skill_name": "secret"}"#]));
    let document = ran.json();
    assert_eq!((&document["error"]["code"], ran.code), (&json!("SKILL_NOT_FOUND"), 1));
    assert_eq!(document["data"], json!(null));
    let text = "Error: skill not found: 'secret'. Try skills_tool action=list or action=search.";
    assert_eq!(document["text"], text);
}

#[test]
fn call_reads_stdin() {
    let call = br#"{"tool_name": "skills_tool:load", "tool_args": {"skill_name": "pdf"}}"#;
    let ran = mine().run_with(args(&["call", "-", "--json"]), call);
    assert_eq!((ran.json()["data"]["skill_name"].clone(), ran.code), (json!("pdf"), 0));
    assert_eq!(ran.json()["error"], json!(null));
}

#[test]
fn call_accepts_any_input() {
    let text = "Error: missing/invalid action. Supported actions: list, search, load, read_file.\n";
    for call in [&b""[..], b"{}", b"[", b"null", b"{\"action\": 1}", b"\xff\xfe", &b"[".repeat(100_000)] {
        let ran = mine().run_with(args(&["call", "-"]), call);
        assert_eq!((ran.stdout.as_str(), ran.code), (text, 2));
        let ran = mine().run_with(args(&["call", "-", "--json"]), call);
        assert_eq!((ran.json()["error"]["code"].clone(), ran.code), (json!("INVALID_ACTION"), 2));
    }
    let ran = mine().run(args(&["call", r#"{"action": "search", "query": "zebra"}"#]));
    assert_eq!((ran.stdout.as_str(), ran.code), ("No skills matched query: 'zebra'\n", 1));
}

#[test]
fn schema_has_the_format_of_each_api() {
    let place = Place::new();
    assert_eq!(place.run(["schema"]).json()["function"]["name"], "skills_tool");
    for (api, key) in [
        ("openai", "function"),
        ("anthropic", "input_schema"),
        ("mcp", "inputSchema"),
        ("gemini", "functionDeclarations"),
    ] {
        let ran = place.run(["schema", "--for", api, "--json"]);
        assert!(!ran.json()[key].is_null() && ran.code == 0, "{api}");
        assert_eq!(ran.stdout, place.run(["schema", "--for", api]).stdout);
    }
    let four = place.run(["schema", "--tools", "four", "--strict"]).json();
    assert_eq!(four.as_array().map(Vec::len), Some(4));
    assert_eq!(four[2]["function"]["strict"], true);
    let one = place.run(["schema", "--root", "skills"]);
    assert_eq!(one.code, 2, "a root that is not there");
    let none = place.run(["schema", "--no-bundle", "--json"]);
    assert_eq!((none.error_code().as_str(), none.code), ("NO_SKILLS", 2));
    place.skill("skills/zebra", "Counts stripes");
    let mine = place.run(["schema", "--no-bundle", "--root", "skills", "--for", "anthropic"]).json();
    assert_eq!(mine["input_schema"]["properties"]["skill_name"]["enum"], serde_json::json!(["zebra"]));
    assert!(mine["description"].as_str().is_some_and(|text| text.ends_with("- zebra: Counts stripes")));
    let ran = place.run(["schema", "--for", "other"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("possible values: `openai`, `openai-responses`, `anthropic`, "),
        "{}",
        ran.stderr
    );
}
