//! The command `outdated`: which locked skills have changed where they come from. It writes nothing.

use serde_json::json;
use skills_bundle::lock::LockedSkill;

use crate::args::Outdated;
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::output::Outcome;
use crate::sources::project::Project;
use crate::sources::upstream::{Sources, Upstream};

/// How a locked skill stands to its source.
struct Standing<'l> {
    locked: &'l LockedSkill,
    state: &'static str,
    /// More about it; may be empty.
    why: String,
    /// The commit that the source has now, if it was looked at.
    commit: Option<String>,
    is_fine: bool,
}

pub(crate) fn run(args: &Outdated, form: Form) -> Result<Outcome, Failure> {
    let project = Project::open(form)?;
    let mut sources = Sources::new(&project.directory);
    let mut standings = Vec::new();
    let mut exit = Exit::Success;
    for at in project.chosen(&args.names)? {
        let locked = &project.lock.skills[at];
        let upstream = sources.look(&project.trust, locked)?;
        let is_unreachable = matches!(upstream, Upstream::Unreachable(_));
        let standing = standing(locked, upstream, sources.redirected(locked));
        if is_unreachable {
            exit = Exit::CouldNotRun;
        } else if !standing.is_fine && exit == Exit::Success {
            exit = Exit::Nothing;
        }
        standings.push(standing);
    }
    if form == Form::Json {
        let skills: Vec<_> = standings
            .iter()
            .map(|standing| {
                json!({
                    "name": standing.locked.name,
                    "dir": standing.locked.dir,
                    "source": standing.locked.source,
                    "state": standing.state,
                    "why": standing.why,
                    "locked": standing.locked.commit,
                    "commit": standing.commit,
                })
            })
            .collect();
        return Outcome::document(&json!({ "skills": skills }), exit);
    }
    Ok(Outcome::lines(&text(&standings), exit))
}

fn standing<'l>(locked: &'l LockedSkill, upstream: Upstream, redirected: Option<&str>) -> Standing<'l> {
    let is_tag = locked.reference.as_deref().is_some_and(|name| name.starts_with("refs/tags/"));
    let reference = locked.reference.as_deref().unwrap_or("the default branch");
    let (state, mut why, commit) = match upstream {
        Upstream::Same => ("up to date", String::new(), locked.commit.clone()),
        Upstream::Pinned => {
            let what = if locked.commit.is_some() { "a commit" } else { "the digest of an archive" };
            ("pinned", format!("it is locked to {what}"), None)
        }
        Upstream::NotLookedAt(why) | Upstream::Unreachable(why) => ("not looked at", why, None),
        Upstream::ReferenceGone => {
            ("branch or tag gone", format!("the repository has no {reference} any more"), None)
        }
        Upstream::Removed(why, commit) => ("removed", why, commit),
        Upstream::Changed(_, _, why) => ("outdated", why, None),
        Upstream::Moved(_, _, resolved) if is_tag => {
            ("tag moved", format!("{reference} was moved, which a tag should never be"), Some(resolved.id))
        }
        Upstream::Moved(_, found, resolved) if found.tree == locked.tree => {
            ("up to date", String::new(), Some(resolved.id))
        }
        Upstream::Moved(_, _, resolved) => {
            ("outdated", format!("{reference} has changed"), Some(resolved.id))
        }
    };
    let state = if redirected.is_some() && state == "up to date" { "redirected" } else { state };
    if let Some(to) = redirected {
        let first = if why.is_empty() { "" } else { "; " };
        why.push_str(&format!("{first}the repository is redirected to {to}"));
    }
    let is_fine = matches!(state, "up to date" | "pinned");
    Standing { locked, state, why, commit, is_fine }
}

/// Every skill that isn't fine, and how many there are of each state.
fn text(standings: &[Standing<'_>]) -> String {
    let mut text = String::new();
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for standing in standings {
        if !standing.is_fine {
            text.push_str(&format!("{}: {}: {}\n", standing.locked.dir, standing.state, standing.why));
            if let (Some(old), Some(new)) = (&standing.locked.commit, &standing.commit)
                && old != new
            {
                text.push_str(&format!("  commit {old} is now {new}\n"));
            }
        }
        match counts.iter_mut().find(|(state, _)| *state == standing.state) {
            Some((_, count)) => *count += 1,
            None => counts.push((standing.state, 1)),
        }
    }
    let counts: Vec<String> = counts.iter().map(|(state, count)| format!("{count} {state}")).collect();
    match standings.len() {
        0 => text + "no skill is locked\n",
        1 => format!("{text}1 skill is locked: {}\n", counts.join(", ")),
        all => format!("{text}{all} skills are locked: {}\n", counts.join(", ")),
    }
}
