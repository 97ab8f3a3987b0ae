//! The one pipeline: scan, read, judge, pack.
//!
//! [`compile`] reads the roots and the Cargo.toml that it is given: no environment, no output, no panic. Equal input
//! gives byte-equal output. Writing that to disk is for `cargo`, turning it into
//! Rust for [`emit`](crate::emit).

use std::borrow::Cow;

use hmac_sha256::Hash as Sha256;
use skills_pack::text::Hex;
use skills_pack::{Pack, Skill};
use skills_source::code::{Code, Level};
use skills_source::finding::Finding;
use skills_source::parallel;
use skills_source::reader::unreadable;
pub use skills_source::root::label;
use skills_source::rules::Rules;
use skills_source::scan::{self, FoundFile, LeftOut, LeftOutReason, SKILL_FILE, ScanOptions};
use skills_source::writer::{
    CommandSource, FileBytes, FileSource, PackWriter, SkillSource, TooLarge, Written,
};

use crate::commands::{self, GoodCommand};
use crate::config::Config;
use crate::good::Good;
use crate::lock::Present;
use crate::lock::rule::Differing;
pub use crate::report::{Hidden, Report};
use crate::roots::below;

mod check;
mod judge;
mod memory;
mod overlap;

use check::with_files;
pub use check::{Checker, SkillDraft, check, check_text, check_with};
use judge::{Judged, Keep, content, judge};
use memory::Memory;

/// Skills that were compiled: three blocks and the names under which they are looked up.
#[derive(Debug)]
#[non_exhaustive]
pub struct Generated {
    /// The packed skills.
    pub written: Written,
    /// `sha256:` and 64 hexadecimal digits; changes when, and only when, a skill, a file of one, or a command does.
    pub digest: String,
    /// The lock of those skills that are locked, as TOML.
    pub lock: Option<String>,
    /// The warnings, and, from [`compile_good`], the errors of what was left out.
    pub report: Report,
}

impl Generated {
    /// The skills, ready to be served.
    ///
    /// # Errors
    ///
    /// None for blocks that this version of the crate made.
    pub fn pack(&self) -> Result<Pack<'_>, skills_pack::Mismatch> {
        Pack::from_owned(&self.written.texts, &self.written.bytes, &self.written.tables)
    }
}

/// Compiles the skills. `previous` is the pack that was made before, if there is one: files that did
/// not change are then not hashed again. It never changes what is made.
///
/// # Errors
///
/// The report, where any finding is at deny.
pub fn compile(config: &Config, previous: Option<&Pack<'_>>) -> Result<Generated, Report> {
    let mut memory = Memory::default();
    let judged = judge(config, Keep::Bytes, &mut memory);
    if judged.report.denied() > 0 {
        return Err(with_files(config, judged, &mut memory));
    }
    let generated = pack(config, judged, previous);
    if generated.report.denied() > 0 { Err(generated.report) } else { Ok(generated) }
}

/// Compiles what has no finding at deny, and leaves out the rest; the report names it.
pub fn compile_good(config: &Config) -> Generated {
    pack(config, judge(config, Keep::Bytes, &mut Memory::default()), None)
}

/// What to say of a link that is left out because of what it leads to.
pub fn linked_to_left_out(link: &LeftOut) -> String {
    format!(
        "`{}` is left out: its target is left out by its name (hidden, made by tools, or ignored)",
        link.path
    )
}

/// What to say where there is not one skill or slash command, and no finding that tells why.
pub fn no_skills(config: &Config, report: &Report) -> Option<String> {
    let roots: Vec<String> = config.roots.iter().map(|root| format!("`{}`", label(root))).collect();
    (report.skills == 0 && report.commands == 0 && report.findings.is_empty()).then(|| {
        let hidden = in_hidden_directories(config, report);
        let why = match hidden.as_slice() {
            [] => "no directory there holds a file `SKILL.md`".to_owned(),
            hidden => {
                let places: Vec<String> = hidden.iter().map(|place| format!("`{place}`")).collect();
                format!(
                    "names that begin with `.` are left out, and there are skills in {}: give that directory",
                    places.join(", ")
                )
            }
        };
        format!("there is no skill under {}: {why}", roots.join(", "))
    })
}

/// Whether a path is that of a repository's own directory.
fn is_git(path: &str) -> bool {
    path.rsplit('/').next() == Some(".git")
}

/// The directories with a hidden name, or below one, that hold skills: at most three, as shown. To be asked
/// where there is no other skill.
pub fn in_hidden_directories(config: &Config, report: &Report) -> Vec<String> {
    const MOST: usize = 3;
    let mut options = ScanOptions::default();
    options.max_entries = 10_000;
    options.max_depth = Some(4);
    let mut places: Vec<String> = Vec::new();
    let hidden = report.left_out.iter().filter(|left_out| left_out.reason == LeftOutReason::Hidden);
    for path in hidden.map(|left_out| left_out.path.as_str()).filter(|path| !is_git(path)) {
        let root = config.roots.iter().find(|root| path.starts_with(&label(root)) || label(root) == ".");
        let Some(root) = root else { continue };
        let on_disk = config.on_disk(root).join(below(&label(root), path));
        if !on_disk.is_dir() {
            continue;
        }
        for skill in scan::scan(&on_disk, path, &options).skills.iter().filter(|skill| !skill.misspelt) {
            let above = if skill.path == path {
                path
            } else {
                skill.path.rsplit_once('/').map_or("", |(above, _)| above)
            };
            if places.len() < MOST && !places.iter().any(|place| place == above) {
                places.push(above.to_owned());
            }
        }
    }
    places
}

