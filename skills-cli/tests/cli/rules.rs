//! Rules: `explain`, profiles, and levels from Cargo.toml.

use serde_json::json;

use crate::place::Place;

#[test]
fn a_rule_is_explained_by_code_or_name() {
    let place = Place::new();
    let ran = place.run(["explain", "l103"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(ran.stdout, @r"
    L103 name-not-directory: the name differs from the directory's name

    Why: the standard asks for the same name, and other readers refuse the skill

    Bad:
        forms/SKILL.md with `name: pdf`

    Good:
        pdf/SKILL.md with `name: pdf`

    Level: warn; allow in the profile `claude`; deny in the profile `standard`
    ");
    assert_eq!(place.run(["explain", "name-not-directory"]).stdout, ran.stdout);
    let document = place.run(["explain", "E009", "--json"]).json();
    assert_eq!((&document["code"], &document["settable"]), (&json!("E009"), &json!(false)));
    assert_eq!(document["profiles"], json!({"default": "deny", "claude": "deny", "standard": "deny"}));
}

#[test]
fn all_rules_are_listed() {
    let place = Place::new();
    let list = place.run(["explain"]).stdout;
    let rules = place.run(["explain", "--json"]).json()["rules"].as_array().cloned().unwrap_or_default();
    assert!(rules.len() > 30 && list.lines().count() == rules.len(), "{list}");
    assert!(rules.iter().all(|rule| list.contains(rule["name"].as_str().expect("it has a name"))));
}

#[test]
fn a_rule_that_is_not_there_is_near_to_one() {
    let ran = Place::new().run(["explain", "dead-lnk"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 2));
    assert!(ran.stderr.contains("did you mean `dead-link`?"), "{}", ran.stderr);
}

#[test]
fn a_profile_sets_levels_and_options_come_on_top() {
    let place = Place::new();
    place
        .file("skills/pdf/SKILL.md", "---\nname: forms\ndescription: Fills <form> fields\nauthor: me\n---\n");
    let found = |args: &[&str]| {
        let document = place.run(["check", "skills", "--json"].iter().chain(args).copied()).json();
        let findings = document["findings"].as_array().cloned().unwrap_or_default();
        let codes = findings.iter().map(|finding| format!("{} {}", finding["code"], finding["level"]));
        codes.collect::<Vec<_>>().join(", ").replace('"', "")
    };
    assert_eq!(found(&[]), "L103 warn, L108 warn");
    assert_eq!(found(&["--profile", "contract"]), "L103 warn, L108 warn");
    assert_eq!(found(&["--profile", "claude"]), "L108 deny, L104 warn");
    assert_eq!(found(&["--profile", "standard"]), "L103 deny, L104 deny");
    assert_eq!(found(&["--profile", "standard", "--warn", "L104", "--allow", "L103"]), "L104 warn");
    let ran = place.run(["check", "skills", "--profile", "standart"]);
    assert!(ran.code == 2 && ran.stderr.contains("standard"), "{}", ran.stderr);
}

/// The settings in Cargo.toml apply wherever the check is started.
#[test]
fn cargo_toml_sets_levels() {
    let place = Place::new();
    place.file("crate/skills/pdf/SKILL.md", "---\nname: forms\ndescription: Fills forms\n---\n");
    place.file("Cargo.toml", "[workspace]\n\n[workspace.metadata.skills]\ndeny = [\"name-not-directory\"]\n");
    place.file("crate/Cargo.toml", "[package]\nname = \"crate\"\n");
    assert_eq!(place.run(["check", "crate/skills"]).code, 1);
    place.file("crate/Cargo.toml", "[package.metadata.skills]\nallow = [\"L103\"]\nignore = [\"drafts\"]\n");
    place.file("crate/skills/drafts/SKILL.md", "broken");
    let ran = place.run(["check", "crate/skills"]);
    assert_eq!((ran.code, ran.stderr.lines().last()), (0, Some("checked 1 skill: no findings")));
    assert_eq!(place.run(["check", "crate/skills", "--deny", "L103"]).code, 1);
    place.file("crate/Cargo.toml", "[package.metadata.skills]\nallow = [\"L303\"]\n");
    let ran = place.run(["check", "crate/skills"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("error[E019]: there is no rule `L303`\n --> crate/Cargo.toml:2:10\n"),
        "{}",
        ran.stderr
    );
    let inside = place.command(["check", "skills"]).current_dir(place.path().join("crate")).output();
    let stderr = String::from_utf8_lossy(&inside.expect("it runs").stderr).into_owned();
    assert!(stderr.contains("--> Cargo.toml:2:10\n"), "{stderr}");
}
