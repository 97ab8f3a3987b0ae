//! Embeds Agent Skills in a Rust program: checked and compiled in at build time, served without parsing or
//! disk access.
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
//! Slash commands, which are prompts that a user calls by name, are embedded too: [`Registry::invoke`]
//! returns the text to send for `/name arguments`. [`Registry::of`] serves the bundles of several crates
//! together.
//!
//! This crate doesn't run a skill's scripts; the crate `skills-handlers` connects skills with functions of
//! your program. Skills are read from disk only with the feature `live`, by `live::LiveRegistry`. The crate
//! `skills-cli` has the program `skills`.
//!
//! # Features
//!
//! * `std` (default): required by every feature below but `json` and `macros`; without default features the crate is `no_std` and only needs
//!   `alloc`.
//! * `json` (default): [`Registry::call`], tool definitions, and every answer as JSON.
//! * `macros` (default): [`bundle!`], [`include_skills!`], [`skill!`], [`names!`].
//! * `live`: roots that are read from disk at run time, above or below the bundle. Needs a file system and threads.
//! * `mcp`: a server for the Model Context Protocol on stdin and stdout; `mcp-http`: also over HTTP. Need Tokio, and
//!   threads or sockets.
//! * `clap`: `mytool skills list`, `install` and more, for any program with clap. Needs a file system.
//! * `triggers`: tests of which skill a user's words find, with [`assert_triggers!`](crate::triggers). Needs a file system.
//! * `export`: writes skills to the directories where agents read them. Needs a file system.
//!
//! These six don't build for `wasm32-unknown-unknown`; the others use nothing of the system.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

pub use skills_core::{
    Action, ActionError, Audience, Bundle, Defaults, Entry, FileContent, Listing, Loaded, Policy, Registry,
    Session, Shadowed, Toolset, Visibility,
};
#[cfg(feature = "json")]
pub use skills_core::{Answer, DataError, Provider, Reply, ToolDefinition, ToolOptions, schema};
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

/// Findings of the rules in skills on disk.
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
        Changes, Conventions, Diagnostic, Freshness, LiveRegistry, Overlays, Packs, Reason, Root, Snapshot,
        WatchError, Watcher, usual_roots,
    };
    pub use skills_source::scan::LeftOutReason;
}

/// Searching skills, and the parts of a match's score.
pub mod search {
    pub use skills_core::{
        Hit, Matches, Part, Ranking, SEARCH_LIMIT, SUGGESTION_LIMIT, SearchOptions, Suggestions,
    };
}

/// The names of the tools.
pub mod tools {
    pub use skills_core::{SHORT_TOOL_NAME, TOOL_NAME};
}

#[cfg(feature = "clap")]
pub mod clap;
#[cfg(feature = "export")]
pub mod export;
#[cfg(feature = "mcp")]
pub mod mcp;
mod snapshots;
#[cfg(feature = "triggers")]
pub mod triggers;

/// The skills that this package's build script has compiled: an expression of type [`Bundle`].
///
/// The build script is `fn main() { skills_bundle::build("skills") }`. Each finding at level deny becomes a
/// compile error with the file, the line and the fix; no other errors follow.
///
/// `bundle!(crate = path)` gives the path of this crate if it isn't `::skills`.
#[cfg(feature = "macros")]
pub use skills_macros::bundle;

/// The skills in a directory, relative to the package, without a build script: an expression of type
/// [`Bundle`].
///
/// ```
/// static SKILLS: skills::Bundle = skills::include_skills!("examples/skills");
/// # assert!(SKILLS.get("release-notes").is_some());
/// ```
///
/// It runs the same checks as a build script. Cargo rebuilds when an existing file changes, but a macro in
/// stable Rust can't watch a directory: **a new file or skill is only seen when something else causes a
/// rebuild**, and a symlink that replaces a file is only seen if its target is newer than the last build. If
/// that matters, use [`bundle!`].
///
/// A finding at level warn becomes a warning of the lint `deprecated`, the only one that a macro can trigger
/// in stable Rust: `#[allow(deprecated)]` on the item silences it.
#[cfg(feature = "macros")]
pub use skills_macros::include_skills;

/// Defines a constant for the name of each skill that this package's build script has compiled.
///
/// ```ignore
/// pub mod names {
///     skills::names!(); // pub const RELEASE_NOTES: &str = "release-notes"; …
/// }
/// ```
///
/// Crates that use these constants stop compiling if a skill they name is removed.
#[cfg(feature = "macros")]
pub use skills_macros::names;

/// The name of a skill, checked at compile time: an expression of type `&'static str`.
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
/// An unknown name is a compile error that suggests similar names.
#[cfg(feature = "macros")]
pub use skills_macros::skill;

