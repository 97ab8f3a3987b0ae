//! The name: E007–E010, E015, L103, L108, L123.

use super::text::Top;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::{Rules, text};
use crate::code::Code;
use crate::fault::Fault;
use crate::frontmatter::command::COMMAND_NAME;
use crate::frontmatter::{Field, Frontmatter, NAME, Text};
use skills_pack::with_normalised;

/// The most characters of a name.
pub const MAX_NAME: usize = 64;

/// Which letters a name may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unicode {
    /// `a-z` and `0-9`.
    Ascii,
    /// Every lower-case or caseless letter and every digit, in the form NFKC.
    Any,
}

pub(super) fn check(read: &Frontmatter, dir_name: &str, top: Top, rules: &Rules, faults: &mut Vec<Fault>) {
    // A name that has to be changed anyway is not held against the directory's: it had best become that.
    let form = Form { field: NAME, has_underscore: false };
    if let Some((name, right, true)) = check_form(read, form, dir_name, Some(dir_name), top, rules, faults) {
        faults.extend(other_than_directory(name, &right, dir_name));
    }
}

/// The same of a slash command, whose file is `stem.command.yaml`.
pub(super) fn check_command(
    read: &Frontmatter,
    stem: &str,
    top: Top,
    rules: &Rules,
    faults: &mut Vec<Fault>,
) {
    let form = Form { field: COMMAND_NAME, has_underscore: true };
    if let Some((name, right, _)) = check_form(read, form, stem, None, top, rules, faults) {
        faults.extend(other_than_file(name, &right, stem));
    }
}

/// What differs between the name of a skill and that of a slash command.
#[derive(Clone, Copy)]
struct Form {
    field: Field,
    /// Whether it may hold `_`.
    has_underscore: bool,
}

/// Judges the name by itself. Returns it, if there is one, what it should be, and whether it is that; `elsewhere` is the
/// other place that has it, and `directory` what is proposed in place of a wrong one.
fn check_form<'r>(
    read: &'r Frontmatter,
    form: Form,
    elsewhere: &str,
    directory: Option<&str>,
    top: Top,
    rules: &Rules,
    faults: &mut Vec<Fault>,
) -> Option<(&'r Text, String, bool)> {
    let Some(name) = &read.name else {
        if !read.was_reported(form.field) {
            faults.push(missing(read, form.field, elsewhere, top, rules));
        }
        return None;
    };
    let unicode = if rules.unicode_names { Unicode::Any } else { Unicode::Ascii };
    let folded = fold(&name.value, unicode);
    let before = faults.len();
    faults.extend(text::control_characters("name", name, |_| false));
    faults.extend(too_long(name, &folded));
    let directory = directory.filter(|directory| is_valid(directory, unicode));
    faults.extend(wrong_character(name, &folded, unicode, form.has_underscore, directory));
    faults.extend(wrong_hyphens(name, &folded, directory));
    faults.extend(text::tag_like("name", name));
    let is_good = faults.len() == before;
    let right = if is_good { folded } else { slug(&name.value, unicode) };
    Some((name, right, is_good))
}

/// The form of a name that is judged.
pub(crate) fn fold(name: &str, unicode: Unicode) -> String {
    match unicode {
        Unicode::Ascii => name.to_owned(),
        Unicode::Any if name.is_ascii() => name.to_owned(),
        Unicode::Any => name.nfkc().collect(),
    }
}

/// The name under which a skill is kept: as a look-up has it, so that no name is out of its reach. A
/// valid name is in that form already.
pub(crate) fn kept(name: &str, unicode: Unicode) -> String {
    let mut kept = fold(name, unicode);
    loop {
        let next: String = with_normalised(&kept, |name| name.nfc().collect());
        if next.is_empty() || next == kept {
            return kept;
        }
        kept = next;
    }
}

