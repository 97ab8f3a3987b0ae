//! Lenient roots: the names of skills with invalid names, and that policies and sessions still apply to them.

use skills::findings::Code;
use skills::live::{LiveRegistry, Overlays};
use skills::{Audience, Policy, Session};
use skills_tests::disk::{self, TempDir};

use super::{codes, names, root, write_skill};

fn tree() -> TempDir {
    let dir = disk::temp();
    write_skill(&dir, "a", "PDF_Tools", "One");
    write_skill(&dir, "b", "Code Review", "Two");
    write_skill(&dir, "c", "-edge--case-", "Three");
    write_skill(&dir, "d", &"long".repeat(20), "Four");
    write_skill(&dir, "e", "\"`quoted`\"", "Five");
    write_skill(&dir, "f", "../etc/passwd", "Six");
    dir
}

fn lenient(dir: &TempDir) -> LiveRegistry {
    Overlays::without_bundle().root(root(dir).lenient(true)).open()
}

#[test]
fn the_form_of_a_name_is_a_warning() {
    let dir = tree();
    let strict = super::open(&dir);
    assert_eq!(names(&strict), [""; 0]);
    let live = lenient(&dir);
    let long = "long".repeat(20);
    assert_eq!(
        names(&live),
        ["-edge--case-", "../etc/passwd", "code-review", long.as_str(), "pdf_tools", "quoted"]
    );
    let found: Vec<Code> = codes(&live).into_iter().map(|(_, code)| code).collect();
    for code in [Code::E008, Code::E009, Code::E010] {
        assert!(found.contains(&code), "{code}: {found:?}");
    }
    assert_eq!(live.snapshot().diagnostics(), [], "all of them are served");
}

/// A name is stored in its normalised form, so it is found as it is written and as it is listed.
#[test]
fn each_name_is_found_as_it_is_written() {
    let dir = tree();
    let live = lenient(&dir);
    let snapshot = live.snapshot();
    for (asked, found) in [
        ("PDF_Tools", "pdf_tools"),
        ("pdf_tools", "pdf_tools"),
        ("Code Review", "code-review"),
        ("code-review", "code-review"),
        ("-edge--case-", "-edge--case-"),
        ("`quoted`", "quoted"),
        ("../etc/passwd", "../etc/passwd"),
    ] {
        assert_eq!(snapshot.registry().get(asked).map(|entry| entry.skill.name()), Some(found), "{asked}");
    }
}

/// Names that a look-up can't distinguish are one name, across roots, for a policy and for a session.
#[test]
fn policies_and_sessions_apply() {
    let dir = disk::temp();
    write_skill(&dir, "a", "PDF Tools", "Upper");
    write_skill(&dir, "b", "pdf-tools", "Lower");
    let live = lenient(&dir);
    assert_eq!(names(&live), ["pdf-tools"]);
    assert!(
        codes(&live).iter().any(|(path, code)| path == "b/SKILL.md" && *code == Code::E013),
        "{:?}",
        codes(&live)
    );
    for policy in
        [Policy::allow_all().block("PDF Tools"), Policy::allow_all().block("a"), Policy::block_all()]
    {
        let live = Overlays::without_bundle().root(root(&dir).lenient(true)).policy(policy.clone()).open();
        assert_eq!(names(&live), [""; 0], "{policy:?}");
    }
    let live = lenient(&dir);
    let snapshot = live.snapshot();
    let mut session = Session::new();
    session.load(&snapshot.registry(), "PDF TOOLS").expect("it is served");
    assert!(session.unload("PDF Tools") && session.loaded().len() == 0);
    session.hide(&snapshot.registry(), "PDF Tools").expect("it is served");
    assert!(session.view(&snapshot.registry()).is_empty());
    assert!(session.show("PDF Tools"));
}

/// Other errors stay errors, and the limits of a skill are never lost.
#[test]
fn limits_of_a_skill_are_not_lost() {
    let dir = disk::temp();
    for (path, text) in [
        ("no-description", "name: no-description"),
        ("twice", "name: twice\ndescription: x\ndescription: y"),
        ("escape", "name: \"esc\\e[2J\"\ndescription: x"),
        ("tools", "name: tools\ndescription: x\nallowed-tools: {Read: yes}"),
        ("flag", "name: flag\ndescription: x\ndisable-model-invocation: perhaps"),
        ("other-flag", "name: other-flag\ndescription: x\nuser-invocable: [no]"),
    ] {
        disk::write(dir.path(), &format!("skills/{path}/SKILL.md"), format!("---\n{text}\n---\n\nBody\n"));
    }
    let live = Overlays::without_bundle().root(root(&dir).lenient(true)).audience(Audience::Everyone).open();
    assert_eq!(names(&live), [""; 0]);
    assert_eq!(live.snapshot().diagnostics().len(), 6);
}
