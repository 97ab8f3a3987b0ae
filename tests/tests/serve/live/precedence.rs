//! Which skill a name finds if several roots have it, and how the others are reported.

use std::path::Path;

use skills::live::{LeftOutReason, LiveRegistry, Overlays, Reason, Root};
use skills_tests::SKILLS;
use skills_tests::disk::{self, skill_md};

use super::{body, names};

fn at(dir: &Path, name: &str) -> Root {
    Root::new(dir.join(name)).label(name)
}

/// The origin of a name, in which all four actions agree.
fn origin(live: &LiveRegistry, name: &str) -> String {
    let snapshot = live.snapshot();
    let registry = snapshot.registry();
    let entry = registry.get(name).expect("it is served");
    let own = entry.skill.name();
    let listed: Vec<_> =
        registry.list().skills.into_iter().filter(|listed| listed.skill.name() == own).collect();
    assert_eq!(listed.len(), 1, "{name} is listed once");
    let found = registry.search(own).expect("a query").results;
    let file = registry.read_file(name, "SKILL.md", 0).expect("it has one");
    let origins = [
        listed[0].origin,
        found[0].entry.origin,
        registry.load(name).expect("it is served").entry.origin,
        file.entry.origin,
    ];
    assert_eq!(origins, [entry.origin; 4], "{name}");
    let text = file.text.expect("it is text").into_owned();
    assert!(text.contains(entry.skill.description()), "{name}: {text}");
    entry.origin.to_owned()
}

#[test]
fn earlier_roots_win_and_fallbacks_lose() {
    let dir = disk::temp();
    for root in ["first", "second", "last", "very-last"] {
        disk::write(dir.path(), &format!("{root}/plain-note/SKILL.md"), skill_md("plain-note", root));
        disk::write(dir.path(), &format!("{root}/{root}/SKILL.md"), skill_md(root, root));
    }
    for root in ["second", "last", "very-last"] {
        disk::write(dir.path(), &format!("{root}/shared/SKILL.md"), skill_md("shared", root));
    }
    for root in ["last", "very-last"] {
        disk::write(dir.path(), &format!("{root}/deep-tree/SKILL.md"), skill_md("deep-tree", root));
        disk::write(dir.path(), &format!("{root}/lowest/SKILL.md"), skill_md("lowest", root));
    }
    let live = Overlays::over(&SKILLS)
        .fallback(at(dir.path(), "last"))
        .root(at(dir.path(), "first"))
        .fallback(at(dir.path(), "very-last"))
        .root(at(dir.path(), "second"))
        .open();
    for (name, from) in [
        ("plain-note", "first"),
        ("shared", "second"),
        ("deep-tree", "bundle"),
        ("lowest", "last"),
        ("pdf-forms", "bundle"),
        ("very-last", "very-last"),
    ] {
        assert_eq!(origin(&live, name), from, "{name}");
    }
    let labels: Vec<_> =
        live.roots().map(|root| root.path().file_name().expect("a name").to_owned()).collect();
    assert_eq!(labels, ["first", "second", "last", "very-last"]);
    let shadowed: Vec<_> = live
        .snapshot()
        .shadowed()
        .into_iter()
        .map(|shadowed| format!("{} of {} by {}", shadowed.name, shadowed.origin, shadowed.by_origin))
        .collect();
    assert_eq!(
        shadowed,
        [
            "plain-note of second by first",
            "plain-note of bundle by first",
            "deep-tree of last by bundle",
            "plain-note of last by first",
            "shared of last by second",
            "deep-tree of very-last by bundle",
            "lowest of very-last by last",
            "plain-note of very-last by first",
            "shared of very-last by second",
        ]
    );
}

