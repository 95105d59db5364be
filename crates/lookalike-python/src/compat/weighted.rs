//! Samples of weighted sets.

use super::arrays::{array, numbers};
use crate::errors::refused;
use lookalike::details::ParameterError;
use lookalike::signatures::{Additions, ConsistentSampler};
use pyo3::prelude::{Bound, PyResult, Python, pyclass, pymethods};
use pyo3::types::PyByteArray;

/// A family of samples of weighted sets.
#[pyclass(name = "ConsistentSampler", frozen, module = "lookalike._lookalike")]
pub(crate) struct PyConsistentSampler {
    sampler: ConsistentSampler,
}

/// Dimensions and steps of the samples of some sets, one after the other.
type Sampled<'py> = (Bound<'py, PyByteArray>, Bound<'py, PyByteArray>);

#[pymethods]
impl PyConsistentSampler {
    /// The family with these numbers of 32 bits: r, ln c and beta, each by sample and then by dimension.
    #[new]
    fn new(samples: usize, dimensions: usize, rates: &[u8], offsets: &[u8], shifts: &[u8]) -> PyResult<Self> {
        let drawn: [Vec<f32>; 3] = [numbers(rates)?, numbers(offsets)?, numbers(shifts)?];
        let drawn = drawn.each_ref().map(Vec::as_slice);
        Ok(Self { sampler: ConsistentSampler::new(samples, dimensions, drawn).map_err(refused)? })
    }

    /// The samples of sets. `ends` has for each set where its weights end (numbers of 64 bits), `weights`
    /// the dimensions and the logarithms of all weights (of 32 bits). A set without weights has only infinite steps.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        ends: &[u8],
        weights: (&[u8], &[u8]),
        rate_first: bool,
    ) -> PyResult<Sampled<'py>> {
        let ends: Vec<u64> = numbers(ends)?;
        let dimensions: Vec<u32> = numbers(weights.0)?;
        let logs: Vec<f32> = numbers(weights.1)?;
        let additions = if rate_first { Additions::RateFirst } else { Additions::OneByOne };
        let weights: Vec<(u32, f32)> = dimensions.into_iter().zip(logs).collect();
        let all = || {
            let mut sampled = (Vec::new(), Vec::new());
            let mut start = 0;
            for end in ends.iter().map(|&end| end as usize) {
                let set = weights.get(start..end).unwrap_or_default().iter().copied();
                match self.sampler.sample(set, additions)? {
                    Some(samples) => sampled.extend(samples.iter().map(|sample| (sample.dimension, sample.step))),
                    None => sampled.extend((0..self.sampler.samples()).map(|_| (0, f32::INFINITY))),
                }
                start = end;
            }
            Ok(sampled)
        };
        let (dimensions, steps) = py.detach(all).map_err(|error: ParameterError| refused(error))?;
        Ok((array(py, &dimensions), array(py, &steps)))
    }
}
