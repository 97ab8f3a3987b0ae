//! Draws the files of a skill as a tree, for the answer to `load`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use skills_pack::hidden::Shown;

/// Levels below the skill's directory.
const MAX_LEVELS: usize = 10;
/// Folders, and files, shown of one folder.
const MAX_PER_FOLDER: usize = 100;
/// Lines in all.
const MAX_LINES: usize = 300;

/// The tree of `files`, paths with `/`, as it stands after the skill's path: folders first, then files, each by
/// name, byte by byte. What is cut is counted in a last line. Control characters and what nobody sees in
/// names are shown escaped. Empty where SKILL.md is the only file.
pub(super) fn render<'f>(files: impl IntoIterator<Item = &'f str>) -> String {
    let mut root = Folder::default();
    let mut total = 0;
    let mut only_skill = true;
    for file in files {
        root.add(file);
        total += 1;
        only_skill &= file == "SKILL.md";
    }
    if only_skill {
        return String::new();
    }
    let mut drawing = Drawing { text: "/".to_owned(), lines: 1, files: 0 };
    drawing.folder(&root, "", 1);
    let rest = total - drawing.files;
    if rest > 0 {
        let noun = if rest == 1 { "file" } else { "files" };
        drawing.text.push_str(&format!("\n… {rest} more {noun}"));
    }
    drawing.text
}

#[derive(Default)]
struct Folder<'f> {
    folders: BTreeMap<&'f str, Folder<'f>>,
    files: Vec<&'f str>,
}

impl<'f> Folder<'f> {
    fn add(&mut self, path: &'f str) {
        let mut folder = self;
        let mut rest = path;
        while let Some((name, inner)) = rest.split_once('/') {
            folder = folder.folders.entry(name).or_default();
            rest = inner;
        }
        folder.files.push(rest);
    }
}

struct Drawing {
    text: String,
    lines: usize,
    files: usize,
}

impl Drawing {
    fn folder(&mut self, folder: &Folder<'_>, indent: &str, level: usize) {
        if level > MAX_LEVELS {
            return;
        }
        let mut files = folder.files.clone();
        files.sort_unstable();
        let folders = folder.folders.len().min(MAX_PER_FOLDER);
        let last = folders + files.len().min(MAX_PER_FOLDER);
        for (at, (name, inner)) in folder.folders.iter().take(folders).enumerate() {
            if !self.line(indent, at + 1 == last, name, "/") {
                return;
            }
            let below = if at + 1 == last { "    " } else { "│   " };
            self.folder(inner, &format!("{indent}{below}"), level + 1);
        }
        for (at, name) in files.iter().take(MAX_PER_FOLDER).enumerate() {
            if !self.line(indent, folders + at + 1 == last, name, "") {
                return;
            }
            self.files += 1;
        }
    }

    fn line(&mut self, indent: &str, last: bool, name: &str, end: &str) -> bool {
        if self.lines == MAX_LINES {
            return false;
        }
        self.lines += 1;
        self.text.push('\n');
        self.text.push_str(indent);
        self.text.push_str(if last { "└── " } else { "├── " });
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{}", Shown(name));
        self.text.push_str(end);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_first_and_each_is_sorted() {
        let files = ["SKILL.md", "a.md", "references/b\n.md", "references/deep/\u{200b}c.md", "scripts/x.sh"];
        assert_eq!(
            render(files),
            "/\n├── references/\n│   ├── deep/\n│   │   └── \\u{200b}c.md\n│   └── b\\u{a}.md\n\
             ├── scripts/\n│   └── x.sh\n├── SKILL.md\n└── a.md"
        );
        assert_eq!(render(["SKILL.md"]), "");
    }

    #[test]
    fn what_is_cut_is_counted() {
        let many: Vec<String> = (0..150).map(|at| format!("{at:03}.md")).collect();
        let tree = render(many.iter().map(String::as_str));
        assert_eq!((tree.lines().count(), tree.lines().last()), (102, Some("… 50 more files")));
        let folders: Vec<String> = (0..400).map(|at| format!("{:03}/{at:03}.md", at / 2)).collect();
        let tree = render(folders.iter().map(String::as_str));
        assert_eq!((tree.lines().count(), tree.lines().last()), (301, Some("… 201 more files")));
        let deep = "a/".repeat(12) + "x.md";
        let tree = render([deep.as_str(), "SKILL.md"]);
        assert_eq!((tree.lines().count(), tree.lines().last()), (13, Some("… 1 more file")));
    }
}
