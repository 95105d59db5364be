//! Keywords to a measure.

use crate::errors::refused;
use crate::keywords::Keywords;
use lookalike::details::PointKind;
use lookalike::{
    Inputs, Measure,
    measures::{EmptyPolicy, LimitForm, MeasureName, MeasureRefusal, MeasureWords, Side, Subject, Threshold, Weights},
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::{Bound, PyAnyMethods, PyErr, PyResult};
use pyo3::types::{PyDict, PyFloat, PyInt};

/// The measure that keywords mean. `stored` is that of the index that is compared with: it is meant where no keyword
/// says another, but for a threshold, which has a default of its own.
pub(crate) fn measure_of(keywords: &mut Keywords<'_>, inputs: &Inputs, stored: Option<Measure>) -> PyResult<Measure> {
    let subject = Subject::from_inputs(inputs);
    let mut words = MeasureWords { name: name_of(keywords)?, ..MeasureWords::default() };
    let name = words.name(subject, stored);
    words.empty = keywords.choice("empty", &[("keep", EmptyPolicy::Keep), ("duplicate", EmptyPolicy::Duplicate)])?;
    if words.empty == Some(EmptyPolicy::Duplicate) && inputs.vectors.are_given() {
        return Err(PyTypeError::new_err("the keyword `empty` is for texts"));
    }
    match name.limit() {
        LimitForm::Threshold => words.threshold = threshold_of(keywords)?,
        LimitForm::MinCommon => words.min_common = keywords.take("min_common")?,
        LimitForm::Bits => words.distance = keywords.take::<u32>("distance")?.map(f64::from),
        LimitForm::Distance => words.distance = keywords.take("distance")?,
    }
    if name == MeasureName::Containment {
        let sides =
            [("either", Side::Either), ("in-reference", Side::InReference), ("of-reference", Side::OfReference)];
        words.contained = keywords.choice("containment", &sides)?;
    }
    if name == MeasureName::Cosine && subject.points() != Some(PointKind::Vectors) {
        let weights = [("tf", Weights::Tf), ("tfidf", Weights::TfIdf), ("binary", Weights::Binary)];
        words.weights = keywords.choice("weights", &weights)?;
    }
    words.measure(subject, stored).map_err(exception)
}

/// The name that a keyword says.
fn name_of(keywords: &mut Keywords<'_>) -> PyResult<Option<MeasureName>> {
    keywords.choice("measure", &MeasureName::ALL.map(|name| (name.as_str(), name)))
}

fn exception(refusal: MeasureRefusal) -> PyErr {
    match refusal {
        MeasureRefusal::LimitNeeded(name) => {
            let keyword = match name.limit() {
                LimitForm::Threshold => "threshold",
                LimitForm::MinCommon => "min_common",
                LimitForm::Bits | LimitForm::Distance => "distance",
            };
            PyTypeError::new_err(format!("measure=\"{name}\" needs the keyword `{keyword}`"))
        }
        MeasureRefusal::NoNumberOfBits { found } => {
            refused(format!("distance {found}: measure=\"hamming\" takes a number of differing bits"))
        }
        MeasureRefusal::Distance(error) => refused(error),
    }
}

/// The measure that keywords mean, all of them.
pub(crate) fn measure_alone(keywords: Bound<'_, PyDict>) -> PyResult<Measure> {
    let mut keywords = Keywords::new(keywords);
    let measure = measure_of(&mut keywords, &Inputs::default(), None)?;
    keywords.finish()?;
    Ok(measure)
}

/// A number, or a string with its decimals.
fn threshold_of(keywords: &mut Keywords<'_>) -> PyResult<Option<Threshold>> {
    let Some(threshold) = keywords.any("threshold")? else { return Ok(None) };
    let is_number = threshold.is_instance_of::<PyFloat>() || threshold.is_instance_of::<PyInt>();
    let parsed = match threshold.extract::<String>() {
        Ok(text) => text.parse(),
        Err(_) if is_number || threshold.hasattr("__float__")? => threshold.extract::<f64>()?.try_into(),
        Err(_) => return Err(PyTypeError::new_err("threshold: expected a number")),
    };
    parsed.map(Some).map_err(refused)
}
