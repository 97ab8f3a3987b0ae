//! `skills add crate:NAME/PATH`: skills of a package that the workspace depends on.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::place::{Place, Ran};
use crate::project::{files, lock, project, run};

/// A workspace with a package that depends on `acme-skills`, which is beside it.
fn with_dependency() -> Place {
    let place = project();
    place
        .file("project/Cargo.toml", "[workspace]\nmembers = [\"app\"]\nresolver = \"3\"\n")
        .file(
            "project/app/Cargo.toml",
            "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nacme-skills = { path = \"../../acme\" }\n",
        )
        .file("project/app/src/lib.rs", "")
        .file("acme/src/lib.rs", "")
        .skill("acme/skills/pdf", "Fills forms")
        .file("acme/skills/pdf/tools/fill.sh", "#!/bin/sh\n")
        .skill("acme/skills/csv", "Reads tables");
    version(&place, "1.2.0");
    place
}

/// The package is of this version, and the workspace's lock says so.
fn version(place: &Place, version: &str) {
    let manifest = format!(
        "[package]\nname = \"acme-skills\"\nversion = \"{version}\"\nedition = \"2024\"\n\n[workspace]\n"
    );
    place.file("acme/Cargo.toml", manifest);
    let _ = fs::remove_file(place.path().join("project/Cargo.lock"));
    cargo(&place.path().join("project"), &["generate-lockfile", "--offline"]);
}

