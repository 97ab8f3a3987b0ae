//! What a skill that was read says of itself, before it is written anywhere.

use skills_source::rules::Rules;
use skills_source::scan::SKILL_FILE;
use skills_source::skill;

use super::{Content, FIX_THERE};
use crate::failure::Failure;
use crate::output;

/// What a SKILL.md says of itself.
#[derive(Debug)]
pub(crate) struct About {
    pub(crate) name: String,
    pub(crate) license: Option<String>,
    pub(crate) description: String,
    pub(crate) allowed_tools: Vec<String>,
}

/// Reads the SKILL.md among the files of a skill.
///
/// # Errors
///
/// If it can't be read, or its name can't be that of a directory.
pub(crate) fn of(dir_name: &str, contents: &[Content]) -> Result<About, Failure> {
    let bytes = contents
        .iter()
        .find(|content| content.line.path == SKILL_FILE)
        .map_or(&[][..], |content| &content.bytes);
    let shown = format!("{dir_name}/{SKILL_FILE}");
    let (text, findings) = skill::read(&shown, dir_name, bytes, &Rules::default());
    let Some(text) = text else {
        output::tell_findings(&findings);
        return Err(Failure::other("SKILL_BROKEN", format!("the skill `{dir_name}` is broken"), FIX_THERE));
    };
    let is_plain = |c: char| c.is_alphanumeric() || c == '-';
    if text.name.is_empty() || !text.name.chars().all(is_plain) {
        let message = format!("`{}` cannot be the name of a directory", text.name);
        return Err(Failure::other("SKILL_BROKEN", message, FIX_THERE));
    }
    Ok(About {
        name: text.name,
        license: text.frontmatter.license.map(|license| license.value),
        description: text.frontmatter.description.map(|text| text.value).unwrap_or_default(),
        allowed_tools: text.frontmatter.allowed_tools,
    })
}
