//! The table of fields: every field, its other names and its form. Nothing here reads a value.

/// What a field's value may look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// One text; numbers and the like are taken as they are written.
    Text,
    /// A sequence, or one text split on commas, else on white space.
    List,
    /// A sequence, or one text split on commas, else left whole.
    Phrases,
    /// A sequence, or one text split on commas and white space alike, never inside brackets.
    Tools,
    /// Yes or no.
    Flag,
    /// A mapping.
    Mapping,
}

/// A field: the names under which it may stand, in order of precedence, and its form.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Field {
    /// The names; the first one with a value wins. `metadata.x` is the key `x` of `metadata`.
    pub names: &'static [&'static str],
    /// The form of the value.
    pub form: Form,
}

impl Field {
    /// The name that the standard or this project prefers.
    pub fn name(&self) -> &'static str {
        self.names[0]
    }

    /// Whether it is one of [`LIMITS`].
    pub(crate) fn is_limit(&self) -> bool {
        LIMITS.iter().any(|limit| limit.name() == self.name())
    }
}

pub(super) const fn field(names: &'static [&'static str], form: Form) -> Field {
    Field { names, form }
}

/// `name`.
pub const NAME: Field = field(&["name", "skill"], Form::Text);
/// `description`.
pub const DESCRIPTION: Field = field(&["description", "summary"], Form::Text);
/// `when_to_use`: added to the description, or used as the description if there is none.
pub const WHEN_TO_USE: Field = field(&["when_to_use", "when-to-use"], Form::Text);
pub(super) const VERSION: Field = field(&["version", "metadata.version"], Form::Text);
pub(super) const AUTHOR: Field = field(&["author", "metadata.author"], Form::Text);
pub(super) const LICENSE: Field = field(&["license"], Form::Text);
/// `compatibility`.
pub const COMPATIBILITY: Field = field(&["compatibility"], Form::Text);
pub(super) const TAGS: Field = field(&["tags", "tag", "metadata.tags"], Form::List);
pub(super) const TRIGGERS: Field =
    field(&["triggers", "trigger_patterns", "trigger", "activation"], Form::Phrases);
/// `allowed-tools`.
pub(crate) const TOOLS: Field =
    field(&["allowed-tools", "allowed_tools", "allowedTools", "tools"], Form::Tools);
pub(super) const HINT: Field = field(&["argument-hint", "argument_hint"], Form::Text);
pub(super) const ARGUMENTS: Field = field(&["arguments"], Form::List);
pub(super) const NO_MODEL: Field =
    field(&["disable-model-invocation", "disable_model_invocation", "disableModelInvocation"], Form::Flag);
pub(super) const USER: Field = field(&["user-invocable", "user_invocable", "userInvocable"], Form::Flag);
/// `metadata`.
pub(crate) const METADATA: Field = field(&["metadata"], Form::Mapping);
/// `parameters`: a JSON Schema of what the skill's handler takes, judged by its own rule.
pub const PARAMETERS: Field = field(&["parameters"], Form::Mapping);

/// Every field that means something to this project.
pub const FIELDS: &[Field] = &[
    NAME,
    DESCRIPTION,
    WHEN_TO_USE,
    VERSION,
    AUTHOR,
    LICENSE,
    COMPATIBILITY,
    TAGS,
    TRIGGERS,
    TOOLS,
    HINT,
    ARGUMENTS,
    NO_MODEL,
    USER,
    METADATA,
    PARAMETERS,
];

/// The fields that limit a skill: who may call it, and which tools it may use.
pub const LIMITS: &[Field] = &[NO_MODEL, USER, TOOLS];
