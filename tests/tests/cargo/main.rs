//! What Cargo makes of our users' packages: each test writes a small one and builds it.
//!
//! A test is a sequence of changes and builds, since what is under test is the build after a change.
//! What the findings say is shown elsewhere; here it is that they arrive.

#![allow(clippy::unwrap_used, reason = "a test whose files or Cargo fail has nothing to test")]

mod changes;
mod commands;
mod faults;
mod handlers;
mod leaf;
mod options;
mod outputs;
mod probe;
mod readme;
