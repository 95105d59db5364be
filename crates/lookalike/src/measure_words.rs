//! Resolution of a measure from what a user says of it, in any door.
//!
//! Doors turn flags or keywords into [`MeasureWords`] and refusals into their own sentences; what is usual for which
//! documents, and what an index says where a user says nothing, is decided here.

use lookalike_core::MAX_WIDTH;
use lookalike_core::bits::{Hamming, Pixels};
use lookalike_core::comparison::{Measure, MeasureName, MeasureOptions};
use lookalike_core::details::PointKind;
use lookalike_core::sets::Side;
use lookalike_core::similarity::{Distance, EmptyPolicy, Limit, LimitForm, Threshold, Weights};
use lookalike_io::{
    Inputs,
    sources::{Fingerprints, GivenVectors, ImageFeatures},
};

/// Words of a user about a measure. Nothing has a default here.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MeasureWords {
    /// Its name.
    pub name: Option<MeasureName>,
    /// Minimum similarity of near-duplicates.
    pub threshold: Option<Threshold>,
    /// Minimum number of their common elements.
    pub min_common: Option<usize>,
    /// Their maximum distance, of fingerprints or vectors.
    pub distance: Option<f64>,
    /// The weight of a term.
    pub weights: Option<Weights>,
    /// The document of a pair that must be contained in the other.
    pub contained: Option<Side>,
    /// Policy for documents without elements: duplicates of each other, or of none.
    pub empty: Option<EmptyPolicy>,
}

/// The documents that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Texts or sets of items.
    Texts,
    /// Texts as they stand, byte for byte.
    WholeTexts,
    /// Given fingerprints.
    Fingerprints {
        /// Number of their bits.
        width: u32,
    },
    /// Given vectors.
    Vectors,
    /// Given signatures.
    Signatures,
    /// Images.
    Images(ImageFeatures),
    /// Saved pairs, which do not say what they are of.
    SavedPairs,
}

/// A reason why words name no measure.
#[derive(Debug, Clone, PartialEq)]
pub enum MeasureRefusal {
    /// The measure has no usual limit, and none is said.
    LimitNeeded(MeasureName),
    /// The distance is no number of bits that fingerprints may differ in.
    NoNumberOfBits {
        /// The distance.
        found: f64,
    },
    /// The distance is none of vectors.
    Distance(lookalike_core::Error),
}

impl Subject {
    /// The documents that these inputs hold.
    pub fn from_inputs(inputs: &Inputs) -> Self {
        match (inputs.fingerprints, inputs.vectors) {
            _ if let Some(features) = inputs.images => Self::Images(features),
            (Some(Fingerprints { width, .. }), _) => Self::Fingerprints { width },
            (None, GivenVectors::Any | GivenVectors::WithDirection) => Self::Vectors,
            (None, GivenVectors::Signatures) => Self::Signatures,
            (None, GivenVectors::Absent) => Self::Texts,
        }
    }

    /// The kind of the documents; `None` for texts and items.
    pub fn points(self) -> Option<PointKind> {
        match self {
            Self::Texts | Self::WholeTexts | Self::SavedPairs => None,
            Self::Fingerprints { .. } | Self::Images(ImageFeatures::ImageHash) => Some(PointKind::Fingerprints),
            Self::Vectors | Self::Images(ImageFeatures::ImageVector) => Some(PointKind::Vectors),
            Self::Signatures => Some(PointKind::Signatures),
        }
    }

    fn usual_name(self) -> MeasureName {
        match self.points() {
            Some(PointKind::Fingerprints) if matches!(self, Self::Images(_)) => MeasureName::Hamming,
            Some(PointKind::Vectors) => MeasureName::Cosine,
            _ => MeasureName::default(),
        }
    }

    fn usual_threshold(self) -> Threshold {
        if let Self::Images(_) = self { ImageFeatures::threshold() } else { Threshold::default() }
    }

    fn width(self) -> u32 {
        match self {
            Self::Fingerprints { width } => width,
            Self::Images(_) => Pixels::HASH_BITS,
            _ => Hamming::UNKNOWN_WIDTH,
        }
    }

    /// The measure of an index that these documents are compared with, where it says what is meant.
    fn measure_of_index(self, stored: Option<Measure>) -> Option<Measure> {
        stored.filter(|_| !matches!(self, Self::WholeTexts | Self::Signatures))
    }
}

impl MeasureWords {
    /// The name that is said, or that of the index that is compared with, or the usual one of the documents.
    pub fn name(&self, subject: Subject, stored: Option<Measure>) -> MeasureName {
        let of_index = || subject.measure_of_index(stored).map(Measure::measure_name);
        self.name.or_else(of_index).unwrap_or_else(|| subject.usual_name())
    }

