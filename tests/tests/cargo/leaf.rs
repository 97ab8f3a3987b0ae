//! A user's package that is created for one test, and runs of Cargo in it.
//!
//! All packages share one target directory, which is kept between runs, so dependencies are compiled once.
//! They use the versions in the workspace's `Cargo.lock`, and no network.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;
use skills_tests::disk;

/// A package in a directory of its own.
pub(crate) struct Leaf {
    name: &'static str,
    dir: PathBuf,
}

/// The result of a run of Cargo.
pub(crate) struct Run {
    pub(crate) success: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The root of this workspace.
pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The directory that holds the packages and what is compiled for them.
pub(crate) fn scratch() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("leaves")
}

impl Leaf {
    /// A package whose build script compiles `skills/` and whose program lists what is in it.
    pub(crate) fn with_build_script(name: &'static str) -> Self {
        let leaf = Self::new(name, "skills = { path = \"WORKSPACE/skills\" }", true);
        leaf.write("build.rs", "fn main() {\n    skills_bundle::build(\"skills\");\n}\n");
        leaf.write("src/main.rs", program("skills::bundle!()"));
        leaf
    }

    /// A package without a build script whose program lists what is in `skills/`.
    pub(crate) fn with_macro(name: &'static str) -> Self {
        let leaf = Self::new(name, "skills = { path = \"WORKSPACE/skills\" }", false);
        leaf.write("src/main.rs", program("skills::include_skills!(\"skills\")"));
        leaf
    }

    /// A package with these dependencies and no source yet.
    pub(crate) fn new(name: &'static str, dependencies: &str, build_script: bool) -> Self {
        // In a directory of its own, so that a test can put other things there.
        let around = scratch().join(name);
        if around.exists() {
            fs::remove_dir_all(&around).unwrap();
        }
        let leaf = Self { name, dir: around.join("package") };
        let mut manifest = format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [profile.dev]\ndebug = false\nstrip = true\n\n[dependencies]\n{dependencies}\n"
        );
        if build_script {
            manifest += "\n[build-dependencies]\nskills-bundle = { path = \"WORKSPACE/skills-bundle\" }\n";
        }
        let root = workspace().to_str().unwrap().replace('\\', "/");
        leaf.write("Cargo.toml", manifest.replace("WORKSPACE", &root));
        leaf.write("Cargo.lock", disk::read(&workspace().join("Cargo.lock")));
        leaf
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.dir.join(path)
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        disk::write(&self.dir, path, content);
    }

    pub(crate) fn remove(&self, path: &str) {
        let path = self.path(path);
        if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        fs::rename(self.path(from), self.path(to)).unwrap();
    }

    /// Replaces text in a file, and checks that it was there.
    pub(crate) fn edit(&self, path: &str, from: &str, to: &str) {
        let text = disk::read_text(&self.path(path));
        assert!(text.contains(from), "`{path}` has no `{from}`");
        self.write(path, text.replace(from, to));
    }

    /// Runs Cargo in the package.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Run {
        cargo(&self.dir, arguments, &[])
    }

    /// Runs Cargo in the package with these variables.
    pub(crate) fn cargo_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
        cargo(&self.dir, arguments, variables)
    }

    /// Builds what must build, and returns its messages for programs.
    pub(crate) fn build(&self) -> (Vec<Value>, Run) {
        let run = self.cargo(&["build", "--message-format=json-render-diagnostics"]);
        assert!(run.success, "{}", run.stderr);
        let messages = run.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        (messages, run)
    }

    /// Whether a build finds nothing to do, for this package and all that it depends on.
    pub(crate) fn is_fresh(&self) -> bool {
        let (messages, _) = self.build();
        let mut artifacts =
            messages.iter().filter(|message| message["reason"] == "compiler-artifact").peekable();
        assert!(artifacts.peek().is_some());
        artifacts.all(|artifact| artifact["fresh"] == true)
    }

    /// The output directory of the package's build script.
    pub(crate) fn out_dir(&self) -> PathBuf {
        let (messages, _) = self.build();
        let script = messages.iter().find(|message| {
            message["reason"] == "build-script-executed"
                && message["package_id"].as_str().is_some_and(|id| id.contains(self.name))
        });
        PathBuf::from(script.unwrap()["out_dir"].as_str().unwrap())
    }

    /// Builds and runs the program, and returns its lines.
    pub(crate) fn lines(&self) -> Vec<String> {
        let run = self.cargo(&["run", "--quiet"]);
        assert!(run.success, "{}", run.stderr);
        run.stdout.lines().map(str::to_owned).collect()
    }

    /// What the compiler says about a package that does not build.
    pub(crate) fn errors(&self) -> String {
        let run = self.cargo(&["build"]);
        assert!(!run.success, "this was meant to fail");
        run.stderr
    }

    /// The program that was built.
    pub(crate) fn program(&self) -> PathBuf {
        scratch().join("target/debug").join(format!("{}{}", self.name, env::consts::EXE_SUFFIX))
    }
}

/// Runs Cargo in a directory with these variables.
pub(crate) fn cargo(dir: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(arguments).arg("--offline").current_dir(dir);
    cargo.env("CARGO_TARGET_DIR", scratch().join("target")).env("CARGO_TERM_COLOR", "never");
    // Variables that Cargo set for this test, or a user for the outer build, aren't meant for the inner
    // build.
    for name in
        ["OUT_DIR", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET", "RUSTC_WORKSPACE_WRAPPER"]
    {
        cargo.env_remove(name);
    }
    cargo.envs(variables.iter().copied());
    let output = cargo.output().unwrap();
    Run {
        success: output.status.success(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A program that prints a line per skill, with its files.
fn program(bundle: &str) -> String {
    format!(
        r#"static SKILLS: skills::Bundle = {bundle};

fn main() {{
    for skill in SKILLS.skills() {{
        print!("{{}} at {{}}: {{}}", skill.name(), skill.path(), skill.body());
        for file in skill.files().filter(|file| file.path() != "SKILL.md") {{
            print!(" | {{}}: {{}}", file.path(), file.text().unwrap_or("binary").trim());
        }}
        println!();
    }}
}}
"#
    )
}
