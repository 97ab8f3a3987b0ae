//! What it takes to look for skills of another version, at each start of a program.
//!
//! `cargo test -p cli-with-skills --release --test stale -- --nocapture` prints the times.

#![allow(clippy::expect_used, clippy::print_stdout, clippy::disallowed_methods, reason = "it is a test")]

use std::env;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use skills::clap::{Stale, stale};
use skills::export::{Agent, Exporter, Scope};
use skills::{Bundle, Registry};

static SKILLS: Bundle = skills::include_skills!("skills");
static OLD: Bundle = skills::include_skills!("tests/old");
static REGISTRY: Registry<'static> = Registry::new(&SKILLS);

const ROUNDS: usize = 50;
/// The skills of other programs and of the user in each directory.
const OTHERS: usize = 25;

/// What is stale in this project, and the fastest and the median time of finding out.
fn measure() -> (Vec<Stale>, [Duration; 2]) {
    let mut found = Vec::new();
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            found = stale(&REGISTRY);
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    found.retain(|stale| stale.scope == Scope::Project);
    (found, [times[0], times[ROUNDS / 2]])
}

#[test]
fn old_skills_are_found_in_little_time() {
    let project = tempfile::tempdir().expect("a directory");
    env::set_current_dir(project.path()).expect("it is there");
    let program = env::current_exe().expect("it runs");
    let program = program.file_name().and_then(|name| name.to_str()).expect("it has a name");
    let program = program.strip_suffix(env::consts::EXE_SUFFIX).unwrap_or(program);
    let install = |bundle| {
        for agent in Agent::all() {
            let dir = agent.dir(Scope::Project, Path::new(""));
            Exporter::new(program).force(true).install(&Registry::new(bundle), &dir).expect("it is written");
            for other in 0..OTHERS {
                let other = dir.join(format!("other-{other}"));
                fs::create_dir_all(&other).expect("it is made");
                fs::write(other.join("SKILL.md"), "---\nname: other\n---\n").expect("it is written");
            }
        }
    };
    let (found, nothing) = measure();
    assert_eq!(found, []);
    install(&SKILLS);
    let (found, current) = measure();
    assert_eq!(found, []);
    install(&OLD);
    let (found, old) = measure();
    // Some agents share a directory.
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|stale| stale.skills == ["count-lines", "count-words"]), "{found:?}");
    println!("looking for old skills, the fastest and the median of {ROUNDS} rounds:");
    println!("nothing is installed: {nothing:.1?}");
    println!("for four agents, each with {OTHERS} skills of others: up to date {current:.1?}, old {old:.1?}");
}
