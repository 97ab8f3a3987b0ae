//! The command `add`: skills from another place, and the lock that says so.
//!
//! What is taken is shown first, and checked by every rule. Whole skills are put in place at once, the lock
//! last; `sources` knows how to read and how to write.

use std::path::Path;

use skills_bundle::lock::LockedSkill;
use skills_bundle::render;
use skills_pack::text::{AndMore, Joined, Quoted, counted};
use skills_source::scan::SKILL_FILE;

use crate::args::Add;
use crate::failure::Failure;
use crate::form::Form;
use crate::output::{self, Outcome};
use crate::sources::about::{self, About};
use crate::sources::named::{Named, Where};
use crate::sources::open::{self, Source};
use crate::sources::project::{Planned, Project, carry_out, io_failure};
use crate::sources::taken;
use crate::sources::{Artifact, Commit, Content, Found, crates};

/// How many names an error gives.
const SHOWN: usize = 20;

/// The code where something is in the place of a skill.
const EXISTS: &str = "EXISTS";

pub(crate) fn add(args: &Add, form: Form) -> Result<Outcome, Failure> {
    let named = named(args)?;
    let mut project = Project::open(form)?;
    let opened = Opened::open(&project, &named, args.allow_outside, args.write.offline)?;
    opened.tell_about(form);
    let chosen = choose(&opened.source, args, &named)?;
    let mut change = project.change()?;
    let mut plan = Vec::new();
    for found in chosen {
        let contents = opened.source.read(found)?;
        let about = about::of(&found.dir_name, &contents)?;
        let mut locked = match entry(&project, args, &about, &opened.from, &contents) {
            // The others can be added.
            Err(Failure::Other { code: EXISTS, message, .. }) if args.all => {
                output::tell(&render::escape(&format!("note: {message}, and stays as it is")));
                output::tell("\n");
                continue;
            }
            entry => entry?,
        };
        taken::say_from(&mut locked, &project, found, &opened.source, opened.is_url)?;
        let staged =
            change.put(&locked.dir, &contents).map_err(|error| io_failure("nothing was changed", &error))?;
        taken::judge(&staged)?;
        let line = Planned {
            name: locked.name.clone(),
            dir: locked.dir.clone(),
            action: "add",
            why: format!("from {}", locked.source),
        };
        if form == Form::Text {
            output::tell(&render_plan(&line, &about, &opened.source, found, &contents));
            output::tell(&taken::news(&LockedSkill::default(), [], &contents));
            output::tell(&uncommitted(&opened.source, found, &contents));
        }
        project.lock.skills.push(locked);
        plan.push(line);
    }
    taken::check_lock(&project.lock)?;
    carry_out(&plan, args.write.consent(), form, || change.apply(&project.lock))
}

/// A source that was opened.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) source: Source,
    /// The source as the lock has it.
    pub(crate) from: String,
    /// Whether a place on disk was named as a URL.
    pub(crate) is_url: bool,
    redirected: Option<String>,
    had_credentials: bool,
}

impl Opened {
    /// Opens what was named on the command line.
    pub(crate) fn open(
        project: &Project,
        named: &Named,
        allow_outside: bool,
        offline: bool,
    ) -> Result<Self, Failure> {
        let reference = named.reference.as_deref();
        let had_credentials = named.had_credentials;
        let of_named = |(source, redirected): (Source, Option<String>)| {
            let from = named.typed.clone();
            Self { source, from, is_url: false, redirected, had_credentials }
        };
        match &named.place {
            Where::Remote { url, .. } | Where::ArchiveAt { url, .. } | Where::Site { url } if offline => {
                Err(offline_failure(url))
            }
            Where::Remote { url, tail } => {
                let (listing, source) = open::ask(&project.trust, url, tail, reference)?;
                Ok(of_named((source, listing.redirected)))
            }
            Where::Crate { name, version, path } => {
                let source = crates::open(&project.directory, name, version.as_deref(), path)?;
                Ok(of_named((source, None)))
            }
            Where::ArchiveAt { url, digest } => Ok(of_named(open::archive_at(&project.trust, url, *digest)?)),
            Where::Site { url } => Ok(of_named(open::index(&project.trust, url)?)),
            Where::ArchiveFile { path, is_url, digest } => {
                let real = real(project, path, allow_outside)?;
                let source = open::archive_file(&real, *digest)?;
                let file = taken::relative(project, &real, *is_url)?;
                let from = format!("{file}#{}", digest.to_string().replacen(':', "=", 1));
                Ok(Self { source, from, is_url: *is_url, redirected: None, had_credentials })
            }
            Where::Disk { path, is_url } => {
                let real = real(project, path, allow_outside)?;
                let source = open::open(&real, reference)?;
                let from = taken::relative(project, &real, *is_url)?;
                let from = reference.map_or(from.clone(), |reference| format!("{from}#{reference}"));
                Ok(Self { source, from, is_url: *is_url, redirected: None, had_credentials })
            }
        }
    }

