//! Judges one skill by its fields: one file a subject, all faults of all subjects in one run.
//!
//! The table of codes is [`code`](crate::code); what concerns several skills at once is
//! judged where they come together.

mod body;
mod comment;
mod compatibility;
mod description;
mod fields;
mod hidden;
mod limits;
mod name;
mod parameters;
mod placeholder;
mod profile;
mod template;
mod text;

use std::fmt;

use crate::code::{Code, Level, RULES};
use crate::document::Document;
use crate::fault::Fault;
use crate::finding::Finding;
use crate::frontmatter::Frontmatter;
use crate::source::Span;
use crate::subject::Subject;

pub use compatibility::MAX_COMPATIBILITY;
pub use description::MAX_DESCRIPTION;
pub use hidden::check_text as check_hidden;
pub use limits::limit_lines;
pub use name::MAX_NAME;
pub use profile::Profile;

pub(crate) use name::{Unicode, fault_without_directory, kept};

/// How a check judges: levels, the form of names, limits.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rules {
    levels: Vec<Level>,
    profile: Profile,
    /// Whether names may hold any lower-case letter or digit, not only `a-z` and `0-9`.
    pub unicode_names: bool,
    /// The most bytes of a SKILL.md.
    pub max_skill_bytes: u64,
    /// The most bytes of a frontmatter.
    pub max_frontmatter_bytes: usize,
}

impl Default for Rules {
    /// The levels of the table, names of `a-z`, `0-9` and `-`, 1 MiB and 16 KiB.
    fn default() -> Self {
        Self::of(Profile::default())
    }
}

impl Rules {
    /// The levels and the form of names of a profile, 1 MiB and 16 KiB.
    pub fn of(profile: Profile) -> Self {
        Self {
            levels: RULES.iter().map(|rule| profile.level(rule.code)).collect(),
            profile,
            unicode_names: profile.unicode_names(),
            max_skill_bytes: 1024 * 1024,
            max_frontmatter_bytes: 16 * 1024,
        }
    }

    /// The profile by which they began.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The level at which findings of this code are reported.
    pub fn level(&self, code: Code) -> Level {
        self.levels[code as usize]
    }

    /// Whether findings of this code are reported at all.
    pub fn is_on(&self, code: Code) -> bool {
        self.level(code) != Level::Allow
    }

    /// The findings at the levels that are set, without those that are allowed.
    pub fn apply(&self, findings: impl IntoIterator<Item = Finding>) -> Vec<Finding> {
        let at_levels =
            findings.into_iter().map(|finding| Finding { level: self.level(finding.code), ..finding });
        at_levels.filter(|finding| finding.level != Level::Allow).collect()
    }

    /// Lets what is only wrong with the form of a name pass with a warning (E008, E009, E010), as an
    /// overlay may ask for skills that others wrote.
    #[must_use]
    pub fn lenient_names(mut self) -> Self {
        for code in [Code::E008, Code::E009, Code::E010] {
            self.levels[code as usize] = Level::Warn;
        }
        self
    }

    /// Sets the level of a rule.
    ///
    /// # Errors
    ///
    /// Where the rule is one of those that always deny.
    pub fn set_level(&mut self, code: Code, level: Level) -> Result<(), FixedLevel> {
        if !code.has_settable_level() && level != Level::Deny {
            return Err(FixedLevel { code });
        }
        self.levels[code as usize] = level;
        Ok(())
    }
}

/// The level of an `E` rule was to be lowered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FixedLevel {
    /// The rule.
    pub code: Code,
}

impl fmt::Display for FixedLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the level of {} cannot be set: rules that begin with `E` always deny", self.code)
    }
}

impl std::error::Error for FixedLevel {}

/// Judges one skill by its fields and its body. `fence` is the place for what is missing: the opening
/// fence.
pub(crate) fn check(
    text: &str,
    document: &Document,
    frontmatter: &Frontmatter,
    dir_name: &str,
    fence: Span,
    rules: &Rules,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    let top = text::Top { span: fence, subject: Subject::Frontmatter };
    name::check(frontmatter, dir_name, top.clone(), rules, &mut faults);
    description::check(frontmatter, top, &mut faults);
    hidden::check(text, document, frontmatter, &mut faults);
    template::check_description(frontmatter, &mut faults);
    compatibility::check(frontmatter, &mut faults);
    limits::check(frontmatter, rules.profile, &mut faults);
    fields::check(text, frontmatter, rules.profile, &mut faults);
    comment::check(text, document.frontmatter.end, frontmatter, &mut faults);
    check_body(text, document, rules, &mut faults);
    if rules.is_on(Code::L115) {
        placeholder::check(text, document.body.clone(), frontmatter, &mut faults);
    }
    parameters::check(frontmatter, &mut faults);
    faults
}

/// Judges what a body shows by itself, also below a frontmatter that cannot be read.
pub(crate) fn check_body(text: &str, document: &Document, rules: &Rules, faults: &mut Vec<Fault>) {
    hidden::check_span(text, document.body.clone(), faults);
    // A body is long: who asks for no answer does not wait for one.
    if rules.is_on(Code::L106) {
        body::check(text, document.body.clone(), faults);
    }
    if rules.is_on(Code::L120) {
        template::check_body(text, document.body.clone(), faults);
    }
}

/// Judges the fields of one slash command that a skill has too. `text` is its definition.
pub(crate) fn check_command(text: &str, read: &Frontmatter, stem: &str, rules: &Rules) -> Vec<Fault> {
    let mut faults = Vec::new();
    let top = text::Top { span: 0..0, subject: Subject::Definition };
    name::check_command(read, stem, top.clone(), rules, &mut faults);
    description::check_command(read, top, &mut faults);
    hidden::check_fields(text, 0..text.len(), read, &mut faults);
    faults
}
