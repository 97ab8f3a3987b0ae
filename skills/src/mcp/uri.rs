//! URIs of skills and their files: `skill://NAME/PATH`.
//!
//! Every part is percent-encoded, so each name or path has one URI. A URI is split and compared, and never
//! joined to a path.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

const SCHEME: &str = "skill";

/// All characters except those that RFC 3986 calls unreserved.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The URI of a skill's file or directory; of the skill itself if `path` is empty.
pub(super) fn of(name: &str, path: &str) -> String {
    let mut uri = format!("{SCHEME}://{}", utf8_percent_encode(name, ESCAPED));
    for part in path.split('/').filter(|part| !part.is_empty()) {
        uri.push('/');
        uri.extend(utf8_percent_encode(part, ESCAPED));
    }
    uri
}

/// What a URI names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) name: String,
    /// Relative to the skill's directory, with `/`; empty for the directory itself.
    pub(super) path: String,
}

/// Splits a URI, or says why it isn't the URI of a skill. Any encoding of a character is accepted.
pub(super) fn parse(uri: &str) -> Result<Place, &'static str> {
    let (scheme, rest) = uri.split_once("://").ok_or("expected a URI of the form skill://NAME/PATH")?;
    if !scheme.eq_ignore_ascii_case(SCHEME) {
        return Err("only URIs that begin with skill:// are served");
    }
    if rest.contains(['?', '#']) {
        return Err("a skill's URI has no query and no fragment");
    }
    let mut parts = rest.split('/').map(decode);
    let name = parts.next().unwrap_or(Err(EMPTY))?.into_owned();
    let mut path = String::new();
    for part in parts {
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(&part?);
    }
    Ok(Place { name, path })
}

const EMPTY: &str = "a part of it is empty";

fn decode(part: &str) -> Result<Cow<'_, str>, &'static str> {
    let mut escapes = part.split('%').skip(1).map(str::as_bytes);
    if !escapes.all(|after| matches!(after, [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())) {
        return Err("it has a percent sign without two hexadecimal digits after it");
    }
    let decoded = percent_decode_str(part).decode_utf8().map_err(|_| "it is not UTF-8")?;
    match &*decoded {
        "" => Err(EMPTY),
        "." | ".." => Err("it may not leave the skill's directory"),
        decoded if decoded.contains(['/', '\0']) => Err("a part of it holds a slash or a NUL"),
        _ => Ok(decoded),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_escaped_and_read_back() {
        let uri = of("技能", "a b/ü%2F?#&+.md");
        assert_eq!(uri, "skill://%E6%8A%80%E8%83%BD/a%20b/%C3%BC%252F%3F%23%26%2B.md");
        let place = parse(&uri).unwrap();
        assert_eq!((place.name.as_str(), place.path.as_str()), ("技能", "a b/ü%2F?#&+.md"));
        assert_eq!(of("pdf", ""), "skill://pdf");
        assert_eq!(parse("skill://pdf").unwrap().path, "");
    }

    #[test]
    fn other_encodings_name_the_same_file() {
        let expected = parse("skill://pdf/a%2Cb.md").unwrap();
        for uri in ["SKILL://pdf/a,b.md", "skill://%70df/a%2cb.md", "skill://pdf/%61%2Cb%2Emd"] {
            assert_eq!(parse(uri).unwrap(), expected, "{uri}");
        }
    }

    #[test]
    fn uris_of_other_things_are_refused() {
        for uri in [
            "",
            "pdf",
            "skill:/pdf/SKILL.md",
            "file:///etc/passwd",
            "https://pdf/SKILL.md",
            "skill://",
            "skill:///SKILL.md",
            "skill://pdf//SKILL.md",
            "skill://pdf/",
            "skill://pdf/../x",
            "skill://pdf/%2e%2E/x",
            "skill://../SKILL.md",
            "skill://pdf/.",
            "skill://pdf/a%2Fb",
            "skill://pdf/..%2f..%2fetc",
            "skill://pdf/%00",
            "skill://pdf/a%",
            "skill://pdf/a%2",
            "skill://pdf/a%zz",
            "skill://pdf/%ff",
            "skill://pdf/%C3%28",
            "skill://pdf/SKILL.md?x",
            "skill://pdf/SKILL.md#x",
        ] {
            assert!(parse(uri).is_err(), "{uri}");
        }
    }
}
