//! Random edits of two roots, above and below the bundle, compared with a model that knows nothing of files:
//! what is served, and the changes that each refresh reports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use proptest::prelude::*;
use skills::live::{Changes, LiveRegistry, Overlays, Root};
use skills_tests::SKILLS;
use skills_tests::disk::{self, TempDir};

use super::{remove_all, rename};

/// The directories that come and go, and the names of the skills: one of the bundle's, and others.
const DIRS: [&str; 6] = ["a", "b", "b/inner", "c", "group/d", "group/e"];
const NAMES: [&str; 4] = ["one", "plain-note", "three", "two"];
const ROOTS: [&str; 2] = ["above", "below"];

#[derive(Debug, Clone)]
enum Edit {
    Write { at: usize, name: usize, version: u8 },
    Break { at: usize, how: u8 },
    Forget { at: usize },
    Delete { at: usize },
    SwapFiles { at: usize, with: usize },
    SwapDirs { at: usize, with: usize },
    TouchBack { at: usize },
    AddFile { at: usize, file: u8 },
    Refresh,
}

fn edits() -> impl Strategy<Value = Vec<(usize, Edit)>> {
    let at = || 0..DIRS.len();
    let edit = prop_oneof![
        6 => (at(), 0..NAMES.len(), 0..3_u8).prop_map(|(at, name, version)| Edit::Write { at, name, version }),
        3 => (at(), 0..4_u8).prop_map(|(at, how)| Edit::Break { at, how }),
        1 => at().prop_map(|at| Edit::Forget { at }),
        1 => at().prop_map(|at| Edit::Delete { at }),
        2 => (at(), at()).prop_map(|(at, with)| Edit::SwapFiles { at, with }),
        2 => (at(), at()).prop_map(|(at, with)| Edit::SwapDirs { at, with }),
        1 => at().prop_map(|at| Edit::TouchBack { at }),
        1 => (at(), 0..2_u8).prop_map(|(at, file)| Edit::AddFile { at, file }),
        6 => Just(Edit::Refresh),
    ];
    prop::collection::vec((0..ROOTS.len(), edit), 1..40)
}

/// The content of a directory.
#[derive(Debug, Clone, Default, PartialEq)]
struct Dir {
    skill: Option<Text>,
    files: BTreeSet<u8>,
}

#[derive(Debug, Clone, PartialEq)]
enum Text {
    Good { name: &'static str, version: u8 },
    Broken(u8),
}

/// A skill as it is served.
#[derive(Debug, Clone, PartialEq)]
struct Served {
    origin: &'static str,
    dir: &'static str,
    version: u8,
    is_stale: bool,
}

#[derive(Debug, Default)]
struct ModelRoot {
    dirs: BTreeMap<&'static str, Dir>,
    served: BTreeMap<&'static str, Served>,
}

impl ModelRoot {
    fn refresh(&mut self, origin: &'static str) {
        let mut served = BTreeMap::new();
        let mut not_served = Vec::new();
        for (dir, content) in self.skills() {
            match content.skill {
                Some(Text::Good { name, version }) if !served.contains_key(name) => {
                    served.insert(name, Served { origin, dir, version, is_stale: false });
                }
                _ => not_served.push(dir),
            }
        }
        for dir in not_served {
            let before = self.served.iter().find(|(_, before)| before.dir == dir);
            if let Some((name, before)) = before.filter(|(name, _)| !served.contains_key(*name)) {
                served.insert(name, Served { is_stale: true, ..before.clone() });
            }
        }
        self.served = served;
    }

    /// The directories that are skills, including broken ones: `b/inner` is a skill only if `b` isn't.
    fn skills(&self) -> Vec<(&'static str, &Dir)> {
        let outer = self.dirs.get("b").and_then(|dir| dir.skill.as_ref());
        // A directory without a valid SKILL.md hides no skill inside it, unless its last good version is served.
        let is_taken = |name: &str| {
            let others = self.dirs.iter().filter(|(dir, _)| !dir.starts_with('b'));
            others
                .into_iter()
                .any(|(_, dir)| matches!(dir.skill, Some(Text::Good { name: own, .. }) if own == name))
        };
        let is_kept = || self.served.iter().any(|(name, served)| served.dir == "b" && !is_taken(name));
        let hides = match outer {
            Some(Text::Good { .. }) => true,
            Some(Text::Broken(0 | 1)) => is_kept(),
            _ => false,
        };
        // A misspelt `skill.md` inside a directory that has one too is a file of it.
        let inner = self.dirs.get("b/inner").and_then(|dir| dir.skill.as_ref());
        let is_file = outer == Some(&Text::Broken(2)) && inner == Some(&Text::Broken(2));
        let dirs = self
            .dirs
            .iter()
            .filter(|(dir, content)| content.skill.is_some() && !((hides || is_file) && **dir == "b/inner"));
        dirs.map(|(dir, content)| (*dir, content)).collect()
    }

