//! Packs of many skills that must not share a name: a compiler limits how many steps a constant may take.

use std::fmt::Write as _;

use skills_source::writer::{PackWriter, SearchIndex, Written};
use skills_tests::quality;

use crate::leaf::Leaf;

const SKILLS: usize = 10_000;

fn name(number: usize, pack: &str) -> String {
    format!("some-skill-of-a-pack-{number:05}-{pack}")
}

fn packed(names: impl Iterator<Item = String>) -> Written {
    let mut writer = PackWriter::new().with_search(SearchIndex::Off);
    names.for_each(|name| quality::add(&mut writer, &name, "A skill", &[], &[], ""));
    writer.finish().unwrap()
}

/// Writes a pack beside the program, and returns the static of its bundle.
fn bundle(leaf: &Leaf, name: &str, written: &Written) -> String {
    let (mut statics, mut pieces) = (String::new(), String::new());
    for (at, text) in written.texts.iter().enumerate() {
        leaf.write(&format!("src/{name}-{at}.txt"), text);
        writeln!(statics, "static {name}_{at}: &str = include_str!(\"{name}-{at}.txt\");").unwrap();
        write!(pieces, "&{name}_{at}, ").unwrap();
    }
    leaf.write(&format!("src/{name}.tables"), &written.tables);
    let mut bytes = String::new();
    for (at, piece) in written.bytes.iter().enumerate() {
        leaf.write(&format!("src/{name}-{at}.bytes"), piece);
        writeln!(statics, "static {name}_B{at}: &[u8] = include_bytes!(\"{name}-{at}.bytes\");").unwrap();
        write!(bytes, "&{name}_B{at}, ").unwrap();
    }
    format!(
        "{statics}static {name}: Bundle = Bundle::from_static(\n    &[{pieces}],\n    &[{bytes}],\n    \
         include_bytes!(\"{name}.tables\"),\n    &NAMES,\n    \"\",\n);\n"
    )
}

/// Two bundles of 10,000 skills each, whose names alternate, so that all of them are compared. No look-up is made, so
/// there is no perfect hash.
#[test]
fn two_packs_of_ten_thousand_skills_are_compared() {
    let leaf = Leaf::new("disjoint", "skills = { path = \"WORKSPACE/skills\" }", false);
    let ours = bundle(&leaf, "A", &packed((0..SKILLS).map(|number| name(number, "a"))));
    let write = |others: &Written| {
        let program = format!(
            "use skills::Bundle;\nuse skills::__private::phf::Map;\n\n\
             static NAMES: Map<&str, u32> = Map::new();\n{}{}\
             skills::assert_disjoint!(A, B);\n\
             fn main() {{\n    println!(\"{{}} {{}}\", A.len(), B.len());\n}}\n",
            ours,
            bundle(&leaf, "B", others)
        );
        leaf.write("src/main.rs", program);
    };
    let others = || (0..SKILLS).map(|number| name(number, "b"));
    write(&packed(others()));
    assert_eq!(leaf.lines(), [format!("{SKILLS} {SKILLS}")]);
    // The last one of all is compared too.
    let same = name(SKILLS - 1, "a");
    write(&packed(others().take(SKILLS - 1).chain([same.clone()])));
    let errors = leaf.errors();
    assert!(errors.contains(&format!("`{same}` is in `A` and in `B`")), "{errors}");
}
