//! The commands `export`, `install` and `uninstall`: write skills to where agents read them; and `list --installed`.
//!
//! The library decides what happens to each file; this module prints it.

use std::env;
use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};
use skills::export::{self, Agent, ExportError, ExportReport, Exporter, Installed, Scope};
use skills_bundle::render;

use crate::args::{Export, Global, How, Install, Place, ScopeName, Target};
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::output::{self, Outcome};
use crate::served::{Served, shown};

pub(crate) fn export(global: &Global, args: &Export, form: Form) -> Result<Outcome, Failure> {
    write(global, &args.names, std::slice::from_ref(&args.dir), &args.how, form)
}

pub(crate) fn install(global: &Global, args: &Install, form: Form) -> Result<Outcome, Failure> {
    write(global, &args.names, &dirs(&args.place)?, &args.how, form)
}

pub(crate) fn uninstall(args: &Install, form: Form) -> Result<Outcome, Failure> {
    let exporter = exporter(&args.names, &args.how);
    let nothing = "nothing there was written by this program";
    each(&dirs(&args.place)?, &args.how, nothing, form, |dir| exporter.uninstall(dir))
}

fn write(
    global: &Global,
    names: &[String],
    dirs: &[PathBuf],
    how: &How,
    form: Form,
) -> Result<Outcome, Failure> {
    let served = Served::open_to_read(global)?;
    let nothing = "there are no skills to write";
    each(dirs, how, nothing, form, |dir| {
        let mut exporter = exporter(names, how);
        let mut origins: Vec<String> = (!global.no_bundle).then(|| "bundle".to_owned()).into_iter().collect();
        for root in &global.root {
            let place = seen_from(dir, root);
            exporter = exporter.recorded_as(shown(root), &place);
            origins.push(place);
        }
        if served.is_whole() {
            exporter = exporter.prune_from(origins);
        }
        exporter.install(&served.registry(), dir)
    })
}

/// A root as seen from a directory that is written to: the same in each checkout of a project, and another one for
/// each root, whatever its path is relative to.
fn seen_from(dir: &Path, root: &Path) -> String {
    let (dir, root) = (real(dir), real(root));
    let shared = dir.components().zip(root.components()).take_while(|(one, other)| one == other).count();
    if shared == 0 {
        return shown(&root);
    }
    let up = dir.components().skip(shared).map(|_| Component::ParentDir);
    shown(&up.chain(root.components().skip(shared)).collect::<PathBuf>())
}

/// The absolute path without symlinks, also of something that isn't there yet.
fn real(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let found = absolute.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    match found {
        Some((above, real)) => match absolute.strip_prefix(above) {
            Ok(rest) if rest.as_os_str().is_empty() => real,
            Ok(rest) => real.join(rest),
            Err(_) => absolute,
        },
        None => absolute,
    }
}

fn exporter(names: &[String], how: &How) -> Exporter {
    Exporter::new("skills").dry_run(how.dry_run).force(how.force).write_new(how.write_new).only(names)
}

/// The directories, each once.
fn dirs(place: &Place) -> Result<Vec<PathBuf>, Failure> {
    if let Some(dir) = &place.dir {
        return Ok(vec![dir.clone()]);
    }
    if place.agent.is_empty() {
        let help = "name the agent, such as --agent claude-code, or a directory with --dir";
        return Err(Failure::usage("neither an agent nor a directory is named".to_owned(), help));
    }
    let mut dirs: Vec<PathBuf> = Vec::new();
    for target in &place.agent {
        let agents = match target {
            Target::All => Agent::needed().collect(),
            Target::One(agent) => vec![*agent],
        };
        for agent in agents {
            let dir = agent_dir(agent, place.scope)?;
            if !dirs.contains(&dir) {
                dirs.push(dir);
            }
        }
    }
    Ok(dirs)
}

