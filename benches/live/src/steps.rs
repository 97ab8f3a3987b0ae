//! What each step of a scan costs, by itself, as a scan takes it: on all processors.

use std::fs;
use std::path::PathBuf;

use bench_harness::clock::{Case, Group, US};
use skills_source::parallel;
use skills_source::reader::ReadSkill;
use skills_source::rules::Rules;
use skills_source::scan::{self, FoundSkill, ScanOptions};
use skills_source::writer::{FileBytes, FileSource, PackWriter, SearchIndex, SkillSource};

use crate::material::Material;

/// What a scan has after each step.
pub struct Steps {
    root: Vec<PathBuf>,
    found: Vec<Vec<FoundSkill>>,
    bytes: Vec<Vec<(FoundSkill, Vec<u8>)>>,
    read: Vec<Vec<(FoundSkill, ReadSkill)>>,
}

impl Steps {
    /// Takes each step once.
    pub fn new(material: &Material) -> Self {
        let found = find(&material.root);
        let bytes: Vec<(FoundSkill, Vec<u8>)> =
            found.iter().map(|skill| (skill.clone(), bytes_of(skill))).collect();
        let read = bytes.iter().map(|(skill, bytes)| (skill.clone(), judge(skill, bytes))).collect();
        Self { root: vec![material.root.clone()], found: vec![found], bytes: vec![bytes], read: vec![read] }
    }
}

/// Each step from what the one before it gave.
pub fn group(steps: &Steps) -> Group<'_> {
    let one = |skills: usize| vec![format!("{skills} skills")];
    let pack = |index: SearchIndex| move |skills: &Vec<(FoundSkill, ReadSkill)>| write(skills, index);
    Group {
        title: "The steps of a scan",
        about: "Each by itself, on all processors as in a scan, from what the step before it gave. What a scan has beyond them: it \
                opens each file below a directory that it holds open, keeps stamps and lists, and frees everything at the end.",
        unit: US,
        columns: one(steps.found[0].len()),
        rows: vec![
            ("listing all directories", vec![Case::new(&steps.root, |root: &PathBuf| find(root).len())]),
            (
                "reading each SKILL.md",
                vec![Case::new(&steps.found, |found: &Vec<FoundSkill>| parallel::map(found, bytes_of).len())],
            ),
            (
                "parsing and checking",
                vec![Case::new(&steps.bytes, |all: &Vec<(FoundSkill, Vec<u8>)>| {
                    parallel::map(all, |(skill, bytes)| judge(skill, bytes))
                })],
            ),
            ("packing, without tables for search", vec![Case::new(&steps.read, pack(SearchIndex::Off))]),
            ("packing, with them", vec![Case::new(&steps.read, pack(SearchIndex::WithoutBodies))]),
        ],
    }
}

fn find(root: &PathBuf) -> Vec<FoundSkill> {
    scan::scan_skills(root, "bench", &ScanOptions::default(), &scan::list).skills
}

fn bytes_of(skill: &FoundSkill) -> Vec<u8> {
    skill.skill_file().and_then(|file| fs::read(&file.disk).ok()).unwrap_or_default()
}

fn judge(skill: &FoundSkill, bytes: &[u8]) -> ReadSkill {
    ReadSkill::of(skill, bytes.to_owned(), &Rules::default())
}

fn write(skills: &[(FoundSkill, ReadSkill)], index: SearchIndex) -> usize {
    let written = parallel::portions(skills, |skills| {
        let mut writer = PackWriter::new().with_search(index);
        for (dir, read) in skills {
            if let Some(text) = &read.text {
                let content = FileBytes::OnDiskSkill(read.judged_bytes());
                let files = vec![FileSource { path: scan::SKILL_FILE, content, executable: false }];
                writer.add(&SkillSource { path: &dir.path, dir_name: &dir.dir_name, text, files });
            }
        }
        writer
    });
    let mut writer = PackWriter::new().with_search(index);
    written.into_iter().for_each(|portion| writer.append(portion));
    writer.finish().map_or(0, |written| written.tables.len())
}
