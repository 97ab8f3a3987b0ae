//! Stages that a host adds, before and after the built-in ones.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use skills_handlers::{
    Binding, Call, CallError, Context, ErrorCode, Failure, Next, Output, Passing, Place, Stage,
};

use crate::acting::{Find, count, editor, handlers, with};

/// Limits the calls of each user.
struct RateLimit {
    most: usize,
    calls: Mutex<HashMap<String, usize>>,
}

impl Stage for RateLimit {
    fn pass<'c>(&'c self, call: Call<'c>, next: Next<'c>) -> Passing<'c> {
        let mut calls = self.calls.lock().unwrap();
        let mine = calls.entry(call.context().user().to_owned()).or_default();
        if *mine >= self.most {
            let error = CallError::refused("RATE_LIMITED", "too many calls", "wait, then try again");
            return Box::pin(std::future::ready(Err(error.because(format!("{} calls", self.most)))));
        }
        *mine += 1;
        next.run(call)
    }
}

#[tokio::test]
async fn a_rate_limit_for_each_user() {
    let limit = RateLimit { most: 2, calls: Mutex::default() };
    let handlers = handlers().before(Place::Schema, limit);
    let search = async |user: &str, arguments: &str| {
        handlers.call("file-search", arguments, &Context::new(user)).await
    };
    assert!(search("ada", r#"{"word": "a"}"#).await.is_ok());
    // What the schema refuses comes after it.
    assert_eq!(search("ada", "{}").await.unwrap_err().code, ErrorCode::InvalidArguments);
    let refused = search("ada", r#"{"word": "a"}"#).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        r#"{"error":"RATE_LIMITED","message":"too many calls","suggestion":"wait, then try again"}"#
    );
    assert_eq!(refused.code, ErrorCode::Refused);
    assert!(search("bob", r#"{"word": "a"}"#).await.is_ok());
    let counts = handlers.counts();
    assert_eq!(counts[1].by_code().get("RATE_LIMITED"), Some(&1));
}

/// Replaces a long result with a summary, instead of a file.
struct Summarise;

impl Stage for Summarise {
    fn pass<'c>(&'c self, call: Call<'c>, next: Next<'c>) -> Passing<'c> {
        Box::pin(async move {
            let mut output = next.run(call).await?;
            if output.text.len() > 100 {
                tokio::task::yield_now().await;
                output = Output::new(format!("{} characters of {}", output.text.len(), &output.text[..1]));
            }
            Ok(output)
        })
    }
}

#[tokio::test]
async fn a_summariser_sees_the_whole_result() {
    let long = || with(count(|_| async { Ok("x".repeat(1_000)) }).result_limit(50));
    let context = editor();
    // Inside of the size, the result is whole, and then short enough.
    let output = long().after(Place::Result, Summarise).call("row-count", "", &context).await.unwrap();
    assert_eq!((output.text.as_str(), output.rest), ("1000 characters of x", None));
    assert_eq!(context.results().dir(), None);
    // Outside of it, what comes back has been cut.
    let output = long().before(Place::Result, Summarise).call("row-count", "", &context).await.unwrap();
    assert_eq!((output.text.len(), output.rest.map(|rest| rest.total_chars)), (50, Some(1_000)));
}

/// Answers the second of two equal calls without the function.
#[derive(Default)]
struct Cache(Mutex<HashMap<String, Output>>);

impl Stage for Cache {
    fn pass<'c>(&'c self, call: Call<'c>, next: Next<'c>) -> Passing<'c> {
        Box::pin(async move {
            let key = format!("{} {}", call.skill(), call.arguments());
            let known = self.0.lock().unwrap().get(&key).cloned();
            if let Some(output) = known {
                return Ok(output);
            }
            let output = next.run(call).await?;
            self.0.lock().unwrap().insert(key, output.clone());
            Ok(output)
        })
    }
}

#[tokio::test]
async fn a_cache_comes_after_permissions_and_confirmation() {
    let ran = Arc::new(AtomicUsize::new(0));
    let runs = Arc::clone(&ran);
    let binding = count(move |_| {
        let runs = Arc::clone(&runs);
        async move { Ok(runs.fetch_add(1, Ordering::SeqCst)) }
    });
    let handlers = with(binding.role("editor")).after(Place::Confirmation, Cache::default());
    for _ in 0..3 {
        assert_eq!(handlers.call("row-count", "", &editor()).await.unwrap().text, "0");
    }
    assert_eq!(ran.load(Ordering::SeqCst), 1);
    let refused = handlers.call("row-count", "", &Context::new("bob")).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::NotAllowed);
    let counts = handlers.counts();
    assert_eq!(counts.last().map(|count| count.calls), Some(4), "calls that it answers are counted too");
}

/// Changes the arguments before they are checked, and notes that it was there.
struct Note(&'static str, Arc<Mutex<Vec<&'static str>>>, Option<&'static str>);

impl Stage for Note {
    fn pass<'c>(&'c self, mut call: Call<'c>, next: Next<'c>) -> Passing<'c> {
        self.1.lock().unwrap().push(self.0);
        if let Some(arguments) = self.2 {
            call.set_arguments(arguments);
        }
        next.run(call)
    }
}

#[tokio::test]
async fn stages_run_in_order() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let note = |name, arguments| Note(name, Arc::clone(&seen), arguments);
    let handlers = handlers()
        .after(Place::Function, note("function", None))
        .after(Place::Name, note("name 1", None))
        .after(Place::Name, note("name 2", None))
        .before(Place::Name, note("before 1", None))
        .before(Place::Name, note("before 2", Some(r#"{"word": "other"}"#)))
        .before(Place::Trace, note("first", None));
    let output = handlers.call("file-search", r#"{"word": "a"}"#, &editor()).await.unwrap();
    assert_eq!(output.text, r#"{"files":["other-0.txt"],"user":"ada"}"#);
    assert_eq!(*seen.lock().unwrap(), ["first", "before 1", "before 2", "name 1", "name 2", "function"]);
    // A call that is refused before a stage doesn't reach it.
    seen.lock().unwrap().clear();
    handlers.call("none", "{}", &editor()).await.unwrap_err();
    assert_eq!(*seen.lock().unwrap(), ["first", "before 1", "before 2"]);
}

/// A confirmed call can't change.
#[tokio::test]
async fn checked_arguments_do_not_change() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let late = Note("late", Arc::clone(&seen), Some(r#"{"path": "everything"}"#));
    let handlers = handlers().after(Place::Schema, late);
    let arguments = r#"{"path": "a"}"#;
    let asked = handlers.call("file-delete", arguments, &editor()).await.unwrap_err();
    let pending = asked.pending.unwrap();
    assert_eq!(pending.arguments, r#"{"path":"a"}"#);
    let done = handlers.call_confirmed("file-delete", arguments, &pending.token, &editor()).await.unwrap();
    assert_eq!(done.text, "deleted a");
    assert_eq!(seen.lock().unwrap().len(), 2);
}

/// `?` on an I/O error adds the arguments.
#[tokio::test]
async fn an_io_error_shows_the_arguments() {
    let reads = Binding::blocking("row-count", |input: Find, _: Context| {
        Ok::<_, Failure>(std::fs::metadata(&input.word)?.len())
    });
    let handlers = with(reads);
    let error = handlers.call("row-count", r#"{"word": "no/such/file"}"#, &editor()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"{"error":"FILE_NOT_FOUND","message":"the file or directory doesn't exist (`word` is `no/such/file`)","suggestion":"check the path, or search for the file first"}"#
    );
}
