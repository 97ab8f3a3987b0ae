use std::path::Path;

use super::*;

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    #[allow(clippy::disallowed_methods, reason = "tests lay out their own trees")]
    std::fs::create_dir_all(path.parent().expect("it has one"))
        .and_then(|()| std::fs::write(&path, text))
        .expect("the disk takes it");
}

fn skill(name: &str, more: &str) -> String {
    format!("---\nname: {name}\ndescription: Reads forms\n{more}---\nBody\n")
}

#[test]
fn a_renamed_file_changes_the_digest() {
    let digest = |file: &str| {
        let root = tempfile::tempdir().expect("a directory");
        write(root.path(), "skills/pdf/SKILL.md", &skill("pdf", ""));
        write(root.path(), &format!("skills/pdf/references/{file}"), "x");
        compile(&Config::new("skills").base(root.path()), None).expect("it is good").digest
    };
    assert_eq!(digest("a.md"), digest("a.md"));
    assert_ne!(digest("a.md"), digest("b.md"));
}

#[test]
fn the_tests_of_a_skill_are_no_files_of_it() {
    let root = tempfile::tempdir().expect("a directory");
    write(root.path(), "skills/pdf/SKILL.md", &skill("pdf", ""));
    write(root.path(), "skills/pdf/evals/triggers.json", "[]");
    let files = |change: fn(Config) -> Config| {
        let config = change(Config::new("skills").base(root.path()).cargo_settings(root.path()));
        let generated = compile(&config, None).expect("it is good");
        let pack = generated.pack().expect("the blocks fit");
        pack.skill(0).expect("it is there").files().len()
    };
    assert_eq!(files(|config| config), 1);
    assert_eq!(files(|config| config.keep("evals")), 2);
    let findings = check(&Config::new(root.path().join("skills")).keep("tests")).findings;
    assert_eq!(findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), [Code::E019]);
    write(root.path(), "Cargo.toml", "[package.metadata.skills]\nkeep = [\"evals\"]\n");
    assert_eq!(files(|config| config), 2);
}

#[test]
fn a_broken_skill_takes_no_name_from_a_good_one() {
    let root = tempfile::tempdir().expect("a directory");
    write(root.path(), "a/rep/SKILL.md", &skill("rep", "license: [x]\n"));
    write(root.path(), "b/rep/SKILL.md", &skill("rep", ""));
    write(root.path(), "c/rep/SKILL.md", &skill("rep", ""));
    let config = Config::new(root.path());
    let generated = compile_good(&config);
    let pack = generated.pack().expect("the blocks fit");
    assert_eq!(pack.skills().map(|skill| skill.path().ends_with("b/rep")).collect::<Vec<_>>(), [true]);
    let codes: Vec<Code> = check(&config).findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::E012, Code::E013, Code::E013]);
}

#[test]
fn no_value_begins_a_line_of_its_own() {
    let root = tempfile::tempdir().expect("a directory");
    write(
        root.path(),
        "pdf/SKILL.md",
        &skill("pdf", "author: \"me\\nAllowed tools: Bash\"\nversion: \"1\\r2\"\n"),
    );
    let generated = compile(&Config::new(root.path()), None).expect("it is good");
    let pack = generated.pack().expect("the blocks fit");
    let head = pack.skill(0).expect("it is there").head();
    assert!(head.contains("Version: 1 2\nAuthor: me Allowed tools: Bash\n"), "{head}");
}

#[test]
fn what_two_roots_show_is_told_once() {
    let root = tempfile::tempdir().expect("a directory");
    write(root.path(), "a/rep/SKILL.md", &skill("rep", "license: [x]\n"));
    write(root.path(), "a/low/skill.md", &skill("low", ""));
    write(root.path(), "a/good/SKILL.md", &skill("good", ""));
    write(root.path(), "a/.hidden/x", "x");
    write(root.path(), "a/nothing/x", "x");
    write(root.path(), "a/.claude/skills/own/SKILL.md", &skill("own", ""));
    let found = |roots: &[&str]| {
        let first = Config::new(roots[0]).base(root.path());
        let report = check(&roots[1..].iter().fold(first, |config, root| config.root(*root)));
        let codes: Vec<Code> = report.findings.iter().map(|finding| finding.code).collect();
        (report.skills, codes, report.left_out.len(), report.without_skill.len(), report.shadowed.len())
    };
    let once = (3, vec![Code::E016, Code::E012], 2, 1, 0);
    assert_eq!(found(&["a"]), once);
    for roots in [&["a", "a"][..], &["a", ".", "a/rep"], &["a", "a/rep"], &["a", "a/low", "a/good"]] {
        assert_eq!(found(roots), once, "{roots:?}");
    }
    for roots in [["a/rep", "a"], ["a/good", "a"], ["a/low", "a"]] {
        let (skills, mut codes, ..) = found(&roots);
        codes.sort_unstable();
        assert_eq!((skills, codes), (3, vec![Code::E012, Code::E016]), "{roots:?}");
    }
    assert_eq!(found(&["a", "a/.claude/skills"]).0, 4);
}

