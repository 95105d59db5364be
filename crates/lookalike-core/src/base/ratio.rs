//! Exact quotients and products of integers that exceed floats or 128 bits.

use std::cmp::Ordering;

/// Bits of a quotient before it is rounded: more than a float has, so that the last one can stand for all that follow.
const QUOTIENT_BITS: u32 = f64::MANTISSA_DIGITS + 3;

/// `numerator / denominator`, of which the numerator is no larger and the denominator not 0, rounded once to the
/// nearest float. So equal quotients have equal floats, and a larger quotient never has a smaller one.
///
/// Both converted to floats and divided would be rounded three times.
pub(crate) fn ratio(numerator: u128, denominator: u128) -> f64 {
    if numerator == 0 || denominator <= 1 << f64::MANTISSA_DIGITS {
        return numerator as f64 / denominator as f64;
    }
    let mut quotient = numerator / denominator;
    let mut rest = numerator % denominator;
    let mut unit = 1.0;
    while quotient >> (QUOTIENT_BITS - 1) == 0 {
        let bits = rest.leading_zeros().min(QUOTIENT_BITS);
        let digits = if bits > 0 {
            let shifted = rest << bits;
            rest = shifted % denominator;
            shifted / denominator
        } else {
            // Twice the rest is 2^128 or more, and the denominator less, but more than the rest.
            rest = (rest << 1).wrapping_sub(denominator);
            1
        };
        let bits = bits.max(1);
        quotient = quotient << bits | digits;
        unit /= (1u64 << bits) as f64;
    }
    (quotient | u128::from(rest > 0)) as f64 * unit
}

/// Compares `a b` with `c d` exactly.
pub(crate) fn compare_products([a, b]: [u128; 2], [c, d]: [u128; 2]) -> Ordering {
    match (a.checked_mul(b), c.checked_mul(d)) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => product(a, b).cmp(&product(c, d)),
    }
}

/// The upper and the lower half of `a b`, by schoolbook multiplication of halves of 64 bits.
fn product(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let [a_high, a_low] = [a >> 64, a & LOW];
    let [b_high, b_low] = [b >> 64, b & LOW];
    let low = a_low * b_low;
    // Each sum is of one product and two numbers below 2^64: it fits.
    let middle = a_high * b_low + (low >> 64);
    let other_middle = a_low * b_high + (middle & LOW);
    let high = a_high * b_high + (middle >> 64) + (other_middle >> 64);
    (high, other_middle << 64 | low & LOW)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
    use std::cmp::Ordering;

    #[test]
    fn known_quotients_are_met() {
        let large = u128::from(u64::MAX).pow(2);
        for (numerator, denominator, expected) in [
            (0, large, 0.0),
            (large, large, 1.0),
            (large / 3, large, 1.0 / 3.0),
            (1, 1 << 127, 0.5f64.powi(127)),
            (u128::MAX / 2, u128::MAX, 0.5),
            (u128::MAX - 1, u128::MAX, 1.0),
            ((1 << 80) + 1, 3 << 80, 1.0 / 3.0),
        ] {
            assert_eq!(ratio(numerator, denominator), expected, "{numerator} / {denominator}");
        }
    }

    proptest! {
        #[test]
        fn floats_compare_as_the_quotients(
            a in any::<u64>(), b in any::<u64>(), c in any::<u64>(), factor in any::<u64>(), step in 0u128..9,
        ) {
            let numerator = u128::from(a.min(b));
            let denominator = u128::from(a.max(b).max(1));
            let wide = [numerator, denominator].map(|side| side * u128::from(factor.max(1)));
            prop_assert_eq!(ratio(wide[0], wide[1]), ratio(numerator, denominator));
            let other = numerator * u128::from(c) + step;
            let others = denominator * u128::from(c) + step;
            if others > 0 && other <= others {
                let order = compare_products([numerator, others], [other, denominator]);
                let found = ratio(numerator, denominator).total_cmp(&ratio(other, others));
                prop_assert!(found == order || found == Ordering::Equal, "{:?} {:?}", found, order);
            }
        }

        #[test]
        fn the_nearest_float_is_found(numerator in 1u64..1 << 53, denominator in 1u64..1 << 53, shift in 1u32..75) {
            let smaller = numerator.min(denominator);
            let larger = numerator.max(denominator);
            let wide = [smaller, larger].map(|side| u128::from(side) << shift);
            prop_assert_eq!(ratio(wide[0], wide[1]), smaller as f64 / larger as f64);
        }
    }

    /// The 32 bytes of a product, digit by digit.
    fn by_digits(a: u128, b: u128) -> Vec<u8> {
        let mut digits = vec![0u32; 33];
        for (i, x) in a.to_le_bytes().into_iter().enumerate() {
            for (j, y) in b.to_le_bytes().into_iter().enumerate() {
                let mut at = i + j;
                let mut carry = u32::from(x) * u32::from(y);
                while carry > 0 {
                    let sum = digits[at] + carry;
                    (digits[at], carry) = (sum & 255, sum >> 8);
                    at += 1;
                }
            }
        }
        digits.into_iter().rev().map(|digit| digit as u8).collect()
    }

    proptest! {
        #[test]
        fn products_compare_as_their_digits(
            a in any::<u128>(), b in any::<u128>(), c in any::<u128>(), d in any::<u128>(), shift in 0u32..128,
        ) {
            for [a, b, c, d] in [
                [a, b, c, d],
                [a, b, b, a],
                [a >> shift, b, c, d >> shift],
                [u128::MAX, b, b, u128::MAX - 1],
            ] {
                prop_assert_eq!(compare_products([a, b], [c, d]), by_digits(a, b).cmp(&by_digits(c, d)));
            }
        }
    }
}