#[test]
fn hidden_skills_are_reported_with_both_paths() {
    let dir = disk::temp();
    disk::write(dir.path(), "mine/notes/SKILL.md", skill_md("plain-note", "Mine"));
    let live = Overlays::over(&SKILLS).root(at(dir.path(), "mine")).open();
    let snapshot = live.snapshot();
    let shadowed = snapshot.shadowed();
    let [found] = shadowed.as_slice() else { panic!("{shadowed:?}") };
    let bundled = SKILLS.get("plain-note").expect("it is bundled").path();
    assert_eq!((found.path.as_str(), found.origin.as_str()), (bundled, "bundle"));
    assert!(found.by_path.ends_with("mine/notes"), "{found:?}");
    let record = snapshot.diagnostics().into_iter().find(|found| found.path == bundled).expect("a record");
    assert!(
        matches!(&record.reason, Reason::Shadowed { by_path, by_origin } if *by_path == found.by_path && by_origin == "mine")
    );
}

#[test]
fn nothing_hides_a_sealed_bundle() {
    let dir = disk::temp();
    disk::write(dir.path(), "mine/plain-note/SKILL.md", skill_md("plain-note", "Mine"));
    // The directory of a bundled skill has this name.
    disk::write(dir.path(), "mine/report-helper/SKILL.md", skill_md("report-helper", "Mine"));
    disk::write(dir.path(), "mine/other/SKILL.md", skill_md("other", "Mine"));
    let open = |sealed| Overlays::over(&SKILLS).root(at(dir.path(), "mine")).sealed(sealed).open();
    let (unsealed, sealed) = (open(false), open(true));
    assert_eq!(origin(&unsealed, "plain-note"), "mine");
    assert_eq!(origin(&unsealed, "report-helper"), "mine");
    assert_eq!(origin(&sealed, "plain-note"), "bundle");
    assert_eq!(origin(&sealed, "other"), "mine");
    let snapshot = sealed.snapshot();
    let entry = snapshot.registry().get("report helper").expect("it is served");
    assert_eq!((entry.skill.name(), entry.origin), ("weekly-report", "bundle"));
    let shadowed: Vec<_> =
        snapshot.shadowed().into_iter().map(|shadowed| (shadowed.name, shadowed.origin)).collect();
    assert_eq!(
        shadowed,
        [("plain-note".to_owned(), "mine".to_owned()), ("report-helper".to_owned(), "mine".to_owned())]
    );
    // What isn't found under its name isn't listed either.
    let listed = snapshot.registry().skills();
    assert!(listed.iter().all(|entry| entry.skill.name() != "report-helper"));
}

/// A name that only looks like a sealed one is left out, in lenient roots too, and data say what is sealed.
#[test]
fn a_sealed_bundle_is_not_imitated() {
    let dir = disk::temp();
    for (path, name) in [
        ("fullwidth", "ｐｌａｉｎ-ｎｏｔｅ"),
        ("cyrillic", "рlain-nоte"),
        ("underscore", "plain_note"),
        ("hidden", "plain\u{2010}note"),
        ("other", "plain-notes"),
    ] {
        disk::write(dir.path(), &format!("mine/{path}/SKILL.md"), skill_md(name, "Imitates"));
    }
    disk::write(dir.path(), "mine/рlain-note/SKILL.md", skill_md("innocent", "Has the directory of another"));
    let definition = "name: plain_note\ndescription: x\ntype: text\ntemplate_path: plain_note.txt\n";
    disk::write(dir.path(), "mine/plain_note.command.yaml", definition);
    disk::write(dir.path(), "mine/plain_note.txt", "Text");
    let open = |sealed| {
        let root = at(dir.path(), "mine").lenient(true).unicode_names(true);
        Overlays::over(&SKILLS).root(root).sealed(sealed).open()
    };
    let imitations = |live: &LiveRegistry| {
        let snapshot = live.snapshot();
        let skills = snapshot.registry().skills();
        let mut names: Vec<String> = skills.iter().map(|entry| entry.skill.name().to_owned()).collect();
        names.extend(snapshot.registry().commands().iter().map(|entry| entry.command.name().to_owned()));
        names.retain(|name| name.contains("lain") && name != "plain-note" || !name.is_ascii());
        names
    };
    assert_eq!(imitations(&open(true)), ["plain-notes"]);
    assert!(imitations(&open(false)).len() > 3, "nothing is sealed");
    let found = |live: LiveRegistry| live.snapshot().registry().get("рlain-note").is_some();
    assert_eq!((found(open(true)), found(open(false))), (false, true));
    let live = open(true);
    let snapshot = live.snapshot();
    let messages: Vec<&str> = snapshot
        .findings()
        .filter(|finding| finding.code == skills::findings::Code::E013)
        .map(|finding| finding.message.as_str())
        .collect();
    assert!(
        messages.iter().all(|message| message.ends_with("looks like `plain-note`, which is sealed")),
        "{messages:?}"
    );
    assert!(messages.len() >= 5, "{messages:?}");
    let data = serde_json::to_value(snapshot.registry().list()).expect("it is JSON");
    let sealed = |name: &str| {
        let skills = data["skills"].as_array().expect("a list");
        skills.iter().find(|skill| skill["name"] == name).expect("it is listed")["sealed"].clone()
    };
    assert_eq!((sealed("plain-note"), sealed("plain-notes")), (true.into(), false.into()));
    // Of equal scores, the sealed skill comes first.
    let results = snapshot.registry().search_with(
        "lain",
        skills::search::SearchOptions::new().ranking(skills::search::Ranking::Reference),
    );
    assert_eq!(results.expect("a query").results[0].entry.skill.name(), "plain-note");
}

