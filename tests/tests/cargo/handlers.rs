//! The page on handlers, taken at its word: what it tells to write is written, built, run and tested.

use skills_tests::disk;

use crate::leaf::{Leaf, workspace};
use crate::readme::block_after;

#[test]
fn from_an_empty_crate_to_a_confirmed_delete() {
    let page = disk::read_text(&workspace().join("docs/handlers.md"));
    let dependencies = block_after(&page, "In `Cargo.toml`:");
    let dependencies = dependencies.replace("../skills/", "WORKSPACE/");
    let (dependencies, _) = dependencies.trim_start_matches("[dependencies]\n").split_once("\n\n").unwrap();
    let leaf = Leaf::new("handlers-page", dependencies, true);
    for (file, words) in [
        ("build.rs", "`build.rs` checks"),
        ("skills/file-delete/SKILL.md", "`skills/file-delete/SKILL.md` is what"),
        ("src/main.rs", "`src/main.rs`:"),
    ] {
        leaf.write(file, block_after(&page, words).to_owned() + "\n");
    }
    std::fs::create_dir_all(leaf.path("target")).unwrap();
    assert_eq!(leaf.lines().join("\n"), block_after(&page, "`cargo run` prints:"));

    leaf.edit("src/main.rs", "skill = \"file-delete\"", "skill = \"file-delet\"");
    let errors = leaf.errors();
    assert!(errors.contains("no skill is named `file-delet`: did you mean `file-delete`?"), "{errors}");
    assert_eq!(errors.matches("\nerror").count() + usize::from(errors.starts_with("error")), 2, "{errors}");
    leaf.edit("src/main.rs", "skill = \"file-delet\"", "skill = \"file-delete\"");

    // The test that the attribute wrote holds the type against the SKILL.md, and sees a change of either.
    let run = leaf.cargo(&["test", "--quiet"]);
    assert!(run.success, "{}{}", run.stdout, run.stderr);
    leaf.edit("skills/file-delete/SKILL.md", "name: {type: string", "name: {type: integer");
    let run = leaf.cargo(&["test", "--quiet"]);
    assert!(!run.success);
    let message = "`name`: SKILL.md says `integer`, and the handler takes `string`";
    assert!(run.stdout.contains(message), "{}", run.stdout);
    let run = leaf.cargo(&["run", "--quiet"]);
    assert!(!run.success && run.stderr.contains(message), "{}", run.stderr);
}
