//! Reads all that a report is about: skills on disk with their lock and reviews, or the lock in a program.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use skills::Audience;
use skills::catalogue::CatalogueOptions;
use skills::live::{Overlays, Root};
use skills_bundle::compile::{self, Checker};
use skills_bundle::diff::{self, File, Skill};
use skills_bundle::lock::{self, Compared, Lock, LockedFile, LockedSkill};
use skills_bundle::overview::{self, Catalogue, FileRow, Overview, Row, State};
use skills_bundle::reviews::{REVIEWED, REVIEWS_FILE, Reviews};
use skills_source::parallel;
use skills_source::scan::{self, FoundSkill};
use skills_source::skill::SkillText;

use crate::args::Global;
use crate::check;
use crate::failure::Failure;
use crate::form::Form;
use crate::output;
use crate::program;
use crate::sources::project::{io_failure, unreadable};
use crate::sources::{change, review_file};
use crate::waiting::Waiting;

/// Everything about the skills at this path.
///
/// # Errors
///
/// If there are none, or the path, the lock or the reviews can't be read.
pub(super) fn of(global: &Global, path: &Path, form: Form) -> Result<Overview, Failure> {
    let root = check::directory_of(path);
    if root.is_file() {
        return in_program(root);
    }
    let roots = [root.to_owned()];
    let locked = OfLock::open(root, form)?;
    let (config, mut notes) = check::published(check::plain_config(global, &roots), &roots);
    let waiting = Waiting::on("reading skills");
    let mut checker = Checker::new(config.clone());
    let report = checker.check_with(|skills, rules| check::queries(&roots, skills, rules, &mut notes));
    let found: Vec<(&FoundSkill, Option<&SkillText>)> = checker.skills().collect();
    let mut skills = parallel::map(&found, |(skill, text)| row(skill, *text, &locked));
    skills.extend(locked.missing(&found));
    skills.sort_by(|a, b| a.dir.cmp(&b.dir));
    let catalogue = catalogue(root, config.is_nested());
    drop(waiting);
    let label = compile::label(root);
    if let Some(failure) = Failure::unreadable(&check::unreadable(&report, std::slice::from_ref(&label))) {
        return Err(failure);
    }
    if skills.is_empty() && report.commands == 0 {
        let help = check::how_to_find(&compile::in_hidden_directories(&config, &report));
        return Err(Failure::not_found("NO_SKILLS", check::no_skill(std::slice::from_ref(&label)), help));
    }
    for note in notes {
        output::note(&format!("note: {}\n", skills_bundle::render::escape(&note)));
    }
    let (commands, findings) = (report.commands, report.findings);
    let catalogue = Some(catalogue);
    Ok(Overview { root: label, is_program: false, skills, commands, findings, catalogue })
}

/// A skill with its files, which are read and let go again.
fn row(found: &FoundSkill, text: Option<&SkillText>, locked: &OfLock) -> Row {
    let mut files = Vec::with_capacity(found.files.len());
    let mut skill = Skill { name: found.dir_name.clone(), dir: found.path.clone(), ..Skill::default() };
    for file in &found.files {
        let (path, executable) = (file.path.clone(), file.executable);
        let Ok(bytes) = scan::read_file(file) else {
            files.push(FileRow { path, size: file.len, executable, sha256: None });
            continue;
        };
        let line = LockedFile::of(path.clone(), executable, &bytes);
        files.push(FileRow { path, size: line.size, executable, sha256: Some(line.sha256) });
        skill.files.push(File { line, bytes: Some(bytes) });
    }
    let is_whole = skill.files.len() == files.len();
    let name = text.map(|text| text.name.clone()).filter(|name| !name.is_empty());
    let mut row = Row {
        name: name.unwrap_or_else(|| found.dir_name.clone()),
        dir: found.path.clone(),
        digest: is_whole.then(|| lock::digest(skill.files.iter().map(|file| &file.line))),
        files,
        inventory: diff::inventory(&skill),
        ..Row::default()
    };
    locked.tell(found.home(), &mut row);
    row
}

/// The lock of the project, compared with the disk, and its reviews.
#[derive(Default)]
struct OfLock {
    /// The locked skills below the root, by their directories on disk.
    skills: HashMap<PathBuf, (LockedSkill, Compared)>,
    /// Those about which a command was stopped.
    interrupted: Vec<String>,
    reviews: Option<Reviews>,
    /// The root on disk, and as it is shown.
    root: (PathBuf, String),
}

