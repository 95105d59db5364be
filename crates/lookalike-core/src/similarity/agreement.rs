//! Result of the exact check of two documents: the input of every similarity.

use crate::base::DocId;
use crate::documents::ElementSet;
use crate::kernel::Kernel;

/// Result of the exact check of two documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Agreement {
    /// Two sets: their sizes and that of the intersection.
    Sets(Overlap),
    /// Two weighted sets, or vectors: their cosine.
    Cosine(f64),
    /// Two fingerprints: the number of bits in which they differ.
    Bits(DifferingBits),
    /// The distance of two vectors, by the metric of the measure.
    Distance(f64),
}

impl Agreement {
    /// Exchanges the two documents.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Sets(overlap) => Self::Sets(overlap.turned()),
            Self::Cosine(_) | Self::Bits(_) | Self::Distance(_) => self,
        }
    }

    /// Returns whether it may be that of documents with equal features; it is for all such.
    pub fn may_be_of_equals(self) -> bool {
        match self {
            Self::Sets(overlap) => overlap.is_of_equal_sets(),
            Self::Cosine(cosine) => cosine == 1.0,
            Self::Bits(bits) => bits.differing == 0,
            Self::Distance(distance) => distance == 0.0,
        }
    }

    /// The sizes of two sets and of their intersection; `None` if other features were compared.
    pub fn overlap(self) -> Option<Overlap> {
        if let Self::Sets(overlap) = self { Some(overlap) } else { None }
    }
}

/// Number of bits in which two fingerprints differ.
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

/// Sizes of two sets and of their intersection.
///
/// A bag is a set of pairs (shingle, i) for the i-th occurrence
/// ([`Multiplicity::Bag`](crate::documents::Multiplicity)). Its intersection counts the smaller and its union the
/// larger of the two frequencies of each shingle, so the Jaccard similarity of these sets is the weighted Jaccard
/// similarity of the bags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// Number of elements in both sets.
    pub common: usize,
    /// Number of elements of the first set.
    pub left: usize,
    /// Number of elements of the second set.
    pub right: usize,
}

impl Overlap {
    /// Counts the common elements of two sets.
    pub fn new(left: ElementSet<'_>, right: ElementSet<'_>) -> Self {
        // The bound 0 is always reached.
        let common = Kernel::detect().count_common_at_least(&left, &right, 0).unwrap_or(0);
        Self { common, left: left.len(), right: right.len() }
    }

    /// The overlap with the two sets exchanged.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { common: self.common, left: self.right, right: self.left }
    }

    /// Returns whether the two sets are equal.
    pub fn is_of_equal_sets(self) -> bool {
        self.common == self.left && self.common == self.right
    }

    /// Number of elements in at least one of the sets.
    pub fn union(self) -> usize {
        self.left + self.right - self.common
    }

    /// Jaccard similarity |A n B| / |A u B| (Broder 1997: resemblance); 0 for two empty sets.
    pub fn jaccard(self) -> f64 {
        ratio(self.common, self.union())
    }

    /// The containment of the first set in the second, and that of the second in the first.
    pub fn containments(self) -> [f64; 2] {
        [self.containment_of_left(), self.containment_of_right()]
    }

    /// Containment |A n B| / |A| of the first set in the second; 0 for an empty first set.
    pub fn containment_of_left(self) -> f64 {
        ratio(self.common, self.left)
    }

    /// Containment |A n B| / |B| of the second set in the first; 0 for an empty second set.
    pub fn containment_of_right(self) -> f64 {
        ratio(self.common, self.right)
    }
}

fn ratio(count: usize, total: usize) -> f64 {
    if total == 0 { 0.0 } else { count as f64 / total as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_vectors_10111_and_10011_are_three_quarters_similar() {
        let elements = |text: &str| -> Vec<u64> {
            text.bytes().zip(0..).filter(|&(bit, _)| bit == b'1').map(|(_, element)| element).collect()
        };
        let left = elements("10111");
        let right = elements("10011");
        let overlap = Overlap::new(ElementSet::new(&left).unwrap(), ElementSet::new(&right).unwrap());
        assert_eq!(overlap.jaccard(), 0.75);
        assert_eq!((overlap.containment_of_left(), overlap.containment_of_right()), (0.75, 1.0));
        assert_eq!(overlap.turned().containment_of_left(), 1.0);
        assert_eq!(Overlap { common: 0, left: 0, right: 0 }.jaccard(), 0.0);
    }
}
