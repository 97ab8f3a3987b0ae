//! The forms in which people write tests of triggers, told apart by their keys.
//!
//! All forms come down to rows: a query, and whether a skill should be found by it. What differs is where the rows
//! are, and how a row says what it expects. Which skills there are isn't known here, and unknown keys are ignored.

use super::case::MAX_TOP_K;
use super::node::{Node, Value};

/// The keys of a query.
pub(super) const QUERY: [&str; 3] = ["query", "prompt", "input"];
/// The keys that say whether the skill should be found.
pub(super) const LABEL: [&str; 3] = ["should_trigger", "should_match", "expect_activation"];
/// The key of the skill that should be found; blank for none.
pub(super) const EXPECTED: &str = "expected_skill";
/// The same in one form. Tests of something else also have it, for a result.
const RESULT: &str = "expected";
/// The keys of a row's or a file's skill.
const SKILL: [&str; 2] = ["skill", "skill_name"];

/// Lists of rows that say what they expect.
const ROWS: [&str; 3] = ["queries", "cases", "test_cases"];
/// Lists of rows of which some may be tests of something else.
const MIXED: [&str; 3] = ["scenarios", "stimuli", "tests"];
/// Lists of rows that expect one thing.
const POLAR: [(&str, bool); 6] = [
    ("should_trigger_prompts", true),
    ("shouldTriggerPrompts", true),
    ("should_trigger", true),
    ("should_not_trigger_prompts", false),
    ("shouldNotTriggerPrompts", false),
    ("should_not_trigger", false),
];

/// What a text has that is meant to be one of these forms.
pub(super) const SIGNS: [&str; 10] = [
    "should_trigger",
    "should_not_trigger",
    "shouldTriggerPrompts",
    "should_match",
    "expect_activation",
    "expected_skill",
    "expect_skills",
    "routing_expect",
    "skill-used",
    "\"trigger\"",
];

/// A row, as it is written.
#[derive(Debug, PartialEq)]
pub(super) struct Row {
    pub(super) line: usize,
    pub(super) query: String,
    /// Its own skill, or the file's.
    pub(super) skill: Option<String>,
    pub(super) should_trigger: bool,
    pub(super) expects: Expects,
    /// Whether it may be a test of something else, unless its skill is one.
    pub(super) is_guess: bool,
    pub(super) owner: Option<String>,
    pub(super) top_k: Option<usize>,
}

/// How many skills a row expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expects {
    /// It doesn't say that none should be found.
    One,
    None,
    /// Any one of several.
    AnyOf,
}

const SAY_WHETHER: &str = "write `true` if the query should find the skill, else `false`";

/// What is wrong with a row: its line, what, and what to do.
#[derive(Debug, PartialEq)]
pub(super) struct Wrong {
    pub(super) line: usize,
    pub(super) message: String,
    pub(super) help: String,
}

/// The rows of a file, and what is wrong with others.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    pub(super) wrong: Vec<Wrong>,
}

/// Whether a file has tests of what a skill does once it is loaded.
pub(super) fn is_behaviour(root: &Node) -> bool {
    root.get("evals").is_some_and(|evals| evals.list().is_some())
}

/// The rows of a file; none if it has none of the forms.
pub(super) fn rows(root: &Node) -> Rows {
    let mut found = Rows::default();
    let skill = skill_of(root);
    let skill = skill.as_deref();
    if let Some(rows) = root.list() {
        found.take(rows, skill, None, true);
        return found;
    }
    for key in ROWS {
        found.take(list(root, key), skill, None, true);
    }
    for key in MIXED {
        found.take(list(root, key), skill, None, false);
    }
    for (key, should_trigger) in POLAR {
        found.take(list(root, key), skill, Some(should_trigger), true);
    }
    if let Some(trigger) = root.get("trigger") {
        found.take(list(trigger, "positive"), skill, Some(true), true);
        found.take(list(trigger, "negative"), skill, Some(false), true);
    }
    // One line of JSON is a document of its own.
    found.take(std::slice::from_ref(root), None, None, false);
    found
}

fn list<'n>(node: &'n Node, key: &str) -> &'n [Node] {
    node.get(key).and_then(Node::list).unwrap_or_default()
}

