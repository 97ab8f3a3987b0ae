//! The bindings of a program. Each is checked against its skill when it is added.
//!
//! [`pipeline`](super::pipeline) makes the calls.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use jsonschema::Validator;
use serde_json::Value;
use skills::{FieldValue, Registry, Skill};
use skills_pack::nearest;
use skills_pack::with_normalised;

use super::audit::Audit;
use super::bind_error::BindError;
use super::binding::Binding;
use super::confirm::Confirmations;
use super::context::Context;
use super::counts::Counts;
use super::stage::Staged;
use super::store::{SharedStore, Store};
use super::work::{self, Cost};
use super::{arguments, parameters, pipeline, private_files, sample};

/// The largest size of a compiled regular expression, and of the cache that it is matched with, in bytes.
const PATTERN_BYTES: usize = 512 * 1024;

/// How many levels deep handlers may call each other, unless set.
const MAX_DEPTH: u32 = 4;

/// The handlers of a program. Cloning is cheap; clones share counts and confirmations.
///
/// ```
/// use skills_handlers::{Binding, Context, Failure, Handlers};
///
/// # #[derive(serde::Deserialize, schemars::JsonSchema)]
/// # struct Input {}
/// # fn demo(registry: &skills::Registry<'_>) -> Result<(), skills_handlers::BindError> {
/// let handlers = Handlers::new(registry)
///     .bind(Binding::new("greet", |_: Input, context: Context| async move {
///         Ok::<_, Failure>(format!("Hello, {}!", context.user()))
///     }))?
///     .max_depth(2);
/// # Ok(())
/// # }
/// # assert!(demo(&skills::Registry::empty()).is_err());
/// ```
#[derive(Debug, Clone)]
pub struct Handlers {
    pub(super) shared: Arc<Shared>,
}

#[derive(Debug)]
pub(super) struct Shared {
    /// The skills that the registry served when the bindings were added.
    pub(super) known: BTreeMap<String, Known>,
    pub(super) bound: BTreeMap<String, Arc<Bound>>,
    pub(super) stages: Vec<Staged>,
    pub(super) confirmations: Confirmations,
    /// Where long results go, unless into files of this process.
    pub(super) store: Option<SharedStore>,
    /// The calls of `read_result`.
    pub(super) reading: Arc<Counts>,
    pub(super) unknown: Arc<Counts>,
    pub(super) audit: Option<Arc<Audit>>,
    pub(super) max_depth: u32,
    pub(super) max_argument_bytes: usize,
}

/// The parts of a SKILL.md that concern its handler.
#[derive(Debug, Clone)]
pub(super) struct Known {
    description: String,
    groups: Vec<String>,
    parameters: Option<String>,
}

/// A binding and its skill.
#[derive(Debug)]
pub(super) struct Bound {
    pub(super) binding: Binding,
    pub(super) description: String,
    /// The groups of the binding and of the SKILL.md, by name.
    pub(super) groups: Vec<String>,
    /// The type's schema, with its validator.
    taken: Checked,
    /// The SKILL.md's `parameters`, which may be stricter, after their validator.
    said: Option<(Checked, Value)>,
    /// Valid arguments, as JSON; empty if none are known.
    pub(super) example: String,
    pub(super) counts: Counts,
}

/// A schema that was checked itself.
#[derive(Debug)]
struct Checked {
    validator: Validator,
    cost: Cost,
}

impl Handlers {
    /// An empty set of handlers, for the skills that this registry serves now.
    ///
    /// The first call in a program also cleans up the system's directory for temporary files: it deletes long
    /// results that a crashed program left there, if they belong to this user and weren't used for a day.
    pub fn new(registry: &Registry<'_>) -> Self {
        private_files::sweep_at_start();
        let known = registry.skills().into_iter().map(|entry| {
            let skill = entry.skill;
            (skill.name().to_owned(), Known::of(skill))
        });
        let shared = Shared {
            known: known.collect(),
            bound: BTreeMap::new(),
            stages: pipeline::stages(),
            confirmations: Confirmations::default(),
            store: None,
            reading: Arc::default(),
            unknown: Arc::default(),
            audit: None,
            max_depth: MAX_DEPTH,
            max_argument_bytes: arguments::MAX_BYTES,
        };
        Self { shared: Arc::new(shared) }
    }

    /// Adds a binding.
    ///
    /// # Errors
    ///
    /// If the registry serves no such skill, the skill is bound already, or the binding's schema and the
    /// SKILL.md contradict each other.
    pub fn bind(self, binding: Binding) -> Result<Self, BindError> {
        let skill = binding.skill.clone();
        let Some(known) = self.shared.known.get(&skill) else {
            let names = self.shared.known.keys().map(String::as_str);
            let nearest = nearest::closest(&skill, names).into_iter().map(str::to_owned).collect();
            return Err(BindError::UnknownSkill { skill, nearest });
        };
        if self.shared.bound.contains_key(&skill) {
            return Err(BindError::BoundTwice { skill });
        }
        let bound = Bound::new(binding, known)?;
        Ok(self.change(|shared| {
            shared.bound.insert(skill, Arc::new(bound));
        }))
    }

