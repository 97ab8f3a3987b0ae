//! Repositories on a network, by the system's git: what they have is listed, and one commit is fetched.
//!
//! Only https and ssh are spoken, also after a redirect. A commit comes without its history and without the
//! contents of files; those of a skill are then asked for together. Nothing is checked out, so no filter, no
//! hook, no submodule and no LFS object has a part in it.

use std::fs::File;
use std::io::{self, Seek as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::git::{self, Repository};
use super::named::is_commit;
use super::refused;
use crate::failure::Failure;
use crate::waiting::Waiting;

/// The branches and tags of a repository.
#[derive(Debug)]
pub(crate) struct Listing {
    url: String,
    /// Full names with their commits.
    refs: Vec<(String, String)>,
    /// The commit of the default branch.
    head: Option<String>,
    /// Where the repository is now, if it sent git elsewhere.
    pub(crate) redirected: Option<String>,
}

/// What a branch, a tag or nothing stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resolved {
    /// The full name; none for the default branch, and for a commit.
    pub(crate) reference: Option<String>,
    pub(crate) id: String,
}

impl Listing {
    /// Asks a repository, once.
    ///
    /// # Errors
    ///
    /// What git says, if it can't be reached or refuses.
    pub(crate) fn of(url: &str) -> Result<Self, Failure> {
        let _waiting = waiting(url);
        let output = over_network(None)
            .args(["ls-remote", "--end-of-options", url])
            .output()
            .map_err(|error| git::not_run(&error))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            return Err(unreachable(url, &said));
        }
        let redirected = said
            .lines()
            .find_map(|line| line.strip_prefix("warning: redirecting to "))
            .map(|to| to.trim().trim_end_matches('/').to_owned());
        let listing = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(Self::read(url, &listing, redirected))
    }

    fn read(url: &str, listing: &str, redirected: Option<String>) -> Self {
        let mut read = Self { url: url.to_owned(), refs: Vec::new(), head: None, redirected };
        for line in listing.lines() {
            let Some((id, name)) = line.split_once('\t').filter(|(id, _)| is_commit(id)) else { continue };
            match name.strip_suffix("^{}") {
                // The commit of the tag just before it.
                Some(tag) => {
                    read.refs
                        .iter_mut()
                        .filter(|(name, _)| name == tag)
                        .for_each(|(_, of)| id.clone_into(of));
                }
                None if name == "HEAD" => read.head = Some(id.to_owned()),
                None => read.refs.push((name.to_owned(), id.to_owned())),
            }
        }
        read
    }

    /// What a name stands for: a tag before a branch, as for git; the default branch without a name.
    pub(crate) fn resolve(&self, wanted: Option<&str>) -> Option<Resolved> {
        let Some(wanted) = wanted else {
            return Some(Resolved { reference: None, id: self.head.clone()? });
        };
        if is_commit(wanted) {
            return Some(Resolved { reference: None, id: wanted.to_ascii_lowercase() });
        }
        let names = [wanted.to_owned(), format!("refs/tags/{wanted}"), format!("refs/heads/{wanted}")];
        let found = names.iter().find_map(|name| self.refs.iter().find(|(known, _)| known == name));
        found.map(|(name, id)| Resolved { reference: Some(name.clone()), id: id.clone() })
    }

    /// The branch or tag that a text begins with, and the path behind it. The longest name wins.
    pub(crate) fn split<'t>(&self, text: &'t str) -> Option<(Resolved, &'t str)> {
        let ends = text.rmatch_indices('/').map(|(at, _)| at);
        std::iter::once(text.len())
            .chain(ends)
            .find_map(|end| Some((self.resolve(Some(&text[..end]))?, text[end..].trim_matches('/'))))
    }

    /// The failure for a name that the repository doesn't have.
    pub(crate) fn lacks(&self, wanted: &str) -> Failure {
        let help = "name a branch, a tag or all digits of a commit after `#`";
        refused(format!("`{}` has no branch, tag or commit `{wanted}`", self.url), help)
    }

    /// Fetches a commit: its directories, and no contents yet.
    ///
    /// # Errors
    ///
    /// What git says.
    pub(super) fn fetch(&self, resolved: &Resolved) -> Result<Repository, Failure> {
        let temp =
            TempDir::new().map_err(|error| super::project::io_failure("nothing was fetched", &error))?;
        let format = if resolved.id.len() == 64 { "--object-format=sha256" } else { "--object-format=sha1" };
        run(
            &self.url,
            over_network(Some(temp.path())).args(["init", "-q", "--bare", "--template=", format]),
        )?;
        let set = |key: &str, value: &str| {
            run(&self.url, over_network(Some(temp.path())).args(["config", key, value]))
        };
        set("remote.origin.url", &self.url)?;
        set("remote.origin.promisor", "true")?;
        set("remote.origin.partialCloneFilter", "blob:none")?;
        let wanted = resolved.reference.as_deref().unwrap_or(&resolved.id);
        set(WANTED, wanted)?;
        let _waiting = waiting(&self.url);
        let mut fetch = over_network(Some(temp.path()));
        fetch.args(FETCH).args(["--depth=1", "--end-of-options", "origin"]);
        run(&self.url, fetch.arg(format!("+{wanted}:refs/skills/wanted")))?;
        let name = self.url.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or_default();
        let name = name.strip_suffix(".git").unwrap_or(name).to_owned();
        let repository = Repository::fetched(temp, name);
        if repository.commit_of("refs/skills/wanted")? != resolved.id {
            let message = format!("`{}` changed while it was read", self.url);
            return Err(refused(message, "run the command again"));
        }
        Ok(repository)
    }
}

