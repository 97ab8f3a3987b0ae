//! Turns the parser's refusals into findings that say what to write instead.
//!
//! The parser's own words and positions are kept where they help; where it stops far from the cause
//! (an unclosed quote is noticed at the end of the file) the cause is pointed at.

mod edit;
mod quotes;

use super::lines::{Entry, entry_at, line_at, stray_lines};
use super::mask::{Mask, Masked};
use super::quote;

use crate::code::Code;
use crate::fault::{Edit, Fault};
use crate::source::Span;
pub(super) use edit::without_mark;

/// A fault and what to hide so that the rest can be read.
pub(super) struct Problem {
    pub(super) fault: Fault,
    pub(super) mask: Mask,
}

/// Explains why the parser refused the YAML in `text[span]`.
pub(super) fn explain(text: &str, span: Span, masked: &Masked<'_>, error: &serde_yaml::Error) -> Problem {
    let message = error.to_string();
    let yaml = masked.text();
    let at = error.location().map_or(0, |location| location.index()).min(yaml.len());
    let context = context_offset(&message, yaml);
    let view = View { original: &text[span.clone()], yaml, base: span.start };
    let said = |words: &str| message.contains(words);

    if let Some(opened) = view.quote_opened_above(at).or_else(|| view.quote_opened_above(context?)) {
        return view.unclosed_quote(opened);
    }
    if said("mapping values are not allowed") {
        return view.stray_colon(at);
    }
    if said("more than one document") {
        return view.second_document();
    }
    if said("cannot start any token") {
        return view.bad_start(at);
    }
    if said("while parsing a quoted scalar") || said("while scanning a quoted scalar") {
        let opened = context.unwrap_or(at);
        let unclosed = said("end of stream") || said("document indicator");
        return if unclosed { view.unclosed_quote(opened) } else { view.bad_escape(at) };
    }
    if said("while parsing a flow") {
        return view.flow(context.unwrap_or(at), at, &message);
    }
    if said("scanning an alias") || said("scanning an anchor") || said("unknown anchor") {
        return view
            .quote_it(context.unwrap_or(at), "a value that begins with `*` or `&` is an alias or an anchor");
    }
    if said("found a tab character") && view.original[at..].starts_with('\t') {
        return view.tab(at);
    }
    if said("block scalar") {
        return view
            .quote_it(context.unwrap_or(at), "only indentation signs may follow `|` or `>` on their line");
    }
    if said("block sequence entries are not allowed") {
        return view.list_on_key_line(at);
    }
    if said("could not find expected ':'") {
        return view.no_colon(context.unwrap_or(at));
    }
    if said("did not find expected key") || said("did not find expected '-'") {
        return view.text_after_value(at);
    }
    let reason = message.split(" at line ").next().unwrap_or("it cannot be read").to_owned();
    view.quote_it(at, &reason)
}

/// Hides the entry that holds this place, else its line.
pub(super) fn hide(yaml: &str, at: usize) -> Mask {
    match entry_at(yaml, at) {
        Some(entry) => Mask::Value(entry.value),
        None if yaml.is_empty() => Mask::Nothing,
        None => Mask::Lines(line_at(yaml, at)),
    }
}

/// The YAML as written and as masked; both have the same length.
struct View<'t> {
    original: &'t str,
    yaml: &'t str,
    base: usize,
}

