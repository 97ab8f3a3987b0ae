//! One root of skills or commands with open files, and what the last check of it found.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gen_lsp_types::Uri;
use skills_bundle::compile::{self, Checker, SkillDraft};
use skills_bundle::{Code, Config, Finding};
use skills_source::rules::Rules;
use skills_source::scan::{FoundFile, FoundSkill};
use skills_source::skill::SkillText;

use super::document::Document;
use super::place::{Kind, RootPlace, uri_of};
use crate::check::published;
use crate::test::failing::{Files, OfSkill};

/// A root that is checked while its files are written.
#[derive(Debug)]
pub(crate) struct Root {
    place: RootPlace,
    /// Its base, as the client names it.
    named: PathBuf,
    /// The files whose text isn't that on disk.
    texts: BTreeSet<PathBuf>,
    config: Config,
    checker: Checker,
    /// Whether it is known what a published package would lack.
    is_asked: bool,
    /// What the last check found; `None` if something has changed since.
    findings: Option<Vec<Finding>>,
    queries: Queries,
}

/// The queries of tests that are around the skills of a root.
#[derive(Debug, Default)]
struct Queries {
    /// The files that have them; `None` if somebody may have changed one.
    files: Option<Files>,
    /// The files of skills that are open. The queries for the others aren't judged.
    open: BTreeSet<PathBuf>,
    /// What they gave when they were judged, by the directory of the skill.
    results: BTreeMap<String, OfSkill>,
    /// Whether something has changed since.
    are_old: bool,
    /// Whether the results are others than those that were taken.
    are_new: bool,
}

impl Root {
    /// A root. `named` is its base as the client names it, if that differs.
    pub(crate) fn new(place: RootPlace, named: Option<PathBuf>) -> Self {
        let below = place.dir.strip_prefix(&place.base).ok().filter(|below| *below != Path::new(""));
        let config = Config::new(below.unwrap_or(Path::new(".")))
            .base(&place.base)
            .paths_as_given(true)
            .cargo_settings(&place.dir)
            .within_live_limits(true);
        let checker = Checker::new(config.clone());
        let named = named.unwrap_or_else(|| place.base.clone());
        let (texts, queries) = (BTreeSet::new(), Queries::default());
        Self { checker, config, place, named, texts, is_asked: false, findings: None, queries }
    }

    /// Takes the text of an open file.
    pub(crate) fn set(&mut self, document: &Document) {
        self.checker.set_text(&document.path, document.bytes());
        self.texts.insert(document.path.clone());
        if document.kind == Kind::Skill {
            self.queries.open.insert(document.path.clone());
        }
        self.has_changed();
    }

    /// Takes a file as it is on disk.
    pub(crate) fn unset(&mut self, path: &Path) {
        self.checker.remove_text(path);
        self.texts.remove(path);
        self.queries.open.remove(path);
        self.has_changed();
    }

    /// Whether it was given the text of a file.
    pub(crate) fn has_text_of(&self, path: &Path) -> bool {
        self.texts.contains(path)
    }

    /// Has everything read from disk again.
    pub(crate) fn forget(&mut self) {
        self.checker.forget();
        self.is_asked = false;
        self.queries.files = None;
        self.has_changed();
    }

    fn has_changed(&mut self) {
        self.findings = None;
        self.queries.are_old = true;
    }

    /// Everything that is wrong in the root.
    pub(crate) fn findings(&mut self) -> &[Finding] {
        if !self.is_asked && self.checker.rules().is_on(Code::L128) {
            self.checker.set_published(published::ask(std::slice::from_ref(&self.place.dir)).0);
            self.is_asked = true;
        }
        let checker = &mut self.checker;
        self.findings.get_or_insert_with(|| checker.check().findings)
    }

    /// Judges the queries for the open skills, unless nothing has changed since the last time.
    pub(crate) fn judge_queries(&mut self) {
        if !std::mem::take(&mut self.queries.are_old) {
            return;
        }
        self.findings();
        let root = [(self.label(), self.place.dir.as_path())];
        let Queries { files, open, .. } = &mut self.queries;
        let mut results = BTreeMap::new();
        if !files.as_ref().is_some_and(Files::is_empty) {
            self.checker.check_with(|skills, rules| {
                let is_open =
                    |dir: &FoundSkill| dir.skill_file().is_some_and(|file| open.contains(&file.disk));
                let is_wanted =
                    |name: &str| skills.iter().any(|(dir, text)| text.name == name && is_open(dir));
                let files = files.get_or_insert_with(|| Files::around(&root, skills));
                results = files.judge(skills, rules, is_wanted).of_skills;
                Vec::new()
            });
        }
        self.queries.are_new |= self.queries.results != results;
        self.queries.results = results;
    }

