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
        ("pdf-forms/", None),
        ("pdf-forms\0", None),
    ] {
        assert_eq!(SKILLS.get(query).map(|skill| skill.name()), name, "{query:?}");
        assert_eq!(registry().get(query).map(|entry| entry.skill.name()), name, "{query:?}");
        assert_eq!(registry().load(query).ok().map(|loaded| loaded.entry.skill.name()), name, "{query:?}");
    }
}

/// A registry takes back the locations that it shows. They are compared, never joined.
#[test]
fn locations_that_are_shown_name_the_skill() {
    for query in [
        "skills/pdf-forms",
        "skills/pdf-forms/SKILL.md",
        " skills/pdf-forms\n",
        "skill://pdf-forms",
        "skill://PDF Forms/SKILL.md",
    ] {
        let loaded = registry().load(query).expect("it is there");
        assert_eq!(loaded.entry.skill.name(), "pdf-forms", "{query:?}");
    }
    for query in
        ["skills/../skills/pdf-forms", "/skills/pdf-forms", "skill://", "skills/release-by-hand", "skill://x"]
    {
        assert!(registry().load(query).is_err(), "{query:?}");
    }
    for query in ["skill:pdf-forms", "acme:pdf-forms", "$pdf-forms", "other/pdf-forms/SKILL.md"] {
        let error = registry().load(query).expect_err("it is another name");
        assert!(error.to_string().ends_with(" Did you mean 'pdf-forms'?"), "{error}");
    }
    assert!(
        !registry().load("skill:release-by-hand").expect_err("it is hidden").to_string().contains("mean")
    );
}

/// The directory's name is looked up in the same form.
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
