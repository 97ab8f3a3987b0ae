//! Reads the file of reviews. What can't be understood is an error with its place: a review that is misread would
//! be one that nobody wrote.

use std::fs;
use std::ops::Range;
use std::path::Path;

use skills_source::code::Code;
use skills_source::fault::Fault;
use skills_source::finding::Finding;
use skills_source::scan::in_words;
use skills_source::source::Source;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{REVIEWED, Review, Reviewed, Reviews, VERSION};
use crate::lock::{Digest, conflict};

/// The most bytes of the file.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

const KEYS: &str = "an entry has `who`, `date`, `criteria`, `digest` or `delta`, and `notes`";

impl Reviews {
    /// Reads the file, which is shown as `path`. A file that isn't there has no reviews.
    ///
    /// # Errors
    ///
    /// Findings at deny (E017) if it can't be read or isn't understood.
    #[allow(clippy::disallowed_methods, reason = "it is no file of a skill")]
    pub fn open(file: &Path, path: &str) -> Result<Self, Vec<Finding>> {
        let unreadable = |message: String| {
            let help = "look at the file and its permissions".to_owned();
            vec![Finding::on_path(Code::E017, path.to_owned(), message, help)]
        };
        match fs::metadata(file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(unreadable(in_words(&error).to_owned())),
            Ok(metadata) if metadata.len() > MAX_BYTES => {
                return Err(unreadable(format!("the file is longer than {} MiB", MAX_BYTES >> 20)));
            }
            Ok(_) => {}
        }
        let bytes = fs::read(file).map_err(|error| unreadable(in_words(&error).to_owned()))?;
        match String::from_utf8(bytes) {
            Ok(text) => Self::read(path, &text),
            Err(_) => Err(unreadable("the file is not UTF-8".to_owned())),
        }
    }

    /// Reads the text of the file, which is shown as `path`.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn read(path: &str, text: &str) -> Result<Self, Vec<Finding>> {
        let (reviews, faults) = parse(text);
        if faults.is_empty() {
            return Ok(reviews);
        }
        let source = Source::new(path, text);
        Err(faults.into_iter().map(|fault| Finding::new(&source, fault)).collect())
    }
}

