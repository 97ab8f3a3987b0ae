//! One root as it is served: scanned, read, checked and packed.
//!
//! The parsed SKILL.md files are kept with their bytes, so that a refresh only reads and checks what is new.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::content::{Known, read_commands, read_skill};
use super::disk::Disk;
use super::root::{MAX_SKILLS, Root};
use super::sealed::Sealed;
use super::skill_state::{SkillState, Ways};
use super::stamps::{self, Stamps};
use crate::guard::Stamp;
use skills_pack::Pack;
use skills_source::code::Code;
use skills_source::command::CommandText;
use skills_source::finding::Finding;
use skills_source::parallel;
use skills_source::reader::ReadSkill;
use skills_source::root::{judge, keeps_out};
use skills_source::rules::limit_lines;
use skills_source::scan::{self, FoundFile, FoundSkill, LeftOut, SKILL_FILE, Scan};
use skills_source::skill::SkillText;
use skills_source::writer::{
    CommandSource, FileBytes, FileSource, PackWriter, SearchIndex, SkillSource, Written,
};

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
    /// The same is served, but the disk has other time stamps.
    Restamped,
    /// Something that is served has changed.
    Changed,
}

/// A skill that is served.
#[derive(Debug, Clone)]
pub(super) struct Served {
    dir: FoundSkill,
    content: Arc<ReadSkill>,
    stale: bool,
}

impl Served {
    fn text(&self) -> Option<&SkillText> {
        self.content.text.as_ref()
    }
}

impl PartialEq for Served {
    fn eq(&self, other: &Self) -> bool {
        // The sizes of its other files are looked up when they are asked for, like their contents.
        self.stale == other.stale
            && (&self.dir.path, &self.dir.dir_name) == (&other.dir.path, &other.dir.dir_name)
            && self.dir.files.iter().map(listed).eq(other.dir.files.iter().map(listed))
            && (Arc::ptr_eq(&self.content, &other.content) || self.content.bytes == other.content.bytes)
    }
}

/// What is served of a root at one moment. Never changes.
#[derive(Debug, Default)]
pub(super) struct Packed {
    pub(super) label: String,
    written: Written,
    pub(super) disk: Disk,
    /// By name.
    served: Vec<Served>,
    /// By path.
    commands: Vec<(String, CommandText)>,
    pub(super) missing: Option<String>,
    pub(super) findings: Vec<Finding>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) without_skill: Vec<String>,
    /// Directories of skills that aren't served, by path.
    pub(super) broken: Vec<String>,
}

impl Packed {
    /// The pack. If it is invalid it counts as empty, which can't happen: this crate built it.
    pub(super) fn pack(&self) -> Option<Pack<'_>> {
        Pack::from_owned(&self.written.texts, &self.written.bytes, &self.written.tables).ok()
    }

    /// The skill at this index of the pack.
    pub(super) fn served(&self, index: usize) -> Option<&Served> {
        self.served.get(index)
    }

    /// The directories of the skills that are served.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.served.iter().map(|served| served.dir.path.as_str())
    }

    /// The directories of skills whose last good version is served.
    pub(super) fn stale(&self) -> impl Iterator<Item = &str> {
        self.served.iter().filter(|served| served.stale).map(|served| served.dir.path.as_str())
    }

    fn is_like(&self, other: &Self) -> bool {
        self.served == other.served
            && self.label == other.label
            // The old handle would read from the deleted directory.
            && self.disk.is_same_root(&other.disk)
            && self.commands == other.commands
            && self.missing == other.missing
            && self.findings == other.findings
            && self.left_out == other.left_out
            && self.without_skill == other.without_skill
            && self.broken == other.broken
    }
}

impl Layer {
    pub(super) fn open(root: Root, sealed: Arc<Sealed>) -> Self {
        let (stamps, known, packed) = (Stamps::default(), HashMap::new(), Arc::default());
        let mut layer = Self { root, sealed, stamps, known, packed };
        layer.read();
        layer
    }

    /// Looks at the disk.
    pub(super) fn refresh(&mut self) -> Looked {
        if self.stamps.hold() {
            Looked::Same
        } else if self.read() {
            Looked::Changed
        } else {
            Looked::Restamped
        }
    }

    /// Reads what has changed. Returns whether anything that is served has.
    fn read(&mut self) -> bool {
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
        changed
    }