impl View<'_> {
    fn fault(&self, span: Span, reason: &str) -> Fault {
        let end = span.end.min(self.yaml.len()).max(span.start);
        let span = self.base + span.start..self.base + end;
        Fault::new(Code::E003, span, format!("the frontmatter is not valid YAML: {reason}"))
    }

    /// One character, or a point at the end of the text.
    fn character(&self, at: usize) -> Span {
        let len = self.original.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        at..at + len
    }

    fn stray_colon(&self, at: usize) -> Problem {
        let line = line_at(self.yaml, at);
        let before = &self.yaml[line.start..at];
        let Some(entry) = entry_at(self.yaml, at) else { return self.no_colon(at) };
        if entry.key.start == line.start && entry.key.end == at {
            // The colon is the line's own: what stands before it had none that counts.
            return self.no_blank_after_colon(line.start, at);
        }
        let mut help = self.quote_help(at);
        let word = before.trim();
        let may_be_a_field =
            line.start > entry.key.start && !word.is_empty() && !word.contains(char::is_whitespace);
        if may_be_a_field {
            help.push_str(&format!("; or, if `{word}` is a field of its own, put it at column 1"));
        }
        let edit = if may_be_a_field { None } else { self.quoted_as_it_stands(at, &entry) };
        let fault = self
            .fault(at..at + 1, "an unquoted value may not hold `: `")
            .label("this colon")
            .help(help)
            .edit(edit);
        // One finding a value: the colons after this one belong to the same text. What may be a field
        // of its own is not judged as part of this one.
        let begins_here = self.begins_beside_its_key(&entry);
        let mask = match (begins_here, may_be_a_field) {
            (true, true) => Mask::Value(entry.value),
            (true, false) => Mask::Colons(at..entry.value.end.max(line.end)),
            (false, _) => Mask::Colons(at..line.end),
        };
        Problem { fault, mask }
    }

    fn no_blank_after_colon(&self, line_start: usize, at: usize) -> Problem {
        let above = self.yaml[..line_start].trim_end();
        let line = line_at(self.yaml, above.len());
        let written = self.yaml[line.clone()].trim_end();
        match written.split_once(':') {
            Some((key, value)) if !written.starts_with([' ', '#']) && !above.is_empty() => {
                self.blank_missing(&line, key, value)
            }
            // A key that goes on on the next line, to the parser.
            None if !above.is_empty() && !written.starts_with([' ', '\t', '#']) => self.no_colon(line.start),
            _ => {
                let fault = self
                    .fault(at..at + 1, "a field is not expected here")
                    .help("put each field on a line of its own, at column 1");
                Problem { fault, mask: Mask::Lines(line) }
            }
        }
    }

    fn blank_missing(&self, line: &Span, key: &str, value: &str) -> Problem {
        let colon = line.start + key.len();
        let fault = self
            .fault(colon..colon + 1, "a blank is missing after the colon")
            .label("nothing separates the key from its value")
            .help(format!("write `{key}: {value}`"))
            .edit(Some(Edit {
                span: self.base + colon + 1..self.base + colon + 1,
                text: " ".to_owned(),
                meaning: Some(value.trim().to_owned()),
            }));
        Problem { fault, mask: Mask::Value(colon + 1..line.end) }
    }

    /// The YAML ends and more follows: after `...`, after dashes, or since the first line is indented.
    fn second_document(&self) -> Problem {
        let lines = || crate::source::lines(self.yaml).map(|line| line.start..line.end);
        let ends = |line: &Span| {
            let written = &self.yaml[line.clone()];
            ["...", "---", "%"].iter().any(|sign| written.starts_with(sign))
        };
        if let Some(line) = lines().find(ends) {
            let sign = if self.yaml[line.clone()].starts_with('%') {
                "%"
            } else {
                &self.yaml[line.start..line.start + 3]
            };
            let fault = self
                .fault(
                    line.start..line.start + sign.len(),
                    &format!("`{sign}` at column 1 ends the fields, and more follows"),
                )
                .help("delete the line, or quote or indent it if it is part of a value");
            return Problem { fault, mask: Mask::Lines(line) };
        }
        let first = lines().find(|line| !self.yaml[line.clone()].trim().is_empty()).unwrap_or(0..0);
        let indent = self.yaml[first.clone()].len() - self.yaml[first.clone()].trim_start().len();
        let fault = self
            .fault(first.start..first.start + indent, "the first field is indented, and a later one is not")
            .label("this indentation")
            .help("begin every field at column 1");
        Problem { fault, mask: Mask::Nothing }
    }

    fn bad_start(&self, at: usize) -> Problem {
        let found = self.original[at..].chars().next().unwrap_or('\u{fffd}');
        if found == '\t' {
            return self.tab(at);
        }
        self.quote_it(at, &format!("an unquoted value may not begin with `{found}`"))
    }

    fn tab(&self, at: usize) -> Problem {
        let fault =
            self.fault(at..at + 1, "a tab may not indent a line").label("a tab").help("indent with spaces");
        Problem { fault, mask: self.hide(at) }
    }

    fn flow(&self, opened: usize, at: usize, message: &str) -> Problem {
        let entry_end = entry_at(self.yaml, opened).map_or(self.yaml.len(), |entry| entry.value.end);
        let bracket = self.character(opened);
        let (open, close) = if self.original[opened..].starts_with('{') { ('{', '}') } else { ('[', ']') };
        let fault = if at >= entry_end {
            self.fault(bracket, &format!("a `{open}` is opened and never closed"))
                .label("opened here")
                .help(format!("close it with `{close}`, or quote the value if the bracket is part of a text"))
        } else {
            let wanted = message.split(" at line ").next().unwrap_or("it cannot be read");
            self.fault(self.character(at), wanted)
                .label(format!("inside the brackets that `{open}` opened"))
                .help(format!(
                    "separate items with commas and close with `{close}`; quote items that hold signs"
                ))
                .related(self.base + bracket.start..self.base + bracket.end, "opened here")
        };
        Problem { fault, mask: self.hide(opened) }
    }

    fn no_colon(&self, at: usize) -> Problem {
        let line = line_at(self.yaml, at);
        let written = self.yaml[line.clone()].trim_end();
        let span = line.start..line.start + written.len();
        if written.starts_with(['{', '}', '[', ']']) {
            let fault = self
                .fault(self.character(line.start), "a value in brackets must be indented below its key")
                .label("at column 1")
                .help("indent these lines by two spaces, or begin them on the line of the key");
            return Problem { fault, mask: self.hide(line.start) };
        }
        let is_key =
            |key: &str| key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if let Some((key, value)) = written.split_once(':').filter(|(key, _)| !key.is_empty() && is_key(key))
        {
            return self.blank_missing(&line, key, value);
        }
        let field = if is_key(written) { format!("`{written}: …`") } else { "a field".to_owned() };
        let fault = self.fault(span, "this line is no `key: value`").help(format!(
            "write {field}, indent the line if it goes on the value above, or begin it with `#`"
        ));
        Problem { fault, mask: Mask::Lines(stray_lines(self.yaml, line.start)) }
    }

    fn text_after_value(&self, at: usize) -> Problem {
        let line = line_at(self.yaml, at);
        if at <= line.start || entry_at(self.yaml, at).is_none() {
            return self.no_colon(at);
        }
        let help = self.quote_help(at);
        let fault = match self.yaml[line.start..at].trim_end().chars().next_back() {
            Some('"' | '\'') => self
                .fault(self.character(at), "text follows the closing quote")
                .label("the value ended before this")
                .help(help)
                .edit(self.edit_whole(at, |value| quote::meaning(value).filter(|_| !value.contains('\\')))),
            Some(']' | '}') => self
                .fault(self.character(at), "text follows the closing bracket")
                .label("the value ended before this")
                .help(help)
                .edit(self.edit_whole(at, Some)),
            _ => self
                .fault(self.character(at), "the indentation fits no line above")
                .label("from here on")
                .help("indent the lines of one list or mapping alike"),
        };
        Problem { fault, mask: self.hide(at) }
    }

    fn list_on_key_line(&self, at: usize) -> Problem {
        let mut problem = self.quote_it(at, "a list may not begin on the line of its key");
        problem
            .fault
            .help
            .push_str("; or, if it is a list, put each item on a line of its own below the key");
        problem
    }

    fn quote_it(&self, at: usize, reason: &str) -> Problem {
        let fault = self.fault(self.character(at), reason).help(self.quote_help(at)).edit(self.edit_whole(
            at,
            |value| {
                let sign = self.original[at..].chars().next()?;
                // Other signs may as well begin a list or a block.
                (value.starts_with(sign) && "@`%*&".contains(sign)).then_some(value)
            },
        ));
        Problem { fault, mask: self.hide(at) }
    }

    fn hide(&self, at: usize) -> Mask {
        hide(self.yaml, at)
    }

    /// Whether an entry's value is a text that begins on the line of its key.
    fn begins_beside_its_key(&self, entry: &Entry) -> bool {
        let first = self.beside_key(entry);
        !first.is_empty() && !first.starts_with(['|', '>', '[', '{'])
    }

    /// What stands of an entry's value on the line of its key.
    fn beside_key(&self, entry: &Entry) -> &str {
        self.yaml[entry.value.start..line_at(self.yaml, entry.value.start).end].trim()
    }

    fn quote_help(&self, at: usize) -> String {
        match self.quoted(at) {
            Some(line) => format!("quote the value: `{line}`"),
            None => "put the whole text in quotes".to_owned(),
        }
    }

    /// What to write in place of the value that holds this place: the value in quotes, on one line,
    /// after its key or its dash. `None` where it is not clear which value that is.
    fn quoted(&self, at: usize) -> Option<String> {
        let line = line_at(self.yaml, at);
        let written = &self.yaml[line.clone()];
        let entry = entry_at(self.yaml, at)?;
        if !written.starts_with([' ', '\t', '-']) {
            return Some(quote::line(&self.original[entry.key.clone()], &self.original[entry.value.clone()]));
        }
        let start = line.start + (written.len() - written.trim_start().len());
        let inner = &self.original[start..line.end];
        if let Some(item) = inner.strip_prefix("- ") {
            return Some(quote::line("-", item));
        }
        let colon = inner.find(": ").filter(|colon| start + colon < at);
        if let Some(colon) = colon {
            return Some(quote::line(&inner[..colon], &inner[colon + 1..]));
        }
        // The line goes on with a text that began above: with the entry's, if that begins beside its key.
        self.begins_beside_its_key(&entry)
            .then(|| quote::line(&self.original[entry.key], &self.original[entry.value]))
    }
}

/// The second position in a message of the parser: where what it was reading began.
fn context_offset(message: &str, yaml: &str) -> Option<usize> {
    let (_, context) = message.split_once(", while ")?;
    let (_, place) = context.rsplit_once("at line ")?;
    let (line, column) = place.split_once(" column ")?;
    let line: usize = line.parse().ok()?;
    let column: usize = column.parse().ok()?;
    let start = super::lines::line_start(yaml, line.checked_sub(1)?)?;
    let (at, _) = yaml[start..].char_indices().nth(column.checked_sub(1)?)?;
    Some(start + at)
}
