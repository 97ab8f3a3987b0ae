//! Talks to Cargo: the only file that reads the environment, writes files and prints.
//!
//! A build script calls [`build`] or [`Builder::build`]; the macros read what it left in `OUT_DIR`.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "this is the file that may")]

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use skills_pack::Pack;
use skills_source::code::Level;
use skills_source::scan::LeftOutReason;

use crate::compile::{self, Generated, Report, compile};
use crate::config::Config;
use crate::emit::{self, LOCK_BLOCK_FILE, TABLES_FILE};
use crate::{lock, names, raw, render};

/// Set for the compilation of the package, so that what an earlier build script left in `OUT_DIR` is
/// not taken for the work of this one.
const COMPILED: &str = "SKILLS_BUNDLE_COMPILED";

/// The bundle as an expression, for `include!`.
const RUST_FILE: &str = "skills.rs";
/// The same without the `use` of the crate `skills`, whose path `bundle!` is given.
const CODE_FILE: &str = "skills.code.rs";
const NAMES_FILE: &str = "skills.names";
const ERRORS_FILE: &str = "skills.errors.json";
/// No file has this name.
const NEVER_THERE: &str = "skills.look-again";
const PARAMETERS_FILE: &str = "skills.parameters.json";

/// Compiles the skills under `root`, relative to the package, for `skills::bundle!()`.
///
/// This is all that a build script needs:
///
/// ```no_run
/// // build.rs
/// fn main() {
///     skills_bundle::build("skills");
/// }
/// ```
///
/// The build script succeeds even if skills are broken: `bundle!()` then reports each finding as an
/// error of its own. Warnings are printed here.
pub fn build(root: impl Into<PathBuf>) {
    Builder::new(root).build();
}

/// A build script's call with options.
///
/// ```no_run
/// // build.rs
/// fn main() {
///     skills_bundle::Builder::new("skills").configure(|config| config.deny("L103").ignore("drafts")).build();
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Builder {
    config: Config,
    strict: bool,
}

impl Builder {
    /// Compiles the skills under `root`, relative to the package.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { config: Config::new(root), strict: false }
    }

    /// Changes the configuration.
    #[must_use]
    pub fn configure(mut self, change: impl FnOnce(Config) -> Config) -> Self {
        self.config = change(self.config);
        self
    }

    /// Makes the build script itself fail after findings at deny, for packages that do not use
    /// `bundle!()`: they take the bundle by `include!(concat!(env!("OUT_DIR"), "/skills.rs"))`.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Compiles the skills, writes the result into `OUT_DIR` and tells Cargo what to watch.
    pub fn build(self) {
        let (package, out_dir) = match (package_dir(), out_dir()) {
            (Ok(package), Ok(out_dir)) => (package, out_dir),
            (Err(message), _) | (_, Err(message)) => return error(&message),
        };
        println!("cargo::rustc-env={COMPILED}=yes");
        for root in self.config.roots.iter().chain(&self.config.command_roots) {
            println!("cargo::rerun-if-changed={}", root.display());
        }
        let config = self.config.base(&package).package(&package).cargo_settings(&package);
        let config =
            config.debug_assertions(env::var_os("PROFILE").is_some_and(|profile| profile != "release"));
        let config = without_outputs(config, &out_dir);
        for file in config.settings().files {
            println!("cargo::rerun-if-changed={}", file.display());
        }
        let outcome = with_previous(&out_dir, |previous| compile(&config, previous));
        let report = match &outcome {
            Ok(generated) => &generated.report,
            Err(report) => report,
        };
        if outcome.is_err() {
            // Cargo looks at times, and a fix need not bring a newer one: a directory gets its name back, a
            // file comes from a copy. What is never there makes Cargo run this again until all is well.
            println!("cargo::rerun-if-changed={}", out_dir.join(NEVER_THERE).display());
        }
        warnings(&config, report);
        if self.strict {
            report.findings.iter().filter(|finding| finding.level == Level::Deny).for_each(|finding| {
                error(&one_line(finding));
            });
        }
        if let Err(message) = write_outputs(&out_dir, &config, &outcome) {
            error(&message);
        }
    }
}

