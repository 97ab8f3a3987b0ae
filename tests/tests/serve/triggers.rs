//! Tests of triggers: the forms in which people write them, and the report.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use skills::triggers::{self, Case, CaseFile, Cases, Form, Report};
use skills::{ActionError, Bundle, Registry};
use skills_tests::{SKILLS, disk};

static FIXTURE: Bundle = skills::include_skills!("fixtures/triggers/skills");

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/triggers")
}

fn registry() -> Registry<'static> {
    Registry::new(&FIXTURE)
}

/// What is read from a text, in a line for each case, problem and skipped case.
fn read(path: &str, text: impl AsRef<[u8]>) -> (Form, String) {
    let mut cases = Cases::new();
    let form = cases.read(&registry(), &CaseFile { path, bytes: text.as_ref() });
    let Report { cases, problems, skipped, .. } = cases.judge(&registry());
    let mut lines = Vec::new();
    for Case { place, skill, query, should_trigger, owner, top_k, .. } in
        cases.iter().map(|judged| &judged.case)
    {
        let line = place.as_ref().expect("it is of a file").line;
        let sign = if *should_trigger { '+' } else { '-' };
        let owner = owner.as_ref().map_or_else(String::new, |owner| format!(" owner {owner}"));
        lines.push((line, format!("{line} {sign}{skill} {query:?} top {top_k}{owner}")));
    }
    lines.extend(problems.iter().map(|problem| (problem.place.line, format!("problem {problem}"))));
    lines.extend(skipped.iter().map(|skipped| {
        (skipped.place.line, format!("skipped {} {:?}: {}", skipped.place, skipped.query, skipped.why))
    }));
    lines.sort_by_key(|(line, _)| *line);
    (form, lines.into_iter().map(|(_, line)| line + "\n").collect())
}

