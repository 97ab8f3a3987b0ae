//! Where skills are, and what only looks like one: indexes, folders of commands, hidden folders, links.

use skills_bundle::compile::{check, in_hidden_directories, no_skills};
use skills_bundle::{Code, Config, fix};
use skills_tests::disk;

use super::{assert_verdicts, case, compiled, config, names, open, served};

#[test]
fn a_command_called_skill_is_no_skill() {
    let dir = case("204-command-called-skill");
    let report = check(&config(&dir));
    assert_verdicts(&report, &[]);
    assert_eq!(report.without_skill, ["skills/commands"]);
    assert_eq!(served(&compiled(&dir)), ["tidy"]);
    assert!(fix::plan(&config(&dir)).is_empty());
    assert_eq!(names(&open(&dir, &["skills"])), ["tidy"]);
}

/// The index is L131 where the case has E001: it hides nothing.
#[test]
fn an_index_hides_nothing() {
    let dir = case("212-index-skill-at-root");
    let report = check(&config(&dir));
    let found: Vec<_> = report.findings.iter().map(|finding| (finding.path.as_str(), finding.code)).collect();
    assert_eq!(found, [("skills/SKILL.md", Code::L131)]);
    assert_eq!(served(&compiled(&dir)), ["one", "two"]);
    let live = open(&dir, &["skills"]);
    assert_eq!(names(&live), ["one", "two"]);
    // With a frontmatter all below is one skill; without a skill below, the frontmatter is missing.
    let index = dir.path().join("skills/SKILL.md");
    let text = disk::read_text(&index);
    disk::write(dir.path(), "skills/SKILL.md", disk::skill_md("skills", "All of them") + &text);
    assert_eq!(served(&compiled(&dir)), ["skills"]);
    live.refresh();
    assert_eq!(names(&live), ["skills"]);
    disk::write(dir.path(), "skills/SKILL.md", text);
    for skill in ["one", "two"] {
        disk::remove(&dir.path().join("skills").join(skill).join("SKILL.md"));
    }
    let report = check(&config(&dir));
    assert_eq!(report.findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), [Code::E001]);
}

/// Of each skill and command, whether it is there before and after all fixes.
fn before_and_after(dir: &tempfile::TempDir) -> (Vec<String>, Vec<String>) {
    let found = || {
        let report = compiled(dir);
        let mut all: Vec<String> = served(&report).into_iter().map(str::to_owned).collect();
        let pack = super::pack(&report);
        all.extend(pack.commands().map(|command| format!("/{}", command.name())));
        let live = open(dir, &["skills"]);
        let snapshot = live.snapshot();
        let skills = snapshot.registry().skills();
        let mut served: Vec<String> = skills.iter().map(|entry| entry.skill.name().to_owned()).collect();
        served.extend(
            snapshot.registry().commands().iter().map(|command| format!("/{}", command.command.name())),
        );
        assert_eq!(all, served, "a build and an overlay serve the same");
        all
    };
    let before = found();
    for fix in fix::plan(&config(dir)) {
        fix::write(&fix).expect("it is written");
    }
    (before, found())
}

const COMMAND: &str = "name: go\ndescription: Goes\ntype: text\ntemplate_path: go.txt\n";

/// A SKILL.md that is refused is one fault, wherever it is, and what is below it is as it was.
#[test]
fn a_broken_skill_hides_none_below_it() {
    for outer in ["skills", "skills/group"] {
        for broken in [
            "# All of them\n",
            "---\nname: group\ndescription: All: of them\n---\n",
            "---\nname: group\nDescription: All of them\n---\n",
            "---\nname: group\ndescription: All of them\ntags: {\n",
            "---\nname: All of them\ndescription: All of them\n---\n",
            "---\n- group\n---\n",
        ] {
            let dir = disk::temp();
            disk::write(dir.path(), &format!("{outer}/SKILL.md"), broken);
            disk::write(dir.path(), &format!("{outer}/one/SKILL.md"), disk::skill_md("one", "The first"));
            disk::write(dir.path(), &format!("{outer}/more/two/SKILL.md"), disk::skill_md("two", "The next"));
            let report = check(&config(&dir).allow("L103"));
            let found: Vec<&str> = report.findings.iter().map(|finding| finding.path.as_str()).collect();
            assert_eq!(found, [format!("{outer}/SKILL.md")], "{broken}: {:#?}", report.findings);
            let (before, after) = before_and_after(&dir);
            assert_eq!(before, ["one", "two"], "{broken}");
            assert_eq!(before, after, "{broken}");
        }
    }
}

