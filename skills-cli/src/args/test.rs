//! The arguments of `test` and `why`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Global;

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// A directory of skills [default: what --root names, else skills]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Read the queries of FILE alone; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) cases: Vec<PathBuf>,

    /// Fail if less than N per cent of the queries find their skill first
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) min_rank1: Option<u8>,

    /// Compare with an earlier run, whose --json is in FILE: fail only if the share of queries that find their
    /// skill first, that find it, or that pass has dropped
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Let a share drop by N percentage points
    #[arg(long, value_name = "N", requires = "baseline", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) max_drop: u8,

    /// The output format
    #[arg(long, value_name = "FORM", value_enum, default_value_t = TestFormat::Text)]
    pub(crate) format: TestFormat,

    /// Write evals/triggers.json into every skill that has no queries, from the words of its frontmatter; replace
    /// them by what users say
    #[arg(long, conflicts_with_all = ["cases", "min_rank1", "baseline", "format"])]
    pub(crate) init: bool,

    #[command(flatten)]
    pub(super) global: Global,
}

/// The output format of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    /// For people
    Text,
    /// As annotations of GitHub Actions
    Github,
    /// As JUnit's XML
    Junit,
}

#[derive(Debug, Args)]
pub(crate) struct Why {
    /// The name of the skill
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// What a user says
    #[arg(required = true, value_name = "QUERY")]
    pub(crate) query: Vec<String>,

    #[command(flatten)]
    pub(super) global: Global,
}
