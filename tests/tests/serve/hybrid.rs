//! The ranking `hybrid`, suggestions, and packs without search tables.

use skills::search::{Ranking, SearchOptions};
use skills::{Audience, Pack, Registry};
use skills_bundle::SearchIndex;
use skills_source::writer::{PackWriter, Written};
use skills_tests::SKILLS;
use skills_tests::quality::add;

/// Packs skills given as name, description and triggers.
fn packed(index: SearchIndex, skills: &[(&str, &str, &[&str])]) -> Written {
    let mut writer = PackWriter::new().with_search(index);
    for (name, description, triggers) in skills {
        add(&mut writer, name, description, &[], triggers, "");
    }
    writer.finish().expect("it is small")
}

fn pack(written: &Written) -> Pack<'_> {
    Pack::from_owned(&written.texts, &written.bytes, &written.tables).expect("the blocks fit")
}

fn names(registry: &Registry<'_>, query: &str) -> Vec<String> {
    let found = registry.search(query).expect("a query");
    found.results.iter().map(|hit| hit.entry.skill.name().to_owned()).collect()
}

const GARDEN: [(&str, &str, &[&str]); 5] = [
    ("compost", "Turns kitchen waste into soil for the garden", &["start a heap"]),
    ("garden-plan", "Plans beds and paths of a garden", &[]),
    ("pruning", "Cuts back trees and shrubs in winter", &["prune"]),
    ("watering", "Waters beds when the soil is dry", &[]),
    ("yuanyi", "园艺工具的选择", &[]),
];

#[test]
fn words_count_by_their_stems() {
    let written = packed(SearchIndex::Full, &GARDEN);
    let registry = Registry::empty().with_pack("garden", pack(&written));
    assert_eq!(names(&registry, "I planned the gardens"), ["garden-plan", "compost"]);
    assert_eq!(names(&registry, "cutting a tree"), ["pruning"]);
    assert_eq!(names(&registry, "买园艺工具"), ["yuanyi"]);
    assert_eq!(names(&registry, "ＧＡＲＤＥＮ－ＰＬＡＮ"), ["garden-plan", "compost"]);
    // No whole word matches, so it is searched letter by letter.
    let found = registry.search("prun").expect("a query");
    assert_eq!((found.ranking, found.results.len()), ("reference", 1));
    assert_eq!(registry.search("zebra").expect("a query").ranking, "hybrid");
}

#[test]
fn an_overlay_and_a_bundle_are_one_collection() {
    let (whole, first, second) = (
        packed(SearchIndex::Full, &GARDEN),
        packed(SearchIndex::Full, &GARDEN[..1]),
        packed(SearchIndex::Full, &GARDEN[1..]),
    );
    let whole = Registry::empty().with_pack("whole", pack(&whole));
    let parts = Registry::empty().with_pack("first", pack(&first)).with_pack("second", pack(&second));
    for query in ["soil for beds in the garden", "winter", "start a heap", "plan garden paths", "工具"] {
        assert_eq!(names(&whole, query), names(&parts, query), "{query}");
    }
    // A hidden skill isn't found by its own words, and origins aren't mixed up.
    let hidden = packed(SearchIndex::Full, &[("compost", "Something else altogether", &[])]);
    let above = Registry::empty().with_pack("above", pack(&hidden)).with_pack("whole", pack(&first));
    assert_eq!(names(&above, "kitchen waste"), Vec::<String>::new());
    let found = above.search("compost").expect("a query").results;
    assert_eq!((found.len(), found[0].entry.origin), (1, "above"));
}

