//! What the proc macros expand to, as text.
//!
//! The macros themselves hold no logic: they turn these texts into tokens, and each error into a
//! `compile_error!` at the place that was written.

use std::path::Path;

use skills_core::nearest;
use skills_core::source::code::Level;

use crate::compile::compile;
use crate::config::Config;
use crate::{cargo, emit, render};

/// Errors to report, warnings to show, and the code that stands in the macro's place either way.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Expansion {
    /// One message for each error.
    pub errors: Vec<String>,
    /// One message for each warning.
    pub warnings: Vec<String>,
    /// Rust code; an empty bundle after errors, so that no other error follows.
    pub code: String,
}

impl Expansion {
    fn error(message: impl Into<String>, code: String) -> Self {
        Self { errors: vec![message.into()], warnings: Vec::new(), code }
    }
}

/// Of `bundle!()`: what the build script made.
pub fn bundle(krate: &str) -> Expansion {
    let stand_in = emit::empty_bundle(krate);
    match cargo::read_outputs() {
        Err(message) => Expansion::error(message, stand_in),
        Ok(outputs) if outputs.errors.is_empty() => {
            let code = outputs.code.replace(cargo::CRATE_PLACEHOLDER, krate);
            Expansion { code, ..Expansion::default() }
        }
        Ok(outputs) => Expansion { errors: outputs.errors, code: stand_in, ..Expansion::default() },
    }
}

/// Of `include_skills!("dir")`: the skills under `root`, relative to the package.
///
/// The blocks become literals, and every file is named in an `include_bytes!`, so that Cargo builds
/// again when one changes.
pub fn include_skills(krate: &str, root: &str) -> Expansion {
    let stand_in = emit::empty_bundle(krate);
    let package = match cargo::package_dir() {
        Ok(package) => package,
        Err(message) => return Expansion::error(message, stand_in),
    };
    let config = Config::new(root).base(&package).package(&package);
    let generated = match compile(&config, None) {
        Ok(generated) => generated,
        Err(report) => {
            let one = |level| report.findings.iter().filter(move |finding| finding.level == level).map(render::one);
            let code = format!("{{ {} {stand_in} }}", track(&package, root));
            return Expansion {
                errors: one(Level::Deny).collect(),
                warnings: one(Level::Warn).collect(),
                code,
            };
        }
    };
    let written = &generated.written;
    let code = emit::bundle(
        &generated,
        krate,
        &proc_macro2::Literal::string(&written.text).to_string(),
        &proc_macro2::Literal::byte_string(&written.bytes).to_string(),
        &proc_macro2::Literal::byte_string(&written.tables).to_string(),
    );
    Expansion {
        errors: Vec::new(),
        warnings: generated.report.findings.iter().map(render::one).collect(),
        code: format!("{{ {} {code} }}", track(&package, root)),
    }
}

/// Of `skill!("name")`: the name, checked against the skills of the package: those that the build
/// script compiled or, with a root, those under it.
pub fn skill(name: &str, root: Option<&str>) -> Expansion {
    let code = format!("{name:?}");
    let known = match root {
        None => cargo::read_outputs().map(|outputs| outputs.errors.is_empty().then_some(outputs.names)),
        Some(root) => cargo::package_dir().map(|package| {
            let names = compile(&Config::new(root).base(package), None).ok();
            names.map(|generated| generated.written.skill_names())
        }),
    };
    let names = match known {
        Err(message) => return Expansion::error(message, code),
        // The findings are reported where the bundle stands.
        Ok(None) => return Expansion { code, ..Expansion::default() },
        Ok(Some(names)) => names,
    };
    if names.iter().any(|known| known == name) {
        return Expansion { code, ..Expansion::default() };
    }
    let nearest = nearest::closest(name, names.iter().map(String::as_str));
    let help = match nearest.as_slice() {
        [] if names.is_empty() => "there are no skills".to_owned(),
        [] => format!("the skills are {}", names.iter().take(20).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
        [one, ..] => format!("did you mean `{one}`?"),
    };
    Expansion::error(format!("no skill is named `{name}`: {help}"), code)
}

/// Of `names!()`: a constant for each skill that the build script compiled.
pub fn names() -> Expansion {
    match cargo::read_outputs() {
        Err(message) => Expansion::error(message, String::new()),
        Ok(outputs) => {
            Expansion { code: emit::name_constants(outputs.names.iter().map(String::as_str)), ..Expansion::default() }
        }
    }
}

/// Names every file under the root, for Cargo to watch.
fn track(package: &Path, root: &str) -> String {
    let scan = skills_core::source::scan::scan(&package.join(root), root, &<_>::default());
    let files = scan.skills.iter().flat_map(|skill| &skill.files);
    files
        .filter_map(|file| file.disk.to_str())
        .map(|path| format!("const _: &[u8] = ::core::include_bytes!({path:?});"))
        .collect()
}
