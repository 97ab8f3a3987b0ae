//! A check: everything that a build would find, and the files that a build would only pack.
//!
//! [`check`] reads what is on disk. A [`Checker`] is for editors: it takes text that isn't saved, and judges
//! again only what has changed. [`check_text`] needs no disk at all. All three judge by the same function.

use std::path::Path;

use skills_source::code::{Code, Level};
use skills_source::finding::Finding;
use skills_source::reader::{open_skill, unreadable};
use skills_source::rules::Rules;
use skills_source::scan::{self, FoundFile, FoundSkill, SKILL_FILE, real};
use skills_source::skill::SkillText;

use super::judge::{Judged, Keep, content, judge, judge_skill, secrets};
use super::memory::Memory;
use crate::config::Config;
use crate::report::Report;

/// Checks the skills: all that [`compile`](super::compile) would find.
pub fn check(config: &Config) -> Report {
    check_with(config, |_, _| Vec::new())
}

/// Checks the skills, and adds what `more` finds in those that may be served, taken together, at the levels in
/// force: for what only a program knows that can serve them.
pub fn check_with(
    config: &Config,
    more: impl FnOnce(&[(&FoundSkill, &SkillText)], &Rules) -> Vec<Finding>,
) -> Report {
    check_in(config, &mut Memory::default(), more)
}

fn check_in(
    config: &Config,
    memory: &mut Memory,
    more: impl FnOnce(&[(&FoundSkill, &SkillText)], &Rules) -> Vec<Finding>,
) -> Report {
    let judged = judge(config, Keep::Text, memory);
    let skills: Vec<(&FoundSkill, &SkillText)> =
        judged.skills.iter().map(|good| (&good.dir, good.text())).collect();
    let found = judged.rules.apply(more(&skills, &judged.rules));
    let mut report = with_files(config, judged, memory);
    report.add(found);
    report
}

/// Checks the same skills again and again while their text is being written.
///
/// What was read from disk is kept until [`forget`](Self::forget): after a change of one text, only that text
/// and what concerns several skills is judged again.
///
/// ```
/// use skills_bundle::{Config, compile::Checker};
///
/// let mut checker = Checker::new(Config::new("skills"));
/// checker.set_text("skills/pdf/SKILL.md".as_ref(), "---\nname: pdf\n---\n".into());
/// let report = checker.check();
/// ```
#[derive(Debug)]
pub struct Checker {
    config: Config,
    memory: Memory,
}

impl Checker {
    /// One that has read nothing yet.
    pub fn new(config: Config) -> Self {
        Self { config, memory: Memory::keeping() }
    }

    /// Takes `text` for the content of the file at `path`, saved or not: a SKILL.md, a command's definition or
    /// template, or a Cargo.toml. A relative path is relative to the working directory.
    pub fn set_text(&mut self, path: &Path, text: Vec<u8>) {
        let len = text.len();
        self.config.texts.set(path, text);
        if !self.memory.forget_file(&real(path), len) {
            self.forget();
        }
    }

    /// Takes the file at `path` as it is on disk again.
    pub fn remove_text(&mut self, path: &Path) {
        self.config.texts.remove(path);
        self.forget();
    }

    /// Takes these for what is known of published packages, as [`Config::published`] does, and forgets what was
    /// known of them before.
    #[cfg(feature = "check")]
    pub fn set_published(&mut self, published: Vec<crate::published::Published>) {
        self.config.published = published;
        self.forget();
    }

    /// Reads everything again at the next check: files on disk have changed.
    pub fn forget(&mut self) {
        self.memory = Memory::keeping();
    }

    /// Checks the skills, as [`check`] does.
    pub fn check(&mut self) -> Report {
        self.check_with(|_, _| Vec::new())
    }

    /// Checks the skills, as [`check_with`] does.
    pub fn check_with(
        &mut self,
        more: impl FnOnce(&[(&FoundSkill, &SkillText)], &Rules) -> Vec<Finding>,
    ) -> Report {
        check_in(&self.config, &mut self.memory, more)
    }

    /// The skills that the last check found, broken ones included, each with what could be read of its
    /// SKILL.md.
    pub fn skills(&self) -> impl Iterator<Item = (&FoundSkill, Option<&SkillText>)> {
        self.memory.skills().map(|(dir, read)| (dir, read.map(|read| &read.text)))
    }

    /// The rules in force.
    pub fn rules(&mut self) -> Rules {
        self.memory.settings(|| self.config.settings()).rules
    }
}

/// One SKILL.md as text, with the names around it, for [`check_text`].
#[derive(Debug, Clone)]
pub struct SkillDraft {
    path: String,
    text: Vec<u8>,
    files: Vec<String>,
    neighbours: Vec<String>,
}

