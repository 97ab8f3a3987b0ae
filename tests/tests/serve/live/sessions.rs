//! The state of one conversation.

use skills::live::{LiveRegistry, Overlays};
use skills::{ActionError, Loaded, Policy, Registry, Session};
use skills_tests::SKILLS;
use skills_tests::disk::{self, TempDir};

use super::{open, root, write_skill};

/// Twenty-five skills, `s00` to `s24`.
fn many() -> (TempDir, LiveRegistry) {
    let dir = disk::temp();
    for number in 0..25 {
        write_skill(&dir, &format!("s{number:02}"), &format!("s{number:02}"), "Body with $ARGUMENTS");
    }
    let live = open(&dir);
    (dir, live)
}

fn is_sent(loaded: Result<Loaded<'_>, ActionError>) -> bool {
    !loaded.expect("it is served").already_loaded
}

fn loaded(session: &Session) -> Vec<&str> {
    session.loaded().collect()
}

#[test]
fn the_newest_twenty_are_remembered() {
    let (_dir, live) = many();
    let snapshot = live.snapshot();
    let registry = snapshot.registry();
    let mut session = Session::new();
    for number in 0..25 {
        assert!(is_sent(session.load(&registry, &format!("S{number:02}"))));
    }
    assert_eq!(
        (session.loaded().len(), session.loaded().next(), session.loaded().next_back()),
        (20, Some("s05"), Some("s24"))
    );
    // Loading again moves a name to the end and isn't sent; a forgotten skill is sent.
    assert!(!is_sent(session.load(&registry, "s05")));
    assert_eq!(session.loaded().next_back(), Some("s05"));
    assert!(is_sent(session.load(&registry, "s00")));
    assert_eq!((session.loaded().next(), session.loaded().next_back()), (Some("s07"), Some("s00")));
    let mut small = session.clone().with_memory(2);
    assert_eq!(loaded(&small), ["s05", "s00"]);
    small.load(&registry, "s01").expect("it is served");
    assert_eq!(loaded(&small), ["s00", "s01"]);
    assert!(small.unload("S00") && !small.unload("s00"));
    assert_eq!(loaded(&small), ["s01"]);
    assert!(is_sent(small.load(&registry, "s00")), "what was unloaded is sent again");
    let mut none = Session::new().with_memory(0);
    assert!(is_sent(none.load(&registry, "s00")) && is_sent(none.load(&registry, "s00")));
}

#[test]
fn instructions_in_the_conversation_are_not_sent_again() {
    let mut session = Session::new();
    let registry = Registry::new(&SKILLS);
    let call = r#"{"action": "load", "skill_name": "PDF Forms"}"#;
    let first = session.call(&registry, call);
    assert!(first.text.starts_with("Skill: pdf-forms\n"));
    let second = session.call(&registry, call);
    assert_eq!(second.text, "Skill 'pdf-forms' is already loaded in visible chat history.");
    let data = serde_json::to_value(&second).expect("it is JSON");
    assert_eq!(data["data"]["already_loaded"], true);
    assert_eq!(serde_json::to_value(&first).expect("it is JSON")["data"]["already_loaded"], false);
    session.compacted();
    assert_eq!(session.call(&registry, call).text, first.text, "after compaction all is sent again");
    assert_eq!(session.call(&registry, call).text, second.text);
    // The host reports what is visible.
    session.load(&registry, "plain-note").expect("it is served");
    session.set_visible(|name| name == "plain-note");
    assert!(is_sent(session.load(&registry, "pdf-forms")) && !is_sent(session.load(&registry, "plain-note")));
    // Nothing else is remembered, and an error changes nothing.
    let before = session.clone();
    for other in [
        r#"{"action": "list"}"#,
        r#"{"action": "read_file", "skill_name": "wordy", "file_path": "SKILL.md"}"#,
        r#"{"action": "load", "skill_name": "nope"}"#,
        "no call",
    ] {
        session.call(&registry, other);
        assert_eq!(session, before, "{other}");
    }
}

#[test]
fn other_arguments_are_sent_again() {
    let (_dir, live) = many();
    let snapshot = live.snapshot();
    let registry = snapshot.registry();
    let mut session = Session::new();
    let call =
        |arguments: &str| format!(r#"{{"action": "load", "skill_name": "s00", "arguments": "{arguments}"}}"#);
    assert!(session.call(&registry, &call("one")).text.contains("Body with one"));
    assert!(session.call(&registry, &call("two")).text.contains("Body with two"));
    assert!(
        session.call(&registry, &call("two")).text.starts_with("Skill 's00' is already loaded"),
        "the same text"
    );
    assert!(is_sent(session.load(&registry, "s00")), "the body as it is written is another text");
    assert!(is_sent(session.load_with(&registry, "s00", "three")));
}

#[test]
fn changed_instructions_are_sent_again() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "One");
    let live = open(&dir);
    let mut session = Session::new();
    let mut load = || {
        let mut text = None;
        live.reply(|registry| {
            let reply = session.call(registry, r#"{"action": "load", "skill_name": "alpha"}"#);
            text = Some(reply.text.clone());
            reply.into()
        });
        text.expect("it was asked")
    };
    assert!(load().contains("\nOne\n"));
    assert!(load().contains("already loaded"));
    write_skill(&dir, "alpha", "alpha", "Two");
    live.refresh();
    assert!(load().contains("\nTwo\n"));
    assert!(load().contains("already loaded"));
    // Now broken: the served version, which is in the conversation, is the last good one.
    disk::write(dir.path(), "skills/alpha/SKILL.md", "nothing");
    live.refresh();
    assert!(load().contains("already loaded"));
}

