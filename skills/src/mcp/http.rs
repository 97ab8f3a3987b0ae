//! Serves many clients at once over HTTP.
//!
//! `rmcp` implements the protocol, and checks the names of hosts and origins. `router` has the paths, `guard` what a
//! request passes first, `waiting` the connections that have no place yet; this file accepts connections, and ends
//! without dropping a request.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use futures_util::FutureExt as _;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::{ServeError, Server};
use guard::Ending;
pub use options::HttpOptions;
use waiting::Turn;

mod guard;
mod metrics;
mod options;
mod router;
mod waiting;

/// How many connections wait for a place at most. More wait in the system.
const WAITING: usize = 1024;

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
        let runtime = runtime()
            .map_err(|error| ServeError::new(format!("the event loop cannot be started: {error}")))?;
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
        let connections = GracefulShutdown::new();
        let door = Door::new(&self, &ending);
        let free = Arc::new(Semaphore::new(self.http.max_connections));
        let room = Arc::new(Semaphore::new(WAITING));
        let end = async {
            signal.await;
            let latest = Instant::now() + self.http.drain;
            ending.drain();
            tokio::time::sleep(self.http.grace.min(self.http.drain)).await;
            latest
        };
        let mut end = std::pin::pin!(end);
        let latest = loop {
            let (stream, waits) = tokio::select! {
                latest = &mut end => break latest,
                accepted = accept(&listener, &room) => accepted,
            };
            let (door, watcher, closing) = (door.clone(), connections.watcher(), ending.closing());
            if let Ok(place) = Arc::clone(&free).try_acquire_owned() {
                tokio::spawn(door.serve(stream, watcher, Some(place)));
                continue;
            }
            let free = Arc::clone(&free);
            tokio::spawn(async move {
                let next = waiting::turn(&stream, free, closing).await;
                drop(waits);
                match next {
                    Turn::Comes(place) => door.serve(stream, watcher, place).await,
                    Turn::IsProbe => door.once().serve(stream, watcher, None).await,
                    Turn::IsGone => {}
                }
            });
        };
        // Whoever has connected by now is still answered, and needs a moment to ask.
        while let Some(Ok((stream, _))) = listener.accept().now_or_never() {
            tokio::spawn(door.clone().serve(stream, connections.watcher(), None));
        }
        drop(listener);
        ending.close();
        tokio::time::sleep_until(latest.min(Instant::now() + TO_ASK)).await;
        let _ = tokio::time::timeout_at(latest, connections.shutdown()).await;
    }
}

/// What answers on a connection.
#[derive(Clone)]
struct Door {
    http: hyper::server::conn::http1::Builder,
    service: TowerToHyperService<Router>,
}

impl Door {
    fn new(server: &Server, ending: &Arc<Ending>) -> Self {
        let mut http = hyper::server::conn::http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(server.http.keep_alive);
        Self { http, service: TowerToHyperService::new(router::router(server, ending)) }
    }

    /// The same for one request.
    fn once(mut self) -> Self {
        self.http.keep_alive(false);
        self
    }

    async fn serve(self, stream: TcpStream, watcher: Watcher, place: Option<OwnedSemaphorePermit>) {
        send_at_once(&stream);
        let connection = self.http.serve_connection(TokioIo::new(stream), self.service);
        // An error of one connection only concerns that client.
        drop(watcher.watch(connection).await);
        drop(place);
    }
}

/// Otherwise an answer may wait for 40 ms.
fn send_at_once(stream: &TcpStream) {
    // Without it, it is only slow.
    let _ = stream.set_nodelay(true);
}

/// The next connection, once there is room for it.
async fn accept(listener: &TcpListener, room: &Arc<Semaphore>) -> (TcpStream, Option<OwnedSemaphorePermit>) {
    // The semaphore is never closed.
    let waits = Arc::clone(room).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return (stream, waits),
            // The client disconnected while connecting, or too many files are open: others may still connect.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

/// All processors.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
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

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[tokio::test]
    async fn answers_are_sent_at_once() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (accepted, _) = listener.accept().await.unwrap();
        assert!(!accepted.nodelay().unwrap());
        send_at_once(&accepted);
        assert!(accepted.nodelay().unwrap());
        drop(client);
    }

    /// On one thread, the first task would wait for the other one for ever.
    #[test]
    fn requests_are_answered_side_by_side() {
        let runtime = runtime().unwrap();
        if runtime.metrics().num_workers() < 2 {
            // This machine has one processor.
            return;
        }
        let meeting = Arc::new(Barrier::new(2));
        let tasks = [(); 2].map(|()| {
            let meeting = Arc::clone(&meeting);
            runtime.spawn(async move { meeting.wait() })
        });
        for task in tasks {
            runtime.block_on(task).unwrap();
        }
    }
}
