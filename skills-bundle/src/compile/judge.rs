//! Reads and judges the skills of all roots, and decides which of them may be served.
//!
//! What a rule looks for is not known here; this asks them, in the order of what has to be known
//! first: a skill by itself, the skills of a root, the skills of all roots.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use skills_source::code::{Code, Level};
use skills_source::document;
use skills_source::finding::Finding;
use skills_source::reader::{self, ReadSkill};
use skills_source::root;
use skills_source::rules::Rules;
use skills_source::scan::{self, FoundFile, FoundSkill, Scan, ScanOptions};
use skills_source::source::Source;

use super::memory::{Judgement, Looked, Memory};
use super::overlap::Overlap;
use crate::commands::{self, GoodCommand};
use crate::config::Config;
use crate::good::{Good, Read};
use crate::hidden::hidden;
use crate::lock::rule::Locked;
use crate::report::Report;
use crate::roots::{label, outside_package, pack_path};
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
    /// Which skills are locked.
    pub(super) locked: Locked,
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
pub(super) fn judge(config: &Config, keep: Keep, memory: &mut Memory) -> Judged {
    let mut report = Report::default();
    let mut overlap = Overlap::new(config.roots.len());
    let mut served: BTreeMap<String, Good> = BTreeMap::new();
    let mut commands = BTreeMap::new();
    let mut broken = Vec::new();
    let settings = memory.settings(|| config.settings());
    let rules = settings.rules;
    report.findings.extend(settings.findings);
    let seen_from = config.base.as_deref().unwrap_or(Path::new("."));
    let lock = Locked::open(settings.lock.as_deref(), seen_from, settings.lock_denies_in_release);
    let mut locked = lock.unwrap_or_else(|unreadable| {
        report.findings.extend(unreadable);
        Locked::default()
    });
    for (number, root) in config.roots.iter().enumerate() {
        let label = label(root);
        let Looked { scan, of_root } =
            memory.looked(number, || look(config, &rules, root, &label, &settings.scan));
        let Scan { skills, left_out, without_skill, commands: files, .. } = scan;
        let mut of_root = Report { findings: of_root, ..Report::default() };
        let mut new = overlap.root(config.on_disk(root), &label);
        locked.look_under(&config.on_disk(root), &label, &skills, &rules, &mut report);
        report.skills += new.skills(&skills);
        report.commands += new.commands(&files);
        report.left_out.extend(new.left_out(left_out));
        report.without_skill.extend(new.without_skill(without_skill));
        let all = &skills;
        let read = memory.read(number, all, |dir| read_skill(config, &rules, keep, dir, all));
        let read = skills.into_iter().zip(read).collect();
        let (good, others) = judge_root(config, &label, read, &mut of_root.findings);
        broken.extend(new.broken(others));
        commands::judge_root(config, &rules, &label, &files, &mut commands, &mut of_root);
        report.findings.extend(new.findings(of_root.findings));
        for good in good {
            match served.get(&good.text().name) {
                // Two roots show the very same skill.
                Some(first) if first.file() == good.file() => {}
                Some(first) => {
                    let (record, finding) = hidden(good.named(), first.named());
                    report.shadowed.push(record);
                    report.findings.extend(rules.apply([finding]));
                }
                None => drop(served.insert(good.text().name.clone(), good)),
            }
        }
        report.shadowed.extend(of_root.shadowed);
    }
    commands::judge_roots(config, &rules, &settings.scan, &mut commands, &mut report);
    let mut skills: Vec<Good> = served.into_values().collect();
    skills.sort_by(|a, b| a.pack_path.cmp(&b.pack_path));
    let together = rules.apply(judge_together(config, &rules, &skills));
    let is_denied = |skill: &Good| together.iter().any(|finding| is_denied_in(finding, &skill.dir.path));
    let (denied, skills): (Vec<Good>, Vec<Good>) = skills.into_iter().partition(is_denied);
    broken.extend(denied.into_iter().map(|skill| skill.dir));
    report.findings.extend(together);
    report.findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    Judged { report, skills, broken, commands, rules, locked }
}

/// Files that the published package would lack.
fn unpublished(config: &Config, root: &Path, label: &str, skills: &[FoundSkill]) -> Vec<Finding> {
    let on_disk = config.on_disk(root);
    let findings = beside::packages(&on_disk, label, skills);
    #[cfg(feature = "check")]
    let findings = beside::published(&config.published, &on_disk, label, skills, findings);
    findings
}

/// What skills show only together.
fn judge_together(config: &Config, rules: &Rules, skills: &[Good]) -> Vec<Finding> {
    let skills: Vec<&Good> = skills.iter().collect();
    let mut findings = Vec::new();
    if rules.is_on(Code::L107) {
        findings.extend(beside::look_alikes(&skills));
    }
    if rules.is_on(Code::L112) {
        let root = config.roots.first().map(|root| label(root)).unwrap_or_default();
        findings.extend(beside::catalogue(&skills, &root));
    }
    findings
}