#[test]
fn a_skill_is_hidden_and_shown() {
    let registry = Registry::new(&SKILLS);
    let mut session = Session::new();
    session.load(&registry, "pdf-forms").expect("it is served");
    session.activate(&registry, "pdf-forms").expect("it is served");
    session.hide(&registry, "PDF forms").expect("it is served");
    assert_eq!((session.hidden().collect::<Vec<_>>(), session.active().len()), (vec!["pdf-forms"], 0));
    for action in [
        r#"{"action": "list"}"#,
        r#"{"action": "search", "query": "pdf"}"#,
        r#"{"action": "load", "skill_name": "pdf-forms"}"#,
        r#"{"action": "read_file", "skill_name": "pdf-forms", "file_path": "SKILL.md"}"#,
    ] {
        let text = session.call(&registry, action).text;
        assert!(!text.contains("- pdf-forms") && !text.contains("Skill: pdf-forms"), "{text}");
    }
    assert!(registry.get("pdf-forms").is_some(), "the registry itself is as before");
    assert!(session.show("PDF Forms") && !session.show("pdf-forms"));
    assert!(session.view(&registry).get("pdf-forms").is_some());
    let error = session.hide(&registry, "nope").expect_err("no such skill");
    assert_eq!(error.code(), "SKILL_NOT_FOUND");
    // This way also a skill that the model may not call is hidden from users.
    session.hide(&registry, "release-by-hand").expect("it is there for users");
    let users = registry.clone().for_audience(skills::Audience::User);
    assert!(users.get("release-by-hand").is_some() && session.view(&users).get("release-by-hand").is_none());
}

#[test]
fn at_most_twenty_are_active() {
    let (_dir, live) = many();
    let snapshot = live.snapshot();
    let registry = snapshot.registry();
    let mut session = Session::new();
    for number in 0..20 {
        session.activate(&registry, &format!("s{number:02}")).expect("there is room");
    }
    let before = session.clone();
    let error = session.activate(&registry, "s20").expect_err("one more");
    assert_eq!(error.to_string(), "You can activate at most 20 skills.");
    assert_eq!(
        (error.code(), error.suggestion().as_str()),
        ("INVALID_ARGUMENTS", "deactivate a skill first")
    );
    assert_eq!(session, before);
    session.activate(&registry, "s03").expect("it is active already");
    assert!(session.deactivate("S03") && !session.deactivate("s03"));
    session.activate(&registry, "s20").expect("there is room again");
    assert_eq!((session.active().next(), session.active().next_back()), (Some("s00"), Some("s20")));
    let three = Session::new().with_most_active(3);
    let mut three = ["s00", "s01", "s02"].iter().fold(three, |mut session, name| {
        session.activate(&registry, name).expect("there is room");
        session
    });
    assert_eq!(
        three.activate(&registry, "s04").expect_err("one more").to_string(),
        "You can activate at most 3 skills."
    );
    assert_eq!(three.activate(&registry, "nope").expect_err("no such skill").code(), "SKILL_NOT_FOUND");
}

#[test]
fn active_skills_are_in_the_prompt() {
    let registry = Registry::new(&SKILLS);
    let mut session = Session::new();
    assert_eq!(
        (session.active_text(&registry), session.loaded_text(&registry)),
        (String::new(), String::new())
    );
    session.hide(&registry, "plain-note").expect("it is served");
    session.activate(&registry, "plain-note").expect("it is served, and shown again");
    // The user activates, so the model need not be allowed to call it.
    session.activate(&registry, "release-by-hand").expect("it is served to users");
    let texts = ["plain-note", "release-by-hand"].map(|name| {
        let all = registry.clone().for_audience(skills::Audience::Everyone);
        all.load(name).expect("it is served").text()
    });
    assert_eq!(session.active_text(&registry), texts.join("\n\n"));
    session.load(&registry, "wordy").expect("it is served");
    session.load(&registry, "pdf-forms").expect("it is served");
    assert_eq!(
        session.loaded_text(&registry),
        "Loaded skills, whose instructions are above:\n- wordy\n- pdf-forms"
    );
    session.set_visible(|name| name == "wordy");
    assert_eq!(session.loaded_text(&registry), "Loaded skills, whose instructions are above:\n- wordy");
    // Skills that can't be loaded again aren't listed: hidden, blocked or no longer served ones.
    session.hide(&registry, "wordy").expect("it is served");
    assert_eq!(session.loaded_text(&registry), "");
    assert!(session.show("wordy") && !session.loaded_text(&registry).is_empty());
    let blocked = registry.clone().with_policy(Policy::allow_all().block("wordy"));
    assert_eq!((session.loaded_text(&blocked), session.loaded_text(&Registry::empty())), Default::default());
    // A skill that only a user may call is listed once the user has loaded it.
    let users = registry.clone().for_audience(skills::Audience::User);
    session.load(&users, "release-by-hand").expect("it is served to users");
    assert!(session.loaded_text(&registry).ends_with("\n- release-by-hand"));
    session.clear();
    assert_eq!(session, Session::new());
    let mut small = Session::new().with_memory(3);
    small.load(&registry, "wordy").expect("it is served");
    small.clear();
    assert_eq!(small, Session::new().with_memory(3), "its limit isn't part of what it remembers");
}

