//! Fresh without a refresh: what is loaded is what is on disk, what is listed at most a second old.

use std::thread::sleep;
use std::time::Duration;

use serde_json::json;
use skills::Session;
use skills::live::{Freshness, LiveRegistry, Overlays};
use skills_tests::disk;

use super::{open, remove_all, rename, root, write_skill};

const LONG: Duration = Duration::from_secs(600);

fn load(live: &LiveRegistry, name: &str) -> String {
    live.call(&json!({"action": "load", "skill_name": name}).to_string()).text
}

fn list(live: &LiveRegistry) -> String {
    live.call(r#"{"action": "list"}"#).text
}

/// An edit that breaks a skill and touches its limits doesn't leave the version without them in service.
#[test]
fn a_broken_skill_keeps_no_older_limits() {
    let skill = |limits: &str| format!("---\nname: alpha\ndescription: x\n{limits}---\nBody\n");
    for limits in [
        "disable-model-invocation: perhaps\n",
        "disable-model-invocation: true\nname: twice\n",
        "disable-model-invokation: true\n",
        "allowed-tools: [Read\n",
    ] {
        let dir = disk::temp();
        disk::write(dir.path(), "skills/alpha/SKILL.md", skill(""));
        let live = Overlays::without_bundle().root(root(&dir)).open();
        assert!(load(&live, "alpha").contains("Body"));
        disk::write(dir.path(), "skills/alpha/SKILL.md", skill(limits));
        live.refresh();
        assert!(load(&live, "alpha").starts_with("Error: skill not found: 'alpha'."), "{limits}");
    }
    // With the limits that it had, the last good version is served.
    let dir = disk::temp();
    disk::write(dir.path(), "skills/alpha/SKILL.md", skill("allowed-tools: Read\n"));
    let live = Overlays::without_bundle().root(root(&dir)).open();
    disk::write(dir.path(), "skills/alpha/SKILL.md", skill("allowed-tools: Read\nname: twice\n"));
    live.refresh();
    assert!(live.snapshot().registry().get("alpha").is_some_and(|entry| entry.is_stale()));
}

/// A symlink on the way to a skill that points elsewhere by now: the root, and a skill.
#[cfg(unix)]
#[test]
fn a_load_follows_a_symlink_to_where_it_points_now() {
    for (link, ends) in
        [("skills", ["releases/1", "releases/2"]), ("skills/alpha", ["../store/1", "../store/2"])]
    {
        let dir = disk::temp();
        for number in [1, 2] {
            let text = format!("---\nname: alpha\ndescription: x\n---\nRelease {number}\n");
            disk::write(dir.path(), &format!("releases/{number}/alpha/SKILL.md"), &text);
            disk::write(dir.path(), &format!("store/{number}/SKILL.md"), &text);
        }
        if link != "skills" {
            std::fs::create_dir_all(dir.path().join("skills")).expect("a directory");
        }
        disk::link(dir.path(), link, ends[0]);
        let root = root(&dir).follow_links_out(true);
        let live = Overlays::without_bundle().root(root).freshness(Freshness::Within(LONG)).open();
        assert!(load(&live, "alpha").contains("Release 1"), "{link}");
        disk::remove(&dir.path().join(link));
        disk::link(dir.path(), link, ends[1]);
        assert!(load(&live, "alpha").contains("Release 2"), "{link}");
    }
}

/// The path that `load` shows is taken back by a call, also an absolute one.
#[test]
fn an_absolute_path_is_a_name() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "Text");
    let live = Overlays::without_bundle().root(root(&dir)).open();
    let snapshot = live.snapshot();
    let path = snapshot.registry().get("alpha").expect("it is served").skill.path().to_owned();
    assert!(path.starts_with('/'), "{path}");
    for name in [path.clone(), format!("{path}/SKILL.md")] {
        assert!(load(&live, &name).starts_with("Skill: alpha\n"), "{name}");
    }
    assert!(load(&live, "/alpha").starts_with("Error: slash command not found: '/alpha'."));
}

/// However recently it was written, and however the roots are looked at.
#[test]
fn a_load_gives_what_the_disk_has() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "Text 0");
    write_skill(&dir, "beta", "beta", "Beta");
    let live = Overlays::without_bundle().root(root(&dir)).freshness(Freshness::Within(LONG)).open();
    for number in 1..5 {
        write_skill(&dir, "alpha", "alpha", &format!("Text {number}"));
        assert!(load(&live, "alpha").contains(&format!("\nText {number}\n")), "{number}");
    }
    disk::write(dir.path(), "skills/alpha/references/new.md", "New");
    assert!(load(&live, "alpha").contains("new.md"), "the list of files is as new as the text");
    assert_eq!(
        live.call(
            &json!({"action": "read_file", "skill_name": "alpha", "file_path": "references/new.md"})
                .to_string()
        )
        .text,
        "Skill file: alpha/references/new.md\n\nNew"
    );
    // A new limit holds at once.
    disk::write(
        dir.path(),
        "skills/alpha/SKILL.md",
        "---\nname: alpha\ndescription: x\ndisable-model-invocation: true\n---\nBody\n",
    );
    assert!(load(&live, "alpha").starts_with("Error: skill not found: 'alpha'."));
    // One that is gone is gone, and the last good version of a broken one is marked.
    disk::write(dir.path(), "skills/beta/SKILL.md", "broken");
    assert!(load(&live, "beta").contains("\nBeta\n"));
    assert!(live.snapshot().registry().get("beta").expect("it is served").is_stale());
    remove_all(&dir.path().join("skills/beta"));
    assert!(load(&live, "beta").starts_with("Error: skill not found: 'beta'."));
}

