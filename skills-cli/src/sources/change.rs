//! Changes directories of skills and the lock together: all of it, or nothing.
//!
//! Everything new is written beside the lock first, in a directory with a hidden name, and reaches the disk
//! before a journal says what is to be moved. Moves are renames; that of the lock is last. A failure moves
//! everything back. After a kill the journal is still there: [`recover`] makes the moves that are missing.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skills_bundle::lock::{LOCK_FILE, Lock, is_of_git};
use tempfile::TempDir;

use super::Content;

/// The file that says which moves are under way.
const JOURNAL: &str = ".skills-journal.json";
const VERSION: u64 = 1;

/// How the names of directories begin in which a change is made ready.
const STAGED: &str = ".skills-staged-";

/// A change under construction: nothing that the user has is touched before [`apply`](Self::apply).
#[derive(Debug)]
pub(crate) struct Change {
    directory: PathBuf,
    staged: TempDir,
    /// How many skills were written to the side.
    written: usize,
    moves: Vec<Move>,
}

/// A rename, both paths relative to the directory of the lock.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Move {
    from: String,
    to: String,
}

impl Change {
    /// Begins a change in the directory of the lock.
    pub(crate) fn begin(directory: &Path) -> io::Result<Self> {
        let staged = tempfile::Builder::new().prefix(STAGED).tempdir_in(directory)?;
        Ok(Self { directory: directory.to_owned(), staged, written: 0, moves: Vec::new() })
    }

    /// Writes a skill to the side, and returns where it is. It will be in `dir`, where nothing is yet, or what
    /// is there was taken away before.
    pub(crate) fn put(&mut self, dir: &str, contents: &[Content]) -> io::Result<PathBuf> {
        // Names come from others, and git itself keeps what it would never check out.
        if let Some(content) = contents.iter().find(|content| !is_kept_inside(&content.line.path)) {
            return Err(outside(&content.line.path));
        }
        let number = self.written;
        self.written += 1;
        let (name, place) = (format!("{number}/{}", last(dir)), self.staged.path().join(number.to_string()));
        let place = place.join(last(dir));
        for content in contents {
            let file = under(&place, &content.line.path);
            fs::create_dir_all(file.parent().unwrap_or(&place))?;
            write(&file, &content.bytes, content.line.executable)?;
        }
        sync_below(&place)?;
        self.moves.push(Move { from: self.staged_name(&name), to: dir.to_owned() });
        Ok(place)
    }

    /// The directory will be gone.
    pub(crate) fn take_away(&mut self, dir: &str) {
        let to = self.staged_name(&format!("old-{}", self.moves.len()));
        self.moves.push(Move { from: dir.to_owned(), to });
    }

    /// How far the change is, to come back to.
    pub(crate) fn mark(&self) -> usize {
        self.moves.len()
    }

    /// Forgets what was made ready after a mark.
    pub(crate) fn back_to(&mut self, mark: usize) {
        self.moves.truncate(mark);
    }

    /// Makes all moves, and writes the lock.
    pub(crate) fn apply(mut self, lock: &Lock) -> io::Result<()> {
        for Move { from, to } in &self.moves {
            let dir = if to.starts_with(STAGED) { from } else { to };
            if !is_kept_inside(dir) || !stays_inside(&self.directory, dir) {
                return Err(outside(dir));
            }
        }
        write(&self.staged.path().join(LOCK_FILE), lock.to_string().as_bytes(), false)?;
        self.moves.push(Move { from: self.staged_name(LOCK_FILE), to: LOCK_FILE.to_owned() });
        for step in &self.moves {
            if let Some(above) = under(&self.directory, &step.to).parent() {
                fs::create_dir_all(above)?;
            }
        }
        sync_directory(self.staged.path())?;
        self.write_journal()?;
        if let Err(error) = forward(&self.directory, &self.moves) {
            if back(&self.directory, &self.moves).is_err() {
                // What belongs to the user may be there: the next command tries again.
                let _ = self.staged.keep();
                return Err(error);
            }
            end(&self.directory)?;
            return Err(error);
        }
        end(&self.directory)
    }

