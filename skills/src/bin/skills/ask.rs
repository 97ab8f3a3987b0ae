//! The commands that answer from what is served: the four actions, a raw tool call, and the tool's
//! definition.
//!
//! Who asks is the keeper of the skills and sees them all; only `call` is a model's view.

use std::fmt::Display;
use std::io::{self, Read as _};

use serde::Serialize;
use serde_json::Value;
use skills::{Answer, Audience, Matches, Registry, SearchOptions};
use skills_bundle::render;
use skills_core::source::scan;

use crate::args::{Call, Global, Load, Read, Schema, Search};
use crate::failure::{self, Failure};
use crate::output::{self, Exit, Form, Outcome};
use crate::served::Served;

pub(crate) fn list(global: &Global, form: Form) -> Result<Outcome, Failure> {
    let served = Served::open(global)?;
    let listing = keeper(&served)?.list();
    output::tell(&served.shadowed());
    match form {
        Form::Text => Ok(Outcome::text(&listing.to_string(), Exit::Success)),
        Form::Json => {
            let mut document = serde_json::to_value(&listing).map_err(Failure::json)?;
            let warnings = served.findings().map(render::finding_json).collect();
            if let Value::Object(fields) = &mut document {
                fields.insert("warnings".to_owned(), warnings);
            }
            Outcome::document(&document, Exit::Success)
        }
    }
}

pub(crate) fn search(global: &Global, args: &Search, form: Form) -> Result<Outcome, Failure> {
    let served = Served::open(global)?;
    let options = SearchOptions::new()
        .ranking(args.ranking.into())
        .limit(usize::from(args.limit))
        .explain(args.explain);
    let matches = keeper(&served)?.search_with(&args.query.join(" "), options).map_err(Failure::Action)?;
    let exit = if matches.results.is_empty() { Exit::Nothing } else { Exit::Success };
    match form {
        Form::Text if args.explain => Ok(Outcome::text(&format!("{matches}{}", why(&matches)), exit)),
        _ => answer(&matches, exit, form),
    }
}

/// What each score is made of, for people.
fn why(matches: &Matches<'_>) -> String {
    let in_thousandths = matches.ranking != skills::Ranking::Reference.as_str();
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
    let served = Served::open(global)?;
    let loaded = keeper(&served)?.load(&args.name).map_err(Failure::Action)?;
    answer(&loaded, Exit::Success, form)
}

pub(crate) fn read(global: &Global, args: &Read, form: Form) -> Result<Outcome, Failure> {
    let served = Served::open(global)?;
    // A path that is not UTF-8 is none of a skill's, and is not found.
    let path = args.path.to_string_lossy();
    let content = keeper(&served)?.read_file(&args.name, &path, args.offset).map_err(Failure::Action)?;
    if let (Form::Text, Some(next)) = (form, content.next_offset) {
        output::tell(&format!("note: read on with --offset {next}\n"));
    }
    answer(&content, Exit::Success, form)
}

pub(crate) fn call(global: &Global, args: &Call, form: Form) -> Result<Outcome, Failure> {
    let json = if args.call == "-" { read_stdin()? } else { args.call.clone() };
    let served = Served::open(global)?;
    let reply = served.registry()?.for_audience(Audience::Model).call(&json);
    let exit = match &reply.outcome {
        Ok(Answer::Search(matches)) if matches.results.is_empty() => Exit::Nothing,
        Ok(_) => Exit::Success,
        Err(error) => failure::exit(error),
    };
    match form {
        Form::Text => Ok(Outcome::text(&reply.text, exit)),
        Form::Json => Outcome::document(&reply, exit),
    }
}

pub(crate) fn schema(args: &Schema) -> Result<Outcome, Failure> {
    let definition: Value = serde_json::from_str(&skills::schema(args.api.into())).map_err(Failure::json)?;
    Outcome::document(&definition, Exit::Success)
}

/// What is served, to whoever keeps it.
fn keeper(served: &Served) -> Result<Registry<'_>, Failure> {
    Ok(served.registry()?.for_audience(Audience::Everyone))
}

fn answer<T: Display + Serialize>(answer: &T, exit: Exit, form: Form) -> Result<Outcome, Failure> {
    match form {
        Form::Text => Ok(Outcome::text(&answer.to_string(), exit)),
        Form::Json => Outcome::document(answer, exit),
    }
}

fn read_stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(|error| {
        let message = format!("the call cannot be read from stdin: {}", scan::in_words(&error));
        Failure::other("IO", message, "give the call as an argument")
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
