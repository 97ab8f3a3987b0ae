//! The record of what was written to a skill's directory: a hidden file there.
//!
//! `{"format": 1, "by": "my-tool", "from": "bundle", "files": {"SKILL.md": ["<sha-256>"]}}`. A text with carriage
//! returns has a second digest, without them. An unreadable record counts as missing, and then every file in the
//! directory counts as somebody else's.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::ExportError;
use super::tree::{Tree, is_plain};

/// The name of the record. Readers of skills ignore names that begin with a dot.
pub(super) const FILE: &str = ".skills-export.json";

const FORMAT: u64 = 1;

/// The digests of what was written, by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) by: String,
    /// The origin of the skill: `bundle`, or the label of its root. Old records have none.
    pub(super) from: Option<String>,
    pub(super) files: BTreeMap<String, Vec<[u8; 32]>>,
}

impl Record {
    /// The record of a skill's directory.
    pub(super) fn read(dir: &Tree) -> Option<Self> {
        let document: Value = serde_json::from_slice(&dir.read_file(FILE).ok()?).ok()?;
        if document["format"] != FORMAT {
            return None;
        }
        let mut files = BTreeMap::new();
        for (path, digests) in document["files"].as_object()? {
            let digests: Option<Vec<[u8; 32]>> =
                digests.as_array()?.iter().map(|digest| from_hex(digest.as_str()?)).collect();
            // Anybody may have written it.
            if is_plain(path) {
                files.insert(path.clone(), digests?);
            }
        }
        let from = document["from"].as_str().map(str::to_owned);
        Some(Self { by: document["by"].as_str()?.to_owned(), from, files })
    }

    pub(super) fn write(&self, dir: &Tree) -> Result<(), ExportError> {
        let files: Map<String, Value> = self
            .files
            .iter()
            .map(|(path, digests)| (path.clone(), digests.iter().map(hex).collect()))
            .collect();
        let mut document = json!({"format": FORMAT, "by": self.by, "files": files});
        if let Some(from) = &self.from {
            document["from"] = from.as_str().into();
        }
        dir.write(FILE, format!("{document:#}\n").as_bytes(), false)
    }

    pub(super) fn of(&self, path: &str) -> &[[u8; 32]] {
        self.files.get(path).map_or(&[], Vec::as_slice)
    }
}

fn hex(digest: &[u8; 32]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<[u8; 32]> {
    let mut digest = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (at, byte) in digest.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(digest)
}
