//! Which paths a lock may hold: those that mean the same file on every system.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization as _;

/// Why a path can't be locked, in words; `None` if it means the same file below a directory on every system.
pub fn fault(path: &str) -> Option<&'static str> {
    let is_bad_part = |part: &str| matches!(part, "" | "." | "..");
    if path.chars().any(|c| c.is_control() || is_format(c)) {
        Some("it has a control or format character")
    } else if path.contains('\\') {
        Some("it has a backslash")
    } else if path.split('/').any(is_bad_part) {
        Some("it is not a plain relative path")
    } else if path.split('/').any(is_of_git) {
        Some("a part of it is `.git`, which git obeys")
    } else if path.as_bytes().get(1) == Some(&b':') {
        Some("it begins with a drive letter")
    } else {
        None
    }
}

/// Whether git takes a directory or a file of this name for its own, on any system.
pub fn is_of_git(part: &str) -> bool {
    let part = part.trim_end_matches(['.', ' ']);
    part.eq_ignore_ascii_case(".git") || part.eq_ignore_ascii_case("git~1")
}

/// The first two of these paths that are one file on some systems, which fold case or composed characters.
pub fn clash<'p>(paths: impl Iterator<Item = &'p str>) -> Option<(&'p str, &'p str)> {
    let mut seen: BTreeMap<String, &'p str> = BTreeMap::new();
    for path in paths {
        if let Some(other) = seen.insert(folded(path), path) {
            return Some((other, path));
        }
    }
    None
}

/// The path with composed characters, and without case. By way of upper case `ß` becomes `ss`.
fn folded(path: &str) -> String {
    if path.is_ascii() {
        return path.to_ascii_lowercase();
    }
    path.nfc().collect::<String>().to_uppercase().to_lowercase().nfc().collect()
}

/// Whether a character is of Unicode's category `Cf`: it has no appearance of its own.
fn is_format(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
        | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
        | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}'
        | '\u{e0020}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_relative_paths_are_locked() {
        for path in [".git", "a/.GIT/hooks/x", "git~1/config", "a/.git. /x"] {
            assert_eq!(fault(path), Some("a part of it is `.git`, which git obeys"), "{path}");
        }
        for path in [
            ".gitignore",
            "a/.github/x",
            "git/x",
            "SKILL.md",
            "a/b c.md",
            ".hidden",
            "名/é.md",
            "a..b",
            "❤\u{fe0f}.md",
        ] {
            assert_eq!(fault(path), None, "{path}");
        }
        for path in [
            "",
            "/a",
            "a/",
            "a//b",
            "../a",
            "a/../b",
            "./a",
            "a\\b",
            "C:/a",
            "c:a",
            "a\nb",
            "a\u{202e}b",
            "a\u{1b}[2J",
        ] {
            assert!(fault(path).is_some(), "{path:?}");
        }
    }

    #[test]
    fn paths_that_some_systems_take_for_one_clash() {
        for (one, other) in
            [("skill.md", "SKILL.md"), ("é.md", "e\u{301}.md"), ("straße", "STRASSE"), ("a/B", "A/b")]
        {
            assert_eq!(clash([one, other].into_iter()), Some((one, other)));
        }
        assert_eq!(clash(["a/b", "a/c", "ab", "é", "e"].into_iter()), None);
    }
}
