//! What the two programs of this benchmark share: what is served, how it is asked, what was promised.
//!
//! `serve` measures times and writes the report; `allocations` counts, with another allocator, and would time
//! that allocator too. Neither builds anything: the two bundles are packages of their own.

pub mod actions;
pub mod groups;
pub mod material;
pub mod naive;
pub mod targets;
