//! The size of the plain catalogue of all skills: L112.

use skills_source::code::Code;
use skills_source::finding::Finding;

use crate::good::Good;

/// What a host gives to the catalogue unless it is configured otherwise, in characters.
const BUDGET: usize = 12_000;

/// How many of the longest entries are named.
const NAMED: usize = 3;

/// Judges the skills of a bundle, whose first root is shown as `root`.
pub(crate) fn check(skills: &[&Good], root: &str) -> Option<Finding> {
    let mut entries: Vec<(usize, &str)> = skills
        .iter()
        .filter(|skill| skill.text().frontmatter.model_may_call)
        .map(|skill| (line_chars(skill), skill.text().name.as_str()))
        .collect();
    let total: usize = entries.iter().map(|(chars, _)| chars).sum();
    if total <= BUDGET {
        return None;
    }
    let count = entries.len();
    entries.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let longest: Vec<String> =
        entries.iter().take(NAMED).map(|(chars, name)| format!("`{name}` ({chars})")).collect();
    Some(Finding::on_path(
        Code::L112,
        root.to_owned(),
        format!(
            "the catalogue of the {count} skills that a model may call has {total} characters, more than the {BUDGET} \
             that a prompt has for it"
        ),
        format!(
            "shorten descriptions, the longest first: {}; or hide from the model what only users call, with \
             `disable-model-invocation: true`; or allow L112 if your host gives it more",
            longest.join(", ")
        ),
    ))
}

/// The characters of `- name: description` and its line feed. A line break in a description becomes a
/// blank.
fn line_chars(skill: &Good) -> usize {
    let description = skill.text().frontmatter.whole_description().chars().count();
    "- : \n".len() + skill.text().name.chars().count() + description
}
