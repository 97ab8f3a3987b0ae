//! The paths of a server: MCP at `/mcp`, and three for those who run it.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{self, HeaderMap, Method, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{any, get};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};
use tower_http::trace::TraceLayer;
use tracing::Span;

use super::guard::{self, Ending};
use super::metrics::{Form, Metrics};
use super::options::HttpOptions;
use crate::mcp::Server;
use crate::mcp::handler::{Handler, Shared};

/// What answers at `/mcp`, for all clients.
struct Endpoint {
    mcp: StreamableHttpService<Handler, LocalSessionManager>,
    options: Arc<HttpOptions>,
    ending: Arc<Ending>,
}

impl Endpoint {
    async fn answer(&self, request: Request) -> Response {
        if let Some(refusal) = guard::without_token(&self.options, request.headers()) {
            return refusal;
        }
        let is_stream = request.method() == Method::GET;
        let ask = |request| async { self.mcp.handle(request).await.map(Body::new) };
        let answer = guard::with_body(&self.options, request, ask).await;
        if is_stream { guard::until_closed(&self.ending, answer) } else { answer }
    }
}

pub(super) fn router(server: &Server, ending: &Arc<Ending>) -> Router {
    let options = Arc::clone(&server.http);
    warn_of_left_out(&server.left_out(), options.sessions);
    let metrics = Arc::new(Metrics::new());
    let counted = Arc::clone(&metrics);
    let observer = move |tool: &str, succeeded: bool, time: Duration| counted.count(tool, succeeded, time);
    let shared = Shared::new(server).observed_by(Box::new(observer)).until(ending.closing());
    let shared = Arc::new(if options.sessions {
        shared.pinging(options.session_keep_alive / 3)
    } else {
        shared.stateless()
    });
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(options.session_keep_alive);
    let mcp = StreamableHttpService::new(
        move || Ok(Handler::new(Arc::clone(&shared))),
        Arc::new(sessions),
        config(&options),
    );
    let cors = cors(&options);
    let endpoint = Arc::new(Endpoint { mcp, options, ending: Arc::clone(ending) });
    // A layer for each step would copy all that is below it, for each request.
    let answer = move |request: Request| {
        let endpoint = Arc::clone(&endpoint);
        async move { endpoint.answer(request).await }
    };
    let mcp = Router::new().route("/mcp", any(answer)).route_layer(cors);
    let (of_ready, of_metrics) = (server.source.clone(), server.source.clone());
    let ready = Arc::clone(ending);
    // The disk is watched as long as there is a router.
    let watching = Arc::new(server.source.watch());
    let alive = move || {
        let _ = &watching;
        async { "ok\n" }
    };
    Router::new()
        .merge(mcp)
        .route("/healthz", get(alive))
        .route(
            "/readyz",
            get(move || {
                let answer = match (ready.is_draining(), of_ready.served()) {
                    (true, _) => (StatusCode::SERVICE_UNAVAILABLE, "draining\n"),
                    (false, 0) => (StatusCode::SERVICE_UNAVAILABLE, "no skill is served\n"),
                    (false, _) => (StatusCode::OK, "ok\n"),
                };
                async move { answer }
            }),
        )
        .route(
            "/metrics",
            get(move |headers: HeaderMap| {
                let accept =
                    headers.get_all(header::ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
                let form = Form::for_accept(&accept.collect::<Vec<_>>().join(","));
                let text = metrics.text(&of_metrics, form);
                async move {
                    match text {
                        Ok(text) => Ok(([(header::CONTENT_TYPE, form.media_type())], text)),
                        Err(_) => Err(StatusCode::INTERNAL_SERVER_ERROR),
                    }
                }
            }),
        )
        .layer(from_fn_with_state(Arc::clone(ending), guard::farewell))
        .layer(TraceLayer::new_for_http().make_span_with(span).on_request(()).on_failure(()).on_response(log))
}

/// Sessions, hosts and origins are checked by `rmcp`.
fn config(options: &HttpOptions) -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(options.sessions)
        .with_json_response(true)
        .with_allowed_hosts(options.all_hosts())
        .with_allowed_origins(options.all_origins())
        .with_max_request_body_bytes(options.max_body)
}

