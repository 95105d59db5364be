//! Documents that are given vectors in place of texts: of floats, as embeddings and features of pictures, or of whole
//! numbers, as MinHash signatures. Floats of 64 bits are rounded to 32; of signatures every number is exact.

use crate::base::details::{ExpectedValue, NonFinite};
use crate::base::{NotAVector, Problem};
use lookalike_core::comparison::Measure;
use lookalike_core::documents::{Content, Vector};
use serde::{Deserialize, Serialize};

/// Kind of the vectors that documents are given. Stored in lower case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GivenVectors {
    /// No vectors.
    #[default]
    Absent,
    /// Vectors.
    Any,
    /// Vectors of which one of zeros is a bad record: directions are compared.
    WithDirection,
    /// MinHash signatures.
    Signatures,
}

impl GivenVectors {
    /// Vectors of floats, as this measure compares them.
    pub fn compared_by(measure: Measure) -> Self {
        if matches!(measure, Measure::VectorCosine(_)) { Self::WithDirection } else { Self::Any }
    }

    /// Returns whether documents are no vectors.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
    pub(crate) fn are_absent(&self) -> bool {
        *self == Self::Absent
    }

    /// Returns whether documents are vectors.
    pub fn are_given(self) -> bool {
        self != Self::Absent
    }

    /// Values that a field must hold.
    pub(crate) fn expected(self) -> ExpectedValue {
        if self == Self::Signatures { ExpectedValue::Signature } else { ExpectedValue::Vector }
    }

    /// The vector or signature of these components, of which `None` is no number.
    pub(crate) fn content(
        self,
        components: impl Iterator<Item = Option<f64>>,
        field: &str,
    ) -> Result<Content<'static>, Problem> {
        let wrong = |problem| Problem::NotAVector { field: field.to_owned(), problem };
        let content = match self {
            Self::Signatures => Content::Signature(signature(components).map_err(wrong)?.into()),
            Self::Absent | Self::Any | Self::WithDirection => {
                Content::Vector(vector(components).map_err(wrong)?.into())
            }
        };
        match &content {
            _ if content.dimensions() == Some(0) => Err(wrong(NotAVector::Empty)),
            _ if let Some(found) = content.dimensions().filter(|&found| found > Vector::MAX_DIMENSIONS) => {
                Err(wrong(NotAVector::TooLong { found }))
            }
            Content::Vector(components) if self == Self::WithDirection && is_zero(components) => {
                Err(wrong(NotAVector::Zero))
            }
            _ => Ok(content),
        }
    }

    /// The vector or signature of a JSON array.
    pub(crate) fn of_json(self, array: &str, field: &str) -> Result<Content<'static>, Problem> {
        if let Ok(components) = sonic_rs::from_str::<Vec<f64>>(array) {
            return self.content(components.into_iter().map(Some), field);
        }
        // The number of the component, for messages.
        match sonic_rs::from_str::<Vec<sonic_rs::Value>>(array) {
            Ok(values) => self.content(values.iter().map(sonic_rs::JsonValueTrait::as_f64), field),
            Err(_) => {
                let is_signature = self == Self::Signatures;
                let problem = if is_signature { NotAVector::NoSignature } else { NotAVector::NoArray };
                Err(Problem::NotAVector { field: field.to_owned(), problem })
            }
        }
    }
}

/// The components of a vector, of which `None` is no number.
fn vector(components: impl Iterator<Item = Option<f64>>) -> Result<Vec<f32>, NotAVector> {
    let mut vector = Vec::with_capacity(components.size_hint().0);
    for (number, component) in (1..).zip(components) {
        let component = component.ok_or(NotAVector::NoNumber { number })?;
        let rounded = component as f32;
        if !rounded.is_finite() {
            let found = match component {
                _ if component.is_nan() => NonFinite::NaN,
                _ if component.is_infinite() => NonFinite::Infinite,
                _ => NonFinite::TooLarge,
            };
            return Err(NotAVector::NotFinite { number, found });
        }
        vector.push(rounded);
    }
    Ok(vector)
}

