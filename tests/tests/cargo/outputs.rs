//! The output of a build: equal for equal skills, different for others, small, and free of machine paths.

use std::fmt::Display;

use skills_bundle::compile::compile;
use skills_bundle::{Config, emit};
use skills_tests::disk::{self, skill_md};

use crate::leaf::{Leaf, scratch};

/// The paths of a small tree, and their content.
fn tree() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("one/SKILL.md", skill_md("one", "Does one thing").into_bytes()),
        ("one/references/a.md", b"a\n".to_vec()),
        ("one/assets/logo.png", vec![0x89, b'P', b'N', b'G', 0, 255]),
        ("two/SKILL.md", skill_md("two", "Does another thing").into_bytes()),
    ]
}

/// Cases 092 and 086 in a real build: the output depends on the skills only.
#[test]
fn a_build_depends_on_the_skills_alone() {
    let (first, second) =
        (Leaf::with_build_script("outputs-first"), Leaf::with_build_script("outputs-second"));
    for (path, content) in tree() {
        first.write(&format!("skills/{path}"), content);
    }
    for (path, content) in tree().into_iter().rev() {
        second.write(&format!("skills/{path}"), content);
    }
    let (out, other) = (first.out_dir(), second.out_dir());
    assert_ne!(out, other);
    let files = disk::files(&out);
    for kind in ["rs", "text", "bytes", "tables", "names"] {
        let start = format!("skills.{kind}");
        assert!(files.iter().any(|file| disk::name(file).starts_with(&start)), "{start} of {files:?}");
    }
    assert_eq!(files, disk::files(&other));
    let assert_equal = || {
        for file in &files {
            let bytes = disk::read(&out.join(file));
            assert!(bytes == disk::read(&other.join(file)), "`{}` differs", file.display());
            assert_silent(&bytes, &file.display());
        }
    };
    assert_equal();
    // The result of an earlier build is a cache and must not influence the next one.
    first.edit("skills/two/SKILL.md", "Does", "Longs to do");
    first.write("skills/one/assets/more.png", [0, 1, 2]);
    first.build();
    first.edit("skills/two/SKILL.md", "Longs to do", "Does");
    first.remove("skills/one/assets/more.png");
    first.build();
    assert_equal();
    // The program has no debug information, which would name its source.
    assert_silent(&disk::read(&first.program()), &"the program");
    let included = Leaf::with_macro("outputs-macro");
    for (path, content) in tree() {
        included.write(&format!("skills/{path}"), content);
    }
    assert_eq!(included.lines(), first.lines());
    assert_silent(&disk::read(&included.program()), &"the program of the macro");
}

/// The packages and their build results are below one directory, whose path must not appear.
fn assert_silent(bytes: &[u8], what: &dyn Display) {
    let directory = scratch();
    let directory = directory.to_str().unwrap().as_bytes();
    assert!(!bytes.windows(directory.len()).any(|window| window == directory), "{what} names it");
}

/// Case 086: a cache that compares only the source sees another source.
#[test]
fn every_byte_of_every_file_is_in_the_generated_text() {
    let dir = disk::temp();
    let generated = |change: Option<&str>| {
        for (path, mut content) in tree() {
            if change == Some(path) {
                *content.last_mut().unwrap() ^= 1;
            }
            disk::write(dir.path(), &format!("skills/{path}"), content);
        }
        let generated = compile(&Config::new("skills").base(dir.path()), None);
        emit::bundle_from_files(&generated.unwrap())
    };
    let mut texts = vec![generated(None)];
    texts.extend(tree().iter().map(|(path, _)| generated(Some(path))));
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), tree().len() + 1);
}

/// Case 089, by a factor of ten: an editor has very little to read.
#[test]
fn the_generated_text_is_small() {
    let dir = disk::temp();
    for index in 0..2000 {
        let name = format!("skill-number-{index}");
        let text = skill_md(&name, &format!("Does the thing that has the number {index}"));
        disk::write(dir.path(), &format!("{name}/SKILL.md"), text);
    }
    let generated = compile(&Config::new(".").base(dir.path()), None).unwrap();
    let text = emit::bundle_from_files(&generated);
    assert!(text.len() < 100 * 1024 * 2, "{} bytes", text.len());
}

/// Case 088: an asset is copied, not written as a literal for the compiler.
#[test]
fn a_large_asset_is_built() {
    let mut state = 1_u32;
    let asset: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(10 * 1024 * 1024)
    .collect();
    for leaf in [Leaf::with_build_script("outputs-large"), Leaf::with_macro("outputs-large-macro")] {
        leaf.write("skills/one/SKILL.md", skill_md("one", "Does one thing"));
        leaf.write("skills/one/assets/model.bin", &asset);
        assert_eq!(leaf.lines(), ["one at skills/one: Body of one. | assets/model.bin: binary"]);
        let program = disk::read(&leaf.program());
        let (head, tail) = (&asset[..64], &asset[asset.len() - 64..]);
        let start = position(&program, head).unwrap();
        assert_eq!(position(&program[start..], tail), Some(asset.len() - 64));
    }
}

fn position(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}
