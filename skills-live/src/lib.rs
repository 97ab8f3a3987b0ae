//! Roots that are read from disk at run time, above or below the bundle.
//!
//! [`LiveRegistry`] owns them. It reads each root once, hands out [`Snapshot`]s, which never change,
//! and on [`refresh`](LiveRegistry::refresh) puts a new one in the place of the old: readers never
//! wait and never see half of a change. The same scan, rules, writer and actions serve a bundle. What
//! is looked at on disk is in `layer`, what is read in `content`, what has changed in `stamps`.

mod content;
mod conventions;
mod diagnostics;
mod disk;
mod guard;
mod layer;
mod live;
mod root;
mod snapshot;
mod stamps;
mod watch;

pub use conventions::{Conventions, usual_roots};
pub use diagnostics::{Diagnostic, Reason};
pub use live::{Changes, LiveRegistry, Overlays};
pub use root::Root;
pub use snapshot::Snapshot;
pub use watch::{WatchError, Watcher};
