//! Reads a git repository on disk with the system's git: its own objects, and nothing is checked out.
//!
//! So no filter, hook or attribute of the repository has a say, and bytes are those that git stores. No
//! protocol is allowed here: a repository that lacks objects is refused, not completed.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use tempfile::TempDir;

use super::{At, Content, Found, Place, below, refused, roots};
use crate::failure::Failure;

/// A repository, and the directory in it that was named.
#[derive(Debug)]
pub(crate) struct Repository {
    directory: PathBuf,
    /// The directory's path in the repository, with `/` and none at the end.
    prefix: String,
    has_files: bool,
    /// What the repository is called, for a skill that is all of it.
    name: String,
    /// It was fetched into a directory that goes away with it, without the contents of files.
    fetched: Option<TempDir>,
}

/// Variables that would make git look at another repository, or run something.
const UNSET: [&str; 9] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_CONFIG",
    "GIT_TRACE",
];

impl Repository {
    /// The repository that a directory is in; `None` if it is in none.
    pub(crate) fn at(path: &Path) -> Result<Option<Self>, Failure> {
        if !path.is_dir() {
            let help = "give a directory of skills, or a repository on this machine";
            return Err(refused(format!("`{}` is not a directory", path.display()), help));
        }
        let directory = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.strip_suffix(".git").unwrap_or(&name).to_owned();
        let place = Self { directory, prefix: String::new(), has_files: false, name, fetched: None };
        let output = match place.git(&["rev-parse", "--is-inside-work-tree", "--show-prefix"]).output() {
            Ok(output) => output,
            // Without git a directory is a directory, unless it says itself that it is a repository.
            Err(_) if !path.ancestors().any(|above| above.join(".git").exists()) => return Ok(None),
            Err(error) => return Err(not_run(&error)),
        };
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            if said.contains("not a git repository") {
                return Ok(None);
            }
            return Err(failed(&said));
        }
        let said = String::from_utf8(output.stdout)
            .map_err(|_| refused("a path is not UTF-8".to_owned(), "rename it"))?;
        let mut lines = said.lines();
        let has_files = lines.next() == Some("true");
        let prefix = lines.next().unwrap_or_default().trim_end_matches('/').to_owned();
        Ok(Some(Self { prefix, has_files, ..place }))
    }

    /// A repository that was just fetched.
    pub(super) fn fetched(directory: TempDir, name: String) -> Self {
        let path = directory.path().to_owned();
        Self { directory: path, prefix: String::new(), has_files: false, name, fetched: Some(directory) }
    }

    /// Where it was fetched to, without the contents of files.
    pub(super) fn without_contents(&self) -> Option<&Path> {
        self.fetched.as_ref().map(TempDir::path)
    }

    /// The commit that a name stands for.
    pub(crate) fn commit_of(&self, wanted: &str) -> Result<String, Failure> {
        let commit = format!("{wanted}^{{commit}}");
        self.line(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]).map_err(|_| {
            let help = "name a branch, a tag or a commit after `#`";
            refused(format!("the repository has no commit `{wanted}`"), help)
        })
    }

    /// The full name of a branch or tag; none for a commit.
    pub(super) fn full_name(&self, wanted: &str) -> Option<String> {
        // A name that begins with a dash was refused as a commit before.
        let full = self.line(&["rev-parse", "--symbolic-full-name", wanted]).ok()?;
        Some(full).filter(|full| full.starts_with("refs/") && !wanted.starts_with('-'))
    }

    /// The skills in a commit, below the directory that was named.
    pub(super) fn skills(&self, id: &str) -> Result<Vec<Found>, Failure> {
        self.skills_below(&self.prefix, id)
    }

    /// The skills in a commit, below a directory of the repository.
    pub(crate) fn skills_below(&self, prefix: &str, id: &str) -> Result<Vec<Found>, Failure> {
        let listing = self.bytes(&["ls-tree", "-r", "-t", "-z", "--full-tree", id])?;
        let mut entries = Vec::new();
        for record in listing.split(|byte| *byte == 0).filter(|record| !record.is_empty()) {
            entries.push(Entry::read(record)?);
        }
        let mut skills = Vec::new();
        let files = entries.iter().filter(|entry| entry.mode.starts_with("100"));
        for root in roots(files.map(|entry| entry.path.as_str()), prefix) {
            skills.push(self.skill(&entries, &root, id)?);
        }
        Ok(skills)
    }

    fn skill(&self, entries: &[Entry], root: &str, commit: &str) -> Result<Found, Failure> {
        // A listing has what is below a directory right behind it.
        let start = entries.iter().position(|entry| root.is_empty() || entry.path == root).unwrap_or(0);
        let inside = entries[start..].iter().skip(usize::from(!root.is_empty()));
        let inside = inside.map_while(|entry| Some((entry, below(root, &entry.path)?)));
        let (mut files, mut others) = (Vec::new(), Vec::new());
        for (entry, path) in inside {
            let what = match entry.mode.as_str() {
                "040000" => continue,
                "100644" | "100755" => {
                    let at = At::Object(entry.object.clone());
                    files.push(Place { path: path.to_owned(), executable: entry.mode == "100755", at });
                    continue;
                }
                "120000" => "a symlink",
                "160000" => "a submodule",
                _ => "not a file",
            };
            others.push((path.to_owned(), what.to_owned()));
        }
        let (dir_name, tree) = match root.rsplit('/').next() {
            Some(name) if !name.is_empty() => {
                (name.to_owned(), entries.get(start).map(|entry| entry.object.clone()))
            }
            _ => {
                let tree = format!("{commit}^{{tree}}");
                (self.name.clone(), Some(self.line(&["rev-parse", "--verify", "--end-of-options", &tree])?))
            }
        };
        Ok(Found { path: root.to_owned(), dir_name, tree, artifact: None, files, others })
    }

    /// The directory of the repository, or of its files.
    pub(super) fn top(&self) -> PathBuf {
        let depth = self.prefix.split('/').filter(|part| !part.is_empty()).count();
        self.directory.ancestors().nth(depth).unwrap_or(&self.directory).to_owned()
    }

    /// A path of the directory that was named as one of the repository.
    pub(crate) fn inside(&self, path: &str) -> String {
        let parts = self.prefix.split('/').chain(path.split('/')).filter(|part| !matches!(*part, "" | "."));
        parts.collect::<Vec<_>>().join("/")
    }

    /// The bytes of the file at a path of the repository in a commit.
    pub(crate) fn file(&self, id: &str, path: &str) -> Result<Vec<u8>, Failure> {
        let object =
            self.line(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{id}:{path}")]);
        let lacking = || {
            refused(format!("the commit has no file `{path}`"), "look at the commit with `git show --stat`")
        };
        let place = Place {
            path: path.to_owned(),
            executable: false,
            at: At::Object(object.map_err(|_| lacking())?),
        };
        self.read(&[place], super::MAX_BYTES)?.pop().ok_or_else(lacking)
    }

    /// The bytes of these objects, asked for together.
    pub(super) fn read(&self, files: &[Place], most: u64) -> Result<Vec<Vec<u8>>, Failure> {
        let mut command = self.git(&["cat-file", "--batch"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| not_run(&error))?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("it has no pipes"));
        };
        let asked: String = files
            .iter()
            .map(|file| match &file.at {
                At::Object(object) => format!("{object}\n"),
                At::Disk(_) | At::Held(_) => "\n".to_owned(),
            })
            .collect();
        // Both ends of a pipe must move: git answers while it is asked.
        let writer = thread::spawn(move || stdin.write_all(asked.as_bytes()));
        let mut stdout = BufReader::new(stdout);
        let mut left = most;
        let contents = files.iter().map(|file| answer(&mut stdout, file, &mut left)).collect();
        // If an answer was wrong, git may still be writing.
        drop(stdout);
        let _ = writer.join();
        let _ = child.wait();
        contents
    }

    /// The files of a skill in the directory that was named whose bytes aren't those of the commit.
    pub(super) fn uncommitted(&self, skill: &Found, contents: &[Content]) -> Vec<String> {
        let below = self.prefix.as_str();
        let inside = if below.is_empty() { Some(skill.path.as_str()) } else { below_of(below, &skill.path) };
        let Some(inside) = inside.filter(|_| self.has_files) else { return Vec::new() };
        let parts = inside.split('/').filter(|part| !part.is_empty());
        let directory = parts.fold(self.directory.clone(), |place, part| place.join(part));
        let differs = |content: &&Content| {
            let found = skills_source::scan::find_file(&directory, &content.line.path);
            let bytes = found.and_then(|found| skills_source::scan::read_file(&found));
            // Line ends may be those of a checkout.
            let plain =
                |bytes: &[u8]| bytes.iter().copied().filter(|byte| *byte != b'\r').collect::<Vec<u8>>();
            bytes.map_or(true, |bytes| bytes != content.bytes && plain(&bytes) != plain(&content.bytes))
        };
        contents.iter().filter(differs).map(|content| content.line.path.clone()).collect()
    }

    pub(super) fn line(&self, arguments: &[&str]) -> Result<String, Failure> {
        let bytes = self.bytes(arguments)?;
        let text = String::from_utf8(bytes).map_err(|_| failed("its answer is not UTF-8"))?;
        Ok(text.trim_end().to_owned())
    }

    pub(super) fn bytes(&self, arguments: &[&str]) -> Result<Vec<u8>, Failure> {
        let output = self.git(arguments).output().map_err(|error| not_run(&error))?;
        if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(failed(&String::from_utf8_lossy(&output.stderr)))
        }
    }

    /// Git in this directory, which runs nothing of the repository's and reaches no other place.
    pub(super) fn git(&self, arguments: &[&str]) -> Command {
        let mut git = plain();
        git.arg("-C").arg(&self.directory).args(["-c", "protocol.allow=never"]).args(arguments);
        // This is stronger than any setting of the repository; no protocol has this name.
        git.env("GIT_ALLOW_PROTOCOL", "none").env("GIT_NO_LAZY_FETCH", "1").env("GIT_OPTIONAL_LOCKS", "0");
        git
    }
}

