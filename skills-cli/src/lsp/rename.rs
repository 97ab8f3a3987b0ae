//! Renaming a skill: its name, its directory, the places that mention it, and `skill!("…")` in Rust.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use gen_lsp_types::{
    DocumentChange, Edit, OptionalVersionedTextDocumentIdentifier, Position, Range, RenameFile,
    TextDocumentEdit, TextDocumentIdentifier, TextEdit, WorkspaceEdit,
};
use skills_bundle::compile::{SkillDraft, check_text};
use skills_bundle::{Code, Config, Finding, Level, links_of};
use skills_source::document::{decode, split};
use skills_source::scan::FoundSkill;
use skills_source::source::{Source, Span};

use super::cases;
use super::document::Document;
use super::hover::name_at;
use super::mentions::{is_letter, mentions};
use super::position::range;
use super::root::Root;
use super::server::{Client, OpenFile};

/// The files that the client has open, by their places on disk.
type OpenFiles = BTreeMap<PathBuf, OpenFile>;

/// At most this many files and directories of a package are looked at for `skill!("…")`.
const MAX_ENTRIES: usize = 20_000;

/// What a rename changes, and what to tell the user besides.
pub(crate) struct Renamed {
    pub(crate) edit: WorkspaceEdit,
    pub(crate) note: Option<String>,
}

/// The name at a position that can be renamed: that of the skill itself, or of one that it mentions.
pub(crate) fn prepare(document: &Document, root: &mut Root, position: Position) -> Option<(Range, String)> {
    let (span, name) = name_at(document, root, document.offset(position))?;
    Some((document.range(&span), name))
}

/// Renames the skill at a position. `open` are the files that the client has open.
///
/// # Errors
///
/// In words, if there is no skill there, or it can't have this name.
pub(crate) fn rename(
    document: &Document,
    root: &mut Root,
    client: Client,
    position: Position,
    new: &str,
    open: &OpenFiles,
) -> Result<Renamed, String> {
    let named = name_at(document, root, document.offset(position));
    let (_, old) = named.ok_or("there is no name of a skill here; put the cursor on the value of `name`")?;
    if new == old {
        return Ok(Renamed { edit: WorkspaceEdit::default(), note: None });
    }
    check_name(root, new)?;
    let (dir, _) = root.skill_named(&old).ok_or_else(|| format!("no skill of this root is named `{old}`"))?;
    let dir = dir.clone();
    let has_its_name = dir.dir_name == old && !is_root(root, &dir.path);
    let on_disk = root.on_disk(&dir.path);
    if has_its_name && on_disk.with_file_name(new).symlink_metadata().is_ok() {
        return Err(format!("there is a directory `{new}` already; remove it, or choose another name"));
    }
    // Other changes than those of texts are only in document changes.
    let moves = has_its_name && client.renames_files && client.takes_document_changes;
    let mut changes: Vec<DocumentChange> = Vec::new();
    for (file, edits) in edits(root, &dir, Names { old: &old, new, moves }, open)? {
        let (uri, version) = match open.get(&file) {
            Some(open) => (open.uri.clone(), Some(open.version)),
            None => (root.uri_of(&file), None),
        };
        let text_document_identifier = TextDocumentIdentifier { uri };
        let text_document = OptionalVersionedTextDocumentIdentifier { version, text_document_identifier };
        let edits = edits.into_iter().map(Edit::TextEdit).collect();
        changes.push(TextDocumentEdit { text_document, edits }.into());
    }
    let mut note = None;
    if moves {
        let (old_uri, new_uri) = (root.uri_of(&on_disk), root.uri_of(&on_disk.with_file_name(new)));
        // Last: the edits name the files where they are now.
        changes.push(RenameFile::new(old_uri, new_uri, None, None).into());
    } else if has_its_name {
        note = Some(format!(
            "the directory is still called `{old}`: this editor lets no server rename it; rename it to `{new}` by hand"
        ));
    }
    Ok(Renamed { edit: workspace_edit(changes, client), note })
}

fn workspace_edit(changes: Vec<DocumentChange>, client: Client) -> WorkspaceEdit {
    if client.takes_document_changes {
        return WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() };
    }
    let of_file = |change: DocumentChange| match change {
        DocumentChange::TextDocumentEdit(change) => {
            let edits = change.edits.into_iter().filter_map(|edit| match edit {
                Edit::TextEdit(edit) => Some(edit),
                _ => None,
            });
            Some((change.text_document.text_document_identifier.uri, edits.collect()))
        }
        _ => None,
    };
    let changes = changes.into_iter().filter_map(of_file).collect();
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}

