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
    assert!(
        dry.stdout.starts_with("would remove ") && dry.stdout.ends_with("would remove 1, would keep 1\n")
    );
    let ran = place.run(install);
    insta::assert_snapshot!(ran.stdout, @"1 unchanged, 1 kept");
    insta::assert_snapshot!(ran.stderr.replace('\\', "/"), @"kept: .claude/skills/zebra/a.md was changed since it was written (--force overrides)");
    let ran = place.run(["uninstall", "--agent", "claude-code", "--json"]);
    let document = ran.json();
    assert_eq!((&document["removed"], &document["kept"]), (&1.into(), &1.into()));
    assert_eq!(document["changes"][1]["change"], "kept_changed");
    let ran = place.run(["uninstall", "--agent", "claude-code", "--force"]);
    assert!(ran.stdout.ends_with("1 removed\n"), "{}", ran.stdout);
    assert_eq!(fs::read_dir(place.path().join(".claude/skills")).expect("it stays").count(), 0);
    let nothing = place.run(["uninstall", "--agent", "claude-code"]);
    assert_eq!(nothing.stdout, "nothing there was written by this program\n");
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
