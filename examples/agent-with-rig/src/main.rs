//! An agent of the framework rig, with skills that are compiled in.
//!
//! ```sh
//! OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_MODEL=qwen3 cargo run -- "Write release notes: faster start"
//! ```

use std::env;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use rig::AgentBuilder;
use rig::message::{EmptyToolName, ToolName};
use rig::providers::openai::OpenAIConfig;
use rig::tool::{DynamicTool, ToolOutput};
use skills::{Registry, Session, ToolDefinition, ToolOptions, Toolset};

static SKILLS: skills::Bundle = skills::include_skills!("skills");
static REGISTRY: Registry<'_> = Registry::new(&SKILLS);

/// The skills as tools of rig. In one session the instructions of a skill are sent once.
fn tools(session: &Arc<Mutex<Session>>) -> Result<Vec<DynamicTool>, EmptyToolName> {
    let tool = |tool: ToolDefinition| {
        let (name, session) = (tool.name.clone(), Arc::clone(session));
        Ok(DynamicTool::new(ToolName::new(tool.name)?, tool.description, tool.parameters, move |call| {
            let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
            let text = session.call_tool(&REGISTRY, &name, &call.to_string()).map(|reply| reply.text);
            Box::pin(async { Ok(ToolOutput::text(text.unwrap_or_default())) })
        }))
    };
    REGISTRY.definitions(&ToolOptions::new(Toolset::PerAction)).into_iter().map(tool).collect()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let task = env::args().skip(1).collect::<Vec<_>>().join(" ");
    let base = env::var("OPENAI_BASE_URL").unwrap_or_else(|_| "http://127.0.0.1:11434/v1".to_owned());
    let config = OpenAIConfig::new(env::var("OPENAI_API_KEY").unwrap_or_default()).with_base_url(base);
    let model = config.client().chat(env::var("OPENAI_MODEL").unwrap_or_else(|_| "qwen3".to_owned()));
    let agent = AgentBuilder::new(model)
        .preamble("You have skills. Load the one that fits before you begin a task.")
        .dynamic_tools(tools(&Arc::default())?)
        .default_max_turns(8)
        .build();
    println!("{}", agent.prompt(task).await?.output());
    Ok(())
}
