//! Stops the compilation of a program in which two bundles have a skill or a command with the same name.

use skills_pack::Shared;

use super::bundle::Bundle;

/// Stops the compilation if two bundles share a name. For the macro `skills::assert_disjoint!`, which passes the
/// expressions as text.
///
/// # Panics
///
/// Panics at compile time with the first shared name, and how many more there are.
#[doc(hidden)]
#[allow(clippy::panic, reason = "it stops the compilation of a program whose packs share a name")]
pub const fn assert_disjoint(one: &Bundle, other: &Bundle, one_text: &str, other_text: &str) {
    if let Some(shared) = one.pack().shared(&other.pack()) {
        let message = Message::of(&shared, one_text, other_text);
        panic!("{}", message.text());
    }
}

/// The longest message, in bytes. A longer one is cut.
const MAX: usize = 512;

struct Message {
    bytes: [u8; MAX],
    len: usize,
}

impl Message {
    const fn of(shared: &Shared<'_>, one: &str, other: &str) -> Self {
        let mut message = Self { bytes: [0; MAX], len: 0 };
        message.push(if shared.is_command { b"`/" } else { b"`" });
        message.push(shared.first);
        message.push(b"` is in `");
        message.push(one.as_bytes());
        message.push(b"` and in `");
        message.push(other.as_bytes());
        message.push(b"`");
        if shared.count > 1 {
            message.push(b", and so are ");
            message.push_number(shared.count - 1);
            message.push(b" more");
        }
        message
    }

    const fn push(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while at < bytes.len() && self.len < MAX {
            self.bytes[self.len] = bytes[at];
            self.len += 1;
            at += 1;
        }
    }

    const fn push_number(&mut self, number: usize) {
        if number > 9 {
            self.push_number(number / 10);
        }
        self.push(&[b'0' + (number % 10) as u8]);
    }

    const fn text(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "two bundles share a name",
        }
    }
}
