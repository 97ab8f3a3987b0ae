//! One root as it is served: scanned, read, checked and packed.
//!
//! The parsed SKILL.md files are kept with their bytes, and directories with their entries, so that a refresh
//! only lists, reads and checks what is new. If nothing but the text of some skills has changed, the rest isn't
//! looked at again.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::ahead::{Ahead, Lists};
use super::content::{read_commands, read_skill};
use super::disk::Disk;
use super::known::Known;
use super::last_good::{Served, has_other_limits, keep_last_good};
use super::packed::Packed;
use super::root::{MAX_SKILLS, Root};
use super::sealed::Sealed;
use super::skill_state::{SkillOnDisk, Ways};
use super::stamps::{self, Kind, Look, Seen, Stamps};
use skills_source::code::Code;
use skills_source::finding::Finding;
use skills_source::parallel;
use skills_source::reader::ReadSkill;
use skills_source::root::{judge, keeps_out};
use skills_source::scan::{self, FoundSkill, Listed, Scan, ScanOptions};

/// A root, its cached state, and what is served of it.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) root: Root,
    sealed: Arc<Sealed>,
    stamps: Stamps,
    known: HashMap<String, Known>,
    pub(super) packed: Arc<Packed>,
}

/// What a look at the disk found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Looked {
    /// Nothing has changed.
    Same,
    /// The same is served, but the disk has other time stamps or other files beside a SKILL.md.
    Restamped,
    /// Something that is served has changed.
    Changed,
}

/// A skill that was found, its SKILL.md if it could be read, and what is wrong with that.
type Judged = (Arc<FoundSkill>, Option<Arc<ReadSkill>>, Vec<Finding>);

/// What was read of one SKILL.md.
type OneRead = Result<Option<Known>, Box<Finding>>;

impl Layer {
    pub(super) fn open(root: Root, sealed: Arc<Sealed>) -> Self {
        let (stamps, known, packed) = (Stamps::default(), HashMap::new(), Arc::default());
        let mut layer = Self { root, sealed, stamps, known, packed };
        layer.read();
        layer
    }

    /// Looks at the disk.
    pub(super) fn refresh(&mut self) -> Looked {
        let looked = match self.stamps.look() {
            Look::Same => Looked::Same,
            Look::Skills(skills) => match self.read_texts(&skills) {
                Some(looked) => looked,
                None => self.read(),
            },
            Look::Everything => self.read(),
        };
        let old = self.packed.disk.with_old_files();
        if old.is_empty() {
            return looked;
        }
        self.packed = Arc::new(self.packed.without_files_of(&old));
        if looked == Looked::Same { Looked::Restamped } else { looked }
    }

    /// Reads the SKILL.md of these skills. `None` if that isn't enough.
    fn read_texts(&mut self, skills: &[String]) -> Option<Looked> {
        let before = SystemTime::now();
        let (rules, packed) = (self.root.rules(), Arc::clone(&self.packed));
        let read = |path: &String| -> Option<(usize, Known)> {
            let at = packed.disk.find(path)?;
            let (skill, known) = (packed.served(at)?, self.known.get(path)?);
            let rules = (&rules, self.root.lenient);
            Some((at, read_skill(&skill.dir, rules, &packed.disk, before, Some(known)).ok()??))
        };
        let read: Vec<(usize, Known)> =
            parallel::map(skills, read).into_iter().collect::<Option<Vec<(usize, Known)>>>()?;
        let by_place: Vec<(usize, &Known)> = read.iter().map(|(at, known)| (*at, known)).collect();
        let new = packed.with(&by_place)?;
        let is_same = |(at, known): &(usize, Known)| {
            packed.served(*at).is_some_and(|skill| Arc::ptr_eq(&skill.content, &known.content))
        };
        let looked = if read.iter().all(is_same) { Looked::Restamped } else { Looked::Changed };
        self.packed = Arc::new(new);
        let noted = skills.iter().zip(&read);
        let noted: Vec<_> = noted.map(|(path, (_, read))| (path.clone(), read.stamp, read.settled)).collect();
        self.stamps.note(&noted);
        self.known.extend(skills.iter().cloned().zip(read.into_iter().map(|(_, known)| known)));
        Some(looked)
    }