    fn files_of(&self, dir: &str) -> BTreeSet<String> {
        let own = |dir: &Dir| -> BTreeSet<String> {
            let skill = match dir.skill {
                Some(Text::Good { .. } | Text::Broken(0 | 1)) => Some("SKILL.md".to_owned()),
                Some(Text::Broken(2)) => Some("skill.md".to_owned()),
                // A directory with this name is refused, including its contents.
                _ => None,
            };
            skill.into_iter().chain(dir.files.iter().map(|file| format!("f{file}.md"))).collect()
        };
        let mut files = self.dirs.get(dir).map(own).unwrap_or_default();
        if dir == "b" {
            let inner = self.dirs.get("b/inner").map(own).unwrap_or_default();
            files.extend(inner.into_iter().map(|file| format!("inner/{file}")));
        }
        files
    }
}

/// The disk, the registry, and what is expected of them.
struct Both {
    disk: TempDir,
    live: LiveRegistry,
    roots: [ModelRoot; 2],
    expected: BTreeMap<String, Option<Served>>,
}

impl Both {
    fn new() -> Self {
        let disk = disk::temp();
        let root = |at: usize| Root::new(disk.path().join(ROOTS[at])).label(ROOTS[at]);
        let live = Overlays::over(&SKILLS).root(root(0)).fallback(root(1)).open();
        let mut both = Self { live, disk, roots: Default::default(), expected: BTreeMap::new() };
        both.expected = both.served();
        both
    }

    /// Every name with the skill of a root, or `None` for the bundle's own.
    fn served(&self) -> BTreeMap<String, Option<Served>> {
        let [above, below] = &self.roots;
        let of = |root: &ModelRoot| -> Vec<(String, Option<Served>)> {
            root.served.iter().map(|(name, served)| ((*name).to_owned(), Some(served.clone()))).collect()
        };
        let bundled = SKILLS.skills().filter(skills::Skill::model_may_call);
        let bundled = bundled.map(|skill| (skill.name().to_owned(), None));
        // Later insertions win in a map, so the highest layer comes last.
        of(below).into_iter().chain(bundled).chain(of(above)).collect()
    }

    fn apply(&mut self, root: usize, edit: &Edit) {
        let at = self.disk.path().join(ROOTS[root]);
        let dirs = &mut self.roots[root].dirs;
        match *edit {
            Edit::Write { at: dir, name, version } => {
                let text = Text::Good { name: NAMES[name], version };
                put(&at, DIRS[dir], Some(&text));
                dirs.entry(DIRS[dir]).or_default().skill = Some(text);
            }
            Edit::Break { at: dir, how } => {
                let text = Text::Broken(how);
                put(&at, DIRS[dir], Some(&text));
                dirs.entry(DIRS[dir]).or_default().skill = Some(text);
            }
            Edit::Forget { at: dir } => {
                put(&at, DIRS[dir], None);
                dirs.entry(DIRS[dir]).or_default().skill = None;
            }
            Edit::Delete { at: dir } => {
                if at.join(DIRS[dir]).exists() {
                    remove_all(&at.join(DIRS[dir]));
                }
                dirs.retain(|known, _| !format!("{known}/").starts_with(&format!("{}/", DIRS[dir])));
            }
            Edit::SwapFiles { at: one, with } => {
                let (one, other) = (DIRS[one], DIRS[with]);
                let texts = [one, other].map(|dir| dirs.get(dir).and_then(|dir| dir.skill.clone()));
                let both_are_files =
                    texts.iter().all(|text| matches!(text, Some(Text::Good { .. } | Text::Broken(0 | 1))));
                if one != other && both_are_files {
                    swap(&at, &format!("{one}/SKILL.md"), &format!("{other}/SKILL.md"));
                    let [first, second] = texts;
                    dirs.entry(one).or_default().skill = second;
                    dirs.entry(other).or_default().skill = first;
                }
            }
            Edit::SwapDirs { at: one, with } => {
                let (one, other) = (DIRS[one], DIRS[with]);
                // `b` holds another one.
                let moves = one != other && ![one, other].contains(&"b");
                if moves && at.join(one).exists() && at.join(other).exists() {
                    swap(&at, one, other);
                    let (first, second) = (dirs.remove(one), dirs.remove(other));
                    dirs.extend(first.map(|dir| (other, dir)));
                    dirs.extend(second.map(|dir| (one, dir)));
                }
            }
            Edit::TouchBack { at: dir } => {
                let path = at.join(DIRS[dir]).join("SKILL.md");
                if path.is_file() {
                    let file = fs::File::options().write(true).open(&path).expect("it is there");
                    file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("its time can be set");
                }
            }
            Edit::AddFile { at: dir, file } => {
                disk::write(&at, &format!("{}/f{file}.md", DIRS[dir]), "file");
                dirs.entry(DIRS[dir]).or_default().files.insert(file);
            }
            Edit::Refresh => self.refresh(),
        }
    }

