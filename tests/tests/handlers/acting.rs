//! The skills and handlers that the tests share.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skills::{Bundle, Registry};
use skills_handlers::{Binding, Context, Failure, Handlers};

pub(crate) static SKILLS: Bundle = skills::include_skills!("fixtures/acting");
pub(crate) static REGISTRY: Registry<'static> = Registry::new(&SKILLS);

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Find {
    /// A part of the name.
    #[schemars(length(min = 1))]
    pub(crate) word: String,
    #[schemars(range(min = 1, max = 50))]
    #[serde(default)]
    pub(crate) limit: Option<u8>,
}

#[derive(Serialize)]
pub(crate) struct Found {
    files: Vec<String>,
    user: String,
}

/// Blocking, with a context by reference.
#[skills_handlers::handler(skill = "file-search" in "fixtures/acting", group = "search", examples = [r#"{"word": "notes"}"#])]
pub(crate) fn file_search(input: Find, context: &Context) -> Result<Found, Failure> {
    if input.word == "missing" {
        return Err(Failure::new("there is no such file").suggest("use another word"));
    }
    let files = (0..input.limit.unwrap_or(1)).map(|number| format!("{}-{number}.txt", input.word)).collect();
    Ok(Found { files, user: context.user().to_owned() })
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Delete {
    pub(crate) path: String,
}

/// Async, without a context.
#[skills_handlers::handler(skill = "file-delete" in "fixtures/acting", confirm = "it deletes a file for good", roles = ["editor", "admin"], timeout = "500ms")]
pub(crate) async fn file_delete(input: Delete) -> Result<String, Failure> {
    tokio::task::yield_now().await;
    Ok(format!("deleted {}", input.path))
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Nothing {}

pub(crate) fn handlers() -> Handlers {
    let handlers = Handlers::new(&REGISTRY).bind(file_search::binding()).unwrap();
    handlers.bind(file_delete::binding()).unwrap()
}

/// Handlers of which `row-count` does this.
pub(crate) fn with(binding: Binding) -> Handlers {
    handlers().bind(binding).unwrap()
}

/// An async function without arguments, bound to `row-count`.
pub(crate) fn count<O, R>(function: impl Fn(Context) -> R + Send + Sync + 'static) -> Binding
where
    O: Serialize,
    R: Future<Output = Result<O, Failure>> + Send + 'static,
{
    Binding::new("row-count", move |_: Nothing, context| function(context))
}

/// A timeout for what must end at all, long enough for a busy machine.
pub(crate) const SOON: Duration = Duration::from_secs(60);

pub(crate) fn editor() -> Context {
    Context::new("ada").role("editor")
}