    /// The measure that is meant. `stored` is that of the index that is compared with: it is meant where no word says
    /// another, but for a threshold, which has a default of its own.
    ///
    /// # Errors
    /// [`MeasureRefusal`].
    pub fn measure(&self, subject: Subject, stored: Option<Measure>) -> Result<Measure, MeasureRefusal> {
        let name = self.name(subject, stored);
        let stored = subject.measure_of_index(stored).filter(|stored| stored.measure_name() == name);
        let weights = stored.and_then(Measure::cosine).map(|cosine| cosine.weights);
        let options = MeasureOptions {
            weights: self.weights.or(weights).unwrap_or_default(),
            contained: self.contained.unwrap_or_default(),
            empty: self.empty.or(stored.map(Measure::empty)).unwrap_or_default(),
            width: subject.width(),
        };
        let needed = MeasureRefusal::LimitNeeded(name);
        let limit = self.limit(name.limit(), subject, stored)?.ok_or_else(|| needed.clone())?;
        name.measure(subject.points(), limit, options).ok_or(needed)
    }

    /// The limit that is said, or that of the index, or the usual one.
    fn limit(
        &self,
        form: LimitForm,
        subject: Subject,
        stored: Option<Measure>,
    ) -> Result<Option<Limit>, MeasureRefusal> {
        let of_index = stored.map(Measure::limit);
        let of_images = matches!(subject, Subject::Images(_)).then_some(Limit::Distance(ImageFeatures::DISTANCE));
        match (form, self.distance) {
            (LimitForm::Threshold, _) => {
                let usual = if subject == Subject::WholeTexts { Threshold::ONE } else { subject.usual_threshold() };
                Ok(Some(Limit::Similarity(self.threshold.unwrap_or(usual))))
            }
            (LimitForm::MinCommon, _) => Ok(self.min_common.map(Limit::Common).or(of_index)),
            (LimitForm::Bits, None) => Ok(of_index.or(of_images)),
            (LimitForm::Bits, Some(found)) if found.fract() == 0.0 && (0.0..f64::from(MAX_WIDTH)).contains(&found) => {
                Ok(Some(Limit::Distance(found as u32)))
            }
            (LimitForm::Bits, Some(found)) => Err(MeasureRefusal::NoNumberOfBits { found }),
            (LimitForm::Distance, None) => Ok(of_index),
            (LimitForm::Distance, Some(found)) => {
                let distance = Distance::try_from(found).map_err(MeasureRefusal::Distance)?;
                Ok(Some(Limit::Within(distance)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_says_what_no_word_says_but_for_a_threshold() {
        let stored = MeasureWords { min_common: Some(7), ..MeasureWords::default() };
        let overlap = MeasureWords { name: Some(MeasureName::Overlap), ..stored };
        let stored = overlap.measure(Subject::Texts, None).unwrap();
        let nothing = MeasureWords::default();
        assert_eq!(nothing.measure(Subject::Texts, Some(stored)), Ok(stored));
        let jaccard = MeasureWords { name: Some(MeasureName::Jaccard), ..nothing };
        assert_eq!(jaccard.measure(Subject::Texts, Some(stored)), Ok(Measure::default()));
        assert_eq!(nothing.measure(Subject::Texts, Some(Measure::jaccard(Threshold::ONE))), Ok(Measure::default()));
        assert_eq!(nothing.measure(Subject::WholeTexts, Some(stored)), Ok(Measure::jaccard(Threshold::ONE)));
    }

    #[test]
    fn documents_have_a_usual_measure_and_some_a_usual_limit() {
        let nothing = MeasureWords::default();
        let kind = |subject| nothing.measure(subject, None).map(|measure| measure.kind().to_string());
        assert_eq!(kind(Subject::Texts).unwrap(), "jaccard");
        assert_eq!(kind(Subject::Vectors).unwrap(), "cosine of vectors");
        assert_eq!(kind(Subject::Signatures).unwrap(), "signature agreement");
        assert_eq!(kind(Subject::Images(ImageFeatures::ImageHash)).unwrap(), "hamming");
        let images = nothing.measure(Subject::Images(ImageFeatures::ImageVector), None).unwrap();
        assert_eq!(images.min_similarity(), Some(0.98));
        for name in MeasureName::ALL.into_iter().filter(|name| name.limit() != LimitForm::Threshold) {
            let words = MeasureWords { name: Some(name), ..nothing };
            assert_eq!(words.measure(Subject::SavedPairs, None), Err(MeasureRefusal::LimitNeeded(name)));
        }
        let half = MeasureWords { name: Some(MeasureName::Hamming), distance: Some(0.5), ..nothing };
        assert_eq!(half.measure(Subject::SavedPairs, None), Err(MeasureRefusal::NoNumberOfBits { found: 0.5 }));
    }

    #[test]
    fn names_are_those_of_the_measures() {
        for name in MeasureName::ALL {
            let words =
                MeasureWords { name: Some(name), min_common: Some(2), distance: Some(2.0), ..MeasureWords::default() };
            assert_eq!(words.measure(Subject::SavedPairs, None).map(Measure::measure_name), Ok(name));
            assert_eq!(MeasureName::ALL.iter().filter(|other| other.as_str() == name.as_str()).count(), 1);
        }
    }
}
