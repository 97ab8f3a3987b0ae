//! From a name to a skill.

use bench_harness::clock::{Group, NS};

use super::{row, titles};
use crate::material::Questions;

/// A look-up in a registry, in any accepted spelling.
pub const OURS: &str = "`Registry::get`";
/// A look-up in the bundle alone.
pub const BUNDLE: &str = "`Bundle::get`";

/// Look-ups, alone and with the first thing that one does with what was found.
pub fn group<'a>(columns: &'a [Questions<'a>]) -> Group<'a> {
    Group {
        title: "Look-up by name",
        about: "`include_dir` compares one entry after the other, so ten names are asked for in every column. Its look-up and that of the map find a name that is \
                spelled as the skill's own; ours also ignores case, spaces and backticks.",
        unit: NS,
        columns: titles(columns),
        rows: vec![
            row("`HashMap::get`", columns, |of| &of.names, |of, name| of.documents.get(name)),
            row(BUNDLE, columns, |of| &of.names, |of, name| of.bundle.get(name)),
            row(OURS, columns, |of| &of.names, |of, name| of.registry.get(name)),
            row(
                "`Registry::get`, capitals, blanks and `**`",
                columns,
                |of| &of.loose_names,
                |of, name| of.registry.get(name),
            ),
            row("`include_dir`: `get_dir`", columns, |of| &of.some_names, |of, name| of.tree.get_dir(name)),
            row(
                "`HashMap::get`, length of the text",
                columns,
                |of| &of.names,
                |of, name| of.documents.get(name).map(String::len),
            ),
            row(
                "`Bundle::get`, length of the body",
                columns,
                |of| &of.names,
                |of, name| of.bundle.get(name).map(|skill| skill.body().len()),
            ),
        ],
    }
}
