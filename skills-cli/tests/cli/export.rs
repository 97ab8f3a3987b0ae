//! The output of `export`, `install` and `uninstall`. The library tests what they do.

use std::fs;

use crate::place::Place;

#[test]
fn changes_are_on_stdout_and_kept_files_on_stderr() {
    let place = Place::new();
    place.skill("mine/zebra", "Counts stripes").file("mine/zebra/a.md", "a");
    let install = ["install", "--agent", "claude-code", "--no-bundle", "--root", "mine"];
    let dry_run = |args: &[&str]| place.run(args.iter().chain(&["--dry-run"]));
    let dry = dry_run(&install);
    insta::assert_snapshot!(dry.stdout.replace('\\', "/"), @r"
    would create .claude/skills/zebra/SKILL.md
    would create .claude/skills/zebra/a.md
    dry run, nothing is changed: would create 2
    ");
    assert!(!place.path().join(".claude").exists());
    let ran = place.run(install);
    insta::assert_snapshot!(ran.stdout.replace('\\', "/"), @r"
    created .claude/skills/zebra/SKILL.md
    created .claude/skills/zebra/a.md
    2 created
    ");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(place.run(install).stdout, "2 unchanged\n");
    place.file(".claude/skills/zebra/a.md", "changed").file("mine/zebra/a.md", "newer");
    let dry = dry_run(&install);
    insta::assert_snapshot!(dry.stdout, @"dry run, nothing is changed: 1 unchanged, would keep 1");
    assert!(dry.stderr.starts_with("would keep: "), "{}", dry.stderr);
    let dry = dry_run(&[&install[..], &["--force"]].concat());
    assert!(dry.stdout.starts_with("would update ") && dry.stdout.contains("would update 1, 1 unchanged"));
    let dry = dry_run(&["uninstall", "--agent", "claude-code"]);
    assert_eq!(
        dry.stdout, "dry run, nothing is changed: would keep 2\n",
        "a skill goes as a whole, or stays"
    );
    let ran = place.run(install);
    insta::assert_snapshot!(ran.stdout, @"1 unchanged, 1 kept");
    assert_eq!(ran.code, 1, "nothing was done that was asked for");
    insta::assert_snapshot!(ran.stderr.replace('\\', "/"), @"kept: .claude/skills/zebra/a.md was changed since it was written (--force overrides)");
    let ran = place.run(["uninstall", "--agent", "claude-code", "--json"]);
    let document = ran.json();
    assert_eq!((&document["removed"], &document["kept"]), (&0.into(), &2.into()));
    assert_eq!(document["changes"][1]["change"], "kept_changed");
    let ran = place.run(["uninstall", "--agent", "claude-code", "--force"]);
    assert!(ran.stdout.ends_with("2 removed\n"), "{}", ran.stdout);
    assert_eq!(fs::read_dir(place.path().join(".claude/skills")).expect("it stays").count(), 0);
    let nothing = place.run(["uninstall", "--agent", "claude-code"]);
    assert_eq!((nothing.stdout.as_str(), nothing.code), ("nothing there was written by this program\n", 1));
}

#[test]
fn the_stock_skills_are_written_whole() {
    let place = Place::new();
    let ran = place.run(["export", "out", "--json"]);
    let document = ran.json();
    assert_eq!(document["created"], document["changes"].as_array().map_or(0, Vec::len));
    let checked = place.run(["check", "out"]);
    assert_eq!(checked.code, 0, "{}", checked.stderr);
    let one = place.run(["export", "one", "commit-message"]);
    assert!(one.stdout.ends_with("2 created\n"), "{}", one.stdout);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let script = place.path().join("one/commit-message/scripts/check-message.sh");
        assert_eq!(fs::metadata(script).expect("it is written").permissions().mode() & 0o100, 0o100);
    }
    let ran = place.run(["export", "one", "comit-message", "--json"]);
    assert_eq!((ran.error_code().as_str(), ran.code), ("SKILL_NOT_FOUND", 1));
    let ran = place.run(["export", "one/commit-message/SKILL.md", "--json"]);
    assert_eq!((ran.error_code().as_str(), ran.code), ("IO", 2));
}

#[test]
fn the_system_knows_the_home_directory() {
    let place = Place::new();
    let home = place.path().join("home");
    let output = place
        .command(["install", "write-skill", "--agent", "agents", "--scope", "user"])
        .env("HOME", &home)
        .env("USERPROFILE", &home)
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(home.join(".agents/skills/write-skill/SKILL.md").is_file());
}

#[test]
fn several_agents_find_each_skill_once() {
    let place = Place::new();
    place.skill("mine/zebra", "Counts stripes");
    let install = ["install", "--no-bundle", "--root", "mine"];
    let run = |agents: &[&str]| place.run(install.iter().chain(agents));
    let two = run(&["--agent", "codex", "--agent", "opencode", "--agent", "claude-code"]);
    insta::assert_snapshot!(two.stdout.replace('\\', "/"), @r"
    .agents/skills:
    created .agents/skills/zebra/SKILL.md
    1 created

    .claude/skills:
    created .claude/skills/zebra/SKILL.md
    1 created
    ");
    let all = run(&["--agent", "all", "--json"]);
    let targets = all.json()["targets"].clone();
    assert_eq!(targets.as_array().map(Vec::len), Some(2), "{targets}");
    assert_eq!((&targets[0]["unchanged"], &targets[1]["unchanged"]), (&1.into(), &1.into()));
    assert_eq!(place.run(["uninstall", "--agent", "all"]).code, 0);
    assert_eq!(place.run(["list", "--installed"]).stdout, "No skills are installed.\n");
    assert_eq!(run(&["--agent", "everybody"]).code, 2);
}

#[test]
fn variables_of_agents_move_the_directory_of_a_user() {
    let place = Place::new();
    place.skill("mine/zebra", "Counts stripes");
    let home = place.path().join("home");
    let run = |agent: &str, name: &str, value: &str| {
        let mut command =
            place.command(["install", "--no-bundle", "--root", "mine", "--scope", "user", "--agent", agent]);
        let command = command.env("HOME", &home).env("USERPROFILE", &home).env(name, value);
        assert!(command.status().expect("it runs").success());
    };
    let elsewhere = place.path().join("elsewhere");
    let elsewhere = elsewhere.to_str().expect("the path is text");
    run("claude-code", "CLAUDE_CONFIG_DIR", elsewhere);
    assert!(place.path().join("elsewhere/skills/zebra/SKILL.md").is_file());
    run("codex", "CODEX_HOME", &format!("{elsewhere}/codex"));
    assert!(place.path().join("elsewhere/codex/skills/zebra/SKILL.md").is_file());
    assert!(!home.exists());
    // A relative one is none, and another agent's has no effect.
    run("claude-code", "CLAUDE_CONFIG_DIR", "relative");
    run("codex", "CLAUDE_CONFIG_DIR", elsewhere);
    assert!(home.join(".claude/skills/zebra").is_dir() && home.join(".agents/skills/zebra").is_dir());
}

#[test]
fn what_is_installed_is_listed_and_follows_its_source() {
    let place = Place::new();
    place.skill("mine/zebra", "Counts stripes").skill("mine/yak", "Grows hair");
    let install = ["install", "--agent", "claude-code", "--no-bundle", "--root", "mine"];
    assert_eq!(place.run(install).code, 0);
    place.file(".claude/skills/zebra/SKILL.md", "mine");
    let home = place.path().join("home");
    let list = |args: &[&str]| {
        let mut command = place.command(["list", "--installed"]);
        let output = command.args(args).env("HOME", &home).env("USERPROFILE", &home).output();
        String::from_utf8(output.expect("it runs").stdout).expect("text").replace('\\', "/")
    };
    insta::assert_snapshot!(list(&[]), @r"
    .claude/skills (claude-code, project):
    - yak: by skills from ../../mine
    - zebra: by skills from ../../mine, changed since: SKILL.md
    ");
    assert!(list(&["--json"]).contains("\"changed\": []"), "{}", list(&["--json"]));
    // Both are gone from the source: one is removed, the other is named. A broken skill isn't gone.
    place.skill("mine/emu", "Runs").file("mine/broken/SKILL.md", "# no\n");
    for name in ["zebra", "yak"] {
        fs::remove_dir_all(place.path().join("mine").join(name)).expect("it is there");
    }
    let broken = place.run(install);
    assert!(broken.stdout.ends_with("1 created\n"), "{}", broken.stdout);
    fs::remove_dir_all(place.path().join("mine/broken")).expect("it is there");
    let ran = place.run(install);
    assert!(ran.stdout.contains("removed .claude/skills/yak/SKILL.md\n"), "{}", ran.stdout);
    assert!(ran.stderr.contains("kept: .claude/skills/zebra/SKILL.md was changed"), "{}", ran.stderr);
    assert_eq!(place.run(install.iter().chain(&["--force"])).code, 0);
    assert!(!place.path().join(".claude/skills/zebra").exists());
}

/// Roots of two projects have the same relative path, and their skills are in the same directory.
#[test]
fn a_project_removes_no_skills_of_another() {
    let place = Place::new();
    for (project, skill) in [("one", "zebra"), ("two", "yak")] {
        place.skill(&format!("{project}/skills/{skill}"), "Counts");
    }
    let out = place.path().join("out");
    let install = |project: &str| {
        let out = out.to_string_lossy().into_owned();
        place.run_in(project, ["install", "--no-bundle", "--root", "skills", "--dir", &out])
    };
    for _ in 0..2 {
        for project in ["one", "two"] {
            let ran = install(project);
            assert_eq!((ran.code, ran.stdout.contains("removed")), (0, false), "{}", ran.stdout);
        }
    }
    // Another checkout would record the same.
    let record = fs::read_to_string(out.join("yak/.skills-export.json")).expect("it is there");
    assert!(record.contains("\"../two/skills\""), "{record}");
    fs::rename(place.path().join("two/skills/yak"), place.path().join("two/skills/yeti")).expect("it moves");
    place.skill("two/skills/yeti", "Counts");
    let ran = install("two");
    assert!(ran.stdout.contains("yak") && ran.stdout.contains("1 removed"), "{}", ran.stdout);
    assert!(out.join("zebra/SKILL.md").is_file() && !out.join("yak").exists());
}

/// A new version beside a skill that was changed is no skill of its own, and goes with it.
#[test]
fn a_version_beside_a_skill_belongs_to_it() {
    let place = Place::new();
    place.skill("mine/zebra", "Counts stripes");
    let install = ["install", "--agent", "claude-code", "--no-bundle", "--root", "mine", "--write-new"];
    assert_eq!(place.run(install).code, 0);
    place.file(".claude/skills/zebra/SKILL.md", "changed").skill("mine/zebra", "Counts all stripes");
    place.run(install);
    assert!(place.path().join(".claude/skills/.zebra.new/SKILL.md").is_file());
    let list = place.run(["list", "--installed"]);
    assert!(list.stdout.contains("zebra") && !list.stdout.contains(".zebra.new"), "{}", list.stdout);
    place.run(["uninstall", "--agent", "claude-code", "--force", "zebra"]);
    assert_eq!(fs::read_dir(place.path().join(".claude/skills")).expect("it stays").count(), 0);
}
