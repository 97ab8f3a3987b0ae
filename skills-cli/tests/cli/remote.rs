//! `skills add`, `outdated` and `update` over https: `git http-backend` behind a TLS server on this machine, with a
//! certificate made for it. Skipped where there is no Python or no `openssl`.

use std::fs;

use crate::place::finish;
use crate::project::{git, lock};
use crate::served::Served;

#[test]
fn a_skill_of_a_large_repository_is_fetched_and_kept_up_to_date() {
    let Some(served) = Served::new() else { return };
    let repository = served.repository("mono");
    for number in 0..1000 {
        served.place.skill(&format!("mono/many/s{number}"), &format!("Does the thing {number}"));
    }
    served.commit("mono");
    let url = format!("{}/mono", served.base);
    let ran = served.run(&["add", &format!("{url}#main"), "pdf", "--yes"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let lock = lock(&served.place);
    for line in [
        format!("source = \"{url}#main\""),
        format!("url = \"{url}\""),
        "path = \"skills/pdf\"".to_owned(),
        "ref = \"refs/heads/main\"".to_owned(),
        format!("commit = \"{}\"", git(&repository, &["rev-parse", "HEAD"])),
        format!("tree = \"{}\"", git(&repository, &["rev-parse", "HEAD:skills/pdf"])),
    ] {
        assert!(lock.contains(&format!("\n{line}\n")), "{line} is not in {lock}");
    }
    let ran = served.run(&["add", &url, "s7", "s999", "--yes"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(served.run(&["lock", "--check"]).stdout, "3 skills are locked: 3 ok\n");

    // One request, however many skills are from there.
    let before = served.asked();
    let states =
        |one: &str| ["pdf", "s7", "s999"].map(|name| (format!("skills/{name}"), one.to_owned())).to_vec();
    assert_eq!(served.states(), (0, states("up to date")));
    assert_eq!(served.asked(), before + 1);
    // A commit that changes other skills is no news.
    served.place.file("mono/skills/csv/more.md", "more\n");
    served.commit("mono");
    assert_eq!(served.states(), (0, states("up to date")));
    let ran = served.run(&["update", "--yes"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);

    served
        .place
        .file("mono/skills/pdf/tools/fill.sh", "#!/bin/sh\necho\n")
        .file("mono/skills/pdf/new.md", "new\n");
    served.commit("mono");
    let (code, of) = served.states();
    assert_eq!((code, of[0].1.as_str(), of[1].1.as_str()), (1, "outdated", "up to date"));
    let ran = served.run(&["update", "--offline", "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("needs the network"), "{}", ran.stderr);
    let ran = served.run(&["update", "--locked"]);
    assert!(ran.code == 1 && ran.stderr.contains("--locked permits no change"), "{}", ran.stderr);
    let ran = served.run(&["update", "--yes"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "skills/pdf: update\n"), "{}", ran.stderr);
    for line in ["new: `new.md`", "changed: `tools/fill.sh`"] {
        assert!(ran.stderr.contains(line), "{}", ran.stderr);
    }
    assert_eq!(served.read("skills/pdf/tools/fill.sh"), "#!/bin/sh\necho\n");
    assert_eq!(served.run(&["lock", "--check"]).stdout, "3 skills are locked: 3 ok\n");
    assert_eq!(served.states(), (0, states("up to date")));
}

#[test]
fn what_became_of_a_source_is_told_apart() {
    let Some(served) = Served::new() else { return };
    let repository = served.repository("repo.git");
    git(&repository, &["branch", "topic/one"]);
    git(&repository, &["tag", "-am", "one", "v1"]);
    let head = git(&repository, &["rev-parse", "HEAD"]);
    let base = &served.base;
    for (source, dir) in [
        (format!("{base}/repo.git#v1"), "tag"),
        (format!("{base}/repo.git/-/tree/topic/one/skills"), "branch"),
        (format!("{base}/repo.git#{head}"), "pinned"),
        (format!("{base}/repo.git"), "default"),
        (format!("{base}/moved/repo.git"), "moved"),
    ] {
        let ran = served.run(&["add", &source, "pdf", "--dir", dir, "--yes"]);
        assert_eq!(ran.code, 0, "{source}: {}", ran.stderr);
        assert_eq!(ran.stderr.contains("the repository is redirected to"), dir == "moved", "{}", ran.stderr);
    }
    assert!(lock(&served.place).contains("ref = \"refs/heads/topic/one\""), "{}", lock(&served.place));
    let states = |expected: [&str; 5]| {
        let dirs = ["branch/pdf", "default/pdf", "moved/pdf", "pinned/pdf", "tag/pdf"].map(str::to_owned);
        dirs.into_iter().zip(expected.map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(
        served.states(),
        (1, states(["up to date", "up to date", "redirected", "pinned", "up to date"]))
    );

    // History is rewritten, the tag is moved, a branch is gone, and the skill is gone.
    git(&repository, &["branch", "-D", "topic/one"]);
    served.place.file("repo.git/skills/pdf/tools/fill.sh", "#!/bin/sh\necho\n");
    git(&repository, &["add", "-A"]);
    git(&repository, &["commit", "-q", "--amend", "-m", "another"]);
    git(&repository, &["tag", "-f", "v1"]);
    assert_eq!(
        served.states(),
        (1, states(["branch or tag gone", "outdated", "outdated", "pinned", "tag moved"]))
    );
    let ran = served.run(&["update", "tag/pdf", "--yes"]);
    assert!(ran.code == 0 && ran.stderr.contains("the tag was moved"), "{}", ran.stderr);
    let ran = served.run(&["update", "branch/pdf", "--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("its branch or tag is gone"), "{}", ran.stderr);
    git(&repository, &["rm", "-rq", "skills/pdf"]);
    git(&repository, &["commit", "-qm", "gone"]);
    let before = lock(&served.place);
    let (code, of) = served.states();
    assert_eq!((code, of[1].1.as_str()), (1, "removed"));
    let ran = served.run(&["update", "default/pdf", "--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("no such skill any more"), "{}", ran.stderr);
    assert_eq!(lock(&served.place), before);
}

/// Servers that know no filters send everything, and repositories may use SHA-256.
#[test]
fn other_servers_and_other_repositories_are_read_too() {
    let Some(served) = Served::new() else { return };
    let plain = served.repository("plain.git");
    git(&plain, &["config", "uploadpack.allowFilter", "false"]);
    served
        .place
        .skill("new.git/pdf", "Fills forms")
        .file("new.git/pdf/\u{1b}[2J.md", "x")
        .skill("new.git/csv", "Reads");
    let new = served.place.path().join("new.git");
    git(&new, &["init", "-q", "-b", "main", "--object-format=sha256"]);
    served.commit("new.git");
    for (repository, skill) in [("plain.git", "pdf"), ("new.git", "csv")] {
        let ran = served.run(&["add", &format!("{}/{repository}", served.base), skill, "--yes"]);
        assert_eq!(ran.code, 0, "{repository}: {}", ran.stderr);
    }
    assert!(lock(&served.place).contains(&git(&new, &["rev-parse", "HEAD"])), "{}", lock(&served.place));
    assert_eq!(served.states().0, 0);
    // A file name acts on no terminal, and a skill with one isn't taken.
    let ran = served.run(&["add", &format!("{}/new.git", served.base), "pdf", "--dir", "other", "--yes"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("control") && !ran.stderr.contains('\u{1b}'),
        "{}",
        ran.stderr
    );
}

/// Cargo.toml says whom to trust, also after a redirect.
#[test]
fn only_trusted_sources_are_asked() {
    let Some(served) = Served::new() else { return };
    served.repository("repo.git");
    let urls = [format!("{}/repo.git", served.base), format!("{}/moved/repo.git", served.base)];
    assert_eq!(served.run(&["add", &urls[0], "pdf", "--yes"]).code, 0);
    let settings = |lines: &str| {
        served
            .place
            .file("project/Cargo.toml", format!("[workspace]\n[workspace.metadata.skills]\n{lines}\n"));
    };
    settings("allow-org = [\"localhost/moved\"]");
    let before = served.asked();
    let ran = served.run(&["add", &urls[0], "csv", "--yes"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("`localhost/repo.git` is not among the trusted"),
        "{}",
        ran.stderr
    );
    let (code, states) = served.states();
    assert_eq!((code, states[0].1.as_str()), (2, "not looked at"));
    assert_eq!(served.asked(), before, "and nobody was asked");
    let ran = served.run(&["add", &urls[1], "csv", "--yes"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("`localhost/repo.git` is not among the trusted"),
        "{}",
        ran.stderr
    );
    settings("allow-hosts = [\"localhost\"]");
    let ran = served.run(&["add", &urls[1], "csv", "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("`allow-hosts` is not a setting"), "{}", ran.stderr);
    settings("allow-host = [\"localhost\"]");
    assert_eq!(served.run(&["add", &urls[1], "csv", "--yes"]).code, 0);
}

/// What can't be looked at is never up to date.
#[test]
fn a_repository_that_cannot_be_read_is_an_error() {
    let Some(served) = Served::new() else { return };
    served.repository("repo.git");
    let url = format!("{}/repo.git", served.base);
    assert_eq!(served.run(&["add", &url, "pdf", "--yes"]).code, 0);
    let ran = served.run(&["add", &format!("{url}#v9"), "csv", "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("no branch, tag or commit `v9`"), "{}", ran.stderr);
    let ran = served.run(&["add", &format!("{}/none", served.base), "csv", "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("cannot be read"), "{}", ran.stderr);
    // Https that becomes http is refused.
    let ran = served.run(&["add", &format!("{}/plain/repo.git", served.base), "csv", "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("cannot be read"), "{}", ran.stderr);
    let log = fs::read_to_string(served.place.path().join("log")).expect("it has one");
    assert!(log.contains("https GET /plain/") && !log.contains("http GET"), "{log}");
    // A certificate of nobody's.
    let mut command = served.place.command(["add", &url, "csv", "--yes"]);
    command.env("NO_PROXY", "localhost").env("GIT_CONFIG_GLOBAL", "/dev/null").env_remove("GIT_SSL_CAINFO");
    let ran = finish(command.current_dir(served.place.path().join("project")).output());
    assert!(ran.code == 2 && ran.stderr.contains("cannot be read"), "{}", ran.stderr);
    assert!(!served.place.path().join("project/skills/csv").exists());

    fs::rename(served.place.path().join("repo.git"), served.place.path().join("away")).expect("renamed");
    let (code, states) = served.states();
    assert_eq!((code, states[0].1.as_str()), (2, "not looked at"));
    let ran = served.run(&["update", "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("cannot be read"), "{}", ran.stderr);
}

/// The text of a lock is that of its commit, whatever the branch has now.
#[test]
fn old_text_is_fetched_at_the_locked_commit() {
    let Some(served) = Served::new() else { return };
    served.repository("mono");
    let url = format!("{}/mono", served.base);
    let ran = served.run(&["add", &format!("{url}#main"), "pdf", "--yes"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    served.place.file("mono/skills/pdf/tools/fill.sh", "#!/bin/sh\necho theirs\n");
    served.commit("mono");
    served.place.file("project/skills/pdf/tools/fill.sh", "#!/bin/sh\necho mine\n");
    let ran = served.run(&["diff", "skills"]);
    assert!(
        ran.code == 1 && ran.stdout.contains("\n #!/bin/sh\n+echo mine\n"),
        "{} {}",
        ran.stdout,
        ran.stderr
    );
    let asked = served.asked();
    let ran = served.run(&["diff", "skills", "--offline"]);
    assert!(
        ran.stdout.starts_with("note: the old text of 1 changed file was not available"),
        "{}",
        ran.stdout
    );
    assert_eq!(served.asked(), asked, "no network");
    // Only those that are trusted are asked.
    served.place.file(
        "project/Cargo.toml",
        "[workspace]\n[workspace.metadata.skills]\nallow-host = [\"git.example.org\"]\n",
    );
    let ran = served.run(&["diff", "skills"]);
    assert!(ran.stderr.contains("is not among the trusted sources"), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("note: ") && served.asked() == asked, "{}", ran.stdout);
}
