//! What this project promises about serving, and whether these measurements keep it.
//!
//! The one place where a limit stands. A target that was not measured is left out, not called kept.

use bench_harness::clock::Measured;
use bench_harness::markdown::Target;

use crate::groups::{EACH, SAME_TEN, TEN, load, lookup, read_file};

/// "No slower" is this much, since no two runs of the same code agree to the last tenth.
const NO_SLOWER: f64 = 1.1;

/// The promises about look-ups.
pub fn of_lookup(measured: &Measured) -> Vec<Target> {
    no_slower(measured, &[lookup::BUNDLE, lookup::OURS])
}

/// The promises about `load`.
pub fn of_load(measured: &Measured) -> Vec<Target> {
    let mut targets = Vec::new();
    for column in [TEN, SAME_TEN, EACH] {
        let found = measured.ratio((load::OURS, column), (load::COPY, column));
        let what = format!("load, look-up and text, of a plain copy; {}", measured.columns[column]);
        add(&mut targets, what, 2.0, found);
    }
    targets.extend(no_slower(measured, &[load::OURS]));
    targets
}

/// The promises about `read_file`.
pub fn of_read_file(measured: &Measured) -> Vec<Target> {
    no_slower(measured, &[read_file::DATA, read_file::TEXT])
}

/// The promise about one action's allocations.
pub fn of_allocations(action: &str, most: Option<u64>, found: u64) -> Option<Target> {
    let what = format!("{action}: allocations");
    most.map(|most| Target { what, most: most as f64, found: found as f64, unit: "" })
}

fn no_slower(measured: &Measured, rows: &[&str]) -> Vec<Target> {
    let mut targets = Vec::new();
    for row in rows {
        let found = measured.ratio((row, SAME_TEN), (row, TEN));
        add(&mut targets, format!("{row}: 1,000 skills of 10 skills"), NO_SLOWER, found);
    }
    targets
}

fn add(targets: &mut Vec<Target>, what: String, most: f64, found: Option<f64>) {
    targets.extend(found.map(|found| Target { what, most, found, unit: "" }));
}
