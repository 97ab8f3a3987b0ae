//! A file of tests of triggers is read and judged, whatever it holds.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| skills_tests::properties::cases_are_read(bytes));
