//! Counts of calls and of what is served, in the text format of Prometheus.

use std::fmt;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::Action;
use crate::mcp::source::Source;
use crate::tools::{SHORT_TOOL_NAME, TOOL_NAME};

/// A form of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The older form of Prometheus, which every collector reads.
    Plain,
    OpenMetrics,
}

impl Form {
    /// The form for a request with this header `Accept`.
    pub(super) fn for_accept(accept: &str) -> Self {
        let asks = accept.split(',').any(|range| {
            let mut parts = range.split(';').map(str::trim);
            parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case("application/openmetrics-text"))
                && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
        });
        if asks { Self::OpenMetrics } else { Self::Plain }
    }

    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Plain => "text/plain; version=0.0.4; charset=utf-8",
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
        }
    }
}

/// The upper bounds of the times of calls that are counted together, in seconds.
const SECONDS: [f64; 12] = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0];

type Label = (&'static str, &'static str);

/// The metrics of one server.
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<[Label; 2], Counter>,
    seconds: Family<[Label; 1], Histogram>,
    served: Gauge,
    refreshes: Counter,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Metrics {
    pub(super) fn new() -> Self {
        let mut registry = Registry::default();
        let requests = Family::<[Label; 2], Counter>::default();
        let seconds = Family::<[Label; 1], Histogram>::new_with_constructor(|| Histogram::new(SECONDS));
        let (served, refreshes) = (Gauge::default(), Counter::default());
        registry.register("skills_requests", "Calls of tools", requests.clone());
        registry.register(
            "skills_request_seconds",
            "How long calls of tools took, in seconds",
            seconds.clone(),
        );
        registry.register("skills_served", "Skills that are served", served.clone());
        registry.register("skills_refreshes", "How often the served skills have changed", refreshes.clone());
        Self { registry, requests, seconds, served, refreshes }
    }

    /// Counts a call. The names of tools that aren't ours may be anything, so they are counted together.
    pub(super) fn count(&self, tool: &str, succeeded: bool, time: Duration) {
        let tool = match Action::of_tool(tool) {
            Some(action) => action.tool(),
            None if tool == TOOL_NAME => TOOL_NAME,
            None if tool == SHORT_TOOL_NAME => SHORT_TOOL_NAME,
            None => "other",
        };
        let outcome = if succeeded { "ok" } else { "error" };
        self.requests.get_or_create(&[("tool", tool), ("outcome", outcome)]).inc();
        self.seconds.get_or_create(&[("tool", tool)]).observe(time.as_secs_f64());
    }

    /// All of them as text.
    pub(super) fn text(&self, source: &Source, form: Form) -> Result<String, fmt::Error> {
        self.served.set(i64::try_from(source.served()).unwrap_or(i64::MAX));
        let refreshes = source.refreshes();
        self.refreshes.inc_by(refreshes.saturating_sub(self.refreshes.get()));
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(match form {
            Form::Plain => plain(&text),
            Form::OpenMetrics => text,
        })
    }
}

/// The older form of a text: a counter has its whole name in its comments too, and the end isn't marked.
fn plain(text: &str) -> String {
    let counter = |line: &str| {
        let name = line.strip_prefix("# TYPE ")?.strip_suffix(" counter")?;
        Some(name.to_owned())
    };
    let counters: Vec<String> = text.lines().filter_map(counter).collect();
    let mut plain = String::with_capacity(text.len());
    for line in text.lines().filter(|line| *line != "# EOF") {
        let comment = ["# HELP ", "# TYPE "].into_iter().find_map(|kind| {
            let (name, rest) = line.strip_prefix(kind)?.split_once(' ')?;
            counters.iter().any(|counter| counter == name).then(|| format!("{kind}{name}_total {rest}"))
        });
        plain.push_str(comment.as_deref().unwrap_or(line));
        plain.push('\n');
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry as Skills;

    #[test]
    fn calls_are_counted_by_tool_and_outcome() {
        let metrics = Metrics::new();
        metrics.count("load_skill", true, Duration::from_millis(2));
        metrics.count("load_skill", true, Duration::from_millis(2));
        metrics.count("load_skill", false, Duration::from_millis(2));
        metrics.count("any\"thing\n", false, Duration::from_millis(2));
        let text = metrics.text(&Source::Fixed(Skills::empty()), Form::Plain).unwrap();
        for line in [
            "skills_requests_total{tool=\"load_skill\",outcome=\"ok\"} 2",
            "skills_requests_total{tool=\"load_skill\",outcome=\"error\"} 1",
            "skills_requests_total{tool=\"other\",outcome=\"error\"} 1",
            "skills_request_seconds_count{tool=\"load_skill\"} 3",
            "skills_served 0",
            "skills_refreshes_total 0",
        ] {
            assert!(text.lines().any(|one| one == line), "{line}:\n{text}");
        }
        assert!(!text.contains("any"), "{text}");
    }

    #[test]
    fn collectors_get_the_form_that_they_ask_for() {
        for (accept, form) in [
            ("", Form::Plain),
            ("*/*", Form::Plain),
            ("text/plain", Form::Plain),
            ("application/openmetrics-text; version=1.0.0,text/plain;version=0.0.4;q=0.5", Form::OpenMetrics),
            ("text/plain, Application/OpenMetrics-Text;q=0.3", Form::OpenMetrics),
            ("application/openmetrics-text;q=0, text/plain", Form::Plain),
        ] {
            assert_eq!(Form::for_accept(accept), form, "{accept}");
        }
        let metrics = Metrics::new();
        metrics.count("load_skill", true, Duration::from_millis(2));
        let [plain, open] = [Form::Plain, Form::OpenMetrics]
            .map(|form| metrics.text(&Source::Fixed(Skills::empty()), form).unwrap());
        assert!(open.contains("# TYPE skills_requests counter\n") && open.ends_with("\n# EOF\n"), "{open}");
        for line in [
            "# HELP skills_requests_total Calls of tools.",
            "# TYPE skills_requests_total counter",
            "# TYPE skills_request_seconds histogram",
            "# TYPE skills_served gauge",
        ] {
            assert!(plain.lines().any(|one| one == line), "{line}:\n{plain}");
        }
        assert!(!plain.contains("EOF"), "{plain}");
    }
}
