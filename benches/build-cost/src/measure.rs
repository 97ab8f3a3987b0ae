//! Takes the measurements, in turns: every variant once, then every variant again.
//!
//! What is compared ran close together, so a machine that slows down slows all of them. The order inside a
//! turn moves on by one each time, so no variant always runs first. Making sense of the
//! numbers is [`report`](crate::report)'s business.

use std::path::{Path, PathBuf};

use bench_harness::failure::Outcome;
use bench_harness::run::{self, Usage};

use crate::binary::{self, Weight};
use crate::leaf::{Content, Leaf, Profile};
use crate::variant::Variant;

/// How many skills the small tree has, against which growth is measured.
pub const FEW: usize = 10;
/// How many builds without a change are measured a repeat: they are short, so noise is large.
const IDLE: usize = 5;

/// What to measure, and where.
#[derive(Debug)]
pub struct Plan {
    /// Where temporary crates and their target directories go.
    pub work: PathBuf,
    /// Where this project's crates are.
    pub repo: PathBuf,
    /// The ways to embed, [`Variant::Empty`] among them.
    pub variants: Vec<Variant>,
    /// How many skills the large tree has.
    pub skills: usize,
    /// How often each build is measured.
    pub repeats: usize,
    /// How often each program is started.
    pub starts: usize,
}

/// All that was measured of one variant in one profile. Lists of different variants go together by index.
#[derive(Debug)]
pub struct Column {
    /// How it embeds.
    pub variant: Variant,
    /// Its version, for those that have one.
    pub version: Option<String>,
    /// The bytes of the tree that is in the program.
    pub raw: u64,
    /// Clean builds of the leaf.
    pub clean: Vec<Usage>,
    /// Builds after an edit of one body.
    pub edited: Vec<Usage>,
    /// Builds without a change.
    pub idle: Vec<Usage>,
    /// Bytes of Rust source and of all files that a build script wrote.
    pub generated: (u64, u64),
    /// The program.
    pub weight: Weight,
    /// The program with a tree of [`FEW`] skills, and the bytes of that tree.
    pub few: Option<(Weight, u64)>,
    /// Starts of the program that answer one look-up, seconds of wall time.
    pub starts: Vec<f64>,
}

/// Measures the large tree in every variant.
pub fn skills(plan: &Plan, profile: Profile) -> Outcome<Vec<Column>> {
    let mut few = Vec::new();
    for variant in &plan.variants {
        say(profile, &format!("{}: {FEW} skills", variant.label()));
        let leaf = Leaf::write(&plan.work, &plan.repo, *variant, Content::Skills(FEW), profile)?;
        leaf.prepare(profile)?;
        few.push((binary::weigh(&leaf.binary(profile))?, leaf.tree.bytes));
    }
    let mut columns = builds(plan, profile, Content::Skills(plan.skills), true)?;
    for (column, few) in columns.iter_mut().zip(few) {
        column.few = Some(few);
    }
    Ok(columns)
}

/// Measures the clean build with one large asset in every variant.
pub fn asset(plan: &Plan, profile: Profile) -> Outcome<Vec<Column>> {
    builds(plan, profile, Content::Asset, false)
}

fn builds(plan: &Plan, profile: Profile, content: Content, all: bool) -> Outcome<Vec<Column>> {
    let mut leaves = Vec::new();
    for variant in &plan.variants {
        say(profile, &format!("{}: the tree and the dependencies", variant.label()));
        let leaf = Leaf::write(&plan.work, &plan.repo, *variant, content, profile)?;
        leaf.prepare(profile)?;
        leaves.push(leaf);
    }
    let mut columns = leaves.iter().map(|leaf| column(leaf, profile)).collect::<Outcome<Vec<_>>>()?;
    for repeat in 0..plan.repeats {
        say(profile, &format!("repeat {} of {}", repeat + 1, plan.repeats));
        for at in turn(leaves.len(), repeat) {
            columns[at].clean.push(leaves[at].build_clean(profile)?);
        }
        if !all {
            continue;
        }
        for at in turn(leaves.len(), repeat) {
            columns[at].edited.push(leaves[at].build_edited(profile)?);
        }
        for round in 0..IDLE {
            for at in turn(leaves.len(), round) {
                columns[at].idle.push(leaves[at].build_idle(profile)?);
            }
        }
    }
    for (leaf, column) in leaves.iter().zip(&mut columns) {
        leaf.ask(profile)?;
        column.raw = leaf.tree.bytes;
        column.generated = leaf.generated(profile)?;
        column.weight = binary::weigh(&leaf.binary(profile))?;
    }
    if all {
        start_all(&leaves, &mut columns, profile, plan.starts)?;
    }
    Ok(columns)
}

fn column(leaf: &Leaf, profile: Profile) -> Outcome<Column> {
    let version = leaf.variant.package().and_then(|package| leaf.version_of(package));
    Ok(Column {
        variant: leaf.variant,
        version,
        raw: leaf.tree.bytes,
        clean: Vec::new(),
        edited: Vec::new(),
        idle: Vec::new(),
        generated: (0, 0),
        weight: binary::weigh(&leaf.binary(profile))?,
        few: None,
        starts: Vec::new(),
    })
}

fn start_all(leaves: &[Leaf], columns: &mut [Column], profile: Profile, starts: usize) -> Outcome<()> {
    say(profile, &format!("{starts} starts of each program"));
    // The first ones bring the file into the page cache; what is measured is the process, not the disk.
    for leaf in leaves {
        for _ in 0..3 {
            run::silent(&mut leaf.command(profile))?;
        }
    }
    for round in 0..starts {
        for at in turn(leaves.len(), round) {
            let usage = run::silent(&mut leaves[at].command(profile))?;
            columns[at].starts.push(usage.wall.as_secs_f64());
        }
    }
    Ok(())
}

/// The numbers from 0 to `count`, beginning with another one each `round`.
pub fn turn(count: usize, round: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |step| (step + round) % count)
}

fn say(profile: Profile, text: &str) {
    eprintln!("build-cost: {}: {text}", profile.label());
}

/// Where temporary crates go: beside the profile directory in which this program was built.
pub fn work_folder(program: &Path) -> Option<PathBuf> {
    program.ancestors().nth(2).map(|target| target.join("build-cost-work"))
}
