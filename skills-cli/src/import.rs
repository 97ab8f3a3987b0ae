//! The command `lock --import`: skills that another tool has locked get an entry here, each with a commit.
//!
//! Every repository is asked by git, as for `add`. The other lock is only read. What can't be resolved to a
//! commit is named and not written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use skills_bundle::lock::{self, LockedSkill, SkillState};
use skills_bundle::render;
use skills_source::scan::{SKILL_FILE, in_words};

use crate::add::offline_failure;
use crate::args::Lock;
use crate::failure::Failure;
use crate::form::Form;
use crate::output::{self, Outcome};
use crate::sources::about;
use crate::sources::change::Change;
use crate::sources::foreign::{self, Foreign, Origin};
use crate::sources::named::{Named, Tail, Where};
use crate::sources::open::{self, Source};
use crate::sources::project::{Planned, Project, carry_out_but, io_failure};
use crate::sources::remote::{Listing, Resolved};
use crate::sources::taken;
use crate::sources::{Content, Found};

/// Where a skill is put that isn't on disk.
const DIR: &str = "skills";

/// The most bytes of another tool's lock.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

pub(crate) fn run(file: &Path, args: &Lock, form: Form) -> Result<Outcome, Failure> {
    let shown = file.display().to_string();
    let unreadable = |why: &str| {
        let message = format!("`{shown}` cannot be imported: {why}");
        Failure::other("LOCK_UNREADABLE", message, "give a skills-lock.json or an apm.lock.yaml")
    };
    let text = read(file).map_err(|why| unreadable(&why))?;
    let entries = foreign::read(&text).map_err(|why| unreadable(&why))?;
    let mut project = Project::open(form)?;
    let mut change = project.change()?;
    let above = file.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut import = Import { above: above.to_owned(), repositories: BTreeMap::new() };
    let (mut plan, mut left) = (Vec::new(), Vec::new());
    for entry in &entries {
        if let (Ok(origin), true) = (&entry.origin, args.write.offline) {
            return Err(offline_failure(&origin.repository));
        }
        let taken = match &entry.origin {
            Ok(origin) => import.skills(&project, entry, origin),
            Err(why) => Err(why.clone()),
        };
        let mark = change.mark();
        let taken = taken.and_then(|skills| {
            let all = skills.into_iter().map(|skill| import.place(&project, &mut change, entry, &skill));
            all.collect::<Result<Vec<_>, _>>()
        });
        match taken {
            Ok(lines) => {
                for (locked, line) in lines.into_iter().flatten() {
                    tell(form, &format!("{} {} ({})", line.action, line.dir, line.why));
                    project.lock.skills.push(locked);
                    plan.push(line);
                }
            }
            Err(why) => {
                // What was made ready of it isn't written.
                change.back_to(mark);
                tell(form, &format!("{}: not taken over: {why}", entry.name));
                left.push(Planned {
                    name: entry.name.clone(),
                    dir: String::new(),
                    action: "not taken over",
                    why,
                });
            }
        }
    }
    taken::check_lock(&project.lock)?;
    differing(&project, &plan, form);
    carry_out_but(&plan, &left, args.write.consent(), form, || change.apply(&project.lock))
}

fn tell(form: Form, line: &str) {
    if form == Form::Text {
        output::tell(&format!("{}\n", render::escape(line)));
    }
}

#[allow(clippy::disallowed_methods, reason = "it is no file of a skill")]
fn read(file: &Path) -> Result<String, String> {
    let metadata = fs::metadata(file).map_err(|error| in_words(&error).to_owned())?;
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return Err(format!("it is not a file of at most {} MiB", MAX_BYTES >> 20));
    }
    let bytes = fs::read(file).map_err(|error| in_words(&error).to_owned())?;
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}

/// Says which skills on disk aren't what their commit has.
fn differing(project: &Project, plan: &[Planned], form: Form) {
    for compared in lock::check(&project.lock, &project.directory, &[]).iter().zip(&project.lock.skills) {
        let (compared, skill) = compared;
        let is_there = plan.iter().any(|line| line.dir == skill.dir && line.action == "lock");
        if is_there && compared.state != SkillState::Ok {
            let state = compared.state.words();
            tell(
                form,
                &format!("note: {} is not what that commit has: {state}; `skills diff` shows it", skill.dir),
            );
        }
    }
}

/// The repositories that were asked, and where the other lock is.
struct Import {
    above: PathBuf,
    repositories: BTreeMap<String, Result<Listing, String>>,
}

/// A skill that was found, and what the lock will say of it but for its directory.
struct Taken {
    locked: LockedSkill,
    contents: Vec<Content>,
    dir_name: String,
}

