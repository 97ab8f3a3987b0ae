//! What else is spoken to: ssh where it is named, and nobody where no source is.

use std::fs;
use std::process::{Command, Stdio};

use crate::place::{Place, Ran, finish};
use crate::project::{LOCK, git, lock, make_executable, project, repository};
use crate::served::Served;

/// A project beside a repository, and a program that stands for `ssh`: it writes down what it is asked, and does it
/// on this machine.
fn with_ssh() -> Place {
    let place = project();
    repository(&place);
    git(&place.path().join("repo"), &["config", "uploadpack.allowFilter", "true"]);
    place.file("ssh", "#!/bin/sh\necho \"$@\" >> \"$SSH_LOG\"\nshift $(($# - 1))\nexec sh -c \"$1\"\n");
    make_executable(&place.path().join("ssh"));
    place
}

fn run(place: &Place, args: &[&str]) -> Ran {
    run_as(place, "ssh", args)
}

/// `variant` is what git takes the program for: only to `ssh` it says which protocol it speaks.
fn run_as(place: &Place, variant: &str, args: &[&str]) -> Ran {
    let mut command = place.command(args);
    command.env("GIT_SSH_COMMAND", place.path().join("ssh")).env("GIT_SSH_VARIANT", variant);
    command.env("SSH_LOG", place.path().join("log"));
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    finish(command.current_dir(place.path().join("project")).output())
}

#[cfg(unix)]
#[test]
fn a_repository_is_read_over_ssh() {
    let place = with_ssh();
    let repo = place.path().join("repo");
    let path = repo.display();
    let log = || fs::read_to_string(place.path().join("log")).unwrap_or_default();
    for (source, dir, variant) in [
        (format!("ssh://git@example.org{path}#v1"), "a", "simple"),
        (format!("git@example.org:{path}"), "b", "ssh"),
        (format!("git@example.org:{path}"), "c", "simple"),
    ] {
        let ran = run(&place, &["add", &source, "pdf", "--dir", dir, "--yes", "--offline"]);
        assert!(ran.code == 2 && ran.stderr.contains("needs the network"), "{}", ran.stderr);
        let ran = run_as(&place, variant, &["add", &source, "pdf", "--dir", dir, "--yes"]);
        assert_eq!(ran.code, 0, "{source}: {}", ran.stderr);
        assert!(lock(&place).contains(&format!("source = \"{source}\"")), "{}", lock(&place));
    }
    assert!(log().lines().all(|line| line.contains("git@example.org git-upload-pack ")), "{}", log());
    assert!(lock(&place).contains(&format!("url = \"git@example.org:{path}\"")), "{}", lock(&place));
    assert_eq!(run(&place, &["outdated"]).code, 0);
    place.file("repo/skills/pdf/new.md", "new\n");
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-qm", "two"]);
    let ran = run(&place, &["update", "--yes"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "b/pdf: update\nc/pdf: update\n"), "{}", ran.stderr);

    // Who isn't trusted isn't asked, and nothing in a name becomes an option of ssh.
    let asked = log();
    place.file(
        "project/Cargo.toml",
        "[workspace]\n[workspace.metadata.skills]\nallow-host = [\"git.example.org\"]\n",
    );
    for (source, word) in [
        (format!("git@example.org:{path}"), "not among the trusted sources"),
        (format!("ssh://git@example.org{path}"), "not among the trusted sources"),
        (format!("ssh://-oProxyCommand=x{path}"), "not among the trusted sources"),
        (format!("git@-oProxyCommand=x:{path}"), "not a protocol that is taken"),
        (format!("ssh://me:secret@example.org{path}"), "a password in a URL is not taken"),
    ] {
        let ran = run(&place, &["add", &source, "csv", "--yes"]);
        assert!(ran.code == 2 && ran.stderr.contains(word), "{source}: {}", ran.stderr);
    }
    assert_eq!(log(), asked);
    place.file("project/Cargo.toml", "[workspace]\n");
    let ran = run(&place, &["add", &format!("ssh://-oProxyCommand=touch%20x{path}"), "csv", "--yes"]);
    assert!(ran.code == 2 && log() == asked, "{} {}", ran.stderr, log());
}

/// To where a command connects, by `strace`: addresses of networks alone. None where it can't be seen.
fn connections(place: &Place, args: &[&str]) -> Option<Vec<String>> {
    let trace = place.path().join("trace");
    let certificate = place.path().join("cert.pem");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", "trace=connect,sendto", "-o"]).arg(&trace);
    command.arg(env!("CARGO_BIN_EXE_skills")).args(args).current_dir(place.path().join("project"));
    command
        .env("GIT_SSL_CAINFO", &certificate)
        .env("CURL_CA_BUNDLE", &certificate)
        .env("NO_PROXY", "localhost");
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null").stdin(Stdio::null());
    let output = command.output().ok()?;
    let trace = fs::read_to_string(trace).ok().filter(|_| output.status.code() == Some(0))?;
    let lines = trace.lines().filter(|line| line.contains("AF_INET") && line.contains("sin"));
    Some(lines.map(str::to_owned).collect())
}

/// No telemetry: a command speaks to the source that was named, or to nobody.
#[allow(clippy::print_stdout, reason = "it is the output of a test")]
#[cfg(target_os = "linux")]
#[test]
fn nobody_but_the_source_is_spoken_to() {
    let Some(served) = Served::new() else { return };
    served.repository("repo.git");
    served.place.skill("project/vendor/own", "Is here");
    let url = format!("{}/repo.git", served.base);
    let port = served.base.rsplit(':').next().expect("it has a port").to_owned();
    let Some(found) = connections(&served.place, &["add", &url, "pdf", "--yes"]) else {
        println!("skipped: it needs `strace`");
        return;
    };
    let is_port = |line: &&String| line.contains(&format!("htons({port})"));
    assert!(found.iter().any(|line| is_port(&line)), "{found:#?}");
    let is_here = |line: &String| line.contains("\"127.0.0.1\"") || line.contains("\"::1\"");
    assert!(found.iter().all(is_here), "{found:#?}");
    served.place.file("project/skills/pdf/tools/fill.sh", "#!/bin/sh\n");
    for args in [
        &["add", "vendor", "--yes"][..],
        &["lock", "--check"],
        &["list"],
        &["check", "skills"],
        &["remove", "own", "--yes"],
        &["update", "pdf", "--from", "vendor", "--dry-run"],
    ] {
        let found = connections(&served.place, args);
        assert!(found.is_none_or(|found| found.is_empty()), "{args:?}");
    }
    assert!(served.place.path().join("project").join(LOCK).exists());
}
