//! Reads what a package and its workspace set for skills in Cargo.toml.
//!
//! Most keys are the methods of [`Config`](crate::Config); the others are for the program `skills`. A key or rule that does not exist is a
//! finding at its own line. `toml` reads the file, since it tells where every value is, and is
//! built without its `serde` half: five small crates that no program gets.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use skills_pack::nearest;
use skills_pack::text::{Joined, Quoted, did_you_mean};
use skills_source::code::{Code, Level};
use skills_source::fault::Fault;
use skills_source::finding::Finding;
use skills_source::rules::Profile;
use skills_source::scan::EVALS;
use skills_source::source::Source;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::levels::level_of;
use crate::texts::Texts;

const FILE: &str = "Cargo.toml";

/// The settings of the Cargo.toml files.
#[derive(Debug, Default)]
pub(crate) struct CargoSettings {
    pub(crate) profile: Option<Profile>,
    /// The workspace's, then the package's.
    pub(crate) levels: Vec<(Code, Level)>,
    pub(crate) ignore: Vec<String>,
    pub(crate) allow_hosts: Vec<String>,
    pub(crate) allow_orgs: Vec<String>,
    pub(crate) keep_evals: bool,
    pub(crate) unicode_names: Option<bool>,
    pub(crate) nested: Option<bool>,
    pub(crate) findings: Vec<Finding>,
    /// The files that were read.
    pub(crate) files: Vec<PathBuf>,
    /// The directory of the workspace, or that of a package without one; with every link resolved.
    pub(crate) top: Option<PathBuf>,
}

/// Reads the Cargo.toml nearest to `directory`, in it or above it, and that of its workspace. Their
/// paths are shown as seen from `seen_from`.
pub(crate) fn read(directory: &Path, seen_from: &Path, texts: &Texts) -> CargoSettings {
    let mut settings = CargoSettings::default();
    let Ok(directory) = directory.canonicalize() else { return settings };
    let seen_from = seen_from.canonicalize().unwrap_or_default();
    let mut package: Option<&Path> = None;
    // The package's before the workspace's.
    let mut layers = Vec::new();
    for above in directory.ancestors() {
        let file = above.join(FILE);
        let Some(text) = read_text(&file, texts) else { continue };
        let source = Source::new(shown(&file, &seen_from), text.as_str());
        settings.top.get_or_insert_with(|| above.to_owned());
        let root = match DeTable::parse(&text) {
            Ok(root) => root.into_inner(),
            Err(error) => {
                settings.findings.push(Finding::new(&source, not_toml(&error)));
                break;
            }
        };
        let workspace = table(&root, "workspace");
        if let (Some(workspace), Some(package)) = (workspace, package)
            && excludes(workspace, above, package)
        {
            break;
        }
        settings.files.push(file);
        let mut faults = Vec::new();
        if package.is_none() {
            layers.extend(table(&root, "package").and_then(|table| layer(table, &mut faults)));
        }
        layers.extend(workspace.and_then(|table| layer(table, &mut faults)));
        settings.findings.extend(faults.into_iter().map(|fault| Finding::new(&source, fault)));
        if workspace.is_some() {
            settings.top = Some(above.to_owned());
            break;
        }
        package.get_or_insert(above);
    }
    for layer in layers.into_iter().rev() {
        settings.profile = layer.profile.or(settings.profile);
        settings.unicode_names = layer.unicode_names.or(settings.unicode_names);
        settings.nested = layer.nested.or(settings.nested);
        settings.levels.extend(layer.levels);
        settings.ignore.extend(layer.ignore);
        settings.allow_hosts.extend(layer.allow_hosts);
        settings.allow_orgs.extend(layer.allow_orgs);
        settings.keep_evals |= layer.keep_evals;
    }
    settings
}

#[allow(clippy::disallowed_methods, reason = "it is no file of a skill")]
fn read_text(file: &Path, texts: &Texts) -> Option<String> {
    if let Some(text) = texts.get(file) {
        return String::from_utf8(text.to_vec()).ok();
    }
    if !file.is_file() {
        return None;
    }
    fs::read(file).ok().and_then(|bytes| String::from_utf8(bytes).ok())
}

