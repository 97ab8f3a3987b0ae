//! The commands that answer from the served skills: the four actions, a raw tool call, and the tool's
//! definition.
//!
//! The user manages the skills and sees them all; only `call` shows a model's view.

use std::fmt::Display;
use std::io::{self, Read as _};
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};
use skills::catalogue::{Catalogue, CatalogueOptions, SLOT};
use skills::search::{Matches, SearchOptions};
use skills::{Action, ActionError, Answer, Audience, Entry, Provider, SkillFile, ToolOptions};
use skills_bundle::lock::{self, Digest, LockedFile};
use skills_bundle::render;
use skills_pack::nearest;
use skills_pack::text::{Quoted, counted, did_you_mean};
use skills_source::scan;

use crate::args::{Call, Global, Load, Prompt, Read, Schema, Search, Tools};
use crate::failure::{self, Failure};
use crate::form::{Exit, Form};
use crate::output::{self, Outcome};
use crate::served::Served;

pub(crate) fn list(global: &Global, form: Form) -> Result<Outcome, Failure> {
    let served = Served::open_to_read(global)?;
    let listing = served.registry_for(form).list();
    output::note(&served.shadowed());
    if served.findings().next().is_some() {
        output::note(
            "note: `skills check` with the same directories reports everything that is wrong in them\n",
        );
    }
    let outcome = match form {
        Form::Text => Ok(Outcome::text(&listing.to_string(), Exit::Success)),
        Form::Json => {
            let mut document = serde_json::to_value(&listing).map_err(Failure::json)?;
            let warnings = served.findings().map(render::finding_json).collect();
            if let Value::Object(fields) = &mut document {
                fields.insert("warnings".to_owned(), warnings);
                fields.insert("shadowed".to_owned(), served.shadowed_json());
                let skills = fields.get_mut("skills").and_then(Value::as_array_mut).into_iter().flatten();
                for (skill, entry) in skills.zip(&listing.skills) {
                    skill["digest"] = digest(entry).map(|digest| digest.to_string()).into();
                }
            }
            Outcome::document(&document, Exit::Success)
        }
    };
    drop(listing);
    // The process ends now. To free the memory of each skill would take longer than to list them.
    std::mem::forget(served);
    outcome
}

/// The digest of a skill's files, as a lock has it; `None` if one can't be read.
fn digest(entry: &Entry<'_>) -> Option<Digest> {
    let line = |file: SkillFile<'_>| {
        let (path, executable, size) = (file.path().to_owned(), file.is_executable(), file.size() as u64);
        match file.sha256() {
            Some(sha256) => Some(LockedFile { executable, size, sha256: *sha256, path }),
            None => Some(LockedFile::of(path, executable, &entry.read(&file).ok()?)),
        }
    };
    let files: Vec<LockedFile> = entry.with_files().skill.files().map(line).collect::<Option<_>>()?;
    Some(lock::digest(&files))
}

pub(crate) fn search(global: &Global, args: &Search, form: Form) -> Result<Outcome, Failure> {
    let served = Served::open(global)?;
    let options = SearchOptions::new()
        .ranking(args.ranking.into())
        .limit(usize::from(args.limit))
        .explain(args.explain);
    let matches =
        served.registry_for(form).search_with(&args.query.join(" "), options).map_err(Failure::Action)?;
    let exit = if matches.results.is_empty() { Exit::Nothing } else { Exit::Success };
    match form {
        Form::Text if args.explain => Ok(Outcome::text(&format!("{matches}{}", why(&matches)), exit)),
        _ => answer(&matches, exit, form),
    }
}

/// The parts of each score, for people.
fn why(matches: &Matches<'_>) -> String {
    let in_thousandths = matches.ranking != skills::search::Ranking::Reference.as_str();
    let shown = |score: u32| {
        if in_thousandths {
            format!("{:>4}.{:03}", score / 1000, score % 1000)
        } else {
            format!("{score:>4}")
        }
    };
    let mut text = String::new();
    for hit in &matches.results {
        text.push_str(&format!("\n\n{} {}", shown(hit.score), hit.entry.skill.name()));
        if let Some(confidence) = hit.confidence {
            text.push_str(&format!(", confidence {}.{:03}", confidence / 1000, confidence % 1000));
        }
        for part in &hit.parts {
            text.push_str(&format!("\n  {}  {}", shown(part.score), part.what));
        }
    }
    text
}

