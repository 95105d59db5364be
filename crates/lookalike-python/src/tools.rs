//! Answers without a search: two texts side by side, bands and rows, and the command line.

use crate::errors::{exception, refused};
use crate::parameters::features_alone;
use lookalike::methods::plan::{Goal, LowRate, choose};
use lookalike::{
    Features,
    evidence::{ComparedAs, ComparedDocument, Comparing, Comparison},
    methods::Banding,
};
use pyo3::prelude::{Bound, PyDictMethods, PyResult, Python, pyfunction};
use pyo3::types::PyDict;
use std::ffi::OsString;
use std::ops::Range;

/// Compares two texts: numbers of elements, similarities, common passages and differences.
#[pyfunction]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    left: &str,
    right: &str,
    keywords: Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let sides = [left, right].map(|text| ComparedDocument::Text(text.to_owned()));
    compared(py, sides, features_alone(keywords)?)
}

/// Compares the documents that two names stand for: `FILE` or `FILE:ID`.
#[pyfunction]
pub(crate) fn compare_files<'py>(
    py: Python<'py>,
    left: &str,
    right: &str,
    keywords: Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let sides = [left, right].map(|name| ComparedDocument::Named(name.to_owned()));
    compared(py, sides, features_alone(keywords)?)
}

fn compared(py: Python<'_>, sides: [ComparedDocument; 2], features: Features) -> PyResult<Bound<'_, PyDict>> {
    let request = Comparing { sides, features, ..Comparing::default() };
    let found = py.detach(|| lookalike::jobs::compare(&request)).map_err(exception)?.found;
    match &found {
        ComparedAs::Sets(sets) => facts_of(py, &sets.comparison),
        ComparedAs::Terms(_) | ComparedAs::Bits(_) | ComparedAs::Vectors(_) => {
            Err(refused("texts are compared as sets"))
        }
    }
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
    let both = |left: &Range<usize>, right: &Range<usize>| {
        (text_of(&compared.left_text, left), text_of(&compared.right_text, right))
    };
    let passages: Vec<_> = compared.passages.iter().map(|p| both(&p.left.bytes(), &p.right.bytes())).collect();
    result.set_item("passages", passages)?;
    let differences: Vec<_> = compared.differences.iter().map(|d| both(&d.left, &d.right)).collect();
    result.set_item("differences", differences)?;
    Ok(result)
}

fn text_of(text: &str, range: &Range<usize>) -> String {
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
    if !(0.0..=1.0).contains(&similarity) {
        return Err(refused(format!("a similarity is from 0 to 1; found {similarity}")));
    }
    Ok(banding.probability(similarity))
}

/// Runs the `lookalike` command with these arguments, of which the first is its name, and returns its exit status.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| lookalike_cli::run(arguments)).code()
}
