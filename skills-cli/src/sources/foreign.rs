//! Locks of other tools, as text: which repositories they name, and where they have put the skills.
//!
//! `skills-lock.json` (version 1) keeps no commit, so its branch or tag is looked up; `apm.lock.yaml` keeps one.
//! Digests in them are read by nobody: what one of them covers depends on the machine that wrote it.

use serde_json::Value as Json;
use skills_bundle::lock::path_fault;
use skills_source::scan::SKILL_FILE;
use skills_source::subject::Subject;
use skills_source::yaml::{self, Node, Value};

use super::named::is_commit;

/// Directories in which `skills-lock.json` has its skills: its own, and that of an agent to which they are copied.
const HOMES: [&str; 3] = [".agents/skills", ".claude/skills", "skills"];

/// An entry of another tool's lock.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Foreign {
    /// What the other lock calls it.
    pub(crate) name: String,
    /// The repository, or why there is none that can be asked.
    pub(crate) origin: Result<Origin, String>,
    /// The directories in which it may be, relative to the other lock.
    pub(crate) homes: Vec<String>,
}

/// A skill, or all skills, in a repository.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The repository as it could be named for `skills add`, without a branch or tag.
    pub(crate) repository: String,
    pub(crate) reference: Option<String>,
    /// The commit, if the other lock has it.
    pub(crate) commit: Option<String>,
    /// The directory of the skill, if the other lock has it.
    pub(crate) path: Option<String>,
    /// The name of the skill, if it is one of the repository's; else all are meant.
    pub(crate) skill: Option<String>,
}

/// Reads another tool's lock: JSON, or YAML.
///
/// # Errors
///
/// Why it isn't one that is known.
pub(crate) fn read(text: &str) -> Result<Vec<Foreign>, String> {
    if text.trim_start().starts_with('{') {
        let document = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
        return skills_lock(&document);
    }
    let (root, faults) = yaml::read(text, 0..text.len(), Subject::Definition);
    if let Some(fault) = faults.first() {
        return Err(format!("it is not YAML: {}", fault.message));
    }
    apm_lock(&root.ok_or("it is empty")?)
}

fn skills_lock(document: &Json) -> Result<Vec<Foreign>, String> {
    // Another tool has a file of the same name.
    if document.get("lockfileVersion").is_some() || document["version"] != 1 {
        return Err("its version is not known: a skills-lock.json has `\"version\": 1`".to_owned());
    }
    let skills = document["skills"].as_object().ok_or("it has no object `skills`")?;
    Ok(skills.iter().map(|(name, skill)| of_skills_lock(name, skill)).collect())
}

fn of_skills_lock(name: &str, skill: &Json) -> Foreign {
    let text = |key: &str| skill[key].as_str().filter(|text| !text.is_empty());
    let origin = || {
        let source = text("source").ok_or("it has no `source`")?;
        let repository = match text("sourceType").unwrap_or_default() {
            "github" => source.to_owned(),
            "gitlab" => text("sourceUrl").map_or_else(|| format!("gitlab:{source}"), str::to_owned),
            "git" => text("sourceUrl").unwrap_or(source).to_owned(),
            "" => return Err("it has no `sourceType`".to_owned()),
            other => return Err(format!("a source of the type `{other}` has no commit")),
        };
        let path = text("skillPath").map(|path| path.strip_suffix(SKILL_FILE).unwrap_or(path));
        Ok(Origin {
            repository,
            reference: text("ref").map(str::to_owned),
            commit: None,
            path: path.map(|path| path.trim_end_matches('/').to_owned()),
            skill: Some(name.to_owned()),
        })
    };
    let homes = HOMES.iter().map(|home| format!("{home}/{name}")).filter(|home| path_fault(home).is_none());
    Foreign { name: name.to_owned(), origin: origin(), homes: homes.collect() }
}

fn apm_lock(root: &Node) -> Result<Vec<Foreign>, String> {
    let version = text(root, "lockfile_version").unwrap_or_default();
    if !matches!(version, "1" | "2") {
        return Err("its version is not known: an apm.lock.yaml has `lockfile_version` 1 or 2".to_owned());
    }
    let Some(dependencies) = get(root, "dependencies").map(|node| &node.value) else { return Ok(Vec::new()) };
    match dependencies {
        Value::List(items) => Ok(items.iter().map(of_apm_lock).collect()),
        Value::Null => Ok(Vec::new()),
        _ => Err("its `dependencies` are not a list".to_owned()),
    }
}

