//! What the macro `assert_triggers!` calls.

#![allow(clippy::panic, reason = "a test fails by panicking")]
#![allow(
    clippy::disallowed_methods,
    reason = "the test names the file, which belongs to no skill that is served"
)]

use std::path::Path;

use skills_core::{Bundle, Registry};

use super::case::Form;
use super::read::{CaseFile, Cases};

/// See [`assert_triggers!`](crate::assert_triggers). A relative path is below `package`.
#[track_caller]
pub fn assert(bundle: &Bundle, package: &str, path: &str) {
    let registry = Registry::new(bundle);
    let bytes = match std::fs::read(Path::new(package).join(path)) {
        Ok(bytes) => bytes,
        Err(error) => panic!("`{path}` cannot be read: {}", error.kind()),
    };
    let mut cases = Cases::new();
    let form = cases.read(&registry, &CaseFile { path, bytes: &bytes });
    assert!(
        form == Form::Cases,
        "`{path}` has no cases: write an array of {{\"query\": \"…\", \"should_trigger\": true}}"
    );
    let report = cases.judge(&registry);
    if !report.is_success() {
        let problems: String = report.problems.iter().map(|problem| format!("{problem}\n")).collect();
        panic!("{problems}{report}");
    }
    assert!(!report.cases.is_empty(), "`{path}` has no case that can be judged\n{report}");
}