const FETCH: [&str; 6] = [
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--recurse-submodules=no",
    "--filter=blob:none",
];

/// Where a fetched repository keeps the name of what was fetched.
const WANTED: &str = "skills.wanted";

/// What a server says that gives whole commits alone, as over ssh where it isn't told which protocol is spoken.
const ONLY_COMMITS: &str = "unadvertised object";

/// Fetches objects into a repository that has none of them, all in one request.
pub(super) fn fetch_objects<'o>(
    directory: &Path,
    objects: impl Iterator<Item = &'o str>,
) -> Result<(), Failure> {
    let text: String = objects.map(|object| format!("{object}\n")).collect();
    let list = list_of(directory, &text)
        .map_err(|error| super::project::io_failure("nothing was fetched", &error))?;
    let _waiting = git::setting(directory, "remote.origin.url").and_then(|url| waiting(&url));
    let mut fetch = over_network(Some(directory));
    fetch.args(["-c", "fetch.negotiationAlgorithm=noop"]).args(FETCH);
    let failure = match run("the repository", fetch.args(["--stdin", "origin"]).stdin(Stdio::from(list))) {
        Err(failure) if failure.words().0.contains(ONLY_COMMITS) => failure,
        done => return done,
    };
    let wanted = over_network(Some(directory)).args(["config", "--get", WANTED]).output();
    let wanted = wanted.map_err(|error| git::not_run(&error))?.stdout;
    let Ok(wanted) = String::from_utf8(wanted) else { return Err(failure) };
    // All contents of the commit, then.
    let mut fetch = over_network(Some(directory));
    fetch.args(FETCH).args(["--no-filter", "--refetch", "--depth=1", "--end-of-options", "origin"]);
    run("the repository", fetch.arg(format!("+{}:refs/skills/wanted", wanted.trim())))
}

/// A file that is gone when it is closed, to be read from its start.
fn list_of(directory: &Path, text: &str) -> io::Result<File> {
    let mut list = tempfile::tempfile_in(directory)?;
    list.write_all(text.as_bytes())?;
    list.rewind()?;
    Ok(list)
}

/// Shows that a repository is waited for, unless ssh may ask for a password meanwhile.
fn waiting(url: &str) -> Option<Waiting> {
    url.starts_with("https:").then(|| Waiting::on("asking the repository"))
}

fn run(url: &str, command: &mut Command) -> Result<(), Failure> {
    let output = command.output().map_err(|error| git::not_run(&error))?;
    if output.status.success() {
        return Ok(());
    }
    Err(unreachable(url, &String::from_utf8_lossy(&output.stderr)))
}

/// Git as the user has set it up, with its helpers for passwords, but https and ssh alone.
fn over_network(directory: Option<&Path>) -> Command {
    let mut git = git::plain();
    if let Some(directory) = directory {
        git.arg("-C").arg(directory);
    }
    for setting in [
        "protocol.version=2",
        "http.followRedirects=initial",
        "http.lowSpeedLimit=1000",
        "http.lowSpeedTime=30",
        "transfer.bundleURI=false",
        // Names in trees that git itself would never check out.
        "fetch.fsckObjects=true",
        "gc.auto=0",
        "maintenance.auto=false",
    ] {
        git.args(["-c", setting]);
    }
    git.env("GIT_ALLOW_PROTOCOL", "https:ssh");
    git
}

fn unreachable(url: &str, said: &str) -> Failure {
    let why =
        said.lines().find_map(|line| line.strip_prefix("fatal: ").or_else(|| line.strip_prefix("error: ")));
    let why = why.or_else(|| said.lines().next()).unwrap_or("it says nothing");
    let help = "check the address and the network; try `git ls-remote` with it";
    Failure::other("REPOSITORY_UNREACHABLE", format!("`{url}` cannot be read: {why}"), help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(digit: char) -> String {
        digit.to_string().repeat(40)
    }

    fn listing() -> Listing {
        let lines = [
            ("a", "HEAD"),
            ("a", "refs/heads/main"),
            ("b", "refs/heads/topic"),
            ("c", "refs/heads/topic-2/one"),
            ("d", "refs/tags/v1"),
            ("e", "refs/tags/v1^{}"),
            ("f", "refs/tags/topic"),
        ];
        let text: String =
            lines.iter().map(|(digit, name)| format!("{}\t{name}\n", digit.repeat(40))).collect();
        Listing::read("https://example.org/x.git", &text, None)
    }

    #[test]
    fn names_are_resolved_as_git_does() {
        let resolve = |wanted: Option<&str>| listing().resolve(wanted).map(|it| (it.reference, it.id));
        assert_eq!(resolve(None), Some((None, id('a'))));
        assert_eq!(
            resolve(Some("v1")),
            Some((Some("refs/tags/v1".to_owned()), id('e'))),
            "the commit of the tag"
        );
        assert_eq!(
            resolve(Some("topic")),
            Some((Some("refs/tags/topic".to_owned()), id('f'))),
            "a tag is first"
        );
        assert_eq!(resolve(Some("refs/heads/topic")).map(|it| it.1), Some(id('b')));
        assert_eq!(resolve(Some(&id('9'))), Some((None, id('9'))));
        assert_eq!(resolve(Some("v2")), None);
    }

    #[test]
    fn a_branch_may_have_a_slash() {
        let listing = listing();
        let split = |text| listing.split(text).map(|(resolved, path)| (resolved.id, path.to_owned()));
        assert_eq!(split("topic-2/one/skills/pdf"), Some((id('c'), "skills/pdf".to_owned())));
        assert_eq!(split("main"), Some((id('a'), String::new())));
        assert_eq!(split("topic-2/two"), None);
    }
}
