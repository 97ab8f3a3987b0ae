//! The files and directories of skills, as resources.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::ErrorData;
use rmcp::model::{
    DIRECTORY_MIME_TYPE, ListResourceTemplatesResult, ListResourcesResult, PaginatedRequestParams,
    ReadResourceDirectoryRequestParams, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
};

use super::entries::freshness;
use super::source::Source;
use super::{pages, uri};
use crate::{ActionError, Audience, Entry, SkillFile};
use skills_core::FileFacts;
use skills_pack::hidden;

/// The URI of every file of every skill. A completion names it too.
pub(super) const TEMPLATE: &str = "skill://{skill_name}/{+file_path}";

/// The number of resources on a page.
const PAGE: usize = 500;

/// The SKILL.md of every skill. Clients find the other files through it, the extension, or directories.
pub(super) fn list(
    source: &Source,
    request: Option<&PaginatedRequestParams>,
) -> Result<ListResourcesResult, ErrorData> {
    let page = source.look(Audience::Everyone, |registry| {
        let page = pages::of(request, registry.skills(), |entry| entry.skill.name(), |_| 1, PAGE)?;
        let resources = page.items.iter().filter_map(|entry| {
            let file = entry.skill.file("SKILL.md")?;
            let resource = file_resource(entry, &file, entry.skill.name());
            Some(resource.with_description(entry.skill.description()))
        });
        Ok::<_, ErrorData>((resources.collect(), page.next))
    });
    let (resources, next) = page?;
    let mut result = ListResourcesResult::with_all_items(resources);
    result.next_cursor = next;
    (result.ttl_ms, result.cache_scope) = freshness(source);
    Ok(result)
}

pub(super) fn templates(source: &Source) -> ListResourceTemplatesResult {
    let template =
        ResourceTemplate::new(TEMPLATE, "skill-file").with_title("File of a skill").with_description(
            "A file of a skill, by the skill's name and the file's path in the skill's directory",
        );
    let mut result = ListResourceTemplatesResult::with_all_items(vec![template]);
    (result.ttl_ms, result.cache_scope) = freshness(source);
    result
}

/// A file's exact bytes: as text if it is text, else in base64.
pub(super) fn read(source: &Source, wanted: &str) -> Result<ReadResourceResult, ErrorData> {
    let none =
        |why: &str| ErrorData::resource_not_found(format!("No file is served at {wanted}: {why}"), None);
    let place = uri::parse(wanted).map_err(none)?;
    let contents = source.ask(Audience::Everyone, |registry| {
        let content = registry.read_file(&place.name, &hidden::shown(&place.path), 0)?;
        let (name, path) = (content.entry.skill.name(), content.file.path());
        if (name, path) != (&*place.name, &*place.path) {
            // A look-up accepts several names, but each file has one URI.
            return Ok(Err(format!("it is at {}", uri::of(name, path))));
        }
        let text = content.text.as_ref().and_then(|_| String::from_utf8(content.bytes().to_vec()).ok());
        let contents = match text {
            Some(text) => ResourceContents::text(text, wanted),
            None => ResourceContents::blob(STANDARD.encode(content.bytes()), wanted),
        };
        Ok(Ok(contents.with_mime_type(content.media_type)))
    });
    let contents = match contents {
        Ok(Ok(contents)) => contents,
        Ok(Err(why)) => return Err(none(&why)),
        Err(ActionError::Internal { message, .. }) => return Err(ErrorData::internal_error(message, None)),
        Err(error) => return Err(none(&in_words(&error))),
    };
    let mut result = ReadResourceResult::new(vec![contents]);
    (result.ttl_ms, result.cache_scope) = freshness(source);
    Ok(result)
}

/// The direct children of a directory of a skill.
pub(super) fn read_directory(
    source: &Source,
    request: &ReadResourceDirectoryRequestParams,
) -> Result<ListResourcesResult, ErrorData> {
    let wanted = request.uri.as_str();
    let none =
        |why: &str| ErrorData::invalid_params(format!("{wanted} is not a directory resource: {why}"), None);
    let place = uri::parse(wanted.strip_suffix('/').unwrap_or(wanted)).map_err(none)?;
    let page = source.look(Audience::Everyone, |registry| {
        let entry = registry.load(&place.name).map_err(|error| none(&in_words(&error)))?.entry;
        if entry.skill.name() != place.name {
            return Err(none(&format!("the skill is at {}", uri::of(entry.skill.name(), ""))));
        }
        let children = children(&entry, &place.path);
        if children.is_empty() {
            return Err(none("the skill has no such directory"));
        }
        let paged = PaginatedRequestParams::default().with_cursor(request.cursor.clone());
        let page = pages::of(Some(&paged), children, |(name, _)| name, |_| 1, PAGE)?;
        Ok((page.items.into_iter().map(|(_, resource)| resource).collect(), page.next))
    });
    let (resources, next) = page?;
    let mut result = ListResourcesResult::with_all_items(resources);
    result.next_cursor = next;
    (result.ttl_ms, result.cache_scope) = freshness(source);
    Ok(result)
}

/// The direct children of a directory, by name.
fn children<'a>(entry: &Entry<'a>, dir: &str) -> BTreeMap<&'a str, Resource> {
    let mut children = BTreeMap::new();
    for file in entry.skill.files() {
        let below = match dir {
            "" => Some(file.path()),
            dir => file.path().strip_prefix(dir).and_then(|rest| rest.strip_prefix('/')),
        };
        let Some(below) = below else { continue };
        match below.split_once('/') {
            None => drop(children.insert(below, file_resource(entry, &file, below))),
            Some((child, _)) => {
                let path = &file.path()[..file.path().len() - below.len() + child.len()];
                children.entry(child).or_insert_with(|| {
                    Resource::new(uri::of(entry.skill.name(), path), child)
                        .with_mime_type(DIRECTORY_MIME_TYPE)
                });
            }
        }
    }
    children
}

fn file_resource(entry: &Entry<'_>, file: &SkillFile<'_>, name: &str) -> Resource {
    let facts = FileFacts::of(entry, file);
    Resource::new(uri::of(entry.skill.name(), file.path()), name)
        .with_mime_type(facts.media_type)
        .with_size(facts.size as u64)
}

fn in_words(error: &ActionError) -> String {
    format!("{} ({})", error.reason(), error.suggestion())
}
