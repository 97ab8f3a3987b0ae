//! What the program understands. This is the only place of its help texts.
//!
//! Options that every command has may stand before or after the command's name; both places count.
//! That is why they are no `global` arguments of clap, which would keep one place's roots and forget
//! the other's.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Parser, Subcommand, ValueEnum};
use skills::export::Agent;
use skills::{CatalogueForm, PROMPT_BUDGET, Provider, SEARCH_LIMIT, Toolset};
use skills_bundle::{Code, Level, Profile};
use skills_core::nearest;
use skills_core::source::code::RULES;
use skills_core::source::rules::Rules;

use crate::output::Form;

/// Finds, opens, checks and starts Agent Skills: those that this program carries, and any folder of them
#[derive(Debug, Parser)]
#[command(
    name = "skills",
    bin_name = "skills",
    version,
    arg_required_else_help = true,
    after_help = "\
Examples:
  skills list
  skills search commit message
  skills load write-skill
  skills new my-skill
  skills check skills
  skills --root skills list --json

Results go to stdout, findings and errors to stderr.
Exit status: 0 success; 1 errors found, no match or not found; 2 wrong usage or could not run."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Global {
    /// Serve the skills under DIR too, above those that the program carries
    ///
    /// DIR is a folder of skills and slash commands, at any depth, or one skill; it is a path, never a URL, and `~` is the
    /// shell's to expand. May be given several times: of two skills with one name, the one under the
    /// earlier DIR is served. Broken skills are reported and left out. check, new and uninstall serve
    /// nothing and do not look at it.
    #[arg(long, value_name = "DIR", help_heading = "Options of every command")]
    pub(crate) root: Vec<PathBuf>,

    /// Leave out the skills that the program carries
    #[arg(long, help_heading = "Options of every command")]
    pub(crate) no_bundle: bool,

    /// Print one JSON document on stdout, with nothing shortened; errors too
    #[arg(long, help_heading = "Options of every command")]
    json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List all skills and slash commands
    #[command(after_help = "\
Examples:
  skills list
  skills --root skills --no-bundle list")]
    List(List),

    /// Search the skills for a task, best match first
    #[command(after_help = "\
Examples:
  skills search commit message
  skills search --limit 3 --json rust
  skills search --explain how do I write a skill")]
    Search(Search),

    /// Show a skill: what it is, its instructions and its files; or a slash command's definition
    #[command(after_help = "\
Examples:
  skills load write-skill
  skills --root skills load my-skill
  skills load write-skill a skill that reads logs
  skills load write-skill --json
  skills load /mend-skills

Arguments are put into the instructions where they have a place for them, or follow them.")]
    Load(Load),

    /// Print the catalogue of the skills for a system prompt, as a model sees them
    #[command(after_help = "\
Examples:
  skills prompt
  skills prompt --format xml --budget 4000 --shorten
  skills --root skills prompt --format json

In a prompt template (--template FILE), {{available_skills}} stands for the catalogue.")]
    Prompt(Prompt),

    /// Show a file of a skill
    #[command(after_help = "\
Examples:
  skills read write-skill references/frontmatter.md
  skills read write-skill SKILL.md --offset 1000

A binary file is described; --json gives its bytes in base64.")]
    Read(Read),

    /// Answer one raw tool call, as a model makes it
    #[command(after_help = "\
Examples:
  skills call '{\"action\": \"search\", \"query\": \"commit message\"}'
  echo '{\"action\": \"load\", \"skill_name\": \"write-skill\"}' | skills call -

Skills that a model may not call are hidden here, and only here.")]
    Call(Call),

    /// Print the definition of the tool, or of four, for a model's API
    #[command(after_help = "\
Examples:
  skills schema
  skills schema --for anthropic
  skills schema --for openai --tools four --strict

One tool is printed as it is; four as what a request has as its tools.")]
    Schema(Schema),

    /// Check skills and slash commands, and explain what is wrong with them
    #[command(
        mut_args(hide_what_is_served),
        after_help = "\
Examples:
  skills check skills
  skills check skills/my-skill/SKILL.md
  skills check skills --deny name-not-directory --allow L108
  skills check skills --profile standard
  skills check skills --format sarif > skills.sarif
  skills check skills --fix --dry-run
  skills check skills --json