#[test]
fn a_sealed_skill_keeps_its_slash() {
    let dir = disk::temp();
    let definition = "name: plain-note\ndescription: Mine\ntype: text\ntemplate_path: t.txt\n";
    disk::write(dir.path(), "mine/plain-note.command.yaml", definition);
    disk::write(dir.path(), "mine/t.txt", "Mine\n");
    let open = |sealed| Overlays::over(&SKILLS).root(at(dir.path(), "mine")).sealed(sealed).open();
    let command = |sealed| open(sealed).snapshot().registry().command("/plain-note").is_some();
    // If there is only a command, the tool is still offered.
    let alone = Overlays::without_bundle().root(at(dir.path(), "mine")).open();
    let tools =
        alone.snapshot().registry().tools(skills::Provider::Anthropic, &skills::ToolOptions::default());
    assert!(tools.contains("skills_tool"), "{tools}");
    assert_eq!((command(false), command(true)), (true, false));
    let sealed = open(true);
    let snapshot = sealed.snapshot();
    let invoked = snapshot.registry().invoke("/plain-note now").expect("it is called").expect("a call");
    assert!(matches!(invoked.target, skills::commands::Callable::Skill(entry) if entry.origin == "bundle"));
}

/// A skill that was blocked by its directory's name stays blocked if that name then finds another.
#[test]
fn a_block_by_directory_cannot_be_undone_from_a_root() {
    let dir = disk::temp();
    disk::write(dir.path(), "mine/deploy/SKILL.md", skill_md("ship", "Ships"));
    disk::write(dir.path(), "mine/other/deploy/SKILL.md", skill_md("harmless", "Takes the name"));
    disk::write(dir.path(), "mine/named/SKILL.md", skill_md("deploy", "Takes it too"));
    let live = Overlays::without_bundle()
        .root(at(dir.path(), "mine"))
        .policy(skills::Policy::allow_all().block("deploy"))
        .open();
    let snapshot = live.snapshot();
    assert!(snapshot.registry().get("ship").is_none());
}

#[test]
fn an_absolute_path_of_the_skill_is_accepted() {
    let dir = disk::temp();
    disk::write(dir.path(), "mine/pdf/SKILL.md", skill_md("pdf", "Reads"));
    disk::write(dir.path(), "mine/pdf/references/a.md", "a\n");
    let live = Overlays::without_bundle().root(skills::live::Root::new(dir.path().join("mine"))).open();
    let snapshot = live.snapshot();
    let registry = snapshot.registry();
    let path = format!("{}/references/a.md", registry.get("pdf").expect("it is served").skill.path());
    if path.starts_with('/') {
        let content = registry.read_file("pdf", &path, 0).expect("it is its own file");
        assert_eq!(content.text.as_deref(), Some("a\n"));
        let out = path.replace("references/a.md", "../other");
        assert_eq!(registry.read_file("pdf", &out, 0).map(|_| ()), Err(skills::ActionError::Outside));
    }
}