/// A path as a user would write it: from where the user is, with `..` where need be.
pub(crate) fn shown(file: &Path, seen_from: &Path) -> String {
    let ups = seen_from.ancestors().position(|above| file.starts_with(above));
    let relative = ups.and_then(|ups| {
        let below = file.strip_prefix(seen_from.ancestors().nth(ups)?).ok()?;
        Some(std::iter::repeat_n("..", ups).collect::<PathBuf>().join(below))
    });
    relative.as_deref().unwrap_or(file).to_string_lossy().replace('\\', "/")
}

/// Whether the package of a Cargo.toml may be published; `None` if it has no package or can't be read.
#[cfg(feature = "check")]
pub fn publishes(text: &str) -> Option<bool> {
    let root = DeTable::parse(text).ok()?.into_inner();
    let publish = table(&root, "package")?.get("publish").map(Spanned::get_ref);
    // A list names registries.
    let is_never = publish.is_some_and(|value| {
        value.as_bool() == Some(false) || value.as_array().is_some_and(|registries| registries.is_empty())
    });
    Some(!is_never)
}

/// Whether a workspace at `root` leaves the package out.
fn excludes(workspace: &DeTable<'_>, root: &Path, package: &Path) -> bool {
    let excluded = workspace.get("exclude").and_then(|value| value.get_ref().as_array());
    excluded
        .into_iter()
        .flat_map(|paths| paths.iter())
        .filter_map(|path| path.get_ref().as_str())
        .any(|path| package.starts_with(root.join(path)))
}

fn table<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t DeTable<'i>> {
    table.get(key).and_then(|value| value.get_ref().as_table())
}

/// What `metadata.skills` of a package or workspace says.
#[derive(Default)]
struct Layer {
    profile: Option<Profile>,
    levels: Vec<(Code, Level)>,
    ignore: Vec<String>,
    allow_hosts: Vec<String>,
    allow_orgs: Vec<String>,
    keep_evals: bool,
    unicode_names: Option<bool>,
    nested: Option<bool>,
}

/// The keys, and what they take.
const KEYS: &[&str] = &[
    "profile",
    "deny",
    "warn",
    "allow",
    "ignore",
    "keep",
    "unicode-names",
    "nested",
    "allow-host",
    "allow-org",
];

fn layer(owner: &DeTable<'_>, faults: &mut Vec<Fault>) -> Option<Layer> {
    let value = table(owner, "metadata")?.get("skills")?;
    let Some(table) = value.get_ref().as_table() else {
        faults.push(fault(
            value.span(),
            "`metadata.skills` must be a table",
            "write `[package.metadata.skills]`",
        ));
        return None;
    };
    let mut layer = Layer::default();
    let mut levels: Vec<(Level, Code)> = Vec::new();
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "profile" => layer.profile = profile(value, faults),
            "deny" => levels.extend(rules(value, Level::Deny, faults)),
            "warn" => levels.extend(rules(value, Level::Warn, faults)),
            "allow" => levels.extend(rules(value, Level::Allow, faults)),
            "ignore" => layer.ignore = owned(value, faults),
            "allow-host" => layer.allow_hosts = owned(value, faults),
            "allow-org" => layer.allow_orgs = owned(value, faults),
            "keep" => layer.keep_evals = keep(value, faults),
            "unicode-names" => layer.unicode_names = flag("unicode-names", value, faults),
            "nested" => layer.nested = flag("nested", value, faults),
            other => faults.push(unknown_key(key.span(), other)),
        }
    }
    // Where levels for one rule disagree, deny wins over warn, and warn over allow, as on the command line.
    levels.sort();
    layer.levels = levels.into_iter().map(|(level, code)| (code, level)).collect();
    Some(layer)
}

fn profile(value: &Spanned<DeValue<'_>>, faults: &mut Vec<Fault>) -> Option<Profile> {
    let names = Profile::ALL.iter().map(|profile| profile.name());
    let known = names.clone().map(|name| format!("`\"{name}\"`")).collect::<Vec<_>>().join(", ");
    let Some(name) = value.get_ref().as_str() else {
        faults.push(fault(value.span(), "`profile` must be a string", &format!("write one of {known}")));
        return None;
    };
    let profile = Profile::parse(name);
    if profile.is_none() {
        let help = match nearest::closest(name, names).first() {
            Some(near) => did_you_mean(Quoted(format_args!("\"{near}\""))),
            None => format!("write one of {known}"),
        };
        faults.push(fault(value.span(), &format!("there is no profile `{}`", name.escape_debug()), &help));
    }
    profile
}

