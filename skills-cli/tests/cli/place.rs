//! A directory of its own for a test, and the program run in it.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A directory that goes away with the test.
pub(crate) struct Place(TempDir);

/// What the program gave.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a temporary directory"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file and the directories above it.
    pub(crate) fn file(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a file is in a directory")).expect("made");
        fs::write(path, content).expect("written");
        self
    }

    /// Writes a skill, named after its directory, without a fault.
    pub(crate) fn skill(&self, dir: &str, description: &str) -> &Self {
        let name = dir.rsplit('/').next().expect("a path has a last part");
        let text = format!("---\nname: {name}\ndescription: {description}\n---\n\nBody of {name}.\n");
        self.file(&format!("{dir}/SKILL.md"), text)
    }

    /// Runs the program here.
    pub(crate) fn run<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Ran {
        finish(self.command(args).output())
    }

    /// Runs the program in a directory here.
    pub(crate) fn run_in<A: AsRef<OsStr>>(&self, dir: &str, args: impl IntoIterator<Item = A>) -> Ran {
        finish(self.command(args).current_dir(self.path().join(dir)).output())
    }

    /// Runs the program here with this text on stdin.
    pub(crate) fn run_with<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>, stdin: &[u8]) -> Ran {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        child.stdin.take().expect("stdin is a pipe").write_all(stdin).expect("it reads");
        finish(child.wait_with_output())
    }

    /// The program here, with nothing of the environment that it heeds.
    pub(crate) fn command<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skills"));
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "SKILLS_ROOT", "CLAUDE_CONFIG_DIR", "CODEX_HOME"] {
            command.env_remove(name);
        }
        command.args(args).current_dir(self.path()).stdin(Stdio::null());
        command
    }
}

impl Ran {
    /// The one document that is all of stdout.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).expect("stdout is one JSON document")
    }

    /// The code in an error's document, which must be whole.
    pub(crate) fn error_code(&self) -> String {
        let document = self.json();
        let error = &document["error"];
        for part in ["code", "message", "suggestion"] {
            assert!(error[part].as_str().is_some_and(|text| !text.is_empty()), "{part} in {document}");
        }
        assert_eq!(document.as_object().map(serde_json::Map::len), Some(1));
        error["code"].as_str().unwrap_or_default().to_owned()
    }
}

pub(crate) fn finish(output: std::io::Result<Output>) -> Ran {
    let output = output.expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    let ran = Ran {
        code: output.status.code().expect("it is not killed"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    };
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    ran
}
