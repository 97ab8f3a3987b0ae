//! The natural logarithm of integers, in fixed-point integers: the same on every machine.
//!
//! `f64::ln` differs between systems and needs `std`. `libm::log` would add 1.1 s of CPU to every first
//! build, twice what `skills-pack` takes, and the score of one term in twenty would change in its last bit.

/// The number of fractional bits.
pub const POINT: u32 = 16;

/// The logarithm of a number in units of 1 / (1 << POINT), to about one unit; 0 for 0.
pub fn ln(number: u32) -> u32 {
    let Some(whole) = number.checked_ilog2() else { return 0 };
    // The mantissa, from 1 up to 2, with 31 fractional bits.
    let left = u64::from(number) << (31 - whole);
    let step = (left >> (31 - STEP_BITS)) as usize & (STEPS - 1);
    let between = left & ((1 << (31 - STEP_BITS)) - 1);
    let (from, to) = (u64::from(LOG2[step]), u64::from(LOG2[step + 1]));
    let log2 = (u64::from(whole) << 24) + from + (((to - from) * between) >> (31 - STEP_BITS));
    ((log2 * LN_2) >> (24 + 24 - POINT)) as u32
}

/// The logarithm of 2, with 24 fractional bits.
const LN_2: u64 = 11_629_080;

const STEP_BITS: u32 = 8;
const STEPS: usize = 1 << STEP_BITS;

/// The binary logarithms of numbers from 1 to 2, with 24 fractional bits.
static LOG2: [u32; STEPS + 1] = {
    let mut table = [0; STEPS + 1];
    let mut step = 0;
    while step < STEPS {
        let mut left = (((STEPS + step) as u64) << 31) >> STEP_BITS;
        let mut bit = 1 << 24;
        while bit > 1 {
            bit >>= 1;
            // Squaring doubles the logarithm.
            left = (left * left) >> 31;
            if left >= 1 << 32 {
                left >>= 1;
                table[step] += bit;
            }
        }
        step += 1;
    }
    table[STEPS] = 1 << 24;
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_logarithm() {
        for number in (1..5000).chain((5000..u32::MAX - 99_991).step_by(99_991)) {
            let exact = f64::from(number).ln() * f64::from(1 << POINT);
            assert!((f64::from(ln(number)) - exact).abs() < 2.0, "{number}: {} {exact}", ln(number));
        }
        assert_eq!(ln(0), 0);
        assert!((1..100_000).all(|number| ln(number) <= ln(number + 1)));
    }
}
