//! Where a conversation is: which calls of a model are still without a result.

use super::model::{Assistant, Message, ToolCall};

/// The calls of the last message with calls that have no result.
pub(super) struct Unanswered {
    pub(super) calls: Vec<ToolCall>,
    /// Which message with calls it is, from 1.
    pub(super) step: usize,
    /// Where results go.
    pub(super) end: usize,
}

/// The calls that the last message with calls still waits for.
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

/// The place of the last message of the model, and its calls, if it made any.
pub(super) fn last_calls(messages: &[Message]) -> Option<(usize, &[ToolCall])> {
    let at = messages.iter().rposition(|message| matches!(message, Message::Assistant(_)))?;
    match &messages[at] {
        Message::Assistant(Assistant { calls, .. }) if !calls.is_empty() => Some((at, calls)),
        _ => None,
    }
}

/// How many messages of the model hold calls.
pub(super) fn steps(messages: &[Message]) -> usize {
    let with_calls = |message: &&Message| matches!(message, Message::Assistant(Assistant { calls, .. }) if !calls.is_empty());
    messages.iter().filter(with_calls).count()
}