/// More skills match than are returned, and some of the best are hidden.
#[test]
fn hidden_skills_leave_their_places_to_others() {
    let name = |at: usize| format!("tool-{at:02}");
    let text = |at: usize| format!("Plans the garden{}", " and other things".repeat(at));
    let pack_of = |skills: &[(String, String)]| {
        let skills: Vec<(&str, &str, &[&str])> =
            skills.iter().map(|(name, text)| (name.as_str(), text.as_str(), &[][..])).collect();
        packed(SearchIndex::Full, &skills)
    };
    let all: Vec<(String, String)> = (0..60).map(|at| (name(at), text(at))).collect();
    let hiding: Vec<(String, String)> =
        [0, 3, 7, 20].map(|at| (name(at), "Nothing of the kind".to_owned())).into();
    let (all, hiding) = (pack_of(&all), pack_of(&hiding));
    let registry = Registry::empty().with_pack("above", pack(&hiding)).with_pack("below", pack(&all));
    let whole = Registry::empty().with_pack("below", pack(&all));
    for ranking in [Ranking::Hybrid, Ranking::Reference] {
        let ask = |registry: &Registry<'_>, query: &str| -> Vec<(String, String)> {
            let options = SearchOptions::new().ranking(ranking);
            let found = registry.search_with(query, options).expect("a query");
            let of = |entry: &skills::Entry<'_>| (entry.skill.name().to_owned(), entry.origin.to_owned());
            found.results.iter().map(|hit| of(&hit.entry)).collect()
        };
        let found = ask(&registry, "plans the garden");
        assert_eq!(found.len(), 25);
        assert!(found.iter().all(|(_, origin)| origin == "below"), "{found:?}");
        let is_hidden = |name: &str| ["tool-00", "tool-03", "tool-07", "tool-20"].contains(&name);
        assert!(!found.iter().any(|(name, _)| is_hidden(name)), "{found:?}");
        // The others are in the order that they have alone.
        let alone = ask(&whole, "plans the garden");
        let visible: Vec<_> = alone.into_iter().filter(|(name, _)| !is_hidden(name)).collect();
        assert!(visible.len() < 25 && found.starts_with(&visible), "{found:?}");
    }
}

#[test]
fn tables_can_be_switched_off() {
    let sizes: Vec<usize> =
        [SearchIndex::Off, SearchIndex::Reference, SearchIndex::WithoutBodies, SearchIndex::Full]
            .map(|index| {
                let mut writer = PackWriter::new().with_search(index);
                add(
                    &mut writer,
                    "pruning",
                    "Cuts back trees",
                    &[],
                    &["prune"],
                    "Sharpen the secateurs first.",
                );
                let written = writer.finish().expect("it is small");
                let registry = Registry::empty().with_pack("garden", pack(&written));
                let has_tables = index >= SearchIndex::WithoutBodies;
                let found = registry.search("cutting trees").expect("a query");
                assert_eq!(found.ranking, if has_tables { "hybrid" } else { "reference" });
                assert_eq!(
                    names(&registry, "trees and more"),
                    if has_tables { vec!["pruning"] } else { vec![] }
                );
                assert_eq!(
                    registry.search("secateurs").expect("a query").results.len(),
                    usize::from(index == SearchIndex::Full)
                );
                assert_eq!(names(&registry, "prune"), ["pruning"]);
                assert_eq!(registry.suggest("prune").results.len(), usize::from(has_tables));
                written.tables.len()
            })
            .into();
    assert!(
        sizes.is_sorted() && sizes[0] < sizes[1] && sizes[1] < sizes[2] && sizes[2] < sizes[3],
        "{sizes:?}"
    );
}

#[test]
fn a_question_in_chinese_finds_a_description_in_english() {
    let skills: [(&str, &str, &[&str]); 3] = [
        ("refactor", "Refactors code in small steps", &[]),
        ("charts", "Draws charts of data", &[]),
        ("shuju", "整理数据", &[]),
    ];
    let written = packed(SearchIndex::WithoutBodies, &skills);
    let registry = Registry::empty().with_pack("words", pack(&written));
    assert_eq!(names(&registry, "帮我重构这段代码"), ["refactor"]);
    assert_eq!(names(&registry, "幫我重構這段代碼"), ["refactor"]);
    assert_eq!(names(&registry, "用图表显示数据"), ["charts", "shuju"]);
    assert_eq!(names(&registry, "clean up data"), ["shuju", "charts"]);
    assert_eq!(names(&registry, "构造函数"), Vec::<String>::new());
    // Surrounding text doesn't reduce the confidence.
    let sure = |query: &str| registry.search(query).expect("a query").results[0].confidence;
    assert_eq!(sure("帮我重构这段代码"), sure("请你重构一下代码"));
}

/// Messages whose last sentence may name a skill.
const POINTERS: [(&str, &str, &[&str]); 3] = [
    ("pdf-forms", "Fills forms. To split or merge pages use pdf-pages; it is real-time.", &[]),
    ("pdf-pages", "Splits and merges pages of files", &[]),
    ("scanner", "Reads paper for pdf-pages, page by page", &[]),
];