    /// Written beside what is made ready, so that one sweep removes what a kill leaves of either.
    fn write_journal(&self) -> io::Result<()> {
        let moves: Vec<Value> =
            self.moves.iter().map(|step| json!({ "from": step.from, "to": step.to })).collect();
        let text = json!({ "version": VERSION, "moves": moves }).to_string();
        let unfinished = self.staged.path().join(JOURNAL);
        write(&unfinished, text.as_bytes(), false)?;
        fs::rename(unfinished, self.directory.join(JOURNAL))?;
        sync_directory(&self.directory)
    }

    fn staged_name(&self, name: &str) -> String {
        let staged = self.staged.path().file_name().unwrap_or_default().to_string_lossy();
        format!("{staged}/{name}")
    }
}

/// Whether a change was stopped in the middle, and the directories that it was about.
pub(crate) fn interrupted(directory: &Path) -> io::Result<Vec<String>> {
    let Some(moves) = read_journal(directory)? else { return Ok(Vec::new()) };
    let is_skill = |path: &&String| !path.starts_with('.') && *path != LOCK_FILE;
    Ok(moves.iter().flat_map(|step| [&step.from, &step.to]).filter(is_skill).cloned().collect())
}

/// Finishes a change that was stopped in the middle; returns the directories that it was about.
pub(crate) fn recover(directory: &Path) -> io::Result<Vec<String>> {
    let Some(moves) = read_journal(directory)? else { return Ok(Vec::new()) };
    let about = interrupted(directory)?;
    forward(directory, &moves)?;
    end(directory)?;
    Ok(about)
}

/// Removes what commands left that were stopped before they wrote a journal. Nobody else may be writing.
#[allow(clippy::disallowed_methods, reason = "it looks for directories of its own")]
pub(crate) fn clean(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let is_staged = entry.file_name().to_string_lossy().starts_with(STAGED);
        if is_staged && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            // What can't be removed is in nobody's way.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Makes the moves that weren't made yet, in order.
fn forward(directory: &Path, moves: &[Move]) -> io::Result<()> {
    for Move { from, to } in moves {
        if is_made(directory, from, to) {
            continue;
        }
        let (from, to) = (under(directory, from), under(directory, to));
        // Only the lock takes the place of something. A directory would take that of an empty one.
        if !to.ends_with(LOCK_FILE) && to.symlink_metadata().is_ok() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("`{}` is there", to.display())));
        }
        fs::rename(&from, &to)?;
        if let Some(above) = to.parent() {
            sync_directory(above)?;
        }
    }
    Ok(())
}

/// Takes the moves back that were made. The lock is the last of them, and was then not written.
fn back(directory: &Path, moves: &[Move]) -> io::Result<()> {
    for Move { from, to } in moves.iter().rev() {
        if to != LOCK_FILE && is_made(directory, from, to) {
            fs::rename(under(directory, to), under(directory, from))?;
        }
    }
    Ok(())
}

/// Whether a move was made. Nothing but a move puts something where things are taken away to, and nothing but
/// a move takes away what was made ready.
fn is_made(directory: &Path, from: &str, to: &str) -> bool {
    let is_there = |path: &str| under(directory, path).symlink_metadata().is_ok();
    if to.starts_with(STAGED) { is_there(to) } else { !is_there(from) && is_there(to) }
}

fn end(directory: &Path) -> io::Result<()> {
    fs::remove_file(directory.join(JOURNAL))?;
    sync_directory(directory)
}

