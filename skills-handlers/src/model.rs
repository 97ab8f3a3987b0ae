//! The interface of a model: a conversation and tools go in, text or calls come out.
//!
//! It is independent of providers; `GenAi` implements it, behind a feature of its own.

use std::error::Error;
use std::fmt;
use std::future::Future;

use serde::{Deserialize, Serialize};

use super::tool::Tool;

/// A model that can call tools.
pub trait Model: Sync {
    /// Returns the model's next message in this conversation.
    ///
    /// # Errors
    ///
    /// If the model can't be reached or doesn't answer. The loop then ends; retries are up to the
    /// implementation.
    fn reply(
        &self,
        messages: &[Message],
        tools: &[Tool],
    ) -> impl Future<Output = Result<Assistant, ModelError>> + Send;
}

/// One message of a conversation. It can be serialised and stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Message {
    /// A message from the host to the model.
    System {
        /// The text.
        text: String,
    },
    /// A message from the user.
    User {
        /// The text.
        text: String,
    },
    /// A message from the model.
    Assistant(Assistant),
    /// The result of a call.
    Result {
        /// The id of the call.
        call: String,
        /// The name of the tool.
        name: String,
        /// The text for the model.
        text: String,
    },
}

impl Message {
    /// A message from the host to the model.
    pub fn system(text: impl Into<String>) -> Self {
        Self::System { text: text.into() }
    }

    /// A message from the user.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User { text: text.into() }
    }
}

/// A message from the model: text, calls, or both.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Assistant {
    /// The text. May be empty.
    pub text: String,
    /// The calls, which may run concurrently.
    #[serde(default)]
    pub calls: Vec<ToolCall>,
    /// The tokens that the provider reported for this message, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// Tokens, as the provider counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Usage {
    /// Input tokens.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
}

impl Usage {
    /// This many input and output tokens.
    pub fn new(input: u64, output: u64) -> Self {
        Self { input, output }
    }

    /// Input and output tokens together.
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    pub(super) fn add(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
    }
}

impl Assistant {
    /// A message with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Sets the tokens that the provider reported for it.
    #[must_use]
    pub fn used(mut self, input: u64, output: u64) -> Self {
        self.usage = Some(Usage::new(input, output));
        self
    }

    /// Adds a call: its id, the tool's name, and the arguments as JSON.
    #[must_use]
    pub fn call(
        mut self,
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        self.calls.push(ToolCall {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
            token: None,
        });
        self
    }
}

/// A call that a model requests.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The id that its result refers to.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as JSON, as the model wrote them.
    pub arguments: String,
    /// The token of the user's confirmation, if there is one. Never shown to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

impl fmt::Debug for ToolCall {
    /// Leaves out the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("arguments", &self.arguments)
            .field("is_confirmed", &self.token.is_some())
            .finish()
    }
}

/// Why a model didn't answer.
#[derive(Debug)]
#[non_exhaustive]
pub struct ModelError {
    /// What went wrong, and what to do about it.
    pub message: String,
    /// Bytes of its message that had arrived.
    pub(super) received: usize,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ModelError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), received: 0, source: None }
    }

    /// Sets how many bytes of the model's message had arrived before the error. Providers charge for them, so their
    /// tokens are estimated.
    #[must_use]
    pub fn received(mut self, bytes: usize) -> Self {
        self.received = bytes;
        self
    }

    /// Sets the source of the error.
    #[must_use]
    pub fn from_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for ModelError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