#[test]
fn a_sentence_about_another_skill_counts_little() {
    for index in [SearchIndex::WithoutBodies, SearchIndex::Full] {
        let written = packed(index, &POINTERS);
        let registry = Registry::empty().with_pack("pages", pack(&written));
        let score = |query: &str, name: &str| {
            let found = registry.search(query).expect("a query").results;
            found.iter().find(|hit| hit.entry.skill.name() == name).map_or(0, |hit| hit.score)
        };
        assert_eq!(names(&registry, "split or merge pages")[0], "pdf-pages");
        // It is still found, with less than a fifth of the usual weight.
        let (pointing, own) = (score("split merge", "pdf-forms"), score("split merge", "pdf-pages"));
        assert!(pointing > 0 && pointing * 5 < own, "{pointing} {own}");
        // A compound that isn't a skill, and the first sentence, count fully.
        let (after, first) = (score("real", "pdf-forms"), score("paper", "scanner"));
        assert!(after * 2 > first && first * 2 > after, "{after} {first}");
    }
    // If there is no such skill, it is an ordinary sentence.
    let written = packed(SearchIndex::WithoutBodies, &POINTERS[..1]);
    let alone = Registry::empty().with_pack("pages", pack(&written));
    let score = |query: &str| alone.search(query).expect("a query").results[0].score;
    assert_eq!(score("split"), score("fills"));
    assert!(score("split or merge pages") > score("split pages or merge"));
}

#[test]
fn a_long_message_has_the_confidence_of_a_short_one() {
    let written = packed(SearchIndex::WithoutBodies, &GARDEN);
    let registry = Registry::empty().with_pack("garden", pack(&written));
    let sure = |query: &str| registry.search(query).expect("a query").results[0].confidence;
    let question = "prune the shrubs and trees in winter";
    let with = |words: usize| {
        let filler: String = (0..words).map(|at| format!(" zz{at}")).collect();
        sure(&format!("{question}{filler}"))
    };
    assert!(with(0) == Some(1000) && with(1) >= with(5));
    assert_eq!(with(5), with(50));
    assert!(with(5) >= Some(600), "{:?}", with(5));
    // One matching word proves nothing.
    assert!(sure("zz1 zz2 zz3 zz4 zz5 winter") < Some(600));
}

#[test]
fn confidence_grows_with_the_lead() {
    let one: [(&str, &str, &[&str]); 1] = [("pruning", "Cuts back trees in winter", &[])];
    let two: [(&str, &str, &[&str]); 2] = [one[0], ("felling", "Cuts back trees in winter", &[])];
    let (one, two) = (packed(SearchIndex::WithoutBodies, &one), packed(SearchIndex::WithoutBodies, &two));
    let alone = Registry::empty().with_pack("trees", pack(&one));
    let both = Registry::empty().with_pack("trees", pack(&two));
    let sure = |registry: &Registry<'_>, query: &str, limit: usize| {
        let found = registry.search_with(query, SearchOptions::new().limit(limit)).expect("a query").results;
        found.iter().map(|hit| hit.confidence.expect("it is hybrid")).collect::<Vec<u32>>()
    };
    let query = "cut trees when zebras sleep";
    let (lonely, equal) = (sure(&alone, query, 25), sure(&both, query, 25));
    assert!(lonely[0] > equal[0] && equal[0] == equal[1], "{lonely:?} {equal:?}");
    // Neither the limit nor a name changes the confidence.
    assert_eq!(sure(&both, query, 1), equal[..1]);
    assert_eq!(sure(&both, query, 0), Vec::<u32>::new());
    assert_eq!(sure(&both, "felling", 1), [1000]);
}