#[allow(clippy::disallowed_methods, reason = "it is no file of a skill")]
fn read_journal(directory: &Path) -> io::Result<Option<Vec<Move>>> {
    let bytes = match fs::read(directory.join(JOURNAL)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let wrong = || {
        io::Error::new(io::ErrorKind::InvalidData, format!("`{JOURNAL}` is not one that this version writes"))
    };
    let document: Value = serde_json::from_slice(&bytes).map_err(|_| wrong())?;
    if document["version"] != VERSION {
        return Err(wrong());
    }
    let moves = document["moves"].as_array().ok_or_else(wrong)?;
    let text =
        |value: &Value| value.as_str().filter(|path| is_plain(path)).map(str::to_owned).ok_or_else(wrong);
    let mut read = Vec::with_capacity(moves.len());
    for step in moves {
        let step = Move { from: text(&step["from"])?, to: text(&step["to"])? };
        let is_ours = step.from.starts_with(STAGED) != step.to.starts_with(STAGED);
        if !is_ours || !stays_inside(directory, &step.from) || !stays_inside(directory, &step.to) {
            return Err(wrong());
        }
        read.push(step);
    }
    Ok(Some(read))
}

/// Whether no symlink on the way to a path leads out of the directory.
fn stays_inside(directory: &Path, path: &str) -> bool {
    let Ok(directory) = directory.canonicalize() else { return false };
    let place = under(&directory, path);
    let mut above = place.ancestors().skip(1);
    let nearest = above.find_map(|above| above.canonicalize().ok());
    nearest.is_some_and(|nearest| nearest.starts_with(&directory))
}

/// Whether a path stays below its directory, and out of what git obeys.
fn is_kept_inside(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | "..") && !is_of_git(part))
        && !path.contains('\0')
        && !(cfg!(windows) && path.contains(['\\', ':']))
}

fn outside(path: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("`{path}` leads out of where skills are written"))
}

/// A journal comes with a checkout like any other file: it can name nothing outside of the directory.
fn is_plain(path: &str) -> bool {
    !path.contains(['\\', '\0', ':']) && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

fn under(directory: &Path, path: &str) -> PathBuf {
    path.split('/').fold(directory.to_owned(), |directory, part| directory.join(part))
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn write(file: &Path, bytes: &[u8], executable: bool) -> io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(if executable { 0o777 } else { 0o666 });
    }
    let _ = executable;
    let mut file = options.open(file)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn sync_below(directory: &Path) -> io::Result<()> {
    #[allow(clippy::disallowed_methods, reason = "it was written just now")]
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_below(&entry.path())?;
        }
    }
    sync_directory(directory)
}

