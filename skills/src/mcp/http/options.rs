//! How a server is reached over HTTP, and its limits.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use subtle::{Choice, ConstantTimeEq as _};

/// How a server is reached over HTTP, and its limits.
///
/// ```
/// use skills::mcp::HttpOptions;
///
/// let options = HttpOptions::new().allow_host("skills.example.com").tokens(["a long random string"]);
/// ```
#[derive(Debug, Clone)]
pub struct HttpOptions {
    pub(super) sessions: bool,
    pub(super) hosts: Vec<String>,
    pub(super) origins: Vec<String>,
    pub(super) tokens: Option<Tokens>,
    pub(super) no_auth: bool,
    pub(super) max_body: usize,
    pub(super) body_timeout: Duration,
    pub(super) max_connections: usize,
    pub(super) keep_alive: Duration,
    pub(super) session_keep_alive: Duration,
    pub(super) grace: Duration,
    pub(super) drain: Duration,
}

/// Names of this machine. A request under another name may be one of a web page whose name was made to point here.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            sessions: false,
            hosts: Vec::new(),
            origins: Vec::new(),
            tokens: None,
            no_auth: false,
            max_body: 4 * 1024 * 1024,
            body_timeout: Duration::from_secs(10),
            max_connections: 1024,
            keep_alive: Duration::from_secs(75),
            session_keep_alive: Duration::from_secs(300),
            grace: Duration::from_secs(2),
            drain: Duration::from_secs(10),
        }
    }
}

impl HttpOptions {
    /// No sessions, and requests that name this machine only, at an address of this machine only.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a client of a protocol before 2026-07-28 gets a session, so that it can be notified when skills
    /// change. All its requests must then reach the same process, which keeps the session in memory; it ends
    /// [some time](Self::session_keep_alive) after the last message. Without sessions, any process answers any request.
    #[must_use]
    pub fn sessions(mut self, yes: bool) -> Self {
        self.sessions = yes;
        self
    }

    /// Also answers requests for this host, with or without `:PORT`. Names of this machine are always allowed.
    /// Behind a proxy, it is the name that the proxy sends as `Host`.
    #[must_use]
    pub fn allow_host(mut self, host: impl Into<String>) -> Self {
        self.hosts.push(host.into());
        self
    }

    /// Also answers web pages of this origin, such as `https://app.example.com`. Without a port, it is the
    /// usual one of the scheme. Origins of this machine are always allowed.
    #[must_use]
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(with_port(origin.into()));
        self
    }

    /// Only answers requests with one of these tokens, as `Authorization: Bearer TOKEN`; nobody if there are
    /// none. Several tokens let clients change from one to the next.
    #[must_use]
    pub fn tokens<T: Into<String>>(mut self, tokens: impl IntoIterator<Item = T>) -> Self {
        self.tokens = Some(Tokens(tokens.into_iter().map(Into::into).collect()));
        self
    }

    /// Answers everybody who can reach the server, at whatever address. Something else must control access.
    #[must_use]
    pub fn no_auth(mut self, yes: bool) -> Self {
        self.no_auth = yes;
        self
    }

    /// Sets the largest body of a request, in bytes: 4 MiB unless set. A larger one is answered with 413.
    #[must_use]
    pub fn max_body(mut self, bytes: usize) -> Self {
        self.max_body = bytes;
        self
    }

    /// Sets how long a client may take to send a body: 10 seconds unless set. A slower one is answered with 408.
    #[must_use]
    pub fn body_timeout(mut self, time: Duration) -> Self {
        self.body_timeout = time;
        self
    }

    /// Sets how many connections are open at a time: 1,024 unless set, at least 1. More wait until one is
    /// closed; those that ask for `/healthz`, `/readyz` or `/metrics` don't wait.
    #[must_use]
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.max_connections = connections.clamp(1, 1_000_000);
        self
    }

    /// Sets how long a connection may wait for the next request, or for the end of its head: 75 seconds unless
    /// set.
    #[must_use]
    pub fn keep_alive(mut self, time: Duration) -> Self {
        self.keep_alive = time;
        self
    }

    /// Sets how long a session lives without a message: 5 minutes unless set, at least a second. A client with an open
    /// event stream is asked in that time whether it is there, and keeps its session by answering.
    #[must_use]
    pub fn session_keep_alive(mut self, time: Duration) -> Self {
        self.session_keep_alive = time.max(Duration::from_secs(1));
        self
    }

    /// Sets how long requests are still accepted after the signal to end: 2 seconds unless set. It is the time
    /// that a load balancer needs to notice.
    #[must_use]
    pub fn grace(mut self, time: Duration) -> Self {
        self.grace = time;
        self
    }

    /// Sets how long after the signal to end the server ends at the latest: 10 seconds unless set.
    #[must_use]
    pub fn drain(mut self, time: Duration) -> Self {
        self.drain = time;
        self
    }

    /// The hosts that requests may name.
    pub(super) fn all_hosts(&self) -> Vec<String> {
        LOOPBACK.into_iter().map(str::to_owned).chain(self.hosts.iter().cloned()).collect()
    }

    /// The origins of web pages that are answered.
    pub(super) fn all_origins(&self) -> Vec<String> {
        let loopback =
            LOOPBACK.into_iter().flat_map(|host| [format!("http://{host}:*"), format!("https://{host}:*")]);
        loopback.chain(self.origins.iter().cloned()).collect()
    }

    /// Whether everybody who may reach this address may also be answered; if not, why.
    pub(super) fn check(&self, address: SocketAddr) -> Result<(), String> {
        if address.ip().is_loopback() || self.tokens.is_some() || self.no_auth {
            return Ok(());
        }
        Err(format!(
            "`{address}` can be reached from other machines: set tokens, or say that access is controlled \
             elsewhere (`no_auth`)"
        ))
    }
}

