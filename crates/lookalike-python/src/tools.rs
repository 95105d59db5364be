//! Answers without a search: two texts side by side, bands and rows, and the command line.

use crate::errors::{exception, refused};
use crate::nouns::features_alone;
use lookalike::plan::{Goal, LowRate, choose};
use lookalike::{Banding, Comparison, Inputs};
use pyo3::prelude::{Bound, PyDictMethods, PyResult, Python, pyfunction};
use pyo3::types::PyDict;
use std::ffi::OsString;

/// Compares two texts: numbers of elements, similarities and common passages.
#[pyfunction]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    left: &str,
    right: &str,
    keywords: Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let features = features_alone(keywords)?;
    let compared = py.detach(|| lookalike::jobs::compare_texts(left, right, &features)).map_err(exception)?;
    facts_of(py, &compared)
}

/// Compares the documents that two names stand for: `FILE` or `FILE:ID`.
#[pyfunction]
pub(crate) fn compare_files<'py>(
    py: Python<'py>,
    left: &str,
    right: &str,
    keywords: Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let features = features_alone(keywords)?;
    let inputs = Inputs::default();
    let compared = py.detach(|| lookalike::jobs::compare(left, right, &inputs, &features)).map_err(exception)?;
    facts_of(py, &compared.comparison)
}

fn facts_of<'py>(py: Python<'py>, compared: &Comparison) -> PyResult<Bound<'py, PyDict>> {
    let result = PyDict::new(py);
    let overlap = compared.overlap;
    let [of_left, of_right] = overlap.containments();
    result.set_item("jaccard", overlap.jaccard())?;
    result.set_item("containment_of_left", of_left)?;
    result.set_item("containment_of_right", of_right)?;
    result.set_item("left_tokens", compared.left.tokens)?;
    result.set_item("right_tokens", compared.right.tokens)?;
    result.set_item("left_elements", compared.left.elements)?;
    result.set_item("right_elements", compared.right.elements)?;
    let passages: Vec<_> = compared
        .passages
        .iter()
        .map(|passage| (text_of(&compared.left_text, &passage.left), text_of(&compared.right_text, &passage.right)))
        .collect();
    result.set_item("passages", passages)?;
    Ok(result)
}

fn text_of(text: &str, range: &std::ops::Range<usize>) -> String {
    text.get(range.clone()).unwrap_or_default().to_owned()
}

/// Bands and rows for a threshold, with the probability that a pair of the threshold shares a band.
#[pyfunction]
#[pyo3(signature = (threshold, recall, permutations, low=None))]
pub(crate) fn plan(
    threshold: f64,
    recall: f64,
    permutations: usize,
    low: Option<(f64, f64)>,
) -> PyResult<(usize, usize, f64)> {
    let low = low.map(|(similarity, rate)| LowRate { similarity, rate });
    let goal = Goal { threshold, recall, permutations, low };
    let banding: Banding = choose(&goal).map_err(refused)?;
    Ok((banding.bands(), banding.rows(), banding.probability(threshold)))
}

/// The probability that a pair of this similarity shares a band.
#[pyfunction]
pub(crate) fn probability(bands: usize, rows: usize, similarity: f64) -> PyResult<f64> {
    let banding = Banding::new(bands, rows).map_err(refused)?;
    match (0.0..=1.0).contains(&similarity) {
        true => Ok(banding.probability(similarity)),
        false => Err(refused(format!("a similarity is from 0 to 1; found {similarity}"))),
    }
}

/// Runs the `lookalike` command with these arguments, of which the first is its name, and returns its exit status.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| lookalike_cli::run(arguments)).code()
}
