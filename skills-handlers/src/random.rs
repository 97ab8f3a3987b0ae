//! Random tokens.

use skills_pack::text::Hex;

/// `N` random bytes as hexadecimal digits.
///
/// # Errors
///
/// If the system has no random numbers.
pub(super) fn hex<const N: usize>() -> Result<String, getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(Hex(&bytes).to_string())
}
