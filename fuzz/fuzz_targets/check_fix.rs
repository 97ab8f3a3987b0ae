//! What `check --fix` mends stays what it was, and cannot be mended more.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| skills_tests::properties::fix_is_idempotent(bytes));
