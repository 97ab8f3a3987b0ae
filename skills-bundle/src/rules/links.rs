//! Relative links in the body: L105.
//!
//! A link is judged by the list of the skill's files, never by the disk: what is not in the list is
//! not in the bundle. Links in HTML are not looked at.

use std::collections::BTreeSet;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag};
use skills_pack::nearest;
use skills_pack::text::{Quoted, did_you_mean};
use skills_source::code::Code;
use skills_source::fault::Fault;
use skills_source::scan::{FoundFile, FoundSkill};
use skills_source::source::Span;

mod neighbours;

use neighbours::Other;

/// Judges the links of the body, which is at `body` in `text`. `all` are the skills of the root.
pub(crate) fn check(text: &str, body: Span, dir: &FoundSkill, all: &[FoundSkill]) -> Vec<Fault> {
    let part = &text[body.clone()];
    if !may_hold_a_bad_link(part, &dir.files) {
        return Vec::new();
    }
    let mut seen = BTreeSet::new();
    let mut faults: Vec<Fault> = Vec::new();
    for (dest_url, span) in destinations(part) {
        if seen.contains(&*dest_url) {
            continue;
        }
        let Some(bad) = judge(&dest_url, &dir.files) else { continue };
        if faults.len() == MAX_REPORTED {
            if let Some(last) = faults.last_mut() {
                last.help.push_str("; other dead links are reported once these are fixed");
            }
            break;
        }
        seen.insert(dest_url.to_string());
        faults.push(bad.fault(&dest_url, body.start + span.start..body.start + span.end, dir, all));
    }
    faults
}

/// A relative link in a body.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// Where its destination is, as byte offsets into the text.
    pub span: Span,
    /// The path that it names, percent-decoded, relative to the directory of the SKILL.md.
    pub path: String,
}

/// The relative links of the body, which is at `body` in `text`, in their order.
pub fn links_of(text: &str, body: Span) -> Vec<Link> {
    let part = &text[body.clone()];
    let links = destinations(part).filter(|(destination, _)| {
        is_relative(destination) && !is_placeholder(destination) && !is_word(destination)
    });
    let links = links.filter_map(|(destination, span)| {
        let path = percent_decoded(destination.split(['#', '?']).next().unwrap_or_default());
        (!path.is_empty()).then(|| Link { span: body.start + span.start..body.start + span.end, path })
    });
    links.collect()
}

/// The destinations of links and images, each with its place.
fn destinations(part: &str) -> impl Iterator<Item = (CowStr<'_>, Span)> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_TASKLISTS;
    Parser::new_ext(part, options).into_offset_iter().filter_map(move |(event, range)| match event {
        Event::Start(Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. })
            if !matches!(link_type, LinkType::Autolink | LinkType::Email) =>
        {
            let span = place(part, &dest_url, range);
            Some((dest_url, span))
        }
        _ => None,
    })
}

/// How many bad links of a file are reported.
const MAX_REPORTED: usize = 64;

/// Why a link is no good.
enum BadLink {
    /// It leads above the skill's directory.
    Outside,
    /// There is a file of this name in other letters.
    Case(String),
    /// There is none.
    Missing(String),
}

/// Whether anything that looks like a link leads to no file: if not, no Markdown has to be read. Code
/// blocks are looked at too, which costs nothing but time.
fn may_hold_a_bad_link(body: &str, files: &[FoundFile]) -> bool {
    body.match_indices(']').any(|(at, _)| {
        let after = &body[at + 1..];
        let Some(after) = after.strip_prefix('(').or_else(|| after.strip_prefix(':')) else { return false };
        let destination = after.trim_start().trim_start_matches('<');
        let end = destination.find(|c: char| c.is_whitespace() || matches!(c, ')' | '>'));
        judge(&destination[..end.unwrap_or(destination.len())], files).is_some()
    })
}

fn judge(destination: &str, files: &[FoundFile]) -> Option<BadLink> {
    if !is_relative(destination) || is_placeholder(destination) || is_word(destination) {
        return None;
    }
    let path = destination.split(['#', '?']).next().unwrap_or_default();
    if path.is_empty() {
        return None;
    }
    let Some(written) = normal(path) else { return Some(BadLink::Outside) };
    // A file may be named `50%25.md`.
    if exists(&written, files) {
        return None;
    }
    let Some(path) = normal(&percent_decoded(path)) else { return Some(BadLink::Outside) };
    if exists(&path, files) {
        return None;
    }
    // Other systems take a backslash for what divides a path.
    if path.contains('\\') && normal(&path.replace('\\', "/")).is_none() {
        return Some(BadLink::Outside);
    }
    match in_other_letters(&path, files) {
        Some(near) => Some(BadLink::Case(near)),
        None => Some(BadLink::Missing(path)),
    }
}

