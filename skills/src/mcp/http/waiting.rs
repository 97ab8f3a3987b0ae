//! A connection that has no place yet, because so many are open: it waits, unless it only asks how the server is.
//!
//! Whoever runs a server would otherwise take one with many clients for a dead one. This looks at the first bytes of a
//! request and leaves them; it reads no HTTP.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::mcp::changes;

/// The beginnings of requests that don't wait.
const PROBES: [&[u8]; 3] = [b"GET /healthz ", b"GET /readyz ", b"GET /metrics "];

/// How long to wait for the rest of a beginning.
const MORE: Duration = Duration::from_millis(10);

/// What a connection has waited for.
#[derive(Debug)]
pub(super) enum Turn {
    /// There is a place, or the server ends and answers everybody.
    Comes(Option<OwnedSemaphorePermit>),
    /// It asks how the server is.
    IsProbe,
    /// The client has disconnected.
    IsGone,
}

/// Waits until a connection is answered.
pub(super) async fn turn(stream: &TcpStream, free: Arc<Semaphore>, closing: watch::Receiver<bool>) -> Turn {
    tokio::select! {
        // The semaphore is never closed.
        place = free.acquire_owned() => Turn::Comes(place.ok()),
        () = changes::closed(Some(closing)) => Turn::Comes(None),
        turn = before_its_turn(stream) => turn,
    }
}

/// Never returns if the request has to wait.
async fn before_its_turn(stream: &TcpStream) -> Turn {
    let mut bytes = [0; 16];
    loop {
        let Ok(length @ 1..) = stream.peek(&mut bytes).await else { return Turn::IsGone };
        let begun = &bytes[..length];
        if PROBES.iter().any(|probe| begun.starts_with(probe)) {
            return Turn::IsProbe;
        }
        if !PROBES.iter().any(|probe| probe.starts_with(begun)) {
            std::future::pending::<()>().await;
        }
        // Until more comes, the same bytes are there again.
        tokio::time::sleep(MORE).await;
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt as _;
    use tokio::net::TcpListener;

    use super::*;

    async fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        (client, listener.accept().await.unwrap().0)
    }

    #[tokio::test]
    async fn only_a_probe_does_not_wait() {
        for (parts, is_probe) in [
            (&["GET /healthz HTTP/1.1\r\n"][..], true),
            (&["GET /rea", "dyz ", "HTTP/1.1\r\n"], true),
            (&["GET /metrics HTTP/1.1\r\n"], true),
            (&["GET /metricsx HTTP/1.1\r\n"], false),
            (&["POST /mcp HTTP/1.1\r\n"], false),
            (&["POST /healthz HTTP/1.1\r\n"], false),
        ] {
            let (mut client, stream) = pair().await;
            let free = Arc::new(Semaphore::new(0));
            let (close, closing) = watch::channel(false);
            let waits = turn(&stream, Arc::clone(&free), closing);
            let mut waits = std::pin::pin!(waits);
            for part in parts {
                client.write_all(part.as_bytes()).await.unwrap();
                let _ = tokio::time::timeout(MORE, stream.readable()).await;
            }
            if !is_probe {
                assert!(tokio::time::timeout(MORE * 5, &mut waits).await.is_err(), "{parts:?}");
                free.add_permits(1);
            }
            let turn = waits.await;
            assert_eq!(matches!(turn, Turn::IsProbe), is_probe, "{parts:?}: {turn:?}");
            assert_eq!(matches!(turn, Turn::Comes(Some(_))), !is_probe, "{parts:?}: {turn:?}");
            drop(close);
        }
    }

    #[tokio::test]
    async fn who_disconnects_waits_no_longer() {
        let (client, stream) = pair().await;
        let (_close, closing) = watch::channel(false);
        drop(client);
        assert!(matches!(turn(&stream, Arc::new(Semaphore::new(0)), closing).await, Turn::IsGone));
    }

    #[tokio::test]
    async fn at_the_end_nobody_waits() {
        let (_client, stream) = pair().await;
        let (close, closing) = watch::channel(false);
        close.send_replace(true);
        assert!(matches!(turn(&stream, Arc::new(Semaphore::new(0)), closing).await, Turn::Comes(None)));
    }
}
