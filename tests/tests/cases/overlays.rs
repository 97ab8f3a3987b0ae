//! What overlays are for: who wins, what is hidden, what changes; arguments and the catalogue.

use std::fs;

use skills::catalogue::{CatalogueForm, CatalogueOptions};
use skills::live::{LiveRegistry, Overlays, Root};
use skills::{Audience, Registry};
use skills_bundle::compile::compile_good;
use skills_bundle::{Code, Config};
use skills_tests::SKILLS;
use skills_tests::disk::{self, TempDir};

use crate::{case, compiled, pack, registry};

fn open(dir: &TempDir, roots: &[&str]) -> LiveRegistry {
    let root = |name: &&str| Root::new(dir.path().join(name)).label(*name);
    roots.iter().map(root).fold(Overlays::without_bundle(), Overlays::root).open()
}

fn names(live: &LiveRegistry) -> Vec<String> {
    live.snapshot().registry().skills().iter().map(|entry| entry.skill.name().to_owned()).collect()
}

#[test]
fn the_higher_root_wins_and_says_so() {
    let Some(dir) = case("040-project-and-user-both-listed", &[]) else { return };
    let live = open(&dir, &["project", "user"]);
    let snapshot = live.snapshot();
    assert!(
        snapshot.registry().list().to_string().contains("Available skills (1):\n- handoff: Project text.\n")
    );
    let shadowed = snapshot.shadowed();
    let [found] = shadowed.as_slice() else { panic!("{shadowed:?}") };
    assert!(found.path.ends_with("user/handoff") && found.by_path.ends_with("project/handoff"), "{found:?}");
    assert_eq!((found.origin.as_str(), found.by_origin.as_str()), ("user", "project"));
}

