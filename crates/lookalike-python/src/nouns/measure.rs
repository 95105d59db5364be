//! Keywords to a measure.

use crate::errors::refused;
use crate::keywords::Keywords;
use lookalike::{
    CommonElements, Containment, Cosine, EmptyPolicy, Euclidean, GivenVectors, Hamming, ImageFeatures, Inputs, Jaccard,
    Limit, Measure, Side, SignatureAgreement, Threshold, VectorCosine, Weights,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::{Bound, PyAnyMethods, PyResult};
use pyo3::types::{PyDict, PyFloat, PyInt};

/// Kinds of measures, by name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MeasureKind {
    Jaccard,
    Containment,
    Overlap,
    Cosine,
    Hamming,
    Euclidean,
}

impl MeasureKind {
    fn of(measure: Measure) -> Self {
        match measure {
            Measure::Jaccard(_) | Measure::Signature(_) => Self::Jaccard,
            Measure::Containment(_) => Self::Containment,
            Measure::Overlap(_) => Self::Overlap,
            Measure::Cosine(_) | Measure::VectorCosine(_) => Self::Cosine,
            Measure::Hamming(_) => Self::Hamming,
            Measure::Euclidean(_) => Self::Euclidean,
        }
    }
}

/// The measure that keywords mean. `stored` is that of the index that is compared with: it is meant where no keyword
/// says another, but for a threshold, which has a default of its own.
pub(crate) fn measure_of(keywords: &mut Keywords<'_>, inputs: &Inputs, stored: Option<Measure>) -> PyResult<Measure> {
    let are_signatures = inputs.vectors == GivenVectors::Signatures;
    let are_vectors = inputs.vectors.are_given() && !are_signatures;
    let stored = stored.filter(|_| !are_signatures);
    let kind = kind_of(keywords, inputs, stored)?;
    let stored = stored.filter(|&stored| MeasureKind::of(stored) == kind);
    let limit = stored.map(Measure::limit);
    let policies = [("keep", EmptyPolicy::Keep), ("duplicate", EmptyPolicy::Duplicate)];
    let empty = keywords.choice("empty", &policies)?;
    let empty = empty.unwrap_or_else(|| stored.map_or(EmptyPolicy::Keep, Measure::empty));
    Ok(match kind {
        _ if empty == EmptyPolicy::Duplicate && inputs.vectors.are_given() => {
            return Err(PyTypeError::new_err("the keyword `empty` is for texts"));
        }
        MeasureKind::Jaccard if are_signatures => {
            Measure::Signature(SignatureAgreement { threshold: threshold_of(keywords)? })
        }
        MeasureKind::Jaccard => Measure::Jaccard(Jaccard { threshold: threshold_of(keywords)?, empty }),
        MeasureKind::Containment => {
            let sides =
                [("either", Side::Either), ("in-reference", Side::InReference), ("of-reference", Side::OfReference)];
            let contained = keywords.choice("containment", &sides)?.unwrap_or(Side::Either);
            Measure::Containment(Containment { threshold: threshold_of(keywords)?, contained, empty })
        }
        MeasureKind::Overlap => {
            let of_index = match limit {
                Some(Limit::Common(count)) => Some(count),
                _ => None,
            };
            let min_common = needed(keywords.take("min_common")?.or(of_index), "min_common", "overlap")?;
            Measure::Overlap(CommonElements { min_common, empty })
        }
        MeasureKind::Cosine if are_vectors => {
            let of_images = inputs.images.filter(|_| !keywords.has("threshold").unwrap_or_default());
            let threshold = of_images.map_or_else(|| threshold_of(keywords), |_| Ok(ImageFeatures::threshold()))?;
            Measure::VectorCosine(VectorCosine { threshold })
        }
        MeasureKind::Euclidean => {
            let of_index = match limit {
                Some(Limit::Within(distance)) => Some(distance.as_f64()),
                _ => None,
            };
            let distance: f64 = needed(keywords.take("distance")?.or(of_index), "distance", "euclidean")?;
            Measure::Euclidean(Euclidean { distance: distance.try_into().map_err(refused)? })
        }
        MeasureKind::Cosine => {
            let weights = [("tf", Weights::Tf), ("tfidf", Weights::TfIdf), ("binary", Weights::Binary)];
            let of_index = match stored {
                Some(Measure::Cosine(stored)) => stored.weights,
                _ => Weights::default(),
            };
            let weights = keywords.choice("weights", &weights)?.unwrap_or(of_index);
            Measure::Cosine(Cosine { threshold: threshold_of(keywords)?, weights, empty })
        }
        MeasureKind::Hamming => Measure::Hamming(hamming_of(keywords, inputs, limit)?),
    })
}

/// The kind of measure that a keyword names; else that of the index, or the usual one of such inputs.
fn kind_of(keywords: &mut Keywords<'_>, inputs: &Inputs, stored: Option<Measure>) -> PyResult<MeasureKind> {
    let kinds = [
        ("jaccard", MeasureKind::Jaccard),
        ("containment", MeasureKind::Containment),
        ("overlap", MeasureKind::Overlap),
        ("cosine", MeasureKind::Cosine),
        ("hamming", MeasureKind::Hamming),
        ("euclidean", MeasureKind::Euclidean),
    ];
    let are_signatures = inputs.vectors == GivenVectors::Signatures;
    let usual = match inputs.images {
        _ if let Some(stored) = stored => MeasureKind::of(stored),
        Some(ImageFeatures::ImageHash) => MeasureKind::Hamming,
        _ if inputs.vectors.are_given() && !are_signatures => MeasureKind::Cosine,
        _ => MeasureKind::Jaccard,
    };
    Ok(keywords.choice("measure", &kinds)?.unwrap_or(usual))
}

/// The Hamming distance that keywords mean; else that of the index, or of images.
fn hamming_of(keywords: &mut Keywords<'_>, inputs: &Inputs, limit: Option<Limit>) -> PyResult<Hamming> {
    let usual = match (inputs.images, limit) {
        (_, Some(Limit::Distance(bits))) => Some(bits),
        (Some(_), _) => Some(ImageFeatures::DISTANCE),
        (None, _) => None,
    };
    let distance = needed(keywords.take("distance")?.or(usual), "distance", "hamming")?;
    let width = inputs.fingerprints.map_or(Hamming::UNKNOWN_WIDTH, |fingerprints| fingerprints.width);
    Ok(Hamming { distance, width })
}

/// The measure that keywords mean, all of them.
pub(crate) fn measure_alone(keywords: Bound<'_, PyDict>) -> PyResult<Measure> {
    let mut keywords = Keywords::new(keywords);
    let measure = measure_of(&mut keywords, &Inputs::default(), None)?;
    keywords.finish()?;
    Ok(measure)
}

fn needed<T>(value: Option<T>, name: &str, measure: &str) -> PyResult<T> {
    value.ok_or_else(|| PyTypeError::new_err(format!("measure=\"{measure}\" needs the keyword `{name}`")))
}

/// A number, or a string with its decimals.
fn threshold_of(keywords: &mut Keywords<'_>) -> PyResult<Threshold> {
    let Some(threshold) = keywords.any("threshold")? else { return Ok(Threshold::default()) };
    let is_number = threshold.is_instance_of::<PyFloat>() || threshold.is_instance_of::<PyInt>();
    let parsed = match threshold.extract::<String>() {
        Ok(text) => text.parse(),
        Err(_) if is_number || threshold.hasattr("__float__")? => threshold.extract::<f64>()?.try_into(),
        Err(_) => return Err(PyTypeError::new_err("threshold: expected a number")),
    };
    parsed.map_err(refused)
}
