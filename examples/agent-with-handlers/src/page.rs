//! Fetches pages of this machine, and of no other.

use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use schemars::JsonSchema;
use serde::Deserialize;
use skills_handlers::Failure;

/// The most bytes of a page.
const MAX_BYTES: usize = 1024 * 1024;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Fetch {
    /// An address such as `http://localhost:8000/status`.
    url: String,
}

#[skills_handlers::handler(skill = "page-fetch", timeout = "5s", examples = [r#"{"url": "http://localhost:8000/"}"#])]
pub(crate) async fn page_fetch(input: Fetch) -> Result<String, Failure> {
    let url: Url = input.url.parse().map_err(|_| Failure::new(format!("`{}` is no address", input.url)))?;
    if url.scheme() != "http" || !matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]")) {
        return Err(Failure::new("only pages of this machine are fetched")
            .suggest("give an http://localhost address"));
    }
    // A redirect could lead to another machine.
    let client = Client::builder().redirect(Policy::none()).build()?;
    let mut response = client.get(url).send().await?;
    if !response.status().is_success() {
        return Err(Failure::new(format!("the server answered {}", response.status())));
    }
    let mut page = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if page.len() + chunk.len() > MAX_BYTES {
            return Err(Failure::new(format!("the page has more than {MAX_BYTES} bytes")));
        }
        page.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8_lossy(&page).into_owned())
}
