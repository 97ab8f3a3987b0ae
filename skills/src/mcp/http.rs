//! Serves many clients at once over HTTP.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use super::handler::Handler;
use super::{ServeError, Server, runtime};

/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(30);

impl Server {
    /// Serves clients over streamable HTTP at any path of an address, such as `127.0.0.1:8080`, until the
    /// process ends. Port 0 picks a free port; `ready` is called with the actual address. Blocks the thread.
    ///
    /// There is no encryption and no password. At an address of this machine only, requests that come from a
    /// browser on behalf of another site are refused by their `Host` and `Origin`. At any other address, the
    /// caller must control access.
    ///
    /// # Errors
    ///
    /// If the server can't listen on the address.
    pub fn serve_http(self, address: SocketAddr, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
        runtime()?.block_on(async move {
            let taken = |error| ServeError::new(format!("cannot listen on `{address}`: {error}"));
            let listener = TcpListener::bind(address).await.map_err(taken)?;
            ready(listener.local_addr().map_err(taken)?);
            self.accept(listener, address).await
        })
    }

    async fn accept(self, listener: TcpListener, address: SocketAddr) -> Result<(), ServeError> {
        let _watching = self.source.watch();
        let mut config = StreamableHttpServerConfig::default();
        if address.ip().is_loopback() {
            config = config.enforce_origin_validation();
        } else {
            // The host names under which clients reach it aren't known here.
            config = config.disable_allowed_hosts();
        }
        let service = StreamableHttpService::new(
            move || Ok(Handler::new(&self)),
            Arc::new(LocalSessionManager::default()),
            config,
        );
        let mut http = hyper::server::conn::http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEAD);
        loop {
            // The client disconnected while connecting, or too many files are open: others may still connect.
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            };
            let connection =
                http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service.clone()));
            // An error of one connection only concerns that client.
            tokio::spawn(async move { drop(connection.await) });
        }
    }
}
