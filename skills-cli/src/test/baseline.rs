//! Shares that must not be too low, or lower than in an earlier run.

use std::path::Path;

use serde_json::Value;
use skills::triggers::Report;
use skills_source::scan;

use crate::failure::Failure;

/// A count of cases, of how many.
#[derive(Debug, Clone, Copy)]
struct Share {
    part: u64,
    whole: u64,
}

/// The shares of a run.
#[derive(Debug)]
pub(super) struct Baseline {
    found_first: Share,
    found_in_top: Share,
    passed: Share,
}

impl Baseline {
    /// Reads the document of an earlier run.
    #[allow(clippy::disallowed_methods, reason = "the user names the file")]
    pub(super) fn read(file: &Path) -> Result<Self, Failure> {
        let failure = |why: String| {
            let message = format!("the baseline `{}` cannot be used: {why}", file.display());
            Failure::other("BASELINE", message, "write it with `skills test --json`")
        };
        let text = std::fs::read(file).map_err(|error| failure(scan::in_words(&error).to_owned()))?;
        let document: Value =
            serde_json::from_slice(&text).map_err(|error| failure(format!("it is not JSON: {error}")))?;
        let share = |part: &str, whole: &str| {
            let count = |key: &str| {
                let count = document[key].as_u64().and_then(|count| u32::try_from(count).ok());
                count.map(u64::from).ok_or_else(|| failure(format!("it has no count `{key}`")))
            };
            let share = Share { part: count(part)?, whole: count(whole)? };
            if share.part > share.whole {
                return Err(failure(format!("`{part}` is more than `{whole}`")));
            }
            Ok(share)
        };
        Ok(Self {
            found_first: share("found_first", "positives")?,
            found_in_top: share("found_in_top", "positives")?,
            passed: share("passed", "queries")?,
        })
    }

    fn of(report: &Report) -> Self {
        let share = |part: usize, whole: usize| Share { part: part as u64, whole: whole as u64 };
        Self {
            found_first: share(report.found_first(), report.positives()),
            found_in_top: share(report.found_in_top(), report.positives()),
            passed: share(report.passed(), report.cases.len()),
        }
    }
}

/// What is wrong with the shares of a run: one line each.
pub(super) fn complaints(
    report: &Report,
    min_first: Option<u8>,
    before: Option<(&Baseline, u8)>,
) -> Vec<String> {
    let now = Baseline::of(report);
    let mut complaints = Vec::new();
    if let Some(least) = min_first {
        let Share { part, whole } = now.found_first;
        // Nothing of nothing is too little.
        if whole == 0 || part * 100 < whole * u64::from(least) {
            complaints.push(format!(
                "{} of the queries find their skill first, less than {least} %",
                now.found_first
            ));
        }
    }
    let Some((before, most)) = before else { return complaints };
    for (what, then, now) in [
        ("find their skill first", before.found_first, now.found_first),
        ("find their skill", before.found_in_top, now.found_in_top),
        ("pass", before.passed, now.passed),
    ] {
        if has_dropped(then, now, most) {
            complaints.push(format!(
                "{now} of the queries {what}, and {then} did in the baseline: that is more than {most} points less"
            ));
        }
    }
    complaints
}

/// Whether a share has dropped by more than so many percentage points, in integers. No count is above 2^32.
fn has_dropped(then: Share, now: Share, most: u8) -> bool {
    let (then_whole, now_whole) = (u128::from(then.whole), u128::from(now.whole));
    if then_whole == 0 {
        return false;
    }
    if now_whole == 0 {
        return then.part > 0;
    }
    let then_part = u128::from(then.part) * 100 * now_whole;
    let now_part = u128::from(now.part) * 100 * then_whole;
    then_part > now_part + u128::from(most) * then_whole * now_whole
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { part, whole } = *self;
        let tenths = (u128::from(part) * 1000).checked_div(u128::from(whole)).unwrap_or_default();
        write!(f, "{part} of {whole} ({}.{} %)", tenths / 10, tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drop_is_counted_in_points() {
        let share = |part, whole| Share { part, whole };
        assert!(!has_dropped(share(9, 10), share(9, 10), 0));
        assert!(has_dropped(share(9, 10), share(89, 100), 0));
        assert!(!has_dropped(share(9, 10), share(8, 10), 10));
        assert!(has_dropped(share(9, 10), share(79, 100), 10));
        assert!(!has_dropped(share(1, 10), share(10, 10), 0));
        assert!(!has_dropped(share(0, 0), share(0, 10), 0), "there was nothing to drop");
        assert!(has_dropped(share(5, 10), share(0, 0), 100), "all queries are gone");
        let most = u64::from(u32::MAX);
        assert!(!has_dropped(share(most, most), share(most, most), 0));
        assert!(has_dropped(share(most, most), share(most - 1, most), 0));
    }
}
