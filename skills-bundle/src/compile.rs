//! The one pipeline: scan, read, judge, pack.
//!
//! [`compile`] reads the roots and nothing else: no environment, no output, no panic. Equal input
//! gives byte-equal output. Writing that to disk is for `cargo`, turning it into
//! Rust for [`emit`](crate::emit).

use std::collections::BTreeMap;
use std::path::{Component, Path};

use sha2::{Digest as _, Sha256};
use skills_core::pack::Pack;
use skills_core::pack::writer::{FileSource, PackWriter, SearchIndex, SkillSource, TooLarge, Written};
use skills_core::source::code::{Code, Level};
use skills_core::source::finding::{Finding, Related};
use skills_core::source::scan::{self, LeftOut, Scan, SkillDir, SkillFile};
use skills_core::source::skill::{self, SkillText};

use crate::config::Config;
use crate::parallel;

/// What a check found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// All findings of all files, by path, then line.
    pub findings: Vec<Finding>,
    /// How many skills were looked at, broken ones included.
    pub skills: usize,
    /// What was left out on purpose: hidden names, generated directories, the ignore list, loops.
    pub left_out: Vec<LeftOut>,
    /// Directories with files that belong to no skill.
    pub without_skill: Vec<String>,
    /// Skills that an earlier root hides.
    pub shadowed: Vec<Shadowed>,
}

/// A skill that one of the same name in an earlier root hides.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shadowed {
    /// The name of both.
    pub name: String,
    /// The directory of the one that is hidden.
    pub path: String,
    /// The directory of the one that is served.
    pub by: String,
}

impl Report {
    fn add(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.findings.extend(findings);
        self.findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    }

    /// How many findings are errors.
    pub fn denied(&self) -> usize {
        self.findings.iter().filter(|finding| finding.level == Level::Deny).count()
    }

    /// How many findings are warnings.
    pub fn warned(&self) -> usize {
        self.findings.iter().filter(|finding| finding.level == Level::Warn).count()
    }
}

/// Skills that were compiled: three blocks and the names under which they are looked up.
#[derive(Debug)]
#[non_exhaustive]
pub struct Generated {
    /// The packed skills.
    pub written: Written,
    /// `sha256:` and 64 hexadecimal digits; changes when, and only when, a skill or a file does.
    pub digest: String,
    /// The warnings, and, from [`compile_good`], the errors of what was left out.
    pub report: Report,
}

impl Generated {
    /// The skills, ready to be served.
    ///
    /// # Errors
    ///
    /// None for blocks that this version of the crate made.
    pub fn pack(&self) -> Result<Pack<'_>, skills_core::pack::Mismatch> {
        Pack::from_owned(&self.written.texts, &self.written.bytes, &self.written.tables)
    }
}

/// Checks the skills: all that [`compile`] would find.
pub fn check(config: &Config) -> Report {
    let (mut report, skills) = judge(config);
    let unreadable = parallel::map(&skills, |good| {
        let files = good.dir.files.iter();
        files.filter_map(|file| Some(unreadable_file(good, file, &scan::read_file(file).err()?))).collect()
    });
    report.add(unreadable.into_iter().flat_map(|findings: Vec<Finding>| findings));
    report
}

/// Compiles the skills. `previous` is the pack that was made before, if there is one: files that did
/// not change are then not hashed again. It never changes what is made.
///
/// # Errors
///
/// The report, where any finding is at deny.
pub fn compile(config: &Config, previous: Option<&Pack<'_>>) -> Result<Generated, Report> {
    let (report, skills) = judge(config);
    if report.denied() > 0 {
        return Err(report);
    }
    let generated = pack(report, &skills, config.search, previous);
    if generated.report.denied() > 0 { Err(generated.report) } else { Ok(generated) }
}

/// Compiles what has no finding at deny, and leaves out the rest; the report names it.
pub fn compile_good(config: &Config) -> Generated {
    let (report, skills) = judge(config);
    pack(report, &skills, config.search, None)
}

/// A skill without a finding at deny.
struct Good {
    dir: SkillDir,
    text: SkillText,
    pack_path: String,
}