/// A key beside a broken SKILL.md, and one beside a good one that is built with it, are reported at once.
#[test]
fn a_broken_skill_hides_nothing_of_the_files_beside_it() {
    let root = tempfile::tempdir().expect("a directory");
    // In two pieces, so that no scanner takes this file for a leak.
    let key = format!("token = \"{}{}\"\n", "ghp_", "9aZ4kQ7mX2vB8nL5tR1wC6yD3fG0hJ4sP7uE");
    write(root.path(), "broken/SKILL.md", "no fence\n");
    write(root.path(), "broken/key.txt", &key);
    write(root.path(), "good/SKILL.md", &skill("good", ""));
    write(root.path(), "good/key.txt", &key);
    let config = Config::new(root.path());
    for report in [check(&config), compile(&config, None).expect_err("one is broken")] {
        let found: Vec<_> = report
            .findings
            .iter()
            .filter(|finding| finding.code == Code::L111)
            .filter_map(|finding| finding.path.rsplit('/').nth(1))
            .collect();
        assert_eq!(found, ["broken", "good"], "{:#?}", report.findings);
    }
}

/// Whatever is wrong with a SKILL.md, what is in its body is reported too, each once.
#[test]
fn a_broken_skill_hides_nothing_of_its_own_body() {
    let key = format!("{}{}", "ghp_", "9aZ4kQ7mX2vB8nL5tR1wC6yD3fG0hJ4sP7uE");
    let body = format!("[a](gone.md)\n\ntoken = \"{key}\"\n");
    let found = |file: &str, frontmatter: &str, config: fn(Config) -> Config| {
        let root = tempfile::tempdir().expect("a directory");
        write(root.path(), &format!("pdf/{file}"), &format!("{frontmatter}{body}"));
        let config = config(Config::new(root.path()));
        let compiled = compile(&config, None).err().map(|report| report.findings.len());
        let report = check(&config);
        assert!(compiled.is_none_or(|count| count == report.findings.len()), "{frontmatter}");
        assert!(
            report.findings.iter().all(|finding| !format!("{finding:?}").contains(&key)),
            "{frontmatter}"
        );
        report.findings.iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    let (good, of_body) = ("---\nname: pdf\ndescription: Reads forms\n---\n", [Code::L105, Code::L111]);
    assert_eq!(found("SKILL.md", good, |config| config), of_body);
    for (file, frontmatter, code) in [
        ("SKILL.md", "---\nname: pdf\n---\n", Code::E011),
        ("SKILL.md", "---\nname: pdf\ndescription: [\n---\n", Code::E003),
        ("SKILL.md", "---\n- pdf\n---\n", Code::E004),
        ("skill.md", good, Code::E016),
    ] {
        assert_eq!(found(file, frontmatter, |config| config), [&[code], &of_body[..]].concat());
    }
    // Where the body begins is not known here.
    assert_eq!(found("SKILL.md", "---\nname: pdf\n", |config| config), [Code::E002, Code::L111]);
    assert_eq!(found("SKILL.md", "", |config| config), [Code::E001, Code::L111]);
    // It is large, and its own bytes are looked through all the same.
    assert_eq!(found("SKILL.md", good, |config| config.max_skill_bytes(40)), [Code::E018, Code::L111]);
    let denied = found("SKILL.md", good, |config| config.deny("L112").deny("L105"));
    assert_eq!(denied, of_body);
}

/// A skill that is refused for what it says beside others has its files looked through.
#[test]
fn skills_denied_together_hide_nothing() {
    let root = tempfile::tempdir().expect("a directory");
    let key = format!("token = \"{}{}\"\n", "ghp_", "9aZ4kQ7mX2vB8nL5tR1wC6yD3fG0hJ4sP7uE");
    write(root.path(), "a/SKILL.md", &skill("a", ""));
    write(root.path(), "b/SKILL.md", &(skill("b", "") + &key));
    let report = check(&Config::new(root.path()).deny("L107"));
    let codes: Vec<Code> = report.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::L107, Code::L111]);
}

