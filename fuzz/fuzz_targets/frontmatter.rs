//! Reading a SKILL.md ends, and every place it names lies in the text.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| skills_tests::properties::frontmatter_is_read(bytes));
