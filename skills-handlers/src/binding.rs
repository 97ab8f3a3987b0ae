//! A Rust function, what it takes and gives, and how it may be called: what one skill is bound to.
//!
//! A binding knows the skill by name alone. Whether there is such a skill, and what its SKILL.md says, is
//! looked at where the binding joins the others ([`bound`](super::bound)).

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::context::Context;
use super::failure::Failure;
use super::results::{RESULT_LIMIT, bare};

/// How long a handler may take unless set.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);

/// A function bound to a skill. The attribute [`handler`](crate::handler) makes one; so can you, for a
/// closure:
///
/// ```
/// use skills_handlers::{Binding, Context, Failure};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Square {
///     number: i64,
/// }
///
/// let binding = Binding::new("square", |input: Square, _: Context| async move {
///     input.number.checked_mul(input.number).ok_or_else(|| Failure::new("that is too large"))
/// });
/// # let _ = binding;
/// ```
#[derive(Clone)]
pub struct Binding {
    pub(super) skill: String,
    pub(super) groups: Vec<String>,
    pub(super) confirm: Option<String>,
    pub(super) timeout: Duration,
    pub(super) roles: Vec<String>,
    pub(super) result_limit: usize,
    pub(super) examples: Vec<String>,
    pub(super) records_arguments: bool,
    pub(super) schema: Value,
    /// Whether nothing can stop it once it has begun.
    pub(super) is_blocking: bool,
    pub(super) prepare: Arc<Prepare>,
}

/// From arguments that fit the schema to a call that can be run.
pub(super) type Prepare = dyn Fn(Value, Context) -> Result<Prepared, serde_json::Error> + Send + Sync;

/// A call with its arguments: an async one to be awaited, or one for a thread where blocking is no harm.
/// Either gives the result for the model: a string as it is, anything else as JSON.
pub(super) enum Prepared {
    Async(Pin<Box<dyn Future<Output = Result<String, Failure>> + Send>>),
    Blocking(Box<dyn FnOnce() -> Result<String, Failure> + Send>),
}

impl Binding {
    /// Binds an async function.
    ///
    /// It must not block its thread, or its time limit cannot stop it; see [`blocking`](Self::blocking).
    pub fn new<I, O, E, F, R>(skill: impl Into<String>, function: F) -> Self
    where
        I: DeserializeOwned + JsonSchema + Send + 'static,
        O: Serialize,
        E: Into<Failure>,
        F: Fn(I, Context) -> R + Send + Sync + 'static,
        R: Future<Output = Result<O, E>> + Send + 'static,
    {
        let function = Arc::new(function);
        Self::build::<I>(skill.into(), false, move |arguments, context| {
            let input: I = serde_json::from_value(arguments)?;
            let function = Arc::clone(&function);
            // Nothing of the function runs before its turn: it may act before it first waits.
            Ok(Prepared::Async(Box::pin(async move { to_text(function(input, context).await) })))
        })
    }

    /// Binds a function that reads files, computes or otherwise takes a thread for itself. It is run
    /// beside the async threads.
    pub fn blocking<I, O, E, F>(skill: impl Into<String>, function: F) -> Self
    where
        I: DeserializeOwned + JsonSchema + Send + 'static,
        O: Serialize,
        E: Into<Failure>,
        F: Fn(I, Context) -> Result<O, E> + Send + Sync + 'static,
    {
        let function = Arc::new(function);
        Self::build::<I>(skill.into(), true, move |arguments, context| {
            let input = serde_json::from_value(arguments)?;
            let function = Arc::clone(&function);
            Ok(Prepared::Blocking(Box::new(move || to_text(function(input, context)))))
        })
    }

    fn build<I: JsonSchema>(
        skill: String,
        is_blocking: bool,
        prepare: impl Fn(Value, Context) -> Result<Prepared, serde_json::Error> + Send + Sync + 'static,
    ) -> Self {
        Self {
            skill,
            groups: Vec::new(),
            confirm: None,
            timeout: TIMEOUT,
            roles: Vec::new(),
            result_limit: RESULT_LIMIT,
            examples: Vec::new(),
            records_arguments: false,
            schema: schema_of::<I>(),
            is_blocking,
            prepare: Arc::new(prepare),
        }
    }

    /// Puts the skill into a group, beside those that its SKILL.md names under `metadata.group`.
    #[must_use]
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.groups.push(group.into());
        self
    }

    /// Has every call confirmed by the user before it runs. The reason is what the user is told that it
    /// does; it may be empty.
    #[must_use]
    pub fn confirm(mut self, reason: impl Into<String>) -> Self {
        self.confirm = Some(reason.into());
        self
    }

    /// Sets the time limit, which is 10 seconds unless set.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Lets those call it who have this role, or another that was set. Without any, everyone may.
    #[must_use]
    pub fn role(mut self, role: impl Into<String>) -> Self {
        self.roles.push(role.into());
        self
    }

    /// Sets how many characters of a result the model gets at once, which is
    /// [`RESULT_LIMIT`](super::RESULT_LIMIT) unless set.
    #[must_use]
    pub fn result_limit(mut self, chars: usize) -> Self {
        self.result_limit = chars;
        self
    }

    /// Adds an example of the arguments, as JSON: for the model, and for the error that corrects it.
    #[must_use]
    pub fn example(mut self, json: impl Into<String>) -> Self {
        self.examples.push(json.into());
        self
    }

    /// Lets traces and the audit log hold the arguments of its calls.
    #[must_use]
    pub fn record_arguments(mut self) -> Self {
        self.records_arguments = true;
        self
    }

    /// The name of the skill.
    pub fn skill(&self) -> &str {
        &self.skill
    }
}

impl fmt::Debug for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Binding")
            .field("skill", &self.skill)
            .field("groups", &self.groups)
            .field("confirm", &self.confirm)
            .field("timeout", &self.timeout)
            .field("roles", &self.roles)
            .field("result_limit", &self.result_limit)
            .finish_non_exhaustive()
    }
}

fn to_text<O: Serialize>(result: Result<O, impl Into<Failure>>) -> Result<String, Failure> {
    let value = result.map_err(Into::into)?;
    let json = serde_json::to_string(&value);
    json.map(bare).map_err(|error| Failure::new(format!("the result can't be written as JSON: {error}")))
}

/// The schema of a type, without references where it can be: some models do not follow them.
fn schema_of<I: JsonSchema>() -> Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<I>().to_value();
    if let Value::Object(keywords) = &mut schema {
        // The name of the Rust type says nothing to a model.
        keywords.remove("title");
        // A choice of objects is an object, and providers ask for the word.
        let of_objects = |keyword: &str| {
            let forms = keywords.get(keyword).and_then(Value::as_array);
            forms.is_some_and(|forms| forms.iter().all(|form| form["type"] == "object"))
        };
        if !keywords.contains_key("type") && (of_objects("oneOf") || of_objects("anyOf")) {
            keywords.insert("type".to_owned(), Value::from("object"));
        }
    }
    schema
}
