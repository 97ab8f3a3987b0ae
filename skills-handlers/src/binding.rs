//! A binding: a Rust function, its input and output types, and the rules for calling it, for one skill.
//!
//! A binding only knows the skill's name. Whether that skill exists, and whether its SKILL.md agrees, is
//! checked when the binding is added ([`bound`](super::bound)).

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
use super::output::{RESULT_LIMIT, bare};

/// The default time limit of a handler.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);

/// A function bound to a skill. The attribute [`handler`](crate::handler) makes one; for a closure, make it
/// yourself:
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
    /// Whether it can't be stopped once it runs.
    pub(super) is_blocking: bool,
    pub(super) prepare: Arc<Prepare>,
}

/// Turns valid arguments into a call that can run.
pub(super) type Prepare = dyn Fn(Value, Context) -> Result<Prepared, serde_json::Error> + Send + Sync;

/// A call with its arguments: an async one to await, or one for a thread that may block. Both return the
/// result for the model: a string as it is, anything else as JSON.
pub(super) enum Prepared {
    Async(Pin<Box<dyn Future<Output = Result<String, Failure>> + Send>>),
    Blocking(Box<dyn FnOnce() -> Result<String, Failure> + Send>),
}

impl Binding {
    /// Binds an async function.
    ///
    /// It must not block its thread, or its time limit can't stop it; see [`blocking`](Self::blocking).
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
            // The function runs only when it is polled, since it may act before its first await.
            Ok(Prepared::Async(Box::pin(async move { to_text(function(input, context).await) })))
        })
    }

    /// Binds a function that reads files, computes or otherwise blocks its thread. It runs on a thread of its
    /// own, apart from async tasks.
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

    /// Adds the skill to a group, in addition to those in its SKILL.md under `metadata.group`.
    #[must_use]
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.groups.push(group.into());
        self
    }

    /// Requires that the user confirms every call. `reason` tells the user what the handler does; it may be
    /// empty.
    #[must_use]
    pub fn confirm(mut self, reason: impl Into<String>) -> Self {
        self.confirm = Some(reason.into());
        self
    }

    /// Sets the time limit; 10 seconds by default.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Restricts callers to those with this role or another one set this way. Without roles, everyone may
    /// call it.
    #[must_use]
    pub fn role(mut self, role: impl Into<String>) -> Self {
        self.roles.push(role.into());
        self
    }

    /// Sets how many characters of a result the model gets at once; [`RESULT_LIMIT`](super::RESULT_LIMIT) by
    /// default.
    #[must_use]
    pub fn result_limit(mut self, chars: usize) -> Self {
        self.result_limit = chars;
        self
    }

    /// Adds an example of the arguments, as JSON, for the model's tool definition and for error messages.
    #[must_use]
    pub fn example(mut self, json: impl Into<String>) -> Self {
        self.examples.push(json.into());
        self
    }

    /// Allows traces and the audit log to record the arguments of calls.
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
    json.map(bare).map_err(|error| Failure::new(format!("the result isn't valid JSON: {error}")))
}

/// The schema of a type, with references inlined where possible: some models don't follow them.
fn schema_of<I: JsonSchema>() -> Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<I>().to_value();
    if let Value::Object(keywords) = &mut schema {
        // The name of the Rust type means nothing to a model.
        keywords.remove("title");
        // Providers require `type`, also for a choice of objects.
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
