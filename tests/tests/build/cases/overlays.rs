//! Features of overlays: a bundle below, and a disk that changes. Also arguments and the catalogue.

use std::fs;

use skills::catalogue::{CatalogueForm, CatalogueOptions};
use skills::live::{Overlays, Root};
use skills::{Audience, Registry};
use skills_bundle::Config;
use skills_bundle::compile::compile_good;
use skills_tests::SKILLS;
use skills_tests::disk::{self, TempDir};

use super::{case, compiled, names, open, pack, registry};

/// The bundled root as a user's bundle, made as `bundle!` makes it, and as a sealed one.
#[test]
fn an_overlay_wins_unless_the_bundle_is_sealed() {
    let dir = case("041-embedded-beats-overlay");
    let baked = compile_good(&Config::new("baked").base(dir.path()));
    let overlay = compile_good(&Config::new("overlay").base(dir.path()));
    let packs = Registry::empty().with_pack("overlay", pack(&overlay)).with_pack("baked", pack(&baked));
    assert_eq!(packs.get("commit").map(|entry| entry.skill.description()), Some("Overlay text."));
    // Over the bundle of this package, with the name of one of its skills.
    let text = disk::read_text(&dir.path().join("overlay/commit/SKILL.md")).replace("commit", "plain-note");
    disk::write(dir.path(), "above/plain-note/SKILL.md", text);
    let over = |sealed| {
        Overlays::over(&SKILLS).root(Root::new(dir.path().join("above")).label("above")).sealed(sealed).open()
    };
    for (sealed, served, hidden) in [(false, "above", "bundle"), (true, "bundle", "above")] {
        let live = over(sealed);
        let snapshot = live.snapshot();
        let entry = snapshot.registry().get("plain-note").expect("it is served");
        assert_eq!(entry.origin, served);
        assert_eq!(entry.skill.description() == "Overlay text.", !sealed);
        let shadowed = snapshot.shadowed();
        assert_eq!(
            (shadowed.len(), shadowed[0].origin.as_str(), shadowed[0].by_origin.as_str()),
            (1, hidden, served)
        );
    }
}

/// The body of the case declares no arguments, so `$0` and `$1` are shell code. If they are declared, the
/// result is the case's.
#[test]
fn arguments_are_filled_in_once() {
    let dir = case("071-substitution-runs-twice");
    let calls = disk::read_text(&dir.path().join("calls.txt"));
    let line = |start: &str| {
        calls.lines().find_map(|line| line.strip_prefix(start)).expect("the case has it").to_owned()
    };
    let (arguments, result) = (line("args: "), line("result: "));
    let put_in = |dir: &TempDir| {
        let generated = compiled(dir);
        let loaded = registry(&generated).load_with("once", &arguments).expect("it is served");
        loaded.instructions.into_owned()
    };
    assert_eq!(put_in(&dir), format!("A={arguments} B=$0 C=$1"));
    let path = dir.path().join("skills/once/SKILL.md");
    let text = disk::read_text(&path).replacen("\n---\n", "\narguments: [what, much]\n---\n", 1);
    disk::write(dir.path(), "skills/once/SKILL.md", text);
    assert_eq!(put_in(&dir), result);
    let live = open(&dir, &["skills"]);
    let snapshot = live.snapshot();
    let call =
        serde_json::json!({ "action": "load", "skill_name": "once", "arguments": arguments }).to_string();
    assert!(snapshot.registry().call(&call).text.contains(&result));
}

#[test]
fn a_catalogue_keeps_every_name() {
    let dir = case("073-catalogue-over-budget");
    let generated = compiled(&dir);
    let live = open(&dir, &["skills"]);
    let snapshot = live.snapshot();
    for form in [CatalogueForm::Plain, CatalogueForm::Xml, CatalogueForm::Json] {
        let options = CatalogueOptions::new(form).budget(8_000);
        for registry in [registry(&generated), snapshot.registry()] {
            let cut = registry.catalogue(&options);
            assert!(
                cut.full > 0 && cut.full + cut.left_out == 60 && cut.text.chars().count() < 8_000,
                "{cut:?}"
            );
            let shortened = registry.catalogue(&options.shorten(true));
            assert!(shortened.text.chars().count() < 8_000);
            if form == CatalogueForm::Plain {
                assert_eq!((shortened.full, shortened.shortened, shortened.left_out), (0, 60, 0));
                for number in 0..60 {
                    let line = format!("- item-{number:02}: Number {number}.");
                    assert_eq!(
                        shortened.text.lines().filter(|found| found.starts_with(&line)).count(),
                        1,
                        "{line}"
                    );
                }
                let lengths: Vec<usize> = shortened.text.lines().map(|line| line.chars().count()).collect();
                let (least, most) = (lengths.iter().min(), lengths.iter().max());
                assert!(
                    most.zip(least).is_some_and(|(most, least)| most - least <= 1),
                    "evenly: {lengths:?}"
                );
            }
        }
    }
}

#[test]
fn hidden_skills_are_not_counted() {
    let dir = case("074-hidden-skills-counted");
    let live = open(&dir, &["skills"]);
    let snapshot = live.snapshot();
    let catalogue =
        |audience| snapshot.registry().for_audience(audience).catalogue(&CatalogueOptions::default());
    let (model, user) = (catalogue(Audience::Model), catalogue(Audience::User));
    assert_eq!((model.full, user.full), (2, 3));
    assert!(model.text.contains("- model-only: ") && !model.text.contains("manual"), "{}", model.text);
    let tight =
        snapshot.registry().catalogue(&CatalogueOptions::default().budget(model.text.chars().count() + 1));
    assert_eq!((tight.full, tight.left_out), (2, 0), "the budget is the view's own");
}

#[test]
fn a_root_that_is_created_later() {
    let dir = case("079-root-created-later");
    let live = Overlays::over(&SKILLS).root(Root::new(dir.path().join("late")).label("late")).open();
    let baked: Vec<&str> =
        SKILLS.skills().filter(skills::Skill::model_may_call).map(|skill| skill.name()).collect();
    assert_eq!(names(&live), baked, "only what is baked, and no error");
    assert_eq!(live.snapshot().findings().count(), 0);
    disk::write(dir.path(), "late/new-one/SKILL.md", disk::skill_md("new-one", "Came late"));
    assert_eq!(live.refresh().added, ["new-one"]);
    assert!(names(&live).contains(&"new-one".to_owned()));
}

#[test]
fn a_removed_directory_is_not_listed() {
    let dir = case("080-removed-directory-still-listed");
    let live = open(&dir, &["skills"]);
    assert_eq!(names(&live), ["gone-soon"]);
    let remove = |path: &str| fs::remove_dir_all(dir.path().join(path)).expect("it can be removed");
    remove("skills/gone-soon");
    // Without a refresh, a load through the live registry would look again; a miss isn't an I/O error.
    assert_eq!(live.refresh().removed, ["gone-soon"]);
    assert_eq!(names(&live), [""; 0]);
    let text = live.call(r#"{"action": "load", "skill_name": "gone-soon"}"#).text;
    assert_eq!(text, "Error: skill not found: 'gone-soon'. Try skills_tool action=list or action=search.");
    disk::write(dir.path(), "skills/back/SKILL.md", disk::skill_md("back", "Back"));
    assert_eq!(live.refresh().added, ["back"]);
    remove("skills");
    assert_eq!(live.refresh().removed, ["back"]);
    assert_eq!(names(&live), [""; 0]);
}
