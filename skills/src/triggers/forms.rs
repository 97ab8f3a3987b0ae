//! The forms in which people write tests of triggers, told apart by their keys.
//!
//! All forms come down to rows: a query, and whether a skill should be found by it. What differs is where the rows
//! are, and how a row says what it expects. Which skills there are isn't known here, and unknown keys are ignored.

use super::case::MAX_TOP_K;
use super::document::{Node, Value};

/// The keys of a query.
pub(super) const QUERY: [&str; 3] = ["query", "prompt", "input"];
/// The keys that say whether the skill should be found.
pub(super) const LABEL: [&str; 3] = ["should_trigger", "should_match", "expect_activation"];
/// The key of the skill that should be found; blank for none.
pub(super) const EXPECTED: &str = "expected_skill";
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
pub(super) const SIGNS: [&str; 9] = [
    "should_trigger",
    "should_not_trigger",
    "shouldTriggerPrompts",
    "should_match",
    "expect_activation",
    "expected_skill",
    "expect_skills",
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
    /// Whether it says that no skill should be found.
    pub(super) expects_none: bool,
    pub(super) owner: Option<String>,
    pub(super) top_k: Option<usize>,
}

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

fn row(node: &Node, file_skill: Option<&str>, expects: Option<bool>) -> Result<Vec<Row>, NoCase> {
    let wrong =
        |line, message: String, help: &str| NoCase::Wrong(Wrong { line, message, help: help.to_owned() });
    let skill = skill_of(node).or_else(|| file_skill.map(str::to_owned));
    let mut expected = match (expects, label(node)?) {
        (Some(should_trigger), _) => vec![(skill, should_trigger)],
        (None, Some(should_trigger)) => {
            let own = node.get(EXPECTED).and_then(Node::text).filter(|name| !name.is_empty());
            vec![(own.map(str::to_owned).or(skill), should_trigger)]
        }
        (None, None) => named(node, skill.as_ref()),
    };
    let query = query(node, expects.is_some())?;
    let Some(query) = query.filter(|_| !expected.is_empty()) else {
        let (lacks, help) = if expected.is_empty() {
            ("`should_trigger`", "write `true` if the query should find the skill, else `false`")
        } else {
            ("`query`", "write what the user says")
        };
        return Err(NoCase::Other { lacks, help });
    };
    if query.is_empty() {
        return Err(wrong(node.line, "the query is blank".to_owned(), "write what the user says"));
    }
    let top_k = match node.get("top_k").filter(|node| !is_blank(node)) {
        None => None,
        Some(node) => match number(node).filter(|rank| (1..=MAX_TOP_K).contains(rank)) {
            None => {
                let message = format!("`top_k` must be a number from 1 to {MAX_TOP_K}");
                return Err(wrong(node.line, message, "leave it out for the first 3"));
            }
            some => some,
        },
    };
    let owner = match node.get("owner").filter(|node| !is_blank(node)) {
        None => None,
        Some(node) => match node.text() {
            None => {
                let help = "write the name of the skill that should be found instead";
                return Err(wrong(node.line, "`owner` must be a string".to_owned(), help));
            }
            some => some.map(str::to_owned),
        },
    };
    let row = |(skill, should_trigger): (Option<String>, bool)| Row {
        line: node.line,
        query: query.to_owned(),
        skill,
        should_trigger,
        expects_none: node.get(EXPECTED).is_some_and(is_blank),
        owner: owner.clone().filter(|_| !should_trigger),
        top_k: top_k.filter(|_| should_trigger),
    };
    Ok(expected.drain(..).map(row).collect())
}

/// The query of a row; where a list expects one thing, a row may be the query itself.
fn query(node: &Node, may_be_bare: bool) -> Result<Option<&str>, NoCase> {
    if may_be_bare && let Some(text) = node.text() {
        return Ok(Some(text));
    }
    let places = [Some(node), node.get("vars")];
    let given = places
        .into_iter()
        .flatten()
        .find_map(|place| QUERY.iter().find_map(|key| Some((key, place.get(key)?))));
    match given {
        None => Ok(None),
        Some((_, node)) if node.text().is_some() => Ok(node.text()),
        Some((key, node)) => Err(NoCase::Wrong(Wrong {
            line: node.line,
            message: format!("`{key}` must be a string"),
            help: "put it in quotes".to_owned(),
        })),
    }
}

/// What a row expects of its skill, if it says so without naming one.
fn label(node: &Node) -> Result<Option<bool>, NoCase> {
    // A list under such a key is one of rows.
    let given = LABEL.iter().find_map(|key| Some((key, node.get(key).filter(|node| node.list().is_none())?)));
    if let Some((key, value)) = given {
        return match truth(value) {
            Some(label) => Ok(Some(label)),
            None => Err(NoCase::Wrong(Wrong {
                line: value.line,
                message: format!("`{key}` must be `true` or `false`"),
                help: "write `true` if the query should find the skill, else `false`".to_owned(),
            })),
        };
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
    for assertion in list(node, "assert") {
        match assertion.get("type").and_then(Node::text) {
            Some("skill-used") => add(assertion.get("value"), true),
            Some("not-skill-used") => add(assertion.get("value"), false),
            _ => {}
        }
    }
    all
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
