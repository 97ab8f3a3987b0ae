//! Reads one field in one of its forms.

use super::{Field, Form, Text, WHEN_TO_USE};
use crate::code::Code;
use crate::fault::{Edit, Fault};
use crate::source::Span;
use crate::yaml::{Entry, Node, Value, wide_opening};

/// The entries of a frontmatter while its fields are read.
pub(super) struct Fields<'e> {
    pub(super) entries: &'e [Entry],
    pub(super) faults: Vec<Fault>,
    pub(super) reported: Vec<&'static str>,
}

/// What stands under one of a field's names.
struct Given<'e> {
    name: &'static str,
    key_span: &'e Span,
    node: &'e Node,
}

impl<'e> Fields<'e> {
    pub(super) fn text(&mut self, field: Field) -> Option<Text> {
        self.first(field, read_text, |text: &Text| text.value.clone())
    }

    pub(super) fn list(&mut self, field: Field) -> Vec<String> {
        let key = |list: &Vec<String>| {
            let mut key = list.clone();
            if field.form == Form::Tools {
                key.sort_unstable();
            }
            key
        };
        self.first(field, |given| read_list(given, field.form), key).unwrap_or_default()
    }

    /// A flag that cannot be read is taken as the side that hides the skill: `disable-…: ?` as yes,
    /// `user-invocable: ?` as no.
    pub(super) fn flag(&mut self, field: Field, default: bool) -> bool {
        let read = self.first(field, read_flag, |flag| *flag);
        let unreadable = self.reported.contains(&field.name());
        read.filter(|_| !unreadable).unwrap_or(if unreadable { !default } else { default })
    }

    pub(super) fn mapping(&mut self, field: Field) {
        self.first(field, read_mapping, |()| ());
    }

    /// The value of the first name that has one; the others must say the same.
    fn first<T, K: PartialEq>(
        &mut self,
        field: Field,
        read: impl Fn(&Given<'e>) -> Result<Option<T>, Fault>,
        key: impl Fn(&T) -> K,
    ) -> Option<T> {
        let mut winner: Option<(T, &'static str, &'e Span)> = None;
        for given in field.names.iter().filter_map(|name| find(self.entries, name)) {
            if given.node.value == Value::Unreadable {
                self.reported.push(field.name());
                continue;
            }
            match read(&given) {
                Err(fault) => {
                    self.reported.push(field.name());
                    self.faults.push(fault);
                }
                Ok(None) => {}
                Ok(Some(value)) => match &winner {
                    None => winner = Some((value, given.name, given.key_span)),
                    Some((first, name, span)) if key(first) != key(&value) => {
                        if field.is_limit() {
                            self.reported.push(field.name());
                        }
                        self.faults.push(two_values(field, &given, name, (*span).clone()));
                    }
                    Some(_) => {}
                },
            }
        }
        winner.map(|(value, ..)| value)
    }
}

/// Two names of one field with different values. Which of two limits is meant cannot be known.
fn two_values(field: Field, given: &Given<'_>, used: &str, used_span: Span) -> Fault {
    let what = field.name();
    let message = format!("`{}` is another name for `{what}` and says something else", given.name);
    let (code, label, first) = if field.is_limit() {
        (Code::E012, "two values of one limit", format!("`{used}` is here"))
    } else {
        (Code::L109, "this value is not used", format!("`{used}` is used"))
    };
    Fault::new(code, given.key_span.clone(), message)
        .label(label)
        .related(used_span, first)
        .help(format!("keep one of the two, best as `{what}`"))
}

fn find<'e>(entries: &'e [Entry], name: &'static str) -> Option<Given<'e>> {
    let by_key = |entries: &'e [Entry], key: &str| entries.iter().find(|entry| entry.key == key);
    let entry = match name.split_once('.') {
        None => by_key(entries, name)?,
        Some((outer, inner)) => match &by_key(entries, outer)?.node.value {
            Value::Map(entries) => by_key(entries, inner)?,
            _ => return None,
        },
    };
    Some(Given { name, key_span: &entry.key_span, node: &entry.node })
}

fn read_text(given: &Given<'_>) -> Result<Option<Text>, Fault> {
    let name = given.name;
    let (text, exact) = match &given.node.value {
        Value::Null | Value::Unreadable => return Ok(None),
        Value::Scalar(scalar) => (scalar.text.as_str(), scalar.exact),
        Value::List(items) if name.starts_with("argument") => match hint_in_brackets(items) {
            Some(hint) => {
                let span = given.node.span.clone();
                return Ok(Some(Text { value: hint, span, exact: false, key: name }));
            }
            None => return Err(wrong_form(given, "text", "put the value in quotes")),
        },
        Value::List(items) if WHEN_TO_USE.names.contains(&name) => match joined(items) {
            Some(value) => {
                let span = given.node.span.clone();
                return Ok((!value.is_empty()).then_some(Text { value, span, exact: false, key: name }));
            }
            None => return Err(wrong_form(given, "text", "write one string, or a list of strings")),
        },
        Value::List(_) => {
            return Err(wrong_form(given, "text", "write one string; quote it if it begins with `[`"));
        }
        Value::Map(_) => {
            return Err(wrong_form(given, "text", "write one string; quote it if it begins with `{`"));
        }
        Value::Tagged(tag, _) => return Err(tagged(given, tag)),
    };
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Ok(None);
    }
    let start = given.node.span.start + if exact { text.len() - text.trim_start().len() } else { 0 };
    let span = if exact { start..start + trimmed.len() } else { given.node.span.clone() };
    Ok(Some(Text { value: trimmed.to_owned(), span, exact, key: name }))
}

