//! Tests of the build side: compiling, checking and fixing.
//!
//! They are one program, since linking each part separately takes longer than running it.

mod cases;
mod corpus;
mod diffs;
mod findings;
mod fix;
mod locked;
mod properties;
mod runs;
mod sarif;
mod schema;
mod second_opinion;
