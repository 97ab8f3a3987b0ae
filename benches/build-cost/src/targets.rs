//! What this project promises about its costs, and whether these measurements keep it.
//!
//! The one place where a limit stands. A target that was not measured is left out, not called kept.

use bench_harness::markdown::{self, Target};
use bench_harness::run::Usage;
use bench_harness::stats;

use crate::leaf::Profile;
use crate::measure::{Column, FEW};
use crate::report::{self, CPU, PEAK, Pick, Table, WALL};
use crate::variant::Variant;

/// A table of all promises that `skills` and `asset` say something about; empty if there is none.
pub fn check(skills: &[Table], asset: &[Table], count: usize) -> String {
    let mut targets = Vec::new();
    for table in skills {
        if let Some(ours) = table.ours() {
            of_builds(&mut targets, table, ours, count);
            of_program(&mut targets, table, ours, count);
        }
    }
    for table in asset {
        if let Some(ours) = table.ours() {
            let name = format!("10 MiB asset, {}, clean build", table.profile.label());
            let middle = |pick| stats::median(&ours.clean.iter().map(pick).collect::<Vec<_>>());
            add(&mut targets, format!("{name}, wall"), 5.0, middle(WALL), " s");
            add(&mut targets, format!("{name}, peak"), 500.0, middle(PEAK), " MiB");
        }
    }
    markdown::targets(&targets)
}

fn of_builds(targets: &mut Vec<Target>, table: &Table, ours: &Column, count: usize) {
    let profile = table.profile.label();
    for (rival, most) in [(Variant::IncludeDir, 0.5), (Variant::RustEmbed, 0.35)] {
        let found = table.column(rival).and_then(|rival| of_cpu(&ours.clean, &rival.clean));
        add(targets, format!("{profile}, clean build, CPU, of {}", rival.label()), most, found, "");
    }
    let rival = table.column(Variant::IncludeDir);
    let found = rival.and_then(|rival| of_cpu(&ours.edited, &rival.edited));
    add(targets, format!("{profile}, one body edited, CPU, of include_dir!"), 0.5, found, "");
    let found = report::idle_over_empty(table, ours, WALL);
    add(targets, format!("{profile}, nothing changed, over empty, wall"), 0.1, found, " s");
    let found = (ours.generated.0 > 0).then_some(ours.generated.0 as f64 / 1024.0 * 1000.0 / count as f64);
    add(targets, format!("{profile}, generated source a thousand skills"), 100.0, found, " KiB");
}

fn of_program(targets: &mut Vec<Target>, table: &Table, ours: &Column, count: usize) {
    let profile = table.profile.label();
    if table.profile.names() == Profile::Release.names() {
        add(
            targets,
            format!("{profile}, program over the raw files"),
            5.0,
            report::over_raw(table, ours),
            " %",
        );
    }
    let grown = ours.few.and_then(|few| Some((few.0.relocations?, ours.weight.relocations?)));
    let per_skill =
        grown.filter(|_| count > FEW).map(|(few, many)| (many as f64 - few as f64) / (count - FEW) as f64);
    add(targets, format!("{profile}, relocations a skill (the name map)"), 1.0, per_skill, "");
    let found = report::start_over_empty(table, ours);
    add(targets, format!("{profile}, start and one look-up, of empty"), 1.5, found, "");
}

fn of_cpu(ours: &[Usage], theirs: &[Usage]) -> Option<f64> {
    let pick: Pick = CPU;
    let list = |usages: &[Usage]| usages.iter().map(pick).collect::<Vec<_>>();
    stats::ratio(&list(ours), &list(theirs))
}

fn add(targets: &mut Vec<Target>, what: String, most: f64, found: Option<f64>, unit: &'static str) {
    targets.extend(found.map(|found| Target { what, most, found, unit }));
}
