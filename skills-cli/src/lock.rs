//! The command `lock`: compares the lock with the disk, or prints the lock in a program.
//!
//! Both only read; `import` writes. What a lock is, and how files are compared with it, is in `skills-bundle`.

use std::path::Path;

use serde_json::{Value, json};
use skills_bundle::lock::{self, Compared, LOCK_FILE, LockedSkill, SkillState};
use skills_bundle::render;
use skills_bundle::reviews::{REVIEWED, REVIEWS_FILE, Reviews};
use skills_pack::text::Hex;

use crate::args::Lock;
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::output::{self, Outcome};
use crate::sources::project::{io_failure, unreadable};
use crate::sources::{change, review_file};
use crate::{import, program};

pub(crate) fn run(args: &Lock, form: Form) -> Result<Outcome, Failure> {
    if let Some(file) = &args.import {
        return import::run(file, args, form);
    }
    if args.write.is_given() {
        let message = "--yes, --dry-run, --locked and --offline are for --import".to_owned();
        return Err(Failure::usage(message, "leave them out: nothing else writes or uses a network"));
    }
    match &args.program {
        Some(program) => in_program(program, form),
        None if args.check => check(args, form),
        None => Err(Failure::usage(
            "nothing was asked for".to_owned(),
            "give --check to compare the locked skills with the lock, --program FILE to print the lock in a program, or --import FILE to take over another tool's lock",
        )),
    }
}

fn check(args: &Lock, form: Form) -> Result<Outcome, Failure> {
    let place = lock::find(Path::new("."));
    let Some(file) = &place.file else {
        let message = format!("there is no lock: `{}` does not exist", place.shown);
        let help = "run this in the project whose skills are locked";
        return Err(Failure::other("LOCK_NOT_FOUND", message, help));
    };
    let lock = lock::Lock::open(file, &place.shown).map_err(|findings| unreadable(&findings, form))?;
    let interrupted = change::interrupted(&place.directory)
        .map_err(|error| io_failure("the journal of a command that was stopped cannot be read", &error))?;
    let compared = lock::check(&lock, &place.directory, &place.ignore);
    let reviews = if args.reviewed { Some(reviews(&place.directory, args, form)?) } else { None };
    let pairs: Vec<Pair<'_>> = lock
        .skills
        .iter()
        .zip(&compared)
        .map(|(locked, compared)| Pair {
            locked,
            compared,
            is_interrupted: interrupted.contains(&locked.dir),
            lacks: reviews.as_ref().map(|reviews| lacking(reviews, locked, &args.criteria)),
        })
        .collect();
    let is_fine = |pair: &Pair<'_>| pair.compared.state == SkillState::Ok && !pair.is_unreviewed();
    let is_ok = interrupted.is_empty() && pairs.iter().all(is_fine);
    let exit = if is_ok { Exit::Success } else { Exit::Nothing };
    match form {
        Form::Json => {
            let skills: Vec<Value> = pairs.iter().map(state_json).collect();
            Outcome::document(&json!({ "skills": skills }), exit)
        }
        Form::Text => {
            output::tell(&advice(&pairs));
            if !interrupted.is_empty() {
                let dirs = render::escape(&interrupted.join(", ")).into_owned();
                output::tell(&format!(
                    "note: a command was stopped in the middle; the next command that changes skills, such as `skills update`, finishes it: {dirs}\n"
                ));
            }
            Ok(Outcome::lines(&states(&pairs), exit))
        }
    }
}

/// A locked skill, beside what is on disk.
struct Pair<'p> {
    locked: &'p LockedSkill,
    compared: &'p Compared,
    /// Whether a command was stopped that was about it.
    is_interrupted: bool,
    /// The criteria that no review of these bytes meets, if they are demanded.
    lacks: Option<Vec<String>>,
}

/// The reviews, if they know the criteria that are demanded.
fn reviews(directory: &Path, args: &Lock, form: Form) -> Result<Reviews, Failure> {
    let reviews = review_file::open(&directory.join(REVIEWS_FILE), REVIEWS_FILE, form)?;
    review_file::known(&reviews, &args.criteria)?;
    Ok(reviews)
}

fn lacking(reviews: &Reviews, locked: &LockedSkill, criteria: &[String]) -> Vec<String> {
    let reviewed = [REVIEWED.to_owned()];
    let demanded = if criteria.is_empty() { &reviewed[..] } else { criteria };
    let is_met = |criterion: &&String| reviews.covering(&locked.name, locked.digest, criterion).is_some();
    demanded.iter().filter(|criterion| !is_met(criterion)).cloned().collect()
}

impl Pair<'_> {
    fn is_unreviewed(&self) -> bool {
        self.lacks.as_ref().is_some_and(|lacks| !lacks.is_empty())
    }

    fn words(&self) -> &'static str {
        if self.is_interrupted { "interrupted" } else { self.compared.state.words() }
    }
}

