//! The loop: what a model is offered, and the results that it receives.

use std::time::Duration;

use skills::Policy;
use skills_handlers::{Assistant, Context, End, ErrorCode, Handlers, Limits, Message, Router, run};

use crate::acting::{REGISTRY, count, editor, handlers, with};
use crate::script::{Script, call, drive, results};

#[tokio::test]
async fn calls_are_made_until_the_model_answers() {
    let model = Script::new([
        Assistant::new("I look.").call("a", "file-search", r#"{"word": "notes"}"#).call(
            "b",
            "file-search",
            r#"{"word": 1}"#,
        ),
        call("wormhole", "{}"),
        Assistant::new("They are in notes-0.txt."),
    ]);
    let run = drive(&model, &handlers(), &Limits::default(), &Context::new("ada")).await;
    assert_eq!(run.answer(), Some("They are in notes-0.txt."));
    assert_eq!((run.end.to_string().as_str(), run.turns), ("They are in notes-0.txt.", 3));
    let results = results(&run);
    assert_eq!(results[0], "[step 1, file-search: ok]\n{\"files\":[\"notes-0.txt\"],\"user\":\"ada\"}");
    assert!(
        results[1].starts_with("[step 1, file-search: INVALID_ARGUMENTS]\n{\"error\":"),
        "{}",
        results[1]
    );
    assert!(results[2].starts_with("[step 2, wormhole: UNKNOWN_SKILL]\n"), "{}", results[2]);
    // The model sees the tools it may call, and its own calls with their results in order.
    assert_eq!(model.asked(0).1, ["file-search", "skills_tool", "read_result"]);
    let (messages, _) = model.asked(1);
    assert!(matches!(&messages[2], Message::Result { call, .. } if call == "a"));
    assert!(matches!(&messages[3], Message::Result { call, .. } if call == "b"));
    // A conversation can be stored.
    let stored = serde_json::to_string(&run.messages).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Message>>(&stored).unwrap(), run.messages);
}

#[tokio::test]
async fn calls_of_one_turn_run_concurrently() {
    let both = std::sync::Arc::new(tokio::sync::Barrier::new(2));
    let meets = count(move |_| {
        let both = both.clone();
        async move {
            both.wait().await;
            Ok("met")
        }
    });
    let model = Script::new([
        Assistant::default().call("", "row-count", "").call("", "row-count", ""),
        Assistant::new("done"),
    ]);
    let run = drive(&model, &with(meets), &Limits::default(), &editor()).await;
    assert_eq!(results(&run), ["[step 1, row-count: ok]\nmet"; 2]);
    // Calls without an id were given one each.
    let Message::Assistant(assistant) = &run.messages[1] else { panic!("no calls") };
    assert_eq!(assistant.calls.iter().map(|call| &*call.id).collect::<Vec<_>>(), ["call-1-1", "call-1-2"]);
}

