//! The next build sees every change of the skills, and a build without a change does nothing (cases 082 and
//! 083).

use skills_tests::disk::{self, skill_md};

use crate::leaf::Leaf;

/// A change, and what the program lists after it.
struct Step {
    about: &'static str,
    change: fn(&Leaf),
    /// Whether a macro alone sees it. A macro can only name files to Cargo, not directories, so it sees
    /// changes of files that existed before and whose time stamps change.
    macro_sees: bool,
    lines: &'static [&'static str],
}

const STEPS: &[Step] = &[
    Step {
        about: "edit a body",
        change: |leaf| leaf.edit("skills/one/SKILL.md", "Body of one.", "New."),
        macro_sees: true,
        lines: &["one at skills/one: New. | references/a.md: a | z.md: z"],
    },
    Step {
        about: "edit another file",
        change: |leaf| leaf.write("skills/one/references/a.md", "A"),
        macro_sees: true,
        lines: &["one at skills/one: New. | references/a.md: A | z.md: z"],
    },
    Step {
        about: "add a skill",
        change: |leaf| leaf.write("skills/two/SKILL.md", skill_md("two", "Does another thing")),
        macro_sees: false,
        lines: &["one at skills/one: New. | references/a.md: A | z.md: z", "two at skills/two: Body of two."],
    },
    Step {
        about: "add a nested file",
        change: |leaf| leaf.write("skills/one/references/deep/b.md", "b"),
        macro_sees: false,
        lines: &[
            "one at skills/one: New. | references/a.md: A | references/deep/b.md: b | z.md: z",
            "two at skills/two: Body of two.",
        ],
    },
    Step {
        about: "delete a file",
        change: |leaf| leaf.remove("skills/one/references/a.md"),
        macro_sees: true,
        lines: &[
            "one at skills/one: New. | references/deep/b.md: b | z.md: z",
            "two at skills/two: Body of two.",
        ],
    },
    Step {
        about: "rename a skill",
        change: |leaf| {
            leaf.rename("skills/two", "skills/three");
            leaf.edit("skills/three/SKILL.md", "two", "three");
        },
        macro_sees: true,
        lines: &[
            "one at skills/one: New. | references/deep/b.md: b | z.md: z",
            "three at skills/three: Body of three.",
        ],
    },
    Step {
        about: "rename a file in case alone",
        change: |leaf| leaf.rename("skills/one/references/deep/b.md", "skills/one/references/deep/B.md"),
        // Only where the file system tells the two apart.
        macro_sees: false,
        lines: &[
            "one at skills/one: New. | references/deep/B.md: b | z.md: z",
            "three at skills/three: Body of three.",
        ],
    },
    #[cfg(unix)]
    Step {
        about: "replace a file by a link to an older one",
        change: |leaf| {
            leaf.remove("skills/one/references/deep/B.md");
            disk::link(leaf.dir(), "skills/one/references/deep/B.md", "../../z.md");
        },
        macro_sees: false,
        lines: &[
            "one at skills/one: New. | references/deep/B.md: z | z.md: z",
            "three at skills/three: Body of three.",
        ],
    },
    Step {
        about: "delete a skill",
        change: |leaf| leaf.remove("skills/one"),
        macro_sees: true,
        lines: &["three at skills/three: Body of three."],
    },
];

const FIRST: &[&str] = &["one at skills/one: Body of one. | references/a.md: a | z.md: z"];

fn first_skill(leaf: &Leaf) {
    leaf.write("skills/one/SKILL.md", skill_md("one", "Does one thing"));
    leaf.write("skills/one/references/a.md", "a");
    leaf.write("skills/one/z.md", "z");
}

#[test]
fn a_build_script_sees_every_change() {
    let leaf = Leaf::with_build_script("changes-build-script");
    let errors = leaf.errors();
    assert!(errors.contains("[E017] the root is not found\n"), "{errors}");
    first_skill(&leaf);
    assert_eq!(leaf.lines(), FIRST);
    assert!(leaf.is_fresh());
    for step in STEPS {
        (step.change)(&leaf);
        assert_eq!(leaf.lines(), step.lines, "{}", step.about);
        assert!(leaf.is_fresh(), "{}", step.about);
    }
}

#[test]
fn a_macro_sees_changes_of_files_that_it_knows() {
    let leaf = Leaf::with_macro("changes-macro");
    let errors = leaf.errors();
    assert!(errors.contains("[E017] the root is not found\n"), "{errors}");
    first_skill(&leaf);
    assert_eq!(leaf.lines(), FIRST);
    assert!(leaf.is_fresh());
    let mut before = FIRST;
    for step in STEPS {
        (step.change)(&leaf);
        if step.about == "add a skill" {
            // This is the limit that the documentation of `include_skills!` names.
            assert_eq!(leaf.lines(), before);
        }
        if !step.macro_sees {
            leaf.edit("src/main.rs", "static", "// Saved again.\nstatic");
        }
        assert_eq!(leaf.lines(), step.lines, "{}", step.about);
        assert!(leaf.is_fresh(), "{}", step.about);
        before = step.lines;
    }
}
