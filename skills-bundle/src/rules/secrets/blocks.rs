//! Blocks of private keys.

use std::ops::Range;

use super::{LOOK_BACK, MIN_TOKEN};

/// How many bytes the headers of a PGP block may have.
const HEADERS: usize = 400;

/// Whether a run is the first line of a private key, be the line ends above it written as `\n`.
pub(super) fn opens_private_key(bytes: &[u8], run: &Range<usize>) -> bool {
    let before = &bytes[run.start.saturating_sub(LOOK_BACK)..run.start];
    let is_between = |byte: &u8| matches!(byte, b'\n' | b'\r' | b' ' | b'\\' | b'"' | b'\t');
    let end = before.iter().rposition(|byte| !is_between(byte)).map_or(0, |at| at + 1);
    // In JSON the run begins with the `n` of `\n`, after its backslash.
    before[..end].ends_with(b"PRIVATE KEY-----") || opens_pgp(bytes, run)
}

/// Whether only headers, such as `Version: 1`, and blank lines are between a run and the first line of a private
/// key of PGP.
fn opens_pgp(bytes: &[u8], run: &Range<usize>) -> bool {
    const OPENING: &[u8] = b"PRIVATE KEY BLOCK-----";
    let is_line = run.len() >= 2 * MIN_TOKEN
        && run.start > 0
        && matches!(bytes[run.start - 1], b'\n' | b'\r' | b'\\' | b' ' | b'\t');
    if !is_line {
        return false;
    }
    let before = &bytes[run.start.saturating_sub(HEADERS)..run.start];
    let Some(at) = before.windows(OPENING.len()).rposition(|part| part == OPENING) else { return false };
    let between =
        String::from_utf8_lossy(&before[at + OPENING.len()..]).replace("\\r", "").replace("\\n", "\n");
    between.lines().map(str::trim).all(|line| {
        let is_header = line.split_once(':').is_some_and(|(name, _)| name.chars().all(char::is_alphanumeric));
        line.is_empty() || line == "\\" || is_header
    })
}
