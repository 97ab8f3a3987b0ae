//! The findings of the same files are the same in every run, however the threads are scheduled.

use skills_bundle::compile::check;
use skills_bundle::{Config, fix, render};
use skills_tests::disk;

/// All findings of a run, as one string.
fn all_findings(config: &Config) -> String {
    let report = check(config);
    let left_out: Vec<String> = report.left_out.iter().map(|left| format!("{left:?}")).collect();
    let diffs: String = fix::plan(config).iter().map(fix::diff).collect();
    let counts = format!("{} {:?} {:?}", report.skills, report.without_skill, report.shadowed);
    [render::json_lines(&report.findings), left_out.join("\n"), counts, diffs].join("\n")
}

fn assert_same(config: &Config) {
    let first = all_findings(config);
    for run in 0..4 {
        assert!(all_findings(config) == first, "run {run} found something else");
    }
}

#[test]
fn a_tree_that_several_threads_read() {
    let dir = disk::temp();
    for number in 0..200 {
        let text = match number % 5 {
            0 => "# no\n".to_owned(),
            1 => format!("---\nname: s{number}\ndescription: a: b\nname: x\n---\n"),
            2 => disk::skill_md("same", "Plans <beds>"),
            3 => "---\nname: [x]\ndescription: \"\\d\"\n---\n".to_owned(),
            _ => disk::skill_md(&format!("s{number}"), "Plans beds"),
        };
        let file = if number % 7 == 0 { "skill.md" } else { "SKILL.md" };
        disk::write(dir.path(), &format!("skills/s{number}/{file}"), text);
    }
    assert_same(&Config::new("skills").base(dir.path()));
}

#[test]
#[ignore = "needs the corpus beside the checkout: skills from public repositories"]
fn the_corpus() {
    let corpus = disk::shared("corpus");
    assert_same(&Config::new(corpus));
}
