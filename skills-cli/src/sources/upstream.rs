//! What the sources in a lock have now. Each repository is asked once, and fetched only where a commit changed.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use skills_bundle::lock::{Digest, LockedSkill, digest};

use super::named::{Named, Tail, Where};
use super::open::{self, Source};
use super::remote::{Listing, Resolved};
use super::trust::Trust;
use super::{Artifact, Content, Found, crates, index};
use crate::failure::Failure;

/// The fewest digits by which a commit is recognised.
const FEWEST_DIGITS: usize = 7;

/// The sources that were asked.
#[derive(Debug)]
pub(crate) struct Sources {
    /// The directory of the lock, whose workspace has the crates.
    directory: PathBuf,
    listings: BTreeMap<String, Result<Listing, String>>,
    opened: BTreeMap<Key, Source>,
}

/// A repository and a commit; of a crate or a website the source, and nothing.
pub(crate) type Key = (String, String);

/// What a locked skill is where it comes from.
#[derive(Debug)]
pub(crate) enum Upstream {
    /// The branch or tag is at the locked commit.
    Same,
    /// It is locked to a commit, or to the digest of an archive.
    Pinned,
    /// It comes from a directory, or from a place that isn't followed; in words.
    NotLookedAt(String),
    /// The repository can't be read; in words.
    Unreachable(String),
    /// The branch or tag is gone.
    ReferenceGone,
    /// The source has no such skill any more: why, and the commit that it has now.
    Removed(String, Option<String>),
    /// The commit changed.
    Moved(Key, Found, Resolved),
    /// The files changed, of a source that has no commits; in words.
    Changed(Key, Found, String),
}

impl Sources {
    pub(crate) fn new(directory: &Path) -> Self {
        Self { directory: directory.to_owned(), listings: BTreeMap::new(), opened: BTreeMap::new() }
    }

    /// Looks where a skill comes from.
    ///
    /// # Errors
    ///
    /// If what was fetched can't be read.
    pub(crate) fn look(&mut self, trust: &Trust, locked: &LockedSkill) -> Result<Upstream, Failure> {
        if let Some(named) = without_commits(locked) {
            return self.look_at(trust, &named, locked);
        }
        if locked.artifact.is_some() && locked.commit.is_none() {
            return Ok(Upstream::Pinned);
        }
        let (Some(url), Some(commit)) = (&locked.url, &locked.commit) else {
            let why = "it comes from a directory, whose path a lock doesn't follow: `skills update NAME --from DIR --allow-outside` looks there";
            return Ok(Upstream::NotLookedAt(why.to_owned()));
        };
        let Some(url) = followed(url) else {
            let why =
                format!("`{url}` is not followed from a lock: `skills update NAME --from URL` looks there");
            return Ok(Upstream::NotLookedAt(why));
        };
        if is_pinned(locked, commit) {
            return Ok(Upstream::Pinned);
        }
        let listing = match self.listing(trust, &url) {
            Ok(listing) => listing,
            Err(why) => return Ok(Upstream::Unreachable(why.clone())),
        };
        let Some(resolved) = listing.resolve(locked.reference.as_deref()) else {
            return Ok(Upstream::ReferenceGone);
        };
        if resolved.id == *commit {
            return Ok(Upstream::Same);
        }
        let key = (url.clone(), resolved.id.clone());
        if !self.opened.contains_key(&key) {
            let Some(Ok(listing)) = self.listings.get(&url) else { return Ok(Upstream::ReferenceGone) };
            let source = match open::fetch(listing, &url, &resolved, "") {
                Ok(source) => source,
                Err(failure) => return Ok(Upstream::Unreachable(failure.words().0)),
            };
            self.opened.insert(key.clone(), source);
        }
        let path = locked.path.as_deref().unwrap_or_default();
        let found = match self.opened.get(&key) {
            Some(source) => source.skill_at(path)?,
            None => None,
        };
        let gone = "the repository has no such skill any more".to_owned();
        Ok(match found {
            Some(found) => Upstream::Moved(key, found, resolved),
            None => Upstream::Removed(gone, Some(resolved.id)),
        })
    }

    /// Looks at a source that has no commits: the digest says whether it changed.
    fn look_at(&mut self, trust: &Trust, named: &Named, locked: &LockedSkill) -> Result<Upstream, Failure> {
        let key = (locked.source.clone(), String::new());
        if !self.opened.contains_key(&key) {
            match self.open(trust, named) {
                Ok(source) => drop(self.opened.insert(key.clone(), source)),
                Err(Failure::Other { code: crates::NO_SUCH_CRATE, message, .. }) => {
                    return Ok(Upstream::Removed(message, None));
                }
                Err(failure) => return Ok(Upstream::Unreachable(failure.words().0)),
            }
        }
        let Some(source) = self.opened.get(&key) else { return Ok(Upstream::Same) };
        let Some(found) = source.skill_at(locked.path.as_deref().unwrap_or_default())? else {
            let place = if source.version.is_some() { "package" } else { "website" };
            return Ok(Upstream::Removed(format!("the {place} has no such skill any more"), None));
        };
        if let Some(artifact) = &found.artifact {
            if locked.artifact == Some(artifact.digest) {
                return Ok(Upstream::Same);
            }
            let why = format!("the website has another one, with the digest {}", artifact.digest);
            return Ok(Upstream::Changed(key, found, why));
        }
        if has_digest(&source.read_files(&found)?, locked) {
            return Ok(Upstream::Same);
        }
        let version = source.version.as_deref().unwrap_or_default();
        let why = match &locked.reference {
            Some(old) if old != version => format!("the package is {version} now, before {old}"),
            _ => format!("the files of the package {version} are others now"),
        };
        Ok(Upstream::Changed(key, found, why))
    }

