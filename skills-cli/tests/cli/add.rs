//! `skills add` and `skills remove`: from a directory, from a repository that the test makes, and what must not
//! happen. The system's git is needed.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::project::{LOCK, files, git, lock, make_executable, project, repository, run};

#[test]
fn skills_of_a_directory_are_taken_and_locked() {
    let place = project();
    place.skill("project/vendor/pdf", "Fills forms").file("project/vendor/pdf/tools/fill.sh", "echo one\n");
    place.skill("project/vendor/csv", "Reads tables");
    let before = files(&place);
    // Which of the two isn't guessed.
    let ran = run(&place, &["add", "vendor"]);
    assert!(ran.code == 2 && ran.stderr.contains("has 2 skills: `csv`, `pdf`"), "{}", ran.stderr);
    // Without a terminal nothing is written that nobody has agreed to.
    let ran = run(&place, &["add", "vendor", "pdf"]);
    assert_eq!((ran.code, ran.stdout.as_str(), files(&place)), (1, "", before.clone()));
    assert!(ran.stderr.contains("pdf to skills/pdf\n  from ./vendor\n"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("tools/fill.sh, 9 bytes") && ran.stderr.contains("nothing was written; --yes"),
        "{}",
        ran.stderr
    );
    let ran = run(&place, &["add", "vendor", "pdf", "--dry-run", "--json"]);
    let planned =
        serde_json::json!([{"name": "pdf", "dir": "skills/pdf", "action": "add", "why": "from ./vendor"}]);
    assert_eq!((ran.code, &ran.json()["planned"], &ran.json()["written"]), (0, &planned, &false.into()));
    assert_eq!(files(&place), before);

    let ran = run(&place, &["add", "vendor", "--all", "--yes"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "skills/csv: add\nskills/pdf: add\n"), "{}", ran.stderr);
    let new =
        [LOCK, "skills/csv/SKILL.md", "skills/pdf/SKILL.md", "skills/pdf/tools/fill.sh"].map(str::to_owned);
    let mut expected = [before, new.to_vec()].concat();
    expected.sort();
    assert_eq!(files(&place), expected, "and nothing else is left behind");
    assert_eq!(run(&place, &["lock", "--check"]).stdout, "2 skills are locked: 2 ok\n");
    assert!(
        !lock(&place).contains("commit") && lock(&place).contains("source = \"./vendor\""),
        "{}",
        lock(&place)
    );

    // What is there is never overwritten, whatever its name is locked for.
    let ran = run(&place, &["add", "vendor", "pdf", "--yes", "--json"]);
    assert_eq!(ran.error_code(), "EXISTS");
    let ran = run(&place, &["add", "vendor", "pdf", "--yes", "--dir", "other"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(run(&place, &["lock", "--check"]).stdout, "3 skills are locked: 3 ok\n");
    let ran = run(&place, &["remove", "pdf", "--yes", "--json"]);
    assert_eq!(ran.error_code(), "SEVERAL_SKILLS");
}

#[test]
fn a_repository_is_read_as_git_stores_it() {
    let place = project();
    repository(&place);
    let repo = place.path().join("repo");
    // Attributes that change what a checkout or an archive has.
    place.file("repo/skills/pdf/.gitattributes", "* text eol=crlf ident\ntools/fill.sh export-ignore\n");
    place.file("repo/skills/pdf/id.txt", "$Id$\n");
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-qm", "two"]);
    // Changes that nobody committed.
    place.file("repo/skills/pdf/SKILL.md", "not committed").file("repo/skills/pdf/new.md", "not committed");
    let ran = run(&place, &["add", "../repo", "pdf", "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("outside of the workspace"), "{}", ran.stderr);
    let ran = run(&place, &["add", "../repo", "pdf", "--yes", "--allow-outside"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("changes that are not committed are not taken: `SKILL.md`"),
        "{}",
        ran.stderr
    );
    let read = |path: &str| {
        fs::read_to_string(place.path().join("project/skills/pdf").join(path)).expect("it is there")
    };
    assert_eq!((read("id.txt").as_str(), read("tools/fill.sh").as_str()), ("$Id$\n", "#!/bin/sh\n"));
    assert!(read("SKILL.md").ends_with("Body of pdf.\n") && read(".gitattributes").contains("ident"));
    let lock = self::lock(&place);
    for line in [
        "name = \"pdf\"".to_owned(),
        "source = \"../repo\"".to_owned(),
        "url = \"../repo\"".to_owned(),
        "path = \"skills/pdf\"".to_owned(),
        format!("commit = \"{}\"", git(&repo, &["rev-parse", "HEAD"])),
        format!("tree = \"{}\"", git(&repo, &["rev-parse", "HEAD:skills/pdf"])),
    ] {
        assert!(lock.contains(&format!("\n{line}\n")), "{line} is not in {lock}");
    }
    assert!(!lock.contains("\nref"), "the default branch is nobody's choice: {lock}");
    assert!(lock.contains("\"755 10 ") && !lock.contains(&*place.path().to_string_lossy()), "{lock}");
    assert_eq!(run(&place, &["lock", "--check"]).stdout, "1 skill is locked: 1 ok\n");

    // A bare repository, a tag, and a branch with a slash.
    git(place.path(), &["clone", "-q", "--bare", "repo", "bare.git"]);
    for (source, dir, reference) in [
        ("file:../bare.git#v1", "a", "refs/tags/v1"),
        ("../bare.git#topic/one", "b", "refs/heads/topic/one"),
        ("../repo/skills#v1", "c", "refs/tags/v1"),
    ] {
        let ran = run(&place, &["add", source, "csv", "--yes", "--allow-outside", "--dir", dir]);
        assert_eq!(ran.code, 0, "{source}: {}", ran.stderr);
        let lock = self::lock(&place);
        assert!(
            lock.contains(&format!("source = \"{source}\""))
                && lock.contains(&format!("ref = \"{reference}\"")),
            "{lock}"
        );
    }
    assert!(self::lock(&place).contains("url = \"file:../bare.git\""));
    let ran = run(&place, &["add", "../repo#v9", "csv", "--yes", "--allow-outside", "--dir", "d"]);
    assert!(ran.code == 2 && ran.stderr.contains("no commit `v9`"), "{}", ran.stderr);
    // An argument can't become an option of git.
    let ran = run(
        &place,
        &["add", "../repo#--upload-pack=touch x", "csv", "--yes", "--allow-outside", "--dir", "d"],
    );
    assert!(ran.code == 2 && ran.stderr.contains("no commit"), "{}", ran.stderr);
}

/// A repository's own settings, hooks, filters and attributes run nothing.
#[test]
fn nothing_of_a_repository_is_run() {
    let place = project();
    repository(&place);
    let repo = place.path().join("repo");
    let touch = format!("touch '{}'", place.path().join("PWNED").display());
    for key in [
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "pager.ls-tree",
        "diff.external",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "diff.x.textconv",
        "core.gitProxy",
        "uploadpack.packObjectsHook",
        "alias.rev-parse",
    ] {
        let value = if key.starts_with("alias") { format!("!{touch}") } else { touch.clone() };
        git(&repo, &["config", key, &value]);
    }
    for hook in ["post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"] {
        place.file(&format!("repo/.git/hooks/{hook}"), format!("#!/bin/sh\n{touch}\n"));
        make_executable(&repo.join(".git/hooks").join(hook));
    }
    place
        .file("repo/.git/info/attributes", "* filter=x diff=x\n")
        .file("repo/skills/pdf/SKILL.md", "changed");
    // An object that is elsewhere isn't fetched, from wherever the repository says.
    git(&repo, &["config", "remote.origin.url", &format!("ext::sh -c \"{touch}\"")]);
    git(&repo, &["config", "remote.origin.promisor", "true"]);
    git(&repo, &["config", "protocol.ext.allow", "always"]);
    let ran = run(&place, &["add", "../repo", "pdf", "--yes", "--allow-outside"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let object = git(&repo, &["rev-parse", "HEAD:skills/csv/SKILL.md"]);
    fs::remove_file(repo.join(".git/objects").join(&object[..2]).join(&object[2..])).expect("removed");
    let ran = run(&place, &["add", "../repo", "csv", "--yes", "--allow-outside"]);
    assert!(ran.code == 2 && !place.path().join("project/skills/csv").exists(), "{}", ran.stderr);
    assert!(!place.path().join("PWNED").exists());
}

/// Symlinks, submodules, broken skills and odd names are refused by name, and nothing is written.
#[cfg(unix)]
#[test]
fn what_is_not_plain_is_refused() {
    use std::os::unix::fs::symlink;

    let place = project();
    repository(&place);
    let repo = place.path().join("repo");
    let head = git(&repo, &["rev-parse", "HEAD"]);
    place.file("secret", "top secret");
    symlink("../../../secret", repo.join("skills/pdf/notes.md")).expect("linked");
    git(&repo, &["update-index", "--add", "--cacheinfo", &format!("160000,{head},skills/csv/sub")]);
    git(&repo, &["add", "skills/pdf"]);
    git(&repo, &["commit", "-qm", "odd"]);
    let plain = ["project/plain/link", "project/plain/broken", "project/plain/twins", "project/plain/escape"];
    for dir in plain {
        place.skill(dir, "Does its thing");
    }
    symlink("../../../secret", place.path().join("project/plain/link/notes.md")).expect("linked");
    place.file("project/plain/broken/SKILL.md", "---\nname: broken\n---\n");
    place.file("project/plain/twins/a.md", "a").file("project/plain/twins/A.md", "A");
    place.file("project/plain/escape/\u{1b}[2J.md", "x");
    let before = files(&place);
    for (source, name, word) in [
        ("../repo", "pdf", "`notes.md` of the skill `skills/pdf` is a symlink"),
        ("../repo", "csv", "is a submodule"),
        ("plain/link", "link", "symlink"),
        ("plain/broken", "broken", "breaks a rule"),
        ("plain/twins", "twins", "one file on some systems"),
        ("plain/escape", "escape", "control"),
        ("owner/repo", "pdf", "needs the network"),
        ("https://example.org/x.git", "pdf", "needs the network"),
        ("http://example.org/x.git", "pdf", "not a protocol that is taken"),
        ("git://example.org/x.git", "pdf", "not a protocol that is taken"),
        ("ext::sh", "pdf", "not a protocol that is taken"),
        ("--upload-pack=x", "pdf", "unexpected argument"),
    ] {
        let ran = run(&place, &["add", source, name, "--yes", "--allow-outside", "--offline"]);
        assert!(ran.code == 2 && ran.stderr.contains(word), "{source} {name}: {}", ran.stderr);
        assert!(!ran.stderr.contains("top secret") && !ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
        assert_eq!(files(&place), before, "{source} {name}");
    }
}

/// Elsewhere a conflict or an older version empties the lock.
#[test]
fn a_lock_that_cannot_be_read_is_left_alone() {
    let place = project();
    place.skill("project/vendor/pdf", "Fills forms").skill("project/vendor/csv", "Reads tables");
    assert_eq!(run(&place, &["add", "vendor", "pdf", "--yes"]).code, 0);
    let good = lock(&place);
    for bad in [
        good.replace("version = 1", "version = 2"),
        good.replace("[[skill]]", "<<<<<<< ours\n[[skill]]"),
        good.replace("644", "645"),
        String::new(),
    ] {
        place.file(&format!("project/{LOCK}"), &bad);
        let before = files(&place);
        for args in [
            &["add", "vendor", "csv", "--yes"][..],
            &["update", "--yes"],
            &["remove", "pdf", "--yes"],
            &["outdated"],
            &["lock", "--check"],
        ] {
            let ran = run(&place, args);
            assert!(
                ran.code == 2 && ran.stderr.contains("the lock cannot be read"),
                "{args:?}: {}",
                ran.stderr
            );
            assert_eq!((lock(&place), files(&place)), (bad.clone(), before.clone()), "{args:?}");
        }
    }
}

/// Elsewhere a hash depends on the locale, and on what a checkout does to line ends.
#[test]
fn a_digest_depends_on_no_machine() {
    let place = project();
    repository(&place);
    place.file("repo/skills/pdf/tools/charts.py", "a\r\nb\n").file("repo/skills/pdf/tools/data.py", "c\n");
    let repo = place.path().join("repo");
    git(&repo, &["-c", "core.autocrlf=false", "add", "-A"]);
    git(&repo, &["commit", "-qm", "two"]);
    let mut locks = Vec::new();
    for (locale, autocrlf, dir) in
        [("C", "false", "a"), ("cs_CZ.UTF-8", "true", "a"), ("tr_TR.UTF-8", "input", "a")]
    {
        let config = place.path().join("gitconfig");
        place.file("gitconfig", format!("[core]\n\tautocrlf = {autocrlf}\n\teol = crlf\n"));
        let mut command = place.command(["add", "../repo", "pdf", "--yes", "--allow-outside", "--dir", dir]);
        command.env("LC_ALL", locale).env("GIT_CONFIG_GLOBAL", config);
        let ran = crate::place::finish(command.current_dir(place.path().join("project")).output());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        locks.push(lock(&place));
        assert_eq!(run(&place, &["lock", "--check"]).code, 0);
        assert_eq!(run(&place, &["remove", "pdf", "--yes"]).code, 0);
    }
    assert!(locks[0] == locks[1] && locks[0] == locks[2], "{locks:#?}");
}

#[test]
fn what_was_edited_is_not_removed() {
    let place = project();
    place.skill("project/vendor/pdf", "Fills forms").skill("project/vendor/csv", "Reads tables");
    assert_eq!(run(&place, &["add", "vendor", "--all", "--yes"]).code, 0);
    place.file(&format!("project/{LOCK}"), lock(&place).replace("version = 1", "version = 1\nkept = true"));
    place.file("project/skills/pdf/SKILL.md", "edited");
    let ran = run(&place, &["remove", "pdf", "csv", "--yes"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("`skills/pdf` differs from the lock: edited"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        fs::read_to_string(place.path().join("project/skills/pdf/SKILL.md")).expect("there"),
        "edited"
    );
    assert!(place.path().join("project/skills/csv").exists(), "all or nothing");
    assert_eq!(run(&place, &["remove", "csv"]).code, 1);
    let ran = run(&place, &["remove", "csv", "--yes"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "skills/csv: remove\n"), "{}", ran.stderr);
    assert!(!place.path().join("project/skills/csv").exists() && lock(&place).contains("kept = true"));
    assert!(!lock(&place).contains("csv") && lock(&place).contains("pdf"));
    assert_eq!(run(&place, &["remove", "csv", "--yes"]).code, 2);
    assert!(files(&place).iter().all(|file| !file.starts_with('.')), "{:?}", files(&place));
}

/// Elsewhere of twenty writers at once one entry was left.
#[test]
fn writers_at_once_lose_nothing() {
    let place = project();
    let names: Vec<String> = (0..8).map(|number| format!("skill-{number}")).collect();
    for name in &names {
        place.skill(&format!("project/vendor/{name}"), &format!("Does the thing of {name}"));
    }
    let children: Vec<_> = names
        .iter()
        .map(|name| {
            let mut command = place.command(["add", "vendor", name, "--yes"]);
            command.current_dir(place.path().join("project")).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().expect("it starts")
        })
        .collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    assert_eq!(run(&place, &["lock", "--check"]).stdout, "8 skills are locked: 8 ok\n");
}

/// Whenever a command is killed: nothing is lost, and nothing is half after the next command.
#[cfg(unix)]
#[test]
fn a_kill_leaves_nothing_half() {
    let place = project();
    place.skill("project/vendor/old", "Was there before").skill("project/vendor/next", "Comes after");
    place.skill("project/vendor/big", "Has many files");
    for number in 0..60 {
        place.file(&format!("project/vendor/big/data/{number}.txt"), "x".repeat(2000));
    }
    assert_eq!(run(&place, &["add", "vendor", "old", "--yes"]).code, 0);
    let (mut with, mut without) = (0, 0);
    for moment in 0..50_u64 {
        let mut command = place.command(["add", "vendor", "big", "--yes"]);
        command.current_dir(place.path().join("project")).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        thread::sleep(Duration::from_micros(moment * 900));
        let _ = child.kill();
        child.wait().expect("it ends");
        let ran = run(&place, &["add", "vendor", "next", "--yes"]);
        assert_eq!(ran.code, 0, "{moment}: {}", ran.stderr);
        let lock = lock(&place);
        let is_there = place.path().join("project/skills/big").exists();
        assert_eq!(lock.contains("name = \"big\""), is_there, "{moment}: the lock and the disk agree");
        let ran = run(&place, &["lock", "--check"]);
        assert!(ran.code == 0 && lock.contains("name = \"old\""), "{moment}: {}{}", ran.stdout, ran.stderr);
        assert!(
            files(&place).iter().all(|file| !file.starts_with(".skills")),
            "{moment}: {:?}",
            files(&place)
        );
        let gone: &[&str] =
            if is_there { &["remove", "next", "big", "--yes"] } else { &["remove", "next", "--yes"] };
        assert_eq!(run(&place, gone).code, 0);
        *(if is_there { &mut with } else { &mut without }) += 1;
    }
    assert!(with + without == 50 && without > 0, "{with} {without}");
}

/// A journal is a file of the checkout like any other: it can move nothing from outside, or to there.
#[test]
fn a_journal_is_hostile_input() {
    let place = project();
    place.skill("project/vendor/pdf", "Fills forms").file("outside", "x").file("project/mine", "x");
    assert_eq!(run(&place, &["add", "vendor", "--yes"]).code, 0);
    let journal = |from: &str, to: &str| {
        format!("{{\"version\": 1, \"moves\": [{{\"from\": {from:?}, \"to\": {to:?}}}]}}")
    };
    for text in [
        journal("../outside", ".skills-staged-x/y"),
        journal(".skills-staged-x/y", "/tmp/y"),
        journal("mine", "other"),
        journal(".skills-staged-x/y", "a/../../b"),
        "{\"version\": 2, \"moves\": []}".to_owned(),
        "not json".to_owned(),
    ] {
        place.file("project/.skills-journal.json", &text);
        let ran = run(&place, &["remove", "pdf", "--yes"]);
        assert!(ran.code == 2 && ran.stderr.contains("journal"), "{text}: {}", ran.stderr);
        assert_eq!(run(&place, &["lock", "--check"]).code, 2, "{text}");
        assert!(place.path().join("outside").exists() && place.path().join("project/mine").exists());
        assert!(place.path().join("project/skills/pdf/SKILL.md").exists());
    }
    // One of ours says that a skill is in the middle of a change; a check doesn't touch it.
    place.file("project/.skills-journal.json", journal("skills/pdf", ".skills-staged-x/old-0"));
    let before = files(&place);
    let document = run(&place, &["lock", "--check", "--json"]);
    assert_eq!((document.json()["skills"][0]["state"].as_str(), document.code), (Some("interrupted"), 1));
    assert_eq!(files(&place), before);
}

/// The others are added where one is there already.
#[test]
fn all_are_those_that_are_not_there() {
    let place = project();
    repository(&place);
    place.file("project/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Is mine\n---\n");
    let add = |args: &[&str]| run(&place, &[&["add", "../repo", "--allow-outside", "--yes"], args].concat());
    let ran = add(&["--all"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("skills/csv: add\n", 0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("note: `skills/pdf` is there already, and stays as it is\n"),
        "{}",
        ran.stderr
    );
    assert!(lock(&place).contains("name = \"csv\"") && !lock(&place).contains("name = \"pdf\""));
    let mine =
        std::fs::read_to_string(place.path().join("project/skills/pdf/SKILL.md")).expect("it is there");
    assert!(mine.contains("Is mine"));
    // Once more there is nothing left to do, and one that is named is an error.
    let ran = add(&["--all"]);
    assert!(
        ran.code == 0 && ran.stderr.ends_with("note: nothing was written: there is nothing to do\n"),
        "{}",
        ran.stderr
    );
    assert!(add(&["pdf"]).code == 2);
}

/// The paths of a tree are what somebody wrote, not what git would check out.
#[test]
fn no_path_of_a_tree_leads_out_or_to_git() {
    let place = project();
    repository(&place);
    let repo = place.path().join("repo");
    place.file("repo/hook", "#!/bin/sh\n");
    let number = |path: &str| {
        let digits = git(&repo, &["hash-object", "-w", path]);
        let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal");
        (0..digits.len()).step_by(2).map(byte).collect::<Vec<u8>>()
    };
    let (text, hook) = (number("skills/pdf/SKILL.md"), number("hook"));
    for name in ["../../../hooked", "../hooked", ".git/hooks/post-commit", "/hooked"] {
        let mut tree = Vec::new();
        let mut entry = |mode: &str, name: &str, number: &[u8]| {
            tree.extend_from_slice(format!("{mode} {name}\0").as_bytes());
            tree.extend_from_slice(number);
        };
        entry("100755", name, &hook);
        entry("100644", "SKILL.md", &text);
        place.file("tree", &tree);
        let file = place.path().join("tree");
        let file = file.to_str().expect("it is text");
        let tree = git(&repo, &["hash-object", "-w", "-t", "tree", "--literally", file]);
        let commit = git(&repo, &["commit-tree", "-m", "hook", &tree]);
        git(&repo, &["tag", "-f", "hook", &commit]);
        let before = files(&place);
        for more in ["--dry-run", "--yes"] {
            let ran = run(&place, &["add", "../repo#hook", "--allow-outside", more]);
            assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{name}: {}", ran.stderr);
            assert_eq!(files(&place), before, "{name}");
            assert!(!place.path().join("hooked").exists(), "{name}");
        }
    }
}
