//! The same with 1,000 skills compiled in.

use skills::Registry;
use skills::mcp::{ServeError, Server};

fn main() -> Result<(), ServeError> {
    Server::new(Registry::new(&bundle_1000::SKILLS)).serve_stdio()
}