/// Whether a finding is at deny and in this directory.
fn is_denied_in(finding: &Finding, directory: &str) -> bool {
    finding.level == Level::Deny
        && finding.path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

/// Scans a root, and judges it as a whole.
fn look(config: &Config, rules: &Rules, root: &Path, label: &str, options: &ScanOptions) -> Looked {
    let on_disk = config.on_disk(root);
    let mut scan = scan::scan(&on_disk, label, options);
    config.texts.set_lengths(&mut scan);
    let mut of_root = rules.apply(std::mem::take(&mut scan.findings));
    let skills = &scan.skills;
    let as_whole = outside_package(config, root, label).into_iter();
    let as_whole = as_whole.chain(beside::clashing_directories(skills));
    let as_whole = as_whole.chain(beside::directory_names(label, skills, &scan.commands));
    let as_whole = as_whole.chain(unpublished(config, root, label, skills));
    let beyond = if config.within_live_limits { beside::beyond_live_limits(skills) } else { Vec::new() };
    of_root.extend(rules.apply(as_whole.chain(beyond)));
    Looked { scan, of_root }
}

/// Judges the skills of one root together, and returns those that may be served, and the others.
fn judge_root(
    config: &Config,
    label: &str,
    read: Vec<(FoundSkill, Judgement)>,
    findings: &mut Vec<Finding>,
) -> (Vec<Good>, Vec<FoundSkill>) {
    let read = read.into_iter().map(|(dir, (read, found))| (dir, read, found)).collect();
    let denies = |finding: &Finding| finding.level == Level::Deny;
    let (good, others) = root::judge(read, findings, |read| read.as_ref().map(|read| &read.text), denies);
    let good = good
        .into_iter()
        .filter_map(|(dir, read)| {
            let pack_path = pack_path(config, label, &dir.path, &dir.dir_name);
            Some(Good { dir, read: read?, pack_path, root: label.to_owned() })
        })
        .collect();
    (good, others)
}

/// Opens the SKILL.md of a directory, and judges it and the names beside it. `all` are the skills of the root.
fn read_skill(config: &Config, rules: &Rules, keep: Keep, dir: &FoundSkill, all: &[FoundSkill]) -> Judgement {
    let opened = reader::open_skill(dir, rules, |file| config.texts.read(file));
    let (read, found) = judge_skill(rules, dir, all, opened);
    let read = read.map(|mut read| {
        if keep == Keep::Text {
            read.bytes = Vec::new();
        }
        Arc::new(read)
    });
    (read, found)
}

/// Judges a SKILL.md, as [`open_skill`](reader::open_skill) gave it, and the names beside it: the one way for a
/// build, a check and an editor.
pub(super) fn judge_skill(
    rules: &Rules,
    dir: &FoundSkill,
    all: &[FoundSkill],
    opened: Result<Option<Vec<u8>>, Box<Finding>>,
) -> (Option<Read>, Vec<Finding>) {
    let mut found = rules.apply(beside::files(dir));
    let ReadSkill { bytes, text, findings, .. } = reader::judge_skill(dir, rules, opened);
    let mut in_file = findings;
    in_file.extend(of_markdown(dir, all, &bytes, rules));
    if rules.is_on(Code::L111) {
        beside::hide_secrets(&mut in_file);
    }
    found.extend(in_file);
    let read = text.map(|mut text| {
        let secrets = dir.skill_file().map(|file| secrets(dir, file, &bytes, rules)).unwrap_or_default();
        if !secrets.is_empty() {
            text.head = beside::masked(&text.head);
        }
        Read { text, bytes, secrets }
    });
    (read, found)
}

/// Those of the body as Markdown, which is below the fences whatever is wrong between them. `all` are the
/// skills of the root.
fn of_markdown(dir: &FoundSkill, all: &[FoundSkill], bytes: &[u8], rules: &Rules) -> Vec<Finding> {
    if !rules.is_on(Code::L105) && !rules.is_on(Code::L129) {
        return Vec::new();
    }
    let Ok(text) = document::decode(bytes) else { return Vec::new() };
    let Ok(document) = document::split(text) else { return Vec::new() };
    let mut faults = beside::links(text, document.body.clone(), dir, all);
    faults.extend(beside::fences(text, document.body));
    if faults.is_empty() {
        return Vec::new();
    }
    let source = Source::new(reader::skill_path(dir), text);
    rules.apply(faults.into_iter().map(|fault| Finding::new(&source, fault)))
}

/// The secrets in a file.
pub(super) fn secrets(dir: &FoundSkill, file: &FoundFile, bytes: &[u8], rules: &Rules) -> Vec<Finding> {
    if !rules.is_on(Code::L111) {
        return Vec::new();
    }
    rules.apply(beside::secrets(|| reader::file_path(dir, file), bytes))
}

/// What is wrong with the content of a file beside a SKILL.md.
pub(super) fn content(dir: &FoundSkill, file: &FoundFile, bytes: &[u8], rules: &Rules) -> Vec<Finding> {
    let mut findings = rules.apply(beside::content(|| reader::file_path(dir, file), bytes));
    if rules.is_on(Code::L111) {
        beside::hide_secrets(&mut findings);
    }
    findings.extend(secrets(dir, file, bytes, rules));
    findings
}