fn fault(span: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Fault {
    Fault::new(Code::E017, span, message.into()).help(help.into())
}

fn parse(text: &str) -> (Reviews, Vec<Fault>) {
    let (mut reviews, mut faults) = (Reviews::default(), Vec::new());
    if let Some(span) = conflict(text) {
        let help = "resolve the conflict: keep the entries of both sides, each whole";
        return (reviews, vec![fault(span, "the file has conflict markers", help)]);
    }
    let root = match DeTable::parse(text) {
        Ok(root) => root.into_inner(),
        Err(error) => {
            let message = format!("the file is not valid TOML: {}", error.message().replace('\n', "; "));
            let help = "correct it by hand, or restore it from version control";
            return (reviews, vec![fault(error.span().unwrap_or(0..0), message, help)]);
        }
    };
    let version = root
        .get("version")
        .map(|value| (value.get_ref().as_integer().map(ToString::to_string), value.span()));
    match version {
        None => {
            return (
                reviews,
                vec![fault(0..0, "the file has no `version`", "write `version = 1` at its start")],
            );
        }
        Some((number, span)) if number.as_deref() != Some(&VERSION.to_string()) => {
            let shown = number.unwrap_or_else(|| "that isn't a number".to_owned());
            let message = format!("the file has a version that is not known here: {shown}");
            let help = "use the version of this program that wrote it, or a later one";
            return (reviews, vec![fault(span, message, help)]);
        }
        Some(_) => {}
    }
    for (name, value) in &root {
        match name.get_ref().as_ref() {
            "version" => {}
            "criteria" => reviews.criteria = criteria(value, &mut faults),
            "reviews" => reviews.reviews = entries(value, &mut faults),
            other => {
                let help = "the file has `version`, `[criteria.NAME]` and `[[reviews.SKILL]]`";
                faults.push(fault(name.span(), format!("`{other}` is not known here"), help));
            }
        }
    }
    reviews.reviews.sort_by_key(|review| review.place.start);
    for review in &reviews.reviews {
        for criterion in review.criteria.iter().filter(|criterion| !reviews.knows(criterion)) {
            let help = format!("describe it under `[criteria.{criterion}]`, or write `{REVIEWED}`");
            faults.push(fault(
                review.place.clone(),
                format!("the criterion `{criterion}` is not described"),
                help,
            ));
        }
    }
    (reviews, faults)
}

type Value<'v> = Spanned<DeValue<'v>>;

fn criteria(value: &Value<'_>, faults: &mut Vec<Fault>) -> Vec<(String, String)> {
    let Some(table) = value.get_ref().as_table() else {
        faults.push(fault(value.span(), "`criteria` must be tables", "write `[criteria.NAME]`"));
        return Vec::new();
    };
    let mut criteria = Vec::new();
    for (name, value) in table {
        let help = "write `description = \"…\"`, and nothing else";
        let described = value.get_ref().as_table().filter(|table| table.len() == 1);
        let description =
            described.and_then(|table| table.get("description")?.get_ref().as_str().map(str::to_owned));
        match description.filter(|text| !text.trim().is_empty()) {
            Some(text) => criteria.push((name.get_ref().to_string(), text)),
            None => faults.push(fault(name.span(), "a criterion has a description", help)),
        }
    }
    criteria
}

fn entries(value: &Value<'_>, faults: &mut Vec<Fault>) -> Vec<Review> {
    let wrong = |span| fault(span, "`reviews` must be lists of tables", "write `[[reviews.SKILL]]`");
    let Some(table) = value.get_ref().as_table() else {
        faults.push(wrong(value.span()));
        return Vec::new();
    };
    let mut reviews = Vec::new();
    for (skill, entries) in table {
        let Some(entries) = entries.get_ref().as_array() else {
            faults.push(wrong(skill.span()));
            continue;
        };
        for entry in entries {
            match entry.get_ref().as_table() {
                Some(table) => reviews.extend(review(skill.get_ref(), table, entry.span(), faults)),
                None => faults.push(wrong(entry.span())),
            }
        }
    }
    reviews
}

/// One entry; `None` after a fault.
fn review(skill: &str, table: &DeTable<'_>, span: Range<usize>, faults: &mut Vec<Fault>) -> Option<Review> {
    let before = faults.len();
    let (mut who, mut date, mut criteria, mut notes, mut what) = (None, None, Vec::new(), None, None);
    let mut has_what = false;
    for (name, value) in table {
        match name.get_ref().as_ref() {
            "who" => who = text(value, faults),
            "date" => date = self::date(value, faults),
            "criteria" => criteria = strings(value, faults),
            "notes" => notes = text(value, faults),
            key @ ("digest" | "delta") => {
                if std::mem::replace(&mut has_what, true) {
                    let help = "write two entries, or leave out one of them";
                    faults.push(fault(name.span(), "an entry has `digest` or `delta`, not both", help));
                }
                what = reviewed(key, value, faults);
            }
            other => faults.push(fault(name.span(), format!("`{other}` is not known here"), KEYS)),
        }
    }
    if faults.len() > before {
        return None;
    }
    let Some(who) = who.filter(|who| !who.trim().is_empty()) else {
        faults.push(fault(span, "the entry has no `who`", KEYS));
        return None;
    };
    let Some(what) = what else {
        faults.push(fault(span, "the entry has neither `digest` nor `delta`", KEYS));
        return None;
    };
    criteria.retain(|criterion| criterion != REVIEWED);
    Some(Review { skill: skill.to_owned(), who, date, criteria, what, notes, place: span })
}

fn text(value: &Value<'_>, faults: &mut Vec<Fault>) -> Option<String> {
    let text = value.get_ref().as_str();
    if text.is_none() {
        faults.push(fault(value.span(), "expected a string", "put it in quotes"));
    }
    text.map(str::to_owned)
}

fn strings(value: &Value<'_>, faults: &mut Vec<Fault>) -> Vec<String> {
    match value.get_ref().as_array() {
        Some(items) => items.iter().filter_map(|item| text(item, faults)).collect(),
        None => text(value, faults).into_iter().collect(),
    }
}

fn date(value: &Value<'_>, faults: &mut Vec<Fault>) -> Option<String> {
    if let DeValue::Datetime(date) = value.get_ref()
        && date.time.is_none()
        && date.offset.is_none()
    {
        return Some(date.to_string());
    }
    faults.push(fault(value.span(), "expected a date", "write it as `2026-11-30`, without quotes"));
    None
}

fn reviewed(key: &str, value: &Value<'_>, faults: &mut Vec<Fault>) -> Option<Reviewed> {
    let text = text(value, faults)?;
    let read = match key {
        "digest" => text.parse().map(Reviewed::Whole),
        _ => match text.split_once(" -> ") {
            Some((from, to)) => from.parse().and_then(|from: Digest| Ok(Reviewed::Delta(from, to.parse()?))),
            None => Err("expected two digests with ` -> ` between them"),
        },
    };
    read.map_err(|why| {
        let help = format!("copy digests from `{}`", crate::lock::LOCK_FILE);
        faults.push(fault(value.span(), why, help));
    })
    .ok()
}