impl SkillDraft {
    /// The content of a SKILL.md. `path` is shown in the findings, and has the name of the skill's directory:
    /// `skills/pdf/SKILL.md`. If it is `SKILL.md` alone, what depends on the directory isn't judged: its name
    /// and the links.
    pub fn new(path: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), text: text.into(), files: Vec::new(), neighbours: Vec::new() }
    }

    /// The paths of the other files of the skill, relative to its directory and with `/`. Links are judged by
    /// them.
    #[must_use]
    pub fn files(mut self, paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.files.extend(paths.into_iter().map(Into::into));
        self
    }

    /// The names of the directories of other skills, beside this one.
    #[must_use]
    pub fn neighbours(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.neighbours.extend(names.into_iter().map(Into::into));
        self
    }
}

/// Checks one SKILL.md that need not be on disk, by the rules of `config`. Its roots aren't read.
///
/// What concerns the content of other files, or several skills together, isn't judged. The findings are in the
/// order of their places.
pub fn check_text(config: &Config, draft: &SkillDraft) -> Vec<Finding> {
    let settings = config.settings();
    let mut rules = settings.rules;
    let dir_path = draft.path.rsplit_once('/').map_or("", |(dir, _)| dir);
    let (above, dir_name) = dir_path.rsplit_once('/').map_or(("", dir_path), |(above, name)| (above, name));
    if dir_path.is_empty() {
        for code in [Code::L103, Code::L105] {
            // The level of an `L` rule can be set.
            let _ = rules.set_level(code, Level::Allow);
        }
    }
    let skill = |name: &str, files: Vec<FoundFile>| {
        let path = if above.is_empty() { name.to_owned() } else { format!("{above}/{name}") };
        FoundSkill::of_files(path, name, files)
    };
    let others = draft.files.iter().filter(|path| *path != SKILL_FILE);
    let mut files: Vec<FoundFile> = others.map(|path| FoundFile::named(path, 0)).collect();
    files.push(FoundFile::named(SKILL_FILE, draft.text.len() as u64));
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    let dir = skill(dir_name, files);
    let others = draft.neighbours.iter().filter(|other| *other != dir_name);
    let all: Vec<FoundSkill> = others.map(|other| skill(other, Vec::new())).collect();
    let text = draft.text.clone();
    let opened = open_skill(&dir, &rules, |_| Ok(text));
    let (read, mut findings) = judge_skill(&rules, &dir, &all, opened);
    findings.extend(read.map(|read| read.secrets).unwrap_or_default());
    findings.extend(settings.findings);
    findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    findings
}

/// What was judged, and what is wrong with the files beside each SKILL.md, those of broken skills too.
pub(super) fn with_files(config: &Config, judged: Judged, memory: &mut Memory) -> Report {
    let Judged { mut report, skills, broken, rules, locked, .. } = judged;
    let look = |dir: &FoundSkill, file: &FoundFile| -> Vec<Finding> {
        let looked = if file.len <= MAX_SEARCHED {
            config.texts.read(file).map(|bytes| {
                // The content of a SKILL.md was judged with it.
                let judge = if file.path == SKILL_FILE { secrets } else { content };
                judge(dir, file, &bytes, &rules)
            })
        } else {
            scan::try_file(file).map(|()| Vec::new())
        };
        looked.unwrap_or_else(|error| vec![unreadable(dir, file, &error)])
    };
    let is_skill_file = |file: &&FoundFile| file.path == SKILL_FILE;
    let look_beside = |dir: &FoundSkill| -> Vec<Finding> {
        let beside = dir.files.iter().filter(|file| !is_skill_file(file));
        beside.flat_map(|file| look(dir, file)).collect()
    };
    let dirs: Vec<&FoundSkill> = skills.iter().map(|good| &good.dir).collect();
    let of_good = memory.beside(&dirs, look_beside);
    let of_good =
        skills.iter().zip(of_good).flat_map(|(good, beside)| good.read.secrets.iter().cloned().chain(beside));
    let mut found: Vec<Finding> = of_good.collect();
    let dirs: Vec<&FoundSkill> = broken.iter().collect();
    for (dir, beside) in dirs.iter().zip(memory.beside(&dirs, look_beside)) {
        let own = dir.files.iter().filter(is_skill_file).flat_map(|file| look(dir, file));
        // That a SKILL.md cannot be opened may be reported already.
        let is_known = |new: &Finding| {
            new.code == Code::E017
                && report.findings.iter().any(|known| known.code == Code::E017 && known.path == new.path)
        };
        found.extend(own.chain(beside).filter(|new| !is_known(new)));
    }
    report.add(found);
    let all: Vec<&FoundSkill> = skills.iter().map(|good| &good.dir).chain(&broken).collect();
    let compare = |dir: &FoundSkill| locked.compare_read(dir, |file| config.texts.read(file));
    for differing in memory.compared(&all, compare).into_iter().flatten() {
        locked.add(differing, &rules, &mut report);
    }
    report
}

/// The longest file that a check reads to look for keys and what nobody sees: what is longer is data. One that is packed is read
/// anyway.
const MAX_SEARCHED: u64 = 256 * 1024 * 1024;