/// What is refused and what is not can change while a live root is open.
#[test]
fn a_skill_that_is_fixed_takes_what_is_below_it() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/outer/SKILL.md", "---\nname: outer\n---\n");
    disk::write(dir.path(), "skills/outer/one/SKILL.md", disk::skill_md("one", "The first"));
    let live = open(&dir, &["skills"]);
    assert_eq!(names(&live), ["one"]);
    disk::write(dir.path(), "skills/outer/SKILL.md", disk::skill_md("outer", "All of them"));
    live.refresh();
    assert_eq!(names(&live), ["outer"]);
    let loaded = live.snapshot();
    let text = loaded.registry().load("outer").expect("it is served").text();
    assert!(text.contains("one/"), "{text}");
    // The last good version is served, and with it all of its files.
    disk::write(dir.path(), "skills/outer/SKILL.md", "---\nname: outer\n---\n");
    live.refresh();
    assert_eq!(names(&live), ["outer"]);
    assert_eq!(names(&open(&dir, &["skills"])), ["one"]);
}

/// A file called `skill.md` among commands, agents, prompts or documents is one of them.
#[test]
fn no_fix_makes_a_skill_of_another_thing() {
    let flat = "---\nname: commands\ndescription: Makes a: skill\n---\nMake one\n";
    for (folder, beside) in [
        ("commands", "go.command.yaml"),
        ("commands/deep", "go.command.yaml"),
        ("acts", "go.command.yaml"),
        ("commands", "other.md"),
        ("agents", "other.md"),
        ("prompts", "other.md"),
        ("docs", "other.md"),
        ("commands", "one/SKILL.md"),
        ("prompts", "notes/x.md"),
    ] {
        let dir = disk::temp();
        let name = folder.rsplit('/').next().expect("it has a name");
        disk::write(dir.path(), &format!("skills/{folder}/skill.md"), flat.replace("commands", name));
        disk::write(dir.path(), "skills/tidy/SKILL.md", disk::skill_md("tidy", "Tidies up"));
        let text = match beside {
            "go.command.yaml" => COMMAND.to_owned(),
            "one/SKILL.md" => disk::skill_md("one", "The first"),
            _ => "# Other\n".to_owned(),
        };
        disk::write(dir.path(), &format!("skills/{folder}/{beside}"), text);
        disk::write(dir.path(), &format!("skills/{folder}/go.txt"), "Go\n");
        assert!(fix::plan(&config(&dir)).is_empty(), "{folder}/{beside}");
        let (before, after) = before_and_after(&dir);
        let expected = match beside {
            "go.command.yaml" => vec!["tidy", "/go"],
            "one/SKILL.md" => vec!["one", "tidy"],
            _ => vec!["tidy"],
        };
        assert_eq!(
            (before, after),
            (
                expected.iter().map(ToString::to_string).collect(),
                expected.iter().map(ToString::to_string).collect()
            ),
            "{folder}/{beside}"
        );
    }
}

/// Nothing but the name of its directory says that a `skill.md` is meant to be one.
#[test]
fn only_a_skill_of_its_directorys_name_is_renamed() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/pdf/skill.md", disk::skill_md("pdf", "Reads forms"));
    disk::write(dir.path(), "skills/notes/skill.md", disk::skill_md("csv", "Reads tables"));
    let renamed: Vec<_> = fix::plan(&config(&dir)).into_iter().filter_map(|fix| fix.new_path).collect();
    assert_eq!(renamed, ["skills/pdf/SKILL.md"]);
}

