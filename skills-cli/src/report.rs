//! The command `report`: everything about the skills of a directory or a program. It writes only the files that it is
//! told to.
//!
//! `gather` reads the disk, the lock, the reviews or the program. What is in a report, and how it is rendered, is in
//! `skills-bundle`.

use std::io::{self, Write as _};
use std::path::Path;

use skills_bundle::overview::{Overview, render};
use skills_pack::text::{counted, visible_json};
use skills_source::scan;

use crate::args::{Bill, Global, Report as Args};
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::output::{self, Outcome};

mod gather;

pub(crate) fn run(global: &Global, args: &Args, form: Form) -> Result<Outcome, Failure> {
    let prints_bill = args.sbom.is_some() && args.output.is_none();
    if prints_bill && form == Form::Json {
        let message = "`--sbom` and `--json` both write to stdout".to_owned();
        return Err(Failure::usage(message, "write the bill of materials to a file with --output"));
    }
    let overview = gather::of(global, &args.path, form)?;
    let exit = if overview.totals().denied > 0 { Exit::Nothing } else { Exit::Success };
    if let Some(file) = &args.html {
        write(file, &render::html(&overview))?;
    }
    let bill = args.sbom.map(|Bill::CycloneDx| render::cyclonedx(&overview, env!("CARGO_PKG_VERSION")));
    if let (Some(bill), Some(file)) = (&bill, &args.output) {
        write(file, &(visible_json(&format!("{bill:#}")) + "\n"))?;
    }
    match (bill, form) {
        (Some(bill), Form::Text) if prints_bill => Outcome::document(&bill, exit),
        (_, Form::Json) => Outcome::document(&render::json(&overview), exit),
        (_, Form::Text) if args.html.is_some() || args.output.is_some() => {
            tell_written(args, &overview);
            Ok(Outcome::silent(exit))
        }
        _ => Ok(Outcome::lines(&render::text(&overview), exit)),
    }
}

fn tell_written(args: &Args, overview: &Overview) {
    for file in [&args.html, &args.output].into_iter().flatten() {
        let skills = counted(overview.skills.len(), "skill");
        let line = format!("wrote {} ({skills})", file.display());
        output::note(&format!("{}\n", skills_bundle::render::escape(&line)));
    }
    let denied = overview.totals().denied;
    if denied > 0 {
        output::tell(&format!(
            "skills: {} in these skills; `skills check` shows each\n",
            counted(denied, "error")
        ));
    }
}

/// Replaces a file as a whole, so that nobody reads half of one.
#[allow(clippy::disallowed_methods, reason = "it is no file of a skill")]
fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: &io::Error| {
        let message = format!("`{}` cannot be written: {}", file.display(), scan::in_words(error));
        Failure::other("IO", message, "name a file in a directory that exists and that you may write to")
    };
    if file.is_dir() {
        return Err(failed(&io::ErrorKind::IsADirectory.into()));
    }
    // A device or a pipe isn't replaced.
    if file.exists() && !file.is_file() {
        return std::fs::write(file, text).map_err(|error| failed(&error));
    }
    let directory = file.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
    let mut written = tempfile::Builder::new()
        .prefix(".skills-report-")
        .tempfile_in(directory)
        .map_err(|error| failed(&error))?;
    written.write_all(text.as_bytes()).map_err(|error| failed(&error))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let readable = std::fs::Permissions::from_mode(0o644);
        written.as_file().set_permissions(readable).map_err(|error| failed(&error))?;
    }
    written.persist(file).map_err(|error| failed(&error.error))?;
    Ok(())
}
