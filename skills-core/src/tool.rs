//! Tool calls: JSON in, a [`Reply`] out.

use alloc::borrow::ToOwned as _;
use alloc::string::{String, ToString as _};
use core::fmt;

use serde::ser::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::action::{Action, TOOL_NAME};
use super::command::LoadedCommand;
use super::error::ActionError;
use super::list::Listing;
use super::load::Loaded;
use super::read_file::FileContent;
use super::registry::Registry;
use super::schema::first_misfit;
use super::search::Matches;
use super::toolset::Toolset;
use super::value::{text_of, whole_number};

/// The reply to a tool call: a text for the model, the same facts as data, and for an error a code and a
/// suggestion.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Reply<'a> {
    /// The text for the model.
    pub text: String,
    /// The answer, or why the call failed.
    pub outcome: Result<Answer<'a>, ActionError>,
}

/// A reply that borrows nothing, from a registry that changes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct OwnedReply {
    /// The text for the model.
    pub text: String,
    /// The whole reply as one JSON document: `{"text", "data", "error": null or {"code", "suggestion"}}`.
    pub document: String,
    /// Why the call failed, if it did.
    pub error: Option<ActionError>,
}

impl From<Reply<'_>> for OwnedReply {
    fn from(reply: Reply<'_>) -> Self {
        // Texts and numbers always have a form in JSON.
        let document = serde_json::to_string(&reply).unwrap_or_default();
        Self { text: reply.text, document, error: reply.outcome.err() }
    }
}

impl OwnedReply {
    /// The reply to a failed call. For `skills-live`.
    #[doc(hidden)]
    pub fn of_error(error: ActionError) -> Self {
        Reply { text: error.to_string(), outcome: Err(error) }.into()
    }
}

/// The data of a reply.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Answer<'a> {
    /// For `list`.
    List(Listing<'a>),
    /// For `search`.
    Search(Matches<'a>),
    /// For `load`.
    Load(Loaded<'a>),
    /// For `load` with the name of a slash command.
    LoadCommand(LoadedCommand<'a>),
    /// For `read_file`.
    ReadFile(FileContent<'a>),
}

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::List(listing) => listing.fmt(f),
            Self::Search(matches) => matches.fmt(f),
            Self::Load(loaded) => loaded.fmt(f),
            Self::LoadCommand(loaded) => loaded.fmt(f),
            Self::ReadFile(content) => content.fmt(f),
        }
    }
}

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::List(listing) => listing.serialize(serializer),
            Self::Search(matches) => matches.serialize(serializer),
            Self::Load(loaded) => loaded.serialize(serializer),
            Self::LoadCommand(loaded) => loaded.serialize(serializer),
            Self::ReadFile(content) => content.serialize(serializer),
        }
    }
}

/// How a server wants calls to be answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallOptions {
    list_limit: Option<usize>,
    checks_types: bool,
}

impl CallOptions {
    /// As [`Registry::call_tool`] answers.
    pub const fn new() -> Self {
        Self { list_limit: None, checks_types: false }
    }

    /// Sets how many skills a list has, unless the call says another number.
    #[must_use]
    pub const fn list_limit(mut self, skills: usize) -> Self {
        self.list_limit = Some(skills);
        self
    }

    /// Whether an argument of another type is an error. Otherwise it counts as not given.
    #[must_use]
    pub const fn check_types(mut self, yes: bool) -> Self {
        self.checks_types = yes;
        self
    }
}