/// The components of a signature, of which `None` is no number.
fn signature(components: impl Iterator<Item = Option<f64>>) -> Result<Vec<u32>, NotAVector> {
    let mut signature = Vec::with_capacity(components.size_hint().0);
    for (number, component) in (1..).zip(components) {
        signature.push(component.and_then(whole).ok_or(NotAVector::NotWhole { number })?);
    }
    Ok(signature)
}

fn is_zero(components: &[f32]) -> bool {
    components.iter().all(|&component| component == 0.0)
}

/// The number as a component of a signature.
fn whole(number: f64) -> Option<u32> {
    let is_component = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    is_component.then_some(number as u32)
}

/// The vector that is given as a JSON array, from outside of any file.
///
/// # Errors
/// What is wrong with it.
pub fn vector_of_json(array: &str) -> Result<Content<'static>, Problem> {
    GivenVectors::Any.of_json(array, "vector")
}

/// The vector that a program gives; one of zeros is refused where directions are compared.
///
/// # Errors
/// What is wrong with it.
pub fn vector_of_numbers(components: &[f64], vectors: GivenVectors) -> Result<Content<'static>, NotAVector> {
    let content = vectors.content(components.iter().copied().map(Some), "vector");
    content.map_err(|problem| match problem {
        Problem::NotAVector { problem, .. } => problem,
        // Numbers have no other faults.
        _ => NotAVector::NoArray,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(array: &str) -> Result<Vec<f32>, String> {
        match GivenVectors::WithDirection.of_json(array, "emb").map_err(|problem| problem.to_string())? {
            Content::Vector(components) => Ok(components.into_owned()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn arrays_of_numbers_are_vectors() {
        assert_eq!(read("[1, -2.5, 3e-2, 0]").unwrap(), [1.0, -2.5, 0.03, 0.0]);
        assert_eq!(read(" [16777217] ").unwrap(), [16_777_216.0]);
        assert!(GivenVectors::Any.of_json("[0, -0.0]", "emb").is_ok());
    }

    #[test]
    fn signatures_are_exact() {
        let array = "[0, 4294967295, 16777217, 7.0]";
        let found = GivenVectors::Signatures.of_json(array, "sig").unwrap();
        assert_eq!(found, Content::Signature(vec![0, u32::MAX, 16_777_217, 7].into()));
        for wrong in ["[0.5]", "[-1]", "[4294967296]", "[null]", r#"["7"]"#, "[1e300]"] {
            let error = GivenVectors::Signatures.of_json(wrong, "sig").unwrap_err().to_string();
            assert!(error.contains("component 1 of the signature is no whole number from 0 to 4294967295"), "{error}");
        }
        assert!(GivenVectors::Signatures.of_json("[]", "sig").is_err());
    }

    #[test]
    fn faults_are_reported_by_component() {
        let long = format!("[{}]", vec!["1"; Vector::MAX_DIMENSIONS + 1].join(","));
        for (array, expected) in [
            ("[]", "an array without numbers"),
            ("[0, 0]", "a vector of zeros has no direction"),
            ("[1, null]", "component 2 of the vector is no number"),
            (r#"["1"]"#, "component 1 of the vector is no number"),
            ("[1, [2]]", "component 2 of the vector is no number"),
            ("[1, 1e39]", "component 2 of the vector is too large"),
            ("0.1 0.2", "not a vector"),
            ("{}", "not a vector"),
            (&long, "an array of 65537 numbers; 65536 is the maximum"),
        ] {
            let error = read(array).unwrap_err();
            assert!(error.contains(expected) && error.starts_with("field `emb`: "), "{error}");
        }
        let error = GivenVectors::Any.content([Some(f64::NAN)].into_iter(), "emb").unwrap_err().to_string();
        assert!(error.contains("component 1 of the vector is NaN"), "{error}");
    }
}
