//! LSH Ensemble: containment by signatures of Jaccard. Sets are divided by size, and each part is searched with bands
//! that suit its largest size.
//!
//! Algorithm: Zhu, Nargesian, Pu and Miller 2016, LSH Ensemble: Internet-Scale Domain Search, sections 4 and 5.

use super::{area_under, check_threshold};
use crate::base::Result;
use crate::keys::Banding;
use std::ops::Range;

/// The number of bands and of rows, at most `max_rows`, within `permutations`, for which the weighted sum of two areas
/// is least: of the area under the curve of candidates up to the threshold of containment, and of the area above it
/// from the threshold on. `size_ratio` is the size of a set divided by that of the query. Of equal sums the one with
/// fewer bands, then rows, is chosen.
///
/// # Errors
/// As [`super::least_area`].
pub fn least_containment_area(
    threshold: f64,
    permutations: usize,
    max_rows: usize,
    size_ratio: f64,
    weights: [f64; 2],
) -> Result<Banding> {
    check_threshold(threshold)?;
    let mut best = Banding::within(1, 1, permutations)?;
    let mut min_area = f64::INFINITY;
    // No containment is larger.
    let largest = size_ratio.min(1.0);
    for bands in 1..=permutations {
        for rows in 1..=(permutations / bands).min(max_rows) {
            let banding = Banding::new(bands, rows)?;
            let probability = |containment: f64| banding.probability(containment / (1.0 + size_ratio - containment));
            let found_below = area_under(0.0, threshold.min(size_ratio), probability);
            let missed_above = area_under(threshold, largest, |containment| 1.0 - probability(containment));
            let area = weights[0] * found_below + weights[1] * missed_above;
            if area < min_area {
                (best, min_area) = (banding, area);
            }
        }
    }
    Ok(best)
}

/// Choice of the division into parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Division {
    /// The best.
    Best,
    /// Division of datasketch 2.0, which finds the last part as the best division has it, and then the others, from the
    /// last to the first, each as if all before it were divided into one part more than they are.
    Datasketch,
}

/// Divides sizes of sets, given in ascending order with their counts, into parts that follow one another, so that the
/// expected number of false positives is least: a set is searched for as if it were as large as the largest of its
/// part, and is found falsely in the proportion of the difference. Each part is given by its smallest and largest size.
/// With as many parts as sizes, or more, each size is a part.
///
/// The time grows with the number of parts times that of sizes times its logarithm.
pub fn partitions_by_size(sizes: &[(u64, u64)], parts: usize, division: Division) -> Vec<(u64, u64)> {
    let count = sizes.len();
    if parts >= count {
        return sizes.iter().map(|&(size, _)| (size, size)).collect();
    }
    let parts = parts.max(1);
    let costs = Costs::new(sizes);
    // Minimum costs by number of parts, from one on, and by last size.
    let mut least: Vec<Vec<f64>> = vec![(0..count).map(|last| costs.of_part(0, last)).collect()];
    for before in 1..parts - 1 {
        let mut next = vec![f64::INFINITY; count];
        costs.fill_least(&least[before - 1], before..count, before - 1..count - 1, &mut next);
        least.push(next);
    }
    let mut last = count - 1;
    let mut partitions = Vec::with_capacity(parts);
    for before in (1..parts).rev() {
        let cost_before = |end: usize| match (division, before == parts - 1) {
            (Division::Best, _) | (_, true) => least[before - 1][end],
            // Where there are fewer sizes than parts, datasketch reads zeros.
            (Division::Datasketch, _) => {
                if end < before {
                    0.0
                } else {
                    least[before][end]
                }
            }
        };
        let (_, end) = costs.best_end(before - 1..last, last, cost_before);
        partitions.push((sizes[end + 1].0, sizes[last].0));
        last = end;
    }
    partitions.push((sizes[0].0, sizes[last].0));
    partitions.reverse();
    partitions
}

/// Expected false positives.
struct Costs<'a> {
    sizes: &'a [(u64, u64)],
    /// One entry for each number of smallest sizes: the number of sets that have them, and the sum of their sizes. Both
    /// are exact up to 2^53.
    before: Vec<(f64, f64)>,
}

impl<'a> Costs<'a> {
    fn new(sizes: &'a [(u64, u64)]) -> Self {
        let mut before = vec![(0.0, 0.0)];
        let mut sums = (0.0, 0.0);
        for &(size, sets) in sizes {
            sums = (sums.0 + sets as f64, sums.1 + size as f64 * sets as f64);
            before.push(sums);
        }
        Self { sizes, before }
    }

    /// Returns the costs of a part from one size to another, both included.
    fn of_part(&self, first: usize, last: usize) -> f64 {
        let largest = self.sizes[last].0 as f64;
        let from = self.before[first];
        let to = self.before[last + 1];
        (largest * (to.0 - from.0) - (to.1 - from.1)) / largest.max(1.0)
    }

