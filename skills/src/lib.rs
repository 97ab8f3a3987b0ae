//! Ships Agent Skills inside a Rust program: checked and compiled in at build time, served without
//! start-up, heap or parsing.
//!
//! A build script checks every `SKILL.md` and packs it; [`bundle!`] puts the pack into the program, or
//! turns each fault into a compile error that names file, line and column. A [`Registry`] answers the
//! four actions that agents use: `list`, `search`, `load` and `read_file`.
//!
//! ```no_run
//! // build.rs
//! # #[cfg(not(feature = "cli"))]
//! # fn main() {}
//! # #[cfg(feature = "cli")]
//! fn main() {
//!     skills_bundle::build("skills");
//! }
//! ```
//!
//! ```
//! // src/main.rs
//! # #[cfg(feature = "cli")] {
//! static SKILLS: skills::Bundle = skills::bundle!();
//! static REGISTRY: skills::Registry = skills::Registry::new(&SKILLS);
//!
//! let answer = REGISTRY.call(r#"{"action": "load", "skill_name": "write-skill"}"#);
//! # assert!(answer.text.starts_with("Skill: write-skill\n"));
//! # }
//! ```
//!
//! Slash commands, prompts that a user calls by name, come along: [`Registry::invoke`] gives the text to
//! send for `/name arguments`.
//!
//! With the feature `handlers`, skills act: see [`handlers`]. This crate does not run a skill's scripts. It reads skills from disk only with the
//! feature `overlay`, where a [`Registry`] comes from a `LiveRegistry`.
//!
//! # Features
//!
//! * `macros` (default): [`bundle!`], [`include_skills!`], [`skill!`], [`names!`].
//! * `json` (default): [`Registry::call`], [`schema`], and every answer as JSON.
//! * `overlay`: roots that are read from disk at run time, above or below what was compiled in.
//! * `watch`: overlays that are read again when the disk says that they have changed.
//! * `handlers`: [`handlers`] and the attribute [`handler`]; brings Tokio, jsonschema, schemars and tracing.
//! * `openai`: `handlers::OpenAi`, a model behind an endpoint that speaks OpenAI's chat completions.
//! * `mcp`: serving skills over the Model Context Protocol on stdin and stdout; `mcp-http`: over HTTP too.
//! * `export`: writing skills to where agents read them from disk.
//! * `cli`: the program `skills`. Libraries leave it off.

#[cfg(feature = "handlers")]
pub mod handlers;

#[cfg(feature = "handlers")]
use skills_core::pack;

pub use skills_core::pack::{Command, FieldValue, Mismatch, Pack, Skill, SkillFile, Texts};
pub use skills_core::serve::{
    ActionError, Audience, Bundle, CallArguments, Callable, Catalogue, CatalogueForm, CatalogueOptions,
    CommandEntry, Entry, FileContent, FileFacts, Hit, Invocation, Listing, Loaded, LoadedCommand, MEMORY,
    Matches, PROMPT_BUDGET, Part, Policy, READ_LIMIT, Ranking, Registry, SEARCH_LIMIT, SLOT,
    SUGGESTION_LIMIT, SearchOptions, Session, SlashCall, Suggestions, fill_slot, parse_invocation,
};
#[cfg(feature = "json")]
pub use skills_core::serve::{
    Answer, OwnedReply, Provider, Reply, SHORT_TOOL_NAME, SessionDataError, TOOL_NAME, ToolOptions, Toolset,
    schema, short_schema,
};
#[cfg(feature = "overlay")]
pub use skills_core::serve::{
    Changes, Conventions, Diagnostic, LiveRegistry, Overlays, Reason, Root, Shadowed, Snapshot, usual_roots,
};
#[cfg(feature = "watch")]
pub use skills_core::serve::{WatchError, Watcher};
#[cfg(feature = "overlay")]
pub use skills_core::source::{code::Code, code::Level, finding::Finding, scan::LeftOutReason};

#[cfg(feature = "export")]
pub mod export;
#[cfg(feature = "mcp")]
pub mod mcp;

/// The skills that this package's build script compiled: an expression of type [`Bundle`].
///
/// The build script is `fn main() { skills_bundle::build("skills") }`. Each finding at deny becomes a
/// compile error of its own, with the file, the line and the mend; no other error follows.
///
/// `bundle!(crate = path)` names this crate where it is known under another path than `::skills`.
#[cfg(feature = "macros")]
pub use skills_macros::bundle;