    /// Says what a user should know before anything else.
    pub(crate) fn tell_about(&self, form: Form) {
        if form == Form::Json {
            return;
        }
        if let Some(to) = &self.redirected {
            let what = if self.source.commit.is_some() { "repository" } else { "source" };
            output::tell(&render::escape(&format!("note: the {what} is redirected to {to}")));
            output::tell("\n");
        }
        if self.had_credentials {
            let helpers = if self.source.commit.is_some() { ": git has helpers for them" } else { "" };
            output::tell(&format!("note: the user name and token in the URL are not used{helpers}\n"));
        }
    }
}

/// The failure where a network would be needed.
pub(crate) fn offline_failure(url: &str) -> Failure {
    Failure::other("OFFLINE", format!("`{url}` needs the network"), "leave out --offline")
}

/// A directory that was named, with every link resolved.
fn real(project: &Project, path: &Path, allow_outside: bool) -> Result<std::path::PathBuf, Failure> {
    let real = path.canonicalize().map_err(|_| {
        let message = format!("`{}` does not exist", path.display());
        Failure::other("SOURCE_NOT_FOUND", message, "give a directory, or a repository")
    })?;
    if !allow_outside && !real.starts_with(&project.directory) {
        let message = format!("`{}` is outside of the workspace", path.display());
        return Err(Failure::other("SOURCE_OUTSIDE", message, "--allow-outside permits it"));
    }
    Ok(real)
}

/// The source, with the `@version` of a skill's name as its reference.
fn named(args: &Add) -> Result<Named, Failure> {
    let mut named = Named::typed(&args.source)?;
    if let ([name], Where::Remote { .. }, None) = (&args.names[..], &named.place, &named.reference)
        && let Some((_, version)) = name.split_once('@')
    {
        named.reference = Some(version.to_owned());
        named.typed = format!("{}#{version}", named.typed);
    }
    Ok(named)
}

/// The skills that are asked for.
fn choose<'s>(source: &'s Source, args: &Add, named: &Named) -> Result<Vec<&'s Found>, Failure> {
    let all = || {
        let names =
            Joined(source.skills.iter().take(SHOWN).map(|found| Quoted(found.dir_name.as_str())), ", ");
        format!("{names}{}", AndMore(source.skills.len().saturating_sub(SHOWN)))
    };
    if source.skills.is_empty() {
        let help = format!("a skill is a directory with a file {SKILL_FILE}");
        return Err(Failure::other("NO_SKILLS", format!("there are no skills in `{}`", named.typed), help));
    }
    let mut names: Vec<&str> = args.names.iter().map(String::as_str).collect();
    if let (Where::Remote { .. }, [name]) = (&named.place, &mut names[..]) {
        *name = name.split_once('@').map_or(*name, |(name, _)| name);
    }
    names.extend(named.skill.as_deref());
    if names.is_empty() {
        if args.all || source.skills.len() == 1 {
            return Ok(source.skills.iter().collect());
        }
        let message = format!("`{}` has {} skills: {}", named.typed, source.skills.len(), all());
        return Err(Failure::other("SEVERAL_SKILLS", message, "name those that you want, or pass --all"));
    }
    let mut chosen: Vec<&Found> = Vec::new();
    for name in names {
        let mut found = source.skills.iter().filter(|found| found.dir_name == name || found.path == name);
        match (found.next(), found.next()) {
            (Some(found), None) if chosen.iter().all(|other| other.path != found.path) => chosen.push(found),
            (Some(_), None) => {}
            (Some(_), Some(_)) => {
                let message = format!("several skills of `{}` are in a directory `{name}`", named.typed);
                return Err(Failure::other("SEVERAL_SKILLS", message, "give the path in the source"));
            }
            (None, _) => {
                let message = format!("`{}` has no skill `{name}`", named.typed);
                return Err(Failure::other("SKILL_NOT_FOUND", message, format!("it has {}", all())));
            }
        }
    }
    Ok(chosen)
}