#[test]
fn hidden_folders_with_skills_are_named() {
    let dir = case("214-skills-in-dot-folders");
    let config = Config::new("skills").base(dir.path());
    let report = check(&config);
    let hidden = in_hidden_directories(&config, &report);
    assert_eq!(hidden, ["skills/.claude/skills", "skills/skills/.curated"]);
    let message = no_skills(&config, &report).expect("there is none");
    assert!(
        message.ends_with(
            "there are skills in `skills/.claude/skills`, `skills/skills/.curated`: give that directory"
        ),
        "{message}"
    );
    assert_eq!(check(&Config::new("skills/.claude/skills").base(dir.path())).skills, 1);
}

/// What a policy hides is not read through a neighbour.
#[cfg(unix)]
#[test]
fn a_link_into_another_skill_is_not_followed() {
    let dir = disk::temp();
    for name in ["pdf", "report", "group/csv"] {
        let leaf = name.rsplit('/').next().unwrap_or(name);
        disk::write(
            dir.path(),
            &format!("skills/{name}/SKILL.md"),
            disk::skill_md(leaf, &format!("Does {leaf}")),
        );
    }
    disk::write(dir.path(), "skills/pdf/references/forms.md", "secret");
    disk::write(dir.path(), "skills/shared/terms.md", "terms");
    disk::link(dir.path(), "skills/report/forms.md", "../pdf/references/forms.md");
    disk::link(dir.path(), "skills/report/all", "../pdf");
    disk::link(dir.path(), "skills/report/body.md", "../pdf/SKILL.md");
    disk::link(dir.path(), "skills/report/group", "../group");
    disk::link(dir.path(), "skills/report/shared", "../shared");
    disk::link(dir.path(), "skills/report/again.md", "SKILL.md");
    disk::link(dir.path(), "skills/part", "pdf/references");
    let report = check(&Config::new("skills").base(dir.path()).allow("L103"));
    let found: Vec<_> = report.findings.iter().map(|finding| (finding.path.as_str(), finding.code)).collect();
    assert_eq!(
        found,
        [
            "skills/part",
            "skills/report/all",
            "skills/report/body.md",
            "skills/report/forms.md",
            "skills/report/group/csv"
        ]
        .map(|path| (path, Code::L125))
    );
    let generated = compiled(&dir);
    let files = |name: &str| {
        let skill =
            super::pack(&generated).skills().find(|skill| skill.name() == name).expect("it is served");
        skill.files().map(|file| file.path().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(files("report"), ["SKILL.md", "again.md", "shared/terms.md"]);
    let live = open(&dir, &["skills"]);
    assert_eq!(names(&live), ["csv", "pdf", "report"]);
    let snapshot = live.snapshot();
    assert!(snapshot.registry().read_file("report", "forms.md", 0).is_err());
    assert!(snapshot.registry().read_file("report", "shared/terms.md", 0).is_ok());
}

/// In a build it is an error; an overlay leaves out the file alone.
#[cfg(unix)]
#[test]
fn a_link_out_of_an_overlay_costs_the_file_alone() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/report/SKILL.md", disk::skill_md("report", "Does report"));
    disk::write(dir.path(), "private.md", "private");
    disk::link(dir.path(), "skills/report/out.md", "../../private.md");
    assert!(served(&compiled(&dir)).is_empty());
    let live = open(&dir, &["skills"]);
    assert_eq!(names(&live), ["report"]);
    let snapshot = live.snapshot();
    assert_eq!(snapshot.findings().count(), 0);
    let found = snapshot.file_findings("report").iter();
    assert_eq!(found.map(|finding| finding.code).collect::<Vec<_>>(), [Code::E014]);
    assert!(snapshot.registry().read_file("report", "out.md", 0).is_err());
}
