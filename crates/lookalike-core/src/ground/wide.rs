//! Comparison of products that exceed 128 bits.

use std::cmp::Ordering;

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
    use proptest::prelude::{any, prop_assert_eq, proptest};

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
