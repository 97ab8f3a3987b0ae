//! What is installed for agents in an older version, and where this program and its user are.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

use skills_core::{Audience, Registry};

use crate::export::{Agent, Exporter, Scope};

/// Skills that this program has installed, and that it has in another version or no longer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stale {
    /// The agent; [`Agent::Shared`] for the directory that most agents share.
    pub agent: Agent,
    /// In the project of the working directory, or for the user.
    pub scope: Scope,
    /// The directory.
    pub dir: PathBuf,
    /// The names of the skills.
    pub skills: Vec<String>,
}

impl fmt::Display for Stale {
    /// One line that says how to update them, if the program has the commands as `skills`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scope = match self.scope {
            Scope::Project => "",
            Scope::User => " --scope user",
        };
        let (count, agent) = (self.skills.len(), self.agent.name());
        let are = if count == 1 { "skill is" } else { "skills are" };
        write!(
            f,
            "{count} {are} not of this version in `{}`: `{} skills install --agent {agent}{scope}` updates them",
            self.dir.display(),
            program()
        )
    }
}

/// Finds skills that this program has installed for an agent and that it has in another version or no longer: in the
/// project of the working directory, and for the user. Files that somebody has changed don't count, since `install`
/// leaves them alone. Nor does a skill that isn't installed, since its user may not want it.
///
/// It looks for a record in each skill's directory there: about 2 ms for a hundred skills in four directories, so a
/// program can call it at each start. A directory that can't be read has nothing to report.
pub fn stale(registry: &Registry<'static>) -> Vec<Stale> {
    let registry = registry.clone().for_audience(Audience::Everyone);
    let exporter = exporter();
    let bases = [(Scope::Project, Some(PathBuf::new())), (Scope::User, home())];
    let mut all: Vec<Stale> = Vec::new();
    for (scope, base) in bases {
        let Some(base) = base else { continue };
        for agent in Agent::all() {
            let dir = match scope {
                Scope::Project => agent.dir(scope, &base),
                Scope::User => user_dir(agent, &base),
            };
            // Several agents share a directory, and the project may be the home directory.
            if all.iter().any(|known| is_same(&known.dir, &dir)) {
                continue;
            }
            let skills = exporter.stale(&registry, &dir).unwrap_or_default();
            if !skills.is_empty() {
                all.push(Stale { agent, scope, dir, skills });
            }
        }
    }
    all
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Installs for this program. It always has the same skills, so one that it lacks is an old one.
pub(super) fn exporter() -> Exporter {
    Exporter::new(program()).prune(true)
}

/// The name of the running program.
pub(super) fn program() -> String {
    let name = env::current_exe().ok().and_then(|path| name_of(&path));
    name.unwrap_or_else(|| "skills".to_owned())
}

/// The name of a program, which is the same in all its versions and on all systems.
fn name_of(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    let plain = name.strip_suffix(env::consts::EXE_SUFFIX).unwrap_or(&name);
    // Linux adds this if the file was replaced, as by an update, while the program runs.
    let plain =
        if cfg!(target_os = "linux") { plain.strip_suffix(" (deleted)").unwrap_or(plain) } else { plain };
    Some(plain.to_owned())
}

/// The user's home directory.
pub(super) fn home() -> Option<PathBuf> {
    env::home_dir().filter(|home| home.is_absolute())
}

/// The user's directory of an agent.
#[allow(clippy::disallowed_methods, reason = "an agent's user says by a variable where its files are")]
pub(super) fn user_dir(agent: Agent, home: &Path) -> PathBuf {
    agent.user_dir(home, |variable| env::var_os(variable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_keeps_its_name() {
        let name = |path: &str| name_of(Path::new(path));
        let file = format!("bin/mytool-1.2{}", env::consts::EXE_SUFFIX);
        assert_eq!(name(&file).as_deref(), Some("mytool-1.2"));
        #[cfg(target_os = "linux")]
        assert_eq!(name("bin/mytool (deleted)").as_deref(), Some("mytool"));
        assert_eq!(name(".."), None);
    }
}