    /// Reads what has changed. Returns whether anything that is served has.
    fn read(&mut self) -> Looked {
        let before = SystemTime::now();
        let packed = match scan::find_root(&self.root.path, &self.root.shown()) {
            Ok(real) => self.walk(&real, before),
            Err(finding) => {
                self.stamps = Stamps::missing(&self.root.path);
                self.known.clear();
                if stamps::is_missing(&self.root.path) {
                    Packed { missing: Some(self.root.shown()), ..Packed::default() }
                } else {
                    Packed { findings: vec![*finding], ..Packed::default() }
                }
            }
        };
        let packed = Packed { label: self.root.label.clone(), ..packed };
        let changed = !packed.is_like(&self.packed);
        // Also if only the stamps have changed: they are compared at the next look.
        self.packed = Arc::new(packed);
        if changed { Looked::Changed } else { Looked::Restamped }
    }

    fn walk(&mut self, real: &Path, before: SystemTime) -> Packed {
        let rules = self.root.rules();
        let mut found = self.scan(&[]);
        let mut disk = self.disk(real, &found.0);
        let mut dirs = of_scan(&mut found.0);
        let mut read = self.read_skills(&dirs, &disk, before);
        let mut refused: Vec<PathBuf> = Vec::new();
        // What is refused hides nothing below it, which only shows once it is read.
        loop {
            let new = self.refused(&dirs, &read, &refused);
            if new.is_empty() {
                break;
            }
            refused.extend(new);
            found = self.scan(&refused);
            disk = self.disk(real, &found.0);
            let mut known: HashMap<String, OneRead> =
                dirs.iter().map(|dir| dir.path.clone()).zip(read).collect();
            dirs = of_scan(&mut found.0);
            let new: Vec<_> = dirs.iter().filter(|dir| !known.contains_key(&dir.path)).cloned().collect();
            let new_read = self.read_skills(&new, &disk, before);
            known.extend(new.iter().map(|dir| dir.path.clone()).zip(new_read));
            read = dirs.iter().map(|dir| known.remove(&dir.path).unwrap_or(Ok(None))).collect();
        }
        let (found, lists) = found;
        let Scan { mut findings, left_out, without_skill, commands, .. } = found;
        let Scan { outside, links, index, is_partial, .. } = found;
        findings = rules.apply(findings);
        if let Some(beyond) = dirs.get(MAX_SKILLS) {
            findings.push(too_many(&beyond.path));
            dirs.truncate(MAX_SKILLS);
            read.truncate(MAX_SKILLS);
        }
        let ends = beyond(&links, real, &outside);
        let seen = self.seen(&dirs, &read, &refused, &lists, before);
        let others = index.iter().chain(&commands.definitions).chain(&commands.templates);
        let others = others.map(|file| file.disk.clone()).chain(ends);
        let others = others.map(|path| Seen::of(path, None, Kind::Other, before));
        let seen = seen.into_iter().chain(others).collect();
        let mut known = HashMap::with_capacity(dirs.len());
        let mut judged = Vec::with_capacity(dirs.len());
        for (dir, read) in dirs.iter().zip(read) {
            let (content, found) = match read {
                Ok(Some(read)) => {
                    let content = Arc::clone(&read.content);
                    let found = content.findings.clone();
                    known.insert(dir.path.clone(), read);
                    (Some(content), found)
                }
                Ok(None) => (None, Vec::new()),
                Err(finding) => (None, vec![*finding]),
            };
            judged.push((Arc::clone(dir), content, found));
        }
        let (served, broken) = self.choose(judged, &dirs, &known, &mut findings);
        let mut commands = read_commands(&commands, &rules, &disk, &mut findings);
        commands.retain(|(_, text)| {
            let finding = self.sealed.imitated(&text.name, || text.name_place.clone());
            let is_served = finding.is_none();
            findings.extend(finding);
            is_served
        });
        findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        let without_search = self.root.without_search;
        let mut packed = Packed {
            disk,
            commands,
            findings,
            left_out,
            without_skill,
            broken,
            without_search,
            ..Packed::default()
        };
        let ways = Ways::of(&links);
        let skill = |served: Served| {
            let read = known.get(&served.0.path);
            Arc::new(SkillOnDisk::new(served, read, &ways))
        };
        packed.fill(served.into_iter().map(skill).collect());
        // Last, so that a panic before leaves the old stamps beside the old pack.
        self.stamps = Stamps::of(&self.root.path, real.to_owned(), seen, links, is_partial);
        self.known = known;
        packed
    }

