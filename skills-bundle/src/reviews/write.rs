//! Adds an entry to the file, and leaves every other byte as it is: people edit it by hand.

use std::fmt;

use skills_source::finding::Finding;

use super::{REVIEWED, REVIEWS_FILE, Review, Reviewed, Reviews, VERSION};
use crate::lock::{key, quoted};

/// The start of a new file.
const HEAD: &str =
    "# Who reviewed which skills, by the digests in skill-sources.lock. `skills review` adds entries.";

/// Why an entry can't be added.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum AddError {
    /// The file can't be read as it is.
    Unreadable(Vec<Finding>),
    /// The entry can't be put into this file by itself.
    NoPlace,
}

impl fmt::Display for AddError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(_) => write!(f, "`{REVIEWS_FILE}` cannot be read"),
            Self::NoPlace => write!(f, "`{REVIEWS_FILE}` has a form to which nothing can be added"),
        }
    }
}

impl std::error::Error for AddError {}

/// The text of the file with one more entry: behind those of its skill, so that two people who review different
/// skills don't meet in a merge.
///
/// # Errors
///
/// If the file can't be read, or has a form to which nothing can be added. What is returned was read again, and
/// has exactly one entry more.
pub fn with(text: &str, review: &Review) -> Result<String, AddError> {
    let text =
        if text.trim().is_empty() { format!("{HEAD}\nversion = {VERSION}\n") } else { text.to_owned() };
    let before = Reviews::read(REVIEWS_FILE, &text).map_err(AddError::Unreadable)?;
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let entry = review.to_string().replace('\n', line_end);
    for at in [place(&text, &review.skill), text.len()] {
        let (above, below) = text.split_at(at);
        let above = above.trim_end_matches(['\r', '\n']);
        let behind = if below.is_empty() { "" } else { line_end };
        let new = format!("{above}{line_end}{line_end}{entry}{behind}{below}");
        if is_one_more(&before, review, &new) {
            return Ok(new);
        }
    }
    Err(AddError::NoPlace)
}

/// Where an entry goes: behind those of its skill, else before those of the next one, with the comments above.
fn place(text: &str, skill: &str) -> usize {
    let (mut at, mut start, mut is_own, mut own, mut next) = (0, None, false, None, None);
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        if trimmed.starts_with('[') {
            let header = start.unwrap_or(at);
            if is_own {
                own = Some(header);
            }
            let name = trimmed.strip_prefix("[[reviews.").and_then(|rest| rest.strip_suffix("]]"));
            let name = name.map(|name| name.trim_matches('"'));
            is_own = name == Some(skill);
            if name.is_some_and(|name| name > skill) && next.is_none() {
                next = Some(header);
            }
        }
        at += line.len();
        // Comments right above a header belong to it.
        start = if trimmed.starts_with('#') { start.or(Some(at - line.len())) } else { None };
    }
    if is_own { text.len() } else { own.or(next).unwrap_or(text.len()) }
}

fn is_one_more(before: &Reviews, review: &Review, text: &str) -> bool {
    let Ok(after) = Reviews::read(REVIEWS_FILE, text) else { return false };
    let plain = |review: &Review| Review { place: 0..0, ..review.clone() };
    let mut left: Vec<Review> = after.reviews.iter().map(plain).collect();
    for known in before.reviews.iter().chain([review]).map(plain) {
        let Some(at) = left.iter().position(|other| *other == known) else { return false };
        left.remove(at);
    }
    left.is_empty() && after.criteria == before.criteria
}

impl fmt::Display for Review {
    /// The entry as TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[[reviews.{}]]\nwho = {}", key(&self.skill), quoted(&self.who))?;
        if let Some(date) = &self.date {
            writeln!(f, "date = {date}")?;
        }
        match &self.criteria[..] {
            [] => writeln!(f, "criteria = {}", quoted(REVIEWED))?,
            [one] => writeln!(f, "criteria = {}", quoted(one))?,
            several => {
                let several: Vec<String> = several.iter().map(|one| quoted(one)).collect();
                writeln!(f, "criteria = [{}]", several.join(", "))?;
            }
        }
        match self.what {
            Reviewed::Whole(digest) => writeln!(f, "digest = \"{digest}\"")?,
            Reviewed::Delta(from, to) => writeln!(f, "delta = \"{from} -> {to}\"")?,
        }
        self.notes.iter().try_for_each(|notes| writeln!(f, "notes = {}", quoted(notes)))
    }
}
