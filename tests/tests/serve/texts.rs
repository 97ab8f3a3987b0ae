//! The texts of list, search and `read_file`.

use skills::{Audience, Bundle, Registry};
use skills_tests::SKILLS;

use crate::{everything, registry};

#[test]
fn list() {
    insta::assert_snapshot!("list", registry().list().to_string());
}

#[test]
fn list_for_users() {
    let registry = Registry::new(&SKILLS).for_audience(Audience::User);
    insta::assert_snapshot!("list_for_users", registry.list().to_string());
}

#[test]
fn nothing_to_list() {
    static EMPTY: Bundle = Bundle::EMPTY;
    for registry in [Registry::new(&EMPTY), Registry::empty()] {
        assert_eq!(registry.list().to_string(), "No skills or slash commands found.");
        assert!(registry.is_empty() && EMPTY.is_empty());
    }
}

#[test]
fn search() {
    let text = |query: &str| registry().search(query).expect("a query").to_string();
    insta::assert_snapshot!("search", text("  Fill in a FORM  "));
    insta::assert_snapshot!("search_in_descriptions", text("long"));
    assert_eq!(text(" zebra Crossing "), "No skills matched query: 'zebra Crossing'");
}

#[test]
fn read_file() {
    let text =
        |skill: &str, path: &str| everything().read_file(skill, path, 0).expect("it is there").to_string();
    insta::assert_snapshot!("read_text", text("pdf-forms", "references/fields.md"));
    insta::assert_snapshot!("read_binary", text("pdf-forms", "assets/stamp.png"));
    assert_eq!(text("pdf-forms", "assets/empty.txt"), "Skill file: pdf-forms/assets/empty.txt\n\n");
    assert_eq!(
        text("weekly-report", "template.md"),
        "Skill file: weekly-report/template.md\n\n# Week {{n}}\n"
    );
    // The raw text, including the byte-order mark and line endings.
    let notes = "Skill file: made-on-windows/references/notes.txt\n\n\u{feff}one\r\ntwo\r\n";
    assert_eq!(text("made-on-windows", "references/notes.txt"), notes);
}

/// A line of a list has at most 200 characters of a description and no line break.
#[test]
fn descriptions_are_cut_at_200_characters() {
    let wordy = SKILLS.get("wordy").expect("it is compiled in");
    assert_eq!(wordy.description().chars().count(), 260);
    let list = registry().list().to_string();
    let line = list.lines().find(|line| line.starts_with("- wordy")).expect("it is listed");
    let (_, shown) = line.split_once(": ").expect("a colon is before the description");
    let first: String = wordy.description().chars().take(200).collect();
    assert_eq!(shown, format!("{}…", first.trim_end().replace('\n', " ")));
    assert!(first.ends_with("  "), "the cut falls into blanks, which are not shown");
}

/// A skill with more files than a tree shows.
#[test]
fn a_large_tree_is_cut_and_counted() {
    let dir = skills_tests::disk::temp();
    let write = |path: &str| skills_tests::disk::write(dir.path(), &format!("skills/large/{path}"), "x");
    skills_tests::disk::write(
        dir.path(),
        "skills/large/SKILL.md",
        skills_tests::disk::skill_md("large", "x"),
    );
    (0..105).for_each(|at| write(&format!("references/{at:03}.md")));
    (0..102).for_each(|at| write(&format!("sets/{at:03}/a.md")));
    write("a/b/c/d/e/f/g/h/i/j/deepest.md");
    let generated =
        skills_bundle::compile::compile_good(&skills_bundle::Config::new("skills").base(dir.path()));
    let pack = generated.pack().expect("the blocks fit");
    let text = Registry::empty().with_pack("x", pack).load("large").expect("it is served").text();
    let (_, tree) = text.split_once("\nskills/large/\n").expect("the tree begins with the directory");
    let lines: Vec<&str> = tree.lines().collect();
    // With the directory's own line there are 300 lines, then the count: 5 files beyond a hundred in one
    // directory, 9 beyond the last line, one that is too deep, and SKILL.md.
    assert_eq!((lines.len(), lines[lines.len() - 1]), (300, "… 16 more files"));
    assert_eq!(lines[9], format!("│{}└── j/", " ".repeat(35)), "ten levels");
    assert!(lines.contains(&"│   └── 099.md") && !tree.contains("100.md"), "{tree}");
}