/// Lets the web pages of the allowed origins read answers.
fn cors(options: &HttpOptions) -> CorsLayer {
    let origins = options.all_origins();
    let is_allowed = move |origin: &axum::http::HeaderValue| {
        origin.to_str().is_ok_and(|origin| origins.iter().any(|allowed| fits(allowed, origin)))
    };
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(move |origin, _| is_allowed(origin)))
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([axum::http::HeaderName::from_static("mcp-session-id")])
}

/// Whether an origin is an allowed one, which has a port or `:*`. `rmcp` decides who is answered; this says who may
/// read it.
fn fits(allowed: &str, origin: &str) -> bool {
    if let Some(allowed) = allowed.strip_suffix(":*") {
        let port = origin.strip_prefix(allowed);
        return port.is_some_and(|port| {
            port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok())
        });
    }
    let usual = allowed
        .strip_prefix("https://")
        .and_then(|host| host.strip_suffix(":443"))
        .map(|host| ("https", host));
    let usual = usual.or(allowed
        .strip_prefix("http://")
        .and_then(|host| host.strip_suffix(":80"))
        .map(|host| ("http", host)));
    origin == allowed || usual.is_some_and(|(scheme, host)| origin == format!("{scheme}://{host}"))
}

fn span<B>(request: &http::Request<B>) -> Span {
    tracing::info_span!(target: "skills::http", "request", method = %request.method(), path = request.uri().path())
}

fn log<B>(response: &http::Response<B>, time: Duration, _: &Span) {
    let ms = time.as_secs_f64() * 1000.0;
    tracing::info!(target: "skills::http", status = response.status().as_u16(), ms, "answered");
}

fn warn_of_left_out(functions: &[String], has_sessions: bool) {
    if functions.is_empty() {
        return;
    }
    let functions = functions.join(", ");
    if has_sessions {
        tracing::warn!(
            functions,
            "offered in sessions alone, since their confirmations are kept in this process"
        );
    } else {
        tracing::warn!(
            functions,
            "not offered over HTTP, since their confirmations are kept in this process: give the handlers a store, or \
             turn on sessions"
        );
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use hyper::service::Service as _;
    use hyper_util::service::TowerToHyperService;
    use serde_json::{Value, json};

    use super::*;
    use crate::Registry;

    /// A program with its own paths.
    async fn ask(method: Method, path: &str, body: &Value) -> (StatusCode, String) {
        let server = Server::new(Registry::empty());
        let app = Router::new().route("/", get(async || "mine")).nest("/skills", server.router());
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "localhost")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json, text/event-stream")
            .body(Body::from(body.to_string()))
            .unwrap();
        let answer = TowerToHyperService::new(app).call(request).await.unwrap();
        let status = answer.status();
        (status, String::from_utf8(to_bytes(answer.into_body(), 1 << 20).await.unwrap().to_vec()).unwrap())
    }

    #[tokio::test]
    async fn a_program_has_the_paths_below_its_own() {
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}});
        let (status, answer) = ask(Method::POST, "/skills/mcp", &hello).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        assert!(answer.contains("\"serverInfo\""), "{answer}");
        for (path, status, text) in [
            ("/", StatusCode::OK, "mine"),
            ("/skills/healthz", StatusCode::OK, "ok\n"),
            ("/skills/readyz", StatusCode::SERVICE_UNAVAILABLE, "no skill is served\n"),
            ("/mcp", StatusCode::NOT_FOUND, ""),
        ] {
            assert_eq!(ask(Method::GET, path, &Value::Null).await, (status, text.to_owned()), "{path}");
        }
    }

    #[test]
    fn an_origin_is_compared_as_a_whole() {
        for (allowed, origin, expected) in [
            ("http://localhost:*", "http://localhost", true),
            ("http://localhost:*", "http://localhost:3000", true),
            ("http://localhost:*", "http://localhost.evil.example", false),
            ("http://localhost:*", "http://localhost:3000.evil.example", false),
            ("http://localhost:*", "https://localhost", false),
            ("https://a.example:443", "https://a.example", true),
            ("https://a.example:443", "https://a.example:443", true),
            ("https://a.example:443", "http://a.example", false),
            ("https://a.example:443", "https://a.example:8443", false),
            ("https://a.example:8443", "https://a.example", false),
            ("http://a.example:80", "http://a.example", true),
        ] {
            assert_eq!(fits(allowed, origin), expected, "{allowed} {origin}");
        }
    }
}
