//! Messages on stdin and stdout.
//!
//! `lsp_server` has the messages and writes them. They are read here, since its own reader makes room for any length that a
//! header names, and ends with the words of Rust.

use std::io::{self, BufRead, Read as _};
use std::thread::{self, JoinHandle};

use lsp_server::{Connection, Message, Notification};
use skills_source::scan::in_words;

/// The longest message, in bytes: an editor sends a file as one.
const MAX_MESSAGE: u64 = 64 * 1024 * 1024;

/// The longest line of a header, in bytes.
const MAX_HEADER: u64 = 4 * 1024;

/// The threads that read and write.
pub(crate) struct Threads {
    reader: JoinHandle<Result<(), String>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    /// Waits until both have ended, which they do once the client has left and the connection is dropped.
    ///
    /// # Errors
    ///
    /// Why no more could be read, in words. A client that no longer reads has left.
    pub(crate) fn join(self) -> Result<(), String> {
        let read = self.reader.join().unwrap_or(Ok(()));
        let _ = self.writer.join();
        read
    }
}

/// A connection over stdin and stdout.
pub(crate) fn stdio() -> (Connection, Threads) {
    let (server, Connection { sender, receiver }) = Connection::memory();
    let reader =
        thread::spawn(move || read_all(&mut io::stdin().lock(), |message| sender.send(message).is_ok()));
    let writer = thread::spawn(move || {
        receiver.into_iter().try_for_each(|message: Message| message.write(&mut io::stdout().lock()))
    });
    (server, Threads { reader, writer })
}

/// Reads every message until the client leaves or nobody takes more.
fn read_all(input: &mut impl BufRead, mut take: impl FnMut(Message) -> bool) -> Result<(), String> {
    while let Some(message) = read(input)? {
        let is_last =
            matches!(&message, Message::Notification(Notification { method, .. }) if method == "exit");
        if !take(message) || is_last {
            break;
        }
    }
    Ok(())
}

/// Reads one message; `None` at the end.
fn read(input: &mut impl BufRead) -> Result<Option<Message>, String> {
    let Some(len) = read_header(input)? else { return Ok(None) };
    let mut body = Vec::new();
    let read = input.by_ref().take(len).read_to_end(&mut body);
    read.map_err(|error| format!("stdin cannot be read: {}", in_words(&error)))?;
    if (body.len() as u64) < len {
        return Err("the last message is shorter than its `Content-Length`".to_owned());
    }
    let message = serde_json::from_slice(&body);
    message.map(Some).map_err(|_| {
        let start: String = String::from_utf8_lossy(&body).chars().take(40).collect();
        format!("a message isn't one of JSON-RPC; it begins with `{start}`")
    })
}

/// Reads the lines before a message, and returns its length in bytes; `None` at the end.
fn read_header(input: &mut impl BufRead) -> Result<Option<u64>, String> {
    let (mut len, mut is_first) = (None, true);
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line);
        read.map_err(|error| format!("stdin cannot be read: {}", in_words(&error)))?;
        let line = match line.strip_suffix(b"\n") {
            Some(line) => String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned(),
            None if line.is_empty() && is_first => return Ok(None),
            None if (line.len() as u64) < MAX_HEADER => return Err("the last header has no end".to_owned()),
            None => return Err(format!("a line of a header has more than {MAX_HEADER} bytes")),
        };
        is_first = false;
        if line.is_empty() {
            return len.map(Some).ok_or_else(|| "a header has no `Content-Length`".to_owned());
        }
        let (name, value) = line.split_once(':').unwrap_or((&line, ""));
        if !name.trim().eq_ignore_ascii_case("Content-Length") {
            continue;
        }
        let value = value.trim();
        let parsed: u64 = value
            .parse()
            .map_err(|_| format!("`Content-Length` must be a number of bytes, not `{value}`"))?;
        if parsed > MAX_MESSAGE {
            return Err(format!("a message of {parsed} bytes is longer than {} MiB", MAX_MESSAGE >> 20));
        }
        len = Some(parsed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &str) -> (Vec<Message>, Result<(), String>) {
        let mut messages = Vec::new();
        let result = read_all(&mut input.as_bytes(), |message| {
            messages.push(message);
            true
        });
        (messages, result)
    }

    #[test]
    fn messages_are_read_one_after_the_other() {
        let note = |method: &str| format!("{{\"jsonrpc\":\"2.0\",\"method\":\"{method}\"}}");
        let frame = |body: &str| format!("content-length:{}\r\nContent-Type: x\r\n\r\n{body}", body.len());
        let input = frame(&note("a")) + &frame(&note("exit")) + "what comes after it";
        let (messages, result) = all(&input);
        assert_eq!((messages.len(), result), (2, Ok(())));
        assert_eq!(all("").1, Ok(()));
    }

    #[test]
    fn what_is_no_message_is_refused_in_words() {
        for (input, why) in [
            (
                "Content-Length: 99999999999999\r\n\r\n",
                "a message of 99999999999999 bytes is longer than 64 MiB",
            ),
            ("Content-Length: x\r\n\r\n", "`Content-Length` must be a number of bytes, not `x`"),
            ("Content-Length: 5\r\n\r\n{", "the last message is shorter than its `Content-Length`"),
            ("Content-Length: 4\r\n\r\n{\"a\"", "a message isn't one of JSON-RPC; it begins with `{\"a\"`"),
            ("Content-Type: x\r\n\r\n{}", "a header has no `Content-Length`"),
            ("Content-", "the last header has no end"),
        ] {
            assert_eq!(all(input).1, Err(why.to_owned()), "{input}");
        }
        let long = "x".repeat(5_000);
        assert_eq!(all(&long).1, Err("a line of a header has more than 4096 bytes".to_owned()));
    }
}
