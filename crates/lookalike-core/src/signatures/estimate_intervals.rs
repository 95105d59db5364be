//! Intervals of the Jaccard similarity of two sets, given the share of components in which their signatures agree.

use super::SignatureAgreement;
use crate::keys::plan::binomial_interval;
use crate::similarity::{Overlap, Threshold};

/// Confidence of an interval.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// The probability at least with which the interval of an estimate reaches the similarity: it ends below with one half
/// of what its confidence leaves.
pub const INTERVAL_COVERAGE: f64 = 1.0 - (1.0 - CONFIDENCE) / 2.0;

impl SignatureAgreement {
    /// The measure by which all signatures of so many components are near whose interval reaches the threshold. By it
    /// pairs are found, by the given one they are judged.
    #[must_use]
    pub fn reaching_by_interval(self, components: usize) -> Self {
        let threshold = self.threshold;
        let reaches = |common: usize| {
            let overlap = Overlap { common, left: components, right: components };
            estimate_interval(overlap).1 >= threshold.as_f64()
        };
        let lowest = first_reaching(components, reaches).max(1);
        if components == 0 || threshold.is_reached_by(lowest, components) {
            return self;
        }
        Self { threshold: Threshold::of_part(lowest, components) }
    }
}

/// The first number up to `count` that reaches something, which all after it do, too.
pub(crate) fn first_reaching(count: usize, reaches: impl Fn(usize) -> bool) -> usize {
    let mut low = 0;
    let mut high = count;
    while low < high {
        let middle = low + (high - low) / 2;
        if reaches(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

/// The interval of the Jaccard similarity of two sets whose signatures have this overlap, one common element for each
/// component in which they agree, with a confidence of 95 % (Clopper, Pearson 1934), for a pair that was chosen
/// beforehand: of pairs that were chosen because they just reach a threshold, more are below it. Wide enough for any
/// family whose components agree no less independently than those of K hash functions.
pub fn estimate_interval(overlap: Overlap) -> (f64, f64) {
    let components = overlap.left.max(overlap.right);
    let (low, high) = binomial_interval(overlap.common as u64, components as u64, CONFIDENCE);
    // Rounding must not leave the estimate outside.
    let share = SignatureAgreement::share(overlap);
    (low.min(share), high.max(share))
}

/// The intervals of many pairs of signatures of one length, each computed once.
#[derive(Debug, Clone, Default)]
pub struct EstimateIntervals {
    /// One entry for each number of components that agree.
    known: Vec<Option<(f64, f64)>>,
    components: usize,
}

impl EstimateIntervals {
    /// [`estimate_interval`].
    pub fn get(&mut self, overlap: Overlap) -> (f64, f64) {
        let components = overlap.left.max(overlap.right);
        if components != self.components {
            (self.known, self.components) = (Vec::new(), components);
        }
        self.known.resize(components.max(overlap.common) + 1, None);
        *self.known[overlap.common].get_or_insert_with(|| estimate_interval(overlap))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::DocId;
    use crate::base::hash::mix64;
    use crate::comparison::Features;
    use crate::documents::{Content, ElementSets};
    use crate::kernel::Kernel;
    use crate::keys::Bounds;
    use crate::signatures::{DatasketchScheme, SignatureScheme};

    /// The signatures of two sets of 300 elements in all, of which `common` are common.
    fn overlap_of(scheme: SignatureScheme, common: u64, trial: u64) -> Overlap {
        const COMPONENTS: usize = 128;
        let own = (300 - common) / 2;
        let mut sets = ElementSets::new();
        for side in 1..3 {
            let all = (0..common).chain(side * 1000..side * 1000 + own);
            let mut set: Vec<u64> = all.map(|element| mix64(element + trial * 10_000)).collect();
            set.sort_unstable();
            let mut components = [0; COMPONENTS];
            scheme.signer(COMPONENTS, trial).fill(&set, &mut components);
            let signature = Content::Signature(components[..].into());
            Features::Signature.extractor(Kernel::Scalar).push(signature, &mut sets).unwrap();
        }
        Overlap::new(sets.get(DocId(0)), sets.get(DocId(1)))
    }

    #[test]
    fn the_lowered_measure_finds_what_reaches_the_threshold_and_no_more() {
        for components in [1, 2, 6, 64, 128, 1000] {
            for text in ["0.05", "0.6", "0.8", "0.99", "1"] {
                let threshold: Threshold = text.parse().unwrap();
                let lowered = SignatureAgreement { threshold }.reaching_by_interval(components);
                for common in 1..=components {
                    let overlap = Overlap { common, left: components, right: components };
                    let is_expected = estimate_interval(overlap).1 >= threshold.as_f64();
                    let is_found = common >= lowered.required_overlap(components, components);
                    assert_eq!(is_found, is_expected, "{common} of {components} at {text}");
                }
            }
        }
    }

    #[test]
    fn an_estimate_is_in_its_interval_at_every_length() {
        for components in [1, 2, 100, 2000, 20_000, 65_535, 65_536] {
            for common in [0, 1, components / 2, components - 1, components] {
                let overlap = Overlap { common, left: components, right: components };
                let (low, high) = estimate_interval(overlap);
                let share = common as f64 / components as f64;
                assert!(low <= share && share <= high && low >= 0.0 && high <= 1.0, "{common} of {components}");
            }
        }
    }

    #[test]
    fn similarities_are_in_their_intervals_at_the_promised_rate() {
        let schemes = [SignatureScheme::Lookalike, SignatureScheme::Datasketch(DatasketchScheme::Affine32)];
        let mut intervals = EstimateIntervals::default();
        for scheme in schemes {
            for common in [10, 50, 150, 280] {
                let trials = 1000;
                let jaccard = common as f64 / 300.0;
                let mut within = 0;
                let mut sum = 0.0;
                for trial in 0..trials {
                    let overlap = overlap_of(scheme, common, trial);
                    let (low, high) = intervals.get(overlap);
                    let share = SignatureAgreement::share(overlap);
                    assert!((low..=high).contains(&share));
                    within += u64::from((low..=high).contains(&jaccard));
                    sum += share;
                }
                // At least 95 %, four standard errors of the count allowed; the mean likewise.
                let allowed = 0.95 - 4.0 * (0.05f64 * 0.95 / trials as f64).sqrt();
                assert!(within as f64 / trials as f64 > allowed, "{} {common}: {within}", scheme.name());
                let error = 4.0 * (0.25f64 / 128.0 / trials as f64).sqrt();
                assert!((sum / trials as f64 - jaccard).abs() < error, "{} {common}", scheme.name());
            }
        }
    }
}