/// The skills under a directory, relative to the package, without a build script: an expression of
/// type [`Bundle`].
///
/// ```
/// static SKILLS: skills::Bundle = skills::include_skills!("skills");
/// # assert!(SKILLS.get("write-skill").is_some());
/// ```
///
/// The same checks run as in a build script. Cargo builds again when a file changes that was there
/// before, but stable Rust gives a macro no way to watch a directory: **a file or skill that is new is
/// not seen until something else is built again**, and a link put in place of a file is seen only if
/// its target is newer than the last build. Where that matters, use [`bundle!`].
///
/// A finding at warn is a warning of the lint `deprecated`, the one through which a macro can warn on
/// stable Rust: `#[allow(deprecated)]` on the item silences it.
#[cfg(feature = "macros")]
pub use skills_macros::include_skills;

/// A constant for the name of each skill that this package's build script compiled.
///
/// ```
/// # #[cfg(feature = "cli")]
/// pub mod names {
///     skills::names!(); // pub const WRITE_SKILL: &str = "write-skill"; …
/// }
/// # fn main() {
/// #     #[cfg(feature = "cli")]
/// #     assert_eq!(names::WRITE_SKILL, "write-skill");
/// # }
/// ```
///
/// Other crates use these constants, and stop compiling when a skill they name is gone.
#[cfg(feature = "macros")]
pub use skills_macros::names;

/// The name of a skill, checked when the program is compiled: an expression of type `&'static str`.
///
/// ```
/// # static SKILLS: skills::Bundle = skills::include_skills!("skills");
/// # #[cfg(feature = "cli")] {
/// let skill = SKILLS.get(skills::skill!("write-skill"));
/// # }
/// let skill = SKILLS.get(skills::skill!("write-skill" in "skills")); // without a build script
/// # assert!(skill.is_some());
/// ```
///
/// A name that no skill has is a compile error that says which one may have been meant.
#[cfg(feature = "macros")]
pub use skills_macros::skill;

/// Binds a function to a skill: the function stays as it is, and `name::binding()` gives its
/// [`Binding`](handlers::Binding) for [`Handlers::bind`](handlers::Handlers::bind).
///
/// ```ignore
/// /// Finds files by a part of their name.
/// #[skills::handler(skill = "file-search", group = "files", timeout = "5s")]
/// fn file_search(input: Find, context: Context) -> Result<Vec<String>, Failure> {
///     Ok(names_below(context.dir(), &input.word)?)
/// }
///
/// let handlers = Handlers::new(&REGISTRY).bind(file_search::binding())?;
/// ```
///
/// The function takes its arguments as one type that is `Deserialize` and
/// [`JsonSchema`](https://docs.rs/schemars), then, if it wants, a [`Context`](handlers::Context), each by
/// value or by reference. It gives a `Result` of what is `Serialize` and a
/// [`Failure`](handlers::Failure) or what becomes one. An `async fn` is awaited; another one
/// is run beside the async threads.
///
/// * `skill = "name"`: the skill that the build script compiled, or `skill = "name" in "skills"` without a
///   build script. A name that no skill has is a compile error that says which one may have been meant.
/// * `group = "files"`: a group for the router, beside those in the SKILL.md; may be given more than once.
/// * `confirm` or `confirm = "deletes a file"`: every call waits for the user's yes.
/// * `timeout = "10s"`: a whole number and `ms`, `s` or `m`.
/// * `roles = ["editor"]`: who may call it; everyone if left out.
/// * `result_limit = 2000`: characters of a result that the model gets at once.
/// * `examples = [r#"{"word": "notes"}"#]`: arguments, as JSON.
/// * `record_arguments`: traces and the audit log may hold the arguments.
/// * `crate = path`: this crate, where it is known under another path than `::skills`.
///
/// A test is generated that holds the type against the `parameters` of the SKILL.md and the examples.
#[cfg(feature = "handlers")]
pub use skills_macros::handler;

/// Snapshots, with the crate `insta` of the calling package, what a model sees of every skill in a
/// [`Bundle`]: the text of `load`, one snapshot a skill, under the skill's name.
///
/// ```no_run
/// # static SKILLS: skills::Bundle = skills::Bundle::EMPTY;
/// # /*
/// #[test]
/// # */
/// fn what_the_model_sees() {
///     skills::assert_skill_snapshots!(SKILLS);
/// }
/// ```
#[macro_export]
macro_rules! assert_skill_snapshots {
    ($bundle:expr $(,)?) => {{
        let registry = $crate::Registry::new(&$bundle).for_audience($crate::Audience::Everyone);
        for entry in registry.skills() {
            let loaded = registry.load(entry.skill.name()).expect("the registry has just listed it");
            ::insta::assert_snapshot!(entry.skill.name(), loaded.text());
        }
    }};
}

/// For generated code alone.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "handlers")]
    pub use crate::handlers::__check as check_handler;
    pub use phf;
}
