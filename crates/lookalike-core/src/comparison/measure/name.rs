//! Names of measures, as users give them and messages show them.

use crate::base::details::PointKind;
use crate::sets::Side;
use crate::similarity::{EmptyPolicy, LimitForm, Weights};
use std::fmt;

/// The name of a measure in flags and requests. `cosine` is that of terms or of given vectors; of given signatures,
/// `jaccard` is estimated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MeasureName {
    /// Jaccard similarity.
    #[default]
    Jaccard,
    /// Dice coefficient.
    Dice,
    /// Containment.
    Containment,
    /// The number of common elements.
    Overlap,
    /// The cosine.
    Cosine,
    /// Hamming distance.
    Hamming,
    /// Euclidean distance.
    Euclidean,
    /// Manhattan distance.
    Manhattan,
}

/// NameFacts about a measure, by its name.
struct NameFacts {
    name: &'static str,
    meaning: &'static str,
    limit: LimitForm,
    /// Kinds of documents that are compared; `None` for texts and items.
    documents: &'static [Option<PointKind>],
}

/// Parameters of measures beside the limit; each takes those that it has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MeasureOptions {
    /// The weight of a term.
    pub weights: Weights,
    /// The document of a pair that must be contained in the other.
    pub contained: Side,
    /// Policy for documents without elements: duplicates of each other, or of none.
    pub empty: EmptyPolicy,
    /// Width of fingerprints in bits.
    pub width: u32,
}

impl MeasureName {
    /// List of all names.
    pub const ALL: [Self; 8] = [
        Self::Jaccard,
        Self::Dice,
        Self::Containment,
        Self::Overlap,
        Self::Cosine,
        Self::Hamming,
        Self::Euclidean,
        Self::Manhattan,
    ];

    fn facts(self) -> NameFacts {
        const SETS: &[Option<PointKind>] = &[None];
        const VECTORS: &[Option<PointKind>] = &[Some(PointKind::Vectors)];
        let facts = |name, meaning, limit, documents| NameFacts { name, meaning, limit, documents };
        match self {
            Self::Jaccard => facts(
                "jaccard",
                "common shingles or items among all of both, |A and B| / |A or B|",
                LimitForm::Threshold,
                &[None, Some(PointKind::Signatures)],
            ),
            Self::Dice => facts(
                "dice",
                "common shingles or items among the sum of both, 2 |A and B| / (|A| + |B|)",
                LimitForm::Threshold,
                SETS,
            ),
            Self::Containment => facts(
                "containment",
                "the share of one document that is in the other, |A and B| / |A|",
                LimitForm::Threshold,
                SETS,
            ),
            Self::Overlap => facts("overlap", "the number of common shingles or items", LimitForm::MinCommon, SETS),
            Self::Cosine => facts(
                "cosine",
                "the cosine of weighted shingles or items",
                LimitForm::Threshold,
                &[None, Some(PointKind::Vectors)],
            ),
            Self::Hamming => facts(
                "hamming",
                "the number of bits in which given fingerprints differ",
                LimitForm::Bits,
                &[Some(PointKind::Fingerprints)],
            ),
            Self::Euclidean => facts("euclidean", "their distance", LimitForm::Distance, VECTORS),
            Self::Manhattan => {
                facts("manhattan", "the sum of the distances of their components", LimitForm::Distance, VECTORS)
            }
        }
    }

    /// The name as it is spelled.
    pub fn as_str(self) -> &'static str {
        self.facts().name
    }

    /// Meaning of the figure, in a line; of vectors, in terms of these.
    pub fn meaning(self) -> &'static str {
        self.facts().meaning
    }

    /// Form of the limit.
    pub fn limit(self) -> LimitForm {
        self.facts().limit
    }

    /// Returns whether documents of this kind are compared; `None` for texts and items.
    pub fn compares(self, documents: Option<PointKind>) -> bool {
        self.facts().documents.contains(&documents)
    }
}

impl fmt::Display for MeasureName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Parameters of a similarity beside the two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeasureKind {
    /// The name of the measure in flags and requests.
    pub name: MeasureName,
    /// The kind of documents, if they are fingerprints, vectors or signatures.
    pub points: Option<PointKind>,
    /// The weights of terms, of a cosine.
    pub weights: Option<Weights>,
}

impl fmt::Display for MeasureKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name, self.points, self.weights) {
            (name, _, Some(weights)) => write!(formatter, "{name} of weights {}", weights.name()),
            (name @ MeasureName::Cosine, Some(_), _) => write!(formatter, "{name} of vectors"),
            (_, Some(PointKind::Signatures), _) => formatter.write_str("signature agreement"),
            (name, ..) => name.fmt(formatter),
        }
    }
}
