//! What a check keeps for the next one, so that after a change of one text only that text is judged again.
//!
//! Nothing is read or judged here. Without `keeps` nothing is copied either: a single check of many skills
//! holds no more than it needs.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use skills_source::finding::Finding;
use skills_source::parallel;
use skills_source::scan::{FoundSkill, SKILL_FILE, Scan};

use crate::config::Settings;
use crate::good::Read;
use crate::lock::rule::Differing;

/// What was read of one SKILL.md, if it could be read, and everything that was found in it.
pub(super) type Judgement = (Option<Arc<Read>>, Vec<Finding>);

/// What was seen of a root.
#[derive(Debug, Clone, Default)]
pub(super) struct Looked {
    pub(super) scan: Scan,
    /// What is wrong with the root as a whole, at the levels of the rules.
    pub(super) of_root: Vec<Finding>,
}

/// What is kept between checks with one configuration.
#[derive(Debug, Default)]
pub(super) struct Memory {
    keeps: bool,
    settings: Option<Settings>,
    roots: BTreeMap<usize, Root>,
    /// What is wrong with the files beside a SKILL.md, by the path of the skill.
    beside: BTreeMap<String, Vec<Finding>>,
    /// How a skill differs from its lock, by the path of the skill.
    compared: BTreeMap<String, Option<Differing>>,
}

#[derive(Debug, Default)]
struct Root {
    looked: Looked,
    /// By the place of the skill in the scan.
    read: Vec<Option<Judgement>>,
}

impl Memory {
    /// One that keeps what it is given.
    pub(super) fn keeping() -> Self {
        Self { keeps: true, ..Self::default() }
    }

    pub(super) fn settings(&mut self, read: impl FnOnce() -> Settings) -> Settings {
        if self.keeps { self.settings.get_or_insert_with(read).clone() } else { read() }
    }

    pub(super) fn looked(&mut self, root: usize, look: impl FnOnce() -> Looked) -> Looked {
        if !self.keeps {
            return look();
        }
        let kept = self.roots.entry(root).or_insert_with(|| {
            let looked = look();
            let read = vec![None; looked.scan.skills.len()];
            Root { looked, read }
        });
        kept.looked.clone()
    }

    /// The judgement on each skill of a root, in their order.
    pub(super) fn read(
        &mut self,
        root: usize,
        dirs: &[FoundSkill],
        read: impl Fn(&FoundSkill) -> Judgement + Sync,
    ) -> Vec<Judgement> {
        let kept = self.roots.get_mut(&root).filter(|kept| kept.read.len() == dirs.len());
        let Some(kept) = kept else { return parallel::map(dirs, read) };
        let missing: Vec<usize> = (0..dirs.len()).filter(|at| kept.read[*at].is_none()).collect();
        for (at, judgement) in missing.iter().zip(parallel::map(&missing, |at| read(&dirs[*at]))) {
            kept.read[*at] = Some(judgement);
        }
        kept.read.iter().flatten().cloned().collect()
    }

    /// What is wrong with the files beside each SKILL.md, in the order of the skills.
    pub(super) fn beside(
        &mut self,
        dirs: &[&FoundSkill],
        look: impl Fn(&FoundSkill) -> Vec<Finding> + Sync,
    ) -> Vec<Vec<Finding>> {
        of_each(self.keeps, &mut self.beside, dirs, look)
    }

    /// How each skill differs from its lock, in the order of the skills.
    pub(super) fn compared(
        &mut self,
        dirs: &[&FoundSkill],
        compare: impl Fn(&FoundSkill) -> Option<Differing> + Sync,
    ) -> Vec<Option<Differing>> {
        of_each(self.keeps, &mut self.compared, dirs, compare)
    }

    /// Forgets what was read of the file that is at `disk` and now has `len` bytes. Returns whether that is
    /// enough: if the file decides what else is read, everything has to be forgotten.
    pub(super) fn forget_file(&mut self, disk: &Path, len: usize) -> bool {
        let mut is_known = false;
        for Root { looked: Looked { scan, .. }, read } in self.roots.values_mut() {
            let decides = scan.index.as_ref().is_some_and(|index| index.disk == disk);
            if decides || scan.judged.iter().any(|judged| judged == disk) {
                return false;
            }
            for (dir, read) in scan.skills.iter_mut().zip(read) {
                for file in dir.files.iter_mut().filter(|file| file.disk == disk) {
                    file.len = len as u64;
                    is_known = true;
                    *read = None;
                    self.compared.remove(&dir.path);
                    if file.path != SKILL_FILE {
                        self.beside.remove(&dir.path);
                    }
                }
            }
            let of_commands = scan.commands.definitions.iter_mut().chain(&mut scan.commands.templates);
            for file in of_commands.filter(|file| file.disk == disk) {
                file.len = len as u64;
                is_known = true;
            }
        }
        is_known
    }

    /// The skills that were found, each with what was read of it, root by root.
    pub(super) fn skills(&self) -> impl Iterator<Item = (&FoundSkill, Option<&Read>)> {
        self.roots.values().flat_map(|root| {
            let read = root.read.iter().map(|judgement| judgement.as_ref()?.0.as_deref());
            root.looked.scan.skills.iter().zip(read)
        })
    }
}

/// What is known of each skill, with what isn't known yet looked up, and kept if it `keeps`.
fn of_each<T: Clone + Default + Send>(
    keeps: bool,
    known: &mut BTreeMap<String, T>,
    dirs: &[&FoundSkill],
    look: impl Fn(&FoundSkill) -> T + Sync,
) -> Vec<T> {
    if !keeps {
        return parallel::map(dirs, |dir| look(dir));
    }
    let missing: Vec<&FoundSkill> =
        dirs.iter().copied().filter(|dir| !known.contains_key(&dir.path)).collect();
    for (dir, found) in missing.iter().zip(parallel::map(&missing, |dir| look(dir))) {
        known.insert(dir.path.clone(), found);
    }
    dirs.iter().map(|dir| known.get(&dir.path).cloned().unwrap_or_default()).collect()
}
