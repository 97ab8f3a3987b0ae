//! Slash commands: the next build sees every change of a definition or a template.

use crate::leaf::Leaf;

const DEFINITION: &str = "name: explain\ndescription: Explains\ntype: text\ntemplate_path: explain.txt\n";

fn program(bundle: &str) -> String {
    format!(
        "static SKILLS: skills::Bundle = {bundle};\n\nfn main() {{\n    for command in SKILLS.commands() {{\n        \
         println!(\"/{{}}: {{}}\", command.name(), command.template());\n    }}\n}}\n"
    )
}

#[test]
fn a_build_script_sees_every_change_of_a_command() {
    let leaf = Leaf::with_build_script("commands-build-script");
    let script =
        "skills_bundle::Builder::new(\"skills\").configure(|config| config.commands(\"commands\")).build();";
    leaf.write("build.rs", format!("fn main() {{\n    {script}\n}}\n"));
    leaf.write("src/main.rs", program("skills::bundle!()"));
    leaf.write("skills/one/SKILL.md", skills_tests::disk::skill_md("one", "Does one thing"));
    let errors = leaf.errors();
    assert!(
        errors.contains("[E017] the root is not found\n") && errors.contains("--> commands:1:1"),
        "{errors}"
    );
    leaf.write("commands/explain.command.yaml", DEFINITION);
    let errors = leaf.errors();
    assert!(errors.contains("[E022] the template `explain.txt` is not found\n"), "{errors}");
    leaf.write("commands/explain.txt", "Explain {raw}\n");
    assert_eq!(leaf.lines(), ["/explain: Explain {raw}"]);
    assert!(leaf.is_fresh());
    leaf.write("commands/explain.txt", "Explain now: {raw}\n");
    assert_eq!(leaf.lines(), ["/explain: Explain now: {raw}"]);
    leaf.write("commands/deep/describe.command.yaml", DEFINITION.replace("explain", "describe"));
    leaf.write("commands/deep/describe.txt", "Describe {arg.0}\n");
    let (_, run) = leaf.build();
    assert!(run.stderr.contains("commands/deep/describe.txt:1:10: warning[L122]: "), "{}", run.stderr);
    assert_eq!(leaf.lines(), ["/describe: Describe {arg.0}", "/explain: Explain now: {raw}"]);
    leaf.remove("commands/deep");
    assert_eq!(leaf.lines(), ["/explain: Explain now: {raw}"]);
    assert!(leaf.is_fresh());
}

#[test]
fn a_macro_sees_changes_of_commands_that_it_knows() {
    let leaf = Leaf::with_macro("commands-macro");
    leaf.write("src/main.rs", program("skills::include_skills!(\"skills\")"));
    leaf.write("skills/explain.command.yaml", DEFINITION.replace("explain.txt", "prompts/explain.txt"));
    leaf.write("skills/prompts/explain.txt", "Explain {raw}\n");
    assert_eq!(leaf.lines(), ["/explain: Explain {raw}"]);
    leaf.write("skills/prompts/explain.txt", "Explain now: {raw}\n");
    assert_eq!(leaf.lines(), ["/explain: Explain now: {raw}"]);
    leaf.edit("skills/explain.command.yaml", "name: explain", "name: describe");
    assert_eq!(leaf.lines(), ["/describe: Explain now: {raw}"]);
    assert!(leaf.is_fresh());
    leaf.remove("skills/prompts/explain.txt");
    let errors = leaf.errors();
    assert!(errors.contains("[E022] the template `prompts/explain.txt` is not found\n"), "{errors}");
}
