//! The definitions of the tools, in the format of each provider.
//!
//! The table of [`Action`](crate::Action) has the tools, `arguments` what they take; `form` writes one for each
//! provider.
//! [`Registry::call_tool`] answers a call of any of them.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::Value;

use super::action::{Action, TOOL_NAME};
use super::catalogue::{CatalogueForm, CatalogueOptions, PROMPT_BUDGET};
use super::registry::Registry;
use super::text::count_chars;
use super::toolset::{SHORT_TOOL_NAME, Toolset};
pub use definitions::ToolDefinition;
use definitions::{Known, Names};

mod arguments;
mod definitions;
mod form;
mod open_api;

pub(crate) use arguments::first_misfit;
pub use form::tool_form;

/// The provider whose format a tool definition has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Provider {
    /// `{"type": "function", "function": {…, "parameters"}}`: chat completions of OpenAI, and of everybody who
    /// offers the same API.
    OpenAi,
    /// `{"type": "function", "name", "description", "parameters", "strict"}`: responses of OpenAI.
    OpenAiResponses,
    /// `{"name", "description", "input_schema"}`
    Anthropic,
    /// `{"name", "description", "inputSchema", "annotations"}`
    Mcp,
    /// `{"functionDeclarations": [{"name", "description", "parameters"}]}`
    Gemini,
}

impl Provider {
    /// Whether the provider can enforce a schema: [`ToolOptions::strict`] has no effect for others.
    pub fn can_be_strict(self) -> bool {
        match self {
            Self::OpenAi | Self::OpenAiResponses | Self::Anthropic => true,
            Self::Mcp | Self::Gemini => false,
        }
    }

    /// The most characters of a tool's description, if there is a limit: the catalogue in it is shortened to fit.
    pub fn description_limit(self) -> Option<usize> {
        match self {
            // A request with a longer description is refused.
            Self::OpenAi | Self::OpenAiResponses => Some(1024),
            // The protocol has no limit, but hosts cut longer descriptions.
            Self::Mcp => Some(2048),
            Self::Anthropic | Self::Gemini => None,
        }
    }
}

/// Options for the definitions of tools.
///
/// ```
/// use skills_core::{ToolOptions, Toolset};
///
/// let options = ToolOptions::new(Toolset::PerAction).strict(true).budget(4_000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolOptions {
    set: Toolset,
    strict: bool,
    budget: usize,
    names: usize,
}

/// How many skill names a definition lists as the only allowed values, unless set. A longer list doesn't help
/// a model and makes every request longer.
const NAMES: usize = 50;

impl Default for ToolOptions {
    fn default() -> Self {
        Self { set: Toolset::One, strict: false, budget: PROMPT_BUDGET, names: NAMES }
    }
}

impl ToolOptions {
    /// Options for these tools, with a catalogue of at most [`PROMPT_BUDGET`] characters.
    pub fn new(set: Toolset) -> Self {
        Self { set, ..Self::default() }
    }

    /// Whether the provider should enforce the schema, if it can: `strict` of OpenAI and Anthropic. OpenAI
    /// then requires every argument, and `null` means that it isn't given.
    #[must_use]
    pub fn strict(mut self, yes: bool) -> Self {
        self.strict = yes;
        self
    }

    /// Sets the most characters of catalogue in a description; 0 for no catalogue. A lower limit of the
    /// provider still applies: 1,024 characters per description for OpenAI, 2,048 for MCP, where hosts cut
    /// longer ones.
    #[must_use]
    pub fn budget(mut self, characters: usize) -> Self {
        self.budget = characters;
        self
    }

    /// Lists the skill names as the only values of `skill_name` if there are at most this many skills; 0
    /// never lists them.
    #[must_use]
    pub fn names_up_to(mut self, names: usize) -> Self {
        self.names = names;
        self
    }
}

/// The definition of `skills_tool` for any skills, as JSON.
pub fn schema(provider: Provider) -> String {
    form::write(provider, &definitions::one(&None), false).to_string()
}

impl Registry<'_> {
    /// The definitions of the tools for the skills that are served, as a JSON array: the `tools` of a request
    /// to the provider.
    ///
    /// The description of the tool that loads skills has the catalogue. While there are few skills, their
    /// names, and for `load` those of slash commands, are the only values of `skill_name`. If there are no
    /// skills or commands, the array is empty.
    pub fn tools(&self, provider: Provider, options: &ToolOptions) -> String {
        let definitions =
            self.definitions_within(options, provider.description_limit().unwrap_or(usize::MAX));
        let tools = definitions.iter().map(|tool| form::write(provider, tool, options.strict)).collect();
        Value::from(form::together(provider, tools)).to_string()
    }

    /// The definitions of the tools for the skills that are served, independent of any provider, for hosts
    /// whose client library writes the request. Like [`tools`](Self::tools), but descriptions aren't cut to a
    /// provider's limit, and nothing is strict.
    pub fn definitions(&self, options: &ToolOptions) -> Vec<ToolDefinition> {
        self.definitions_within(options, usize::MAX)
    }

    fn definitions_within(&self, options: &ToolOptions, description_limit: usize) -> Vec<ToolDefinition> {
        let skills = self.skills();
        let mut commands = self.commands();
        commands.retain(|entry| !entry.command.is_hidden());
        let can_load_commands = options.set != Toolset::Short;
        if skills.is_empty() && (self.commands().is_empty() || !can_load_commands) {
            return Vec::new();
        }
        let count = skills.len() + if can_load_commands { commands.len() } else { 0 };
        let names: Names = (!skills.is_empty() && count <= options.names).then(|| Known {
            skills: skills.iter().map(|entry| entry.skill.name().to_string()).collect(),
            commands: commands.iter().map(|entry| format!("/{}", entry.command.name())).collect(),
        });
        let mut definitions = match options.set {
            Toolset::One => Vec::from([definitions::one(&names)]),
            Toolset::PerAction => {
                Action::ALL.into_iter().map(|action| definitions::of_action(action, &names)).collect()
            }
            Toolset::Short => Vec::from([definitions::short(&names)]),
            Toolset::Commands => Vec::new(),
        };
        let loading = [TOOL_NAME, Action::Load.tool(), SHORT_TOOL_NAME];
        let loads = |tool: &&mut ToolDefinition| loading.contains(&tool.name.as_str());
        if let Some(tool) = definitions.iter_mut().find(loads) {
            let taken = count_chars(&tool.description) + count_chars(BEFORE);
            let budget = options.budget.min(description_limit.saturating_sub(taken));
            let catalogue = self.catalogue_within(budget, options.set);
            if !catalogue.is_empty() {
                tool.description += BEFORE;
                tool.description += &catalogue;
            }
        }
        definitions
    }

    /// The catalogue, with a line that counts the skills it leaves out.
    fn catalogue_within(&self, budget: usize, set: Toolset) -> String {
        let make = |budget| {
            self.catalogue(&CatalogueOptions::new(CatalogueForm::Plain).budget(budget).shorten(true))
        };
        let whole = make(budget);
        if whole.left_out == 0 {
            return whole.text;
        }
        // The longest form of that line.
        let how = if set == Toolset::Short { "" } else { ": list or search them" };
        let more = |left_out| format!("\n… and {left_out} more{how}");
        let cut = make(budget.saturating_sub(count_chars(&more(usize::MAX))));
        if cut.text.is_empty() { String::new() } else { cut.text + &more(cut.left_out) }
    }
}

const BEFORE: &str = "\n\nAvailable skills:\n";
