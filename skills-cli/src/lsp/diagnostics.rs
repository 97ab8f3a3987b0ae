//! Findings as diagnostics.
//!
//! Those on an open file are at their place in it. What a check finds in a file that isn't served, such as one
//! beside a SKILL.md, is shown at the top of the SKILL.md, with a link to its place. A query that a skill doesn't pass is
//! shown at its description.

use std::path::PathBuf;

use gen_lsp_types::{
    Code, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Message, Range, Uri,
};
use skills_bundle::{Config, Finding, Level};
use skills_source::finding::Related;
use skills_source::frontmatter::{DESCRIPTION, Field, WHEN_TO_USE};

use super::concern::Concern;
use super::document::Document;
use super::place::{Kind, RootPlace, root_of};
use super::position::shown_range;
use super::root::Root;

/// The diagnostics of an open file, in the order of their places, and then those of its queries.
pub(crate) fn of(document: &Document, root: &mut Root) -> Vec<Diagnostic> {
    findings_of(document, root).iter().map(|found| diagnostic(document, root, found)).collect()
}

/// A finding, where it is shown, and whether it is on the open file itself.
pub(crate) struct Found {
    pub(crate) finding: Finding,
    pub(crate) range: Range,
    pub(crate) is_own: bool,
}

impl Found {
    fn new(finding: &Finding, is_own: bool, document: &Document) -> Self {
        let range = match &finding.source {
            Some(_) if is_own => document.shown_range(&finding.span),
            _ => Range::default(),
        };
        Self { finding: finding.clone(), range, is_own }
    }
}

/// What is to be shown in an open file.
pub(crate) fn findings_of(document: &Document, root: &mut Root) -> Vec<Found> {
    let own = |finding: &Finding| Found::new(finding, true, document);
    let path = root.path_in_findings(document);
    if document.kind == Kind::Skill && !root.place().dir.is_dir() {
        // Nothing is around it yet.
        let draft = root.draft(document);
        return draft.iter().filter(|finding| finding.path == path).map(own).collect();
    }
    let skill = root.skill_of(&document.path).map(|(dir, _)| dir.path.clone());
    let concern = Concern::new(document.kind, path, skill, root.label(), document.body());
    let findings = root.findings().iter();
    let found = findings.filter_map(|finding| {
        let is_own = concern.is_own(finding);
        (is_own || concern.is_beside(finding)).then(|| Found::new(finding, is_own, document))
    });
    found.collect::<Vec<_>>().into_iter().chain(of_queries(document, root)).collect()
}

/// The queries that the skill doesn't pass, at its description.
fn of_queries(document: &Document, root: &mut Root) -> Vec<Found> {
    let failing =
        root.queries_of(&document.path).map(|of_skill| of_skill.failing.clone()).unwrap_or_default();
    let range = description(document, root).unwrap_or_default();
    failing.into_iter().map(|finding| Found { finding, range, is_own: false }).collect()
}

/// The key of the field by which a model chooses a skill.
fn description(document: &Document, root: &mut Root) -> Option<Range> {
    let (_, text) = root.skill_of(&document.path)?;
    let entries = &text?.frontmatter.entries;
    let named = |field: &Field| entries.iter().find(|entry| field.names.contains(&entry.key.as_str()));
    let entry = named(&DESCRIPTION).or_else(|| named(&WHEN_TO_USE))?;
    Some(document.range(&entry.key_span))
}

/// What is wrong with the settings for skills in a Cargo.toml; nothing if it has none.
pub(crate) fn of_manifest(document: &Document, folders: &[PathBuf]) -> Vec<Diagnostic> {
    let (Some(dir), text) = (document.path.parent(), document.body()) else { return Vec::new() };
    if !(text.contains("metadata") && text.contains("skills")) {
        return Vec::new();
    }
    let place = root_of(&document.path, Kind::Manifest, folders);
    let base = if dir.starts_with(&place.base) { place.base } else { dir.to_owned() };
    let config = Config::new(dir).base(&base).cargo_settings(dir).text(&document.path, document.bytes());
    let root = Root::new(RootPlace { dir: dir.to_owned(), base }, None);
    let shown = root.shown(&document.path);
    let findings = config.check_settings().into_iter().filter(|finding| finding.path == shown);
    let mut found: Vec<Found> = findings.map(|finding| Found::new(&finding, true, document)).collect();
    found.sort_by(|a, b| a.finding.sort_key().cmp(&b.finding.sort_key()));
    found.iter().map(|found| diagnostic(document, &root, found)).collect()
}

fn diagnostic(document: &Document, root: &Root, Found { finding, range, is_own }: &Found) -> Diagnostic {
    let severity = match finding.level {
        Level::Deny => DiagnosticSeverity::Error,
        _ => DiagnosticSeverity::Warning,
    };
    let mut related: Vec<DiagnosticRelatedInformation> =
        finding.related.iter().map(|place| related_information(document, root, place)).collect();
    if !is_own {
        let range =
            finding.source.as_ref().map_or_else(Range::default, |source| shown_range(source, &finding.span));
        let location = Location { uri: root.uri_of(&root.on_disk(&finding.path)), range };
        let message = format!("found in `{}`", finding.path);
        related.insert(0, DiagnosticRelatedInformation { location, message });
    }
    Diagnostic::new(
        *range,
        Some(severity),
        Some(Code::String(finding.code.as_str().to_owned())),
        None,
        Some("skills".to_owned()),
        Message::String(words(finding)),
        None,
        (!related.is_empty()).then_some(related),
        None,
    )
}

/// The message, and what to do about it, as in every check.
fn words(finding: &Finding) -> String {
    if finding.help.is_empty() {
        finding.message.clone()
    } else {
        format!("{}\nhelp: {}", finding.message, finding.help)
    }
}

fn related_information(document: &Document, root: &Root, place: &Related) -> DiagnosticRelatedInformation {
    let on_disk = root.on_disk(&place.path);
    let range = place.source.as_ref().map_or_else(Range::default, |source| shown_range(source, &place.span));
    let (uri, range): (Uri, Range) = if on_disk == document.path {
        (document.uri.clone(), document.shown_range(&place.span))
    } else {
        (root.uri_of(&on_disk), range)
    };
    DiagnosticRelatedInformation { location: Location { uri, range }, message: place.label.clone() }
}
