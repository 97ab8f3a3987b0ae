//! The parts of a Markdown text that matter to a reviewer: code by its language, and comments.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A piece of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Code {
    /// Where it is, in bytes.
    pub(super) span: Range<usize>,
    /// What follows the fence; none for code in a line of prose.
    pub(super) language: Option<String>,
    /// Whether a host runs it before a model sees the text: `` !`command` ``.
    pub(super) is_run_before: bool,
}

#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) code: Vec<Code>,
    /// Where HTML is, in bytes.
    pub(super) html: Vec<Range<usize>>,
}

pub(super) fn is_markdown(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    [".md", ".markdown", ".mdx"].iter().any(|end| path.ends_with(end))
}

pub(super) fn parts(text: &str) -> Parts {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_TASKLISTS;
    let mut parts = Parts::default();
    let mut language = None;
    for (event, span) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                language = Some(match kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                });
            }
            Event::End(TagEnd::CodeBlock) => language = None,
            Event::Text(_) if language.is_some() => {
                parts.code.push(Code { span, language: language.clone(), is_run_before: false });
            }
            Event::Code(_) => {
                let is_run_before = text[..span.start].ends_with('!');
                parts.code.push(Code { span, language: None, is_run_before });
            }
            Event::Html(_) | Event::InlineHtml(_) => parts.html.push(span),
            _ => {}
        }
    }
    parts
}
