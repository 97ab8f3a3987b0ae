//! Files that come, go, move or may be executed now, and what isn't a file.

use skills_source::scan::SKILL_FILE;

use super::file_names;
use super::pair::{Content, FilePair, Pair, Seen};
use super::{Change, Items, Kind, count};

pub(super) fn find(pair: &Pair<'_>, items: &mut Items<'_, '_>) {
    for file in &pair.files {
        one(file, items);
    }
    let others = pair.new.map_or(&[][..], |new| &new.others);
    for (path, what) in others {
        let is_old = pair.old.is_some_and(|old| old.others.iter().any(|(old, _)| old == path));
        if !is_old {
            items.file(Kind::Files, Change::Added, path, 0, format!("{what}, which no skill may have"));
        }
    }
    let line_ends = pair.files.iter().filter(|file| file.only_line_ends).count();
    if line_ends > 0 {
        let files = if line_ends == 1 { "1 file differs" } else { &format!("{line_ends} files differ") };
        let what = format!("{files} in line ends alone");
        let names = pair.files.iter().filter(|file| file.only_line_ends).map(FilePair::path);
        items.skill(Kind::LineEnds, Change::Changed, what).new = Some(names.collect::<Vec<_>>().join(", "));
    }
}

fn one(file: &FilePair<'_>, items: &mut Items<'_, '_>) {
    let path = file.path();
    match (&file.old, &file.new) {
        (None, Some(new)) => {
            let nested = if is_nested(path) { ": a skill inside of the skill" } else { "" };
            let what = format!("{}{nested}", facts(new));
            items.file(Kind::Files, Change::Added, path, 0, what);
        }
        (Some(old), None) => {
            items.file(Kind::Files, Change::Removed, path, 0, facts(old));
        }
        (Some(old), Some(new)) => {
            if old.line.path != new.line.path {
                let what = if file.is_changed { "renamed, and changed" } else { "renamed" };
                let nested = if is_nested(path) { ": a skill inside of the skill" } else { "" };
                let item = items.file(Kind::Files, Change::Renamed, path, 0, format!("{what}{nested}"));
                item.values(Some(old.line.path.clone()), Some(new.line.path.clone()));
            }
            if old.line.executable != new.line.executable {
                let what =
                    if new.line.executable { "may be executed now" } else { "may not be executed any more" };
                let item = items.file(Kind::Files, Change::Changed, path, 0, what);
                item.values(Some(mode(old)), Some(mode(new)));
            }
            if file.is_news() && old.line.path == new.line.path {
                let item = items.file(Kind::Files, Change::Changed, path, 0, "other contents");
                item.values(Some(facts(old)), Some(facts(new)));
            }
        }
        (None, None) => {}
    }
}

fn mode(seen: &Seen<'_>) -> String {
    (if seen.line.executable { "755" } else { "644" }).to_owned()
}

/// Size, whether it may be executed, and whether it is a script.
fn facts(seen: &Seen<'_>) -> String {
    let bytes = count(seen.line.size, "byte");
    let executable = if seen.line.executable { ", executable" } else { "" };
    let kind = match &seen.content {
        Content::Text { text, .. } if text.starts_with("#!") => {
            let first = seen.shown().unwrap_or(text).lines().next().unwrap_or_default();
            format!(", a script for `{}`", first.trim_start_matches("#!").trim())
        }
        Content::Text { .. } if file_names::is_script(&seen.line.path) => ", a script".to_owned(),
        Content::Binary(_) => ", not text".to_owned(),
        Content::Unknown => ", contents not available".to_owned(),
        Content::Text { .. } => String::new(),
    };
    format!("{bytes}{executable}{kind}")
}

fn is_nested(path: &str) -> bool {
    path.rsplit_once('/').is_some_and(|(_, name)| name.eq_ignore_ascii_case(SKILL_FILE))
}
