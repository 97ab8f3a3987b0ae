//! The same tree of skills twice: as this project compiles it, and as `include_dir!` does.
//!
//! Nothing is measured here. How many skills there are is in the name of the package. The questions are those that
//! several benchmarks ask of the same skills.

/// The skills, compiled.
pub static SKILLS: skills::Bundle = skills::bundle!();

/// The files, as they are.
pub static TREE: include_dir::Dir<'_> = include_dir::include_dir!("$OUT_DIR/tree");

/// What each of [`queries`] asks for.
pub const ASKED: [&str; 5] = ["a name", "a tag", "a trigger, in capitals", "a question", "nothing like it"];

/// Five queries as people and models make them, of the words that the skills are made of.
pub fn queries() -> [String; 5] {
    let middle = SKILLS.skills().nth(SKILLS.len() / 2);
    let name = middle.map_or("", |skill| skill.name()).to_owned();
    let tag = middle.and_then(|skill| skill.tags().next()).unwrap_or_default().to_owned();
    let trigger = middle.and_then(|skill| skill.triggers().next()).unwrap_or_default().to_uppercase();
    let question = "How do I convert an invoice into a budget table?".to_owned();
    [name, tag, trigger, question, "kubernetes ingress".to_owned()]
}