/// The same after the clock has ticked, when only stamps are compared.
#[test]
fn stamps_that_are_old_are_compared_alone() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "One");
    write_skill(&dir, "other", "alpha", "Two");
    rename(&dir.path().join("skills/other"), &dir.path().join("other"));
    sleep(Duration::from_millis(2_100));
    let live = Overlays::without_bundle().root(root(&dir)).freshness(Freshness::Within(LONG)).open();
    assert!(load(&live, "alpha").contains("\nOne\n"));
    let alpha = dir.path().join("skills/alpha/SKILL.md");
    rename(&dir.path().join("other/SKILL.md"), &alpha);
    assert!(load(&live, "alpha").contains("\nTwo\n"));
    disk::write(dir.path(), "skills/alpha/a.md", "A");
    assert!(load(&live, "alpha").contains("a.md"));
}

#[test]
fn a_list_is_as_old_as_was_asked_for() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "One");
    let of = |freshness| Overlays::without_bundle().root(root(&dir)).freshness(freshness).open();
    let (each, short, long, hand) = (
        of(Freshness::EachCall),
        of(Freshness::Within(Duration::from_millis(50))),
        of(Freshness::Within(LONG)),
        of(Freshness::ByHand),
    );
    write_skill(&dir, "beta", "beta", "Two");
    sleep(Duration::from_millis(60));
    for (live, sees) in [(&each, true), (&short, true), (&long, false), (&hand, false)] {
        assert_eq!(list(live).contains("- beta:"), sees, "{live:?}");
    }
    write_skill(&dir, "alpha", "alpha", "Three");
    for (live, sees) in [(&each, true), (&short, true), (&long, true), (&hand, false)] {
        assert_eq!(load(live, "alpha").contains("\nThree\n"), sees, "{live:?}");
    }
    assert!(load(&hand, "beta").starts_with("Error: "), "by hand, nothing looks but a refresh");
    assert!(!hand.refresh().is_empty() && load(&hand, "beta").contains("\nTwo\n"));
    assert_eq!(Freshness::default(), Freshness::Within(Duration::from_secs(1)));
}

/// A session never takes a text for sent that was dropped because it had changed.
#[test]
fn a_session_gets_the_new_text() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "One");
    let live = open(&dir);
    let mut session = Session::new();
    let call = r#"{"action": "load", "skill_name": "alpha"}"#;
    let mut load = || live.reply(|registry| session.call(registry, call).into()).text;
    assert!(load().contains("\nOne\n") && load().contains("already loaded"));
    write_skill(&dir, "alpha", "alpha", "Two");
    assert!(load().contains("\nTwo\n"));
    assert!(load().contains("already loaded"));
    // Written again, with the same text.
    write_skill(&dir, "alpha", "alpha", "Two");
    assert!(load().contains("already loaded"));
}

/// What the user calls with a slash is fresh too.
#[test]
fn a_call_with_a_slash_is_fresh() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "One");
    let live = open(&dir);
    write_skill(&dir, "alpha", "alpha", "Two");
    let sent = live.answer(|registry| Ok(registry.invoke("/alpha")?.map(|found| found.text)));
    assert_eq!(sent, Ok(Some("Two".to_owned())));
}

/// So is a slash command, whose template is a file of its own.
#[test]
fn a_slash_command_is_fresh() {
    let dir = disk::temp();
    let definition = "name: joke\ndescription: x\ntype: text\ntemplate_path: joke.txt\n";
    disk::write(dir.path(), "skills/joke.command.yaml", definition);
    disk::write(dir.path(), "skills/joke.txt", "One");
    let live = Overlays::without_bundle().root(root(&dir)).freshness(Freshness::Within(LONG)).open();
    let sent = || live.answer(|registry| Ok(registry.invoke("/joke")?.map(|found| found.text)));
    assert_eq!(sent(), Ok(Some("One".to_owned())));
    for text in ["Two", "Three"] {
        disk::write(dir.path(), "skills/joke.txt", text);
        assert_eq!(sent(), Ok(Some(text.to_owned())));
        assert!(load(&live, "/joke").contains(text));
    }
}

/// A session is asked once, though another thread refreshes meanwhile or the list is due: asked again, it would
/// answer that the instructions have been sent.
#[test]
fn a_refresh_in_between_loses_no_instructions() {
    for name in ["alpha", "/alpha"] {
        let dir = disk::temp();
        write_skill(&dir, "alpha", "alpha", "One");
        let root = root(&dir);
        let live = Overlays::without_bundle().root(root).freshness(Freshness::Within(Duration::ZERO)).open();
        let mut session = Session::new();
        let call = json!({"action": "load", "skill_name": name}).to_string();
        let mut asked = 0;
        let reply = live.reply(|registry| {
            asked += 1;
            let reply = session.call(registry, &call).into();
            write_skill(&dir, &format!("other-{asked}"), &format!("other-{asked}"), "Two");
            live.refresh();
            reply
        });
        assert!(reply.text.contains("\nOne\n"), "{name}, asked {asked} times: {}", reply.text);
    }
}
