//! Quotients of integers that exceed the precision of floats.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::compare_products;
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
            let (numerator, denominator) = (numerator.min(denominator), numerator.max(denominator));
            let wide = [numerator, denominator].map(|side| u128::from(side) << shift);
            prop_assert_eq!(ratio(wide[0], wide[1]), numerator as f64 / denominator as f64);
        }
    }
}
