//! Where the lock is: beside the workspace's Cargo.toml.

use std::path::{Path, PathBuf};

use skills_source::finding::Finding;

use super::LOCK_FILE;
use crate::manifest::{self, CargoSettings};
use crate::texts::Texts;

/// Where a lock is, or would be.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The directory: that of the lock, else the workspace's, the package's, or the one that was given.
    pub directory: PathBuf,
    /// The lock, if there is one.
    pub file: Option<PathBuf>,
    /// The path of the lock, also of one that isn't there, as seen from where it was looked for.
    pub shown: String,
    /// The patterns of files that are left out, from Cargo.toml.
    pub ignore: Vec<String>,
    /// The hosts from which skills may be taken, from `allow-host` in Cargo.toml.
    pub allow_hosts: Vec<String>,
    /// The owners from whom skills may be taken, as `HOST/OWNER`, from `allow-org` in Cargo.toml. Where both are
    /// empty, any may.
    pub allow_orgs: Vec<String>,
    /// What is wrong with the settings for skills in Cargo.toml.
    pub findings: Vec<Finding>,
}

/// Looks for the lock in `directory` and its parents, up to the first Cargo.toml with `[workspace]` and no
/// further. Above a package that is in no workspace nothing is looked at, and without a Cargo.toml only
/// `directory` itself.
pub fn find(directory: &Path) -> Place {
    let settings = manifest::read(directory, directory, &Texts::default());
    let CargoSettings { top, ignore, allow_hosts, allow_orgs, findings, .. } = settings;
    let file = within(directory, top.as_deref());
    let seen_from = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    let of_file = file.as_deref().and_then(Path::parent).map(Path::to_owned);
    let directory = of_file.or(top).unwrap_or_else(|| seen_from.clone());
    let shown = manifest::shown(&directory.join(LOCK_FILE), &seen_from);
    Place { directory, file, shown, ignore, allow_hosts, allow_orgs, findings }
}

/// The lock in `directory` or one of its parents, up to `top`; without one, in `directory` alone.
pub(crate) fn within(directory: &Path, top: Option<&Path>) -> Option<PathBuf> {
    let directory = directory.canonicalize().ok()?;
    let top = top.unwrap_or(&directory);
    let inside = directory.ancestors().take_while(|above| above.starts_with(top));
    inside.map(|above| above.join(LOCK_FILE)).find(|file| file.symlink_metadata().is_ok())
}
