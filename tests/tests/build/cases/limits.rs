//! Limits that must not be lost: who may call a skill, and which tools it may use.

use skills::Audience;
use skills_bundle::compile::check;
use skills_bundle::{Code, Profile};
use skills_tests::disk::write;

use super::{assert_verdicts, both, case, compiled, config, explained, names, open, pack, served};

#[test]
fn a_limit_is_obeyed_or_its_skill_is_not_served() {
    let dir = case("201-limits-in-snake-or-camel-case");
    for profile in Profile::ALL {
        let report = check(&config(&dir).profile(*profile).allow("L104"));
        assert_verdicts(&report, &[("typo", &[Code::E020])]);
    }
    assert_eq!(served(&compiled(&dir)), ["camel", "plain", "snake"]);
    both(&dir, |skills| {
        let of = |audience| skills.clone().for_audience(audience).skills().len();
        assert_eq!((of(Audience::Model), of(Audience::User), of(Audience::Everyone)), (0, 3, 3));
    });
}

/// Below `metadata` nobody would obey it.
#[test]
fn nobody_is_told_to_move_a_limit() {
    let dir = tempfile::tempdir().expect("a directory");
    for (name, key) in [("flag", "disable-model-invocation"), ("user", "userInvocable"), ("tools", "tools")] {
        let text = format!("---\nname: {name}\ndescription: x\n{key}: true\ncolour: red\n---\nx\n");
        write(dir.path(), &format!("skills/{name}/SKILL.md"), text);
    }
    let report = check(&config(&dir).profile(Profile::Standard));
    for name in ["flag", "user", "tools"] {
        let found = explained(&report, name);
        assert!(
            found.contains("leave it here, where readers who know it obey it, and allow L104"),
            "{found}"
        );
        assert_eq!(found.matches("move it below `metadata`").count(), 1, "{found}");
    }
}

/// Below `metadata` a limit does nothing, in any of its spellings; deeper it is somebody's own.
#[test]
fn a_limit_below_metadata_is_named() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = |name: &str, metadata: &str| {
        let text = format!("---\nname: {name}\ndescription: x {name}\nmetadata:\n{metadata}---\nx\n");
        write(dir.path(), &format!("skills/{name}/SKILL.md"), text);
    };
    file("flag", "  disable-model-invocation: true\n");
    file("user", "  userInvocable: false\n");
    file("tools", "  Allowed_Tools: Read\n  tools: [git]\n");
    file("deep", "  openclaw:\n    allowed-tools: Read\n  tools: git\n");
    for profile in [Profile::Default, Profile::Claude] {
        let report = check(&config(&dir).profile(profile));
        assert_verdicts(
            &report,
            &[("flag", &[Code::L104]), ("tools", &[Code::L104]), ("user", &[Code::L104])],
        );
        let found = explained(&report, "user");
        assert!(found.contains("write `user-invocable` at the left margin, not below `metadata`"), "{found}");
    }
    assert_verdicts(&check(&config(&dir).profile(Profile::Standard)), &[]);
}

/// Claude Code calls the tools of a skill `allowed-tools` and nothing else.
#[test]
fn the_name_that_claude_reads_is_said() {
    let dir = tempfile::tempdir().expect("a directory");
    for (number, key) in ["tools", "allowed_tools", "allowedTools", "allowed-tools"].into_iter().enumerate() {
        let name = format!("reads-{number}");
        let text = format!("---\nname: {name}\ndescription: x {name}\n{key}: Read\n---\nx\n");
        write(dir.path(), &format!("skills/{key}/SKILL.md"), text);
    }
    let report = check(&config(&dir).profile(Profile::Claude));
    assert_verdicts(
        &report,
        &[("allowedTools", &[Code::L104]), ("allowed_tools", &[Code::L104]), ("tools", &[Code::L104])],
    );
    for key in ["tools", "allowed_tools", "allowedTools"] {
        let found = explained(&report, key);
        assert!(found.contains(&format!("write `allowed-tools` instead of `{key}`")), "{found}");
    }
    assert_verdicts(&check(&config(&dir).allow("L103")), &[]);
}

/// Some readers merge what is below a quoted `<<` too.
#[test]
fn a_merge_key_in_quotes_is_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    for (name, key) in [("single", "'<<'"), ("double", "\"<<\""), ("escape", "\"\\x3c<\"")] {
        let text = format!(
            "---\nname: {name}\ndescription: x {name}\nbase: &b {{disable-model-invocation: true}}\n{key}: *b\n---\nx\n"
        );
        write(dir.path(), &format!("skills/{name}/SKILL.md"), text);
    }
    let text = "---\nname: deep\ndescription: x\nmetadata:\n  a: [{'<<': {b: c}}]\n---\nx\n";
    write(dir.path(), "skills/deep/SKILL.md", text);
    for profile in Profile::ALL {
        let report = check(&config(&dir).profile(*profile).allow("L104"));
        let refused: &[Code] = &[Code::E012];
        assert_verdicts(
            &report,
            &[("deep", refused), ("double", refused), ("escape", refused), ("single", refused)],
        );
    }
    assert!(names(&open(&dir, &["skills"])).is_empty());
}

#[test]
fn what_a_merge_or_a_tag_brings_is_never_passed_over() {
    let dir = case("215-yaml-merge-and-tags");
    for profile in Profile::ALL {
        let report = check(&config(&dir).profile(*profile).allow("L104").allow("L103"));
        for skill in ["merge", "limit", "tag", "tagmerge"] {
            assert!(explained(&report, skill).contains("E012"), "{profile}: {:#?}", report.findings);
        }
        assert!(explained(&report, "limit").contains("`<<` is a merge key"));
        assert!(explained(&report, "tag").contains("`!!str` is a YAML tag"));
    }
    assert!(compiled(&dir).pack().expect("the blocks fit").skills().next().is_none());
    assert!(names(&open(&dir, &["skills"])).is_empty());
}

#[test]
fn tools_are_whole_or_refused() {
    let dir = case("227-tools-with-blanks-and-servers");
    assert_verdicts(&check(&config(&dir)), &[("u", &[Code::E012])]);
    let generated = compiled(&dir);
    let skill = pack(&generated).skills().next().expect("one is served");
    let tools: Vec<&str> = skill.allowed_tools().collect();
    assert_eq!(
        tools,
        [
            "Bash(git add *)",
            "Bash(npm run test:*)",
            "mcp__acme__list_items",
            "WebFetch(domain:example.com)",
            "Bash(python3 ${CLAUDE_SKILL_DIR}/x.py (a b) *)"
        ]
    );
    assert_eq!(names(&open(&dir, &["skills"])), ["t"]);
}
