//! What a walk leaves out on purpose: hidden names, what tools make, and the user's list.
//!
//! It looks at names alone, so that a directory that is left out is never opened and a link never
//! followed.

use std::path::Path;

use glob::{MatchOptions, Pattern};

use super::LeftOutReason;

/// Directories that tools fill and that nobody writes by hand.
const GENERATED: [&str; 4] = ["node_modules", "target", "__pycache__", "venv"];

impl LeftOutReason {
    /// The names of directories that are [`Self::Generated`], unless such a directory is a skill.
    pub const GENERATED: [&str; 4] = GENERATED;
}

const MATCH: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

pub(super) struct LeaveOut {
    patterns: Vec<UserPattern>,
}

struct UserPattern {
    pattern: Pattern,
    /// Whether the whole path is matched, instead of the name.
    by_path: bool,
    directories_only: bool,
}

impl LeaveOut {
    /// Reads the user's list; `bad` gets each pattern that is none, and why.
    pub(super) fn new(patterns: &[String], mut bad: impl FnMut(&str, &str)) -> Self {
        let mut read = Vec::with_capacity(patterns.len());
        for text in patterns {
            let written = text.strip_prefix("./").unwrap_or(text);
            let body = written.strip_suffix('/').unwrap_or(written);
            let by_path = body.contains('/');
            match Pattern::new(body.strip_prefix('/').unwrap_or(body)) {
                Ok(pattern) => {
                    read.push(UserPattern { pattern, by_path, directories_only: body.len() < written.len() });
                }
                Err(error) => bad(text, error.msg),
            }
        }
        Self { patterns: read }
    }

    /// Why an entry is left out, if it is. `is_skill` is asked only of what bears a generated name.
    pub(super) fn reason(
        &self,
        name: &str,
        rel: &str,
        is_file: bool,
        is_skill: impl FnOnce() -> bool,
    ) -> Option<LeftOutReason> {
        if name.starts_with('.') {
            return Some(LeftOutReason::Hidden);
        }
        let generated = if is_file {
            Path::new(name).extension().is_some_and(|extension| extension == "pyc")
        } else {
            GENERATED.contains(&name) && !is_skill()
        };
        if generated {
            return Some(LeftOutReason::Generated);
        }
        let ignored = self.patterns.iter().any(|user| {
            let text = if user.by_path { rel } else { name };
            !(user.directories_only && is_file) && user.pattern.matches_with(text, MATCH)
        });
        ignored.then_some(LeftOutReason::Ignored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ignores(pattern: &str, rel: &str, is_file: bool) -> bool {
        let leave_out = LeaveOut::new(&[pattern.to_owned()], |pattern, why| panic!("{pattern}: {why}"));
        let name = rel.rsplit('/').next().expect("a path has a last part");
        leave_out.reason(name, rel, is_file, || false) == Some(LeftOutReason::Ignored)
    }

    #[test]
    fn a_pattern_without_slash_is_for_names() {
        assert!(ignores("*.bak", "a/b/c.bak", true));
        assert!(ignores("draft?", "a/draft1", false));
        assert!(!ignores("*.bak", "a.bak/c", true));
        assert!(!ignores("draft", "drafts", false));
        assert!(!ignores("Draft", "draft", false), "letters count");
    }

    #[test]
    fn a_pattern_with_slash_is_for_paths() {
        assert!(ignores("a/*.bak", "a/c.bak", true));
        assert!(ignores("/draft", "draft", false));
        assert!(ignores("./a/b", "a/b", true));
        assert!(!ignores("a/*.bak", "a/b/c.bak", true), "one star stays in its part");
        assert!(!ignores("/draft", "a/draft", false));
        assert!(ignores("a/**/c", "a/c", true));
        assert!(ignores("a/**/c", "a/b/b/c", true));
        assert!(ignores("**/tests/*.txt", "x/tests/a.txt", true));
    }

    #[test]
    fn a_slash_at_the_end_asks_for_a_directory() {
        assert!(ignores("draft/", "a/draft", false));
        assert!(!ignores("draft/", "a/draft", true));
    }

    #[test]
    fn other_characters_are_themselves() {
        assert!(ignores("!keep", "!keep", true));
        assert!(!ignores("!keep", "other", true), "there is no negation that would turn the list around");
        assert!(ignores("[[]odd] name", "[odd] name", false));
    }

    #[test]
    fn a_bad_pattern_is_handed_back() {
        let mut bad = Vec::new();
        let patterns = ["a**".to_owned(), "fine".to_owned(), "[z".to_owned()];
        let leave_out = LeaveOut::new(&patterns, |pattern, _| bad.push(pattern.to_owned()));
        assert_eq!((bad, leave_out.patterns.len()), (vec!["a**".to_owned(), "[z".to_owned()], 1));
    }
}
