//! The usual roots: only those that the host selects, nearest first.

use std::path::{Path, PathBuf};

use skills::live::{Conventions, Overlays, usual_roots};
use skills_tests::disk::{self, skill_md};

fn paths(conventions: Conventions, working: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    usual_roots(conventions, working, home).iter().map(|root| root.path().to_owned()).collect()
}

#[test]
fn no_place_is_searched_by_default() {
    let dir = disk::temp();
    assert!(paths(Conventions::new(), dir.path(), Some(dir.path())).is_empty());
    assert!(
        paths(Conventions::new().claude(true), dir.path(), Some(dir.path())).is_empty(),
        "a directory alone isn't a place"
    );
    assert!(paths(Conventions::new().home(true), dir.path(), None).is_empty());
}

#[test]
fn from_the_working_directory_up_to_the_repository_then_home() {
    let dir = disk::temp();
    disk::write(dir.path(), "home/repo/.git/config", "");
    disk::write(dir.path(), "home/repo/crates/one/Cargo.toml", "");
    let (home, repo) = (dir.path().join("home"), dir.path().join("home/repo"));
    let working = repo.join("crates/one");
    let all = Conventions::new().project(true).home(true);
    let expected: Vec<PathBuf> =
        [&working, &repo.join("crates"), &repo, &home].map(|at| at.join(".agents/skills")).into();
    assert_eq!(paths(all, &working, Some(&home)), expected);
    let with_claude = paths(all.claude(true), &working, Some(&home));
    let pairs: Vec<PathBuf> = [&working, &repo.join("crates"), &repo, &home]
        .into_iter()
        .flat_map(|at| [at.join(".agents/skills"), at.join(".claude/skills")])
        .collect();
    assert_eq!(with_claude, pairs);
    assert_eq!(paths(Conventions::new().home(true), &working, Some(&home)), [home.join(".agents/skills")]);
}

/// `.git` may be a file (a worktree). Without one, the directories above aren't searched.
#[test]
fn without_a_repository_nothing_above() {
    let dir = disk::temp();
    disk::write(dir.path(), "tree/.git", "gitdir: elsewhere");
    disk::write(dir.path(), "tree/sub/x", "");
    let tree = dir.path().join("tree");
    let project = Conventions::new().project(true);
    assert_eq!(
        paths(project, &tree.join("sub"), None),
        [tree.join("sub/.agents/skills"), tree.join(".agents/skills")]
    );
    let alone = dir.path().join("alone");
    assert_eq!(paths(project, &alone, None), [alone.join(".agents/skills")]);
    assert_eq!(
        paths(project.home(true), &alone, Some(&alone)),
        [alone.join(".agents/skills")],
        "one place once"
    );
}

#[test]
fn the_nearest_wins() {
    let dir = disk::temp();
    disk::write(dir.path(), "repo/.git/config", "");
    for (place, text) in [("repo/sub", "Near"), ("repo", "Above"), ("home", "Home")] {
        disk::write(dir.path(), &format!("{place}/.agents/skills/pdf/SKILL.md"), skill_md("pdf", text));
    }
    let conventions = Conventions::new().project(true).home(true);
    let roots = usual_roots(conventions, &dir.path().join("repo/sub"), Some(&dir.path().join("home")));
    let live = roots.into_iter().fold(Overlays::without_bundle(), Overlays::root).open();
    let snapshot = live.snapshot();
    let entry = snapshot.registry().get("pdf").expect("it is served");
    assert_eq!((entry.skill.description(), entry.origin), ("Near", "project"));
    let origins: Vec<_> = snapshot.shadowed().into_iter().map(|shadowed| shadowed.origin).collect();
    assert_eq!(origins, ["project", "user"]);
}
