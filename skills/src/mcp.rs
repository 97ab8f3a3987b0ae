//! Serves skills over the Model Context Protocol, to any host that speaks it.
//!
//! A [`Server`] offers four read-only tools, the skills that a user may call as prompts, every file as a
//! resource, and the extension `io.modelcontextprotocol/skills`. The tools answer what the [`Registry`]
//! answers: this module doesn't search, check or format skills, and never writes or runs anything. `rmcp`
//! implements the protocol; its types don't appear in this module's API.
//!
//! ```no_run
//! use skills::mcp::Server;
//! use skills::{Bundle, Registry};
//!
//! static SKILLS: Bundle = Bundle::EMPTY; // skills::bundle!()
//!
//! fn main() -> Result<(), skills::mcp::ServeError> {
//!     Server::new(Registry::new(&SKILLS)).named("my-tool", "1.0.0").serve_stdio()
//! }
//! ```

use std::fmt;
use std::sync::Arc;

use rmcp::ServiceExt as _;
use rmcp::service::{QuitReason, ServerInitializeError};
use tokio::io::{AsyncRead, AsyncWrite};

#[cfg(feature = "live")]
use crate::live::LiveRegistry;
use crate::{Registry, Toolset};

pub use acting::{CONFIRMATION, Calling, Declining, FunctionReply, Functions, RequestParts};
use handler::{Handler, Shared};
#[cfg(feature = "mcp-http")]
pub use http::HttpOptions;
use lines::Lines;
use source::Source;
use tools::Offer;

mod acting;
mod changes;
mod completion;
mod entries;
mod frontmatter;
mod handler;
#[cfg(feature = "mcp-http")]
mod http;
mod lines;
#[cfg(feature = "live")]
mod live;
mod pages;
mod prompts;
mod refused;
mod resources;
mod source;
mod structured;
mod tools;
mod uri;

/// A server of skills, for one client or, over HTTP, for many.
///
/// Audiences are kept apart: tools show what a model may call, prompts what a user may call. The extension
/// shows every skill with its whole frontmatter, since there the host decides. A policy applies to all of
/// them.
#[derive(Debug, Clone)]
pub struct Server {
    source: Source,
    about: Arc<About>,
    offer: Offer,
    functions: Option<Arc<dyn Functions>>,
    #[cfg(feature = "mcp-http")]
    http: Arc<HttpOptions>,
}

/// How a server introduces itself.
#[derive(Debug, Clone)]
struct About {
    name: String,
    version: String,
    /// `None` for those that go with the tools.
    instructions: Option<String>,
}

impl About {
    fn instructions(&self, tools: Toolset) -> String {
        self.instructions.clone().unwrap_or_else(|| instructions(tools))
    }
}

impl Default for About {
    fn default() -> Self {
        Self { name: "skills".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned(), instructions: None }
    }
}

/// What a model is told about the server.
fn instructions(tools: Toolset) -> String {
    let how = match tools {
        Toolset::One => {
            "load the skill with skills_tool action=load and follow it; action=search finds the right one, \
             action=read_file opens its files."
        }
        Toolset::Short => "load the skill with the tool skill and follow it.",
        _ => {
            "load the skill with load_skill and follow it; search_skills finds the right one, \
             read_skill_resource opens its files."
        }
    };
    format!(
        "Skills are instructions for particular tasks, with files beside them. Before you do a task that the \
         description of a skill names, {how}"
    )
}

impl Server {
    /// Serves a registry that never changes: a bundle, with or without a policy.
    pub fn new(registry: Registry<'static>) -> Self {
        Self::of(Source::Fixed(registry))
    }

    /// Serves roots that are read from disk, with or without a bundle. While clients are connected, the disk
    /// is watched and clients are notified when skills change. If the system refuses to watch, a new skill is
    /// seen within a second, or as the registry's `Freshness` says.
    #[cfg(feature = "live")]
    pub fn live(registry: Arc<LiveRegistry>) -> Self {
        Self::of(Source::Live(Arc::new(live::Live::new(registry))))
    }

    fn of(source: Source) -> Self {
        let offer = Offer { tools: Toolset::PerAction, structured: false };
        Self {
            source,
            about: Arc::default(),
            offer,
            functions: None,
            #[cfg(feature = "mcp-http")]
            http: Arc::default(),
        }
    }

    /// Sets the server's name and version, for people; by default `skills` and the version of this crate.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        let about = Arc::make_mut(&mut self.about);
        about.name = name.into();
        about.version = version.into();
        self
    }

    /// Sets what a host shows its model about the server. Some hosts cut it after 2,048 characters.
    #[must_use]
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.about).instructions = Some(text.into());
        self
    }

    /// Sets the tools that are offered; a tool for each action unless set. All texts name these.
    #[must_use]
    pub fn toolset(mut self, tools: Toolset) -> Self {
        self.offer.tools = tools;
        self
    }

    /// Whether tools have an output schema, and answers have data besides the text (`structuredContent`); not
    /// unless set. Many hosts show a model the data in place of the text, and it is several times as long.
    #[must_use]
    pub fn structured(mut self, yes: bool) -> Self {
        self.offer.structured = yes;
        self
    }

    /// Offers functions as tools, next to those of the skills. The crate `skills-handlers` provides them.
    #[must_use]
    pub fn with_handlers(mut self, functions: impl Functions) -> Self {
        self.functions = Some(Arc::new(functions));
        self
    }

    /// The names of the functions that aren't offered over HTTP outside of sessions. A server over HTTP logs them
    /// (`tracing`) when it starts.
    pub fn left_out(&self) -> Vec<String> {
        self.functions.as_ref().map(|functions| functions.left_out()).unwrap_or_default()
    }

    /// Serves one client on stdin and stdout until it closes them. Blocks the thread; in an asynchronous
    /// program use [`serve`](Self::serve).
    ///
    /// # Errors
    ///
    /// If the connection fails, or the client doesn't begin as the protocol requires. A client that
    /// disconnects isn't an error.
    pub fn serve_stdio(self) -> Result<(), ServeError> {
        let runtime = runtime()?;
        let served = runtime.block_on(async move {
            let (reader, writer) = rmcp::transport::stdio_pipes();
            self.serve(reader, writer).await
        });
        // A pending read from a terminal can't be cancelled and would block the end of the program.
        runtime.shutdown_background();
        served
    }

    /// Serves one client over any connection until it is closed. A line that isn't JSON, is over 16 MiB or nested
    /// too deep is answered with an error, and reported as an event of `tracing` at level `WARN`.
    ///
    /// # Errors
    ///
    /// As for [`serve_stdio`](Self::serve_stdio).
    pub async fn serve(
        self,
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Result<(), ServeError> {
        let _watching = self.source.watch();
        let handler = Handler::new(Arc::new(Shared::new(&self)));
        let running = match handler.serve(Lines::new(reader, writer)).await {
            Ok(running) => running,
            // The client disconnected before its first request.
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
                return Ok(());
            }
            Err(error) => return Err(ServeError::new(error.to_string())),
        };
        match running.waiting().await {
            Ok(QuitReason::JoinError(error)) | Err(error) => Err(ServeError::new(error.to_string())),
            Ok(_) => Ok(()),
        }
    }
}

/// A runtime with one thread, on which everything happens.
fn runtime() -> Result<tokio::runtime::Runtime, ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| ServeError::new(format!("the event loop cannot be started: {error}")))
}

/// Why skills couldn't be served.
#[derive(Debug)]
pub struct ServeError {
    message: String,
}

impl ServeError {
    fn new(message: String) -> Self {
        Self { message }
    }
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ServeError {}
