//! Renaming a skill: its name, its directory, the places that mention it, and `skill!("…")` in Rust.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use gen_lsp_types::{
    DocumentChange, Edit, OptionalVersionedTextDocumentIdentifier, Position, Range, RenameFile,
    TextDocumentEdit, TextDocumentIdentifier, TextEdit, WorkspaceEdit,
};
use skills_bundle::compile::{SkillDraft, check_text};
use skills_bundle::{Config, Level, links_of};
use skills_source::document::{decode, split};
use skills_source::source::{Source, Span};

use super::document::Document;
use super::hover::name_at;
use super::mentions::mentions;
use super::place::uri_of;
use super::position::range;
use super::root::Root;
use super::server::Client;

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

/// Renames the skill at a position. `open` gives the text and version of a file that is open.
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
    open: impl Fn(&Path) -> Option<(String, i32)>,
) -> Result<Renamed, String> {
    let named = name_at(document, root, document.offset(position));
    let (_, old) = named.ok_or("there is no name of a skill here; put the cursor on the value of `name`")?;
    check_name(root, &old, new)?;
    let (dir, _) = root.skill_named(&old).ok_or_else(|| format!("no skill of this root is named `{old}`"))?;
    let dir = dir.clone();
    let renames_directory = dir.dir_name == old && !is_root(root, &dir.path);
    let mut changes: Vec<DocumentChange> = Vec::new();
    for (file, edits) in edits(root, &old, new, renames_directory && client.renames_files, &open) {
        let version = open(&file).map(|(_, version)| version);
        let text_document_identifier = TextDocumentIdentifier { uri: uri_of(&file) };
        let text_document = OptionalVersionedTextDocumentIdentifier { version, text_document_identifier };
        let edits = edits.into_iter().map(Edit::TextEdit).collect();
        changes.push(TextDocumentEdit { text_document, edits }.into());
    }
    let on_disk = root.on_disk(&dir.path);
    let mut note = None;
    if renames_directory && client.renames_files && client.takes_document_changes {
        let (old_uri, new_uri) = (uri_of(&on_disk), uri_of(&on_disk.with_file_name(new)));
        // Last: the edits name the files where they are now.
        changes.push(RenameFile::new(old_uri, new_uri, None, None).into());
    } else if renames_directory {
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
fn check_name(root: &mut Root, old: &str, new: &str) -> Result<(), String> {
    if new != old && root.skill_named(new).is_some() {
        return Err(format!("another skill of this root is named `{new}`"));
    }
    let draft =
        SkillDraft::new(format!("{new}/SKILL.md"), format!("---\nname: '{new}'\ndescription: x\n---\n"));
    let config = Config::new("").unicode_names(root.rules().unicode_names);
    let found = check_text(&config, &draft);
    match found.iter().find(|finding| finding.level == Level::Deny) {
        Some(finding) => Err(format!("{}; {}", finding.message, finding.help)),
        None if new.is_empty() || new.contains(['/', '\\']) => {
            Err("this is not the name of a skill".to_owned())
        }
        None => Ok(()),
    }
}

fn is_root(root: &Root, path: &str) -> bool {
    root.on_disk(path) == root.place().dir
}

/// The edits in every file that names the skill.
fn edits(
    root: &mut Root,
    old: &str,
    new: &str,
    moves: bool,
    open: &impl Fn(&Path) -> Option<(String, i32)>,
) -> BTreeMap<PathBuf, Vec<TextEdit>> {
    let mut edits = BTreeMap::new();
    let skills: Vec<(PathBuf, Option<Span>, String)> = root
        .skills()
        .filter_map(|(dir, text)| {
            let own = text.filter(|text| text.name == old).and_then(|text| text.frontmatter.name.as_ref());
            Some((dir.skill_file()?.disk.clone(), own.map(|name| name.span.clone()), dir.dir_name.clone()))
        })
        .collect();
    for (file, own, _) in skills {
        let Some(text) = text_of(&file, open) else { continue };
        let mark_len = text.len() - decode(text.as_bytes()).map_or(text.len(), str::len);
        let body_text = &text[mark_len..];
        let mut spans: Vec<Span> = own.into_iter().collect();
        if let Ok(document) = split(body_text) {
            let named = mentions(body_text, document.body.clone()).into_iter();
            spans.extend(named.filter(|mention| mention.name == old).map(|mention| mention.span));
            if moves {
                let links = links_of(body_text, document.body).into_iter();
                spans.extend(links.filter_map(|link| part_of_link(body_text, &link.span, old)));
            }
        }
        let spans = spans.into_iter().map(|span| span.start + mark_len..span.end + mark_len);
        add(&mut edits, &file, &text, spans.collect(), new);
    }
    for (file, text) in rust_files(root, open) {
        let spans = in_rust(&text, old);
        add(&mut edits, &file, &text, spans, new);
    }
    edits
}

fn add(
    edits: &mut BTreeMap<PathBuf, Vec<TextEdit>>,
    file: &Path,
    text: &str,
    mut spans: Vec<Span>,
    new: &str,
) {
    if spans.is_empty() {
        return;
    }
    spans.sort_by_key(|span| span.start);
    spans.dedup();
    let source = Source::new("", text);
    let of_span = |span: &Span| TextEdit { range: range(&source, span), new_text: new.to_owned() };
    edits.insert(file.to_owned(), spans.iter().map(of_span).collect());
}

/// Where a link out of a skill names the directory of another one: `../old/…`.
fn part_of_link(text: &str, link: &Span, old: &str) -> Option<Span> {
    let written = &text[link.clone()];
    let rest = written.strip_prefix("../")?.strip_prefix(old)?;
    let start = link.start + "../".len();
    (rest.is_empty() || rest.starts_with(['/', '#'])).then(|| start..start + old.len())
}

fn text_of(file: &Path, open: &impl Fn(&Path) -> Option<(String, i32)>) -> Option<String> {
    #[allow(clippy::disallowed_methods, reason = "it is edited by the editor, as the text that it is")]
    let saved = || fs::read_to_string(file).ok();
    open(file).map(|(text, _)| text).or_else(saved)
}

/// The Rust files of the package that the root is in.
fn rust_files(root: &Root, open: &impl Fn(&Path) -> Option<(String, i32)>) -> Vec<(PathBuf, String)> {
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
