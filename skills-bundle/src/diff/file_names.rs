//! What the name of a file says of its contents.

/// Whether a file is a script by its name.
pub(super) fn is_script(path: &str) -> bool {
    ends_with_any(path, &SCRIPTS)
}

/// Whether a program takes a file for text by its name.
pub(super) fn is_named_as_text(path: &str) -> bool {
    is_script(path) || ends_with_any(path, &TEXTS)
}

/// Ends of names of scripts.
const SCRIPTS: [&str; 22] = [
    ".sh",
    ".bash",
    ".zsh",
    ".fish",
    ".ps1",
    ".psm1",
    ".bat",
    ".cmd",
    ".py",
    ".rb",
    ".pl",
    ".js",
    ".mjs",
    ".cjs",
    ".ts",
    ".lua",
    ".php",
    ".applescript",
    ".vbs",
    ".awk",
    ".r",
    ".command",
];

/// Ends of names of other text.
const TEXTS: [&str; 12] =
    [".md", ".markdown", ".txt", ".json", ".yaml", ".yml", ".toml", ".html", ".svg", ".xml", ".csv", ".rs"];

fn ends_with_any(path: &str, ends: &[&str]) -> bool {
    let path = path.to_ascii_lowercase();
    ends.iter().any(|end| path.ends_with(end))
}
