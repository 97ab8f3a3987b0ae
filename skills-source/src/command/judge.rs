//! What is judged of a slash command alone: its type, its template, its file's name.

use std::cell::LazyCell;
use std::sync::Arc;

use super::{COMMAND_SUFFIX, NoTemplate, TemplateFile};
use crate::code::Code;
use crate::document;
use crate::fault::Fault;
use crate::finding::Finding;
use crate::frontmatter::command::{COMMAND_TYPE, TEMPLATE_PATH};
use crate::frontmatter::{Field, Frontmatter, Text};
use crate::lfs;
use crate::rules::{Rules, check_hidden};
use crate::scan::{CommandFiles, TEMPLATE_SUFFIX};
use crate::skill::not_utf8;
use crate::source::{Source, Span};
use crate::yaml::Entry;
use skills_pack::nearest;
use skills_pack::template::placeholder;
use skills_pack::text::{Quoted, did_you_mean};

/// What is wrong with the type, if that is not said already. Without one it is `text`, unless its key is misspelt: then
/// what was meant can't be known.
pub(super) fn kind(read: &Frontmatter, kind: Option<&Text>) -> Result<(), Fault> {
    match kind.map(|kind| (kind, kind.value.to_ascii_lowercase())) {
        Some((_, word)) if word == "text" => Ok(()),
        Some((kind, word)) if word == "script" => {
            Err(Fault::new(Code::L121, kind.span.clone(), "commands of type `script` are not supported")
                .label("it is never run, and not served")
                .help("write what the script is for as a template, with `type: text`"))
        }
        Some((kind, _)) => {
            let message = format!("`{}` is not a type of slash command", kind.value);
            let fault = Fault::new(Code::E021, kind.span.clone(), message).label("this type");
            Err(fault.help("write `type: text`"))
        }
        None => match close_key(read, COMMAND_TYPE) {
            Some(close) if !read.was_reported(COMMAND_TYPE) => Err(misspelt(close, COMMAND_TYPE, Code::E021)),
            _ => Ok(()),
        },
    }
}

pub(super) fn no_template_path(read: &Frontmatter, stem: &str) -> Fault {
    let stem = if stem.is_empty() { "NAME" } else { stem };
    let help = format!("write `template_path: {stem}{TEMPLATE_SUFFIX}`, and the text into that file");
    missing(read, TEMPLATE_PATH, Code::E022, help)
}

fn missing(read: &Frontmatter, field: Field, code: Code, help: String) -> Fault {
    let name = field.name();
    let message = format!("`{name}` is missing");
    if let Some(empty) = read.entry(name) {
        return Fault::new(code, empty.key_span.clone(), message).label("this has no value").help(help);
    }
    match close_key(read, field) {
        Some(close) => misspelt(close, field, code),
        None => Fault::new(code, 0..0, message).label("in this file").help(help),
    }
}

/// A key that may have been meant for a field which is missing.
fn close_key(read: &Frontmatter, field: Field) -> Option<&Entry> {
    let keys = read.entries.iter().map(|entry| entry.key.as_str());
    let key = *nearest::closest(field.name(), keys).first()?;
    read.entry(key).filter(|entry| entry.key != field.name())
}

fn misspelt(close: &Entry, field: Field, code: Code) -> Fault {
    let name = field.name();
    Fault::new(code, close.key_span.clone(), format!("`{name}` is missing"))
        .label(did_you_mean(Quoted(name)))
        .help(format!("write `{name}` instead of `{}`", close.key))
}

pub(super) fn refused_template(path: &Text, why: &NoTemplate, rules: &Rules) -> Fault {
    let shown = &path.value;
    let fault = |code, message: String| Fault::new(code, path.span.clone(), message);
    match why {
        NoTemplate::Outside => fault(Code::E023, format!("the template `{shown}` lies outside the root"))
            .label("this path points outside")
            .help("put the template beside this file, and write its name alone"),
        NoTemplate::TooLarge(len) => fault(Code::E018, too_large("template", *len, rules.max_skill_bytes))
            .label("this file")
            .help("make it a skill, whose files are read when they are needed"),
        NoTemplate::Unreadable(words) => {
            fault(Code::E017, format!("the template `{shown}` cannot be read: {words}"))
                .label("this file")
                .help("make it a plain file that may be read")
        }
        NoTemplate::NotFound(nearest) => {
            let fault = fault(Code::E022, format!("the template `{shown}` is not found"));
            match nearest.first() {
                Some(nearest) => fault
                    .label(did_you_mean(Quoted(nearest)))
                    .help(format!("write `template_path: {nearest}`")),
                None if !path.value.ends_with(TEMPLATE_SUFFIX) => fault
                    .label(format!("its name does not end in `{TEMPLATE_SUFFIX}`"))
                    .help(format!("put the text into a file whose name ends in `{TEMPLATE_SUFFIX}`")),
                None => fault.label("there is no such file").help("write the text to send into that file"),
            }
        }
        NoTemplate::Reported => fault(Code::E022, format!("the template `{shown}` is refused")),
    }
}

