//! Reads one SKILL.md: bytes in, a skill and all findings out.
//!
//! The phases run one after the other, each reports all its faults, and the next runs on what
//! survived. The bytes come from the caller; other skills are not known here.

use std::ops::Range;
use std::sync::Arc;

use crate::code::Code;
use crate::document::{self, Document};
use crate::edits;
use crate::fault::Fault;
use crate::finding::{Finding, Related};
use crate::frontmatter::{self, DESCRIPTION, Frontmatter, NAME, WHEN_TO_USE};
use crate::lfs;
use crate::rules::{self, Profile, Rules, Unicode};
use crate::source::{Source, Span};
use crate::subject::Subject;
use crate::yaml;

/// A SKILL.md that could be read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SkillText {
    /// The name, in the one form that is stored and compared. Empty where it could not be read.
    pub name: String,
    /// The fields. Their spans are offsets into the text without a byte-order mark.
    pub frontmatter: Frontmatter,
    /// The body.
    pub body: Body,
    /// Where the body is, with the file's own line ends: an offset into the text without a
    /// byte-order mark.
    pub body_span: Span,
    /// How many bytes come before the text: a byte-order mark, or nothing.
    pub mark_len: usize,
    /// The file down to the end of its frontmatter, to point at from another skill's finding.
    pub head: Arc<Source>,
    /// Where the name is in it, or the opening fence where there is no name.
    name_span: Span,
    /// By which letters the name was judged.
    unicode: Unicode,
}

/// The body of a skill: trimmed, with line feeds only.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Body {
    /// The file has it like this: byte offsets into the file.
    Slice(Range<usize>),
    /// It has other line ends in the file.
    Normalised(String),
}

/// Reads the SKILL.md with these `bytes`. `path` is the file's path to be shown, `dir_name` the name
/// of its directory.
///
/// Findings are at their level by `rules`; allowed ones are left out. The skill is `None` where its
/// frontmatter could not be read; it may be used if no finding is at [`Level::Deny`](crate::code::Level::Deny).
pub fn read(path: &str, dir_name: &str, bytes: &[u8], rules: &Rules) -> (Option<SkillText>, Vec<Finding>) {
    let text = match document::decode(bytes) {
        Ok(text) => text,
        Err(error) => return (None, vec![not_utf8(path, error)]),
    };
    let (skill, mut faults) = read_text(path, text, dir_name, bytes.len() - text.len(), rules);
    if rules.profile() == Profile::Standard && text.len() < bytes.len() {
        faults.push(mark_above_the_fence());
    }
    faults.retain(|fault| rules.is_on(fault.code));
    if faults.is_empty() {
        return (skill, Vec::new());
    }
    let source = Source::new(path, text);
    let mut findings = rules.apply(faults.into_iter().map(|fault| Finding::new(&source, fault)));
    findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    (skill, findings)
}

