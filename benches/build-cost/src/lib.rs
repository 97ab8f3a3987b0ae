//! What the benchmarks of this project share: the tree of skills that they measure on, and the pieces of a
//! report.
//!
//! Only what another benchmark needs too is here; what building costs is measured by the program of this
//! package. Nothing here knows what is measured, so that two reports can be compared: the same tree, the
//! same words about the machine, the same medians.

pub mod failure;
pub mod machine;
pub mod markdown;
pub mod prng;
pub mod run;
pub mod stats;
pub mod text;
pub mod tree;
