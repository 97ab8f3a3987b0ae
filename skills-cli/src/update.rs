//! The command `update`: locked skills become what their sources have now, and what the user edited stays.

use std::collections::BTreeMap;

use skills_bundle::lock::{self, Compared, LockedFile, LockedSkill, SkillState};
use skills_bundle::render;
use skills_pack::text::{AndMore, Joined, Quoted};
use skills_source::scan::SKILL_FILE;

use crate::add::{Opened, offline_failure};
use crate::again::{self, What};
use crate::args::Update;
use crate::failure::Failure;
use crate::form::Form;
use crate::output::{self, Outcome};
use crate::sources::about::{self, About};
use crate::sources::change::Change;
use crate::sources::disk;
use crate::sources::merge::{self, Merged};
use crate::sources::named::{CRATE, Named};
use crate::sources::open::Source;
use crate::sources::project::{Planned, Project, carry_out_but, io_failure};
use crate::sources::taken;
use crate::sources::upstream::{Key, Sources, Upstream};
use crate::sources::{Content, Found};

/// How many names a line has.
const SHOWN: usize = 20;

pub(crate) fn run(args: &Update, form: Form) -> Result<Outcome, Failure> {
    let mut project = Project::open(form)?;
    let opened = match &args.from {
        Some(from) => {
            let named = Named::typed(from)?;
            Some(Opened::open(&project, &named, args.allow_outside, args.write.offline)?)
        }
        None => None,
    };
    if let Some(opened) = &opened {
        opened.tell_about(form);
    }
    let compared = lock::check(&project.lock, &project.directory, &[]);
    let mut sources = Sources::new(&project.directory);
    let mut change = project.change()?;
    let (mut plan, mut left) = (Vec::new(), Vec::new());
    for at in chosen(&project, args, opened.as_ref())? {
        let locked = &project.lock.skills[at];
        if args.restore {
            match again(&project, &mut sources, (locked, &compared[at]), What::Restore, args, &mut change)? {
                Ok(line) => plan.extend(line.inspect(|line| tell(form, line))),
                Err(why) => left.push(not(form, locked, why)),
            }
            continue;
        }
        let newer = match &opened {
            Some(opened) => from_named(locked, opened)?,
            None if args.write.offline && !(locked.source.starts_with(CRATE) && locked.commit.is_none()) => {
                return Err(offline_failure(locked.url.as_deref().unwrap_or(&locked.source)));
            }
            None => from_lock(&project, &mut sources, locked)?,
        };
        let updated = match newer {
            Newer::Same => None,
            Newer::Not(why) => {
                left.push(not(form, locked, why));
                continue;
            }
            Newer::Named(source, found) => entry(&project, locked, source, &found, opened.as_ref())?,
            Newer::Fetched(key, found) => match sources.source(&key) {
                Some(source) => entry(&project, locked, source, &found, None)?,
                None => continue,
            },
        };
        let Some((entry, theirs, about)) = updated else {
            if args.write_new {
                match again(&project, &mut sources, (locked, &compared[at]), What::Beside, args, &mut change)?
                {
                    Ok(line) => plan.extend(line.inspect(|line| tell(form, line))),
                    Err(why) => left.push(not(form, locked, why)),
                }
            } else if compared[at].state == SkillState::Missing && form == Form::Text {
                let note = format!("note: {} is missing: `skills update --restore` puts it back", locked.dir);
                output::tell(&format!("{}\n", render::escape(&note)));
            }
            continue;
        };
        let line =
            one(&project, &compared[at], locked, &entry, &theirs, &about, args.write_new, &mut change)?;
        if form == Form::Text {
            output::tell(
                &line.text.lines().map(|line| format!("{}\n", render::escape(line))).collect::<String>(),
            );
        }
        plan.push(line.planned);
        project.lock.skills[at] = entry;
    }
    taken::check_lock(&project.lock)?;
    carry_out_but(&plan, &left, args.write.consent(), form, || change.apply(&project.lock))
}

fn again(
    project: &Project,
    sources: &mut Sources,
    skill: (&LockedSkill, &Compared),
    what: What,
    args: &Update,
    change: &mut Change,
) -> Result<Result<Option<Planned>, String>, Failure> {
    again::ready(project, sources, skill, what, args.write.offline, change)
}

fn tell(form: Form, line: &Planned) {
    if form == Form::Text {
        let text = format!("{} {}\n  {}", line.action, line.dir, line.why);
        output::tell(&text.lines().map(|line| format!("{}\n", render::escape(line))).collect::<String>());
    }
}

/// A skill that can't be updated.
fn not(form: Form, locked: &LockedSkill, why: String) -> Planned {
    if form == Form::Text {
        output::tell(&render::escape(&format!("{}: not updated: {why}", locked.dir)));
        output::tell("\n");
    }
    Planned { name: locked.name.clone(), dir: locked.dir.clone(), action: "not updated", why }
}

