//! Failing cases as annotations of GitHub Actions.

use skills::triggers::Report;
use skills_bundle::render;

/// The title of an annotation.
const TITLE: &str = "skills test";

/// One annotation for each failing case and each problem of a file. With a baseline a case may fail, so it is a
/// warning.
pub(super) fn annotations(report: &Report, tolerates: bool) -> String {
    let problems = report.problems.iter().map(|problem| {
        let text = format!("{}\nhelp: {}", problem.message, problem.help);
        render::github_note(true, &problem.place.file, problem.place.line, TITLE, &text)
    });
    let failures = report.cases.iter().filter(|judged| !judged.passed).filter_map(|judged| {
        let place = judged.case.place.as_ref()?;
        Some(render::github_note(!tolerates, &place.file, place.line, TITLE, &judged.explanation()))
    });
    problems.chain(failures).collect()
}