fn of_apm_lock(item: &Node) -> Foreign {
    let repository = text(item, "repo_url").unwrap_or_default();
    let path = text(item, "virtual_path").map(|path| path.trim_matches('/').to_owned());
    let origin = || {
        let commit = text(item, "resolved_commit").map(str::to_ascii_lowercase);
        let commit = commit.ok_or("it has no `resolved_commit`")?;
        if !is_commit(&commit) {
            return Err("its `resolved_commit` is not all digits of a commit".to_owned());
        }
        let repository = match (text(item, "host").unwrap_or("github.com"), repository) {
            (_, "") => return Err("it has no `repo_url`".to_owned()),
            (_, url) if url.contains("://") || url.contains('@') => url.to_owned(),
            ("github.com", short) => short.to_owned(),
            ("gitlab.com", short) => format!("gitlab:{short}"),
            (host, short) => format!("https://{host}/{short}"),
        };
        let reference = text(item, "resolved_ref").map(str::to_owned);
        Ok(Origin { repository, reference, commit: Some(commit), path: path.clone(), skill: None })
    };
    let homes = match get(item, "deployed_files").map(|node| &node.value) {
        Some(Value::List(files)) => files.iter().filter_map(scalar).filter_map(home).collect(),
        _ => Vec::new(),
    };
    let name = path.as_ref().map_or_else(|| repository.to_owned(), |path| format!("{repository}/{path}"));
    Foreign { name, origin: origin(), homes }
}

/// The directory of a SKILL.md that was deployed, or what may be such a directory itself.
fn home(file: &str) -> Option<String> {
    let file = file.trim_end_matches('/');
    let is_skill = file.rsplit('/').next() == Some(SKILL_FILE);
    let home = if is_skill { file.rsplit_once('/')?.0 } else { file };
    path_fault(home).is_none().then(|| home.to_owned())
}

fn get<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    match &node.value {
        Value::Map(entries) => entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node),
        _ => None,
    }
}

fn text<'n>(node: &'n Node, key: &str) -> Option<&'n str> {
    get(node, key).and_then(scalar).filter(|text| !text.is_empty())
}

fn scalar(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Scalar(scalar) => Some(&scalar.text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository(foreign: &Foreign) -> Result<&str, &str> {
        foreign.origin.as_ref().map(|origin| origin.repository.as_str()).map_err(String::as_str)
    }

    #[test]
    fn the_lock_in_json_names_repositories_without_commits() {
        let text = r#"{"version": 1, "skills": {
            "a": {"source": "acme/skills", "ref": "v1", "sourceType": "github", "skillPath": "skills/a/SKILL.md", "computedHash": "x"},
            "b": {"source": "acme/deep/skills", "sourceType": "gitlab", "sourceUrl": "https://gitlab.com/acme/deep/skills.git"},
            "c": {"source": "git.example.org/x", "sourceType": "git", "sourceUrl": "https://git.example.org/x.git", "skillPath": "SKILL.md"},
            "d": {"source": "./local", "sourceType": "local"},
            "e": {}
        }}"#;
        let read = read(text).expect("it is one");
        let found: Vec<_> = read.iter().map(repository).collect();
        assert_eq!(
            found[..3],
            [
                Ok("acme/skills"),
                Ok("https://gitlab.com/acme/deep/skills.git"),
                Ok("https://git.example.org/x.git")
            ]
        );
        assert!(found[3].is_err_and(|why| why.contains("`local` has no commit")) && found[4].is_err());
        let origin = read[0].origin.as_ref().expect("it has one");
        assert_eq!((origin.path.as_deref(), origin.reference.as_deref()), (Some("skills/a"), Some("v1")));
        assert_eq!(read[2].origin.as_ref().map(|origin| origin.path.as_deref()), Ok(Some("")));
        assert_eq!(read[0].homes, [".agents/skills/a", ".claude/skills/a", "skills/a"]);
    }

    #[test]
    fn the_lock_in_yaml_has_commits_and_files() {
        let commit = "0123456789abcdef0123456789abcdef01234567";
        let text = format!(
            "lockfile_version: \"2\"\ngenerated_at: 2026-01-01\ndependencies:\n\
             - repo_url: acme/skills\n  host: github.com\n  resolved_ref: v1\n  resolved_commit: {commit}\n  \
             virtual_path: skills/pdf\n  deployed_files:\n  - .claude/skills/pdf/SKILL.md\n  - ../out/SKILL.md\n  \
             - .github/skills/pdf\n\
             - {{repo_url: acme/all, host: git.example.org, resolved_commit: {commit}}}\n\
             - {{repo_url: acme/none}}\n- {{repo_url: acme/short, resolved_commit: 0123}}\n"
        );
        let read = read(&text).expect("it is one");
        let found: Vec<_> = read.iter().map(repository).collect();
        assert_eq!(found[..2], [Ok("acme/skills"), Ok("https://git.example.org/acme/all")]);
        assert!(found[2].is_err() && found[3].is_err());
        assert_eq!(read[0].homes, [".claude/skills/pdf", ".github/skills/pdf"]);
        assert_eq!(read[0].name, "acme/skills/skills/pdf");
        let origin = read[0].origin.as_ref().expect("it has one");
        assert_eq!((origin.commit.as_deref(), origin.reference.as_deref()), (Some(commit), Some("v1")));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for text in [
            "",
            "{}",
            "{\"version\": 2, \"skills\": {}}",
            "{\"version\": 1, \"lockfileVersion\": 1, \"skills\": {}}",
            "{\"version\": 1}",
            "{\"version\": 1,\n<<<<<<< ours\n",
            "dependencies: []\n",
            "lockfile_version: \"9\"\n",
            "lockfile_version: \"2\"\ndependencies: 7\n",
            "a: [",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
