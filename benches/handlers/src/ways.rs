//! The ways to make one call.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skills_handlers::{BindError, Context, Failure, Handlers};
use skills::{Bundle, Registry};

static SKILLS: Bundle = skills::include_skills!("skills");
static REGISTRY: Registry<'static> = Registry::new(&SKILLS);

/// A label, the way that it is compared with, and, where the difference was promised to be small, the one that
/// it is held against on several threads: what makes a task of its own against a task by hand.
pub(crate) const WAYS: &[(&str, usize, Option<usize>)] = &[
    ("bare", 0, None),
    ("by hand: task, time limit", 0, None),
    ("handlers", 0, Some(1)),
    ("handlers, a new context each", 0, Some(1)),
    ("handlers, with an audit log", 0, Some(1)),
    ("handlers, refused for its arguments", 0, Some(0)),
    ("bare, blocking: `spawn_blocking`", 6, None),
    ("handlers, blocking", 6, None),
];

/// What the function takes and gives.
#[derive(Clone, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Words {
    text: String,
    count: u32,
    exact: Option<bool>,
    tags: Vec<String>,
}

#[expect(clippy::unused_async, reason = "what is measured is a call that awaits")]
async fn work(words: Words) -> Result<Words, Failure> {
    Ok(black_box(words))
}

#[skills_handlers::handler(skill = "echo" in "skills")]
async fn echo(words: Words) -> Result<Words, Failure> {
    work(words).await
}

#[expect(clippy::unnecessary_wraps, reason = "a handler that can fail, as most can")]
#[skills_handlers::handler(skill = "echo-blocking" in "skills")]
fn echo_blocking(words: Words) -> Result<Words, Failure> {
    Ok(black_box(words))
}

/// Arguments, and ones that do not fit.
#[derive(Clone)]
pub(crate) struct Question {
    pub(crate) name: &'static str,
    json: Arc<str>,
    wrong: Arc<str>,
}

impl Question {
    pub(crate) fn small() -> Self {
        Self::of("small arguments", 3)
    }

    pub(crate) fn large() -> Self {
        Self::of("large arguments", 250)
    }

    fn of(name: &'static str, tags: usize) -> Self {
        let tags: Vec<String> = (0..tags).map(|number| format!("tag number {number}")).collect();
        let json = |count: &str| {
            let tags = serde_json::json!(tags);
            format!("{{\"text\": \"a few words\", \"count\": {count}, \"exact\": true, \"tags\": {tags}}}")
        };
        Self { name, json: json("7").into(), wrong: json("\"7\"").into() }
    }
}

/// What the ways need.
#[derive(Clone)]
pub(crate) struct Ways {
    handlers: Handlers,
    audited: Handlers,
    context: Context,
}

impl Ways {
    pub(crate) fn new() -> Result<Self, BindError> {
        let handlers = || Handlers::new(&REGISTRY).bind(echo::binding())?.bind(echo_blocking::binding());
        let audited = handlers()?.audit_to(std::io::sink());
        Ok(Self { handlers: handlers()?, audited, context: Context::new("ada") })
    }

    /// Makes a call in the way at this place of [`WAYS`]. Its answer is the last thing it makes.
    pub(crate) async fn ask(&self, way: usize, question: &Question) {
        let json = black_box(&*question.json);
        match way {
            0 => {
                black_box(bare(json).await);
            }
            1 => {
                let task = tokio::spawn(tokio::time::timeout(Duration::from_secs(10), bare(json.to_owned())));
                black_box(task.await.is_ok());
            }
            2 => {
                black_box(self.handlers.call("echo", json, &self.context).await.is_ok());
            }
            3 => {
                black_box(self.handlers.call("echo", json, &Context::new("ada")).await.is_ok());
            }
            4 => {
                black_box(self.audited.call("echo", json, &self.context).await.is_ok());
            }
            5 => {
                black_box(
                    self.handlers.call("echo", black_box(&*question.wrong), &self.context).await.is_err(),
                );
            }
            6 => {
                let words = serde_json::from_str::<Words>(json);
                let task = tokio::task::spawn_blocking(move || {
                    words.ok().and_then(|words| echo_blocking(words).ok())
                });
                black_box(task.await.map(|words| words.map(|words| serde_json::to_string(&words))).is_ok());
            }
            _ => {
                black_box(self.handlers.call("echo-blocking", json, &self.context).await.is_ok());
            }
        }
    }
}

async fn bare(json: impl AsRef<str>) -> Option<String> {
    let words = serde_json::from_str(json.as_ref()).ok()?;
    serde_json::to_string(&work(words).await.ok()?).ok()
}
