//! Prompts: what a user may call.
//!
//! They are the slash commands that aren't hidden, and the skills that the user may call. If both have the
//! same name, the command is used. A prompt's text is the same as that of a call with a slash.

use rmcp::ErrorData;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, JsonObject, ListPromptsResult, PaginatedRequestParams, Prompt,
    PromptArgument, PromptMessage, Role,
};
use serde_json::Value;

use super::entries::freshness;
use super::pages;
use super::source::Source;
use crate::commands::{CallArguments, Callable, CommandEntry};
use crate::{ActionError, Audience, Entry, Registry, Skill};

/// The number of prompts on a page.
const PAGE: usize = 500;

/// The only argument of a prompt without declared arguments: all of them as one string.
pub(super) const ARGUMENTS: &str = "arguments";

pub(super) fn list(
    source: &Source,
    request: Option<&PaginatedRequestParams>,
) -> Result<ListPromptsResult, ErrorData> {
    let page = source.look(Audience::User, |registry| {
        pages::of(request, prompts(registry), |prompt| &prompt.name, |_| 1, PAGE)
    })?;
    let mut result = ListPromptsResult::with_all_items(page.items);
    result.next_cursor = page.next;
    (result.ttl_ms, result.cache_scope) = freshness(source);
    Ok(result)
}

pub(super) fn get(source: &Source, request: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let arguments = request.arguments.clone().unwrap_or_default();
    let answer = source.ask(Audience::User, |registry| prompt(registry, &request.name, &arguments));
    let why = match answer {
        Ok(Some(prompt)) => return Ok(prompt),
        Ok(None) => "the host reserves this name for a command of its own".to_owned(),
        Err(ActionError::Internal { message, .. }) => return Err(ErrorData::internal_error(message, None)),
        Err(error) => error.suggestion(),
    };
    Err(ErrorData::invalid_params(format!("No prompt is named `{}`: {why}", request.name), None))
}

fn prompts(registry: &Registry<'_>) -> Vec<Prompt> {
    let callables = registry.callables();
    callables
        .iter()
        .filter_map(|callable| match callable {
            Callable::Command(entry) => Some(of_command(entry)),
            Callable::Skill(entry) => Some(of_skill(entry)),
            _ => None,
        })
        .collect()
}

fn of_command(entry: &CommandEntry<'_>) -> Prompt {
    let command = entry.command;
    let hint = command.argument_hint().unwrap_or("The arguments of the command, as one string");
    let argument = PromptArgument::new(ARGUMENTS).with_description(hint).with_required(false);
    Prompt::new(command.name(), Some(command.description()), Some(vec![argument]))
}

fn of_skill(entry: &Entry<'_>) -> Prompt {
    let skill = entry.skill;
    let mut arguments: Vec<PromptArgument> =
        skill.arguments().map(|name| PromptArgument::new(name).with_required(false)).collect();
    if arguments.is_empty() {
        let hint = skill.argument_hint().unwrap_or("The arguments of the skill, as one string");
        arguments.push(PromptArgument::new(ARGUMENTS).with_description(hint).with_required(false));
    }
    Prompt::new(skill.name(), Some(skill.description()), Some(arguments))
}

/// The prompt with this name; `None` if the host reserves the name.
fn prompt(
    registry: &Registry<'_>,
    name: &str,
    given: &JsonObject,
) -> Result<Option<GetPromptResult>, ActionError> {
    let command = match registry.callable(name) {
        Some(Callable::Command(CommandEntry { command, .. })) => command,
        Some(Callable::Skill(entry)) => return skill(registry, entry.skill, given).map(Some),
        _ if is_there(registry, name) => return Ok(None),
        _ => return registry.load(name).map(|_| None).map_err(|error| nearest_prompts(registry, error)),
    };
    let arguments = CallArguments::parse(&given.get(ARGUMENTS).map(text).unwrap_or_default());
    let message = PromptMessage::new_text(Role::User, arguments.put_into(command.template()));
    Ok(Some(GetPromptResult::new(vec![message]).with_description(command.description())))
}

/// Whether something that a user may call has this name, with or without a slash, including reserved names.
fn is_there(registry: &Registry<'_>, name: &str) -> bool {
    registry.command(name).is_some() || registry.get(bare(name)).is_some()
}

/// The error for an unknown name, with similar names that aren't reserved.
fn nearest_prompts(registry: &Registry<'_>, mut error: ActionError) -> ActionError {
    if let ActionError::SkillNotFound { name, nearest, .. }
    | ActionError::CommandNotFound { name, nearest, .. } = &mut error
    {
        let known = registry.callables();
        let near = skills_pack::nearest::closest(bare(name), known.iter().map(Callable::name));
        *nearest = near.into_iter().map(str::to_owned).collect();
    }
    error
}

fn bare(name: &str) -> &str {
    let name = name.trim();
    name.strip_prefix('/').unwrap_or(name)
}

fn skill(
    registry: &Registry<'_>,
    skill: Skill<'_>,
    given: &JsonObject,
) -> Result<GetPromptResult, ActionError> {
    let names: Vec<&str> = skill.arguments().collect();
    let loaded = registry.load_with(skill.name(), &in_one(&names, given))?;
    let message = PromptMessage::new_text(Role::User, loaded.instructions);
    Ok(GetPromptResult::new(vec![message]).with_description(skill.description()))
}

/// The arguments as the one string that a skill takes: words in the order in which it declares them, up to
/// the last one that is given.
fn in_one(names: &[&str], given: &JsonObject) -> String {
    if let Some(all) = given.get(ARGUMENTS).filter(|_| !names.contains(&ARGUMENTS)) {
        return text(all);
    }
    let words: Vec<Option<String>> = names.iter().map(|name| given.get(*name).map(text)).collect();
    let given = words.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let words: Vec<String> =
        words[..given].iter().map(|word| quoted(word.as_deref().unwrap_or(""))).collect();
    words.join(" ")
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        value => value.to_string(),
    }
}

/// Quotes a string so that it is one word. Inside quotes there are no escapes.
fn quoted(text: &str) -> String {
    if !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')) {
        return text.to_owned();
    }
    let parts: Vec<String> = text.split('"').map(|part| format!("\"{part}\"")).collect();
    parts.join("'\"'")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_are_words_in_declared_order() {
        let one = |names: &[&str], given: Value| in_one(names, given.as_object().unwrap());
        assert_eq!(one(&["a", "b"], json!({"b": "x y"})), "\"\" \"x y\"");
        assert_eq!(one(&["a", "b"], json!({"a": "x"})), "x");
        assert_eq!(one(&["a"], json!({"a": "say \"hi\" it's"})), "\"say \"'\"'\"hi\"'\"'\" it's\"");
        assert_eq!(one(&[], json!({"arguments": " all of it "})), " all of it ");
        assert_eq!(one(&["a"], json!({})), "");
        assert_eq!(one(&["a"], json!({"a": 7, "other": 1})), "7");
    }
}
