//! What the proc macros expand to, as text.
//!
//! The macros themselves hold no logic: they turn these texts into tokens, and each error into a
//! `compile_error!` at the place that was written. In the code the crate `skills` is `__skills`: the
//! macros put a `use` before it, so that a path with `$crate` in it works too.

use std::path::Path;

use proc_macro2::Literal;
use skills_pack::nearest;
use skills_pack::text::{AndMore, Joined, Quoted};
use skills_source::code::Level;
use skills_source::scan::LeftOutReason;

use crate::compile::{self, Report, compile};
use crate::config::Config;
use crate::emit::{self, Piece};
use crate::names::{self, Named};
use crate::{cargo, lock, raw, render};

/// Errors to report, warnings to show, and the code that takes the macro's place either way.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Expansion {
    /// One message for each error.
    pub errors: Vec<String>,
    /// One message for each warning.
    pub warnings: Vec<String>,
    /// One message for each error that is only a warning where debug assertions are on.
    pub errors_in_release: Vec<String>,
    /// Rust code; an empty bundle after errors, so that no other error follows.
    pub code: String,
}

impl Expansion {
    fn of(code: String) -> Self {
        Self { code, ..Self::default() }
    }

    fn error(message: impl Into<String>, code: String) -> Self {
        Self { errors: vec![message.into()], ..Self::of(code) }
    }
}

/// Of `bundle!()`: what the build script made.
pub fn bundle() -> Expansion {
    match cargo::read_outputs() {
        Err(message) => Expansion::error(message, emit::empty_bundle()),
        Ok(outputs) => Expansion { errors: outputs.errors, ..Expansion::of(outputs.code) },
    }
}

/// Of `include_skills!("dir")`: the skills under `root`, relative to the package.
///
/// The blocks become literals, and every file is named in an `include_bytes!`, so that Cargo builds
/// again when one changes. After errors it builds again anyway.
pub fn include_skills(root: &str) -> Expansion {
    let package = match cargo::package_dir() {
        Ok(package) => package,
        Err(message) => return Expansion::error(message, emit::empty_bundle()),
    };
    let config = Config::new(root).base(&package).package(&package).cargo_settings(&package);
    // The code decides by itself: a macro isn't told with which profile it is compiled.
    let config = config.debug_assertions(true);
    match compile(&config, None) {
        Ok(generated) => {
            let written = &generated.written;
            let bundle = emit::bundle(
                &generated,
                written.texts.iter().map(|text| text_piece(text)),
                written.bytes.iter().map(|bytes| match bytes.as_slice() {
                    [] => Piece::Empty,
                    bytes => Piece::Of(Literal::byte_string(bytes).to_string()),
                }),
                &Literal::byte_string(&written.tables).to_string(),
                generated
                    .lock
                    .as_deref()
                    .map(|text| Literal::byte_string(&lock::block(text)).to_string())
                    .as_deref(),
            );
            let code = format!("{{ {} {bundle} }}", watch_all(&config, &package.join(root)));
            let linked = generated.report.left_out.iter().filter(|left| left.reason == LeftOutReason::Link);
            let (in_release, others): (Vec<_>, Vec<_>) = generated
                .report
                .findings
                .iter()
                .filter(|finding| finding.level == Level::Warn)
                .partition(|finding| generated.report.denied_in_release.contains(finding));
            let errors_in_release = in_release.into_iter().map(render::one).collect();
            let mut warnings: Vec<String> = others.into_iter().map(render::one).collect();
            warnings.extend(compile::no_skills(&config, &generated.report));
            warnings.extend(linked.map(compile::linked_to_left_out));
            Expansion { warnings, errors_in_release, ..Expansion::of(code) }
        }
        Err(report) => Expansion {
            errors: messages(&report, Level::Deny),
            warnings: messages(&report, Level::Warn),
            ..Expansion::of(emit::empty_bundle())
        },
    }
}

