//! The skills of one root, read and judged together.
//!
//! The build and the overlays both come through here, so that they serve and refuse the same skills.
//! Finding them is for [`scan`](crate::scan), packing them for the callers.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

use crate::code::{Code, Level};
use crate::command::CommandText;
use crate::finding::{Finding, Related};
use crate::scan::FoundSkill;
use crate::skill::SkillText;

/// How a root is shown: as given, with `/`, without `.` and without `/` at the end.
pub fn label(root: &Path) -> String {
    let mut label = String::new();
    for component in root.components() {
        let part = match component {
            Component::CurDir => continue,
            Component::RootDir => {
                label.push('/');
                continue;
            }
            other => other.as_os_str().to_string_lossy(),
        };
        if !label.is_empty() && !label.ends_with('/') {
            label.push('/');
        }
        label.push_str(&part);
    }
    if label.is_empty() { ".".to_owned() } else { label }
}

/// Judges the skills of one root, in the order of their paths, each with what was found in it.
///
/// `findings` holds what the scan found and takes the rest. Returned are the skills that may be
/// served, those with no finding that `denies` and of two with one name the first, and then the
/// directories of the others.
///
/// `text_of` gives what was read of a SKILL.md, if it could be read.
pub fn judge<D: Borrow<FoundSkill>, T>(
    mut skills: Vec<(D, T, Vec<Finding>)>,
    findings: &mut Vec<Finding>,
    text_of: impl Fn(&T) -> Option<&SkillText>,
    denies: impl Fn(&Finding) -> bool,
) -> (Vec<(D, T)>, Vec<D>) {
    propose_no_taken_name(&mut skills, &text_of);
    let denied = findings.iter().filter(|finding| denies(finding));
    let mut denied_paths: Vec<String> = denied.map(|finding| finding.path.clone()).collect();
    denied_paths.sort_unstable();
    let mut by_name: BTreeMap<String, (String, Related, bool)> = BTreeMap::new();
    let (mut good, mut others) = (Vec::new(), Vec::new());
    for (found_at, read, mut found) in skills {
        let dir: &FoundSkill = found_at.borrow();
        let text = text_of(&read);
        let mut denied =
            text.is_none() || denied_at_or_below(&denied_paths, &dir.path) || found.iter().any(&denies);
        if let Some(text) = text.filter(|text| !text.name.is_empty()) {
            if let Some((path, first, has_a_good_one)) = by_name.get_mut(&text.name) {
                // It has to be renamed anyway.
                found.retain(|finding| finding.code != Code::L103);
                found.push(same_name(dir, text, path, first));
                // A broken skill does not take the name from a good one.
                denied |= *has_a_good_one;
                *has_a_good_one |= !denied;
            } else {
                let place = (dir.path.clone(), text.name_place(), !denied);
                by_name.insert(text.name.clone(), place);
            }
        }
        findings.extend(found);
        if denied {
            others.push(found_at);
        } else {
            good.push((found_at, read));
        }
    }
    (good, others)
}

/// A wrong name had best become its directory's, but not where another skill of the root has, or is to
/// have, that one.
fn propose_no_taken_name<D: Borrow<FoundSkill>, T>(
    skills: &mut [(D, T, Vec<Finding>)],
    text_of: impl Fn(&T) -> Option<&SkillText>,
) {
    let has_wrong_form =
        |found: &[Finding]| found.iter().any(|finding| matches!(finding.code, Code::E009 | Code::E010));
    if !skills.iter().any(|(.., found)| has_wrong_form(found)) {
        return;
    }
    let names = skills.iter().filter_map(|(_, read, _)| text_of(read)).map(|text| text.name.clone());
    let mut taken: BTreeSet<String> = names.collect();
    for (dir, read, found) in skills.iter_mut().filter(|(.., found)| has_wrong_form(found)) {
        if let Some(text) = text_of(read)
            && !taken.insert((*dir).borrow().dir_name.clone())
        {
            for finding in found {
                text.propose_no_directory(finding);
            }
        }
    }
}

/// Judges the slash commands of one root, each with what was found in it. Returned are those that may
/// be served, each with its number: no finding on it `denies`, and of two with one name it is the first.
pub fn judge_commands(
    commands: Vec<(Option<CommandText>, Vec<Finding>)>,
    findings: &mut Vec<Finding>,
    denies: impl Fn(&Finding) -> bool,
) -> Vec<(usize, CommandText)> {
    let mut by_name: BTreeMap<String, (Related, bool)> = BTreeMap::new();
    let mut good = Vec::new();
    for (number, (text, mut found)) in commands.into_iter().enumerate() {
        let mut denied = found.iter().any(&denies);
        if let Some(text) = text.as_ref().filter(|text| !text.name.is_empty()) {
            if let Some((first, has_a_good_one)) = by_name.get_mut(&text.name) {
                found.push(same_command(text, first));
                // A broken command does not take the name from a good one.
                denied |= *has_a_good_one;
                *has_a_good_one |= !denied;
            } else {
                by_name.insert(text.name.clone(), (text.name_place.clone(), !denied));
            }
        }
        findings.extend(found);
        good.extend(text.filter(|_| !denied).map(|text| (number, text)));
    }
    good
}

/// Whether one of these sorted paths is `dir` or lies in it.
fn denied_at_or_below(paths: &[String], dir: &str) -> bool {
    let below = format!("{dir}/");
    let first_below = paths.partition_point(|path| *path < below);
    paths.binary_search_by(|path| path.as_str().cmp(dir)).is_ok()
        || paths.get(first_below).is_some_and(|path| path.starts_with(&below))
}

fn same_name(dir: &FoundSkill, text: &SkillText, first_path: &str, first: &Related) -> Finding {
    let message = format!("two skills are named `{}`: `{first_path}` and `{}`", text.name, dir.path);
    let help = "give each skill of a root its own name; of a symlink and its target, keep one";
    name_taken(text.name_place(), first, message, help)
}

fn same_command(text: &CommandText, first: &Related) -> Finding {
    let place = text.name_place.clone();
    let message =
        format!("two slash commands are named `{}`: `{}` and `{}`", text.name, first.path, place.path);
    name_taken(place, first, message, "give each command of a root its own name")
}

/// E013, at the second of two equal names.
fn name_taken(place: Related, first: &Related, message: String, help: &str) -> Finding {
    let place = Related { label: "this name is taken".to_owned(), ..place };
    let first = Related { label: "first used here".to_owned(), ..first.clone() };
    Finding::at(place, Code::E013, message, help.to_owned()).with_related(first)
}

/// Whether a finding keeps a skill out of an overlay: an `E` rule at deny. What breaks only rules of
/// style is loaded, and a link that leads out costs the file behind it alone.
pub fn keeps_out(finding: &Finding) -> bool {
    finding.level == Level::Deny && !finding.code.has_settable_level() && finding.code != Code::E014
}
