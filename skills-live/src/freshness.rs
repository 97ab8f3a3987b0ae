//! When a live registry looks at the disk.

use std::time::Duration;

/// When a live registry looks at the disk, while it answers calls.
///
/// ```
/// use std::time::Duration;
/// use skills_live::{Freshness, Overlays};
///
/// let overlays = Overlays::without_bundle().freshness(Freshness::Within(Duration::from_secs(5)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Freshness {
    /// Before each call, at all roots.
    EachCall,
    /// At a skill whenever it is loaded or one of its files is read. At all roots when skills or commands are
    /// listed or searched and the last look is older than this.
    Within(Duration),
    /// Only in [`LiveRegistry::refresh`](crate::LiveRegistry::refresh).
    ByHand,
}

impl Default for Freshness {
    fn default() -> Self {
        Self::Within(Duration::from_secs(1))
    }
}
