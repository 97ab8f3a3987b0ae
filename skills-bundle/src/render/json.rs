//! Findings as data for programs.
//!
//! Nothing is shortened and no text is changed. The document around the findings is the caller's.

use serde_json::{Value, json};
use skills_source::finding::{Edit, Finding, Related};
use skills_source::source::Source;

use super::visible::is_hidden;

/// One finding: `code`, `level` (`deny`, `warn` or `allow`), `path`, `line`, `column`, `message` and
/// `help`.
pub fn finding_json(finding: &Finding) -> Value {
    json!({
        "code": finding.code.as_str(),
        "level": finding.level.name(),
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "help": finding.help,
    })
}

/// One finding a line, with all that is known of it: beside what [`finding_json`] gives, `end_column`
/// after the part that is underlined, `label`, `related` places, the `edit` that fixes it, or `null`, and the
/// edit that may be meant as `suggested`, or `null`. Each line ends in a line feed.
pub fn json_lines(findings: &[Finding]) -> String {
    let line = |finding| visible_json(&sorted(whole(finding)).to_string(), |_| false) + "\n";
    findings.iter().map(line).collect()
}

fn whole(finding: &Finding) -> Value {
    let mut document = finding_json(finding);
    document["label"] = finding.label.as_str().into();
    document["end_column"] = finding.end_column().into();
    document["related"] = finding.related.iter().map(related).collect();
    for (key, edit) in [("edit", &finding.edit), ("suggested", &finding.suggested)] {
        let edit = edit.as_ref().zip(finding.source.as_ref());
        document[key] = edit.map(|(edit, source)| edit_json(edit, source)).into();
    }
    document
}

fn related(related: &Related) -> Value {
    let Related { path, line, column, label, .. } = related;
    json!({ "path": path, "line": line, "column": column, "label": label })
}

fn edit_json(edit: &Edit, source: &Source) -> Value {
    let (line, column) = source.line_column(edit.span.start);
    let (end_line, end_column) = source.line_column(edit.span.end);
    json!({ "line": line, "column": column, "end_line": end_line, "end_column": end_column, "text": edit.text })
}

/// Any document as indented text, without a line feed at its end.
///
/// Keys are sorted. Hidden characters are written as JSON escapes: it may be printed on a terminal, and
/// reads back as the same document.
pub fn json_text(document: &Value) -> String {
    let document = sorted(document.clone());
    // The serialiser escapes line feeds in strings; those left are the indentation's.
    visible_json(&format!("{document:#}"), |c| c == '\n')
}

/// With sorted keys: their order would else depend on a feature of `serde_json` that any crate may switch on.
fn sorted(mut document: Value) -> Value {
    document.sort_all_objects();
    document
}

fn visible_json(json: &str, stays: impl Fn(char) -> bool) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if is_hidden(c) && !stays(c) {
            text.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::sample::{finding, on_path, related as sample_related};

    #[test]
    fn a_finding_has_all_its_facts() {
        insta::assert_snapshot!(json_text(&finding_json(&finding("name: pdf_tools", "_"))), @r#"
        {
          "code": "E009",
          "column": 10,
          "help": "write `name: pdf-tools`",
          "level": "deny",
          "line": 2,
          "message": "`name` may hold only a-z, 0-9 and `-`",
          "path": "skills/pdf-tools/SKILL.md"
        }
        "#);
    }

    #[test]
    fn a_line_has_all_that_is_known() {
        let mut twice = finding("name: pdf_tools", "_");
        twice.related.push(sample_related("skills/pdf-tools/SKILL.md", 1, "name: pdf", "name"));
        insta::assert_snapshot!(json_lines(&[twice, on_path("a\u{202e}", "b\nc")]), @r#"
        {"code":"E009","column":10,"edit":null,"end_column":11,"help":"write `name: pdf-tools`","label":"this `_`","level":"deny","line":2,"message":"`name` may hold only a-z, 0-9 and `-`","path":"skills/pdf-tools/SKILL.md","related":[{"column":1,"label":"first given here","line":1,"path":"skills/pdf-tools/SKILL.md"}],"suggested":null}
        {"code":"E009","column":1,"edit":null,"end_column":null,"help":"see to it","label":"","level":"deny","line":1,"message":"b\nc","path":"a\u202e","related":[],"suggested":null}
        "#);
    }

    #[test]
    fn a_document_is_safe_to_print_and_reads_back() {
        let hostile = "a\nb \u{1b}[2J \u{9b}\u{7f} \u{202e}gnp \u{e0041} \\ \" 名前👩\u{200d}💻".repeat(300);
        let value = json!({ "findings": [finding_json(&on_path(&hostile, &hostile))] });
        let text = json_text(&value);
        assert!(!text.contains(|c| is_hidden(c) && c != '\n'));
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert_eq!(value["findings"][0]["message"], hostile);
    }
}