/// A skill's own name comes before another's directory name, in any root.
#[test]
fn own_names_come_before_directory_names() {
    let dir = disk::temp();
    disk::write(dir.path(), "first/pdf/SKILL.md", skill_md("reader", "First"));
    disk::write(dir.path(), "first/only/SKILL.md", skill_md("something", "First"));
    disk::write(dir.path(), "second/documents/SKILL.md", skill_md("pdf", "Second"));
    disk::write(dir.path(), "second/papers/SKILL.md", skill_md("reader", "Second"));
    let live = Overlays::without_bundle().root(at(dir.path(), "first")).root(at(dir.path(), "second")).open();
    for (asked, found, from) in [
        ("pdf", "pdf", "second"),
        ("documents", "pdf", "second"),
        ("only", "something", "first"),
        ("reader", "reader", "first"),
        // The directory of the hidden reader finds the one that is served.
        ("papers", "reader", "first"),
    ] {
        let snapshot = live.snapshot();
        let entry = snapshot.registry().get(asked).expect("it is served");
        assert_eq!((entry.skill.name(), entry.origin), (found, from), "{asked}");
    }
    assert_eq!(names(&live), ["pdf", "reader", "something"]);
}

#[test]
fn two_directories_with_one_name_find_nothing() {
    let dir = disk::temp();
    for name in ["one", "two"] {
        disk::write(dir.path(), &format!("root/{name}/help/SKILL.md"), skill_md(name, name));
    }
    let live = Overlays::without_bundle().root(at(dir.path(), "root")).open();
    assert_eq!(names(&live), ["one", "two"]);
    assert!(live.snapshot().registry().get("help").is_none());
}

#[test]
fn unicode_names_are_found_in_any_normalisation() {
    let dir = disk::temp();
    // Composed in one root, decomposed in the other: one name.
    disk::write(dir.path(), "first/a/SKILL.md", skill_md("r\u{e9}sum\u{e9}", "First"));
    disk::write(dir.path(), "second/b/SKILL.md", skill_md("re\u{301}sume\u{301}", "Second"));
    disk::write(dir.path(), "second/帳票/SKILL.md", skill_md("帳票", "Forms"));
    let root = |name| at(dir.path(), name).unicode_names(true);
    let live = Overlays::without_bundle().root(root("first")).root(root("second")).open();
    for asked in ["r\u{e9}sum\u{e9}", "re\u{301}sume\u{301}", "**R\u{c9}SUM\u{c9}**", "b"] {
        let snapshot = live.snapshot();
        let entry = snapshot.registry().get(asked).expect("it is served");
        assert_eq!(entry.origin, "first", "{asked}");
    }
    assert_eq!(live.snapshot().shadowed().len(), 1);
    assert_eq!(origin(&live, "帳票"), "second");
    let strict = Overlays::without_bundle().root(at(dir.path(), "second")).open();
    assert_eq!(names(&strict), [""; 0], "they are switched on for each root");
}

