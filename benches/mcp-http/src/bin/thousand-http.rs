//! 1,000 skills over HTTP: compiled in, or with a path, read from there.

use std::net::Ipv4Addr;
use std::sync::Arc;

use skills::Registry;
use skills::live::{Overlays, Root};
use skills::mcp::{ServeError, Server};

fn main() -> Result<(), ServeError> {
    let server = match std::env::args_os().nth(1) {
        Some(root) => Server::live(Arc::new(Overlays::without_bundle().root(Root::new(root)).open())),
        None => Server::new(Registry::new(&bundle_1000::SKILLS)),
    };
    server.serve_http((Ipv4Addr::LOCALHOST, 0).into(), |address| println!("{address}"))
}
