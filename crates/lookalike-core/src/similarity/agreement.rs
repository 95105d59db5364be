//! What the exact check of two documents finds: the input of every similarity.

use super::Overlap;
use crate::ground::DocId;

/// What the exact check of two documents finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Agreement {
    /// Of two sets: their sizes and that of the intersection.
    Sets(Overlap),
    /// Of two weighted sets, or vectors: their cosine.
    Cosine(f64),
    /// Of two fingerprints: the number of bits in which they differ.
    Bits(DifferingBits),
    /// The distance of two vectors, by the metric of the measure.
    Distance(f64),
}

impl Agreement {
    /// The same with the two documents exchanged.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Sets(overlap) => Self::Sets(overlap.turned()),
            Self::Cosine(_) | Self::Bits(_) | Self::Distance(_) => self,
        }
    }

    /// Whether it may be that of documents with equal features; it is for all such.
    pub fn may_be_of_equals(self) -> bool {
        match self {
            Self::Sets(overlap) => overlap.common == overlap.left && overlap.common == overlap.right,
            Self::Cosine(cosine) => cosine == 1.0,
            Self::Bits(bits) => bits.differing == 0,
            Self::Distance(distance) => distance == 0.0,
        }
    }

    /// The sizes of two sets and of their intersection; `None` if other features were compared.
    pub fn overlap(self) -> Option<Overlap> {
        match self {
            Self::Sets(overlap) => Some(overlap),
            Self::Cosine(_) | Self::Bits(_) | Self::Distance(_) => None,
        }
    }
}

/// In how many bits two fingerprints differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DifferingBits {
    /// Number of bits in which they differ.
    pub differing: u32,
    /// Width of the fingerprints in bits.
    pub width: u32,
}

impl DifferingBits {
    /// The share 1 - d / width of equal bits.
    pub fn similarity(self) -> f64 {
        1.0 - f64::from(self.differing) / f64::from(self.width)
    }
}

/// The distance of fingerprints of `width` bits with this similarity.
pub fn distance_of(similarity: f64, width: u32) -> u32 {
    ((1.0 - similarity) * f64::from(width)).round() as u32
}

/// Two documents that are worth verifying: they share a blocking key, or all pairs are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CandidatePair {
    /// One document.
    pub a: DocId,
    /// The other document; the order of the two has no meaning here.
    pub b: DocId,
}
