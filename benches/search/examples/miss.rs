#![allow(missing_docs)]
use skills_tests::quality;
use skills_bundle::SearchIndex;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let queries = quality::queries(&std::fs::read_to_string("/work/shared/search/queries_dev.tsv").unwrap());
    let skills = std::fs::read_to_string("/work/shared/search/skills.tsv").unwrap();
    let libs = quality::libraries(&skills, SearchIndex::Full);
    let l = libs.iter().find(|l| l.name == a[1]).unwrap();
    let n: usize = a[2].parse().unwrap();
    let r = quality::registry(l.pack().unwrap());
    let mut k = 0;
    for q in queries.iter().filter(|q| q.source == l.name && q.kind == quality::Kind::Positive) {
        let f = r.search_with(&q.text, skills::SearchOptions::new().explain(true)).unwrap();
        let rank = f.results.iter().position(|h| q.skills.iter().any(|s| s == h.entry.skill.name()));
        if rank == Some(0) { continue; }
        k += 1; if k > n { break; }
        println!("\n{:?} want {:?} rank {:?}", q.text, q.skills, rank);
        for i in [Some(0), rank].into_iter().flatten() {
            if let Some(h) = f.results.get(i) {
                println!("  {} {} conf {:?}: {}", h.entry.skill.name(), h.score, h.confidence, h.parts.iter().map(|p| format!("{}={}", p.what, p.score)).collect::<Vec<_>>().join(", "));
            }
        }
    }
}
