//! The results of `check --fix`: every fixture that can be fixed has its diff as a snapshot.
//!
//! A fix must do what the author meant: the skill is read again, and everything that wasn't touched is the
//! same. `disk_writes` tests how a fix is written to disk.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, and so do its helpers")]

use std::path::{Path, PathBuf};

use skills_bundle::compile::{check, compile_good};
use skills_bundle::fix::{self, FileFix};
use skills_bundle::{Config, render};
use skills_source::rules::Rules;
use skills_source::skill;
use skills_tests::disk;

mod disk_writes;

fn fixtures(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(kind)
}

fn plan(folder: &Path) -> Vec<FileFix> {
    fix::plan(&Config::new("skills").base(folder))
}

#[test]
fn fixes_are_shown_as_a_diff() {
    insta::glob!("../../fixtures/bad", "*/about.txt", |about| {
        let folder = about.parent().expect("the file is in a folder");
        let diffs: String = plan(folder).iter().map(fix::diff).collect();
        if !diffs.is_empty() {
            let shown: Vec<_> = diffs.lines().map(render::escape).collect();
            insta::with_settings!({ description => disk::read_text(about).trim(), omit_expression => true }, {
                insta::assert_snapshot!(shown.join("\n"));
            });
        }
    });
}

#[test]
fn a_fixed_finding_is_gone_and_nothing_else_changes() {
    let mut written = 0;
    for folder in disk::directories(&fixtures("bad")) {
        let name = disk::name(&folder);
        let copy = disk::temp();
        disk::copy(&folder, copy.path());
        let config = Config::new("skills").base(copy.path());
        let fixes = fix::plan(&config);
        let before = check(&config);
        for fix in &fixes {
            fix::write(fix).unwrap_or_else(|error| panic!("{name}: {}: {error}", fix.path));
            written += 1;
        }
        let after = check(&config);
        let fixed: usize = fixes.iter().map(|fix| fix.fixed.len()).sum();
        let new = |code| {
            let of = |report: &skills_bundle::Report| {
                report.findings.iter().filter(|finding| finding.code == code).count()
            };
            of(&after) > of(&before)
        };
        // A fix can reveal findings that were hidden, but never another error in the YAML.
        let shown: Vec<_> = after.findings.iter().map(ToString::to_string).collect();
        assert!(after.findings.len() + fixed >= before.findings.len(), "{name}: {shown:#?}");
        assert!(!new(skills_bundle::Code::E003) && !new(skills_bundle::Code::E012), "{name}: {shown:#?}");
        assert!(fix::plan(&config).is_empty(), "{name}: fixing twice fixes more");
        let touched = |path: &Path| {
            fixes.iter().any(|fix| {
                let is = |shown: &str| Path::new(shown) == path;
                is(&fix.path) || fix.new_path.as_deref().is_some_and(is)
            })
        };
        for file in disk::files(copy.path()) {
            if !touched(&file) {
                assert!(disk::read(&copy.path().join(&file)) == disk::read(&folder.join(&file)), "{name}");
            }
        }
        assert!(
            !disk::files(copy.path()).iter().any(|file| disk::name(file).starts_with(".skills")),
            "{name}"
        );
    }
    assert!(written > 10, "only {written} files were fixed");
}

#[test]
fn good_skills_are_left_alone() {
    for folder in disk::directories(&fixtures("good")) {
        assert!(plan(&folder).is_empty(), "{}", disk::name(&folder));
    }
}

/// The text after fixing, and the description that is then read.
fn fixed(text: &str) -> Option<(String, String)> {
    let rules = Rules::default();
    let fixed = fix::fix_skill("skills/garden/SKILL.md", "garden", text.as_bytes(), &rules)?;
    let (skill, _) = skill::read("skills/garden/SKILL.md", "garden", &fixed.bytes, &rules);
    let description = skill?.frontmatter.description.map(|text| text.value).unwrap_or_default();
    Some((String::from_utf8(fixed.bytes).expect("UTF-8"), description))
}

/// The frontmatter with this line in it, after fixing; `None` if nothing was fixed.
fn line(line: &str) -> Option<(String, String)> {
    let (text, description) = fixed(&format!("---\nname: garden\n{line}\nlicense: MIT # ours\n---\nBody\n"))?;
    let line =
        text.strip_prefix("---\nname: garden\n")?.strip_suffix("\nlicense: MIT # ours\n---\nBody\n")?;
    Some((line.to_owned(), description))
}