fn read_text(
    path: &str,
    text: &str,
    dir_name: &str,
    mark_len: usize,
    rules: &Rules,
) -> (Option<SkillText>, Vec<Fault>) {
    let document = match document::split(text) {
        Ok(document) => document,
        Err(_) if lfs::is_pointer(text.as_bytes()) => return (None, vec![pointer(text)]),
        Err(fault) => return (None, vec![fault]),
    };
    let fence = fence_above(text, document.frontmatter.start);
    let Document { frontmatter: yaml, .. } = &document;
    if yaml.len() > rules.max_frontmatter_bytes {
        let mut faults = vec![too_large(fence, yaml.len(), rules.max_frontmatter_bytes)];
        rules::check_body(text, &document, rules, &mut faults);
        return (None, faults);
    }
    let (root, mut faults) = yaml::read(text, yaml.clone(), Subject::Frontmatter);
    let Some(root) = root else {
        edits::forget(&mut faults);
        rules::check_body(text, &document, rules, &mut faults);
        return (None, faults);
    };
    let frontmatter = match frontmatter::read(root, yaml.clone()) {
        Ok((mut frontmatter, found)) => {
            frontmatter.reported.extend(misplaced(text, &faults));
            faults.retain(|fault| !is_told_by(&frontmatter, &found, fault));
            faults.extend(found);
            frontmatter
        }
        Err(mut fault) => {
            yaml::point_at_sign(text, yaml.clone(), Subject::Frontmatter, true, &mut fault);
            edits::forget(&mut faults);
            faults.push(fault);
            rules::check_body(text, &document, rules, &mut faults);
            return (None, faults);
        }
    };
    faults.extend(rules::check(text, &document, &frontmatter, dir_name, fence.clone(), rules));
    forget_twice(&mut faults);
    for fault in &mut faults {
        edits::complete(text, &frontmatter, fault);
    }
    let unicode = if rules.unicode_names { Unicode::Any } else { Unicode::Ascii };
    let name = frontmatter.name.as_ref().map(|name| rules::kept(&name.value, unicode)).unwrap_or_default();
    let name_span = frontmatter.name.as_ref().map_or(fence, |name| name.span.clone());
    let head = Source::new(path, &text[..yaml.end]);
    let body = body(text, document.body.clone(), mark_len);
    let body_span = document.body;
    (Some(SkillText { name, frontmatter, body, body_span, mark_len, head, name_span, unicode }), faults)
}

impl SkillText {
    /// Where the name is, to point at from another skill's finding.
    pub fn name_place(&self) -> Related {
        Related::new(&self.head, self.name_span.clone(), "")
    }

    /// Has a finding on the name's form propose something else than the directory's name, which another
    /// skill has.
    pub(crate) fn propose_no_directory(&self, finding: &mut Finding) {
        let name = self.frontmatter.name.as_ref();
        let fault = name.and_then(|name| rules::fault_without_directory(name, finding.code, self.unicode));
        if let Some(fault) = fault {
            finding.help = fault.help;
            finding.suggested = fault.suggested.map(|edit| *edit);
        }
    }
}

/// The fields that a fault in the YAML already speaks of, since the line at fault is their key: one that
/// is indented, or has no colon. They are not missing as well.
fn misplaced(text: &str, faults: &[Fault]) -> Vec<&'static str> {
    let mut fields = Vec::new();
    for fault in faults.iter().filter(|fault| fault.code == Code::E003) {
        let line = text[..fault.span.start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let before = text[line..fault.span.start].trim();
        let key = if before.is_empty() { text[fault.span.clone()].trim() } else { before };
        let named = [NAME, DESCRIPTION, WHEN_TO_USE].into_iter().filter(|field| field.names.contains(&key));
        fields.extend(named.map(|field| field.name()));
    }
    fields
}

/// Whether a fault inside a value says again what one of the whole value says: that it has a wrong form.
fn is_told_by(frontmatter: &Frontmatter, found: &[Fault], fault: &Fault) -> bool {
    let entry = |at: usize| frontmatter.entries.iter().rposition(|entry| entry.key_span.start <= at);
    fault.code == Code::E012
        && found.iter().any(|of| of.code == Code::E012 && entry(of.span.start) == entry(fault.span.start))
}

/// A mark inside a value is no YAML, which is all that has to be said of it.
fn forget_twice(faults: &mut Vec<Fault>) {
    let yaml: Vec<Span> =
        faults.iter().filter(|fault| fault.code == Code::E003).map(|fault| fault.span.clone()).collect();
    faults.retain(|fault| {
        fault.code != Code::E015 || !yaml.iter().any(|span| span.contains(&fault.span.start))
    });
}

/// We drop the mark; the reference validator takes it for text above the fence.
fn mark_above_the_fence() -> Fault {
    Fault::new(Code::E001, 0..0, "a byte-order mark stands before the opening fence")
        .label("in front of this, unseen")
        .help("save the file as UTF-8 without a byte-order mark")
}

