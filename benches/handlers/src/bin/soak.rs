//! Makes a million calls on eight threads, a third of which fail, and checks that memory stays flat, that no
//! result is lost, and that every call is counted once.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use bench_harness::failure::{Outcome, end, failure};
use clap::Parser;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skills::{Bundle, Registry};
use skills_handlers::{Binding, Context, ErrorCode, Failure, Handlers};

static SKILLS: Bundle = skills::include_skills!("soak");
static REGISTRY: Registry<'static> = Registry::new(&SKILLS);

/// How much more memory may be in use at the end than after a tenth of the calls.
const MOST_GROWTH: u64 = 16 * 1024 * 1024;

/// Makes very many calls, a third of which fail.
#[derive(Debug, Parser)]
struct Options {
    /// How many calls are made
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    calls: u64,
    /// On how many threads, each with so many calls at the same time
    #[arg(long, value_name = "N", default_value_t = 8)]
    threads: usize,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Number {
    number: u64,
}

fn main() -> ExitCode {
    // A third of the panics are meant, and their backtraces would be the whole output.
    std::panic::set_hook(Box::new(|_| {}));
    end(start(&Options::parse()))
}

fn start(options: &Options) -> Outcome<()> {
    resident()?;
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(options.threads.max(1)).enable_time().build();
    let runtime = runtime.map_err(|error| failure(format!("no runtime can be made: {error}")))?;
    let handlers = handlers().map_err(|error| failure(error.to_string()))?;
    runtime.block_on(soak(options, &handlers))
}

fn handlers() -> Result<Handlers, skills_handlers::BindError> {
    Handlers::new(&REGISTRY)
        .bind(Binding::new("echo", |input: Number, _: Context| async move {
            tokio::task::yield_now().await;
            Ok::<_, Failure>(input)
        }))?
        .bind(Binding::blocking("echo-blocking", |input: Number, _: Context| Ok::<_, Failure>(input)))?
        .bind(Binding::new("fail", |input: Number, _: Context| async move {
            assert!(input.number % 2 == 0, "an odd number");
            Err::<(), _>(Failure::new("an even number").code("EVEN_NUMBER"))
        }))?
        .bind(
            Binding::new("long", |input: Number, _: Context| async move {
                Ok::<_, Failure>(format!("{} {}", input.number, "x".repeat(2_000)))
            })
            .result_limit(100)
            .confirm("it is long"),
        )
        .map(|handlers| handlers.audit_to(std::io::sink()))
}

/// What was expected, by the calls themselves.
#[derive(Default)]
struct Expected {
    done: AtomicU64,
    wrong: AtomicU64,
}

async fn soak(options: &Options, handlers: &Handlers) -> Outcome<()> {
    let expected = Arc::new(Expected::default());
    let next = Arc::new(AtomicU64::new(0));
    let begun = Instant::now();
    let mut early = None;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 * options.threads.max(1) {
        let (handlers, expected, next) = (handlers.clone(), Arc::clone(&expected), Arc::clone(&next));
        let calls = options.calls;
        tasks.spawn(async move {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= calls {
                    return;
                }
                let is_right = one(&handlers, number).await;
                expected.done.fetch_add(1, Ordering::Relaxed);
                expected.wrong.fetch_add(u64::from(!is_right), Ordering::Relaxed);
            }
        });
    }
    loop {
        tokio::select! {
            ended = tasks.join_next() => match ended {
                Some(Ok(())) => {}
                Some(Err(error)) => return Err(failure(format!("a task was lost: {error}"))),
                None => break,
            },
            () = tokio::time::sleep(std::time::Duration::from_millis(100)) => {
                if early.is_none() && next.load(Ordering::Relaxed) > options.calls / 10 {
                    early = Some(resident()?);
                }
            }
        }
    }
    let late = resident()?;
    report(options, handlers, &expected, (early.unwrap_or(late), late), begun)
}

/// One call of the mix, by its number: whether it gave what it should.
async fn one(handlers: &Handlers, number: u64) -> bool {
    let context = Context::new(format!("user-{}", number % 1_000));
    let arguments = format!("{{\"number\": {number}}}");
    let call = async |skill: &str, arguments: &str| handlers.call(skill, arguments, &context).await;
    let text = match number % 12 {
        0..=4 => call("echo", &arguments).await.map(|output| output.text),
        5 | 6 => call("echo-blocking", &arguments).await.map(|output| output.text),
        // Two calls: it waits, and is confirmed.
        7 => {
            let Err(error) = call("long", &arguments).await else { return false };
            let Some(pending) = error.pending else { return false };
            let done = handlers.call_confirmed("long", &arguments, &pending.token, &context).await;
            let Ok(output) = done else { return false };
            let Some(rest) = output.rest else { return false };
            let whole = context.results().read(&rest.handle, 0, 10_000);
            return whole.is_ok_and(|whole| whole.text.starts_with(&format!("{number} x")));
        }
        8 => return call("echo", "{\"number\": \"x\", \"number2\": 1}").await.is_err_and(|e| e.faults.len() == 2),
        9 | 10 => {
            let code = if number % 2 == 0 { "EVEN_NUMBER" } else { "PANICKED" };
            return call("fail", &arguments).await.is_err_and(|error| error.code_str() == code);
        }
        _ => return call("none", &arguments).await.is_err_and(|error| error.code == ErrorCode::UnknownSkill),
    };
    text.is_ok_and(|text| text == format!("{{\"number\":{number}}}"))
}

fn report(
    options: &Options,
    handlers: &Handlers,
    expected: &Expected,
    (early, late): (u64, u64),
    begun: Instant,
) -> Outcome<()> {
    let (done, wrong) = (expected.done.load(Ordering::SeqCst), expected.wrong.load(Ordering::SeqCst));
    let of = |from: u64, to: u64| (0..options.calls).filter(|n| (from..=to).contains(&(n % 12))).count() as u64;
    // A call that waits and is confirmed counts twice.
    let counted: u64 = handlers.counts().iter().map(|count| count.calls).sum();
    let failed: u64 = handlers.counts().iter().flat_map(|count| count.by_code().into_values()).sum();
    println!(
        "{done} rounds, {counted} calls, {failed} of them failed, {wrong} wrong, in {:.1} s on {} threads",
        begun.elapsed().as_secs_f64(),
        options.threads
    );
    let mib = |bytes: u64| bytes / 1024 / 1024;
    println!("memory: {} MiB after a tenth, {} MiB at the end", mib(early), mib(late));
    if (done, wrong) != (options.calls, 0) {
        return Err(failure(format!("{done} of {} rounds ended, {wrong} wrongly", options.calls)));
    }
    if (counted, failed) != (options.calls + of(7, 7), of(7, 11)) {
        return Err(failure("the counts are not exact"));
    }
    if late > early + MOST_GROWTH {
        return Err(failure("memory grows"));
    }
    Ok(())
}

/// Where the system says how much memory this process uses.
const MEMORY: &str = "/proc/self/statm";

/// Bytes of memory that this process uses.
fn resident() -> Outcome<u64> {
    let pages = std::fs::read_to_string(MEMORY).ok().and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
    pages.map(|pages| pages * 4096).ok_or_else(|| {
        failure(format!("`{MEMORY}` can't be read, so nobody can tell whether memory stays flat: run this on Linux, with /proc"))
    })
}
