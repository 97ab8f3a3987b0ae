//! What a request passes before it is answered: a token, the limits of its body, and the end of the server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;
use tokio::sync::watch;

use super::options::HttpOptions;
use crate::mcp::changes;
use crate::mcp::refused::Refusal;

/// Whether the server is about to end.
#[derive(Debug)]
pub(super) struct Ending {
    is_draining: AtomicBool,
    closing: watch::Sender<bool>,
}

impl Ending {
    pub(super) fn new() -> Self {
        Self { is_draining: AtomicBool::new(false), closing: watch::channel(false).0 }
    }

    /// From now on, clients are sent elsewhere.
    pub(super) fn drain(&self) {
        self.is_draining.store(true, Ordering::Release);
    }

    /// From now on, streams of events end.
    pub(super) fn close(&self) {
        self.closing.send_replace(true);
    }

    pub(super) fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Acquire)
    }

    pub(super) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }
}

/// The refusal of a request without one of the tokens.
pub(super) fn without_token(options: &HttpOptions, headers: &HeaderMap) -> Option<Response> {
    let tokens = options.tokens.as_ref()?;
    if given_token(headers).is_some_and(|given| tokens.has(given)) {
        return None;
    }
    let why = "Unauthorized: send a known token as `Authorization: Bearer TOKEN`";
    Some((StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], why).into_response())
}

fn given_token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// Reads the body within its limits, and answers one that isn't a message; `next` answers the others.
pub(super) async fn with_body<F: Future<Output = Response>>(
    options: &HttpOptions,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    if request.method() != Method::POST {
        return next(request).await;
    }
    let (parts, body) = request.into_parts();
    let too_large = || {
        let why = format!("Payload Too Large: a body has at most {} bytes", options.max_body);
        (StatusCode::PAYLOAD_TOO_LARGE, why).into_response()
    };
    if body.size_hint().lower() > options.max_body as u64 {
        return too_large();
    }
    // The connection is closed by those who disconnect, so what remains is a body that is too large.
    let bytes = match tokio::time::timeout(options.body_timeout, to_bytes(body, options.max_body)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => return too_large(),
        Err(_) => {
            let why = format!("Request Timeout: the body took longer than {:?}", options.body_timeout);
            return (StatusCode::REQUEST_TIMEOUT, [(header::CONNECTION, "close")], why).into_response();
        }
    };
    let is_json = is_json(&parts.headers);
    let answer = next(Request::from_parts(parts, Body::from(bytes.clone()))).await;
    // With the media type of JSON, only a body that isn't a message is unsupported.
    if is_json && answer.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return refusal(&bytes);
    }
    answer
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

fn refusal(bytes: &Bytes) -> Response {
    match Refusal::of(bytes) {
        Some(refusal) => {
            let kind = [(header::CONTENT_TYPE, "application/json")];
            (StatusCode::BAD_REQUEST, kind, refusal.answer).into_response()
        }
        None => StatusCode::ACCEPTED.into_response(),
    }
}

/// Ends the stream of a session when the server ends. Other streams end by themselves.
pub(super) fn until_closed(ending: &Ending, answer: Response) -> Response {
    let closed = changes::closed(Some(ending.closing()));
    answer.map(|body| Body::from_stream(body.into_data_stream().take_until(Box::pin(closed))))
}

/// While the server drains, asks clients to connect anew, to another one.
pub(super) async fn farewell(State(ending): State<Arc<Ending>>, request: Request, next: Next) -> Response {
    let mut answer = next.run(request).await;
    if ending.is_draining() {
        answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    answer
}
