//! Roots and entries that cannot be read, what is no plain file, and the limits.

use super::*;

#[test]
fn a_root_that_is_not_there_is_one_finding() {
    let scan = scan_skills(&tree(&[]));
    assert_eq!(findings(&scan), ["skills E017: the root is not found"]);
    assert_eq!(scan.findings[0].help, "create it, or give the directory that holds your skills");
    assert!(scan.skills.is_empty() && scan.left_out.is_empty());
}

/// Case 094.
#[test]
fn a_root_that_is_a_file_is_told_what_to_give() {
    let tree = tree(&["skills/pdf/SKILL.md", "skills/notes.txt"]);
    let root = |path: &str| scan(&tree.path().join(path), path, &ScanOptions::default());
    let file = root("skills/pdf/SKILL.md");
    assert_eq!(findings(&file), ["skills/pdf/SKILL.md E017: the root is a file, not a directory"]);
    assert_eq!(file.findings[0].help, "give the directory that holds it: `skills/pdf`");
    assert_eq!(root("skills/notes.txt").findings[0].help, "give the directory that holds your skills");
    assert_eq!(
        findings(&root("skills/notes.txt/deeper")),
        ["skills/notes.txt/deeper E017: the root cannot be read: not a directory"]
    );
}

#[test]
fn a_directory_named_like_the_file_is_reported() {
    let scan = scan_skills(&tree(&["skills/a/SKILL.md/x", "skills/a/y.md", "skills/b/SKILL.md"]));
    assert_eq!(findings(&scan), ["skills/a/SKILL.md E017: `SKILL.md` is a directory"]);
    assert_eq!((skills(&scan), scan.without_skill.len()), (vec!["skills/b"], 0));
}

#[test]
fn past_a_depth_each_directory_is_reported() {
    let paths =
        ["skills/1/a/SKILL.md", "skills/1/2/b/SKILL.md", "skills/1/2/c/SKILL.md", "skills/1/a/d/e.md"];
    let scan = scan_with(&tree(&paths), |options| options.max_depth = Some(2));
    assert_eq!((skills(&scan), files(&scan, "skills/1/a")), (vec!["skills/1/a"], vec!["SKILL.md"]));
    assert_eq!(
        findings(&scan),
        ["skills/1/2/b", "skills/1/2/c", "skills/1/a/d"]
            .map(|path| format!("{path} E018: the directory is deeper than 2 levels below the root"))
    );
}

#[test]
fn past_a_number_the_walk_ends_with_one_finding() {
    let scan = scan_with(
        &tree(&["skills/a/SKILL.md", "skills/b/SKILL.md", "skills/b/x", "skills/c/SKILL.md"]),
        |options| {
            options.max_entries = 5;
        },
    );
    assert_eq!(skills(&scan), ["skills/a"]);
    assert_eq!(findings(&scan), ["skills/b E018: the root holds more than 5 files and directories"]);
    let scan = scan_with(&tree(&["skills/a/SKILL.md"]), |options| options.max_entries = 2);
    assert_eq!((skills(&scan), scan.findings.len()), (vec!["skills/a"], 0));
}

#[test]
fn depth_costs_no_stack() {
    let tree = tree(&[]);
    let mut deep = tree.path().join("skills");
    for _ in 0..1_000 {
        deep.push("d");
    }
    fs::create_dir_all(&deep).expect("a deep directory");
    fs::write(deep.join("SKILL.md"), "").expect("a file");
    let root = tree.path().join("skills");
    let small_stack = std::thread::Builder::new().stack_size(64 * 1024);
    let walk = small_stack.spawn(move || scan(&root, "skills", &ScanOptions::default())).expect("a thread");
    assert_eq!(walk.join().expect("no overflow").skills.len(), 1);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_reported_where_it_matters() {
    let tree =
        tree(&["skills/a/scripts/x.sh", "skills/a/SKILL.md", "skills/p/notes.md", "skills/q/", "loose/"]);
    for path in
        ["skills/a/scripts/pipe", "skills/p/SKILL.md", "skills/q/skill.MD", "skills/loose", "skills/p/more"]
    {
        make_pipe(&tree.path().join(path));
    }
    link(&tree, "skills/a/linked", "../loose");
    let scan = scan_skills(&tree);
    assert_eq!(
        findings(&scan),
        [
            "skills/a/linked E017: `linked` is a pipe, not a plain file",
            "skills/a/scripts/pipe E017: `pipe` is a pipe, not a plain file",
            "skills/p/SKILL.md E017: `SKILL.md` is a pipe, not a plain file",
            "skills/p/more E017: `more` is a pipe, not a plain file",
            "skills/q/skill.MD E017: `skill.MD` is a pipe, not a plain file",
        ]
    );
    assert_eq!(files(&scan, "skills/a"), ["SKILL.md", "scripts/x.sh"]);
    assert!(scan.without_skill.is_empty());
}

#[cfg(unix)]
#[test]
fn a_pipe_as_root_is_refused() {
    let tree = tree(&[]);
    make_pipe(&tree.path().join("skills"));
    assert_eq!(findings(&scan_skills(&tree)), ["skills E017: the root is not a directory"]);
}

#[cfg(target_os = "linux")] // elsewhere the disk itself refuses such names
#[test]
fn a_name_that_is_not_utf8_is_reported() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let tree = tree(&["skills/a/SKILL.md", "skills/b/SKILL.md"]);
    let skills_dir = tree.path().join("skills");
    fs::write(skills_dir.join("a").join(OsStr::from_bytes(b"caf\xe9.md")), "").expect("a file");
    let odd = skills_dir.join(OsStr::from_bytes(b"d\xff"));
    fs::create_dir(&odd).expect("a directory");
    fs::write(odd.join("SKILL.md"), "").expect("a file");
    fs::write(skills_dir.join(OsStr::from_bytes(b"old\xff.bak")), "").expect("a file");
    let scan = scan_with(&tree, |options| options.ignore.push("*.bak".to_owned()));
    assert_eq!(skills(&scan), ["skills/a", "skills/b"]);
    assert_eq!(
        findings(&scan),
        ["skills/a/caf\\xe9.md", "skills/d\\xff"].map(|path| format!("{path} E017: the name is not UTF-8"))
    );
    assert_eq!(left_out(&scan), [("skills/old\\xff.bak", LeftOutReason::Ignored)]);
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_reported_alone() {
    use std::os::unix::fs::PermissionsExt;
    let tree =
        tree(&["skills/a/SKILL.md", "skills/a/locked/x", "skills/b/SKILL.md", "skills/shut/c/SKILL.md"]);
    let set = |path: &str, mode| {
        fs::set_permissions(tree.path().join(path), fs::Permissions::from_mode(mode))
            .expect("the mode is set");
    };
    set("skills/shut", 0o000);
    set("skills/a/locked", 0o000);
    let is_root = fs::read_dir(tree.path().join("skills/shut")).is_ok();
    let scan = scan_skills(&tree);
    set("skills", 0o000);
    let shut = scan_skills(&tree);
    for path in ["skills", "skills/shut", "skills/a/locked"] {
        set(path, 0o755); // else the temporary directory could not be removed
    }
    if is_root {
        println!("skipped: this user may read everything");
        return;
    }
    assert_eq!(skills(&scan), ["skills/a", "skills/b"]);
    assert_eq!(
        findings(&scan),
        ["skills/a/locked", "skills/shut"]
            .map(|path| format!("{path} E017: the directory cannot be read: permission denied"))
    );
    assert_eq!(findings(&shut), ["skills E017: the directory cannot be read: permission denied"]);
}
