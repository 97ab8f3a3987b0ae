//! Findings for the tests of the renderers.

use skills_source::code::Code;
use skills_source::finding::{Finding, Related};
use skills_source::source::Source;

/// A finding in line 2, about the first `part` of `line`. An empty part is the end of the line.
pub(super) fn finding(line: &str, part: &str) -> Finding {
    finding_at(2, line, part)
}

/// The same in another line.
pub(super) fn finding_at(number: u32, line: &str, part: &str) -> Finding {
    let mut place = related("skills/pdf-tools/SKILL.md", number, line, part);
    "this `_`".clone_into(&mut place.label);
    let (message, help) = ("`name` may hold only a-z, 0-9 and `-`", "write `name: pdf-tools`");
    Finding::at(place, Code::E009, message.to_owned(), help.to_owned())
}

/// A finding without a line to show.
pub(super) fn on_path(path: &str, message: &str) -> Finding {
    Finding::on_path(Code::E009, path.to_owned(), message.to_owned(), "see to it".to_owned())
}

/// A second place.
pub(super) fn related(path: &str, line: u32, text: &str, part: &str) -> Related {
    let above = "\n".repeat(line as usize - 1);
    let start = above.len() + if part.is_empty() { text.len() } else { text.find(part).unwrap() };
    Related::new(&Source::new(path, above + text), start..start + part.len(), "first given here")
}