/// One record for each directory that isn't served as it is, and none for others.
#[test]
fn every_directory_is_accounted_for() {
    let dir = disk::temp();
    disk::write(dir.path(), "mine/fine/SKILL.md", skill_md("fine", "Fine"));
    disk::write(dir.path(), "mine/other-name/SKILL.md", skill_md("renamed", "Served, with a warning"));
    disk::write(dir.path(), "mine/broken/SKILL.md", "no fence\n");
    disk::write(dir.path(), "mine/no-skill/readme.md", "nothing");
    disk::write(dir.path(), "mine/.git/config", "hidden");
    disk::write(dir.path(), "mine/node_modules/x/SKILL.md", skill_md("x", "Generated"));
    disk::write(dir.path(), "mine/drafts/y/SKILL.md", skill_md("y", "Ignored"));
    disk::write(dir.path(), "mine/z/fine/SKILL.md", skill_md("fine", "The same name"));
    let live = Overlays::without_bundle().root(at(dir.path(), "mine").ignore("drafts")).open();
    let snapshot = live.snapshot();
    let reasons: Vec<_> = snapshot
        .diagnostics()
        .into_iter()
        .map(|found| {
            assert_eq!(found.origin, "mine");
            let path = found.path.rsplit_once("/mine/").expect("it is below the root").1.to_owned();
            let reason = match found.reason {
                Reason::Broken(findings) => findings.iter().map(|finding| finding.code.as_str()).collect(),
                Reason::LeftOut(LeftOutReason::Hidden) => "hidden".to_owned(),
                Reason::LeftOut(LeftOutReason::Generated) => "generated".to_owned(),
                Reason::LeftOut(LeftOutReason::Ignored) => "ignored".to_owned(),
                Reason::NoSkill => "no skill".to_owned(),
                other => format!("{other:?}"),
            };
            (path, reason)
        })
        .collect();
    let expected = [
        (".git", "hidden"),
        ("broken", "E001"),
        ("drafts", "ignored"),
        ("no-skill", "no skill"),
        ("node_modules", "generated"),
        ("z/fine", "E013"),
    ];
    assert_eq!(reasons, expected.map(|(path, reason)| (path.to_owned(), reason.to_owned())));
    assert_eq!(names(&live), ["fine", "renamed"]);
}

/// `with_pack` and `LiveRegistry` combine packs by the same rules.
#[test]
fn one_root_twice_is_one_root() {
    let dir = disk::temp();
    disk::write(dir.path(), "root/fine/SKILL.md", skill_md("fine", "Fine"));
    let live = Overlays::without_bundle()
        .root(at(dir.path(), "root"))
        .root(at(dir.path(), "root").label("again"))
        .open();
    assert_eq!((names(&live), body(&live, "fine")), (vec!["fine".to_owned()], "Body of fine.".to_owned()));
    assert_eq!(live.snapshot().shadowed().len(), 1);
}

/// Overlays stand over several packs as over one; a load says where a skill comes from.
#[test]
fn overlays_stand_over_several_packs() {
    static PACKS: [(&str, &skills::Bundle); 2] = [("app", &SKILLS), ("again", &SKILLS)];
    let dir = disk::temp();
    disk::write(dir.path(), "mine/plain-note/SKILL.md", skill_md("plain-note", "Mine"));
    let live = Overlays::over(&PACKS).root(at(dir.path(), "mine")).open();
    let snapshot = live.snapshot();
    let registry = snapshot.registry();
    let from = |registry: &skills::Registry<'_>, name: &str| {
        registry.get(name).map(|entry| entry.origin.to_owned()).unwrap_or_default()
    };
    assert_eq!((from(&registry, "plain-note"), from(&registry, "wordy")), ("mine".into(), "app".into()));
    assert!(
        registry
            .load("wordy")
            .expect("it is served")
            .text()
            .starts_with("Skill: wordy\nPath: skills/wordy\nOrigin: app\n")
    );
    let mine = registry.load("plain-note").expect("it is served").text();
    assert_eq!(mine.lines().nth(2), Some("Origin: mine"), "{mine}");
    // All skills of the second pack are hidden, and the one of the first that the root has.
    let hidden = snapshot.shadowed();
    assert_eq!(hidden.len(), SKILLS.len() + 1);
    assert!(
        hidden.iter().filter(|hidden| hidden.origin == "again").all(|hidden| hidden.by_origin != "again")
    );
    // A bundle alone says nothing of it, and neither does a search or a list.
    let alone = skills::Registry::new(&SKILLS);
    assert!(!alone.load("wordy").expect("it is served").text().contains("Origin"));
    assert!(!registry.list().to_string().contains("app") || alone.list().to_string().contains("app"));
    let sealed = Overlays::over(PACKS.as_slice()).root(at(dir.path(), "mine")).sealed(true).open();
    assert_eq!(from(&sealed.snapshot().registry(), "plain-note"), "app");
}
