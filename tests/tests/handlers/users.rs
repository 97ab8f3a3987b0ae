//! Many users at once: nothing of one user reaches another, and all calls end.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use skills_handlers::{Binding, Context, Failure};
use tokio::task::JoinSet;

use crate::acting::{Nothing, count, with};

struct Secret(String);

/// What a handler sees of its caller.
fn seen(context: &Context) -> Vec<String> {
    let secret = context.get::<Secret>().map(|secret| secret.0.clone()).unwrap_or_default();
    let roles: Vec<&str> = context.roles().collect();
    vec![
        context.user().to_owned(),
        roles.join(","),
        context.dir().display().to_string(),
        context.trace_id().to_owned(),
        secret,
        "x".repeat(200),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_concurrent_users_only_see_their_own_data() {
    let asked = count(|context| async move {
        let before = seen(&context);
        tokio::task::yield_now().await;
        let inner = context.call("page-fetch", "").await.map_err(|error| Failure::new(error.message))?;
        let inner: Vec<String> = serde_json::from_str(&inner.text)?;
        if inner != before || seen(&context) != before {
            return Err(Failure::new("another user's context"));
        }
        Ok(before)
    })
    .result_limit(150);
    let inner =
        Binding::blocking("page-fetch", |_: Nothing, context: Context| Ok::<_, Failure>(seen(&context)));
    let handlers = with(asked).bind(inner).unwrap();
    let mut users = JoinSet::new();
    for number in 0..100 {
        let handlers = handlers.clone();
        users.spawn(async move {
            let context = Context::new(format!("user-{number}"))
                .role(format!("role-{number}"))
                .working_dir(format!("/home/{number}"))
                .trace(format!("trace-{number}"))
                .with(Secret(format!("secret-{number}")));
            let mut handles = Vec::new();
            for _ in 0..20 {
                let output = handlers.call("row-count", "", &context).await.unwrap();
                let handle = output.rest.unwrap().handle;
                let whole = context.results().read(&handle, 0, 10_000).unwrap().text;
                assert_eq!(serde_json::from_str::<Vec<String>>(&whole).unwrap(), seen(&context));
                handles.push(handle);
            }
            (context, handles)
        });
    }
    let users = users.join_all().await;
    // Other conversations can't find what one conversation stores.
    for (number, (context, _)) in users.iter().enumerate() {
        let (_, others) = &users[(number + 1) % users.len()];
        assert!(others.iter().all(|handle| context.results().read(handle, 0, 1).is_err()));
    }
    let counts = handlers.counts();
    let calls: Vec<(&str, u64)> = counts.iter().map(|count| (&*count.skill, count.calls)).collect();
    assert!(calls.contains(&("row-count", 2000)) && calls.contains(&("page-fetch", 2000)), "{calls:?}");
    assert!(counts.iter().all(|count| count.failures.is_empty()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_thousand_concurrent_calls_end() {
    let most = Arc::new(AtomicUsize::new(0));
    let now = Arc::new(AtomicUsize::new(0));
    let gate = Arc::new(tokio::sync::Barrier::new(10_000));
    let seen_most = Arc::clone(&most);
    let waits = count(move |_| {
        let (most, now, gate) = (Arc::clone(&seen_most), Arc::clone(&now), Arc::clone(&gate));
        async move {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            gate.wait().await;
            now.fetch_sub(1, Ordering::SeqCst);
            Ok(true)
        }
    });
    let handlers = with(waits.timeout(crate::acting::SOON));
    let mut calls = JoinSet::new();
    for number in 0..10_000 {
        let handlers = handlers.clone();
        calls.spawn(async move {
            let context = Context::new(format!("user-{number}"));
            handlers.call("row-count", "{}", &context).await.is_ok()
        });
    }
    assert_eq!(calls.join_all().await.into_iter().filter(|ended| *ended).count(), 10_000);
    assert_eq!(most.load(Ordering::SeqCst), 10_000, "all of them were in the function at once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_thousand_concurrent_blocking_calls_end() {
    let handlers = crate::acting::handlers();
    let mut calls = JoinSet::new();
    for number in 0..10_000 {
        let handlers = handlers.clone();
        calls.spawn(async move {
            let context = Context::new(format!("user-{number}"));
            let output = handlers.call("file-search", r#"{"word": "w"}"#, &context).await.unwrap();
            let found: Value = serde_json::from_str(&output.text).unwrap();
            found["user"] == format!("user-{number}")
        });
    }
    assert_eq!(calls.join_all().await.into_iter().filter(|ended| *ended).count(), 10_000);
}
