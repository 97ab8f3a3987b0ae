//! What is served: the given roots in order, above the built-in skills.
//!
//! Broken skills in a root are reported and left out. Findings that only concern authors are left to `check`.

use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use skills::live::{LiveRegistry, Overlays, Root, Snapshot};
use skills::{ActionError, Audience, Registry, Toolset};
use skills_bundle::{Code, Finding, Level, render};
use skills_source::scan::{self, SKILL_FILE};

use crate::args::Global;
use crate::failure::Failure;
use crate::form::Form;
use crate::waiting::Waiting;
use crate::{STOCK, output};

/// The skills that are served.
#[derive(Debug)]
pub(crate) struct Served {
    live: LiveRegistry,
    snapshot: Arc<Snapshot>,
}

impl Served {
    /// Reads the roots and reports what is wrong with them.
    pub(crate) fn open(global: &Global) -> Result<Self, Failure> {
        // The user has just named the root, so a missing one is a mistake.
        Self::of(global, |_| true, true)
    }

    /// The same for a command that doesn't search.
    pub(crate) fn open_to_read(global: &Global) -> Result<Self, Failure> {
        Self::of(global, |_| true, false)
    }

    /// The same for a server: a missing root is reported and is empty until it appears.
    pub(crate) fn open_to_stay(global: &Global) -> Result<Self, Failure> {
        let must_be_found = |root: &Path| {
            let is_there = root.symlink_metadata().map_or_else(|error| error.kind() != NotFound, |_| true);
            if !is_there {
                let note =
                    format!("note: `{}` does not exist yet: it is served when it appears", shown(root));
                output::note(&format!("{}\n", render::escape(&note)));
            }
            is_there
        };
        Self::of(global, must_be_found, true)
    }

    fn of(global: &Global, must_be_found: impl Fn(&Path) -> bool, searchable: bool) -> Result<Self, Failure> {
        let overlays = if global.no_bundle { Overlays::without_bundle() } else { Overlays::over(&STOCK) };
        let overlays = overlays.audience(Audience::Everyone);
        let read = |root: &PathBuf| {
            Root::new(root).lenient(global.lenient).nested(global.nested).searchable(searchable)
        };
        let waiting = Waiting::on("reading skills");
        let live = global.root.iter().fold(overlays, |overlays, root| overlays.root(read(root))).open();
        drop(waiting);
        let snapshot = live.snapshot();
        let roots: Vec<String> = global.root.iter().map(|root| shown(root)).collect();
        let needed = global.root.iter().filter(|root| must_be_found(root));
        let missing = needed.filter_map(|root| scan::find_root(root, &shown(root)).err());
        let of_root = |finding: &Finding| finding.code == Code::E017 && roots.contains(&finding.path);
        let others = snapshot.findings().filter(|finding| !of_root(finding)).cloned();
        let (unreadable, findings) = split_unreadable(missing.map(|finding| *finding).chain(others), &roots);
        output::tell_findings(&findings);
        match Failure::unreadable(&unreadable) {
            Some(failure) if global.is_of_environment => {
                let (message, _) = failure.words();
                let help =
                    "the environment variable SKILLS_ROOT names it: correct or unset that, or give --root";
                Err(Failure::other("ROOT_UNREADABLE", message, help))
            }
            Some(failure) => Err(failure),
            None => Ok(Self { live, snapshot }),
        }
    }

    /// Whether all skills could be read: one that isn't there is gone.
    pub(crate) fn is_whole(&self) -> bool {
        self.findings().all(|finding| finding.level != Level::Deny)
    }

    /// The findings in the roots, by root.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.snapshot.findings()
    }

    /// The error of an action, in words that know which skills were left out for their errors.
    pub(crate) fn failure(&self, error: ActionError) -> Failure {
        let ActionError::SkillNotFound { name, .. } = &error else { return Failure::Action(error) };
        let ending = format!("/{name}/{SKILL_FILE}");
        let is_its = |finding: &&Finding| finding.level == Level::Deny && finding.path.ends_with(&ending);
        match self.findings().find(is_its) {
            None if Path::new("skills").join(name).join(SKILL_FILE).is_file() => Failure::not_found(
                "SKILL_NOT_FOUND",
                format!("no skill is named `{name}`"),
                format!("`skills/{name}` is one: add `--root skills`"),
            ),
            None => Failure::Action(error),
            Some(finding) => Failure::not_found(
                "SKILL_NOT_FOUND",
                format!("`{}` has errors, so no skill is named `{name}`", finding.path),
                "correct what is reported above; `skills check` shows all of it",
            ),
        }
    }

    /// Reports the files of this skill that aren't served, such as a symlink that leads out of the root.
    pub(crate) fn tell_findings_of_files(&self, name: &str) {
        output::tell_findings(self.snapshot.file_findings(name));
    }

    /// The registry, for an audience that sees everything.
    pub(crate) fn registry(&self) -> Registry<'_> {
        self.snapshot.registry()
    }

    /// The same with tips for who reads the answer: for people they name commands, in a document a model's tools.
    pub(crate) fn registry_for(&self, form: Form) -> Registry<'_> {
        match form {
            Form::Text => self.registry().with_toolset(Toolset::Commands),
            Form::Json => self.registry(),
        }
    }

    /// The skills that are hidden by others with the same name, with both places.
    pub(crate) fn shadowed_json(&self) -> Value {
        let hidden = self.snapshot.shadowed().into_iter().map(|hidden| {
            json!({
                "name": hidden.name,
                "path": hidden.path,
                "origin": hidden.origin,
                "by_path": hidden.by_path,
                "by_origin": hidden.by_origin,
            })
        });
        hidden.collect()
    }

    /// One line for each skill and slash command that is hidden by another with the same name.
    pub(crate) fn shadowed(&self) -> String {
        let name = |origin: &str| if origin == "bundle" { "this program" } else { origin }.to_owned();
        let mut notes = String::new();
        for hidden in self.snapshot.shadowed() {
            let (origin, by) = (name(&hidden.origin), name(&hidden.by_origin));
            let note = format!("note: `{0}` of {origin} is hidden by `{0}` of {by}", hidden.name);
            notes.push_str(&render::escape(&note));
            notes.push('\n');
        }
        notes
    }

    /// The registry that can refresh.
    pub(crate) fn into_live(self) -> LiveRegistry {
        self.live
    }
}

/// A path as it is printed and recorded.
pub(crate) fn shown(root: &Path) -> String {
    skills_bundle::compile::label(root)
}

/// Splits the findings into those on roots that can't be read at all, and the others.
pub(crate) fn split_unreadable(
    findings: impl Iterator<Item = Finding>,
    roots: &[impl AsRef<str>],
) -> (Vec<Finding>, Vec<Finding>) {
    findings.partition(|finding| {
        finding.code == Code::E017 && roots.iter().any(|root| root.as_ref() == finding.path)
    })
}
