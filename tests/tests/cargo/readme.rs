//! The README's example, taken from the README: what it tells to write is written, built and run, and
//! what it says will be printed is compared.

use skills_tests::disk;

use crate::leaf::{Leaf, workspace};

/// The fenced block that follows these words.
pub(crate) fn block_after<'r>(readme: &'r str, words: &str) -> &'r str {
    assert!(readme.contains(words), "the README has no `{words}`");
    let after = readme.split_once(words).unwrap().1;
    let block = after.split_once("```").unwrap().1;
    let (_language, block) = block.split_once('\n').unwrap();
    block.split_once("\n```").unwrap().0
}

#[test]
fn what_the_readme_says_is_what_happens() {
    let readme = disk::read_text(&workspace().join("README.md"));
    let dependencies = block_after(&readme, "`Cargo.toml`:");
    assert!(dependencies.contains("skills = { path") && dependencies.contains("skills-bundle = { path"));
    let leaf = Leaf::new("readme", "skills = { path = \"WORKSPACE/skills\" }", true);
    for file in ["build.rs", "src/main.rs", "skills/pdf/SKILL.md"] {
        leaf.write(file, block_after(&readme, &format!("`{file}`:")).to_owned() + "\n");
    }
    assert_eq!(leaf.lines().join("\n"), block_after(&readme, "`cargo run` prints:"));

    leaf.edit("skills/pdf/SKILL.md", "name: pdf\n", "name: pdf_tools\n");
    let description =
        "description: Reads and fills PDF forms. Use when asked to fill in, read or merge a PDF.";
    leaf.edit("skills/pdf/SKILL.md", description, "description: Fill forms: read them first");
    let run = leaf.cargo(&["build"]);
    assert!(!run.success);
    for line in block_after(&readme, "No other error follows.").lines().filter(|line| !line.trim().is_empty())
    {
        assert!(run.stderr.lines().any(|said| said.trim_end() == line.trim_end()), "{line}\n{}", run.stderr);
    }
}
