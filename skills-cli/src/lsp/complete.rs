//! Completion: fields and their values in a frontmatter, files and skills in a body.

use gen_lsp_types::{CompletionItem, CompletionItemKind, MarkupContent, MarkupKind, Position, TextEdit};
use skills_source::document::split;
use skills_source::frontmatter::{About, Form};
use skills_source::scan::SKILL_FILE;
use skills_source::source::Span;

use super::document::Document;
use super::mentions::is_letter;
use super::place::Kind;
use super::root::Root;

/// The characters after which an editor asks by itself.
pub(crate) const TRIGGERS: [&str; 5] = [":", " ", "(", "/", "`"];

/// What may be written at a position of an open file.
pub(crate) fn items(document: &Document, root: &mut Root, position: Position) -> Vec<CompletionItem> {
    if document.kind != Kind::Skill {
        return Vec::new();
    }
    let text = document.body();
    let at = document.offset(position);
    let start = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let line = &text[start..at];
    if is_in_frontmatter(text, at) {
        return in_frontmatter(document, root, line, start..at);
    }
    let link = line.rfind("](").map(|open| open + 2).filter(|open| is_destination(&line[*open..]));
    if let Some(open) = link {
        return files(document, root, start + open..at);
    }
    let name = line
        .rfind(|c| !is_letter(c))
        .map_or(0, |last| last + line[last..].chars().next().map_or(0, char::len_utf8));
    let before = &line[..name];
    let is_after_slash =
        before.strip_suffix('/').is_some_and(|rest| rest.is_empty() || rest.ends_with([' ', '`', '(']));
    // The second backquote of a pair closes it.
    let is_after_quote = before.ends_with('`') && before.matches('`').count() % 2 == 1;
    if is_after_slash || is_after_quote { skills(document, root, start + name..at) } else { Vec::new() }
}

/// Whether this can be the beginning of a link's destination.
fn is_destination(typed: &str) -> bool {
    !typed.contains([')', '#', '>']) && (typed.starts_with('<') || !typed.contains(' '))
}

/// Whether a place is between the fences, or below the first one if there is no second yet.
pub(crate) fn is_in_frontmatter(text: &str, at: usize) -> bool {
    match split(text) {
        Ok(document) => document.frontmatter.start <= at && at <= document.frontmatter.end,
        Err(_) => text.find("---").is_some_and(|fence| text[..fence].trim().is_empty() && at > fence + 3),
    }
}

fn in_frontmatter(document: &Document, root: &mut Root, line: &str, span: Span) -> Vec<CompletionItem> {
    match line.split_once(':') {
        None if line.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')) => {
            keys(document, root, span)
        }
        Some((key, value)) if !key.starts_with([' ', '-', '#']) => {
            let typed = value.trim_start();
            if value.len() == typed.len() {
                return Vec::new();
            }
            values(document, root, key.trim(), span.end - typed.len()..span.end)
        }
        _ => Vec::new(),
    }
}

/// The fields that aren't there yet.
fn keys(document: &Document, root: &mut Root, span: Span) -> Vec<CompletionItem> {
    let profile = root.rules().profile();
    let there: Vec<&str> = frontmatter_around(document.body(), span.start)
        .lines()
        .filter_map(|line| line.split_once(':').map(|(key, _)| key))
        .collect();
    // The rest of the word under the cursor goes too.
    let rest = &document.body()[span.end..];
    let end = span.end
        + rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(rest.len());
    let has_colon = document.body()[end..].starts_with(':');
    let fields = About::all(profile)
        .into_iter()
        .filter(|about| !about.names().iter().any(|name| there.contains(name)));
    let item = |(number, about): (usize, &'static About)| CompletionItem {
        label: about.name.to_owned(),
        kind: Some(CompletionItemKind::Field),
        detail: Some(form(about.form).to_owned()),
        documentation: Some(markdown(about.text).into()),
        // In the order of the table: what every skill needs comes first.
        sort_text: Some(format!("{number:02}")),
        filter_text: Some(about.name.to_owned()),
        text_edit: Some(
            TextEdit {
                range: document.range(&(span.start..end)),
                new_text: if has_colon {
                    about.name.to_owned()
                } else {
                    format!("{}{}", about.name, after_key(about.form))
                },
            }
            .into(),
        ),
        ..CompletionItem::default()
    };
    fields.enumerate().map(item).collect()
}

/// The frontmatter that a place is in. Without a second fence yet, it ends at the next blank line.
fn frontmatter_around(text: &str, at: usize) -> &str {
    if let Ok(document) = split(text) {
        return &text[document.frontmatter];
    }
    let end = text[at..].match_indices('\n').find_map(|(end, _)| {
        let next = text[at + end + 1..].lines().next().unwrap_or_default();
        next.trim().is_empty().then_some(at + end)
    });
    &text[..end.unwrap_or(text.len())]
}

/// What follows a key that is written by completion.
fn after_key(form: Form) -> &'static str {
    match form {
        Form::Mapping => ":\n  ",
        _ => ": ",
    }
}

/// What kind of value a field has, in words.
pub(crate) fn form(form: Form) -> &'static str {
    match form {
        Form::List => "list, or words in one line",
        Form::Phrases => "list of phrases",
        Form::Tools => "list of tools",
        Form::Flag => "true or false",
        Form::Mapping => "mapping",
        _ => "string",
    }
}

fn values(document: &Document, root: &mut Root, key: &str, span: Span) -> Vec<CompletionItem> {
    let Some(about) = About::of(key) else { return Vec::new() };
    let mut values: Vec<String> = about.values.iter().map(|value| (*value).to_owned()).collect();
    if about.name == "name" {
        let own = root.skill_of(&document.path).map(|(dir, _)| dir.dir_name.clone());
        values.extend(own);
    }
    let item = |value: String| item(document, value, CompletionItemKind::Value, span.clone());
    values.into_iter().map(item).collect()
}

/// The files of the skill, as a link names them.
fn files(document: &Document, root: &mut Root, span: Span) -> Vec<CompletionItem> {
    let Some((dir, _)) = root.skill_of(&document.path) else { return Vec::new() };
    let paths: Vec<String> =
        dir.files.iter().map(|file| file.path.clone()).filter(|path| path != SKILL_FILE).collect();
    let escaped = |path: String| if path.contains([' ', '(', ')']) { format!("<{path}>") } else { path };
    paths
        .into_iter()
        .map(|path| item(document, escaped(path), CompletionItemKind::File, span.clone()))
        .collect()
}

/// The other skills of the root.
fn skills(document: &Document, root: &mut Root, span: Span) -> Vec<CompletionItem> {
    let own = document.path.clone();
    let others = root.skills().filter(|(dir, _)| dir.skill_file().is_none_or(|file| file.disk != own));
    let named: Vec<(String, String)> = others
        .filter_map(|(_, text)| {
            let text = text.filter(|text| !text.name.is_empty())?;
            Some((text.name.clone(), text.frontmatter.whole_description().into_owned()))
        })
        .collect();
    let item = |(name, description): (String, String)| CompletionItem {
        documentation: Some(markdown(&description).into()),
        ..item(document, name, CompletionItemKind::Reference, span.clone())
    };
    named.into_iter().map(item).collect()
}

fn item(document: &Document, text: String, kind: CompletionItemKind, span: Span) -> CompletionItem {
    CompletionItem {
        label: text.clone(),
        kind: Some(kind),
        filter_text: Some(text.clone()),
        text_edit: Some(TextEdit { range: document.range(&span), new_text: text }.into()),
        ..CompletionItem::default()
    }
}

pub(crate) fn markdown(text: &str) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value: text.to_owned() }
}
