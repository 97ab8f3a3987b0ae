//! One client's connection: forwards each request to the module that answers it.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, GetPromptRequestParams, GetPromptResponse,
    GetSkillRequestParams, GetSkillResult, Implementation, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListSkillsResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use rmcp::{ErrorData, ServerHandler};

use super::acting::{Functions, RequestParts};
use super::changes::{self, Telling};
use super::source::Source;
use super::{Server, acting, entries, prompts, resources, tools};

type Context = RequestContext<RoleServer>;
type Paged = Option<PaginatedRequestParams>;

/// Answers the requests of one client.
#[derive(Debug)]
pub(super) struct Handler {
    source: Source,
    config: ServerConfig,
    telling: Mutex<Option<Telling>>,
    functions: Option<Arc<dyn Functions>>,
}

impl Handler {
    pub(super) fn new(server: &Server) -> Self {
        let about = &server.about;
        let mut config = ServerConfig::new(capabilities(server.source.is_live()))
            .with_server_info(Implementation::new(&about.name, &about.version));
        if !about.instructions.is_empty() {
            config = config.with_instructions(&about.instructions);
        }
        let functions = server.functions.clone();
        Self { source: server.source.clone(), config, telling: Mutex::new(None), functions }
    }
}

fn capabilities(is_live: bool) -> ServerCapabilities {
    let what = ServerCapabilities::builder()
        .enable_tools()
        .enable_prompts()
        .enable_resources()
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

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.config.clone()
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if let Some(changes) = self.source.changes() {
            let telling = Telling::start(changes, context.peer);
            *self.telling.lock().unwrap_or_else(PoisonError::into_inner) = Some(telling);
        }
    }

    async fn list_tools(&self, _: Paged, context: Context) -> Result<ListToolsResult, ErrorData> {
        let mut listed = tools::list(&self.source)?;
        if let Some(functions) = &self.functions {
            let more = acting::tools(&**functions, &RequestParts::of(&context));
            listed.tools.extend(more);
        }
        Ok(listed)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(functions) = self.functions.as_ref().filter(|_| !tools::is_ours(&request.name)) {
            // A request that the client cancels stops the function.
            let answer = tokio::select! {
                answer = acting::call(&**functions, &request, &context) => answer,
                () = context.ct.cancelled() => return Err(ErrorData::internal_error("cancelled", None)),
            };
            if let Some(result) = answer {
                return Ok(result.into());
            }
        }
        tools::call(&self.source, &request).map(Into::into)
    }

    async fn list_prompts(&self, request: Paged, _: Context) -> Result<ListPromptsResult, ErrorData> {
        prompts::list(&self.source, request.as_ref())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&self.source, &request).map(Into::into)
    }

    async fn list_resources(&self, request: Paged, _: Context) -> Result<ListResourcesResult, ErrorData> {
        resources::list(&self.source, request.as_ref())
    }

    async fn list_resource_templates(
        &self,
        _: Paged,
        _: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources::templates(&self.source))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(&self.source, &request.uri).map(Into::into)
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        _: Context,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        resources::read_directory(&self.source, &request)
    }

    async fn list_skills(&self, request: Paged, _: Context) -> Result<ListSkillsResult, ErrorData> {
        entries::list(&self.source, request.as_ref())
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        _: Context,
    ) -> Result<GetSkillResult, ErrorData> {
        entries::get(&self.source, &request.uri)
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        self.source.is_live().then(changes::offered)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        match self.source.changes() {
            Some(changes) => changes::tell(changes, &context).await,
            None => context.cancelled().await,
        }
        Ok(())
    }
}