impl OfLock {
    fn open(root: &Path, form: Form) -> Result<Self, Failure> {
        // That of the root's project, as for the findings; else that of the working directory.
        let of_root = lock::find(root);
        let place = if of_root.file.is_some() { of_root } else { lock::find(Path::new(".")) };
        let Some(file) = &place.file else { return Ok(Self::default()) };
        let mut lock = Lock::open(file, &place.shown).map_err(|findings| unreadable(&findings, form))?;
        let interrupted = change::interrupted(&place.directory).map_err(|error| {
            io_failure("the journal of a command that was stopped cannot be read", &error)
        })?;
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let (home, root_on_disk) = (real(&place.directory), real(root));
        let on_disk = |locked: &LockedSkill| {
            // A directory that is missing has no other form.
            let joined = locked.dir.split('/').fold(home.clone(), |at, part| at.join(part));
            joined.canonicalize().unwrap_or(joined)
        };
        lock.skills.retain(|locked| on_disk(locked).starts_with(&root_on_disk));
        let compared = lock::check(&lock, &place.directory, &place.ignore);
        let skills = lock
            .skills
            .into_iter()
            .zip(compared)
            .map(|(locked, compared)| (on_disk(&locked), (locked, compared)));
        let skills = skills.collect();
        let reviews = place.directory.join(REVIEWS_FILE);
        let reviews =
            if reviews.exists() { Some(review_file::open(&reviews, REVIEWS_FILE, form)?) } else { None };
        Ok(Self { skills, interrupted, reviews, root: (root_on_disk, compile::label(root)) })
    }

    /// Says of a skill how it stands to the lock.
    fn tell(&self, home: &Path, row: &mut Row) {
        let Some((locked, compared)) = self.skills.get(home) else { return };
        let is_interrupted = self.interrupted.contains(&locked.dir);
        row.state = if is_interrupted { State::Interrupted } else { State::Compared(compared.state) };
        row.differing = compared.differing().cloned().collect();
        // Of what is on disk, not of what the lock says.
        row.reviewed_by = self.reviews.as_ref().map(|reviews| {
            let chain = row.digest.and_then(|digest| reviews.covering(&locked.name, digest, REVIEWED));
            let mut who: Vec<String> =
                chain.unwrap_or_default().iter().map(|review| review.who.clone()).collect();
            who.dedup();
            who
        });
        row.locked = Some(without_secrets(locked.clone()));
    }

    /// The locked skills that aren't there.
    fn missing(&self, found: &[(&FoundSkill, Option<&SkillText>)]) -> Vec<Row> {
        let is_there = |home: &Path| found.iter().any(|(skill, _)| skill.home() == home);
        let gone = self.skills.keys().filter(|home| !is_there(home));
        let row = |home: &PathBuf| {
            let below = home.strip_prefix(&self.root.0).unwrap_or(home);
            let parts = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
            let dir: Vec<String> = std::iter::once(self.root.1.clone()).chain(parts).collect();
            let name = self.skills.get(home).map(|(locked, _)| locked.name.clone()).unwrap_or_default();
            let mut row = Row { name, dir: dir.join("/"), ..Row::default() };
            self.tell(home, &mut row);
            row
        };
        gone.map(row).collect()
    }
}

/// The list of skills as it is in a prompt.
fn catalogue(root: &Path, nested: bool) -> Catalogue {
    let overlays = Overlays::without_bundle().audience(Audience::Model);
    let live = overlays.root(Root::new(root).nested(nested)).open();
    let catalogue = live.snapshot().registry().catalogue(&CatalogueOptions::default());
    let skills::catalogue::Catalogue { text, full, shortened, left_out, .. } = catalogue;
    Catalogue { text: overview::masked(&text), full, shortened, left_out }
}

/// What the lock in a program says.
fn in_program(program: &Path) -> Result<Overview, Failure> {
    let shown = program.display().to_string();
    let found = lock::in_program(&program::read(program)?, &shown);
    let locked: Vec<LockedSkill> = found.locks.into_iter().flat_map(|lock| lock.skills).collect();
    if locked.is_empty() || found.damaged > 0 {
        let message = format!("there is no whole lock in `{shown}`");
        let help = "a program has one if locked skills are compiled in, and if it is not compressed";
        return Err(Failure::not_found("LOCK_NOT_FOUND", message, help));
    }
    let mut skills: Vec<Row> = locked.into_iter().map(of_lock).collect();
    skills.sort_by(|a, b| a.dir.cmp(&b.dir));
    Ok(Overview { root: shown, is_program: true, skills, ..Overview::default() })
}

/// An address may have a token in it, if somebody wrote it by hand.
fn without_secrets(mut locked: LockedSkill) -> LockedSkill {
    locked.source = overview::masked(&locked.source);
    locked.url = locked.url.as_deref().map(overview::masked);
    locked
}

fn of_lock(locked: LockedSkill) -> Row {
    let file = |line: &LockedFile| FileRow {
        path: line.path.clone(),
        size: line.size,
        executable: line.executable,
        sha256: Some(line.sha256),
    };
    Row {
        name: locked.name.clone(),
        dir: locked.dir.clone(),
        state: State::InProgram,
        digest: Some(locked.digest),
        files: locked.files.iter().map(file).collect(),
        locked: Some(without_secrets(locked)),
        ..Row::default()
    }
}
