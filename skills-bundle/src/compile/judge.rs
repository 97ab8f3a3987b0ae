//! Reads and judges the skills of all roots, and decides which of them may be served.
//!
//! What a rule looks for is not known here; this asks them, in the order of what has to be known
//! first: a skill by itself, the skills of a root, the skills of all roots.

use std::collections::BTreeMap;
use std::path::Path;

use skills_source::code::{Code, Level};
use skills_source::document;
use skills_source::finding::Finding;
use skills_source::place::Place;
use skills_source::rules::Rules;
use skills_source::scan::{self, Scan, FoundSkill, FoundFile};
use skills_source::skill::{self, SkillText};
use skills_source::{parallel, root};

use super::overlap::Overlap;
use super::{Report, Shadowed, label};
use crate::commands::{self, GoodCommand};
use crate::config::Config;
use crate::rules as beside;

/// What was judged.
pub(super) struct Judged {
    pub(super) report: Report,
    /// The skills that may be served, by their paths.
    pub(super) skills: Vec<Good>,
    /// The directories of skills that may not.
    pub(super) broken: Vec<FoundSkill>,
    /// The slash commands that may be served, by name.
    pub(super) commands: BTreeMap<String, GoodCommand>,
    /// The rules that were in force.
    pub(super) rules: Rules,
}

/// A skill without a finding at deny.
#[derive(Debug)]
pub(crate) struct Good {
    pub(crate) dir: FoundSkill,
    pub(crate) text: SkillText,
    /// Of its SKILL.md, as they were judged; none where it is only checked.
    pub(super) bytes: Vec<u8>,
    /// The secrets in its SKILL.md, which count once it is known that the skill is served.
    pub(super) secrets: Vec<Finding>,
    /// The directory as it is shown in the pack.
    pub(super) pack_path: String,
}

impl Good {
    /// Where its SKILL.md is, with every link resolved.
    fn file(&self) -> Option<&Path> {
        Some(&self.dir.skill_file()?.disk)
    }
}

/// What is kept of a SKILL.md once it is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// Its bytes, to be packed.
    Bytes,
    /// Only what was read in it: many skills are checked that nobody has room for at once.
    Text,
}

/// Scans, reads and judges all roots.
pub(super) fn judge(config: &Config, keep: Keep) -> Judged {
    let mut report = Report::default();
    let mut overlap = Overlap::new(config.roots.len());
    let mut served: BTreeMap<String, Good> = BTreeMap::new();
    let mut commands = BTreeMap::new();
    let mut broken = Vec::new();
    let settings = config.settings();
    let rules = settings.rules;
    report.findings.extend(settings.findings);
    for root in &config.roots {
        let label = label(root);
        let Scan { skills, findings, left_out, without_skill, commands: files, .. } =
            scan::scan(&config.on_disk(root), &label, &settings.scan);
        let of_the_root = outside_package(config, root, &label).into_iter();
        let of_the_root = of_the_root.chain(beside::clashing_directories(&skills)).collect();
        let mut of_root = Report { findings, ..Report::default() };
        of_root.findings.extend(at_their_levels(of_the_root, &rules));
        let mut new = overlap.root(config.on_disk(root), &label);
        report.skills += new.skills(&skills);
        report.commands += new.commands(&files);
        report.left_out.extend(new.left_out(left_out));
        report.without_skill.extend(new.without_skill(without_skill));
        let (good, others) = judge_root(config, &rules, keep, &label, skills, &mut of_root.findings);
        broken.extend(new.broken(others));
        commands::judge_root(config, &rules, &label, &files, &mut commands, &mut of_root);
        report.findings.extend(new.findings(of_root.findings));
        for good in good {
            match served.get(&good.text.name) {
                // Two roots show the very same skill.
                Some(first) if first.file() == good.file() => {}
                Some(first) => report.shadowed.push(Shadowed {
                    name: good.text.name,
                    path: good.pack_path,
                    by: first.pack_path.clone(),
                }),
                None => drop(served.insert(good.text.name.clone(), good)),
            }
        }
        report.shadowed.extend(of_root.shadowed);
    }
    commands::judge_roots(config, &rules, &settings.scan, &mut commands, &mut report);
    let mut skills: Vec<Good> = served.into_values().collect();
    skills.sort_by(|a, b| a.pack_path.cmp(&b.pack_path));
    let together = at_their_levels(judge_together(config, &rules, &skills), &rules);
    let is_denied = |skill: &Good| together.iter().any(|finding| is_denied_in(finding, &skill.dir.path));
    let (denied, skills): (Vec<Good>, Vec<Good>) = skills.into_iter().partition(is_denied);
    broken.extend(denied.into_iter().map(|skill| skill.dir));
    report.findings.extend(together);
    report.findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    Judged { report, skills, broken, commands, rules }
}

/// What skills show only together.
fn judge_together(config: &Config, rules: &Rules, skills: &[Good]) -> Vec<Finding> {
    let skills: Vec<&Good> = skills.iter().collect();
    let mut findings = Vec::new();
    if rules.level(Code::L107) != Level::Allow {
        findings.extend(beside::look_alikes(&skills));
    }
    if rules.level(Code::L112) != Level::Allow {
        let root = config.roots.first().map(|root| label(root)).unwrap_or_default();
        findings.extend(beside::catalogue(&skills, &root));
    }
    findings
}

