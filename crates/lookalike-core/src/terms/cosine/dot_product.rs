//! The dot product of weighted sets, which ends as soon as it cannot suffice.

use crate::documents::WeightedSet;

/// Elements of both sets that are passed between two looks at what is left.
const STEPS: usize = 64;

/// The dot product of two weighted sets if it can be `required` or more. It may be less than `required` all the same,
/// and `None` is proof that it is less.
///
/// The sets are merged in the order of their elements. What is left of the two can add no more than the product of its
/// norms (Cauchy and Schwarz).
pub fn dot_product_at_least(left: WeightedSet<'_>, right: WeightedSet<'_>, required: u64) -> Option<u64> {
    let xs = left.elements().elements();
    let ys = right.elements().elements();
    let mut i = 0;
    let mut j = 0;
    let mut dot = 0u64;
    let mut left_rest = left.squared_norm();
    let mut right_rest = right.squared_norm();
    while i < xs.len() && j < ys.len() {
        if is_out_of_reach(required.saturating_sub(dot), [left_rest, right_rest]) {
            return None;
        }
        for _ in 0..STEPS {
            let (Some(&x), Some(&y)) = (xs.get(i), ys.get(j)) else { break };
            let a = u64::from(left.weight(i));
            let b = u64::from(right.weight(j));
            let is_left = x <= y;
            let is_right = y <= x;
            // Without branches: which set goes on is not to be foretold.
            dot += if is_left & is_right { a * b } else { 0 };
            left_rest -= if is_left { a * a } else { 0 };
            right_rest -= if is_right { b * b } else { 0 };
            i += usize::from(is_left);
            j += usize::from(is_right);
        }
    }
    Some(dot)
}

fn is_out_of_reach(missing: u64, [left, right]: [u64; 2]) -> bool {
    u128::from(missing).pow(2) > u128::from(left) * u128::from(right)
}
