//! Tests of the crate `skills`, as a user would write them.