    /// Sets how many levels deep handlers may call each other; 4 by default, 0 for not at all.
    #[must_use]
    pub fn max_depth(self, depth: u32) -> Self {
        self.change(|shared| shared.max_depth = depth)
    }

    /// Sets the largest size of a call's arguments in bytes; 1 MiB by default.
    #[must_use]
    pub fn max_argument_bytes(self, bytes: usize) -> Self {
        self.change(|shared| shared.max_argument_bytes = bytes)
    }

    /// Sets how long a call waits to be confirmed; five minutes by default.
    #[must_use]
    pub fn confirmations_last(self, lifetime: Duration) -> Self {
        self.change(|shared| shared.confirmations.lifetime = lifetime)
    }

    /// Keeps calls that wait to be confirmed, and long results, in a store of the host's, which all processes of a
    /// service can share. By default, both are kept by this process.
    #[must_use]
    pub fn store(self, store: impl Store) -> Self {
        let store = SharedStore::new(store);
        self.change(|shared| {
            shared.confirmations.store = store.clone();
            shared.store = Some(store);
        })
    }

    /// Writes a line of JSON when a call, a turn of a model or a run ends. Every line has `time_ms` (since 1970),
    /// `kind`, `trace_id` and `user`.
    ///
    /// A `call` has `step` (the turn that made it, or 0), `skill` (as the call named it), `depth`,
    /// `confirmed`, `outcome` (`ok`, `CANCELLED` or the code of the error), `why` (the argument, role or limit
    /// that failed), `duration_us` (microseconds), `tokens_in` and `tokens_out` (estimated: four bytes per token),
    /// and `arguments` if the binding allows it. A `turn` has the model's `decision` and `calls`, and the tokens
    /// that its provider reported; a `run` has its outcome and the sum of its tokens.
    ///
    /// The line is written and flushed on the thread that made the call, so a slow writer belongs behind a
    /// channel.
    #[must_use]
    pub fn audit_to(self, to: impl Write + Send + 'static) -> Self {
        self.change(|shared| shared.audit = Some(Arc::new(Audit::new(to))))
    }

    /// While handlers are being set up they aren't shared yet; otherwise this makes a copy.
    pub(super) fn change(mut self, change: impl FnOnce(&mut Shared)) -> Self {
        if let Some(shared) = Arc::get_mut(&mut self.shared) {
            change(shared);
            return self;
        }
        let mut shared = Shared {
            known: self.shared.known.clone(),
            bound: self.shared.bound.clone(),
            stages: self.shared.stages.clone(),
            confirmations: self.shared.confirmations.clone(),
            store: self.shared.store.clone(),
            reading: Arc::clone(&self.shared.reading),
            unknown: Arc::clone(&self.shared.unknown),
            audit: self.shared.audit.clone(),
            max_depth: self.shared.max_depth,
            max_argument_bytes: self.shared.max_argument_bytes,
        };
        change(&mut shared);
        Self { shared: Arc::new(shared) }
    }

    /// The names of the skills that have a handler, in order.
    pub fn skills(&self) -> impl Iterator<Item = &str> {
        self.shared.bound.keys().map(String::as_str)
    }

    /// Whether the registry served a skill of this name.
    pub(super) fn serves(&self, skill: &str) -> bool {
        self.shared.known.contains_key(skill)
    }

    /// The skills whose SKILL.md has `parameters`.
    pub(super) fn with_parameters(&self) -> impl Iterator<Item = &str> {
        let known = self.shared.known.iter().filter(|(_, known)| known.parameters.is_some());
        known.map(|(skill, _)| skill.as_str())
    }

    /// The binding for this name, which is looked up as in a registry.
    pub(super) fn bound(&self, skill: &str) -> Option<&Arc<Bound>> {
        let exact = self.shared.bound.get(skill);
        exact.or_else(|| with_normalised(skill, |name| self.shared.bound.get(name)))
    }

    /// The bindings that this caller may call, by name.
    pub(super) fn may_call(&self, context: &Context) -> impl Iterator<Item = &Bound> {
        self.shared.bound.values().map(|bound| &**bound).filter(|bound| bound.permits(context))
    }
}

impl Known {
    fn of(skill: Skill<'_>) -> Self {
        let mut known =
            Self { description: skill.description().to_owned(), groups: groups_of(skill), parameters: None };
        for (key, value) in skill.frontmatter() {
            if let ("parameters", FieldValue::Json(json)) = (key, value) {
                known.parameters = Some(json.to_owned()).filter(|json| json != "null");
            }
        }
        known
    }
}

