//! The commands, each with its help text and examples.

use clap::Subcommand;

use super::global::{hide_every_option, hide_how_skills_are_read, hide_what_is_served};
use super::{
    Add, Call, Check, Completions, Diff, Explain, Export, Global, Install, List, Load, Lock, Lsp, Man, Mcp,
    New, Outdated, Prompt, Read, Remove, Report, Review, Schema, Search, Test, Update, Why,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List all skills and slash commands
    #[command(
        visible_alias = "ls",
        after_help = "\
Examples:
  skills list
  skills --root skills --no-bundle list
  skills list --installed"
    )]
    List(List),

    /// Search the skills for a task, best match first
    #[command(after_help = "\
Examples:
  skills search commit message
  skills search --limit 3 --json rust
  skills search --explain how do I write a skill")]
    Search(Search),

    /// Show a skill: its fields, instructions and files; or a slash command's definition
    #[command(
        visible_alias = "show",
        after_help = "\
Examples:
  skills load write-skill
  skills --root skills load my-skill
  skills load write-skill a skill that reads logs
  skills load write-skill --json
  skills load /fix-skills

Arguments are put into the instructions where they have a place for them, or follow them."
    )]
    Load(Load),

    /// Print the catalogue of the skills for a system prompt, as a model sees it
    #[command(after_help = "\
Examples:
  skills prompt
  skills prompt --format xml --budget 4000 --shorten
  skills --root skills prompt --format json

In a prompt template (--template FILE), {{available_skills}} is replaced by the catalogue.")]
    Prompt(Prompt),

    /// Show a file of a skill
    #[command(after_help = "\
Examples:
  skills read write-skill references/frontmatter.md
  skills read write-skill SKILL.md --offset 1000

A binary file is described; --json gives its bytes in base64.")]
    Read(Read),

    /// Answer one raw tool call, in the form in which models make them
    #[command(after_help = "\
Examples:
  skills call '{\"action\": \"search\", \"query\": \"commit message\"}'
  echo '{\"action\": \"load\", \"skill_name\": \"write-skill\"}' | skills call -

Skills that a model may not call are hidden here, and only here.")]
    Call(Call),

    /// Print the definition of the tool, or of four tools, for a model's API
    #[command(after_help = "\
Examples:
  skills schema
  skills schema --for anthropic
  skills schema --for openai --tools four --strict
  skills schema --frontmatter --profile claude

One tool is printed as it is; four as what a request has as its tools. --frontmatter prints something else:
a JSON Schema of the frontmatter of a SKILL.md, for editors and for programs that write skills.")]
    Schema(Schema),

    /// Check skills and slash commands, and explain what is wrong with them
    #[command(
        visible_aliases = ["validate", "lint"],
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
  skills check skills --watch
  skills check - --stdin-path skills/my-skill/SKILL.md < skills/my-skill/SKILL.md

Exit status: 0 no errors; 1 errors, or no skill found; 2 a path that could not be read.
Where levels for one rule disagree, --deny wins over --warn, and --warn over --allow.
Rules that begin with E always deny, except E024.
What the Cargo.toml nearest to the first PATH sets in [package.metadata.skills] or
[workspace.metadata.skills] is obeyed; these options come on top."
    )]
    Check(Check),

    /// Test which skill the words of a user find, among all skills of a directory
    ///
    /// Words, not a model: a failure means that the description lacks the user's words, or that another skill has
    /// them. A pass proves nothing about a model.
    ///
    /// Queries are read from the directory `evals` in a skill, and from `evals`, `evals/cases` and `tests` beside
    /// skills: JSON, lines of JSON, CSV or YAML, in any form in use. The usual one is an array of
    /// `{"query": "…", "should_trigger": true}`, with `top_k` or `owner` if you like. A query that should find its
    /// skill passes if the skill is among the first 3, or `top_k`. One that shouldn't passes if the skill isn't first
    /// and, if there is an owner, that one is found above it.
    #[command(after_help = "\
Examples:
  skills test skills --init
  skills test skills --cases queries.json
  skills test skills --min-rank1 90
  skills test skills --json > baseline.json
  skills test skills --baseline baseline.json --max-drop 5
  skills test skills --format github

Exit status: 0 every query passed; 1 one failed, a file of queries is wrong, or there are none;
2 wrong usage or could not run. With --baseline, queries may fail as long as the shares don't drop.")]
    Test(Test),

    /// Explain why a skill is found by a query, or isn't
    #[command(after_help = "\
Examples:
  skills why write-skill my skill is never picked
  skills why commit-message split this diff --json

With --root, the built-in skills don't compete.

