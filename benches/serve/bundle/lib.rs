//! The same tree of skills twice: as this project compiles it, and as `include_dir!` does.
//!
//! Nothing is measured here. How many skills there are is in the name of the package.

/// The skills, compiled.
pub static SKILLS: skills::Bundle = skills::bundle!();

/// The files, as they are.
pub static TREE: include_dir::Dir<'_> = include_dir::include_dir!("$OUT_DIR/tree");
