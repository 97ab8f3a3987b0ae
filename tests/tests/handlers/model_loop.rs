//! The loop: a scripted model, and the results that it receives.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use skills_handlers::{
    Assistant, Cancel, Context, Cost, End, ErrorCode, Handlers, Limits, Message, Model, ModelError, Router,
    Run, Tool, run,
};

use skills::Policy;

use crate::acting::{REGISTRY, count, editor, handlers, with};

/// Follows a script, and records what it was asked.
#[derive(Default)]
struct Script {
    replies: Mutex<VecDeque<Assistant>>,
    asked: Mutex<Vec<(Vec<Message>, Vec<String>)>>,
}

impl Script {
    fn new(replies: impl IntoIterator<Item = Assistant>) -> Self {
        Self { replies: Mutex::new(replies.into_iter().collect()), asked: Mutex::default() }
    }

    fn asked(&self, at: usize) -> (Vec<Message>, Vec<String>) {
        self.asked.lock().unwrap()[at].clone()
    }
}

impl Model for Script {
    async fn reply(&self, messages: &[Message], tools: &[Tool]) -> Result<Assistant, ModelError> {
        let names = tools.iter().map(|tool| tool.name.clone()).collect();
        self.asked.lock().unwrap().push((messages.to_vec(), names));
        self.replies.lock().unwrap().pop_front().ok_or_else(|| ModelError::new("the script is at its end"))
    }
}

fn call(name: &str, arguments: &str) -> Assistant {
    Assistant::default().call("1", name, arguments)
}

async fn drive(model: &Script, handlers: &Handlers, limits: &Limits, context: &Context) -> Run {
    run(model, &REGISTRY, handlers, vec![Message::user("Find my notes")], limits, context).await
}

