//! How a name is looked up.

use skills::{Audience, Bundle, Pack, Registry};
use skills_core::{Layer, NameTable};
use skills_source::rules::Rules;
use skills_source::skill;
use skills_source::writer::{FileBytes, FileSource, PackWriter, SkillSource, Written};
use skills_tests::SKILLS;
use skills_tests::prng::Prng;

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

/// A pack of skills with these names, each in a directory with this name.
fn packed(skills: &[(String, String)]) -> Written {
    let mut writer = PackWriter::new();
    for (name, directory) in skills {
        let text = format!("---\nname: {name}\ndescription: A skill\n---\n");
        let mut rules = Rules::default();
        rules.unicode_names = true;
        let (Some(read), _) = skill::read("SKILL.md", directory, text.as_bytes(), &rules) else {
            panic!("`{name}` is a skill")
        };
        let content = FileBytes::OnDiskSkill(text.as_bytes());
        let files = vec![FileSource { path: "SKILL.md", content, executable: false }];
        writer.add(&SkillSource { path: directory, dir_name: directory, text: &read, files });
    }
    writer.finish().expect("it is small")
}

/// A live registry works out what each name finds; a look-up in each pack must find the same.
#[test]
fn a_table_of_names_finds_what_the_packs_find() {
    let parts = ["a", "b", "café", "cafe\u{301}", "pdf", "工具"];
    let mut prng = Prng::new(12);
    let mut found = 0;
    for round in 0..300 {
        let written: Vec<Written> = (0..1 + prng.below(4))
            .map(|_| {
                let mut skills: Vec<(String, String)> = (0..prng.below(6))
                    .map(|_| ((*prng.pick(&parts)).to_owned(), (*prng.pick(&parts)).to_owned()))
                    .collect();
                skills.sort();
                skills.dedup_by(|a, b| a.0 == b.0);
                packed(&skills)
            })
            .collect();
        let sealed = prng.below(3);
        let layers: Vec<Layer<'_>> = written
            .iter()
            .enumerate()
            .map(|(at, written)| {
                let pack = Pack::from_owned(&written.texts, &written.bytes, &written.tables);
                Layer::of_pack("layer", pack.expect("the blocks fit"), None).sealed(at < sealed)
            })
            .collect();
        let names = NameTable::new(&layers);
        let (with, without) =
            (Registry::layered(layers.clone(), true, Some(&names)), Registry::layered(layers, true, None));
        for name in parts.into_iter().chain(["c", "", "PDF", "b "]) {
            let place = |registry: &Registry<'_>| {
                let entry = registry.get(name)?;
                Some((entry.skill.name().to_owned(), entry.skill.path().to_owned(), entry.sealed))
            };
            assert_eq!(place(&with), place(&without), "round {round}, `{name}`");
            found += usize::from(place(&with).is_some());
        }
    }
    assert!(found > 500, "{found} were found");
    let empty = NameTable::new(&[Layer::bundled(&Bundle::EMPTY)]);
    let registry = Registry::layered(vec![Layer::bundled(&Bundle::EMPTY)], false, Some(&empty));
    assert!(registry.get("pdf").is_none());
}
