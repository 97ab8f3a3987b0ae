//! Serves many clients at once over HTTP.
//!
//! `rmcp` implements the protocol, and checks the names of hosts and origins. `router` has the paths, `guard` what a
//! request passes first; this file accepts connections, and ends without dropping a request.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use futures_util::FutureExt as _;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::{ServeError, Server};
use guard::Ending;
pub use options::HttpOptions;

mod guard;
mod metrics;
mod options;
mod router;

/// How long a client that has connected last may take to send the head of its request.
const TO_ASK: Duration = Duration::from_millis(200);

impl Server {
    /// Sets how the server is reached over HTTP, and its limits.
    #[must_use]
    pub fn http(mut self, options: HttpOptions) -> Self {
        self.http = Arc::new(options);
        self
    }

    /// The server as a part of a program that has its own HTTP server: MCP over streamable HTTP at `/mcp`, and
    /// `/healthz`, `/readyz` and `/metrics`, which anybody may read. Tokens, hosts, origins and the limits of a body
    /// are those of [`http`](Self::http); connections are the program's.
    ///
    /// While the router lives, the disk is watched. It is a router of axum 0.8, and must be used in a Tokio runtime.
    ///
    /// ```
    /// use skills::mcp::Server;
    /// # use skills::Registry;
    ///
    /// # let registry = Registry::empty();
    /// let app: axum::Router = axum::Router::new().nest("/skills", Server::new(registry).router());
    /// ```
    pub fn router(&self) -> Router {
        router::router(self, &Arc::new(Ending::new()))
    }

    /// Serves clients over streamable HTTP at `/mcp` of an address, such as `127.0.0.1:8080`, on all processors.
    /// Port 0 picks a free port; `ready` is called with the actual address. Blocks the thread until SIGTERM, and
    /// then until what was asked is answered ([`HttpOptions::grace`], [`HttpOptions::drain`]). On other systems than
    /// Unix, it ends with the process.
    ///
    /// `/healthz` says that the process is alive, `/readyz` that it serves skills, and `/metrics` has counts in the
    /// text format of Prometheus; they ask for nothing. There is no encryption.
    ///
    /// # Errors
    ///
    /// If the server can't listen on the address, or if other machines can reach it and nothing is said about who
    /// may ([`HttpOptions::tokens`], [`HttpOptions::no_auth`]).
    pub fn serve_http(self, address: SocketAddr, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
        self.http.check(address).map_err(ServeError::new)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime =
            runtime.map_err(|error| ServeError::new(format!("the event loop cannot be started: {error}")))?;
        let served = runtime.block_on(async move {
            let taken = |error| ServeError::new(format!("cannot listen on `{address}`: {error}"));
            let listener = TcpListener::bind(address).await.map_err(taken)?;
            // From here on, the signal ends it gently.
            let signal = signal()?;
            ready(listener.local_addr().map_err(taken)?);
            self.accept(listener, signal).await;
            Ok(())
        });
        // What takes longer than it may is given up.
        runtime.shutdown_background();
        served
    }

    async fn accept(self, listener: TcpListener, signal: impl Future<Output = ()>) {
        let ending = Arc::new(Ending::new());
        let service = TowerToHyperService::new(router::router(&self, &ending));
        let mut http = hyper::server::conn::http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(self.http.keep_alive);
        let connections = GracefulShutdown::new();
        let free = Arc::new(Semaphore::new(self.http.max_connections));
        let end = async {
            signal.await;
            let latest = Instant::now() + self.http.drain;
            ending.drain();
            tokio::time::sleep(self.http.grace.min(self.http.drain)).await;
            latest
        };
        let mut end = std::pin::pin!(end);
        let serve = |stream: TcpStream, place: Option<OwnedSemaphorePermit>| {
            // Otherwise an answer may wait for 40 ms. Without it, it is only slow.
            let _ = stream.set_nodelay(true);
            let connection = http.serve_connection(TokioIo::new(stream), service.clone());
            let connection = connections.watch(connection);
            tokio::spawn(async move {
                // An error of one connection only concerns that client.
                drop(connection.await);
                drop(place);
            });
        };
        let latest = loop {
            tokio::select! {
                latest = &mut end => break latest,
                (stream, place) = accept(&listener, &free) => serve(stream, place),
            }
        };
        // Whoever has connected by now is still answered, and needs a moment to ask.
        while let Some(Ok((stream, _))) = listener.accept().now_or_never() {
            serve(stream, None);
        }
        drop(listener);
        ending.close();
        tokio::time::sleep_until(latest.min(Instant::now() + TO_ASK)).await;
        let _ = tokio::time::timeout_at(latest, connections.shutdown()).await;
    }
}

/// The next connection, once there is a place for it.
async fn accept(listener: &TcpListener, free: &Arc<Semaphore>) -> (TcpStream, Option<OwnedSemaphorePermit>) {
    // The semaphore is never closed.
    let place = Arc::clone(free).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return (stream, place),
            // The client disconnected while connecting, or too many files are open: others may still connect.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

/// Waits for SIGTERM.
#[cfg(unix)]
fn signal() -> Result<impl Future<Output = ()>, ServeError> {
    use tokio::signal::unix::{SignalKind, signal};
    let signal = signal(SignalKind::terminate());
    let mut signal =
        signal.map_err(|error| ServeError::new(format!("the signal to end cannot be received: {error}")))?;
    Ok(async move {
        signal.recv().await;
    })
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail on Unix")]
fn signal() -> Result<impl Future<Output = ()>, ServeError> {
    Ok(std::future::pending())
}
