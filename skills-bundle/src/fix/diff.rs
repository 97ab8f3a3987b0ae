//! A fix as a unified diff, as `git` shows and applies it.

use similar::TextDiff;

use super::FileFix;
use crate::rules::masked_text;

/// What a fix changes, with three lines around each change; a new name in the words of `git`. The
/// text is that of the file, hidden characters too: show it through [`escape`](crate::render::escape)
/// line by line where a terminal is not to be acted on. Secrets are masked, so a diff with a line that
/// holds one cannot be applied.
pub fn diff(fix: &FileFix) -> String {
    let as_git_has_it = |path| str::strip_prefix(path, "./").unwrap_or(path);
    let path = as_git_has_it(&fix.path);
    let new_path = fix.new_path.as_deref().map_or(path, as_git_has_it);
    let [before, after] = [&fix.before, &fix.after].map(|bytes| masked_text(&String::from_utf8_lossy(bytes)));
    let (from, to) = (format!("a/{path}"), format!("b/{new_path}"));
    let mut text = String::new();
    if fix.new_path.is_some() {
        text.push_str(&format!("diff --git {from} {to}\nrename from {path}\nrename to {new_path}\n"));
    }
    if before != after {
        let diff = TextDiff::from_lines(&before, &after);
        text.push_str(&diff.unified_diff().context_radius(3).header(&from, &to).to_string());
    }
    text
}
