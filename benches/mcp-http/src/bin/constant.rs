//! A minimal server of `rmcp` over HTTP, whose tool answers a constant: what any such server in Rust costs.

use std::sync::Arc;

use axum::Router;
use axum::serve::ListenerExt as _;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, ServerHandler};

/// The text of one skill, about as long as the others.
static TEXT: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
    let name = bundle_1000::SKILLS.skills().next().map_or("", |skill| skill.name());
    skills::Registry::new(&bundle_1000::SKILLS)
        .load(name)
        .map_or_else(|_| String::new(), |skill| skill.text())
});

struct Constant;

impl ServerHandler for Constant {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(CallToolResult::success(vec![ContentBlock::text(TEXT.as_str())]).into())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let config =
            StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true);
        let service =
            StreamableHttpService::new(|| Ok(Constant), Arc::new(LocalSessionManager::default()), config);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        println!("{}", listener.local_addr()?);
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        axum::serve(listener, Router::new().route_service("/mcp", service)).await?;
        Ok(())
    })
}
