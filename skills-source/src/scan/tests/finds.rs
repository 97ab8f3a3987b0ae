//! Which directories are skills, which files are theirs, and what is left out.

use std::fs;

use super::LeftOutReason::{Evals, Generated, Hidden, Ignored};
use super::*;

/// Case 044.
const NESTED: [&str; 6] = [
    "skills/outer/SKILL.md",
    "skills/outer/outer/SKILL.md",
    "skills/outer/references/example/SKILL.md",
    "skills/outer/references/notes.md",
    "skills/group/one/SKILL.md",
    "skills/group/deep/two/SKILL.md",
];

#[test]
fn a_skill_inside_a_skill_is_its_file() {
    let scan = scan_skills(&tree(&NESTED));
    assert_eq!(skills(&scan), ["skills/group/deep/two", "skills/group/one", "skills/outer"]);
    assert_eq!(
        files(&scan, "skills/outer"),
        ["SKILL.md", "outer/SKILL.md", "references/example/SKILL.md", "references/notes.md"]
    );
    assert_eq!(scan.skills[0].dir_name, "two");
    assert!(scan.findings.is_empty() && scan.without_skill.is_empty());
}

#[test]
fn a_refused_skill_hides_nothing() {
    let root =
        tree(&["skills/outer/one/SKILL.md", "skills/outer/one/x.md", "skills/outer/deep/two/SKILL.md"]);
    fs::write(root.path().join("skills/outer/go.command.yaml"), "").expect("written");
    let file = root.path().join("skills/outer/SKILL.md");
    for broken in [
        "",
        "# An index",
        "---\nname: outer\n",
        "---\nname: outer\ndescription: a: b\n---\n",
        "---\nname: All Of Them\ndescription: x\n---\n",
        "\u{0}",
    ] {
        fs::write(&file, broken).expect("written");
        let scan = scan_skills(&root);
        assert_eq!(
            skills(&scan),
            ["skills/outer", "skills/outer/deep/two", "skills/outer/one"],
            "{broken:?}"
        );
        assert_eq!(files(&scan, "skills/outer/one"), ["SKILL.md", "x.md"], "{broken:?}");
        assert_eq!(files(&scan, "skills/outer"), ["SKILL.md", "go.command.yaml"], "{broken:?}");
        assert_eq!(scan.judged.len(), 1, "{broken:?}");
        // What only walks to each SKILL.md is told which are refused.
        let mut options = ScanOptions::default();
        let at = root.path().join("skills");
        let found = super::super::scan_skills(&at, "skills", &options, &list);
        assert_eq!(found.skills.len(), 1, "{broken:?}");
        options.refused.push(found.skills[0].home().to_owned());
        let found = super::super::scan_skills(&at, "skills", &options, &list);
        assert_eq!((found.skills.len(), found.commands.definitions.len()), (3, 0), "{broken:?}");
    }
    for good in
        ["---\nname: über\ndescription: x\n---\n", "---\nname: outer\ndescription: x\ntags: {a: b\n---\n"]
    {
        fs::write(&file, good).expect("written");
        let is_whole = skills(&scan_skills(&root)) == ["skills/outer"];
        assert_eq!(is_whole, good.contains("über"), "{good}");
    }
}

#[test]
fn nested_skills_have_their_own_files() {
    let scan = scan_with(&tree(&NESTED), |options| options.nested = true);
    assert_eq!(skills(&scan)[2..], ["skills/outer", "skills/outer/outer", "skills/outer/references/example"]);
    assert_eq!(files(&scan, "skills/outer"), ["SKILL.md", "references/notes.md"]);
    assert_eq!(files(&scan, "skills/outer/references/example"), ["SKILL.md"]);
}

#[test]
fn where_skills_nest_other_letters_count_inside_a_skill_too() {
    let scan = scan_with(&tree(&["skills/a/SKILL.md", "skills/a/b/skill.md", "skills/a/b/x"]), |options| {
        options.nested = true;
    });
    assert_eq!((skills(&scan), scan.skills[1].misspelt), (vec!["skills/a", "skills/a/b"], true));
    assert_eq!(findings(&scan).len(), 1);
}

#[test]
fn the_tests_of_a_skill_are_left_out() {
    let files_of_all = [
        "skills/a/SKILL.md",
        "skills/a/evals/evals.json",
        "skills/a/references/evals/x.md",
        "skills/b/SKILL.md",
        "skills/b/evals",
        "skills/evals/c/SKILL.md",
        "skills/evals/SKILL.md",
    ];
    let scan = scan_skills(&tree(&files_of_all));
    assert_eq!(skills(&scan), ["skills/a", "skills/b", "skills/evals"]);
    assert_eq!(files(&scan, "skills/a"), ["SKILL.md", "references/evals/x.md"], "only its own");
    assert_eq!(files(&scan, "skills/b"), ["SKILL.md", "evals"], "only a directory");
    assert_eq!(left_out(&scan), [("skills/a/evals", Evals)]);
    let scan = scan_with(&tree(&files_of_all), |options| options.keep_evals = true);
    assert_eq!(files(&scan, "skills/a"), ["SKILL.md", "evals/evals.json", "references/evals/x.md"]);
    assert!(left_out(&scan).is_empty());
}

