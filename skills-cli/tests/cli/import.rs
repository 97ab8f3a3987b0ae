//! `skills lock --import`: locks of other tools become one with commits. Skipped where there is no server.

use std::fs;

use serde_json::json;

use crate::place::Ran;
use crate::project::{files, git, lock, project, run};
use crate::served::Served;

fn left(ran: &Ran) -> Vec<(String, String)> {
    let document = ran.json();
    let left = document["left"].as_array().cloned().unwrap_or_default();
    let text = |line: &serde_json::Value, key: &str| line[key].as_str().unwrap_or_default().to_owned();
    left.iter().map(|line| (text(line, "name"), text(line, "why"))).collect()
}

#[test]
fn a_lock_in_json_gets_commits() {
    let Some(served) = Served::new() else { return };
    let repository = served.repository("repo.git");
    git(&repository, &["tag", "v1"]);
    let url = format!("{}/repo.git", served.base);
    let of = |more: serde_json::Value| {
        let mut entry =
            json!({ "source": "localhost/repo", "sourceType": "git", "sourceUrl": url, "computedHash": "0" });
        entry.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        entry
    };
    let theirs = json!({ "version": 1, "skills": {
        "pdf": of(json!({ "ref": "v1", "skillPath": "skills/pdf/SKILL.md" })),
        "csv": of(json!({})),
        "gone": of(json!({ "ref": "v9" })),
        "moved": of(json!({ "skillPath": "skills/moved/SKILL.md" })),
        "local": { "source": "../x", "sourceType": "local", "computedHash": "0" },
        "away": of(json!({ "sourceUrl": "/etc" })),
        "nowhere": of(json!({ "sourceUrl": format!("{}/nowhere.git", served.base) })),
    }});
    served.place.file("project/skills-lock.json", theirs.to_string());
    // One is on disk already, as its tool has put it there, and was edited; the other isn't.
    served.place.skill("project/.agents/skills/pdf", "Fills forms");
    let before = files(&served.place);
    let ran = served.run(&["lock", "--import", "skills-lock.json", "--dry-run"]);
    assert_eq!((ran.code, files(&served.place)), (1, before), "{}", ran.stderr);
    let ran = served.run(&["lock", "--import", "skills-lock.json", "--yes", "--json"]);
    assert_eq!((ran.code, &ran.json()["written"]), (1, &true.into()), "{}", ran.stderr);
    let left = left(&ran);
    for (name, word) in [
        ("gone", "has no branch, tag or commit `v9`"),
        ("moved", "no skill in `skills/moved`"),
        ("local", "`local` has no commit"),
        ("away", "is neither a directory nor"),
        ("nowhere", "cannot be read"),
    ] {
        let why = left.iter().find(|(of, _)| of == name).map(|(_, why)| why.as_str()).unwrap_or_default();
        assert!(why.contains(word), "{name}: {left:?}");
    }
    assert_eq!(left.len(), 5, "{left:?}");
    let text = lock(&served.place);
    let head = git(&repository, &["rev-parse", "HEAD"]);
    for line in [
        format!("source = \"{url}#v1\""),
        format!("source = \"{url}\""),
        format!("url = \"{url}\""),
        "dir = \".agents/skills/pdf\"".to_owned(),
        "dir = \"skills/csv\"".to_owned(),
        "path = \"skills/pdf\"".to_owned(),
        "ref = \"refs/tags/v1\"".to_owned(),
        format!("commit = \"{head}\""),
        format!("tree = \"{}\"", git(&repository, &["rev-parse", "HEAD:skills/pdf"])),
    ] {
        assert!(text.contains(&format!("\n{line}\n")), "{line} is not in {text}");
    }
    let ran = served.run(&["lock", "--check"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout.contains(".agents/skills/pdf: missing\n") || ran.stdout.contains("fill.sh: missing"),
        "{}",
        ran.stdout
    );
    assert_eq!(served.states().0, 0, "the new lock is one like any other");

    // A second time there is nothing left to do but what couldn't be done.
    let ran = served.run(&["lock", "--import", "skills-lock.json", "--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("`skills/csv` is locked already"), "{}", ran.stderr);
    assert!(ran.stderr.contains("local: not taken over"), "{}", ran.stderr);
    assert_eq!(lock(&served.place), text);
}

#[test]
fn a_lock_in_yaml_keeps_its_commits() {
    let Some(served) = Served::new() else { return };
    let repository = served.repository("repo.git");
    git(&repository, &["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let old = git(&repository, &["rev-parse", "HEAD"]);
    served.place.file("project/.claude/skills/pdf/tools/fill.sh", "#!/bin/sh\n");
    fs::copy(
        repository.join("skills/pdf/SKILL.md"),
        served.place.path().join("project/.claude/skills/pdf/SKILL.md"),
    )
    .expect("copied");
    served.place.file("repo.git/skills/pdf/tools/fill.sh", "#!/bin/sh\necho new\n");
    served.commit("repo.git");
    let base = &served.base;
    let entry = |more: &str| format!("- repo_url: {base}/repo.git\n  resolved_ref: main\n  {more}\n");
    let theirs = format!(
        "lockfile_version: \"2\"\ndependencies:\n{}  virtual_path: skills/pdf\n  deployed_files:\n  \
         - .claude/skills/pdf/SKILL.md\n  - .claude/skills/pdf/tools/fill.sh\n  - ../../secret/SKILL.md\n{}  \
         virtual_path: skills/csv\n{}",
        entry(&format!("resolved_commit: {old}")),
        entry(&format!("resolved_commit: {}", "0".repeat(40))),
        entry("virtual_path: skills/csv"),
    );
    served.place.file("project/apm.lock.yaml", theirs);
    let ran = served.run(&["lock", "--import", "apm.lock.yaml", "--yes"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ".claude/skills/pdf: lock\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("skills/csv: not taken over: `https://localhost"), "{}", ran.stderr);
    assert!(ran.stderr.contains("skills/csv: not taken over: it has no `resolved_commit`"), "{}", ran.stderr);
    let text = lock(&served.place);
    for line in [format!("commit = \"{old}\""), "ref = \"refs/heads/main\"".to_owned()] {
        assert!(text.contains(&format!("\n{line}\n")), "{line} is not in {text}");
    }
    assert_eq!(served.run(&["lock", "--check"]).stdout, "1 skill is locked: 1 ok\n");
    // From then on it is kept up to date as any other.
    assert_eq!(served.states(), (1, vec![(".claude/skills/pdf".to_owned(), "outdated".to_owned())]));
    let ran = served.run(&["update", "--yes"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(served.read(".claude/skills/pdf/tools/fill.sh"), "#!/bin/sh\necho new\n");
}

/// What isn't taken over isn't written either, also where another entry is.
#[test]
fn a_skill_that_breaks_a_rule_is_not_written() {
    let Some(served) = Served::new() else { return };
    served.repository("repo.git");
    served.repository("bad.git");
    served.place.file("bad.git/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads: forms\n---\n");
    served.commit("bad.git");
    let of = |repo: &str, skill: &str| {
        json!({ "source": repo, "sourceType": "git", "sourceUrl": format!("{}/{repo}", served.base),
            "skillPath": format!("skills/{skill}/SKILL.md"), "computedHash": "0" })
    };
    let theirs =
        json!({ "version": 1, "skills": { "csv": of("repo.git", "csv"), "pdf": of("bad.git", "pdf") } });
    served.place.file("project/skills-lock.json", theirs.to_string());
    let ran = served.run(&["lock", "--import", "skills-lock.json", "--yes"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "skills/csv: add\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("pdf: not taken over: "), "{}", ran.stderr);
    assert!(
        files(&served.place).iter().all(|file| !file.contains("skills/pdf")),
        "{:?}",
        files(&served.place)
    );
}

#[test]
fn what_is_no_known_lock_is_an_error() {
    let place = project();
    place.file("project/skills-lock.json", "{\"version\": 3, \"skills\": {}}").file("project/x.yaml", "a: [");
    for (file, word) in [
        ("skills-lock.json", "its version is not known"),
        ("x.yaml", "it is not YAML"),
        ("missing.json", "not found"),
        (".", "it is not a file"),
    ] {
        let ran = run(&place, &["lock", "--import", file, "--yes"]);
        assert!(ran.code == 2 && ran.stderr.contains(word), "{file}: {}", ran.stderr);
        assert_eq!(lock(&place), "");
    }
    let theirs =
        json!({ "version": 1, "skills": { "pdf": { "source": "acme/skills", "sourceType": "github" } } });
    place.file("project/skills-lock.json", theirs.to_string());
    let ran = run(&place, &["lock", "--import", "skills-lock.json", "--yes", "--offline", "--json"]);
    assert_eq!(ran.error_code(), "OFFLINE");
    for args in [["lock", "--check", "--yes"], ["lock", "--check", "--import=x"]] {
        assert_eq!(run(&place, &args).code, 2, "{args:?}");
    }
}
