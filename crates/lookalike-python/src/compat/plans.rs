//! Bands, rows and partitions as datasketch chooses them.

use crate::errors::refused;
use lookalike::methods::plan::{self, Division};
use pyo3::prelude::{PyResult, Python, pyfunction};

/// Bands and rows with the least weighted sum of the areas of false positives and false negatives.
#[pyfunction]
pub(crate) fn least_area(threshold: f64, num_perm: usize, weights: [f64; 2]) -> PyResult<(usize, usize)> {
    // Of no threshold only the misses count, as of the smallest one.
    let banding = plan::least_weighted_area(threshold.max(f64::MIN_POSITIVE), num_perm, weights).map_err(refused)?;
    Ok((banding.bands(), banding.rows()))
}

/// Bands and rows for each ratio of the size of a set to that of a query: those with the least weighted sum of the
/// areas of false positives and false negatives of containment, at a threshold and with weights of both.
#[pyfunction]
pub(crate) fn least_containment_areas(
    py: Python<'_>,
    goal: (f64, [f64; 2]),
    num_perm: usize,
    max_rows: usize,
    size_ratios: Vec<f64>,
) -> PyResult<Vec<(usize, usize)>> {
    let threshold = goal.0.max(f64::MIN_POSITIVE);
    let weights = goal.1;
    let banding = |ratio| plan::least_containment_area(threshold, num_perm, max_rows, ratio, weights);
    let all: Result<Vec<_>, _> = py.detach(|| size_ratios.into_iter().map(banding).collect());
    Ok(all.map_err(refused)?.into_iter().map(|banding| (banding.bands(), banding.rows())).collect())
}

/// Parts of the sizes of sets with the least expected number of false positives, or as datasketch divides them; each
/// with its smallest and largest size.
#[pyfunction]
pub(crate) fn partitions_by_size(
    py: Python<'_>,
    sizes: Vec<(u64, u64)>,
    parts: usize,
    is_best: bool,
) -> Vec<(u64, u64)> {
    let division = if is_best { Division::Best } else { Division::Datasketch };
    py.detach(|| plan::partitions_by_size(&sizes, parts, division))
}
