//! The command `new`: creates a skill from a template, which is compiled in.
//!
//! The reader of skills checks the name, in the very file that would be written. Existing files are never
//! overwritten.

#![allow(clippy::disallowed_methods, reason = "this is the command that writes files")]

use std::fs;
use std::io;
use std::path::Path;

use include_dir::{Dir, include_dir};
use serde_json::json;
use skills_bundle::{Code, Config, Finding, compile};
use skills_source::rules::Rules;
use skills_source::scan::{self, SKILL_FILE};
use skills_source::skill;

use crate::args::New;
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::output::{self, Outcome};

/// The template: plain files without directories. Their names end in `.template` so that the template itself
/// isn't taken for a skill. `{{name}}` in them is replaced by the name as YAML.
static TEMPLATE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates/new");

const NAME: &str = "{{name}}";
const ENDING: &str = ".template";

pub(crate) fn run(args: &New, form: Form) -> Result<Outcome, Failure> {
    let name = args.name.trim();
    let yaml = name_as_yaml(name)?;
    let root = match &args.dir {
        Some(dir) => dir.as_path(),
        None => default_root()?,
    };
    let dir = root.join(name);
    let files = write(root, &dir, &yaml)?;
    output::tell_findings(&elsewhere(&dir));
    let check = format!("skills check {}", word(&dir));
    let load = format!("skills --root {} load {name}", word(root));
    match form {
        Form::Text => {
            let made: String = files.iter().map(|file| format!("created {file}\n")).collect();
            let next = format!(
                "1. Write its description and its instructions.\n2. Check it: {check}\n3. See what a model gets: {load}"
            );
            Ok(Outcome::text(&format!("{made}\nNext:\n{next}"), Exit::Success))
        }
        Form::Json => {
            let path = dir.to_string_lossy();
            let document = json!({"skill_name": name, "path": path, "files": files, "next": [check, load]});
            Outcome::document(&document, Exit::Success)
        }
    }
}

/// The directory `skills`, where a build script looks too, unless it is a Cargo package: a crate in a
/// workspace may have that name, and skills don't belong among its sources.
fn default_root() -> Result<&'static Path, Failure> {
    let root = Path::new("skills");
    if !root.join("Cargo.toml").is_file() {
        return Ok(root);
    }
    let own = root.join("skills");
    let such_as = if own.is_dir() { "skills/skills" } else { ".agents/skills" };
    let message = "`skills` is a Cargo package here, not a directory of skills".to_owned();
    Err(Failure::other(
        "NOT_A_SKILL_FOLDER",
        message,
        format!("choose a directory with --dir, such as --dir {such_as}"),
    ))
}

/// The name as it is written in the frontmatter: plain, or in quotes if YAML would read it as something else,
/// such as `null`.
fn name_as_yaml(name: &str) -> Result<String, Failure> {
    let quoted = serde_json::Value::from(name).to_string();
    let findings = findings(&quoted);
    if !findings.is_empty() {
        let message: Vec<&str> = findings.iter().map(|finding| finding.message.as_str()).collect();
        let message = format!("a skill cannot have the name `{name}`: {}", message.join("; "));
        let help = findings.first().map(|finding| finding.help.clone()).unwrap_or_default();
        return Err(Failure::other("INVALID_NAME", message, help));
    }
    Ok(if self::findings(name).is_empty() { name.to_owned() } else { quoted })
}

/// The findings on the new skill, whose directory will have its name.
fn findings(yaml: &str) -> Vec<Finding> {
    let text = TEMPLATE
        .get_file(format!("{SKILL_FILE}{ENDING}"))
        .and_then(|file| file.contents_utf8())
        .unwrap_or_default();
    let mut found = skill::read(SKILL_FILE, "", text.replace(NAME, yaml).as_bytes(), &Rules::default()).1;
    // This is the template.
    found.retain(|finding| finding.code != Code::L120);
    found
}

/// The findings on the directory's name, which may not work on another system.
fn elsewhere(dir: &Path) -> Vec<Finding> {
    let mut found = compile::check(&Config::new(dir).paths_as_given(true)).findings;
    found.retain(|finding| finding.code == Code::L117);
    found
}

fn write(root: &Path, dir: &Path, yaml: &str) -> Result<Vec<String>, Failure> {
    fs::create_dir_all(root).map_err(|error| not_made(root, &error))?;
    fs::create_dir(dir).map_err(|error| not_made(dir, &error))?;
    let mut files = Vec::new();
    for file in TEMPLATE.files() {
        let name = file.path().to_string_lossy();
        let path = dir.join(name.strip_suffix(ENDING).unwrap_or(&name));
        let text = file.contents_utf8().unwrap_or_default().replace(NAME, yaml);
        fs::write(&path, text).map_err(|error| not_made(&path, &error))?;
        files.push(path.to_string_lossy().into_owned());
    }
    Ok(files)
}

fn not_made(path: &Path, error: &io::Error) -> Failure {
    let path = path.display();
    if error.kind() == io::ErrorKind::AlreadyExists {
        let help = "choose another name, or another directory with --dir";
        return Failure::other("ALREADY_EXISTS", format!("`{path}` already exists"), help);
    }
    let message = format!("`{path}` cannot be created: {}", scan::in_words(error));
    Failure::other("IO", message, "choose another directory with --dir")
}

/// A path quoted as one word for a shell.
fn word(path: &Path) -> String {
    let path = path.to_string_lossy();
    let is_plain = path.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c)) && !path.starts_with('-');
    if is_plain { path.into_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}
