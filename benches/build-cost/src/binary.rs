//! Looks at a built program from outside: how long it is, and how many relocations it carries.
//!
//! Every relocation is work before `main` and a dirty page. `readelf` counts them, since it comes with the
//! linker that the build needs anyway; where it is missing the number is left out.

use std::fs;
use std::path::Path;
use std::process::Command;

use bench_harness::failure::{Outcome, io};
use bench_harness::run;

/// What a program weighs.
#[derive(Debug, Clone, Copy)]
pub struct Weight {
    /// The length of the file in bytes, symbols included, as cargo left it.
    pub bytes: u64,
    /// The entries of all relocation sections, if `readelf` could be asked.
    pub relocations: Option<u64>,
}

/// Weighs the program at `path`.
pub fn weigh(path: &Path) -> Outcome<Weight> {
    let bytes = fs::metadata(path).map_err(io("read", path))?.len();
    let listing = run::answer(Command::new("readelf").env("LC_ALL", "C").args(["-r", "-W"]).arg(path));
    Ok(Weight { bytes, relocations: listing.ok().map(|text| count(&text)) })
}

/// Adds up the lines `Relocation section '.rela.dyn' at offset 0x4f8 contains 611 entries:`, and those of packed
/// relocations, `… contains 12 entries which relocate 611 locations:`, by what they relocate.
fn count(listing: &str) -> u64 {
    let number_before = |line: &str, word: &str| -> Option<u64> {
        let (before, _) = line.split_once(word)?;
        before.trim_end().rsplit(' ').next()?.parse().ok()
    };
    listing
        .lines()
        .filter(|line| line.starts_with("Relocation section"))
        .filter_map(|line| number_before(line, " location").or_else(|| number_before(line, " entr")))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_added_up() {
        let listing = "\nRelocation section '.rela.dyn' at offset 0x4f8 contains 611 entries:\n\
                       \x20   Offset  Info\n0000000000049a18  0000000000000008 R_X86_64_RELATIVE 7e40\n\
                       Relocation section '.rela.plt' at offset 0x9f8 contains 1 entry:\n\
                       Relocation section '.relr.dyn' at offset 0x998 contains 3 entries which relocate 40 locations:\n";
        assert_eq!(count(listing), 652);
    }
}
