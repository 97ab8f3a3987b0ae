//! What a skill costs and under which licence it comes, before and after.

use skills_source::rules::Rules;
use skills_source::scan::SKILL_FILE;
use skills_source::skill;

use super::pair::{Pair, Seen};
use super::{Change, Items, Kind, count};

/// What a token is taken for: English has about four letters a token.
const BYTES_A_TOKEN: usize = 4;

/// Lengths in bytes.
#[derive(Default, PartialEq, Eq)]
pub(super) struct Cost {
    license: Option<String>,
    /// What is in every prompt.
    pub(super) catalogue: usize,
    pub(super) body: usize,
    /// The text of the other files, which a model may ask for.
    pub(super) files: usize,
    size: u64,
    /// Text that isn't available isn't counted.
    is_partial: bool,
}

/// About how many tokens a text of this length is.
pub(super) fn tokens(bytes: usize) -> u64 {
    bytes.div_ceil(BYTES_A_TOKEN) as u64
}

pub(super) fn find(pair: &Pair<'_>, items: &mut Items<'_, '_>) {
    let mut old = of(pair.name, pair.files.iter().filter_map(|file| file.old.as_ref()));
    if old.is_partial {
        // The text may be what isn't available, and the lock has it.
        let locked = pair.old.and_then(|skill| skill.locked.as_ref());
        old.license = old.license.or_else(|| locked.and_then(|locked| locked.license.clone()));
    }
    let new = of(pair.name, pair.files.iter().filter_map(|file| file.new.as_ref()));
    let change = match (pair.old, pair.new) {
        (None, _) => Change::Added,
        (_, None) => Change::Removed,
        _ => Change::Changed,
    };
    if old.license != new.license {
        items.skill(Kind::Cost, change, "the licence").values(old.license.clone(), new.license.clone());
    }
    for file in pair.files.iter().filter(|file| file.is_news() && is_license(file.path())) {
        items.file(
            Kind::Cost,
            change_of(file.old.is_some(), file.new.is_some()),
            file.path(),
            0,
            "the text of a licence",
        );
    }
    let tokens = |bytes: usize| format!("about {}", count(tokens(bytes), "token"));
    let mut sizes = vec![("bytes in all", count(old.size, "byte"), count(new.size, "byte"))];
    if !old.is_partial && !new.is_partial {
        sizes.push(("in every prompt", tokens(old.catalogue), tokens(new.catalogue)));
        sizes.push(("when it is loaded", tokens(old.body), tokens(new.body)));
        sizes.push(("if all files are read", tokens(old.files), tokens(new.files)));
    }
    for (what, before, after) in sizes.into_iter().filter(|(_, before, after)| before != after) {
        let (before, after) = (pair.old.map(|_| before), pair.new.map(|_| after));
        items.skill(Kind::Cost, change, what).values(before, after);
    }
}

fn change_of(is_old: bool, is_new: bool) -> Change {
    match (is_old, is_new) {
        (false, _) => Change::Added,
        (_, false) => Change::Removed,
        _ => Change::Changed,
    }
}

pub(super) fn of<'s>(name: &str, files: impl Iterator<Item = &'s Seen<'s>>) -> Cost {
    let mut cost = Cost::default();
    for file in files {
        cost.size += file.line.size;
        let Some(text) = file.shown() else {
            cost.is_partial |= matches!(file.content, super::pair::Content::Unknown);
            continue;
        };
        if file.line.path != SKILL_FILE {
            cost.files += text.len();
            continue;
        }
        let (read, _) = skill::read(SKILL_FILE, name, text.as_bytes(), &Rules::default());
        let Some(read) = read else { continue };
        let fields = &read.frontmatter;
        cost.license = fields.license.as_ref().map(|license| license.value.clone());
        cost.catalogue = read.name.len() + fields.whole_description().len();
        cost.body = read.body_span.len();
    }
    cost
}

fn is_license(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_uppercase();
    ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|license| name.starts_with(license))
}
