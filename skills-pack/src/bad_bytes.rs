//! Text in another encoding than UTF-8, as a model is shown it.
//!
//! A file that is read, and the rules about what is hidden in it, see the same text.

use alloc::string::String;

/// The text with U+FFFD for each byte that isn't UTF-8, and the number of these bytes. `None` if all of it is
/// UTF-8, or if the file looks binary.
pub fn replaced(bytes: &[u8]) -> Option<(String, usize)> {
    if core::str::from_utf8(bytes).is_ok() || !looks_like_text(bytes) {
        return None;
    }
    let (mut text, mut bad) = (String::with_capacity(bytes.len()), 0);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        bad += chunk.invalid().len();
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    Some((text, bad))
}

/// How many bytes of a file are looked at to tell whether it is text.
const EXAMINED: usize = 8 * 1024;

/// Whether bytes that aren't UTF-8 are text in another encoding: without a NUL, and with at most 1 % of control
/// characters at the start.
fn looks_like_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(EXAMINED)];
    let is_control = |byte: &&u8| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    !bytes.contains(&0) && head.iter().filter(is_control).count() * 100 <= head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_in_another_encoding_is_replaced() {
        assert_eq!(replaced(b"caf\xe9 \xff"), Some(("caf\u{fffd} \u{fffd}".into(), 2)));
        assert_eq!(replaced("café".as_bytes()), None);
        assert_eq!(replaced(b"\xff\0"), None);
        assert_eq!(replaced(b"\xff\x01\x02"), None);
    }
}