/// The entry of a skill in the lock. Nothing may be in its place yet.
fn entry(
    project: &Project,
    args: &Add,
    about: &About,
    from: &str,
    contents: &[Content],
) -> Result<LockedSkill, Failure> {
    let target = args.dir.join(&about.name);
    let dir = project.inside(&target).ok_or_else(|| {
        let message = format!("`{}` is outside of the workspace", target.display());
        Failure::other("OUTSIDE", message, "give a directory in the workspace with --dir")
    })?;
    let is_there = project.directory.join(&dir).symlink_metadata().is_ok();
    let is_locked = project.lock.skills.iter().any(|skill| skill.dir == dir);
    if is_there || is_locked {
        let help = "remove it first, or give another directory with --dir";
        return Err(Failure::other(EXISTS, format!("`{dir}` is there already"), help));
    }
    let files = contents.iter().map(|content| content.line.clone()).collect();
    let mut locked = LockedSkill::new(about.name.clone(), dir, from, files);
    locked.license.clone_from(&about.license);
    Ok(locked)
}

/// The line about files that differ on disk from the commit that is taken.
fn uncommitted(source: &Source, found: &Found, contents: &[Content]) -> String {
    let kept = source.uncommitted(found, contents);
    if kept.is_empty() {
        return String::new();
    }
    let names = Joined(kept.iter().take(SHOWN).map(Quoted), ", ").to_string();
    let more = AndMore(kept.len().saturating_sub(SHOWN));
    format!("{}\n", render::escape(&format!("  changes that are not committed are not taken: {names}{more}")))
}

/// What a reviewer should see of a skill before it is written.
fn render_plan(
    line: &Planned,
    about: &About,
    source: &Source,
    found: &Found,
    contents: &[Content],
) -> String {
    let bytes: usize = contents.iter().map(|content| content.bytes.len()).sum();
    let mut text = format!("{} to {}\n  {}\n", line.name, line.dir, line.why);
    if let Some(Commit { reference, id, .. }) = &source.commit {
        let reference = reference.as_deref().map(|reference| format!(" ({reference})")).unwrap_or_default();
        text.push_str(&format!("  commit {id}{reference}\n"));
    }
    if let Some(Artifact { url, digest }) = &found.artifact {
        let url = url.as_deref().map(|url| format!(" at {url}")).unwrap_or_default();
        text.push_str(&format!("  {digest}{url}\n"));
    }
    if let Some(version) = &source.version {
        text.push_str(&format!("  version {version}\n"));
    }
    text.push_str(&format!("  description: {}\n", about.description.replace('\n', " ")));
    if !about.allowed_tools.is_empty() {
        text.push_str(&format!("  allowed tools: {}\n", about.allowed_tools.join(", ")));
    }
    text.push_str(&format!("  {}, {}\n", counted(contents.len(), "file"), counted(bytes, "byte")));
    for content in contents.iter().filter(|content| content.line.path != SKILL_FILE) {
        let mark = if content.line.executable { ", executable" } else { "" };
        let size = counted(content.line.size, "byte");
        text.push_str(&format!("  {}, {size}{mark}\n", content.line.path));
    }
    for path in taken::lfs_pointers(contents) {
        text.push_str(&format!("  {path} is only a pointer to a file in git LFS, which is not fetched\n"));
    }
    text.lines().map(|line| format!("{}\n", render::escape(line))).collect()
}
