//! Medians, and ratios that are taken within a repeat before the median is.
//!
//! The machines are noisy and drift. What ran close together is compared, and the middle of those
//! comparisons is reported; a mean would follow the noise.

/// The middle value; of two in the middle, their mean. `None` when there is none.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    sorted.get(sorted.len() / 2 - 1).map(|lower| f64::midpoint(*lower, upper))
}

/// The value that this share of the values is at most: 0.99 for the 99th percentile. `None` when there is none.
pub fn percentile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a place in the list")]
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied()
}

/// The median of `ours[i] / theirs[i]`.
pub fn ratio(ours: &[f64], theirs: &[f64]) -> Option<f64> {
    paired(ours, theirs, |our, their| our / their)
}

/// The median of `ours[i] - theirs[i]`.
pub fn difference(ours: &[f64], theirs: &[f64]) -> Option<f64> {
    paired(ours, theirs, |our, their| our - their)
}

fn paired(ours: &[f64], theirs: &[f64], compare: fn(f64, f64) -> f64) -> Option<f64> {
    let compared: Vec<f64> = ours.iter().zip(theirs).map(|(our, their)| compare(*our, *their)).collect();
    median(&compared)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(found: Option<f64>, wanted: f64) {
        let found = found.expect("there are values");
        assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}");
    }

    #[test]
    fn the_median_is_the_middle() {
        assert_near(median(&[9.0, 1.0, 2.0]), 2.0);
        assert_near(median(&[4.0, 1.0, 2.0, 9.0]), 3.0);
        assert!(median(&[]).is_none());
    }

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let values: Vec<f64> = (1..=200).rev().map(f64::from).collect();
        assert_near(percentile(&values, 0.99), 198.0);
        assert_near(percentile(&values, 0.5), 100.0);
        assert_near(percentile(&values, 1.0), 200.0);
        assert_near(percentile(&[7.0], 0.99), 7.0);
        assert!(percentile(&[], 0.5).is_none());
    }

    #[test]
    fn a_ratio_is_taken_within_a_repeat() {
        // The machine was three times slower in the second repeat: the ratio does not see it.
        assert_near(ratio(&[1.0, 3.0, 1.1], &[2.0, 6.0, 2.2]), 0.5);
        assert_near(difference(&[1.0, 3.0, 1.5], &[0.5, 2.5, 1.0]), 0.5);
    }
}