pub(crate) fn load(global: &Global, args: &Load, form: Form) -> Result<Outcome, Failure> {
    let served = Served::open_to_read(global)?;
    let registry = served.registry_for(form);
    if registry.names_command(&args.name) {
        let loaded = registry.load_command(&args.name).map_err(Failure::Action)?;
        return answer(&loaded, Exit::Success, form);
    }
    let loaded = match args.arguments.as_slice() {
        [] => registry.load(&args.name),
        arguments => registry.load_with(&args.name, &as_one_text(arguments)),
    };
    let command = format!("/{}", args.name);
    match loaded {
        Err(ActionError::SkillNotFound { .. }) if registry.load_command(&command).is_ok() => {
            let message = format!("no skill is named `{}`, but a slash command is", args.name);
            Err(Failure::not_found("SKILL_NOT_FOUND", message, format!("`skills load {command}` shows it")))
        }
        loaded => {
            let loaded = loaded.map_err(|error| served.failure(error))?;
            served.tell_findings_of_files(loaded.entry.skill.name());
            answer(&loaded, Exit::Success, form)
        }
    }
}

/// The catalogue is the model's view: it leaves out skills that only users may call.
pub(crate) fn prompt(global: &Global, args: &Prompt, form: Form) -> Result<Outcome, Failure> {
    let template = args.template.as_deref().map(read_template).transpose()?;
    let served = Served::open_to_read(global)?;
    let options = CatalogueOptions::new(args.format.into()).budget(args.budget).shorten(args.shorten);
    let catalogue = served.registry().for_audience(Audience::Model).catalogue(&options);
    let text = match &template {
        Some(template) => template.replace(SLOT, &catalogue.text),
        None => catalogue.text.clone(),
    };
    match form {
        Form::Text => {
            output::note(&of_catalogue(&served, &catalogue));
            // A template already ends in a line feed.
            Ok(Outcome::text(text.strip_suffix('\n').unwrap_or(&text), Exit::Success))
        }
        Form::Json => {
            let document = json!({
                "text": text,
                "full": catalogue.full,
                "shortened": catalogue.shortened,
                "left_out": catalogue.left_out,
                "fingerprint": format!("{:032x}", catalogue.fingerprint),
            });
            Outcome::document(&document, Exit::Success)
        }
    }
}

/// Notes on skills that a prompt doesn't show, or not as they are.
fn of_catalogue(served: &Served, catalogue: &Catalogue) -> String {
    let shown = catalogue.full + catalogue.shortened + catalogue.left_out;
    let mut notes = String::new();
    if catalogue.shortened + catalogue.left_out > 0 {
        let of = |count: usize, what: &str| {
            (count > 0).then(|| format!("{count} {} {what}", if count == 1 { "is" } else { "are" }))
        };
        let parts = [of(catalogue.shortened, "shortened"), of(catalogue.left_out, "left out")];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        notes = format!(
            "note: of {}, {}; --budget N gives more room\n",
            counted(shown, "skill"),
            parts.join(" and ")
        );
    }
    let hidden = served.registry().skills().len().saturating_sub(shown);
    if hidden > 0 {
        let (are, them) = if hidden == 1 { ("is", "it") } else { ("are", "them") };
        let skills = counted(hidden, "skill");
        notes.push_str(&format!("note: {skills} {are} not shown, since a model may not call {them}\n"));
    }
    notes
}

pub(crate) fn read(global: &Global, args: &Read, form: Form) -> Result<Outcome, Failure> {
    let served = Served::open_to_read(global)?;
    // A path that isn't UTF-8 matches no file of a skill, so it isn't found.
    let path = args.path.to_string_lossy();
    let content = served.registry().read_file(&args.name, &path, args.offset).map_err(|error| {
        served.tell_findings_of_files(&args.name);
        served.failure(error)
    })?;
    if let (Form::Text, Some(next)) = (form, content.next_offset) {
        output::note(&format!("note: read on with --offset {next}\n"));
    }
    if form == Form::Text && args.offset > 0 && args.offset >= content.total_chars {
        let Read { offset, .. } = args;
        output::note(&format!(
            "note: nothing follows: --offset is {offset}, and the file has {} characters\n",
            content.total_chars
        ));
    }
    answer(&content, Exit::Success, form)
}

pub(crate) fn call(global: &Global, args: &Call, form: Form) -> Result<Outcome, Failure> {
    let json = if args.call == "-" { read_stdin()? } else { args.call.clone() };
    let served = Served::open(global)?;
    let reply = served.registry().for_audience(Audience::Model).call(&json);
    let exit = match &reply.outcome {
        Ok(Answer::Search(matches)) if matches.results.is_empty() => Exit::Nothing,
        Ok(_) => Exit::Success,
        Err(error) => failure::exit(error),
    };
    let wrong = matches!(reply.outcome, Err(ActionError::InvalidAction)).then(|| wrong_call(&json)).flatten();
    match form {
        Form::Text => {
            // A model gets one text for all of these mistakes.
            output::tell(
                &wrong.map(|wrong| format!("help: {}\n", render::escape(&wrong))).unwrap_or_default(),
            );
            Ok(Outcome::text(&reply.text, exit))
        }
        Form::Json => {
            let mut document = serde_json::to_value(&reply).map_err(Failure::json)?;
            if let Some(wrong) = wrong {
                document["error"]["suggestion"] = wrong.into();
            }
            Outcome::document(&document, exit)
        }
    }
}

