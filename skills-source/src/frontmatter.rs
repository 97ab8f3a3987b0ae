//! From a YAML mapping to the fields of a skill.
//!
//! The table [`FIELDS`] is in `table`, and `forms` reads a form. Whether a value is a good one is judged by [`rules`](crate::rules).

use std::borrow::Cow;

use skills_pack::layout::skill;

use crate::code::Code;
use crate::fault::Fault;
use crate::source::Span;
use crate::yaml::{Entry, Node, Value};

mod about;
pub(crate) mod command;
mod forms;
mod json;
mod table;

pub use about::About;
pub use forms::split_list;
use table::{ARGUMENTS, AUTHOR, HINT, LICENSE, NO_MODEL, TAGS, TRIGGERS, USER, VERSION};
pub use table::{COMPATIBILITY, DESCRIPTION, FIELDS, Field, Form, LIMITS, NAME, PARAMETERS, WHEN_TO_USE};
pub(crate) use table::{METADATA, TOOLS};

/// A text field that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Text {
    /// The value, trimmed. Never empty.
    pub value: String,
    /// Where it stands in the file's text.
    pub span: Span,
    /// Whether the span holds exactly `value`.
    pub exact: bool,
    /// The key under which it was given.
    pub key: &'static str,
}

impl Text {
    /// The place of a part of the value, as exactly as it is known.
    pub fn part(&self, part: std::ops::Range<usize>) -> Span {
        if self.exact { self.span.start + part.start..self.span.start + part.end } else { self.span.clone() }
    }
}

/// The fields of a skill.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frontmatter {
    /// The name, as written.
    pub name: Option<Text>,
    /// What the skill does. If only `when_to_use` is given, that.
    pub description: Option<Text>,
    /// When to use it, if that is given beside a description.
    pub when_to_use: Option<Text>,
    /// Its version.
    pub version: Option<Text>,
    /// Who wrote it.
    pub author: Option<Text>,
    /// Under which licence.
    pub license: Option<Text>,
    /// What it needs to run.
    pub compatibility: Option<Text>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Phrases that call for it.
    pub triggers: Vec<String>,
    /// Tools that it may use.
    pub allowed_tools: Vec<String>,
    /// What to show after its name when it is called with arguments.
    pub argument_hint: Option<Text>,
    /// Names of its arguments, by position.
    pub arguments: Vec<String>,
    /// Not `disable-model-invocation`. `false` too where a value of it was reported.
    pub model_may_call: bool,
    /// `user-invocable`. `false` too where a value of it was reported.
    pub user_may_call: bool,
    /// Everything as written, in order.
    pub entries: Vec<Entry>,
    /// Fields whose value was reported, so that they are not reported as missing too.
    pub(crate) reported: Vec<&'static str>,
}

impl Frontmatter {
    /// The text fields that have a place of their own in a skill's record, each with that place.
    pub(crate) fn texts(&self) -> [(usize, &Option<Text>); 7] {
        [
            (skill::NAME, &self.name),
            (skill::DESCRIPTION, &self.description),
            (skill::VERSION, &self.version),
            (skill::AUTHOR, &self.author),
            (skill::LICENSE, &self.license),
            (skill::COMPATIBILITY, &self.compatibility),
            (skill::ARGUMENT_HINT, &self.argument_hint),
        ]
    }

    /// The lists, in the same way.
    pub(crate) fn lists(&self) -> [(usize, &Vec<String>); 4] {
        [
            (skill::TAGS, &self.tags),
            (skill::TRIGGERS, &self.triggers),
            (skill::TOOLS, &self.allowed_tools),
            (skill::ARGUMENTS, &self.arguments),
        ]
    }

    /// The value of an entry as JSON: texts stay the texts that were written, `true`, `false`, `null`
    /// and plain whole numbers become what they are in JSON.
    pub fn json(node: &Node) -> String {
        json::render(node, json::Numbers::AsWritten)
    }

    /// The value of an entry as JSON with YAML's own types: other than in [`json`](Self::json), `1.10` is
    /// the number 1.1.
    pub(crate) fn typed_json(node: &Node) -> String {
        json::render(node, json::Numbers::InYaml)
    }

    /// The JSON Schema under `parameters`, as JSON. Other than in [`json`](Self::json) every number is
    /// one, also where JSON writes it in another way: a limit of `0.50` is no text.
    pub fn parameters(&self) -> Option<String> {
        self.entry(PARAMETERS.name()).map(|entry| Self::parameters_json(&entry.node))
    }

    /// The value under `parameters` as [`parameters`](Self::parameters) has it.
    pub(crate) fn parameters_json(node: &Node) -> String {
        json::render(node, json::Numbers::AsMeant)
    }

