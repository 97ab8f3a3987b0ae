//! Asks a model, lets it use the skills, and asks the user before anything is deleted.

use std::io::{self, BufRead as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use agent_with_handlers::{REGISTRY, context, handlers};
use clap::Parser;
use skills_handlers::genai::adapter::AdapterKind;
use skills_handlers::{End, GenAi, Limits, Message, Pending, Router, run};

/// An agent that searches files, reads local pages, queries a database, and deletes a file if you say yes
#[derive(Debug, Parser)]
struct Options {
    /// The endpoint of the model, up to `/chat/completions`
    #[arg(long, value_name = "URL", env = "AGENT_ENDPOINT", default_value = "http://127.0.0.1:8080/v1")]
    endpoint: String,
    /// The name of the model
    #[arg(long, value_name = "NAME", env = "AGENT_MODEL", default_value = "default")]
    model: String,
    /// The key that the endpoint asks for
    #[arg(long, value_name = "KEY", env = "AGENT_KEY", hide_env_values = true)]
    key: Option<String>,
    /// The directory that the agent may search and delete in
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    /// The SQLite database that it may query
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
    /// What you want
    request: String,
}

#[tokio::main]
async fn main() -> ExitCode {
    match start(Options::parse()).await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

async fn start(options: Options) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let handlers = handlers()?;
    let context = context(&options.root, options.database)?;
    let key = options.key.unwrap_or_default();
    let model = GenAi::at(AdapterKind::OpenAI, &options.endpoint, options.model, key)?;
    let limits = Limits::default().turns(8).route_by(Router::new());
    let mut messages = vec![
        Message::system("You are a careful assistant. Use the tools; do not guess."),
        Message::user(options.request),
    ];
    loop {
        let mut done = run(&model, &REGISTRY, &handlers, messages, &limits, &context).await;
        let End::Unconfirmed(pending) = &done.end else {
            println!("{}", done.end);
            return Ok(if done.answer().is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        };
        for pending in pending.clone() {
            if ask(&pending)? {
                done.confirm(&pending.token)
            } else {
                done.decline(&pending.token)
            };
        }
        messages = done.messages;
    }
}

/// Asks the user; no answer is a no.
fn ask(pending: &Pending) -> io::Result<bool> {
    print!("{pending}. Do it? [y/N] ");
    io::stdout().flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}