impl Rows {
    /// Takes the rows of a list. If none is a case, the list is something else.
    fn take(&mut self, nodes: &[Node], skill: Option<&str>, expects: Option<bool>, is_strict: bool) {
        let read: Vec<Result<Vec<Row>, NoCase>> =
            nodes.iter().map(|node| row(node, skill, expects)).collect();
        if !read.iter().any(|read| matches!(read, Ok(_) | Err(NoCase::Wrong(_)))) {
            return;
        }
        for (node, read) in nodes.iter().zip(read) {
            match read {
                Ok(rows) => self.rows.extend(rows),
                Err(NoCase::Wrong(wrong)) => self.wrong.push(wrong),
                Err(NoCase::Other { lacks, help }) if is_strict => {
                    let (message, help) = (format!("this row has no {lacks}"), help.to_owned());
                    self.wrong.push(Wrong { line: node.line, message, help });
                }
                Err(NoCase::Other { .. }) => {}
            }
        }
    }
}

/// Why a row isn't a case.
enum NoCase {
    /// It may be something else.
    Other { lacks: &'static str, help: &'static str },
    /// It is meant to be one.
    Wrong(Wrong),
}

impl NoCase {
    fn wrong(node: &Node, message: impl Into<String>, help: &str) -> Self {
        Self::Wrong(Wrong { line: node.line, message: message.into(), help: help.to_owned() })
    }
}

fn row(node: &Node, file_skill: Option<&str>, expects_all: Option<bool>) -> Result<Vec<Row>, NoCase> {
    let skill = skill_of(node).or_else(|| file_skill.map(str::to_owned));
    let mut expects = if node.get(EXPECTED).is_some_and(is_blank) { Expects::None } else { Expects::One };
    let mut is_guess = false;
    let expected = match (expects_all, label(node)?) {
        (Some(should_trigger), _) => vec![(skill, should_trigger)],
        (None, Some(should_trigger)) => {
            let own = node.get(EXPECTED).and_then(Node::text).filter(|name| !name.is_empty());
            vec![(own.map(str::to_owned).or(skill), should_trigger)]
        }
        (None, None) => {
            let mut named = named(node, skill.as_ref());
            if named.is_empty()
                && let Some((of_result, name)) = result(node)
            {
                (expects, is_guess) = (of_result, true);
                named.push((name.or(skill), of_result != Expects::None));
            }
            named
        }
    };
    let other = |lacks, help| NoCase::Other { lacks, help };
    if expected.is_empty() {
        return Err(other("`should_trigger`", SAY_WHETHER));
    }
    let Some(query) = query(node, expects_all.is_some())? else {
        return Err(other("`query`", "write what the user says"));
    };
    if query.is_empty() {
        return Err(NoCase::wrong(node, "the query is blank", "write what the user says"));
    }
    let (top_k, owner) = (top_k(node)?, owner(node)?);
    let row = |(skill, should_trigger): (Option<String>, bool)| Row {
        line: node.line,
        query: query.to_owned(),
        skill,
        should_trigger,
        expects,
        is_guess,
        owner: owner.filter(|_| !should_trigger).map(str::to_owned),
        top_k: top_k.filter(|_| should_trigger),
    };
    Ok(expected.into_iter().map(row).collect())
}

fn top_k(node: &Node) -> Result<Option<usize>, NoCase> {
    let Some(given) = node.get("top_k").filter(|node| !is_blank(node)) else { return Ok(None) };
    match number(given).filter(|rank| (1..=MAX_TOP_K).contains(rank)) {
        None => {
            let message = format!("`top_k` must be a number from 1 to {MAX_TOP_K}");
            Err(NoCase::wrong(node, message, "leave it out for the first 3"))
        }
        some => Ok(some),
    }
}

fn owner(node: &Node) -> Result<Option<&str>, NoCase> {
    let Some(given) = node.get("owner").filter(|node| !is_blank(node)) else { return Ok(None) };
    match given.text() {
        None => {
            let help = "write the name of the skill that should be found instead";
            Err(NoCase::wrong(node, "`owner` must be a string", help))
        }
        some => Ok(some),
    }
}

/// The query of a row; where a list expects one thing, a row may be the query itself.
fn query<'n>(node: &'n Node, may_be_bare: bool) -> Result<Option<&'n str>, NoCase> {
    if may_be_bare && let Some(text) = node.text() {
        return Ok(Some(text));
    }
    // In some forms `input` is the query, in others it has it.
    let places = [Some(node), node.get("vars"), node.get("input")];
    let is_value = |node: &&Node| !matches!(node.value, Value::Map(_));
    let in_place =
        |place: &'n Node| QUERY.iter().find_map(|key| Some((*key, place.get(key).filter(is_value)?)));
    let given = places.into_iter().flatten().find_map(in_place);
    match given {
        None => Ok(None),
        Some((_, node)) if node.text().is_some() => Ok(node.text()),
        Some((key, node)) => {
            Err(NoCase::wrong(node, format!("`{key}` must be a string"), "put it in quotes"))
        }
    }
}

