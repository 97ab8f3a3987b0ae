//! Opens a source: a directory, a repository on this machine, or one that is fetched.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use skills_bundle::lock::Digest;
use skills_source::scan::in_words;

use super::named::Tail;
use super::remote::{self, Listing, Resolved};
use super::trust::Trust;
use super::{
    Artifact, At, Commit, Content, Found, Home, MAX_BYTES, MAX_FILES, archive, directory, git, index,
    refused, too_much, web,
};
use crate::failure::Failure;

/// What is in a source.
#[derive(Debug)]
pub(crate) struct Source {
    /// The repository and its commit; none for plain files.
    pub(crate) commit: Option<Commit>,
    /// The version of the package that it is in.
    pub(crate) version: Option<String>,
    /// The skills, by their paths in the source.
    pub(crate) skills: Vec<Found>,
    reader: Reader,
}

#[derive(Debug)]
enum Reader {
    Git(git::Repository),
    Disk,
    /// All of it was read.
    Held,
    /// Each skill is downloaded when it is read.
    Index(Trust),
}

/// Opens the directory or repository at a path on disk, at `reference` if there is one.
pub(crate) fn open(path: &Path, reference: Option<&str>) -> Result<Source, Failure> {
    if let Some(repository) = git::Repository::at(path)? {
        let id = repository.commit_of(reference.unwrap_or("HEAD"))?;
        let skills = repository.skills(&id)?;
        let reference = reference.and_then(|wanted| repository.full_name(wanted));
        let commit = Commit { reference, id, repository: Home::Disk(repository.top()) };
        return Ok(Source::of_git(commit, skills, repository));
    }
    if let Some(reference) = reference {
        let message = format!("`{}` is not in a git repository, so it has no `{reference}`", path.display());
        return Err(refused(message, "leave out what is behind the `#`"));
    }
    Ok(Source { commit: None, version: None, skills: directory::skills(path)?, reader: Reader::Disk })
}

/// Opens a commit of a repository on this machine.
pub(crate) fn at(repository: git::Repository, id: String, path: &str) -> Result<Source, Failure> {
    let skills = repository.skills_below(path, &id)?;
    let commit = Commit { reference: None, id, repository: Home::Disk(repository.top()) };
    Ok(Source::of_git(commit, skills, repository))
}

/// Opens an archive on this machine that has this digest.
///
/// # Errors
///
/// If it can't be read, has another digest, or isn't taken.
pub(crate) fn archive_file(path: &Path, digest: Digest) -> Result<Source, Failure> {
    let shown = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let unreadable =
        |why: &str| refused(format!("`{shown}` cannot be read: {why}"), "give the file of an archive");
    let file = File::open(path).map_err(|error| unreadable(in_words(&error)))?;
    if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Err(unreadable("not a plain file"));
    }
    let mut bytes = Vec::new();
    let read = file.take(archive::MAX_ARCHIVE + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(in_words(&error)))?;
    Source::of_archive(&shown, &bytes, &Artifact { url: None, digest })
}

/// Downloads an archive that has this digest; also gives where it was redirected to.
///
/// # Errors
///
/// As for [`archive_file`].
pub(crate) fn archive_at(
    trust: &Trust,
    url: &str,
    digest: Digest,
) -> Result<(Source, Option<String>), Failure> {
    let download = web::get(trust, url, None, archive::MAX_ARCHIVE)?;
    let artifact = Artifact { url: Some(url.to_owned()), digest };
    let source = Source::of_archive(url, &download.bytes, &artifact)?;
    Ok((source, (download.url != url).then_some(download.url)))
}

/// Reads what a website says it has; also gives where it was redirected to.
///
/// # Errors
///
/// If it says nothing, or what isn't taken.
pub(crate) fn index(trust: &Trust, site: &str) -> Result<(Source, Option<String>), Failure> {
    let (skills, redirected) = index::skills(trust, site)?;
    let source = Source { commit: None, version: None, skills, reader: Reader::Index(trust.clone()) };
    Ok((source, redirected))
}

/// Asks a repository what it has, and fetches what is wanted of it.
///
/// # Errors
///
/// If it can't be reached, or lacks the branch, tag or commit.
pub(crate) fn ask(
    trust: &Trust,
    url: &str,
    tail: &Tail,
    reference: Option<&str>,
) -> Result<(Listing, Source), Failure> {
    let listing = list(trust, url)?;
    let (resolved, path) = match (tail, reference) {
        (Tail::Path(path), wanted) => {
            let resolved = listing.resolve(wanted).ok_or_else(|| listing.lacks(wanted.unwrap_or("HEAD")))?;
            (resolved, path.as_str())
        }
        (Tail::RefAndPath(_), Some(wanted)) => {
            let message = format!("the URL names a branch, and `#{wanted}` another");
            return Err(refused(message, "leave out one of them"));
        }
        (Tail::RefAndPath(both), None) => {
            let (resolved, path) = listing.split(both).ok_or_else(|| listing.lacks(both))?;
            (resolved, path)
        }
    };
    let source = fetch(&listing, url, &resolved, path)?;
    Ok((listing, source))
}

