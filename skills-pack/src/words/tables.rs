//! Writes the files of tables, and compares them: `UPDATE_TABLES=1 cargo test -p skills-pack tables`
//! makes them fresh.

use std::fmt::Write as _;

/// Adds a table to a file's text.
pub(super) fn push(rust: &mut String, about: &str, name: &str, entry: &str, entries: &[String]) {
    let len = entries.len();
    write!(rust, "\n/// {about}\n#[rustfmt::skip]\npub(super) static {name}: [{entry}; {len}] = [").unwrap();
    let mut width = 145;
    for entry in entries {
        if width + entry.len() > 145 {
            rust.push_str("\n   ");
            width = 3;
        }
        write!(rust, " {entry},").unwrap();
        width += entry.len() + 2;
    }
    rust.push_str("\n];\n");
}

/// Panics if the file has another text.
#[allow(clippy::disallowed_methods, reason = "the file is written on demand")]
pub(super) fn assert_fresh(file: &str, rust: &str) {
    let path = format!("{}/src/words/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_TABLES").is_some() {
        std::fs::write(&path, rust).unwrap();
    }
    // A checkout on Windows may end its lines with CRLF.
    let written = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    assert!(written == rust, "{file} is stale: UPDATE_TABLES=1 cargo test -p skills-pack tables");
}