/// The findings with the levels that are set, without those that are allowed.
pub(crate) fn at_their_levels(findings: Vec<Finding>, rules: &Rules) -> Vec<Finding> {
    let with_levels = findings.into_iter().map(|mut finding| {
        finding.level = rules.level(finding.code);
        finding
    });
    with_levels.filter(|finding| finding.level != Level::Allow).collect()
}

/// Whether a finding is at deny and stands in this directory.
fn is_denied_in(finding: &Finding, directory: &str) -> bool {
    finding.level == Level::Deny
        && finding.path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

/// Reads and judges the skills of one root, and returns those that may be served, and the others.
fn judge_root(
    config: &Config,
    rules: &Rules,
    keep: Keep,
    label: &str,
    dirs: Vec<FoundSkill>,
    findings: &mut Vec<Finding>,
) -> (Vec<Good>, Vec<FoundSkill>) {
    let read = parallel::map(&dirs, |dir| read_skill(rules, keep, dir));
    let read = dirs.into_iter().zip(read).map(|(dir, (read, found))| (dir, read, found)).collect();
    let denies = |finding: &Finding| finding.level == Level::Deny;
    let (good, others) = root::judge(read, findings, |read| read.as_ref().map(|read| &read.text), denies);
    let good = good
        .into_iter()
        .filter_map(|(dir, read)| {
            let pack_path = pack_path(config, label, &dir.path, &dir.dir_name);
            let Read { text, bytes, secrets } = read?;
            Some(Good { dir, text, bytes, secrets, pack_path })
        })
        .collect();
    (good, others)
}

/// What was read of a SKILL.md; see [`Good`].
struct Read {
    text: SkillText,
    bytes: Vec<u8>,
    secrets: Vec<Finding>,
}

/// Reads one skill, and judges it and the files beside it.
fn read_skill(rules: &Rules, keep: Keep, dir: &FoundSkill) -> (Option<Read>, Vec<Finding>) {
    let beside = at_their_levels(beside::files(dir), rules);
    let Some(file) = dir.skill_file() else { return (None, beside) };
    let path = root::skill_path(dir, file);
    if let Some(finding) = root::too_large(&path, file.len, rules) {
        return (None, [beside, vec![finding]].concat());
    }
    let (read, found) = match scan::read_file(file) {
        Ok(bytes) => {
            let (text, mut found) = skill::read(&path, &dir.dir_name, &bytes, rules);
            found.extend(dead_links(&path, &bytes, dir, rules));
            if rules.level(Code::L111) != Level::Allow {
                beside::hide_secrets(&bytes, &mut found);
            }
            let read = text.map(|text| Read {
                text,
                secrets: secrets(dir, file, &bytes, rules),
                bytes: if keep == Keep::Bytes { bytes } else { Vec::new() },
            });
            (read, found)
        }
        Err(error) => (None, vec![root::unreadable(path, &error)]),
    };
    (read, [beside, found].concat())
}

/// Those of the body, which stands below the fences whatever is wrong between them.
fn dead_links(path: &str, bytes: &[u8], dir: &FoundSkill, rules: &Rules) -> Vec<Finding> {
    if rules.level(Code::L105) == Level::Allow {
        return Vec::new();
    }
    let Ok(text) = document::decode(bytes) else { return Vec::new() };
    let Ok(document) = document::split(text) else { return Vec::new() };
    let place = Place::new(path, text);
    let faults = beside::links(text, document.body, dir);
    at_their_levels(faults.into_iter().map(|fault| place.finding(fault)).collect(), rules)
}

/// The secrets in a file.
pub(super) fn secrets(dir: &FoundSkill, file: &FoundFile, bytes: &[u8], rules: &Rules) -> Vec<Finding> {
    if rules.level(Code::L111) == Level::Allow {
        return Vec::new();
    }
    at_their_levels(beside::secrets(|| root::skill_path(dir, file), bytes), rules)
}

pub(super) fn unreadable_file(dir: &FoundSkill, file: &FoundFile, error: &std::io::Error) -> Finding {
    root::unreadable(root::skill_path(dir, file), error)
}

/// The finding on a root that would be missing from a published package, at its own level.
pub(crate) fn outside_package(config: &Config, root: &Path, label: &str) -> Option<Finding> {
    let package = config.package.as_ref()?.canonicalize().ok()?;
    let on_disk = config.on_disk(root).canonicalize().ok()?;
    if on_disk.starts_with(package) {
        return None;
    }
    Some(Finding::on_path(
        Code::L116,
        label.to_owned(),
        "the root lies outside the package that builds it".to_owned(),
        "move the skills into the package, or allow L116 if it is never published".to_owned(),
    ))
}

/// The part of a shown path that is below its root, which is shown as `label`.
pub(crate) fn below<'p>(label: &str, path: &'p str) -> &'p str {
    path.strip_prefix(label).unwrap_or_default().trim_start_matches('/')
}

/// How a skill's directory, or a command's definition, is shown in the pack: without what is above
/// the package, so that a program says nothing of the machine it was built on.
pub(crate) fn pack_path(config: &Config, label: &str, path: &str, dir_name: &str) -> String {
    let below = below(label, path);
    let root = match Path::new(label).has_root() || label.contains(':') {
        _ if config.paths_as_given => label,
        true => label.rsplit('/').next().unwrap_or_default(),
        false => label.trim_start_matches("../"),
    };
    match (root, below) {
        ("" | "." | "..", "") => dir_name.to_owned(),
        ("" | "." | "..", below) => below.to_owned(),
        (root, "") => root.to_owned(),
        (root, below) => format!("{}/{below}", root.trim_end_matches('/')),
    }
}
