//! Serves skills over the Model Context Protocol, to any host that speaks it.
//!
//! A [`Server`] offers five read-only tools, the skills that a user may call as prompts, every file as a
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

use crate::Registry;
#[cfg(feature = "live")]
use crate::live::LiveRegistry;

pub use acting::{CONFIRMATION, Calling, FunctionReply, Functions, RequestParts};
use handler::Handler;
use source::Source;

mod acting;
mod changes;
mod entries;
mod frontmatter;
mod handler;
#[cfg(feature = "mcp-http")]
mod http;
#[cfg(feature = "live")]
mod live;
mod pages;
mod prompts;
mod resources;
mod source;
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
    functions: Option<Arc<dyn Functions>>,
}

/// How a server introduces itself.
#[derive(Debug, Clone)]
struct About {
    name: String,
    version: String,
    instructions: String,
}

impl Default for About {
    fn default() -> Self {
        Self {
            name: "skills".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: "Skills are instructions for particular tasks, with files beside them. Before you \
                           do a task that the description of a skill names, load the skill with load_skill \
                           and follow it; search_skills finds the right one, read_skill_resource opens its \
                           files."
                .to_owned(),
        }
    }
}

impl Server {
    /// Serves a registry that never changes: a bundle, with or without a policy.
    pub fn new(registry: Registry<'static>) -> Self {
        Self { source: Source::Fixed(registry), about: Arc::default(), functions: None }
    }

    /// Serves roots that are read from disk, with or without a bundle. While clients are connected, the disk
    /// is watched and clients are notified when skills change. If the system refuses to watch, a change is
    /// seen with the next request.
    #[cfg(feature = "live")]
    pub fn live(registry: Arc<LiveRegistry>) -> Self {
        Self {
            source: Source::Live(Arc::new(live::Live::new(registry))),
            about: Arc::default(),
            functions: None,
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
        Arc::make_mut(&mut self.about).instructions = text.into();
        self
    }

    /// Offers functions as tools, next to those of the skills. The crate `skills-handlers` provides them.
    #[must_use]
    pub fn with_handlers(mut self, functions: impl Functions) -> Self {
        self.functions = Some(Arc::new(functions));
        self
    }

    /// The names of the functions that aren't offered over HTTP. Print them when the server starts.
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

    /// Serves one client over any connection until it is closed.
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
        let running = match Handler::new(&self).serve((reader, writer)).await {
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
