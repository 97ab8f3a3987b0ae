//! Links: which are followed, which are refused, and that none is followed for ever.

use std::time::{Duration, Instant};

use super::*;
use crate::code::Code;

/// Case 046: each bad entry fails on its own.
#[test]
fn one_bad_entry_does_not_end_the_walk() {
    let tree = tree(&["skills/README.md", "skills/[odd] name/SKILL.md", "skills/fine/SKILL.md"]);
    link(&tree, "skills/gone", "../nothing/here");
    let scan = scan_skills(&tree);
    assert_eq!(skills(&scan), ["skills/[odd] name", "skills/fine"]);
    assert_eq!(
        findings(&scan),
        ["skills/gone E014: the symlink points at nothing: its target is `../nothing/here`"]
    );
}

/// Case 052: a linked skill from outside, a link to a file outside, a dead link.
#[test]
fn links_out_of_the_root_are_refused() {
    let tree = tree(&["skills/local/SKILL.md", "store/linked/SKILL.md", "store/plain.txt"]);
    link(&tree, "skills/linked", "../store/linked");
    link(&tree, "skills/tofile", "../store/plain.txt");
    link(&tree, "skills/dead", "../store/gone");
    let scan = scan_skills(&tree);
    assert_eq!(skills(&scan), ["skills/local"]);
    assert_eq!(
        findings(&scan),
        [
            "skills/dead E014: the symlink points at nothing: its target is `../store/gone`",
            "skills/linked E014: the symlink points outside the root: its target is `../store/linked`",
            "skills/tofile E014: the symlink points outside the root: its target is `../store/plain.txt`",
        ]
    );
}

/// Case 053: the `SKILL.md` itself is a symlink. Its directory is reported once.
#[test]
fn a_linked_skill_file_obeys_the_same_rule() {
    let tree =
        tree(&["store/one.md", "skills/filelink/references/a.md", "skills/in/notes.txt", "skills/one.md"]);
    link(&tree, "skills/filelink/SKILL.md", "../../store/one.md");
    link(&tree, "skills/deadlink/SKILL.md", "../../store/none.md");
    link(&tree, "skills/in/SKILL.md", "../one.md");
    let scan = scan_skills(&tree);
    assert_eq!(
        (skills(&scan), files(&scan, "skills/in")),
        (vec!["skills/in"], vec!["SKILL.md", "notes.txt"])
    );
    assert_eq!(
        findings(&scan),
        [
            "skills/deadlink/SKILL.md E014: the symlink points at nothing: its target is `../../store/none.md`",
            "skills/filelink/SKILL.md E014: the symlink points outside the root: its target is `../../store/one.md`",
        ]
    );
    assert!(scan.without_skill.is_empty(), "a finding says why already: {:?}", scan.without_skill);
}

#[test]
fn a_broken_skill_file_hides_no_skill_below_it() {
    let tree = tree(&["skills/group/a/SKILL.md", "skills/group/notes/x.md", "skills/y.md"]);
    link(&tree, "skills/group/SKILL.md", "gone.md");
    let scan = scan_skills(&tree);
    assert_eq!((skills(&scan), scan.without_skill.len()), (vec!["skills/group/a"], 0));
    assert_eq!(
        findings(&scan),
        ["skills/group/SKILL.md E014: the symlink points at nothing: its target is `gone.md`"]
    );
}

#[test]
fn what_is_left_out_by_name_is_not_followed() {
    let tree = tree(&["skills/a/SKILL.md"]);
    link(&tree, "skills/a/venv", "/usr");
    link(&tree, "skills/a/.secret", "/etc/passwd");
    link(&tree, "skills/a/mine", "/etc");
    let scan = scan_with(&tree, |options| options.ignore.push("mine/".to_owned()));
    let reasons = [LeftOutReason::Hidden, LeftOutReason::Ignored, LeftOutReason::Generated];
    assert_eq!(left_out(&scan).iter().map(|left| left.1).collect::<Vec<_>>(), reasons);
    assert!(scan.findings.is_empty());
}

