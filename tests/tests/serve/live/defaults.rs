//! What a session begins with, what it may change, and what a host can tell apart.

use serde_json::{Value, json};
use skills::live::LiveRegistry;
use skills::{ActionError, Audience, Defaults, Loaded, Policy, Registry, Session, Visibility};
use skills_tests::SKILLS;
use skills_tests::disk::{self, TempDir};

use super::{open, remove_all, write_skill};

fn many(count: usize) -> (TempDir, LiveRegistry) {
    let dir = disk::temp();
    for number in 0..count {
        write_skill(&dir, &name(number), &name(number), "Body");
    }
    let live = open(&dir);
    (dir, live)
}

fn name(number: usize) -> String {
    format!("s{number:02}")
}

fn is_sent(loaded: Result<Loaded<'_>, ActionError>) -> bool {
    !loaded.expect("it is served").already_loaded
}

/// The host's word counts more than the memory, also for what fell out of it.
#[test]
fn what_the_host_says_is_visible_is_not_sent_again() {
    let (_dir, live) = many(25);
    let snapshot = live.snapshot();
    let registry = snapshot.registry();
    let mut session = Session::new();
    for number in 0..22 {
        session.load(&registry, &name(number)).expect("it is served");
    }
    assert!(is_sent(session.clone().load(&registry, "s00")), "nobody says that it is visible");
    session.set_visible(|_| true);
    assert!(!is_sent(session.load(&registry, "s00")));
    // It stays so while others push names out of the memory.
    for number in 22..25 {
        session.load(&registry, &name(number)).expect("it is served");
    }
    assert!(!is_sent(session.load(&registry, "s05")));
    let mut again = Session::from_json(&session.to_json()).expect("it is one");
    assert_eq!(again, session);
    assert!(!is_sent(again.load(&registry, "s06")));
    session.compacted();
    assert!(is_sent(session.load(&registry, "s07")) && is_sent(session.load(&registry, "s24")));
    // A host that has read a conversation back knows names alone.
    let mut new = Session::new();
    new.set_visible_names(["S01", "s02"]);
    assert!(!is_sent(new.load(&registry, "s01")) && is_sent(new.load(&registry, "s03")));
    new.set_visible_names(["s03"]);
    assert!(is_sent(new.load(&registry, "s02")) && !is_sent(new.load(&registry, "s03")));
}

#[test]
fn names_that_are_gone_fill_no_cap() {
    let (dir, live) = many(6);
    let registry_of =
        |live: &LiveRegistry, act: &mut dyn FnMut(&Registry<'_>)| act(&live.snapshot().registry());
    let mut session = Session::new().with_memory(3).with_most_active(3);
    registry_of(&live, &mut |registry| {
        for number in 0..3 {
            session.load(registry, &name(number)).expect("it is served");
            session.activate(registry, &name(number)).expect("there is room");
        }
    });
    remove_all(&dir.path().join("skills/s02"));
    live.refresh();
    registry_of(&live, &mut |registry| {
        session.activate(registry, "s03").expect("one is gone");
        assert_eq!(session.active_names(registry), ["s00", "s01", "s03"]);
        session.load(registry, "s03").expect("it is served");
        assert_eq!(
            session.loaded().collect::<Vec<_>>(),
            ["s00", "s01", "s03"],
            "the one that is gone went first"
        );
        let blocked = registry.clone().with_policy(Policy::allow_all().block("s00"));
        session.activate(&blocked, "s04").expect("one is blocked");
        assert_eq!(
            session.activate(registry, "s05").expect_err("four are active").to_string(),
            "You can activate at most 3 skills."
        );
    });
}

#[test]
fn the_two_caps_are_two() {
    let (_dir, live) = many(4);
    let snapshot = live.snapshot();
    let registry = snapshot.registry();
    let mut session = Session::new().with_memory(1);
    for number in 0..4 {
        session.activate(&registry, &name(number)).expect("there is room");
        session.load(&registry, &name(number)).expect("it is served");
    }
    assert_eq!((session.active().len(), session.loaded().len()), (4, 1));
}

/// Some stores keep numbers as floating point: all is as before when it was rounded.
#[test]
fn a_store_that_rounds_numbers_loses_nothing() {
    fn rounded(value: Value) -> Value {
        match value {
            Value::Number(number) => json!(number.as_f64().expect("it is a number")),
            Value::Array(items) => items.into_iter().map(rounded).collect(),
            Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, rounded(value))).collect(),
            value => value,
        }
    }
    let registry = Registry::new(&SKILLS);
    let mut session = Session::new().with_memory(usize::MAX).with_most_active(7);
    session.load(&registry, "wordy").expect("it is served");
    let stored: Value = serde_json::from_str(&session.to_json()).expect("it is JSON");
    let mut again = Session::from_json(&rounded(stored).to_string()).expect("it is one");
    assert!(!is_sent(again.load(&registry, "wordy")), "the fingerprint is the same");
    // Of an earlier version, whose fingerprint was a number.
    let old = json!({"version": 1, "loaded": [{"name": "wordy", "fingerprint": 1, "visible": true}]});
    assert!(is_sent(Session::from_json(&old.to_string()).expect("it is one").load(&registry, "wordy")));
}

