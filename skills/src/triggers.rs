//! Tests of triggers: would these words find this skill, among all skills of a registry?
//!
//! [`Cases`] reads queries from files, in all forms in use, and [`judge`](Cases::judge) asks the registry's search.
//! A case is judged by rank. A failure means that the description lacks the user's words, or that another skill has
//! them: [`Judged`] says which. A pass proves nothing about a model, which reads meaning and not only words.
//!
//! [`assert_triggers!`](crate::assert_triggers) does all of it in a test. Finding the files of a root is left to the
//! caller, and so are formats other than text and JSON.

mod advice;
mod assert;
mod case;
mod document;
mod forms;
mod judge;
mod node;
mod read;
mod report;
mod text;
mod words;

#[doc(hidden)]
pub use assert::assert;
pub use case::{Case, Form, Place, Problem, Skipped, TOP_K};
pub use judge::why;
pub use read::{CaseFile, Cases, MAX_CASE_FILE};
pub use report::{Confusion, Judged, Report, Rival};