/// Asks a repository what it has, if it and the place that it redirects to are trusted.
pub(crate) fn list(trust: &Trust, url: &str) -> Result<Listing, Failure> {
    trust.permit(url)?;
    let listing = Listing::of(url)?;
    listing.redirected.as_deref().map_or(Ok(()), |to| trust.permit(to))?;
    Ok(listing)
}

/// Fetches a commit of a repository, and looks for the skills below a path in it.
pub(crate) fn fetch(
    listing: &Listing,
    url: &str,
    resolved: &Resolved,
    path: &str,
) -> Result<Source, Failure> {
    let repository = listing.fetch(resolved)?;
    let skills = repository.skills_below(path, &resolved.id)?;
    let Resolved { reference, id } = resolved.clone();
    let commit = Commit { reference, id, repository: Home::Url(url.to_owned()) };
    Ok(Source::of_git(commit, skills, repository))
}

impl Source {
    fn of_git(commit: Commit, skills: Vec<Found>, repository: git::Repository) -> Self {
        Self { commit: Some(commit), version: None, skills, reader: Reader::Git(repository) }
    }

    fn of_archive(shown: &str, bytes: &[u8], artifact: &Artifact) -> Result<Self, Failure> {
        archive::verify(shown, bytes, artifact.digest)?;
        let skills = archive::skills(shown, bytes, artifact)?;
        Ok(Self { commit: None, version: None, skills, reader: Reader::Held })
    }

    /// Skills in the directory of a package of this version.
    pub(super) fn of_crate(version: String, skills: Vec<Found>) -> Self {
        Self { commit: None, version: Some(version), skills, reader: Reader::Disk }
    }

    /// The same commit, under the full name of a branch or tag.
    pub(crate) fn named(mut self, reference: Option<String>) -> Self {
        if let Some(commit) = &mut self.commit {
            commit.reference = reference;
        }
        self
    }

    /// The files of a skill.
    pub(crate) fn read(&self, skill: &Found) -> Result<Vec<Content>, Failure> {
        if let Some((path, what)) = skill.others.first() {
            let place = if skill.path.is_empty() { &skill.dir_name } else { &skill.path };
            let message = format!("`{path}` of the skill `{place}` is {what}");
            return Err(refused(message, "a skill with symlinks or submodules is not taken"));
        }
        self.read_files(skill)
    }

    /// The files of a skill, also of one that isn't taken.
    pub(crate) fn read_files(&self, skill: &Found) -> Result<Vec<Content>, Failure> {
        if skill.files.len() > MAX_FILES {
            return Err(too_much(&skill.dir_name));
        }
        let contents = match &self.reader {
            Reader::Git(repository) => {
                if let Some(directory) = repository.without_contents() {
                    let objects = skill.files.iter().filter_map(|file| match &file.at {
                        At::Object(object) => Some(object.as_str()),
                        At::Disk(_) | At::Held(_) => None,
                    });
                    remote::fetch_objects(directory, objects)?;
                }
                repository.read(&skill.files, MAX_BYTES)?
            }
            Reader::Disk => directory::read(&skill.files, MAX_BYTES)?,
            Reader::Held => return super::held(skill),
            Reader::Index(trust) => {
                let artifact = skill.artifact.as_ref().ok_or_else(|| too_much(&skill.dir_name))?;
                return index::download(trust, &skill.dir_name, artifact);
            }
        };
        let files = skill.files.iter().zip(contents);
        Ok(files.map(|(file, bytes)| file.content(bytes)).collect())
    }

    /// The skill in this directory of the source, if it is one.
    pub(crate) fn skill_at(&self, path: &str) -> Result<Option<Found>, Failure> {
        if let Some(found) = self.skills.iter().find(|found| found.path == path) {
            return Ok(Some(found.clone()));
        }
        // It may be inside of another skill.
        match (&self.reader, &self.commit) {
            (Reader::Git(repository), Some(commit)) => {
                let below = repository.skills_below(path, &commit.id)?;
                Ok(below.into_iter().find(|found| found.path == path))
            }
            _ => Ok(None),
        }
    }

    /// The files on disk that differ from the commit, below the directory that was named.
    pub(crate) fn uncommitted(&self, skill: &Found, contents: &[Content]) -> Vec<String> {
        match &self.reader {
            Reader::Git(repository) => repository.uncommitted(skill, contents),
            Reader::Disk | Reader::Held | Reader::Index(_) => Vec::new(),
        }
    }
}
