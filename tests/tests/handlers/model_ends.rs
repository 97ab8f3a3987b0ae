//! How a run of the loop ends: limits, budgets, repeated calls, a model that fails, and a user who stops it.

use skills_handlers::{
    Assistant, Cancel, Context, Cost, End, Limits, Message, Model, ModelError, Run, Tool, run,
};

use crate::acting::{REGISTRY, count, editor, handlers, with};
use crate::script::{Script, call, drive, results};

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