/// Refuses a name that a check would refuse, and one that another skill has.
fn check_name(root: &mut Root, new: &str) -> Result<(), String> {
    if new.is_empty() {
        return Err("a skill needs a name".to_owned());
    }
    if root.skill_named(new).is_some() {
        return Err(format!("another skill of this root is named `{new}`"));
    }
    // What is none of these would end the quotes below.
    if let Some(other) = new.chars().find(|c| !(is_letter(*c) || *c == '_' || *c == ' ')) {
        return Err(format!("`name` may hold only a-z, 0-9 and `-`, and no {other:?}"));
    }
    let text = format!("---\nname: '{new}'\ndescription: x\n---\n");
    let found = check_text(&rules_of(root), &SkillDraft::new(format!("{new}/SKILL.md"), text));
    match found.iter().find(|finding| finding.level == Level::Deny) {
        Some(finding) => Err(format!("{}; {}", finding.message, finding.help)),
        None => Ok(()),
    }
}

/// Settings in which a name is judged as in the root.
fn rules_of(root: &mut Root) -> Config {
    Config::new("").unicode_names(root.rules().unicode_names)
}

fn is_root(root: &Root, path: &str) -> bool {
    root.on_disk(path) == root.place().dir
}

/// The two names, and whether the directory gets the new one.
#[derive(Clone, Copy)]
struct Names<'n> {
    old: &'n str,
    new: &'n str,
    moves: bool,
}

/// A part of a text, and what to write there.
type Change = (Span, String);

/// The edits in every file that names the skill, which is in `renamed`.
fn edits(
    root: &mut Root,
    renamed: &FoundSkill,
    names: Names<'_>,
    open: &OpenFiles,
) -> Result<BTreeMap<PathBuf, Vec<TextEdit>>, String> {
    let mut edits = BTreeMap::new();
    let config = rules_of(root);
    let skills: Vec<(FoundSkill, Option<Span>)> = root
        .skills()
        .map(|(dir, text)| {
            let own = text.filter(|text| text.name == names.old && dir.path == renamed.path);
            (dir.clone(), own.and_then(|text| Some(text.frontmatter.name.as_ref()?.span.clone())))
        })
        .collect();
    for (dir, own) in &skills {
        for file in &dir.files {
            let is_skill_file = dir.skill_file().is_some_and(|skill| skill.disk == file.disk);
            let is_markdown =
                Path::new(&file.path).extension().is_some_and(|end| end.eq_ignore_ascii_case("md"));
            if !is_skill_file && !is_markdown {
                continue;
            }
            let Some(text) = text_of(&file.disk, open) else { continue };
            let mark_len = text.len() - decode(text.as_bytes()).map_or(text.len(), str::len);
            let body = &text[mark_len..];
            let mut changes = if is_skill_file { mentioned(body, names) } else { Vec::new() };
            if names.moves {
                let part = split(body).map_or(0..body.len(), |document| document.body);
                let home = format!("{}/{}", dir.path, file.path);
                let links = links_of(body, part).into_iter();
                let spans = links.filter_map(|link| part_of_link(body, &link.span, &home, &renamed.path));
                changes.extend(spans.map(|span| (span, names.new.to_owned())));
            }
            if let Some(own) = own.as_ref().filter(|_| is_skill_file) {
                changes.push(own_name(body, own, &changes, names, &config)?);
            }
            let moved = |(span, new): Change| (span.start + mark_len..span.end + mark_len, new);
            add(&mut edits, &file.disk, &text, changes.into_iter().map(moved).collect());
        }
    }
    let homes: Vec<PathBuf> = skills.iter().map(|(dir, _)| root.on_disk(&dir.path)).collect();
    for file in cases::files(&root.place().dir, &homes) {
        let Some(text) = text_of(&file, open) else { continue };
        let spans = cases::names(&file, &text, names.old).into_iter();
        add(&mut edits, &file, &text, spans.map(|span| (span, names.new.to_owned())).collect());
    }
    for (file, text) in rust_files(root, open) {
        let spans = in_rust(&text, names.old).into_iter();
        add(&mut edits, &file, &text, spans.map(|span| (span, names.new.to_owned())).collect());
    }
    Ok(edits)
}

/// The mentions of the skill in the frontmatter and the body of a SKILL.md.
fn mentioned(text: &str, names: Names<'_>) -> Vec<Change> {
    let Ok(document) = split(text) else { return Vec::new() };
    let found = [document.frontmatter, document.body].into_iter().flat_map(|part| mentions(text, part));
    found
        .filter(|mention| mention.name == names.old)
        .map(|mention| (mention.span, names.new.to_owned()))
        .collect()
}

