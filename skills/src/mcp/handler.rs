//! One client's connection, or one of its requests: forwards each to the module that answers it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams, GetSkillResult,
    Implementation, InitializeRequestParams, InitializeResult, JsonObject, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use rmcp::{ErrorData, ServerHandler};
use serde_json::Value;
use tokio::sync::watch;

use super::acting::{Functions, RequestParts};
use super::changes::{self, Telling};
use super::source::Source;
use super::tools::Offer;
use super::{Server, acting, completion, entries, prompts, refused, resources, tools};

type Context = RequestContext<RoleServer>;
type Paged = Option<PaginatedRequestParams>;

/// Answers the requests of one client.
#[derive(Debug)]
pub(super) struct Handler {
    shared: Arc<Shared>,
    telling: Mutex<Vec<Telling>>,
}

/// What all clients of a server share.
pub(super) struct Shared {
    source: Source,
    config: ServerConfig,
    functions: Option<Arc<dyn Functions>>,
    offer: Offer,
    /// Whether a client from before the protocol 2026-07-28 stays connected, so that it can be notified.
    keeps_clients: bool,
    /// How often a client that stays connected is asked whether it is there.
    ping_every: Option<Duration>,
    observer: Option<Observer>,
    /// Becomes true when the server closes its streams.
    closing: Option<watch::Receiver<bool>>,
}

/// Called after each call of a tool, with its name, whether it succeeded, and how long it took.
pub(super) type Observer = Box<dyn Fn(&str, bool, Duration) + Send + Sync>;

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("source", &self.source).finish_non_exhaustive()
    }
}

impl Shared {
    pub(super) fn new(server: &Server) -> Self {
        let about = &server.about;
        let mut config = ServerConfig::new(capabilities(server.source.is_live()))
            .with_server_info(Implementation::new(&about.name, &about.version));
        let instructions = about.instructions(server.offer.tools);
        if !instructions.is_empty() {
            config = config.with_instructions(instructions);
        }
        Self {
            source: server.source.clone(),
            config,
            functions: server.functions.clone(),
            offer: server.offer,
            keeps_clients: true,
            ping_every: None,
            observer: None,
            closing: None,
        }
    }

    /// For clients that may reach another server with each request.
    #[cfg(feature = "mcp-http")]
    pub(super) fn stateless(mut self) -> Self {
        self.keeps_clients = false;
        self
    }

    #[cfg(feature = "mcp-http")]
    pub(super) fn pinging(mut self, every: Duration) -> Self {
        self.ping_every = Some(every);
        self
    }

    #[cfg(feature = "mcp-http")]
    pub(super) fn observed_by(mut self, observer: Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    #[cfg(feature = "mcp-http")]
    pub(super) fn until(mut self, closing: watch::Receiver<bool>) -> Self {
        self.closing = Some(closing);
        self
    }
}

/// Arguments of more bytes aren't answered on the thread that serves other clients: a query of 4 MiB takes a second.
const SHORT: usize = 4096;

/// The bytes of all strings in arguments, names included.
fn len(arguments: &JsonObject) -> usize {
    fn of(value: &Value) -> usize {
        match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(of).sum(),
            Value::Object(fields) => len(fields),
            Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        }
    }
    arguments.iter().map(|(name, value)| name.len() + of(value)).sum()
}

fn capabilities(is_live: bool) -> ServerCapabilities {
    let what = ServerCapabilities::builder()
        .enable_tools()
        .enable_prompts()
        .enable_resources()
        .enable_completions()
        .enable_skills_with_directory_read();
    if is_live {
        return what
            .enable_tool_list_changed()
            .enable_prompts_list_changed()
            .enable_resources_list_changed()
            .build();
    }
    what.build()
}

