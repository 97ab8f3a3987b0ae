//! The JSON Schema of what a skill's handler takes: L119.
//!
//! The form of every keyword of draft 2020-12 is checked here, from a table, so that who builds a
//! program needs no validator. What only a validator knows is left to where the handler is bound: whether a
//! `pattern` is a regular expression, and whether the schema agrees with the handler.

use crate::code::Code;
use crate::fault::Fault;
use crate::frontmatter::{Frontmatter, PARAMETERS};
use crate::source::Span;
use crate::yaml::{Entry, Node, Scalar, ScalarKind, Value};
use skills_pack::nearest;

mod reach;

/// The value that a keyword takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeywordForm {
    Schema,
    Schemas,
    NamedSchemas,
    Type,
    Anything,
    List,
    Texts,
    NamedTexts,
    Number,
    PositiveNumber,
    Count,
    Text,
    Flag,
    Reference,
    Draft,
}

/// The keywords of draft 2020-12. Others may come beside them, as the draft has it.
const KEYWORDS: &[(&str, KeywordForm)] = &[
    ("additionalProperties", KeywordForm::Schema),
    ("unevaluatedProperties", KeywordForm::Schema),
    ("unevaluatedItems", KeywordForm::Schema),
    ("items", KeywordForm::Schema),
    ("contains", KeywordForm::Schema),
    ("propertyNames", KeywordForm::Schema),
    ("contentSchema", KeywordForm::Schema),
    ("not", KeywordForm::Schema),
    ("if", KeywordForm::Schema),
    ("then", KeywordForm::Schema),
    ("else", KeywordForm::Schema),
    ("allOf", KeywordForm::Schemas),
    ("anyOf", KeywordForm::Schemas),
    ("oneOf", KeywordForm::Schemas),
    ("prefixItems", KeywordForm::Schemas),
    ("properties", KeywordForm::NamedSchemas),
    ("patternProperties", KeywordForm::NamedSchemas),
    ("dependentSchemas", KeywordForm::NamedSchemas),
    ("$defs", KeywordForm::NamedSchemas),
    ("definitions", KeywordForm::NamedSchemas),
    ("type", KeywordForm::Type),
    ("const", KeywordForm::Anything),
    ("default", KeywordForm::Anything),
    ("enum", KeywordForm::List),
    ("examples", KeywordForm::List),
    ("required", KeywordForm::Texts),
    ("dependentRequired", KeywordForm::NamedTexts),
    ("minimum", KeywordForm::Number),
    ("maximum", KeywordForm::Number),
    ("exclusiveMinimum", KeywordForm::Number),
    ("exclusiveMaximum", KeywordForm::Number),
    ("multipleOf", KeywordForm::PositiveNumber),
    ("minLength", KeywordForm::Count),
    ("maxLength", KeywordForm::Count),
    ("minItems", KeywordForm::Count),
    ("maxItems", KeywordForm::Count),
    ("minProperties", KeywordForm::Count),
    ("maxProperties", KeywordForm::Count),
    ("minContains", KeywordForm::Count),
    ("maxContains", KeywordForm::Count),
    ("pattern", KeywordForm::Text),
    ("format", KeywordForm::Text),
    ("title", KeywordForm::Text),
    ("description", KeywordForm::Text),
    ("contentEncoding", KeywordForm::Text),
    ("contentMediaType", KeywordForm::Text),
    ("$comment", KeywordForm::Text),
    ("$id", KeywordForm::Text),
    ("$anchor", KeywordForm::Text),
    ("$dynamicAnchor", KeywordForm::Text),
    ("uniqueItems", KeywordForm::Flag),
    ("deprecated", KeywordForm::Flag),
    ("readOnly", KeywordForm::Flag),
    ("writeOnly", KeywordForm::Flag),
    ("$ref", KeywordForm::Reference),
    ("$dynamicRef", KeywordForm::Reference),
    ("$schema", KeywordForm::Draft),
];

const TYPES: &[&str] = &["string", "integer", "number", "boolean", "object", "array", "null"];

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