#[test]
fn a_host_tells_blocked_from_unknown() {
    let policy = Policy::allow_all().block("wordy").block("report helper");
    let registry = Registry::new(&SKILLS).with_policy(policy);
    let mut session = Session::new();
    session.hide(&registry, "pdf-forms").expect("it is served");
    let view = session.view(&registry);
    for (name, expected) in [
        ("Plain Note", Visibility::Visible),
        ("pdf-forms", Visibility::Hidden),
        ("release-by-hand", Visibility::OtherAudience),
        ("wordy", Visibility::Blocked),
        ("weekly-report", Visibility::Blocked),
        ("nope", Visibility::Unknown),
    ] {
        assert_eq!(view.visibility(name), expected, "{name}");
    }
    let (blocked, unknown) = (view.load("wordy").expect_err("no"), view.load("nope").expect_err("no"));
    assert_eq!(blocked.to_string().replace("wordy", "nope"), unknown.to_string(), "a model cannot");
}

#[test]
fn a_session_begins_with_the_defaults_and_may_change_them() {
    let defaults = Defaults::new().active("plain note").active("nope").hidden("wordy").hidden("pdf-forms");
    let registry = Registry::new(&SKILLS).with_defaults(defaults);
    // Without a session too.
    assert!(registry.get("wordy").is_none() && registry.get("plain-note").is_some());
    assert_eq!(registry.visibility("wordy"), Visibility::Hidden);
    let mut session = Session::new();
    let is_shown = |session: &Session, name: &str| session.view(&registry).get(name).is_some();
    assert!(!is_shown(&session, "wordy"));
    assert_eq!(session.active_names(&registry), ["plain-note"]);
    assert!(session.active_text(&registry).starts_with("Skill: plain-note\n"));
    session.show("Wordy");
    assert!(is_shown(&session, "wordy") && !is_shown(&session, "pdf-forms"));
    session.activate(&registry, "pdf-forms").expect("it is hidden, not blocked");
    session.deactivate("plain-note");
    assert_eq!(session.active_names(&registry), ["pdf-forms"]);
    assert!(is_shown(&session, "pdf-forms"));
    session.hide(&registry, "deep-tree").expect("it is served");
    session.load(&registry, "wordy").expect("it is shown");
    let stored = Session::from_json(&session.to_json()).expect("it is one");
    assert_eq!(stored, session);
    session.clear_overrides();
    assert_eq!(session.active_names(&registry), ["plain-note"]);
    assert!(!is_shown(&session, "wordy") && is_shown(&session, "deep-tree"));
    assert_eq!(session.loaded().collect::<Vec<_>>(), ["wordy"], "what is loaded is kept");
    // A policy goes before both.
    let blocked = registry.clone().with_policy(Policy::allow_all().block("plain-note"));
    assert!(session.active_names(&blocked).is_empty());
    assert!(session.activate(&blocked, "plain-note").is_err());
    session.show("plain-note");
    assert!(session.view(&blocked).for_audience(Audience::Everyone).get("plain-note").is_none());
}

#[test]
fn policies_and_defaults_are_data() {
    let policy: Policy =
        serde_json::from_value(json!({"default": "block", "allowed": ["PDF Forms"]})).expect("it is one");
    assert_eq!(policy, Policy::block_all().allow("pdf-forms"));
    assert_eq!(json!(policy), json!({"default": "block", "allowed": ["pdf-forms"], "blocked": []}));
    assert_eq!(serde_json::from_str::<Policy>("{}").expect("it is one"), Policy::allow_all());
    let defaults: Defaults =
        serde_json::from_value(json!({"active": ["a b"], "hidden": ["x"]})).expect("one");
    assert_eq!(defaults, Defaults::new().active("a-b").hidden("x"));
    assert_eq!(json!(defaults), json!({"active": ["a-b"], "hidden": ["x"]}));
    // Nothing that was misspelt blocks nothing.
    for wrong in [
        json!({"block": ["x"]}),
        json!({"blocked": "x"}),
        json!({"blocked": [1]}),
        json!({"default": "deny"}),
        json!([]),
        json!(null),
    ] {
        let error = serde_json::from_value::<Policy>(wrong.clone()).expect_err("it is none").to_string();
        assert!(error.starts_with("this isn't a policy: "), "{wrong}: {error}");
    }
    assert!(serde_json::from_value::<Defaults>(json!({"activ": []})).is_err());
}