/// The configuration without the directory in which Cargo builds, where that lies below a root, and a
/// warning: what is built is no skill, and Cargo watches all of a root.
fn without_outputs(config: Config, out_dir: &Path) -> Config {
    // `OUT_DIR` is `build/<package>/out` in the directory of a profile; where it is another, that is left out.
    let built = out_dir.ancestors().nth(4).unwrap_or(out_dir);
    let mut patterns = Vec::new();
    for root in &config.roots {
        let Ok(root_on_disk) = config.on_disk(root).canonicalize() else { continue };
        let inside = [built, out_dir].into_iter().find_map(|dir| {
            let below = dir.canonicalize().ok()?.strip_prefix(&root_on_disk).ok()?.to_owned();
            (below != Path::new("")).then_some(below)
        });
        if let Some(below) = inside {
            let message = format!(
                "the root `{}` holds the directory in which Cargo builds, so this build script runs every time: \
                 give a directory that holds skills alone",
                compile::label(root)
            );
            println!("cargo::warning={}", render::escape(&message));
            patterns.push(as_pattern(&below));
        }
    }
    patterns.into_iter().fold(config, Config::ignore)
}

/// A pattern that matches this path alone.
fn as_pattern(path: &Path) -> String {
    let mut pattern = String::new();
    for part in path {
        pattern.push('/');
        for c in part.to_string_lossy().chars() {
            match c {
                '*' | '?' | '[' => pattern.extend(['[', c, ']']),
                other => pattern.push(other),
            }
        }
    }
    pattern
}

/// What a build script left for the macros.
pub(crate) struct Outputs {
    /// The bundle as Rust, where the crate `skills` is `__skills`; an empty one after errors.
    pub(crate) code: String,
    /// The names of the skills, after errors those of broken ones too.
    pub(crate) names: Vec<String>,
    /// One message for each finding at deny.
    pub(crate) errors: Vec<String>,
    /// The `parameters` of the skills that have any, as JSON, by name; none after errors.
    pub(crate) parameters: BTreeMap<String, String>,
}

/// Reads what the build script of the package that is being compiled left.
pub(crate) fn read_outputs() -> Result<Outputs, String> {
    let Some(out_dir) = env::var_os("OUT_DIR").map(PathBuf::from) else {
        return Err("no build script has run for this package\n \
                    = help: add a file `build.rs` with `fn main() { skills_bundle::build(\"skills\") }`, and \
                    `skills-bundle` to [build-dependencies]\n \
                    = help: or use `include_skills!(\"skills\")`, which needs none\n \
                    = note: if there is one, let the editor run it"
            .to_owned());
    };
    let other = "the build script of this package compiled no skills\n \
                 = help: call `skills_bundle::build(\"skills\")` in it, of the same version as `skills`";
    if env::var_os(COMPILED).is_none() {
        return Err(other.to_owned());
    }
    let read = |name: &str| fs::read(out_dir.join(name)).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let errors = read(ERRORS_FILE).and_then(|json| serde_json::from_str(&json).ok()).ok_or(other)?;
    let names = read(NAMES_FILE).ok_or(other)?.lines().map(str::to_owned).collect();
    let parameters = read(PARAMETERS_FILE).and_then(|json| serde_json::from_str(&json).ok()).ok_or(other)?;
    Ok(Outputs { code: read(CODE_FILE).ok_or(other)?, names, errors, parameters })
}

/// The directory of the package that is being built.
pub(crate) fn package_dir() -> Result<PathBuf, String> {
    let dir =
        env::var_os("CARGO_MANIFEST_DIR").ok_or("`CARGO_MANIFEST_DIR` is not set: run this through Cargo")?;
    Ok(PathBuf::from(dir))
}

fn out_dir() -> Result<PathBuf, String> {
    let dir = env::var_os("OUT_DIR").ok_or("`OUT_DIR` is not set: call this from a build script")?;
    Ok(PathBuf::from(dir))
}

