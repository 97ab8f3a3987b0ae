//! Counts what each action allocates, and prints a line each: skills, place in the table, allocations, bytes.
//!
//! A program of its own because the counting allocator costs time at every allocation. Its output is for the
//! program `serve`, which makes the table.

use std::process::ExitCode;

use bench_harness::failure::{Outcome, end};
use serve::actions::{ACTIONS, Action};
use serve::material::{Material, Questions};

fn main() -> ExitCode {
    end(start())
}

fn start() -> Outcome<()> {
    for material in [Material::few()?, Material::many()?] {
        let questions = Questions::new("", &material, &material);
        for (at, (_, _, action)) in ACTIONS.iter().enumerate() {
            let (count, bytes) = most(&questions, *action);
            println!("{} {at} {count} {bytes}", material.bundle.len());
        }
    }
    Ok(())
}

/// The most allocations, and of them the most bytes, that the action makes for any of the skills.
fn most(questions: &Questions<'_>, action: Action) -> (u64, u64) {
    let counts = (0..questions.names.len()).map(|at| {
        let info = allocation_counter::measure(|| action(questions, at));
        (info.count_total, info.bytes_total)
    });
    counts.max().unwrap_or_default()
}
