//! `test` and `why`.

use std::path::Path;

use serde_json::{Value, json};

use crate::place::{Place, Ran};

/// Three skills, of which two are easily confused.
fn three() -> Place {
    let place = Place::new();
    place
        .skill("skills/pdf", "Fills in and merges PDF forms")
        .skill("skills/sheets", "Adds columns and totals to spreadsheets")
        .skill("skills/etl-jobs", "Loads spreadsheets into a database every night");
    place
}

const GOOD: &str = r#"[
  { "query": "merge two forms", "should_trigger": true },
  { "query": "add a column with totals", "should_trigger": false, "owner": "sheets" }
]
"#;

const BAD: &str = r#"[
  { "query": "sign the contract", "should_trigger": true },
  { "query": "totals in columns of a PDF", "should_trigger": true, "top_k": 1 },
  { "query": "load the forms into a database", "should_trigger": false, "owner": "etl-jobs" }
]
"#;

fn counts(ran: &Ran) -> (u64, u64, u64) {
    let document = ran.json();
    let count = |key: &str| document[key].as_u64().expect("it is a number");
    (count("queries"), count("passed"), count("failed"))
}

#[test]
fn queries_pass() {
    let place = three();
    place.file("skills/pdf/evals/triggers.json", GOOD);
    let ran = place.run(["test", "skills"]);
    insta::assert_snapshot!(ran.stdout);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(place.run(["test"]).stdout, ran.stdout, "`skills` is the default");
    assert_eq!(place.run(["test", "--root", "skills"]).stdout, ran.stdout);
    // The tests of a skill are no files of it.
    assert!(place.run(["--root", "skills", "load", "pdf"]).stdout.contains("No additional files found."));
    assert!(
        place
            .run(["check", "skills"])
            .stderr
            .contains("note: ignored: 1 directory `evals` with the tests of a skill")
    );
}

#[test]
fn a_failure_is_explained() {
    let place = three();
    place.file("skills/pdf/evals/triggers.json", BAD);
    let ran = place.run(["test", "skills"]);
    insta::assert_snapshot!(ran.stdout);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    insta::assert_snapshot!(place.run(["test", "skills", "--format", "github"]).stdout);
    insta::assert_snapshot!(place.run(["test", "skills", "--format", "junit"]).stdout);
}

#[test]
fn the_document_has_all_names() {
    let place = three();
    place.file("skills/pdf/evals/triggers.json", BAD);
    let ran = place.run(["test", "skills", "--json"]);
    assert_eq!((ran.code, counts(&ran)), (1, (3, 1, 2)));
    let document = ran.json();
    let names = |value: &Value| value.as_object().map(|map| map.keys().cloned().collect::<Vec<_>>());
    for key in ["skills", "queries", "passed", "failed", "found_first", "found_in_top"] {
        assert!(document[key].is_u64(), "{key}");
    }
    let case = &document["cases"][0];
    for key in [
        "file",
        "line",
        "skill",
        "query",
        "should_trigger",
        "owner",
        "top_k",
        "rank",
        "passed",
        "above",
        "words_nowhere",
        "winning_words",
        "advice",
    ] {
        assert!(case.get(key).is_some(), "{key}");
    }
    assert_eq!(case["words_nowhere"], json!(["sign", "contract"]));
    assert_eq!(document["cases"][1]["above"][0]["name"], "sheets");
    assert_eq!(document["confusions"][0]["times"], 1);
    assert_eq!(document["without_cases"], json!(["etl-jobs", "sheets"]));
    let why =
        place.run(["--root", "skills", "--no-bundle", "why", "pdf", "sign", "the", "contract", "--json"]);
    assert_eq!((why.code, names(&why.json())), (1, names(case)));
}

