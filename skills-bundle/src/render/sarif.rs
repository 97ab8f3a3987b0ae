//! Findings as a SARIF 2.1.0 log, for code scanning.
//!
//! Every rule is described, whether it found something or not, so that the place of a rule in the
//! list never changes. Columns count characters, from 1.

use serde_json::{Value, json};
use skills_source::code::{Level, RULES, Rule};
use skills_source::finding::{Edit, Finding, Related};
use skills_source::source::{Excerpt, Source};

use super::json::json_text;

/// The findings as one log, indented, without a line feed at its end. `ran` is false where a root
/// could not be read, so that what is not found may still be there.
///
/// Relative paths are relative to `%SRCROOT%`, which is the repository if the check runs there.
pub fn sarif(findings: &[Finding], ran: bool) -> String {
    json_text(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "skills",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": RULES.iter().map(rule).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{ "executionSuccessful": ran }],
            "results": findings.iter().map(result).collect::<Vec<_>>(),
        }],
    }))
}

fn rule(rule: &Rule) -> Value {
    let text = |text: &str| json!({ "text": text });
    json!({
        "id": rule.code.as_str(),
        "name": rule.name,
        "shortDescription": text(rule.summary),
        "fullDescription": text(rule.why),
        "help": {
            "text": format!("{}\n\nInstead of:\n\n{}\n\nwrite:\n\n{}", rule.why, rule.bad, rule.good),
            "markdown": format!("{}\n\nInstead of:\n\n{}\n\nwrite:\n\n{}", rule.why, fenced(rule.bad), fenced(rule.good)),
        },
        "defaultConfiguration": { "level": level(rule.level) },
    })
}

/// A block of code; no example holds a fence of its own.
fn fenced(example: &str) -> String {
    format!("```\n{}\n```", example.trim_end())
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Allow => "none",
        Level::Warn => "warning",
        Level::Deny => "error",
    }
}

fn result(finding: &Finding) -> Value {
    let Finding { code, path, line, column, message, help, .. } = finding;
    let mut result = json!({
        "ruleId": code.as_str(),
        "ruleIndex": *code as usize,
        "level": level(finding.level),
        "message": { "text": format!("{message}\nhelp: {help}") },
        "locations": [{ "physicalLocation": {
            "artifactLocation": artifact(path),
            "region": region(*line, *column, finding.excerpt()),
        } }],
    });
    if !finding.related.is_empty() {
        result["relatedLocations"] = finding.related.iter().enumerate().map(related).collect();
    }
    if let (Some(edit), Some(source)) = (&finding.edit, &finding.source) {
        result["fixes"] = json!([fix(path, help, edit, source)]);
    }
    result
}

fn related((id, related): (usize, &Related)) -> Value {
    let Related { path, line, column, label, .. } = related;
    json!({
        "id": id,
        "message": { "text": label },
        "physicalLocation": {
            "artifactLocation": artifact(path),
            "region": region(*line, *column, related.excerpt()),
        },
    })
}

fn fix(path: &str, help: &str, edit: &Edit, source: &Source) -> Value {
    let (start, end) = (source.line_column(edit.span.start), source.line_column(edit.span.end));
    json!({
        "description": { "text": help },
        "artifactChanges": [{
            "artifactLocation": artifact(path),
            "replacements": [{
                "deletedRegion": {
                    "startLine": start.0,
                    "startColumn": start.1,
                    "endLine": end.0,
                    "endColumn": end.1,
                },
                "insertedContent": { "text": edit.text },
            }],
        }],
    })
}

fn region(line: u32, column: u32, excerpt: Option<Excerpt<'_>>) -> Value {
    let mut region = json!({ "startLine": line, "startColumn": column });
    if let Some(columns) = excerpt.and_then(|excerpt| excerpt.columns()) {
        region["endColumn"] = (column + columns).into();
    }
    if let Some(excerpt) = excerpt {
        region["snippet"] = json!({ "text": excerpt.text });
    }
    region
}

/// A path as a URI: with a scheme where it is absolute, else relative to where the check ran.
pub(crate) fn artifact(path: &str) -> Value {
    if path.starts_with('/') {
        return json!({ "uri": format!("file://{}", encoded(path)) });
    }
    if path.as_bytes().get(1) == Some(&b':') {
        return json!({ "uri": format!("file:///{}", encoded(path)) });
    }
    let path = path.strip_prefix("./").unwrap_or(path);
    json!({ "uri": encoded(path), "uriBaseId": "%SRCROOT%" })
}

/// The path with everything that a URI does not take as `%20` and the like.
fn encoded(path: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(byte);
    path.bytes()
        .map(|byte| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(
            artifact("./a b/ü:%.md"),
            json!({"uri": "a%20b/%C3%BC%3A%25.md", "uriBaseId": "%SRCROOT%"})
        );
        assert_eq!(artifact("/tmp/#1"), json!({"uri": "file:///tmp/%231"}));
        assert_eq!(artifact("C:/x"), json!({"uri": "file:///C%3A/x"}));
        assert_eq!(artifact("."), json!({"uri": ".", "uriBaseId": "%SRCROOT%"}));
    }
}