    fn walk(&mut self, real: &Path, before: SystemTime) -> Packed {
        let scan = if self.root.commands_alone { scan::scan_commands } else { scan::scan };
        let found = scan(&self.root.path, &self.root.shown(), &self.root.scan);
        let Scan { skills: mut dirs, mut findings, left_out, without_skill, commands, .. } = found;
        let Scan { directories, outside, links, index, .. } = found;
        let rules = self.root.rules();
        findings = rules.apply(findings);
        // A symlink's own stamp doesn't show whether its target outside the root is a skill.
        let is_outside =
            |end: &Path| !end.starts_with(real) && !outside.iter().any(|dir| end.starts_with(dir));
        let hides_changes = |finding: &Finding| match finding.code {
            Code::E014 => {
                self.root.scan.follow_skills_out
                    && links.iter().any(|(_, end)| end.as_deref().is_some_and(is_outside))
            }
            code => matches!(code, Code::E017 | Code::E018),
        };
        let certain = !findings.iter().any(hides_changes);
        if let Some(beyond) = dirs.get(MAX_SKILLS) {
            findings.push(too_many(&beyond.path));
            dirs.truncate(MAX_SKILLS);
        }
        let disk = Disk::open(&self.root.path, real, outside).unwrap_or_default();
        let ways = Ways::of(&links);
        let known = parallel::map(&dirs, |dir| {
            read_skill(dir, (&rules, self.root.lenient), &disk, before, self.known.get(&dir.path))
        });
        let mut seen =
            parallel::map(&directories, |path| Stamp::of(path).ok().map(|stamp| (path.clone(), stamp)));
        let mut sorted: Vec<(PathBuf, Stamp)> = seen.iter().flatten().cloned().collect();
        sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let options = Arc::new(self.root.scan.clone());
        let states = dirs.iter().zip(&known).filter_map(|(dir, known)| {
            let known = known.as_ref().ok()?.as_ref()?;
            let read = (known.stamp, Arc::clone(&known.content));
            Some((dir.path.clone(), SkillState::of(dir, read, before, &sorted, &ways, &options)?))
        });
        let states: HashMap<String, SkillState> = states.collect();
        let skill_files = dirs
            .iter()
            .zip(&known)
            .map(|(dir, known)| Some((dir.skill_file()?.disk.clone(), known.as_ref().ok()?.as_ref()?.stamp)));
        seen.extend(skill_files);
        seen.extend(index.map(|file| Some((file.disk.clone(), Stamp::of(&file.disk).ok()?))));
        let command_files = commands.definitions.iter().chain(&commands.templates);
        seen.extend(command_files.map(|file| Some((file.disk.clone(), Stamp::of(&file.disk).ok()?))));
        let all_seen = seen.iter().all(Option::is_some);
        let seen = seen.into_iter().flatten().collect();
        let stamps = Stamps::of(&self.root.path, real.to_owned(), before, seen, links, certain && all_seen);
        let mut read = Vec::with_capacity(dirs.len());
        self.known.clear();
        for (dir, known) in dirs.iter().zip(known) {
            let (content, found) = match known {
                Ok(Some(known)) => {
                    let content = Arc::clone(&known.content);
                    let found = content.findings.clone();
                    self.known.insert(dir.path.clone(), known);
                    (Some(content), found)
                }
                Ok(None) => (None, Vec::new()),
                Err(finding) => (None, vec![*finding]),
            };
            read.push((dir.clone(), content, found));
        }
        let (good, _) = judge(read, &mut findings, |content| content.as_deref()?.text.as_ref(), keeps_out);
        let mut served: HashMap<String, Served> = HashMap::with_capacity(good.len());
        let mut imitations = Vec::new();
        for (dir, content) in good {
            let Some(content) = content else { continue };
            let imitates =
                content.text.as_ref().and_then(|text| self.sealed.imitated(&text.name, || text.name_place()));
            if let Some(finding) = imitates {
                findings.push(finding);
                imitations.push(dir.path);
                continue;
            }
            let name = content.text.as_ref().map(|text| text.name.clone()).unwrap_or_default();
            served.insert(name, Served { dir, content, stale: false });
        }
        // The last good version of an imitation isn't served either.
        dirs.retain(|dir| !imitations.contains(&dir.path));
        let has_other_limits = |last: &Served| {
            let known = self.known.get(&last.dir.path);
            known.is_some_and(|now| limit_lines(&now.content.bytes) != limit_lines(&last.content.bytes))
        };
        let is_dropped = |last: &Served| imitations.contains(&last.dir.path) || has_other_limits(last);
        let mut broken = keep_last_good(&self.packed.served, &dirs, &findings, is_dropped, &mut served);
        broken.extend(imitations);
        broken.sort_unstable();
        let mut commands = read_commands(&commands, &rules, &disk, &mut findings);
        commands.retain(|(_, text)| {
            let finding = self.sealed.imitated(&text.name, || text.name_place.clone());
            let is_served = finding.is_none();
            findings.extend(finding);
            is_served
        });
        findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        let mut packed =
            Packed { disk, commands, findings, left_out, without_skill, broken, ..Packed::default() };
        packed.fill(served.into_values().collect(), states);
        // Last, so that a panic before leaves the old stamps beside the old pack.
        self.stamps = stamps;
        packed
    }
}