impl Handler {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, telling: Mutex::default() }
    }

    /// Asks the source. What may look at the disk is done on another thread, so that no other request waits.
    async fn ask<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Source) -> Result<T, ErrorData> + Send + 'static,
    ) -> Result<T, ErrorData> {
        self.ask_beside(false, ask).await
    }

    /// As [`ask`](Self::ask). So is what takes long for another reason.
    async fn ask_beside<T: Send + 'static>(
        &self,
        is_long: bool,
        ask: impl FnOnce(&Source) -> Result<T, ErrorData> + Send + 'static,
    ) -> Result<T, ErrorData> {
        if !is_long && !self.shared.source.is_live() {
            return ask(&self.shared.source);
        }
        let source = self.shared.source.clone();
        let answer = tokio::task::spawn_blocking(move || ask(&source)).await;
        answer.unwrap_or_else(|error| Err(ErrorData::internal_error(format!("no answer: {error}"), None)))
    }

    async fn answer(
        &self,
        request: CallToolRequestParams,
        context: &Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let is_ours = |name: &str| tools::is_ours(name) || self.shared.offer.has(name);
        if let Some(functions) = self.shared.functions.as_ref().filter(|_| !is_ours(&request.name)) {
            let parts = self.parts(context);
            // A request that the client cancels stops the function.
            let answer = tokio::select! {
                answer = acting::call(&**functions, &request, context, &parts) => answer,
                () = context.ct.cancelled() => return Err(ErrorData::internal_error("cancelled", None)),
            };
            if let Some(result) = answer {
                return Ok(result);
            }
        }
        let offer = self.shared.offer;
        let is_long = request.arguments.as_ref().is_some_and(|arguments| len(arguments) > SHORT);
        self.ask_beside(is_long, move |source| tools::call(source, offer, &request)).await.map(Into::into)
    }

    fn parts(&self, context: &Context) -> RequestParts {
        RequestParts::of(context, self.shared.keeps_clients)
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.shared.config.clone()
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Context,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut info = self.negotiate_initialize(&request)?;
        if !self.shared.keeps_clients {
            // A client that begins like this couldn't be notified.
            info.capabilities = capabilities(false);
        }
        Ok(info)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let changes = self.shared.source.changes();
        let changes = changes.map(|changes| Telling::start(changes, context.peer.clone()));
        let pings = self.shared.ping_every.map(|every| Telling::ping(every, context.peer));
        *self.telling.lock().unwrap_or_else(PoisonError::into_inner) =
            changes.into_iter().chain(pings).collect();
    }

    async fn list_tools(&self, _: Paged, context: Context) -> Result<ListToolsResult, ErrorData> {
        let offer = self.shared.offer;
        let mut listed = self.ask(move |source| tools::list(source, offer)).await?;
        if let Some(functions) = &self.shared.functions {
            let more = acting::tools(&**functions, &self.parts(&context));
            listed.tools.extend(more.into_iter().filter(|tool| !offer.has(&tool.name)));
        }
        Ok(listed)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(observer) = &self.shared.observer else {
            return self.answer(request, &context).await;
        };
        let (tool, start) = (request.name.clone(), Instant::now());
        let answer = self.answer(request, &context).await;
        let failed = |answer: &CallToolResponse| match answer {
            CallToolResponse::Complete(result) => result.is_error == Some(true),
            _ => false,
        };
        let succeeded = answer.as_ref().is_ok_and(|answer| !failed(answer));
        observer(&tool, succeeded, start.elapsed());
        answer
    }

    async fn list_prompts(&self, request: Paged, _: Context) -> Result<ListPromptsResult, ErrorData> {
        self.ask(move |source| prompts::list(source, request.as_ref())).await
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.ask(move |source| prompts::get(source, &request)).await.map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: Context,
    ) -> Result<CompleteResult, ErrorData> {
        self.ask(move |source| completion::complete(source, &request)).await
    }

    async fn list_resources(&self, request: Paged, _: Context) -> Result<ListResourcesResult, ErrorData> {
        self.ask(move |source| resources::list(source, request.as_ref())).await
    }

    async fn list_resource_templates(
        &self,
        _: Paged,
        _: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources::templates(&self.shared.source))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.ask(move |source| resources::read(source, &request.uri)).await.map(Into::into)
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        _: Context,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        self.ask(move |source| resources::read_directory(source, &request)).await
    }

    async fn list_skills(&self, request: Paged, _: Context) -> Result<ListSkillsResult, ErrorData> {
        self.ask(move |source| entries::list(source, request.as_ref())).await
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        _: Context,
    ) -> Result<GetSkillResult, ErrorData> {
        self.ask(move |source| entries::get(source, &request.uri)).await
    }

    async fn on_custom_request(&self, request: CustomRequest, _: Context) -> Result<CustomResult, ErrorData> {
        Err(refused::custom(&request))
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        self.shared.source.is_live().then(changes::offered)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        tokio::select! {
            () = changes::tell(self.shared.source.changes(), &context) => {}
            () = changes::closed(self.shared.closing.clone()) => {}
        }
        Ok(())
    }
}