/// Whether a destination is a path: no scheme, no drive, no part of the same page, not from a root.
fn is_relative(destination: &str) -> bool {
    let scheme = destination.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '-' | '.'));
    let has_scheme = scheme.is_some_and(|at| at > 0 && destination[at..].starts_with(':'));
    !has_scheme && !destination.starts_with(['#', '?', '/', '\\', '~']) && !destination.starts_with("www.")
}

/// What text has for a link that someone else will write: `{url}`, `<file>`, `path/...`.
fn is_placeholder(destination: &str) -> bool {
    destination.contains(['{', '}', '<', '>', '$', '*', '|', '…']) || destination.contains("...")
}

/// `[text](url)` shows how a link is written; a file of a skill has an ending or a directory.
fn is_word(destination: &str) -> bool {
    !destination.contains(['.', '/', '\\'])
}

/// The path without `.` and `..`; `None` where it leads out.
fn normal(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn percent_decoded(path: &str) -> String {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        if let (b'%', Some(high), Some(low)) = (first, digit(after.first()), digit(after.get(1))) {
            bytes.push((high * 16 + low) as u8);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}

/// Whether a path is the skill's directory, a file in it, or a directory that holds one. The files
/// are sorted by path.
fn exists(path: &str, files: &[FoundFile]) -> bool {
    let below = |file: &FoundFile| file.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    path.is_empty()
        || files.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok()
        // `a-b` may come between `a` and `a/b`.
        || files[files.partition_point(|file| file.path.as_str() < path)..]
            .iter()
            .take_while(|file| file.path.starts_with(path))
            .any(below)
}

fn in_other_letters(path: &str, files: &[FoundFile]) -> Option<String> {
    let lower = path.to_lowercase();
    files.iter().find_map(|file| {
        let same = |part: &str| part.to_lowercase() == lower;
        let directories = file.path.match_indices('/').map(|(at, _)| &file.path[..at]);
        directories.chain([file.path.as_str()]).find(|part| same(part)).map(str::to_owned)
    })
}

/// The place of a destination in the text: its own where it is written as it reads, else the link's.
fn place(text: &str, destination: &CowStr<'_>, link: Span) -> Span {
    if let CowStr::Borrowed(slice) = destination {
        let start = (slice.as_ptr() as usize).checked_sub(text.as_ptr() as usize);
        if let Some(start) = start.filter(|start| start + slice.len() <= text.len()) {
            return start..start + slice.len();
        }
    }
    let source = &text[link.clone()];
    match source.rfind("](") {
        Some(at) => link.start + at + 2..link.end.saturating_sub(1).max(link.start + at + 2),
        None => link,
    }
}

impl BadLink {
    fn fault(self, destination: &str, span: Span, dir: &FoundSkill, all: &[FoundSkill]) -> Fault {
        let fault =
            |what: &str| Fault::new(Code::L105, span.clone(), format!("the link to `{destination}` {what}"));
        match self {
            Self::Outside => {
                if let Some(back) = neighbours::back(destination, dir) {
                    return fault("leads out of the skill and back into it")
                        .label("this is above the skill's directory")
                        .help(format!("write `{back}`"))
                        .suggested(span, in_place_of(destination, &back));
                }
                let help = match neighbours::other_skill(destination, dir, all) {
                    Some(Other::Known(name)) => name_it(&name),
                    Some(Other::Unknown(name)) => format!(
                        "there is no skill `{name}` beside this one: fix the link, or name the skill without a link \
                         if it is shipped elsewhere"
                    ),
                    None => "put what it leads to into the skill, which is shipped alone".to_owned(),
                };
                fault("points outside the skill").label("this is above the skill's directory").help(help)
            }
            Self::Case(near) => fault("is spelt in other letters than the file")
                .label("no such file where case matters")
                .help(format!("write `{near}`"))
                .suggested(span, in_place_of(destination, &near)),
            Self::Missing(path) if path.split('/').any(|part| part.starts_with('.')) => {
                fault("points at no file of the skill")
                    .label("names that begin with `.` are left out")
                    .help("give it a name without the dot, or name it without a link")
            }
            Self::Missing(path) => {
                let fault = fault("points at no file of the skill").label("there is no such file");
                if let Some(name) = neighbours::named_skill(&path.replace('\\', "/"), dir, all) {
                    return fault.help(name_it(&name));
                }
                match near(&path, dir) {
                    Some(near) => {
                        fault.help(did_you_mean(Quoted(near))).suggested(span, in_place_of(destination, near))
                    }
                    None => fault.help("add the file, or fix the link"),
                }
            }
        }
    }
}

/// What to do with a link to another skill.
fn name_it(skill: &str) -> String {
    format!("name the skill `{skill}` without a link: each skill is shipped alone")
}

/// A path as the destination of a link, with the part of the file that `destination` names.
fn in_place_of(destination: &str, path: &str) -> String {
    let part = destination.find(['#', '?']).map_or("", |at| &destination[at..]);
    // Blanks and brackets would end a destination.
    let needs_brackets = path.contains([' ', '(', ')']);
    if needs_brackets { format!("<{path}{part}>") } else { format!("{path}{part}") }
}

/// A file that may have been meant: one of the same name elsewhere, else one of a similar path.
fn near<'d>(path: &str, dir: &'d FoundSkill) -> Option<&'d str> {
    let path = path.replace('\\', "/");
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_lowercase();
    let mut paths = dir.files.iter().map(|file| file.path.as_str()).take(MAX_COMPARED);
    // Every skill has a SKILL.md; one in a directory is another's.
    let is_skill = path.ends_with("/SKILL.md");
    if let Some(same) = paths.clone().find(|known| name(known) == name(&path)).filter(|_| !is_skill) {
        return Some(same);
    }
    nearest::closest(&path, paths.by_ref()).first().copied()
}

