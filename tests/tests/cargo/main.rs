//! Builds of users' packages with Cargo: each test writes a small package and builds it.
//!
//! A test is a sequence of changes and builds. Other tests check the text of findings; these check that they
//! reach the user.

#![allow(clippy::unwrap_used, reason = "a test whose files or Cargo fail has nothing to test")]

mod changes;
mod commands;
mod disjoint;
mod faults;
mod handlers;
mod leaf;
mod locks;
mod options;
mod outputs;
mod probe;
mod readme;
mod snapshots;
