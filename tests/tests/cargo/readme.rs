//! The README's examples: the test writes, builds and runs them, and compares their output with the README.

use skills_tests::disk;

use crate::leaf::{Leaf, workspace};

/// The fenced block after these words.
pub(crate) fn block_after<'r>(readme: &'r str, words: &str) -> &'r str {
    assert!(readme.contains(words), "the README has no `{words}`");
    let after = readme.split_once(words).unwrap().1;
    let block = after.split_once("```").unwrap().1;
    let (_language, block) = block.split_once('\n').unwrap();
    block.split_once("\n```").unwrap().0
}

#[test]
fn the_readmes_examples_work() {
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

/// The table of features lists those that `skills` has, and which of them are on by default.
#[test]
fn the_readme_lists_every_feature() {
    let readme = disk::read_text(&workspace().join("README.md"));
    let manifest = disk::read_text(&workspace().join("skills/Cargo.toml"));
    let (_, table) = readme.split_once("\n## Features\n").unwrap();
    let (table, _) = table.split_once("\n\nWith default features").unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `")).map(|row| {
        let (name, rest) = row.split_once("` | ").unwrap();
        (name, rest.starts_with("yes |"))
    });
    let mut listed: Vec<_> = rows.collect();
    listed.sort_unstable();
    let (_, features) = manifest.split_once("\n[features]\n").unwrap();
    let (features, _) = features.split_once("\n[").unwrap();
    let (default, _) = features.split_once("default = [").unwrap().1.split_once(']').unwrap();
    let default: Vec<_> = default.split(", ").map(|name| name.trim_matches('"')).collect();
    let is_name = |name: &str| name.chars().all(|char| char.is_ascii_lowercase() || char == '-');
    let names =
        features.lines().filter_map(|line| Some(line.split_once(" = ")?.0)).filter(|name| is_name(name));
    let mut there: Vec<_> =
        names.filter(|name| *name != "default").map(|name| (name, default.contains(&name))).collect();
    there.sort_unstable();
    assert_eq!(listed, there);
}

/// The README's agent and the page on overlays, in the same package as the README's first example.
#[test]
fn what_an_agent_is_shown_compiles_and_answers() {
    let readme = disk::read_text(&workspace().join("README.md"));
    let overlays = disk::read_text(&workspace().join("docs/overlays.md"));
    let (_, agent) = readme.split_once("\n## In an agent\n").unwrap();
    let dependency = block_after(agent, "in `Cargo.toml`:");
    assert_eq!(block_after(&overlays, "In `Cargo.toml`, beside"), dependency);
    let tests = block_after(&readme, "must be among your own\ndependencies:");
    let dependencies = format!("{}\n\n{tests}", dependency.replace("../skills/", "WORKSPACE/"));
    let leaf = Leaf::new("readme-agent", &dependencies, true);
    for file in ["build.rs", "skills/pdf/SKILL.md"] {
        leaf.write(file, block_after(&readme, &format!("`{file}`:")).to_owned() + "\n");
    }
    let (_, agent) = agent.split_once("```rust\n").unwrap();
    leaf.write("src/main.rs", agent.split_once("```").unwrap().0);
    leaf.write("src/bin/overlays.rs", block_after(&overlays, "`src/main.rs`:").to_owned() + "\n");
    // So is the test, which stands at the end of the program.
    let test = block_after(&readme, "At the end of `src/main.rs`:");
    let program = disk::read_text(&leaf.path("src/main.rs"));
    leaf.write("src/main.rs", format!("{program}\n{test}\n"));
    let run = leaf.cargo(&["check", "--tests"]);
    assert!(run.success, "{}", run.stderr);
    for bin in ["readme-agent", "overlays"] {
        let run = leaf.cargo(&["run", "--quiet", "--bin", bin]);
        assert!(run.success && run.stdout.contains("Skill: pdf\n"), "{bin}: {}{}", run.stdout, run.stderr);
        assert_eq!(run.stdout.contains("<name>pdf</name>"), bin == "readme-agent");
    }
}
