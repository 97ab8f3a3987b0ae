//! L130: queries of tests that a skill doesn't pass.

use crate::place::Place;

const BAD: &str = r#"[
  { "query": "fill in a form", "should_trigger": true },
  { "query": "totals in columns of a PDF", "should_trigger": true, "top_k": 1 },
  { "query": "load the forms into a database", "should_trigger": false, "owner": "etl-jobs" }
]
"#;

fn three() -> Place {
    let place = Place::new();
    place
        .skill("skills/pdf", "Fills in and merges PDF forms")
        .skill("skills/sheets", "Adds columns and totals to spreadsheets")
        .skill("skills/etl-jobs", "Loads spreadsheets into a database every night");
    place
}

#[test]
fn a_failing_query_is_a_warning_in_its_file() {
    let place = three();
    place.file("skills/pdf/evals/triggers.json", BAD);
    let ran = place.run(["check", "skills"]);
    insta::assert_snapshot!(ran.stderr);
    assert_eq!(ran.code, 0);
    // The words are those of the test.
    let test = place.run(["test", "skills", "--json"]).json();
    let failing = test["cases"].as_array().expect("a list").iter().filter(|case| case["passed"] == false);
    let advice: Vec<_> =
        failing.map(|case| (case["file"].clone(), case["line"].clone(), case["advice"].clone())).collect();
    let check = place.run(["check", "skills", "--json"]).json();
    let findings = check["findings"].as_array().expect("a list").iter();
    let help: Vec<_> =
        findings.map(|found| (found["path"].clone(), found["line"].clone(), found["help"].clone())).collect();
    assert_eq!((help.len(), help), (advice.len(), advice));
    // The level is settable, and a file of one root is read once.
    assert_eq!(place.run(["check", "skills", "--deny", "failing-query"]).code, 1);
    assert!(!place.run(["check", "skills", "--allow", "L130"]).stderr.contains("L130"));
    let twice = place.run(["check", "skills/pdf", "skills/sheets", "skills/etl-jobs", "--json"]).json();
    assert_eq!(twice["findings"].as_array().map(Vec::len), check["findings"].as_array().map(Vec::len));
}

#[test]
fn a_query_that_passes_is_no_finding() {
    let place = three();
    place
        .file("evals/pdf.json", BAD)
        .file("skills/evals/pdf.json", r#"[{"query": "fill in a form", "should_trigger": true}]"#);
    let ran = place.run(["check", "skills"]);
    assert_eq!(
        ran.stderr, "checked 3 skills: no findings\n",
        "a directory of queries is no skill that lacks its file"
    );
}

/// Alone a skill is found by any of its words, so nothing is proved by it.
#[test]
fn one_skill_alone_is_not_tested() {
    let place = three();
    place.file("skills/pdf/evals/triggers.json", r#"[{"query": "forms of pets", "should_trigger": false}]"#);
    let alone = place.run(["check", "skills/pdf"]);
    assert!(alone.stderr.ends_with("checked 1 skill: no findings\n"), "{}", alone.stderr);
    // A file is judged among its neighbours.
    let file = place.run(["check", "skills/pdf/SKILL.md", "--format", "concise"]);
    assert!(file.stderr.contains(":1:1: warning[L130]: `pdf` has rank 1 for"), "{}", file.stderr);
    let ran = place.run(["check", "skills", "--format", "concise"]);
    assert!(
        ran.stderr.contains("skills/pdf/evals/triggers.json:1:1: warning[L130]: `pdf` has rank 1 for"),
        "{}",
        ran.stderr
    );
}

/// What is wrong with a file of queries is for `skills test` to say, but it isn't left out in silence.
#[test]
fn a_file_with_mistakes_is_named() {
    let place = three();
    place.file("skills/pdf/evals/triggers.json", r#"[{"query": "x", "should_trigger": "perhaps"}]"#);
    let ran = place.run(["check", "skills"]);
    assert!(
        ran.stderr.contains(
            "note: `skills/pdf/evals/triggers.json` has mistakes, so some of its queries aren't judged: `skills test` shows them\n"
        ),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.code, 0);
    // A build asks none of it.
    let config = skills_bundle::Config::new("skills").base(place.path());
    place.file("skills/pdf/evals/triggers.json", BAD);
    assert!(skills_bundle::compile::compile(&config, None).is_ok_and(|made| made.report.findings.is_empty()));
}
