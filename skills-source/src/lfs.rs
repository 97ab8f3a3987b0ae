//! Pointers of Git LFS: what a checkout has in place of a file that was not fetched.

/// What to do about a pointer.
pub const HELP: &str = "fetch it with `git lfs pull`, or put it on the ignore list";

/// The longest that a pointer can be, by the specification of Git LFS.
const MAX_POINTER: usize = 1024;

/// Whether these bytes are a pointer: a line with its version, then keys in order, among them the digest and the
/// size. All of it is ASCII.
pub fn is_pointer(bytes: &[u8]) -> bool {
    const VERSIONS: [&[u8]; 2] =
        [b"version https://git-lfs.github.com/spec/", b"version https://hawser.github.com/spec/"];
    let begins = bytes.len() < MAX_POINTER && VERSIONS.iter().any(|version| bytes.starts_with(version));
    let lines = || bytes.split(|byte| *byte == b'\n');
    begins
        && bytes.is_ascii()
        && lines().any(|line| line.starts_with(b"oid "))
        && lines().any(|line| line.starts_with(b"size "))
}
