//! A crate that embeds one tree in one way: written, built, cleaned, asked.
//!
//! "Leaf" because only this crate is built while a clock runs: what it depends on was built before, and a
//! build that compiles anything else is refused as a measurement. All leaves of one variant share a target
//! directory, apart from every other, so dependencies are built once a profile and kept between runs.
//! When to do what is [`measure`](crate::measure)'s business.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench_harness::failure::{Outcome, failure, io};
use bench_harness::run::{self, Usage};
use bench_harness::tree::{self, Tree};
use clap::ValueEnum;

use crate::cargo;
use crate::variant::Variant;

/// How cargo builds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    /// `cargo build`.
    Debug,
    /// `cargo build --release`.
    Release,
    /// `cargo build`, with [`LINES`] in the manifest.
    DebugLines,
    /// `cargo build --release`, with [`LINES`] in the manifest.
    ReleaseLines,
}

/// What the README tells users to write who want faster builds: a library optimised that build scripts and
/// macros use. Every way to embed gets the same lines.
const LINES: &str =
    "\n[profile.dev.package.sha2]\nopt-level = 3\n\n[profile.release.package.sha2]\nopt-level = 3\n";

impl Profile {
    /// Cargo's name for it, and that of its directory.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Debug | Self::DebugLines => ("dev", "debug"),
            Self::Release | Self::ReleaseLines => ("release", "release"),
        }
    }

    /// What it is called in a report.
    pub fn label(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Release => "release",
            Self::DebugLines => "debug with the lines",
            Self::ReleaseLines => "release with the lines",
        }
    }

    /// Whether [`LINES`] stand in the manifest.
    pub fn has_lines(self) -> bool {
        matches!(self, Self::DebugLines | Self::ReleaseLines)
    }
}

/// Which tree a leaf embeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// This many skills.
    Skills(usize),
    /// One skill with a large asset.
    Asset,
}

/// A leaf crate that stands on disk.
#[derive(Debug)]
pub struct Leaf {
    /// How it embeds.
    pub variant: Variant,
    /// What it embeds.
    pub tree: Tree,
    package: String,
    folder: PathBuf,
    target: PathBuf,
    edits: usize,
}

impl Leaf {
    /// Writes the crate and its tree under `work`, in place of what was there.
    pub fn write(
        work: &Path,
        repo: &Path,
        variant: Variant,
        content: Content,
        profile: Profile,
    ) -> Outcome<Self> {
        let (lines, suffix) = if profile.has_lines() { (LINES, "-lines") } else { ("", "") };
        let kind = match content {
            Content::Skills(count) => count.to_string(),
            Content::Asset => "asset".to_owned(),
        };
        let package = format!("leaf-{}-{kind}{suffix}", variant.slug());
        let folder = work.join(&package);
        let sources = folder.join("src");
        fs::create_dir_all(&sources).map_err(io("make", &sources))?;
        cargo::put(&folder.join("Cargo.toml"), &(variant.manifest(&package, repo, "")? + lines))?;
        cargo::put(&sources.join("main.rs"), &variant.program(false))?;
        if let Some(script) = variant.build_script() {
            cargo::put(&folder.join("build.rs"), script)?;
        }
        // `empty` gets the tree too: its directory differs from the others' in nothing but the code.
        let root = folder.join("skills");
        let tree = match content {
            Content::Skills(count) => tree::of_skills(&root, count)?,
            Content::Asset => tree::with_asset(&root)?,
        };
        let target = work.join(format!("target-{}{suffix}", variant.slug()));
        Ok(Self { variant, tree, package, folder, target, edits: 0 })
    }

    /// Builds everything, dependencies too. Takes what registries are needed.
    pub fn prepare(&self, profile: Profile) -> Outcome<()> {
        run::heard(self.cargo("build").args(["--profile", profile.names().0])).map(|_| ())
    }

