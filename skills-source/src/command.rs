//! Reads one slash command: its definition and its template in, a command and all findings out.
//!
//! A command is two files: `NAME.command.yaml` with its fields, and the text that is sent when it is
//! called, with placeholders in braces. [`read`] knows neither the disk nor other commands;
//! [`read_file`] opens the files that a scan found. Nothing here renders a template, and nothing ever
//! runs one: a command of type `script` is reported and not read any further.

mod judge;
#[cfg(test)]
mod tests;

use std::io;

use crate::code::Code;
use crate::document;
use crate::fault::Fault;
use crate::finding::{Finding, Related};
use crate::frontmatter::Text;
use crate::frontmatter::command::{Definition, TEMPLATE_PATH, read_command};
use crate::lfs;
use crate::rules::{self, Rules, Unicode};
use crate::scan::{self, CommandFiles, FoundFile};
use crate::skill::not_utf8;
use crate::source::Source;
use crate::subject::Subject;
use crate::yaml::{self, Entry};

/// The end of a definition's file name.
pub const COMMAND_SUFFIX: &str = ".command.yaml";

/// A slash command that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CommandText {
    /// The name, without a slash, in the one form that is stored and compared. Empty where it could not
    /// be read.
    pub name: String,
    /// What the command does.
    pub description: String,
    /// What to show after its name.
    pub argument_hint: Option<String>,
    /// `webui_hidden`: it is left out of lists.
    pub hidden: bool,
    /// The template's file, as it is shown.
    pub template_path: String,
    /// The template: trimmed, with line feeds only.
    pub template: String,
    /// The definition as written, in order.
    pub entries: Vec<Entry>,
    /// Where the name is, to point at from another command's finding.
    pub name_place: Related,
}

