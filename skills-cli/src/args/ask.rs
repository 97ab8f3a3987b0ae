//! The arguments of the commands that answer from the served skills.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use skills::catalogue::{CatalogueForm, PROMPT_BUDGET};
use skills::search::SEARCH_LIMIT;
use skills::{Provider, Toolset};
use skills_bundle::Profile;

use super::Global;
use super::check::profiles;

#[derive(Debug, Args)]
pub(crate) struct List {
    /// List what programs have installed for agents, in this directory's project and for this user, instead
    #[arg(long)]
    pub(crate) installed: bool,

    #[command(flatten)]
    pub(super) global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Search {
    /// A few words on the task
    #[arg(required = true, value_name = "QUERY")]
    pub(crate) query: Vec<String>,

    /// Show at most N matches
    #[arg(long, value_name = "N", default_value_t = SEARCH_LIMIT as u8, value_parser = clap::value_parser!(u8).range(1..=SEARCH_LIMIT as i64))]
    pub(crate) limit: u8,

    /// Order the matches by this ranking
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Ranking::Hybrid)]
    pub(crate) ranking: Ranking,

    /// Explain the score of each match
    #[arg(long)]
    pub(crate) explain: bool,

    #[command(flatten)]
    pub(super) global: Global,
}

/// The rankings.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Ranking {
    /// By the words that the query and a skill share; a word counts more if fewer skills have it
    Hybrid,
    /// Points for matches in name, triggers, tags and description, by a fixed table
    Reference,
}

#[derive(Debug, Args)]
pub(crate) struct Load {
    /// The skill's name, or a slash command's with its slash
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// Arguments for its instructions
    #[arg(value_name = "ARGS")]
    pub(crate) arguments: Vec<String>,

    #[command(flatten)]
    pub(super) global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Prompt {
    /// The format of the catalogue
    #[arg(long, value_name = "FORM", value_enum, default_value_t = PromptForm::Plain)]
    pub(crate) format: PromptForm,

    /// Use at most N characters
    #[arg(long, value_name = "N", default_value_t = PROMPT_BUDGET)]
    pub(crate) budget: usize,

    /// Shorten descriptions evenly instead of leaving out the last skills
    #[arg(long)]
    pub(crate) shorten: bool,

    /// Print this prompt template with the catalogue filled in
    #[arg(long, value_name = "FILE")]
    pub(crate) template: Option<PathBuf>,

    #[command(flatten)]
    pub(super) global: Global,
}

/// The format of a catalogue.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PromptForm {
    /// One line per skill: `- name: description`
    Plain,
    /// `<available_skills>` with one `<skill>` per skill
    Xml,
    /// An array of objects with name, description and location
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct Read {
    /// The skill's name
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// The file's path in the skill's directory, with `/`
    #[arg(value_name = "PATH")]
    pub(crate) path: OsString,

    /// Start at this character, to read on after an answer that ended in [truncated]
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) offset: usize,

    #[command(flatten)]
    pub(super) global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Call {
    /// The call as a JSON object, or - to read it from stdin
    #[arg(value_name = "JSON")]
    pub(crate) call: String,

    #[command(flatten)]
    pub(super) global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// The API whose format the definition has
    #[arg(long = "for", value_name = "API", value_enum, default_value_t = Api::Openai)]
    pub(crate) api: Api,

    /// One tool with an action, or one tool per action
    #[arg(long, value_name = "NUMBER", value_enum, default_value_t = Tools::One)]
    pub(crate) tools: Tools,

    /// Enforce the schema, if the API can (OpenAI, Anthropic)
    #[arg(long)]
    pub(crate) strict: bool,

    /// The most characters of the catalogue in the description; 0 for no catalogue [default: 12000]
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<usize>,

    /// Print a JSON Schema of a SKILL.md's frontmatter instead
    #[arg(long, conflicts_with_all = ["api", "tools", "strict", "budget"])]
    pub(crate) frontmatter: bool,

    /// The fields that readers of this profile know
    #[arg(long, value_name = "NAME", requires = "frontmatter", value_parser = profiles())]
    pub(crate) profile: Option<Profile>,

    #[command(flatten)]
    pub(super) global: Global,
}

/// How many tools there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tools {
    #[value(help = "skills_tool")]
    One,
    #[value(help = "list_skills, search_skills, load_skill and read_skill_resource")]
    Four,
}

/// The API whose format a tool definition has.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Api {
    /// `{"type": "function", "function": {…, "parameters"}}`, of chat completions
    Openai,
    /// `{"type": "function", "name", "description", "parameters", "strict"}`, of OpenAI's responses
    OpenaiResponses,
    /// `{"name", "description", "input_schema"}`
    Anthropic,
    /// `{"name", "description", "inputSchema", "annotations"}`
    Mcp,
    /// `{"functionDeclarations": [{"name", "description", "parameters"}]}`
    Gemini,
}

impl From<Ranking> for skills::search::Ranking {
    fn from(ranking: Ranking) -> Self {
        match ranking {
            Ranking::Hybrid => Self::Hybrid,
            Ranking::Reference => Self::Reference,
        }
    }
}

impl From<Api> for Provider {
    fn from(api: Api) -> Self {
        match api {
            Api::Openai => Self::OpenAi,
            Api::OpenaiResponses => Self::OpenAiResponses,
            Api::Anthropic => Self::Anthropic,
            Api::Mcp => Self::Mcp,
            Api::Gemini => Self::Gemini,
        }
    }
}

impl From<Tools> for Toolset {
    fn from(tools: Tools) -> Self {
        match tools {
            Tools::One => Self::One,
            Tools::Four => Self::PerAction,
        }
    }
}

impl From<PromptForm> for CatalogueForm {
    fn from(form: PromptForm) -> Self {
        match form {
            PromptForm::Plain => Self::Plain,
            PromptForm::Xml => Self::Xml,
            PromptForm::Json => Self::Json,
        }
    }
}
