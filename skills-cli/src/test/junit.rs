//! Cases as a document in JUnit's XML: a suite for each file, a test case for each query.
//!
//! It has no time and no host: equal input gives equal bytes.

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use skills::triggers::{Place, Report};
use skills_bundle::render;

use crate::failure::Failure;

/// The whole document, with a line feed at its end.
/// With `tolerates` a query that fails is skipped, as the run passes with it.
pub(super) fn document(report: &Report, tolerates: bool) -> Result<String, Failure> {
    let mut suites: Vec<TestSuite> = Vec::new();
    let mut add = |place: &Place, mut case: TestCase| {
        case.extra.insert("file".into(), place.file.as_str().into());
        case.extra.insert("line".into(), place.line.to_string().into());
        let at = suites.iter().position(|suite| suite.name.as_str() == place.file).unwrap_or_else(|| {
            suites.push(TestSuite::new(place.file.as_str()));
            suites.len() - 1
        });
        suites[at].add_test_case(case);
    };
    for problem in &report.problems {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(problem.message.as_str()).set_description(problem.help.as_str());
        add(&problem.place, TestCase::new("the file can be read", status));
    }
    for judged in &report.cases {
        let Some(place) = &judged.case.place else { continue };
        let status = if judged.passed {
            TestCaseStatus::success()
        } else {
            let mut status = if tolerates {
                TestCaseStatus::skipped()
            } else {
                TestCaseStatus::non_success(NonSuccessKind::Failure)
            };
            status.set_message(judged.outcome().to_string()).set_description(judged.explanation());
            status
        };
        let mut case = TestCase::new(render::escape(&judged.case.query), status);
        case.set_classname(judged.case.skill.as_str());
        add(place, case);
    }
    for skipped in &report.skipped {
        let mut status = TestCaseStatus::skipped();
        status.set_message(skipped.why.as_str());
        add(&skipped.place, TestCase::new(render::escape(&skipped.query), status));
    }
    let mut document = quick_junit::Report::new("skills test");
    document.add_test_suites(suites);
    document.to_string().map_err(|error| {
        Failure::other(
            "INTERNAL",
            format!("the report cannot be written as XML: {error}"),
            "please report this",
        )
    })
}
