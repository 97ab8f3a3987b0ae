//! What a phase reports.
//!
//! A phase knows text and no file, so a [`Fault`] has neither path, line nor level. A
//! [`Source`](crate::source::Source) makes a [`Finding`](crate::finding::Finding) of it.

use crate::code::Code;
use crate::source::Span;

/// What a phase found in a text, before it is tied to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// Which rule was broken.
    pub code: Code,
    /// Where, as byte offsets into the text.
    pub span: Span,
    /// See [`Finding::message`](crate::finding::Finding::message).
    pub message: String,
    /// See [`Finding::label`](crate::finding::Finding::label).
    pub label: String,
    /// See [`Finding::help`](crate::finding::Finding::help).
    pub help: String,
    /// Other places in the same text, with their labels.
    pub related: Vec<(Span, String)>,
    /// See [`Finding::edit`](crate::finding::Finding::edit).
    pub edit: Option<Box<Edit>>,
    /// See [`Finding::suggested`](crate::finding::Finding::suggested).
    pub suggested: Option<Box<Edit>>,
}

/// A part of a file's text, and the text that replaces it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// What is replaced, as byte offsets into the file's text without a byte-order mark.
    pub span: Span,
    /// The new text of that part.
    pub text: String,
    /// How the value reads afterwards, where it cannot be read before.
    pub meaning: Option<String>,
}

impl Fault {
    /// A fault without label, help or second place.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            span,
            message: message.into(),
            label: String::new(),
            help: String::new(),
            related: Vec::new(),
            edit: None,
            suggested: None,
        }
    }

    /// The words beside the underline.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// How to fix it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// A second place.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// An edit that may be what was meant: `text` in place of `span`.
    #[must_use]
    pub fn suggested(mut self, span: Span, text: impl Into<String>) -> Self {
        self.suggested = Some(Box::new(Edit { span, text: text.into(), meaning: None }));
        self
    }

    /// The edit that fixes it.
    pub(crate) fn edit(mut self, edit: Option<Edit>) -> Self {
        self.edit = edit.map(Box::new);
        self
    }
}