#[test]
fn every_form_in_use_is_read() {
    let forms = fixtures().join("forms");
    let mut all = String::new();
    for file in disk::files(&forms) {
        let path = file.to_string_lossy();
        let (form, lines) = read(&path, disk::read(&forms.join(&file)));
        all.push_str(&format!("{path}: {form:?}\n{lines}\n"));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let with_good = |row: &str| format!("[\n{{\"query\": \"a form\", \"should_trigger\": true}},\n{row}\n]");
    let rows = [
        r#"{"query": "x"}"#,
        r#"{"should_trigger": true}"#,
        r#"{"query": "x", "should_trigger": "maybe"}"#,
        r#"{"query": ["x"], "should_trigger": true}"#,
        r#"{"query": "  ", "should_trigger": true}"#,
        r#"{"query": "x", "should_trigger": true, "top_k": 0}"#,
        r#"{"query": "x", "should_trigger": true, "top_k": 26}"#,
        r#"{"query": "x", "should_trigger": true, "top_k": "many"}"#,
        r#"{"query": "x", "should_trigger": false, "owner": 7}"#,
        r#"{"query": "x", "should_trigger": false, "owner": "etl-job"}"#,
        r#"{"query": "x", "should_trigger": false, "owner": "PDF"}"#,
        r#"{"query": "x", "should_trigger": true, "skill": "zzzzz"}"#,
        r#"{"query": " A  form ", "should_trigger": false}"#,
        "7",
    ];
    let mut all = String::new();
    for row in rows {
        let (form, lines) = read("evals/pdf.json", with_good(row));
        assert_eq!(form, Form::Cases, "{row}");
        let problem = lines.lines().find_map(|line| line.strip_prefix("problem evals/pdf.json:3: "));
        all.push_str(&format!("{row}\n  {}\n", problem.unwrap_or_else(|| panic!("{row}: {lines}"))));
    }
    let texts: [(&str, &[u8]); 8] = [
        ("an array that doesn't end", b"[\n{\"query\": \"a\", \"should_trigger\": true},\n"),
        ("a line that is broken", b"{\"prompt\": \"a\", \"expected_skill\": \"pdf\"}\n{\"prompt\": \n"),
        ("a row that is too long", b"should_trigger,prompt\ntrue,a\ntrue,b,c\n"),
        ("a cell without a value", b"should_trigger,prompt\n,a\ntrue,b\n"),
        ("YAML that isn't", b"should_trigger: [a\nb: {\n"),
        ("not UTF-8", b"[{\"query\": \"\xff\", \"should_trigger\": true}]"),
        (
            "no skill",
            b"[{\"query\": \"a\", \"should_trigger\": true}, {\"query\": \"b\", \"should_trigger\": true}]",
        ),
        ("no skill is expected", b"{\"prompt\": \"a\", \"expected_skill\": null}"),
    ];
    for (name, text) in texts {
        let path = if name.starts_with("no skill") { "evals/other.json" } else { "evals/pdf.txt" };
        let (form, lines) = read(path, text);
        assert_eq!(form, Form::Cases, "{name}");
        all.push_str(&format!("{name}\n{lines}"));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_file_without_cases_is_told_apart() {
    for text in [
        "",
        " \n",
        "\u{feff}",
        "plain text",
        "a,b\n1,2\n",
        "[]",
        "[1, 2]",
        "{}",
        "- a\n- b\n",
        "[\"a\"]",
        "{\"a\": [",
    ] {
        assert_eq!(read("evals/pdf.json", text), (Form::Unknown, String::new()), "{text:?}");
    }
    assert_eq!(read("evals/pdf.json", r#"{"skill_name": "pdf", "evals": []}"#).0, Form::Behaviour);
    // Tests of something else have an `input` and what is expected of it.
    for text in [
        r#"{"input": "2 + 2", "expected": "4"}"#,
        r#"[{"input": "2 + 2", "expected": "4"}, {"input": "x", "expected": null}, {"input": "y"}]"#,
        r#"[{"input": [{"role": "user"}], "expected": "4"}, {"prompt": 7}]"#,
        "name: sums\ncases:\n  - {input: 2 + 2, expected: [4]}\n  - {input: 2 + 2, expected: [a, b]}\n",
    ] {
        assert_eq!(read("evals/pdf.json", text), (Form::Unknown, String::new()), "{text:?}");
    }
    let deep = format!("{{\"queries\": {}1{}}}", "[".repeat(50_000), "]".repeat(50_000));
    assert_eq!(read("evals/pdf.json", deep).0, Form::Unknown, "depth costs no stack");
    let mark = "\u{feff}[{\"query\": \"a\", \"should_trigger\": true}]";
    assert_eq!(read("evals/pdf.json", mark).1, "1 +pdf \"a\" top 3\n");
}

/// A row's own skill, then the skill of the folder, then the file's name.
#[test]
fn the_skill_of_a_row_is_found() {
    let row = r#"[{"query": "a", "should_trigger": true}]"#;
    let skill = |path: &str, text: &str| read(path, text).1.split(['+', ' ']).nth(2).map(str::to_owned);
    for path in
        ["fixtures/triggers/skills/pdf/evals/x.json", "pdf/evals/etl-jobs.json", "./a/pdf/evals/x.json"]
    {
        assert_eq!(skill(path, row).as_deref(), Some("pdf"), "{path}");
    }
    assert_eq!(skill("evals/cases/etl-jobs.more.json", row).as_deref(), Some("etl-jobs"));
    assert_eq!(skill("etl-jobs.json", row).as_deref(), Some("etl-jobs"));
    let own = r#"[{"query": "a", "should_trigger": true, "skill_name": "Sheet Margins"}]"#;
    assert_eq!(skill("pdf/evals/x.json", own).as_deref(), Some("sheet-margins"));
    assert!(read("pdf/tests/x.json", row).1.contains("this query names no skill"));
    let hidden =
        r#"[{"query": "release it", "should_trigger": true}, {"query": "a", "should_trigger": false}]"#;
    let (_, lines) = read("by-hand.json", hidden);
    assert_eq!(
        lines,
        "1 -by-hand \"a\" top 3\nskipped by-hand.json:1 \"release it\": a model may not call `by-hand`\n"
    );
}

fn judged(rows: &str) -> Report {
    let mut cases = Cases::new();
    let form = cases.read(&registry(), &CaseFile { path: "evals/pdf.json", bytes: rows.as_bytes() });
    assert_eq!(form, Form::Cases);
    cases.judge(&registry())
}

#[test]
fn a_report_says_why_and_what_to_change() {
    let report = judged(
        r#"[
        {"query": "fill in a form", "should_trigger": true},
        {"query": "sign the contract", "should_trigger": true},
        {"query": "add columns with the totals of all invoices", "should_trigger": true, "top_k": 1},
        {"query": "nightly imports of PDF scans on a schedule", "should_trigger": true, "top_k": 1},
        {"query": "split a scan into pages", "should_trigger": false},
        {"query": "merge two forms into one spreadsheet", "should_trigger": false, "owner": "sheet-margins"},
        {"query": "file the forms into a database", "should_trigger": false, "owner": "etl-jobs"},
        {"query": "pivot tables", "should_trigger": false, "owner": "sheet-margins"},
        {"query": "tell me a joke", "should_trigger": false}
        ]"#,
    );
    insta::assert_snapshot!(report);
    insta::assert_json_snapshot!(report);
    assert_eq!((report.passed() + report.failed(), report.is_success()), (9, false));
}

#[test]
fn ranks_decide() {
    let report = judged(
        r#"[
        {"query": "PDF", "should_trigger": true, "top_k": 1},
        {"query": "schedule", "should_trigger": false},
        {"query": "schedule", "should_trigger": false, "skill": "sheet-margins", "owner": "etl-jobs"}
        ]"#,
    );
    assert!(report.is_success(), "{report}");
    assert_eq!((report.found_first(), report.vacuous(), report.negatives_first()), (1, 1, 0));
    assert_eq!(report.without_cases, ["etl-jobs"], "one that a model may not call needs none");
}

#[test]
fn one_query_is_explained() {
    let why = |name: &str, query: &str| triggers::why(&registry(), name, query);
    let judged = why("etl jobs", "import invoices every night").unwrap();
    insta::assert_snapshot!(judged);
    let judged = why("pdf", "fill in a form").unwrap();
    assert_eq!((judged.rank, judged.passed, judged.advice.as_str()), (Some(1), true, ""));
    let judged = why("by-hand", "release a version").unwrap();
    assert!(!judged.passed && judged.advice.starts_with("a model may not call `by-hand`"), "{judged}");
    assert!(matches!(why("pfd", "x"), Err(ActionError::SkillNotFound { nearest, .. }) if nearest == ["pdf"]));
    assert!(matches!(why("pdf", "  "), Err(ActionError::Missing { .. })));
}

#[test]
fn the_macro_passes_and_fails_with_the_report() {
    skills::assert_triggers!(FIXTURE, "fixtures/triggers/good.json");
    let message = |path: &'static str| {
        let failure = catch_unwind(|| skills::assert_triggers!(FIXTURE, path)).expect_err(path);
        failure.downcast_ref::<String>().cloned().unwrap_or_default()
    };
    assert!(
        message("fixtures/triggers/none.json").starts_with("`fixtures/triggers/none.json` cannot be read: ")
    );
    assert!(message("fixtures/triggers/forms/evals.json").contains("has no cases"));
    let failure = message("fixtures/triggers/bad.json");
    assert!(failure.contains("in no field of `pdf`: `sign`, `contract`"), "{failure}");
    assert!(
        failure.starts_with("fixtures/triggers/bad.json:3: no skill is named `pfd`; did you mean `pdf`?\n"),
        "{failure}"
    );
}

/// A skill of another bundle doesn't count.
#[test]
fn cases_are_for_the_skills_of_one_registry() {
    let mut cases = Cases::new();
    let bytes = br#"[{"query": "a", "should_trigger": true}]"#;
    cases.read(&Registry::new(&SKILLS), &CaseFile { path: "etl-jobs.json", bytes });
    assert_eq!(cases.judge(&Registry::new(&SKILLS)).problems.len(), 1);
}
