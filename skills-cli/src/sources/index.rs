//! What a website says it has, in `/.well-known/agent-skills/index.json` (version 0.2 of the discovery format).
//!
//! Each skill is one file or one archive of the same host, with its digest. The digest comes from where the bytes
//! come from, so it is no reason to trust them; it says that both are what was locked.

use std::collections::BTreeSet;

use serde_json::Value;
use skills_bundle::lock::{Digest, path_fault};
use skills_source::scan::SKILL_FILE;

use super::trust::Trust;
use super::web::{self, Download};
use super::{Artifact, Content, Found, LockedFile, about, archive, held, refused};
use crate::failure::Failure;

/// Where the index of a host is.
const PATH: &str = "/.well-known/agent-skills/";
const FILE: &str = "index.json";

/// The only version of the format that has digests.
const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

/// The most bytes and skills of an index.
const MAX_INDEX: u64 = 4 * 1024 * 1024;
const MAX_SKILLS: usize = 10_000;

/// The most bytes of a SKILL.md that comes alone.
const MAX_SKILL_FILE: u64 = 1024 * 1024;

const TELL: &str = "tell those whose site it is";

/// A skill in an index.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    name: String,
    url: String,
    digest: Digest,
}

/// The skills of a website, and where it was redirected to. Nothing but the index is downloaded yet.
///
/// # Errors
///
/// If there is no index, it is of another version, or anything in it is wrong.
pub(super) fn skills(trust: &Trust, site: &str) -> Result<(Vec<Found>, Option<String>), Failure> {
    let url = format!("{}{PATH}{FILE}", site.trim_end_matches('/'));
    let Download { bytes, url: found } = web::get(trust, &url, None, MAX_INDEX)?;
    let base = web::host_of(&found).map(|host| format!("https://{host}")).unwrap_or_default();
    let entries = read(&bytes, &base).map_err(|why| {
        let help = "tell those whose site it is; the format is version 0.2 of Agent Skills discovery";
        refused(format!("`{found}` is refused: {why}"), help)
    })?;
    let skills = entries.into_iter().map(|Entry { name, url, digest }| Found {
        path: name.clone(),
        dir_name: name,
        tree: None,
        artifact: Some(Artifact { url: Some(url), digest }),
        files: Vec::new(),
        others: Vec::new(),
    });
    Ok((skills.collect(), (found != url).then_some(found)))
}

fn read(bytes: &[u8], base: &str) -> Result<Vec<Entry>, String> {
    let index: Value = serde_json::from_slice(bytes).map_err(|error| format!("it is not JSON: {error}"))?;
    match index["$schema"].as_str() {
        Some(SCHEMA) => {}
        Some(other) => return Err(format!("its `$schema` is not known here: {other}")),
        None => return Err("it has no `$schema`, so its version is not known".to_owned()),
    }
    let skills = index["skills"].as_array().ok_or("it has no list `skills`")?;
    if skills.len() > MAX_SKILLS {
        return Err(format!("it has more than {MAX_SKILLS} skills"));
    }
    let mut names = BTreeSet::new();
    let mut entries = Vec::with_capacity(skills.len());
    for (at, skill) in skills.iter().enumerate() {
        let entry = entry(skill, base).map_err(|why| format!("skill {}: {why}", at + 1))?;
        if !names.insert(entry.name.clone()) {
            return Err(format!("two skills are named `{}`", entry.name));
        }
        entries.push(entry);
    }
    Ok(entries)
}

fn entry(skill: &Value, base: &str) -> Result<Entry, String> {
    let text = |key: &str| skill[key].as_str().ok_or_else(|| format!("it has no `{key}`"));
    let name = text("name")?;
    let is_plain = |c: char| c.is_alphanumeric() || c == '-';
    if name.is_empty() || name.chars().count() > 64 || !name.chars().all(is_plain) {
        return Err(format!("`{name}` cannot be the name of a skill"));
    }
    let kind = text("type")?;
    let url = address(text("url")?, base)?;
    let is_known = match kind {
        "skill-md" => url.ends_with(&format!("/{SKILL_FILE}")),
        "archive" => archive::is_archive(&url),
        other => return Err(format!("`{name}` is of a type that is not known here: {other}")),
    };
    if !is_known {
        return Err(format!("the address of `{name}` is not that of its type, {kind}: {url}"));
    }
    let digest = text("digest")?.parse().map_err(|why| format!("the digest of `{name}`: {why}"))?;
    Ok(Entry { name: name.to_owned(), url, digest })
}