fn judge(config: &Config) -> (Report, Vec<Good>) {
    let mut report = Report::default();
    let mut served: BTreeMap<String, Good> = BTreeMap::new();
    report.findings.extend(config.unknown_rules.iter().map(|message| {
        Finding::on_path(
            Code::E017,
            "build script".to_owned(),
            message.clone(),
            "see the table of rules for codes and names".to_owned(),
        )
    }));
    for root in &config.roots {
        let label = label(root);
        let Scan { skills, findings, left_out, without_skill, .. } =
            scan::scan(&config.on_disk(root), &label, &config.scan);
        report.findings.extend(findings);
        report.findings.extend(outside_package(config, root, &label));
        report.left_out.extend(left_out);
        report.without_skill.extend(without_skill);
        report.skills += skills.len();
        for good in judge_root(config, &label, skills, &mut report.findings) {
            match served.get(&good.text.name) {
                Some(first) => report.shadowed.push(Shadowed {
                    name: good.text.name,
                    path: good.pack_path,
                    by: first.pack_path.clone(),
                }),
                None => drop(served.insert(good.text.name.clone(), good)),
            }
        }
    }
    report.findings.retain(|finding| finding.level != Level::Allow);
    report.findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    let mut skills: Vec<Good> = served.into_values().collect();
    skills.sort_by(|a, b| a.pack_path.cmp(&b.pack_path));
    (report, skills)
}

