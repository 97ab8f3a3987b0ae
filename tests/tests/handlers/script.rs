//! A scripted model, and what it is asked and given.

use std::collections::VecDeque;
use std::sync::Mutex;

use skills_handlers::{Assistant, Context, Handlers, Limits, Message, Model, ModelError, Run, Tool, run};

use crate::acting::REGISTRY;

/// Follows a script, and records what it was asked.
#[derive(Default)]
pub(crate) struct Script {
    replies: Mutex<VecDeque<Assistant>>,
    asked: Mutex<Vec<(Vec<Message>, Vec<String>)>>,
}

impl Script {
    pub(crate) fn new(replies: impl IntoIterator<Item = Assistant>) -> Self {
        Self { replies: Mutex::new(replies.into_iter().collect()), asked: Mutex::default() }
    }

    pub(crate) fn asked(&self, at: usize) -> (Vec<Message>, Vec<String>) {
        self.asked.lock().unwrap()[at].clone()
    }
}

impl Model for Script {
    async fn reply(&self, messages: &[Message], tools: &[Tool]) -> Result<Assistant, ModelError> {
        let names = tools.iter().map(|tool| tool.name.clone()).collect();
        self.asked.lock().unwrap().push((messages.to_vec(), names));
        self.replies.lock().unwrap().pop_front().ok_or_else(|| ModelError::new("the script is at its end"))
    }
}

pub(crate) fn call(name: &str, arguments: &str) -> Assistant {
    Assistant::default().call("1", name, arguments)
}

pub(crate) async fn drive(model: &Script, handlers: &Handlers, limits: &Limits, context: &Context) -> Run {
    run(model, &REGISTRY, handlers, vec![Message::user("Find my notes")], limits, context).await
}

pub(crate) fn results(run: &Run) -> Vec<&str> {
    let texts = run.messages.iter().filter_map(|message| match message {
        Message::Result { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}
