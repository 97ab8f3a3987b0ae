//! Completes the variables of the resource template and the arguments of prompts.
//!
//! Names and paths are those that `list` and `load` show to a model, and prompts those that a user may call. Values
//! that begin with what was typed come first, then those that contain it.

use rmcp::ErrorData;
use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference};

use super::prompts;
use super::resources::TEMPLATE;
use super::source::Source;
use crate::commands::Callable;
use crate::{Audience, Entry, Registry};

pub(super) fn complete(
    source: &Source,
    request: &CompleteRequestParams,
) -> Result<CompleteResult, ErrorData> {
    let (argument, typed) = (request.argument.name.as_str(), request.argument.value.as_str());
    let known = match &request.r#ref {
        Reference::Resource(template) if template.uri == TEMPLATE => {
            let skill = request.context.as_ref().and_then(|context| context.get_argument("skill_name"));
            source.look(Audience::Model, |registry| variable(registry, argument, skill.map(String::as_str)))
        }
        Reference::Resource(template) => {
            Err(format!("no resource template is {}: the one there is, is {TEMPLATE}", template.uri))
        }
        Reference::Prompt(prompt) => {
            source.look(Audience::User, |registry| choices(registry, &prompt.name, argument))
        }
        _ => Err("expected a ref of the type ref/resource or ref/prompt".to_owned()),
    };
    let values = matching(known.map_err(|why| ErrorData::invalid_params(why, None))?, typed);
    let total = values.len();
    let page: Vec<String> = values.into_iter().take(CompletionInfo::MAX_VALUES).collect();
    let has_more = page.len() < total;
    let page = CompletionInfo::with_pagination(page, u32::try_from(total).ok(), has_more);
    Ok(CompleteResult::new(page.map_err(|error| ErrorData::internal_error(error, None))?))
}

/// The values of a variable of the template.
fn variable(registry: &Registry<'_>, variable: &str, skill: Option<&str>) -> Result<Vec<String>, String> {
    match variable {
        "skill_name" => Ok(registry.skills().iter().map(|entry| entry.skill.name().to_owned()).collect()),
        // The files of a skill that isn't known yet can't be known either.
        "file_path" => {
            let entry = skill.and_then(|name| registry.get(name)).map(Entry::with_files);
            let files = entry.map(|entry| entry.skill.files().map(|file| file.path().to_owned()).collect());
            Ok(files.unwrap_or_default())
        }
        _ => Err(format!("{TEMPLATE} has no variable `{variable}`: it has skill_name and file_path")),
    }
}

/// The values of a prompt's argument: the words that its hint offers, as in `[patch|minor|major]`.
fn choices(registry: &Registry<'_>, prompt: &str, argument: &str) -> Result<Vec<String>, String> {
    let callable = registry.callable(prompt).ok_or_else(|| format!("No prompt is named `{prompt}`"))?;
    let arguments: Vec<&str> = match &callable {
        Callable::Skill(entry) => entry.skill.arguments().collect(),
        _ => Vec::new(),
    };
    let at = match arguments.iter().position(|name| *name == argument) {
        Some(at) => at,
        None if arguments.is_empty() && argument == prompts::ARGUMENTS => 0,
        // Nothing is known about an argument that isn't declared.
        None => return Ok(Vec::new()),
    };
    let hint = callable.argument_hint().unwrap_or_default();
    let word = hint.split_whitespace().nth(at).unwrap_or_default();
    let word = word.trim_matches(['[', ']', '<', '>', '(', ')']);
    let is_word = |choice: &str| !choice.is_empty() && !choice.contains(['[', ']', '<', '>', '(', ')']);
    if !word.contains('|') || !word.split('|').all(is_word) {
        return Ok(Vec::new());
    }
    Ok(word.split('|').map(str::to_owned).collect())
}

/// The values that fit what was typed. Case doesn't matter.
fn matching(known: Vec<String>, typed: &str) -> Vec<String> {
    let typed = typed.to_lowercase();
    let (mut first, mut then) = (Vec::new(), Vec::new());
    for value in known {
        match value.to_lowercase().find(&typed) {
            Some(0) => first.push(value),
            Some(_) => then.push(value),
            None => {}
        }
    }
    first.append(&mut then);
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_with_it_comes_first() {
        let known = || ["forms.md", "a/Forms.md", "x.md"].map(str::to_owned).to_vec();
        assert_eq!(matching(known(), "FORM"), ["forms.md", "a/Forms.md"]);
        assert_eq!(matching(known(), ""), ["forms.md", "a/Forms.md", "x.md"]);
        assert!(matching(known(), "forms.mdx").is_empty());
    }
}