/// The skills that are meant: those with the names, or all that come from the source that was named.
fn chosen(project: &Project, args: &Update, opened: Option<&Opened>) -> Result<Vec<usize>, Failure> {
    let Some(opened) = opened.filter(|_| args.names.is_empty()) else { return project.chosen(&args.names) };
    let place = |source: &str| source.rsplit_once('#').map_or(source, |(place, _)| place).to_owned();
    let wanted = place(&opened.from);
    let skills = project.lock.skills.iter().enumerate();
    let found: Vec<usize> =
        skills.filter(|(_, skill)| place(&skill.source) == wanted).map(|(at, _)| at).collect();
    if found.is_empty() {
        let message = format!("no locked skill is from `{wanted}`");
        return Err(Failure::other("SKILL_NOT_FOUND", message, "name the skills to update from it"));
    }
    Ok(found)
}

/// What a source has of a locked skill.
enum Newer<'s> {
    /// Nothing new.
    Same,
    /// It can't be updated; in words.
    Not(String),
    Named(&'s Source, Found),
    Fetched(Key, Found),
}

fn from_named<'s>(locked: &LockedSkill, opened: &'s Opened) -> Result<Newer<'s>, Failure> {
    let source = &opened.source;
    let by_path = match &locked.path {
        Some(path) => source.skill_at(path)?,
        None => None,
    };
    let found = by_path.or_else(|| source.skills.iter().find(|found| found.dir_name == locked.name).cloned());
    let found = found.or_else(|| if let [only] = &source.skills[..] { Some(only.clone()) } else { None });
    Ok(match found {
        Some(found) => Newer::Named(source, found),
        None => Newer::Not(format!("`{}` has no such skill", opened.from)),
    })
}

fn from_lock<'s>(
    project: &Project,
    sources: &mut Sources,
    locked: &LockedSkill,
) -> Result<Newer<'s>, Failure> {
    let newer = match sources.look(&project.trust, locked)? {
        Upstream::Same | Upstream::Pinned => Newer::Same,
        Upstream::NotLookedAt(why) | Upstream::Removed(why, _) => Newer::Not(why),
        Upstream::Unreachable(why) => {
            return Err(Failure::other(
                "REPOSITORY_UNREACHABLE",
                why,
                "nothing was changed; try again later",
            ));
        }
        Upstream::ReferenceGone => Newer::Not("its branch or tag is gone".to_owned()),
        Upstream::Moved(key, found, _) | Upstream::Changed(key, found, _) => Newer::Fetched(key, found),
    };
    if let Some(to) = sources.redirected(locked) {
        output::tell(&render::escape(&format!("note: {}: the repository is redirected to {to}", locked.dir)));
        output::tell("\n");
    }
    Ok(newer)
}

/// The new entry of a skill, its files, and what it says of itself; none if nothing changes.
fn entry(
    project: &Project,
    locked: &LockedSkill,
    source: &Source,
    found: &Found,
    opened: Option<&Opened>,
) -> Result<Option<(LockedSkill, Vec<Content>, About)>, Failure> {
    let theirs = source.read(found)?;
    let about = about::of(&found.dir_name, &theirs)?;
    if about.name != locked.name {
        let message = format!("the source of `{}` calls it `{}` now", locked.dir, about.name);
        return Err(Failure::other("SKILL_RENAMED", message, "remove it, and add it under its new name"));
    }
    let from = opened.map_or(&locked.source, |opened| &opened.from);
    let files = theirs.iter().map(|content| content.line.clone()).collect();
    let mut entry = LockedSkill::new(locked.name.clone(), locked.dir.clone(), from.clone(), files);
    entry.license.clone_from(&about.license);
    entry.unknown.clone_from(&locked.unknown);
    taken::say_from(&mut entry, project, found, source, opened.is_some_and(|it| it.is_url))?;
    if opened.is_none() && entry.commit.is_some() {
        // Another skill may have had the same commit fetched by another name.
        entry.reference.clone_from(&locked.reference);
    }
    // A commit that changed other skills alone is no news.
    let is_tag = locked.reference.as_deref().is_some_and(|name| name.starts_with("refs/tags/"));
    let says_the_same = (&entry.source, &entry.url, &entry.path, &entry.reference, entry.artifact)
        == (&locked.source, &locked.url, &locked.path, &locked.reference, locked.artifact);
    let is_same =
        entry.digest == locked.digest && says_the_same && (!is_tag || entry.commit == locked.commit);
    Ok((!is_same).then_some((entry, theirs, about)))
}

struct Line {
    planned: Planned,
    text: String,
}

