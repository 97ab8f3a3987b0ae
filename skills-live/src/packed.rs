//! What is served of a root at one moment.

use std::sync::Arc;

use super::disk::Disk;
use super::file_list;
use super::known::Known;
use super::skill_state::SkillOnDisk;
use skills_pack::Pack;
use skills_pack::blocks::SLOT_BITS;
use skills_source::code::Code;
use skills_source::command::CommandText;
use skills_source::finding::Finding;
use skills_source::parallel;
use skills_source::reader::ReadSkill;
use skills_source::root::keeps_out;
use skills_source::scan::LeftOut;
use skills_source::writer::{CommandSource, IndexedSkills, PackWriter, SearchIndex, Written};

/// What is served of a root at one moment. Never changes.
#[derive(Debug, Clone, Default)]
pub(super) struct Packed {
    pub(super) label: String,
    pub(super) blocks: Blocks,
    /// The skills, by name.
    pub(super) disk: Disk,
    /// By path.
    pub(super) commands: Vec<(String, CommandText)>,
    pub(super) missing: Option<String>,
    pub(super) findings: Vec<Finding>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) without_skill: Vec<String>,
    /// Directories of skills that aren't served, by path.
    pub(super) broken: Vec<String>,
    /// Whether the pack has no tables for search.
    pub(super) without_search: bool,
}

/// A pack. The texts of skills that were edited come after the others, whose pieces are shared.
#[derive(Debug, Clone, Default)]
pub(super) struct Blocks {
    texts: Vec<Arc<String>>,
    tables: Arc<Vec<u8>>,
    indexed: IndexedSkills,
    edits: usize,
}

/// After so many edits the pack is written again, without the texts that nobody reads any more.
const MOST_EDITS: usize = 256;

impl Packed {
    /// The pack. If it is invalid it counts as empty, which can't happen: this crate built it.
    pub(super) fn pack(&self) -> Option<Pack<'_>> {
        self.blocks.pack()
    }

    /// The skill at this index of the pack.
    pub(super) fn served(&self, index: usize) -> Option<&SkillOnDisk> {
        self.disk.skills().get(index).map(|skill| &**skill)
    }

    /// The directories of the skills that are served.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.disk.skills().iter().map(|skill| skill.dir.path.as_str())
    }

    /// The directories of skills whose last good version is served.
    pub(super) fn stale(&self) -> impl Iterator<Item = &str> {
        let stale = self.disk.skills().iter().filter(|skill| skill.is_stale);
        stale.map(|skill| skill.dir.path.as_str())
    }

    /// Whether the same is served.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.disk.skills() == other.disk.skills()
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

    /// Writes the pack.
    pub(super) fn fill(&mut self, mut skills: Vec<Arc<SkillOnDisk>>) {
        skills.retain(|skill| skill.content.text.is_some());
        skills.sort_unstable_by(|a, b| a.dir.path.cmp(&b.dir.path));
        self.blocks = Blocks::default();
        match self.write(&skills) {
            Ok((written, indexed)) => self.blocks = Blocks { indexed, ..Blocks::of(written) },
            // 10,000 skills of 1 MiB can be larger than a pack can be; then none is served.
            Err(message) => {
                let help = "remove what agents do not need, or split the root".to_owned();
                self.findings.push(Finding::on_path(Code::E018, self.label.clone(), message, help));
                skills.clear();
            }
        }
        skills.sort_unstable_by(|a, b| name_of(&a.content).cmp(name_of(&b.content)));
        self.disk.serve(skills);
    }

    fn write(&self, skills: &[Arc<SkillOnDisk>]) -> Result<(Written, IndexedSkills), String> {
        // Without the tables of `hybrid` for bodies: weighing every word takes longer than everything else here.
        let index = if self.without_search { SearchIndex::Off } else { SearchIndex::WithoutBodies };
        let new = || PackWriter::new().with_search(index);
        let written = parallel::portions(skills, |skills| {
            let mut writer = new();
            for skill in skills {
                let own = skill.dir.skill_file().map_or(&[][..], std::slice::from_ref);
                if let Some(source) = file_list::source(&skill.dir, &skill.content, own) {
                    writer.add(&source);
                }
            }
            writer
        });
        let mut writer = new();
        for portion in written {
            writer.append(portion);
        }
        for (path, text) in &self.commands {
            writer.add_command(&CommandSource { path, text });
        }
        writer.finish_indexed().map_err(|error| error.to_string())
    }

    /// The same with new texts of these skills, each at its place. `None` if that changes more than these skills:
    /// then everything is judged again.
    pub(super) fn with(&self, read: &[(usize, &Known)]) -> Option<Self> {
        let mut new = self.clone();
        let (mut rewrites, mut is_found_alike) = (false, true);
        for &(at, known) in read {
            let old = self.served(at)?;
            if !Arc::ptr_eq(&old.content, &known.content) {
                if old.is_stale || !self.stands_alone(&old.content, &known.content) {
                    return None;
                }
                new.exchange_findings(&old.content, &known.content);
                match new.blocks.edit(at, old, &known.content) {
                    Some(alike) => is_found_alike &= alike,
                    None => rewrites = true,
                }
            }
            new.disk.replace(at, old.reread(known));
        }
        if rewrites || !(is_found_alike || new.blocks.search_again()) {
            let skills = new.disk.skills().to_vec();
            new.fill(skills);
        }
        Some(new)
    }

    /// Whether a new text is served like the old one, and is judged without regard to other skills.
    fn stands_alone(&self, old: &ReadSkill, new: &ReadSkill) -> bool {
        let names = |read: &ReadSkill| read.text.as_ref().map(|text| text.name.clone());
        let speaks_of_others =
            |finding: &Finding| matches!(finding.code, Code::E009 | Code::E010 | Code::E013);
        names(old).is_some()
            && names(old) == names(new)
            && !new.findings.iter().any(keeps_out)
            && !self.findings.iter().chain(&new.findings).any(speaks_of_others)
    }

    fn exchange_findings(&mut self, old: &ReadSkill, new: &ReadSkill) {
        for finding in &old.findings {
            if let Some(at) = self.findings.iter().position(|known| known == finding) {
                self.findings.remove(at);
            }
        }
        self.findings.extend(new.findings.iter().cloned());
        self.findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    }

    /// The same, with skills whose files are looked at again.
    pub(super) fn without_files_of(&self, skills: &[usize]) -> Self {
        let mut new = self.clone();
        for &at in skills {
            if let Some(skill) = self.served(at) {
                new.disk.replace(at, skill.without_files());
            }
        }
        new
    }
}

