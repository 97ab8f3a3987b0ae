//! Downloads by https, with the system's `curl`: one file, of a size that is bounded.
//!
//! As with git, the user's machine says which certificates and proxies count. Redirects are followed here and not
//! by curl, so that each is looked at first. Nothing is sent but the request for an address.

use std::io::{self, Read};
use std::process::{Command, Stdio};
use std::thread;

use skills_source::scan::in_words;

use super::refused;
use super::trust::Trust;
use crate::failure::Failure;

const MAX_REDIRECTS: usize = 5;

/// The most bytes that are kept of what curl says: an address and an error.
const MAX_SAID: u64 = 64 * 1024;

/// How long a connection and a download may take, in seconds.
const CONNECT_TIME: &str = "30";
const TIME: &str = "300";

/// How the line begins that says what the server answered.
const MARK: &str = "skills-answer ";

/// What was downloaded.
#[derive(Debug)]
pub(super) struct Download {
    pub(super) bytes: Vec<u8>,
    /// Where it was in the end.
    pub(super) url: String,
}

/// Downloads at most so many bytes. With `host`, nothing is asked of another one, also not after a redirect.
///
/// # Errors
///
/// If an address isn't trusted, isn't https, or the server has nothing there.
pub(super) fn get(trust: &Trust, url: &str, host: Option<&str>, most: u64) -> Result<Download, Failure> {
    let mut url = url.to_owned();
    for _ in 0..=MAX_REDIRECTS {
        let at = host_of(&url).ok_or_else(|| {
            refused(format!("`{url}` is not followed"), "only https is, without a user name or a token")
        })?;
        if host.is_some_and(|host| host != at) {
            let message = format!("`{url}` is on another host than {}", host.unwrap_or_default());
            return Err(refused(message, "an index names files of its own host"));
        }
        trust.permit(&url)?;
        let answer = ask(&url, most)?;
        match answer.status {
            200 => return Ok(Download { bytes: answer.bytes, url }),
            301 | 302 | 303 | 307 | 308 if !answer.redirect.is_empty() => url = answer.redirect,
            status => return Err(unreachable(&url, &format!("the server answers with {status}"))),
        }
    }
    Err(unreachable(&url, &format!("there are more than {MAX_REDIRECTS} redirects")))
}

/// The host and port of an https URL without anything that isn't taken.
pub(super) fn host_of(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    let is_one = !authority.is_empty() && authority.chars().all(is_plain);
    // curl takes these parts out, and then asks for another path than the one that was looked at.
    let path = rest.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let is_one = is_one && !path.contains("%2e") && !path.split('/').any(|part| matches!(part, "." | ".."));
    (is_one && !url.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\')).then_some(authority)
}

struct Answer {
    status: u16,
    redirect: String,
    bytes: Vec<u8>,
}

fn ask(url: &str, most: u64) -> Result<Answer, Failure> {
    let mut curl = Command::new("curl");
    // The first leaves the user's settings out, which may name any option.
    curl.args(["-q", "--silent", "--show-error", "--globoff", "--proto", "=https", "--tlsv1.2"]);
    curl.args(["--connect-timeout", CONNECT_TIME, "--max-time", TIME]);
    curl.args(["--speed-limit", "1000", "--speed-time", "30", "--max-filesize", &most.to_string()]);
    let answer = format!("%{{stderr}}\n{MARK}%{{http_code}} %{{redirect_url}}\n");
    curl.args(["--write-out", &answer, "--url", url]);
    let child = curl.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| not_run(&error))?;
    // At the same time, since curl waits where nobody reads: a server may write much into a header.
    let said = child.stderr.take().map(|stderr| thread::spawn(move || first_of(stderr)));
    let mut bytes = Vec::new();
    let read = child.stdout.take().map(|stdout| stdout.take(most + 1).read_to_end(&mut bytes));
    if bytes.len() as u64 > most {
        // The pipe is closed, and curl ends by that; it isn't waited for.
        let _ = child.kill();
        let _ = child.wait();
        return Err(too_large(url, most));
    }
    let status = child.wait().map_err(|error| not_run(&error))?;
    let said = said.and_then(|said| said.join().ok()).unwrap_or_default();
    let said = String::from_utf8_lossy(&said).into_owned();
    if !status.success() || read.is_none_or(|read| read.is_err()) {
        if status.code() == Some(63) {
            return Err(too_large(url, most));
        }
        let why = said.lines().find_map(|line| line.strip_prefix("curl: ")).unwrap_or("curl says nothing");
        return Err(unreachable(url, why));
    }
    let answer = said.lines().find_map(|line| line.strip_prefix(MARK)).and_then(|line| line.split_once(' '));
    let answer = answer.and_then(|(status, redirect)| Some((status.parse().ok()?, redirect.to_owned())));
    let (status, redirect) = answer.ok_or_else(|| unreachable(url, "curl says nothing"))?;
    Ok(Answer { status, redirect, bytes })
}

/// The first bytes of what a program says; the rest is read, and forgotten.
fn first_of(mut stream: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = stream.by_ref().take(MAX_SAID).read_to_end(&mut bytes);
    // Whatever else it says, it must not wait for a reader.
    let _ = read.and_then(|_| io::copy(&mut stream, &mut io::sink()));
    bytes
}

fn too_large(url: &str, most: u64) -> Failure {
    refused(format!("`{url}` is larger than {most} bytes"), "take a smaller one")
}

fn not_run(error: &std::io::Error) -> Failure {
    let help = "install curl, or download the archive and name the file";
    Failure::other("CURL", format!("`curl` cannot be run: {}", in_words(error)), help)
}

fn unreachable(url: &str, why: &str) -> Failure {
    let help = "check the address and the network; try `curl` with it";
    Failure::other("SOURCE_UNREACHABLE", format!("`{url}` cannot be read: {why}"), help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_https_is_followed() {
        assert_eq!(host_of("https://example.org:8443/a?b"), Some("example.org:8443"));
        assert_eq!(host_of("https://[::1]/"), Some("[::1]"));
        for url in [
            "http://example.org/",
            "file:///etc/passwd",
            "HTTPS://example.org/",
            "https://me:secret@example.org/",
            "https://",
            "https:///x",
            "https://example.org\\@evil.example/",
            "https://example.org/a b",
            "https://example.org/acme/../evil/x.zip",
            "https://example.org/acme/%2E%2e/evil/x.zip",
            "//example.org/x",
            "",
        ] {
            assert_eq!(host_of(url), None, "{url}");
        }
    }
}
