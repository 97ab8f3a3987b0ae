//! `assert_skill_snapshots!` in a user's package: what it writes, and which changes it sees.

use skills_tests::disk::{self, skill_md};

use crate::leaf::{Leaf, Run};

/// A program with a test, as the README shows it, and with snapshots of its own.
const PROGRAM: &str = "static SKILLS: skills::Bundle = skills::bundle!();

fn main() {
    println!(\"{}\", SKILLS.len());
}

#[test]
fn what_a_model_sees() {
    skills::assert_skill_snapshots!(SKILLS);
    insta::assert_snapshot!(\"of-the-users-own\", \"text\");
}
";

/// Runs the test; `update` is what `INSTA_UPDATE` says.
fn test(leaf: &Leaf, update: &str) -> Run {
    leaf.cargo_with(&["test", "--quiet"], &[("INSTA_UPDATE", update)])
}

fn assert_fails_with(leaf: &Leaf, words: &[&str]) {
    let run = test(leaf, "no");
    let said = format!("{}{}", run.stdout, run.stderr);
    assert!(!run.success, "it passes unseen: {words:?}");
    for word in words {
        assert!(said.contains(word), "`{word}` is not in {said}");
    }
}

#[test]
fn no_change_of_a_bundle_passes_unseen() {
    let dependencies = "skills = { path = \"WORKSPACE/skills\" }\n\n[dev-dependencies]\ninsta = \"1\"";
    let leaf = Leaf::new("snapshots", dependencies, true);
    leaf.write("build.rs", "fn main() {\n    skills_bundle::build(\"skills\");\n}\n");
    leaf.write("src/main.rs", PROGRAM);
    leaf.write(
        "skills/pdf/SKILL.md",
        skill_md("pdf", "Fills forms").replace("\n---\n\n", "\nallowed-tools: Read\n---\n\n"),
    );
    leaf.write("skills/pdf/tools/fill.sh", "echo one\n");
    leaf.write("skills/csv/SKILL.md", skill_md("csv", "Reads tables"));
    assert_fails_with(&leaf, &["index_of_SKILLS"]);
    let run = test(&leaf, "always");
    assert!(run.success, "{}{}", run.stdout, run.stderr);
    let snapshots = leaf.path("src/snapshots");
    let names: Vec<String> = disk::files(&snapshots).iter().map(|file| disk::name(file)).collect();
    let expected =
        ["csv", "index_of_SKILLS", "of-the-users-own", "pdf"].map(|name| format!("snapshots__{name}.snap"));
    assert_eq!(names, expected);
    let index = disk::read_text(&snapshots.join("snapshots__index_of_SKILLS.snap"));
    // The digits are those of `sha256sum`.
    let skill = "pdf\n  description: Fills forms\n  allowed tools: Read\n  file: SKILL.md, ";
    let file = "  file: tools/fill.sh, 9 bytes, 0cb42bbdf016\n";
    assert!(index.contains(skill) && index.contains(file), "{index}");
    assert!(test(&leaf, "no").success, "nothing has changed");

    // A file beside a SKILL.md.
    leaf.write("skills/pdf/tools/fill.sh", "echo two\n");
    assert_fails_with(
        &leaf,
        &["-  file: tools/fill.sh, 9 bytes, 0cb42bbdf016", "+  file: tools/fill.sh, 9 bytes, "],
    );
    leaf.write("skills/pdf/tools/fill.sh", "echo one\n");

    // Another name. Once the new snapshots are accepted, the old one is still there.
    leaf.rename("skills/csv", "skills/tables");
    leaf.edit("skills/tables/SKILL.md", "name: csv", "name: tables");
    assert_fails_with(&leaf, &["-csv", "+tables"]);
    let run = test(&leaf, "always");
    assert!(!run.success, "the snapshot of `csv` is left behind");
    assert_fails_with(&leaf, &["no longer has the skills of these snapshots", "snapshots__csv.snap"]);
    leaf.remove("src/snapshots/snapshots__csv.snap");
    assert!(test(&leaf, "no").success, "the user's own snapshot is let be");

    // No skill at all in its place.
    leaf.remove("skills/tables");
    assert_fails_with(&leaf, &["-tables"]);
    assert!(!test(&leaf, "always").success);
    assert_fails_with(&leaf, &["snapshots__tables.snap"]);
}
