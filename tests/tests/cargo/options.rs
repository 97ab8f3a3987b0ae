//! The options of a build script, and how a package may name its dependency.

use std::fs;

use skills_tests::disk::skill_md;

use crate::leaf::Leaf;

#[test]
fn a_warning_is_shown_and_stops_nothing() {
    let leaf = Leaf::with_build_script("options-warning");
    leaf.write("skills/pdf/SKILL.md", skill_md("pdf-forms", "Fills PDF forms"));
    let warning = "warning: options-warning@0.0.0: skills/pdf/SKILL.md:2:7: warning[L103]: ";
    let (_, run) = leaf.build();
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    // Cargo shows it again although there was nothing to do.
    let (_, run) = leaf.build();
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    // Another level, and one that is not known.
    leaf.write("build.rs", with_config("config.deny(\"L103\").allow(\"L999\")"));
    let errors = leaf.errors();
    assert!(errors.contains("error: [L103] "), "{errors}");
    // At the call in the build script.
    assert!(errors.contains("there is no rule `L999`\n"), "{errors}");
    assert!(errors.contains("--> build.rs:"), "{errors}");
    leaf.write("build.rs", with_config("config.allow(\"L103\")"));
    let (_, run) = leaf.build();
    assert!(!run.stderr.contains("L103"), "{}", run.stderr);
}

/// The settings in Cargo.toml apply to the build script and the macro, and a change of them is seen.
#[test]
fn cargo_toml_sets_levels() {
    let forms = skill_md("pdf-forms", "Fills PDF forms");
    for leaf in [Leaf::with_build_script("options-cargo-toml"), Leaf::with_macro("options-cargo-toml-macro")]
    {
        leaf.write("skills/pdf/SKILL.md", &forms);
        leaf.edit(
            "Cargo.toml",
            "[workspace]\n",
            "[workspace]\n\n[package.metadata.skills]\nallow = [\"L103\"]\n",
        );
        let (_, run) = leaf.build();
        assert!(!run.stderr.contains("L103"), "{}", run.stderr);
        leaf.edit("Cargo.toml", "allow = [", "deny = [");
        let errors = leaf.errors();
        assert!(errors.contains("error: [L103] "), "{errors}");
        leaf.edit("Cargo.toml", "deny = [\"L103\"", "alow = [\"L103\"");
        let errors = leaf.errors();
        assert!(
            errors.contains("`alow` is not a setting for skills") && errors.contains("--> Cargo.toml:"),
            "{errors}"
        );
    }
}

#[test]
fn a_macro_warns_through_a_lint() {
    let leaf = Leaf::with_macro("options-macro-warning");
    leaf.write("skills/pdf/SKILL.md", skill_md("pdf-forms", "Fills PDF forms"));
    let (_, run) = leaf.build();
    assert!(run.stderr.contains("warning: use of deprecated constant"), "{}", run.stderr);
    assert!(run.stderr.contains("[L103] `name` differs"), "{}", run.stderr);
    assert!(run.stderr.contains("--> src/main.rs:1:57\n"), "{}", run.stderr);
    leaf.edit("src/main.rs", "static", "#[allow(deprecated)]\nstatic");
    let (_, run) = leaf.build();
    assert!(!run.stderr.contains("warning:"), "{}", run.stderr);
}

#[test]
fn a_missing_path_is_reported() {
    let leaf = Leaf::with_build_script("options-nothing");
    leaf.write("skills/notes.txt", "no skill");
    let (_, run) = leaf.build();
    assert!(run.stderr.contains("there is no skill under `skills`"), "{}", run.stderr);
    leaf.write("skills/one/SKILL.md", skill_md("one", "Does it"));
    leaf.write("skills/one/.env", "KEY=1");
    #[cfg(unix)]
    std::os::unix::fs::symlink(".env", leaf.path("skills/one/env.txt")).unwrap();
    let (_, run) = leaf.build();
    assert!(!run.stderr.contains("there is no skill"), "{}", run.stderr);
    #[cfg(unix)]
    assert!(run.stderr.contains("`skills/one/env.txt` is left out"), "{}", run.stderr);
    assert_eq!(leaf.lines(), ["one at skills/one: Body of one."]);
}

/// Cargo compares time stamps, and a fix doesn't always have a newer one: a directory that gets its name
/// back, a file that is copied back.
#[test]
fn what_was_broken_is_checked_again() {
    let leaf = Leaf::with_build_script("options-again");
    leaf.write("skills/one/SKILL.md", skill_md("one", "Does it"));
    let file = || fs::File::options().write(true).open(leaf.path("skills/one/SKILL.md")).unwrap();
    let times = fs::FileTimes::new().set_modified(file().metadata().unwrap().modified().unwrap());
    let good = ["one at skills/one: Body of one."];
    assert_eq!(leaf.lines(), good);
    assert!(leaf.is_fresh());

    leaf.rename("skills", "skillz");
    assert!(leaf.errors().contains("the root is not found"));
    leaf.rename("skillz", "skills");
    assert_eq!(leaf.lines(), good);

    leaf.write("skills/one/SKILL.md", "---\nname: one\n---\n");
    assert!(leaf.errors().contains("[E011]"));
    leaf.write("skills/one/SKILL.md", skill_md("one", "Does it"));
    file().set_times(times).unwrap();
    assert_eq!(leaf.lines(), good);
    assert!(leaf.is_fresh());
}

