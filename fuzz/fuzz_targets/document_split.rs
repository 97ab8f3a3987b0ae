//! Splitting a SKILL.md loses no byte.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| skills_tests::properties::document_is_split_whole(bytes));
