//! Queries that their skill doesn't pass, as findings (L130): for `check` and for editors.
//!
//! The library judges them as in `skills test`, among the skills that were checked, whether they are saved or not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

/// The most queries of a skill with a finding of their own.
const MOST: usize = 50;

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
    /// How many of them failed.
    pub(crate) failed: usize,
    /// One for each that failed, in its file. Past [`MOST`], one more says how many there are, at the first of them.
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
        let sources = self.sources();
        let mut first_left_out: BTreeMap<String, Finding> = BTreeMap::new();
        for judged in cases.judge(&registry).cases {
            let Some(entry) = registry.get(&judged.case.skill) else { continue };
            let of_skill = all.of_skills.entry(entry.skill.path().to_owned()).or_default();
            of_skill.queries += 1;
            if judged.passed {
                continue;
            }
            of_skill.failed += 1;
            if of_skill.failed <= MOST {
                of_skill.failing.extend(rules.apply(finding(&judged, &sources)));
            } else if of_skill.failed == MOST + 1
                && let Some(first) = finding(&judged, &sources)
            {
                first_left_out.insert(entry.skill.path().to_owned(), first);
            }
        }
        for (path, first) in first_left_out {
            if let Some(of_skill) = all.of_skills.get_mut(&path) {
                of_skill.failing.extend(rules.apply([more(first, of_skill.failed - MOST)]));
            }
        }
        all
    }

    /// The text of each file without a byte-order mark, by its path. All findings in a file share it.
    fn sources(&self) -> BTreeMap<&str, Arc<Source>> {
        let texts = self.0.iter().filter_map(|(file, bytes)| {
            let text = std::str::from_utf8(bytes).ok()?;
            Some((file.path.as_str(), text.strip_prefix('\u{feff}').unwrap_or(text)))
        });
        texts.map(|(path, text)| (path, Source::new(path, text))).collect()
    }
}

/// A case that failed, at its line.
fn finding(judged: &Judged, sources: &BTreeMap<&str, Arc<Source>>) -> Option<Finding> {
    let place = judged.case.place.as_ref()?;
    let source = sources.get(place.file.as_str())?;
    let line = source.line_span(u32::try_from(place.line).ok()?)?;
    let shown = source.text()[line.clone()].trim();
    let start = line.start + source.text()[line.clone()].find(shown).unwrap_or_default();
    let place = Related::new(source, start..start + shown.len(), label(judged));
    Some(Finding::at(place, Code::L130, judged.outcome().to_string(), judged.advice.clone()))
}

/// Those that have no finding of their own, at the first of them.
fn more(mut first: Finding, count: usize) -> Finding {
    first.message =
        if count == 1 { "1 more query fails".to_owned() } else { format!("{count} more queries fail") };
    first.help = String::from("`skills test` shows all of them");
    first.label.clear();
    first
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

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;

    use skills_bundle::{Config, compile};
    use skills_source::scan::EVALS;

    use super::*;

    /// What queries of `pdf` that all fail give, each on a line of its own.
    fn judged(count: usize) -> OfSkill {
        let dir = tempfile::tempdir().expect("a directory");
        for (name, description) in [("pdf", "Fills forms"), ("sheets", "Sums the columns of tables")] {
            let directory = dir.path().join("skills").join(name);
            fs::create_dir_all(directory.join(EVALS)).expect("made");
            let text = format!("---\nname: {name}\ndescription: {description}\n---\n");
            fs::write(directory.join("SKILL.md"), text).expect("written");
        }
        let query = |number| format!("{{\"query\": \"sum columns {number}\", \"should_trigger\": true}}\n");
        let lines: String = (0..count).map(query).collect();
        fs::write(dir.path().join("skills/pdf/evals/all.jsonl"), format!("\u{feff}{lines}"))
            .expect("written");
        let mut all = Queries::default();
        compile::check_with(&Config::new("skills").base(dir.path()), |skills, rules| {
            let root = [("skills".to_owned(), dir.path().join("skills"))];
            let root = root.each_ref().map(|(shown, path)| (shown.clone(), path.as_path()));
            all = Files::around(&root, skills).judge(skills, rules, |_| true);
            Vec::new()
        });
        assert!(all.mistaken.is_empty(), "{all:?}");
        all.of_skills.remove("skills/pdf").expect("it has queries")
    }

    #[test]
    fn the_findings_in_a_file_share_its_text() {
        let failing = judged(3).failing;
        let [first, others @ ..] = failing.as_slice() else { panic!("none fails") };
        let text = first.source.as_ref().expect("it is in a file");
        assert!(text.text().starts_with('{'), "without the mark");
        assert_eq!(others.iter().map(|finding| finding.line).collect::<Vec<_>>(), [2, 3]);
        let is_same = |other: &Finding| other.source.as_ref().is_some_and(|other| Arc::ptr_eq(other, text));
        assert!(others.iter().all(is_same));
    }

    #[test]
    fn of_many_queries_the_rest_is_counted() {
        let all = judged(MOST);
        assert_eq!((all.queries, all.failed, all.failing.len()), (MOST, MOST, MOST));
        assert!(all.failing.iter().all(|finding| finding.message.starts_with("`pdf` ")), "{:?}", all.failing);
        for (count, words) in [(1, "1 more query fails"), (7, "7 more queries fail")] {
            let all = judged(MOST + count);
            assert_eq!((all.failed, all.failing.len()), (MOST + count, MOST + 1));
            let last = all.failing.last().expect("there are some");
            assert_eq!((last.message.as_str(), last.line as usize, last.code), (words, MOST + 1, Code::L130));
        }
    }
}
