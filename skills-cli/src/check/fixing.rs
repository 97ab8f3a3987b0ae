//! `check --fix`: applies fixes before the check, or shows what it would change.
//!
//! The library decides what to fix and writes it. A file that can't be written is reported, and the
//! others are still fixed.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use skills_bundle::fix::{self, FileFix, NotWritten};
use skills_bundle::{Config, render};

/// The files with fixes, and whether each was written.
#[derive(Debug)]
pub(crate) struct Fixing {
    fixes: Vec<(FileFix, Written)>,
}

#[derive(Debug)]
enum Written {
    Yes,
    /// It is a dry run.
    Not,
    Refused(NotWritten),
}

impl Fixing {
    /// Fixes the skills, or with `dry_run` only finds out how.
    pub(crate) fn run(config: &Config, dry_run: bool) -> Self {
        let write = |fix: FileFix| {
            if dry_run {
                return (fix, Written::Not);
            }
            let written = fix::write(&fix).map_or_else(Written::Refused, |()| Written::Yes);
            (fix, written)
        };
        Self { fixes: fix::plan(config).into_iter().map(write).collect() }
    }

    /// All changes, as one diff.
    pub(crate) fn diff(&self) -> String {
        self.fixes.iter().map(|(fix, _)| fix::diff(fix)).collect()
    }

    /// A warning for each file that could not be written.
    pub(crate) fn refused(&self) -> String {
        let mut warnings = String::new();
        for (fix, written) in &self.fixes {
            if let Written::Refused(why) = written {
                let line = format!("`{}` was not fixed: {why}", fix.path);
                warnings.push_str(&format!("warning: {}\n", render::escape(&line)));
            }
        }
        warnings
    }

    /// What was fixed, a line a finding, and how many; empty if there are no fixes.
    pub(crate) fn summary(&self) -> String {
        let is_done = |(_, written): &&(FileFix, Written)| !matches!(written, Written::Refused(_));
        let (mut findings, mut files, mut word) = (0, 0, "fixed");
        let mut lines = String::new();
        for (fix, written) in self.fixes.iter().filter(is_done) {
            findings += fix.fixed.len();
            files += 1;
            if matches!(written, Written::Not) {
                word = "would fix";
            }
            for finding in &fix.fixed {
                let (path, line, code) = (&finding.path, finding.line, finding.code);
                let line = format!("{word} {path}:{line}: [{code}] {}", finding.message);
                lines.push_str(&format!("{}\n", render::escape(&line)));
            }
        }
        if files == 0 {
            return String::new();
        }
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        lines + &format!("{word} {findings} finding{} in {files} file{}\n", plural(findings), plural(files))
    }

    /// The same for programs.
    pub(crate) fn document(&self) -> Value {
        let fixes = self.fixes.iter().map(|(fix, written)| {
            let codes: BTreeSet<&str> = fix.fixed.iter().map(|finding| finding.code.as_str()).collect();
            let why = match written {
                Written::Refused(why) => Some(why.to_string()),
                _ => None,
            };
            json!({
                "path": fix.path,
                "new_path": fix.new_path,
                "codes": codes,
                "diff": fix::diff(fix),
                "written": matches!(written, Written::Yes),
                "reason": why,
            })
        });
        fixes.collect()
    }
}
