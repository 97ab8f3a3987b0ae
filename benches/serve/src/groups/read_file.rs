//! From a skill's name and a path to the file.

use bench_harness::clock::{Group, NS};

use super::{from_tree, row, titles};
use crate::material::{FILE, Questions};

/// A copy of the content.
pub const COPY: &str = "plain copy of the content";
/// The answer as data, which borrows the content.
pub const DATA: &str = "`Registry::read_file`";
/// The answer as text.
pub const TEXT: &str = "`Registry::read_file`, `to_text()`";

/// Reads of one file of each skill.
pub fn group<'a>(columns: &'a [Questions<'a>]) -> Group<'a> {
    Group {
        title: "read_file of 4 KB",
        about: "The answer tells how many characters the file has, so they are counted; the row below it counts and \
                does nothing else. The path stands ready for the map and is put together for `include_dir`.",
        unit: NS,
        columns: titles(columns),
        rows: vec![
            row(COPY, columns, |of| &of.contents, |_, text| str::to_owned(text)),
            row(
                "`chars().count()` of the content",
                columns,
                |of| &of.contents,
                |_, text| text.chars().count(),
            ),
            row(
                "look-up and `Skill::file`",
                columns,
                |of| &of.names,
                |of, name| of.registry.get(name).and_then(|entry| entry.skill.file(FILE)),
            ),
            row(
                "look-up, `Skill::file`, copy",
                columns,
                |of| &of.names,
                |of, name| {
                    let file = of.registry.get(name).and_then(|entry| entry.skill.file(FILE));
                    file.and_then(|file| file.text()).map(str::to_owned)
                },
            ),
            row(DATA, columns, |of| &of.names, |of, name| of.registry.read_file(name, FILE, 0)),
            row(
                TEXT,
                columns,
                |of| &of.names,
                |of, name| of.registry.read_file(name, FILE, 0).map(|content| content.to_text()),
            ),
            row("`HashMap`: get and copy", columns, |of| &of.paths, |of, path| of.files.get(path).cloned()),
            row(
                "`include_dir`: get, check UTF-8, copy",
                columns,
                |of| &of.some_names,
                |of, name| from_tree(of, &format!("{name}/{FILE}")),
            ),
        ],
    }
}