/// The origin with its port.
fn with_port(origin: String) -> String {
    let Some((scheme, host)) = origin.split_once("://") else { return origin };
    let after = host.rsplit_once(']').map_or(host, |(_, after)| after);
    match scheme {
        "https" if !after.contains(':') => format!("{origin}:443"),
        "http" if !after.contains(':') => format!("{origin}:80"),
        _ => origin,
    }
}

/// The tokens, any of which is enough.
#[derive(Clone)]
pub(super) struct Tokens(Vec<String>);

impl fmt::Debug for Tokens {
    /// Without the tokens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tokens({})", self.0.len())
    }
}

impl Tokens {
    /// Whether a token is one of these. The time it takes says nothing about their characters.
    pub(super) fn has(&self, given: &str) -> bool {
        let given = given.as_bytes();
        let any = self.0.iter().fold(Choice::from(0), |any, token| any | token.as_bytes().ct_eq(given));
        any.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_without_a_port_has_the_usual_one() {
        for (origin, expected) in [
            ("https://app.example.com", "https://app.example.com:443"),
            ("http://app.example.com", "http://app.example.com:80"),
            ("https://app.example.com:8443", "https://app.example.com:8443"),
            ("http://[fd00::1]", "http://[fd00::1]:80"),
            ("http://[fd00::1]:81", "http://[fd00::1]:81"),
            ("null", "null"),
        ] {
            assert_eq!(with_port(origin.to_owned()), expected);
        }
    }

    #[test]
    fn one_of_the_tokens_is_enough() {
        let options = HttpOptions::new().tokens(["one", "two"]);
        let tokens = options.tokens.as_ref().unwrap();
        assert!(tokens.has("one") && tokens.has("two"));
        assert!(!tokens.has("") && !tokens.has("on") && !tokens.has("onetwo") && !tokens.has("One"));
        assert!(!format!("{options:?}").contains("one"), "a token is a secret");
        assert!(!HttpOptions::new().tokens([""; 0]).tokens.unwrap().has(""));
    }

    #[test]
    fn other_machines_need_a_token() {
        let (here, all) = ("127.0.0.1:1".parse().unwrap(), "0.0.0.0:1".parse().unwrap());
        assert!(HttpOptions::new().check(here).is_ok());
        assert!(HttpOptions::new().check(all).unwrap_err().contains("set tokens"));
        assert!(HttpOptions::new().tokens(["x"]).check(all).is_ok());
        assert!(HttpOptions::new().no_auth(true).check(all).is_ok());
    }
}