impl Packed {
    fn fill(&mut self, mut served: Vec<Served>, states: HashMap<String, SkillState>) {
        served.sort_unstable_by(|a, b| a.dir.path.cmp(&b.dir.path));
        // Without the tables of `hybrid`: weighing every word takes longer than everything else here.
        let mut writer = PackWriter::new().with_search(SearchIndex::WithoutBodies);
        for served in &served {
            if let Some(text) = served.text() {
                let files = served.dir.files.iter().map(|file| source(file, served.content.judged_bytes()));
                writer.add(&SkillSource {
                    path: &served.dir.path,
                    dir_name: &served.dir.dir_name,
                    text,
                    files: files.collect(),
                });
            }
        }
        for (path, text) in &self.commands {
            writer.add_command(&CommandSource { path, text });
        }
        // 10,000 skills of 1 MiB can be larger than a pack can be; then none is served.
        match writer.finish() {
            Ok(written) => self.written = written,
            Err(error) => {
                let help = "remove what agents do not need, or split the root".to_owned();
                self.findings.push(Finding::on_path(Code::E018, self.label.clone(), error.to_string(), help));
                served.clear();
            }
        }
        let dirs = served.iter().map(|served| served.dir.clone()).collect();
        let stale = served.iter().filter(|served| served.stale).map(|served| served.dir.path.clone());
        self.disk.serve(dirs, stale.collect(), states);
        served.sort_unstable_by(|a, b| a.text().map(|text| &text.name).cmp(&b.text().map(|text| &text.name)));
        self.served = served;
    }
}

/// Keeps the last good version of a broken skill, unless another skill has its name or it `is_dropped`: the
/// edit that broke the skill also touched its limits, and the old version would be served without them.
/// Returns the directories of broken skills without such a version.
fn keep_last_good(
    before: &[Served],
    dirs: &[FoundSkill],
    findings: &[Finding],
    is_dropped: impl Fn(&Served) -> bool,
    served: &mut HashMap<String, Served>,
) -> Vec<String> {
    let last_good: HashMap<&str, &Served> =
        before.iter().map(|served| (served.dir.path.as_str(), served)).collect();
    let fresh: BTreeSet<String> = served.values().map(|served| served.dir.path.clone()).collect();
    let mut keep = |path: &str| {
        let last = last_good.get(path);
        let Some((last, text)) = last.and_then(|last| Some((*last, last.text()?))) else { return false };
        let is_free = !served.contains_key(&text.name) && !is_dropped(last);
        if is_free {
            served.insert(text.name.clone(), Served { stale: true, ..last.clone() });
        }
        is_free
    };
    let broken = dirs.iter().filter(|dir| !fresh.contains(&dir.path) && !keep(&dir.path));
    let broken = broken.map(|dir| dir.path.clone()).collect();
    // If the SKILL.md isn't a file or its directory can't be listed, the scan found no skill and reported
    // why.
    let walked: BTreeSet<&str> = dirs.iter().map(|dir| dir.path.as_str()).collect();
    let refused: BTreeSet<&str> = findings
        .iter()
        .filter(|finding| keeps_out(finding) || finding.code == Code::E014)
        .map(|finding| {
            finding
                .path
                .strip_suffix(SKILL_FILE)
                .and_then(|dir| dir.strip_suffix('/'))
                .unwrap_or(&finding.path)
        })
        .collect();
    for path in refused.into_iter().filter(|path| !walked.contains(path)) {
        keep(path);
    }
    broken
}

fn listed(file: &FoundFile) -> (&str, &Path, bool) {
    (&file.path, &file.disk, file.executable)
}

fn source<'s>(file: &'s FoundFile, skill_md: &'s [u8]) -> FileSource<'s> {
    let content =
        if file.path == SKILL_FILE { FileBytes::OnDiskSkill(skill_md) } else { FileBytes::OnDisk(file.len) };
    FileSource { path: &file.path, content, executable: file.executable }
}

fn too_many(path: &str) -> Finding {
    let message = format!("the root has more than {MAX_SKILLS} skills; those from here on are not served");
    Finding::on_path(Code::E018, path.to_owned(), message, "split the root, or remove skills".to_owned())
}
