//! Why a function cannot be bound to a skill.

use std::fmt;

/// Why a function cannot be bound to a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BindError {
    /// The registry serves no such skill.
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
    /// Skills that were to have a handler have none.
    NotBound {
        /// The skills, by name.
        skills: Vec<String>,
    },
    /// The function takes no struct, and a call's arguments are an object.
    NoObject {
        /// The skill.
        skill: String,
    },
    /// The schema of the function's type is none that can be used.
    InvalidSchema {
        /// The skill.
        skill: String,
        /// What is wrong with it.
        message: String,
    },
    /// The `parameters` of the SKILL.md are no schema that can be used.
    InvalidParameters {
        /// The skill.
        skill: String,
        /// What is wrong with them.
        message: String,
    },
    /// The `parameters` of the SKILL.md say what does not hold for the function.
    Contradiction {
        /// The skill.
        skill: String,
        /// Each of them, with its place.
        contradictions: Vec<String>,
    },
    /// An example of the binding does not fit.
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
                    Some(near) => write!(f, "did you mean `{near}`?"),
                    None => f.write_str("add its SKILL.md, or serve the audience that it is for"),
                }
            }
            Self::BoundTwice { skill } => {
                write!(f, "two handlers are bound to the skill `{skill}`: take one of the two away")
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
                write!(f, "the type that the handler of `{skill}` takes has no usable schema: {message}")
            }
            Self::InvalidParameters { skill, message } => {
                write!(f, "the `parameters` in the SKILL.md of `{skill}` are no usable schema: {message}")
            }
            Self::Contradiction { skill, contradictions } => {
                write!(
                    f,
                    "the SKILL.md of `{skill}` contradicts its handler; mend its `parameters` or the type:"
                )?;
                contradictions.iter().try_for_each(|line| write!(f, "\n  {line}"))
            }
            Self::WrongExample { skill, example, message } => {
                write!(f, "the example `{example}` for the handler of `{skill}` does not fit: {message}")
            }
        }
    }
}

impl std::error::Error for BindError {}
