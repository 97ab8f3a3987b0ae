//! How much a schema comes to once its references are followed.
//!
//! A few references, each of which names two others, come to more than any validator can compile. What is
//! reachable is counted without writing it out.

use std::collections::HashMap;
use std::ptr;

use super::{step_into, text};
use crate::yaml::{Node, Value};

/// The most values that a schema may come to.
pub(super) const MAX_REACHABLE: usize = 10_000;

/// Whether what can be reached from `root` is more than [`MAX_REACHABLE`] values, each counted as often as
/// references lead to it.
pub(super) fn is_too_much(root: &Node) -> bool {
    let mut count = Count { root, known: HashMap::new() };
    count.of(root) > MAX_REACHABLE
}

struct Count<'n> {
    root: &'n Node,
    /// The values that were counted, by their addresses; `None` while one is counted, since it may lead back
    /// to itself.
    known: HashMap<*const Node, Option<usize>>,
}

impl<'n> Count<'n> {
    fn of(&mut self, node: &'n Node) -> usize {
        match self.known.get(&ptr::from_ref(node)) {
            Some(Some(count)) => return *count,
            Some(None) => return 1,
            None => {}
        }
        if matches!(node.value, Value::Scalar(_) | Value::Null | Value::Unreadable) {
            return 1;
        }
        self.known.insert(ptr::from_ref(node), None);
        let mut count = 1_usize;
        match &node.value {
            Value::Map(entries) => {
                for entry in entries {
                    let target = matches!(&*entry.key, "$ref" | "$dynamicRef")
                        .then(|| text(&entry.node).and_then(|target| find(self.root, target)))
                        .flatten();
                    // Definitions count where something refers to them.
                    let is_definitions = matches!(&*entry.key, "$defs" | "definitions");
                    let reached = match target {
                        Some(target) => self.of(target),
                        None if is_definitions => self.largest(&entry.node),
                        None => self.of(&entry.node),
                    };
                    count = count.saturating_add(reached);
                }
            }
            Value::List(items) => {
                for item in items {
                    count = count.saturating_add(self.of(item));
                }
            }
            Value::Tagged(_, inner) => count = count.saturating_add(self.of(inner)),
            Value::Scalar(_) | Value::Null | Value::Unreadable => {}
        }
        self.known.insert(ptr::from_ref(node), Some(count));
        count
    }

    /// The count of the largest of some definitions.
    fn largest(&mut self, definitions: &'n Node) -> usize {
        match &definitions.value {
            Value::Map(entries) => entries.iter().map(|entry| self.of(&entry.node)).max().unwrap_or(0),
            _ => self.of(definitions),
        }
    }
}

/// What a reference in `root` leads to, if it is in it.
pub(super) fn find<'n>(root: &'n Node, target: &str) -> Option<&'n Node> {
    match target.strip_prefix('#')? {
        "" => Some(root),
        pointer if pointer.starts_with('/') => pointer[1..].split('/').try_fold(root, step_into),
        anchor => with_anchor(root, anchor),
    }
}

fn with_anchor<'n>(node: &'n Node, anchor: &str) -> Option<&'n Node> {
    match &node.value {
        Value::Map(entries) => {
            let is_it = entries.iter().any(|entry| {
                matches!(&*entry.key, "$anchor" | "$dynamicAnchor") && text(&entry.node) == Some(anchor)
            });
            if is_it { Some(node) } else { entries.iter().find_map(|entry| with_anchor(&entry.node, anchor)) }
        }
        Value::List(items) => items.iter().find_map(|item| with_anchor(item, anchor)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::code::Code;
    use crate::rules::Rules;
    use crate::skill;

    fn codes(parameters: &str) -> Vec<Code> {
        let text = format!("---\nname: pdf\ndescription: x\nparameters:\n{parameters}---\nx\n");
        let (_, findings) = skill::read("s/pdf/SKILL.md", "pdf", text.as_bytes(), &Rules::default());
        findings.iter().map(|finding| finding.code).collect()
    }

    /// `depth` definitions, each of which refers twice to the next.
    fn doubling(depth: usize, last: &str) -> String {
        let mut schema = "  type: object\n  properties: {a: {$ref: '#/$defs/d0'}}\n  $defs:\n".to_owned();
        for at in 0..depth {
            let next = format!("{{$ref: '#/$defs/d{}'}}", at + 1);
            schema.push_str(&format!("    d{at}: {{allOf: [{next}, {next}]}}\n"));
        }
        schema + &format!("    d{depth}: {last}\n")
    }

    #[test]
    fn what_explodes_is_found_however_it_is_written() {
        for last in ["{type: string}", "{$ref: '#/$defs/d0'}", "{$ref: '#'}"] {
            assert_eq!(codes(&doubling(30, last)), [Code::L119], "{last}");
            assert_eq!(codes(&doubling(200, last)), [Code::L119], "{last}");
            assert_eq!(codes(&doubling(6, last)), [], "{last}");
        }
        let unused = doubling(30, "{type: string}").replacen("$ref: '#/$defs/d0'", "type: string", 1);
        assert_eq!(codes(&unused), [Code::L119], "a definition that nothing needs is compiled too");
        let anchors = doubling(30, "{type: string}")
            .replace("{allOf", "{$anchor: x, allOf")
            .replace("$anchor: x", "title: x");
        assert_eq!(codes(&anchors), [Code::L119]);
    }

    #[test]
    fn schemas_that_lead_back_to_themselves_are_let_be() {
        let tree = "  type: object\n  properties:\n    left: {$ref: '#'}\n    right: {$ref: '#'}\n";
        assert_eq!(codes(tree), []);
        let list = "  type: object\n  properties: {a: {$ref: '#n'}}\n  $defs:\n    n:\n      $anchor: n\n      properties: {next: {$ref: '#n'}, other: {$ref: '#n'}}\n";
        assert_eq!(codes(list), []);
    }
}
