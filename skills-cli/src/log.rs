//! What the libraries report while the program serves, on stderr.

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

#[cfg(feature = "mcp-http")]
use crate::args::Log;
use crate::output;

/// Shows each request, in a form.
#[cfg(feature = "mcp-http")]
pub(crate) fn start(form: Option<Log>) {
    let Some(form) = form else { return start_quiet() };
    let lines = tracing_subscriber::fmt::layer().with_writer(output::log).with_ansi(false);
    let ours = Targets::new().with_target("skills", LevelFilter::INFO);
    let log = tracing_subscriber::registry().with(ours);
    // There is only one log, and nobody else has started one.
    let _ = match form {
        Log::Text => log.with(lines).try_init(),
        Log::Json => log.with(lines.json().with_current_span(true).with_span_list(false)).try_init(),
    };
}

/// Shows only what is wrong with a client's messages.
pub(crate) fn start_quiet() {
    let lines = tracing_subscriber::fmt::layer().with_writer(output::log).with_ansi(false).without_time();
    let ours = Targets::new().with_target("skills", LevelFilter::WARN);
    // There is only one log, and nobody else has started one.
    let _ = tracing_subscriber::registry().with(lines.with_target(false)).with(ours).try_init();
}
