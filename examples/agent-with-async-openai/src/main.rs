//! An agent with the client async-openai, with skills that are compiled in.
//!
//! ```sh
//! OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_MODEL=qwen3 cargo run -- "Write release notes: faster start"
//! ```

use std::env;
use std::error::Error;

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::types::chat::{
    ChatCompletionMessageToolCall, ChatCompletionMessageToolCalls, ChatCompletionRequestAssistantMessageArgs,
    ChatCompletionRequestMessage, ChatCompletionRequestSystemMessage, ChatCompletionRequestToolMessage,
    ChatCompletionRequestUserMessage, ChatCompletionTools, CreateChatCompletionRequestArgs,
};
use skills::{Provider, Registry, Session, ToolOptions, Toolset};

static SKILLS: skills::Bundle = skills::include_skills!("skills");
static REGISTRY: Registry<'_> = Registry::new(&SKILLS);

/// Answers of the model until it has to be done.
const TURNS: usize = 8;

/// The skills as tools of the client.
fn tools() -> Result<Vec<ChatCompletionTools>, serde_json::Error> {
    serde_json::from_str(&REGISTRY.tools(Provider::OpenAi, &ToolOptions::new(Toolset::PerAction)))
}

/// The message that answers a call. In one session the instructions of a skill are sent once.
fn answer(session: &mut Session, call: ChatCompletionMessageToolCall) -> ChatCompletionRequestMessage {
    let reply = session.call_tool(&REGISTRY, &call.function.name, &call.function.arguments);
    let unknown = || format!("Error: there is no tool '{}'.", call.function.name);
    let content = reply.map_or_else(unknown, |reply| reply.text).into();
    ChatCompletionRequestToolMessage { content, tool_call_id: call.id }.into()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let task = env::args().skip(1).collect::<Vec<_>>().join(" ");
    let base = env::var("OPENAI_BASE_URL").unwrap_or_else(|_| "http://127.0.0.1:11434/v1".to_owned());
    let model = env::var("OPENAI_MODEL").unwrap_or_else(|_| "qwen3".to_owned());
    let key = env::var("OPENAI_API_KEY").unwrap_or_default();
    let client = Client::with_config(OpenAIConfig::new().with_api_base(base).with_api_key(key));
    let mut session = Session::new();
    let system = "You have skills. Load the one that fits before you begin a task.";
    let mut messages: Vec<ChatCompletionRequestMessage> = vec![
        ChatCompletionRequestSystemMessage::from(system).into(),
        ChatCompletionRequestUserMessage::from(task).into(),
    ];
    for _ in 0..TURNS {
        let mut request = CreateChatCompletionRequestArgs::default();
        let request = request.model(&model).messages(messages.clone()).tools(tools()?).build()?;
        let message = client.chat().create(request).await?.choices.swap_remove(0).message;
        let Some(calls) = message.tool_calls else {
            println!("{}", message.content.unwrap_or_default());
            return Ok(());
        };
        let said = ChatCompletionRequestAssistantMessageArgs::default().tool_calls(calls.clone()).build()?;
        messages.push(said.into());
        for call in calls {
            if let ChatCompletionMessageToolCalls::Function(call) = call {
                messages.push(answer(&mut session, call));
            }
        }
    }
    Err(format!("the model was not done after {TURNS} answers").into())
}