    fn disk(&self, real: &Path, found: &Scan) -> Disk {
        Disk::open(&self.root, real, found.outside.clone()).unwrap_or_default()
    }

    /// Reads the SKILL.md of each directory that can be served.
    fn read_skills(&self, dirs: &[Arc<FoundSkill>], disk: &Disk, before: SystemTime) -> Vec<OneRead> {
        let rules = self.root.rules();
        let within = &dirs[..dirs.len().min(MAX_SKILLS)];
        parallel::map(within, |dir| {
            read_skill(dir, (&rules, self.root.lenient), disk, before, self.known.get(&dir.path))
        })
    }

    /// The directories, not yet among those `known`, whose SKILL.md is refused and of which no last good version
    /// is served.
    fn refused(&self, dirs: &[Arc<FoundSkill>], read: &[OneRead], known: &[PathBuf]) -> Vec<PathBuf> {
        if self.root.scan.nested || self.root.commands_alone {
            return Vec::new();
        }
        let is_good = |read: &OneRead| match read {
            Ok(Some(read)) => read.content.text.is_some() && !read.content.findings.iter().any(keeps_out),
            Ok(None) => true,
            Err(_) => false,
        };
        let name = |content: &ReadSkill| content.text.as_ref().map(|text| text.name.clone());
        let good = read.iter().filter(|read| is_good(read)).filter_map(|read| read.as_ref().ok()?.as_ref());
        let taken: BTreeSet<String> = good.filter_map(|read| name(&read.content)).collect();
        let before = self.packed.disk.skills();
        let is_kept = |dir: &FoundSkill, read: &OneRead| {
            let last = before.iter().find(|last| last.dir.path == dir.path);
            last.is_some_and(|last| {
                let now = read.as_ref().ok().and_then(Option::as_ref);
                let is_free = name(&last.content).is_some_and(|name| !taken.contains(&name));
                is_free && now.is_none_or(|now| !has_other_limits(last, now))
            })
        };
        let is_refused = |(dir, read): &(&Arc<FoundSkill>, &OneRead)| !is_good(read) && !is_kept(dir, read);
        let all = dirs.iter().zip(read).filter(is_refused).map(|(dir, _)| dir);
        let new = all.filter(|dir| !dir.misspelt && !known.iter().any(|known| known == dir.home()));
        new.map(|dir| dir.home().to_owned()).collect()
    }

    /// Finds the skills and commands, also those below `refused` skills, and returns what each directory holds.
    fn scan(&self, refused: &[PathBuf]) -> (Scan, Lists) {
        let ahead = Ahead::new(self.stamps.lists());
        let list = |directory: &Path, most: usize| ahead.list(directory, most);
        let scan = if self.root.commands_alone { scan::scan_commands } else { scan::scan_skills };
        let mut options: ScanOptions = self.root.scan.clone();
        options.refused = refused.to_vec();
        let found = scan(&self.root.path, &self.root.shown(), &options, &list);
        (found, ahead.into_lists())
    }

