//! The pictures that findings make.

use skills_source::code::Code;
use skills_source::fault::Fault;

use super::*;
use crate::render::sample::{finding, finding_at, on_path, related};

fn plain(finding: Finding) -> String {
    full(&[finding], Color::Never)
}

#[test]
fn a_finding_shows_its_line() {
    insta::assert_snapshot!(plain(finding("name: pdf_tools", "_")), @"
    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:10
      |
    2 | name: pdf_tools
      |          ^ this `_`
      |
      = help: write `name: pdf-tools`
    ");
}

#[test]
fn findings_stand_apart() {
    let mut warning = on_path("skills/pdf-tools", "no more to say");
    warning.level = Level::Warn;
    warning.help.clear();
    insta::assert_snapshot!(full(&[on_path("skills/a.txt", "cannot be read"), warning], Color::Never), @"
    error[E009]: cannot be read
     --> skills/a.txt:1:1
      |
      = help: see to it

    warning[E009]: no more to say
     --> skills/pdf-tools:1:1
    ");
    assert_eq!(full(&[], Color::Never), "");
}

#[test]
fn a_label_and_a_help_may_be_empty() {
    let mut bare = finding("name: pdf_tools", "_");
    bare.label.clear();
    bare.help.clear();
    insta::assert_snapshot!(plain(bare), @"
    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:10
      |
    2 | name: pdf_tools
      |          ^
    ");
}

#[test]
fn the_end_of_a_line_can_be_shown() {
    insta::assert_snapshot!(plain(finding("name:", "")), @"
    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:6
      |
    2 | name:
      |      ^ this `_`
      |
      = help: write `name: pdf-tools`
    ");
    insta::assert_snapshot!(plain(finding("", "")), @"
    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:1
      |
    2 |
      | ^ this `_`
      |
      = help: write `name: pdf-tools`
    ");
}

#[test]
fn a_second_place_in_the_same_file() {
    let mut near = finding("name: other", "name");
    near.related.push(related(&near.path, 1, "name: pdf", "name"));
    let source = Source::new(near.path.as_str(), "name: pdf\nlicense: MIT\nname: other\n");
    let fault = Fault::new(Code::E005, 23..27, "`name` is given twice").label("given again");
    let between = Finding::new(&source, fault.related(0..4, "first given here"));
    let mut far = finding_at(12, "name: other", "name");
    far.related.clone_from(&near.related);
    let mut below = finding("name: other", "name");
    below.related.push(related(&near.path, 5000, "name: pdf", "name"));
    insta::assert_snapshot!(full(&[near, between, far, below], Color::Never), @"
    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:1
      |
    1 | name: pdf
      | ---- first given here
    2 | name: other
      | ^^^^ this `_`
      |
      = help: write `name: pdf-tools`

    error[E005]: `name` is given twice
     --> skills/pdf-tools/SKILL.md:3:1
      |
    1 | name: pdf
      | ---- first given here
    2 | license: MIT
    3 | name: other
      | ^^^^ given again

    error[E009]: `name` may hold only a-z, 0-9 and `-`
      --> skills/pdf-tools/SKILL.md:12:1
       |
     1 | name: pdf
       | ---- first given here
    ...
    12 | name: other
       | ^^^^ this `_`
       |
       = help: write `name: pdf-tools`

    error[E009]: `name` may hold only a-z, 0-9 and `-`
        --> skills/pdf-tools/SKILL.md:2:1
         |
       2 | name: other
         | ^^^^ this `_`
         |
        ::: skills/pdf-tools/SKILL.md:5000:1
         |
    5000 | name: pdf
         | ---- first given here
         |
         = help: write `name: pdf-tools`
    ");
}

#[test]
fn a_second_place_in_the_same_line() {
    let mut near = finding("m: {a: 1, a: 2}", "a: 2");
    near.related.push(related(&near.path, 2, "m: {a: 1, a: 2}", "a"));
    let line = format!("m: {{b: 1, {}, b: 2}}", "a: 1, ".repeat(100));
    let mut far = finding(&line, "b: 2");
    far.related.push(related(&far.path, 2, &line, "b"));
    insta::assert_snapshot!(full(&[near, far], Color::Never), @"
    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:11
      |
    2 | m: {a: 1, a: 2}
      |     -     ^^^^ this `_`
      |     |
      |     first given here
      |
      = help: write `name: pdf-tools`

    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:613
      |
    2 | …1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, , b: 2}
      |                                                                                                 ^^^^ this `_`
      |
     ::: skills/pdf-tools/SKILL.md:2:5
      |
    2 | m: {b: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, a: 1, …
      |     - first given here
      |
      = help: write `name: pdf-tools`
    ");
}

#[test]
fn a_second_place_in_another_file() {
    let mut two = finding("name: pdf", "pdf");
    two.related.push(related("skills/other/SKILL.md", 120, "name: pdf", "pdf"));
    let mut without_line = related("skills/link", 1, "", "");
    without_line.source = None;
    two.related.push(without_line.clone());
    let mut whole = on_path("skills/pdf", "two of them");
    whole.related = vec![related("skills/other/SKILL.md", 2, "name: pdf", "pdf"), without_line];
    insta::assert_snapshot!(full(&[two, whole], Color::Never), @"
    error[E009]: `name` may hold only a-z, 0-9 and `-`
       --> skills/pdf-tools/SKILL.md:2:7
        |
      2 | name: pdf
        |       ^^^ this `_`
        |
       ::: skills/other/SKILL.md:120:7
        |
    120 | name: pdf
        |       --- first given here
        |
        = note: skills/link:1:1: first given here
        = help: write `name: pdf-tools`

    error[E009]: two of them
     --> skills/pdf:1:1
      |
     ::: skills/other/SKILL.md:2:7
      |
    2 | name: pdf
      |       --- first given here
      |
      = note: skills/link:1:1: first given here
      = help: see to it
    ");
}

#[test]
fn a_long_line_keeps_its_column() {
    let line = format!("description: {}!{}", "word ".repeat(1000), "more ".repeat(1000));
    insta::assert_snapshot!(plain(finding(&line, "!")), @"
    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:5014
      |
    2 | …rd word word word word word word !more more more more more more more more more more more more more m…
      |                                   ^ this `_`
      |
      = help: write `name: pdf-tools`
    ");
    insta::assert_snapshot!(plain(finding(&line, &line[13..])), @"
    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:14
      |
    2 | description: word word word word word word word word word word word word word word word word word wo…
      |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this `_`
      |
      = help: write `name: pdf-tools`
    ");
}

#[test]
fn wide_and_combining_characters_are_underlined() {
    let wide = finding("name: 名前_x", "_");
    let itself = finding("name: 名前x", "前");
    let emoji = finding("name: 👩\u{200d}💻❤\u{fe0f}_x", "_");
    let combining = finding("name: pdfx\u{301}_x", "_");
    let mark = finding("name: pdfx\u{301}x", "\u{301}");
    insta::assert_snapshot!(full(&[wide, itself, emoji, combining, mark], Color::Never), @r"
    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:9
      |
    2 | name: 名前_x
      |           ^ this `_`
      |
      = help: write `name: pdf-tools`

    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:8
      |
    2 | name: 名前x
      |         ^^ this `_`
      |
      = help: write `name: pdf-tools`

    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:12
      |
    2 | name: 👩💻❤_x
      |            ^ this `_`
      |
      = help: write `name: pdf-tools`

    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:12
      |
    2 | name: pdfx́_x
      |           ^ this `_`
      |
      = help: write `name: pdf-tools`

    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:11
      |
    2 | name: pdfx\u{301}x
      |           ^^^^^^^ this `_`
      |
      = help: write `name: pdf-tools`
    ");
}

#[test]
fn tabs_and_indentation() {
    let tab = finding("name:\tpdf_tools", "_");
    let itself = finding("\tname: pdf", "\t");
    let deep = finding(&format!("{}- a_b", " ".repeat(60)), "_");
    insta::assert_snapshot!(full(&[tab, itself, deep], Color::Never), @"
    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:10
      |
    2 | name:    pdf_tools
      |             ^ this `_`
      |
      = help: write `name: pdf-tools`

    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:1
      |
    2 |     name: pdf
      | ^^^^ this `_`
      |
      = help: write `name: pdf-tools`

    error[E009]: `name` may hold only a-z, 0-9 and `-`
     --> skills/pdf-tools/SKILL.md:2:64
      |
    2 | ...                   - a_b
      |                          ^ this `_`
      |
      = help: write `name: pdf-tools`
    ");
}

#[test]
fn hidden_characters_are_escaped_everywhere() {
    let hostile = "a\u{1b}[2J\u{202e}b\r\nc\u{9b}\u{200b}_";
    let mut finding = finding_at(1, &hostile.replace('\n', ""), "_");
    for text in [&mut finding.path, &mut finding.message, &mut finding.label, &mut finding.help] {
        hostile.clone_into(text);
    }
    finding.related.push(related(hostile, 7, "x\u{7}y", "\u{7}"));
    insta::assert_snapshot!(plain(finding), @r"
    error[E009]: a\u{1b}[2J\u{202e}b\r\nc\u{9b}\u{200b}_
     --> a\u{1b}[2J\u{202e}b\u{d}\u{a}c\u{9b}\u{200b}_:2:4
      |
    2 | c\u{9b}\u{200b}_
      |                ^ a\u{1b}[2J\u{202e}b\r\nc\u{9b}\u{200b}_
    ...
    7 | x\u{7}y
      |  ----- first given here
      |
      = help: a\u{1b}[2J\u{202e}b\r\nc\u{9b}\u{200b}_
    ");
}

#[test]
fn one_reads_well_after_the_word_error() {
    let mut two = finding("name: pdf_tools", "_");
    two.related.push(related("skills/other/SKILL.md", 120, "name: pdf", "pdf"));
    insta::assert_snapshot!(one(&two), @"
    [E009] `name` may hold only a-z, 0-9 and `-`
       --> skills/pdf-tools/SKILL.md:2:10
        |
      2 | name: pdf_tools
        |          ^ this `_`
        |
       ::: skills/other/SKILL.md:120:7
        |
    120 | name: pdf
        |       --- first given here
        |
        = help: write `name: pdf-tools`
    ");
    insta::assert_snapshot!(one(&on_path("skills/a.txt", "cannot be read")), @"
    [E009] cannot be read
     --> skills/a.txt:1:1
      |
      = help: see to it
    ");
}

#[test]
fn colours_change_nothing_else() {
    let findings = [finding("name: pdf_tools", "_"), on_path("skills/a.txt", "cannot be read")];
    let colored = full(&findings, Color::Always);
    insta::assert_snapshot!(colored.escape_debug().to_string().replace("\\n", "\n"), @r"
    \u{1b}[1m\u{1b}[91merror[E009]\u{1b}[0m\u{1b}[1m: `name` may hold only a-z, 0-9 and `-`\u{1b}[0m
     \u{1b}[1m\u{1b}[94m--> \u{1b}[0mskills/pdf-tools/SKILL.md:2:10
      \u{1b}[1m\u{1b}[94m|\u{1b}[0m
    \u{1b}[1m\u{1b}[94m2\u{1b}[0m \u{1b}[1m\u{1b}[94m|\u{1b}[0m name: pdf_tools
      \u{1b}[1m\u{1b}[94m|\u{1b}[0m          \u{1b}[1m\u{1b}[91m^\u{1b}[0m \u{1b}[1m\u{1b}[91mthis `_`\u{1b}[0m
      \u{1b}[1m\u{1b}[94m|\u{1b}[0m
      \u{1b}[1m\u{1b}[94m= \u{1b}[0m\u{1b}[1mhelp\u{1b}[0m: write `name: pdf-tools`

    \u{1b}[1m\u{1b}[91merror[E009]\u{1b}[0m\u{1b}[1m: cannot be read\u{1b}[0m
     \u{1b}[1m\u{1b}[94m--> \u{1b}[0mskills/a.txt:1:1
      \u{1b}[1m\u{1b}[94m|\u{1b}[0m
      \u{1b}[1m\u{1b}[94m= \u{1b}[0m\u{1b}[1mhelp\u{1b}[0m: see to it
    ");
    let mut bare = String::new();
    for (index, part) in colored.split("\u{1b}[").enumerate() {
        bare += if index == 0 { part } else { part.split_once('m').unwrap().1 };
    }
    assert_eq!(bare, full(&findings, Color::Never));
}
