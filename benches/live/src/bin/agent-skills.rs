//! Finds and reads all skills of a directory with `agent-skills`, as its documentation has it, and prints how many.

use std::fs;

use agent_skills::SkillDirectory;

fn main() {
    let root = std::env::args_os().nth(1).unwrap_or_default();
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    let directories = entries.map(|entry| entry.path()).filter(|path| path.is_dir());
    println!("{}", directories.filter_map(|dir| SkillDirectory::load(dir).ok()).count());
}