/// A link is no way in for what is left out by its own name.
#[test]
fn what_is_left_out_does_not_come_in_through_a_link() {
    let tree = tree(&[
        "skills/a/SKILL.md",
        "skills/a/.env",
        "skills/a/node_modules/x/y.js",
        "skills/a/drafts/z.md",
        "skills/a/evals/answers.md",
        "skills/.hidden/b/SKILL.md",
        "skills/target/SKILL.md",
        "skills/target/t.md",
    ]);
    link(&tree, "skills/a/env.txt", ".env");
    link(&tree, "skills/a/modules", "node_modules/x");
    link(&tree, "skills/a/z.md", "drafts/z.md");
    link(&tree, "skills/a/answers.md", "evals/answers.md");
    link(&tree, "skills/b", ".hidden/b");
    link(&tree, "skills/a/t.md", "../target/t.md");
    let scan = scan_with(&tree, |options| options.ignore.push("drafts".to_owned()));
    assert_eq!(files(&scan, "skills/a"), ["SKILL.md"]);
    let links: Vec<_> = left_out(&scan).into_iter().filter(|left| left.1 == LeftOutReason::Link).collect();
    let links: Vec<_> = links.into_iter().map(|left| left.0).collect();
    assert_eq!(
        links,
        ["skills/a/answers.md", "skills/a/env.txt", "skills/a/modules", "skills/a/z.md", "skills/b"]
    );
    let into_another = "skills/a/t.md L125: the symlink leads into another skill: it is not followed";
    assert_eq!(findings(&scan), [into_another]);
}

/// Case 055: out of the root, at an absolute path, and at a sibling skill, which is inside the root and still not followed.
#[test]
fn links_inside_a_skill_may_not_leave_the_root() {
    let tree = tree(&["skills/leak/SKILL.md", "skills/leak/references/ok.md", "skills/other/SKILL.md"]);
    fs::create_dir(tree.path().join("outside")).expect("a directory");
    fs::write(tree.path().join("outside/secret.txt"), "secret").expect("a file");
    link(&tree, "skills/leak/references/out.md", "../../../outside/secret.txt");
    link(&tree, "skills/leak/references/abs.md", "/etc/passwd");
    link(&tree, "skills/leak/references/sib.md", "../../other/SKILL.md");
    link(&tree, "skills/leak/references/in.md", "ok.md");
    let scan = scan_skills(&tree);
    assert_eq!(files(&scan, "skills/leak"), ["SKILL.md", "references/in.md", "references/ok.md"]);
    assert_eq!(
        findings(&scan),
        [
            "skills/leak/references/abs.md E014: the symlink points outside the root: its target is `/etc/passwd`",
            "skills/leak/references/out.md E014: the symlink points outside the root: its target is `../../../outside/secret.txt`",
            "skills/leak/references/sib.md L125: the symlink leads into another skill: it is not followed",
        ]
    );
    assert_eq!(scan.findings[0].help, "put a copy here, or move what it points at into `skills`");
}

/// Case 058: paths are compared part by part.
#[test]
fn a_longer_name_is_not_inside_a_shorter_one() {
    let tree = tree(&["skills/note/SKILL.md", "skills-evil/loot.md"]);
    link(&tree, "skills/note/way.md", "../../skills-evil/loot.md");
    link(&tree, "skills/note/through", "../../skills-evil");
    let scan = scan_skills(&tree);
    assert_eq!(files(&scan, "skills/note"), ["SKILL.md"]);
    assert_eq!(findings(&scan).len(), 2);
}

#[test]
fn the_end_of_a_link_counts_not_its_way() {
    let tree = tree(&["skills/a/SKILL.md", "skills/a/x.md", "outside/"]);
    link(&tree, "outside/back", "../skills/a/x.md");
    link(&tree, "skills/a/round.md", "../../outside/back");
    link(&tree, "outside/away", "/etc/passwd");
    link(&tree, "skills/hop", "../outside/away");
    link(&tree, "skills/a/two-hops.md", "../hop");
    let scan = scan_skills(&tree);
    assert_eq!(files(&scan, "skills/a"), ["SKILL.md", "round.md", "x.md"]);
    assert_eq!(
        scan.findings.iter().map(|finding| finding.path.as_str()).collect::<Vec<_>>(),
        ["skills/a/two-hops.md", "skills/hop"]
    );
}