Exit status: 0 if the skill is among the first 3, else 1.")]
    Why(Why),

    /// Explain a rule, or list them all
    #[command(
        mut_args(hide_how_skills_are_read),
        after_help = "\
Examples:
  skills explain
  skills explain L103
  skills explain dead-link --json"
    )]
    Explain(Explain),

    /// Start a new skill from a template
    #[command(
        visible_alias = "init",
        mut_args(hide_how_skills_are_read),
        after_help = "\
Examples:
  skills new my-skill
  skills new commit-style --dir .agents/skills"
    )]
    New(New),

    /// Take skills from a git repository or a directory, and lock them
    #[command(
        mut_args(hide_what_is_served),
        after_help = super::lock::ADD_HELP
    )]
    Add(Add),

    /// Bring locked skills to what their sources have now; what you edited is kept
    #[command(
        mut_args(hide_what_is_served),
        after_help = super::lock::UPDATE_HELP
    )]
    Update(Update),

    /// Show which locked skills have changed where they come from
    #[command(
        mut_args(hide_what_is_served),
        after_help = super::lock::OUTDATED_HELP
    )]
    Outdated(Outdated),

    /// Remove locked skills
    #[command(
        mut_args(hide_what_is_served),
        after_help = super::lock::REMOVE_HELP
    )]
    Remove(Remove),

    /// Compare skills that came from elsewhere with skill-sources.lock
    #[command(
        mut_args(hide_what_is_served),
        after_help = super::lock::LOCK_HELP
    )]
    Lock(Lock),

    /// Show what a reviewer must see of skills that differ
    #[command(
        mut_args(hide_what_is_served),
        after_help = super::lock::DIFF_HELP
    )]
    Diff(Diff),

    /// Show what changed in a locked skill since it was last reviewed, and record your review
    #[command(
        mut_args(hide_what_is_served),
        after_help = super::lock::REVIEW_HELP
    )]
    Review(Review),

    /// Report everything about the skills of a directory or a program: as a page for browsers, as data, or as a
    /// bill of materials
    #[command(
        mut_args(hide_what_is_served),
        after_help = super::report::REPORT_HELP
    )]
    Report(Report),

    /// Serve the skills to an agent over the Model Context Protocol
    #[command(after_help = "\
Examples:
  skills mcp
  skills mcp --root skills

Over HTTP, for many clients:
  skills mcp --http 8080
  skills mcp --http 0.0.0.0:8080 --token-file tokens --allow-host skills.example.com --log json

An agent's host starts this and talks to it on stdin and stdout; docs/mcp.md has the configurations,
host by host. A DIR that is not there yet is served when it appears. Over HTTP (--http) it serves where
it was built with the feature mcp-http: cargo install --path skills-cli --features mcp-http --locked")]
    Mcp(Mcp),

    /// Serve an editor, or an agent that edits skills, over the Language Server Protocol
    #[command(
        mut_args(hide_every_option),
        after_help = "\
Examples:
  skills lsp

An editor starts this and talks to it on stdin and stdout: findings as you type, quick fixes, completion.
docs/editors.md has the configurations, editor by editor."
    )]
    Lsp(Lsp),

    /// Write the skills to a directory, with all their files
    #[command(after_help = "\
Examples:
  skills export out
  skills export out commit-message --dry-run

Skills that are up to date stay, and so do skills that somebody has changed. What was written is recorded
in a hidden file of each skill's directory, .skills-export.json; uninstall --dir removes it again.")]
    Export(Export),

    /// Write the skills to the directory where an agent reads them
    #[command(after_help = "\
Examples:
  skills install --agent claude-code
  skills install write-skill --agent agents --agent claude-code --scope user
  skills install --dir ~/.config/my-agent/skills --dry-run

A later version updates what this one wrote, and removes what its source no longer has; a skill that
somebody has changed is left alone. A hidden file of each skill's directory, .skills-export.json, records
what was written. Exit status: 1 if all are left alone.")]
    Install(Install),

    /// Remove what install or export has written
    #[command(
        mut_args(hide_how_skills_are_read),
        mut_arg("names", |arg| arg.help("Remove only these skills")),
        mut_arg("agent", |arg| arg.help(
            "The agent that no longer needs them; `agents` is the directory that most agents share, `all` what install \
             writes for all of them. May be given several times"
        )),
        mut_arg("dir", |arg| arg.help("Another directory, which install or export has written to")),
        mut_arg("scope", |arg| arg.help("Where they were installed")),
        mut_arg("force", |arg| arg.help("Remove even files that others changed or added")),
        mut_arg("write_new", |arg| arg.hide(true)),
        after_help = "\
Examples:
  skills uninstall --agent claude-code
  skills uninstall write-skill --dir out

Files that were changed since are left alone."
    )]
    Uninstall(Install),

    /// Print a script with which a shell completes commands and options
    #[command(
        mut_args(hide_how_skills_are_read),
        after_help = "\
Examples:
  skills completions bash > skills.bash
  skills completions fish > skills.fish

Put it where your shell looks, or have it read when the shell starts: for bash,
  source <(skills completions bash)"
    )]
    Completions(Completions),

    /// Print the manual page of the program, or of one command
    #[command(
        mut_args(hide_how_skills_are_read),
        after_help = "\
Examples:
  skills man > skills.1
  skills man check > skills-check.1"
    )]
    Man(Man),
}

impl Command {
    /// The options of every command, as they were given after its name.
    pub(super) fn global(&self) -> &Global {
        match self {
            Self::List(args) => &args.global,
            Self::Search(args) => &args.global,
            Self::Load(args) => &args.global,
            Self::Prompt(args) => &args.global,
            Self::Read(args) => &args.global,
            Self::Call(args) => &args.global,
            Self::Schema(args) => &args.global,
            Self::Check(args) => &args.global,
            Self::Test(args) => &args.global,
            Self::Why(args) => &args.global,
            Self::Explain(args) => &args.global,
            Self::New(args) => &args.global,
            Self::Lock(args) => &args.global,
            Self::Diff(args) => &args.global,
            Self::Review(args) => &args.global,
            Self::Report(args) => &args.global,
            Self::Add(args) => &args.global,
            Self::Remove(args) => &args.global,
            Self::Update(args) => &args.global,
            Self::Outdated(args) => &args.global,
            Self::Mcp(args) => &args.global,
            Self::Lsp(args) => &args.global,
            Self::Export(args) => &args.global,
            Self::Install(args) | Self::Uninstall(args) => &args.global,
            Self::Completions(args) => &args.global,
            Self::Man(args) => &args.global,
        }
    }
}
