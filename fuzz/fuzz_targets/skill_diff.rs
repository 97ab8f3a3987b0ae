//! Any two contents can be compared, and nothing that is shown of them acts on who reads it.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    skills_tests::properties::diff_is_safe(bytes);
});
