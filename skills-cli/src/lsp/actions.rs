//! Code actions: the edits that findings carry.
//!
//! A safe edit is offered only if the file, read again after it, is the file that was meant, as with
//! `check --fix`. A suggested edit is offered beside it, and is for a person to choose.

use std::collections::HashMap;

use gen_lsp_types::{
    Code, CodeAction, CodeActionKind, CodeActionParams, CodeActionResponse, Diagnostic, Edit as TextChange,
    OptionalVersionedTextDocumentIdentifier, Range, TextDocumentEdit, TextDocumentIdentifier, TextEdit,
    WorkspaceEdit,
};
use skills_bundle::Finding;
use skills_source::finding::Edit;
use skills_source::fix;

use super::diagnostics::{Found, findings_of};
use super::document::Document;
use super::place::Kind;
use super::root::Root;
use super::server::Client;

/// The kind of the action that applies every safe edit.
pub(crate) const FIX_ALL: &str = "source.fixAll.skills";

/// The longest part of an edit that its title shows, in characters.
const MAX_SHOWN: usize = 48;

/// The actions for a range of an open file.
pub(crate) fn actions(
    document: &Document,
    root: &mut Root,
    client: Client,
    params: &CodeActionParams,
) -> Vec<CodeActionResponse> {
    let wanted = |kind: &str| {
        let only = params.context.only.as_ref();
        only.is_none_or(|only| only.iter().any(|only| is_or_is_below(kind, &String::from(only.clone()))))
    };
    let mut actions = Vec::new();
    if wanted("quickfix") {
        for Found { finding, range, is_own } in findings_of(document, root) {
            if is_own && finding.source.is_some() && touches(range, params.range) {
                let diagnostics = of_finding(&finding, range, &params.context.diagnostics);
                actions.extend(quick_fixes(document, root, client, &finding, &diagnostics));
            }
        }
    }
    if wanted(FIX_ALL) {
        actions.extend(fix_all(document, root, client));
    }
    actions.into_iter().map(CodeActionResponse::CodeAction).collect()
}

/// Whether a kind is another one, or is below it: `quickfix.x` is below `quickfix`.
fn is_or_is_below(kind: &str, above: &str) -> bool {
    above.is_empty() || kind.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn touches(a: Range, b: Range) -> bool {
    // A place between two characters has both.
    a.start <= b.end && b.start <= a.end
}

fn of_finding(finding: &Finding, range: Range, shown: &[Diagnostic]) -> Vec<Diagnostic> {
    let code = Some(Code::String(finding.code.as_str().to_owned()));
    shown.iter().filter(|shown| shown.code == code && shown.range == range).cloned().collect()
}

fn quick_fixes(
    document: &Document,
    root: &mut Root,
    client: Client,
    finding: &Finding,
    diagnostics: &[Diagnostic],
) -> Vec<CodeAction> {
    let action = |title: String, edit: TextEdit, is_preferred: bool| CodeAction {
        title,
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: (!diagnostics.is_empty()).then(|| diagnostics.to_vec()),
        is_preferred: Some(is_preferred),
        edit: Some(workspace_edit(document, client, edit)),
        ..CodeAction::default()
    };
    let safe = finding
        .edit
        .as_ref()
        .and_then(|edit| Some((edit, fixed(document, root, |other| is_same(other, finding))?)));
    let mut actions: Vec<CodeAction> =
        safe.iter().map(|(edit, change)| action(title(document, edit), change.clone(), true)).collect();
    if let Some(edit) = &finding.suggested
        && safe.as_ref().is_none_or(|(safe, _)| (&safe.span, &safe.text) != (&edit.span, &edit.text))
    {
        let change = TextEdit { range: document.range(&edit.span), new_text: edit.text.clone() };
        actions.push(action(title(document, edit), change, false));
    }
    actions
}

fn is_same(a: &Finding, b: &Finding) -> bool {
    (a.code, &a.span) == (b.code, &b.span)
}

fn fix_all(document: &Document, root: &mut Root, client: Client) -> Option<CodeAction> {
    let edit = fixed(document, root, |_| true)?;
    Some(CodeAction {
        title: "Fix everything that is unambiguous".to_owned(),
        kind: Some(CodeActionKind::from(FIX_ALL.to_owned())),
        edit: Some(workspace_edit(document, client, edit)),
        ..CodeAction::default()
    })
}

/// The edit that fixes the findings that are `wanted`, proved by reading the file again.
fn fixed(document: &Document, root: &mut Root, wanted: impl Fn(&Finding) -> bool) -> Option<TextEdit> {
    if document.kind != Kind::Skill {
        return None;
    }
    let rules = root.rules();
    let path = root.path_in_findings(document);
    let dir_name = root
        .skill_of(&document.path)
        .map(|(dir, _)| dir.dir_name.clone())
        .or_else(|| Some(document.path.parent()?.file_name()?.to_string_lossy().into_owned()))?;
    let fixed = fix::fix_skill(&path, &dir_name, document.body().as_bytes(), &rules, wanted)?;
    document.edit_to(std::str::from_utf8(&fixed.bytes).ok()?)
}

fn workspace_edit(document: &Document, client: Client, edit: TextEdit) -> WorkspaceEdit {
    if !client.takes_document_changes {
        let changes = HashMap::from([(document.uri.clone(), vec![edit])]);
        return WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() };
    }
    let identifier = TextDocumentIdentifier { uri: document.uri.clone() };
    let text_document = OptionalVersionedTextDocumentIdentifier {
        version: Some(document.version),
        text_document_identifier: identifier,
    };
    let change = TextDocumentEdit { text_document, edits: vec![TextChange::TextEdit(edit)] };
    WorkspaceEdit { document_changes: Some(vec![change.into()]), ..WorkspaceEdit::default() }
}

/// What an edit does, in one line.
fn title(document: &Document, edit: &Edit) -> String {
    let old = document.body().get(edit.span.clone()).unwrap_or_default();
    match (old, edit.text.as_str()) {
        ("", " ") => "Insert a blank".to_owned(),
        ("", new) => format!("Insert `{}`", short(new)),
        (old, "") => format!("Delete `{}`", short(old)),
        (old, new) => format!("Write `{}` instead of `{}`", short(new), short(old)),
    }
}

/// The beginning of a text, on one line.
fn short(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = skills_bundle::render::escape(&line).into_owned();
    match line.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