#[test]
fn a_name_is_checked_without_a_build_script_in_its_directory_alone() {
    let leaf = Leaf::with_macro("options-name-alone");
    leaf.write("skills/one/SKILL.md", skill_md("one", "Does it"));
    leaf.edit("src/main.rs", "fn main() {", "fn main() {\n    let _ = skills::skill!(\"one\");");
    let errors = leaf.errors();
    assert!(errors.contains("name its directory here too: `skill!(\"one\" in \"skills\")`"), "{errors}");
}

/// For packages without the macro: the script fails, and the source that it leaves compiles on its own.
#[test]
fn a_strict_build_script_fails_itself() {
    let leaf = Leaf::with_build_script("options-strict");
    leaf.write("build.rs", "fn main() {\n    skills_bundle::Builder::new(\"skills\").strict().build();\n}\n");
    leaf.edit("src/main.rs", "skills::bundle!()", "include!(concat!(env!(\"OUT_DIR\"), \"/skills.rs\"))");
    leaf.edit("Cargo.toml", "skills\" }", "skills\", default-features = false }");
    leaf.write("skills/one/SKILL.md", "---\nname: One\ndescription: Does: it\n---\n");
    let errors = leaf.errors();
    let prefix = "error: options-strict@0.0.0: skills/one/SKILL.md";
    assert!(errors.contains(&format!("{prefix}:2:7: error[E009]: ")), "{errors}");
    assert!(errors.contains(&format!("{prefix}:3:18: error[E003]: ")), "{errors}");
    assert!(errors.contains("(help: quote the value: `description: \"Does: it\"`)"), "{errors}");
    leaf.write("skills/one/SKILL.md", skill_md("one", "Does it"));
    assert_eq!(leaf.lines(), ["one at skills/one: Body of one."]);
}

/// Case 091.
#[test]
fn a_root_outside_the_package_is_reported() {
    let leaf = Leaf::with_build_script("options-outside");
    leaf.write("../shared/one/SKILL.md", skill_md("one", "Does it"));
    leaf.write("build.rs", "fn main() {\n    skills_bundle::build(\"../shared\");\n}\n");
    let (_, run) = leaf.build();
    assert!(
        run.stderr.contains("warning: options-outside@0.0.0: ../shared:1:1: warning[L116]: "),
        "{}",
        run.stderr
    );
    assert_eq!(leaf.lines(), ["one at shared/one: Body of one."]);
    leaf.write("../shared/two/SKILL.md", skill_md("two", "Does more"));
    assert_eq!(leaf.lines(), ["one at shared/one: Body of one.", "two at shared/two: Body of two."]);
}

#[test]
fn the_dependency_may_have_another_name() {
    let leaf = Leaf::new(
        "options-renamed",
        "agentskills = { package = \"skills\", path = \"WORKSPACE/skills\" }",
        true,
    );
    leaf.write("build.rs", "fn main() {\n    skills_bundle::build(\"skills\");\n}\n");
    leaf.write("skills/one/SKILL.md", skill_md("one", "Does it"));
    leaf.write("src/main.rs", RENAMED);
    assert_eq!(leaf.lines(), ["1 1 1 1 one"]);
}

/// As a constant, through a macro of the package, and in a function in a module of it.
const RENAMED: &str = r#"
pub mod reexport {
    pub use agentskills;
}

macro_rules! bundle {
    () => {
        $crate::reexport::agentskills::bundle!(crate = $crate::reexport::agentskills)
    };
}

const SKILLS: agentskills::Bundle = agentskills::bundle!(crate = agentskills);
static INCLUDED: agentskills::Bundle = agentskills::include_skills!(crate = agentskills, "skills");

mod inner {
    pub fn count() -> usize {
        let skills = bundle!();
        skills.len()
    }
}

fn main() {
    static LOCAL: agentskills::Bundle = agentskills::bundle!(crate = crate::reexport::agentskills);
    let name = match "one" {
        agentskills::skill!("one") => agentskills::skill!("one" in "skills"),
        _ => "",
    };
    println!("{} {} {} {} {name}", SKILLS.len(), INCLUDED.len(), inner::count(), LOCAL.len());
}
"#;

fn with_config(config: &str) -> String {
    format!(
        "fn main() {{\n    skills_bundle::Builder::new(\"skills\").configure(|config| {config}).build();\n}}\n"
    )
}
