//! An application that serves the skills of two crates and its own, which come first.
//!
//! ```sh
//! cargo run -p packs
//! ```

#![allow(clippy::print_stdout, reason = "this is a program for people")]

use skills::{Bundle, Registry};

static SKILLS: Bundle = skills::include_skills!("skills");

// Earlier packs win: this program has a `commit` of its own.
static REGISTRY: Registry<'_> =
    Registry::of(&[("app", &SKILLS), ("git", &skills_for_git::SKILLS), ("files", &skills_for_files::SKILLS)]);

// These two must never have a name in common. If they do, this doesn't compile.
skills::assert_disjoint!(skills_for_git::SKILLS, skills_for_files::SKILLS);

fn main() {
    println!("{}\n", REGISTRY.list());
    for hidden in REGISTRY.shadowed() {
        println!("`{}` of {} is hidden by the one of {}", hidden.name, hidden.origin, hidden.by_origin);
    }
    let reply = REGISTRY.call(r#"{"action": "load", "skill_name": "commit"}"#);
    println!("\n{}", reply.text);
}