/// The tests of a root that is one skill; of an index, `evals` is a directory like any other.
#[test]
fn the_tests_beside_skills_are_no_skill_s() {
    let scan = scan_skills(&tree(&["skills/SKILL.md", "skills/evals/a.json"]));
    assert_eq!((skills(&scan), left_out(&scan)), (vec!["skills"], vec![("skills/evals", Evals)]));
    let root = tree(&["skills/a/SKILL.md", "skills/evals/b/SKILL.md", "skills/evals/cases.json"]);
    fs::write(root.path().join("skills/SKILL.md"), "# An index\n").expect("written");
    let scan = scan_skills(&root);
    assert_eq!((skills(&scan), left_out(&scan).len()), (vec!["skills/a", "skills/evals/b"], 0));
}

#[test]
fn order_is_by_path_byte_by_byte() {
    let scan = scan_skills(&tree(&[
        "skills/a/x/SKILL.md",
        "skills/a-b/SKILL.md",
        "skills/B/SKILL.md",
        "skills/a/x/b/c.txt",
        "skills/a/x/b.txt",
        "skills/a/x/b-c/d.txt",
    ]));
    assert_eq!(skills(&scan), ["skills/B", "skills/a-b", "skills/a/x"]);
    assert_eq!(files(&scan, "skills/a/x"), ["SKILL.md", "b-c/d.txt", "b.txt", "b/c.txt"]);
}

#[test]
fn a_root_may_be_one_skill() {
    let tree = tree(&["pdf/SKILL.md", "pdf/a/SKILL.md"]);
    let found = scan(&tree.path().join("pdf"), "pdf", &ScanOptions::default());
    assert_eq!((skills(&found), files(&found, "pdf")), (vec!["pdf"], vec!["SKILL.md", "a/SKILL.md"]));
    assert_eq!(found.skills[0].dir_name, "pdf");
    let found = scan(&tree.path().join("pdf/a/.."), "shown", &ScanOptions::default());
    assert_eq!((skills(&found), found.skills[0].dir_name.as_str()), (vec!["shown"], "pdf"));
}

/// Case 094, and a root whose own name is hidden.
#[test]
fn every_form_of_a_root_finds_the_same() {
    let tree = tree(&[".hidden/skills/a/SKILL.md"]);
    for form in [".hidden/skills", ".hidden/skills/", ".hidden/./skills/.", ".hidden/skills/a/.."] {
        let found = scan(&tree.path().join(form), "skills", &ScanOptions::default());
        assert_eq!((skills(&found), findings(&found).len()), (vec!["skills/a"], 0), "{form}");
    }
    let found = scan(&tree.path().join(".hidden"), "", &ScanOptions::default());
    assert_eq!(skills(&found), ["skills/a"]);
    let found = scan(&tree.path().join(".hidden"), "/", &ScanOptions::default());
    assert_eq!(skills(&found), ["/skills/a"]);
}

/// Case 035.
#[cfg(target_os = "linux")] // elsewhere one directory cannot hold both spellings
#[test]
fn other_letters_are_found_and_reported() {
    let scan = scan_skills(&tree(&[
        "skills/lower/skill.md",
        "skills/lower/references/skill.md",
        "skills/mi xed/Skill.MD",
        "skills/both/skill.md",
        "skills/both/SKILL.md",
    ]));
    assert_eq!(
        findings(&scan),
        [
            "skills/both/skill.md E016: `skill.md` is beside `SKILL.md`: where case does not matter, one of them is lost",
            "skills/lower/skill.md E016: the file must be named `SKILL.md`, not `skill.md`",
            "skills/mi xed/Skill.MD E016: the file must be named `SKILL.md`, not `Skill.MD`",
        ]
    );
    let help: Vec<&str> = scan.findings.iter().map(|finding| finding.help.as_str()).collect();
    assert_eq!(
        help,
        [
            "keep one: move what is missing into `SKILL.md`, then `git rm skills/both/skill.md`",
            "rename it: `git mv skills/lower/skill.md skills/lower/SKILL.md`",
            "rename it: `git mv 'skills/mi xed/Skill.MD' 'skills/mi xed/SKILL.md'`",
        ]
    );
    let found: Vec<_> = scan.skills.iter().map(|skill| (skill.path.as_str(), skill.misspelt)).collect();
    assert_eq!(found, [("skills/both", false), ("skills/lower", true), ("skills/mi xed", true)]);
    let file = |at: usize| scan.skills[at].skill_file().map(|file| file.path.as_str());
    assert_eq!((file(0), file(1), file(2)), (Some("SKILL.md"), Some("skill.md"), Some("Skill.MD")));
}