#[test]
fn a_trigger_does_not_hide_a_rival() {
    let triggers: &[&str] = &[
        "new data",
        "count every tree of the forest again",
        "walk along each path and write down what stands there",
        "measure how high and how thick all of them have become",
        "tell oaks from beeches and firs from spruces by their bark",
        "draw a map on which each clearing has its own number",
        "say which of them should be felled before next winter",
    ];
    let mut skills: Vec<(String, &str, &[&str])> = vec![
        ("forester".to_owned(), "Counts trees", triggers),
        ("data-new".to_owned(), "Moves data to a new place", &[]),
        // A lower score than the others, so it isn't kept if two are, but it is still next.
        ("the-data-new".to_owned(), "Moves something to a place where there is room for more", &[]),
    ];
    skills.extend((0..40).map(|at| (format!("filler-{at}"), "Does something else altogether", &[][..])));
    let skills: Vec<(&str, &str, &[&str])> =
        skills.iter().map(|(name, description, triggers)| (name.as_str(), *description, *triggers)).collect();
    let written = packed(SearchIndex::WithoutBodies, &skills);
    let registry = Registry::empty().with_pack("all", pack(&written));
    let sure = |limit: usize| {
        let found = registry.search_with("new data", SearchOptions::new().limit(limit)).expect("a query");
        found.results.iter().map(|hit| (hit.confidence, hit.score)).collect::<Vec<_>>()
    };
    let all = sure(25);
    assert_eq!((all[0].0, all.len()), (Some(1000), 3));
    assert!(all[0].1 < all[2].1 && all[2].1 < all[1].1, "{all:?}");
    for limit in 1..3 {
        assert_eq!(sure(limit), all[..limit]);
    }
}

#[test]
fn one_skill_is_not_suggested_for_a_shared_word_or_two() {
    let pdf: [(&str, &str, &[&str]); 1] =
        [("pdf", "Reads and fills PDF forms. Use when a form has to be filled in", &[])];
    let written = packed(SearchIndex::WithoutBodies, &pdf);
    let registry = Registry::empty().with_pack("office", pack(&written));
    for message in [
        "please fill the fridge and read the newspaper",
        "My landlord wants me to sign the lease and I have to fill the bathtub before the guests read the \
         invitation, what should I cook for twelve people on Saturday evening with two vegetarians",
        "read the room",
    ] {
        assert_eq!(registry.suggest(message).to_string(), "", "{message}");
    }
    assert_eq!(registry.suggest("fill in this PDF form for me").results.len(), 1);
}

#[test]
fn a_character_pair_is_not_matched_inside_an_english_word() {
    let skills: [(&str, &str, &[&str]); 3] = [
        ("async-io", "Waits for several things at once with async functions", &[]),
        ("prompt-context", "Keeps the context of a conversation small", &[]),
        ("sync-folders", "Sync two folders", &[]),
    ];
    let written = packed(SearchIndex::WithoutBodies, &skills);
    let registry = Registry::empty().with_pack("all", pack(&written));
    assert_eq!(names(&registry, "非同期"), ["async-io"]);
    assert_eq!(names(&registry, "同步"), ["sync-folders"]);
    assert_eq!(names(&registry, "请读取以下文件"), [""; 0]);
}

