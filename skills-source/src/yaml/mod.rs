//! Reads YAML into a tree that keeps the author's text and knows where everything is.
//!
//! `serde_yaml` is the parser, and it alone decides what is YAML. An event parser would give places
//! without reading twice, but it accepts other texts than `serde_yaml` does and would have to run beside
//! it on every file, so places come from `serde_yaml` too (`passes`), and so do reasons (`refusal`, the
//! one file that knows the parser's words).
//!
//! After a fault the entry that holds it is masked, with the same length, and the rest is read
//! again (`mask`), so that one fault never hides the others. Which fields a skill has, and what
//! they mean, is not known here (that is [`frontmatter`](crate::frontmatter)).

mod control;
mod explain;
mod limits;
mod lines;
mod mask;
mod node;
mod passes;
mod quote;
mod refusal;
mod signs;
mod tags;
#[cfg(test)]
mod tests;
mod tree;

pub use limits::{MAX_DEPTH, MAX_NODES, MAX_SCALAR_BYTES};
pub use node::{Entry, Node, Scalar, ScalarKind, Value};
pub(crate) use quote::line as in_quotes;
pub(crate) use signs::{opening as wide_opening, point_at as point_at_sign};

use crate::fault::Fault;
use crate::source::Span;
use crate::subject::Subject;

/// How many faults of one text are masked before the rest of it is given up.
const MAX_MASKS: usize = 64;

/// Reads the YAML in `text[span]`; all positions are offsets into `text`. Messages call it by its
/// `subject`.
///
/// Returns the root, unless nothing could be read, and the faults: [`E003`](crate::code::Code::E003) for
/// what is not YAML, [`E012`](crate::code::Code::E012) for a tag or a merge key in a frontmatter, [`E005`](crate::code::Code::E005) for a key given twice (the first stays),
/// [`E018`](crate::code::Code::E018) past a limit.
pub fn read(text: &str, span: Span, subject: Subject) -> (Option<Node>, Vec<Fault>) {
    let mut faults = Vec::new();
    if let Some(fault) = limits::brackets_too_deep(text, span.clone(), subject) {
        return (None, vec![fault]);
    }
    let mut masked = mask::Masked::new(&text[span.clone()]);
    while let Some((at, fault)) = control::find(masked.text(), span.start, subject) {
        let hidden = masked.apply(mask::Mask::entry_or_line(masked.text(), at));
        faults.push(fault);
        if !hidden || faults.len() >= MAX_MASKS {
            return (None, faults);
        }
    }
    loop {
        match tree::read(text, span.start, &masked, subject, &mut faults) {
            Ok(root) => {
                // A command limits nothing.
                if subject == Subject::Frontmatter {
                    let tags = tags::find(text, span.start, &masked, &root);
                    faults.retain(|fault| tags.is_empty() || fault.message != tree::TAGGED_KEY);
                    faults.extend(tags);
                }
                return (Some(root), faults);
            }
            Err(tree::Failure::Limit(fault)) => {
                faults.push(fault);
                return (None, faults);
            }
            Err(tree::Failure::Syntax(refusal)) => {
                let mut problem = explain::explain(text, span.clone(), &masked, subject, &refusal);
                signs::point_at(text, span.clone(), subject, false, &mut problem.fault);
                faults.push(problem.fault);
                if faults.len() >= MAX_MASKS || !masked.apply(problem.mask) {
                    if let (true, Some(last)) = (faults.len() >= MAX_MASKS, faults.last_mut()) {
                        last.help
                            .push_str("; what else is wrong in this file is reported once these are fixed");
                    }
                    return (None, faults);
                }
            }
        }
    }
}
