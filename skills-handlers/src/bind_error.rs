//! Why a function can't be bound to a skill.

use std::fmt;

use skills_pack::text::{Quoted, did_you_mean};

/// Why a function can't be bound to a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BindError {
    /// The registry serves no skill with this name.
    UnknownSkill {
        /// The name.
        skill: String,
        /// The closest names, nearest first, at most three.
        nearest: Vec<String>,
    },
    /// Another function is bound to the skill.
    BoundTwice {
        /// The skill.
        skill: String,
    },
    /// Skills that need a handler have none.
    NotBound {
        /// The skills, by name.
        skills: Vec<String>,
    },
    /// The function doesn't take a struct, but a call's arguments are an object.
    NoObject {
        /// The skill.
        skill: String,
    },
    /// The schema of the function's type is invalid.
    InvalidSchema {
        /// The skill.
        skill: String,
        /// What is wrong with it.
        message: String,
    },
    /// The `parameters` of the SKILL.md aren't a valid schema.
    InvalidParameters {
        /// The skill.
        skill: String,
        /// What is wrong with them.
        message: String,
    },
    /// The `parameters` of the SKILL.md contradict the handler.
    Contradiction {
        /// The skill.
        skill: String,
        /// The contradictions, each with its place.
        contradictions: Vec<String>,
    },
    /// An example of the binding doesn't match the schema.
    WrongExample {
        /// The skill.
        skill: String,
        /// The example.
        example: String,
        /// What is wrong with it.
        message: String,
    },
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSkill { skill, nearest } => {
                write!(f, "no skill `{skill}` is served, so nothing can be bound to it: ")?;
                match nearest.first() {
                    Some(near) => f.write_str(&did_you_mean(Quoted(near))),
                    None => f.write_str("add its SKILL.md, or serve the audience that may see it"),
                }
            }
            Self::BoundTwice { skill } => {
                write!(f, "two handlers are bound to the skill `{skill}`: remove one of them")
            }
            Self::NotBound { skills } => write!(
                f,
                "no handler is bound to `{}`: bind the function, or take its attribute or the `parameters` of the SKILL.md \
                 away",
                skills.join("`, `")
            ),
            Self::NoObject { skill } => {
                write!(f, "the handler of `{skill}` must take a struct: a call's arguments are an object")
            }
            Self::InvalidSchema { skill, message } => {
                write!(f, "the type that the handler of `{skill}` takes has an invalid schema: {message}")
            }
            Self::InvalidParameters { skill, message } => {
                write!(f, "the `parameters` in the SKILL.md of `{skill}` aren't a valid schema: {message}")
            }
            Self::Contradiction { skill, contradictions } => {
                write!(
                    f,
                    "the SKILL.md of `{skill}` contradicts its handler; fix its `parameters` or the type:"
                )?;
                contradictions.iter().try_for_each(|line| write!(f, "\n  {line}"))
            }
            Self::WrongExample { skill, example, message } => {
                write!(f, "the example `{example}` for the handler of `{skill}` is invalid: {message}")
            }
        }
    }
}

impl std::error::Error for BindError {}
