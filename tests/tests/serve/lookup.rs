//! How a name is looked up.

use skills::{Audience, Registry};
use skills_tests::SKILLS;

use crate::{everything, registry};

#[test]
fn forms_of_a_name() {
    for (query, name) in [
        ("pdf-forms", Some("pdf-forms")),
        ("  PDF-Forms\n", Some("pdf-forms")),
        ("pdf forms", Some("pdf-forms")),
        ("Pdf \t Forms", Some("pdf-forms")),
        ("**pdf-forms**", Some("pdf-forms")),
        ("`PDF forms`", Some("pdf-forms")),
        (" ** pdf  forms ** ", Some("pdf-forms")),
        ("**`pdf-forms`**", None),
        ("*pdf-forms*", None),
        ("**pdf-forms", None),
        ("\"pdf-forms\"", None),
        ("pdf_forms", None),
        ("pdfforms", None),
        ("pdf-form", None),
        ("pdf--forms", None),
        ("pdf - forms", None),
        ("", None),
        ("**", None),
        ("****", None),
        ("``", None),
        ("-", None),
        ("../skills/pdf-forms", None),
        ("skills/pdf-forms", None),
        ("pdf-forms/", None),
        ("pdf-forms\0", None),
    ] {
        assert_eq!(SKILLS.get(query).map(|skill| skill.name()), name, "{query:?}");
        assert_eq!(registry().get(query).map(|entry| entry.skill.name()), name, "{query:?}");
        assert_eq!(registry().load(query).ok().map(|loaded| loaded.entry.skill.name()), name, "{query:?}");
    }
}

/// A directory's name is normalised in the same way.
#[test]
fn names_of_directories() {
    for query in ["weekly-report", "Weekly Report", "Report Helper", "report-helper", "`REPORT  helper`"] {
        assert_eq!(SKILLS.get(query).map(|skill| skill.name()), Some("weekly-report"), "{query:?}");
    }
}

/// A skill that isn't meant for the audience is absent from all four actions.
#[test]
fn audiences() {
    for (audience, hidden) in [(Audience::Model, "release-by-hand"), (Audience::User, "model-only")] {
        let registry = Registry::new(&SKILLS).for_audience(audience);
        assert_eq!(registry.skills().len(), SKILLS.len() - 1);
        assert!(registry.get(hidden).is_none() && registry.load(hidden).is_err());
        assert!(registry.read_file(hidden, "SKILL.md", 0).is_err());
        assert!(
            registry
                .search(hidden)
                .expect("a query")
                .results
                .iter()
                .all(|hit| hit.entry.skill.name() != hidden)
        );
        assert!(!registry.list().to_string().contains(hidden));
    }
    assert!(everything().get("release-by-hand").is_some() && everything().get("model-only").is_some());
}
