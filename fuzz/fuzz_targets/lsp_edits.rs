//! The text of the language server is that of the editor, whatever is typed and wherever.

#![no_main]
#![allow(dead_code, reason = "these are files of a program, of which only the text of a document is tried here")]

use libfuzzer_sys::fuzz_target;

#[path = "../../skills-cli/src/lsp/document.rs"]
mod document;
#[path = "../../skills-cli/src/lsp/place.rs"]
mod place;
#[path = "../../skills-cli/src/lsp/position.rs"]
mod position;
#[path = "../../skills-cli/src/lsp/typing.rs"]
mod typing;

/// The most notifications of one run, which the text grows with.
const MOST: usize = 200;

fuzz_target!(|bytes: &[u8]| {
    // The first bytes say how long the text is with which it begins.
    let (len, rest) = bytes.split_first().map_or((0, bytes), |(len, rest)| (usize::from(*len), rest));
    let (text, decisions) = rest.split_at(len.min(rest.len()));
    let mut decisions = decisions.iter();
    let mut below = |end: usize| {
        // As many bytes as the number may need; at the end of the input it is 0.
        let needed = (usize::BITS - end.leading_zeros()).div_ceil(8).max(1);
        let number = decisions.by_ref().take(needed as usize).fold(0, |number, byte| number << 8 | usize::from(*byte));
        number % end
    };
    let notifications = (bytes.len() / 8).clamp(1, MOST) as i32;
    typing::leaves_the_same_text(&String::from_utf8_lossy(text), notifications, &mut below);
});