    /// Builds the leaf, build script included, after all that was made of it is removed.
    pub fn build_clean(&self, profile: Profile) -> Outcome<Usage> {
        let mut clean = self.cargo("clean");
        run::heard(clean.args(["--offline", "--profile", profile.names().0, "--package", &self.package]))?;
        if self.binary(profile).exists() || !self.output_folders(profile).is_empty() {
            return Err(failure(format!("`cargo clean` left something of `{}`", self.package)));
        }
        self.build(profile, true)
    }

    /// Builds after an edit of one body, and makes sure that the edit is in the program.
    pub fn build_edited(&mut self, profile: Profile) -> Outcome<Usage> {
        let before = self.ask(profile)?;
        self.edits += 1;
        let added = tree::edit(&mut self.tree, self.edits)?;
        // An edit is nothing to the program that embeds nothing.
        let embeds = self.variant != Variant::Empty;
        let usage = self.build(profile, embeds)?;
        let after = self.ask(profile)?;
        if embeds && after != before + added {
            return Err(failure(format!(
                "`{}` answered {before} before and {after} after an edit of {added} bytes",
                self.package
            )));
        }
        Ok(usage)
    }

    /// Builds when nothing changed.
    pub fn build_idle(&self, profile: Profile) -> Outcome<Usage> {
        self.build(profile, false)
    }

    /// The program's command, with the look-up of the middle skill.
    pub fn command(&self, profile: Profile) -> Command {
        let mut command = Command::new(self.binary(profile));
        command.arg(&self.tree.middle);
        command
    }

    /// What the program answers to the look-up of the middle skill.
    pub fn ask(&self, profile: Profile) -> Outcome<u64> {
        let text = run::answer(&mut self.command(profile))?;
        let length =
            text.trim().parse().map_err(|_| failure(format!("`{}` answered {text:?}", self.package)))?;
        if length == 0 {
            return Err(failure(format!("`{}` did not find `{}`", self.package, self.tree.middle)));
        }
        Ok(length)
    }

    /// Where the program is.
    pub fn binary(&self, profile: Profile) -> PathBuf {
        self.target.join(profile.names().1).join(&self.package)
    }

    /// What a build script of the leaf wrote: the bytes of Rust source, and of all files.
    pub fn generated(&self, profile: Profile) -> Outcome<(u64, u64)> {
        let (mut rust, mut all) = (0, 0);
        let mut folders = self.output_folders(profile);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).map_err(io("read", &folder))? {
                let path = entry.map_err(io("read", &folder))?.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let length = fs::metadata(&path).map_err(io("read", &path))?.len();
                all += length;
                if path.extension().is_some_and(|extension| extension == "rs") {
                    rust += length;
                }
            }
        }
        Ok((rust, all))
    }

    /// The version of `package` that the leaf uses, from its lock file.
    pub fn version_of(&self, package: &str) -> Option<String> {
        cargo::version_of(&self.folder, package)
    }

    /// Builds, and makes sure that cargo compiled the leaf alone, or nothing at all.
    fn build(&self, profile: Profile, embeds: bool) -> Outcome<Usage> {
        let mut command = self.cargo("build");
        let (usage, text) = run::heard(command.args(["--offline", "--profile", profile.names().0]))?;
        let compiled = cargo::compiled(&text);
        let wanted: &[&str] = if embeds { &[&self.package] } else { &[] };
        if compiled == wanted {
            return Ok(usage);
        }
        Err(failure(format!(
            "a build of `{}` compiled {compiled:?} where {wanted:?} was meant; did a dependency change meanwhile?",
            self.package
        )))
    }

    fn output_folders(&self, profile: Profile) -> Vec<PathBuf> {
        let start = format!("{}-", self.package);
        let Ok(entries) = fs::read_dir(self.target.join(profile.names().1).join("build")) else {
            return Vec::new();
        };
        entries
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(&start))
            .map(|entry| entry.path().join("out"))
            .filter(|path| path.is_dir())
            .collect()
    }

    fn cargo(&self, action: &str) -> Command {
        cargo::command(action, &self.folder, &self.target)
    }
}