/// With how many files a dead link is compared.
const MAX_COMPARED: usize = 200;

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use skills_source::scan::ScanOptions;

    use super::*;

    /// The faults of a body in a skill with these files: what is underlined, and the help.
    fn found(files: &[&str], body: &str) -> Vec<(String, String)> {
        let root = tempfile::tempdir().expect("a directory");
        for file in files.iter().chain(&["SKILL.md"]) {
            let path: PathBuf = root.path().join(file);
            #[allow(clippy::disallowed_methods, reason = "tests lay out their own trees")]
            std::fs::create_dir_all(path.parent().expect("it has one"))
                .and_then(|()| std::fs::write(&path, ""))
                .expect("the disk takes it");
        }
        let scan = skills_source::scan::scan(root.path(), "s", &ScanOptions::default());
        let text = format!("--- é\n{body}");
        let faults = check(&text, 7..text.len(), &scan.skills[0], &scan.skills);
        faults.into_iter().map(|fault| (text[fault.span].to_owned(), fault.help)).collect()
    }

    fn underlined(files: &[&str], body: &str) -> Vec<String> {
        found(files, body).into_iter().map(|(text, _)| text).collect()
    }

    const FILES: &[&str] =
        &["references/Fields.md", "references/a b.md", "50%25.md", "data-x/y.csv", "data/z.csv"];

    #[test]
    fn good_links_are_let_be() {
        for body in [
            "[a](references/Fields.md) [b](./references/Fields.md#part) ![c](references/a%20b.md \"title\")",
            "[a](<references/a b.md>) [b](references/) [c](references) [d](data) [e](SKILL.md) [f](.)",
            "[a](50%25.md) [b](data/../data/z.csv) [c](#part) [d](?x) [e](https://x.y/z.md) [f](mailto:a@b)",
            "[a](/abs.md) [b](C:/x.md) [c](url) [d]({path}/x.md) [e](docs/.../x.md) [f](references/Fields.md?raw)",
            "`[a](gone.md)`\n\n```md\n[a](gone.md)\n[r]: gone.md\n```\n\n    [a](gone.md)\n",
            "[^1]: not/a/link.md\n\n- [ ] (gone.md)\n- [x] gone.md\n\n\\[a](gone.md)",
            "[unused]: gone.md\n\n<https://x.y/gone.md> a[0](1) [x]() [site](www.example.com/x)",
        ] {
            assert_eq!(underlined(FILES, body), [""; 0], "{body}");
        }
    }

    #[test]
    fn bad_links_are_underlined_once() {
        let body = "é [a](gone.md) ![b](<gone two.md> 't') [c][r] [c][r] [d](gone.md)\n\n[r]: ../up.md\n\
                    | [t](table.md) |\n|---|\n| [u](cell.md#x) |\n\n[e](references/fields.md) [f](esc\\_aped.md)";
        assert_eq!(
            underlined(FILES, body),
            [
                "gone.md",
                "gone two.md",
                "../up.md",
                "table.md",
                "cell.md#x",
                "references/fields.md",
                "esc\\_aped.md"
            ]
        );
    }

    #[test]
    fn the_help_names_the_file_that_may_be_meant() {
        for (body, help) in [
            ("[a](Fields.md)", "did you mean `references/Fields.md`?"),
            ("[a](references/field.md)", "did you mean `references/Fields.md`?"),
            ("[a](references\\Fields.md)", "did you mean `references/Fields.md`?"),
            ("[a](REFERENCES/)", "write `references`"),
            ("[a](.env.md)", "give it a name without the dot, or name it without a link"),
            ("[a](nothing-like-it.md)", "add the file, or fix the link"),
            ("[a](tool/SKILL.md)", "add the file, or fix the link"),
            (
                "[a](..\\tool\\SKILL.md)",
                "there is no skill `tool` beside this one: fix the link, or name the skill without a link if it is \
                 shipped elsewhere",
            ),
        ] {
            assert_eq!(found(FILES, body).pop().map(|(_, help)| help).as_deref(), Some(help), "{body}");
        }
    }
}
