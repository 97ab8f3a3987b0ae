//! The short form of loading, for hosts that want one small tool: `skill`, with `name` and `args`.

use alloc::string::{String};

use serde_json::Value;

use super::error::ActionError;
use super::load::Loaded;
use super::registry::Registry;
use super::value::text_of;

impl Registry<'_> {
    /// Answers a call of the short tool, whose definition is in [`tools`](Self::tools) for
    /// [`Toolset::Short`](crate::Toolset::Short). `json` is an object with `name` and, optionally, `args`. The
    /// answer is `Base directory for this skill: PATH`, a blank line, and the instructions with the arguments
    /// filled in. It isn't recorded in a session: each call sends the instructions.
    ///
    /// The base directory of a bundled skill isn't on this disk. Its files can be read from where the host has
    /// put them. The text of an error for this tool is
    /// [`error.text(Toolset::Short)`](ActionError::text).
    ///
    /// # Errors
    ///
    /// As for [`load_with`](Self::load_with), also if `json` isn't such an object.
    pub fn call_short(&self, json: &str) -> Result<String, ActionError> {
        let call: Option<Value> = serde_json::from_str(json).ok();
        let text =
            |key: &str| call.as_ref().and_then(|call| call.get(key)).and_then(text_of).unwrap_or_default();
        let Loaded { entry, instructions, .. } = self.load_with(&text("name"), &text("args"))?;
        Ok(alloc::format!("Base directory for this skill: {}\n\n{instructions}", entry.skill.path()))
    }
}
