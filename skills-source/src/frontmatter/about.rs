//! What each field is for, in a sentence: for editors, which show it, and for the JSON Schema.
//!
//! Which fields there are and how they are read is in the table of fields; this has only words and the values
//! that are usual.

use super::{FIELDS, Form};
use crate::rules::Profile;

/// What a field of a SKILL.md is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct About {
    /// The name under which it had best be written.
    pub name: &'static str,
    /// What it is for, in Markdown.
    pub text: &'static str,
    /// What its value looks like.
    pub form: Form,
    /// The values that it may have, if there are few; of a list, of its items.
    pub values: &'static [&'static str],
}

const FLAGS: &[&str] = &["true", "false"];

const fn about(name: &'static str, form: Form, text: &'static str) -> About {
    About { name, text, form, values: &[] }
}

const fn one_of(
    name: &'static str,
    form: Form,
    values: &'static [&'static str],
    text: &'static str,
) -> About {
    About { name, text, form, values }
}

/// Every field that some profile knows, in the order in which it is usually written.
const ABOUT: &[About] = &[
    about(
        "name",
        Form::Text,
        "The skill's name: 1 to 64 characters of `a-z`, `0-9` and `-`, the same as the directory's name.",
    ),
    about(
        "description",
        Form::Text,
        "What the skill does and when to use it, in at most 1,024 characters. A model chooses by this alone.",
    ),
    about(
        "when_to_use",
        Form::Text,
        "When to use the skill, added to the description. The two together have at most 1,024 characters.",
    ),
    about("version", Form::Text, "The skill's version, kept as it is written."),
    about("author", Form::Text, "Who to ask about the skill."),
    about("license", Form::Text, "The licence, best as an SPDX expression such as `MIT OR Apache-2.0`."),
    about(
        "compatibility",
        Form::Text,
        "What the skill needs to work: programs, network, a system. At most 500 characters.",
    ),
    about("tags", Form::List, "Words by which search finds the skill."),
    about("triggers", Form::Phrases, "Phrases that call for the skill."),
    about(
        "allowed-tools",
        Form::Tools,
        "The tools that the skill may use without being asked, such as `Read` or `Bash(git add *)`.",
    ),
    about("disallowed-tools", Form::Tools, "Tools that Claude Code takes away while the skill is active."),
    about("argument-hint", Form::Text, "What a user is shown after the skill's name, such as `[file]`."),
    about("arguments", Form::List, "Names for the arguments by position, to be used in the body as `$name`."),
    one_of(
        "disable-model-invocation",
        Form::Flag,
        FLAGS,
        "`true` hides the skill from the model: only a user may call it.",
    ),
    one_of(
        "user-invocable",
        Form::Flag,
        FLAGS,
        "`false` hides the skill from the user's menu: it is knowledge for the model.",
    ),
    about("model", Form::Text, "The model with which Claude Code runs the skill."),
    one_of(
        "effort",
        Form::Text,
        &["low", "medium", "high", "max"],
        "How much the model thinks while the skill is active.",
    ),
    one_of(
        "context",
        Form::Text,
        &["fork"],
        "`fork` runs the skill in a subagent with a context of its own.",
    ),
    about("agent", Form::Text, "The kind of subagent that runs the skill with `context: fork`."),
    one_of("background", Form::Flag, FLAGS, "Whether a subagent runs the skill in the background."),
    about("hooks", Form::Mapping, "Hooks of Claude Code that are in force while the skill is active."),
    about("paths", Form::List, "Patterns of files: the skill is offered when one of them is worked on."),
    one_of("shell", Form::Text, &["bash", "powershell"], "The shell that runs commands in the body."),
    about("metadata", Form::Mapping, "Your own data, in any shape. Readers ignore it."),
    about(
        "parameters",
        Form::Mapping,
        "A JSON Schema (draft 2020-12) of what the function takes that a program binds to the skill.",
    ),
];

impl About {
    /// What a field is for, under whichever of its names.
    pub fn of(key: &str) -> Option<&'static Self> {
        let named = FIELDS.iter().find(|field| field.names.contains(&key));
        let name = named.map_or(key, |field| field.name());
        ABOUT.iter().find(|about| about.name == name)
    }

    /// The fields that readers of a profile know, each once.
    pub fn all(profile: Profile) -> Vec<&'static Self> {
        let known = profile.fields();
        ABOUT.iter().filter(|about| known.contains(&about.name)).collect()
    }

    /// The names under which the field is read, the best first.
    pub fn names(&self) -> Vec<&'static str> {
        let field = FIELDS.iter().find(|field| field.name() == self.name);
        field.map_or_else(|| vec![self.name], |field| field.names.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_field_is_explained() {
        for profile in Profile::ALL {
            for name in profile.fields() {
                let about = About::of(name).unwrap_or_else(|| panic!("{profile}: {name}"));
                assert!(about.text.ends_with('.'), "{name}");
            }
            assert!(About::all(*profile).len() >= 6);
        }
        assert_eq!(About::of("allowedTools").map(|about| about.name), Some("allowed-tools"));
        assert_eq!(About::of("nothing"), None);
        for field in FIELDS {
            let about = About::of(field.name()).expect("it is explained");
            assert_eq!((about.form, about.names()), (field.form, field.names.to_vec()), "{}", about.name);
        }
    }
}