#[tokio::test]
async fn a_call_that_waits_for_the_user_stops_the_run() {
    let (handlers, context) = (handlers(), editor());
    let begin = || {
        Script::new([Assistant::default()
            .call("x", "file-delete", r#"{"path": "a"}"#)
            .call("y", "file-search", r#"{"word": "b"}"#)
            .call("z", "file-delete", r#"{"path": "c"}"#)])
    };
    let mut stopped = drive(&begin(), &handlers, &Limits::default(), &context).await;
    assert_eq!(
        stopped.end.to_string(),
        "Stopped: this needs your confirmation first:\n- file-delete {\"path\":\"a\"}: it deletes a file for good\n- \
         file-delete {\"path\":\"c\"}: it deletes a file for good"
    );
    assert_eq!(results(&stopped).len(), 1);
    let End::Unconfirmed(pending) = &stopped.end else { panic!("{}", stopped.end) };
    let tokens: Vec<String> = pending.iter().map(|pending| pending.token.clone()).collect();
    assert!(stopped.confirm(&tokens[0]) && stopped.decline(&tokens[1]));
    assert!(!stopped.confirm("another") && !stopped.decline("another"));

    let model = Script::new([Assistant::new("One is gone.")]);
    let run = run(&model, &REGISTRY, &handlers, stopped.messages, &Limits::default(), &context).await;
    assert_eq!(run.answer(), Some("One is gone."));
    // The token of the declined call is spent.
    let late = handlers.call_confirmed("file-delete", r#"{"path": "c"}"#, &tokens[1], &context).await;
    assert_eq!(late.unwrap_err().code, ErrorCode::ConfirmationRequired);
    let results = results(&run);
    assert_eq!(results.len(), 3);
    assert!(results.contains(&"[step 1, file-delete: DECLINED]\nThe user declined."));
    assert!(results.contains(&"[step 1, file-delete: ok]\ndeleted a"));
    let (messages, _) = model.asked(0);
    assert!(messages[2..].iter().all(|message| matches!(message, Message::Result { .. })));

    // A model that knew a token could not use it: tokens in its messages are removed.
    let stored = r#"{"text": "", "calls": [{"id": "x", "name": "file-delete", "arguments": "{\"path\": \"a\"}", "token": "t"}]}"#;
    let sly = Script::new([serde_json::from_str(stored).unwrap()]);
    let run = drive(&sly, &handlers, &Limits::default(), &context).await;
    let Message::Assistant(assistant) = &run.messages[1] else { panic!("no calls") };
    assert_eq!(assistant.calls[0].token, None);
    // Without a confirmation the same messages wait again.
    let waits = drive(&begin(), &handlers, &Limits::default(), &context).await;
    let waits = skills_handlers::run(
        &Script::new([]),
        &REGISTRY,
        &handlers,
        waits.messages,
        &Limits::default(),
        &context,
    )
    .await;
    assert!(matches!(&waits.end, End::Unconfirmed(pending) if pending.len() == 2));
}

/// The call itself says which one waits, not its spelling or an earlier token.
#[tokio::test]
async fn a_waiting_call_can_be_answered_however_it_was_made() {
    let context = editor();
    // Another spelling of the name, and a confirmation that came too late.
    let handlers = handlers().confirmations_last(Duration::ZERO);
    let model = Script::new([call("File-Delete", r#"{"path": "a"}"#)]);
    let mut stopped = drive(&model, &handlers, &Limits::default(), &context).await;
    for round in 0..3 {
        let End::Unconfirmed(pending) = &stopped.end else { panic!("{}", stopped.end) };
        let token = pending[0].token.clone();
        assert!(stopped.confirm(&token), "round {round}");
        let none = Script::new([]);
        stopped = run(&none, &REGISTRY, &handlers, stopped.messages, &Limits::default(), &context).await;
    }
    let End::Unconfirmed(pending) = &stopped.end else { panic!("{}", stopped.end) };
    let token = pending[0].token.clone();
    assert!(stopped.decline(&token));
    assert_eq!(results(&stopped), ["[step 1, File-Delete: DECLINED]\nThe user declined."]);
    // No arguments at all.
    let handlers = with(count(|_| async { Ok("done".to_owned()) }).confirm("it counts"));
    let model = Script::new([call("row-count", "")]);
    let mut stopped = drive(&model, &handlers, &Limits::default(), &context).await;
    let End::Unconfirmed(pending) = &stopped.end else { panic!("{}", stopped.end) };
    let token = pending[0].token.clone();
    assert!(stopped.confirm(&token));
}

/// No suggestion names a blocked skill.
#[tokio::test]
async fn blocked_names_are_not_suggested() {
    let (handlers, context) = (handlers(), editor());
    let registry = REGISTRY.clone().with_policy(Policy::allow_all().block("file-delete"));
    for name in ["nope", "file-delete", "file-delet"] {
        let model = Script::new([call(name, "{}"), Assistant::new("done")]);
        let asks = vec![Message::user("Find my notes")];
        let run = run(&model, &registry, &handlers, asks, &Limits::default(), &context).await;
        let text = results(&run)[0].replacen(name, "", 2);
        assert!(text.contains("UNKNOWN_SKILL") && !text.contains("file-delete"), "{name}: {text}");
    }
}

#[tokio::test]
async fn a_model_finds_skills_and_reads_on_in_results() {
    let handlers = with(count(|_| async { Ok("0123456789".repeat(10)) }).result_limit(30));
    let limits = Limits::default().route_by(Router::new());
    let model = Script::new([
        call("skills_tool", r#"{"action": "search", "query": "table"}"#),
        call("row-count", "{}"),
        call("skills_tool:load", r#"{"skill_name": "plain-advice"}"#),
        call("read_result", r#"{"handle": "none"}"#),
        Assistant::new("done"),
    ]);
    let asks = vec![Message::user("Qwertz uiop")];
    let run = run(&model, &REGISTRY, &handlers, asks, &limits, &editor()).await;
    let texts = results(&run);
    assert!(texts[0].starts_with("[step 1, skills_tool: ok]\nSkills matching 'table' (1):"), "{}", texts[0]);
    assert!(texts[2].starts_with("[step 3, skills_tool:load: ok]\nSkill: plain-advice\n"), "{}", texts[2]);
    assert!(texts[3].starts_with("[step 4, read_result: INVALID_ARGUMENTS]\n"), "{}", texts[3]);
    // Nothing fits the request, so all tools are offered.
    assert_eq!(model.asked(0).1, ["file-delete", "file-search", "row-count", "skills_tool", "read_result"]);
    assert_eq!(model.asked(1).1, model.asked(0).1);
    // The catalogue is shown, but isn't part of the conversation.
    assert!(
        matches!(&model.asked(0).0[0], Message::System { text } if text.starts_with("No skills were found that fit the request, so all"))
    );
    assert!(matches!(&run.messages[0], Message::User { .. }));

    let handle = texts[1].split("handle=").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let context = editor();
    let store_of_the_first =
        call("read_result", &format!("{{\"handle\": \"{handle}\", \"offset\": \"90\"}}"));
    let model = Script::new([store_of_the_first, Assistant::new("done")]);
    let run = drive(&model, &handlers, &limits, &context).await;
    assert!(results(&run)[0].contains("no result has the handle"), "another conversation's result");
    let model = Script::new([call("row-count", "{}"), Assistant::new("done")]);
    let run = drive(&model, &handlers, &limits, &context).await;
    let handle = results(&run)[0].split("handle=").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let read = call("read_result", &format!("{{\"handle\": \"{handle}\", \"offset\": \"90\"}}"));
    let model = Script::new([read, Assistant::new("done")]);
    let run = drive(&model, &handlers, &limits, &context).await;
    assert_eq!(results(&run), ["[step 1, read_result: ok]\n0123456789\n\n[end: 100 characters in all]"]);
}

#[tokio::test]
async fn a_skill_that_is_not_served_is_not_called() {
    let empty = skills::Registry::empty();
    let model = Script::new([call("file-search", r#"{"word": "a"}"#), Assistant::new("ok")]);
    let handlers = handlers();
    let messages = vec![Message::user("x")];
    let run = run(&model, &empty, &handlers, messages, &Limits::default(), &editor()).await;
    assert!(results(&run)[0].starts_with("[step 1, file-search: UNKNOWN_SKILL]\n"));
    let count = &handlers.counts()[1];
    assert_eq!((count.calls, count.failures.get(&ErrorCode::UnknownSkill)), (1, Some(&1)));
    // Without skills there is nothing to search either.
    assert_eq!(model.asked(0).1, ["read_result"]);
}

/// With a session, instructions are sent once; with a live registry, they are those on disk.
#[tokio::test]
async fn a_run_takes_a_session_and_a_live_registry() {
    use skills::Session;
    use skills::live::{Overlays, Root};
    use skills_handlers::Source;
    use skills_tests::disk;

    let dir = disk::temp();
    let write = |body: &str| {
        let text = format!("---\nname: note\ndescription: Notes\n---\n{body}\n");
        disk::write(dir.path(), "note/SKILL.md", text);
    };
    write("First");
    let live = std::sync::Arc::new(Overlays::without_bundle().root(Root::new(dir.path())).open());
    let handlers = Handlers::new(&live.snapshot().registry());
    let load = || call("skills_tool:load", r#"{"skill_name": "note"}"#);
    let mut session = Session::new();
    let mut texts = Vec::new();
    for body in ["First", "Second"] {
        write(body);
        let model = Script::new([load(), load(), Assistant::new("done")]);
        let source = Source::from(&live).session(&mut session);
        let asks = vec![Message::user("Load it")];
        let run = run(&model, source, &handlers, asks, &Limits::default(), &editor()).await;
        texts.extend(results(&run).into_iter().map(str::to_owned));
    }
    assert!(texts[0].contains("\nFirst\n") && texts[2].contains("\nSecond\n"), "{texts:?}");
    for already in [&texts[1], &texts[3]] {
        assert!(already.ends_with("Skill 'note' is already loaded in visible chat history."), "{already}");
    }
    // What the session hides is not there.
    session.hide(&live.snapshot().registry(), "note").unwrap();
    let model = Script::new([load(), Assistant::new("done")]);
    let source = Source::from(&live).session(&mut session);
    let run = run(&model, source, &handlers, vec![Message::user("x")], &Limits::default(), &editor()).await;
    assert!(!results(&run).concat().contains("Second"), "{:?}", results(&run));
}

/// If some groups fit, other skills that the model finds are offered from then on.
#[tokio::test]
async fn found_skills_are_offered() {
    let handlers = with(count(|_| async { Ok(1) }));
    let limits = Limits::default().route_by(Router::new());
    let search = call("skills_tool", r#"{"action": "search", "query": "table"}"#);
    let model = Script::new([search, Assistant::new("done")]);
    let asks = vec![Message::user("find a file")];
    run(&model, &REGISTRY, &handlers, asks, &limits, &editor()).await;
    assert_eq!(model.asked(0).1, ["file-delete", "file-search", "skills_tool", "read_result"]);
    assert_eq!(model.asked(1).1, ["row-count", "file-delete", "file-search", "skills_tool", "read_result"]);
}

#[tokio::test]
async fn results_keep_the_order_of_their_calls() {
    let slow_first =
        skills_handlers::Binding::new("row-count", |input: crate::acting::Find, _: Context| async move {
            let turns = input.word.parse::<u64>()?;
            tokio::time::sleep(Duration::from_millis(100 - 10 * turns)).await;
            Ok::<_, skills_handlers::Failure>(input.word)
        });
    let many = (0..10).fold(Assistant::default(), |many, n| {
        many.call(format!("c{n}"), "row-count", format!("{{\"word\": \"{n}\"}}"))
    });
    let model = Script::new([many, Assistant::new("done")]);
    let run = drive(&model, &with(slow_first), &Limits::default(), &editor()).await;
    let expected: Vec<String> = (0..10).map(|n| format!("[step 1, row-count: ok]\n{n}")).collect();
    assert_eq!(results(&run), expected);
    let ids = run.messages.iter().filter_map(|message| match message {
        Message::Result { call, .. } => Some(call.clone()),
        _ => None,
    });
    assert_eq!(ids.collect::<Vec<_>>(), (0..10).map(|n| format!("c{n}")).collect::<Vec<_>>());
}