/// Makes the change of one skill ready, and says what it is.
#[allow(clippy::too_many_arguments, reason = "both sides, and how the disk stands to them")]
fn one(
    project: &Project,
    compared: &Compared,
    locked: &LockedSkill,
    entry: &LockedSkill,
    theirs: &[Content],
    about: &About,
    write_new: bool,
    change: &mut Change,
) -> Result<Line, Failure> {
    let directory = project.directory.join(&locked.dir);
    let mut text = format!("update {}\n", locked.dir);
    if entry.source != locked.source {
        text.push_str(&format!("  source {}, before {}\n", entry.source, locked.source));
    }
    if let (Some(old), Some(new)) = (&locked.commit, &entry.commit)
        && old != new
    {
        let is_tag = entry.reference.as_deref().is_some_and(|name| name.starts_with("refs/tags/"));
        let moved = if is_tag && entry.reference == locked.reference { ": the tag was moved" } else { "" };
        text.push_str(&format!("  commit {new}, before {old}{moved}\n"));
    }
    let version = |skill: &LockedSkill| skill.reference.clone().filter(|_| skill.commit.is_none());
    if let (Some(old), Some(new)) = (version(locked), version(entry))
        && old != new
    {
        text.push_str(&format!("  version {new}, before {old}\n"));
    }
    if entry.license != locked.license {
        let shown = |license: &Option<String>| license.clone().unwrap_or_else(|| "none".to_owned());
        text.push_str(&format!("  licence {}, before {}\n", shown(&entry.license), shown(&locked.license)));
    }
    let mut kept = Vec::new();
    if entry.digest != locked.digest {
        let is_there = directory.symlink_metadata().is_ok();
        let mine = if is_there { disk::files(&directory)? } else { BTreeMap::new() };
        text.push_str(&fields(&mine, about));
        text.push_str(&files(locked, entry));
        text.push_str(&taken::news(locked, mine.values(), theirs));
        let merged = if is_there {
            change.take_away(&locked.dir);
            merge::merge(locked, compared, mine, theirs, write_new)?
        } else {
            Merged::of(theirs)
        };
        let staged = change.put(&locked.dir, &merged.contents);
        taken::judge(&staged.map_err(|error| io_failure("nothing was changed", &error))?)?;
        for path in taken::lfs_pointers(theirs) {
            text.push_str(&format!(
                "  {path} is only a pointer to a file in git LFS, which is not fetched\n"
            ));
        }
        for (path, is_changed_there) in &merged.kept {
            let more = if *is_changed_there { "; the source changed it too" } else { "" };
            text.push_str(&format!("  {path}: kept as you have it{more}\n"));
        }
        kept = merged.kept;
    }
    let why = match kept.len() {
        0 => format!("from {}", entry.source),
        kept => format!("from {}; files kept as you have them: {kept}", entry.source),
    };
    let planned = Planned { name: locked.name.clone(), dir: locked.dir.clone(), action: "update", why };
    Ok(Line { planned, text })
}

/// The fields that a model or a host acts on, where they change.
fn fields(mine: &BTreeMap<String, Content>, about: &About) -> String {
    let before = mine
        .get(SKILL_FILE)
        .map(|content| Content { line: content.line.clone(), bytes: content.bytes.clone() })
        .and_then(|content| about::of(&about.name, &[content]).ok());
    let mut text = String::new();
    if before.as_ref().is_none_or(|before| before.description != about.description) {
        text.push_str(&format!("  description: {}\n", about.description.replace('\n', " ")));
    }
    if before.as_ref().is_none_or(|before| before.allowed_tools != about.allowed_tools) {
        text.push_str(&format!("  allowed tools: {}\n", about.allowed_tools.join(", ")));
    }
    text
}

/// The files that the source added, removed and changed.
fn files(locked: &LockedSkill, entry: &LockedSkill) -> String {
    let is_new = |file: &&LockedFile| locked.file(&file.path).is_none();
    let is_changed = |file: &&LockedFile| {
        locked.file(&file.path).is_some_and(|old| (old.sha256, old.size) != (file.sha256, file.size))
    };
    let is_other_mode =
        |file: &&LockedFile| locked.file(&file.path).is_some_and(|old| old.executable != file.executable);
    let is_gone = |file: &&LockedFile| entry.file(&file.path).is_none();
    let executable = |file: &&LockedFile| file.executable && (is_new(file) || is_other_mode(file));
    let lines = [
        ("new", names(entry.files.iter().filter(is_new))),
        ("changed", names(entry.files.iter().filter(is_changed))),
        ("removed", names(locked.files.iter().filter(is_gone))),
        ("may be executed now", names(entry.files.iter().filter(executable))),
    ];
    let lines = lines.into_iter().filter(|(_, names)| !names.is_empty());
    lines.map(|(what, names)| format!("  {what}: {names}\n")).collect()
}

fn names<'f>(files: impl Iterator<Item = &'f LockedFile>) -> String {
    let files: Vec<&str> = files.map(|file| file.path.as_str()).collect();
    let more = AndMore(files.len().saturating_sub(SHOWN));
    format!("{}{more}", Joined(files.iter().take(SHOWN).map(Quoted), ", "))
}