#[test]
fn an_unambiguous_value_is_quoted() {
    for (written, right, meant) in [
        ("description: Plan: soil", r#"description: "Plan: soil""#, "Plan: soil"),
        ("description: Plan: a \"bed\" it's", "description: 'Plan: a \"bed\" it''s'", "Plan: a \"bed\" it's"),
        ("description:   Plan:  \\d  ", "description:   'Plan:  \\d'  ", "Plan:  \\d"),
        (
            "description: Plan.\n  Works with water plan: yes",
            "description: \"Plan.\n  Works with water plan: yes\"",
            "Plan. Works with water plan: yes",
        ),
        ("description: @bed plan", r#"description: "@bed plan""#, "@bed plan"),
        ("description: **Plans** a bed", r#"description: "**Plans** a bed""#, "**Plans** a bed"),
        (r#"description: "Plans" a bed"#, r#"description: '"Plans" a bed'"#, r#""Plans" a bed"#),
        (
            r#"description: "Fill" forms and "sign""#,
            r#"description: '"Fill" forms and "sign"'"#,
            r#""Fill" forms and "sign""#,
        ),
        (r#"description: "the "good" one""#, r#"description: 'the "good" one'"#, r#"the "good" one"#),
        (r#"description: "dates \d+""#, r"description: 'dates \d+'", r"dates \d+"),
        ("description: \"Plans a bed", "description: \"Plans a bed\"", "Plans a bed"),
        ("description: [beta] Plans a bed", "description: \"[beta] Plans a bed\"", "[beta] Plans a bed"),
        ("description:Plans a bed", "description: Plans a bed", "Plans a bed"),
        ("description: Plans \u{feff}beds", "description: Plans beds", "Plans beds"),
        ("Description: Plans beds", "description: Plans beds", "Plans beds"),
        ("descripton : Plans beds # well", "description : Plans beds # well", "Plans beds"),
    ] {
        assert_eq!(line(written), Some((right.to_owned(), meant.to_owned())), "{written}");
    }
}

#[test]
fn signs_that_are_not_of_ascii_are_replaced() {
    for (written, right) in [
        ("description: “Reads: forms”", "description: \"Reads: forms\""),
        (
            "description: x\nallowed-tools: Bash（git add *）， Read",
            "description: x\nallowed-tools: Bash(git add *), Read",
        ),
        ("description: x\ntools: Read、Write", "description: x\ntools: Read,Write"),
    ] {
        assert_eq!(line(written).map(|(line, _)| line).as_deref(), Some(right), "{written}");
    }
    // A part of what a tool may do is not touched.
    for written in [
        "description: x\nallowed-tools: Bash（echo 你，好）",
        "description: x\nallowed-tools: Bash（x",
        "description: “Reads: “a” forms”",
    ] {
        let fixed = line(written).map(|(line, _)| line);
        assert!(fixed.is_none_or(|line| line.contains('“') && line.contains("\"“Reads")), "{written}");
    }
}

#[test]
fn fences_of_other_dashes_are_replaced() {
    for (open, close) in [("－－－", "－－－"), ("———", "---"), ("—", "—"), ("---", "－－－")]
    {
        let text = format!("{open}\nname: garden\ndescription: Plans\n{close}\nBody — －－－\n");
        let right = "---\nname: garden\ndescription: Plans\n---\nBody — －－－\n";
        assert_eq!(fixed(&text), Some((right.to_owned(), "Plans".to_owned())), "{open} {close}");
    }
    // No skill comes of it.
    for text in
        ["———\nA note: this\n———\n", "———\nname: garden\n———\n", "———\nname: garden\ndescription: x\n"]
    {
        assert_eq!(fixed(text), None, "{text}");
    }
    // Nor is a part of the body taken for fields: a heading, a paragraph, a note.
    for body in ["# Rules\n", "\nNote: never push\n\n", "Note: never push\n"] {
        for (open, close) in [("---", "———"), ("———", "———"), ("———", "---")] {
            let text = format!("{open}\nname: garden\ndescription: Plans\n{body}{close}\nEnd\n");
            assert_eq!(fixed(&text), None, "{text}");
        }
    }
}

#[test]
fn an_ambiguous_value_is_left_alone() {
    for written in [
        // A comment, or a part of the text?
        "description: Plan: soil #3",
        // A field of its own?
        "description: Plans beds\n  version: 1",
        // A list?
        "tags: - soil",
        "tags: [a] [b]",
        // A block?
        "description: > Plans a bed",
        // A line feed, or a directory?
        "description: \"C:\\new\\d\"",
        // An apostrophe?
        "description: 'Tis the season",
        "description: 'it's'",
        // A mapping?
        "metadata: @x",
        // Another field?
        "authors: Ann",
        "summary: Plans\nDescription: Plans",
        "http://x",
        "url:x",
    ] {
        assert_eq!(line(written), None, "{written}");
    }
}

#[test]
fn marks_line_endings_and_comments_stay() {
    let text = "\u{feff}\r\n---  \r\n# first\r\nname: garden # mine\r\ndescription: Plan: soil\r\n\r\nmetadata:   {a:   1}\r\n---\t\r\n\r\n\r\nBody: [ \"\r\n";
    let (after, _) = fixed(text).expect("it is fixed");
    assert_eq!(after, text.replace("Plan: soil", "\"Plan: soil\""));
}

#[test]
fn several_findings_in_one_file_are_fixed_at_once() {
    let text = "---\nName: garden\ndescription: Plan: soil\nlicense: @MIT\ntags: [a\nversion:1.10\n---\n";
    let (after, _) = fixed(text).expect("it is fixed");
    assert_eq!(
        after,
        "---\nname: garden\ndescription: \"Plan: soil\"\nlicense: \"@MIT\"\ntags: [a\nversion: 1.10\n---\n"
    );
}

/// The names that are served of a root.
fn served(config: &Config) -> Vec<String> {
    let generated = compile_good(config);
    let pack = generated.pack().expect("the blocks fit");
    let commands = pack.commands().map(|command| format!("/{}", command.name()));
    pack.skills().map(|skill| skill.name().to_owned()).chain(commands).collect()
}

/// A fixed tree has the skills and commands that it had, or more.
fn assert_nothing_is_lost(root: &Path) {
    let config = Config::new("skills").base(root);
    let before = served(&config);
    for fix in fix::plan(&config) {
        fix::write(&fix).expect("the disk takes it");
    }
    let after = served(&config);
    let lost: Vec<_> = before.iter().filter(|name| !after.contains(name)).collect();
    assert!(lost.is_empty(), "{}: {lost:?}", root.display());
    assert!(plan(root).is_empty(), "{}: fixing is done at once", root.display());
}

#[test]
fn no_fixture_loses_a_skill_or_command() {
    for kind in ["bad", "good", "cases"] {
        for folder in disk::directories(&fixtures(kind)) {
            let copy = disk::temp();
            disk::copy(&folder, copy.path());
            assert_nothing_is_lost(copy.path());
        }
    }
}

/// Trees of what a fix could change: names in other letters, misspelt fields, values in need of quotes, each
/// beside, above and below other skills and commands.
#[test]
fn no_tree_loses_a_skill_or_command() {
    let contents = [
        disk::skill_md("a", "Does this"),
        disk::skill_md("b", "Does that"),
        disk::skill_md("a", "Does: a thing"),
        "---\nNaame: b\ndescription: x\n---\n".to_owned(),
        "---\nname: a\ndescripton: x\n---\n".to_owned(),
        "# an index\n".to_owned(),
    ];
    let directories = ["", "a/", "b/", "a/b/", "commands/", "commands/a/", "c/commands/"];
    let files = ["SKILL.md", "skill.md", "Skill.md"];
    let mut state = 7_u32;
    let mut next = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    for _ in 0..150 {
        let dir = disk::temp();
        disk::write(dir.path(), "skills/commands/explain.md", "Explain it");
        for _ in 0..2 + next(4) {
            let (directory, file) = (directories[next(directories.len())], files[next(files.len())]);
            disk::write(dir.path(), &format!("skills/{directory}{file}"), &contents[next(contents.len())]);
            if next(3) == 0 {
                let name = format!("skills/{directory}do.command.yaml");
                disk::write(
                    dir.path(),
                    &name,
                    "name: do\ndescription: x\ntype: text\ntemplate_path: do.txt\n",
                );
                disk::write(dir.path(), &format!("skills/{directory}do.txt"), "Do {raw}");
            }
        }
        assert_nothing_is_lost(dir.path());
    }
}