#[test]
fn linked_directories_inside_the_root_count_by_their_own_names() {
    let tree = tree(&[
        "skills/store/v2/SKILL.md",
        "skills/store/v2/a/b.md",
        "skills/c/SKILL.md",
        "skills/shared/d.md",
    ]);
    link(&tree, "skills/current", "store/v2");
    link(&tree, "skills/c/shared", "../shared");
    let scan = scan_skills(&tree);
    assert_eq!(skills(&scan), ["skills/c", "skills/current", "skills/store/v2"]);
    assert_eq!(scan.skills[1].dir_name, "current");
    assert_eq!(files(&scan, "skills/current"), ["SKILL.md", "a/b.md"]);
    assert_eq!(files(&scan, "skills/c"), ["SKILL.md", "shared/d.md"]);
    assert!(scan.skills[1].files[1].disk.ends_with("skills/store/v2/a/b.md"), "links are resolved");
    assert!(scan.findings.is_empty());
    assert_eq!(scan.without_skill, ["skills/shared"]);
}

#[test]
fn a_root_may_be_a_link() {
    let tree = tree(&["real/a/SKILL.md", "pdf/SKILL.md"]);
    link(&tree, "skills", "real");
    link(&tree, "real/a/up.md", "../../real/a/SKILL.md");
    link(&tree, "one", "pdf");
    let scan_root = scan_skills(&tree);
    assert_eq!((skills(&scan_root), findings(&scan_root).len()), (vec!["skills/a"], 0));
    let one = scan(&tree.path().join("one"), "one", &ScanOptions::default());
    assert_eq!((skills(&one), one.skills[0].dir_name.as_str()), (vec!["one"], "pdf"));
}

#[test]
fn loops_are_left_out_and_listed() {
    let tree = tree(&["skills/a/SKILL.md", "skills/a/sub/x.md", "skills/b/SKILL.md"]);
    link(&tree, "skills/a/here", ".");
    link(&tree, "skills/a/sub/up", "..");
    link(&tree, "skills/a/sub/root", "../..");
    link(&tree, "skills/a/to-b", "../b");
    link(&tree, "skills/b/to-a", "../a");
    link(&tree, "skills/self", "self");
    let scan = scan_skills(&tree);
    assert_eq!(
        findings(&scan),
        [
            "skills/a/to-b L125: the symlink leads into another skill: it is not followed",
            "skills/b/to-a L125: the symlink leads into another skill: it is not followed",
            "skills/self E014: the symlink points at nothing: its target is `self`"
        ]
    );
    assert_eq!(files(&scan, "skills/a"), ["SKILL.md", "sub/x.md"]);
    assert_eq!(files(&scan, "skills/b"), ["SKILL.md"]);
    let looped = ["skills/a/here", "skills/a/sub/root", "skills/a/sub/up"];
    assert_eq!(left_out(&scan), looped.map(|path| (path, LeftOutReason::Loop)));
}

#[test]
fn a_fan_of_links_ends_soon_and_is_told_once() {
    let tree = tree(&["skills/good/SKILL.md"]);
    for level in 0..25 {
        link(&tree, &format!("skills/d{level:02}/x"), &format!("../d{:02}", level + 1));
        link(&tree, &format!("skills/d{level:02}/y"), &format!("../d{:02}", level + 1));
    }
    fs::create_dir(tree.path().join("skills/d25")).expect("the last one");
    fs::write(tree.path().join("skills/d25/SKILL.md"), "").expect("a file");
    let start = Instant::now();
    let first = scan_skills(&tree);
    let time = start.elapsed(); // a quarter of a second here; without a limit, years
    assert!(time < Duration::from_secs(5), "{time:?}");
    assert_eq!(first.findings.len(), 1);
    assert_eq!(first.findings[0].code, Code::E018);
    assert_eq!(first.findings[0].message, "symlinks lead to more than 10000 files and directories");
    assert_eq!(findings(&first), findings(&scan_skills(&tree)), "it ends at the same place again");
}

#[test]
fn a_chain_of_links_ends_at_the_limit_of_the_system() {
    let tree = tree(&["skills/z/SKILL.md"]);
    for level in 0..100 {
        link(&tree, &format!("skills/d{level:02}/next"), &format!("../d{:02}", level + 1));
    }
    fs::create_dir(tree.path().join("skills/d100")).expect("the last one");
    let scan = scan_skills(&tree);
    assert_eq!(scan.findings.len(), 1);
    assert_eq!(scan.findings[0].message, "more than 40 symlinks are on the way here");
}
