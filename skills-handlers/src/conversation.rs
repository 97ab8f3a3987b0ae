//! Finds the calls of a model that have no result yet.

use super::model::{Assistant, Message, ToolCall};

/// The calls of the last message with calls that have no result.
pub(super) struct Unanswered {
    pub(super) calls: Vec<ToolCall>,
    /// The number of that message among those with calls, from 1.
    pub(super) step: usize,
    /// The index at which results are inserted.
    pub(super) end: usize,
}

/// The calls of the last message with calls that have no result yet.
pub(super) fn unanswered(messages: &[Message]) -> Unanswered {
    let step = steps(messages);
    let Some((at, calls)) = last_calls(messages) else {
        return Unanswered { calls: Vec::new(), step, end: messages.len() };
    };
    let results = messages[at + 1..].iter().map_while(|message| match message {
        Message::Result { call, .. } => Some(call.as_str()),
        _ => None,
    });
    let answered: Vec<&str> = results.collect();
    let open = calls.iter().filter(|call| !answered.contains(&call.id.as_str())).cloned().collect();
    Unanswered { calls: open, step, end: at + 1 + answered.len() }
}

/// The index of the model's last message, and its calls, if it has any.
pub(super) fn last_calls(messages: &[Message]) -> Option<(usize, &[ToolCall])> {
    let at = messages.iter().rposition(|message| matches!(message, Message::Assistant(_)))?;
    match &messages[at] {
        Message::Assistant(Assistant { calls, .. }) if !calls.is_empty() => Some((at, calls)),
        _ => None,
    }
}

/// The number of the model's messages that have calls.
pub(super) fn steps(messages: &[Message]) -> usize {
    let with_calls = |message: &&Message| matches!(message, Message::Assistant(Assistant { calls, .. }) if !calls.is_empty());
    messages.iter().filter(with_calls).count()
}