    /// The state of the directories and of the SKILL.md files.
    fn seen(
        &self,
        dirs: &[Arc<FoundSkill>],
        read: &[OneRead],
        refused: &[PathBuf],
        lists: &[(PathBuf, Arc<[Listed]>)],
        before: SystemTime,
    ) -> Vec<Seen> {
        // Skills inside of skills, or of what is refused or only has the name in other letters, are found in its
        // directories.
        let is_refused = |dir: &FoundSkill| refused.iter().any(|refused| refused == dir.home());
        let ends_here = |dir: &&Arc<FoundSkill>| !self.root.scan.nested && !dir.misspelt && !is_refused(dir);
        let homes: BTreeSet<&Path> = dirs.iter().filter(ends_here).map(|dir| dir.home()).collect();
        let mut seen = parallel::map(lists, |(path, listed)| {
            let listed = Arc::clone(listed);
            let is_home = homes.contains(path.as_path());
            let kind = if is_home { Kind::Home(listed) } else { Kind::Directory(listed) };
            Seen::of(path.clone(), None, kind, before)
        });
        seen.extend(dirs.iter().zip(read).filter_map(|(dir, read)| {
            let (path, kind) = (dir.skill_file()?.disk.clone(), Kind::SkillFile(dir.path.clone()));
            let stamp = read.as_ref().ok().and_then(|read| Some(read.as_ref()?.stamp));
            Some(Seen::of(path, stamp, kind, before))
        }));
        seen
    }

    /// Chooses the skills that are served, and returns the directories of the others, by path.
    fn choose(
        &self,
        judged: Vec<Judged>,
        dirs: &[Arc<FoundSkill>],
        known: &HashMap<String, Known>,
        findings: &mut Vec<Finding>,
    ) -> (Vec<Served>, Vec<String>) {
        let (good, _) = judge(judged, findings, |content| content.as_deref()?.text.as_ref(), keeps_out);
        let mut served: HashMap<String, Served> = HashMap::with_capacity(good.len());
        let mut imitations = Vec::new();
        for (dir, content) in good {
            let Some((content, text)) =
                content.as_ref().and_then(|content| Some((content, content.text.as_ref()?)))
            else {
                continue;
            };
            let imitated = self.sealed.imitated(&text.name, || text.name_place());
            // A look-up finds it by its directory's name, too.
            let by_directory = || self.sealed.imitated_by_directory(&dir.dir_name, &dir.path);
            if let Some(finding) = imitated.or_else(by_directory) {
                findings.push(finding);
                imitations.push(dir.path.clone());
                continue;
            }
            served.insert(text.name.clone(), (dir, Arc::clone(content), false));
        }
        // The last good version of an imitation isn't served either.
        let mut walked: Vec<&str> = dirs.iter().map(|dir| dir.path.as_str()).collect();
        walked.retain(|path| !imitations.iter().any(|imitation| imitation == path));
        let limits_changed =
            |last: &SkillOnDisk| known.get(&last.dir.path).is_some_and(|now| has_other_limits(last, now));
        let is_dropped = |last: &SkillOnDisk| imitations.contains(&last.dir.path) || limits_changed(last);
        let before = self.packed.disk.skills();
        let mut broken = keep_last_good(before, &walked, findings, is_dropped, &mut served);
        broken.extend(imitations);
        broken.sort_unstable();
        (served.into_values().collect(), broken)
    }
}

/// The skills of a scan, which loses them.
fn of_scan(scan: &mut Scan) -> Vec<Arc<FoundSkill>> {
    std::mem::take(&mut scan.skills).into_iter().map(Arc::new).collect()
}

/// The ends of symlinks that are neither in the root nor in a skill outside of it: whether such a directory is a
/// skill by now doesn't show in the symlink.
fn beyond(links: &stamps::Links, real: &Path, outside: &[PathBuf]) -> Vec<PathBuf> {
    let is_beyond =
        |end: &&PathBuf| !end.starts_with(real) && !outside.iter().any(|dir| end.starts_with(dir));
    links.iter().filter_map(|(_, end)| end.as_ref()).filter(is_beyond).cloned().collect()
}

fn too_many(path: &str) -> Finding {
    let message = format!("the root has more than {MAX_SKILLS} skills; those from here on are not served");
    Finding::on_path(Code::E018, path.to_owned(), message, "split the root, or remove skills".to_owned())
}
