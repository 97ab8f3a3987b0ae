//! What a file beside a SKILL.md holds that nobody meant: E015, L126, L127.

use std::borrow::Cow;

use skills_pack::bad_bytes;
use skills_source::code::Code;
use skills_source::document;
use skills_source::finding::Finding;
use skills_source::lfs;
use skills_source::rules::check_hidden;
use skills_source::source::Source;

/// Judges a file that is shown as `path`. Hidden characters are looked for in text alone.
pub(crate) fn check(path: impl Fn() -> String, bytes: &[u8]) -> Vec<Finding> {
    // A pointer is ASCII; anything else that begins like one is looked at as text.
    if lfs::is_pointer(bytes) {
        return vec![Finding::on_path(
            Code::L127,
            path(),
            "the file is a Git LFS pointer, not the file itself".to_owned(),
            lfs::HELP.to_owned(),
        )];
    }
    // Most files are ASCII; a file with a NUL is no text to a reader.
    if bytes.is_ascii() || bytes.contains(&0) {
        return Vec::new();
    }
    let text = match document::decode(bytes) {
        Ok(text) => Cow::Borrowed(text),
        // The text that a model is shown.
        Err(_) => match bad_bytes::replaced(bytes) {
            Some((text, _)) => Cow::Owned(text),
            None => return Vec::new(),
        },
    };
    let faults = check_hidden(&text);
    if faults.is_empty() {
        return Vec::new();
    }
    let source = Source::new(path(), &*text);
    faults.into_iter().map(|fault| Finding::new(&source, fault)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(bytes: &[u8]) -> Vec<Code> {
        check(|| "s/a.md".to_owned(), bytes).iter().map(|finding| finding.code).collect()
    }

    #[test]
    fn hidden_text_is_found_in_text_alone() {
        assert_eq!(codes("a\u{200b}b \u{e0041}".as_bytes()), [Code::E015, Code::L126]);
        assert_eq!(codes("\u{feff}a é 👩\u{200d}💻".as_bytes()), []);
        assert_eq!(codes("\0a\u{200b}b".as_bytes()), []);
        assert_eq!(codes(b"\xff\xe2\x80\x8b"), [Code::L126], "one bad byte does not hide it");
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
        assert_eq!(codes(pointer.as_bytes()), [Code::L127]);
        assert_eq!(codes(format!("{pointer}\u{e0041}").as_bytes()), [Code::E015]);
    }

    #[test]
    fn pointers_are_told_from_text_about_them() {
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
        assert_eq!(codes(pointer.as_bytes()), [Code::L127]);
        assert_eq!(codes(pointer.replace("git-lfs", "hawser").as_bytes()), [Code::L127]);
        assert_eq!(codes(pointer.replace('\n', "\r\n").as_bytes()), [Code::L127]);
        assert_eq!(codes(pointer.replace("version ", "version: ").as_bytes()), []);
        assert_eq!(codes(format!("```\n{pointer}```\n").as_bytes()), []);
        assert_eq!(codes(b"version https://git-lfs.github.com/spec/v1\n"), []);
        assert_eq!(codes(format!("{pointer}{}", "x".repeat(1024)).as_bytes()), []);
    }
}
