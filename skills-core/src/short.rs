//! The short form of loading, for hosts that want one small tool: `skill`, with `name` and `args`.

use serde_json::Value;

use super::load::Loaded;
use super::registry::Registry;
use super::tool::{Answer, Reply};
use super::toolset::{SHORT_TOOL_NAME, Toolset};
use super::value::text_of;

impl<'a> Registry<'a> {
    /// Answers a call of the short tool, whose definition is in [`tools`](Self::tools) for
    /// [`Toolset::Short`]. `json` is an object with `name` and, optionally, `args`. The text is
    /// `Base directory for this skill: PATH`, a blank line, and the instructions with the arguments filled in. It
    /// isn't recorded in a session: each call sends the instructions. Anything else than such an object gets the
    /// error for a missing name.
    ///
    /// The base directory of a bundled skill isn't on this disk. Its files can be read from where the host has
    /// put them.
    pub fn call_short(&self, json: &str) -> Reply<'a> {
        let call: Option<Value> = serde_json::from_str(json).ok();
        let text =
            |key: &str| call.as_ref().and_then(|call| call.get(key)).and_then(text_of).unwrap_or_default();
        let outcome = self.clone().with_toolset(Toolset::Short).load_with(&text("name"), &text("args"));
        let text = match &outcome {
            Ok(Loaded { entry, instructions, .. }) => {
                alloc::format!("Base directory for this skill: {}\n\n{instructions}", entry.skill.path())
            }
            Err(error) => error.text_of(Toolset::Short, SHORT_TOOL_NAME),
        };
        Reply { text, outcome: outcome.map(Answer::Load) }
    }
}
