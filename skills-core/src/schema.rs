//! The definitions of the tools, in the form of each provider.
//!
//! The tools are in the table of [`Action`](crate::Action); `form` knows how each provider wants one written. A call
//! of any of these tools is answered by [`Registry::call_tool`].

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::Value;

use super::action::{Action, TOOL_NAME};
use super::catalogue::{CatalogueForm, CatalogueOptions, PROMPT_BUDGET};
use super::registry::Registry;
use super::text::count_chars;
use definitions::Names;
pub use definitions::ToolDefinition;

pub(super) mod definitions;
mod form;
mod open_api;

pub use form::tool_form;
pub(super) use form::write;

/// Whose form a tool definition has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Provider {
    /// `{"type": "function", "function": {…, "parameters"}}`
    OpenAi,
    /// `{"name", "description", "input_schema"}`
    Anthropic,
    /// `{"name", "description", "inputSchema", "annotations"}`
    Mcp,
    /// `{"functionDeclarations": [{"name", "description", "parameters"}]}`
    Gemini,
}

/// Which tools are offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Toolset {
    /// One tool, `skills_tool`, with an action.
    #[default]
    One,
    /// A tool for each action: `list_skills`, `search_skills`, `load_skill` and `read_skill_resource`.
    PerAction,
}

/// How tools are described.
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

/// Names of skills that a definition lists as the only values, unless set. More are no help to a model,
/// and take their place in every request.
const NAMES: usize = 50;

impl Default for ToolOptions {
    fn default() -> Self {
        Self { set: Toolset::One, strict: false, budget: PROMPT_BUDGET, names: NAMES }
    }
}

impl ToolOptions {
    /// These tools, described with a catalogue of at most [`PROMPT_BUDGET`] characters.
    pub fn new(set: Toolset) -> Self {
        Self { set, ..Self::default() }
    }

    /// Whether the provider is to hold the model to the definition, where it can: `strict` of OpenAI and
    /// Anthropic. OpenAI's then requires every argument, and `null` stands for one that is not given.
    #[must_use]
    pub fn strict(mut self, yes: bool) -> Self {
        self.strict = yes;
        self
    }

    /// The most characters of the catalogue in a description; 0 for none. Where a provider takes less
    /// (OpenAI 1,024 characters a description; what hosts of MCP keep, 2,048), less is given.
    #[must_use]
    pub fn budget(mut self, characters: usize) -> Self {
        self.budget = characters;
        self
    }

    /// Lists the skills' names as the only values of `skill_name` if there are at most this many; 0 for
    /// never.
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
    /// The definitions of the tools for the skills that are served, as a JSON array: what a request to
    /// the provider has as its `tools`.
    ///
    /// The tool that loads skills is described by the catalogue, and their names are the only values of
    /// `skill_name` while there are few. Where nothing is served, the array is empty: no tool is offered
    /// then.
    pub fn tools(&self, provider: Provider, options: &ToolOptions) -> String {
        let definitions = self.definitions_within(options, form::description_limit(provider));
        let tools = definitions.iter().map(|tool| form::write(provider, tool, options.strict)).collect();
        Value::from(form::together(provider, tools)).to_string()
    }

    /// The definitions of the tools for the skills that are served, in no provider's form, for hosts whose
    /// client library writes them itself. As [`tools`](Self::tools), but that no description is cut to
    /// what a provider takes, and that nothing is strict.
    pub fn definitions(&self, options: &ToolOptions) -> Vec<ToolDefinition> {
        self.definitions_within(options, usize::MAX)
    }

    fn definitions_within(&self, options: &ToolOptions, description_limit: usize) -> Vec<ToolDefinition> {
        let skills = self.skills();
        if skills.is_empty() && self.commands().is_empty() {
            return Vec::new();
        }
        let names: Names = (!skills.is_empty() && skills.len() <= options.names)
            .then(|| skills.iter().map(|entry| entry.skill.name().to_string()).collect());
        let mut definitions = match options.set {
            Toolset::One => Vec::from([definitions::one(&names)]),
            Toolset::PerAction => {
                Action::ALL.into_iter().map(|action| definitions::of_action(action, &names)).collect()
            }
        };
        let loads = |tool: &&mut ToolDefinition| tool.name == TOOL_NAME || tool.name == Action::Load.tool();
        if let Some(tool) = definitions.iter_mut().find(loads) {
            let taken = count_chars(&tool.description) + count_chars(BEFORE);
            let budget = options.budget.min(description_limit.saturating_sub(taken));
            let catalogue = self.catalogue_within(budget);
            if !catalogue.is_empty() {
                tool.description += BEFORE;
                tool.description += &catalogue;
            }
        }
        definitions
    }

    /// The catalogue, with a line on what is not in it.
    fn catalogue_within(&self, budget: usize) -> String {
        let make = |budget| {
            self.catalogue(&CatalogueOptions::new(CatalogueForm::Plain).budget(budget).shorten(true))
        };
        let whole = make(budget);
        if whole.left_out == 0 {
            return whole.text;
        }
        // As long as it can get.
        let more = |left_out| format!("\n… and {left_out} more: list or search them");
        let cut = make(budget.saturating_sub(count_chars(&more(usize::MAX))));
        if cut.text.is_empty() { String::new() } else { cut.text + &more(cut.left_out) }
    }
}

const BEFORE: &str = "\n\nAvailable skills:\n";
