//! Findings as data for programs.
//!
//! Nothing is shortened and no text is changed. The document around the findings is the caller's.

use serde_json::{Value, json};
use skills_core::source::finding::Finding;

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

/// Any document as indented text, without a line feed at its end.
///
/// Hidden characters stand in it as JSON escapes: it may be printed on a terminal, and reads back
/// as the same document.
pub fn json_text(document: &Value) -> String {
    let mut text = String::new();
    for c in format!("{document:#}").chars() {
        // The serialiser escapes line feeds in strings; those left are the indentation's.
        if is_hidden(c) && c != '\n' {
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
    use crate::render::sample::{finding, on_path};

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
    fn a_document_is_safe_to_print_and_reads_back() {
        let hostile = "a\nb \u{1b}[2J \u{9b}\u{7f} \u{202e}gnp \u{e0041} \\ \" 名前👩\u{200d}💻".repeat(300);
        let value = json!({ "findings": [finding_json(&on_path(&hostile, &hostile))] });
        let text = json_text(&value);
        assert!(!text.contains(|c| is_hidden(c) && c != '\n'));
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert_eq!(value["findings"][0]["message"], hostile);
    }
}