/// The file that a `template_path` names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "built by the caller, field by field")]
pub struct TemplateFile {
    /// Its path to be shown.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Why there is no template under a `template_path`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "built by the caller, who knows what went wrong")]
pub enum NoTemplate {
    /// No such file was found. With the paths that may have been meant, as they would be written.
    NotFound(Vec<String>),
    /// The path is absolute, or leads out of the root.
    Outside,
    /// It is larger than the limit: how many bytes it has.
    TooLarge(u64),
    /// It could not be read, and why.
    Unreadable(&'static str),
    /// There is a finding on that file already.
    Reported,
}

/// Reads the command whose definition has these `bytes`. `path` is that file's path to be shown, and
/// `template` opens the file that the definition names.
///
/// Findings are at their level by `rules`; allowed ones are left out. The command is `None` where its
/// fields or its template could not be read, and where its type is not `text`; it may be used if no
/// finding is at [`Level::Deny`](crate::code::Level::Deny).
pub fn read(
    path: &str,
    bytes: &[u8],
    rules: &Rules,
    template: impl FnOnce(&str) -> Result<TemplateFile, NoTemplate>,
) -> (Option<CommandText>, Vec<Finding>) {
    let mut findings = Vec::new();
    let command = read_definition(path, bytes, rules, template, &mut findings);
    let mut findings = rules.apply(findings);
    findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    (command, findings)
}

/// Reads a command that a scan found, with [`read`].
pub fn read_file(
    files: &CommandFiles,
    definition: &FoundFile,
    rules: &Rules,
) -> (Option<CommandText>, Vec<Finding>) {
    read_file_with(files, definition, rules, scan::read_file)
}

/// The same, with another way to `open` the files that the scan found.
pub fn read_file_with(
    files: &CommandFiles,
    definition: &FoundFile,
    rules: &Rules,
    open: impl Fn(&FoundFile) -> io::Result<Vec<u8>>,
) -> (Option<CommandText>, Vec<Finding>) {
    let path = files.shown(&definition.path);
    if !definition.path.ends_with(COMMAND_SUFFIX) {
        return (None, rules.apply([judge::odd_file_name(path)]));
    }
    // Longer ones are refused by their length, which is all that is read of them here.
    if definition.len > rules.max_frontmatter_bytes as u64 {
        return (None, vec![judge::definition_too_large(path, definition.len, rules)]);
    }
    match open(definition) {
        Ok(bytes) => {
            read(&path, &bytes, rules, |wanted| open_template(files, definition, wanted, rules, open))
        }
        Err(error) => {
            let message = format!("the file cannot be read: {}", scan::in_words(&error));
            let help = "make it a plain file that may be read".to_owned();
            (None, vec![Finding::on_path(Code::E017, path, message, help)])
        }
    }
}

fn read_definition(
    path: &str,
    bytes: &[u8],
    rules: &Rules,
    template: impl FnOnce(&str) -> Result<TemplateFile, NoTemplate>,
    findings: &mut Vec<Finding>,
) -> Option<CommandText> {
    if bytes.len() > rules.max_frontmatter_bytes {
        findings.push(judge::definition_too_large(path.to_owned(), bytes.len() as u64, rules));
        return None;
    }
    let text = match document::decode(bytes) {
        Ok(text) => text,
        Err(error) => {
            findings.push(not_utf8(path, error));
            return None;
        }
    };
    let source = Source::new(path, text);
    if lfs::is_pointer(bytes) {
        findings.push(Finding::new(&source, judge::pointer(text)));
        return None;
    }
    let (definition, faults) = fields(text, stem(path), rules);
    findings.extend(faults.into_iter().map(|fault| Finding::new(&source, fault)));
    let Definition { common, kind, template_path, hidden } = definition?;
    match judge::kind(&common, kind.as_ref()) {
        Ok(()) => {}
        Err(fault) => {
            // The fields of a script are others.
            let is_script = fault.code == Code::L121;
            findings.push(Finding::new(&source, fault));
            if is_script {
                return None;
            }
        }
    }
    let Some(template_path) = template_path else {
        if !common.was_reported(TEMPLATE_PATH) {
            findings.push(Finding::new(&source, judge::no_template_path(&common, stem(path))));
        }
        return None;
    };
    let (shown, template) = match template(&template_path.value) {
        Ok(file) => {
            let template = judge::template(&file, &template_path, &source, findings)?;
            (file.path, template)
        }
        Err(NoTemplate::Reported) => return None,
        Err(why) => {
            findings.push(Finding::new(&source, judge::refused_template(&template_path, &why, rules)));
            return None;
        }
    };
    let unicode = if rules.unicode_names { Unicode::Any } else { Unicode::Ascii };
    let value = |text: &Option<Text>| text.as_ref().map(|text| text.value.clone());
    let name_span = common.name.as_ref().map_or(0..0, |name| name.span.clone());
    Some(CommandText {
        name: common.name.as_ref().map(|name| rules::kept(&name.value, unicode)).unwrap_or_default(),
        description: value(&common.description).unwrap_or_default(),
        argument_hint: value(&common.argument_hint),
        hidden,
        template_path: shown,
        template,
        name_place: Related::new(&source, name_span, ""),
        entries: common.entries,
    })
}

fn fields(text: &str, stem: &str, rules: &Rules) -> (Option<Definition>, Vec<Fault>) {
    let (root, mut faults) = yaml::read(text, 0..text.len(), Subject::Definition);
    let Some(root) = root else { return (None, faults) };
    match read_command(root, 0..text.len()) {
        Ok((definition, found)) => {
            faults.extend(found);
            faults.extend(rules::check_command(text, &definition.common, stem, rules));
            (Some(definition), faults)
        }
        Err(fault) => {
            faults.push(fault);
            (None, faults)
        }
    }
}

/// The file's name without its ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(COMMAND_SUFFIX).unwrap_or_default()
}

/// Looks for the template among the files that the scan found: no path is ever joined.
fn open_template(
    files: &CommandFiles,
    definition: &FoundFile,
    wanted: &str,
    rules: &Rules,
    open: impl Fn(&FoundFile) -> io::Result<Vec<u8>>,
) -> Result<TemplateFile, NoTemplate> {
    let directory = definition.path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let path = below_root(directory, wanted).ok_or(NoTemplate::Outside)?;
    let found = files.templates.binary_search_by(|file| file.path.as_str().cmp(&path));
    let Some(file) = found.ok().and_then(|at| files.templates.get(at)) else {
        let shown = files.shown(&path);
        // A link or a pipe that the scan refused, or a directory that it could not list.
        let is_reported = files.refused.iter().any(|refused| {
            shown.strip_prefix(refused.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        return Err(if is_reported {
            NoTemplate::Reported
        } else {
            NoTemplate::NotFound(judge::nearest_templates(files, directory, &path))
        });
    };
    if file.len > rules.max_skill_bytes {
        return Err(NoTemplate::TooLarge(file.len));
    }
    match open(file) {
        // It may have grown since it was found.
        Ok(bytes) if bytes.len() as u64 > rules.max_skill_bytes => {
            Err(NoTemplate::TooLarge(bytes.len() as u64))
        }
        Ok(bytes) => Ok(TemplateFile { path: files.shown(&file.path), bytes }),
        Err(error) => Err(NoTemplate::Unreadable(scan::in_words(&error))),
    }
}

/// The path below the root that `wanted`, written in a file of `directory`, names; `None` where it leads
/// out.
fn below_root(directory: &str, wanted: &str) -> Option<String> {
    let has_drive = wanted.split(['/', '\\']).next().is_some_and(|first| first.contains(':'));
    if wanted.starts_with(['/', '\\', '~']) || wanted.contains('\0') || has_drive {
        return None;
    }
    let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
    for part in wanted.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            // It is no part of a path here, but it is one to another system.
            part if part.split('\\').any(|part| part == "..") => return None,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