    /// The description as it is shown and searched: followed by a space and `when_to_use`, if both are given.
    /// Empty if neither is.
    pub fn whole_description(&self) -> Cow<'_, str> {
        match (&self.description, &self.when_to_use) {
            (Some(description), Some(when)) => format!("{} {}", description.value, when.value).into(),
            (Some(description), None) => description.value.as_str().into(),
            (None, _) => "".into(),
        }
    }

    /// Whether a fault was reported for this field.
    pub(crate) fn was_reported(&self, field: Field) -> bool {
        self.reported.contains(&field.name())
    }

    /// The entry with this top-level key.
    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}

/// Reads the fields of a frontmatter, which stands at `span`.
///
/// # Errors
///
/// [`Code::E004`] where `root` is no mapping. Faults in single fields ([`Code::E012`],
/// [`Code::L109`]) are returned beside what could be read.
pub fn read(root: Node, span: Span) -> Result<(Frontmatter, Vec<Fault>), Fault> {
    let entries = match root.value {
        Value::Map(entries) => entries,
        Value::Null => {
            return Err(Fault::new(Code::E004, span.start..span.start, "the frontmatter is empty")
                .help("write at least `name: …` and `description: …` between the fences"));
        }
        _ => {
            return Err(Fault::new(Code::E004, root.span, "the frontmatter is not a mapping")
                .label("this is no `key: value`")
                .help("write fields, such as `name: …` and `description: …`, one a line"));
        }
    };
    let mut fields = forms::Fields { entries: &entries, faults: Vec::new(), reported: Vec::new() };
    let mut frontmatter = Frontmatter {
        name: fields.text(NAME),
        description: fields.text(DESCRIPTION),
        when_to_use: fields.text(WHEN_TO_USE),
        version: fields.text(VERSION),
        author: fields.text(AUTHOR),
        license: fields.text(LICENSE),
        compatibility: fields.text(COMPATIBILITY),
        tags: fields.list(TAGS),
        triggers: fields.list(TRIGGERS),
        allowed_tools: fields.list(TOOLS),
        argument_hint: fields.text(HINT),
        arguments: fields.list(ARGUMENTS),
        model_may_call: !fields.flag(NO_MODEL, false),
        user_may_call: fields.flag(USER, true),
        ..Frontmatter::default()
    };
    if frontmatter.description.is_none() {
        frontmatter.description = frontmatter.when_to_use.take();
    }
    fields.mapping(METADATA);
    let forms::Fields { faults, reported, .. } = fields;
    frontmatter.reported = reported;
    frontmatter.entries = entries;
    Ok((frontmatter, faults))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Subject;
    use crate::yaml;

    fn read_text(text: &str) -> (Frontmatter, Vec<(Code, usize)>) {
        let (root, faults) = yaml::read(text, 0..text.len(), Subject::Frontmatter);
        assert!(faults.is_empty(), "{faults:?}");
        let (frontmatter, faults) = read(root.expect("it parses"), 0..text.len()).expect("a mapping");
        (frontmatter, faults.into_iter().map(|fault| (fault.code, fault.span.start)).collect())
    }

    #[test]
    fn the_first_name_with_a_value_wins() {
        let (read, faults) =
            read_text("summary: b\ndescription:\nskill: x\nname: y\nmetadata: {version: 1.10, tags: x y}\n");
        assert_eq!(read.description.map(|text| text.value).as_deref(), Some("b"));
        assert_eq!(faults, [(Code::L109, 24)]);
        assert_eq!(read.version.map(|text| text.value).as_deref(), Some("1.10"));
        assert_eq!(read.tags, ["x", "y"]);
    }

    #[test]
    fn when_to_use_is_added_to_the_description() {
        for (text, description, whole) in [
            ("description: a\nwhen_to_use: b\n", Some("a"), "a b"),
            ("summary: a\nwhen-to-use: [b, ' ', 7, ~]\n", Some("a"), "a b; 7"),
            ("when_to_use: b\ndescription: ''\n", Some("b"), "b"),
            ("when_to_use: []\ndescription: a\n", Some("a"), "a"),
            ("name: x\n", None, ""),
        ] {
            let (read, faults) = read_text(text);
            assert_eq!(read.whole_description(), whole, "{text}");
            assert_eq!(read.description.map(|text| text.value).as_deref(), description, "{text}");
            assert_eq!(faults, [], "{text}");
        }
        let (_, faults) = read_text("description: a\nwhen_to_use: [{a: b}]\n");
        assert_eq!(faults, [(Code::E012, 15)]);
    }

    #[test]
    fn equal_values_under_two_names_are_no_conflict() {
        let (_, faults) = read_text("name: a\nskill: a\nversion: 1\nmetadata: {version: '1'}\n");
        assert_eq!(faults, []);
    }

    #[test]
    fn lists_take_every_form() {
        let (read, faults) = read_text(
            "tags: [a, 7, ' ', ~]\ntriggers: fill a form\nallowed-tools: Bash(git add *, x), Read\narguments: a b\n",
        );
        assert_eq!((read.tags, read.triggers), (vec!["a".into(), "7".into()], vec!["fill a form".into()]));
        assert_eq!(
            (read.allowed_tools, read.arguments),
            (vec!["Bash(git add *, x)".into(), "Read".into()], vec!["a".into(), "b".into()])
        );
        assert_eq!(faults, []);
    }

    #[test]
    fn wrong_forms_are_reported_once() {
        let (read, faults) = read_text("name: [x]\ntags:\n  - a: b\nmetadata: x\nuser-invocable: maybe\n");
        assert_eq!(faults.iter().map(|(code, _)| *code).collect::<Vec<_>>(), [Code::E012; 4]);
        assert!(read.name.is_none() && read.was_reported(NAME));
    }

    #[test]
    fn flags_fail_closed() {
        let (read, faults) = read_text("disable-model-invocation: \"true\"\nuser-invocable: Off\n");
        assert!(!read.model_may_call && !read.user_may_call && faults.is_empty());
        let (read, _) = read_text("disable-model-invocation: maybe\nuser-invocable: [no]\n");
        assert!(!read.model_may_call && !read.user_may_call);
    }

    #[test]
    fn limits_have_names_in_three_spellings() {
        for (flag, tools) in [
            ("disable-model-invocation: true\nuser-invocable: no\n", "allowed-tools: Read\n"),
            ("disable_model_invocation: true\nuser_invocable: no\n", "allowed_tools: Read\n"),
            ("disableModelInvocation: true\nuserInvocable: no\n", "allowedTools: Read\n"),
        ] {
            let (read, faults) = read_text(&format!("{flag}{tools}"));
            assert!(!read.model_may_call && !read.user_may_call, "{flag}");
            assert_eq!((read.allowed_tools, faults), (vec!["Read".to_owned()], Vec::new()), "{tools}");
        }
    }

    #[test]
    fn a_limit_that_says_two_things_cannot_be_read() {
        for (text, at) in [
            ("disable-model-invocation: false\ndisableModelInvocation: true\n", 32),
            ("user_invocable: true\nuser-invocable: false\n", 0),
            ("allowed-tools: Read\ntools: Read Write\n", 20),
        ] {
            let (read, faults) = read_text(text);
            assert_eq!(faults, [(Code::E012, at)], "{text}");
            let is_closed = !read.model_may_call || !read.user_may_call || text.starts_with("allowed");
            assert!(is_closed, "{text}");
        }
        let (_, faults) = read_text("allowed-tools: Read, Write\ntools: [Write, Read]\n");
        assert_eq!(faults, []);
    }

    #[test]
    fn tools_are_split_outside_brackets_alone() {
        let tools = |text: &str| {
            let (read, faults) = read_text(&format!("tools: {text}\n"));
            (read.allowed_tools, faults)
        };
        let whole = ["Read", "Grep", "Bash(git add *, x)", "mcp__a__b", "Bash(a (b [c, d]) {e f})"];
        assert_eq!(
            tools("Read Grep, Bash(git add *, x) ,mcp__a__b  Bash(a (b [c, d]) {e f})"),
            (whole.map(str::to_owned).into(), Vec::new())
        );
        for text in ["Bash(git add * Read", "Read)", "Bash(ls [a)", "[Read, 'Bash(x']", "Bash(x]"] {
            let (tools, faults) = tools(text);
            assert_eq!((tools.len(), faults.len()), (0, 1), "{text}");
            assert_eq!(faults[0].0, Code::E012, "{text}");
        }
    }

    #[test]
    fn a_hint_in_brackets_is_text() {
        let (read, faults) = read_text("argument-hint: [mode: fast]\n");
        assert_eq!(read.argument_hint.map(|text| text.value).as_deref(), Some("[mode: fast]"));
        assert_eq!(faults, []);
    }

    #[test]
    fn numbers_of_a_schema_are_numbers() {
        let (read, _) = read_text("parameters: {a: 0.50, b: 0x1f, c: .inf, d: 1e3, e: -7, f: '1.5'}\n");
        assert_eq!(
            read.parameters().as_deref(),
            Some(r#"{"a":0.5,"b":31.0,"c":".inf","d":1000.0,"e":-7,"f":"1.5"}"#)
        );
    }

    #[test]
    fn values_become_json() {
        let (read, _) = read_text("a: {x: 1, y: 1.10, z: [yes, true, ~, \"q\\\"\"], \"0\": 007}\n");
        assert_eq!(
            Frontmatter::json(&read.entries[0].node),
            r#"{"x":1,"y":"1.10","z":["yes",true,null,"q\""],"0":"007"}"#
        );
    }
}
