//! From a name to the text that a model is given.

use bench_harness::clock::{Group, NS};

use super::{from_tree, row, titles};
use crate::material::Questions;

/// A copy of the same text, which lay there whole.
pub const COPY: &str = "plain copy of the same text";
/// The text alone.
pub const TEXT: &str = "`text()` of what was found";
/// The whole action.
pub const OURS: &str = "`Registry::load`, `text()`";

/// Loads.
pub fn group<'a>(columns: &'a [Questions<'a>]) -> Group<'a> {
    Group {
        title: "load",
        about: "About 6 KB. The plain copy is `to_owned()` of that text, which knows its length and needs no look-up. \
                `HashMap` and `include_dir` copy a raw SKILL.md: no head, no tree, frontmatter and all.",
        unit: NS,
        columns: titles(columns),
        rows: vec![
            row(COPY, columns, |of| &of.loads, |_, text| str::to_owned(text)),
            row(
                "`with_capacity`, `push_str`",
                columns,
                |of| &of.loads,
                |_, text| {
                    let mut copy = String::with_capacity(text.len());
                    copy.push_str(text);
                    copy
                },
            ),
            row(
                "`Registry::load` without its text",
                columns,
                |of| &of.names,
                |of, name| of.registry.load(name),
            ),
            row(OURS, columns, |of| &of.names, |of, name| of.registry.load(name).map(|loaded| loaded.text())),
            row(
                "`Registry::load`, `to_string()`",
                columns,
                |of| &of.names,
                |of, name| of.registry.load(name).map(|loaded| loaded.to_string()),
            ),
            row(
                "`HashMap`: get and copy",
                columns,
                |of| &of.names,
                |of, name| of.documents.get(name).cloned(),
            ),
            row(
                "`include_dir`: get, check UTF-8, copy",
                columns,
                |of| &of.some_names,
                |of, name| from_tree(of, &format!("{name}/SKILL.md")),
            ),
        ],
    }
}