Exit status: 0 no errors; 1 errors, or no skill found; 2 a path that could not be read.
Where levels for one rule disagree, --deny wins over --warn, and --warn over --allow.
Rules that begin with E always deny.
What the Cargo.toml nearest to the first PATH sets in [package.metadata.skills] or
[workspace.metadata.skills] is obeyed; these options come on top."
    )]
    Check(Check),

    /// Explain a rule, or list them all
    #[command(
        mut_args(hide_what_is_served),
        after_help = "\
Examples:
  skills explain
  skills explain L103
  skills explain dead-link --json"
    )]
    Explain(Explain),

    /// Start a new skill from a template
    #[command(
        mut_args(hide_what_is_served),
        after_help = "\
Examples:
  skills new my-skill
  skills new commit-style --dir .agents/skills"
    )]
    New(New),

    /// Serve the skills to an agent over the Model Context Protocol
    #[command(after_help = "\
Examples:
  skills mcp
  skills mcp --root skills

An agent's host starts this and talks to it on stdin and stdout; docs/mcp.md says how it is told to,
host by host.")]
    Mcp(Mcp),

    /// Write the skills to a folder, with all their files
    #[command(after_help = "\
Examples:
  skills export out
  skills export out commit-message --dry-run

What stands there as it should be is left alone, and so is what somebody has changed.")]
    Export(Export),

    /// Write the skills to where an agent reads them
    #[command(after_help = "\
Examples:
  skills install --agent claude-code
  skills install write-skill --agent agents --scope user
  skills install --dir ~/.config/my-agent/skills --dry-run

A later version updates what this one wrote; what somebody has changed is left alone.")]
    Install(Install),

    /// Take away what install or export has written
    #[command(
        mut_args(hide_what_is_served),
        after_help = "\
Examples:
  skills uninstall --agent claude-code
  skills uninstall write-skill --dir out

What somebody has changed since is left alone."
    )]
    Uninstall(Uninstall),
}

#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Search {
    /// A few words on the task
    #[arg(required = true, value_name = "QUERY")]
    pub(crate) query: Vec<String>,

    /// Show at most N matches
    #[arg(long, value_name = "N", default_value_t = SEARCH_LIMIT as u8, value_parser = clap::value_parser!(u8).range(1..=SEARCH_LIMIT as i64))]
    pub(crate) limit: u8,

    /// How matches are ordered
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Ranking::Hybrid)]
    pub(crate) ranking: Ranking,

    /// Say of each match what its score is made of
    #[arg(long)]
    pub(crate) explain: bool,

    #[command(flatten)]
    global: Global,
}

/// The rankings that exist.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Ranking {
    /// By the words that query and skill share, each worth more the fewer skills have it
    Hybrid,
    /// Points for hits in name, triggers, tags and description, by a fixed table
    Reference,
}

#[derive(Debug, Args)]
pub(crate) struct Load {
    /// The skill's name, or a slash command's with its slash
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// What to put into its instructions
    #[arg(value_name = "ARGS")]
    pub(crate) arguments: Vec<String>,

    #[command(flatten)]
    global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Prompt {
    /// How the catalogue is written
    #[arg(long, value_name = "FORM", value_enum, default_value_t = PromptForm::Plain)]
    pub(crate) format: PromptForm,

    /// Use at most N characters
    #[arg(long, value_name = "N", default_value_t = PROMPT_BUDGET)]
    pub(crate) budget: usize,

    /// Shorten descriptions evenly instead of leaving out the last skills
    #[arg(long)]
    pub(crate) shorten: bool,

    /// Print this prompt template with the catalogue put in
    #[arg(long, value_name = "FILE")]
    pub(crate) template: Option<PathBuf>,

    #[command(flatten)]
    global: Global,
}

/// How a catalogue is written.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PromptForm {
    /// A line a skill: `- name: description`
    Plain,
    /// `<available_skills>` with a `<skill>` each
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

