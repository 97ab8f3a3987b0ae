//! Follows the page on handlers: the code in it is written to a crate, built, run and tested. Also the
//! attribute's messages about mistakes.

use serde_json::Value;
use skills_tests::disk;

use crate::leaf::{Leaf, workspace};
use crate::readme::block_after;

/// The dependencies that the page lists.
fn dependencies(page: &str) -> String {
    let block = block_after(page, "In `Cargo.toml`:").replace("../skills/", "WORKSPACE/");
    block.trim_start_matches("[dependencies]\n").split_once("\n\n").unwrap().0.to_owned()
}

#[test]
fn from_an_empty_crate_to_a_confirmed_delete() {
    let page = disk::read_text(&workspace().join("docs/handlers.md"));
    let leaf = Leaf::new("handlers-page", &dependencies(&page), true);
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

    // The test that the attribute generated compares the type with the SKILL.md, and sees a change of either.
    let run = leaf.cargo(&["test", "--quiet"]);
    assert!(run.success, "{}{}", run.stdout, run.stderr);
    leaf.edit("skills/file-delete/SKILL.md", "name: {type: string", "name: {type: integer");
    let run = leaf.cargo(&["test", "--quiet"]);
    assert!(!run.success);
    let message = "`name`: SKILL.md says `integer`, but the handler accepts `string`";
    assert!(run.stdout.contains(message), "{}", run.stdout);
    let run = leaf.cargo(&["run", "--quiet"]);
    assert!(!run.success && run.stderr.contains(message), "{}", run.stderr);
}

/// The program in the crate's README works too.
#[test]
fn from_nothing_to_a_confirmed_delete_in_under_forty_lines() {
    let page = disk::read_text(&workspace().join("docs/handlers.md"));
    let readme = disk::read_text(&workspace().join("skills-handlers/README.md"));
    let leaf = Leaf::new("handlers-readme", &dependencies(&page), true);
    let skill = block_after(&readme, "`skills/file-delete/SKILL.md` is");
    let main = block_after(&readme, "`src/main.rs`:");
    assert!(skill.lines().count() + main.lines().count() < 40);
    leaf.write("build.rs", "fn main() { skills_bundle::build(\"skills\"); }\n");
    leaf.write("skills/file-delete/SKILL.md", skill.to_owned() + "\n");
    leaf.write("src/main.rs", main.to_owned() + "\n");
    assert_eq!(
        leaf.lines(),
        ["file-delete {\"name\":\"old.txt\"}: it deletes the file for good", "`old.txt` is deleted"]
    );
}

/// The attribute's messages about mistakes: those for `tests/ui/handler-mistakes.rs` are beside it, and
/// `UPDATE_MISTAKES=1` writes them. The dependencies are the page's, so nothing is compiled twice.
#[test]
fn mistakes_are_explained() {
    let page = disk::read_text(&workspace().join("docs/handlers.md"));
    let leaf = Leaf::new("handlers-mistakes", &dependencies(&page), true);
    let tests = workspace().join("tests");
    leaf.write("build.rs", "fn main() {}\n");
    leaf.write("Cargo.toml", disk::read_text(&leaf.path("Cargo.toml")) + BIN);
    leaf.write("ui/handler-mistakes.rs", disk::read(&tests.join("ui/handler-mistakes.rs")));
    disk::copy(&tests.join("macros/ui/skills-good"), &leaf.path("ui/skills-good"));
    let run = leaf.cargo(&["build", "--message-format=json"]);
    assert!(!run.success, "this was meant to fail");
    let messages = run.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let rendered = messages.filter_map(|message| message["message"]["rendered"].as_str().map(str::to_owned));
    let said: Vec<String> = rendered
        .filter(|text| {
            !text.starts_with("error: aborting due to") && !text.starts_with("For more information")
        })
        .map(|text| text.trim_end().to_owned())
        .collect();
    let (said, expected) = (said.join("\n\n") + "\n", tests.join("ui/handler-mistakes.stderr"));
    if std::env::var_os("UPDATE_MISTAKES").is_some() {
        std::fs::write(&expected, &said).unwrap();
    }
    assert_eq!(said, disk::read_text(&expected), "{}", run.stderr);
}

const BIN: &str = "\n[[bin]]\nname = \"handlers-mistakes\"\npath = \"ui/handler-mistakes.rs\"\n";
