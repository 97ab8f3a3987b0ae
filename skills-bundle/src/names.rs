//! The names of skills, for code that names them.
//!
//! A program goes on naming a skill while its SKILL.md is broken. So the names here are also those of
//! skills with findings: the finding is the only error then, not each use of the name as well. What
//! is wrong with a skill is not judged here; that is [`compile`](crate::compile).

use std::collections::BTreeMap;
use std::path::PathBuf;

use skills_pack::FieldValue;
use skills_source::frontmatter::PARAMETERS;
use skills_source::reader::read_skill;
use skills_source::scan;

use crate::compile::Generated;
use crate::config::Config;

/// A skill as it will be named.
pub(crate) struct Named {
    /// Its name, or that of its directory where it cannot be read.
    pub(crate) name: String,
    /// Whether the name was read.
    pub(crate) is_read: bool,
    /// Its SKILL.md on disk.
    pub(crate) file: PathBuf,
    /// Its `parameters` as JSON.
    pub(crate) parameters: Option<String>,
}

/// All skills under the roots, broken ones included, by name.
pub(crate) fn under(config: &Config) -> Vec<Named> {
    let settings = config.settings();
    let rules = &settings.rules;
    let mut named = Vec::new();
    for root in &config.roots {
        for dir in scan::scan(&config.on_disk(root), "", &settings.scan).skills {
            let Some(file) = dir.skill_file() else { continue };
            let text = read_skill(&dir, rules, scan::read_file).text;
            let parameters = text.as_ref().and_then(|text| text.frontmatter.parameters());
            let name = text.map(|text| text.name).filter(|name| !name.is_empty());
            named.push(Named {
                is_read: name.is_some(),
                file: file.disk.clone(),
                parameters: parameters.filter(|json| json != NONE),
                name: name.unwrap_or(dir.dir_name),
            });
        }
    }
    named.sort_by(|a, b| a.name.cmp(&b.name));
    named
}

/// What a field without a value is in JSON.
const NONE: &str = "null";

/// The `parameters` of the skills that have any, as JSON, by name.
pub(crate) fn parameters(generated: &Generated) -> BTreeMap<String, String> {
    let Ok(pack) = generated.pack() else { return BTreeMap::new() };
    let of_skill = |skill: skills_pack::Skill<'_>| {
        skill.frontmatter().find_map(|(key, value)| match value {
            FieldValue::Json(json) if key == PARAMETERS.name() && json != NONE => {
                Some((skill.name().to_owned(), json.to_owned()))
            }
            _ => None,
        })
    };
    pack.skills().filter_map(of_skill).collect()
}

/// A constant for each name: `pub const PDF_FORMS: &str = "pdf-forms";`
///
/// Valid names never share a constant. Of those that only a finding lets in, the first one has it.
pub(crate) fn constants<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let mut constants = BTreeMap::new();
    for name in names {
        constants.entry(constant(name)).or_insert(name);
    }
    constants
        .iter()
        .map(|(constant, name)| {
            format!("/// The name of the skill `{name}`.\npub const {constant}: &str = {name:?};\n")
        })
        .collect()
}

/// The name in capitals, but for the few letters that would not come back from them: `ß` as `SS` could
/// be another skill's.
fn constant(name: &str) -> String {
    let mut constant = String::with_capacity(name.len() + 1);
    if !name.starts_with(char::is_alphabetic) {
        constant.push('_');
    }
    for c in name.chars() {
        if !c.is_alphanumeric() {
            constant.push('_');
        } else if c.to_uppercase().flat_map(char::to_lowercase).eq([c]) {
            constant.extend(c.to_uppercase());
        } else {
            constant.push(c);
        }
    }
    constant
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_constants() {
        for (name, expected) in [
            ("pdf-forms", "PDF_FORMS"),
            ("2fa", "_2FA"),
            ("straße", "STRAßE"),
            ("émile", "ÉMILE"),
            ("名前", "名前"),
            ("not a `name`!", "NOT_A__NAME__"),
        ] {
            assert_eq!(constant(name), expected);
        }
        assert_eq!(
            constants(["a-b", "a_b"]),
            "/// The name of the skill `a-b`.\npub const A_B: &str = \"a-b\";\n"
        );
    }
}
