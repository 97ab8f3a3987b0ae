//! The file of reviews beside a lock, opened for a command.

use std::path::Path;

use skills_bundle::reviews::{REVIEWS_FILE, Reviews};

use crate::failure::Failure;
use crate::form::Form;
use crate::output;

/// The reviews of a project.
///
/// # Errors
///
/// If the file isn't understood.
pub(crate) fn open(file: &Path, shown: &str, form: Form) -> Result<Reviews, Failure> {
    Reviews::open(file, shown).map_err(|findings| {
        if form == Form::Text {
            output::tell_findings(&findings);
        }
        let (why, help) = findings.first().map_or(("", ""), |finding| (&finding.message, &finding.help));
        let place =
            findings.first().map_or(String::new(), |finding| format!("{}:{}", finding.path, finding.line));
        Failure::other("REVIEWS_UNREADABLE", format!("the reviews cannot be read: {place}: {why}"), help)
    })
}

/// Refuses criteria that nobody described, such as a misspelt one.
pub(crate) fn known(reviews: &Reviews, criteria: &[String]) -> Result<(), Failure> {
    let Some(criterion) = criteria.iter().find(|criterion| !reviews.knows(criterion)) else { return Ok(()) };
    let help = format!("describe it in `{REVIEWS_FILE}`: `[criteria.{criterion}]` with a `description`");
    Err(Failure::other("CRITERION", format!("the criterion `{criterion}` is not described"), help))
}
