//! Ships Agent Skills inside a Rust program: checked and compiled in at build time, served without
//! parsing, and without touching the disk.
//!
//! A build script checks every `SKILL.md` and packs it; [`bundle!`] puts the pack into the program, or
//! turns each finding into a compile error with file, line and column. A [`Registry`] answers the four
//! actions that agents use: `list`, `search`, `load` and `read_file`.
//!
//! ```no_run
//! // build.rs
//! fn main() {
//!     skills_bundle::build("skills");
//! }
//! ```
//!
//! ```
//! // src/main.rs
//! # /* The build script of this package compiles no skills.
//! static SKILLS: skills::Bundle = skills::bundle!();
//! # */ static SKILLS: skills::Bundle = skills::include_skills!("examples/skills");
//! static REGISTRY: skills::Registry = skills::Registry::new(&SKILLS);
//!
//! let answer = REGISTRY.call(r#"{"action": "load", "skill_name": "release-notes"}"#);
//! # assert!(answer.text.starts_with("Skill: release-notes\n"));
//! ```
//!
//! Slash commands, prompts that a user calls by name, come along: [`Registry::invoke`] gives the text to
//! send for `/name arguments`. The bundles of several crates are served together by [`Registry::of`].
//!
//! This crate doesn't run a skill's scripts; with the crate `skills-handlers`, skills act. It reads
//! skills from disk only with the feature `live`, where a [`Registry`] comes from a
//! `live::LiveRegistry`. The program `skills` is the crate `skills-cli`.
//!
//! # Features
//!
//! * `std` (default): needed by all others; without default features the crate is `no_std` and needs
//!   `alloc` alone.
//! * `json` (default): [`Registry::call`], tool definitions, and every answer as JSON.
//! * `macros` (default): [`bundle!`], [`include_skills!`], [`skill!`], [`names!`].
//! * `live`: roots that are read from disk at run time, above or below what was compiled in.
//! * `mcp`: serving skills over the Model Context Protocol on stdin and stdout; `mcp-http`: over HTTP too.
//! * `export`: writing skills to where agents read them from disk.

#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "json")]
pub use skills_core::{
    Action, Answer, Provider, Reply, SessionDataError, ToolDefinition, ToolOptions, Toolset, schema,
};
pub use skills_core::{
    ActionError, Audience, Bundle, Entry, FileContent, Listing, Loaded, Policy, Registry, Session, Shadowed,
};
pub use skills_pack::{FieldValue, Pack, Skill, SkillFile};

/// The catalogue of skills for a system prompt.
pub mod catalogue {
    pub use skills_core::{Catalogue, CatalogueForm, CatalogueOptions, PROMPT_BUDGET, SLOT};
}

/// Slash commands, and what a user calls with a slash.
pub mod commands {
    pub use skills_core::{
        CallArguments, Callable, CommandEntry, Invocation, LoadedCommand, parse_invocation,
    };
    pub use skills_pack::Command;
}

/// What the rules say of a skill on disk.
#[cfg(feature = "live")]
pub mod findings {
    pub use skills_source::code::{Code, Level};
    pub use skills_source::finding::Finding;
}

/// Roots that are read from disk at run time.
#[cfg(feature = "live")]
pub mod live {
    pub use skills_core::OwnedReply;
    pub use skills_live::{
        Changes, Conventions, Diagnostic, LiveRegistry, Overlays, Reason, Root, Snapshot, WatchError,
        Watcher, usual_roots,
    };
    pub use skills_source::scan::LeftOutReason;
}

/// Searching skills, and what a match is made of.
pub mod search {
    pub use skills_core::{
        Hit, Matches, Part, Ranking, SEARCH_LIMIT, SUGGESTION_LIMIT, SearchOptions, Suggestions,
    };
}

/// The short tool, and the names of the tools.
#[cfg(feature = "json")]
pub mod tools {
    pub use skills_core::{SHORT_TOOL_NAME, TOOL_NAME, short_schema};
}

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
/// static SKILLS: skills::Bundle = skills::include_skills!("examples/skills");
/// # assert!(SKILLS.get("release-notes").is_some());
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
/// ```ignore
/// pub mod names {
///     skills::names!(); // pub const RELEASE_NOTES: &str = "release-notes"; …
/// }
/// ```
///
/// Other crates use these constants, and stop compiling when a skill they name is gone.
#[cfg(feature = "macros")]
pub use skills_macros::names;

/// The name of a skill, checked when the program is compiled: an expression of type `&'static str`.
///
/// ```
/// # static SKILLS: skills::Bundle = skills::include_skills!("examples/skills");
/// # /* The build script of this package compiles no skills.
/// let skill = SKILLS.get(skills::skill!("release-notes"));
/// # */
/// let skill = SKILLS.get(skills::skill!("release-notes" in "examples/skills")); // without a build script
/// # assert!(skill.is_some());
/// ```
///
/// A name that no skill has is a compile error that says which one may have been meant.
#[cfg(feature = "macros")]
pub use skills_macros::skill;

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
    pub use phf;
}
