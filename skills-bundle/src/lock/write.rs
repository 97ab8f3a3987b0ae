//! Writes a lock: equal locks give equal bytes, and an entry changes only its own lines.

use std::fmt;

use toml::de::DeValue;

use super::{Lock, LockedSkill, VERSION};

/// The first line, for people who open the file.
const HEAD: &str = "# Written by `skills`; `skills lock --check` compares it with the disk.";

impl fmt::Display for Lock {
    /// The lock as TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}\nversion = {VERSION}")?;
        for (key, value) in &self.unknown {
            writeln!(f, "{key} = {value}")?;
        }
        let mut skills: Vec<&LockedSkill> = self.skills.iter().collect();
        skills.sort_by(|a, b| (&a.name, &a.dir).cmp(&(&b.name, &b.dir)));
        skills.into_iter().try_for_each(|skill| write!(f, "\n{skill}"))
    }
}

impl fmt::Display for LockedSkill {
    /// The entry as TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[[skill]]")?;
        let Self { name, dir, source, url, path, reference, commit, tree, license, .. } = self;
        let artifact = self.artifact.map(|digest| digest.to_string());
        let values = [
            ("name", Some(name)),
            ("dir", Some(dir)),
            ("source", Some(source)),
            ("url", url.as_ref()),
            ("path", path.as_ref()),
            ("ref", reference.as_ref()),
            ("commit", commit.as_ref()),
            ("tree", tree.as_ref()),
            ("artifact", artifact.as_ref()),
            ("license", license.as_ref()),
        ];
        for (key, value) in values {
            if let Some(value) = value {
                writeln!(f, "{key} = {}", quoted(value))?;
            }
        }
        for (key, value) in &self.unknown {
            writeln!(f, "{key} = {value}")?;
        }
        writeln!(f, "digest = \"{}\"\nfiles = [", self.digest)?;
        for file in &self.files {
            writeln!(f, "  {},", quoted(&file.to_string()))?;
        }
        writeln!(f, "]")
    }
}

/// A key as TOML.
pub(crate) fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if !name.is_empty() && name.bytes().all(is_bare) { name.to_owned() } else { quoted(name) }
}

/// A value as TOML on one line.
pub(super) fn inline(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => quoted(text),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(is_true) => is_true.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| inline(item.get_ref())).collect();
            format!("[{}]", items.join(", "))
        }
        DeValue::Table(table) if table.is_empty() => "{}".to_owned(),
        DeValue::Table(table) => {
            let entries = table
                .iter()
                .map(|(name, value)| format!("{} = {}", key(name.get_ref()), inline(value.get_ref())));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

/// A string as TOML: JSON's escapes are among those of TOML, which wants one more.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
