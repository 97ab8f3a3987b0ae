//! Which snapshots `assert_skill_snapshots!` wrote, and which of them are of skills that are gone.
//!
//! Nothing is read here: the macro looks at the directory.

use alloc::format;
use alloc::string::String;

use skills_core::Bundle;

/// The description that a snapshot of this bundle bears, from a test in this module.
pub fn snapshot_mark(bundle: &str, module: &str) -> String {
    // Only what insta writes without quotes or escapes.
    let plain = |text: &str| -> String {
        text.chars().map(|c| if c.is_ascii_alphanumeric() || "_:".contains(c) { c } else { '_' }).collect()
    };
    format!("skills of {} in {}", plain(bundle), plain(module))
}

/// The name of the snapshot of a bundle's index. No skill has a name with `_`.
pub fn index_name(bundle: &str) -> String {
    let mut name = String::from("index_of_");
    for c in bundle.chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else if !name.ends_with('_') {
            // One at a time: two come between the name of a module and that of a snapshot.
            name.push('_');
        }
    }
    name
}

/// Whether this file, with this text, is a snapshot with this mark of a skill that the bundle doesn't have.
pub fn is_snapshot_of_gone(bundle: &Bundle, mark: &str, index_name: &str, file: &str, text: &str) -> bool {
    // Before it are the names of modules, after it there may be a suffix.
    let Some(stem) = file.strip_suffix(".snap") else { return false };
    let name = stem.rsplit("__").next().unwrap_or(stem);
    let name = name.split('@').next().unwrap_or(name);
    is_marked(text, mark) && name != index_name && !bundle.skills().any(|skill| skill.name() == name)
}

/// Whether the head of a snapshot has this description.
fn is_marked(text: &str, mark: &str) -> bool {
    let head = text.lines().skip(1).take_while(|line| line.trim_end() != "---");
    let mut descriptions = head.filter_map(|line| line.strip_prefix("description: "));
    descriptions.any(|description| description.trim().trim_matches('"') == mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_marked_snapshot_is_of_a_skill() {
        let mark = snapshot_mark("pack :: SKILLS", "tests::skills");
        let index = index_name("pack :: SKILLS");
        assert_eq!(
            (mark.as_str(), index.as_str()),
            ("skills of pack_::_SKILLS in tests::skills", "index_of_pack_SKILLS")
        );
        let with = |line: &str| format!("---\nsource: a.rs\n{line}\n---\ndescription: {mark}\n");
        let is_gone = |file: &str, text: &str| is_snapshot_of_gone(&Bundle::EMPTY, &mark, &index, file, text);
        let marked = with(&format!("description: {mark}"));
        assert!(is_gone("tests__skills__pdf.snap", &marked) && is_gone("pdf@unix.snap", &marked));
        assert!(is_gone("pdf.snap", &with(&format!("description: \"{mark}\""))));
        for (file, text) in [
            ("tests__skills__index_of_pack_SKILLS.snap", marked.as_str()),
            ("tests__skills__pdf.snap.new", &marked),
            ("tests__skills__pdf.snap", &with("expression: x")),
            ("tests__skills__pdf.snap", &with("description: skills of OTHER in tests::skills")),
            ("tests__skills__pdf.snap", ""),
        ] {
            assert!(!is_gone(file, text), "{file}: {text}");
        }
    }
}
