//! What looks like a key or password about to be baked in: L111.
//!
//! A short list of forms that are hardly ever anything else. Examples and placeholders, which
//! documentation is full of, are ignored by what they say of themselves. A finding never shows a
//! secret whole.
//!
//! Every file of every skill is looked through, so this is made to be fast without optimisation too:
//! a secret is a long run of letters, and a long run holds a whole word of [`WORD`] bytes with no blank.

use std::ops::Range;
use std::sync::Arc;

use skills_pack::bad_bytes;
use skills_source::code::Code;
use skills_source::fault::Fault;
use skills_source::finding::Finding;
use skills_source::source::Source;

mod blocks;
mod forms;
mod named;
mod random;
mod shapes;
mod urls;

use forms::{FORMS, TokenForm};
use random::{distinct, is_mixed, looks_random, says_placeholder};

/// The fewest bytes of a run of letters, digits and `_-+/` that is looked at.
const MIN_RUN: usize = 16;

/// The fewest bytes of a token that is known by its form or by what stands around it.
const MIN_TOKEN: usize = 20;

/// A secret and what it seems to be.
struct Secret {
    what: &'static str,
    /// Where it is. All of it is ASCII.
    span: Range<usize>,
    /// How many bytes of it say only what it is, and may be shown.
    shown: usize,
}

/// Looks through a file that is shown as `path`, as text that a model is shown.
pub(crate) fn check(path: impl Fn() -> String, bytes: &[u8]) -> Vec<Finding> {
    let replaced = bad_bytes::replaced(bytes).map(|(text, _)| text);
    let bytes = replaced.as_deref().map_or(bytes, str::as_bytes);
    let mut secrets = find(bytes);
    if secrets.is_empty() {
        return Vec::new();
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return Vec::new() };
    let source = Source::new(path(), mask_all(text, &secrets));
    let more = secrets.len().saturating_sub(MAX_REPORTED);
    secrets.truncate(MAX_REPORTED);
    let mut findings: Vec<Finding> =
        secrets.iter().map(|secret| Finding::new(&source, secret.fault())).collect();
    if let Some(last) = findings.last_mut().filter(|_| more > 0) {
        last.help.push_str(&format!("; {more} more in this file are reported once these are gone"));
    }
    findings
}

/// Masks the secrets of the files in what other rules found there.
pub(crate) fn hide(findings: &mut [Finding]) {
    let mut sources: Vec<Arc<Source>> = Vec::new();
    for source in findings.iter().flat_map(sources_of) {
        if !sources.iter().any(|known| Arc::ptr_eq(known, source)) {
            sources.push(Arc::clone(source));
        }
    }
    for source in sources {
        let text = source.text();
        let secrets = find(text.as_bytes());
        if secrets.is_empty() {
            continue;
        }
        let hidden = hidden(text, &secrets);
        let masked = source.with_text(mask_all(text, &secrets));
        for finding in &mut *findings {
            for shown in [&mut finding.message, &mut finding.label, &mut finding.help] {
                *shown = mask(shown, &hidden);
            }
            let related = finding.related.iter_mut().filter_map(|related| related.source.as_mut());
            for shown in related.chain(&mut finding.source).filter(|shown| Arc::ptr_eq(shown, &source)) {
                *shown = Arc::clone(&masked);
            }
            // An edit that writes a secret would show it, and one with a mask would lose it. Whoever fixes
            // the file reads it again and gets the edit from there.
            for edit in [&mut finding.edit, &mut finding.suggested] {
                *edit = edit.take().filter(|edit| mask(&edit.text, &hidden) == edit.text);
            }
        }
    }
}

fn sources_of(finding: &Finding) -> impl Iterator<Item = &Arc<Source>> {
    let related = finding.related.iter().filter_map(|related| related.source.as_ref());
    finding.source.iter().chain(related)
}

/// A text with its secrets masked.
#[cfg(feature = "check")]
pub(crate) fn masked_text(text: &str) -> String {
    mask_all(text, &find(text.as_bytes()))
}

/// A text with its secrets masked where each is found itself, byte for byte as long. What is like a secret
/// elsewhere is shown: else who writes a password that reads like a host could hide the host in the rest.
#[cfg(feature = "check")]
pub(crate) fn masked_in_place(text: &str) -> String {
    masked_places(text, &find(text.as_bytes()))
}

/// The same file with its secrets masked.
pub(crate) fn masked(source: &Source) -> Arc<Source> {
    let text = source.text();
    source.with_text(mask_all(text, &find(text.as_bytes())))
}

/// What may not be shown of each secret.
fn hidden<'t>(text: &'t str, secrets: &[Secret]) -> Vec<&'t str> {
    secrets.iter().map(|secret| &text[secret.hidden()]).collect()
}

/// The text of a file with its secrets masked, each by as many stars, and where the first of them come
/// again too.
fn mask_all(text: &str, secrets: &[Secret]) -> String {
    let masked = masked_places(text, secrets);
    let mut first = hidden(text, secrets);
    first.truncate(MAX_REPORTED);
    mask(&masked, &first)
}

/// The text with as many stars in the places of the secrets, and in no others.
fn masked_places(text: &str, secrets: &[Secret]) -> String {
    let mut masked = String::with_capacity(text.len());
    for secret in secrets {
        let Range { start, end } = secret.hidden();
        // Two may overlap.
        masked.push_str(text.get(masked.len()..start).unwrap_or_default());
        masked.extend(std::iter::repeat_n('*', end.saturating_sub(masked.len())));
    }
    masked.push_str(&text[masked.len()..]);
    masked
}