pub(super) fn check(read: &Frontmatter, faults: &mut Vec<Fault>) {
    let Some(entry) = read.entry(PARAMETERS.name()) else { return };
    if matches!(entry.node.value, Value::Null | Value::Unreadable) {
        return;
    }
    let mut check = Check { root: &entry.node, faults };
    let Value::Map(keywords) = &entry.node.value else {
        let help = "write `type: object` and `properties: …` below it";
        return check.report(entry.key_span.clone(), "`parameters` must be a mapping", "", help);
    };
    let describes_object = ["$ref", "allOf", "anyOf", "oneOf"];
    match keywords.iter().find(|keyword| keyword.key == "type") {
        Some(keyword) if text(&keyword.node) != Some("object") => {
            let message = "the `type` of `parameters` must be `object`";
            let help = "write `type: object`, and each argument under `properties`";
            check.report(keyword.node.place(), message, "a call's arguments are an object", help);
        }
        None if !keywords.iter().any(|keyword| describes_object.contains(&keyword.key.as_str())) => {
            let help = "write `type: object`, and each argument under `properties`";
            check.report(entry.key_span.clone(), "`parameters` has no `type`", "in this schema", help);
        }
        _ => {}
    }
    check.schema(&entry.node, &entry.key_span);
    if reach::is_too_much(&entry.node) {
        let most = reach::MAX_REACHABLE;
        let message =
            format!("`parameters` comes to more than {most} values once its references are followed");
        let help = "refer to each definition once, or describe less";
        check.report(entry.key_span.clone(), message, "this schema", help);
    }
}

struct Check<'c> {
    /// The schema that references are looked up in.
    root: &'c Node,
    faults: &'c mut Vec<Fault>,
}

impl Check<'_> {
    fn report(&mut self, span: Span, message: impl Into<String>, label: &str, help: impl Into<String>) {
        self.faults.push(Fault::new(Code::L119, span, message).label(label).help(help));
    }

    /// `at` is where to point if the value itself has no place: the key above it.
    fn schema(&mut self, node: &Node, at: &Span) {
        match &node.value {
            Value::Map(keywords) => {
                for keyword in keywords {
                    self.keyword(keyword);
                }
            }
            Value::Scalar(Scalar { kind: ScalarKind::Bool, .. }) | Value::Unreadable => {}
            _ => {
                let help = "write a mapping such as `{type: string}`, or `true` for anything";
                self.report(place(node, at), "a schema must be a mapping", "this is something else", help);
            }
        }
    }

    #[allow(clippy::match_same_arms, reason = "the forms, one after the other")]
    fn keyword(&mut self, keyword: &Entry) {
        let Some((name, form)) = KEYWORDS.iter().find(|(name, _)| *name == keyword.key) else { return };
        let (node, at) = (&keyword.node, &keyword.key_span);
        match (form, &node.value) {
            (_, Value::Unreadable) | (KeywordForm::Anything, _) => {}
            (KeywordForm::Schema, Value::List(_)) => self.wrong_form(node, at, name, form.wanted()),
            (KeywordForm::Schema, _) => self.schema(node, at),
            (KeywordForm::Schemas, Value::List(schemas)) if !schemas.is_empty() => {
                for schema in schemas {
                    self.schema(schema, at);
                }
            }
            (KeywordForm::NamedSchemas, Value::Map(schemas)) => {
                for schema in schemas {
                    self.schema(&schema.node, &schema.key_span);
                }
            }
            (KeywordForm::Type, Value::List(types)) if !types.is_empty() => {
                for one in types {
                    self.type_name(one, at);
                }
                self.no_text_twice(types, at, name);
            }
            (KeywordForm::Type, _) => self.type_name(node, at),
            (KeywordForm::List, Value::List(_)) => {}
            (KeywordForm::Texts, Value::List(texts)) if are_texts(texts) => {
                self.no_text_twice(texts, at, name);
            }
            (KeywordForm::NamedTexts, Value::Map(lists)) => {
                for list in lists {
                    if !matches!(&list.node.value, Value::List(texts) if are_texts(texts)) {
                        self.wrong_form(&list.node, &list.key_span, &list.key, "a list of names");
                    }
                }
            }
            (KeywordForm::Number, _) if number(node).is_some() => {}
            (KeywordForm::PositiveNumber, _) if number(node).is_some_and(|number| number > 0.0) => {}
            (KeywordForm::Count, _) if is_count(node) => {}
            (KeywordForm::Text, _) if text(node).is_some() => {}
            (KeywordForm::Flag, Value::Scalar(Scalar { kind: ScalarKind::Bool, .. })) => {}
            (KeywordForm::Reference, _) if text(node).is_some() => self.reference(node, at),
            (KeywordForm::Draft, _) if text(node).is_some_and(|uri| uri.trim_end_matches('#') == DRAFT) => {}
            _ => self.wrong_form(node, at, name, form.wanted()),
        }
    }

    fn wrong_form(&mut self, node: &Node, at: &Span, name: &str, wanted: &str) {
        let help = match &node.value {
            Value::List(_) if name == "items" => {
                "write `prefixItems` to give each item its own schema".to_owned()
            }
            Value::Scalar(scalar) if scalar.kind != ScalarKind::Text && wanted == "a string" => {
                format!("put it in quotes: `{name}: \"{}\"`", scalar.text.escape_debug())
            }
            _ if name == "$schema" => "leave it out, or name draft 2020-12".to_owned(),
            _ => format!("write {wanted} after `{name}:`"),
        };
        self.report(place(node, at), format!("`{name}` must be {wanted}"), "this is something else", help);
    }

    fn type_name(&mut self, node: &Node, at: &Span) {
        let found = match text(node) {
            Some(name) if TYPES.contains(&name) => return,
            Some(name) => name,
            // `type: null` is what YAML reads as nothing.
            None if node.value == Value::Null => "null",
            None => "",
        };
        let help = match (found, nearest::question(found, TYPES.iter().copied())) {
            ("null", _) => "put it in quotes: `\"null\"`".to_owned(),
            (_, Some(question)) => question,
            ("int" | "uint" | "long", None) => "write `integer`".to_owned(),
            ("float" | "double" | "decimal", None) => "write `number`".to_owned(),
            ("str" | "text", None) => "write `string`".to_owned(),
            ("list" | "tuple", None) => "write `array`".to_owned(),
            ("dict" | "map" | "mapping" | "struct", None) => "write `object`".to_owned(),
            _ => format!("the types are `{}`", TYPES.join("`, `")),
        };
        self.report(place(node, at), "`type` must name a type of JSON", "this is not one", help);
    }

    fn no_text_twice(&mut self, texts: &[Node], at: &Span, name: &str) {
        let twice = texts.iter().enumerate().find(|(before, node)| {
            texts[..*before].iter().any(|earlier| text(earlier).is_some() && text(earlier) == text(node))
        });
        if let Some((_, node)) = twice {
            let message = format!("`{name}` names `{}` twice", text(node).unwrap_or_default().escape_debug());
            self.report(place(node, at), message, "it is already in the list", "delete one of the two");
        }
    }

    /// A reference is never fetched, so it must lead to something in this schema.
    fn reference(&mut self, node: &Node, at: &Span) {
        let Some(target) = text(node) else { return };
        if reach::find(self.root, target).is_none() {
            let message = format!("nothing in `parameters` is `{}`", target.escape_debug());
            let help = "write what it refers to under `$defs`, and `$ref: \"#/$defs/name\"`";
            self.report(place(node, at), message, "references are not fetched", help);
        }
    }
}

