//! What the user named as a source, as text: a path, a URL or a short form. Nothing is looked up on a network.
//!
//! A lock, too, names sources. It comes with a checkout, so it may name repositories, crates and websites, and never a path.

use std::path::{Path, PathBuf};

use skills_bundle::lock::Digest;

use super::{archive, refused, web};
use crate::failure::Failure;

/// A source as it was named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) place: Where,
    /// The branch, tag or commit behind the `#`.
    pub(crate) reference: Option<String>,
    /// The skill behind the `@` of a short form.
    pub(crate) skill: Option<String>,
    /// As typed, without a user's name and token.
    pub(crate) typed: String,
    /// Whether there was a user's name or token.
    pub(crate) had_credentials: bool,
}

/// Where a source is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Where {
    /// A directory, or a repository on this machine.
    Disk { path: PathBuf, is_url: bool },
    /// A repository that git fetches.
    Remote { url: String, tail: Tail },
    /// A directory in a package that this workspace depends on; an empty path is all of it.
    Crate { name: String, version: Option<String>, path: String },
    /// An archive with this digest, on this machine.
    ArchiveFile { path: PathBuf, is_url: bool, digest: Digest },
    /// An archive with this digest, at an https address.
    ArchiveAt { url: String, digest: Digest },
    /// A website that says which skills it has, without anything behind its host.
    Site { url: String },
}

/// What follows the repository in a URL or a short form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tail {
    /// A directory in the repository; empty for all of it.
    Path(String),
    /// A branch or tag, and perhaps a directory: only the repository knows where one ends.
    RefAndPath(String),
}

/// How the name of a crate begins, as a source.
pub(crate) const CRATE: &str = "crate:";

const FORMS: &str = "give a directory, OWNER/REPO, github:OWNER/REPO, gitlab:OWNER/REPO, https://…, ssh://…, git@HOST:PATH, crate:NAME/PATH or the file of an archive";

impl Named {
    /// Reads what was typed on the command line.
    ///
    /// # Errors
    ///
    /// What isn't a source, or has a protocol that isn't taken.
    pub(crate) fn typed(source: &str) -> Result<Self, Failure> {
        let (place, _) = split_reference(source);
        let path = place.strip_prefix("file://").or_else(|| place.strip_prefix("file:"));
        let is_there =
            Path::new(place).is_dir() || (archive::is_archive(place) && Path::new(place).is_file());
        let is_path = place.starts_with(['.', '/', '~']) || is_there;
        if path.is_none() && !is_path && !is_drive(place) {
            return Self::locked(source);
        }
        let (place, reference) = split_reference(source);
        let is_url = path.is_some();
        let path = PathBuf::from(path.unwrap_or(place));
        if archive::is_archive(place) && !path.is_dir() {
            let digest = digest_of(place, reference.as_deref())?;
            let place = Where::ArchiveFile { path, is_url, digest };
            return Ok(Self {
                place,
                reference: None,
                skill: None,
                typed: source.to_owned(),
                had_credentials: false,
            });
        }
        let place = Where::Disk { path, is_url };
        Ok(Self { place, reference, skill: None, typed: source.to_owned(), had_credentials: false })
    }

