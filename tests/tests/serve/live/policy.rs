//! A blocked skill is blocked in all actions, however it is named and whatever a session does.

use skills::live::Overlays;
use skills::{Audience, Policy, Registry, Session};
use skills_tests::SKILLS;
use skills_tests::disk::{self, skill_md};

use super::root;

/// Asserts that no action returns anything of a skill.
fn assert_absent(registry: &Registry<'_>, name: &str) {
    assert!(registry.get(name).is_none(), "{name}");
    assert!(!registry.list().to_string().contains(&format!("- {name}")), "{name}");
    assert!(
        registry.search(name).expect("a query").results.iter().all(|hit| hit.entry.skill.name() != name),
        "{name}"
    );
    assert_eq!(registry.load(name).expect_err("it is blocked").code(), "SKILL_NOT_FOUND");
    let error = registry.load(&format!("{name}x")).expect_err("no such skill");
    assert!(!error.suggestion().contains(name), "it is not even suggested: {}", error.suggestion());
    assert_eq!(registry.read_file(name, "SKILL.md", 0).expect_err("it is blocked").code(), "SKILL_NOT_FOUND");
    let call = registry.call(&format!(r#"{{"action": "load", "skill_name": "{name}"}}"#));
    assert!(call.text.starts_with("Error: skill not found"), "{}", call.text);
    assert!(
        !registry
            .catalogue(&skills::catalogue::CatalogueOptions::default())
            .text
            .contains(&format!("- {name}:")),
        "{name}"
    );
}

#[test]
fn a_name_is_blocked_in_any_form() {
    for name in ["pdf-forms", "PDF-Forms", " pdf forms ", "**pdf-forms**", "`PDF Forms`"] {
        let registry = Registry::new(&SKILLS).with_policy(Policy::allow_all().block(name));
        assert_absent(&registry, "pdf-forms");
        assert!(registry.get("plain-note").is_some());
    }
}

#[test]
fn a_directory_name_blocks_the_skill_in_it() {
    let registry = Registry::new(&SKILLS).with_policy(Policy::allow_all().block("Report Helper"));
    assert_absent(&registry, "weekly-report");
    assert!(registry.get("report-helper").is_none());
}

#[test]
fn later_skills_are_blocked_too() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/secret-dir/SKILL.md", skill_md("unmarked", "Blocked by its directory"));
    disk::write(dir.path(), "skills/secret/SKILL.md", skill_md("secret", "Blocked by its name"));
    let policy = Policy::allow_all().block("secret").block("secret-dir");
    let live = Overlays::over(&SKILLS).root(root(&dir)).policy(policy.clone()).open();
    for name in ["unmarked", "secret"] {
        assert_absent(&live.snapshot().registry(), name);
    }
    // A pack that is added above after the policy was set.
    let generated =
        skills_bundle::compile::compile_good(&skills_bundle::Config::new("skills").base(dir.path()));
    let pack = generated.pack().expect("the blocks fit");
    let registry = Registry::new(&SKILLS).with_policy(policy).with_pack("more", pack);
    for name in ["unmarked", "secret"] {
        assert_absent(&registry, name);
    }
    // Another skill appears in a blocked directory.
    disk::write(dir.path(), "skills/secret-dir/SKILL.md", skill_md("renamed", "Blocked by its directory"));
    live.refresh();
    assert_absent(&live.snapshot().registry(), "renamed");
}

#[test]
fn only_allowed_skills_are_served() {
    let registry = Registry::new(&SKILLS)
        .with_policy(Policy::block_all().allow("PDF Forms").allow("wordy").block("wordy"));
    let names: Vec<_> = registry.skills().iter().map(|entry| entry.skill.name()).collect();
    assert_eq!(names, ["pdf-forms"], "what is allowed and blocked is blocked");
    assert!(Registry::new(&SKILLS).with_policy(Policy::block_all()).is_empty());
    assert_eq!(
        Registry::new(&SKILLS).with_policy(Policy::default()).skills().len(),
        Registry::new(&SKILLS).skills().len()
    );
}

#[test]
fn no_session_overrides_a_policy() {
    let registry = Registry::new(&SKILLS).with_policy(Policy::allow_all().block("pdf-forms"));
    let mut session = Session::new();
    assert!(session.hide(&registry, "pdf-forms").is_err());
    assert!(session.activate(&registry, "pdf-forms").is_err());
    session.show("pdf-forms");
    assert_absent(&session.view(&registry), "pdf-forms");
    // A session that was written by hand, or before the skill was blocked.
    let stored = r#"{"loaded": ["pdf-forms"], "active": ["pdf-forms"], "hidden": []}"#;
    let session = Session::from_json(stored).expect("a session");
    assert_absent(&session.view(&registry), "pdf-forms");
    assert_eq!(session.active_text(&registry), "");
}

#[test]
fn the_two_flags_make_two_views() {
    let names = |audience| -> Vec<&str> {
        let registry = Registry::new(&SKILLS).for_audience(audience);
        registry.skills().iter().map(|entry| entry.skill.name()).collect()
    };
    let (model, user, all) = (names(Audience::Model), names(Audience::User), names(Audience::Everyone));
    assert!(model.contains(&"model-only") && !user.contains(&"model-only"));
    assert!(user.contains(&"release-by-hand") && !model.contains(&"release-by-hand"));
    assert_eq!(all.len(), SKILLS.len());
    let live = |audience| Overlays::over(&SKILLS).audience(audience).open();
    assert_absent(&live(Audience::Model).snapshot().registry(), "release-by-hand");
    assert_absent(&live(Audience::User).snapshot().registry(), "model-only");
}

/// A skill that is hidden from the audience still hides the skills below it.
#[test]
fn a_hidden_skill_reveals_nothing_below_it() {
    let dir = disk::temp();
    let text = "---\nname: plain-note\ndescription: Mine\ndisable-model-invocation: true\n---\n";
    disk::write(dir.path(), "skills/plain-note/SKILL.md", text);
    let live = Overlays::over(&SKILLS).root(root(&dir)).open();
    let snapshot = live.snapshot();
    assert_absent(&snapshot.registry(), "plain-note");
    let user = snapshot.registry().for_audience(Audience::User);
    assert_eq!(user.get("plain-note").map(|entry| entry.origin), Some("project"));
    let mut session = Session::new();
    session.hide(&user, "plain-note").expect("it is served");
    assert_absent(&session.view(&user), "plain-note");
}