/// The address of a file of the same host, given whole, from the host's top, or from where the index is.
fn address(url: &str, base: &str) -> Result<String, String> {
    let path = match (url.strip_prefix(base), url.strip_prefix('/')) {
        (Some(rest), _) if rest.starts_with('/') => rest[1..].to_owned(),
        (_, Some(path)) => path.to_owned(),
        _ if url.contains(':') => return Err(format!("`{url}` is not on the host of the index")),
        _ => format!("{}{url}", &PATH[1..]),
    };
    if path.contains(['?', '#', '%']) || path_fault(&path).is_some() || path.contains(char::is_whitespace) {
        return Err(format!("`{url}` is not a plain address"));
    }
    Ok(format!("{base}/{path}"))
}

/// Downloads a skill of an index, or again what was locked, and compares the digest.
///
/// # Errors
///
/// If it can't be downloaded, has another digest, or is not the skill that was named.
pub(super) fn download(trust: &Trust, name: &str, artifact: &Artifact) -> Result<Vec<Content>, Failure> {
    let url = artifact.url.as_deref().unwrap_or_default();
    let is_archive = archive::is_archive(url);
    let most = if is_archive { archive::MAX_ARCHIVE } else { MAX_SKILL_FILE };
    let bytes = web::get(trust, url, web::host_of(url), most)?.bytes;
    archive::verify(url, &bytes, artifact.digest)?;
    let contents = contents(name, artifact, bytes, is_archive)?;
    let called = about::of(name, &contents)?.name;
    if called == name {
        return Ok(contents);
    }
    let message = format!("the index names a skill `{name}`, which calls itself `{called}`");
    Err(refused(message, TELL))
}

fn contents(
    name: &str,
    artifact: &Artifact,
    bytes: Vec<u8>,
    is_archive: bool,
) -> Result<Vec<Content>, Failure> {
    if !is_archive {
        let line = LockedFile::of(SKILL_FILE, false, &bytes);
        return Ok(vec![Content { line, bytes }]);
    }
    let skills = archive::skills(name, &bytes, artifact)?;
    match &skills[..] {
        [skill] if skill.path.is_empty() => held(skill),
        _ => {
            let message = format!("the archive of `{name}` has no {SKILL_FILE} at its top");
            Err(refused(message, TELL))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "https://example.org";

    fn index(url: &str, kind: &str) -> String {
        format!(
            r#"{{"$schema": "{SCHEMA}", "more": 1, "skills": [{{"name": "pdf", "type": "{kind}", "description": "x",
            "url": "{url}", "digest": "sha256:{}"}}]}}"#,
            "0a".repeat(32)
        )
    }

    #[test]
    fn files_of_the_same_host_are_named_in_three_ways() {
        for (url, kind, expected) in [
            ("pdf.tar.gz", "archive", "/.well-known/agent-skills/pdf.tar.gz"),
            ("/files/pdf.zip", "archive", "/files/pdf.zip"),
            ("https://example.org/x/SKILL.md", "skill-md", "/x/SKILL.md"),
        ] {
            let entries = read(index(url, kind).as_bytes(), BASE).expect(url);
            assert_eq!(
                (entries[0].name.as_str(), entries[0].url.clone()),
                ("pdf", format!("{BASE}{expected}"))
            );
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for url in [
            "https://evil.example/pdf.zip",
            "https://example.org.evil.example/pdf.zip",
            "https://me@example.org/pdf.zip",
            "http://example.org/pdf.zip",
            "//evil.example/pdf.zip",
            "file:///etc/pdf.zip",
            "../../pdf.zip",
            "/a/%2e%2e/pdf.zip",
            "pdf.zip?token=x",
            "pdf.zip#x",
            "a\\\\b.zip",
            "a b.zip",
            "pdf.exe",
            "",
        ] {
            assert!(read(index(url, "archive").as_bytes(), BASE).is_err(), "{url}");
        }
        let good = index("pdf.zip", "archive");
        for (old, new) in [
            ("0.2.0", "0.3.0"),
            ("$schema", "schema"),
            ("sha256:", "sha1:"),
            ("0a0a", "0A0A"),
            ("0a0a", "0a"),
            ("\"archive\"", "\"oci\""),
            ("\"pdf\"", "\"../pdf\""),
            ("\"pdf\"", "\"\""),
            ("digest", "hash"),
            ("skills\":", "files\":"),
        ] {
            assert!(read(good.replacen(old, new, 1).as_bytes(), BASE).is_err(), "{new}");
        }
        assert!(read(b"<html>", BASE).is_err() && read(good.as_bytes(), BASE).is_ok());
        let entry = good.split_once('[').and_then(|(_, rest)| rest.rsplit_once(']')).expect("a list").0;
        let twice = good.replace(entry, &format!("{entry}, {entry}"));
        assert!(read(twice.as_bytes(), BASE).is_err_and(|why| why.contains("two skills are named `pdf`")));
    }
}
