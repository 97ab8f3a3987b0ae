//! Queries that their skill doesn't pass, as findings (L130): for `check` and for editors.
//!
//! The library judges them as in `skills test`, among the skills that were checked, whether they are saved or not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use skills::triggers::{CaseFile, Cases, Judged};
use skills::{Audience, Registry};
use skills_bundle::{Code, Finding};
use skills_pack::Pack;
use skills_pack::text::{Joined, Quoted};
use skills_source::finding::Related;
use skills_source::rules::Rules;
use skills_source::scan::FoundSkill;
use skills_source::skill::SkillText;
use skills_source::source::Source;
use skills_source::writer::{PackWriter, SearchIndex, SkillSource};

use super::find::{self, Found};

/// How many words a finding's label names.
const WORDS: usize = 5;

/// The files of queries around some skills, as they were when they were looked for.
#[derive(Debug, Default)]
pub(crate) struct Files(Vec<(Found, Vec<u8>)>);

/// What judging queries gave.
#[derive(Debug, Default)]
pub(crate) struct Queries {
    /// By the directory of the skill, as shown.
    pub(crate) of_skills: BTreeMap<String, OfSkill>,
    /// The files with mistakes, some of whose queries could not be judged.
    pub(crate) mistaken: BTreeSet<String>,
}

/// What the queries of a skill gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct OfSkill {
    /// How many were judged.
    pub(crate) queries: usize,
    /// One for each that failed, in its file.
    pub(crate) failing: Vec<Finding>,
}

impl Files {
    /// Looks for them. The roots are given by their paths as shown and on disk.
    pub(crate) fn around(roots: &[(String, &Path)], skills: &[(&FoundSkill, &SkillText)]) -> Self {
        let on_disk = |(dir, _): &(&FoundSkill, &SkillText)| {
            Some((dir.path.clone(), dir.skill_file()?.disk.parent()?.to_owned()))
        };
        let known: Vec<(String, PathBuf)> = skills.iter().filter_map(on_disk).collect();
        let of_skills = known.iter().map(|(path, directory)| (path.as_str(), directory.as_path()));
        let roots = roots.iter().map(|(shown, root)| (shown.as_str(), *root));
        let files = find::around(roots, of_skills).into_iter();
        // What can't be read is for `skills test` to report.
        Self(files.filter_map(|file| find::content(&file.disk).ok().map(|bytes| (file, bytes))).collect())
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Judges the queries for the skills that are wanted, among all of these. One skill alone is found by any of its
    /// words, so its queries aren't judged.
    pub(crate) fn judge(
        &self,
        skills: &[(&FoundSkill, &SkillText)],
        rules: &Rules,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Queries {
        let mut all = Queries::default();
        if self.0.is_empty() || !rules.is_on(Code::L130) {
            return all;
        }
        let mut writer = PackWriter::new().with_search(SearchIndex::WithoutBodies);
        for (dir, text) in skills {
            let (path, dir_name) = (dir.path.as_str(), dir.dir_name.as_str());
            writer.add(&SkillSource { path, dir_name, text, files: Vec::new() });
        }
        let Ok(written) = writer.finish() else { return all };
        let Ok(pack) = Pack::from_owned(&written.texts, &written.bytes, &written.tables) else { return all };
        let registry = Registry::empty().with_pack("skills", pack).for_audience(Audience::Everyone);
        if registry.clone().for_audience(Audience::Model).skills().len() < 2 {
            return all;
        }
        let mut cases = Cases::new();
        for (file, bytes) in &self.0 {
            cases.read(&registry, &CaseFile { path: &file.path, bytes });
        }
        all.mistaken.extend(cases.problems().iter().map(|problem| problem.place.file.clone()));
        cases.retain(|case| is_wanted(&case.skill));
        for judged in cases.judge(&registry).cases {
            let Some(entry) = registry.get(&judged.case.skill) else { continue };
            let of_skill = all.of_skills.entry(entry.skill.path().to_owned()).or_default();
            of_skill.queries += 1;
            if !judged.passed {
                of_skill.failing.extend(rules.apply(self.finding(&judged)));
            }
        }
        all
    }

    /// A case that failed, at its line.
    fn finding(&self, judged: &Judged) -> Option<Finding> {
        let place = judged.case.place.as_ref()?;
        let (file, bytes) = self.0.iter().find(|(file, _)| file.path == place.file)?;
        let text = std::str::from_utf8(bytes).ok()?;
        let source = Source::new(file.path.as_str(), text.strip_prefix('\u{feff}').unwrap_or(text));
        let line = source.line_span(u32::try_from(place.line).ok()?)?;
        let shown = source.text()[line.clone()].trim();
        let start = line.start + source.text()[line.clone()].find(shown).unwrap_or_default();
        let place = Related::new(&source, start..start + shown.len(), label(judged));
        Some(Finding::at(place, Code::L130, judged.outcome().to_string(), judged.advice.clone()))
    }
}

/// The words that are missing, or else those that another skill has.
fn label(judged: &Judged) -> String {
    let quoted = |words: &[String]| Joined(words.iter().take(WORDS).map(Quoted), ", ").to_string();
    let wanted = judged.case.owner.as_ref().unwrap_or(&judged.case.skill);
    if !judged.words_nowhere.is_empty() {
        return format!("in no field of `{wanted}`: {}", quoted(&judged.words_nowhere));
    }
    let first = judged.above.first().filter(|_| judged.case.should_trigger);
    let winner = first.map_or(&judged.case.skill, |first| &first.name);
    if judged.winning_words.is_empty() {
        return String::new();
    }
    format!("`{winner}` wins by: {}", quoted(&judged.winning_words))
}