fn pointer(text: &str) -> Fault {
    let first = 0..text.find(['\n', '\r']).unwrap_or(text.len());
    Fault::new(Code::E001, first, "the file is a Git LFS pointer, not a SKILL.md")
        .label("what Git LFS keeps in its place")
        .help(lfs::HELP)
}

fn fence_above(text: &str, frontmatter_start: usize) -> Range<usize> {
    let start = text[..frontmatter_start].rfind("---").unwrap_or(0);
    start..(start + 3).min(text.len())
}

fn body(text: &str, span: Range<usize>, mark_len: usize) -> Body {
    let body = &text[span.clone()];
    if body.contains('\r') {
        Body::Normalised(body.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Body::Slice(span.start + mark_len..span.end + mark_len)
    }
}

fn too_large(fence: Range<usize>, len: usize, max: usize) -> Fault {
    Fault::new(Code::E018, fence, format!("the frontmatter is larger than {max} bytes: it has {len}"))
        .label("it begins here")
        .help("put data into a file beside SKILL.md, and instructions into the body")
}

/// E006, of any file that must be text.
pub(crate) fn not_utf8(path: &str, error: document::NotUtf8) -> Finding {
    const HELP: &str = "save the file as UTF-8";
    match error.shown {
        Some((text, span)) => {
            let fault = Fault::new(Code::E006, span, error.message).label("here").help(HELP);
            Finding::new(&Source::new(path, text), fault)
        }
        None => Finding::on_path(Code::E006, path.to_owned(), error.message, HELP.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<(Code, u32, u32)> {
        let (_, findings) = read("s/pdf/SKILL.md", "pdf", text.as_bytes(), &Rules::default());
        findings.iter().map(|finding| (finding.code, finding.line, finding.column)).collect()
    }

    #[test]
    fn a_good_skill_has_no_findings() {
        assert_eq!(codes("---\nname: pdf\ndescription: Reads PDF forms\n---\n\nBody\n"), []);
    }

    #[test]
    fn all_faults_of_a_file_come_at_once() {
        assert_eq!(
            codes("---\nname: pdf_Tools\ndescription: a: <b>\nsummary: c\nlicense: [x]\n---\n"),
            [
                (Code::E009, 2, 10),
                (Code::E003, 3, 15),
                (Code::L108, 3, 17),
                (Code::L109, 4, 1),
                (Code::E012, 5, 1)
            ]
            .into_iter()
            .fold(Vec::new(), |mut sorted, finding| {
                sorted.push(finding);
                sorted.sort_by_key(|&(code, line, column)| (line, column, code));
                sorted
            })
        );
    }

    #[test]
    fn the_standard_refuses_a_mark() {
        let text = "\u{feff}---\nname: pdf\ndescription: x\n---\n".as_bytes();
        assert!(read("s", "pdf", text, &Rules::default()).1.is_empty());
        let (skill, found) = read("s", "pdf", text, &Rules::of(Profile::Standard));
        assert!(skill.is_some());
        assert_eq!(found.iter().map(|finding| finding.code).collect::<Vec<_>>(), [Code::E001]);
    }

    #[test]
    fn missing_fields_are_told_apart() {
        assert_eq!(codes("---\nlicense: MIT\n---\n"), [(Code::E007, 1, 1), (Code::E011, 1, 1)]);
        assert_eq!(codes("---\nname: null\nDescription: x\n---\n"), [(Code::E007, 2, 1), (Code::E011, 3, 1)]);
        assert_eq!(codes("---\nname: @pdf\ndescription: x\n---\n"), [(Code::E003, 2, 7)]);
    }

    #[test]
    fn a_field_that_is_not_where_it_should_be_is_not_missing_as_well() {
        assert_eq!(codes("---\nname: pdf\n  description: x\n---\n"), [(Code::E003, 3, 14)]);
        assert_eq!(codes("---\nname: pdf\ndescription\nlicense: MIT\n---\n"), [(Code::E003, 3, 1)]);
        assert_eq!(codes("---\nname\ndescription: x\n---\n"), [(Code::E003, 2, 1)]);
        let other = codes("---\nname: pdf\n  licence: x\n---\n");
        assert_eq!(other, [(Code::E011, 1, 1), (Code::E003, 3, 10)]);
    }

    #[test]
    fn one_fault_of_form_is_one_finding() {
        assert_eq!(codes("---\nname: pdf\ndescription: {{ x }}\n---\n"), [(Code::E012, 3, 1)]);
        assert_eq!(
            codes("---\nname: pdf\ndescription: x\n! allowed-tools: Read\n---\n"),
            [(Code::E012, 4, 1)]
        );
        let unknown = codes("---\nname: pdf\ndescription: x\nother: {{ x }}\n---\n");
        assert_eq!(unknown, [(Code::L104, 4, 1), (Code::E012, 4, 11)]);
    }

    #[test]
    fn a_frontmatter_that_cannot_be_read_hides_nothing_of_the_body() {
        for (frontmatter, code) in [
            ("name: [".to_owned(), Code::E003),
            ("- name".to_owned(), Code::E004),
            ("x".repeat(20_000), Code::E018),
        ] {
            let found = |body: &str| {
                let mut found = codes(&format!("---\n{frontmatter}\n---\n{body}"));
                found.retain(|(_, line, _)| *line != 2);
                found.into_iter().map(|(code, ..)| code).collect::<Vec<_>>()
            };
            let of_body = |body: &str| found(body).contains(&Code::L106);
            assert!(of_body(&"x\n".repeat(501)), "{code}: {:?}", found(&"x\n".repeat(501)));
            assert!(!of_body(&"x\n".repeat(500)), "{code}");
        }
    }

    #[test]
    fn brackets_in_a_text_do_not_nest() {
        let open = "[{".repeat(40);
        for line in [
            format!("license: a {open}"),
            format!("license: \"{open}\""),
            format!("license: |\n  a {open}\n  b"),
            format!("# {open}"),
        ] {
            let text = format!("---\nname: pdf\ndescription: x\n{line}\n---\n");
            assert_eq!(codes(&text), [], "{line}");
        }
        for line in [
            format!("a: {open}"),
            format!("a: {}", "[ \"x\", ".repeat(40)),
            format!("a:\n  - {open}"),
            format!("a: !t {open}"),
            format!("a: &b\n  {open}"),
            format!("? {open}"),
            open.clone(),
        ] {
            let found = codes(&format!("---\nname: pdf\ndescription: x\n{line}\n---\n"));
            assert!(matches!(found[..], [(Code::E018, _, _)]), "{line}: {found:?}");
        }
    }

    #[test]
    fn the_body_is_a_slice_unless_line_ends_forbid() {
        let text = b"\xef\xbb\xbf---\nname: a\n---\n\n body \n";
        let (skill, _) = read("s", "a", text, &Rules::default());
        let Some(SkillText { body: Body::Slice(span), .. }) = skill else { panic!("not a slice") };
        assert_eq!(&text[span], b"body");
        let (skill, _) = read("s", "a", b"---\nname: a\n---\r\nx\r\ny\rz\r\n", &Rules::default());
        assert_eq!(skill.map(|skill| skill.body), Some(Body::Normalised("x\ny\nz".to_owned())));
    }

    #[test]
    fn lengths_count_characters() {
        let with = |n: usize| format!("---\nname: pdf\ndescription: {}\n---\n", "😀".repeat(n));
        assert_eq!(codes(&with(1024)), []);
        assert_eq!(codes(&with(1025)), [(Code::L101, 3, 14 + 1024)]);
        // The blank between the two counts too.
        let both = |n: usize| {
            format!("---\nname: pdf\ndescription: {}\nwhen_to_use: {}\n---\n", "é".repeat(n), "x".repeat(24))
        };
        assert_eq!(codes(&both(999)), []);
        assert_eq!(codes(&both(1000)), [(Code::L101, 4, 14 + 23)]);
        assert_eq!(codes(&both(1024)), [(Code::L101, 4, 14)]);
    }
}