/// The text with as many stars in place of what is hidden.
fn mask(text: &str, hidden: &[&str]) -> String {
    let mut masked = text.to_owned();
    for hidden in hidden.iter().filter(|hidden| !hidden.is_empty()) {
        if masked.contains(hidden) {
            masked = masked.replace(hidden, &"*".repeat(hidden.len()));
        }
    }
    masked
}

fn find(bytes: &[u8]) -> Vec<Secret> {
    let mut secrets = Vec::new();
    let mut start = 0;
    while let Some(run) = next_run(bytes, start) {
        start = run.end;
        secrets.extend(judge(bytes, run));
    }
    if bytes.contains(&b'@') {
        secrets.extend(urls::passwords(bytes));
    }
    if bytes.contains(&b'%') {
        secrets.extend(urls::signatures(bytes));
    }
    secrets.sort_by_key(|secret| secret.span.start);
    secrets
}

/// The first run of at least [`MIN_RUN`] bytes that begins at `start` or later, where no run goes on.
fn next_run(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let is_in_run = |at: usize| bytes.get(at).is_some_and(|byte| IN_RUN[usize::from(*byte)]);
    let (words, _) = bytes.as_chunks::<WORD>();
    let mut word = start / WORD;
    while word < words.len() {
        let at = word * WORD;
        word += 1;
        // Of a run's first whole word at least so much of the run follows.
        if ends_runs(words[word - 1]) || !is_in_run(at + MIN_RUN - WORD) {
            continue;
        }
        let run = run_around(bytes, start, at.max(start));
        if run.len() >= MIN_RUN {
            return Some(run);
        }
    }
    None
}

/// How many bytes are looked at in one step. A run has such a word whole in it, wherever it begins.
const WORD: usize = 8;

/// Whether a byte of these is a blank or another that comes before `+` in ASCII, or is not ASCII:
/// nearly every word that is not in a run has one.
fn ends_runs(word: [u8; WORD]) -> bool {
    const PLUSES: u64 = u64::from_ne_bytes([b'+'; WORD]);
    const HIGHEST_BITS: u64 = u64::from_ne_bytes([0x80; WORD]);
    let word = u64::from_ne_bytes(word);
    // Taking `+` off each byte leaves the highest bit of those that are less, and of some above them.
    (word.wrapping_sub(PLUSES) | word) & HIGHEST_BITS != 0
}

/// The run in which `at` is, as far as it lies behind `first`; an empty one where there is none.
fn run_around(bytes: &[u8], first: usize, at: usize) -> Range<usize> {
    let mut start = at;
    while start > first && IN_RUN[usize::from(bytes[start - 1])] {
        start -= 1;
    }
    let mut end = at;
    while end < bytes.len() && IN_RUN[usize::from(bytes[end])] {
        end += 1;
    }
    start..end
}

/// The bytes that may be in a run: those of Base64, of URLs' Base64, and of identifiers.
const IN_RUN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'_' | b'-' | b'+' | b'/');
        byte += 1;
    }
    table
};

/// What a run is, if it is a secret.
fn judge(bytes: &[u8], run: Range<usize>) -> Option<Secret> {
    if shapes::is_cut(bytes, &run) {
        return None;
    }
    let before = &bytes[run.start.saturating_sub(LOOK_BACK)..run.start];
    if run.len() >= MIN_TOKEN {
        if blocks::opens_private_key(bytes, &run) {
            let is_whole =
                !shapes::goes_on_masked(&bytes[run.end..]) && !says_placeholder(&bytes[run.clone()]);
            return is_whole.then_some(Secret { what: "a private key", span: run, shown: 0 });
        }
        if let Some(secret) = shapes::in_context(bytes, before, run.clone()) {
            return Some(secret);
        }
        // A key in a path or URL is between slashes.
        let mut start = run.start;
        for part in bytes[run.clone()].split(|byte| matches!(byte, b'/' | b'+')) {
            if let Some(form) = form_of(part) {
                return Some(Secret {
                    what: form.what,
                    span: start..start + part.len(),
                    shown: form.prefix.len(),
                });
            }
            start += part.len() + 1;
        }
    }
    named::secret(&bytes[run.clone()], before, run)
}

/// How many secrets of a file are reported.
const MAX_REPORTED: usize = 64;

/// How many bytes before a run are looked at.
const LOOK_BACK: usize = 48;

fn form_of(part: &[u8]) -> Option<&'static TokenForm> {
    if part.len() < MIN_TOKEN {
        return None;
    }
    let form = FORMS.iter().find(|form| {
        part.starts_with(form.prefix.as_bytes()) && form.rest.contains(&(part.len() - form.prefix.len()))
    })?;
    let rest = &part[form.prefix.len()..];
    if form.what == forms::TWILIO && !rest.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    // One of these in thirty has no digit.
    let is_key_id = form.what == forms::AWS && distinct(rest) > 8 && !says_placeholder(rest);
    // Some providers' tokens have letters alone.
    let is_letters = rest.len() >= 24 && distinct(rest) >= 14 && is_mixed(rest) && !says_placeholder(rest);
    (is_key_id || is_letters || looks_random(rest)).then_some(form)
}

impl Secret {
    /// The part that may not be shown.
    fn hidden(&self) -> Range<usize> {
        self.span.start + self.shown..self.span.end
    }

    fn fault(&self) -> Fault {
        Fault::new(Code::L111, self.span.clone(), format!("this looks like {}", self.what))
            .label("would be part of the program")
            .help("take it out and have it replaced where it was issued; read it from the environment at run time")
    }
}

#[cfg(test)]
mod tests;