    fn open(&self, trust: &Trust, named: &Named) -> Result<Source, Failure> {
        match &named.place {
            Where::Site { url } => Ok(open::index(trust, url)?.0),
            Where::Crate { name, version, path } => {
                crates::open(&self.directory, name, version.as_deref(), path)
            }
            _ => Err(super::refused(
                format!("`{}` is not followed from a lock", named.typed),
                "`skills update --from` looks there",
            )),
        }
    }

    /// The files of a skill as they are locked, from its source.
    ///
    /// # Errors
    ///
    /// Why they can't be had, in words.
    pub(crate) fn locked_files(
        &mut self,
        trust: &Trust,
        locked: &LockedSkill,
    ) -> Result<Vec<Content>, String> {
        let words = |failure: Failure| failure.words().0;
        if let (Some(artifact), None) = (locked.artifact, &locked.commit) {
            return from_artifact(trust, locked, artifact).map_err(words);
        }
        if let Some(named) = without_commits(locked) {
            let source = self.open(trust, &named).map_err(words)?;
            let found = source.skill_at(locked.path.as_deref().unwrap_or_default()).map_err(words)?;
            let found = found.ok_or_else(|| "it has no such skill any more".to_owned())?;
            let files = source.read_files(&found).map_err(words)?;
            return if has_digest(&files, locked) { Ok(files) } else { Err("it has others now".to_owned()) };
        }
        let (Some(url), Some(commit)) = (&locked.url, &locked.commit) else {
            return Err("it comes from a directory, which a lock cannot name".to_owned());
        };
        let url = followed(url).ok_or_else(|| format!("`{url}` is not followed from a lock"))?;
        let key = (url.clone(), commit.clone());
        if !self.opened.contains_key(&key) {
            let listing = self.listing(trust, &url).map_err(String::clone)?;
            let resolved = Resolved { reference: None, id: commit.clone() };
            let source = open::fetch(listing, &url, &resolved, "").map_err(words)?;
            self.opened.insert(key.clone(), source);
        }
        let gone = || "the repository has no such skill at that commit".to_owned();
        let source = self.opened.get(&key).ok_or_else(gone)?;
        let found = source.skill_at(locked.path.as_deref().unwrap_or_default()).map_err(words)?;
        source.read_files(&found.ok_or_else(gone)?).map_err(words)
    }

    /// Where a skill's repository is now, if it sent git elsewhere.
    pub(crate) fn redirected(&self, locked: &LockedSkill) -> Option<&str> {
        let listing = self.listings.get(locked.url.as_ref()?)?.as_ref().ok()?;
        listing.redirected.as_deref()
    }

    /// What was fetched.
    pub(crate) fn source(&self, key: &Key) -> Option<&Source> {
        self.opened.get(key)
    }

    fn listing(&mut self, trust: &Trust, url: &str) -> Result<&Listing, &String> {
        let listing = match self.listings.entry(url.to_owned()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(open::list(trust, url).map_err(|failure| failure.words().0)),
        };
        listing.as_ref()
    }
}

/// The source of a skill that is followed from a lock, and has no commits.
fn without_commits(locked: &LockedSkill) -> Option<Named> {
    let named = Named::locked(&locked.source).ok().filter(|_| locked.commit.is_none())?;
    matches!(named.place, Where::Crate { .. } | Where::Site { .. }).then_some(named)
}

/// The files of a skill in what was downloaded, downloaded again.
fn from_artifact(trust: &Trust, locked: &LockedSkill, digest: Digest) -> Result<Vec<Content>, Failure> {
    let from_file =
        || super::refused("it comes from a file, whose path a lock cannot name".to_owned(), "name it");
    let url = locked.url.clone().ok_or_else(from_file)?;
    let path = locked.path.as_deref().unwrap_or_default();
    if without_commits(locked).is_some() {
        return index::download(trust, path, &Artifact { url: Some(url), digest });
    }
    let (source, _) = open::archive_at(trust, &url, digest)?;
    let found = source.skill_at(path)?;
    let gone = || super::refused("the archive has no such skill".to_owned(), "look at the archive");
    source.read_files(&found.ok_or_else(gone)?)
}

fn has_digest(files: &[Content], locked: &LockedSkill) -> bool {
    digest(files.iter().map(|content| &content.line)) == locked.digest
}

/// The repository that a lock names, if it is one on a network.
fn followed(url: &str) -> Option<String> {
    match Named::locked(url) {
        Ok(Named { place: Where::Remote { url, tail: Tail::Path(path) }, .. }) if path.is_empty() => {
            Some(url)
        }
        _ => None,
    }
}

/// Whether a skill's source names its commit.
fn is_pinned(locked: &LockedSkill, commit: &str) -> bool {
    let named = locked.source.rsplit_once('#').map_or("", |(_, reference)| reference).to_ascii_lowercase();
    locked.reference.is_none() && named.len() >= FEWEST_DIGITS && commit.starts_with(&named)
}
