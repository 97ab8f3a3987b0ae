//! Links to files, and where a link or the name of a skill leads.

use gen_lsp_types::{DocumentLink, Location, Position, Range};
use skills_bundle::links_of;
use skills_source::document::split;

use super::document::Document;
use super::mentions::mentions;
use super::place::Kind;
use super::position::range;
use super::root::Root;

/// The links of an open file that lead to a file of the root.
pub(crate) fn links(document: &Document, root: &mut Root) -> Vec<DocumentLink> {
    let text = document.body();
    let Some(body) = split(text).ok().map(|parts| parts.body).filter(|_| document.kind == Kind::Skill) else {
        return Vec::new();
    };
    let links = links_of(text, body).into_iter().filter_map(|link| {
        let (file, _) = root.file_of_link(&document.path, &link.path)?;
        Some(DocumentLink {
            range: document.range(&link.span),
            target: Some(root.uri_of(&file.disk)),
            tooltip: None,
            data: None,
        })
    });
    links.collect()
}

/// Where the link or name at a position leads.
pub(crate) fn definition(document: &Document, root: &mut Root, position: Position) -> Option<Location> {
    if document.kind != Kind::Skill {
        return None;
    }
    let text = document.body();
    let at = document.offset(position);
    let body = split(text).ok()?.body;
    let link =
        links_of(text, body.clone()).into_iter().find(|link| link.span.start <= at && at <= link.span.end);
    if let Some(link) = link {
        let (file, _) = root.file_of_link(&document.path, &link.path)?;
        return Some(Location { uri: root.uri_of(&file.disk), range: Range::default() });
    }
    let mention = mentions(text, body)
        .into_iter()
        .find(|mention| mention.span.start <= at && at <= mention.span.end)?;
    let (dir, text) = root.skill_named(&mention.name)?;
    let file = dir.skill_file()?.disk.clone();
    let name = text.map(skills_source::skill::SkillText::name_place);
    let place = name.and_then(|name| Some(range(name.source.as_ref()?, &name.span)));
    Some(Location { uri: root.uri_of(&file), range: place.unwrap_or_default() })
}
