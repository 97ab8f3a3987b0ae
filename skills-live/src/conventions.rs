//! The usual places of skills. Nothing here reads the environment: the host passes its working directory and
//! the user's home.

use std::path::Path;

use super::root::Root;

/// Which of the usual places to search; none by default.
///
/// ```
/// use skills_live::Conventions;
///
/// let conventions = Conventions::new().project(true).home(true).claude(true);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Conventions {
    project: bool,
    home: bool,
    claude: bool,
}

impl Conventions {
    /// No places.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether to search the working directory and the directories above it, up to the root of the
    /// repository.
    #[must_use]
    pub fn project(mut self, yes: bool) -> Self {
        self.project = yes;
        self
    }

    /// Whether to search the user's home directory.
    #[must_use]
    pub fn home(mut self, yes: bool) -> Self {
        self.home = yes;
        self
    }

    /// Whether to search `.claude/skills` too, after `.agents/skills` in the same directory.
    #[must_use]
    pub fn claude(mut self, yes: bool) -> Self {
        self.claude = yes;
        self
    }
}

/// The usual roots in order of precedence. First `.agents/skills` in the working directory and each directory
/// above it, up to the root of the repository (the nearest directory with a `.git`; without one, only the
/// working directory), labelled `project`. Then the one in the user's home, labelled `user`.
///
/// They don't need to exist. Pass `working` and `home` as absolute paths.
pub fn usual_roots(conventions: Conventions, working: &Path, home: Option<&Path>) -> Vec<Root> {
    let mut places = Vec::new();
    if conventions.project {
        places.extend(up_to_repository(working).into_iter().map(|dir| (dir, "project")));
    }
    if let (true, Some(home)) = (conventions.home, home) {
        // The home directory may be in the list already.
        if !places.iter().any(|(dir, _)| *dir == home) {
            places.push((home, "user"));
        }
    }
    let folders: &[&str] = if conventions.claude { &[".agents", ".claude"] } else { &[".agents"] };
    let roots = places.into_iter().flat_map(|(dir, label)| {
        folders.iter().map(move |folder| Root::new(dir.join(folder).join("skills")).label(label))
    });
    roots.collect()
}

#[allow(clippy::disallowed_methods, reason = "checks for the root of the repository")]
fn up_to_repository(working: &Path) -> Vec<&Path> {
    let mut dirs = Vec::new();
    for dir in working.ancestors() {
        dirs.push(dir);
        if dir.join(".git").exists() {
            return dirs;
        }
    }
    dirs.truncate(1);
    dirs
}
