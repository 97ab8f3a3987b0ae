//! The forms in which answers print a skill's place, and those in which models write its name.
//!
//! What is printed is taken back: the path of `load`, and the address in a catalogue. Other forms are not
//! found, but say which name may be meant. A path is compared and never opened.

use super::layer::Place;
use super::layers::Layers;
use skills_pack::with_normalised;

/// The skill that a printed place names: `skill://pdf/SKILL.md`, `skills/pdf`, `pdf/SKILL.md`.
pub(super) fn find(layers: &Layers<'_>, query: &str) -> Option<Place> {
    let query = bare(query);
    let address = query.strip_prefix("skill://");
    let place = address.unwrap_or(query);
    let given = place.strip_suffix("/SKILL.md").unwrap_or(place);
    let directory = given.trim_end_matches('/');
    if directory.len() < given.len() && !directory.contains('/') {
        return None;
    }
    if directory.is_empty() || (address.is_none() && !query.contains('/')) {
        return None;
    }
    let by_name = || with_normalised(directory, |name| layers.find(name));
    let by_path = || layers.at_path(directory);
    match address {
        Some(_) => by_name(),
        None if directory.contains('/') => by_path(),
        None => by_name().or_else(by_path),
    }
}

/// The name in a form that is not printed: `skill:pdf`, `acme:pdf`, `$pdf`, `plugins/acme/pdf`.
pub(super) fn last_word(query: &str) -> Option<&str> {
    let query = bare(query);
    let directory = query.strip_suffix("/SKILL.md").unwrap_or(query).trim_end_matches('/');
    let word = directory.rsplit([':', '/', '$', '@', '#', '\\']).next()?;
    (word.len() < query.len() && !word.is_empty()).then_some(word)
}

/// The words of a sentence that may each be a name, as in `the pdf_forms skill` or `<skill>pdf-forms</skill>`.
pub(super) fn words(query: &str) -> impl Iterator<Item = &str> {
    let end = query.char_indices().nth(MAX_SENTENCE).map_or(query.len(), |(at, _)| at);
    let is_in_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    query[..end].split(move |c| !is_in_name(c)).filter(|word| !word.is_empty())
}

/// How many characters of a sentence are looked at.
const MAX_SENTENCE: usize = 200;

/// Without blanks and one pair of `**` or backticks around it.
fn bare(query: &str) -> &str {
    let query = query.trim();
    let inside = ["**", "`"].iter().find_map(|wrap| query.strip_prefix(wrap)?.strip_suffix(wrap));
    inside.unwrap_or(query).trim()
}
