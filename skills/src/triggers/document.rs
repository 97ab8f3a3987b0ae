//! JSON, lines of JSON, CSV and YAML as one tree that knows its lines. Which one it is, the content says.
//!
//! `serde_json` checks JSON, and its raw values give the places. CSV is read by `csv`, YAML by `skills-source`, which
//! bounds it and knows places too. What the keys mean isn't known here.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use skills_source::source::Source;
use skills_source::subject::Subject;
use skills_source::yaml::{self, ScalarKind};

use super::forms;
use super::node::{Node, Value};

/// Why a text can't be read.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) line: usize,
    pub(super) message: String,
    pub(super) help: String,
}

/// How deep a tree is kept; no form of cases nests deeper.
const MAX_DEPTH: usize = 8;

/// The tree of a text; `None` if it is none of the four, or empty.
pub(super) fn parse(text: &str) -> Result<Option<Node>, Broken> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with(['[', '{']) {
        return json(text).map(Some);
    }
    if let Some(read) = csv(text) {
        return read.map(Some);
    }
    yaml(text)
}

fn json(text: &str) -> Result<Node, Broken> {
    let lines = Lines::of(text);
    let error = match serde_json::from_str::<&RawValue>(text) {
        Ok(raw) => return Ok(lines.node(raw, MAX_DEPTH)),
        Err(error) => error,
    };
    let rows = || text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let is_object =
        |line: &str| line.trim_start().starts_with('{') && serde_json::from_str::<&RawValue>(line).is_ok();
    if rows().count() < 2 || !rows().next().is_some_and(|(line, _)| is_object(line)) {
        return Err(not_json(error.line(), &error));
    }
    let row = |(line, number)| {
        let raw = serde_json::from_str::<&RawValue>(line).map_err(|error| not_json(number, &error))?;
        Ok(lines.node(raw, MAX_DEPTH))
    };
    Ok(Node { line: 1, value: Value::List(rows().map(row).collect::<Result<_, Broken>>()?) })
}

fn not_json(line: usize, error: &serde_json::Error) -> Broken {
    let words = error.to_string();
    let message = match words.rsplit_once(" at line ") {
        _ if error.is_eof() => "it ends too early",
        Some((message, _)) => message,
        None => words.as_str(),
    };
    Broken {
        line,
        message: format!("not valid JSON: {message}"),
        help: "fix it: no case of this file is read".to_owned(),
    }
}

/// A text, and where its lines begin.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let after = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(after).collect() }
    }

    /// The tree of a part of the text, cut at this depth: a raw value may nest to any.
    fn node(&self, raw: &'t RawValue, depth: usize) -> Node {
        let at = raw.get().as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        let line = self.starts.partition_point(|start| *start <= at);
        Node { line, value: self.value(raw.get(), depth).unwrap_or(Value::Null) }
    }

    fn value(&self, text: &'t str, depth: usize) -> Option<Value> {
        let node = |raw: &'t RawValue| self.node(raw, depth - 1);
        Some(match text.as_bytes().first()? {
            b'[' | b'{' if depth == 0 => Value::Null,
            b'[' => {
                let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
                Value::List(items.into_iter().map(node).collect())
            }
            b'{' => {
                let entries: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
                Value::Map(entries.into_iter().map(|(key, raw)| (key, node(raw))).collect())
            }
            b'"' => Value::Text(serde_json::from_str(text).ok()?),
            b't' | b'f' => Value::Bool(text == "true"),
            b'n' => Value::Null,
            _ => Value::Number(text.to_owned()),
        })
    }
}

/// The rows of a CSV whose head has the columns of cases; `None` for any other text.
fn csv(text: &str) -> Option<Result<Node, Broken>> {
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let head: Vec<String> =
        reader.headers().ok()?.iter().map(|name| name.trim().to_ascii_lowercase()).collect();
    let has = |keys: &[&str]| head.iter().any(|name| keys.contains(&name.as_str()));
    if !has(&forms::QUERY) || !(has(&forms::LABEL) || has(&[forms::EXPECTED])) {
        return None;
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => return Some(Err(not_csv(&error))),
        };
        let line = record.position().map_or(1, csv::Position::line) as usize;
        let cell = |(name, cell): (&String, &str)| {
            (name.clone(), Node { line, value: Value::Text(cell.to_owned()) })
        };
        rows.push(Node { line, value: Value::Map(head.iter().zip(&record).map(cell).collect()) });
    }
    Some(Ok(Node { line: 1, value: Value::List(rows) }))
}

fn not_csv(error: &csv::Error) -> Broken {
    let line = error.position().map_or(1, csv::Position::line) as usize;
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => Broken {
            line,
            message: format!("this row has {len} columns, the first line has {expected_len}"),
            help: "quote a value that has a comma in it".to_owned(),
        },
        _ => Broken { line, message: format!("not valid CSV: {error}"), help: "fix it".to_owned() },
    }
}

fn yaml(text: &str) -> Result<Option<Node>, Broken> {
    let (root, faults) = yaml::read(text, 0..text.len(), Subject::Definition);
    let source = Source::new("", text);
    let line = |offset: usize| source.line_column(offset).0 as usize;
    if let Some(fault) = faults.into_iter().next() {
        return Err(Broken { line: line(fault.span.start), message: fault.message, help: fault.help });
    }
    Ok(root
        .map(|root| of_yaml(root, &line))
        .filter(|root| matches!(root.value, Value::List(_) | Value::Map(_))))
}

fn of_yaml(node: yaml::Node, line: &impl Fn(usize) -> usize) -> Node {
    // A block begins with its first key.
    let start = match &node.value {
        yaml::Value::Map(entries) => entries.first().map_or(node.span.start, |entry| entry.key_span.start),
        _ => node.span.start,
    };
    let value = match node.value {
        yaml::Value::Scalar(scalar) => match scalar.kind {
            ScalarKind::Bool => Value::Bool(scalar.text.eq_ignore_ascii_case("true")),
            ScalarKind::Number => Value::Number(scalar.text),
            _ => Value::Text(scalar.text),
        },
        yaml::Value::List(items) => Value::List(items.into_iter().map(|item| of_yaml(item, line)).collect()),
        yaml::Value::Map(entries) => {
            Value::Map(entries.into_iter().map(|entry| (entry.key, of_yaml(entry.node, line))).collect())
        }
        yaml::Value::Tagged(_, inner) => return of_yaml(*inner, line),
        _ => Value::Null,
    };
    Node { line: line(start), value }
}
