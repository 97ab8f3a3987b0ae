//! Findings as the compiler shows its own: the line, what is wrong in it, and how to fix it.
//!
//! This is the only file that knows `annotate-snippets`. That crate counts columns in the text that it
//! draws, and a line is drawn cut and with escapes, so that its columns are not the file's. It takes no
//! column from its caller beside a snippet: each header is given to it as a mark, and the mark is then
//! replaced by where the finding says it is.

use std::collections::BTreeMap;

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level as Severity, Origin, Padding, Renderer, Snippet, Title,
};
use skills_source::code::Level;
use skills_source::finding::{Finding, Related};
use skills_source::source::{Excerpt, Source};

use super::visible::escape_path;
use super::{Color, escape, excerpt};

/// Two places of one file are drawn in one picture if they are not further apart than this, in lines.
const REACH: u32 = 1000;

/// In columns. Lines are cut before they are drawn.
const MORE_THAN_ANY_LINE: usize = 10_000;

/// The findings with their lines, one block each and a blank line between two. Each line ends in a
/// line feed.
pub fn full(findings: &[Finding], color: Color) -> String {
    let renderer = match color {
        Color::Never => Renderer::plain(),
        Color::Always => Renderer::styled(),
    };
    let blocks: Vec<String> = findings
        .iter()
        .map(|finding| {
            let title =
                severity(finding.level).primary_title(escape(&finding.message)).id(finding.code.as_str());
            block(finding, title, &renderer) + "\n"
        })
        .collect();
    blocks.join("\n")
}

/// One finding as the text of a `compile_error!`: without colour and without a line feed at its end.
///
/// The compiler puts `error: ` before the first line and indents the others. So the first line
/// begins with the code, `[E009] …`, and the second is ` --> path:line:column`, which is where
/// editors look for the place of an error.
pub fn one(finding: &Finding) -> String {
    let title = format!("[{}] {}", finding.code, escape(&finding.message));
    block(finding, severity(finding.level).no_name().primary_title(title), &Renderer::plain())
}

fn severity(level: Level) -> Severity<'static> {
    match level {
        Level::Allow => Severity::NOTE.with_name("allowed"),
        Level::Warn => Severity::WARNING,
        Level::Deny => Severity::ERROR,
    }
}

fn block(finding: &Finding, title: Title<'_>, renderer: &Renderer) -> String {
    let mut headers = Headers::default();
    let mut group = Group::with_title(title);
    let mut places = Vec::new();
    if let Some(source) = &finding.source {
        let Finding { path, line, column, label, span, .. } = finding;
        let (excerpt, kind) = (source.excerpt(span), AnnotationKind::Primary);
        places.push(Place { path, line: *line, column: *column, label, source, excerpt, kind });
    } else {
        group = group.element(Origin::path(headers.add(&finding.path, finding.line, finding.column)));
    }
    let mut notes = Vec::new();
    for Related { path, line, column, label, span, source, .. } in &finding.related {
        if let Some(source) = source {
            let (excerpt, kind) = (source.excerpt(span), AnnotationKind::Context);
            places.push(Place { path, line: *line, column: *column, label, source, excerpt, kind });
        } else {
            notes.push(format!("{path}:{line}:{column}: {label}"));
        }
    }
    let has_lines = !places.is_empty();
    let has_words = !notes.is_empty() || !finding.help.is_empty();
    if has_words && !has_lines {
        group = group.element(Padding);
    }
    while let Some(first) = places.first() {
        let header = headers.add(first.path, first.line, first.column);
        let (snippet, rest) = snippet(&places);
        group = group.element(snippet.path(header));
        places = rest;
    }
    group = group.elements(notes.iter().map(|note| Severity::NOTE.message(escape(note))));
    if !finding.help.is_empty() {
        group = group.element(Severity::HELP.message(escape(&finding.help)));
    }
    let drawn = renderer.clone().term_width(MORE_THAN_ANY_LINE).render(&[group]);
    // Without a line number there is no room for one either, and the arrow would stand out.
    headers.fill(if has_lines { drawn } else { drawn.replace('\n', "\n ") })
}

/// A place with a line to show.
#[derive(Clone, Copy)]
struct Place<'f> {
    path: &'f str,
    line: u32,
    column: u32,
    label: &'f str,
    source: &'f Source,
    excerpt: Excerpt<'f>,
    kind: AnnotationKind,
}

/// The first place, with all that fit into one picture with it; and the places that do not.
fn snippet<'f>(places: &[Place<'f>]) -> (Snippet<'f, Annotation<'f>>, Vec<Place<'f>>) {
    let mut lines: BTreeMap<u32, Vec<Place<'f>>> = BTreeMap::new();
    let mut rest = Vec::new();
    for place in places {
        let fits = places.first().is_none_or(|first| {
            let other = lines.get(&place.line).and_then(|places| places.first());
            place.path == first.path
                && place.line.abs_diff(first.line) <= REACH
                && other.is_none_or(|other| other.excerpt.text == place.excerpt.text)
        });
        if fits { lines.entry(place.line).or_default().push(*place) } else { rest.push(*place) }
    }
    let line_start = lines.keys().next().copied().unwrap_or(1);
    let mut next = line_start;
    let mut source = String::new();
    let mut annotations = Vec::new();
    for (line, places) in lines {
        // One line between two is shown, more are not.
        let between = places.first().filter(|_| next + 1 == line).and_then(|place| place.source.line(next));
        source += &excerpt::show(between.unwrap_or_default(), &[]).text;
        source.extend((next..line).map(|_| '\n'));
        next = line + 1;
        let spans: Vec<_> = places.iter().map(|place| place.excerpt.start..place.excerpt.end).collect();
        let shown = excerpt::show(places.first().map_or("", |place| place.excerpt.text), &spans);
        for (place, span) in places.into_iter().zip(shown.spans) {
            let Some(span) = span else {
                rest.push(place);
                continue;
            };
            let label = (!place.label.is_empty()).then(|| escape(place.label));
            annotations
                .push(place.kind.span(source.len() + span.start..source.len() + span.end).label(label));
        }
        source += &shown.text;
        source.push('\n');
    }
    (Snippet::source(source).line_start(line_start as usize).annotations(annotations), rest)
}

/// The text after each arrow.
#[derive(Default)]
struct Headers(Vec<String>);

impl Headers {
    /// Keeps a header, and returns its mark. Escaped text never holds one.
    fn add(&mut self, path: &str, line: u32, column: u32) -> String {
        self.0.push(format!("{}:{line}:{column}", escape_path(path)));
        mark(self.0.len() - 1)
    }

    /// Puts each header in place of its mark, and of the line and column behind that.
    fn fill(self, mut text: String) -> String {
        for (index, header) in self.0.iter().enumerate() {
            if let Some(start) = text.find(&mark(index)) {
                let end = text[start..].find('\n').map_or(text.len(), |len| start + len);
                text.replace_range(start..end, header);
            }
        }
        text
    }
}

fn mark(index: usize) -> String {
    format!("\0{index}\0")
}

#[cfg(test)]
mod tests;