    /// Reads what a lock may name too: anything but a path.
    ///
    /// # Errors
    ///
    /// As [`typed`](Self::typed), and any path.
    pub(crate) fn locked(source: &str) -> Result<Self, Failure> {
        let (place, reference) = split_reference(source);
        let no_source = || {
            Failure::other(
                "SOURCE_NOT_FOUND",
                format!("`{place}` is neither a directory nor the address of a repository"),
                FORMS,
            )
        };
        if place.is_empty() || place.starts_with(['-', '.', '/', '~']) || place.contains(char::is_whitespace)
        {
            return Err(no_source());
        }
        if let Some(rest) = place.strip_prefix(CRATE) {
            let place = of_crate(rest).ok_or_else(no_source)?;
            if reference.is_some() {
                let help = "write crate:NAME@VERSION/PATH if there are several versions";
                return Err(refused("a crate has no branch or tag".to_owned(), help));
            }
            let typed = source.to_owned();
            return Ok(Self { place, reference, skill: None, typed, had_credentials: false });
        }
        let named = |url: String, tail: Tail, skill: Option<String>| Self {
            place: Where::Remote { url, tail },
            reference: reference.clone(),
            skill,
            typed: source.to_owned(),
            had_credentials: false,
        };
        if let Some((scheme, rest)) = place.split_once("://") {
            return match scheme {
                "https" => https(rest, source, reference.as_deref(), &named),
                "ssh" if has_password(rest) => {
                    Err(refused("a password in a URL is not taken".to_owned(), "let ssh ask, or use a key"))
                }
                "ssh" => Ok(named(place.to_owned(), Tail::Path(String::new()), None)),
                other => Err(refused(
                    format!("`{other}:` is not a protocol that is taken"),
                    "use https: or ssh:, which nobody on the way can change",
                )),
            };
        }
        for (prefix, host) in [("github:", "github.com"), ("gitlab:", "gitlab.com")] {
            if let Some(short) = place.strip_prefix(prefix) {
                return short_form(host, short, &named).ok_or_else(no_source);
            }
        }
        if let Some((host, path)) = place.split_once(':') {
            let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
            let is_scp = host.split_once('@').is_some_and(|(user, host)| {
                !user.is_empty()
                    && !host.is_empty()
                    && [user, host].iter().all(|part| part.chars().all(is_host))
            });
            if is_scp && !path.is_empty() && !path.starts_with([':', '-']) {
                return Ok(named(place.to_owned(), Tail::Path(String::new()), None));
            }
            return Err(refused(format!("`{host}:` is not a protocol that is taken"), FORMS));
        }
        short_form("github.com", place, &named).ok_or_else(no_source)
    }
}

/// Whether a text has all the digits of a commit.
pub(crate) fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A source, and what is behind the `#`.
fn split_reference(source: &str) -> (&str, Option<String>) {
    match source.rsplit_once('#') {
        Some((place, reference)) if !reference.is_empty() => (place, Some(reference.to_owned())),
        _ => (source, None),
    }
}