fn results(run: &Run) -> Vec<&str> {
    let texts = run.messages.iter().filter_map(|message| match message {
        Message::Result { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

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
async fn it_stops_after_the_allowed_turns() {
    let word = |n: u32| call("file-search", &format!("{{\"word\": \"w{n}\"}}"));
    let run = drive(&Script::new((0..9).map(word)), &handlers(), &Limits::default(), &editor()).await;
    assert_eq!((run.turns, run.answer()), (5, None));
    assert_eq!(
        run.end.to_string(),
        "Stopped after 5 turns without an answer: the model still called `file-search`. Ask for less, or allow more turns."
    );
    assert_eq!(results(&run).len(), 5, "no call is left without its result");
    let run =
        drive(&Script::new((0..9).map(word)), &handlers(), &Limits::default().turns(7), &editor()).await;
    assert_eq!(run.turns, 7);
    let run = drive(&Script::new([]), &handlers(), &Limits::default().turns(0), &editor()).await;
    assert!(matches!(run.end, End::TurnsUsed { turns: 0, .. }));
}

#[tokio::test]
async fn a_repeated_call_is_not_made_again() {
    let same = || call("file-search", r#"{"word": "a"}"#);
    // In another spelling it is still the same call.
    let spaced = call("file-search", r#"{ "word" : "a" }"#);
    let handlers = handlers();
    let model = Script::new([same(), spaced, same(), Assistant::new("I see.")]);
    let run = drive(&model, &handlers, &Limits::default(), &editor()).await;
    assert_eq!(run.answer(), Some("I see."));
    assert_eq!(
        results(&run)[2],
        "[step 3, file-search: REPEATED]\nThis call was not made again: its result is above, at step 2. Use it, do \
         something else, or answer."
    );
    assert_eq!(handlers.counts()[1].calls, 2);
    // Refused twice in one turn, the model has not seen a warning yet.
    let four = (0..4).fold(Assistant::default(), |turn, _| turn.call("", "file-search", r#"{"word": "b"}"#));
    let run =
        drive(&Script::new([four, Assistant::new("Oh.")]), &handlers, &Limits::default(), &editor()).await;
    assert_eq!(run.answer(), Some("Oh."));
    // A model that ignores this is stopped.
    let model = Script::new((0..9).map(|_| same()));
    let run = drive(&model, &handlers, &Limits::default().turns(9).same_call(1), &editor()).await;
    assert_eq!(
        run.end.to_string(),
        "Stopped: the model repeated the same call of `file-search`. Ask in other words."
    );
    assert_eq!(run.turns, 3);
}

#[tokio::test]
async fn a_turn_has_only_the_allowed_number_of_calls() {
    let many = (0..40).fold(Assistant::default(), |many, n| {
        many.call(format!("c{n}"), "file-search", format!("{{\"word\": \"w{n}\"}}"))
    });
    let handlers = handlers();
    let model = Script::new([many, Assistant::new("ok")]);
    let run = drive(&model, &handlers, &Limits::default(), &editor()).await;
    assert_eq!((results(&run).len(), handlers.counts()[1].calls), (40, 16));
    assert!(results(&run)[16].starts_with("[step 1, file-search: TOO_MANY]\n"));
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

#[tokio::test]
async fn a_model_that_fails_ends_the_run() {
    let model = Script::new([call("file-search", r#"{"word": "a"}"#)]);
    let run = drive(&model, &handlers(), &Limits::default(), &editor()).await;
    assert_eq!(run.end.to_string(), "Stopped: the model did not answer: the script is at its end");
    assert_eq!(results(&run).len(), 1, "what was done until then is there");
}

#[tokio::test]
async fn dropping_a_run_stops_its_calls() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let waits = skills_handlers::Binding::blocking(
        "row-count",
        move |_: crate::acting::Nothing, context: Context| {
            while !context.is_cancelled() {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            sender.send(()).ok();
            Ok::<_, skills_handlers::Failure>(())
        },
    );
    let handlers = with(waits);
    let model = Script::new([call("row-count", "")]);
    let (limits, context) = (Limits::default(), editor());
    let driven = drive(&model, &handlers, &limits, &context);
    assert!(tokio::time::timeout(std::time::Duration::from_millis(50), driven).await.is_err());
    // This runtime has one thread, so the task must run before it is dropped.
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    assert!(receiver.recv_timeout(crate::acting::SOON).is_ok());
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

#[tokio::test]
async fn tokens_are_counted_per_call_turn_and_run() {
    let word = |n: u32| call("file-search", &format!("{{\"word\": \"w{n}\"}}")).used(100 * u64::from(n), 10);
    let model = Script::new([word(1), word(2), Assistant::new("done").used(300, 5)]);
    let run = drive(&model, &handlers(), &Limits::default(), &editor()).await;
    assert_eq!((run.usage.input, run.usage.output, run.usage.total()), (600, 25, 625));
    let turns: Vec<(u64, u64, bool)> =
        run.steps.iter().map(|step| (step.usage.input, step.usage.output, step.reported)).collect();
    assert_eq!(turns, [(100, 10, true), (200, 10, true), (300, 5, true)]);
    let [one] = run.steps[0].calls.as_slice() else { panic!("one call") };
    assert_eq!((one.name.as_str(), one.outcome.as_str(), one.tokens_in), ("file-search", "ok", 4));
    assert!(one.tokens_out > 5 && run.steps[2].calls.is_empty());
    // A provider that reports nothing: an estimate, which says that it is one.
    let run =
        drive(&Script::new([Assistant::new("x".repeat(400))]), &handlers(), &Limits::default(), &editor())
            .await;
    assert!(!run.steps[0].reported && run.usage.output == 100 && run.usage.input > 50);
}

#[tokio::test]
async fn a_budget_of_tokens_ends_a_run() {
    let word = |n: u32| call("file-search", &format!("{{\"word\": \"w{n}\"}}")).used(90, 10);
    let limits = Limits::default().turns(9).tokens(250);
    let run = drive(&Script::new((0..9).map(word)), &handlers(), &limits, &editor()).await;
    assert_eq!(
        run.end.to_string(),
        "Stopped after 300 tokens without an answer: the model still called `file-search`. Ask for less, or allow more tokens."
    );
    assert_eq!((run.turns, results(&run).len()), (3, 3), "no call is left without its result");
    // An answer within it, or at its end, is an answer.
    let script = Script::new([word(1), Assistant::new("done").used(1000, 1)]);
    assert_eq!(drive(&script, &handlers(), &limits, &editor()).await.answer(), Some("done"));
    // A provider that reports nothing doesn't make it endless.
    let silent = |n: u32| call("file-search", &format!("{{\"word\": \"w{n}\"}}"));
    let run = drive(&Script::new((0..9).map(silent)), &handlers(), &limits, &editor()).await;
    assert!(matches!(run.end, End::TokensUsed { .. }), "{}", run.end);
}

#[tokio::test]
async fn a_cap_on_cost_ends_a_run() {
    let word = |n: u32| call("file-search", &format!("{{\"word\": \"w{n}\"}}")).used(1_000_000, 100_000);
    // 3 and 15 a million: 4.5 a turn.
    let limits = |most: f64| Limits::default().turns(9).cost(Cost::new(most, 3.0, 15.0));
    let run = drive(&Script::new((0..9).map(word)), &handlers(), &limits(9.0), &editor()).await;
    assert_eq!(
        run.end.to_string(),
        "Stopped at a cost of 9.0000 without an answer: the model still called `file-search`. Ask for less, or allow a higher cost."
    );
    assert_eq!(run.turns, 2);
    let run =
        drive(&Script::new([word(1), Assistant::new("done")]), &handlers(), &limits(9.0), &editor()).await;
    assert_eq!(run.answer(), Some("done"));
    // A price that isn't a number allows nothing.
    let run = drive(&Script::new([]), &handlers(), &limits(f64::NAN), &editor()).await;
    assert!(matches!(run.end, End::CostUsed { .. }));
}

#[tokio::test]
async fn a_run_can_be_stopped_from_outside() {
    let cancel = Cancel::new();
    let button = cancel.clone();
    let waits = count(move |_| {
        let button = button.clone();
        async move {
            button.cancel();
            std::future::pending::<()>().await;
            Ok(())
        }
    });
    let model = Script::new([
        Assistant::default().call("a", "file-search", r#"{"word": "a"}"#).call("b", "row-count", ""),
        Assistant::new("never asked for"),
    ]);
    let limits = Limits::default().cancelled_by(&cancel);
    let run = drive(&model, &with(waits), &limits, &editor()).await;
    assert_eq!((run.end.to_string().as_str(), run.turns), ("Stopped, as you asked.", 1));
    assert_eq!(
        *results(&run).last().unwrap(),
        "[step 1, row-count: CANCELLED]\nThe run was stopped before this call ended. Its effects are unknown."
    );
    assert_eq!(results(&run).len(), 2, "no call is left to be made again");
    // A run that begins after it asks nothing, and a model that is asked is not waited for.
    assert!(matches!(drive(&Script::new([]), &handlers(), &limits, &editor()).await.end, End::Cancelled));
    struct Silent(Cancel);
    impl Model for Silent {
        async fn reply(&self, _: &[Message], _: &[Tool]) -> Result<Assistant, ModelError> {
            self.0.cancel();
            std::future::pending().await
        }
    }
    let cancel = Cancel::new();
    let limits = Limits::default().cancelled_by(&cancel);
    let asks = vec![Message::user("x")];
    let run = run_silent(&Silent(cancel), asks, &limits).await;
    assert!(matches!(run.end, End::Cancelled));
}

async fn run_silent(model: &impl Model, asks: Vec<Message>, limits: &Limits) -> Run {
    run(model, &REGISTRY, &handlers(), asks, limits, &editor()).await
}

/// The tokens of a turn that broke off are in the usage of the run, as far as they had arrived.
#[tokio::test]
async fn a_turn_that_broke_off_is_paid_for() {
    struct BreaksOff(usize);
    impl Model for BreaksOff {
        async fn reply(&self, _: &[Message], _: &[Tool]) -> Result<Assistant, ModelError> {
            Err(ModelError::new("the model broke off its answer").received(self.0))
        }
    }
    let usage = async |bytes: usize| {
        let asks = vec![Message::user("Find my notes")];
        let (handlers, limits) = (handlers(), Limits::default());
        let run = run(&BreaksOff(bytes), &REGISTRY, &handlers, asks, &limits, &editor()).await;
        assert!(matches!(run.end, End::ModelFailed(_)) && !run.steps[0].reported);
        assert_eq!(run.steps[0].usage, run.usage);
        run.usage
    };
    let (none, some) = (usage(0).await, usage(4_000).await);
    assert_eq!((none.output, some.output), (0, 1_000));
    assert!(none.input == some.input && some.input > 100);
}
