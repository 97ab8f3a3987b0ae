//! The same directory read by other crates, as their documentation has it.

use std::fs;
use std::path::Path;

use agent_skills::SkillDirectory;

/// `agent-skills` reads one directory at a time; which there are is the caller's to find out.
pub fn agent_skills(root: &Path) -> Vec<SkillDirectory> {
    directories(root).filter_map(|dir| SkillDirectory::load(dir).ok()).collect()
}

/// What `skills-rs` does for each directory of a root (`discover_and_merge` without looking deeper and without
/// merging): its discovery itself comes only with an HTTP client.
pub fn skills_rs(root: &Path) -> Vec<(skills_rs::SkillDocument, Vec<skills_rs::Diagnostic>)> {
    let documents = directories(root).filter_map(|dir| skills_rs::read_document(&dir).ok());
    documents
        .map(|document| {
            let diagnostics = skills_rs::validate_lenient(&document);
            (document, diagnostics)
        })
        .collect()
}

fn directories(root: &Path) -> impl Iterator<Item = std::path::PathBuf> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir())
}
