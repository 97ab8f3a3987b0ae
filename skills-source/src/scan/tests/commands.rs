//! Which files are slash commands, and which may be their templates.

use super::*;
#[cfg(unix)]
use crate::code::Code;

fn paths(files: &[FoundFile]) -> Vec<&str> {
    files.iter().map(|file| file.path.as_str()).collect()
}

const MIXED: [&str; 10] = [
    "skills/pdf/SKILL.md",
    "skills/pdf/example.command.yaml",
    "skills/pdf/example.txt",
    "skills/commands/b/two.command.yaml",
    "skills/commands/one.command.yaml",
    "skills/commands/prompts/one.txt",
    "skills/commands/notes.md",
    "skills/odd.Command.yml",
    "skills/.hidden/three.command.yaml",
    "skills/drafts/x.md",
];

#[test]
fn commands_stand_outside_of_skills() {
    let scan = scan_skills(&tree(&MIXED));
    assert_eq!(skills(&scan), ["skills/pdf"]);
    assert_eq!(files(&scan, "skills/pdf"), ["SKILL.md", "example.command.yaml", "example.txt"]);
    assert_eq!(
        paths(&scan.commands.definitions),
        ["commands/b/two.command.yaml", "commands/one.command.yaml", "odd.Command.yml"]
    );
    assert_eq!(paths(&scan.commands.templates), ["commands/prompts/one.txt"]);
    assert_eq!(scan.commands.shown("commands/one.command.yaml"), "skills/commands/one.command.yaml");
    // Directories of commands, and of what they use, are no skills that lack something.
    assert_eq!(scan.without_skill, ["skills/drafts"]);
    assert_eq!(findings(&scan), [""; 0]);
}

#[test]
fn where_only_commands_are_wanted_a_skill_is_a_directory_like_any_other() {
    let scan = scan_commands(&tree(&MIXED).path().join("skills"), "c", &ScanOptions::default(), &list);
    assert!(scan.skills.is_empty() && scan.without_skill.is_empty());
    assert_eq!(scan.commands.definitions.len(), 4);
    assert_eq!(paths(&scan.commands.templates), ["commands/prompts/one.txt", "pdf/example.txt"]);
    assert_eq!(scan.commands.shown("x"), "c/x");
    let odd = tree(&["skills/SKILL.md/a.command.yaml", "skills/a/skill.md", "skills/a/b.command.yaml"]);
    let scan = scan_commands(&odd.path().join("skills"), "c", &ScanOptions::default(), &list);
    assert_eq!(paths(&scan.commands.definitions), ["SKILL.md/a.command.yaml", "a/b.command.yaml"]);
    assert_eq!(findings(&scan), [""; 0]);
}

/// What is in a skill is no command, whatever keeps it from being a skill.
#[cfg(unix)]
#[test]
fn a_broken_skill_lets_no_command_out() {
    let dir = tree(&[
        "skills/a/examples/x.command.yaml",
        "skills/a/examples/x.txt",
        "skills/b/skill.md",
        "skills/b/examples/y.command.yaml",
    ]);
    link(&dir, "skills/a/SKILL.md", "../../outside.md");
    fs::write(dir.path().join("outside.md"), "").expect("a file");
    let scan = scan_skills(&dir);
    assert_eq!(paths(&scan.commands.definitions), [""; 0]);
    assert_eq!(
        scan.findings.iter().map(|finding| finding.code).collect::<Vec<_>>(),
        [Code::E014, Code::E016]
    );
}

/// Among commands, a `skill.md` is none that other letters keep from being a skill.
#[test]
fn a_skill_md_beside_commands_is_no_skill() {
    let scan = scan_skills(&tree(&["skills/b/skill.md", "skills/b/y.command.yaml", "skills/b/c/SKILL.md"]));
    assert_eq!((skills(&scan), findings(&scan)), (vec!["skills/b/c"], Vec::new()));
    assert_eq!(paths(&scan.commands.definitions), ["b/y.command.yaml"]);
}

#[test]
fn a_root_of_commands_that_cannot_be_read_is_one_finding() {
    let dir = tree(&["skills/a.command.yaml"]);
    for (root, message) in [("none", "not found"), ("skills/a.command.yaml", "a file, not a directory")] {
        let scan = scan_commands(&dir.path().join(root), "commands", &ScanOptions::default(), &list);
        let [finding] = scan.findings.as_slice() else { panic!("{:?}", scan.findings) };
        assert!(finding.message.contains(message) && finding.help.contains("your commands"), "{finding:?}");
    }
}

#[test]
fn the_ignore_list_and_the_depth_hold_for_commands_too() {
    let scan = scan_with(&tree(&MIXED), |options| {
        options.ignore = vec!["b/".to_owned(), "odd*".to_owned()];
        options.max_depth = Some(1);
    });
    assert_eq!(paths(&scan.commands.definitions), ["commands/one.command.yaml"]);
    assert_eq!(
        findings(&scan),
        ["skills/commands/prompts E018: the directory is deeper than 1 level below the root"]
    );
    // What could not be listed is reported once, not by each command that wants a file of it.
    assert_eq!(scan.commands.refused, ["skills/commands/prompts"]);
}