#[test]
fn a_misspelt_skill_hides_none_inside_it() {
    let paths = ["skills/skill.md", "skills/a/SKILL.md", "skills/a/b.md", "skills/c.md"];
    let scan = scan_skills(&tree(&paths));
    assert_eq!(skills(&scan), ["skills", "skills/a"]);
    assert_eq!(
        (files(&scan, "skills"), files(&scan, "skills/a")),
        (vec!["c.md", "skill.md"], vec!["SKILL.md", "b.md"])
    );
}

#[test]
fn hidden_and_generated_things_are_left_out_and_listed() {
    let scan = scan_skills(&tree(&[
        "skills/.git/hooks/SKILL.md",
        "skills/node_modules/x/y/SKILL.md",
        "skills/a/SKILL.md",
        "skills/a/.env",
        "skills/a/__pycache__/x.txt",
        "skills/a/lib.pyc",
        "skills/a/scripts/venv/bin",
        "skills/a/target/SKILL.md",
        "skills/a/notes/target",
    ]));
    assert_eq!(skills(&scan), ["skills/a"]);
    assert_eq!(files(&scan, "skills/a"), ["SKILL.md", "notes/target"]);
    assert_eq!(
        left_out(&scan),
        [
            ("skills/.git", Hidden),
            ("skills/a/.env", Hidden),
            ("skills/a/__pycache__", Generated),
            ("skills/a/lib.pyc", Generated),
            ("skills/a/scripts/venv", Generated),
            ("skills/a/target", Generated),
            ("skills/node_modules", Generated),
        ]
    );
}

#[test]
fn a_skill_may_bear_a_generated_name() {
    let scan = scan_skills(&tree(&["skills/venv/SKILL.md", "skills/venv/venv/x", "skills/target/debug/x"]));
    assert_eq!((skills(&scan), files(&scan, "skills/venv")), (vec!["skills/venv"], vec!["SKILL.md"]));
    assert_eq!(left_out(&scan), [("skills/target", Generated), ("skills/venv/venv", Generated)]);
}

#[test]
fn the_ignore_list_is_obeyed() {
    let paths = ["skills/a/SKILL.md", "skills/a/x.bak", "skills/a/tests/x", "skills/drafts/b/SKILL.md"];
    let scan = scan_with(&tree(&paths), |options| {
        options.ignore = ["*.bak", "drafts", "a/tests"].map(str::to_owned).to_vec();
    });
    assert_eq!((skills(&scan), files(&scan, "skills/a")), (vec!["skills/a"], vec!["SKILL.md"]));
    assert_eq!(
        left_out(&scan),
        [("skills/a/tests", Ignored), ("skills/a/x.bak", Ignored), ("skills/drafts", Ignored)]
    );
}

#[test]
fn a_bad_pattern_is_reported() {
    let scan = scan_with(&tree(&["skills/a/SKILL.md"]), |options| options.ignore.push("a**".to_owned()));
    assert_eq!(skills(&scan), ["skills/a"]);
    assert_eq!(scan.findings.len(), 1);
    assert!(scan.findings[0].message.starts_with("the ignore list's `a**` is not a pattern"));
}

#[test]
fn files_without_a_skill_are_told() {
    let scan = scan_skills(&tree(&[
        "skills/README.md",
        "skills/notes/a.md",
        "skills/notes/deep/er/b.md",
        "skills/notes-2/a.md",
        "skills/group/README.md",
        "skills/group/a/SKILL.md",
        "skills/group/a/b/c.md",
        "skills/group/left/d/e.md",
        "skills/empty/deep/",
        "skills/only-hidden/.keep",
    ]));
    assert_eq!(skills(&scan), ["skills/group/a"]);
    assert_eq!(scan.without_skill, ["skills/group/left/d", "skills/notes", "skills/notes-2"]);
}

#[test]
fn a_file_carries_length_and_content() {
    let tree = tree(&["skills/a/SKILL.md", "skills/a/x.bin"]);
    fs::write(tree.path().join("skills/a/x.bin"), b"\0\xff12").expect("written");
    let scan = scan_skills(&tree);
    let file = &scan.skills[0].files[1];
    assert_eq!((file.len, file.executable), (4, false));
    assert_eq!(read_file(file).expect("it is read"), b"\0\xff12");
    assert!(file.disk.is_absolute());
}

#[cfg(unix)]
#[test]
fn any_execute_bit_counts() {
    use std::os::unix::fs::PermissionsExt;
    let tree = tree(&["skills/a/SKILL.md", "skills/a/all", "skills/a/group"]);
    for (name, mode) in [("all", 0o755), ("group", 0o650)] {
        let at = tree.path().join("skills/a").join(name);
        fs::set_permissions(at, fs::Permissions::from_mode(mode)).expect("the mode is set");
    }
    link(&tree, "skills/a/linked", "all");
    let scan = scan_skills(&tree);
    let bits: Vec<_> =
        scan.skills[0].files.iter().map(|file| (file.path.as_str(), file.executable)).collect();
    assert_eq!(bits, [("SKILL.md", false), ("all", true), ("group", true), ("linked", true)]);
}