/// The items of a list as one text.
fn joined(items: &[Node]) -> Option<String> {
    let mut texts = Vec::new();
    for item in items {
        match &item.value {
            Value::Null | Value::Unreadable => {}
            Value::Scalar(scalar) => texts.push(scalar.text.trim()),
            Value::List(_) | Value::Map(_) | Value::Tagged(..) => return None,
        }
    }
    texts.retain(|text| !text.is_empty());
    Some(texts.join("; "))
}

/// `[file]` is a list to YAML, but as a hint it is meant as written.
fn hint_in_brackets(items: &[Node]) -> Option<String> {
    let [item] = items else { return None };
    match &item.value {
        Value::Scalar(scalar) => Some(format!("[{}]", scalar.text)),
        Value::Map(entries) => match entries.as_slice() {
            [Entry { key, node: Node { value: Value::Scalar(scalar), .. }, .. }] => {
                Some(format!("[{key}: {}]", scalar.text))
            }
            _ => None,
        },
        _ => None,
    }
}

fn read_list(given: &Given<'_>, form: Form) -> Result<Option<Vec<String>>, Fault> {
    if let Some(fault) = wide_list(given) {
        return Err(fault);
    }
    let list = match &given.node.value {
        Value::Null | Value::Unreadable => return Ok(None),
        Value::Scalar(scalar) if form == Form::Tools => split_tools(&scalar.text).map_err(|why| {
            let span = given.node.span.clone();
            let edit = if scalar.exact { in_ascii(&scalar.text, span.clone()) } else { None };
            unclear_tools(given, span, why).edit(edit)
        })?,
        Value::Scalar(scalar) => split_list(&scalar.text, form == Form::List),
        Value::List(items) => {
            let mut list = Vec::with_capacity(items.len());
            for (at, item) in items.iter().enumerate() {
                match &item.value {
                    Value::Null | Value::Unreadable => {}
                    Value::Scalar(scalar) => {
                        if form == Form::Tools {
                            split_tools(&scalar.text)
                                .map_err(|why| unclear_tools(given, item.place(), why))?;
                        }
                        list.push(scalar.text.trim().to_owned());
                    }
                    Value::Tagged(tag, _) => return Err(tagged(given, tag)),
                    Value::List(_) | Value::Map(_) => {
                        let message = format!("item {} of `{}` must be text", at + 1, given.name);
                        return Err(Fault::new(Code::E012, item.place(), message)
                            .label(format!("this begins {}", kind(item)))
                            .help("quote an item that holds `: ` or begins with a bracket"));
                    }
                }
            }
            list.retain(|item| !item.is_empty());
            list
        }
        Value::Map(_) => {
            return Err(wrong_form(given, "a list", "write `[one, two]`, or one item a line after `- `"));
        }
        Value::Tagged(tag, _) => return Err(tagged(given, tag)),
    };
    Ok((!list.is_empty()).then_some(list))
}

/// Why it can't be known where a tool ends.
#[derive(Clone, Copy)]
enum Unclear {
    /// A bracket is not closed, or closes nothing.
    Brackets,
    /// A comma or bracket that is not the ASCII one, which is the second.
    Sign(char, char),
}

/// Splits a text on commas and white space outside of brackets.
fn split_tools(text: &str) -> Result<Vec<String>, Unclear> {
    let mut open: Vec<char> = Vec::new();
    let mut tools = vec![String::new()];
    for c in text.chars() {
        match c {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' if open.pop() != Some(c) => return Err(Unclear::Brackets),
            _ if open.is_empty() && wide_sign(c).is_some() => {
                return Err(Unclear::Sign(c, wide_sign(c).unwrap_or(c)));
            }
            _ => {}
        }
        if open.is_empty() && (c == ',' || c.is_whitespace()) {
            tools.push(String::new());
        } else if let Some(last) = tools.last_mut() {
            last.push(c);
        }
    }
    tools.retain(|tool| !tool.is_empty());
    if open.is_empty() { Ok(tools) } else { Err(Unclear::Brackets) }
}

/// The ASCII sign that a wide one is taken for.
fn wide_sign(c: char) -> Option<char> {
    Some(match c {
        '，' | '、' | '；' => ',',
        '（' => '(',
        '）' => ')',
        '［' => '[',
        '］' => ']',
        '｛' => '{',
        '｝' => '}',
        _ => return None,
    })
}