/// Compares a [`Bundle`] with snapshots of the crate `insta`, which the calling package needs:
///
/// * an index of the bundle, under the name `index_of_` and the bundle's: each skill's name, description,
///   limits and files, each file with its size and the first 12 digits of its SHA-256, so that an edit of a
///   file beside a SKILL.md, a new name and a missing skill all show; and the slash commands;
/// * for each skill what a model sees of it, the text of `load`, under the skill's name.
///
/// It fails if there is a snapshot that it once wrote of a skill that is gone, and names the file.
///
/// ```no_run
/// # static SKILLS: skills::Bundle = skills::Bundle::EMPTY;
/// # /*
/// #[test]
/// # */
/// fn what_a_model_sees() {
///     skills::assert_skill_snapshots!(SKILLS);
/// }
/// ```
///
/// If skills of two bundles have the same name, their tests belong in two modules.
#[macro_export]
macro_rules! assert_skill_snapshots {
    ($bundle:expr $(,)?) => {{
        // Snapshots bear this, so that those of skills which are gone are known from the user's own.
        let mark = $crate::__private::snapshot_mark(::core::stringify!($bundle), ::core::module_path!());
        let index_name = $crate::__private::index_name(::core::stringify!($bundle));
        let mut settings = ::insta::Settings::clone_current();
        settings.set_description(&*mark);
        settings.bind(|| {
            let index = $crate::__private::index(&$bundle);
            ::insta::assert_snapshot!(&*index_name, index);
            let registry = $crate::Registry::new(&$bundle).for_audience($crate::Audience::Everyone);
            for entry in registry.skills() {
                let loaded = registry.load(entry.skill.name()).expect("the registry lists it");
                ::insta::assert_snapshot!(entry.skill.name(), loaded.text());
            }
        });
        // `skills` itself may be without `std`, which a test has.
        #[allow(clippy::disallowed_methods, reason = "the test looks for files of its own")]
        fn gone(
            snapshots: &::std::path::Path,
            is_gone: impl Fn(&str, &str) -> bool,
        ) -> ::std::vec::Vec<::std::string::String> {
            let package = ::std::path::Path::new(::core::env!("CARGO_MANIFEST_DIR"));
            let set = ::std::env::var_os("INSTA_WORKSPACE_ROOT").map(::std::path::PathBuf::from);
            let roots = set.iter().map(|root| root.as_path()).chain(package.ancestors());
            let source = roots.map(|root| root.join(::core::file!())).find(|source| source.is_file());
            let directory =
                source.as_deref().and_then(::std::path::Path::parent).map(|beside| beside.join(snapshots));
            let listing = directory.and_then(|directory| ::std::fs::read_dir(directory).ok());
            let mut gone: ::std::vec::Vec<::std::string::String> = listing
                .into_iter()
                .flatten()
                .filter_map(|entry| {
                    let path = entry.ok()?.path();
                    let text = ::std::fs::read_to_string(&path).ok()?;
                    is_gone(path.file_name()?.to_str()?, &text).then(|| path.display().to_string())
                })
                .collect();
            gone.sort_unstable();
            gone
        }
        let gone = gone(settings.snapshot_path(), |file, text| {
            $crate::__private::is_snapshot_of_gone(&$bundle, &mark, &index_name, file, text)
        });
        assert!(
            gone.is_empty(),
            "`{}` no longer has the skills of these snapshots; delete them: {}",
            ::core::stringify!($bundle),
            gone.join(", "),
        );
    }};
}

/// Fails unless every query of a file finds its skill, and no other, among the skills of a [`Bundle`] that a model may
/// call. The file is relative to the calling package; [`triggers`] has the forms that are read, and what passes.
///
/// ```no_run
/// # static SKILLS: skills::Bundle = skills::Bundle::EMPTY;
/// # /*
/// #[test]
/// # */
/// fn users_find_the_skills() {
///     skills::assert_triggers!(SKILLS, "evals/cases.json");
/// }
/// ```
///
/// The report of a failure has the words that no field of the skill has, the words by which another skill won, and
/// the field to change. It needs the feature `triggers`, which belongs in `[dev-dependencies]`.
#[cfg(feature = "triggers")]
#[macro_export]
macro_rules! assert_triggers {
    ($bundle:expr, $path:expr $(,)?) => {
        $crate::triggers::assert(&$bundle, ::core::env!("CARGO_MANIFEST_DIR"), $path)
    };
}

/// Stops the compilation if two of these [`Bundle`]s, which are statics, have a skill or a slash command with the
/// same name: "`commit` is in `SKILLS` and in `pack_a::SKILLS`". Without it, the earlier one is served, and
/// [`Registry::shadowed`] lists the other.
///
/// ```
/// static SKILLS: skills::Bundle = skills::include_skills!("examples/skills");
/// static PACK: skills::Bundle = skills::Bundle::EMPTY; // of another crate
/// skills::assert_disjoint!(SKILLS, PACK);
/// ```
#[macro_export]
macro_rules! assert_disjoint {
    (@rest) => {};
    (@rest $($other:expr),+) => { $crate::assert_disjoint!($($other),+); };
    ($one:expr $(, $other:expr)* $(,)?) => {
        $(
            const _: () =
                $crate::__private::assert_disjoint(&$one, &$other, stringify!($one), stringify!($other));
        )*
        $crate::assert_disjoint!(@rest $($other),*);
    };
}

/// For generated code only.
#[doc(hidden)]
pub mod __private {
    pub use phf;
    pub use skills_core::{assert_disjoint, index};

    pub use crate::snapshots::{index_name, is_snapshot_of_gone, snapshot_mark};
}