/// Git that runs no hook and asks nothing.
pub(super) fn plain() -> Command {
    let mut git = Command::new("git");
    git.args(["--no-pager", "--no-replace-objects"]);
    git.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]);
    for name in UNSET {
        git.env_remove(name);
    }
    git.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C").stdin(Stdio::null());
    git
}

/// Who the user is to git, as `NAME <ADDRESS>`; none where git doesn't know.
pub(crate) fn user(directory: &Path) -> Option<String> {
    let setting = |key: &str| {
        let output = plain().arg("-C").arg(directory).args(["config", "--get", key]).output().ok()?;
        let value = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (output.status.success() && !value.is_empty()).then_some(value)
    };
    let name = setting("user.name")?;
    Some(match setting("user.email") {
        Some(address) => format!("{name} <{address}>"),
        None => name,
    })
}

/// One line of a listing: mode, kind, object and path.
struct Entry {
    mode: String,
    object: String,
    path: String,
}

impl Entry {
    fn read(record: &[u8]) -> Result<Self, Failure> {
        let record = std::str::from_utf8(record).map_err(|_| {
            let shown = String::from_utf8_lossy(record).into_owned();
            refused(format!("a path is not UTF-8: {shown}"), "rename the file in the repository")
        })?;
        let (facts, path) = record.split_once('\t').ok_or_else(|| failed("its listing cannot be read"))?;
        let facts: Vec<&str> = facts.split_ascii_whitespace().collect();
        let [mode, _, object] = facts[..] else { return Err(failed("its listing cannot be read")) };
        Ok(Self { mode: mode.to_owned(), object: object.to_owned(), path: path.to_owned() })
    }
}

