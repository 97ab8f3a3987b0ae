//! A path gives a file of the skill that it names, or none. The first byte says where to read from.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (offset, path) = input;
    skills_tests::properties::path_stays_inside(path, usize::from(offset));
});
