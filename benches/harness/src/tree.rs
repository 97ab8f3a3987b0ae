//! Lays a tree of skills on disk, the same one on every machine and in every run.
//!
//! This module decides which files there are and how long they are; the words come from
//! [`text`](crate::text). What a program then does with the tree is not its business.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::failure::{Outcome, io};
use crate::text::Text;

const SEED: u64 = 0x5eed_0f5c_1115;
/// The size of the asset in [`with_asset`], in bytes: 10 MiB.
pub const ASSET: usize = 10 * 1024 * 1024;

/// A tree that stands on disk.
#[derive(Debug, Clone)]
pub struct Tree {
    /// The directory that holds one directory a skill.
    pub root: PathBuf,
    /// How many skills it has.
    pub skills: usize,
    /// How many files it has.
    pub files: usize,
    /// The sum of their lengths.
    pub bytes: u64,
    /// The name of the skill in the middle: the one that is looked up and edited.
    pub middle: String,
}

/// Writes `skills` skills of four files and about 18 KB each under `root`, in place of what was there.
pub fn of_skills(root: &Path, skills: usize) -> Outcome<Tree> {
    let mut tree = fresh(root)?;
    for number in 0..skills {
        // A seed a skill: a tree of ten is the beginning of a tree of a thousand.
        let mut text = Text::new(SEED ^ ((number as u64) << 20));
        let name = text.name(number);
        let spread = text.prng().below(400);
        let skill = text.skill(&name, 5_500 + spread);
        let guide = text.reference("Guide", 4_300 + spread);
        let faq = text.reference("Questions", 4_000 + spread);
        let script = text.script(3_800 + spread);
        let folder = root.join(&name);
        write(&mut tree, &folder.join("SKILL.md"), skill.as_bytes())?;
        write(&mut tree, &folder.join("references/guide.md"), guide.as_bytes())?;
        write(&mut tree, &folder.join("references/faq.md"), faq.as_bytes())?;
        write(&mut tree, &folder.join("scripts/run.sh"), script.as_bytes())?;
        executable(&folder.join("scripts/run.sh"))?;
        tree.skills += 1;
        if number == skills / 2 {
            tree.middle = name;
        }
    }
    Ok(tree)
}

/// Writes one skill with an asset of [`ASSET`] random bytes under `root`, in place of what was there.
pub fn with_asset(root: &Path) -> Outcome<Tree> {
    let mut tree = of_skills(root, 1)?;
    let bytes = Text::new(!SEED).prng().bytes(ASSET);
    let path = root.join(&tree.middle).join("assets/data.bin");
    write(&mut tree, &path, &bytes)?;
    Ok(tree)
}

/// Adds a line to the body of the middle skill; `number` makes it differ from the last. Gives the number of
/// bytes added.
pub fn edit(tree: &mut Tree, number: usize) -> Outcome<u64> {
    let path = tree.root.join(&tree.middle).join("SKILL.md");
    let mut text = fs::read_to_string(&path).map_err(io("read", &path))?;
    let line = format!("\nThis is edit {number:06}.\n");
    text.push_str(&line);
    fs::write(&path, &text).map_err(io("write", &path))?;
    tree.bytes += line.len() as u64;
    Ok(line.len() as u64)
}

fn fresh(root: &Path) -> Outcome<Tree> {
    if root.exists() {
        fs::remove_dir_all(root).map_err(io("remove", root))?;
    }
    fs::create_dir_all(root).map_err(io("make", root))?;
    Ok(Tree { root: root.to_owned(), skills: 0, files: 0, bytes: 0, middle: String::new() })
}

fn write(tree: &mut Tree, path: &Path, content: &[u8]) -> Outcome<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(io("make", folder))?;
    }
    fs::write(path, content).map_err(io("write", path))?;
    tree.files += 1;
    tree.bytes += content.len() as u64;
    Ok(())
}

fn executable(path: &Path) -> Outcome<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(io("make executable", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_trees_of_the_promised_size() {
        let temp = tempfile::tempdir().unwrap();
        let one = of_skills(&temp.path().join("one"), 12).unwrap();
        let two = of_skills(&temp.path().join("two"), 12).unwrap();
        assert_eq!((one.files, one.bytes, &one.middle), (two.files, two.bytes, &two.middle));
        assert_eq!(one.files, 48);
        let a_skill = one.bytes / 12;
        assert!((17_500..19_500).contains(&a_skill), "{a_skill} bytes a skill");
        for file in ["SKILL.md", "references/guide.md", "references/faq.md", "scripts/run.sh"] {
            let file = Path::new(&one.middle).join(file);
            let bytes = fs::read(one.root.join(&file)).unwrap();
            assert_eq!(bytes, fs::read(two.root.join(&file)).unwrap());
            assert!((4_000..6_500).contains(&bytes.len()), "{} has {} bytes", file.display(), bytes.len());
        }
    }

    #[test]
    fn an_edit_adds_what_it_says() {
        let temp = tempfile::tempdir().unwrap();
        let mut tree = of_skills(temp.path(), 1).unwrap();
        let before = tree.bytes;
        let added = edit(&mut tree, 7).unwrap();
        assert_eq!(tree.bytes, before + added);
    }
}