/// Reads and judges the skills of one root, and returns those that may be served.
fn judge_root(config: &Config, label: &str, dirs: Vec<SkillDir>, findings: &mut Vec<Finding>) -> Vec<Good> {
    let mut denied_paths: Vec<String> = findings
        .iter()
        .filter(|finding| finding.level == Level::Deny)
        .map(|finding| finding.path.clone())
        .collect();
    denied_paths.sort_unstable();
    let mut by_name: BTreeMap<String, (String, Related, bool)> = BTreeMap::new();
    let mut good = Vec::new();
    let read = parallel::map(&dirs, |dir| read_skill(config, dir));
    for (dir, (text, mut found)) in dirs.into_iter().zip(read) {
        let mut denied = denied_at_or_below(&denied_paths, &dir.path)
            || found.iter().any(|finding| finding.level == Level::Deny);
        if let Some(text) = text.as_ref().filter(|text| !text.name.is_empty()) {
            if let Some((path, first, has_a_good_one)) = by_name.get_mut(&text.name) {
                found.push(same_name(&dir, text, path, first));
                // A broken skill does not take the name from a good one.
                denied |= *has_a_good_one;
                *has_a_good_one |= !denied;
            } else {
                let place = (dir.path.clone(), text.name_place.clone(), !denied);
                by_name.insert(text.name.clone(), place);
            }
        }
        findings.extend(found);
        if let (Some(text), false) = (text, denied) {
            let pack_path = pack_path(config, label, &dir);
            good.push(Good { dir, text, pack_path });
        }
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

fn read_skill(config: &Config, dir: &SkillDir) -> (Option<SkillText>, Vec<Finding>) {
    let Some(file) = dir.skill_file() else { return (None, Vec::new()) };
    let path = format!("{}/{}", dir.path, file.path);
    let max = config.rules.max_skill_bytes;
    if file.len > max {
        let message = format!("the file is larger than {max} bytes: it has {}", file.len);
        let help = "move what is long into files beside SKILL.md, which are read when they are needed";
        return (None, vec![Finding::on_path(Code::E018, path, message, help.to_owned())]);
    }
    match scan::read_file(file) {
        Ok(bytes) => skill::read(&path, &dir.dir_name, &bytes, &config.rules),
        Err(error) => (None, vec![unreadable(path, &error)]),
    }
}

fn unreadable_file(good: &Good, file: &SkillFile, error: &std::io::Error) -> Finding {
    unreadable(format!("{}/{}", good.dir.path, file.path), error)
}

fn unreadable(path: String, error: &std::io::Error) -> Finding {
    let message = format!("the file cannot be read: {}", scan::in_words(error));
    Finding::on_path(Code::E017, path, message, "make it a plain file that the build may read".to_owned())
}

fn same_name(dir: &SkillDir, text: &SkillText, first_path: &str, first: &Related) -> Finding {
    let place = &text.name_place;
    let mut finding = Finding::on_path(
        Code::E013,
        place.path.clone(),
        format!("two skills are named `{}`: `{first_path}` and `{}`", text.name, dir.path),
        "give each skill of a root a name of its own; of a link and what it leads to, keep one".to_owned(),
    );
    (finding.line, finding.column) = (place.line, place.column);
    finding.excerpt.clone_from(&place.excerpt);
    "this name is taken".clone_into(&mut finding.label);
    let mut related = first.clone();
    "first used here".clone_into(&mut related.label);
    finding.related.push(related);
    finding
}

fn outside_package(config: &Config, root: &Path, label: &str) -> Option<Finding> {
    let package = config.package.as_ref()?.canonicalize().ok()?;
    let on_disk = config.on_disk(root).canonicalize().ok()?;
    if on_disk.starts_with(package) {
        return None;
    }
    let mut finding = Finding::on_path(
        Code::L116,
        label.to_owned(),
        "the root lies outside the package that builds it".to_owned(),
        "move the skills into the package, or allow L116 if it is never published".to_owned(),
    );
    finding.level = config.rules.level(Code::L116);
    Some(finding)
}

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

/// How a skill's directory is shown in the pack: without what is above the package, so that a
/// program says nothing of the machine it was built on.
fn pack_path(config: &Config, label: &str, dir: &SkillDir) -> String {
    let below = dir.path.strip_prefix(label).unwrap_or_default().trim_start_matches('/');
    let root = match Path::new(label).has_root() || label.contains(':') {
        _ if config.paths_as_given => label,
        true => label.rsplit('/').next().unwrap_or_default(),
        false => label.trim_start_matches("../"),
    };
    match (root, below) {
        ("" | "." | "..", "") => dir.dir_name.clone(),
        ("" | "." | "..", below) => below.to_owned(),
        (root, "") => root.to_owned(),
        (root, below) => format!("{}/{below}", root.trim_end_matches('/')),
    }
}

fn pack(mut report: Report, skills: &[Good], index: SearchIndex, previous: Option<&Pack<'_>>) -> Generated {
    let mut writer = PackWriter::new().with_search(index);
    // Not all at once: only a few files are held beside the pack.
    for batch in skills.chunks(BATCH) {
        let contents = parallel::map(batch, |good| read_files(good, previous));
        for (good, contents) in batch.iter().zip(contents) {
            match contents {
                Ok(contents) => writer.add(&SkillSource {
                    path: &good.pack_path,
                    dir_name: &good.dir.dir_name,
                    text: &good.text,
                    files: sources(good, &contents),
                }),
                Err(findings) => report.add(findings),
            }
        }
    }
    let written = writer.finish().unwrap_or_else(|error: TooLarge| {
        let help = "leave out what agents do not read, or split the skills over several bundles";
        report.add([Finding::on_path(Code::E018, "bundle".to_owned(), error.to_string(), help.to_owned())]);
        // An empty pack fits everything.
        PackWriter::new().finish().unwrap_or_default()
    });
    let digest = digest(&written);
    Generated { written, digest, report }
}

/// The tables hold the digest of every file, and where everything stands; what the names and paths
/// are stands in the text.
fn digest(written: &Written) -> String {
    let mut hasher = Sha256::new();
    if let Ok(pack) = Pack::from_owned(&written.texts, &written.bytes, &written.tables) {
        hasher.update(pack.records());
        for skill in pack.skills() {
            hasher.update(skill.name());
            hasher.update(skill.head());
            hasher.update(skill.tree());
            skill.files().for_each(|file| {
                hasher.update(file.path());
                hasher.update(file.media_type());
            });
        }
        pack.names().for_each(|(name, _)| hasher.update(name));
    }
    hasher.finalize().iter().fold("sha256:".to_owned(), |mut hex, byte| {
        hex.push_str(&format!("{byte:02x}"));
        hex
    })
}

/// How many skills are read before they are packed.
const BATCH: usize = 256;

/// The bytes and the digest of a file.
type Content = (Vec<u8>, [u8; 32]);

fn read_files(good: &Good, previous: Option<&Pack<'_>>) -> Result<Vec<Content>, Vec<Finding>> {
    let mut contents = Vec::with_capacity(good.dir.files.len());
    let mut findings = Vec::new();
    for file in &good.dir.files {
        match scan::read_file(file) {
            Ok(bytes) => {
                let known = known_digest(previous, &good.text.name, &file.path, &bytes);
                let sha256 = known.unwrap_or_else(|| Sha256::digest(&bytes).into());
                contents.push((bytes, sha256));
            }
            Err(error) => findings.push(unreadable_file(good, file, &error)),
        }
    }
    if findings.is_empty() { Ok(contents) } else { Err(findings) }
}

fn sources<'s>(good: &'s Good, contents: &'s [Content]) -> Vec<FileSource<'s>> {
    let files = good.dir.files.iter().zip(contents);
    files
        .map(|(file, (bytes, sha256))| FileSource {
            path: &file.path,
            bytes,
            sha256: *sha256,
            executable: file.executable,
        })
        .collect()
}

/// The digest of a file that stands in the previous pack with the very same bytes.
fn known_digest(previous: Option<&Pack<'_>>, skill: &str, path: &str, bytes: &[u8]) -> Option<[u8; 32]> {
    let skill = previous?.skill(previous?.find(skill)?)?;
    let file = skill.file(path)?;
    (file.bytes() == bytes).then(|| *file.sha256())
}

#[cfg(test)]
mod tests;
