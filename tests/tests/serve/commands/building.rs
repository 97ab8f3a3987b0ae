//! Where a build finds slash commands, which of two it uses, and what changes its digest.

use skills_bundle::compile::{check, compile, compile_good};
use skills_bundle::{Code, Config, Generated};
use skills_tests::disk::{self, TempDir, skill_md};

use super::COMMANDS;

fn command(name: &str, template: &str) -> String {
    format!("name: {name}\ndescription: Does {name}\ntype: text\ntemplate_path: {template}\n")
}

/// A root of skills with a command in it, and a root of commands.
fn place() -> TempDir {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/one/SKILL.md", skill_md("one", "Does one thing"));
    disk::write(dir.path(), "skills/one/two.command.yaml", command("two", "two.txt"));
    disk::write(dir.path(), "skills/beside.command.yaml", command("beside", "beside.txt"));
    disk::write(dir.path(), "skills/beside.txt", "Beside {raw}");
    disk::write(dir.path(), "commands/deep/er/three.command.yaml", command("three", "../../three.txt"));
    disk::write(dir.path(), "commands/three.txt", "Three {raw}");
    disk::write(dir.path(), "commands/SKILL.md", skill_md("no-skill-here", "Is a file"));
    dir
}

fn both(dir: &TempDir) -> Config {
    Config::new("skills").commands("commands").base(dir.path())
}

fn paths(generated: &Generated) -> Vec<String> {
    let pack = generated.pack().expect("the blocks fit");
    pack.commands().map(|command| format!("/{} {}", command.name(), command.path())).collect()
}

#[test]
fn commands_are_found_in_both_kinds_of_root() {
    let dir = place();
    let generated = compile(&both(&dir), None).expect("all is good");
    assert_eq!(
        paths(&generated),
        ["/beside skills/beside.command.yaml", "/three commands/deep/er/three.command.yaml"]
    );
    assert_eq!(generated.written.skill_names(), ["one"]);
    assert_eq!((generated.report.skills, generated.report.commands), (1, 2));
    assert_eq!(generated.report.without_skill, [""; 0]);
    let generated = compile(&Config::new("skills").base(dir.path()), None).expect("all is good");
    assert_eq!(paths(&generated), ["/beside skills/beside.command.yaml"]);
    // A root may be a single directory of commands.
    let generated = compile(&Config::new("skills").commands("commands/deep/..").base(dir.path()), None)
        .expect("all is good");
    assert_eq!(paths(&generated).len(), 2);
}

#[test]
fn a_broken_command_is_reported_and_the_rest_is_served() {
    let dir = place();
    disk::write(dir.path(), "commands/bad.command.yaml", command("bad", "none.txt"));
    disk::write(dir.path(), "commands/run.command.yaml", "name: run\ndescription: Runs\ntype: script\n");
    let codes =
        |config: &Config| check(config).findings.iter().map(|finding| finding.code).collect::<Vec<_>>();
    assert_eq!(codes(&both(&dir)), [Code::E022, Code::L121]);
    let generated = compile_good(&both(&dir));
    assert_eq!(paths(&generated).len(), 2);
    assert_eq!(generated.report.findings, check(&both(&dir)).findings);
    assert!(compile(&both(&dir), None).is_err_and(|report| report.findings == generated.report.findings));
    disk::remove(&dir.path().join("commands/bad.command.yaml"));
    assert_eq!(paths(&compile(&both(&dir), None).expect("a warning isn't an error")).len(), 2);
    assert!(compile(&both(&dir).deny("command-unsupported"), None).is_err());
    assert_eq!(codes(&both(&dir).allow("L121")), []);
}

#[test]
fn the_earlier_root_wins_and_a_broken_command_takes_no_name() {
    let dir = place();
    disk::write(dir.path(), "commands/beside.command.yaml", command("beside", "three.txt"));
    let generated = compile(&both(&dir), None).expect("all is good");
    assert_eq!(paths(&generated)[0], "/beside skills/beside.command.yaml");
    let shadowed: Vec<_> = generated
        .report
        .shadowed
        .iter()
        .map(|one| (one.name.as_str(), one.path.as_str(), one.by.as_str()))
        .collect();
    assert_eq!(shadowed, [("/beside", "commands/beside.command.yaml", "skills/beside.command.yaml")]);
    disk::write(dir.path(), "skills/beside.command.yaml", command("beside", "none.txt"));
    disk::write(dir.path(), "skills/later/beside.command.yaml", command("beside", "../beside.txt"));
    let generated = compile_good(&both(&dir));
    assert_eq!(paths(&generated)[0], "/beside skills/later/beside.command.yaml");
    assert_eq!(generated.report.denied(), 1);
    // A command that could be read is reported as the first with that name, but doesn't keep it.
    disk::write(dir.path(), "skills/beside.command.yaml", command("beside", "beside.txt") + "x: 1\nx: 2\n");
    let generated = compile_good(&both(&dir));
    assert_eq!(paths(&generated)[0], "/beside skills/later/beside.command.yaml");
    let codes: Vec<_> = generated.report.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::L124, Code::E005, Code::E013]);
}

#[test]
fn the_digest_covers_commands() {
    let digest = |change: &dyn Fn(&TempDir)| {
        let dir = place();
        change(&dir);
        compile(&both(&dir), None).expect("all is good").digest
    };
    let base = digest(&|_| ());
    assert_eq!(base, digest(&|_| ()));
    // Other files change nothing.
    assert_eq!(base, digest(&|dir| disk::write(dir.path(), "commands/notes.txt", "x")));
    for (path, content) in [
        ("commands/three.txt", "Three {raw}!".to_owned()),
        ("skills/beside.txt", "Bezide {raw}".to_owned()),
        ("skills/beside.command.yaml", command("beside", "beside.txt") + "x: 1\n"),
        ("skills/beside.command.yaml", command("beside", "beside.txt") + "webui_hidden: true\n"),
        ("skills/beside.command.yaml", command("beside", "beside.txt").replace("Does", "Dose")),
        ("commands/four.command.yaml", command("four", "three.txt")),
    ] {
        assert_ne!(base, digest(&|dir| disk::write(dir.path(), path, &content)), "{path}: {content}");
    }
    assert_ne!(base, COMMANDS.digest());
}

#[test]
fn a_packed_command_equals_its_source() {
    let review = COMMANDS.command(" **Review** ").expect("a look-up is kind");
    assert_eq!(review.path(), "commands/review.command.yaml");
    assert_eq!(review.argument_hint(), Some("[range]"));
    assert!(review.template().starts_with("Review ") && !review.template().contains('\r'));
    let names: Vec<_> = COMMANDS.commands().map(|command| (command.name(), command.is_hidden())).collect();
    assert_eq!(names, [("explain", false), ("greet", false), ("review", false), ("secret-menu", true)]);
    assert!(COMMANDS.commands().all(|command| COMMANDS.command(command.name()).is_some()));
    assert!(COMMANDS.command("").is_none() && COMMANDS.command("pdf").is_none());
    assert_eq!(COMMANDS.len(), 4);
}