    /// Read on from this character, where an answer ended in [truncated]
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) offset: usize,

    #[command(flatten)]
    global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Call {
    /// The call as a JSON object, or - to read it from stdin
    #[arg(value_name = "JSON")]
    pub(crate) call: String,

    #[command(flatten)]
    global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// Whose form the definition has
    #[arg(long = "for", value_name = "API", value_enum, default_value_t = Api::Openai)]
    pub(crate) api: Api,

    /// One tool with an action, or one for each action
    #[arg(long, value_name = "NUMBER", value_enum, default_value_t = Tools::One)]
    pub(crate) tools: Tools,

    /// Have the API hold the model to the definition, where it can (OpenAI, Anthropic)
    #[arg(long)]
    pub(crate) strict: bool,

    /// The most characters of the catalogue of skills in the description; 0 for none
    #[arg(long, value_name = "N", default_value_t = skills::PROMPT_BUDGET)]
    pub(crate) budget: usize,

    #[command(flatten)]
    global: Global,
}

/// How many tools there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tools {
    #[value(help = "skills_tool")]
    One,
    #[value(help = "list_skills, search_skills, load_skill and read_skill_resource")]
    Four,
}

/// Whose form a tool definition has.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Api {
    /// `{"type": "function", "function": {…, "parameters"}}`
    Openai,
    /// `{"name", "description", "input_schema"}`
    Anthropic,
    /// `{"name", "description", "inputSchema", "annotations"}`
    Mcp,
    /// `{"functionDeclarations": [{"name", "description", "parameters"}]}`
    Gemini,
}

#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "options that are there or not")]
pub(crate) struct Check {
    /// A folder of skills or slash commands, a skill, a SKILL.md, or a NAME.command.yaml
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Judge by a named set of levels
    #[arg(long, value_name = "NAME", value_parser = profiles())]
    pub(crate) profile: Option<Profile>,

    /// Report RULE, a code or a name such as L103 or name-not-directory, as an error
    #[arg(long, value_name = "RULE", value_parser = rule)]
    pub(crate) deny: Vec<Code>,

    /// Report RULE as a warning
    #[arg(long, value_name = "RULE", value_parser = settable_rule)]
    pub(crate) warn: Vec<Code>,

    /// Do not report RULE
    #[arg(long, value_name = "RULE", value_parser = settable_rule)]
    pub(crate) allow: Vec<Code>,

    /// How findings are shown
    #[arg(long, value_name = "FORM", value_enum)]
    pub(crate) format: Option<Format>,

    /// Mend what has one meaning: values in need of quotes, misspelt fields, a SKILL.md in other letters
    ///
    /// A change is made only if the skill then reads as it was meant, and a file only if it did not
    /// change meanwhile. Comments, order and everything else stay. What is left is reported.
    #[arg(long)]
    pub(crate) fix: bool,

    /// Show on stdout what --fix would change, as a diff, and change nothing
    #[arg(long, requires = "fix")]
    pub(crate) dry_run: bool,

    /// Tell nothing but findings and errors
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Take it as a success that there is no skill at all
    #[arg(long)]
    pub(crate) allow_empty: bool,

    #[command(flatten)]
    global: Global,
}

/// How findings are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// With the line, what is wrong in it, and how to mend it; on stderr
    Full,
    /// One line each; on stderr
    Concise,
    /// One JSON object each, with all that is known; on stdout
    JsonLines,
    /// As annotations of GitHub Actions; on stdout
    Github,
    /// As one SARIF 2.1.0 document for code scanning; on stdout
    Sarif,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// A rule's code or name, such as L103 or name-not-directory; all rules unless given
    #[arg(value_name = "RULE", value_parser = rule)]
    pub(crate) rule: Option<Code>,

    #[command(flatten)]
    global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct New {
    /// The skill's name, which is its directory's too
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// The folder of skills to put it in
    #[arg(long, value_name = "DIR", default_value = "skills")]
    pub(crate) dir: PathBuf,

    #[command(flatten)]
    global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// Serve over HTTP at ADDRESS, `IP:PORT` or a port of this machine alone, instead of stdin and stdout
    ///
    /// Port 0 takes a free one. Where clients connect is told on stderr. There is no encryption and no
    /// password: any other address than one of this machine lets in whoever reaches it.
    #[cfg(feature = "mcp-http")]
    #[arg(long, value_name = "ADDRESS", value_parser = crate::mcp::address)]
    pub(crate) http: Option<std::net::SocketAddr>,

    #[command(flatten)]
    global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The folder to write to; it is made if need be
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,

    /// Only these skills
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    #[command(flatten)]
    pub(crate) how: How,

    #[command(flatten)]
    global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Install {
    /// Only these skills
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) how: How,

    #[command(flatten)]
    global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Uninstall {
    /// Only these skills
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) how: How,

    #[command(flatten)]
    global: Global,
}