/// The groups in a SKILL.md under `metadata.group`: one name, or a list.
pub(super) fn groups_of(skill: Skill<'_>) -> Vec<String> {
    let metadata = skill.frontmatter().find_map(|(key, value)| match value {
        FieldValue::Json(json) if key == "metadata" => serde_json::from_str::<Value>(json).ok(),
        _ => None,
    });
    match metadata.as_ref().and_then(|metadata| metadata.get("group")) {
        Some(Value::String(group)) => vec![group.clone()],
        Some(Value::Array(groups)) => groups.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

impl Bound {
    fn new(mut binding: Binding, known: &Known) -> Result<Self, BindError> {
        close(&mut binding.schema);
        let skill = binding.skill.clone();
        if binding.schema["type"] != "object" {
            return Err(BindError::NoObject { skill });
        }
        let taken = compile(&binding.schema)
            .map_err(|message| BindError::InvalidSchema { skill: skill.clone(), message })?;
        let said =
            known.parameters.as_deref().map(|json| agree(&skill, json, &binding.schema)).transpose()?;
        let mut bound = Self {
            description: known.description.clone(),
            groups: known.groups.iter().chain(&binding.groups).cloned().collect(),
            taken,
            said,
            example: String::new(),
            counts: Counts::default(),
            binding,
        };
        bound.groups.sort_unstable();
        bound.groups.dedup();
        bound.check_examples()?;
        let sample = sample::sample(&bound.binding.schema, &bound.binding.schema);
        bound.example = match bound.binding.examples.first() {
            Some(example) => example.clone(),
            None if bound.validate(&sample).is_empty() => sample.to_string(),
            None => String::new(),
        };
        Ok(bound)
    }

    /// Whether an async thread may check these arguments, which were parsed from this JSON.
    pub(super) fn is_quick(&self, value: &Value, json: &str) -> bool {
        self.schemas().all(|(checked, schema)| work::is_quick(schema, checked.cost, value, json))
    }

    /// Whether these arguments can be checked at all.
    pub(super) fn is_feasible(&self, value: &Value) -> bool {
        self.schemas().all(|(_, schema)| work::is_feasible(schema, value))
    }

    fn schemas(&self) -> impl Iterator<Item = (&Checked, &Value)> {
        let said = self.said.iter().map(|(said, schema)| (said, schema));
        std::iter::once((&self.taken, &self.binding.schema)).chain(said)
    }

    /// Checks the arguments of a call against the type and against the SKILL.md's `parameters`.
    pub(super) fn validate(&self, value: &Value) -> Vec<arguments::Fault> {
        let mut faults = arguments::validate(value, &self.taken.validator, &self.binding.schema);
        if let Some((said, schema)) = &self.said {
            arguments::combine(&mut faults, arguments::validate(value, &said.validator, schema));
        }
        faults
    }

    fn check_examples(&self) -> Result<(), BindError> {
        self.binding.examples.iter().try_for_each(|example| {
            let fault = match arguments::parse(example, usize::MAX) {
                Ok(value) => self.validate(&value).into_iter().next(),
                Err(fault) => Some(fault),
            };
            fault.map_or(Ok(()), |fault| {
                Err(BindError::WrongExample {
                    skill: self.binding.skill.clone(),
                    example: example.clone(),
                    message: fault.message,
                })
            })
        })
    }

    /// Whether the caller has one of the roles that the binding requires, or it requires none.
    pub(super) fn permits(&self, context: &Context) -> bool {
        let roles = &self.binding.roles;
        roles.is_empty() || roles.iter().any(|role| context.has_role(role))
    }
}

/// Compiles a schema, once per binding, if checking it can't take long. References aren't fetched.
fn compile(schema: &Value) -> Result<Checked, String> {
    let cost = Cost::of(schema)?;
    // This engine doesn't backtrack: the time of a match is linear in the length of the text, whatever the pattern.
    let patterns =
        jsonschema::PatternOptions::regex().size_limit(PATTERN_BYTES).dfa_size_limit(PATTERN_BYTES);
    let options = jsonschema::options().with_draft(jsonschema::Draft::Draft202012).offline();
    let validator =
        options.with_pattern_options(patterns).build(schema).map_err(|error| error.to_string())?;
    Ok(Checked { validator, cost })
}

/// The `parameters` of a SKILL.md; they must be a schema and agree with the handler's.
fn agree(skill: &str, json: &str, handler: &Value) -> Result<(Checked, Value), BindError> {
    let invalid = |message: String| BindError::InvalidParameters { skill: skill.to_owned(), message };
    let said: Value = serde_json::from_str(json).map_err(|error| invalid(error.to_string()))?;
    let checked = compile(&said).map_err(invalid)?;
    let contradictions = parameters::contradictions(&said, handler);
    if contradictions.is_empty() {
        return Ok((checked, said));
    }
    Err(BindError::Contradiction { skill: skill.to_owned(), contradictions })
}

/// Forbids unknown fields: a misspelt one would be ignored silently.
fn close(schema: &mut Value) {
    let Some(keywords) = schema.as_object_mut() else { return };
    let open = ["additionalProperties", "unevaluatedProperties", "oneOf", "anyOf", "allOf", "$ref"];
    if !open.iter().any(|keyword| keywords.contains_key(*keyword)) {
        keywords.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
}

/// Checks a binding against the `parameters` of its SKILL.md, for the test that the attribute generates.
pub(super) fn check(binding: Binding, parameters: Option<&str>) -> Result<(), BindError> {
    let known =
        Known { description: String::new(), groups: Vec::new(), parameters: parameters.map(str::to_owned) };
    Bound::new(binding, &known).map(|_| ())
}