fn rules(value: &Spanned<DeValue<'_>>, level: Level, faults: &mut Vec<Fault>) -> Vec<(Level, Code)> {
    let named: Vec<(&str, Range<usize>)> = texts(value, faults).collect();
    let mut codes = Vec::with_capacity(named.len());
    for (name, span) in named {
        match level_of(name, level) {
            Ok(code) => codes.push((level, code)),
            Err((message, help)) => faults.push(fault(span, &message, &help)),
        }
    }
    codes
}

fn keep(value: &Spanned<DeValue<'_>>, faults: &mut Vec<Fault>) -> bool {
    let named: Vec<(&str, Range<usize>)> = texts(value, faults).collect();
    let mut keeps = false;
    for (name, span) in named {
        match kept(name) {
            Ok(()) => keeps = true,
            Err((message, help)) => faults.push(fault(span, &message, &help)),
        }
    }
    keeps
}

/// Whether a directory of this name can be kept; if not, the message and the help of a finding.
pub(crate) fn kept(name: &str) -> Result<(), (String, String)> {
    if name == EVALS {
        return Ok(());
    }
    let message = format!("`{}` is not a name that can be kept", name.escape_debug());
    Err((message, format!("only `{EVALS}` can be: the tests of a skill")))
}

/// The texts of a list, each with its place.
fn texts<'v>(
    value: &'v Spanned<DeValue<'_>>,
    faults: &mut Vec<Fault>,
) -> impl Iterator<Item = (&'v str, Range<usize>)> {
    let array = value.get_ref().as_array();
    if array.is_none() {
        faults.push(fault(value.span(), "expected a list of strings", "write `[\"one\", \"two\"]`"));
    }
    let items: Vec<_> = array.into_iter().flat_map(|items| items.iter()).collect();
    let wrong_items = items.iter().filter(|item| item.get_ref().as_str().is_none());
    faults.extend(wrong_items.map(|item| fault(item.span(), "expected a string", "put it in quotes")));
    items.into_iter().filter_map(|item| Some((item.get_ref().as_str()?, item.span())))
}

fn owned(value: &Spanned<DeValue<'_>>, faults: &mut Vec<Fault>) -> Vec<String> {
    texts(value, faults).map(|(text, _)| text.to_owned()).collect()
}

fn flag(key: &str, value: &Spanned<DeValue<'_>>, faults: &mut Vec<Fault>) -> Option<bool> {
    let flag = value.get_ref().as_bool();
    if flag.is_none() {
        let message = format!("`{key}` must be `true` or `false`");
        faults.push(fault(value.span(), &message, "write `true` or `false`"));
    }
    flag
}

fn unknown_key(span: Range<usize>, key: &str) -> Fault {
    let help = nearest::question(key, KEYS.iter().copied())
        .unwrap_or_else(|| format!("the keys are {}", Joined(KEYS.iter().map(Quoted), ", ")));
    fault(span, &format!("`{}` is not a setting for skills", key.escape_debug()), &help)
}

fn not_toml(error: &toml::de::Error) -> Fault {
    let message = format!("the file is not valid TOML: {}", error.message().replace('\n', "; "));
    fault(error.span().unwrap_or(0..0), &message, "fix it: Cargo cannot read it either")
}