#[allow(clippy::disallowed_methods, reason = "an agent's user says by a variable where its files are")]
fn agent_dir(agent: Agent, scope: ScopeName) -> Result<PathBuf, Failure> {
    if let ScopeName::Project = scope {
        return Ok(agent.dir(Scope::Project, Path::new("")));
    }
    let home = env::home_dir().filter(|home| home.is_absolute()).ok_or_else(|| {
        let message = "the user's home directory is not known".to_owned();
        Failure::other("NO_HOME", message, "give the directory with --dir")
    })?;
    Ok(agent.user_dir(&home, |variable| env::var_os(variable)))
}

fn failure(error: ExportError) -> Failure {
    match error {
        ExportError::Action(error) => Failure::Action(error),
        error => Failure::other("IO", error.to_string(), "check the directory and its permissions"),
    }
}

/// Does something with each directory, and prints what was done.
fn each(
    dirs: &[PathBuf],
    how: &How,
    nothing: &str,
    form: Form,
    run: impl Fn(&Path) -> Result<ExportReport, ExportError>,
) -> Result<Outcome, Failure> {
    let mut texts = Vec::new();
    let mut documents: Vec<Value> = Vec::new();
    let mut is_in_vain = true;
    for dir in dirs {
        let report = run(dir).map_err(failure)?;
        is_in_vain &= report.is_in_vain();
        if form == Form::Json {
            documents.push(serde_json::from_str(&report.json(dir, how.dry_run)).map_err(Failure::json)?);
            continue;
        }
        output::tell(&report.kept_text(dir, how.dry_run));
        let text = report.text(dir, how.dry_run);
        let text = if text.is_empty() { nothing.to_owned() } else { text };
        texts.push(if dirs.len() > 1 { format!("{}:\n{text}", dir.display()) } else { text });
    }
    let exit = if is_in_vain { Exit::Nothing } else { Exit::Success };
    match (form, documents.len()) {
        (Form::Text, _) => Ok(Outcome::text(&texts.join("\n\n"), exit)),
        (Form::Json, 1) => Outcome::document(&documents[0], exit),
        (Form::Json, _) => Outcome::document(&json!({ "targets": documents }), exit),
    }
}

/// Lists what was installed for each agent.
pub(crate) fn installed(form: Form) -> Result<Outcome, Failure> {
    let mut known: Vec<PathBuf> = Vec::new();
    let mut text = String::new();
    let mut documents = Vec::new();
    for (scope, name) in [(ScopeName::Project, "project"), (ScopeName::User, "user")] {
        for agent in Agent::all() {
            // Without a home directory there is nothing for a user.
            let Ok(dir) = agent_dir(agent, scope) else { continue };
            let real = dir.canonicalize().unwrap_or_else(|_| dir.clone());
            if known.contains(&real) {
                continue;
            }
            known.push(real);
            let skills = export::installed(&dir).map_err(failure)?;
            if !skills.is_empty() {
                let shown = dir.to_string_lossy();
                text.push_str(&format!("{} ({}, {name}):\n", render::escape(&shown), agent.name()));
            }
            for skill in &skills {
                text.push_str(&line(skill));
                documents.push(json!({
                    "name": skill.name, "dir": dir.to_string_lossy(), "agent": agent.name(), "scope": name,
                    "by": skill.by, "from": skill.from, "changed": skill.changed,
                }));
            }
        }
    }
    match form {
        Form::Json => Outcome::document(&json!({ "installed": documents }), Exit::Success),
        Form::Text if text.is_empty() => Ok(Outcome::text("No skills are installed.", Exit::Success)),
        Form::Text => Ok(Outcome::lines(&text, Exit::Success)),
    }
}

fn line(skill: &Installed) -> String {
    let mut line = format!("- {}: by {}", skill.name, skill.by);
    if let Some(from) = &skill.from {
        line.push_str(&format!(" from {from}"));
    }
    if !skill.changed.is_empty() {
        line.push_str(&format!(", changed since: {}", skill.changed.join(", ")));
    }
    format!("{}\n", render::escape(&line))
}