/// The nearest text that is a valid name; empty where there is none.
pub(crate) fn slug(text: &str, unicode: Unicode) -> String {
    let mut slug = String::new();
    for c in letters(text, unicode) {
        if is_allowed(c, unicode) && c != '-' {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.chars().take(MAX_NAME).collect::<String>().trim_end_matches('-').to_owned()
}

/// The letters of a text in lower case; where only `a-z` may be in a name, without accents.
fn letters(text: &str, unicode: Unicode) -> Vec<char> {
    let mut letters = Vec::new();
    for c in text.nfkc().flat_map(char::to_lowercase) {
        match unicode {
            Unicode::Any => letters.push(c),
            Unicode::Ascii if c.is_ascii() => letters.push(c),
            Unicode::Ascii => match without_accent(c) {
                "" => letters.extend(Some(c).into_iter().nfd().filter(|c| !is_combining_mark(*c))),
                plain => letters.extend(plain.chars()),
            },
        }
    }
    letters
}

/// What is written for a letter that no accent makes; empty for others.
fn without_accent(c: char) -> &'static str {
    match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'þ' => "th",
        'ħ' => "h",
        'ı' => "i",
        'ŋ' => "n",
        _ => "",
    }
}

fn is_valid(name: &str, unicode: Unicode) -> bool {
    !name.is_empty() && slug(name, unicode) == name
}

/// The fault of a name's form where the directory's name is another skill's.
pub(crate) fn fault_without_directory(name: &Text, code: Code, unicode: Unicode) -> Option<Fault> {
    let folded = fold(&name.value, unicode);
    match code {
        Code::E009 => wrong_character(name, &folded, unicode, false, None),
        Code::E010 => wrong_hyphens(name, &folded, None),
        _ => None,
    }
}

/// What to write in place of a name, and the help that says so: the name of its directory, or what is nearest;
/// `None` where there is neither.
fn write_instead(name: &Text, slug: String, directory: Option<&str>) -> Option<(String, String)> {
    match directory.filter(|directory| *directory != slug) {
        Some(directory) => {
            let help = format!("write `{}: {directory}`, the directory's name", name.key);
            Some((directory.to_owned(), help))
        }
        None if slug.is_empty() => None,
        None => {
            let help = format!("write `{}: {slug}`", name.key);
            Some((slug, help))
        }
    }
}

fn is_allowed(c: char, unicode: Unicode) -> bool {
    match unicode {
        _ if c == '-' => true,
        Unicode::Ascii => c.is_ascii_lowercase() || c.is_ascii_digit(),
        Unicode::Any => c.is_alphanumeric() && c.to_lowercase().eq(std::iter::once(c)),
    }
}

fn missing(read: &Frontmatter, field: Field, elsewhere: &str, top: Top, rules: &Rules) -> Fault {
    let unicode = if rules.unicode_names { Unicode::Any } else { Unicode::Ascii };
    let slug = slug(elsewhere, unicode);
    let write =
        if slug.is_empty() { "write `name: …`".to_owned() } else { format!("write `name: {slug}`") };
    text::missing_field(read, field, top, Code::E007, &write)
}

fn too_long(name: &Text, folded: &str) -> Option<Fault> {
    let count = folded.chars().count();
    (count > MAX_NAME).then(|| {
        let from = name.value.char_indices().nth(MAX_NAME).map_or(name.value.len(), |(at, _)| at);
        Fault::new(
            Code::E008,
            name.part(from..name.value.len()),
            format!("`name` is longer than {MAX_NAME} characters"),
        )
        .label(format!("it has {count}"))
        .help("shorten it; what the skill does belongs into `description`")
    })
}

