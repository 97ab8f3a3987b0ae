//! What is compiled, checked and mended: the build side, by what it reads and what it says.
//!
//! One program, since linking each part on its own takes longer than running it.

mod cases;
mod corpus;
mod findings;
mod fix;
mod properties;
mod runs;
mod sarif;
mod second_opinion;