#[test]
fn queries_are_found_where_people_put_them() {
    let place = three();
    let row = |skill: &str, query: &str| {
        json!([{ "skill": skill, "query": query, "should_trigger": true }]).to_string()
    };
    place
        .file("skills/pdf/evals/a.json", row("pdf", "merge forms"))
        .file("skills/evals/b.json", row("pdf", "fill in a form"))
        .file("skills/evals/cases/sheets.json", r#"[{"query": "totals", "should_trigger": true}]"#)
        .file("skills/tests/c.jsonl", r#"{"prompt": "load a database", "expected_skill": "etl-jobs"}"#)
        .file("skills/evals/deeper/x.json", row("nobody", "not read"))
        .file("skills/evals/.hidden.json", row("nobody", "not read"))
        .file("skills/evals/README.md", "not read")
        .file("skills/evals/evals.json", r#"{"skill_name": "pdf", "evals": []}"#)
        .file("skills/evals/other.yaml", "name: other\n")
        .file("skills/tests/fixture.json", "{ broken")
        .file("skills/tests/api.json", r#"[{"prompt": "hello", "type": "negative"}]"#)
        .file("skills/tests/other.csv", "a,b\n1,2\n");
    let ran = place.run(["test", "skills", "--json"]);
    assert_eq!((ran.code, counts(&ran)), (0, (4, 4, 0)), "{}{}", ran.stderr, ran.stdout);
    assert_eq!(
        ran.stderr,
        "note: `skills/evals/other.yaml:1`: this file has no queries in a form that is read\n"
    );
    let files: Vec<Value> =
        ran.json()["cases"].as_array().expect("a list").iter().map(|case| case["file"].clone()).collect();
    let expected = [
        "skills/evals/b.json",
        "skills/evals/cases/sheets.json",
        "skills/pdf/evals/a.json",
        "skills/tests/c.jsonl",
    ];
    assert_eq!(files, expected);
    // A group of skills has its own.
    place
        .skill("more/group/one", "Does one thing")
        .file("more/group/evals/one.csv", "should_trigger,prompt\ntrue,one\n");
    assert_eq!(counts(&place.run(["test", "more", "skills", "--json"])), (5, 5, 0));
    // Named files are all that is read.
    let ran = place.run(["test", "skills", "--cases", "skills/evals/b.json", "--json"]);
    assert_eq!((ran.code, counts(&ran)), (0, (1, 1, 0)));
}

#[test]
fn a_wrong_file_fails() {
    let place = three();
    place
        .file("skills/pdf/evals/good.json", GOOD)
        .file("skills/pdf/evals/broken.json", "[{\"query\": \"a\", \"should_trigger\": true},\n")
        .file("skills/tests/broken.json", "{\"should_match\": true\n")
        .file("skills/evals/cases.json", r#"[{"query": "a", "should_trigger": true, "skill": "pfd"}]"#)
        .file("skills/evals/large.json", vec![b' '; 1024 * 1024 + 1]);
    let ran = place.run(["test", "skills"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr);
    let ran = place.run(["test", "skills", "--json"]);
    assert_eq!((counts(&ran), ran.json()["problems"].as_array().map(Vec::len)), ((2, 2, 0), Some(4)));
    // One that was named must have queries.
    place.file("other.yaml", "name: other\n");
    let ran = place.run(["test", "skills", "--cases", "other.yaml", "--cases", "none.json"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr);
}

#[test]
fn nothing_to_test_fails() {
    let ran = three().run(["test", "skills"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert_eq!(
        ran.stderr,
        "skills: there are no queries to test\nhelp: `skills test skills --init` writes some to start with\n"
    );
    assert_eq!(Place::new().run(["test", "--json"]).error_code(), "ROOT_UNREADABLE");
}

#[test]
fn a_share_can_be_required() {
    let place = three();
    let rows = r#"[
        { "query": "forms", "should_trigger": true },
        { "query": "columns and totals as PDF", "should_trigger": true },
        { "query": "load spreadsheets with forms into a database", "should_trigger": true, "top_k": 3 }
    ]"#;
    place.file("skills/pdf/evals/triggers.json", rows);
    let first = place.run(["test", "skills", "--json"]).json();
    assert_eq!((&first["failed"], &first["positives"]), (&json!(0), &json!(3)));
    let share = first["found_first"].as_u64().expect("a number") * 100 / 3;
    let run = |least: u64| place.run(["test", "skills", "--min-rank1", &least.to_string()]);
    assert!(share < 100, "{first}");
    assert_eq!(run(share).code, 0);
    let ran = run(share + 1);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains(&format!("of the queries find their skill first, less than {} %", share + 1)),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_baseline_is_a_ratchet() {
    let place = three();
    let rows = |queries: [&str; 4]| {
        let rows: Vec<Value> =
            queries.iter().map(|query| json!({ "query": query, "should_trigger": true })).collect();
        Value::from(rows).to_string()
    };
    let with = |queries| {
        place.file("skills/pdf/evals/triggers.json", rows(queries));
        place.run(["test", "skills", "--baseline", "baseline.json", "--max-drop", "25"])
    };
    place.file("skills/pdf/evals/triggers.json", rows(["forms", "merge", "fill", "sign it"]));
    place.file("baseline.json", place.run(["test", "skills", "--json"]).stdout);
    let same = with(["forms", "merge", "fill", "sign it"]);
    assert_eq!((same.code, same.stderr.as_str()), (0, ""), "what failed before may fail");
    assert!(same.stdout.contains("3 passed, 1 failed"), "{}", same.stdout);
    assert_eq!(with(["forms", "merge", "stamp it", "sign it"]).code, 0, "a drop of 25 points");
    let ran = with(["forms", "stamp it", "stamp that", "sign it"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr);
    assert_eq!(
        place
            .run(["test", "skills", "--baseline", "baseline.json", "--format", "github"])
            .stdout
            .matches("::warning")
            .count(),
        3
    );
    for (text, why) in [
        ("{", "it is not JSON"),
        ("{}", "it has no count `found_first`"),
        (r#"{"found_first": 2, "positives": 1}"#, "`found_first` is more than `positives`"),
    ] {
        place.file("other.json", text);
        let ran = place.run(["test", "skills", "--baseline", "other.json", "--json"]);
        assert_eq!((ran.error_code().as_str(), ran.code), ("BASELINE", 2));
        assert!(
            ran.json()["error"]["message"].as_str().is_some_and(|text| text.contains(why)),
            "{}",
            ran.stdout
        );
    }
    assert_eq!(place.run(["test", "skills", "--baseline", "none.json"]).code, 2);
}

#[test]
fn first_queries_are_written_once() {
    let place = three();
    place.file("skills/pdf/evals/triggers.json", GOOD);
    let ran = place.run(["test", "skills", "--init"]);
    insta::assert_snapshot!(ran.stdout);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let read = |path: &str| std::fs::read_to_string(place.path().join(path)).expect("it was written");
    assert_eq!(read("skills/pdf/evals/triggers.json"), GOOD);
    insta::assert_snapshot!(read("skills/sheets/evals/triggers.json"));
    assert_eq!(place.run(["test", "skills"]).code, 0);
    let again = place.run(["test", "skills", "--init", "--json"]);
    assert_eq!((again.code, &again.json()["written"]), (0, &json!([])));
}

/// A skill that isn't served has no queries, and that isn't said to be in order.
#[test]
fn a_refused_skill_is_named_where_it_is_asked_for() {
    let place = Place::new();
    place.file("skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads: forms\n---\n");
    let ran = place.run(["test", "skills", "--init"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(
        ran.stderr.ends_with("note: `skills/pdf` isn't served: `skills check` says why\n"),
        "{}",
        ran.stderr
    );
    assert!(!place.path().join("skills/pdf/evals").exists());
    for args in [&["why", "pdf", "read a form"][..], &["load", "pdf"], &["read", "pdf", "a.md"]] {
        let ran = place.run([&["--root", "skills"], args].concat());
        let expected = "skills: `skills/pdf/SKILL.md` has errors, so no skill is named `pdf`\n\
                        help: correct what is reported above; `skills check` shows all of it\n";
        assert_eq!(ran.code, 1);
        assert!(ran.stderr.ends_with(expected), "{args:?}: {}", ran.stderr);
    }
    let ran = place.run(["--root", "skills", "load", "pdf2"]);
    assert!(ran.stderr.contains("skills: no skill is named `pdf2`\n"), "{}", ran.stderr);
}

/// A skill inside a skill is tested where `check` takes it for one: by the option, and by the settings.
#[test]
fn nested_skills_have_queries() {
    let place = three();
    place
        .skill("skills/pdf/inner", "Stamps pages")
        .file("skills/pdf/inner/evals/t.json", r#"[{"query": "stamp pages", "should_trigger": true}]"#);
    assert_eq!(counts(&place.run(["test", "skills", "--nested", "--json"])), (1, 1, 0));
    assert_eq!(place.run(["test", "skills"]).code, 1);
    place.file("Cargo.toml", "[package]\nname = \"x\"\n[package.metadata.skills]\nnested = true\n");
    assert_eq!(counts(&place.run(["test", "skills", "--json"])), (1, 1, 0));
}

#[test]
fn the_skill_of_a_file_is_known_however_it_was_named() {
    let place = three();
    place.file("skills/pdf/evals/t.json", r#"[{"query": "merge forms", "should_trigger": true}]"#);
    let mut command = place.command(["test", "..", "--cases", "evals/t.json", "--json"]);
    let ran = crate::place::finish(command.current_dir(place.path().join("skills/pdf")).output());
    assert_eq!((ran.code, counts(&ran)), (0, (1, 1, 0)), "{}{}", ran.stdout, ran.stderr);
    // A skill that isn't served is named, not the query.
    place.file("skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads: forms\n---\n");
    let ran = place.run(["test", "skills"]);
    let expected = "skills/pdf/evals/t.json:1: error: the queries of `skills/pdf` can't be judged: it isn't served\n\
                    help: `skills check` says why\n";
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

#[test]
fn a_rank_that_search_does_not_give_is_not_called_none() {
    let place = Place::new();
    for number in 0..30 {
        place.skill(&format!("skills/s{number:02}"), "Draws maps");
    }
    let ran = place.run(["--root", "skills", "why", "s29", "draws maps"]);
    assert!(ran.stdout.starts_with("`s29` is not among the first 25 for \"draws maps\""), "{}", ran.stdout);
    assert!(
        place.run(["--root", "skills", "why", "s29", "zebra"]).stdout.starts_with("`s29` is not found by")
    );
}

#[test]
fn what_is_not_found_has_won_nothing() {
    let place = three();
    let rows = r#"[{"query": "zebra", "should_trigger": false, "skill": "pdf", "owner": "sheets"}]"#;
    place.file("skills/evals/t.json", rows);
    let ran = place.run(["test", "skills", "--json"]);
    assert_eq!((ran.code, &ran.json()["confusions"]), (1, &json!([])), "{}", ran.stdout);
    assert!(!place.run(["test", "skills"]).stdout.contains("narrow the description"));
}

#[test]
fn a_reason_is_given_where_no_query_is_written() {
    let place = three();
    for name in ["pdf", "sheets", "etl-jobs"] {
        place.file(
            &format!("skills/{name}/evals/triggers.json"),
            r#"[{"query": "x", "should_trigger": "maybe"}]"#,
        );
    }
    let ran = place.run(["test", "skills", "--init"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert_eq!(ran.stderr.matches(": error: ").count(), 3, "{}", ran.stderr);
    let empty = Place::new();
    empty.file("skills/readme.txt", "");
    for args in [&["test", "skills"][..], &["test", "skills", "--init"]] {
        let ran = empty.run(args);
        let expected = "skills: there are no skills in `skills`\n\
                        help: give a directory with skills; `skills new` makes one\n";
        assert_eq!((ran.code, ran.stderr.as_str()), (1, expected));
    }
}

#[test]
fn a_file_that_is_not_json_is_called_that() {
    let place = three();
    place.file("q.json", "[\n{");
    let ran = place.run(["test", "skills", "--cases", "q.json"]);
    assert!(ran.stderr.starts_with("q.json:2: error: it isn't JSON: "), "{}", ran.stderr);
}

#[test]
fn one_query_is_explained() {
    let place = three();
    let why = |args: &[&str]| place.run(["--root", "skills", "--no-bundle", "why"].iter().chain(args));
    let ran = why(&["pdf", "put the spreadsheets", "into a database"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stdout);
    assert_eq!(why(&["PDF", "merge forms"]).code, 0);
    let ran = why(&["pfd", "x"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (1, "skills: no skill is named `pfd`\nhelp: did you mean `pdf`?\n")
    );
    assert_eq!(why(&["pdf", " "]).code, 2);
}

#[test]
fn one_skill_alone_is_noted() {
    let place = three();
    place.file("skills/pdf/evals/triggers.json", r#"[{"query": "merge", "should_trigger": true}]"#);
    let ran = place.run(["test", "skills/pdf"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.starts_with("note: there is only one skill"), "{}", ran.stderr);
}

#[test]
fn two_formats_for_stdout_are_refused() {
    let ran = three().run(["test", "skills", "--json", "--format", "junit"]);
    assert_eq!((ran.error_code().as_str(), ran.code), ("USAGE", 2));
}

#[test]
fn the_stock_skills_are_found() {
    let stock = Path::new(env!("CARGO_MANIFEST_DIR")).join("skills");
    let stock = stock.to_str().expect("it is UTF-8");
    let ran = Place::new().run(["test", stock, "--min-rank1", "90", "--json"]);
    assert_eq!(
        (ran.code, ran.json()["without_cases"].clone()),
        (0, json!([])),
        "{}{}",
        ran.stderr,
        ran.stdout
    );
    // They test the skills that the program has.
    for name in ["write-skill", "review-change"] {
        assert_eq!(Place::new().run(["read", name, "SKILL.md"]).code, 0);
        assert_eq!(Place::new().run(["read", name, "evals/triggers.json"]).code, 1);
    }
    assert!(!Place::new().run(["load", "review-change"]).stdout.contains("evals"));
}
