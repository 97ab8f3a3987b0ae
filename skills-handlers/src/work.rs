//! Bounds the work of checking arguments: when a handler is bound, and again for deep arguments.
//!
//! A validator walks every path through a schema, and references can turn a small schema into very many
//! paths: thirty definitions that each use the next one twice have a billion. The paths of a
//! schema without a cycle are counted once. A recursive schema may have more with each level of the arguments,
//! so for these, the pairs of a schema and a value are counted for each call, in time that is linear in the size
//! of both. An async thread counts only as many as take it no longer than the check of a usual call.
//!
//! A string that must match a pattern counts by its length. Patterns don't backtrack, and the size of each is
//! bounded, so every byte takes a bounded time.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::sample::reference;

/// The most paths through a schema that has no cycle.
const MOST_PATHS: u64 = 10_000;

/// The most pairs of a schema and a value that a validator may check for one call.
pub(super) const MOST_STEPS: u64 = 1_000_000;

/// With fewer pairs than this, a validator is done before another thread could start.
const FEW_STEPS: u64 = 20_000;

/// How many different pairs an async thread counts for one call.
const FEW_PAIRS: u64 = 500;

/// The steps of matching a pattern with a byte.
const STEPS_A_BYTE: u64 = 4;

/// The cost of a schema, as far as it is known before a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cost {
    /// Paths through the schema; the schemas of a cycle count once.
    paths: u64,
    /// Whether it is recursive.
    is_recursive: bool,
    /// Whether strings are matched with patterns.
    has_patterns: bool,
}

impl Cost {
    /// # Errors
    ///
    /// Why checking arguments against this schema could take too long.
    pub(super) fn of(schema: &Value) -> Result<Self, String> {
        let mut count = Count {
            root: schema,
            known: HashMap::new(),
            open: HashMap::new(),
            is_recursive: false,
            has_patterns: false,
        };
        let paths = count.paths(schema, 0)?;
        if paths > MOST_PATHS {
            return Err(format!(
                "its references and choices make more than {MOST_PATHS} paths, so that checking arguments would take too \
                 long: use fewer choices within choices"
            ));
        }
        Ok(Self { paths, is_recursive: count.is_recursive, has_patterns: count.has_patterns })
    }

    /// Whether this many values, written in this many bytes, take few steps, whatever they are.
    fn is_small(self, values: u64, bytes: u64) -> bool {
        let matched = if self.has_patterns { bytes.saturating_mul(STEPS_A_BYTE) } else { 0 };
        !self.is_recursive && self.paths.saturating_mul(values.saturating_add(matched)) <= FEW_STEPS
    }
}

/// Whether checking arguments, which were parsed from this JSON, takes less time than a switch to another thread.
/// Neither does finding that out take longer.
pub(super) fn is_quick(schema: &Value, cost: Cost, arguments: &Value, json: &str) -> bool {
    // All values but the first follow one of these.
    let values = 1 + json.bytes().filter(|byte| matches!(byte, b',' | b':' | b'[')).count() as u64;
    cost.is_small(values, json.len() as u64) || steps(schema, arguments, FEW_PAIRS) <= FEW_STEPS
}

/// Whether arguments can be checked at all. This may take long.
pub(super) fn is_feasible(schema: &Value, arguments: &Value) -> bool {
    steps(schema, arguments, MOST_STEPS) <= MOST_STEPS
}

/// The steps of a check, or more than any limit after this many different pairs.
fn steps(schema: &Value, arguments: &Value, most_pairs: u64) -> u64 {
    Steps { root: schema, known: HashMap::new(), most_pairs }.count(schema, arguments)
}

/// Keywords whose schemas apply to the same value.
const SAME: [&str; 8] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/// Keywords whose schemas apply to the values inside it.
const INSIDE: [&str; 9] = [
    "properties",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "items",
    "prefixItems",
    "unevaluatedItems",
    "contains",
];