fn wrong_character(
    name: &Text,
    folded: &str,
    unicode: Unicode,
    has_underscore: bool,
    directory: Option<&str>,
) -> Option<Fault> {
    // What E015 reports is not reported again.
    let is_reported = text::control_characters("name", name, |_| false).is_some();
    let is_fine = |c: char| {
        is_allowed(c, unicode) || (has_underscore && c == '_') || (is_reported && text::is_hostile(c))
    };
    if folded.chars().all(is_fine) {
        return None;
    }
    // What the name folds to decides; the first character that folds to a wrong one is shown.
    let (at, wrong) = name
        .value
        .char_indices()
        .find(|&(_, c)| !fold(c.encode_utf8(&mut [0; 4]), unicode).chars().all(is_fine))
        .unwrap_or((0, name.value.chars().next()?));
    let allowed = match (unicode, has_underscore) {
        (Unicode::Ascii, false) => "`name` may hold only a-z, 0-9 and `-`",
        (Unicode::Ascii, true) => "`name` may hold only a-z, 0-9, `-` and `_`",
        (Unicode::Any, false) => "`name` may hold only lower-case letters, digits and `-`",
        (Unicode::Any, true) => "`name` may hold only lower-case letters, digits, `-` and `_`",
    };
    let fault = Fault::new(Code::E009, name.part(at..at + wrong.len_utf8()), allowed)
        .label(format!("this `{wrong}`"));
    Some(match write_instead(name, slug(&name.value, unicode), directory) {
        None => fault.help("choose a name of these characters"),
        Some((right, help)) => {
            let is_foreign = unicode == Unicode::Ascii && wrong.is_alphanumeric() && !wrong.is_ascii();
            let or_else = if is_foreign { ", or switch Unicode names on" } else { "" };
            fault.help(format!("{help}{or_else}")).suggested(name.span.clone(), right)
        }
    })
}

fn wrong_hyphens(name: &Text, folded: &str, directory: Option<&str>) -> Option<Fault> {
    let (part, message) = if folded.starts_with('-') {
        (0..1, "`name` may not start with `-`")
    } else if folded.ends_with('-') {
        (name.value.char_indices().next_back()?.0..name.value.len(), "`name` may not end with `-`")
    } else {
        let at = folded.find("--")?;
        let at = name.value.find("--").unwrap_or(at);
        (at..at + 2, "`name` may not hold `--`")
    };
    let fault = Fault::new(Code::E010, name.part(part), message).label("here");
    Some(match write_instead(name, slug(&name.value, Unicode::Any), directory) {
        None => fault.help("choose another name"),
        Some((right, help)) => fault.help(help).suggested(name.span.clone(), right),
    })
}

/// Whether a name is, or should be, another one than its directory's or file's.
fn is_other(name: &Text, right: &str, elsewhere: &str) -> bool {
    let is_same = |name: &str| fold(elsewhere, Unicode::Any) == fold(name, Unicode::Any);
    !(right.is_empty() || elsewhere.is_empty() || is_same(right) || is_same(&name.value))
}

fn other_than_file(name: &Text, right: &str, stem: &str) -> Option<Fault> {
    is_other(name, right, stem).then(|| {
        Fault::new(Code::L123, name.span.clone(), "`name` differs from the file's name")
            .label(format!("the file is `{}.command.yaml`", stem.escape_debug()))
            .help(format!("rename the file to `{right}.command.yaml`, or write the file's name"))
            .suggested(name.span.clone(), stem)
    })
}

fn other_than_directory(name: &Text, right: &str, dir_name: &str) -> Option<Fault> {
    let fault = is_other(name, right, dir_name).then(|| {
        Fault::new(Code::L103, name.span.clone(), "`name` differs from the directory's name")
            .label(format!("the directory is `{}`", dir_name.escape_debug()))
            .help(format!("rename the directory to `{right}`, or write the directory's name"))
    });
    // A directory's name that is no valid name is not to be copied.
    fault.map(|fault| {
        if is_valid(dir_name, Unicode::Any) { fault.suggested(name.span.clone(), dir_name) } else { fault }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_a_valid_name_or_empty() {
        assert_eq!(slug("PDF_Tools  (new)", Unicode::Ascii), "pdf-tools-new");
        assert_eq!(slug("--a--b--", Unicode::Ascii), "a-b");
        assert_eq!(slug("Émile", Unicode::Any), "émile");
        for (name, plain) in [
            ("über", "uber"),
            ("Crème brûlée", "creme-brulee"),
            ("Straße", "strasse"),
            ("Łódź", "lodz"),
            ("naïve_Æther", "naive-aether"),
        ] {
            assert_eq!(slug(name, Unicode::Ascii), plain);
        }
        assert_eq!(slug("u\u{308}ber", Unicode::Ascii), "uber");
        assert_eq!(slug("技能", Unicode::Ascii), "");
        assert_eq!(slug("ｗｉｄｅ", Unicode::Ascii), "wide");
    }
}