fn fault(span: Range<usize>, message: &str, help: &str) -> Fault {
    Fault::new(Code::E019, span, message).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        #[allow(clippy::disallowed_methods, reason = "tests lay out their own trees")]
        fs::create_dir_all(path.parent().expect("it has one"))
            .and_then(|()| fs::write(&path, text))
            .expect("the disk takes it");
    }

    #[test]
    fn the_package_comes_on_top_of_the_workspace() {
        let root = tempfile::tempdir().expect("a directory");
        write(
            root.path(),
            "Cargo.toml",
            "[workspace]\nexclude = [\"out\"]\n[workspace.metadata.skills]\nprofile = \"standard\"\ndeny = [\"L105\"]\n\
             ignore = [\"a\"]\nunicode-names = false\nnested = true\nallow-host = [\"a.example\"]\n",
        );
        write(
            root.path(),
            "in/Cargo.toml",
            "[package.metadata.skills]\nwarn = [\"dead-link\"]\nignore = [\"b\"]\nallow-host = [\"b.example\"]\n\
             allow-org = [\"a.example/b\"]\n",
        );
        write(root.path(), "out/Cargo.toml", "[package.metadata.skills]\nprofile = \"claude\"\n");
        write(root.path(), "in/skills/x/SKILL.md", "");
        let settings = read(&root.path().join("in/skills"), root.path(), &Texts::default());
        assert_eq!(settings.profile, Some(Profile::Standard));
        assert_eq!(settings.levels, [(Code::L105, Level::Deny), (Code::L105, Level::Warn)]);
        assert_eq!(
            (settings.ignore, settings.unicode_names, settings.nested),
            (vec!["a".to_owned(), "b".to_owned()], Some(false), Some(true))
        );
        assert_eq!(
            (settings.allow_hosts.join(" "), settings.allow_orgs.join(" ")),
            ("a.example b.example".to_owned(), "a.example/b".to_owned())
        );
        assert_eq!((settings.findings.len(), settings.files.len()), (0, 2));
        let settings = read(&root.path().join("out"), root.path(), &Texts::default());
        assert_eq!((settings.profile, settings.files.len()), (Some(Profile::Claude), 1));
    }

    #[test]
    fn what_is_wrong_is_shown_at_its_place() {
        let root = tempfile::tempdir().expect("a directory");
        write(
            root.path(),
            "a/Cargo.toml",
            "[package]\nname = \"a\"\n[package.metadata.skills]\nprofil = \"claude\"\nprofile = \"standart\"\n\
             deny = [\"L999\", 7]\nallow = [\"E007\"]\nignore = \"x\"\nunicode-names = \"yes\"\nnested = 1\nkeep = [\"tests\"]\n",
        );
        let settings = read(&root.path().join("a"), root.path(), &Texts::default());
        let mut shown: Vec<String> = settings.findings.iter().map(ToString::to_string).collect();
        shown.sort();
        assert_eq!(
            shown,
            [
                "a/Cargo.toml:10:10: error[E019]: `nested` must be `true` or `false`",
                "a/Cargo.toml:11:9: error[E019]: `tests` is not a name that can be kept",
                "a/Cargo.toml:4:1: error[E019]: `profil` is not a setting for skills",
                "a/Cargo.toml:5:11: error[E019]: there is no profile `standart`",
                "a/Cargo.toml:6:17: error[E019]: expected a string",
                "a/Cargo.toml:6:9: error[E019]: there is no rule `L999`",
                "a/Cargo.toml:7:10: error[E019]: the level of E007 cannot be set: rules that begin with `E` always deny",
                "a/Cargo.toml:8:10: error[E019]: expected a list of strings",
                "a/Cargo.toml:9:17: error[E019]: `unicode-names` must be `true` or `false`",
            ]
        );
        write(root.path(), "a/Cargo.toml", "[package]\nname = \n");
        let settings = read(&root.path().join("a"), root.path(), &Texts::default());
        assert!(
            settings.findings[0]
                .to_string()
                .starts_with("a/Cargo.toml:2:8: error[E019]: the file is not valid TOML: ")
        );
    }

    #[test]
    fn a_path_is_shown_from_where_the_user_is() {
        for (file, from, expected) in [
            ("/a/b/Cargo.toml", "/a/b", "Cargo.toml"),
            ("/a/b/Cargo.toml", "/a", "b/Cargo.toml"),
            ("/a/Cargo.toml", "/a/b/c", "../../Cargo.toml"),
            ("/a/x/Cargo.toml", "/a/b", "../x/Cargo.toml"),
        ] {
            assert_eq!(shown(Path::new(file), Path::new(from)), expected);
        }
    }
}
