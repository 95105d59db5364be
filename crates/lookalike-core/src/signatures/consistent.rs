//! Consistent samples of weighted sets: two sets agree in a sample with a probability equal to their weighted Jaccard
//! similarity, the sum of smaller weights divided by the sum of larger ones.
//!
//! Algorithm: Ioffe 2010, Improved Consistent Sampling, Weighted Minhash and L1 Sketching, section 3.

use crate::base::{Error, Result};
use crate::kernel::{Additions, Dimension, Kernel, Samples};

/// A family of samples, each of which draws three numbers for every dimension.
#[derive(Debug, Clone)]
pub struct ConsistentSampler {
    samples: usize,
    dimensions: usize,
    /// Three groups for each dimension: for all samples r, then for all ln c, then for all beta.
    drawn: Vec<f32>,
    kernel: Kernel,
}

/// A sample of a weighted set: two samples are equal if both numbers are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConsistentSample {
    /// The dimension that was sampled.
    pub dimension: u32,
    /// The step of the logarithm of its weight.
    pub step: f32,
}

impl ConsistentSampler {
    /// The family with these numbers: r and c of the distribution Gamma(2, 1), c as its logarithm, and beta of [0, 1),
    /// each by sample and then by dimension.
    ///
    /// # Errors
    /// [`Error::SignatureMismatch`] if there are not as many numbers of each kind as samples times dimensions.
    pub fn new(samples: usize, dimensions: usize, drawn: [&[f32]; 3]) -> Result<Self> {
        let expected = samples.saturating_mul(dimensions);
        if let Some(numbers) = drawn.iter().find(|numbers| numbers.len() != expected) {
            return Err(Error::SignatureMismatch { expected, found: numbers.len() });
        }
        // A set has few dimensions: the numbers of each lie together.
        let of_dimension = |dimension: usize| {
            drawn.into_iter().flat_map(move |numbers| (0..samples).map(move |i| numbers[i * dimensions + dimension]))
        };
        let drawn = if expected == 0 { Vec::new() } else { (0..dimensions).flat_map(of_dimension).collect() };
        Ok(Self { samples, dimensions, drawn, kernel: Kernel::detect() })
    }

    /// Number of samples of a set.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The samples of a set, given by dimensions and the natural logarithms of their weights. Weights whose logarithm
    /// is no number are passed over; without any other the set has no samples.
    ///
    /// # Errors
    /// [`Error::SignatureMismatch`] if a dimension is too large.
    pub fn sample(
        &self,
        logs: impl IntoIterator<Item = (u32, f32)>,
        additions: Additions,
    ) -> Result<Option<Vec<ConsistentSample>>> {
        let mut samples = Samples {
            lowest: vec![f32::INFINITY; self.samples],
            dimensions: vec![0; self.samples],
            steps: vec![0.0; self.samples],
        };
        let mut has_any = false;
        for (number, log) in logs.into_iter().filter(|(_, log)| !log.is_nan()) {
            let dimension = number as usize;
            if dimension >= self.dimensions {
                return Err(Error::SignatureMismatch { expected: self.dimensions, found: dimension + 1 });
            }
            let drawn = |kind: usize| &self.drawn[(3 * dimension + kind) * self.samples..][..self.samples];
            let drawn = [drawn(0), drawn(1), drawn(2)];
            self.kernel.lower_by_dimension(Dimension { number, log, drawn, additions }, &mut samples);
            has_any = true;
        }
        let all = samples.dimensions.into_iter().zip(samples.steps);
        Ok(has_any.then(|| all.map(|(dimension, step)| ConsistentSample { dimension, step }).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::SplitMix64;

    fn family(samples: usize, dimensions: usize, seed: u64) -> ConsistentSampler {
        let mut random = SplitMix64::new(seed);
        let mut unit = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let mut drawn = [Vec::new(), Vec::new(), Vec::new()];
        for _ in 0..samples * dimensions {
            // The sum of two exponential variables has the distribution Gamma(2, 1).
            let mut gamma = || -((1.0 - unit()).ln() + (1.0 - unit()).ln());
            let rate = gamma();
            let c = gamma();
            drawn[0].push(rate as f32);
            drawn[1].push(c.ln() as f32);
            drawn[2].push(unit() as f32);
        }
        ConsistentSampler::new(samples, dimensions, drawn.each_ref().map(Vec::as_slice)).unwrap()
    }

    #[test]
    fn sets_agree_with_the_probability_of_their_weighted_similarity() {
        let samples = 20_000;
        let dimensions = 8;
        let family = family(samples, dimensions, 3);
        let weights = [[1.0, 2.0, 0.0, 5.0, 0.5, 1.0, 0.0, 3.0f32], [2.0, 1.0, 1.0, 5.0, 0.0, 1.5, 0.0, 1.0]];
        let sums = |choose: fn(f32, f32) -> f32| -> f32 {
            weights[0].iter().zip(&weights[1]).map(|(&one, &other)| choose(one, other)).sum()
        };
        let similarity = f64::from(sums(f32::min) / sums(f32::max));
        for additions in [Additions::OneByOne, Additions::RateFirst] {
            let [one, other] = weights.map(|weights| {
                let logs = (0..).zip(weights).filter(|(_, weight)| *weight > 0.0);
                family.sample(logs.map(|(number, weight)| (number, weight.ln())), additions).unwrap().unwrap()
            });
            let agreeing = one.iter().zip(&other).filter(|(one, other)| one == other).count();
            let deviation = (similarity * (1.0 - similarity) / samples as f64).sqrt();
            let share = agreeing as f64 / samples as f64;
            assert!((share - similarity).abs() < 5.0 * deviation, "{share} {similarity}");
        }
    }

    #[test]
    fn sets_without_weights_have_no_samples() {
        let family = family(4, 2, 1);
        assert_eq!(family.sample([], Additions::OneByOne).unwrap(), None);
        assert_eq!(family.sample([(0, f32::NAN)], Additions::OneByOne).unwrap(), None);
        assert!(family.sample([(2, 0.0)], Additions::OneByOne).is_err());
        assert!(ConsistentSampler::new(2, 2, [&[1.0; 4], &[1.0; 4], &[1.0; 3]]).is_err());
    }
}