/// Brings the names in a directory to the disk, where the system can.
fn sync_directory(directory: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use skills_bundle::lock::LockedFile;

    use super::*;

    fn content(text: &str) -> Content {
        let line = LockedFile::of("SKILL.md", false, text.as_bytes());
        Content { line, bytes: text.into() }
    }

    /// A directory with two skills and a lock, and a change that replaces one, removes one and adds one.
    fn begun() -> (TempDir, Change) {
        let place = TempDir::new().expect("a directory");
        for name in ["changed", "gone"] {
            fs::create_dir_all(place.path().join("skills").join(name)).expect("made");
            fs::write(place.path().join("skills").join(name).join("SKILL.md"), "old").expect("written");
        }
        fs::write(place.path().join(LOCK_FILE), "old").expect("written");
        let mut change = Change::begin(place.path()).expect("begun");
        change.take_away("skills/changed");
        change.put("skills/changed", &[content("new")]).expect("written");
        change.take_away("skills/gone");
        change.put("skills/added", &[content("new")]).expect("written");
        (place, change)
    }

    /// What is there, of each of the three skills and of the lock.
    fn there(place: &Path) -> [String; 4] {
        ["skills/changed/SKILL.md", "skills/gone/SKILL.md", "skills/added/SKILL.md", LOCK_FILE]
            .map(|path| fs::read_to_string(place.join(path)).unwrap_or_else(|_| "none".to_owned()))
    }

    fn names(place: &Path) -> Vec<String> {
        let entries = fs::read_dir(place).expect("it is there");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_change_is_finished_wherever_it_was_stopped() {
        for made in 0..=5 {
            let (place, mut change) = begun();
            fs::write(change.staged.path().join(LOCK_FILE), "new").expect("written");
            change.moves.push(Move { from: change.staged_name(LOCK_FILE), to: LOCK_FILE.to_owned() });
            change.write_journal().expect("written");
            forward(place.path(), &change.moves[..made]).expect("moved");
            // As after a kill, nobody tidies up.
            let _ = change.staged.keep();
            assert!(interrupted(place.path()).expect("read").contains(&"skills/gone".to_owned()));
            recover(place.path()).expect("finished");
            clean(place.path());
            assert_eq!(there(place.path()), ["new", "none", "new", "new"], "{made}");
            assert_eq!(names(place.path()), [LOCK_FILE, "skills"], "{made}");
            assert_eq!(recover(place.path()).expect("nothing to do"), Vec::<String>::new());
        }
    }

    #[test]
    fn nothing_is_left_of_a_change_that_was_stopped_before_its_journal() {
        let (place, change) = begun();
        fs::create_dir(place.path().join(JOURNAL)).expect("nothing can take its place");
        change.write_journal().expect_err("it was stopped before the journal had its name");
        fs::remove_dir(place.path().join(JOURNAL)).expect("it is empty");
        let _ = change.staged.keep();
        assert_eq!(recover(place.path()).expect("nothing to do"), Vec::<String>::new());
        clean(place.path());
        assert_eq!(there(place.path()), ["old", "old", "none", "old"]);
        assert_eq!(names(place.path()), [LOCK_FILE, "skills"]);
    }

    #[test]
    fn nothing_is_written_outside_or_where_git_obeys() {
        let (place, mut change) = begun();
        for path in ["../x", "a/../../x", ".git/hooks/post-commit", "a/.GIT/config", ""] {
            let line = LockedFile::of(path, true, b"x");
            let error = change.put("skills/odd", &[Content { line, bytes: b"x".to_vec() }]);
            assert_eq!(error.expect_err(path).kind(), io::ErrorKind::InvalidInput, "{path}");
        }
        drop(change);
        assert_eq!(names(place.path()), [LOCK_FILE, "skills"]);
        for dir in [".git/hooks", "../away", "skills/../../away"] {
            let mut change = Change::begin(place.path()).expect("begun");
            change.put(dir, &[content("new")]).expect("written to the side");
            let error = change.apply(&Lock::default()).expect_err(dir);
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{dir}");
            assert_eq!(names(place.path()), [LOCK_FILE, "skills"], "{dir}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_symlink_leads_no_skill_away() {
        let (place, away) = (TempDir::new().expect("a directory"), TempDir::new().expect("a directory"));
        std::os::unix::fs::symlink(away.path(), place.path().join("skills")).expect("linked");
        let mut change = Change::begin(place.path()).expect("begun");
        change.put("skills/pdf", &[content("new")]).expect("written to the side");
        change.apply(&Lock::default()).expect_err("it leads away");
        assert_eq!(names(away.path()), Vec::<String>::new());
    }

    #[test]
    fn what_was_made_ready_after_a_mark_is_forgotten() {
        let (place, mut change) = begun();
        let mark = change.mark();
        change.put("skills/bad", &[content("bad")]).expect("written");
        change.back_to(mark);
        change.put("skills/good", &[content("good")]).expect("written");
        change.apply(&Lock::default()).expect("applied");
        assert!(place.path().join("skills/good/SKILL.md").is_file());
        assert!(!place.path().join("skills/bad").exists());
    }

    #[test]
    fn a_failure_in_the_middle_puts_everything_back() {
        let (place, change) = begun();
        // Somebody was quicker.
        fs::create_dir_all(place.path().join("skills/added")).expect("made");
        let error = change.apply(&Lock::default()).expect_err("it is there");
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(there(place.path()), ["old", "old", "none", "old"]);
        assert_eq!(names(place.path()), [LOCK_FILE, "skills"]);
    }
}
