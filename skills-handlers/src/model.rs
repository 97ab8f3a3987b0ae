//! What the loop knows of a model: a conversation and tools go in, a text or calls come out.
//!
//! No provider is known here; [`OpenAi`](super::OpenAi) is one, behind its own feature.

use std::error::Error;
use std::fmt;
use std::future::Future;

use serde::{Deserialize, Serialize};

use super::tool::Tool;

/// A model that can call tools.
pub trait Model: Sync {
    /// The model's next message in this conversation.
    ///
    /// # Errors
    ///
    /// Where it cannot be asked or does not answer. The loop then ends; whether to ask again is for the
    /// implementation.
    fn reply(
        &self,
        messages: &[Message],
        tools: &[Tool],
    ) -> impl Future<Output = Result<Assistant, ModelError>> + Send;
}

/// One message of a conversation. It can be stored, and read again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Message {
    /// What the host tells the model.
    System {
        /// The text.
        text: String,
    },
    /// What the user says.
    User {
        /// The text.
        text: String,
    },
    /// What the model says.
    Assistant(Assistant),
    /// What a call gave.
    Result {
        /// The id of the call.
        call: String,
        /// The name that was called.
        name: String,
        /// The text for the model.
        text: String,
    },
}

impl Message {
    /// What the host tells the model.
    pub fn system(text: impl Into<String>) -> Self {
        Self::System { text: text.into() }
    }

    /// What the user says.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User { text: text.into() }
    }
}

/// A model's message: a text, calls, or both.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Assistant {
    /// The text. May be empty.
    pub text: String,
    /// The calls, which may run at the same time.
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
    /// Tokens of what the model was given.
    pub input: u64,
    /// Tokens of what it wrote.
    pub output: u64,
}

impl Usage {
    /// So many tokens in and out.
    pub fn new(input: u64, output: u64) -> Self {
        Self { input, output }
    }

    /// All of them.
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    pub(super) fn add(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
    }
}

impl Assistant {
    /// A message of this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Says how many tokens the provider reported for it.
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

/// A call that a model makes.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// By what its result is told from others.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments, in JSON, as the model wrote them.
    pub arguments: String,
    /// The user's yes, where one was asked for and given. Never for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

impl fmt::Debug for ToolCall {
    /// Without the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("arguments", &self.arguments)
            .field("is_confirmed", &self.token.is_some())
            .finish()
    }
}

/// Why a model did not answer.
#[derive(Debug)]
#[non_exhaustive]
pub struct ModelError {
    /// What went wrong, and what to do about it.
    pub message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ModelError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), source: None }
    }

    /// Says what it came from.
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