/// What is wrong with a call that names no action.
fn wrong_call(json: &str) -> Option<String> {
    let call: Value = match serde_json::from_str(json) {
        Ok(call) => call,
        Err(error) => return Some(format!("this is not valid JSON: {error}")),
    };
    if !call.is_object() {
        return Some("write a JSON object, such as {\"action\": \"list\"}".to_owned());
    }
    let inner = call.get("tool_args").unwrap_or(&call);
    let given = inner.get("action").or_else(|| inner.get("method"))?.as_str()?;
    let known = Action::ALL.map(Action::name);
    nearest::closest(&given.to_lowercase(), known).first().map(|near| did_you_mean(Quoted(near)))
}

pub(crate) fn schema(global: &Global, args: &Schema) -> Result<Outcome, Failure> {
    if args.frontmatter {
        let schema = skills_bundle::schema::frontmatter(args.profile.unwrap_or_default());
        return Outcome::document(&schema, Exit::Success);
    }
    let served = Served::open_to_read(global)?;
    let options = ToolOptions::new(args.tools.into()).strict(args.strict);
    let options = args.budget.iter().fold(options, |options, budget| options.budget(*budget));
    let provider = Provider::from(args.api);
    if args.strict && !provider.can_be_strict() {
        output::note("note: --strict has no effect: this API cannot enforce a schema\n");
    }
    let tools = served.registry().for_audience(Audience::Model).tools(provider, &options);
    let mut tools: Vec<Value> = serde_json::from_str(&tools).map_err(Failure::json)?;
    if tools.is_empty() {
        let help = "pass a directory of skills with --root";
        return Err(Failure::other(
            "NO_SKILLS",
            "there are no skills, so there is no tool to offer".to_owned(),
            help,
        ));
    }
    if let Some(limit) = provider.description_limit().filter(|_| args.budget.is_some()) {
        let mut whole = served.registry().for_audience(Audience::Model).definitions(&options).into_iter();
        if whole.any(|tool| !tools.iter().any(|written| has_text(written, &tool.description))) {
            output::note(&format!(
                "note: for this API a description has at most {limit} characters, so the catalogue in it is shorter than \
                 --budget allows; `skills prompt` prints one for the system prompt\n"
            ));
        }
    }
    match (args.tools, tools.pop()) {
        (Tools::One, Some(tool)) => Outcome::document(&tool, Exit::Success),
        (_, last) => {
            tools.extend(last);
            Outcome::document(&tools, Exit::Success)
        }
    }
}

/// Whether some text of a document holds this one.
fn has_text(document: &Value, part: &str) -> bool {
    match document {
        Value::String(text) => text.contains(part),
        Value::Array(items) => items.iter().any(|item| has_text(item, part)),
        Value::Object(fields) => fields.values().any(|value| has_text(value, part)),
        _ => false,
    }
}

fn answer<T: Display + Serialize>(answer: &T, exit: Exit, form: Form) -> Result<Outcome, Failure> {
    match form {
        Form::Text => Ok(Outcome::text(&answer.to_string(), exit)),
        Form::Json => Outcome::document(answer, exit),
    }
}

/// Joins words of the command line to one string that splits into the same words again.
fn as_one_text(words: &[String]) -> String {
    let quoted = |word: &String| match word {
        word if words.len() == 1 || !word.is_empty() && !word.contains(char::is_whitespace) => word.clone(),
        word if word.contains('"') => format!("'{word}'"),
        word => format!("\"{word}\""),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[allow(clippy::disallowed_methods, reason = "the user names the file")]
fn read_template(path: &Path) -> Result<String, Failure> {
    let template = std::fs::read_to_string(path).map_err(|error| {
        let why = match error.kind() {
            io::ErrorKind::InvalidData => "it is not UTF-8",
            _ => scan::in_words(&error),
        };
        let message = format!("the template `{}` cannot be read: {why}", path.display());
        Failure::other("IO", message, "give a text file that has {{available_skills}}")
    })?;
    if template.contains(SLOT) {
        return Ok(template);
    }
    let message = format!("the template `{}` has no {SLOT}", path.display());
    Err(Failure::other("TEMPLATE", message, "write that where the skills belong"))
}

fn read_stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(|error| {
        let message = format!("the call cannot be read from stdin: {}", scan::in_words(&error));
        Failure::other("IO", message, "give the call as an argument")
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
