//! Turns measurements into Markdown: one table a profile, medians in the cells, ratios beside them.
//!
//! Ratios are medians of ratios within a repeat (see [`stats`](bench_harness::stats)), so they may differ a
//! little from what the cells divide to. Nothing is measured here, and no limit is known here: those are in
//! [`targets`](crate::targets).

use std::fmt::Write as _;

use bench_harness::markdown::{NONE, cell};
use bench_harness::stats;

use crate::leaf::Profile;
use crate::measure::{Column, FEW};
use crate::variant::Variant;

const MIB: f64 = 1024.0 * 1024.0;

/// The columns of one profile.
#[derive(Debug)]
pub struct Table {
    /// How they were built.
    pub profile: Profile,
    /// One a variant.
    pub columns: Vec<Column>,
}

impl Table {
    /// The column of `variant`.
    pub fn column(&self, variant: Variant) -> Option<&Column> {
        self.columns.iter().find(|column| column.variant == variant)
    }

    /// The first column that is this project's.
    pub fn ours(&self) -> Option<&Column> {
        self.columns.iter().find(|column| column.variant.is_ours())
    }

    /// The columns that ours is divided by, if ours is there.
    fn rivals(&self) -> Vec<&Column> {
        let rivals = [Variant::IncludeDir, Variant::RustEmbed, Variant::Digests];
        let found = rivals.into_iter().filter_map(|variant| self.column(variant));
        found.filter(|_| self.ours().is_some()).collect()
    }
}

/// The table of the builds with many skills.
pub fn skills(table: &Table, count: usize) -> String {
    let mut text = head(table);
    let clean = |pick: Pick| move |column: &Column| column.clean.iter().map(pick).collect::<Vec<_>>();
    let edited = |pick: Pick| move |column: &Column| column.edited.iter().map(pick).collect::<Vec<_>>();
    samples(&mut text, table, "clean build, CPU s", 2, &clean(CPU));
    samples(&mut text, table, "clean build, wall s", 2, &clean(WALL));
    samples(&mut text, table, "clean build, peak MiB", 0, &clean(PEAK));
    samples(&mut text, table, "one body edited, CPU s", 2, &edited(CPU));
    samples(&mut text, table, "one body edited, wall s", 2, &edited(WALL));
    samples(&mut text, table, "one body edited, peak MiB", 0, &edited(PEAK));
    values(&mut text, table, "nothing changed, wall s", 3, &|column| stats::median(&idle(column, WALL)));
    values(&mut text, table, "… over `empty`", 3, &|column| idle_over_empty(table, column, WALL));
    values(&mut text, table, "nothing changed, CPU s", 3, &|column| stats::median(&idle(column, CPU)));
    values(&mut text, table, "… over `empty`", 3, &|column| idle_over_empty(table, column, CPU));
    values(&mut text, table, "generated Rust source, KiB", 1, &|column| kib(column.generated.0));
    values(&mut text, table, "all generated files, KiB", 0, &|column| kib(column.generated.1));
    values(&mut text, table, "program, KiB", 0, &|column| kib(column.weight.bytes));
    values(&mut text, table, "… over `empty` and the raw files, %", 2, &|column| over_raw(table, column));
    let growth = format!("growth from {FEW} to {count} skills over the raw files, %");
    values(&mut text, table, &growth, 2, &growth_over_raw);
    let few = format!("relocations, {FEW} skills");
    values(&mut text, table, &few, 0, &|column| column.few?.0.relocations.map(|count| count as f64));
    let many = format!("relocations, {count} skills");
    values(&mut text, table, &many, 0, &|column| column.weight.relocations.map(|count| count as f64));
    samples(&mut text, table, "start and one look-up, wall ms", 2, &|column| {
        column.starts.iter().map(|seconds| seconds * 1e3).collect()
    });
    values(&mut text, table, "… times `empty`", 2, &|column| start_over_empty(table, column));
    text
}