impl KeywordForm {
    fn wanted(self) -> &'static str {
        match self {
            Self::Schema => "a schema",
            Self::Schemas => "a list of schemas",
            Self::NamedSchemas => "a mapping from names to schemas",
            Self::Type => "a type",
            Self::Anything => "a value",
            Self::List => "a list",
            Self::Texts => "a list of names",
            Self::NamedTexts => "a mapping from names to lists of names",
            Self::Number => "a number",
            Self::PositiveNumber => "a number above 0",
            Self::Count => "a whole number, 0 or more",
            Self::Text | Self::Reference => "a string",
            Self::Flag => "`true` or `false`",
            Self::Draft => "`https://json-schema.org/draft/2020-12/schema`",
        }
    }
}

fn place(node: &Node, at: &Span) -> Span {
    let place = node.place();
    if place.is_empty() { at.clone() } else { place }
}

fn text(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Scalar(scalar) if scalar.kind == ScalarKind::Text => Some(&scalar.text),
        _ => None,
    }
}

fn are_texts(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| text(node).is_some())
}

fn number(node: &Node) -> Option<f64> {
    match &node.value {
        Value::Scalar(scalar) if scalar.kind == ScalarKind::Number => scalar.number(),
        _ => None,
    }
}

/// `2.0` is a whole number to JSON Schema.
fn is_count(node: &Node) -> bool {
    number(node).is_some_and(|number| number >= 0.0 && number.fract() == 0.0)
}

/// One step of a JSON pointer, with `~1` and `~0` for `/` and `~`.
fn step_into<'n>(node: &'n Node, step: &str) -> Option<&'n Node> {
    let step = step.replace("~1", "/").replace("~0", "~");
    match &node.value {
        Value::Map(entries) => entries.iter().find(|entry| entry.key == step).map(|entry| &entry.node),
        Value::List(items) => items.get(step.parse::<usize>().ok()?),
        _ => None,
    }
}
