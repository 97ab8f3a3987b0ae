//! `skills add` of archives by https, and of what a website says it has. Skipped where there is no server or no curl.

use std::fs;
use std::process::{Command, Stdio};

use tar::EntryType;

use crate::archives::{SKILL, digest, tar_gz};
use crate::place::Ran;
use crate::project::{files, lock};
use crate::served::Served;

#[allow(clippy::print_stdout, reason = "it is the output of a test")]
/// A server, where there is `curl` too.
fn served() -> Option<Served> {
    let curl = Command::new("curl").arg("--version").stdout(Stdio::null()).status();
    if !curl.is_ok_and(|status| status.success()) {
        println!("skipped: it needs `curl`");
        return None;
    }
    Served::new()
}

fn archive(more: &str) -> Vec<u8> {
    let plain = EntryType::Regular;
    tar_gz(&[("SKILL.md", plain, 0o644, SKILL), ("tools/fill.sh", plain, 0o755, more)])
}

fn trust(served: &Served, line: &str) {
    served.place.file("project/Cargo.toml", format!("[workspace]\n[workspace.metadata.skills]\n{line}\n"));
}

#[test]
fn an_archive_is_downloaded() {
    let Some(served) = served() else { return };
    let bytes = archive("#!/bin/sh\n");
    served.place.file("www/files/pdf.tar.gz", &bytes);
    let url = format!("{}/files/pdf.tar.gz", served.base);
    let source = format!("{url}#{}", digest(&bytes));
    let ran = served.run(&["add", &source, "--yes", "--offline"]);
    assert!(ran.code == 2 && ran.stderr.contains("needs the network"), "{}", ran.stderr);
    assert_eq!(served.log(), "");
    let token = source.replace("https://", "https://me:secret@");
    let ran = served.run(&["add", &token, "--yes"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("the user name and token in the URL are not used"), "{}", ran.stderr);
    let text = lock(&served.place);
    for line in [format!("source = \"{source}\""), format!("url = \"{url}\"")] {
        assert!(text.contains(&format!("\n{line}\n")), "{line} is not in {text}");
    }
    assert!(!text.contains("secret"), "{text}");
    assert_eq!(served.log(), "https GET /files/pdf.tar.gz\n", "and nothing else is asked");
    assert_eq!(served.states(), (0, vec![("skills/pdf".to_owned(), "pinned".to_owned())]));
    assert_eq!(served.log().lines().count(), 1);

    // What a diff lacks is downloaded again.
    served.place.file("project/skills/pdf/tools/fill.sh", "#!/bin/sh\necho mine\n");
    let ran = served.run(&["diff", "skills"]);
    assert!(ran.stdout.contains("\n #!/bin/sh\n+echo mine\n"), "{}{}", ran.stdout, ran.stderr);

    // Other bytes at the same address, a redirect, and one that doesn't end.
    served.place.file("www/files/pdf.tar.gz", archive("#!/bin/sh\ncurl evil\n"));
    let ran = served.run(&["add", &source, "--dir", "other", "--yes", "--json"]);
    assert_eq!(ran.error_code(), "DIGEST_MISMATCH");
    served.place.file("www/files/pdf.tar.gz", &bytes);
    let moved = source.replace("/files/", "/moved/files/");
    let ran = served.run(&["add", &moved, "--dir", "moved", "--yes"]);
    assert!(
        ran.code == 0 && ran.stderr.contains(&format!("the source is redirected to {url}")),
        "{}",
        ran.stderr
    );
    let before = files(&served.place);
    for (prefix, word) in [
        ("plain", "is not followed"),
        ("loop", "more than 5 redirects"),
        ("no", "the server answers with 404"),
    ] {
        let source = source.replace("/files/", &format!("/{prefix}/files/"));
        let ran = served.run(&["add", &source, "--dir", "c", "--yes"]);
        assert!(ran.code == 2 && ran.stderr.contains(word), "{prefix}: {}", ran.stderr);
        assert_eq!(files(&served.place), before, "{prefix}");
    }
    assert!(!served.log().contains("http GET"), "{}", served.log());
    // An archive that is too large is never read to its end.
    let large = served.place.path().join("www/large.zip");
    fs::File::create(large).and_then(|file| file.set_len((64 << 20) + 1)).expect("made");
    let ran = served.run(&["add", &format!("{}/large.zip#{}", served.base, digest(b"")), "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("is larger than 67108864 bytes"), "{}", ran.stderr);
}

/// Cargo.toml says whom to trust, also after a redirect, and a certificate of nobody's is refused.
#[test]
fn only_trusted_hosts_are_asked() {
    let Some(served) = served() else { return };
    let bytes = archive("x");
    served.place.file("www/pdf.zip", &bytes);
    let source = |path: &str| format!("{}{path}/pdf.zip#{}", served.base, digest(&bytes));
    trust(&served, "allow-host = [\"git.example.org\"]");
    let ran = served.run(&["add", &source(""), "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("not among the trusted sources"), "{}", ran.stderr);
    assert_eq!(served.log(), "");
    trust(&served, "allow-host = [\"localhost\"]");
    let ran = served.run(&["add", &source("/away"), "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("`127.0.0.1/pdf.zip` is not among"), "{}", ran.stderr);
    assert_eq!(served.log().lines().count(), 1);
    let mut command = served.place.command(["add", &source(""), "--yes"]);
    command.env("NO_PROXY", "localhost").env_remove("CURL_CA_BUNDLE").env_remove("SSL_CERT_FILE");
    // The user's settings for curl, which could permit anything, are none of ours.
    served.place.file("home/.curlrc", "insecure\n");
    command.env("CURL_HOME", served.place.path().join("home"));
    let ran = crate::place::finish(command.current_dir(served.place.path().join("project")).output());
    assert!(ran.code == 2 && ran.stderr.contains("cannot be read"), "{}", ran.stderr);
    let ran = served.run(&["add", &source(""), "--yes"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

/// Writes an index with these skills: name, type, address and digest.
fn index(served: &Served, skills: &[(&str, &str, &str, &str)]) {
    let skills: Vec<_> = skills
        .iter()
        .map(|(name, kind, url, digest)| {
            serde_json::json!({
                "name": name, "type": kind, "url": url, "description": "x", "digest": digest.replace('=', ":"),
            })
        })
        .collect();
    let schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
    let index = serde_json::json!({ "$schema": schema, "skills": skills });
    served.place.file("www/.well-known/agent-skills/index.json", index.to_string());
}

fn state(ran: &Ran, name: &str) -> String {
    let skills = ran.json()["skills"].as_array().cloned().unwrap_or_default();
    let skill = skills.iter().find(|skill| skill["name"] == name);
    skill.and_then(|skill| skill["state"].as_str()).unwrap_or_default().to_owned()
}

#[test]
fn skills_of_a_website_are_taken_and_kept_up_to_date() {
    let Some(served) = served() else { return };
    let bytes = archive("one\n");
    let csv = SKILL.replace("pdf", "csv");
    served.place.file("www/.well-known/agent-skills/pdf.tar.gz", &bytes).file("www/csv/SKILL.md", &csv);
    let of_csv = digest(csv.as_bytes());
    index(
        &served,
        &[
            ("pdf", "archive", "pdf.tar.gz", &digest(&bytes)),
            ("csv", "skill-md", "/csv/SKILL.md", &of_csv),
            ("other", "archive", "other.zip", &of_csv),
        ],
    );
    let ran = served.run(&["add", &served.base, "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("has 3 skills: `pdf`, `csv`, `other`"), "{}", ran.stderr);
    let ran = served.run(&["add", &served.base, "pdf", "csv", "--yes"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(!served.log().contains("other"), "only what is taken is downloaded: {}", served.log());
    let text = lock(&served.place);
    for line in [
        format!("source = \"{}\"", served.base),
        format!("url = \"{}/.well-known/agent-skills/pdf.tar.gz\"", served.base),
        format!("url = \"{}/csv/SKILL.md\"", served.base),
        "path = \"pdf\"".to_owned(),
        format!("artifact = \"{}\"", of_csv.replace('=', ":")),
    ] {
        assert!(text.contains(&format!("\n{line}\n")), "{line} is not in {text}");
    }
    assert_eq!(served.run(&["lock", "--check"]).stdout, "2 skills are locked: 2 ok\n");
    let before = served.log().lines().count();
    assert_eq!(served.states().0, 0);
    assert_eq!(served.log().lines().count(), before + 1, "the index is asked once");

    let newer = archive("two\n");
    served.place.file("www/.well-known/agent-skills/pdf.tar.gz", &newer);
    index(&served, &[("pdf", "archive", "pdf.tar.gz", &digest(&newer))]);
    let ran = served.run(&["outdated", "--json"]);
    assert_eq!(
        (ran.code, state(&ran, "pdf"), state(&ran, "csv")),
        (1, "outdated".to_owned(), "removed".to_owned())
    );
    let ran = served.run(&["update", "--yes"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "skills/pdf: update\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("skills/csv: not updated: the website has no such skill"), "{}", ran.stderr);
    assert_eq!(served.read("skills/pdf/tools/fill.sh"), "two\n");
    assert!(lock(&served.place).contains(&digest(&newer).replace('=', ":")));
    // The old text of what the site doesn't have any more can't be had, and that is said.
    served.place.file("project/skills/csv/SKILL.md", "edited");
    fs::remove_file(served.place.path().join("www/csv/SKILL.md")).expect("removed");
    let ran = served.run(&["diff", "skills"]);
    assert!(ran.stderr.contains("skills/csv: the source does not have the locked files"), "{}", ran.stderr);
}

#[test]
fn an_index_that_says_something_else_is_refused() {
    let Some(served) = served() else { return };
    let bytes = archive("one\n");
    let below = tar_gz(&[("x/SKILL.md", EntryType::Regular, 0o644, SKILL)]);
    served
        .place
        .file("www/pdf.tar.gz", &bytes)
        .file("www/below.tgz", &below)
        .file("www/SKILL.md", SKILL)
        .file("secret/SKILL.md", SKILL);
    let before = files(&served.place);
    let run = || served.run(&["add", &served.base, "pdf", "--yes"]);
    let ran = run();
    assert!(ran.code == 2 && ran.stderr.contains("404"), "{}", ran.stderr);
    let of = digest(&bytes);
    let disk = format!("file://{}/secret/SKILL.md", served.place.path().display());
    for (entry, word) in [
        (("pdf", "archive", "https://evil.example/pdf.tar.gz", &of[..]), "is not on the host of the index"),
        (("pdf", "skill-md", &disk[..], &of), "is not on the host of the index"),
        (("pdf", "skill-md", "../../../secret/SKILL.md", &of), "is not a plain address"),
        (("pdf", "archive", "/away/pdf.tar.gz", &of), "is on another host"),
        (("pdf", "archive", "/plain/pdf.tar.gz", &of), "is not followed"),
        (("pdf", "archive", "/pdf.tar.gz", &digest(b"other")), "is not what was asked for"),
        (("pdf", "archive", "/pdf.tar.gz", ""), "expected `sha256:` and 64"),
        (("pdf", "archive", "/below.tgz", &digest(&below)), "has no SKILL.md at its top"),
        (("pdf", "git", "/pdf.git", &of), "of a type that is not known here"),
        (("../pdf", "archive", "/pdf.tar.gz", &of), "cannot be the name of a skill"),
    ] {
        index(&served, &[entry]);
        let ran = run();
        assert!(ran.code == 2 && ran.stderr.contains(word), "{entry:?}: {}", ran.stderr);
        assert_eq!(files(&served.place), before, "{entry:?}");
    }
    index(&served, &[("csv", "skill-md", "/SKILL.md", &digest(SKILL.as_bytes()))]);
    let ran = served.run(&["add", &served.base, "csv", "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("which calls itself `pdf`"), "{}", ran.stderr);
    served.place.file("www/.well-known/agent-skills/index.json", r#"{"skills": []}"#);
    assert!(run().stderr.contains("no `$schema`"));
    let index = served.place.path().join("www/.well-known/agent-skills/index.json");
    fs::File::create(index).and_then(|file| file.set_len((4 << 20) + 1)).expect("made");
    assert!(run().stderr.contains("is larger than"));
    assert_eq!(files(&served.place), before);
}