impl<'a> Registry<'a> {
    /// Answers a raw tool call.
    ///
    /// `json` is an object with `action` (or `method`) and the arguments of that action, bare or wrapped as
    /// `{"tool_name": "skills_tool", "tool_args": {…}}`. The tool name may include the action, as in
    /// `skills_tool:load`. Anything else gets the error for a missing action. Never panics.
    pub fn call(&self, json: &str) -> Reply<'a> {
        self.call_with(json, |loaded| loaded)
    }

    /// Answers a call of a tool by name: `skills_tool`, or one of `list_skills`, `search_skills`,
    /// `load_skill` and `read_skill_resource`, which take the arguments of their action. Returns `None` for
    /// any other tool, so that a host can look among its own. Texts name the tools of that set. Never panics.
    pub fn call_tool(&self, tool: &str, arguments: &str) -> Option<Reply<'a>> {
        self.call_tool_with(tool, arguments, |loaded| loaded)
    }

    /// As [`call_tool`](Self::call_tool), for a host that has parsed the arguments already.
    pub fn call_tool_value(&self, tool: &str, arguments: &Value) -> Option<Reply<'a>> {
        self.call_tool_as(tool, arguments, CallOptions::new())
    }

    /// As [`call_tool_value`](Self::call_tool_value), with options.
    pub fn call_tool_as(&self, tool: &str, arguments: &Value, options: CallOptions) -> Option<Reply<'a>> {
        self.call_tool_value_with(tool, arguments, options, |loaded| loaded)
    }

    /// As [`call`](Self::call); `note` sees each skill that is loaded.
    pub(super) fn call_with(&self, json: &str, note: impl FnOnce(Loaded<'a>) -> Loaded<'a>) -> Reply<'a> {
        let call = serde_json::from_str(json).ok().and_then(Call::of_value);
        self.reply_to(call.as_ref(), Toolset::One, CallOptions::new(), note)
    }

    /// As [`call_tool`](Self::call_tool); `note` sees each skill that is loaded.
    pub(super) fn call_tool_with(
        &self,
        tool: &str,
        arguments: &str,
        note: impl FnOnce(Loaded<'a>) -> Loaded<'a>,
    ) -> Option<Reply<'a>> {
        // Arguments that aren't JSON count as empty, so the answer says what is missing.
        let arguments = serde_json::from_str(arguments).unwrap_or_default();
        self.call_tool_value_with(tool, &arguments, CallOptions::new(), note)
    }

    fn call_tool_value_with(
        &self,
        tool: &str,
        arguments: &Value,
        options: CallOptions,
        note: impl FnOnce(Loaded<'a>) -> Loaded<'a>,
    ) -> Option<Reply<'a>> {
        if tool == TOOL_NAME {
            let call = Call::of_value(arguments.clone());
            return Some(self.reply_to(call.as_ref(), Toolset::One, options, note));
        }
        let action = Action::of_tool(tool)?;
        let call = Call { action, arguments: arguments.as_object().cloned().unwrap_or_default() };
        Some(self.reply_to(Some(&call), Toolset::PerAction, options, note))
    }

    fn reply_to(
        &self,
        call: Option<&Call>,
        tools: Toolset,
        options: CallOptions,
        note: impl FnOnce(Loaded<'a>) -> Loaded<'a>,
    ) -> Reply<'a> {
        let tool = call.map_or(TOOL_NAME, |call| tools.tool(call.action));
        let outcome = match call {
            None => Err(ActionError::InvalidAction),
            Some(call) if self.toolset() == tools => self.run(call, options, note),
            Some(call) => self.clone().with_toolset(tools).run(call, options, note),
        };
        let text = match &outcome {
            Ok(Answer::Load(loaded)) => loaded.text(),
            Ok(Answer::ReadFile(content)) => content.to_text(),
            Ok(answer) => answer.to_string(),
            Err(error) => error.text_of(tools, tool),
        };
        Reply { text, outcome }
    }

    fn run(
        &self,
        call: &Call,
        options: CallOptions,
        note: impl FnOnce(Loaded<'a>) -> Loaded<'a>,
    ) -> Result<Answer<'a>, ActionError> {
        if options.checks_types
            && let Some((argument, expected)) = first_misfit(call.action, &call.arguments)
        {
            return Err(ActionError::WrongType { action: call.action.name(), argument, expected });
        }
        match call.action {
            Action::List => {
                let limit = call.number("limit").or(options.list_limit);
                Ok(Answer::List(self.list_page(call.number("offset").unwrap_or(0), limit)))
            }
            Action::Search => self.search(&call.text("query")).map(Answer::Search),
            Action::Load => {
                let name = call.text("skill_name");
                if self.names_command(&name) {
                    return self.load_command(&name).map(Answer::LoadCommand);
                }
                let loaded = match call.load_arguments() {
                    Some(arguments) => self.load_with(&name, &arguments),
                    None => self.load(&name),
                };
                loaded.map(|loaded| Answer::Load(note(loaded)))
            }
            Action::ReadFile => {
                let (name, path) = (call.text("skill_name"), call.text("file_path"));
                self.read_file(&name, &path, call.number("offset").unwrap_or(0)).map(Answer::ReadFile)
            }
        }
    }
}

/// A call without its wrappers.
struct Call {
    action: Action,
    arguments: Map<String, Value>,
}

impl Call {
    fn of_value(value: Value) -> Option<Self> {
        let Value::Object(mut call) = value else { return None };
        let mut from_name = None;
        if let Some(tool) = call.get("tool_name").and_then(Value::as_str) {
            let (name, action) =
                tool.split_once(':').map_or((tool, None), |(name, action)| (name, Some(action)));
            if name.trim() != TOOL_NAME {
                return None;
            }
            from_name = action.map(str::to_owned);
            call = match call.remove("tool_args") {
                Some(Value::Object(arguments)) => arguments,
                // Some models encode the arguments as a JSON string.
                Some(Value::String(text)) => match serde_json::from_str(&text) {
                    Ok(Value::Object(arguments)) => arguments,
                    _ => return None,
                },
                Some(Value::Null) | None => call,
                Some(_) => return None,
            };
        }
        let named = ["action", "method"]
            .iter()
            .filter_map(|key| call.get(*key)?.as_str())
            .find(|action| !action.trim().is_empty());
        let action = Action::named(named.or(from_name.as_deref())?)?;
        Some(Self { action, arguments: call })
    }

    /// An argument as a string: numbers and booleans as written, other values as an empty string.
    fn text(&self, key: &str) -> String {
        let given = self.arguments.get(key).filter(|value| !value.is_array() && !value.is_object());
        given.and_then(text_of).unwrap_or_default()
    }

    /// The arguments for `load`, under either of their names. A value that isn't a string is used as JSON.
    fn load_arguments(&self) -> Option<String> {
        let given = ["arguments", "args"].iter().filter_map(|key| self.arguments.get(*key));
        given.into_iter().find_map(text_of)
    }

    /// An argument that is a whole number. Some models write it as a string, or with a fraction.
    fn number(&self, key: &str) -> Option<usize> {
        whole_number(&self.text(key))
    }
}