/// The baked root as a bundle of a user's, made as `bundle!` makes it, and as one that is sealed.
#[test]
fn an_overlay_wins_unless_the_bundle_is_sealed() {
    let Some(dir) = case("041-embedded-beats-overlay", &[]) else { return };
    let baked = compile_good(&Config::new("baked").base(dir.path()));
    let overlay = compile_good(&Config::new("overlay").base(dir.path()));
    let packs = Registry::empty().with_pack("overlay", pack(&overlay)).with_pack("baked", pack(&baked));
    assert_eq!(packs.get("commit").map(|entry| entry.skill.description()), Some("Overlay text."));
    // Over a bundle that was compiled in, under the name of one of its own skills.
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

#[test]
fn all_actions_agree() {
    let Some(dir) = case("043-list-and-load-disagree", &[]) else { return };
    for (order, wins) in [(["r1", "r2", "r3"], "1"), (["r3", "r1", "r2"], "3"), (["r2", "r3", "r1"], "2")] {
        let live = open(&dir, &order);
        let snapshot = live.snapshot();
        let registry = snapshot.registry();
        let description = format!("Text of root {wins}.");
        assert!(
            registry
                .list()
                .to_string()
                .starts_with(&format!("Available skills (1):\n- same: {description}\n"))
        );
        assert!(registry.search("same").expect("a query").to_string().contains(&description));
        assert_eq!(registry.load("same").expect("it is served").instructions, format!("body {wins}"));
        let file = registry.read_file("same", "SKILL.md", 0).expect("it is served").to_string();
        assert!(file.contains(&description) && file.contains(&format!("body {wins}")), "{file}");
        assert!(registry.catalogue(&CatalogueOptions::default()).text.contains(&description));
        assert_eq!(snapshot.shadowed().len(), 2);
    }
}

#[test]
fn a_skill_file_inside_a_skill() {
    let Some(dir) = case("044-nested-skill-files", &[]) else { return };
    assert_eq!(names(&open(&dir, &["skills"])), ["one", "outer", "two"]);
    let nested = Overlays::without_bundle().root(Root::new(dir.path().join("skills")).nested(true)).open();
    assert_eq!(names(&nested), ["example", "one", "outer", "two"]);
}

#[test]
fn one_bad_entry_does_not_stop_the_scan() {
    let Some(dir) = case("046-one-bad-entry-stops-scan", &["skills/gone"]) else { return };
    let built: Vec<String> = pack(&compiled(&dir)).skills().map(|skill| skill.name().to_owned()).collect();
    let live = open(&dir, &["skills"]);
    assert_eq!(names(&live), built);
    assert!(live.snapshot().findings().any(|finding| finding.code == Code::E014));
}

/// Every directory that is not listed has its record, and the codes are those of a check.
#[test]
fn nothing_is_dropped_in_silence() {
    let Some(dir) = case("047-silent-drop", &[]) else { return };
    let live = open(&dir, &["skills"]);
    let snapshot = live.snapshot();
    let below = |path: &str| path.rsplit_once("/skills/").map_or(path, |(_, below)| below).to_owned();
    let served: Vec<String> = snapshot
        .registry()
        .for_audience(Audience::Everyone)
        .skills()
        .iter()
        .map(|entry| below(entry.skill.path()))
        .collect();
    let told_of: Vec<String> = snapshot.diagnostics().iter().map(|found| below(&found.path)).collect();
    for directory in fs::read_dir(dir.path().join("skills")).expect("it is there") {
        let name = directory.expect("it is there").file_name().to_string_lossy().into_owned();
        let is = |path: &String| *path == name || path.starts_with(&format!("{name}/"));
        assert!(served.iter().any(is) != told_of.iter().any(is), "{name}: {served:?} {told_of:?}");
    }
}

/// Contract 1.7 serves the first by path; the other is told of.
#[test]
fn one_name_twice_in_a_root() {
    let Some(dir) = case("049-same-name-in-two-groups", &[]) else { return };
    let live = open(&dir, &["skills"]);
    let snapshot = live.snapshot();
    let entry = snapshot.registry().get("report").expect("the first is served");
    assert!(entry.skill.path().ends_with("skills/group-a/report"));
    let findings: Vec<_> = snapshot
        .findings()
        .map(|finding| (finding.code, finding.path.ends_with("group-b/report/SKILL.md")))
        .collect();
    assert_eq!(findings, [(Code::E013, true)]);
}

#[cfg(unix)]
#[test]
fn the_execute_bit_is_kept() {
    let Some(dir) = case("061-executable-bit-lost", &[]) else { return };
    let live = open(&dir, &["skills"]);
    let snapshot = live.snapshot();
    let registry = snapshot.registry();
    let skill = registry.skills()[0].skill;
    let executable: Vec<_> = skill.files().map(|file| (file.path(), file.is_executable())).collect();
    assert_eq!(executable, [("SKILL.md", false), ("scripts/data.txt", false), ("scripts/go.sh", true)]);
}

/// The body of the case declares no arguments, so `$0` and `$1` are shell text (contract 5.2); with
/// them declared the result is the case's.
#[test]
fn arguments_are_put_in_once() {
    let Some(dir) = case("071-substitution-runs-twice", &[]) else { return };
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
    let Some(dir) = case("073-catalogue-over-budget", &[]) else { return };
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
    let Some(dir) = case("074-hidden-skills-counted", &[]) else { return };
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
    let Some(dir) = case("079-root-created-later", &[]) else { return };
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
    let Some(dir) = case("080-removed-directory-still-listed", &[]) else { return };
    let live = open(&dir, &["skills"]);
    assert_eq!(names(&live), ["gone-soon"]);
    let remove = |path: &str| fs::remove_dir_all(dir.path().join(path)).expect("it can be removed");
    remove("skills/gone-soon");
    // Before a refresh too, a load through the live registry would look again; a miss is no I/O error.
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

/// A directory of skills, one skill itself, with a slash at its end; a file is one finding.
#[test]
fn what_a_root_may_be() {
    let Some(dir) = case("094-single-file-root", &[]) else { return };
    let Some(skill) = disk::files(dir.path()).into_iter().find(|path| path.ends_with("SKILL.md")) else {
        panic!("no skill")
    };
    let directory = skill.parent().expect("it is in one").to_string_lossy().into_owned();
    for root in [directory.clone(), format!("{directory}/"), format!("{directory}/.")] {
        let live = open(&dir, &[&root]);
        assert_eq!(
            (names(&live).len(), live.snapshot().findings().filter(|found| found.code == Code::E017).count()),
            (1, 0),
            "{root}"
        );
    }
    let live = open(&dir, &[&skill.to_string_lossy()]);
    assert_eq!((names(&live).len(), live.snapshot().findings().count()), (0, 1));
}
