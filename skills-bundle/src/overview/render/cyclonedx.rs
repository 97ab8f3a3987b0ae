//! An overview as a bill of materials: CycloneDX 1.6, as JSON.
//!
//! CycloneDX has no type for skills: each is a `library`, in which each file is a `file` with its SHA-256. What is
//! peculiar to skills is in properties whose names begin with `skills:`. There is no time and no serial number in
//! it, so equal skills give equal bytes. The document is written by hand: it has few parts, and a test holds it against
//! the official schema (`tests/report`).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use skills_pack::text::Hex;

use crate::lock::LockedSkill;
use crate::overview::{FileRow, Overview, Row};

/// The version of the form.
const SPEC: &str = "1.6";

/// What is escaped in a part of a package URL.
const PURL: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The identifiers of SPDX that skills have most; the schema takes no others, so any other licence is a name.
const LICENSES: [&str; 24] = [
    "0BSD",
    "AGPL-3.0-only",
    "AGPL-3.0-or-later",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC-BY-4.0",
    "CC-BY-SA-4.0",
    "CC0-1.0",
    "EPL-2.0",
    "GPL-2.0-only",
    "GPL-2.0-or-later",
    "GPL-3.0-only",
    "GPL-3.0-or-later",
    "ISC",
    "LGPL-2.1-or-later",
    "LGPL-3.0-only",
    "LGPL-3.0-or-later",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unlicense",
    "Zlib",
];

/// The bill of materials. `version` is that of the program that writes it.
pub fn cyclonedx(overview: &Overview, version: &str) -> Value {
    let root = if overview.is_program { "application" } else { "data" };
    let skills = || overview.skills.iter().enumerate();
    let refs: Vec<String> = skills().map(|(at, row)| reference(at, row)).collect();
    json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": SPEC,
        "version": 1,
        "metadata": {
            "tools": { "components": [{ "type": "application", "name": "skills", "version": version }] },
            "component": { "type": root, "bom-ref": "root", "name": name_or(&overview.root, "skills") },
        },
        "components": skills().map(|(at, row)| skill(at, row)).collect::<Vec<_>>(),
        "dependencies": [{ "ref": "root", "dependsOn": refs }],
    })
}

fn skill(at: usize, row: &Row) -> Value {
    let reference = reference(at, row);
    let locked = row.locked.as_ref();
    let mut component = json!({
        "type": "library",
        "bom-ref": reference,
        "name": name_or(&row.name, "(no name)"),
        "components": row.files.iter().map(|entry| file(&reference, entry)).collect::<Vec<_>>(),
        "properties": properties(row),
    });
    let version = row.field("version").or_else(|| locked?.commit.as_deref()).filter(|text| !text.is_empty());
    let optional = [
        ("version", version.map(Value::from)),
        ("description", row.field("description").map(Value::from)),
        ("licenses", row.license().filter(|text| !text.is_empty()).map(licenses)),
        ("purl", locked.and_then(purl).map(Value::from)),
        ("externalReferences", locked.and_then(external)),
    ];
    for (key, value) in optional {
        if let Some(value) = value {
            component[key] = value;
        }
    }
    component
}

fn file(skill: &str, file: &FileRow) -> Value {
    let mut component = json!({
        "type": "file",
        "bom-ref": format!("{skill}/{}", file.path),
        "name": file.path,
        "properties": [
            { "name": "skills:size", "value": file.size.to_string() },
            { "name": "skills:executable", "value": file.executable.to_string() },
        ],
    });
    if let Some(sha256) = file.sha256 {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": Hex(&sha256).to_string() }]);
    }
    component
}

/// Unique by the place: two packs in a program may have one directory.
fn reference(at: usize, row: &Row) -> String {
    format!("skill-{}:{}", at + 1, row.dir)
}

fn properties(row: &Row) -> Value {
    let locked = row.locked.as_ref();
    let reviewed = row.reviewed_by.as_ref().map(|who| who.join(", "));
    let all = [
        ("skills:dir", Some(row.dir.clone())),
        ("skills:state", Some(row.state.words().to_owned())),
        ("skills:skills-tree-v1", row.digest.map(|digest| digest.to_string())),
        ("skills:source", locked.map(|locked| locked.source.clone())),
        ("skills:ref", locked.and_then(|locked| locked.reference.clone())),
        ("skills:commit", locked.and_then(|locked| locked.commit.clone())),
        ("skills:reviewed-by", reviewed),
        ("skills:allowed-tools", row.fields().map(|fields| fields.tools.join(", "))),
    ];
    let given = all.into_iter().filter_map(|(name, value)| value.map(|value| (name, value)));
    given
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| json!({ "name": name, "value": value }))
        .collect()
}

/// An identifier of SPDX, a choice or a sum of them, or else a name.
fn licenses(text: &str) -> Value {
    let is_known = |word: &str| LICENSES.contains(&word);
    if is_known(text) {
        return json!([{ "license": { "id": text } }]);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_expression = words.len() > 2
        && words.len() % 2 == 1
        && words
            .iter()
            .enumerate()
            .all(|(at, word)| if at % 2 == 0 { is_known(word) } else { matches!(*word, "OR" | "AND") });
    if is_expression {
        return json!([{ "expression": words.join(" ") }]);
    }
    json!([{ "license": { "name": text } }])
}

/// The package URL of a skill from a repository.
fn purl(locked: &LockedSkill) -> Option<String> {
    let (url, commit) = (locked.url.as_deref()?, locked.commit.as_deref()?);
    let encoded = |text: &str| utf8_percent_encode(text, PURL).to_string();
    let path: Vec<String> = locked
        .path
        .iter()
        .flat_map(|path| path.split('/'))
        .filter(|part| !part.is_empty())
        .map(encoded)
        .collect();
    let below = if path.is_empty() { String::new() } else { format!("#{}", path.join("/")) };
    let commit = encoded(commit);
    for (host, kind) in [("github.com", "github"), ("gitlab.com", "gitlab"), ("bitbucket.org", "bitbucket")] {
        let repository =
            url.strip_prefix("https://").and_then(|rest| rest.strip_prefix(host)?.strip_prefix('/'));
        if let Some(repository) = repository {
            let repository = repository.trim_end_matches('/');
            let repository = repository.strip_suffix(".git").unwrap_or(repository).to_ascii_lowercase();
            let parts: Vec<String> = repository.split('/').map(encoded).collect();
            return Some(format!("pkg:{kind}/{}@{commit}{below}", parts.join("/")));
        }
    }
    let name = encoded(name_or(&locked.name, "skill"));
    let vcs = encoded(&format!("git+{url}@{}", locked.commit.as_deref()?));
    Some(format!("pkg:generic/{name}@{commit}?vcs_url={vcs}{below}"))
}

/// Where the repository is; the schema takes URLs alone.
fn external(locked: &LockedSkill) -> Option<Value> {
    let url = locked.url.as_deref().filter(|url| url.starts_with("https://") || url.starts_with("ssh://"))?;
    let is_plain = |c: char| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c);
    url.chars().all(is_plain).then(|| json!([{ "type": "vcs", "url": url }]))
}

fn name_or<'n>(name: &'n str, otherwise: &'n str) -> &'n str {
    if name.is_empty() { otherwise } else { name }
}