#[test]
fn a_session_is_stored_and_restored() {
    let registry = Registry::new(&SKILLS);
    let mut session = Session::new().with_memory(7);
    session.load(&registry, "wordy").expect("it is served");
    session.load_with(&registry, "pdf-forms", "a b").expect("it is served");
    session.set_visible(|name| name == "wordy");
    session.hide(&registry, "deep-tree").expect("it is served");
    session.activate(&registry, "plain-note").expect("it is served");
    let json = session.to_json();
    assert_eq!(Session::from_json(&json).as_ref(), Ok(&session));
    assert_eq!(serde_json::from_str::<Session>(&json).expect("it is one"), session);
    assert_eq!(serde_json::to_string(&session).expect("it has a form"), json);
    let mut again = Session::from_json(&json).expect("it is one");
    assert!(!is_sent(again.load(&registry, "wordy")) && is_sent(again.load(&registry, "pdf-forms")));
    // From another version: unknown fields are ignored, missing ones are empty.
    let value = json.replacen('{', r#"{"later": {"x": [1]}, "#, 1);
    assert_eq!(Session::from_json(&value).as_ref(), Ok(&session));
    assert_eq!(Session::from_json("{}"), Ok(Session::new()));
    assert_eq!(
        Session::from_json(r#"{"loaded": null, "hidden": null, "active": null, "memory": null}"#),
        Ok(Session::new())
    );
    let early = Session::from_json(r#"{"loaded": ["a", "b", "a"], "hidden": ["x"]}"#).expect("names alone");
    assert_eq!((loaded(&early), early.hidden().collect::<Vec<_>>()), (vec!["b", "a"], vec!["x"]));
}

#[test]
fn invalid_data_is_an_error() {
    for json in [
        "",
        "null",
        "[]",
        "{",
        r#"{"loaded": {}}"#,
        r#"{"loaded": [1]}"#,
        r#"{"loaded": [{"fingerprint": 1}]}"#,
        r#"{"hidden": "pdf"}"#,
        r#"{"hidden": [null]}"#,
        r#"{"active": [{"name": "pdf"}]}"#,
        r#"{"memory": -1}"#,
        r#"{"memory": "all"}"#,
        r#"{"memory": 1e40}"#,
    ] {
        let error = Session::from_json(json).expect_err(json).to_string();
        assert!(
            error.starts_with("this isn't a stored session: ") && error.ends_with("; start a new one"),
            "{error}"
        );
        assert!(serde_json::from_str::<Session>(json).is_err(), "{json}");
    }
    let deep = "[".repeat(100_000);
    assert!(Session::from_json(&deep).is_err());
}

/// However many names it has, only the newest are kept.
#[test]
fn a_session_of_many_names_is_read() {
    let names: Vec<String> = (0..100_000).map(|number| format!("n{number}")).collect();
    let json = serde_json::json!({ "loaded": names, "active": names, "hidden": names }).to_string();
    let session = Session::from_json(&json).expect("it is one");
    assert_eq!((session.loaded().len(), session.loaded().next_back()), (20, Some("n99999")));
    assert_eq!((session.active().len(), session.hidden().count()), (1000, 100_000));
}

#[test]
fn a_session_outlives_its_registry() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "One");
    let mut session = Session::new();
    let live = open(&dir);
    session.load(&live.snapshot().registry(), "alpha").expect("it is served");
    session.activate(&live.snapshot().registry(), "alpha").expect("it is served");
    drop(live);
    super::remove_all(&dir.path().join("skills"));
    let live = Overlays::over(&SKILLS).root(root(&dir)).open();
    let snapshot = live.snapshot();
    assert_eq!(session.active_text(&snapshot.registry()), "");
    assert_eq!(
        session.load(&snapshot.registry(), "alpha").expect_err("it is gone").code(),
        "SKILL_NOT_FOUND"
    );
    assert_eq!(loaded(&session), ["alpha"]);
}
