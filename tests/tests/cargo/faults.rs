//! Broken skills stop the build with one error per finding and no other errors.

use skills_tests::disk::skill_md;

use crate::leaf::Leaf;

/// Five files with two faults each, and where those are.
const BROKEN: &[(&str, &str, [&str; 2])] = &[
    ("a", "---\nname: A\ndescription: Does: it\n---\n", ["[E009] SKILL.md:2:7", "[E003] SKILL.md:3:18"]),
    ("b", "---\nname: -b\n---\n", ["[E011] SKILL.md:1:1", "[E010] SKILL.md:2:7"]),
    (
        "c",
        "---\nname: c\nname: d\ndescription: [a: b\n---\n",
        ["[E005] SKILL.md:3:1", "[E003] SKILL.md:4:14"],
    ),
    ("d", "---\nname: d_e\ndescription: {a: b}\n---\n", ["[E009] SKILL.md:2:8", "[E012] SKILL.md:3:1"]),
    ("e", "---\ndescription:\n---\n", ["[E007] SKILL.md:1:1", "[E011] SKILL.md:2:1"]),
];

/// The findings among the compiler's errors, as `[E009] skills/a/SKILL.md:2:7`.
fn findings(errors: &str) -> Vec<String> {
    let mut lines = errors.lines().peekable();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(code) = line.strip_prefix("error: ").and_then(|error| error.get(..6)) {
            let place = lines.peek().and_then(|line| line.trim_start().strip_prefix("--> "));
            found.push(format!("{code} {}", place.unwrap_or_default()));
        }
    }
    found
}

/// The findings that `BROKEN` must give.
fn expected() -> Vec<String> {
    let all = BROKEN.iter().flat_map(|(name, _, places)| {
        places.map(|place| place.replace("SKILL.md", &format!("skills/{name}/SKILL.md")))
    });
    all.collect()
}

fn ten_faults_are_ten_errors(leaf: &Leaf) {
    leaf.write("skills/good/SKILL.md", skill_md("good", "Does its thing"));
    for (name, text, _) in BROKEN {
        leaf.write(&format!("skills/{name}/SKILL.md"), text);
    }
    let errors = leaf.errors();
    // The last one is the compiler's own: `could not compile`.
    let mut found = findings(&errors);
    assert!(found.pop().is_some_and(|last| last.starts_with("could ")), "{errors}");
    assert_eq!(found, expected(), "{errors}");
    assert_eq!(errors.matches("\n         = help: ").count(), 10, "{errors}");
    assert!(errors.contains("quote the value: `description: \"Does: it\"`\n"), "{errors}");
    assert!(!errors.contains("error[E"), "an error of the compiler follows\n{errors}");
}

fn repair(leaf: &Leaf) {
    for (name, ..) in BROKEN {
        leaf.write(&format!("skills/{name}/SKILL.md"), skill_md(name, &format!("Does the thing of {name}")));
    }
}

#[test]
fn a_build_script_and_bundle_show_every_finding() {
    let leaf = Leaf::with_build_script("faults-build-script");
    // Uses of the skills that would be errors themselves if their names were gone.
    leaf.edit(
        "src/main.rs",
        "fn main() {\n",
        "mod names {\n    skills::names!();\n}\n\nfn main() {\n    \
         println!(\"{} {} {}\", names::A, names::GOOD, skills::skill!(\"e\"));\n",
    );
    ten_faults_are_ten_errors(&leaf);
    repair(&leaf);
    assert_eq!(leaf.lines().first().map(String::as_str), Some("a good e"));
    // It breaks again, and the result of the last good build isn't used.
    leaf.write("skills/b/SKILL.md", "No frontmatter.\n");
    let errors = leaf.errors();
    assert_eq!(findings(&errors).len(), 2, "{errors}");
    assert!(errors.contains("[E001] "), "{errors}");
}

#[test]
fn a_macro_shows_every_finding() {
    let leaf = Leaf::with_macro("faults-macro");
    leaf.edit(
        "src/main.rs",
        "fn main() {\n",
        "fn main() {\n    println!(\"{}\", skills::skill!(\"e\" in \"skills\"));\n",
    );
    ten_faults_are_ten_errors(&leaf);
    repair(&leaf);
    assert_eq!(leaf.lines().first().map(String::as_str), Some("e"));
}

#[test]
fn a_wrong_name_stops_the_build() {
    let leaf = Leaf::with_build_script("faults-name");
    leaf.write("skills/pdf-forms/SKILL.md", skill_md("pdf-forms", "Fills PDF forms"));
    leaf.edit("src/main.rs", "fn main() {\n", "fn main() {\n    let _ = skills::skill!(\"pdf-form\");\n");
    let errors = leaf.errors();
    let message = "error: no skill is named `pdf-form`: did you mean `pdf-forms`?\n --> src/main.rs:4:28\n";
    assert!(errors.replace('\\', "/").contains(message), "{errors}");
    // The skill gets that name, without a change of the source.
    leaf.rename("skills/pdf-forms", "skills/pdf-form");
    leaf.edit("skills/pdf-form/SKILL.md", "pdf-forms", "pdf-form");
    assert_eq!(leaf.lines(), ["pdf-form at skills/pdf-form: Body of pdf-form."]);
    // And it is gone again.
    leaf.edit("skills/pdf-form/SKILL.md", "name: pdf-form", "name: other");
    let errors = leaf.errors();
    assert!(errors.contains("no skill is named `pdf-form`: the skills are `other`\n"), "{errors}");
}

/// The name is watched even if nothing else in the program uses the skills.
#[test]
fn a_name_that_goes_away_stops_the_build() {
    let leaf = Leaf::with_macro("faults-name-in");
    leaf.write("skills/one/SKILL.md", skill_md("one", "Does it"));
    leaf.write(
        "src/main.rs",
        "fn main() {\n    println!(\"{}\", skills::skill!(\"one\" in \"skills\"));\n}\n",
    );
    assert_eq!(leaf.lines(), ["one"]);
    leaf.edit("skills/one/SKILL.md", "name: one", "name: once");
    let errors = leaf.errors();
    assert!(errors.contains("error: no skill is named `one`: did you mean `once`?\n"), "{errors}");
}

/// As after an update of only one of the two crates.
#[test]
fn blocks_of_another_version_stop_the_build() {
    let leaf = Leaf::with_build_script("faults-version");
    leaf.write("skills/one/SKILL.md", skill_md("one", "Does it"));
    leaf.edit(
        "build.rs",
        ";\n",
        ";\n    let out = std::env::var(\"OUT_DIR\").unwrap();\n    \
         std::fs::write(format!(\"{out}/skills.tables\"), \"other\").unwrap();\n",
    );
    let errors = leaf.errors();
    assert!(
        errors.contains("use the same version of `skills` and `skills-bundle`, and build again"),
        "{errors}"
    );
    assert_eq!(errors.matches("\nerror").count(), 2, "{errors}");
}

#[test]
fn constants_serve_other_crates() {
    assert!(skills_tests::SKILLS.get(skills_tests::names::PDF_FORMS).is_some());
}
