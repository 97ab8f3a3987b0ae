//! What a search finds first.

use skills::Registry;

use super::{case, compiled, registry};

fn names<'a>(registry: &Registry<'a>, query: &str) -> Vec<&'a str> {
    let found = registry.search(query).expect("a query");
    assert_eq!(found.ranking, "hybrid", "{query}");
    found.results.iter().map(|hit| hit.entry.skill.name()).collect()
}

/// With accents in the text and none in the query, the other way round, and as one writes them on other keyboards.
#[test]
fn accents_fold() {
    let dir = case("232-accents-in-search");
    let generated = compiled(&dir);
    for (query, name) in [
        ("capacità portante", "capacita-portante"),
        ("capacita portante", "capacita-portante"),
        ("vertrage", "vertrag"),
        ("Vertraege", "vertrag"),
        ("Verträge", "vertrag"),
        ("kundigungen", "vertrag"),
        ("Kuendigungen", "vertrag"),
        ("Kündigung", "vertrag"),
        ("redige", "lettre"),
        ("rédige", "lettre"),
    ] {
        assert_eq!(names(&registry(&generated), query).first(), Some(&name), "{query}");
    }
}

#[test]
fn a_whole_word_of_chinese_beats_half_of_it() {
    let dir = case("233-phrase-in-chinese-search");
    let generated = compiled(&dir);
    let found = names(&registry(&generated), "多维表格");
    assert_eq!((found.len(), found.last()), (3, Some(&"sheets")), "{found:?}");
}