    /// Whether queries have to be judged, or their results to be taken.
    pub(crate) fn has_old_queries(&self) -> bool {
        self.queries.are_old || self.queries.are_new
    }

    /// Whether the results of queries are others than the last time that this was asked.
    pub(crate) fn take_new_queries(&mut self) -> bool {
        std::mem::take(&mut self.queries.are_new)
    }

    /// What the queries for an open skill gave when they were last judged.
    pub(crate) fn queries_of(&mut self, path: &Path) -> Option<&OfSkill> {
        let dir = self.skill_of(path).map(|(dir, _)| dir.path.clone())?;
        self.queries.results.get(&dir)
    }

    /// What is wrong in a SKILL.md of a root that doesn't exist yet.
    pub(crate) fn draft(&self, document: &Document) -> Vec<Finding> {
        compile::check_text(&self.config, &SkillDraft::new(self.shown(&document.path), document.bytes()))
    }

    /// The skills of the root, each with what could be read of its SKILL.md, as they are being written.
    pub(crate) fn skills(&mut self) -> impl Iterator<Item = (&FoundSkill, Option<&SkillText>)> {
        self.findings();
        self.checker.skills()
    }

    /// The skill whose SKILL.md an open file is.
    pub(crate) fn skill_of(&mut self, path: &Path) -> Option<(&FoundSkill, Option<&SkillText>)> {
        self.skills().find(|(dir, _)| dir.skill_file().is_some_and(|file| file.disk == path))
    }

    /// The skill of this name.
    pub(crate) fn skill_named(&mut self, name: &str) -> Option<(&FoundSkill, Option<&SkillText>)> {
        self.skills().find(|(_, text)| text.is_some_and(|text| text.name == name))
    }

    /// The file that a link in the SKILL.md at `from` names, and the name of the directory of its skill. Only
    /// what a scan found is found here: no path is joined.
    pub(crate) fn file_of_link(&mut self, from: &Path, link: &str) -> Option<(FoundFile, String)> {
        let (dir, _) = self.skill_of(from)?;
        let mut parts: Vec<&str> = dir.path.split('/').collect();
        for part in link.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()?),
                part => parts.push(part),
            }
        }
        let path = parts.join("/");
        self.skills().find_map(|(dir, _)| {
            let below = path.strip_prefix(dir.path.as_str())?.strip_prefix('/')?;
            let file = dir.files.iter().find(|file| file.path == below)?;
            Some((file.clone(), dir.dir_name.clone()))
        })
    }

    /// The rules in force.
    pub(crate) fn rules(&mut self) -> Rules {
        self.checker.rules()
    }

    /// The directory of the root, and from where its files are shown.
    pub(crate) fn place(&self) -> &RootPlace {
        &self.place
    }

    /// The path of an open file, as findings show it.
    pub(crate) fn path_in_findings(&mut self, document: &Document) -> String {
        let found = (document.kind == Kind::Skill).then(|| self.skill_of(&document.path)).flatten();
        let shown = found.and_then(|(dir, _)| Some(format!("{}/{}", dir.path, dir.skill_file()?.path)));
        shown.unwrap_or_else(|| self.shown(&document.path))
    }

    /// The directory of the root, as findings show it.
    pub(crate) fn label(&self) -> String {
        compile::label(self.place.dir.strip_prefix(&self.place.base).unwrap_or(&self.place.dir))
    }

    /// Where a file that a finding shows is on disk.
    pub(crate) fn on_disk(&self, shown: &str) -> PathBuf {
        self.place.base.join(shown)
    }

    /// The URI of a file, as the client names the folder that it is in.
    pub(crate) fn uri_of(&self, path: &Path) -> Uri {
        match path.strip_prefix(&self.place.base) {
            Ok(below) => uri_of(&self.named.join(below)),
            Err(_) => uri_of(path),
        }
    }

    /// The path of a file, as it is shown.
    pub(crate) fn shown(&self, path: &Path) -> String {
        let below = path.strip_prefix(&self.place.base).unwrap_or(path);
        below.to_string_lossy().replace('\\', "/")
    }
}
