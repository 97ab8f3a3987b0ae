//! The catalogue for the system prompt: every skill by name and description, within a budget.
//!
//! The registry decides which skills are in it, and the host where it goes.

use alloc::string::String;
use alloc::vec::Vec;

use super::fingerprint;
use super::registry::Registry;
use entry::Line;

mod entry;

/// The default budget of a catalogue, in characters.
pub const PROMPT_BUDGET: usize = 12_000;

/// The placeholder for the catalogue in a prompt template. Insert it with
/// `template.replace(SLOT, &catalogue.text)`.
pub const SLOT: &str = "{{available_skills}}";

/// The format of a catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CatalogueForm {
    /// One line per skill, `- name: description`; `(none)` if there are no skills.
    #[default]
    Plain,
    /// `<available_skills>` with one `<skill>` per skill, which has `<name>`, `<description>` and
    /// `<location>`. All values are escaped. Empty if there are no skills.
    Xml,
    /// A JSON array of objects with `name`, `description` and `location`, one per line.
    Json,
}

/// Options for a catalogue.
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
    /// A catalogue in this format, with at most [`PROMPT_BUDGET`] characters.
    pub fn new(form: CatalogueForm) -> Self {
        Self { form, ..Self::default() }
    }

    /// Sets the budget in characters. Each line counts with its line feed.
    #[must_use]
    pub fn budget(mut self, characters: usize) -> Self {
        self.budget = characters;
        self
    }

    /// Sets what happens if not everything fits. `true` keeps every name as long as all names fit, and
    /// shortens descriptions evenly; `false` keeps whole entries in order and stops before the first that
    /// doesn't fit.
    #[must_use]
    pub fn shorten(mut self, yes: bool) -> Self {
        self.shorten = yes;
        self
    }
}

/// A catalogue, and how many skills it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Catalogue {
    /// The catalogue, without a line feed at the end.
    pub text: String,
    /// The number of skills with their whole description.
    pub full: usize,
    /// The number of skills whose description is shortened or missing.
    pub shortened: usize,
    /// The number of skills that are left out.
    pub left_out: usize,
    /// Changes exactly when the text does, so a host can keep its cached prompt. It is the same on every
    /// system.
    pub fingerprint: u128,
}

impl Registry<'_> {
    /// As [`catalogue`](Self::catalogue), with the budget in what `count` counts, such as the tokens of the host's
    /// model. The text with the line feed after it is counted as a whole, a few dozen times at most.
    pub fn catalogue_counted(&self, options: &CatalogueOptions, count: &dyn Fn(&str) -> usize) -> Catalogue {
        let entries = self.skills();
        let lines: Vec<Line<'_>> = entries.iter().map(|entry| Line::new(options.form, entry)).collect();
        let make = |shown: usize, longest: usize| {
            let mut page = Page::new(options.form, usize::MAX);
            lines.iter().take(shown).all(|line| page.add(line, longest));
            page.finish(options.form, entries.len())
        };
        let fits = |shown, longest| {
            let mut text = make(shown, longest).text;
            text.push('\n');
            count(&text) <= options.budget
        };
        let longest = lines.iter().map(Line::description_chars).max().unwrap_or_default();
        if fits(lines.len(), usize::MAX) {
            return make(lines.len(), usize::MAX);
        }
        if options.shorten && fits(lines.len(), 0) {
            return make(lines.len(), last_that(longest, |longest| fits(lines.len(), longest)));
        }
        let longest = if options.shorten { 0 } else { usize::MAX };
        make(last_that(lines.len(), |shown| shown == 0 || fits(shown, longest)), longest)
    }

    /// Returns the catalogue of the skills that are served, by name.
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
        page.finish(form, entries.len())
    }
}

/// A catalogue under construction.
struct Page {
    text: String,
    before: &'static str,
    between: &'static str,
    after: &'static str,
    /// The characters that are left of the budget.
    left: usize,
    full: usize,
    shortened: usize,
}

impl Page {
    fn new(form: CatalogueForm, budget: usize) -> Self {
        let [before, between, after] = entry::frame(form);
        // Each line feed counts, including the last, which isn't written.
        let around = before.len() + after.len() + 1;
        let left = budget.saturating_add(between.len()).saturating_sub(around);
        Self { text: String::new(), before, between, after, left, full: 0, shortened: 0 }
    }

    /// Adds an entry with at most `longest` characters of description. Returns `false` if it doesn't fit.
    fn add(&mut self, line: &Line<'_>, longest: usize) -> bool {
        let (chars, is_whole) = line.cost(longest);
        let Some(left) = self.left.checked_sub(chars + self.between.len()) else { return false };
        self.left = left;
        self.text.push_str(if self.full + self.shortened == 0 { self.before } else { self.between });
        line.write(longest, &mut self.text);
        *(if is_whole { &mut self.full } else { &mut self.shortened }) += 1;
        true
    }

    /// The catalogue of the entries that were added, of this many skills.
    fn finish(self, form: CatalogueForm, skills: usize) -> Catalogue {
        let Self { mut text, full, shortened, .. } = self;
        match full + shortened {
            0 if skills == 0 => text.push_str(entry::nothing(form)),
            // There are skills, but the budget is too small for any.
            0 => text.push_str(if form == CatalogueForm::Json { "[]" } else { "" }),
            _ => text.push_str(self.after),
        }
        let left_out = skills - full - shortened;
        Catalogue { fingerprint: fingerprint::of(&text), text, full, shortened, left_out }
    }
}

/// The longest description, in characters, with which all lines fit. 0 if only the names fit, or not even
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
    last_that(longest, fits)
}

/// The largest number below `end` for which `fits` holds, as it does for all smaller ones; 0 if for none.
fn last_that(end: usize, fits: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, end);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}
