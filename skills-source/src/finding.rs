//! What a check found, as plain data.
//!
//! A finding shares the text of its file, so that a renderer needs nothing else. What counts as a
//! fault is decided by [`rules`](crate::rules), and nothing is printed here.

use std::fmt;
use std::sync::Arc;

use crate::code::{Code, Level};
use crate::fault::Fault;
use crate::source::{Excerpt, Source, Span};

pub use crate::fault::Edit;

/// One fault in one file: where it is, what is wrong, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Which rule was broken.
    pub code: Code,
    /// How much it weighs in this run: the rule's default, unless set otherwise.
    pub level: Level,
    /// The file or directory, with `/`, beginning with the root as the user gave it.
    pub path: String,
    /// Line in the file, from 1. It is 1 where the finding is about a whole file or directory.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong. Complete by itself; no final period.
    pub message: String,
    /// The words beside the underline. May be empty.
    pub label: String,
    /// What to do about it.
    pub help: String,
    /// The part to underline, as byte offsets into `source`; empty where there is none.
    pub span: Span,
    /// The text of the file, where the finding is about a part of it.
    pub source: Option<Arc<Source>>,
    /// Other places that matter, such as the first of two equal keys.
    pub related: Vec<Related>,
    /// The edit that fixes it, where only one can be meant.
    pub edit: Option<Edit>,
    /// An edit that may be what was meant, to be chosen by a person. It is never applied unasked.
    pub suggested: Option<Edit>,
}

/// A second place in the same file or in another one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related {
    /// The file, as in [`Finding::path`].
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What this place has to do with the finding.
    pub label: String,
    /// See [`Finding::span`].
    pub span: Span,
    /// See [`Finding::source`].
    pub source: Option<Arc<Source>>,
}

impl Finding {
    /// The finding, at the rule's default level, that a fault in the text of this file is.
    pub fn new(source: &Arc<Source>, fault: Fault) -> Self {
        let Fault { code, span, message, label, help, related, edit, suggested } = fault;
        let related = related.into_iter().map(|(span, label)| Related::new(source, span, label)).collect();
        let finding = Self::at(Related::new(source, span, label), code, message, help);
        let [edit, suggested] = [edit, suggested].map(|edit| edit.map(|edit| *edit));
        Self { related, edit, suggested, ..finding }
    }

    /// A finding about a whole file or directory, placed at its first line.
    pub fn on_path(code: Code, path: String, message: String, help: String) -> Self {
        Self {
            code,
            level: code.rule().level,
            path,
            line: 1,
            column: 1,
            message,
            label: String::new(),
            help,
            span: 0..0,
            source: None,
            related: Vec::new(),
            edit: None,
            suggested: None,
        }
    }

    /// A finding at a place that is already known, with that place's label.
    pub fn at(place: Related, code: Code, message: String, help: String) -> Self {
        let Related { path, line, column, label, span, source } = place;
        Self { line, column, label, span, source, ..Self::on_path(code, path, message, help) }
    }

    /// The same with a second place.
    #[must_use]
    pub fn with_related(mut self, related: Related) -> Self {
        self.related.push(related);
        self
    }

    /// The line of the file and the part of it to underline, where there is one.
    pub fn excerpt(&self) -> Option<Excerpt<'_>> {
        Some(self.source.as_ref()?.excerpt(&self.span))
    }

    /// The column after the part of the line that is underlined, if any is.
    pub fn end_column(&self) -> Option<u32> {
        Some(self.column + self.excerpt()?.columns()?)
    }

    /// What findings are sorted by: path, then line, column and code.
    pub fn sort_key(&self) -> (&str, u32, u32, Code) {
        (&self.path, self.line, self.column, self.code)
    }
}

impl Related {
    /// A place in this file, also for a finding in another one.
    pub fn new(source: &Arc<Source>, span: Span, label: impl Into<String>) -> Self {
        let (line, column) = source.line_column(span.start);
        let path = source.path().to_owned();
        Self { path, line, column, label: label.into(), span, source: Some(Arc::clone(source)) }
    }

    /// As [`Finding::excerpt`].
    pub fn excerpt(&self) -> Option<Excerpt<'_>> {
        Some(self.source.as_ref()?.excerpt(&self.span))
    }
}

impl fmt::Display for Finding {
    /// The concise form, on one line: `path:line:column: error[E009]: message`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, level, path, line, column, message, .. } = self;
        write!(f, "{path}:{line}:{column}: {level}[{code}]: {message}")
    }
}
