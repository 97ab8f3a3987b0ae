//! What is asked, and in which ways it is answered: one group a file.
//!
//! In every group the first row is what the others are divided by. Which of the numbers were promised is
//! the business of [`targets`](crate::targets).

pub mod call;
pub mod list;
pub mod load;
pub mod lookup;
pub mod read_file;
pub mod search;

use bench_harness::clock::Case;

use crate::material::{Material, Questions};

/// The column with ten skills.
pub const TEN: usize = 0;
/// The column with a thousand skills, of which ten are asked for: the same work in the same memory.
pub const SAME_TEN: usize = 1;
/// The column with a thousand skills, each of which is asked for: more memory than a cache has.
pub const EACH: usize = 2;

/// The three columns of most groups.
pub fn columns<'a>(few: &'a Material, many: &'a Material) -> [Questions<'a>; 3] {
    [
        Questions::new("10 skills", few, few),
        Questions::new("1,000 skills, the same ten", many, few),
        Questions::new("1,000 skills, each in turn", many, many),
    ]
}

/// One way to answer, in each column.
fn row<'a, Q: 'a, A>(
    label: &'static str,
    columns: &'a [Questions<'a>],
    questions: fn(&'a Questions<'a>) -> &'a [Q],
    answer: impl Fn(&'a Material, &'a Q) -> A + Copy + 'a,
) -> (&'static str, Vec<Case<'a>>) {
    let case = |column: &'a Questions<'a>| {
        Case::new(questions(column), move |question| answer(column.material, question))
    };
    (label, columns.iter().map(case).collect())
}

fn titles(columns: &[Questions<'_>]) -> Vec<String> {
    columns.iter().map(|column| column.title.to_owned()).collect()
}

/// What a program does that has its skills in an `include_dir::Dir`.
fn from_tree(material: &Material, path: &str) -> Option<String> {
    let text = material.tree.get_file(path)?.contents_utf8()?;
    Some(text.to_owned())
}