/// `NAME@VERSION/PATH`, of which only the name is needed.
fn of_crate(rest: &str) -> Option<Where> {
    let (package, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (name, version) = match package.split_once('@') {
        Some((name, version)) => (name, Some(version.to_owned())),
        None => (package, None),
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let is_name = !name.is_empty() && name.chars().all(is_plain);
    let is_version = version.as_ref().is_none_or(|version| {
        version.starts_with(|c: char| c.is_ascii_digit())
            && version.chars().all(|c| is_plain(c) || matches!(c, '.' | '+'))
    });
    let path = path.trim_end_matches('/').to_owned();
    let is_one = is_name && is_version && is_path(&path);
    is_one.then(|| Where::Crate { name: name.to_owned(), version, path })
}

/// `C:\…`: a path on Windows.
fn is_drive(place: &str) -> bool {
    cfg!(windows) && place.as_bytes().get(1) == Some(&b':')
}

type Made<'m> = &'m dyn Fn(String, Tail, Option<String>) -> Named;

/// `owner/repo`, with a path or a skill behind it.
fn short_form(host: &str, short: &str, named: Made<'_>) -> Option<Named> {
    let (short, skill) = match short.split_once('@') {
        Some((short, skill)) if !skill.is_empty() => (short, Some(skill.to_owned())),
        Some(_) => return None,
        None => (short, None),
    };
    let mut parts = short.splitn(3, '/');
    let (owner, repo, path) = (parts.next()?, parts.next()?, parts.next().unwrap_or_default());
    let repo = repo.strip_suffix(".git").unwrap_or(repo);
    if ![owner, repo].iter().all(|part| is_part(part)) || !is_path(path) {
        return None;
    }
    let path = path.trim_end_matches('/').to_owned();
    Some(named(format!("https://{host}/{owner}/{repo}.git"), Tail::Path(path), skill))
}

/// The digest behind the `#` of an archive, which is demanded.
fn digest_of(archive: &str, reference: Option<&str>) -> Result<Digest, Failure> {
    let help = "write `#sha256=` and 64 hexadecimal digits behind it, from somebody you trust";
    let Some(reference) = reference else {
        return Err(refused(format!("the archive `{archive}` is taken only with its digest"), help));
    };
    let digits = reference.strip_prefix("sha256=").map(str::to_ascii_lowercase);
    let digest = digits.and_then(|digits| format!("sha256:{digits}").parse().ok());
    digest.ok_or_else(|| refused(format!("`{reference}` is not the digest of an archive"), help))
}

/// What follows `https://`.
fn https(rest: &str, source: &str, reference: Option<&str>, named: Made<'_>) -> Result<Named, Failure> {
    let place = rest.split_once('#').map_or(rest, |(place, _)| place);
    let end = place.find('/').unwrap_or(place.len());
    let (authority, path) = place.split_at(end);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let path = path.trim_matches('/');
    let other = |what: &str| Err(refused(format!("{what} is not a source"), FORMS));
    if host.is_empty() {
        return other("a URL without a host");
    }
    if web::host_of(&format!("https://{host}")) != Some(host) || rest.matches('#').count() > 1 {
        return other("a URL with odd characters in its host, or with two `#`");
    }
    let had_credentials = host.len() != authority.len();
    let typed = source.replacen(&format!("://{authority}"), &format!("://{host}"), 1);
    if path.is_empty() && reference.is_some() {
        return other("a website with a branch, a tag or a digest");
    }
    let of_place =
        |place: Where| Named { place, reference: None, skill: None, typed: typed.clone(), had_credentials };
    if path.is_empty() {
        return Ok(of_place(Where::Site { url: format!("https://{host}") }));
    }
    if path.contains('?') || !is_path(path) {
        return other("a URL with `?`, `..` or an empty part");
    }
    if archive::is_archive(path) {
        let url = format!("https://{host}/{path}");
        let digest = digest_of(&url, reference)?;
        return Ok(of_place(Where::ArchiveAt { url, digest }));
    }
    if path.ends_with("SKILL.md") {
        return other("a single file");
    }
    let shown = |repo: &str| format!("https://{host}/{}.git", repo.strip_suffix(".git").unwrap_or(repo));
    let (url, tail) = if let Some((repo, tree)) = path.split_once("/-/tree/") {
        (shown(repo), Tail::RefAndPath(tree.to_owned()))
    } else if host == "github.com" {
        let parts: Vec<&str> = path.splitn(4, '/').collect();
        match parts[..] {
            [owner, repo] => (shown(&format!("{owner}/{repo}")), Tail::Path(String::new())),
            [owner, repo, "tree", tree] => {
                (shown(&format!("{owner}/{repo}")), Tail::RefAndPath(tree.to_owned()))
            }
            _ => return other("this page of GitHub"),
        }
    } else if host == "gitlab.com" {
        (shown(path), Tail::Path(String::new()))
    } else {
        (format!("https://{host}/{path}"), Tail::Path(String::new()))
    };
    Ok(Named { typed, had_credentials, ..named(url, tail, None) })
}

/// Whether a user's name in a URL has a password behind it.
fn has_password(rest: &str) -> bool {
    let authority = rest.split('/').next().unwrap_or_default();
    authority.rsplit_once('@').is_some_and(|(user, _)| user.contains(':'))
}

fn is_part(part: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !part.is_empty() && !part.starts_with(['-', '.']) && part.chars().all(is_plain)
}

/// Whether a path stays below where it begins.
fn is_path(path: &str) -> bool {
    let path = path.strip_suffix('/').unwrap_or(path);
    path.is_empty() || path.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.contains('\\'))
}

#[cfg(test)]
mod tests;
