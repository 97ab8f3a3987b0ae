//! Findings for the tests of the renderers.

use skills_source::code::Code;
use skills_source::finding::{Finding, Related};
use skills_source::place::Place;

/// A finding in line 2, about the first `part` of `line`. An empty part is the end of the line.
pub(super) fn finding(line: &str, part: &str) -> Finding {
    let mut finding = on_path("skills/pdf-tools/SKILL.md", "`name` may hold only a-z, 0-9 and `-`");
    let place = related(&finding.path, 2, line, part);
    (finding.line, finding.column) = (place.line, place.column);
    finding.excerpt = place.excerpt;
    "this `_`".clone_into(&mut finding.label);
    "write `name: pdf-tools`".clone_into(&mut finding.help);
    finding
}

/// A finding without a line to show.
pub(super) fn on_path(path: &str, message: &str) -> Finding {
    Finding::on_path(Code::E009, path.to_owned(), message.to_owned(), "see to it".to_owned())
}

/// A second place.
pub(super) fn related(path: &str, line: u32, text: &str, part: &str) -> Related {
    let start = if part.is_empty() { text.len() } else { text.find(part).unwrap() };
    let mut place = Place::new(path, text).related(start..start + part.len(), "first given here".to_owned());
    place.line = line;
    place
}
