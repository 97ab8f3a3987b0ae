//! Numbers that cannot be guessed, as text.

use std::fmt::Write as _;

/// `N` random bytes in hexadecimal digits.
///
/// # Errors
///
/// Where the system has no random numbers.
pub(super) fn hex<const N: usize>() -> Result<String, getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().fold(String::with_capacity(2 * N), |mut hex, byte| {
        // Writing to a `String` cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    }))
}
