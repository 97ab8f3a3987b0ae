//! The frontmatter field by field: it is in every prompt, and it sets what a skill may do.

use skills_source::frontmatter::{FIELDS, Frontmatter};
use skills_source::rules::Rules;
use skills_source::scan::SKILL_FILE;
use skills_source::skill;
use skills_source::source::Source;
use skills_source::yaml::{Node, Value};

use super::pair::Pair;
use super::{Change, Items, Kind};

/// Fields by which hosts run something or choose who runs it; not all of them mean something here.
const POWERS: [(&str, &str); 8] = [
    ("hooks", "commands that a host runs by itself"),
    ("model", "which model runs the skill"),
    ("context", "where the skill runs"),
    ("agent", "which agent runs the skill"),
    ("mcpServers", "servers that a host starts"),
    ("mcp-servers", "servers that a host starts"),
    ("permissions", "what a host permits"),
    ("permission-mode", "what a host permits"),
];

pub(super) struct Fields {
    /// Key, value, line.
    pub(super) entries: Vec<(String, String, u32)>,
    pub(super) tools: Vec<String>,
    pub(super) model_may_call: bool,
    pub(super) user_may_call: bool,
}

pub(super) fn find(pair: &Pair<'_>, items: &mut Items<'_, '_>) {
    let (Some(new), old) = (pair.skill_files().1, pair.skill_files().0) else { return };
    let has_changed = pair.files.iter().any(|file| file.path() == SKILL_FILE && file.is_news());
    if !has_changed {
        return;
    }
    let Some(fields) = read(pair.name, new) else {
        let what = "the frontmatter cannot be read, so no field of it is listed";
        items.file(Kind::Frontmatter, Change::Changed, SKILL_FILE, 1, what);
        return;
    };
    let before = old.and_then(|old| read(pair.name, old));
    if old.is_none() && pair.old.is_some_and(|old| old.files.iter().any(|file| file.line.path == SKILL_FILE))
    {
        let what = "the old frontmatter was not available: every field is shown";
        items.file(Kind::Frontmatter, Change::Changed, SKILL_FILE, 1, what);
    }
    if old.is_some() && before.is_none() {
        let what = "the old frontmatter cannot be read: every field is shown";
        items.file(Kind::Frontmatter, Change::Changed, SKILL_FILE, 1, what);
    }
    let old_entries = before.as_ref().map_or(&[][..], |fields| &fields.entries);
    for (key, value, line) in &fields.entries {
        let old = old_entries.iter().find(|(known, ..)| known == key).map(|(_, value, _)| value);
        if old == Some(value) {
            continue;
        }
        let change = if old.is_some() { Change::Changed } else { Change::Added };
        let item =
            items.file(Kind::Frontmatter, change, SKILL_FILE, *line, about(key, before.as_ref(), &fields));
        item.values(old.cloned(), Some(value.clone()));
    }
    for (key, value, line) in old_entries {
        if fields.entries.iter().all(|(known, ..)| known != key) {
            let what = about(key, before.as_ref(), &fields);
            items.file(Kind::Frontmatter, Change::Removed, SKILL_FILE, *line, what).old = Some(value.clone());
        }
    }
}

/// A field, and what its change means.
fn about(key: &str, before: Option<&Fields>, after: &Fields) -> String {
    let power = POWERS.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, what)| *what);
    let known = FIELDS.iter().find(|field| field.names.contains(&key));
    let meaning = match (power, known.map(skills_source::frontmatter::Field::name)) {
        (Some(power), _) => format!(": {power}"),
        (_, Some("allowed-tools")) => tools(before, after),
        (_, Some("disable-model-invocation")) => {
            may_call("a model", before.map(|it| it.model_may_call), after.model_may_call)
        }
        (_, Some("user-invocable")) => {
            may_call("a user", before.map(|it| it.user_may_call), after.user_may_call)
        }
        (_, Some("description" | "when_to_use")) => ": it is in every prompt".to_owned(),
        (_, Some(_)) => String::new(),
        (None, None) => ": a field that is not known here".to_owned(),
    };
    format!("`{key}`{meaning}")
}

/// The tools that are named now and weren't, and those that aren't any more.
fn tools(before: Option<&Fields>, after: &Fields) -> String {
    let Some(before) = before else { return String::new() };
    let lacking = |of: &[String], in_: &[String]| -> Vec<String> {
        of.iter().filter(|tool| !in_.contains(tool)).map(|tool| format!("`{tool}`")).collect()
    };
    let (more, fewer) = (lacking(&after.tools, &before.tools), lacking(&before.tools, &after.tools));
    let mut parts = Vec::new();
    if !more.is_empty() {
        parts.push(format!("adds {}", more.join(", ")));
    }
    if !fewer.is_empty() {
        parts.push(format!("takes away {}", fewer.join(", ")));
    }
    if after.tools.is_empty() && !before.tools.is_empty() {
        parts.push("no tool is named any more".to_owned());
    }
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join("; ")) }
}

fn may_call(who: &str, before: Option<bool>, after: bool) -> String {
    match (before, after) {
        (Some(before), after) if before == after => String::new(),
        (_, true) => format!(": {who} may call it now"),
        (_, false) => format!(": {who} may not call it"),
    }
}

/// The fields of a SKILL.md, with their values as they are read.
pub(super) fn read(name: &str, text: &str) -> Option<Fields> {
    let (skill, _) = skill::read(SKILL_FILE, name, text.as_bytes(), &Rules::default());
    let skill = skill?;
    let source = Source::new(SKILL_FILE, text.strip_prefix('\u{feff}').unwrap_or(text));
    let entries = skill.frontmatter.entries.iter().map(|entry| {
        let line = source.line_column(entry.key_span.start).0;
        (entry.key.clone(), value(&entry.node), line)
    });
    Some(Fields {
        entries: entries.collect(),
        tools: skill.frontmatter.allowed_tools.clone(),
        model_may_call: skill.frontmatter.model_may_call,
        user_may_call: skill.frontmatter.user_may_call,
    })
}

/// A text as it is, anything else as JSON.
fn value(node: &Node) -> String {
    match &node.value {
        Value::Scalar(scalar) => scalar.text.clone(),
        _ => Frontmatter::json(node),
    }
}