fn text_piece(text: &str) -> Piece {
    match raw::quotes(text) {
        _ if text.is_empty() => Piece::Empty,
        Some((before, after)) => Piece::Of(format!("{before}{text}{after}")),
        None => Piece::Of(Literal::string(text).to_string()),
    }
}

/// Of `skill!("name")`: the name, checked against the skills that the build script compiled.
pub fn skill(name: &str) -> Expansion {
    let code = format!("{name:?}");
    match cargo::read_outputs() {
        Err(message) => {
            let help = format!(
                "with `include_skills!`, name its directory here too: `skill!({name:?} in \"skills\")`"
            );
            Expansion::error(format!("{message}\n = help: {help}"), code)
        }
        Ok(outputs) if outputs.names.iter().any(|known| known == name) => Expansion::of(code),
        // It may be the name of one that is broken, which is reported at the bundle.
        Ok(outputs) if !outputs.errors.is_empty() => Expansion::of(code),
        Ok(outputs) => {
            Expansion::error(no_skill(name, outputs.names.iter().map(String::as_str), "this package"), code)
        }
    }
}

/// Of `skill!("name" in "dir")`: the name, checked against the skills under `root`.
pub fn skill_in(name: &str, root: &str) -> Expansion {
    match cargo::package_dir() {
        Ok(package) => named(name, root, &package).1,
        Err(message) => Expansion::error(message, format!("{name:?}")),
    }
}

/// The skill of this name under `root`, relative to the package, and what the name expands to.
fn named(name: &str, root: &str, package: &Path) -> (Option<Named>, Expansion) {
    let code = format!("{name:?}");
    let mut skills = names::under(&Config::new(root).base(package).cargo_settings(package));
    if let Some(at) = skills.iter().position(|known| known.name == name) {
        let found = skills.swap_remove(at);
        let code = format!("{{ {} {code} }}", watch(&found.file));
        return (Some(found), Expansion::of(code));
    }
    // It may be the name of one that is broken, which is reported where the skills are included.
    if skills.iter().any(|known| !known.is_read) {
        return (None, Expansion::of(code));
    }
    let known = skills.iter().map(|known| known.name.as_str());
    (None, Expansion::error(no_skill(name, known, &format!("`{root}`")), code))
}

/// Of `#[handler(skill = "name")]` and `"name" in "root"`: an expression of type `Option<&str>`, the
/// `parameters` of the SKILL.md. The name is checked as that of `skill!` is.
pub fn handler_skill(name: &str, root: Option<&str>) -> Expansion {
    let literal = |parameters: Option<&String>| match parameters {
        Some(json) => format!("::core::option::Option::Some({})", Literal::string(json)),
        None => "::core::option::Option::None".to_owned(),
    };
    match root {
        None => {
            let parameters = cargo::read_outputs().map(|outputs| outputs.parameters).unwrap_or_default();
            Expansion { code: literal(parameters.get(name)), ..skill(name) }
        }
        Some(root) => match cargo::package_dir() {
            Ok(package) => {
                let (found, checked) = named(name, root, &package);
                let watched = found.as_ref().map_or_else(String::new, |found| watch(&found.file));
                let parameters = literal(found.as_ref().and_then(|found| found.parameters.as_ref()));
                Expansion { code: format!("{{ {watched} {parameters} }}"), ..checked }
            }
            Err(message) => Expansion::error(message, literal(None)),
        },
    }
}

/// Of `timeout = "10s"` in `#[handler]`: milliseconds, from a whole number and `ms`, `s` or `m`.
///
/// # Errors
///
/// What to write instead.
pub fn milliseconds(text: &str) -> Result<u64, String> {
    let split = text.trim().find(|c: char| !c.is_ascii_digit()).unwrap_or(text.trim().len());
    let (number, unit) = text.trim().split_at(split);
    let factor = match unit.trim() {
        "ms" => Some(1),
        "s" => Some(1_000),
        "m" => Some(60_000),
        _ => None,
    };
    let number = number.parse::<u64>().ok().filter(|number| *number > 0);
    number
        .zip(factor)
        .and_then(|(number, factor)| number.checked_mul(factor))
        .ok_or_else(|| "write a whole number above 0 and `ms`, `s` or `m`, such as `\"10s\"`".to_owned())
}