    /// The least cost of all sizes to the last, if the part before the last one ends at one of `ends`, and the first
    /// such end.
    fn best_end(&self, ends: Range<usize>, last: usize, cost_before: impl Fn(usize) -> f64) -> (f64, usize) {
        let from = ends.start;
        let costs = ends.map(|end| (cost_before(end) + self.of_part(end + 1, last), end));
        costs.min_by(|one, other| one.0.total_cmp(&other.0)).unwrap_or((f64::INFINITY, from))
    }

    /// Notes for each of these last sizes the least cost, if the part before the last one ends at one of `ends`.
    ///
    /// The larger the last size, the later that end: for a <= b <= c <= d the costs of the parts a..c and b..d are
    /// together no larger than those of a..d and b..c, for the sum of sizes from a to b counts by the inverse of the
    /// largest size. So the last size in the middle divides the ends for those before it and behind it.
    fn fill_least(&self, cost_before: &[f64], lasts: Range<usize>, ends: Range<usize>, least: &mut [f64]) {
        if lasts.is_empty() {
            return;
        }
        let middle = lasts.start + lasts.len() / 2;
        let (cost, end) = self.best_end(ends.start..ends.end.min(middle), middle, |end| cost_before[end]);
        least[middle] = cost;
        self.fill_least(cost_before, lasts.start..middle, ends.start..end + 1, least);
        self.fill_least(cost_before, middle + 1..lasts.end, end..ends.end, least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, proptest};
    use std::collections::BTreeMap;

    fn expected_of(sizes: &[(u64, u64)], partitions: &[(u64, u64)]) -> f64 {
        let within = |&(lower, upper): &(u64, u64)| {
            let sets = sizes.iter().filter(move |&&(size, _)| lower <= size && size <= upper);
            sets.map(|&(size, count)| (upper - size) as f64 / upper as f64 * count as f64).sum::<f64>()
        };
        partitions.iter().map(within).sum()
    }

    /// The least of all ways to divide.
    fn least_of_all(sizes: &[(u64, u64)], parts: usize) -> f64 {
        let whole = expected_of(sizes, &[(sizes[0].0, sizes[sizes.len() - 1].0)]);
        if parts == 1 {
            return whole;
        }
        let split = |end: usize| {
            let first = expected_of(&sizes[..end], &[(sizes[0].0, sizes[end - 1].0)]);
            first + least_of_all(&sizes[end..], parts - 1)
        };
        (1..=sizes.len() + 1 - parts).map(split).fold(f64::INFINITY, f64::min)
    }

    proptest! {
        #[test]
        fn partitions_are_the_best_of_all(
            counts in proptest::collection::btree_map(1u64..200, 1u64..50, 1..12),
            parts in 1usize..6,
        ) {
            let sizes: Vec<(u64, u64)> = BTreeMap::into_iter(counts).collect();
            let partitions = partitions_by_size(&sizes, parts, Division::Best);
            prop_assert!(partitions.windows(2).all(|pair| pair[0].1 < pair[1].0));
            prop_assert!(partitions.len() == parts.min(sizes.len()));
            prop_assert!(partitions[0].0 == sizes[0].0 && partitions.last().map(|p| p.1) == sizes.last().map(|s| s.0));
            if parts < sizes.len() {
                let found = expected_of(&sizes, &partitions);
                let least = least_of_all(&sizes, parts);
                prop_assert!((found - least).abs() <= 1e-9 * least.max(1.0), "{} {}", found, least);
            }
        }
    }

    #[test]
    fn datasketch_divides_otherwise() {
        let sizes = [(1, 1), (2, 30), (3, 1), (10, 20), (11, 1), (40, 4)];
        let [best, theirs] = [Division::Best, Division::Datasketch].map(|how| partitions_by_size(&sizes, 4, how));
        assert_eq!(best.last(), theirs.last());
        assert!(expected_of(&sizes, &best) <= expected_of(&sizes, &theirs));
    }

    #[test]
    fn without_sizes_there_are_no_partitions() {
        assert!(partitions_by_size(&[], 3, Division::Best).is_empty());
        assert_eq!(partitions_by_size(&[(5, 2)], 1, Division::Best), [(5, 5)]);
    }

    #[test]
    fn bands_follow_the_sizes() {
        let rows = |ratio: f64| least_containment_area(0.8, 128, 8, ratio, [0.5; 2]).unwrap().rows();
        // The larger a set beside the query, the smaller the similarity of one that contains it.
        assert!(rows(0.9) > rows(5.0) && rows(5.0) >= rows(100.0));
        assert!(least_containment_area(0.0, 128, 8, 1.0, [0.5; 2]).is_err());
    }
}
