//! Findings in a body.

use skills_bundle::Code;

use super::{assert_verdicts, case, compiled};

/// Two links of the case are dead; 23 others, in every form of Markdown, aren't.
#[test]
fn links_in_every_form() {
    let dir = case("223-link-forms");
    let report = compiled(&dir).report;
    assert_verdicts(&report, &[("links", &[Code::L105, Code::L105])]);
    let dead = ["references/dead-ref.md", "references/dead.md"];
    for (finding, path) in report.findings.iter().zip(dead) {
        assert!(finding.message.contains(&format!("`{path}`")), "{finding}");
    }
}