impl Import {
    /// The skills that an entry means, at one commit.
    fn skills(&mut self, project: &Project, entry: &Foreign, origin: &Origin) -> Result<Vec<Taken>, String> {
        let words = |failure: Failure| failure.words().0;
        let named = Named::locked(&origin.repository).map_err(words)?;
        let url = match &named.place {
            Where::Remote { url, tail: Tail::Path(path) } if path.is_empty() => url,
            _ => return Err(format!("`{}` is not a repository", origin.repository)),
        };
        let listing = self.repositories.entry(url.clone());
        let listing = listing.or_insert_with(|| open::list(&project.trust, url).map_err(words));
        let listing = listing.as_ref().map_err(String::clone)?;
        let of_name = listing.resolve(origin.reference.as_deref());
        let resolved = match &origin.commit {
            // The name is kept if there still is such a branch or tag, wherever it is now.
            Some(id) => {
                Resolved { reference: of_name.and_then(|resolved| resolved.reference), id: id.clone() }
            }
            None => {
                of_name.ok_or_else(|| words(listing.lacks(origin.reference.as_deref().unwrap_or("HEAD"))))?
            }
        };
        let by_number = Resolved { reference: None, id: resolved.id.clone() };
        let wanted = if origin.commit.is_some() { &by_number } else { &resolved };
        let source = open::fetch(listing, url, wanted, "").map_err(words)?;
        let source = source.named(resolved.reference.clone());
        let found = choose(&source, entry, origin)?;
        // A commit pins the skill where no branch or tag that the other lock names is left.
        let name = match (&origin.reference, &origin.commit) {
            (Some(_), Some(id)) if resolved.reference.is_none() => Some(id),
            (name, _) => name.as_ref(),
        };
        let typed = name.map_or(named.typed.clone(), |name| format!("{}#{name}", named.typed));
        found.iter().map(|found| one(project, &source, found, &typed).map_err(words)).collect()
    }

    /// The entries of a skill: where it is on disk already, else where it will be put. None if it is locked there.
    fn place(
        &self,
        project: &Project,
        change: &mut Change,
        entry: &Foreign,
        skill: &Taken,
    ) -> Result<Vec<(LockedSkill, Planned)>, String> {
        let words = |failure: Failure| failure.words().0;
        let is_skill = |dir: &String| {
            let place = project.directory.join(dir);
            // A symlink to where another copy is isn't a copy.
            place.symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
                && place.join(SKILL_FILE).is_file()
        };
        let is_its = |home: &&String| {
            let last = home.rsplit('/').next().unwrap_or_default();
            last == skill.locked.name || last == skill.dir_name || last == entry.name
        };
        let homes = entry.homes.iter().filter(is_its);
        let mut dirs: Vec<String> = homes.filter_map(|home| project.inside(&self.above.join(home))).collect();
        dirs.retain(is_skill);
        dirs.sort();
        dirs.dedup();
        let is_there = !dirs.is_empty();
        if !is_there {
            dirs.push(format!("{DIR}/{}", skill.locked.name));
        }
        let mut lines = Vec::new();
        for dir in dirs {
            let known = project.lock.skills.iter().find(|known| known.dir == dir);
            if let Some(known) = known {
                let is_another = (&known.url, &known.path) != (&skill.locked.url, &skill.locked.path);
                if is_another && !is_there {
                    return Err(format!("`{dir}` is locked already, from `{}`", known.source));
                }
                output::tell(&render::escape(&format!(
                    "note: `{dir}` is locked already, and stays as it is"
                )));
                output::tell("\n");
                continue;
            }
            if !is_there {
                if project.directory.join(&dir).symlink_metadata().is_ok() {
                    return Err(format!("`{dir}` is there already, and is not a skill"));
                }
                let staged = change.put(&dir, &skill.contents);
                let staged = staged.map_err(|error| words(io_failure("nothing was changed", &error)))?;
                taken::judge(&staged).map_err(words)?;
            }
            let mut locked = skill.locked.clone();
            locked.dir.clone_from(&dir);
            let (name, source) = (locked.name.clone(), locked.source.clone());
            let commit = locked.commit.clone().unwrap_or_default();
            let action = if is_there { "lock" } else { "add" };
            let why = format!("from {source} at {commit}");
            lines.push((locked, Planned { name, dir, action, why }));
        }
        Ok(lines)
    }
}

/// The skills of a repository that are meant.
fn choose(source: &Source, entry: &Foreign, origin: &Origin) -> Result<Vec<Found>, String> {
    let words = |failure: Failure| failure.words().0;
    if let Some(path) = &origin.path {
        let found = source.skill_at(path).map_err(words)?;
        return found.map(|found| vec![found]).ok_or_else(|| format!("the commit has no skill in `{path}`"));
    }
    let is_meant = |found: &&Found| origin.skill.as_ref().is_none_or(|name| found.dir_name == *name);
    let found: Vec<Found> = source.skills.iter().filter(is_meant).cloned().collect();
    match found.len() {
        0 => Err(format!("the commit has no skill `{}`", origin.skill.as_ref().unwrap_or(&entry.name))),
        1 => Ok(found),
        _ if origin.skill.is_none() => Ok(found),
        _ => Err("the commit has several skills of that name".to_owned()),
    }
}

fn one(project: &Project, source: &Source, found: &Found, typed: &str) -> Result<Taken, Failure> {
    let contents = source.read(found)?;
    let about = about::of(&found.dir_name, &contents)?;
    let files = contents.iter().map(|content| content.line.clone()).collect();
    let mut locked = LockedSkill::new(about.name, String::new(), typed, files);
    locked.license = about.license;
    taken::say_from(&mut locked, project, found, source, false)?;
    Ok(Taken { locked, contents, dir_name: found.dir_name.clone() })
}