/// Where skills are written.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// The agent that shall read them; `agents` is the folder that most of them share
    #[arg(long, value_name = "NAME", value_parser = agents(), required_unless_present = "dir")]
    pub(crate) agent: Option<Agent>,

    /// Any other folder of skills
    #[arg(long, value_name = "DIR", conflicts_with = "agent")]
    pub(crate) dir: Option<PathBuf>,

    /// For whom the agent shall find them: in this folder's project, or everywhere for this user
    #[arg(long, value_enum, default_value_t = ScopeName::Project, conflicts_with = "dir")]
    pub(crate) scope: ScopeName,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ScopeName {
    /// The project in this folder
    Project,
    /// The user's home
    User,
}

/// How skills are written.
#[derive(Debug, Args)]
pub(crate) struct How {
    /// Only say what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Overwrite and take away even what somebody has changed or put there
    #[arg(long)]
    pub(crate) force: bool,
}

fn agents() -> impl TypedValueParser<Value = Agent> {
    let names = PossibleValuesParser::new(Agent::all().map(Agent::name));
    names.try_map(|name| Agent::parse(&name).ok_or("no such agent"))
}

impl Cli {
    /// The options of every command, from before and after the command's name.
    pub(crate) fn global(&self) -> Global {
        let after = self.command.global();
        Global {
            root: self.global.root.iter().chain(&after.root).cloned().collect(),
            no_bundle: self.global.no_bundle || after.no_bundle,
            json: self.global.json || after.json,
        }
    }
}

impl Global {
    pub(crate) fn form(&self) -> Form {
        if self.json { Form::Json } else { Form::Text }
    }
}

impl Command {
    fn global(&self) -> &Global {
        match self {
            Self::List(args) => &args.global,
            Self::Search(args) => &args.global,
            Self::Load(args) => &args.global,
            Self::Prompt(args) => &args.global,
            Self::Read(args) => &args.global,
            Self::Call(args) => &args.global,
            Self::Schema(args) => &args.global,
            Self::Check(args) => &args.global,
            Self::Explain(args) => &args.global,
            Self::New(args) => &args.global,
            Self::Mcp(args) => &args.global,
            Self::Export(args) => &args.global,
            Self::Install(args) => &args.global,
            Self::Uninstall(args) => &args.global,
        }
    }
}

impl From<Ranking> for skills::Ranking {
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
            Tools::Four => Self::Four,
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

/// For commands that serve nothing: they take these options without a word, as the alias of a user may
/// give them, and do not show them.
fn hide_what_is_served(arg: Arg) -> Arg {
    let serves = arg.get_id() == "root" || arg.get_id() == "no_bundle";
    if serves { arg.hide(true) } else { arg }
}

/// The form of the answer to arguments that could not be understood.
pub(crate) fn form_asked_for(arguments: &[OsString]) -> Form {
    let mut options = arguments.iter().take_while(|argument| *argument != "--");
    if options.any(|argument| argument == "--json") { Form::Json } else { Form::Text }
}

fn profiles() -> impl TypedValueParser<Value = Profile> {
    let names = Profile::ALL.iter().map(|profile| profile.name());
    PossibleValuesParser::new(names).map(|name| Profile::parse(&name).unwrap_or_default())
}

fn rule(text: &str) -> Result<Code, String> {
    Code::parse(text).ok_or_else(|| {
        let known = RULES.iter().flat_map(|rule| [rule.code.as_str(), rule.name]);
        match nearest::closest(text, known).as_slice() {
            [] => "there is no such rule".to_owned(),
            [nearest, ..] => format!("there is no such rule; did you mean `{nearest}`?"),
        }
    })
}

fn settable_rule(text: &str) -> Result<Code, String> {
    let code = rule(text)?;
    match Rules::default().set_level(code, Level::Allow) {
        Ok(()) => Ok(code),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_fit_together() {
        Cli::command().debug_assert();
    }
}