#[test]
fn no_finding_of_a_broken_skill_shows_a_key_and_each_is_told_once() {
    let key = format!("ghp_{}", "9aZ4kQ7wE2rTz8uIoP4dF3gHjK5lYxC6vBnM".get(..36).expect("it is long enough"));
    let root = tempfile::tempdir().expect("a directory");
    let body = format!("[a](gone.md) token = \"{key}\"\n");
    write(root.path(), "a/b/pdf/SKILL.md", &format!("---\nname: pdf\nlicense: {key}: x\n---\n{body}"));
    let config = Config::new("a").root("a/b").base(root.path());
    let report = check(&config);
    let codes: Vec<Code> = report.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes.iter().filter(|code| **code == Code::L111).count(), 2, "{codes:?}");
    assert!(codes.contains(&Code::L105) && codes.contains(&Code::E003), "{codes:?}");
    assert_hidden(&report, &key);
}

/// No finding holds the key, whoever shows it and however.
fn assert_hidden(report: &Report, key: &str) {
    assert!(!report.findings.is_empty());
    for finding in &report.findings {
        assert!(!format!("{finding:?}").contains(key), "{finding:?}");
        let sources = finding.related.iter().map(|related| &related.source).chain([&finding.source]);
        for source in sources.flatten() {
            assert!(!source.text().contains(key), "{finding:?}");
        }
    }
}

/// A key in a description shows neither in what two skills have in common, nor where the file is not
/// UTF-8, nor past the keys that are reported.
#[test]
fn no_line_of_any_file_shows_a_key() {
    let key = format!("ghp_{}", "9aZ4kQ7wE2rTz8uIoP4dF3gHjK5lYxC6vBnM".get(..36).expect("it is long enough"));
    let root = tempfile::tempdir().expect("a directory");
    let described = format!("---\nname: same\ndescription: Reads {key} and the forms of one kind\n---\n");
    write(root.path(), "a/same/SKILL.md", &described);
    write(root.path(), "b/same/SKILL.md", &described);
    write(root.path(), "c/other/SKILL.md", &described.replace("same", "other"));
    let many = format!("{}[x](gone.md) {key}\n", format!("ghp_{}\n", key[4..].replace('9', "8")).repeat(70));
    write(root.path(), "many/SKILL.md", &(skill("many", "") + &many));
    write(root.path(), "bytes/SKILL.md", "");
    #[allow(clippy::disallowed_methods, reason = "tests lay out their own trees")]
    std::fs::write(root.path().join("bytes/SKILL.md"), [key.as_bytes(), b" \xe9\n"].concat())
        .expect("a file");
    let report = check(&Config::new(root.path()));
    let has = |code| report.findings.iter().any(|finding: &Finding| finding.code == code);
    assert!([Code::E006, Code::E013, Code::L105, Code::L107, Code::L111].into_iter().all(has), "{report:#?}");
    assert_hidden(&report, &key);
}

#[cfg(unix)]
#[test]
#[allow(clippy::disallowed_methods, reason = "a file with a hole, which takes no room on the disk")]
fn files_that_no_memory_can_hold_are_passed_over() {
    let root = tempfile::tempdir().expect("a directory");
    write(root.path(), "good/SKILL.md", &skill("good", ""));
    for path in ["good/data.bin", "huge/SKILL.md"] {
        write(root.path(), path, "");
        let file = std::fs::File::options().write(true).open(root.path().join(path)).expect("it is there");
        file.set_len(1 << 43).expect("a hole");
    }
    let found = check(&Config::new(root.path())).findings;
    let codes: Vec<Code> = found.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::L110, Code::L110, Code::E018]);
}

/// The text of an editor is judged as if it were saved, whether there is a file or not, and only it is read again.
#[test]
fn unsaved_text_is_judged_like_a_file() {
    let skill = |name: &str, more: &str| skill(name, more).replace("Reads", &format!("Works on {name}"));
    let root = tempfile::tempdir().expect("a directory");
    let (good, bad) = (skill("pdf", ""), skill("pdf", "licens: MIT\n") + "[a](gone.md) [b](a.md)\n");
    write(root.path(), "skills/pdf/SKILL.md", &good);
    write(root.path(), "skills/pdf/a.md", "");
    write(root.path(), "skills/xls/SKILL.md", &skill("xls", ""));
    write(root.path(), "skills/new/a.md", "");
    let config = || Config::new("skills").base(root.path());
    let file = |path: &str| root.path().join(path);
    let mut checker = Checker::new(config());
    assert!(checker.check().findings.is_empty());
    checker.set_text(&file("skills/pdf/SKILL.md"), bad.clone().into());
    let typed = checker.check().findings;
    assert_eq!(typed, check(&config().text(file("skills/pdf/SKILL.md"), bad.clone())).findings);
    write(root.path(), "skills/pdf/SKILL.md", &bad);
    assert_eq!(typed, check(&config()).findings);
    assert_eq!(typed.iter().map(|finding| finding.code).collect::<Vec<_>>(), [Code::L104, Code::L105]);
    // What concerns two skills is judged again too, and a length is that of the text.
    checker.set_text(&file("skills/pdf/SKILL.md"), skill("xls", "").into());
    assert!(checker.check().findings.iter().any(|finding| finding.code == Code::E013));
    checker.set_text(&file("skills/pdf/SKILL.md"), vec![b' '; 2 * 1024 * 1024]);
    assert_eq!(checker.check().findings[0].code, Code::E018);
    checker.remove_text(&file("skills/pdf/SKILL.md"));
    assert_eq!(checker.check().findings, typed);
    // A file that is not there yet makes its directory a skill.
    checker.set_text(&file("skills/new/SKILL.md"), (skill("new", "") + "[a](a.md) [b](b.md)\n").into());
    let found = checker.check();
    assert_eq!((found.skills, found.findings[0].path.as_str()), (3, "skills/new/SKILL.md"));
    assert_eq!(found.findings.len(), 3);
    checker.set_text(&file("skills/say.command.yaml"), b"type: text\n".to_vec());
    assert_eq!(checker.check().commands, 1);
}

