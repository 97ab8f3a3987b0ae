//! Skills in the form of the extension `io.modelcontextprotocol/skills`.
//!
//! Digests and sizes of bundled files are known at build time; files on disk are read for theirs.

use std::fmt::Write as _;

use rmcp::ErrorData;
use rmcp::model::{
    CacheScope, GetSkillResult, ListSkillsResult, PaginatedRequestParams, Skill, SkillResource,
    SkillResources,
};

use super::source::Source;
use super::{frontmatter, pages, uri};
use crate::{Audience, Entry};
use skills_core::FileFacts;

/// The number of files on a page of skills; a page ends with the skill that reaches it.
const PAGE: usize = 1_000;

/// The largest skill that every host must accept.
const MOST_FILES: usize = 512;
const MOST_BYTES: usize = 16 * 1024 * 1024;

pub(super) fn list(
    source: &Source,
    request: Option<&PaginatedRequestParams>,
) -> Result<ListSkillsResult, ErrorData> {
    let page = source.look(Audience::Everyone, |registry| {
        let entries = registry.skills().into_iter().map(Entry::with_files);
        let served = entries.filter(|entry| refusal(entry).is_none());
        // A skill with one file has a weight of ten, so that small skills are paged too.
        let weight = |entry: &Entry<'_>| entry.skill.files().len() + 9;
        let page = pages::of(request, served, |entry| entry.skill.name(), weight, PAGE)?;
        let skills = page.items.iter().map(skill).filter(|skill| skill.validate().is_ok()).collect();
        Ok::<_, ErrorData>((skills, page.next))
    });
    let (skills, next) = page?;
    let mut result = ListSkillsResult::with_all_items(skills);
    result.next_cursor = next;
    (result.ttl_ms, result.cache_scope) = freshness(source);
    Ok(result)
}

pub(super) fn get(source: &Source, wanted: &str) -> Result<GetSkillResult, ErrorData> {
    let none = |why: &str| {
        let dot = if why.is_empty() { "" } else { ": " };
        ErrorData::invalid_params(format!("No skill is served at {wanted}{dot}{why}"), None)
    };
    let place = uri::parse(wanted).map_err(none)?;
    let skill = source.look(Audience::Everyone, |registry| {
        // What is loaded is as it is on disk now.
        let found = registry.load(&place.name).ok().map(|loaded| loaded.entry);
        let found = found.filter(|entry| entry.skill.name() == place.name);
        let entry = found.filter(|_| place.path == "SKILL.md").ok_or_else(|| none(""))?;
        let exact = uri::of(entry.skill.name(), "SKILL.md");
        if exact != wanted {
            return Err(none(&format!("it is at {exact}")));
        }
        if let Some(why) = refusal(&entry) {
            return Err(none(why));
        }
        let skill = skill(&entry);
        skill.validate().map_err(|error| none(&error.to_string()))?;
        Ok(skill)
    })?;
    let mut result = GetSkillResult::new(skill);
    (result.ttl_ms, result.cache_scope) = freshness(source);
    Ok(result)
}

/// How long an answer stays valid, in milliseconds, and for whom.
pub(super) fn freshness(source: &Source) -> (Option<u64>, Option<CacheScope>) {
    if source.is_live() {
        return (Some(0), Some(CacheScope::Private));
    }
    // A bundle only changes with the program, so one hour avoids nearly every request.
    (Some(60 * 60 * 1000), Some(CacheScope::Public))
}

/// Why a host may refuse a skill.
fn refusal(entry: &Entry<'_>) -> Option<&'static str> {
    if entry.is_stale() {
        return Some("its SKILL.md is broken now, so the file isn't what is served");
    }
    let bytes: usize = entry.skill.files().map(|file| file.size()).sum();
    if entry.skill.files().len() > MOST_FILES {
        return Some("it has more than 512 files, which hosts need not load");
    }
    (bytes > MOST_BYTES).then_some("it has more than 16 MiB, which hosts need not load")
}

fn skill(entry: &Entry<'_>) -> Skill {
    let name = entry.skill.name();
    let files = entry.skill.files().filter_map(|file| {
        let facts = FileFacts::of(entry, &file);
        // A file on disk that no longer exists is left out.
        let digest = digest(&facts.sha256?);
        Some(SkillResource::new(uri::of(name, file.path()), digest, facts.size as u64))
    });
    Skill::new(uri::of(name, "SKILL.md"), frontmatter::of(entry), SkillResources::Files(files.collect()))
}

fn digest(sha256: &[u8; 32]) -> String {
    let mut digest = String::with_capacity(7 + 64);
    digest.push_str("sha256:");
    for byte in sha256 {
        // Writing to a `String` cannot fail.
        let _ = write!(digest, "{byte:02x}");
    }
    digest
}