#[test]
fn suggestions_are_few_and_confident() {
    let written = packed(SearchIndex::Full, &GARDEN);
    let registry = Registry::empty().with_pack("garden", pack(&written));
    insta::assert_snapshot!(registry.suggest("when do I prune trees and shrubs in winter?"), @"
    Skills that may help with this message:
    - pruning: Cuts back trees and shrubs in winter

    Tip: if one fits, use skills_tool action=load skill_name=<name> before you begin.
    ");
    for message in ["hello", "thanks a lot!", "what do you think of the new film?", "", " ", "你好"] {
        assert_eq!(registry.suggest(message).to_string(), "", "{message}");
    }
}

#[test]
fn words_about_the_conversation_are_no_evidence() {
    let skills: [(&str, &str, &[&str]); 4] = [
        ("file-reader", "Reads a file and loads skills from it", &[]),
        ("letter", "Replies to a letter with an answer that is exactly right", &[]),
        ("toolbox", "Says which tools a job needs", &[]),
        ("pruning", "Cuts back trees and shrubs in winter", &[]),
    ];
    let written = packed(SearchIndex::WithoutBodies, &skills);
    let registry = Registry::empty().with_pack("all", pack(&written));
    for message in [
        "Please reply with exactly OK. Do not use tools.",
        "ok, thanks, continue",
        "hello! call load_skill and read_file",
    ] {
        assert_eq!(registry.suggest(message).to_string(), "", "{message}");
    }
    // The names of our tools are nothing to search for; the words in them are.
    for query in ["read_file", "skills_tool", "call load_skill, then read_skill_resource"] {
        assert_eq!(names(&registry, query), [""; 0], "{query}");
    }
    assert_eq!(names(&registry, "read file")[0], "file-reader");
    assert_eq!(names(&registry, "read-files")[0], "file-reader");
    assert_eq!(names(&registry, "cut trees with read_file"), ["pruning"]);
}

#[test]
fn accents_are_left_out_or_written_with_two_letters() {
    let skills: [(&str, &str, &[&str]); 4] = [
        ("bayes", "Trains a naïve classifier", &[]),
        ("again", "Continues a resume where it was interrupted", &[]),
        ("smorrebrod", "Smørrebrød og andre retter", &[]),
        ("cv", "Writes a résumé", &[]),
    ];
    let written = packed(SearchIndex::WithoutBodies, &skills);
    let registry = Registry::empty().with_pack("all", pack(&written));
    assert_eq!(names(&registry, "naive"), ["bayes"]);
    assert_eq!(names(&registry, "naïve"), ["bayes"]);
    for query in ["smørrebrød og retter", "smoerrebroed og retter", "smorrebrod og retter"] {
        assert_eq!(names(&registry, query)[0], "smorrebrod", "{query}");
    }
    // As it is spelled counts more.
    assert_eq!(names(&registry, "write my résumé"), ["cv", "again"]);
}

#[test]
fn skills_for_other_audiences_are_not_suggested() {
    let everyone = Registry::new(&SKILLS).for_audience(Audience::Everyone);
    let model = Registry::new(&SKILLS);
    for entry in everyone.skills().iter().filter(|entry| !entry.skill.model_may_call()) {
        let name = entry.skill.name();
        assert_eq!(names(&everyone, name)[0], name);
        assert!(!names(&model, name).iter().any(|found| found == name));
        assert!(model.suggest(name).results.iter().all(|hit| hit.entry.skill.name() != name));
    }
}

#[test]
fn parts_add_up() {
    let written = packed(SearchIndex::Full, &GARDEN);
    let registry = Registry::empty().with_pack("garden", pack(&written));
    for query in ["soil for beds in the garden", "garden plan", "please prune the trees", "prune", "园艺工具"]
    {
        for ranking in [Ranking::Hybrid, Ranking::Reference] {
            let options = SearchOptions::new().ranking(ranking).explain(true);
            for hit in registry.search_with(query, options).expect("a query").results {
                let sum: u32 = hit.parts.iter().map(|part| part.score).sum();
                let rounding = if ranking == Ranking::Hybrid { hit.parts.len() as u32 } else { 0 };
                assert!(sum <= hit.score && hit.score - sum <= rounding, "{query}: {hit:?}");
            }
        }
    }
}

#[test]
fn any_query_is_answered_in_bounded_time() {
    let mut many = PackWriter::new();
    for at in 0..100 {
        let trigger = format!("trigger number {at}");
        add(&mut many, &format!("skill-{at}"), "One of many skills for words", &["tag"], &[&trigger], "");
    }
    let many = many.finish().expect("it is small");
    let numbered: String = (0..150_000).map(|number| format!("w{number} ")).collect();
    let queries = [
        numbered,
        "a".repeat(1 << 20),
        "many ".repeat(200_000),
        "trigger number 7 ".repeat(20_000),
        "园".repeat(300_000),
        "\u{301}".repeat(500_000),
        "-_.".repeat(300_000),
        "e".to_owned(),
        "😀👩‍👩‍👧".to_owned(),
        "\\ud83d".to_owned(),
        ".*[a-z]+(?=x)\\b$".to_owned(),
        "\0\u{ff}".to_owned(),
    ];
    let registry = Registry::new(&SKILLS).with_pack("many", pack(&many));
    // A quadratic search takes hours.
    for query in &queries {
        for ranking in [Ranking::Hybrid, Ranking::Reference] {
            let options = SearchOptions::new().ranking(ranking).explain(query.len() < 100);
            assert!(registry.search_with(query, options).is_ok());
        }
        let _ = registry.suggest(query).to_string();
    }
}

#[test]
fn many_words_count_like_few() {
    let written = packed(SearchIndex::Full, &GARDEN);
    let registry = Registry::empty().with_pack("garden", pack(&written));
    let options = SearchOptions::new().ranking(Ranking::Reference);
    let score = |query: &str| registry.search_with(query, options).expect("a query").results[0].score;
    let filler: String = (0..300).map(|at| format!("zz{at} ")).collect();
    assert_eq!(score(&format!("garden {filler} garden")), score("garden zz1 garden"));
    assert_eq!(score("garden zz1 garden"), 6);
}
