//! Allocations when serving a bundled skill: none before the answer is copied.
//!
//! The crate `allocation-counter` replaces the allocator and counts per thread.

use std::hint::black_box;

use skills::Registry;
use skills::search::{Ranking, SearchOptions};
use skills_tests::SKILLS;

static REGISTRY: Registry<'static> = Registry::new(&SKILLS);

/// The number of allocations while this ran.
fn allocations<R>(run: impl FnOnce() -> R) -> u64 {
    allocation_counter::measure(|| drop(black_box(run()))).count_total
}

#[test]
fn a_look_up_allocates_nothing() {
    for name in ["pdf-forms", "**PDF Forms**", " `Pdf  Forms`\n", "no-such-skill"] {
        assert_eq!(allocations(|| SKILLS.get(black_box(name)).map(|skill| skill.body().len())), 0, "{name}");
        assert_eq!(
            allocations(|| REGISTRY.get(black_box(name)).map(|entry| entry.skill.body().len())),
            0,
            "{name}"
        );
    }
    assert_eq!(allocations(|| Registry::new(&SKILLS).get("pdf-forms").is_some()), 0);
}

#[test]
fn every_view_of_a_skill_allocates_nothing() {
    for skill in SKILLS.skills() {
        let read = || {
            let lists = [skill.tags(), skill.triggers(), skill.allowed_tools(), skill.arguments()];
            let lists = lists.into_iter().flatten().map(str::len).sum::<usize>();
            let files = skill
                .files()
                .map(|file| file.bytes().map_or(0, <[u8]>::len) + file.media_type().len())
                .sum::<usize>();
            lists + files + skill.frontmatter().count() + skill.head().len() + skill.tree().len()
        };
        assert_eq!(allocations(read), 0, "{}", skill.name());
    }
}

#[test]
fn load_allocates_its_text_once() {
    for skill in SKILLS.skills().filter(skills::Skill::model_may_call) {
        let loaded = REGISTRY.load(skill.name()).unwrap();
        assert_eq!(allocations(|| REGISTRY.load(black_box(skill.name())).is_ok()), 0, "{}", skill.name());
        assert_eq!(allocations(|| loaded.text()), 1, "{}", skill.name());
        assert_eq!(loaded.text().capacity(), loaded.text().len(), "{}", skill.name());
    }
}

#[test]
fn read_file_allocates_nothing() {
    for skill in SKILLS.skills().filter(skills::Skill::model_may_call) {
        for file in skill.files() {
            for offset in [0, 10, usize::MAX] {
                let read = || {
                    let content =
                        REGISTRY.read_file(black_box(skill.name()), black_box(file.path()), offset).unwrap();
                    content.text.as_ref().map_or(content.file.size(), |text| text.len())
                };
                assert_eq!(allocations(read), 0, "{}/{} from {offset}", skill.name(), file.path());
            }
        }
    }
}

/// The answer is a copy of the query and the list of matches; little else is allocated, however many skills there are.
#[test]
fn search_allocates_its_answer() {
    let queries = [
        "pdf-forms",
        "PDF FORM",
        "how do I fill in a form of 12 fields, please?",
        "园艺工具",
        "no-such-word-at-all",
    ];
    for ranking in [Ranking::Reference, Ranking::Hybrid] {
        let options = SearchOptions::new().ranking(ranking);
        for query in queries {
            let found = REGISTRY.search_with(query, options).unwrap();
            let answer = 1 + u64::from(!found.results.is_empty());
            // The packs' tables, which are read once; a list of hits, and that of the matches from which it was made.
            let spare = 1 + u64::from(!found.results.is_empty());
            let taken = allocations(|| REGISTRY.search_with(black_box(query), options).is_ok());
            assert!(taken <= answer + spare, "{query}: {taken}");
        }
    }
    for message in ["hello", "please fill in a pdf form"] {
        let found = REGISTRY.suggest(message).results.len() as u64;
        assert!(allocations(|| REGISTRY.suggest(black_box(message))) <= 2 + found, "{message}");
    }
}