    fn refresh(&mut self) {
        let before = std::mem::take(&mut self.expected);
        for (root, origin) in self.roots.iter_mut().zip(ROOTS) {
            root.refresh(origin);
        }
        self.expected = self.served();
        let changes = self.live.refresh();
        assert_eq!(summary(&changes), expected_changes(&before, &self.expected));
        self.compare();
        self.compare_files();
        assert!(self.live.refresh().is_empty(), "nothing has changed since");
    }

    /// Asserts that exactly the expected skills are served.
    fn compare(&self) {
        let snapshot = self.live.snapshot();
        let registry = snapshot.registry();
        let mut found = BTreeMap::new();
        for entry in registry.skills() {
            let skill = entry.skill;
            let own = (!entry.is_bundled()).then(|| {
                let below = format!("/{}/", entry.origin);
                let (_, dir) = skill.path().split_once(&below).expect("below its root");
                let version = skill.body().strip_prefix("Version ").and_then(|body| body.parse().ok());
                Served {
                    origin: ROOTS.into_iter().find(|root| *root == entry.origin).expect("a root"),
                    dir: DIRS.into_iter().find(|known| *known == dir).expect("a directory"),
                    version: version.expect("a version"),
                    is_stale: entry.is_stale(),
                }
            });
            found.insert(skill.name().to_owned(), own);
        }
        assert_eq!(found, self.expected);
    }

    /// Asserts that each skill has the files that its directory has. A list is made when it is asked for, so
    /// this only holds after a refresh.
    fn compare_files(&self) {
        let snapshot = self.live.snapshot();
        for entry in snapshot.registry().skills() {
            let Some(Some(served)) = self.expected.get(entry.skill.name()) else { continue };
            let files: BTreeSet<String> =
                entry.with_files().skill.files().map(|file| file.path().to_owned()).collect();
            let root = ROOTS.iter().position(|root| *root == served.origin).expect("a root");
            if !served.is_stale {
                assert_eq!(files, self.roots[root].files_of(served.dir), "{}", entry.skill.path());
            }
        }
    }
}

fn summary(changes: &Changes) -> [Vec<String>; 3] {
    [changes.added.clone(), changes.changed.clone(), changes.removed.clone()]
}

fn expected_changes(
    before: &BTreeMap<String, Option<Served>>,
    now: &BTreeMap<String, Option<Served>>,
) -> [Vec<String>; 3] {
    let names = |of: &BTreeMap<String, Option<Served>>, keep: &dyn Fn(&String) -> bool| -> Vec<String> {
        of.keys().filter(|name| keep(name)).cloned().collect()
    };
    [
        names(now, &|name| !before.contains_key(name)),
        names(now, &|name| before.get(name).is_some_and(|served| now.get(name) != Some(served))),
        names(before, &|name| !now.contains_key(name)),
    ]
}

/// Replaces the content of a directory with a SKILL.md or something that breaks one.
fn put(root: &std::path::Path, dir: &str, text: Option<&Text>) {
    let at = root.join(dir);
    for name in ["SKILL.md", "skill.md"] {
        match at.join(name) {
            path if path.is_dir() => remove_all(&path),
            path if path.exists() && !matches!(text, Some(Text::Good { .. } | Text::Broken(0 | 1))) => {
                disk::remove(&path);
            }
            path if path.exists() && name == "skill.md" => disk::remove(&path),
            _ => {}
        }
    }
    let skill = |name: &str, version: u8| {
        format!("---\nname: {name}\ndescription: Does it\n---\n\nVersion {version}\n")
    };
    match text {
        Some(Text::Good { name, version }) => disk::write(&at, "SKILL.md", skill(name, *version)),
        Some(Text::Broken(0)) => disk::write(&at, "SKILL.md", "no fence\n"),
        Some(Text::Broken(1)) => disk::write(&at, "SKILL.md", "---\nname: one\ndescription: a: b\n---\n"),
        Some(Text::Broken(2)) => disk::write(&at, "skill.md", skill("one", 9)),
        Some(Text::Broken(_)) => disk::write(&at, "SKILL.md/f.txt", "x"),
        None => fs::create_dir_all(&at).expect("a directory"),
    }
}

fn swap(at: &std::path::Path, one: &str, other: &str) {
    rename(&at.join(one), &at.join(".between"));
    rename(&at.join(other), &at.join(one));
    rename(&at.join(".between"), &at.join(other));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_registry_agrees_with_the_model(edits in edits()) {
        let mut both = Both::new();
        for (root, edit) in &edits {
            both.apply(*root, edit);
            if !matches!(edit, Edit::Refresh) {
                // Nothing changes before a refresh.
                both.compare();
            }
        }
        both.refresh();
    }
}
