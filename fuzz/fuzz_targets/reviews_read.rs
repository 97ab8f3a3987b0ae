//! Reviews are read whole or not at all, and one more can be added.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    skills_tests::properties::reviews_are_read(bytes);
});
