//! What is served: each tree as this project holds it, and as a program would without it.
//!
//! The rivals get what they could have prepared at the start of a program at no cost here: maps from a name
//! to a text. Only questions and answers are here; asking them is [`groups`](crate::groups)' business.

use std::collections::HashMap;

use bench_harness::failure::{Outcome, failure};
use bench_harness::prng::Prng;
use include_dir::Dir;
use skills::{Bundle, Registry};

/// The file of each skill that is read: about 4 KB of Markdown.
pub const FILE: &str = "references/faq.md";

/// One tree.
#[derive(Debug)]
pub struct Material {
    /// Compiled by this project.
    pub bundle: &'static Bundle,
    /// That bundle, served.
    pub registry: Registry<'static>,
    /// Put in by `include_dir!`.
    pub tree: &'static Dir<'static>,
    /// From a skill's name to its SKILL.md.
    pub documents: HashMap<String, String>,
    /// From a skill's name, a slash and a path to that file.
    pub files: HashMap<String, String>,
    /// From a skill's name to the text that `load` gives.
    pub loads: HashMap<String, String>,
}

/// Questions about some skills of a tree, and what the answers are copied from. All lists go together by
/// index.
#[derive(Debug)]
pub struct Questions<'a> {
    /// How many skills there are and which ones are asked for.
    pub title: &'static str,
    /// The tree.
    pub material: &'a Material,
    /// The names of the skills, in an order that has no system.
    pub names: Vec<String>,
    /// Some of them, for what is so slow that asking for all would take minutes.
    pub some_names: Vec<String>,
    /// The same names in capitals, with blanks and quotes.
    pub loose_names: Vec<String>,
    /// The skill's name, a slash and [`FILE`].
    pub paths: Vec<String>,
    /// Tool calls that load the skill.
    pub calls: Vec<String>,
    /// The same, wrapped.
    pub wrapped_calls: Vec<String>,
    /// The text that `load` gives. It lies where the tree's own order put it, not in the order of the
    /// questions, so that copying it reads memory in no better order than finding it does.
    pub loads: Vec<&'a str>,
    /// The content of [`FILE`], in the same way.
    pub contents: Vec<&'a str>,
}

impl Material {
    /// Ten skills.
    pub fn few() -> Outcome<Self> {
        Self::new(&bundle_10::SKILLS, &bundle_10::TREE)
    }

    /// A thousand skills, the ten among them.
    pub fn many() -> Outcome<Self> {
        Self::new(&bundle_1000::SKILLS, &bundle_1000::TREE)
    }

    fn new(bundle: &'static Bundle, tree: &'static Dir<'static>) -> Outcome<Self> {
        let registry = Registry::new(bundle);
        let mut files = HashMap::new();
        collect(tree, &mut files);
        let mut documents = HashMap::new();
        let mut loads = HashMap::new();
        for skill in bundle.skills() {
            let document = files.get(&format!("{}/SKILL.md", skill.name()));
            let loaded = registry.load(skill.name());
            let (Some(document), Ok(loaded)) = (document, loaded) else {
                return Err(failure(format!("the bundle and the tree differ in `{}`", skill.name())));
            };
            documents.insert(skill.name().to_owned(), document.clone());
            loads.insert(skill.name().to_owned(), loaded.text());
        }
        if documents.is_empty() {
            return Err(failure("a bundle has no skills"));
        }
        Ok(Self { bundle, registry, tree, documents, files, loads })
    }
}

impl<'a> Questions<'a> {
    /// Asks `material` for the skills of `of`, which are among its own.
    pub fn new(title: &'static str, material: &'a Material, of: &Material) -> Self {
        let mut names: Vec<String> = of.bundle.skills().map(|skill| skill.name().to_owned()).collect();
        Prng::new(7).shuffle(&mut names);
        let paths: Vec<String> = names.iter().map(|name| format!("{name}/{FILE}")).collect();
        let text = |map: &'a HashMap<String, String>, key: &String| map.get(key).map_or("", String::as_str);
        let each = |question: &dyn Fn(&String) -> String| names.iter().map(question).collect::<Vec<_>>();
        Self {
            title,
            material,
            some_names: names.iter().take(10).cloned().collect(),
            loose_names: each(&|name| format!(" **{}**", name.to_uppercase().replace('-', " "))),
            calls: each(&|name| format!(r#"{{"action": "load", "skill_name": "{name}"}}"#)),
            wrapped_calls: each(&|name| {
                let arguments = format!(r#"{{"skill_name": "{name}"}}"#);
                format!(r#"{{"tool_name": "skills_tool:load", "tool_args": {arguments}}}"#)
            }),
            loads: names.iter().map(|name| text(&material.loads, name)).collect(),
            contents: paths.iter().map(|path| text(&material.files, path)).collect(),
            paths,
            names,
        }
    }
}

fn collect(folder: &Dir<'_>, files: &mut HashMap<String, String>) {
    for file in folder.files() {
        if let (Some(path), Some(text)) = (file.path().to_str(), file.contents_utf8()) {
            files.insert(path.to_owned(), text.to_owned());
        }
    }
    folder.dirs().for_each(|folder| collect(folder, files));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_has_the_same_answer_everywhere() {
        let (few, many) = (Material::few().unwrap(), Material::many().unwrap());
        assert_eq!((few.bundle.len(), many.bundle.len()), (10, 1_000));
        let questions = Questions::new("", &many, &few);
        assert_eq!(questions.names.len(), 10);
        for (at, name) in questions.names.iter().enumerate() {
            assert_eq!(many.registry.get(&questions.loose_names[at]).unwrap().skill.name(), name);
            assert_eq!(many.registry.call(&questions.calls[at]).text, questions.loads[at]);
            assert_eq!(many.registry.call(&questions.wrapped_calls[at]).text, questions.loads[at]);
            let content = many.registry.read_file(name, FILE, 0).unwrap().text.unwrap();
            assert_eq!(content, questions.contents[at]);
            assert_eq!(many.files[&questions.paths[at]], content);
            assert!((4_000..4_700).contains(&content.len()), "{} has {} bytes", name, content.len());
        }
    }
}
