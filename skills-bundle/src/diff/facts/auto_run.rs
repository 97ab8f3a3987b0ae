//! Files that other programs run or obey by themselves once they are there.

use serde_json::Value;

use crate::diff::pair::{FilePair, Pair};
use crate::diff::{Change, Items, Kind};
use crate::rules::masked_in_place;

/// Names of files, or ends of paths, and who runs them.
const RUN: [(&str, &str); 40] = [
    ("conftest.py", "pytest runs it when tests are collected"),
    ("setup.py", "pip runs it"),
    ("sitecustomize.py", "Python runs it at every start"),
    ("usercustomize.py", "Python runs it at every start"),
    ("noxfile.py", "nox runs it"),
    ("package.json", "npm runs its scripts, some of them when it installs"),
    (".npmrc", "npm obeys it"),
    (".yarnrc.yml", "Yarn obeys it, plug-ins too"),
    (".pnpmfile.cjs", "pnpm runs it when it installs"),
    ("vite.config.js", "Vite runs it"),
    ("vite.config.ts", "Vite runs it"),
    ("webpack.config.js", "webpack runs it"),
    ("jest.config.js", "Jest runs it"),
    ("eslint.config.js", "ESLint runs it"),
    (".eslintrc.js", "ESLint runs it"),
    ("Makefile", "make runs it"),
    ("makefile", "make runs it"),
    ("GNUmakefile", "make runs it"),
    ("justfile", "just runs it"),
    ("Rakefile", "rake runs it"),
    ("Gemfile", "Bundler runs it"),
    ("build.rs", "Cargo runs it at every build"),
    (".cargo/config.toml", "Cargo obeys it: it can name programs to run"),
    ("rust-toolchain.toml", "rustup obeys it"),
    ("build.gradle", "Gradle runs it"),
    ("build.gradle.kts", "Gradle runs it"),
    ("gradlew", "builds run it"),
    ("CMakeLists.txt", "CMake runs it"),
    (".envrc", "direnv runs it when a shell enters the directory"),
    (".vscode/tasks.json", "the editor can run it when the folder is opened"),
    (".vscode/settings.json", "the editor obeys it"),
    (".idea/workspace.xml", "the editor obeys it"),
    (".devcontainer/devcontainer.json", "the editor runs its commands"),
    (".mcp.json", "agents start the servers in it"),
    (".claude/settings.json", "agents run the hooks in it"),
    (".claude/settings.local.json", "agents run the hooks in it"),
    (".pre-commit-config.yaml", "pre-commit runs it at every commit"),
    (".gitattributes", "git obeys it: it can name filters to run"),
    (".gitmodules", "git obeys it"),
    ("Dockerfile", "Docker runs it"),
];

/// Directories in which every file is run, and who runs it.
const DIRECTORIES: [(&str, &str); 5] = [
    (".git/", "git runs hooks and obeys settings there"),
    (".husky/", "git runs it at commits"),
    (".github/workflows/", "GitHub runs it"),
    (".claude/hooks/", "agents run it"),
    ("hooks/", "some hosts run it"),
];

pub(super) fn find(pair: &Pair<'_>, items: &mut Items<'_, '_>) {
    for file in pair.files.iter().filter(|file| (file.is_news() || file.has_new_path()) && file.new.is_some())
    {
        let Some(who) = who_runs(file.path()) else { continue };
        let change = match file.old {
            None => Change::Added,
            Some(_) if file.has_new_path() => Change::Renamed,
            Some(_) => Change::Changed,
        };
        let scripts = scripts(file);
        items.file(Kind::AutoRun, change, file.path(), 0, who).new = scripts;
    }
}

/// Who runs a file by itself, if anybody does.
pub(in crate::diff) fn who_runs(path: &str) -> Option<&'static str> {
    let is_at_end =
        |end: &str| path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('/'));
    let by_name = RUN.iter().find(|(end, _)| is_at_end(end)).map(|(_, who)| *who);
    let by_directory = || {
        let is_in = |directory: &str| path.starts_with(directory) || path.contains(&format!("/{directory}"));
        DIRECTORIES.iter().find(|(directory, _)| is_in(directory)).map(|(_, who)| *who)
    };
    let is_path_file = path.to_ascii_lowercase().ends_with(".pth");
    by_name.or_else(by_directory).or_else(|| is_path_file.then_some("Python runs its lines at every start"))
}

/// The scripts of a package.json that are new or have changed.
fn scripts(file: &FilePair<'_>) -> Option<String> {
    if !file.path().ends_with("package.json") {
        return None;
    }
    let scripts = |text: &str| -> Option<Vec<(String, String)>> {
        let document: Value = serde_json::from_str(text).ok()?;
        let scripts = document.get("scripts")?.as_object()?;
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Some(scripts.iter().map(|(name, value)| (name.clone(), text(value))).collect())
    };
    let old = file.old.as_ref().and_then(|old| scripts(old.text()?)).unwrap_or_default();
    let new = scripts(file.new.as_ref()?.text()?)?;
    let new = new.into_iter().filter(|script| !old.contains(script));
    let lines: Vec<String> = new.map(|(name, value)| format!("{name}: {value}")).collect();
    (!lines.is_empty()).then(|| masked_in_place(&lines.join("\n")))
}