/// The table of the builds with one large asset.
pub fn asset(table: &Table) -> String {
    let mut text = head(table);
    let clean = |pick: Pick| move |column: &Column| column.clean.iter().map(pick).collect::<Vec<_>>();
    samples(&mut text, table, "clean build, CPU s", 2, &clean(CPU));
    samples(&mut text, table, "clean build, wall s", 2, &clean(WALL));
    samples(&mut text, table, "clean build, peak MiB", 0, &clean(PEAK));
    values(&mut text, table, "… over `empty` and the raw files, %", 2, &|column| over_raw(table, column));
    text
}

/// A number of one build.
pub type Pick = fn(&bench_harness::run::Usage) -> f64;
/// Seconds of CPU time.
pub const CPU: Pick = |usage| usage.cpu.as_secs_f64();
/// Seconds of wall time.
pub const WALL: Pick = |usage| usage.wall.as_secs_f64();
/// Peak memory in MiB.
pub const PEAK: Pick = |usage| usage.peak as f64 / MIB;

/// What a build without a change takes more than that of the empty program, in seconds.
pub fn idle_over_empty(table: &Table, column: &Column, pick: Pick) -> Option<f64> {
    let empty = table.column(Variant::Empty).filter(|_| column.variant != Variant::Empty)?;
    stats::difference(&idle(column, pick), &idle(empty, pick))
}

/// What a start takes, in times of that of the empty program.
pub fn start_over_empty(table: &Table, column: &Column) -> Option<f64> {
    let empty = table.column(Variant::Empty).filter(|_| column.variant != Variant::Empty)?;
    stats::ratio(&column.starts, &empty.starts)
}

/// What a program is longer than the empty one and the raw files together, in percent of the raw files.
pub fn over_raw(table: &Table, column: &Column) -> Option<f64> {
    let empty = table.column(Variant::Empty).filter(|_| column.variant != Variant::Empty)?;
    percent(column.weight.bytes as f64 - empty.weight.bytes as f64, column.raw as f64)
}

/// The same for what the files beyond the first [`FEW`] skills add: code that is there once is not in it.
pub fn growth_over_raw(column: &Column) -> Option<f64> {
    let (weight, raw) = column.few.filter(|_| column.variant != Variant::Empty)?;
    percent(column.weight.bytes as f64 - weight.bytes as f64, column.raw as f64 - raw as f64)
}

fn percent(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then_some((part / whole - 1.0) * 100.0)
}

fn idle(column: &Column, pick: Pick) -> Vec<f64> {
    column.idle.iter().map(pick).collect()
}

fn kib(bytes: u64) -> Option<f64> {
    (bytes > 0).then_some(bytes as f64 / 1024.0)
}

fn head(table: &Table) -> String {
    let mut line = format!("| {} |", table.profile.label());
    let mut rule = "| --- |".to_owned();
    for column in &table.columns {
        let version = column.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
        let _ = write!(line, " {}{version} |", column.variant.label());
        rule.push_str(" ---: |");
    }
    for rival in table.rivals() {
        let ours = table.ours().map_or(NONE, |column| column.variant.label());
        let _ = write!(line, " {ours} / {} |", rival.variant.label());
        rule.push_str(" ---: |");
    }
    format!("{line}\n{rule}\n")
}

/// A row of medians, and of ratios within a repeat.
fn samples(text: &mut String, table: &Table, title: &str, digits: usize, pick: &dyn Fn(&Column) -> Vec<f64>) {
    let _ = write!(text, "| {title} |");
    for column in &table.columns {
        let _ = write!(text, " {} |", cell(stats::median(&pick(column)), digits));
    }
    for rival in table.rivals() {
        let ratio = table.ours().and_then(|ours| stats::ratio(&pick(ours), &pick(rival)));
        let _ = write!(text, " {} |", cell(ratio, 2));
    }
    text.push('\n');
}

/// A row of single values, which have no ratio.
fn values(
    text: &mut String,
    table: &Table,
    title: &str,
    digits: usize,
    pick: &dyn Fn(&Column) -> Option<f64>,
) {
    let _ = write!(text, "| {title} |");
    for column in &table.columns {
        let _ = write!(text, " {} |", cell(pick(column), digits));
    }
    for _ in table.rivals() {
        let _ = write!(text, " {NONE} |");
    }
    text.push('\n');
}