fn cargo(directory: &Path, args: &[&str]) {
    let output = Command::new(env!("CARGO")).args(args).current_dir(directory).output().expect("Cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn state(ran: &Ran) -> (i32, String) {
    let states = ran.json()["skills"].as_array().cloned().unwrap_or_default();
    let states: Vec<&str> = states.iter().filter_map(|skill| skill["state"].as_str()).collect();
    (ran.code, states.join(", "))
}

#[test]
fn a_skill_of_a_dependency_is_taken_and_follows_it() {
    let place = with_dependency();
    let ran = run(&place, &["add", "crate:acme-skills/skills", "--offline"]);
    assert!(ran.code == 2 && ran.stderr.contains("has 2 skills: `csv`, `pdf`"), "{}", ran.stderr);
    let ran = run(&place, &["add", "crate:acme-skills/skills/pdf", "--offline", "--yes"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "skills/pdf: add\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("  version 1.2.0\n"), "{}", ran.stderr);
    let ran = run(&place, &["add", "crate:acme-skills@1.2", "csv", "--yes"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let text = lock(&place);
    for line in [
        "source = \"crate:acme-skills/skills/pdf\"",
        "source = \"crate:acme-skills@1.2\"",
        "path = \"skills/pdf\"",
        "path = \"skills/csv\"",
        "ref = \"1.2.0\"",
    ] {
        assert!(text.contains(&format!("\n{line}\n")), "{line} is not in {text}");
    }
    for key in ["url", "commit", "tree"] {
        assert!(!text.contains(&format!("\n{key} = ")), "{text}");
    }
    assert_eq!(run(&place, &["lock", "--check"]).stdout, "2 skills are locked: 2 ok\n");
    assert_eq!(state(&run(&place, &["outdated", "--json"])), (0, "up to date, up to date".to_owned()));

    // Another version with the same skills is no news; another text is.
    version(&place, "1.2.1");
    assert_eq!(state(&run(&place, &["outdated", "--json"])), (0, "up to date, up to date".to_owned()));
    place.file("acme/skills/pdf/tools/fill.sh", "#!/bin/sh\necho theirs\n");
    place.file("project/skills/pdf/tools/fill.sh", "#!/bin/sh\necho mine\n");
    let ran = run(&place, &["outdated"]);
    let line = "skills/pdf: outdated: the package is 1.2.1 now, before 1.2.0\n";
    assert!(ran.code == 1 && ran.stdout.starts_with(line), "{}", ran.stdout);
    let ran = run(&place, &["update", "--offline", "--yes", "--write-new"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "skills/pdf: update\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("version 1.2.1, before 1.2.0"), "{}", ran.stderr);
    assert!(ran.stderr.contains("tools/fill.sh: kept as you have it"), "{}", ran.stderr);
    assert!(files(&place).contains(&"skills/pdf/tools/fill.sh.new".to_owned()), "{:?}", files(&place));
    assert!(lock(&place).contains("ref = \"1.2.1\""), "{}", lock(&place));

    // What left the package, and a package that left.
    fs::remove_dir_all(place.path().join("acme/skills/csv")).expect("removed");
    let ran = run(&place, &["outdated", "csv"]);
    assert!(
        ran.code == 1 && ran.stdout.contains("csv: removed: the package has no such skill"),
        "{}",
        ran.stdout
    );
    version(&place, "2.0.0");
    let ran = run(&place, &["outdated", "csv"]);
    assert!(ran.stdout.contains("csv: removed: the workspace has other versions"), "{}", ran.stdout);
    let ran = run(&place, &["update", "csv", "--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("not updated: the workspace has other"), "{}", ran.stderr);
}

#[test]
fn what_a_diff_lacks_comes_from_the_package() {
    let place = with_dependency();
    let ran = run(&place, &["add", "crate:acme-skills/skills", "pdf", "--yes"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    place.file("project/skills/pdf/tools/fill.sh", "#!/bin/sh\necho mine\n");
    let ran = run(&place, &["diff", "skills"]);
    assert!(ran.stdout.contains("\n #!/bin/sh\n+echo mine\n"), "{}{}", ran.stdout, ran.stderr);
    place.file("acme/skills/pdf/more.md", "x");
    let ran = run(&place, &["diff", "skills"]);
    assert!(ran.stderr.contains("does not have the locked files: it has others now"), "{}", ran.stderr);
}

#[test]
fn what_is_not_in_a_dependency_is_refused() {
    let place = with_dependency();
    place.skill("outside", "Is elsewhere");
    #[cfg(unix)]
    std::os::unix::fs::symlink("../../outside", place.path().join("acme/skills/away")).expect("linked");
    let before = files(&place);
    for (source, word) in [
        ("crate:serde/skills", "does not depend on a package `serde`"),
        ("crate:acme-skills@3/skills", "has other versions of `acme-skills`: 1.2.0"),
        ("crate:acme-skills/nothing", "1.2.0 has no directory `nothing`"),
        ("crate:acme-skills/../outside", "is neither a directory nor"),
        #[cfg(unix)]
        ("crate:acme-skills/skills/away", "has no directory"),
        ("crate:acme-skills/src", "there are no skills"),
        ("crate:acme-skills#v1", "has no branch or tag"),
    ] {
        let ran = run(&place, &["add", source, "--yes"]);
        assert!(ran.code == 2 && ran.stderr.contains(word), "{source}: {}", ran.stderr);
        assert_eq!(files(&place), before, "{source}");
    }
    // Without Cargo.lock nobody has chosen a version, and it isn't written here.
    fs::remove_file(place.path().join("project/Cargo.lock")).expect("removed");
    let ran = run(&place, &["add", "crate:acme-skills/skills/pdf", "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("run `cargo fetch`"), "{}", ran.stderr);
    assert!(!place.path().join("project/Cargo.lock").exists());
}

/// A checkout may name a program that Cargo runs in place of the compiler.
#[cfg(unix)]
#[test]
fn no_program_that_a_checkout_names_is_run() {
    let place = with_dependency();
    let ran = run(&place, &["add", "crate:acme-skills/skills/pdf", "--offline", "--yes"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let program = place.path().join("evil.sh");
    place.file("evil.sh", format!("#!/bin/sh\ntouch {}\nexec \"$@\"\n", place.path().join("ran").display()));
    crate::project::make_executable(&program);
    for key in ["rustc-wrapper", "rustc-workspace-wrapper", "rustc"] {
        place.file("project/.cargo/config.toml", format!("[build]\n{key} = \"{}\"\n", program.display()));
        for args in [&["outdated"][..], &["diff", "skills"], &["update"]] {
            run(&place, args);
            assert!(!place.path().join("ran").exists(), "{key}: {args:?}");
        }
    }
}