/// What a row expects of its skill, if it says so without naming one.
fn label(node: &Node) -> Result<Option<bool>, NoCase> {
    // A list under such a key is one of rows.
    let given = LABEL.iter().find_map(|key| Some((key, node.get(key).filter(|node| node.list().is_none())?)));
    if let Some((key, value)) = given {
        let message = || format!("`{key}` must be `true` or `false`");
        let label = truth(value).ok_or_else(|| NoCase::wrong(value, message(), SAY_WHETHER))?;
        return Ok(Some(label));
    }
    let kind =
        |key: &str, known: &[&str]| node.get(key).and_then(Node::text).filter(|text| known.contains(text));
    if let Some(expected) = kind("expected", &["trigger", "no_trigger"]) {
        return Ok(Some(expected == "trigger"));
    }
    Ok(kind("type", &["explicit", "implicit", "contextual", "negative"]).map(|kind| kind != "negative"))
}

/// The skills that a row names as expected, or as not expected.
fn named(node: &Node, skill: Option<&String>) -> Vec<(Option<String>, bool)> {
    if let Some(expected) = node.get(EXPECTED) {
        return match expected.text().filter(|name| !name.is_empty()) {
            Some(name) => vec![(Some(name.to_owned()), true)],
            None if is_blank(expected) => vec![(skill.cloned(), false)],
            None => Vec::new(),
        };
    }
    let mut all = Vec::new();
    let mut add = |names: Option<&Node>, should_trigger| {
        let one = names.and_then(Node::text);
        let several = names.and_then(Node::list).unwrap_or_default().iter().filter_map(Node::text);
        let names = one.into_iter().chain(several).filter(|name| !matches!(*name, "" | "*"));
        all.extend(names.map(|name| (Some(name.to_owned()), should_trigger)));
    };
    let constraints = node.get("constraints");
    add(constraints.and_then(|given| given.get("expect_skills")), true);
    add(constraints.and_then(|given| given.get("reject_skills")), false);
    let routing = node.get("routing_expect");
    add(routing.and_then(|given| given.get("must_include")), true);
    add(routing.and_then(|given| given.get("must_not_include")), false);
    for assertion in list(node, "assert") {
        match assertion.get("type").and_then(Node::text) {
            Some("skill-used") => add(assertion.get("value"), true),
            Some("not-skill-used") => add(assertion.get("value"), false),
            _ => {}
        }
    }
    all
}

/// What a row names as its result, if that may be a skill.
fn result(node: &Node) -> Option<(Expects, Option<String>)> {
    let (_, result) = (node.get("input")?.text()?, node.get(RESULT)?);
    let name = |node: &Node| node.text().filter(|name| !name.is_empty()).map(str::to_owned);
    match result.list() {
        None if is_blank(result) => Some((Expects::None, None)),
        None => Some((Expects::One, Some(name(result)?))),
        Some([one]) => Some((Expects::One, Some(name(one)?))),
        Some(several) => Some((Expects::AnyOf, Some(name(several.first()?)?))),
    }
}

fn skill_of(node: &Node) -> Option<String> {
    let names = SKILL.iter().filter_map(|key| node.get(key)?.text());
    names.filter(|name| !name.is_empty()).map(str::to_owned).next()
}

/// A boolean; in CSV it is text.
fn truth(node: &Node) -> Option<bool> {
    let word = match &node.value {
        Value::Bool(truth) => return Some(*truth),
        Value::Text(text) | Value::Number(text) => text.trim(),
        _ => return None,
    };
    let is = |words: [&str; 3]| words.iter().any(|known| word.eq_ignore_ascii_case(known));
    if is(["true", "yes", "1"]) {
        return Some(true);
    }
    is(["false", "no", "0"]).then_some(false)
}

fn number(node: &Node) -> Option<usize> {
    match &node.value {
        Value::Number(text) | Value::Text(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// Whether a value is missing in effect, as an empty cell of CSV is.
fn is_blank(node: &Node) -> bool {
    matches!(node.value, Value::Null) || node.text().is_some_and(str::is_empty)
}