/// Of `examples = […]` in `#[handler]`: whether a string is a JSON object.
///
/// # Errors
///
/// What is wrong with it.
pub fn is_object(json: &str) -> Result<(), String> {
    match serde_json::from_str::<serde_json::Value>(json) {
        Ok(serde_json::Value::Object(_)) => Ok(()),
        Ok(_) => Err("an example must be a JSON object, such as `r#\"{\"path\": \"a.txt\"}\"#`".to_owned()),
        Err(error) => Err(format!("an example must be JSON: {error}")),
    }
}

/// Of `names!()`: a constant for each skill that the build script compiled.
pub fn names() -> Expansion {
    match cargo::read_outputs() {
        Err(message) => Expansion::error(message, String::new()),
        Ok(outputs) => Expansion::of(names::constants(outputs.names.iter().map(String::as_str))),
    }
}

/// How many names an error gives where none is close.
const NAMES_SHOWN: usize = 20;

fn no_skill<'n>(name: &str, known: impl Iterator<Item = &'n str> + Clone, place: &str) -> String {
    let count = known.clone().count();
    let help = match nearest::question(name, known.clone()) {
        Some(question) => question,
        None if count == 0 => format!("there are no skills in {place}"),
        None => {
            let shown = Joined(known.take(NAMES_SHOWN).map(Quoted), ", ");
            format!("the skills are {shown}{}", AndMore(count.saturating_sub(NAMES_SHOWN)))
        }
    };
    format!("no skill is named `{name}`: {help}")
}

fn messages(report: &Report, level: Level) -> Vec<String> {
    report.findings.iter().filter(|finding| finding.level == level).map(render::one).collect()
}

/// Names every file under the root, and those with the settings, for Cargo to watch.
fn watch_all(config: &Config, root: &Path) -> String {
    let settings = config.settings();
    let scan = skills_source::scan::scan(root, "", &settings.scan);
    let of_skills = scan.skills.iter().flat_map(|skill| &skill.files);
    let of_commands = scan.commands.definitions.iter().chain(&scan.commands.templates);
    let files = of_skills.chain(of_commands).map(|file| &file.disk);
    files.chain(&settings.files).map(|file| watch(file)).collect()
}

/// Names a file for Cargo to watch. The constant has no name, so nothing of it is in the program.
fn watch(file: &Path) -> String {
    file.to_str()
        .map_or_else(String::new, |file| format!("const _: &[u8] = ::core::include_bytes!({file:?});"))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the tests make their own files")]
mod tests {
    use std::fs;

    use super::*;

    /// What Cargo.toml leaves out has no part in what a name means.
    #[test]
    fn a_handler_is_bound_by_the_settings_of_the_package() {
        let package = tempfile::tempdir().expect("a directory");
        let write = |path: &str, text: &str| {
            let path = package.path().join(path);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
            fs::write(path, text).expect("a file");
        };
        let skill = |kind: &str| {
            format!("---\nname: pay\ndescription: Pays\nparameters: {{type: object, title: {kind}}}\n---\n")
        };
        write("Cargo.toml", "[package.metadata.skills]\nignore = [\"drafts\"]\n");
        write("skills/drafts/pay/SKILL.md", &skill("draft"));
        write("skills/pay/SKILL.md", &skill("good"));
        let (found, expansion) = named("pay", "skills", package.path());
        assert!(expansion.errors.is_empty());
        let parameters = found.and_then(|found| found.parameters).expect("it has some");
        assert!(parameters.contains("good"), "{parameters}");
        let (found, expansion) = named("pai", "skills", package.path());
        assert!(found.is_none() && expansion.errors[0].contains("did you mean `pay`?"), "{expansion:?}");
    }
}
