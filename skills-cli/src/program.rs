//! A program as a file, in which bundles are looked for without running it.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use skills_source::scan;

use crate::failure::Failure;

/// The most bytes of a program.
const MAX_PROGRAM: u64 = 2 * 1024 * 1024 * 1024;

/// The bytes of a program.
///
/// # Errors
///
/// If it isn't a file, can't be read, or is too long.
pub(crate) fn read(program: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |why: &str| {
        let message = format!("`{}` cannot be read: {why}", program.display());
        Failure::other("IO", message, "give the file of a program")
    };
    let file = File::open(program).map_err(|error| failed(scan::in_words(&error)))?;
    let metadata = file.metadata().map_err(|error| failed(scan::in_words(&error)))?;
    if !metadata.is_file() {
        return Err(failed("not a plain file"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_PROGRAM + 1).read_to_end(&mut bytes).map_err(|error| failed(scan::in_words(&error)))?;
    if bytes.len() as u64 > MAX_PROGRAM {
        return Err(failed("it is longer than 2 GiB"));
    }
    Ok(bytes)
}