/// Templates that may have been meant, as they would be written in a file of `directory`.
pub(super) fn nearest_templates(files: &CommandFiles, directory: &str, wanted: &str) -> Vec<String> {
    let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
    let wanted = wanted.replace('\\', "/");
    let wanted = wanted.strip_prefix(&prefix).unwrap_or(&wanted);
    let beside = || files.templates.iter().filter_map(|file| file.path.strip_prefix(&prefix));
    let same = beside().find(|path| path.eq_ignore_ascii_case(wanted));
    same.into_iter().chain(nearest::closest(wanted, beside())).map(str::to_owned).collect()
}

/// The template's text, and what is wrong with it.
pub(super) fn template(
    file: &TemplateFile,
    path: &Text,
    definition: &Arc<Source>,
    findings: &mut Vec<Finding>,
) -> Option<String> {
    let text = match document::decode(&file.bytes) {
        Ok(text) => text,
        Err(error) => {
            findings.push(not_utf8(&file.path, error));
            return None;
        }
    };
    let template = text.trim().replace("\r\n", "\n").replace('\r', "\n");
    if template.is_empty() {
        let message = format!("the template `{}` is empty", path.value);
        let fault = Fault::new(Code::E022, path.span.clone(), message).label("this file is empty");
        findings.push(Finding::new(definition, fault.help("write the text to send into that file")));
        return None;
    }
    if lfs::is_pointer(&file.bytes) {
        let message = "the template is a Git LFS pointer, not the text itself".to_owned();
        findings.push(Finding::on_path(Code::L127, file.path.clone(), message, lfs::HELP.to_owned()));
    }
    let source = LazyCell::new(|| Source::new(file.path.as_str(), text));
    findings.extend(check_hidden(text).into_iter().map(|fault| Finding::new(&source, fault)));
    findings.extend(doubtful(text).take(MAX_DOUBTFUL).map(|(span, written)| {
        let message = format!("`{written}` is not a placeholder");
        let help = "write `{raw}`, `{args.positional.0}` or `{args.flags.name}`";
        Finding::new(&source, Fault::new(Code::L122, span, message).label("this stays as it is").help(help))
    }));
    Some(template)
}

/// A definition that Git LFS has not fetched.
pub(super) fn pointer(text: &str) -> Fault {
    let first = 0..text.find(['\n', '\r']).unwrap_or(text.len());
    Fault::new(Code::E004, first, "the file is a Git LFS pointer, not a slash command")
        .label("what Git LFS keeps in its place")
        .help(lfs::HELP)
}

/// What looks like a placeholder is reported this often in one template: a place is found by counting
/// lines from the top.
const MAX_DOUBTFUL: usize = 64;

/// The most bytes between two braces that are looked at.
const MAX_PLACEHOLDER: usize = 80;

/// What looks like a placeholder and is none, with its place.
fn doubtful(template: &str) -> impl Iterator<Item = (Span, &str)> {
    template.match_indices(['{', '$']).filter_map(|(at, sign)| {
        let rest = &template[at..];
        let is_escaped = template[..at].ends_with('\\');
        if placeholder(rest).is_some() || is_escaped {
            return None;
        }
        let len = if sign == "{" { in_braces(rest) } else { after_dollar(rest) }?;
        Some((at..at + len, &rest[..len]))
    })
}

/// The first parts of what people and other agents write between braces.
const IN_BRACES: &[&str] = &[
    "raw",
    "full",
    "command",
    "input",
    "arg",
    "args",
    "argument",
    "arguments",
    "positional",
    "flag",
    "flags",
];

/// The length of `{arg.0}`, `{full}` and the like.
fn in_braces(rest: &str) -> Option<usize> {
    let end = rest.bytes().take(MAX_PLACEHOLDER).position(|byte| byte == b'}')?;
    let inside = rest.get(1..end)?.trim_matches([' ', '\t']);
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '[' | ']');
    let first = inside.split(['.', '[']).next().unwrap_or_default().to_lowercase();
    (IN_BRACES.contains(&first.as_str()) && inside.chars().all(is_path)).then_some(end + 1)
}

/// The length of `$1`, `$ARGS` and the like. `$15` and `$1.50` are sums of money.
fn after_dollar(rest: &str) -> Option<usize> {
    let word = rest[1..].split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default();
    let mut after = rest[1 + word.len()..].chars();
    let is_digit = matches!(word.as_bytes(), [b'0'..=b'9'])
        && !(matches!(after.next(), Some('.' | ',')) && after.next().is_some_and(|c| c.is_ascii_digit()));
    (is_digit || matches!(word, "ARGS" | "ARGUMENT")).then_some(1 + word.len())
}

pub(super) fn definition_too_large(path: String, len: u64, rules: &Rules) -> Finding {
    let message = too_large("file", len, rules.max_frontmatter_bytes as u64);
    Finding::on_path(Code::E018, path, message, "put what is long into the template".to_owned())
}

fn too_large(what: &str, len: u64, max: u64) -> String {
    format!("the {what} is larger than {max} bytes: it has {len}")
}

/// A definition's file that other letters, or `.yml`, keep from being one.
pub(super) fn odd_file_name(path: String) -> Finding {
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.to_ascii_lowercase().rfind(".command.").and_then(|end| name.get(..end)).unwrap_or(name);
    let right = format!("{stem}{COMMAND_SUFFIX}");
    let message = format!("the file must be named `{right}`, not `{name}`: the command is not served");
    let help = format!("rename it to `{}{right}`", &path[..path.len() - name.len()]);
    Finding::on_path(Code::L123, path, message, help)
}
