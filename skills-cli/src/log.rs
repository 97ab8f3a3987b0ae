//! What the libraries report while the program serves, on stderr.

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::output;

/// Shows only what is wrong with a client's messages.
pub(crate) fn start_quiet() {
    let lines = tracing_subscriber::fmt::layer().with_writer(output::log).with_ansi(false).without_time();
    let ours = Targets::new().with_target("skills", LevelFilter::WARN);
    // There is only one log, and nobody else has started one.
    let _ = tracing_subscriber::registry().with(lines.with_target(false)).with(ours).try_init();
}
