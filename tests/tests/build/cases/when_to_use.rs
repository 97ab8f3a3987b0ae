//! The field `when_to_use`, and how models name a skill.

use skills::catalogue::CatalogueOptions;

use super::{assert_verdicts, both, case, compiled};

/// A list of sample requests is read as one string.
#[test]
fn when_to_use_may_be_a_list() {
    let dir = case("202-when-to-use-as-list");
    assert_verdicts(&compiled(&dir).report, &[]);
    both(&dir, |registry| {
        let description = registry.get("run-batch").expect("it is served").skill.description();
        assert!(description.contains("; "), "{description}");
    });
}

/// It adds to the description wherever that is shown or searched.
#[test]
fn when_to_use_is_added_to_the_description() {
    let dir = case("203-when-to-use-beside-description");
    assert_verdicts(&compiled(&dir).report, &[]);
    let words = "The user says a change is too big to review.";
    both(&dir, |registry| {
        for text in [
            registry.list().to_string(),
            registry.load("split").expect("it is served").text(),
            registry.catalogue(&CatalogueOptions::default()).text,
            registry.search("change too big to review").expect("a query").to_string(),
        ] {
            assert!(text.contains(words), "{text}");
        }
    });
}

/// Locations that were shown name the skill; prefixes get a suggestion.
#[test]
fn models_name_a_skill_otherwise() {
    let dir = case("224-model-names-a-skill-otherwise");
    both(&dir, |registry| {
        let shown = registry.get("pdf-forms").expect("it is served").skill.path();
        for name in [
            shown,
            "skill://pdf-forms/SKILL.md",
            "skill://pdf-forms",
            &format!("{shown}/SKILL.md"),
            "pdf-forms/SKILL.md",
        ] {
            assert!(registry.load(name).is_ok(), "{name}");
        }
        for name in ["acme:pdf-forms", "skill:pdf-forms", "plugins/acme/pdf-forms", "$pdf-forms"] {
            let error = registry.load(name).expect_err("it is another name").to_string();
            assert!(error.ends_with(" Did you mean 'pdf-forms'?"), "{name}: {error}");
        }
    });
}
