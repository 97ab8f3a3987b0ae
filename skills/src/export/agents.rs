//! The directories where agents read skills.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// An agent that reads skills from disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Agent {
    /// The directory that most agents share, `.agents/skills`.
    Shared,
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// GitHub Copilot and VS Code.
    Copilot,
    /// Gemini CLI.
    GeminiCli,
    /// Goose.
    Goose,
    /// OpenCode.
    OpenCode,
}

/// Who should find the skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Everyone who works in a project.
    Project,
    /// One user, in every project.
    User,
}

/// Which agents a command is for: the value of an option such as `--agent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The agents that are [needed](Agent::needed) so that each agent finds the skills.
    All,
    /// One agent.
    One(Agent),
}

/// The name of [`Target::All`].
const ALL: &str = "all";

impl Target {
    /// The names on command lines: those of all agents, and `all`.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Agent::all().map(Agent::name).chain([ALL])
    }

    /// The target with this name.
    pub fn parse(name: &str) -> Option<Self> {
        if name == ALL { Some(Self::All) } else { Agent::parse(name).map(Self::One) }
    }

    /// The directories of several targets, each once. `dir` gives that of an agent.
    ///
    /// # Errors
    ///
    /// The first error of `dir`.
    pub fn dirs<E>(
        targets: &[Self],
        mut dir: impl FnMut(Agent) -> Result<PathBuf, E>,
    ) -> Result<Vec<PathBuf>, E> {
        let mut dirs: Vec<PathBuf> = Vec::new();
        for target in targets {
            let agents = match target {
                Self::All => Agent::needed().collect(),
                Self::One(agent) => vec![*agent],
            };
            for agent in agents {
                let dir = dir(agent)?;
                if !dirs.contains(&dir) {
                    dirs.push(dir);
                }
            }
        }
        Ok(dirs)
    }
}

struct Row {
    agent: Agent,
    name: &'static str,
    project: &'static str,
    user: &'static str,
    /// The environment variable that moves its directory in the user's home.
    home: Option<&'static str>,
}

const SHARED: &str = ".agents/skills";

/// If an agent also reads the shared directory, that one is used; with both, it would list each skill twice.
const AGENTS: [Row; 7] = [
    Row { agent: Agent::Shared, name: "agents", project: SHARED, user: SHARED, home: None },
    Row {
        agent: Agent::ClaudeCode,
        name: "claude-code",
        project: ".claude/skills",
        user: ".claude/skills",
        home: Some("CLAUDE_CONFIG_DIR"),
    },
    Row { agent: Agent::Codex, name: "codex", project: SHARED, user: SHARED, home: Some("CODEX_HOME") },
    Row {
        agent: Agent::Copilot,
        name: "copilot",
        project: ".github/skills",
        user: ".copilot/skills",
        home: None,
    },
    Row {
        agent: Agent::GeminiCli,
        name: "gemini-cli",
        project: ".gemini/skills",
        user: ".gemini/skills",
        home: None,
    },
    Row { agent: Agent::Goose, name: "goose", project: SHARED, user: SHARED, home: None },
    Row { agent: Agent::OpenCode, name: "opencode", project: SHARED, user: SHARED, home: None },
];

impl Agent {
    /// All supported agents.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        AGENTS.iter().map(|row| row.agent)
    }

    /// The agents whose directories are enough for all: the others read the shared one too, and would find a skill
    /// twice, or warn of it, if it were in their own as well. OpenCode reads both of these, by its documentation, and so
    /// may find each skill twice: install for [`Shared`](Self::Shared) alone where nobody uses Claude Code.
    pub fn needed() -> impl Iterator<Item = Self> {
        [Self::Shared, Self::ClaudeCode].into_iter()
    }

    /// The environment variable with which a user moves what the agent keeps in the home directory, if there is one. The
    /// skills are then in `skills` below the directory that it names.
    pub fn home_variable(self) -> Option<&'static str> {
        self.row().home
    }

    /// The user's directory of it: as [`dir`](Self::dir) for [`Scope::User`], or where the user has moved it.
    /// `variable` gives the value of an [environment variable](Self::home_variable).
    pub fn user_dir(self, home: &Path, variable: impl FnOnce(&str) -> Option<OsString>) -> PathBuf {
        let moved = self.home_variable().and_then(variable).map(PathBuf::from);
        match moved.filter(|moved| moved.is_absolute()) {
            Some(moved) => moved.join("skills"),
            None => self.dir(Scope::User, home),
        }
    }

    /// The name on command lines, such as `claude-code`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The agent with this name.
    pub fn parse(name: &str) -> Option<Self> {
        AGENTS.iter().find(|row| row.name == name).map(|row| row.agent)
    }

    /// The directory where it reads skills. `base` is the root of the project, or the user's home directory.
    pub fn dir(self, scope: Scope, base: &Path) -> PathBuf {
        let dir = match scope {
            Scope::Project => self.row().project,
            Scope::User => self.row().user,
        };
        dir.split('/').fold(base.to_owned(), |base, part| base.join(part))
    }

    fn row(self) -> &'static Row {
        AGENTS.iter().find(|row| row.agent == self).unwrap_or(&AGENTS[0])
    }
}