fn state_json(pair: &Pair<'_>) -> Value {
    let files =
        pair.compared.files.iter().map(|(path, state)| json!({ "path": path, "state": state.words() }));
    let mut state = json!({
        "name": pair.locked.name,
        "dir": pair.locked.dir,
        "state": pair.words(),
        "files": files.collect::<Vec<_>>(),
    });
    if let Some(lacks) = &pair.lacks {
        state["not_reviewed"] = lacks.as_slice().into();
    }
    state
}

/// Every skill that isn't as locked, with its files, and how many there are of each state.
fn states(pairs: &[Pair<'_>]) -> String {
    let mut text = String::new();
    let mut counts: Vec<(SkillState, &str, usize)> = Vec::new();
    for pair in pairs {
        if pair.words() != SkillState::Ok.words() {
            text.push_str(&format!("{}: {}\n", pair.locked.dir, pair.words()));
            for (path, state) in pair.compared.differing() {
                text.push_str(&format!("  {path}: {}\n", state.words()));
            }
        }
        if let Some(lacks) = pair.lacks.as_ref().filter(|lacks| !lacks.is_empty()) {
            text.push_str(&format!("{}: not reviewed", pair.locked.dir));
            let is_plain = lacks.iter().all(|criterion| criterion == REVIEWED);
            text.push_str(&if is_plain { "\n".to_owned() } else { format!(": {}\n", lacks.join(", ")) });
        }
        match counts.iter_mut().find(|(_, words, _)| *words == pair.words()) {
            Some((.., count)) => *count += 1,
            None => counts.push((pair.compared.state, pair.words(), 1)),
        }
    }
    counts.sort_unstable();
    let counts: Vec<String> = counts.iter().map(|(_, words, count)| format!("{count} {words}")).collect();
    let unreviewed = pairs.iter().filter(|pair| pair.is_unreviewed()).count();
    let reviewed = if unreviewed > 0 { format!("; {unreviewed} not reviewed") } else { String::new() };
    match pairs.len() {
        0 => text + "no skill is locked\n",
        1 => format!("{text}1 skill is locked: {}{reviewed}\n", counts.join(", ")),
        many => format!("{text}{many} skills are locked: {}{reviewed}\n", counts.join(", ")),
    }
}

/// What to do where checkouts have other line ends.
fn advice(pairs: &[Pair<'_>]) -> String {
    let line_ends = pairs.iter().filter(|pair| pair.compared.state == SkillState::LineEndsOnly);
    let lines: Vec<String> = line_ends.map(|pair| format!("`{}/** -text`", pair.locked.dir)).collect();
    if lines.is_empty() {
        return String::new();
    }
    let lines = lines.join(", ");
    let lines = render::escape(&lines);
    format!("help: write into `.gitattributes` beside {LOCK_FILE}, and check the files out again: {lines}\n")
}

fn in_program(program: &Path, form: Form) -> Result<Outcome, Failure> {
    let bytes = program::read(program)?;
    let shown = program.display().to_string();
    let found = lock::in_program(&bytes, &shown);
    let mut lock = lock::Lock::default();
    lock.skills = found.locks.into_iter().flat_map(|lock| lock.skills).collect();
    let is_whole = !lock.skills.is_empty() && found.damaged == 0;
    let exit = if is_whole { Exit::Success } else { Exit::Nothing };
    if form == Form::Json {
        let skills: Vec<Value> = lock.skills.iter().map(skill_json).collect();
        return Outcome::document(&json!({ "skills": skills, "damaged": found.damaged }), exit);
    }
    let shown = render::escape(&shown);
    if found.damaged > 0 {
        let locks = if found.damaged == 1 { "1 damaged lock" } else { "damaged locks" };
        output::tell(&format!("skills: {locks} in `{shown}` left out\n"));
        output::tell("help: get the program from where it was built\n");
    } else if lock.skills.is_empty() {
        output::tell(&format!("skills: there is no lock in `{shown}`\n"));
        output::tell(
            "help: a program has one if locked skills are compiled in, and if it is not compressed\n",
        );
    }
    if lock.skills.is_empty() {
        return Ok(Outcome::silent(exit));
    }
    Ok(Outcome::lines(&lock.to_string(), exit))
}

fn skill_json(skill: &LockedSkill) -> Value {
    let files = skill.files.iter().map(|file| {
        json!({
            "path": file.path,
            "size": file.size,
            "sha256": Hex(&file.sha256).to_string(),
            "executable": file.executable,
        })
    });
    json!({
        "name": skill.name,
        "dir": skill.dir,
        "source": skill.source,
        "url": skill.url,
        "path": skill.path,
        "ref": skill.reference,
        "commit": skill.commit,
        "tree": skill.tree,
        "artifact": skill.artifact.map(|digest| digest.to_string()),
        "license": skill.license,
        "digest": skill.digest.to_string(),
        "files": files.collect::<Vec<_>>(),
    })
}
