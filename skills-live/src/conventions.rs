//! Where agents usually look for skills. Nothing here reads the environment: the host says where it
//! is and whose home it is.

use std::path::Path;

use super::root::Root;

/// Which of the usual places to look in. None is looked in unless it is asked for.
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
    /// Nowhere yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether to look in the working directory and in those above it, up to the root of the
    /// repository.
    #[must_use]
    pub fn project(mut self, yes: bool) -> Self {
        self.project = yes;
        self
    }

    /// Whether to look in the user's home.
    #[must_use]
    pub fn home(mut self, yes: bool) -> Self {
        self.home = yes;
        self
    }

    /// Whether to look in `.claude/skills` too, after `.agents/skills` of the same directory.
    #[must_use]
    pub fn claude(mut self, yes: bool) -> Self {
        self.claude = yes;
        self
    }
}

/// The usual roots in order of precedence: `.agents/skills` from the working directory up to the root
/// of its repository (the nearest directory above that has a `.git`; where there is none, the working
/// directory alone), labelled `project`, then that of the user's home, labelled `user`.
///
/// They need not be there. `working` and `home` are best given absolute.
pub fn usual_roots(conventions: Conventions, working: &Path, home: Option<&Path>) -> Vec<Root> {
    let mut places = Vec::new();
    if conventions.project {
        places.extend(up_to_repository(working).into_iter().map(|dir| (dir, "project")));
    }
    if let (true, Some(home)) = (conventions.home, home) {
        // In a home that is a repository of its own, or without one, a place may come twice.
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

#[allow(clippy::disallowed_methods, reason = "a look for the root of the repository")]
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
