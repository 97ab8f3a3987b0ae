//! Secrets that are known by the name before them: `password = "…"`, `Bearer …`, `Authorization: Basic …`.

use std::ops::Range;

use super::forms::{NO_SECRETS, SECRET_NAMES};
use super::random::{distinct, is_mixed, is_password, looks_random, says_placeholder};
use super::shapes::{decoded, follows};
use super::{MIN_TOKEN, Secret};

/// The most bytes of a password. What is longer is data.
const MAX_PASSWORD: usize = 200;

/// The fewest bytes of a token that is known by nothing but the word `TOKEN`.
const MIN_BARE_TOKEN: usize = 24;

/// The secret that a run is by the name before it.
pub(super) fn secret(value: &[u8], before: &[u8], run: Range<usize>) -> Option<Secret> {
    if run.len() > MAX_PASSWORD {
        return None;
    }
    let is_basic = follows(before, b"basic");
    let name = if is_basic { Name::default() } else { name_before(before) };
    if is_basic || name.plain == "auth" {
        return has_password(value).then_some(Secret {
            what: "a user name and password in Base64",
            span: run,
            shown: 2,
        });
    }
    let is_named = name.is_secret() || follows(before, b"bearer") && !value.starts_with(b"eyJ");
    let is_long = run.len() >= MIN_TOKEN;
    let is_secret = match (is_named, is_long) {
        (true, true) => looks_random(value),
        (true, false) => looks_random(value) && is_mixed(value) && distinct(value) >= 10,
        (false, _) => {
            run.len() >= MIN_BARE_TOKEN && name.is_token() && looks_random(value) && is_mixed(value)
        }
    };
    is_secret.then_some(Secret { what: "a password or key", span: run, shown: 2 })
}

/// Whether a value in Base64 is `user:password`, with a password that somebody could use.
fn has_password(value: &[u8]) -> bool {
    let text = decoded(value);
    let is_text = text.iter().all(|byte| (b' '..=b'~').contains(byte));
    let Some(at) = text.iter().position(|byte| *byte == b':').filter(|_| is_text) else { return false };
    let (user, password) = (&text[..at], &text[at + 1..]);
    !user.is_empty() && is_password(password) && !says_placeholder(user)
}

/// What stands before `=` or `:`.
#[derive(Default)]
struct Name {
    /// As it is written.
    written: String,
    /// In lower case, without `_` and `-`.
    plain: String,
    /// Whether it is assigned with `=`.
    is_assigned: bool,
}

/// The name to which these bytes give a value, as `password = "` does.
fn name_before(before: &[u8]) -> Name {
    let sign = before.iter().rposition(|byte| !matches!(byte, b'"' | b'\'' | b'`' | b' '));
    let Some(sign) = sign.filter(|at| matches!(before[*at], b'=' | b':')) else { return Name::default() };
    let written: Vec<u8> = before[..sign]
        .iter()
        .rev()
        .skip_while(|byte| matches!(byte, b'"' | b'\'' | b' ' | b':'))
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        .copied()
        .collect();
    let written: String = written.into_iter().rev().map(char::from).collect();
    let plain = written.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase()).collect();
    Name { written, plain, is_assigned: before[sign] == b'=' }
}

impl Name {
    fn is_secret(&self) -> bool {
        SECRET_NAMES.iter().any(|secret| self.plain.ends_with(secret))
    }

    /// Whether it is a variable of the environment for a token: `VERCEL_TOKEN=`.
    fn is_token(&self) -> bool {
        let is_variable = !self.written.bytes().any(|byte| byte.is_ascii_lowercase());
        is_variable
            && self.is_assigned
            && self.plain.ends_with("token")
            && !NO_SECRETS.iter().any(|other| self.plain.ends_with(other))
    }
}
