//! Finds control characters, which YAML does not allow and of which the parser does not give the place.

use super::explain;
use crate::code::Code;
use crate::fault::Fault;
use crate::subject::Subject;

/// The first control character in `yaml`, which is at byte `base` of the text, and its fault.
pub(super) fn find(yaml: &str, base: usize, subject: Subject) -> Option<(usize, Fault)> {
    // Nearly every frontmatter is plain ASCII, which one pass over its bytes tells.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    if yaml.bytes().fold(true, |plain, byte| plain & is_plain(byte)) {
        return None;
    }
    let (at, found) = yaml.char_indices().find(|&(at, c)| {
        let mark_inside = c == '\u{feff}' && at > 0;
        // The parser takes U+0085, U+2028 and U+2029 for line ends; YAML 1.2 and editors do not.
        (c.is_control() && !matches!(c, '\t' | '\n' | '\r'))
            || matches!(c, '\u{2028}' | '\u{2029}')
            || mark_inside
            || c == '\u{fffe}'
            || c == '\u{ffff}'
    })?;
    let what = if found == '\u{feff}' { "byte-order mark" } else { "control character" };
    Some((
        at,
        Fault::new(
            Code::E003,
            base + at..base + at + found.len_utf8(),
            format!("{} is not valid YAML: it holds the {what} U+{:04X}", subject.the(), found as u32),
        )
        .label("this character, which most editors do not show")
        .help("delete it")
        .edit(explain::without_mark(yaml, base, at, subject)),
    ))
}