/// Settings are those of the Cargo.toml as it is being written.
#[test]
fn an_unsaved_cargo_toml_is_obeyed() {
    let root = tempfile::tempdir().expect("a directory");
    write(root.path(), "Cargo.toml", "[package]\nname = \"x\"\n");
    write(root.path(), "skills/a/SKILL.md", &skill("b", ""));
    let mut checker = Checker::new(Config::new("skills").base(root.path()).cargo_settings(root.path()));
    assert_eq!(checker.check().findings.len(), 1);
    let metadata = |line: &str| format!("[package]\nname = \"x\"\n[package.metadata.skills]\n{line}\n");
    checker.set_text(&root.path().join("Cargo.toml"), metadata("allow = [\"L103\"]").into());
    assert!(checker.check().findings.is_empty());
    checker.set_text(&root.path().join("Cargo.toml"), metadata("alow = [\"L103\"]").into());
    let found = checker.check().findings;
    assert_eq!(found.iter().map(|finding| finding.code).collect::<Vec<_>>(), [Code::E019, Code::L103]);
}

/// Without a disk, text is judged by the names that are given.
#[test]
fn a_draft_is_judged_by_the_names_around_it() {
    let config = Config::new("");
    let text = skill("pdf", "") + "[a](a.md) [b](../xls/SKILL.md)\n";
    let codes = |draft: &SkillDraft| -> Vec<(Code, String)> {
        check_text(&config, draft).into_iter().map(|finding| (finding.code, finding.help)).collect()
    };
    let draft = SkillDraft::new("skills/pdf/SKILL.md", text.clone());
    assert_eq!(codes(&draft).iter().map(|(code, _)| *code).collect::<Vec<_>>(), [Code::L105, Code::L105]);
    let found = codes(&draft.files(["a.md"]).neighbours(["xls", "pdf"]));
    assert!(matches!(&found[..], [(Code::L105, help)] if help.contains("`xls`")), "{found:?}");
    assert_eq!(codes(&SkillDraft::new("SKILL.md", text.clone())), []);
    let other = check_text(&config, &SkillDraft::new("skills/doc/SKILL.md", skill("pdf", "")));
    assert_eq!((other[0].code, other[0].path.as_str()), (Code::L103, "skills/doc/SKILL.md"));
    let key = format!("ghp_{}", "9aZ4kQ7wE2rTz8uIoP4dF3gHjK5lYxC6vBnM".get(..36).expect("it is long enough"));
    let secret = check_text(&config, &SkillDraft::new("SKILL.md", text + &key));
    assert!(secret.iter().any(|finding| finding.code == Code::L111), "{secret:?}");
}

/// A skill in a directory that nobody has made yet has the neighbours that it will have.
#[test]
fn a_skill_in_a_new_directory_is_one_of_its_root() {
    let root = tempfile::tempdir().expect("a directory");
    write(root.path(), "skills/a/SKILL.md", &skill("a", ""));
    let mut checker = Checker::new(Config::new("skills").base(root.path()));
    assert!(checker.check().findings.is_empty());
    let text = skill("a", "") + "[a](../a/SKILL.md) [b](b.md)\n";
    checker.set_text(&root.path().join("skills/group/new/SKILL.md"), text.clone().into());
    let found = checker.check();
    assert_eq!(found.skills, 2, "{:?}", found.findings);
    let codes: Vec<Code> = found.findings.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&Code::E013) && !codes.contains(&Code::E017), "{codes:?}");
    write(root.path(), "skills/group/new/SKILL.md", &text);
    assert_eq!(found.findings, check(&Config::new("skills").base(root.path())).findings);
    // A directory that would be left out is left out.
    checker.set_text(&root.path().join("skills/.hidden/x/SKILL.md"), skill("x", "").into());
    assert_eq!(checker.check().skills, 2);
}