/// The same, and nothing for the directory itself.
fn below_of<'p>(directory: &str, path: &'p str) -> Option<&'p str> {
    if path == directory { Some("") } else { below(directory, path) }
}

/// One answer of `cat-file --batch`: a line with object, kind and length, the bytes, and a line feed. Of all
/// answers together there may be `left` bytes.
fn answer(stdout: &mut impl std::io::BufRead, file: &Place, left: &mut u64) -> Result<Vec<u8>, Failure> {
    let lacking =
        || refused(format!("the repository lacks `{}`", file.path), "fetch the whole repository first");
    let mut line = Vec::new();
    stdout.take(1024).read_until(b'\n', &mut line).map_err(|_| lacking())?;
    let line = String::from_utf8_lossy(&line).into_owned();
    let facts: Vec<&str> = line.split_ascii_whitespace().collect();
    let len = match facts[..] {
        [_, "blob", len] => len.parse::<u64>().ok(),
        _ => None,
    };
    let len = len.ok_or_else(lacking)?;
    *left = left.checked_sub(len).ok_or_else(|| super::too_much(&file.path))?;
    let mut bytes = Vec::new();
    let read = stdout.take(len).read_to_end(&mut bytes).map_err(|_| lacking())?;
    let mut end = [0];
    if read as u64 != len || stdout.read_exact(&mut end).is_err() {
        return Err(lacking());
    }
    Ok(bytes)
}

pub(super) fn not_run(error: &std::io::Error) -> Failure {
    let why = skills_source::scan::in_words(error);
    Failure::other("GIT", format!("`git` cannot be run: {why}"), "install git 2.30 or later")
}

fn failed(said: &str) -> Failure {
    let said = said.lines().next().unwrap_or_default();
    Failure::other("GIT", format!("`git` failed: {said}"), "look at the repository with git")
}