/// Runs with the pack that an earlier build left, which is only a cache of digests.
fn with_previous<R>(out_dir: &Path, run: impl FnOnce(Option<&Pack<'_>>) -> R) -> R {
    let read = |name: &str| fs::read(out_dir.join(name)).unwrap_or_default();
    let tables = read(TABLES_FILE);
    let (text_len, bytes_len) = Pack::lengths(&tables);
    // Files that an earlier build left behind these are not read.
    let bytes = pieces(bytes_len, |slot| read(&emit::bytes_file(slot)), Vec::len);
    let texts = pieces(text_len, |slot| read_text(read(&emit::text_file(slot))), String::len);
    run(Pack::from_owned(&texts, &bytes, &tables).ok().as_ref())
}

/// A piece of the text, which its file may have as a literal.
fn read_text(file: Vec<u8>) -> String {
    let text = String::from_utf8(file).unwrap_or_default();
    // A text that only looks like a literal is too short without its quotes, and then there is no pack.
    raw::unquote(&text).map(str::to_owned).unwrap_or(text)
}

/// Reads pieces until they come to `len` bytes, or as many slots as that can fill have been tried.
fn pieces<B>(len: usize, read: impl Fn(usize) -> B, len_of: impl Fn(&B) -> usize) -> Vec<B> {
    let mut pieces = Vec::new();
    let mut sum = 0;
    while sum < len && pieces.len() < Pack::slots(len) {
        let piece = read(pieces.len());
        sum += len_of(&piece);
        pieces.push(piece);
    }
    pieces
}

fn write_outputs(out_dir: &Path, config: &Config, outcome: &Result<Generated, Report>) -> Result<(), String> {
    // A crate is compiled again whenever its build script ran, so an equal file need not be spared.
    let write_parts = |name: &str, parts: &[&[u8]]| {
        fs::File::create(out_dir.join(name))
            .and_then(|mut file| parts.iter().try_for_each(|part| file.write_all(part)))
            .map_err(|error| format!("`{name}` cannot be written into OUT_DIR: {error}"))
    };
    let write = |name: &str, bytes: &[u8]| write_parts(name, &[bytes]);
    let errors: Vec<String> = match outcome {
        Ok(_) => Vec::new(),
        Err(report) => {
            report.findings.iter().filter(|finding| finding.level == Level::Deny).map(render::one).collect()
        }
    };
    let (code, names) = match outcome {
        Ok(generated) => {
            // The tables go first and come last: blocks of two builds, should this one be stopped
            // between them, are then no cache for the next.
            let _ = fs::remove_file(out_dir.join(TABLES_FILE));
            let forms = emit::text_forms(generated);
            for (slot, (text, form)) in generated.written.texts.iter().zip(&forms).enumerate() {
                let (before, after) = form.quotes();
                write_parts(&emit::text_file(slot), &[before.as_bytes(), text.as_bytes(), after.as_bytes()])?;
            }
            for (slot, bytes) in generated.written.bytes.iter().enumerate() {
                write(&emit::bytes_file(slot), bytes)?;
            }
            if let Some(text) = &generated.lock {
                write(LOCK_BLOCK_FILE, &lock::block(text))?;
            }
            write(TABLES_FILE, &generated.written.tables)?;
            (emit::bundle_from(generated, &forms), generated.written.skill_names())
        }
        Err(_) => (emit::empty_bundle(), names::under(config).into_iter().map(|named| named.name).collect()),
    };
    write(RUST_FILE, emit::with_skills(&code).as_bytes())?;
    write(CODE_FILE, code.as_bytes())?;
    write(NAMES_FILE, names.join("\n").as_bytes())?;
    let parameters = outcome.as_ref().map(names::parameters).unwrap_or_default();
    write(PARAMETERS_FILE, serde_json::json!(parameters).to_string().as_bytes())?;
    write(ERRORS_FILE, serde_json::Value::from(errors).to_string().as_bytes())
}

fn warnings(config: &Config, report: &Report) {
    let linked = report.left_out.iter().filter(|left_out| left_out.reason == LeftOutReason::Link);
    for message in
        compile::no_skills(config, report).into_iter().chain(linked.map(compile::linked_to_left_out))
    {
        println!("cargo::warning={}", render::escape(&message));
    }
    for finding in report.findings.iter().filter(|finding| finding.level == Level::Warn) {
        println!("cargo::warning={}", one_line(finding));
    }
}

/// Cargo's messages are one line each.
fn one_line(finding: &skills_source::finding::Finding) -> String {
    let line = render::concise(std::slice::from_ref(finding));
    format!("{} (help: {})", line.trim_end(), render::escape(&finding.help))
}

fn error(message: &str) {
    println!("cargo::error={}", render::escape(message));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_builds_in_a_root_is_left_out() {
        let package = tempfile::tempdir().expect("a temporary directory");
        let out_dir = package.path().join("b[u]ilt/debug/build/package-0123/out");
        fs::create_dir_all(&out_dir).expect("a directory");
        fs::create_dir_all(package.path().join("skills/one")).expect("a directory");
        fs::write(package.path().join("SKILL.md"), "---\nname: one\ndescription: x\n---\n").expect("a file");
        fs::write(out_dir.join("skills.text.0"), "an earlier build").expect("a file");
        let config = |root: &str| without_outputs(Config::new(root).base(package.path()), &out_dir);
        let generated = compile(&config(".").allow("L103"), None).expect("nothing is broken");
        let pack = generated.pack().expect("it fits");
        let files: Vec<&str> =
            pack.skills().flat_map(|skill| skill.files()).map(|file| file.path()).collect();
        assert_eq!(files, ["SKILL.md"]);
        // A root inside OUT_DIR is made by the build script itself.
        for root in ["skills", "b[u]ilt/debug/build/package-0123/out", "not-there"] {
            assert!(config(root).scan.ignore.is_empty(), "{root}");
        }
    }
}
