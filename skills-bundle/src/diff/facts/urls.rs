//! URLs and their hosts: what a skill fetches when it is used is pinned by no lock.

use super::{Fact, words};
use crate::diff::Kind;

/// Schemes by which something is reached.
const SCHEMES: [&str; 9] = ["https", "http", "ftp", "ftps", "ws", "wss", "git", "ssh", "file"];

/// Where anybody can put anything, or where an address says nothing of where it leads.
const ANYBODY: [&str; 18] = [
    "pastebin.com",
    "gist.github.com",
    "gist.githubusercontent.com",
    "rentry.co",
    "rentry.org",
    "hastebin.com",
    "transfer.sh",
    "file.io",
    "webhook.site",
    "pipedream.net",
    "ngrok.io",
    "ngrok-free.app",
    "trycloudflare.com",
    "bit.ly",
    "tinyurl.com",
    "t.co",
    "is.gd",
    "glot.io",
];

/// The most characters of a URL: a line of nothing else would take too long.
const MAX_URL: usize = 500;

pub(super) fn find(line: &str, number: u32, facts: &mut Vec<Fact>) {
    let mut from = 0;
    while let Some(at) = line[from..].find("://").map(|at| from + at) {
        from = at + 3;
        let scheme = line[..at].rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        if !SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme)) {
            continue;
        }
        let rest = &line[from..];
        let most = rest.char_indices().nth(MAX_URL).map_or(rest.len(), |(at, _)| at);
        let is_end = |c: char| c.is_whitespace() || "\"'<>`|\\{}[])(".contains(c);
        let end = rest[..most].find(is_end).unwrap_or(most);
        let rest = rest[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_']);
        if !rest.is_empty() {
            push(&format!("{scheme}://{rest}"), number, facts);
        }
    }
    let is_fetched = ["curl ", "wget ", "iwr ", "irm "].iter().any(|sign| line.contains(sign));
    for word in words(line) {
        let is_scp = word.starts_with("git@") && word.contains(':');
        if is_scp || (is_fetched && is_bare(word)) {
            push(word, number, facts);
        }
    }
}

/// `example.org/install.sh`: an address without a scheme, as `curl` takes it.
fn is_bare(word: &str) -> bool {
    let Some((host, _)) = word.split_once('/') else { return false };
    let is_label = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    let top = host.rsplit('.').next().unwrap_or_default();
    host.contains('.')
        && !host.starts_with('.')
        && host.chars().all(is_label)
        && top.len() >= 2
        && top.chars().all(|c| c.is_ascii_alphabetic())
}

fn push(url: &str, number: u32, facts: &mut Vec<Fact>) {
    let what = notes(url);
    facts.push(Fact {
        kind: Kind::Hosts,
        key: url.to_owned(),
        line: number,
        what,
        text: Some(url.to_owned()),
    });
}

/// The host of a fact about a URL.
pub(in crate::diff) fn host_of_fact(fact: &Fact) -> Option<&str> {
    (fact.kind == Kind::Hosts).then(|| host(&fact.key))
}

/// The host of a URL, without user and port.
fn host(url: &str) -> &str {
    let (authority, rest) = match url.split_once("://") {
        Some((_, rest)) => (rest.split(['/', '?', '#']).next().unwrap_or(rest), rest),
        None => (url.split(['/', ':']).next().unwrap_or(url), url),
    };
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if url.contains("://") {
        return host.rsplit_once(':').map_or(host, |(host, _)| host);
    }
    // git@HOST:PATH
    let host = if host == "git" || host.is_empty() { rest } else { host };
    let host = host.strip_prefix("git@").unwrap_or(host);
    host.split([':', '/']).next().unwrap_or(host)
}

/// What a reviewer should know of a URL; empty, or words after a colon.
fn notes(url: &str) -> String {
    let host = host(url).to_ascii_lowercase();
    let mut notes: Vec<&str> = Vec::new();
    if is_moving(url) {
        notes.push("its contents can change any day: it names a branch or a tag, not a commit");
    }
    if url.to_ascii_lowercase().starts_with("http://") {
        notes.push("anybody on the way can change it: it isn't https");
    }
    let is_of = |known: &str| host == known || host.ends_with(&format!(".{known}"));
    if ANYBODY.iter().any(|known| is_of(known)) {
        notes.push("anybody can put anything there");
    }
    if host.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
        || host.starts_with('[')
    {
        notes.push("an address in place of a name");
    }
    if host.contains("xn--") || !host.is_ascii() {
        notes.push("a name with letters that may look like others");
    }
    let authority = url.split_once("://").map_or("", |(_, rest)| rest.split('/').next().unwrap_or(rest));
    if authority.contains('@') && !url.starts_with("ssh://") {
        notes.push("what is before the `@` isn't the host");
    }
    if notes.is_empty() { String::new() } else { format!(": {}", notes.join("; ")) }
}

/// Whether a URL of raw contents names a branch or a tag.
fn is_moving(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let parts: Vec<&str> = rest.split(['?', '#']).next().unwrap_or(rest).split('/').collect();
    let is_commit =
        |part: &str| matches!(part.len(), 40 | 64) && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    match parts[..] {
        ["raw.githubusercontent.com", _, _, reference, _, ..]
        | ["github.com" | "gist.githubusercontent.com", _, _, "raw", reference, ..] => !is_commit(reference),
        ["cdn.jsdelivr.net", "gh", _, repo, ..] => {
            !repo.split_once('@').is_some_and(|(_, reference)| is_commit(reference))
        }
        _ => rest.contains("/-/raw/") && !parts.iter().any(|part| is_commit(part)),
    }
}