/// The schemas below a keyword: one, a list, or one for each name.
fn below<'s>(keywords: &'s Map<String, Value>, keyword: &str) -> impl Iterator<Item = (&'s str, &'s Value)> {
    let is_named = matches!(keyword, "properties" | "patternProperties" | "dependentSchemas");
    let value = keywords.get(keyword);
    let one = value.filter(|value| !is_named && value.is_object()).map(|value| ("", value));
    let list = value.and_then(Value::as_array).into_iter().flatten().map(|value| ("", value));
    let named = value.filter(|_| is_named).and_then(Value::as_object).into_iter().flatten();
    one.into_iter().chain(list).chain(named.map(|(name, value)| (name.as_str(), value)))
}

fn same<'s>(schema: &'s Value, root: &'s Value) -> impl Iterator<Item = &'s Value> {
    let keywords = schema.as_object();
    let below =
        keywords.into_iter().flat_map(|keywords| SAME.iter().flat_map(|keyword| below(keywords, keyword)));
    below.map(|(_, schema)| schema).chain(reference(schema, root))
}

/// Schemas are compared by address.
fn place(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}

/// The deepest nesting of schemas, references included.
const DEEPEST: usize = 200;

struct Count<'s> {
    root: &'s Value,
    known: HashMap<usize, u64>,
    /// The schemas above, and whether each was reached from the last one for the same value.
    open: HashMap<usize, usize>,
    is_recursive: bool,
    has_patterns: bool,
}

impl<'s> Count<'s> {
    /// Paths from here. `level` grows with every step into a value.
    fn paths(&mut self, schema: &'s Value, level: usize) -> Result<u64, String> {
        let here = place(schema);
        if let Some(paths) = self.known.get(&here) {
            return Ok(*paths);
        }
        if let Some(before) = self.open.get(&here) {
            if *before == level {
                return Err(
                    "it refers to itself for the same value, so that checking would never end".to_owned()
                );
            }
            self.is_recursive = true;
            return Ok(1);
        }
        if self.open.len() > DEEPEST {
            return Err(format!("it is more than {DEEPEST} schemas deep"));
        }
        self.can_be_counted(schema)?;
        self.has_patterns |= schema.get("pattern").is_some() || schema.get("patternProperties").is_some();
        self.open.insert(here, level);
        let mut paths = 1_u64;
        for schema in same(schema, self.root) {
            paths = paths.saturating_add(self.paths(schema, level)?);
        }
        for keyword in INSIDE {
            for (_, schema) in schema.as_object().into_iter().flat_map(|keywords| below(keywords, keyword)) {
                paths = paths.saturating_add(self.paths(schema, level + 1)?);
            }
        }
        self.open.remove(&here);
        self.known.insert(here, paths);
        Ok(paths)
    }
}

impl Count<'_> {
    /// Refuses references that this count can't follow, since the validator would follow them without a limit.
    fn can_be_counted(&self, schema: &Value) -> Result<(), String> {
        let keyword = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
        let is_followed = |target: &str| {
            let pointer = target.strip_prefix('#').filter(|pointer| !pointer.contains('%'));
            pointer.is_some_and(|pointer| self.root.pointer(pointer).is_some())
        };
        if let Some(target) = keyword("$ref").filter(|target| !is_followed(target)) {
            return Err(format!(
                "the reference `{target}` can't be followed: write it as a path, such as `#/$defs/name`"
            ));
        }
        if schema.get("$dynamicRef").is_some() {
            return Err("`$dynamicRef` isn't supported: use `$ref`".to_owned());
        }
        let is_root = std::ptr::eq(schema, self.root);
        if keyword("$id").is_some() && !is_root {
            return Err("only the schema as a whole may have an `$id`".to_owned());
        }
        Ok(())
    }
}

struct Steps<'s> {
    root: &'s Value,
    known: HashMap<(usize, usize), u64>,
    most_pairs: u64,
}

impl<'s> Steps<'s> {
    /// The pairs that a validator looks at from here. A repeated pair is counted again, but not
    /// walked again.
    fn count(&mut self, schema: &'s Value, value: &Value) -> u64 {
        let pair = (place(schema), place(value));
        if let Some(steps) = self.known.get(&pair) {
            return *steps;
        }
        if self.known.len() as u64 >= self.most_pairs {
            return u64::MAX;
        }
        // A schema that recurses on the same value was refused when it was bound.
        let mut steps = 1_u64.saturating_add(matched(schema, value));
        for schema in same(schema, self.root) {
            steps = steps.saturating_add(self.count(schema, value));
        }
        if let Some(keywords) = schema.as_object() {
            for keyword in INSIDE {
                for (name, schema) in below(keywords, keyword) {
                    steps = steps.saturating_add(self.inside(keyword, name, schema, value));
                }
            }
        }
        self.known.insert(pair, steps);
        steps
    }