fn pack(config: &Config, judged: Judged, previous: Option<&Pack<'_>>) -> Generated {
    let Judged { mut report, skills, commands, rules, locked, .. } = judged;
    let mut writer = PackWriter::new().with_search(config.search);
    let mut packed = Vec::with_capacity(skills.len());
    // Not all at once: only a few files are held beside the pack.
    for batch in skills.chunks(BATCH) {
        let contents = parallel::map(batch, |good| {
            let (contents, findings) = read_files(config, good, &rules, previous);
            let differing: Option<Differing> = locked.compare(&good.dir, &present(good, &contents));
            (contents, findings, differing)
        });
        for (good, (contents, findings, differing)) in batch.iter().zip(contents) {
            let is_denied = findings.iter().any(|finding| finding.level == Level::Deny);
            report.add(findings);
            let denied_before = report.denied();
            if let Some(differing) = differing {
                locked.add(differing, &rules, &mut report);
            }
            if !is_denied && report.denied() == denied_before {
                packed.push(&good.dir);
                writer.add(&SkillSource {
                    path: &good.pack_path,
                    dir_name: &good.dir.dir_name,
                    text: good.text(),
                    files: sources(good, &contents),
                });
            }
        }
    }
    for GoodCommand { text, pack_path, .. } in commands.values() {
        writer.add_command(&CommandSource { path: pack_path, text });
    }
    let written = writer.finish().unwrap_or_else(|error: TooLarge| {
        let help = "leave out what agents do not read, or split the skills over several bundles";
        report.add([Finding::on_path(Code::E018, "bundle".to_owned(), error.to_string(), help.to_owned())]);
        // An empty pack fits everything.
        PackWriter::new().finish().unwrap_or_default()
    });
    let digest = digest(&written);
    let lock = locked.text(packed.into_iter());
    Generated { written, digest, lock, report }
}

/// Of all that a skill is made of: names, the digests of files, and what is shown of both. Its place in
/// the pack does not count.
fn digest(written: &Written) -> String {
    // In one piece: each call of the hasher costs, in a build script that is not optimised.
    let mut all = Vec::with_capacity(written.tables.len());
    let mut add = |part: &[u8]| {
        all.extend_from_slice(part);
        all.push(0);
    };
    if let Ok(pack) = Pack::from_owned(&written.texts, &written.bytes, &written.tables) {
        for skill in pack.skills() {
            for text in [skill.name(), skill.head(), skill.tree()] {
                add(text.as_bytes());
            }
            for file in skill.files() {
                add(file.path().as_bytes());
                add(file.media_type().as_bytes());
                add(file.sha256().map_or(&[], <[u8; 32]>::as_slice));
                add(&[u8::from(file.is_executable())]);
            }
        }
        for (name, named) in pack.names() {
            add(name.as_bytes());
            add(&named.index.to_le_bytes());
            add(&[u8::from(named.is_own)]);
        }
        commands::digest(&pack, &mut add);
    }
    format!("sha256:{}", Hex(&Sha256::hash(&all)))
}

/// How many skills are read before they are packed.
const BATCH: usize = 256;

/// The bytes and the digest of a file.
type Content<'g> = (Cow<'g, [u8]>, [u8; 32]);

fn read_files<'g>(
    config: &Config,
    good: &'g Good,
    rules: &Rules,
    previous: Option<&Pack<'_>>,
) -> (Vec<Content<'g>>, Vec<Finding>) {
    let mut contents = Vec::with_capacity(good.dir.files.len());
    let mut findings = Vec::new();
    let before = previous.and_then(|pack| pack.skill(pack.find(&good.text().name)?.index));
    for file in &good.dir.files {
        let (bytes, found) = read_file(config, good, file, rules);
        findings.extend(found);
        let known = known_digest(before, &file.path, &bytes);
        let sha256 = known.unwrap_or_else(|| Sha256::hash(&bytes));
        contents.push((bytes, sha256));
    }
    (contents, findings)
}

/// The bytes of a file, and what is wrong with them; none where it cannot be read.
fn read_file<'g>(
    config: &Config,
    good: &'g Good,
    file: &FoundFile,
    rules: &Rules,
) -> (Cow<'g, [u8]>, Vec<Finding>) {
    if file.path == SKILL_FILE {
        // What was judged is what is packed, also where somebody writes into the file meanwhile.
        return (good.read.bytes.as_slice().into(), good.read.secrets.clone());
    }
    match config.texts.read(file) {
        Ok(bytes) => {
            let found = content(&good.dir, file, &bytes, rules);
            (bytes.into(), found)
        }
        Err(error) => (Cow::default(), vec![unreadable(&good.dir, file, &error)]),
    }
}

/// The files of a skill, for the comparison with its lock.
fn present<'s>(good: &'s Good, contents: &'s [Content<'_>]) -> Vec<Present<'s>> {
    let files = good.dir.files.iter().zip(contents);
    files.map(|(file, (bytes, sha256))| Present { file, bytes, sha256 }).collect()
}

fn sources<'s>(good: &'s Good, contents: &'s [Content<'_>]) -> Vec<FileSource<'s>> {
    let files = good.dir.files.iter().zip(contents);
    files
        .map(|(file, (bytes, sha256))| FileSource {
            path: &file.path,
            content: FileBytes::Packed(bytes, *sha256),
            executable: file.executable,
        })
        .collect()
}

/// The digest of a file that the same skill of the previous pack has with the very same bytes.
fn known_digest(before: Option<Skill<'_>>, path: &str, bytes: &[u8]) -> Option<[u8; 32]> {
    let file = before?.file(path)?;
    (file.bytes()? == bytes).then(|| file.sha256().copied())?
}

#[cfg(test)]
mod tests;
