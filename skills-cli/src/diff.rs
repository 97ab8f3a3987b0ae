//! The command `diff`: what a reviewer must see of skills that change. It writes nothing.
//!
//! `side` opens what was named, `old` finds the contents that a lock names. What is compared and how it is shown
//! is in `skills-bundle`.

use skills_bundle::diff::{self, Diff, Sides, Skill, render};

use crate::args::{Diff as Args, DiffFormat};
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::output::{self, Outcome};

pub(crate) mod old;
pub(crate) mod side;

use old::Old;
use side::Side;

pub(crate) fn run(args: &Args, form: Form) -> Result<Outcome, Failure> {
    let format = match (args.format, form) {
        (Some(DiffFormat::Json), _) | (None, Form::Json) => DiffFormat::Json,
        (Some(format), Form::Text) => format,
        (Some(_), Form::Json) => {
            return Err(Failure::usage(
                "--json is another format".to_owned(),
                "leave out --format or --json",
            ));
        }
        (None, Form::Text) => DiffFormat::Text,
    };
    let (mut old, mut new) = match &args.sides[..] {
        [new] => (Side::of_lock(form)?, Side::open(new, form)?),
        [old, new] => (Side::open(old, form)?, Side::open(new, form)?),
        _ => {
            return Err(Failure::usage(
                "give one side or two".to_owned(),
                "`skills diff --help` has examples",
            ));
        }
    };
    let notes = scope(&mut old, &mut new)?;
    let mine = if old.is_disk_lock && !new.is_in_project { old.edits()? } else { Vec::new() };
    let mut contents = Old::new(args.offline)?;
    contents.fill(&mut old.skills, &new.skills)?;
    contents.fill(&mut new.skills, &old.skills)?;
    let diff = diff::diff(&Sides { old: old.skills, new: new.skills, mine });
    for note in notes.iter().chain(contents.notes()) {
        output::note(&format!("note: {}\n", skills_bundle::render::escape(note)));
    }
    show(&diff, format)
}

fn show(diff: &Diff, format: DiffFormat) -> Result<Outcome, Failure> {
    let exit = if diff.is_same() { Exit::Success } else { Exit::Nothing };
    Ok(match format {
        DiffFormat::Text => Outcome::rendered(render::text(diff), exit),
        DiffFormat::Markdown => Outcome::rendered(render::markdown(diff), exit),
        DiffFormat::Sarif => Outcome::rendered(render::sarif(diff) + "\n", exit),
        DiffFormat::Json => return Outcome::document(&render::json(diff), exit),
    })
}

/// Leaves out what only one side could have: where one is a lock, the other's own skills, and the locked skills
/// that aren't from there. Returns what is to be said of it.
fn scope(old: &mut Side, new: &mut Side) -> Result<Vec<String>, Failure> {
    let (lock, other) = match (old.is_lock(), new.is_lock()) {
        (true, false) => (old, new),
        (false, true) => (new, old),
        _ => return Ok(Vec::new()),
    };
    let is_there = |skill: &Skill, among: &[Skill]| {
        let by_dir = among.iter().any(|other| other.dir == skill.dir);
        by_dir || (!other.is_in_project && among.iter().any(|other| other.name == skill.name))
    };
    let is_only = lock.skills.len() == 1 && other.skills.len() == 1 && !other.is_in_project;
    if !is_only {
        let all = lock.skills.clone();
        let (below, is_in_project) = (other.dir.clone(), other.is_in_project);
        let is_below = |dir: &str| below.is_empty() || dir == below || dir.starts_with(&format!("{below}/"));
        lock.skills.retain(|skill| (is_in_project && is_below(&skill.dir)) || is_there(skill, &other.skills));
        let before = other.skills.len();
        let kept: Vec<bool> = other.skills.iter().map(|skill| is_there(skill, &all)).collect();
        let mut kept = kept.into_iter();
        other.skills.retain(|_| kept.next().unwrap_or(false));
        let left_out = before - other.skills.len();
        if !lock.skills.is_empty() {
            let skills = if left_out == 1 { "skill has" } else { "skills have" };
            let note = format!("{left_out} {skills} no entry in the lock, and aren't compared");
            return Ok((left_out > 0).then_some(note).into_iter().collect());
        }
    }
    if lock.skills.is_empty() {
        let message = format!("`{}` has no skill of the lock", other.shown);
        return Err(Failure::other("SKILL_NOT_FOUND", message, "name both sides to compare any skills"));
    }
    Ok(Vec::new())
}
