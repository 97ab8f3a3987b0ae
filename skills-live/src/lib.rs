//! Roots that are read from disk at run time, above or below the bundle.
//!
//! [`LiveRegistry`] owns the roots. It reads each root once and hands out [`Snapshot`]s, which never change.
//! [`refresh`](LiveRegistry::refresh) replaces the current snapshot, so readers never wait and never see half
//! of a change. The scan, the rules, the pack format and the actions are the same as for a bundle. `layer`
//! looks at the disk, `content` reads files, `file_list` lists those of one skill, and `stamps` finds what has
//! changed.

mod ahead;
mod changes;
mod content;
mod conventions;
mod diagnostics;
mod disk;
mod file_list;
mod freshness;
mod guard;
mod known;
mod last_good;
mod layer;
mod live;
mod overlays;
mod packed;
mod root;
mod sealed;
mod skill_state;
mod snapshot;
mod stamps;
mod watch;

pub use changes::Changes;
pub use conventions::{Conventions, usual_roots};
pub use diagnostics::{Diagnostic, Reason};
pub use freshness::Freshness;
pub use live::LiveRegistry;
pub use overlays::{Overlays, Packs};
pub use root::Root;
pub use snapshot::Snapshot;
pub use watch::{WatchError, Watcher};
