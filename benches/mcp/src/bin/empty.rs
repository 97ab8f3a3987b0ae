//! A server of `rmcp` that serves nothing: what any MCP server in Rust takes to start.

use rmcp::model::{ServerCapabilities, ServerConfig};
use rmcp::{ServerHandler, ServiceExt as _};

struct Empty;

impl ServerHandler for Empty {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        Empty.serve(rmcp::transport::stdio_pipes()).await?.waiting().await?;
        Ok(())
    })
}