/// How the skill's own name is written, such that the file, read after all changes, has that name and no new error.
fn own_name(
    text: &str,
    own: &Span,
    others: &[Change],
    Names { old, new, .. }: Names<'_>,
    config: &Config,
) -> Result<Change, String> {
    let judge =
        |name: &str, text: &str| check_text(config, &SkillDraft::new(format!("{name}/SKILL.md"), text));
    let errors = |found: &[Finding]| found.iter().filter(|finding| finding.level == Level::Deny).count();
    let before = judge(old, text);
    let has_another = |found: &[Finding]| found.iter().any(|finding| finding.code == Code::L103);
    let mut forms = [new.to_owned(), format!("\"{new}\"")];
    if !is_plain(new) {
        forms.reverse();
    }
    for written in forms {
        let mut changes = others.to_vec();
        changes.push((own.clone(), written.clone()));
        changes.sort_by_key(|(span, _)| span.start);
        let mut after = text.to_owned();
        changes.iter().rev().for_each(|(span, new)| after.replace_range(span.clone(), new));
        let found = judge(new, &after);
        if errors(&found) <= errors(&before) && !has_another(&found) {
            return Ok((own.clone(), written));
        }
    }
    Err(format!(
        "the value of `name` can't be replaced as it is written; write `name: {old}` on one line first"
    ))
}

/// Whether every reader of YAML takes a name without quotes for a string.
fn is_plain(name: &str) -> bool {
    const WORDS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    !name.starts_with(|c: char| c.is_ascii_digit()) && !WORDS.contains(&name)
}

fn add(edits: &mut BTreeMap<PathBuf, Vec<TextEdit>>, file: &Path, text: &str, mut changes: Vec<Change>) {
    if changes.is_empty() {
        return;
    }
    changes.sort_by_key(|(span, _)| span.start);
    changes.dedup();
    let source = Source::new("", text);
    let edit = |(span, new_text): Change| TextEdit { range: range(&source, &span), new_text };
    edits.insert(file.to_owned(), changes.into_iter().map(edit).collect());
}

/// Where a link in the file at `home` names the directory at `renamed`, both as findings show them.
fn part_of_link(text: &str, link: &Span, home: &str, renamed: &str) -> Option<Span> {
    let mut at: Vec<&str> = home.split('/').collect();
    at.pop();
    let mut start = link.start;
    for part in text[link.clone()].split('/') {
        let part_end = part.find(['#', '?', '>']).unwrap_or(part.len());
        let skipped = usize::from(part.starts_with('<'));
        let name = part.get(skipped..part_end).unwrap_or_default();
        match name {
            "" | "." => {}
            ".." => drop(at.pop()?),
            name => {
                at.push(name);
                if at.join("/") == renamed {
                    return Some(start + skipped..start + part_end);
                }
            }
        }
        start += part.len() + 1;
    }
    None
}

fn text_of(file: &Path, open: &OpenFiles) -> Option<String> {
    #[allow(clippy::disallowed_methods, reason = "it is edited by the editor, as the text that it is")]
    let saved = || fs::read_to_string(file).ok();
    open.get(file).map(|open| open.text.clone()).or_else(saved)
}

/// The Rust files of the package that the root is in.
fn rust_files(root: &Root, open: &OpenFiles) -> Vec<(PathBuf, String)> {
    let place = root.place();
    let above = place.dir.ancestors().take_while(|dir| dir.starts_with(&place.base));
    let Some(package) = above.into_iter().find(|dir| dir.join("Cargo.toml").is_file()) else {
        return Vec::new();
    };
    let mut files = Vec::new();
    let (mut todo, mut seen) = (vec![package.to_owned()], 0);
    while let Some(dir) = todo.pop() {
        #[allow(clippy::disallowed_methods, reason = "the one walk is for skills, and this looks for Rust")]
        let Ok(entries) = fs::read_dir(&dir) else { continue };
        for entry in entries.flatten() {
            seen += 1;
            if seen > MAX_ENTRIES {
                return files;
            }
            let (name, path) = (entry.file_name(), entry.path());
            let name = name.to_string_lossy();
            // A symlink is neither: nothing outside the package is edited.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !name.starts_with('.') && name != "target" => todo.push(path),
                Ok(kind) if kind.is_file() && name.ends_with(".rs") => {
                    files.extend(text_of(&path, open).map(|text| (path, text)));
                }
                _ => {}
            }
        }
    }
    files
}

/// The names in `skill!("old")`, with any blanks.
fn in_rust(text: &str, old: &str) -> Vec<Span> {
    let quoted = format!("\"{old}\"");
    let found = text.match_indices(&quoted).filter(|(at, _)| {
        let before = text[..*at].trim_end();
        before.strip_suffix(['(', '[', '{']).is_some_and(|before| before.trim_end().ends_with("skill!"))
    });
    found.map(|(at, _)| at + 1..at + 1 + old.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_macro_names_a_skill_in_rust() {
        let text =
            "skills::skill!(\"pdf\"); skill! ( \"pdf\" ); skill![\"pdf\"]; f(\"pdf\"); skill!(\"pdf2\")";
        let found = in_rust(text, "pdf");
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|span| &text[span.clone()] == "pdf"));
    }
}