    /// Steps of what is inside of a value.
    fn inside(&mut self, keyword: &str, name: &str, schema: &'s Value, value: &Value) -> u64 {
        match value {
            Value::Object(fields) if keyword == "properties" => {
                fields.get(name).map_or(0, |field| self.count(schema, field))
            }
            // It isn't known here to which fields these apply: at most to all.
            Value::Object(fields) if keyword.ends_with("Properties") => {
                fields.values().fold(0, |sum: u64, field| sum.saturating_add(self.count(schema, field)))
            }
            Value::Object(fields) if keyword == "propertyNames" => {
                let names = fields.keys().map(|name| 1 + name.len() as u64 * STEPS_A_BYTE);
                names.fold(0, u64::saturating_add)
            }
            Value::Array(items)
                if matches!(keyword, "items" | "prefixItems" | "unevaluatedItems" | "contains") =>
            {
                items.iter().fold(0, |sum: u64, item| sum.saturating_add(self.count(schema, item)))
            }
            _ => 0,
        }
    }
}

/// The steps of matching a value, or the names of its fields, with the patterns of a schema.
fn matched(schema: &Value, value: &Value) -> u64 {
    let bytes = match value {
        Value::String(text) if schema.get("pattern").is_some() => text.len(),
        Value::Object(fields) => {
            let patterns = schema.get("patternProperties").and_then(Value::as_object).map_or(0, Map::len);
            patterns.saturating_mul(fields.keys().map(String::len).sum())
        }
        _ => 0,
    };
    (bytes as u64).saturating_mul(STEPS_A_BYTE)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Where arguments are checked.
    #[derive(Debug, PartialEq, Eq)]
    enum Plan {
        /// By the thread that has them.
        Here,
        /// By another one.
        Beside,
        /// Nowhere: it would take too long.
        Refuse,
    }

    fn plan(schema: &Value, arguments: &Value) -> Plan {
        let json = arguments.to_string();
        match is_quick(schema, Cost::of(schema).unwrap(), arguments, &json) {
            true => Plan::Here,
            false if is_feasible(schema, arguments) => Plan::Beside,
            false => Plan::Refuse,
        }
    }

    /// Each of these definitions uses the next one twice.
    fn doubling(count: usize, keyword: &str) -> Value {
        let mut definitions = Map::new();
        for number in 0..count {
            let next = json!({"$ref": format!("#/$defs/d{}", number + 1)});
            definitions.insert(format!("d{number}"), json!({keyword: [next, next]}));
        }
        definitions.insert(format!("d{count}"), json!({"type": "object"}));
        json!({"type": "object", "$ref": "#/$defs/d0", "$defs": definitions})
    }

    #[test]
    fn a_small_schema_with_very_many_paths_is_refused() {
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let schema = doubling(30, keyword);
            assert!(schema.to_string().len() < 2_500);
            assert!(Cost::of(&schema).is_err_and(|why| why.contains("more than 10000 paths")), "{keyword}");
            assert!(Cost::of(&doubling(8, keyword)).is_ok());
        }
        let endless = json!({"type": "object", "allOf": [{"anyOf": [{"$ref": "#"}]}]});
        assert!(Cost::of(&endless).is_err_and(|why| why.contains("never end")));
        for (schema, part) in [
            (json!({"$ref": "#name", "$defs": {"x": {"$anchor": "name"}}}), "`#name` can't be followed"),
            (json!({"$ref": "https://example.org/x"}), "can't be followed"),
            (json!({"items": {"$dynamicRef": "#x"}}), "`$dynamicRef`"),
            (json!({"items": {"$id": "https://example.org/x"}}), "`$id`"),
        ] {
            assert!(Cost::of(&schema).is_err_and(|why| why.contains(part)), "{schema}");
        }
        let deep = (0..300).fold(json!({"type": "null"}), |inner, _| json!({"items": inner}));
        assert!(Cost::of(&deep).is_err_and(|why| why.contains("200 schemas deep")));
    }

    #[test]
    fn usual_schemas_are_cheap() {
        let plain = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/x"}]}}, "$defs": {"x": {"const": 1}}});
        let cost = Cost::of(&plain).unwrap();
        assert_eq!(cost, Cost { paths: 6, is_recursive: false, has_patterns: false });
        assert_eq!(plan(&plain, &json!({"a": "x".repeat(2_000)})), Plan::Here);
        // Many bytes are one value, even if they look like more.
        assert_eq!(plan(&plain, &json!({"a": "x".repeat(900_000)})), Plan::Here);
        assert_eq!(plan(&plain, &json!({"a": ",".repeat(900_000)})), Plan::Here);
    }

    #[test]
    fn a_tree_is_checked_as_deep_as_it_stays_cheap() {
        // One form for each kind of node: every level is looked at in both.
        let tree = json!({"type": "object", "oneOf": [
            {"properties": {"kind": {"const": "and"}, "of": {"$ref": "#"}}},
            {"properties": {"kind": {"const": "or"}, "of": {"$ref": "#"}}},
        ]});
        assert!(Cost::of(&tree).unwrap().is_recursive);
        let nested =
            |depth: usize| (0..depth).fold(json!({"kind": "or"}), |of, _| json!({"kind": "or", "of": of}));
        assert_eq!(plan(&tree, &nested(5)), Plan::Here);
        assert_eq!(plan(&tree, &nested(15)), Plan::Beside);
        // Counting all 2^100 ways would never end.
        assert_eq!(plan(&tree, &nested(100)), Plan::Refuse);
        // A tree of one form may be as deep as JSON may be.
        let list = json!({"type": "object", "properties": {"next": {"$ref": "#"}}});
        let linked = (0..100).fold(json!({}), |next, _| json!({"next": next}));
        assert_eq!(plan(&list, &linked), Plan::Here);
    }

    #[test]
    fn many_values_are_checked_beside() {
        let rows = json!({"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "integer"}}}});
        let arguments = json!({"rows": vec![1; 100_000]});
        assert_eq!(plan(&rows, &arguments), Plan::Beside);
        let heavy = doubling(8, "anyOf");
        let items = json!({"type": "object", "properties": {"rows": {"items": {"$ref": "#/$defs/d0"}}}, "$defs": heavy["$defs"]});
        let arguments = json!({"rows": vec![1; 5_000]});
        assert_eq!(plan(&items, &arguments), Plan::Refuse);
    }
    /// However large the arguments are, an async thread looks at few of them.
    #[test]
    fn an_async_thread_counts_little() {
        let list =
            json!({"type": "object", "properties": {"rows": {"type": "array", "items": {"$ref": "#"}}}});
        let arguments = json!({"rows": vec![json!({}); 100_000]});
        let mut count = Steps { root: &list, known: HashMap::new(), most_pairs: FEW_PAIRS };
        assert_eq!(count.count(&list, &arguments), u64::MAX);
        assert!(count.known.len() as u64 <= FEW_PAIRS + 2);
        assert_eq!(plan(&list, &arguments), Plan::Beside);
    }

    #[test]
    fn strings_with_a_pattern_count_by_their_length() {
        let pattern =
            json!({"type": "object", "properties": {"a": {"pattern": "^x*$"}, "b": {"type": "string"}}});
        let text = |name: &str, length: usize| json!({name: "x".repeat(length)});
        assert!(Cost::of(&pattern).unwrap().has_patterns);
        assert_eq!(plan(&pattern, &text("a", 1_000)), Plan::Here);
        assert_eq!(plan(&pattern, &text("a", 100_000)), Plan::Beside);
        assert_eq!(plan(&pattern, &text("a", 1_000_000)), Plan::Refuse);
        assert_eq!(plan(&pattern, &text("b", 1_000_000)), Plan::Here);
        let names = json!({"type": "object", "patternProperties": {"^x*$": {}, "^y*$": {}}});
        assert_eq!(plan(&names, &json!({"x".repeat(100_000): 1})), Plan::Beside);
        let names = json!({"type": "object", "propertyNames": {"pattern": "^x*$"}});
        assert_eq!(plan(&names, &json!({"x".repeat(100_000): 1})), Plan::Beside);
    }
}
