//! The definitions of the tools, in the form of each provider.
//!
//! What a tool is called and takes is in `definitions`, how a provider wants it written in `form`. A
//! call of any of these tools is answered by [`Registry::call_tool`].

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::Value;

use super::catalogue::{CatalogueForm, CatalogueOptions, PROMPT_BUDGET};
use super::registry::Registry;
use super::text::count_chars;
use definitions::{Definition, Names};

pub(super) mod definitions;
mod form;

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
    /// Four tools: `list_skills`, `search_skills`, `load_skill` and `read_skill_resource`.
    Four,
}

/// How tools are described.
///
/// ```
/// use skills_core::{ToolOptions, Toolset};
///
/// let options = ToolOptions::new(Toolset::Four).strict(true).budget(4_000);
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
    form::write(provider, &definitions::one(Names::Any), false).to_string()
}

impl Registry<'_> {
    /// The definitions of the tools for the skills that are served, as a JSON array: what a request to
    /// the provider has as its `tools`.
    ///
    /// The tool that loads skills is described by the catalogue, and their names are the only values of
    /// `skill_name` while there are few. Where nothing is served, the array is empty: no tool is offered
    /// then.
    pub fn tools(&self, provider: Provider, options: &ToolOptions) -> String {
        let tools: Vec<Value> = self
            .definitions(provider, options)
            .iter()
            .map(|definition| form::write(provider, definition, options.strict))
            .collect();
        Value::from(form::together(provider, tools)).to_string()
    }

    fn definitions(&self, provider: Provider, options: &ToolOptions) -> Vec<Definition> {
        let skills = self.skills();
        if skills.is_empty() && self.commands().is_empty() {
            return Vec::new();
        }
        let names = || {
            if skills.is_empty() || skills.len() > options.names {
                return Names::Any;
            }
            Names::These(skills.iter().map(|entry| entry.skill.name().to_string()).collect())
        };
        let (mut definitions, loads) = match options.set {
            Toolset::One => (Vec::from([definitions::one(names())]), 0),
            Toolset::Four => (Vec::from(definitions::four(names)), definitions::LOADS),
        };
        let definition: &mut Definition = &mut definitions[loads];
        let limit = form::description_limit(provider);
        let taken = count_chars(&definition.description) + count_chars(BEFORE);
        let catalogue = self.catalogue_within(options.budget.min(limit.saturating_sub(taken)));
        if !catalogue.is_empty() {
            definition.description += BEFORE;
            definition.description += &catalogue;
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