impl Blocks {
    fn of(written: Written) -> Self {
        // The files of a live root stay on disk, so there are no other bytes.
        let texts = written.texts.into_iter().map(Arc::new).collect();
        Self { texts, tables: Arc::new(written.tables), ..Self::default() }
    }

    fn pack(&self) -> Option<Pack<'_>> {
        Pack::from_shared(&self.texts, &self.tables).ok()
    }

    /// Replaces the text of one skill. Returns whether a search finds it as before; if not, the section for search
    /// is [made again](Self::search_again) after all edits. `None` if the pack has to be written again.
    fn edit(&mut self, index: usize, skill: &SkillOnDisk, text: &ReadSkill) -> Option<bool> {
        let own = skill.dir.skill_file().map_or(&[][..], std::slice::from_ref);
        let new = file_list::pack(&skill.dir, text, own).map(Self::of)?;
        let (old, new_pack) = (self.pack()?, new.pack()?);
        // A long piece occupies the slots after it, too.
        let last = self.texts.last().map_or(0, |text| text.len().div_ceil(1 << SLOT_BITS).max(1));
        let slot = self.texts.len().saturating_sub(1) + last;
        let text_len = new.texts.iter().map(|text| text.len()).sum();
        let tables = old.tables_with(index, &new_pack, slot, text_len).filter(|_| self.edits < MOST_EDITS)?;
        let is_found_alike = old.is_found_alike(index, &new_pack);
        if !is_found_alike && !self.indexed.replace(index, &file_list::source(&skill.dir, text, own)?) {
            return None;
        }
        self.texts.resize_with(slot, Arc::default);
        self.texts.extend(new.texts.iter().cloned());
        self.tables = Arc::new(tables);
        self.edits += 1;
        Some(is_found_alike)
    }

    /// Makes the section for search again. Returns `false` if the pack has to be written again.
    fn search_again(&mut self) -> bool {
        let section = self.indexed.section();
        let tables = section.and_then(|section| self.pack()?.tables_with_search(&section));
        tables.map(|tables| self.tables = Arc::new(tables)).is_some()
    }
}

fn name_of(read: &ReadSkill) -> &str {
    read.text.as_ref().map_or("", |text| &text.name)
}
