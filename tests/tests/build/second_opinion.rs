//! Compares our YAML reader with `serde-saphyr`, a parser that shares no code with ours.
//!
//! Both read all frontmatters of the fixtures and, in another test, of the corpus: both must refuse the same
//! ones and read equal values. `yaml-differences.tsv` explains every exception.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, and so do its helpers")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use skills_source::code::Code;
use skills_source::document;
use skills_source::subject::Subject;
use skills_source::yaml::{self, Entry, Node, Scalar, ScalarKind, Value};
use skills_tests::disk;

/// The first difference between the two results, in words; `None` if there is none.
fn difference(text: &str) -> Option<String> {
    let frontmatter = document::split(text).ok()?.frontmatter;
    let (root, faults) = yaml::read(text, frontmatter.clone(), Subject::Frontmatter);
    let refused = faults.iter().find(|fault| matches!(fault.code, Code::E003 | Code::E005 | Code::E018));
    let options = serde_saphyr::options! { strict_booleans: true, reject_non_finite_typeless_float: false };
    let second = serde_saphyr::from_str_with_options::<Json>(&text[frontmatter], options);
    match (root, refused, second) {
        (_, Some(_), Err(_)) => None,
        (_, Some(fault), Ok(_)) => Some(format!("refused by us alone: {}", fault.message)),
        (Some(root), None, Ok(second)) => differs(&root, &second, "").err(),
        (_, None, Err(error)) => {
            let error = error.to_string();
            Some(format!("read by us alone: {}", error.lines().next().unwrap_or_default()))
        }
        (None, None, Ok(_)) => Some("nothing is read and nothing is said".to_owned()),
    }
}

fn differs(ours: &Node, theirs: &Json, place: &str) -> Result<(), String> {
    let no = || Err(format!("{place}: {:?} and {theirs}", ours.value));
    match (&ours.value, theirs) {
        (Value::Null, Json::Null) => Ok(()),
        (Value::Scalar(Scalar { text, kind: ScalarKind::Text, .. }), Json::String(theirs)) => {
            if text == theirs { Ok(()) } else { Err(format!("{place}: {text:?} and {theirs:?}")) }
        }
        (Value::Scalar(Scalar { text, kind: ScalarKind::Bool, .. }), Json::Bool(theirs)) => {
            if text.eq_ignore_ascii_case(&theirs.to_string()) { Ok(()) } else { no() }
        }
        (Value::Scalar(Scalar { text, kind: ScalarKind::Number, .. }), Json::Number(theirs)) => {
            let close = |a: f64, b: f64| (a - b).abs() <= a.abs() * 1e-9;
            match (text.replace('_', "").parse::<f64>(), theirs.as_f64()) {
                (Ok(ours), Some(theirs)) if close(ours, theirs) => Ok(()),
                _ => no(),
            }
        }
        (Value::List(ours), Json::Array(theirs)) if ours.len() == theirs.len() => {
            ours.iter().zip(theirs).try_for_each(|(ours, theirs)| differs(ours, theirs, place))
        }
        (Value::Map(ours), Json::Object(theirs)) if ours.len() == theirs.len() => {
            ours.iter().try_for_each(|Entry { key, node, .. }| match theirs.get(key) {
                Some(theirs) => differs(node, theirs, &format!("{place}/{key}")),
                None => Err(format!("{place}: the key {key:?} is ours alone")),
            })
        }
        _ => no(),
    }
}

/// Every `SKILL.md` under a directory, by its path there.
fn texts(root: &Path, label: &str) -> Vec<(String, String)> {
    let files =
        disk::files(root).into_iter().filter(|file| disk::name(file).eq_ignore_ascii_case("SKILL.md"));
    let decoded = files.filter_map(|file| {
        let bytes = disk::read(&root.join(&file));
        let text = document::decode(&bytes).ok()?.to_owned();
        Some((format!("{label}/{}", file.to_string_lossy().replace('\\', "/")), text))
    });
    decoded.collect()
}

/// Reads all of these with both parsers, and compares what differs with the table's lines about `labels`.
fn assert_explained(all: &[(String, String)], labels: &[&str]) {
    let found: BTreeMap<&str, String> =
        all.iter().filter_map(|(path, text)| Some((path.as_str(), difference(text)?))).collect();
    let table = disk::read_text(&Path::new(env!("CARGO_MANIFEST_DIR")).join("yaml-differences.tsv"));
    let mut explained = BTreeMap::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [path, reason] = cells[..] else { panic!("two cells a line: {line}") };
        assert!(!reason.is_empty(), "no reason: {line}");
        explained.insert(path, reason);
    }
    let new: Vec<_> = found.iter().filter(|(path, _)| !explained.contains_key(**path)).collect();
    let is_here = |path: &&&str| labels.iter().any(|label| path.starts_with(label));
    let gone: Vec<_> = explained.keys().filter(is_here).filter(|path| !found.contains_key(**path)).collect();
    assert!(new.is_empty() && gone.is_empty(), "not explained: {new:#?}\nno longer different: {gone:#?}");
    assert!(all.len() > 100, "only {} files were read", all.len());
}

#[test]
fn every_difference_is_explained() {
    let package = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut all = texts(&package.join("fixtures"), "fixtures");
    all.extend(texts(&package.join("skills"), "skills"));
    assert_explained(&all, &["fixtures/", "skills/"]);
}

#[test]
#[ignore = "needs the corpus beside the checkout: skills from public repositories"]
fn every_difference_in_the_corpus_is_explained() {
    assert_explained(&texts(&disk::shared("corpus"), "corpus"), &["corpus/"]);
}
