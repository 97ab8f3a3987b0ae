//! A lock is read whole or not at all, alone and in a program.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    skills_tests::properties::lock_is_read(bytes);
});
