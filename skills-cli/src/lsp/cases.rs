//! Where files of queries name a skill: `"owner": "pdf"`, `skill: pdf`, or a column of that name.
//!
//! What the files mean is for `skills test`; here only the names in them are found, by the keys under which they are.

use std::fs;
use std::path::{Path, PathBuf};

use skills_source::source::Span;

/// The keys and columns that hold the name of a skill.
const KEYS: [&str; 5] = ["owner", "skill", "skill_name", "expected_skill", "expect_skills"];

/// The directories with files of queries, beside skills and, the first, in each.
const DIRECTORIES: [&str; 3] = ["evals", "evals/cases", "tests"];

/// The ends of the names of such files.
const ENDINGS: [&str; 6] = ["json", "jsonl", "ndjson", "csv", "yaml", "yml"];

/// The files that may hold queries, of a root and of its skills, which are in `directories`.
pub(crate) fn files(root: &Path, directories: &[PathBuf]) -> Vec<PathBuf> {
    let of_root = DIRECTORIES.iter().map(|below| root.join(below));
    let of_skills = directories.iter().map(|directory| directory.join(DIRECTORIES[0]));
    let mut found = Vec::new();
    for directory in of_root.chain(of_skills) {
        #[allow(clippy::disallowed_methods, reason = "the walk leaves these directories out")]
        let Ok(listing) = fs::read_dir(directory) else { continue };
        let paths = listing.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        found.extend(paths.map(|entry| entry.path()).filter(|path| {
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            ENDINGS.contains(&ending.to_ascii_lowercase().as_str())
        }));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Where a text of such a file names the skill.
pub(crate) fn names(path: &Path, text: &str, name: &str) -> Vec<Span> {
    let is_csv = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    // A value of YAML may be without quotes.
    let is_yaml =
        path.extension().is_some_and(|ending| ending.to_string_lossy().to_ascii_lowercase().starts_with('y'));
    if is_csv { in_columns(text, name) } else { under_keys(text, name, is_yaml) }
}

/// In JSON and YAML: the value of such a key, or an item of a list in one line.
fn under_keys(text: &str, name: &str, may_be_bare: bool) -> Vec<Span> {
    let is_part = |c: char| c == '-' || c == '_' || c.is_alphanumeric();
    let is_whole =
        |at: usize| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part);
    let is_value = |at: usize| (may_be_bare || text[..at].ends_with('"')) && is_value(text, at, name.len());
    let found = text.match_indices(name).filter(|(at, _)| is_whole(*at) && is_value(*at));
    found.map(|(at, _)| at..at + name.len()).collect()
}

/// Whether what is at a place is the value of one of the keys as a whole.
fn is_value(text: &str, at: usize, len: usize) -> bool {
    let before = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
    let after = text[at + len..].lines().next().unwrap_or_default();
    let (before, quote) = match before.strip_suffix(['"', '\'']) {
        Some(rest) => (rest, before.chars().next_back()),
        None => (before, None),
    };
    let rest = match quote {
        Some(quote) => after.strip_prefix(quote),
        None => Some(after),
    };
    let ends = rest.is_some_and(|rest| {
        let rest = rest.trim_start();
        rest.is_empty() || rest.starts_with([',', '}', ']', '#'])
    });
    // In a list, what is before the bracket counts.
    let before = match before.rfind('[') {
        Some(open) if !before[open..].contains([']', '{', ':']) => &before[..open],
        _ => before,
    };
    let Some(key) = before.trim_end().strip_suffix(':') else { return false };
    let key = key.trim_end().trim_end_matches(['"', '\'']);
    let start = key.rfind(|c: char| !(c == '_' || c.is_alphanumeric())).map_or(0, |last| last + 1);
    ends && key.get(start..).is_some_and(|key| KEYS.contains(&key))
}

/// In CSV: the fields of such a column.
fn in_columns(text: &str, name: &str) -> Vec<Span> {
    let rows = rows(text);
    let Some((header, rows)) = rows.split_first() else { return Vec::new() };
    let is_named = |span: &Span| KEYS.contains(&text[span.clone()].trim());
    let columns: Vec<usize> =
        header.iter().enumerate().filter(|(_, span)| is_named(span)).map(|(number, _)| number).collect();
    let fields = rows.iter().flat_map(|row| columns.iter().filter_map(|column| row.get(*column)));
    let trimmed = fields.filter_map(|field| {
        let start = field.start + text[field.clone()].find(name)?;
        (text[field.clone()].trim() == name).then_some(start..start + name.len())
    });
    trimmed.collect()
}

/// The fields of each row, without the quotes around them.
fn rows(text: &str) -> Vec<Vec<Span>> {
    let (mut rows, mut row, mut start, mut is_quoted) = (Vec::new(), Vec::new(), 0, false);
    let field = |start: usize, end: usize| {
        let written = &text[start..end];
        let quoted = written.len() > 1 && written.starts_with('"') && written.ends_with('"');
        if quoted { start + 1..end - 1 } else { start..end }
    };
    for (at, c) in text.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            ',' | '\n' if !is_quoted => {
                let end = if text[start..at].ends_with('\r') { at - 1 } else { at };
                row.push(field(start, end));
                start = at + 1;
                if c == '\n' {
                    rows.push(std::mem::take(&mut row));
                }
            }
            _ => {}
        }
    }
    row.push(field(start, text.len()));
    rows.push(row);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renamed(path: &str, text: &str) -> String {
        let mut text = text.to_owned();
        for span in names(Path::new(path), &text.clone(), "pdf").into_iter().rev() {
            text.replace_range(span, "forms");
        }
        text
    }

    #[test]
    fn only_values_of_the_keys_are_names() {
        for (path, text, after) in [
            (
                "a.json",
                r#"[{"query": "pdf", "owner": "pdf", "skill":"pdf-x", "pdf": 1, "note": "skill: pdf, x"}]"#,
                r#"[{"query": "pdf", "owner": "forms", "skill":"pdf-x", "pdf": 1, "note": "skill: pdf, x"}]"#,
            ),
            (
                "a.yaml",
                "skill: pdf # x\nq:\n - {expected_skill: 'pdf'}\n - pdf\n",
                "skill: forms # x\nq:\n - {expected_skill: 'forms'}\n - pdf\n",
            ),
            ("a.yml", "expect_skills: [a, pdf]\nname: pdf\n", "expect_skills: [a, forms]\nname: pdf\n"),
            (
                "a.csv",
                "prompt,owner\r\n\"a, pdf\",pdf\r\npdf,\"pdf\"",
                "prompt,owner\r\n\"a, pdf\",forms\r\npdf,\"forms\"",
            ),
        ] {
            assert_eq!(renamed(path, text), after);
        }
    }
}
