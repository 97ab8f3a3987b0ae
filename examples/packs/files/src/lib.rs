//! Skills for files, for any program that serves skills.

/// The skills of this crate.
pub static SKILLS: skills::Bundle = skills::include_skills!("skills");
