//! A raw tool call is answered, whatever it holds.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|call: &str| skills_tests::properties::call_is_answered(call));
