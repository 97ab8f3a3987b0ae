//! The ways to embed a tree that are compared, as the text of a small crate each.
//!
//! Every program does the same: it takes a skill's name as its argument, looks that one up, and prints how
//! long its text is. The name comes from outside, so no compiler can leave the tree out. This
//! module only knows texts; [`leaf`](crate::leaf) writes and builds them.

use std::path::Path;

use bench_harness::failure::{Outcome, failure};
use clap::ValueEnum;

/// A way to embed a tree of skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ValueEnum)]
pub enum Variant {
    /// This project, through a build script.
    Skills,
    /// This project, through `include_skills!` alone.
    SkillsMacro,
    /// `include_dir!` of the crate `include_dir`.
    IncludeDir,
    /// The derive of the crate `rust-embed`.
    RustEmbed,
    /// The least that a build with digests does: a build script that reads every file, computes its SHA-256
    /// and writes all of it into one file, which is included as bytes.
    Digests,
    /// The same program with nothing in it.
    Empty,
}

impl Variant {
    /// What it is called in a table.
    pub fn label(self) -> &'static str {
        match self {
            Self::Skills => "skills",
            Self::SkillsMacro => "include_skills!",
            Self::IncludeDir => "include_dir!",
            Self::RustEmbed => "rust-embed",
            Self::Digests => "bytes and digests",
            Self::Empty => "empty",
        }
    }

    /// What it is called in a path.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Skills => "skills",
            Self::SkillsMacro => "skills-macro",
            Self::IncludeDir => "include-dir",
            Self::RustEmbed => "rust-embed",
            Self::Digests => "digests",
            Self::Empty => "empty",
        }
    }

    /// Whether it is this project.
    pub fn is_ours(self) -> bool {
        matches!(self, Self::Skills | Self::SkillsMacro)
    }

    /// The manifest of the crate `package`; `repo` is where this project's crates are, `more` are lines of
    /// dependencies that the program has besides.
    pub fn manifest(self, package: &str, repo: &Path, more: &str) -> Outcome<String> {
        let ours = |name: &str| -> Outcome<String> {
            let path = repo.join(name);
            if !path.join("Cargo.toml").is_file() {
                return Err(failure(format!(
                    "there is no crate `{name}` in `{}`; say where with `--repo`, or leave it out with `--only`",
                    repo.display()
                )));
            }
            // A TOML string without escapes: no path with a quote in it.
            Ok(format!("{name} = {{ path = '{}' }}\n", path.display()))
        };
        let dependencies = match self {
            Self::Skills => {
                format!("{}\n[build-dependencies]\n{}", ours("skills")?, ours("skills-bundle")?)
            }
            Self::SkillsMacro => ours("skills")?,
            Self::IncludeDir => "include_dir = \"0.7.4\"\n".to_owned(),
            // Without `debug-embed` a debug build would embed nothing and have nothing to measure.
            Self::RustEmbed => "rust-embed = { version = \"8\", features = [\"debug-embed\"] }\n".to_owned(),
            Self::Digests => "\n[build-dependencies]\nsha2 = \"0.11\"\n".to_owned(),
            Self::Empty => String::new(),
        };
        Ok(format!(
            "[package]\nname = \"{package}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
             [workspace]\n\n[dependencies]\n{more}{dependencies}"
        ))
    }

    /// The build script, where there is one.
    pub fn build_script(self) -> Option<&'static str> {
        match self {
            Self::Skills => Some("fn main() {\n    skills_bundle::build(\"skills\");\n}\n"),
            Self::Digests => Some(include_str!("digests.txt")),
            Self::SkillsMacro | Self::IncludeDir | Self::RustEmbed | Self::Empty => None,
        }
    }

    /// The package that it is, where it is one.
    pub fn package(self) -> Option<&'static str> {
        match self {
            Self::Skills | Self::SkillsMacro => Some("skills"),
            Self::IncludeDir => Some("include_dir"),
            Self::RustEmbed => Some("rust-embed"),
            Self::Digests | Self::Empty => None,
        }
    }

    /// The program; with `serde` it takes what it prints through JSON, by serde's derives.
    pub fn program(self, serde: bool) -> String {
        let (head, length) = match self {
            Self::Skills => ("static SKILLS: skills::Bundle = skills::bundle!();\n", OURS),
            Self::SkillsMacro => {
                ("static SKILLS: skills::Bundle = skills::include_skills!(\"skills\");\n", OURS)
            }
            Self::IncludeDir => (
                "static SKILLS: include_dir::Dir<'_> = include_dir::include_dir!(\"$CARGO_MANIFEST_DIR/skills\");\n",
                "SKILLS.get_file(format!(\"{name}/SKILL.md\")).map_or(0, |file| file.contents().len())",
            ),
            Self::RustEmbed => (
                "#[derive(rust_embed::RustEmbed)]\n#[folder = \"skills/\"]\nstruct Skills;\n",
                "Skills::get(&format!(\"{name}/SKILL.md\")).map_or(0, |file| file.data.len())",
            ),
            Self::Digests => (
                "static SKILLS: &[u8] = include_bytes!(concat!(env!(\"OUT_DIR\"), \"/blob\"));\n\
                 static NAMES: &str = include_str!(concat!(env!(\"OUT_DIR\"), \"/names\"));\n",
                "NAMES.lines().filter_map(|line| line.split_once(' ')).find(|(known, _)| *known == name)\
                 .map_or(0, |(_, span)| { let (start, end) = span.split_once(' ').unwrap(); \
                 std::hint::black_box(SKILLS)[start.parse().unwrap()..end.parse().unwrap()].len() })",
            ),
            Self::Empty => ("", "name.len()"),
        };
        let (derive, through) = if serde { (DERIVE, THROUGH) } else { ("", "") };
        format!(
            "{head}{derive}\nfn main() {{\n    let name = std::env::args().nth(1).unwrap_or_default();\n    \
             let length = {length};\n{through}    println!(\"{{length}}\");\n}}\n"
        )
    }
}

const OURS: &str = "SKILLS.get(&name).map_or(0, |skill| skill.body().len())";

/// An answer of a program that uses serde itself.
const DERIVE: &str =
    "\n#[derive(serde::Serialize, serde::Deserialize)]\nstruct Answer {\n    length: usize,\n}\n";
const THROUGH: &str = "    let text = serde_json::to_string(&Answer { length }).unwrap();\n    \
                       let Answer { length } = serde_json::from_str(&text).unwrap();\n";
