//! Secrets in URLs: passwords, and signatures that give access.

use super::random::{distinct, is_password};
use super::shapes::decoded;
use super::{LOOK_BACK, Secret};

/// Passwords in URLs: `scheme://user:password@host`.
pub(super) fn passwords(bytes: &[u8]) -> Vec<Secret> {
    let signs = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'@').map(|(at, _)| at);
    signs.filter_map(|at| password(bytes, at)).collect()
}

fn password(bytes: &[u8], at: usize) -> Option<Secret> {
    let window = &bytes[at.saturating_sub(200)..at];
    let password_start = window.iter().rposition(|byte| *byte == b':')? + 1;
    let (user, password) = (&window[..password_start - 1], &window[password_start..]);
    let scheme_end = user.windows(3).rposition(|part| part == b"://")?;
    let is_user =
        user[scheme_end + 3..].iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.%".contains(byte));
    let is_plain = !password.windows(2).any(|two| two == b"..")
        && password.iter().all(|byte| byte.is_ascii_graphic() && !b"<>{}[]()$*\"'`/|".contains(byte));
    let host = &bytes[at + 1..(at + 1 + LOOK_BACK).min(bytes.len())];
    let is_remote = host.starts_with(b"db.")
        || !["localhost", "127.", "host", "example", "0.0.0.0"]
            .iter()
            .any(|local| host.starts_with(local.as_bytes()));
    let is_name = host
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b".-".contains(byte))
        .any(|byte| *byte == b'.');
    let says_example = host.windows(7).any(|part| part == b"example");
    (is_user && is_plain && is_remote && is_name && !says_example && is_password(password)).then(|| Secret {
        what: "a password in a URL",
        span: at - password.len()..at,
        shown: 0,
    })
}

/// How many bytes a signature with its percent signs has at most, and `sig=` before it.
const SIGNATURE: usize = 140;

/// Signatures of shared access in Azure: `sig=`, 44 characters of Base64 with percent signs, of which the last is
/// `%3D`.
pub(super) fn signatures(bytes: &[u8]) -> Vec<Secret> {
    let signs = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'%').map(|(at, _)| at);
    signs.filter_map(|at| signature(bytes, at)).collect()
}

fn signature(bytes: &[u8], end: usize) -> Option<Secret> {
    let is_last = bytes.get(end + 1..end + 3).is_some_and(|code| code.eq_ignore_ascii_case(b"3d"));
    if !is_last {
        return None;
    }
    let window = &bytes[end.saturating_sub(SIGNATURE)..end];
    let mark = window.windows(4).rposition(|part| part == b"sig=")?;
    let is_parameter = mark == 0 || matches!(window[mark - 1], b'?' | b'&' | b';');
    let start = end - window.len() + mark + 4;
    let mut value = Vec::with_capacity(44);
    let mut at = start;
    while at < end {
        let byte = bytes[at];
        let code = bytes.get(at + 1..at + 3).filter(|_| byte == b'%').map(<[u8]>::to_ascii_lowercase);
        value.push(match code.as_deref() {
            Some(b"2b") => b'+',
            Some(b"2f") => b'/',
            Some(_) => return None,
            None => byte,
        });
        at += if byte == b'%' { 3 } else { 1 };
    }
    let is_one = value.len() == 43 && decoded(&value).len() == 32 && distinct(&value) > 16;
    (is_parameter && is_one).then_some(Secret {
        what: "a signature for shared access",
        span: start..end,
        shown: 0,
    })
}
