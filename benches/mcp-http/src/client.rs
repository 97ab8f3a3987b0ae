//! A client of HTTP that keeps its connection: as little as possible, so that the server is what is measured.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use serde_json::{Value, json};

/// A connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    body: Vec<u8>,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), body: Vec::new() })
    }

    /// Sends a request, and returns the body of its answer.
    pub(crate) fn ask(&mut self, request: &[u8]) -> Result<&[u8], Box<dyn Error + Send + Sync>> {
        self.stream.get_mut().write_all(request)?;
        let mut length = None;
        let mut line = String::new();
        let mut status = String::new();
        loop {
            line.clear();
            if self.stream.read_line(&mut line)? == 0 {
                return Err("the server closed the connection".into());
            }
            let header = line.trim_end();
            if header.is_empty() {
                break;
            }
            if status.is_empty() {
                header.clone_into(&mut status);
            } else if let Some((name, value)) = header.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = Some(value.trim().parse()?);
            }
        }
        self.body.resize(length.ok_or("an answer without a length")?, 0);
        self.stream.read_exact(&mut self.body)?;
        if !status.contains(" 200") {
            return Err(format!("{status}: {}", String::from_utf8_lossy(&self.body)).into());
        }
        Ok(&self.body)
    }
}

/// A request of the protocol 2025-11-25, as bytes.
pub(crate) fn request(address: SocketAddr, method: &str, params: &Value) -> Vec<u8> {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    let version = if method == "initialize" { "" } else { "MCP-Protocol-Version: 2025-11-25\r\n" };
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\n{version}Content-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// The request with which old clients begin.
pub(crate) fn hello(address: SocketAddr) -> Vec<u8> {
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {},
                        "clientInfo": {"name": "bench", "version": "0"}});
    request(address, "initialize", &params)
}

/// The request for a skill.
pub(crate) fn load(address: SocketAddr, name: &str) -> Vec<u8> {
    request(address, "tools/call", &json!({"name": "load_skill", "arguments": {"skill_name": name}}))
}
