//! The skills of this agent and the functions that they are bound to.
//!
//! What a handler may touch comes in its [`Context`]: a root for files, a database. It knows no other
//! place, and keeps nothing between calls.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use skills::{Bundle, Registry};
use skills_handlers::{BindError, Context, Handlers};

mod files;
mod page;
mod table;

static SKILLS: Bundle = skills::bundle!();

/// The skills, as a model sees them.
pub static REGISTRY: Registry<'static> = Registry::new(&SKILLS);

/// Below it files are searched and deleted; nothing leads out of it.
struct Root(Dir);

/// What may be queried.
struct Database(PathBuf);

/// All handlers of this agent.
///
/// # Errors
///
/// Where a SKILL.md says what does not hold for its function.
pub fn handlers() -> Result<Handlers, BindError> {
    Handlers::all(&REGISTRY)
}

/// The context of one conversation.
///
/// # Errors
///
/// Where the root cannot be opened.
pub fn context(root: &Path, database: Option<PathBuf>) -> io::Result<Context> {
    let dir = Dir::open_ambient_dir(root, ambient_authority())?;
    let context = Context::new("local").working_dir(root).with(Root(dir));
    Ok(match database {
        Some(database) => context.with(Database(database)),
        None => context,
    })
}
