//! Fixes the bytes of one SKILL.md: applies the edits that findings carry, each only if it does what was
//! meant.
//!
//! The file is read before and after. Every field must have the value that it had, except the edited
//! one, which must have the value that was meant; everything outside the frontmatter must be the same
//! bytes. So an edit that the parser would understand in another way is never made.

use crate::code::Code;
use crate::document::{self, Document};
use crate::finding::{Edit, Finding};
use crate::rules::Rules;
use crate::skill;
use crate::yaml::{Entry, Node, Scalar, Value};

/// A SKILL.md after its fixes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fixed {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// The findings that are fixed, in the order in which they were fixed, with the places they had then.
    pub findings: Vec<Finding>,
}

/// How many edits of one file are tried.
const MAX_EDITS: usize = 256;

/// Fixes the SKILL.md with these `bytes`; `None` where nothing can be fixed. `path` is the file's path
/// to be shown, `dir_name` the name of its directory.
///
/// Fixing a fixed file changes nothing more. Only findings that are `wanted` are fixed.
pub fn fix_skill(
    path: &str,
    dir_name: &str,
    bytes: &[u8],
    rules: &Rules,
    wanted: impl Fn(&Finding) -> bool,
) -> Option<Fixed> {
    let read = |bytes: &[u8]| skill::read(path, dir_name, bytes, rules);
    let mut bytes = bytes.to_vec();
    let mut fixed = Vec::new();
    let mut before = read(&bytes);
    let mut tried = 0;
    'again: loop {
        let findings = before.1.iter().filter(|finding| wanted(finding));
        let edits: Vec<(Finding, Edit)> =
            findings.filter_map(|finding| Some((finding.clone(), finding.edit.clone()?))).collect();
        for (finding, edit) in edits {
            tried += 1;
            if tried > MAX_EDITS {
                break 'again;
            }
            let Some(edited) = applied(&bytes, &edit) else { continue };
            let after = read(&edited);
            if is_as_meant(&Reading::new(&bytes, &before), &Reading::new(&edited, &after), &finding, &edit) {
                fixed.push(finding);
                (bytes, before) = (edited, after);
                continue 'again;
            }
        }
        break;
    }
    (!fixed.is_empty()).then_some(Fixed { bytes, findings: fixed })
}

/// The bytes after the edit.
fn applied(bytes: &[u8], edit: &Edit) -> Option<Vec<u8>> {
    let text = document::decode(bytes).ok()?;
    let mark_len = bytes.len() - text.len();
    let (before, after) = (text.get(..edit.span.start)?, text.get(edit.span.end..)?);
    Some([&bytes[..mark_len], before.as_bytes(), edit.text.as_bytes(), after.as_bytes()].concat())
}

/// What was read of one version of the file.
struct Reading<'r> {
    text: &'r str,
    entries: &'r [Entry],
    findings: &'r [Finding],
}

impl<'r> Reading<'r> {
    fn new(bytes: &'r [u8], (skill, findings): &'r (Option<skill::SkillText>, Vec<Finding>)) -> Self {
        let entries = skill.as_ref().map_or(&[][..], |skill| &skill.frontmatter.entries);
        Self { text: document::decode(bytes).unwrap_or_default(), entries, findings }
    }

    fn count(&self, code: Code) -> usize {
        self.findings.iter().filter(|finding| finding.code == code).count()
    }

    /// Whether no line between the fences could be one of the body: a heading reads as a comment there, and a paragraph
    /// begins after an empty line.
    fn has_only_fields(&self) -> bool {
        let may_be_body = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
        document::split(self.text).is_ok_and(|found| !self.text[found.frontmatter].lines().any(may_be_body))
    }

    fn outside(&self) -> Option<(&'r str, &'r str)> {
        let Document { frontmatter, .. } = document::split(self.text).ok()?;
        Some((&self.text[..frontmatter.start], &self.text[frontmatter.end..]))
    }
}

/// What an edit may not bring with it: text would then be read as something else.
const NEVER_NEW: [Code; 6] = [Code::E001, Code::E002, Code::E003, Code::E004, Code::E005, Code::E012];

fn is_as_meant(before: &Reading<'_>, after: &Reading<'_>, finding: &Finding, edit: &Edit) -> bool {
    let is_gone = after.count(finding.code) < before.count(finding.code);
    if before.outside().is_none() {
        // Without fences nothing can be compared: what comes of it must be a skill in which nothing is wrong.
        let is_good = after.findings.iter().all(|finding| finding.code.has_settable_level());
        let holds_fields = after.count(Code::L104) == 0 && after.has_only_fields();
        return is_gone && is_good && holds_fields && after.outside().is_some() && !after.entries.is_empty();
    }
    let brings_nothing = NEVER_NEW.iter().all(|&code| after.count(code) <= before.count(code));
    is_gone
        && brings_nothing
        && before.outside() == after.outside()
        && before.entries.len() == after.entries.len()
        && before
            .entries
            .iter()
            .zip(after.entries)
            .all(|(before, after)| is_entry_as_meant(before, after, edit))
}

fn is_entry_as_meant(before: &Entry, after: &Entry, edit: &Edit) -> bool {
    let key = if before.key_span == edit.span { &edit.text } else { &before.key };
    if *key != after.key {
        return false;
    }
    match (&before.node.value, &edit.meaning) {
        (Value::Unreadable | Value::Scalar(_), Some(meaning)) if holds(before, edit) => {
            matches!(&after.node.value, Value::Scalar(Scalar { text, .. }) if text == meaning)
        }
        _ => is_same(&before.node, &after.node),
    }
}

/// Whether the edit is in the value of this entry.
fn holds(entry: &Entry, edit: &Edit) -> bool {
    entry.key_span.end <= edit.span.start && edit.span.start <= entry.node.span.end
}

/// Whether two values are the same, wherever they are.
fn is_same(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (Value::Null, Value::Null) | (Value::Unreadable, Value::Unreadable) => true,
        (Value::Scalar(a), Value::Scalar(b)) => a.text == b.text && a.kind == b.kind,
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b)),
        (Value::Map(a), Value::Map(b)) => {
            let same = |(a, b): (&Entry, &Entry)| a.key == b.key && is_same(&a.node, &b.node);
            a.len() == b.len() && a.iter().zip(b).all(same)
        }
        (Value::Tagged(a, inner_a), Value::Tagged(b, inner_b)) => a == b && is_same(inner_a, inner_b),
        _ => false,
    }
}
