//! `prompt`, and `load` with arguments.

use serde_json::json;

use crate::place::Place;

fn two() -> Place {
    let place = Place::new();
    place.skill("mine/pdf", "Reads 'b' & fills").skill("mine/word", "Writes letters, and reads them aloud");
    place.file(
        "mine/by-hand/SKILL.md",
        "---\nname: by-hand\ndescription: For users\ndisable-model-invocation: true\n---\n\nDo $ARGUMENTS now\n",
    );
    place
}

const MINE: [&str; 3] = ["--root", "mine", "--no-bundle"];

fn run(place: &Place, more: &[&str]) -> crate::place::Ran {
    place.run(MINE.iter().chain(more))
}

#[test]
fn the_catalogue_is_what_the_model_sees() {
    let place = two();
    let ran = run(&place, &["prompt"]);
    assert_eq!(
        ran.stdout, "- pdf: Reads 'b' & fills\n- word: Writes letters, and reads them aloud\n",
        "{}",
        ran.stderr
    );
    assert_eq!(ran.code, 0);
    let ran = run(&place, &["prompt", "--format", "xml"]);
    insta::assert_snapshot!(ran.stdout, @r"
    <available_skills>
    <skill>
    <name>pdf</name>
    <description>Reads &apos;b&apos; &amp; fills</description>
    <location>mine/pdf/SKILL.md</location>
    </skill>
    <skill>
    <name>word</name>
    <description>Writes letters, and reads them aloud</description>
    <location>mine/word/SKILL.md</location>
    </skill>
    </available_skills>
    ");
    let parsed: serde_json::Value =
        serde_json::from_str(&run(&place, &["prompt", "--format", "json"]).stdout).expect("it is JSON");
    assert_eq!(parsed[1]["name"], "word");
}

#[test]
fn a_budget_is_kept_and_said() {
    let place = two();
    let ran = run(&place, &["prompt", "--budget", "30"]);
    assert_eq!(ran.stdout, "- pdf: Reads 'b' & fills\n");
    assert_eq!(
        ran.stderr,
        "note: of 2 skills, 1 is left out; --budget N gives more room\n\
         note: 1 skill is not shown, since a model may not call it\n"
    );
    let ran = run(&place, &["prompt", "--budget", "52", "--shorten", "--json"]).json();
    assert_eq!(
        ran,
        json!({
            "text": "- pdf: Reads 'b' & fills\n- word: Writes letters, a…",
            "full": 1,
            "shortened": 1,
            "left_out": 0,
            "fingerprint": ran["fingerprint"],
        })
    );
}

#[test]
fn a_template_has_a_slot() {
    let place = two();
    place.file("system.txt", "You are.\n{{available_skills}}\nEnd.\n");
    let ran = run(&place, &["prompt", "--template", "system.txt"]);
    assert!(
        ran.stdout.starts_with("You are.\n- pdf: ") && ran.stdout.ends_with("aloud\nEnd.\n"),
        "{}",
        ran.stdout
    );
    let ran = run(&place, &["prompt", "--template", "none.txt", "--json"]);
    assert_eq!((ran.error_code().as_str(), ran.code), ("IO", 2));
}

#[test]
fn arguments_are_put_into_the_instructions() {
    let place = two();
    let body = |more: &[&str]| {
        let words: Vec<&str> = ["load", "by-hand", "--json"].iter().chain(more).copied().collect();
        run(&place, &words).json()["instructions"].clone()
    };
    assert_eq!(body(&[]), "Do $ARGUMENTS now");
    assert_eq!(body(&["this", "and that"]), "Do this \"and that\" now");
    assert_eq!(body(&["one text, 'as it is'"]), "Do one text, 'as it is' now");
    let text = run(&place, &["load", "pdf", "x"]).stdout;
    assert!(text.contains("Body of pdf.\n\nARGUMENTS: x\n"), "{text}");
}

#[test]
fn what_is_hidden_by_an_earlier_root_is_listed() {
    let place = Place::new();
    place.skill("one/pdf", "First").skill("two/pdf", "Second");
    let ran = place.run(["--root", "one", "--root", "two", "--no-bundle", "list", "--json"]);
    assert_eq!(
        ran.json()["shadowed"],
        json!([{
            "name": "pdf",
            "path": "two/pdf",
            "origin": "two",
            "by_path": "one/pdf",
            "by_origin": "one",
        }])
    );
    let ran = place.run(["--root", "one", "--root", "two", "--no-bundle", "list"]);
    assert_eq!(ran.stderr, "note: `pdf` of two is hidden by `pdf` of one\n");
}
