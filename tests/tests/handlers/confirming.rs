//! Confirmation: a pending answer, then the same call again with its token.

use std::time::Duration;

use skills_handlers::{CallError, Context, ErrorCode, Handlers, Pending};

use crate::acting::{REGISTRY, editor, file_delete, handlers};

async fn ask(handlers: &Handlers, arguments: &str, context: &Context) -> (CallError, Pending) {
    let error = handlers.call("file-delete", arguments, context).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConfirmationRequired);
    let pending = *error.pending.clone().unwrap();
    (error, pending)
}

const A: &str = r#"{"path": "a"}"#;

#[tokio::test]
async fn the_same_call_with_its_token_runs_once() {
    let (handlers, context) = (handlers(), editor());
    let (error, pending) = ask(&handlers, A, &context).await;
    assert_eq!(
        error.message,
        "`file-delete` was not run, since the user must confirm it first: it deletes a file for good"
    );
    assert_eq!((pending.skill.as_str(), pending.arguments.as_str()), ("file-delete", r#"{"path":"a"}"#));
    assert!(!error.to_string().contains(&pending.token), "the model is not given the token");

    let again = |arguments: &'static str, context: Context| {
        let (handlers, token) = (handlers.clone(), pending.token.clone());
        async move { handlers.call_confirmed("file-delete", arguments, &token, &context).await }
    };
    for (arguments, context) in [(r#"{"path": "b"}"#, editor()), (A, Context::new("eve").role("editor"))] {
        let refused = again(arguments, context).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::ConfirmationRequired);
        assert_ne!(refused.pending.unwrap().token, pending.token);
    }
    assert_eq!(again(r#"{ "path" : "a" }"#, editor()).await.unwrap().text, "deleted a");
    assert_eq!(again(A, editor()).await.unwrap_err().code, ErrorCode::ConfirmationRequired);
}

#[tokio::test]
async fn only_one_of_several_concurrent_calls_has_the_token() {
    let (handlers, context) = (handlers(), editor());
    let (_, pending) = ask(&handlers, A, &context).await;
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let (handlers, context, token) = (handlers.clone(), context.clone(), pending.token.clone());
        calls.spawn(async move { handlers.call_confirmed("file-delete", A, &token, &context).await.is_ok() });
    }
    assert_eq!(calls.join_all().await.into_iter().filter(|ran| *ran).count(), 1);
}

#[tokio::test]
async fn invalid_arguments_do_not_use_up_a_token() {
    let (handlers, context) = (handlers(), editor());
    let (_, pending) = ask(&handlers, A, &context).await;
    let wrong = handlers.call_confirmed("file-delete", r#"{"path": 1}"#, &pending.token, &context).await;
    assert_eq!(wrong.unwrap_err().code, ErrorCode::InvalidArguments);
    assert!(handlers.call_confirmed("file-delete", A, &pending.token, &context).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_token_is_valid_for_a_while() {
    let handlers = Handlers::new(&REGISTRY).bind(file_delete::binding()).unwrap();
    let handlers = handlers.confirmations_last(Duration::from_secs(30));
    let context = editor();
    let (_, pending) = ask(&handlers, A, &context).await;
    assert_eq!(pending.lifetime, Duration::from_secs(30));
    tokio::time::advance(Duration::from_secs(31)).await;
    let late = handlers.call_confirmed("file-delete", A, &pending.token, &context).await;
    assert_eq!(late.unwrap_err().code, ErrorCode::ConfirmationRequired);
}
