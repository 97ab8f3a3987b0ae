//! Overlays on real directories.
