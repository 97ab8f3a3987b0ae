//! Judges what one SKILL.md does not show by itself: the files beside it, and skills together.
//!
//! What stands in a frontmatter or body is judged in `skills-core`; here are the rules that need the
//! list of files, their contents, or all skills of the bundle. Levels are set by the caller.

mod catalogue;
mod files;
mod links;
mod look_alikes;
mod secrets;

use skills_source::code::Code;
use skills_source::finding::{Finding, Related};

pub(crate) use catalogue::check as catalogue;
pub(crate) use files::{check as files, clashing_directories};
pub(crate) use links::check as links;
pub(crate) use look_alikes::check as look_alikes;
pub(crate) use secrets::{check as secrets, hide as hide_secrets};

/// A finding at a place that is already known by line and column.
pub(crate) fn finding_at(code: Code, place: Related, message: String, label: &str, help: String) -> Finding {
    let mut finding = Finding::on_path(code, place.path, message, help);
    (finding.line, finding.column) = (place.line, place.column);
    finding.excerpt = place.excerpt;
    label.clone_into(&mut finding.label);
    finding
}