/// The edit that writes the signs of a list of tools in ASCII, where nothing in brackets has others: there they may
/// be meant.
fn in_ascii(text: &str, span: Span) -> Option<Edit> {
    let mut right = String::with_capacity(text.len());
    let mut depth = 0_usize;
    for c in text.chars() {
        let ascii = wide_sign(c).unwrap_or(c);
        match ascii {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            _ if depth > 0 && ascii != c => return None,
            _ => {}
        }
        right.push(ascii);
    }
    let is_plain = split_tools(&right).is_ok() && !right.starts_with(['[', '{']) && right != text;
    is_plain.then(|| Edit { span, text: right.clone(), meaning: Some(right) })
}

fn unclear_tools(given: &Given<'_>, span: Span, why: Unclear) -> Fault {
    let (message, help) = match why {
        Unclear::Brackets => (
            format!("a bracket in `{}` is not closed, or closes nothing", given.name),
            "write each tool with its brackets closed, as in `Bash(git add *)`",
        ),
        Unclear::Sign(c, ',') => (
            format!("`{c}` (U+{:04X}) is not the `,` of a list", c as u32),
            "write a `,` of ASCII between two tools",
        ),
        Unclear::Sign(c, right) => (
            format!("`{c}` (U+{:04X}) is not the `{right}` of a tool", c as u32),
            "write the brackets of a tool in ASCII, as in `Bash(git add *)`",
        ),
    };
    Fault::new(Code::E012, span, message).label("where a tool ends cannot be read").help(help)
}

/// A text that begins with a wide bracket or dash, which was meant to begin a list.
fn wide_list(given: &Given<'_>) -> Option<Fault> {
    let Value::Scalar(scalar) = &given.node.value else { return None };
    let mut signs = scalar.text.trim_start().chars();
    let wide = signs.next()?;
    let is_item =
        matches!(wide, '－' | '﹣' | '−' | '–' | '—') && signs.next().is_some_and(char::is_whitespace);
    let right = if is_item { '-' } else { wide_opening(wide)? };
    let message = format!(
        "`{}` begins with `{wide}` (U+{:04X}), which is not the `{right}` of YAML",
        given.name, wide as u32
    );
    let fault = Fault::new(Code::E012, given.key_span.clone(), message).label("this is a string");
    Some(fault.help("write `[one, two]` with brackets and commas of ASCII, or one item a line after `- `"))
}

/// Splits one text into a list: on commas outside parentheses; where there is none, on white space
/// outside parentheses if `on_blanks`, else not at all. Items are trimmed, never empty.
pub fn split_list(text: &str, on_blanks: bool) -> Vec<String> {
    // Where words may be divided by blanks, a comma of Chinese or Japanese divides them too.
    let is_comma = |c: char| c == ',' || on_blanks && matches!(c, '，' | '、');
    let commas = split_outside_parentheses(text, is_comma);
    let parts = match commas.len() {
        1 if on_blanks => split_outside_parentheses(text, char::is_whitespace),
        _ => commas,
    };
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn split_outside_parentheses(text: &str, separator: impl Fn(char) -> bool) -> Vec<&str> {
    let mut depth = 0_usize;
    text.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && separator(c)
    })
    .collect()
}

fn read_flag(given: &Given<'_>) -> Result<Option<bool>, Fault> {
    let text = match &given.node.value {
        Value::Null => return Ok(None),
        Value::Scalar(scalar) => scalar.text.trim().to_ascii_lowercase(),
        _ => return Err(wrong_form(given, "`true` or `false`", "write `true` or `false`")),
    };
    match text.as_str() {
        "" => Ok(None),
        "true" | "yes" | "on" | "1" => Ok(Some(true)),
        "false" | "no" | "off" | "0" => Ok(Some(false)),
        _ => Err(wrong_form(given, "`true` or `false`", "write `true` or `false`")),
    }
}

fn read_mapping(given: &Given<'_>) -> Result<Option<()>, Fault> {
    match &given.node.value {
        Value::Null => Ok(None),
        Value::Map(_) => Ok(Some(())),
        _ => Err(wrong_form(given, "a mapping", "write `key: value` lines, indented below it")),
    }
}

fn wrong_form(given: &Given<'_>, wanted: &str, help: &str) -> Fault {
    Fault::new(Code::E012, given.key_span.clone(), format!("`{}` must be {wanted}", given.name))
        .label(format!("this is {}", kind(given.node)))
        .help(help)
}

fn kind(node: &Node) -> &'static str {
    match &node.value {
        Value::List(_) => "a list",
        Value::Map(_) => "a mapping",
        _ => "a string",
    }
}

fn tagged(given: &Given<'_>, tag: &str) -> Fault {
    Fault::new(
        Code::E012,
        given.key_span.clone(),
        format!("`{}` begins with `!`, which YAML reads as a tag", given.name),
    )
    .label(format!("`!{}` is not part of the text", tag.trim_start_matches('!')))
    .help("put the value in quotes")
}
