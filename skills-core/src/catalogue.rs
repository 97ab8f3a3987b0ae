//! The catalogue for the system prompt: every skill by name and description, within a budget.
//!
//! Which skills are in it is the registry's business; where it goes, the host's.

use alloc::string::String;
use alloc::vec::Vec;

use super::fingerprint;
use super::registry::Registry;
use entry::Line;

mod entry;

/// Characters of a catalogue, unless set.
pub const PROMPT_BUDGET: usize = 12_000;

/// The placeholder for the catalogue in a prompt template: `template.replace(SLOT, &catalogue.text)`
/// puts it in.
pub const SLOT: &str = "{{available_skills}}";

/// How a catalogue is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CatalogueForm {
    /// A line a skill, `- name: description`; `(none)` where there is none.
    #[default]
    Plain,
    /// `<available_skills>` with a `<skill>` each, its `<name>`, `<description>` and `<location>`; every
    /// value escaped; empty where there is none.
    Xml,
    /// A JSON array of objects with `name`, `description` and `location`, one a line.
    Json,
}

/// How a catalogue is made.
///
/// ```
/// use skills_core::{CatalogueForm, CatalogueOptions};
///
/// let options = CatalogueOptions::new(CatalogueForm::Xml).budget(8_000).shorten(true);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CatalogueOptions {
    form: CatalogueForm,
    budget: usize,
    shorten: bool,
}

impl Default for CatalogueOptions {
    fn default() -> Self {
        Self { form: CatalogueForm::Plain, budget: PROMPT_BUDGET, shorten: false }
    }
}

impl CatalogueOptions {
    /// A catalogue in this form, of at most [`PROMPT_BUDGET`] characters.
    pub fn new(form: CatalogueForm) -> Self {
        Self { form, ..Self::default() }
    }

    /// The most characters, each line counted with its line feed.
    #[must_use]
    pub fn budget(mut self, characters: usize) -> Self {
        self.budget = characters;
        self
    }

    /// What to do with more than fits: `true` keeps every name as long as the names alone fit, and
    /// shortens descriptions evenly; `false` keeps whole entries in order and ends with the first
    /// that would not fit.
    #[must_use]
    pub fn shorten(mut self, yes: bool) -> Self {
        self.shorten = yes;
        self
    }
}

/// A catalogue, and what of the skills is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Catalogue {
    /// The text for the prompt, without a line feed at its end.
    pub text: String,
    /// Skills that are in it with their whole description.
    pub full: usize,
    /// Skills whose description is shortened or left out.
    pub shortened: usize,
    /// Skills that are not in it.
    pub left_out: usize,
    /// Changes when, and only when, the text does, so that a host can keep its cached prompt. The same
    /// on every system.
    pub fingerprint: u128,
}

impl Registry<'_> {
    /// The catalogue of the skills that are served, by name.
    pub fn catalogue(&self, options: &CatalogueOptions) -> Catalogue {
        let entries = self.skills();
        let form = options.form;
        let mut lines = entries.iter().map(|entry| Line::new(form, entry));
        let mut page = Page::new(form, options.budget);
        if options.shorten {
            let lines: Vec<Line<'_>> = lines.collect();
            let longest = shorten(&lines, page.left, page.between.len());
            lines.iter().all(|line| page.add(line, longest));
        } else {
            lines.all(|line| page.add(&line, usize::MAX));
        }
        let Page { mut text, full, shortened, .. } = page;
        match full + shortened {
            0 if entries.is_empty() => text.push_str(entry::nothing(form)),
            // There are skills, only no room for them.
            0 => text.push_str(if form == CatalogueForm::Json { "[]" } else { "" }),
            _ => text.push_str(page.after),
        }
        let left_out = entries.len() - full - shortened;
        Catalogue { fingerprint: fingerprint::of(&text), text, full, shortened, left_out }
    }
}

/// A catalogue while it is written.
struct Page {
    text: String,
    before: &'static str,
    between: &'static str,
    after: &'static str,
    /// Characters that there is room for.
    left: usize,
    full: usize,
    shortened: usize,
}

impl Page {
    fn new(form: CatalogueForm, budget: usize) -> Self {
        let [before, between, after] = entry::frame(form);
        // Each line feed is counted, the last one too, where no separator stands.
        let around = before.len() + after.len() + 1;
        let left = budget.saturating_add(between.len()).saturating_sub(around);
        Self { text: String::new(), before, between, after, left, full: 0, shortened: 0 }
    }

    /// Adds an entry with a description of at most `longest` characters; `false` where it does not fit.
    fn add(&mut self, line: &Line<'_>, longest: usize) -> bool {
        let (chars, is_whole) = line.cost(longest);
        let Some(left) = self.left.checked_sub(chars + self.between.len()) else { return false };
        self.left = left;
        self.text.push_str(if self.full + self.shortened == 0 { self.before } else { self.between });
        line.write(longest, &mut self.text);
        *(if is_whole { &mut self.full } else { &mut self.shortened }) += 1;
        true
    }
}

/// The most characters of a description with which all lines fit; 0 where only names do, or not even
/// they.
fn shorten(lines: &[Line<'_>], budget: usize, between: usize) -> usize {
    let fits = |longest| {
        let chars: usize = lines.iter().map(|line| line.cost(longest).0 + between).sum();
        chars <= budget
    };
    let longest = lines.iter().map(Line::description_chars).max().unwrap_or_default();
    if fits(longest) {
        return usize::MAX;
    }
    let (mut low, mut high) = (0, longest);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}
