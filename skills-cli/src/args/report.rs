//! The arguments of `report`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Global;

pub(super) const REPORT_HELP: &str = "\
Examples:
  skills report skills
  skills report skills --html report.html
  skills report skills --json
  skills report skills --sbom cyclonedx --output skills.cdx.json
  skills report target/release/my-tool --sbom cyclonedx

The page is one file that loads nothing, works without scripts, and is the same bytes for the same skills. It
has the findings of `skills check`, how each skill stands to skill-sources.lock, what `skills diff` would show
if all of it were new, the allowed tools, sizes, and the catalogue as a model sees it. Of a program, what
the lock in it says. Findings with levels are those of a check with the settings of Cargo.toml.
Exit status: 0 no errors among the findings; 1 errors, or no skill found; 2 wrong usage or could not run.";

/// The form of a bill of materials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bill {
    /// CycloneDX 1.6, as JSON
    #[value(name = "cyclonedx")]
    CycloneDx,
}

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// A directory of skills, a skill, or a program with locked skills in it
    #[arg(value_name = "PATH", default_value = "skills")]
    pub(crate) path: PathBuf,

    /// Write a page for browsers to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Print a bill of materials
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) sbom: Option<Bill>,

    /// Write the bill of materials to FILE instead
    #[arg(long, value_name = "FILE", requires = "sbom")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(super) global: Global,
}
