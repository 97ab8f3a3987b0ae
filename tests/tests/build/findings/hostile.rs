//! Damaged and hostile files always get an answer, never a silent one, and quickly.

use skills_bundle::render::{self, Color};
use skills_bundle::{Finding, Level};
use skills_source::rules::Rules;
use skills_source::skill;
use skills_tests::disk;
use skills_tests::prng::Prng;

use super::fixtures;

/// All fixtures' texts.
fn texts() -> Vec<Vec<u8>> {
    let folders = ["bad", "good"].map(fixtures);
    let files =
        folders.iter().flat_map(|folder| disk::files(folder).into_iter().map(|file| folder.join(file)));
    files
        .filter(|file| file.extension().is_some_and(|extension| extension == "md"))
        .map(|file| disk::read(&file))
        .collect()
}

fn judge(bytes: &[u8]) -> Vec<Finding> {
    let (skill, findings) = skill::read("skills/garden/SKILL.md", "garden", bytes, &Rules::default());
    let denied = findings.iter().any(|finding| finding.level == Level::Deny);
    let shown = String::from_utf8_lossy(bytes);
    assert!(skill.is_some() || denied, "nothing is read and nothing is said: {shown:?}");
    let lines = shown.matches(['\n', '\r']).count() + 1;
    for finding in &findings {
        assert!((finding.line as usize) <= lines && finding.column > 0, "{finding}: {shown:?}");
        assert!(
            finding
                .excerpt()
                .is_none_or(|excerpt| excerpt.start <= excerpt.end && excerpt.end <= excerpt.text.len())
        );
    }
    if let (Some(skill), false) = (skill, denied) {
        assert!(!skill.name.is_empty() && skill.frontmatter.description.is_some(), "{shown:?}");
    }
    assert!(render::full(&findings, Color::Never).is_empty() == findings.is_empty());
    findings
}

#[test]
fn damaged_files_get_an_answer() {
    let texts = texts();
    let spice: [&[u8]; 25] = [
        b"\"",
        b"'",
        b": ",
        b":",
        b"- ",
        b"[",
        b"]",
        b"{",
        b"}",
        b"\t",
        b"\n",
        b"\r\n",
        b"\r",
        b"---\n",
        b"#",
        b" #",
        b"&a ",
        b"*a",
        b"!",
        b"|",
        b">",
        b"\xff",
        b"\0",
        "é\u{202e}".as_bytes(),
        b"\xef\xbb\xbf",
    ];
    let mut prng = Prng::new(4);
    for _ in 0..15_000 {
        let mut text = prng.pick(&texts).clone();
        for _ in 0..=prng.below(4) {
            let at = prng.below(text.len() + 1);
            match prng.below(4) {
                0 | 1 => drop(text.splice(at..at, prng.pick(&spice).iter().copied())),
                2 => drop(text.splice(at..text.len().min(at + 1 + prng.below(8)), [])),
                _ => {
                    let other = prng.pick(&texts);
                    text.splice(at.., other[prng.below(other.len() + 1)..].iter().copied());
                }
            }
        }
        judge(&text);
    }
}

/// As large as the limits allow. The slowest takes about a second, unoptimised and with thousands of
/// findings; quadratic work takes hours.
#[test]
fn hostile_files_take_little_time() {
    let frontmatter = |yaml: &str| format!("---\nname: garden\ndescription: x\n{yaml}\n---\n");
    let room = 16 * 1024 - 64;
    let fill = |part: &str| part.repeat(room / part.len());
    for (_what, yaml) in [
        ("brackets", format!("m: {}", fill("["))),
        ("braces", format!("m: {}", fill("{a: "))),
        ("pairs of brackets", format!("m: [{}]", fill("[],"))),
        ("stray colons", format!("m: x{}", fill(": x"))),
        ("stray colons in lines", fill("a: b: c\n")),
        ("keys", (0..room / 8).map(|at| format!("{at:06}:\n")).collect()),
        ("one key", fill("a: b\n")),
        ("quotes", fill("a: \"\n")),
        ("single quotes", fill("a: '\n")),
        ("stars", fill("a: *\n")),
        ("aliases", format!("a: &a x\nm: [{}]", "*a,".repeat(room / 4))),
        ("anchors", (0..room / 16).map(|at| format!("k{at}: &a{at} x\n")).collect()),
        ("tabs", fill("\t")),
        ("tabbed lines", fill("\ta: b\n")),
        ("indentation", (0..150).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect()),
        ("dashes", format!("m: {}x", fill("- "))),
        ("nested dashes", format!("m:\n  {}x", fill("- "))),
        ("question marks", fill("? ")),
        ("exclamation marks", fill("!")),
        ("dots", fill("...\n")),
        ("comments", fill("#\n")),
        ("carriage returns", fill("\r")),
        ("escapes", format!("m: \"{}\"", fill("\\"))),
        ("tags in the description", format!("summary: {}", fill("<a "))),
    ] {
        let text = frontmatter(&yaml);
        judge(text.as_bytes());
    }
    for (_what, body) in
        [("fences", "---\n"), ("lines", "\n"), ("carriage returns", "\r"), ("blanks", " "), ("angles", "<")]
    {
        judge((frontmatter("") + &body.repeat(1024 * 1024 / body.len() - 64)).as_bytes());
        judge(body.repeat(1024 * 1024 / body.len()).as_bytes());
    }
}
