//! JSON lines: a message in each line, over any connection.
//!
//! This is `rmcp`'s transport for streams, with one difference: a line that can't be read is answered, and
//! reported to `tracing`, where `rmcp` ignores it and leaves the client waiting.

use std::io;
use std::sync::Arc;

use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use super::refused::Refusal;

/// The longest line, in bytes.
const LONGEST: usize = 16 * 1024 * 1024;

/// What is kept of the buffer after a long line.
const KEPT: usize = 64 * 1024;

/// A connection of lines.
///
/// `receive` may be cancelled at any time, so everything that it has begun is in here.
pub(super) struct Lines<R, W> {
    reader: BufReader<R>,
    line: Vec<u8>,
    /// Whether the line was refused already, and only its end is waited for.
    is_refused: bool,
    /// An answer that is being written. The next line is read after it.
    answering: Option<JoinHandle<io::Result<()>>>,
    /// `None` once it is closed.
    writer: Arc<Mutex<Option<W>>>,
}

impl<R: AsyncRead, W: AsyncWrite> Lines<R, W> {
    pub(super) fn new(reader: R, writer: W) -> Self {
        Self {
            reader: BufReader::new(reader),
            line: Vec::new(),
            is_refused: false,
            answering: None,
            writer: Arc::new(Mutex::new(Some(writer))),
        }
    }
}

/// What was read.
enum Read {
    Line,
    TooLong,
    End,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin + Send + 'static> Lines<R, W> {
    /// Reads a line into `line`, without its line feed.
    async fn read_line(&mut self) -> Read {
        loop {
            let Ok(available) = self.reader.fill_buf().await else { return Read::End };
            if available.is_empty() {
                // A message without a line feed at its end was cut off.
                return Read::End;
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            let is_too_long = !self.is_refused && self.line.len() + part.len() > LONGEST;
            if !self.is_refused && !is_too_long {
                self.line.extend_from_slice(part);
            }
            let taken = end.map_or(available.len(), |end| end + 1);
            self.reader.consume(taken);
            let was_refused = self.is_refused;
            self.is_refused = end.is_none() && (was_refused || is_too_long);
            if is_too_long {
                return Read::TooLong;
            }
            if end.is_some() && !was_refused {
                return Read::Line;
            }
        }
    }

    /// The message of the line; `None` if it has none, which is then answered.
    fn message(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let line = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
        // A JSON parser may ignore a byte order mark.
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        if line.iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        let message = serde_json::from_slice(line).ok();
        if message.is_none()
            && let Some(refusal) = Refusal::of(line)
        {
            self.refuse(refusal);
        }
        message
    }

    fn refuse(&mut self, refusal: Refusal) {
        tracing::warn!("a line was refused: {}", refusal.why);
        let mut answer = refusal.answer.into_bytes();
        answer.push(b'\n');
        self.answering = Some(tokio::spawn(write(Arc::clone(&self.writer), answer)));
    }

    fn forget_line(&mut self) {
        self.line.clear();
        self.line.shrink_to(KEPT);
    }
}

/// Writes a line at once.
async fn write(writer: Arc<Mutex<Option<impl AsyncWrite + Unpin>>>, line: Vec<u8>) -> io::Result<()> {
    match &mut *writer.lock().await {
        Some(writer) => {
            writer.write_all(&line).await?;
            writer.flush().await
        }
        None => Err(io::ErrorKind::NotConnected.into()),
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let writer = Arc::clone(&self.writer);
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            write(writer, line).await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(answering) = &mut self.answering {
                // If the client no longer reads, the end of its lines comes next.
                let _ = answering.await;
                self.answering = None;
            }
            match self.read_line().await {
                Read::End => return None,
                Read::TooLong => self.refuse(Refusal::too_long(LONGEST)),
                Read::Line => {
                    let message = self.message();
                    self.forget_line();
                    if message.is_some() {
                        return message;
                    }
                    continue;
                }
            }
            self.forget_line();
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        drop(self.writer.lock().await.take());
        Ok(())
    }
}
