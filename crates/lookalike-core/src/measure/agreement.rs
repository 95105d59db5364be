//! What the exact check of two documents finds: the input of every similarity.

use super::{DifferingBits, Overlap};

/// What the exact check of two documents finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Agreement {
    /// Of two sets: their sizes and that of the intersection.
    Sets(Overlap),
    /// Of two fingerprints: the number of bits in which they differ.
    Bits(DifferingBits),
}

impl Agreement {
    /// The same with the two documents exchanged.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Sets(overlap) => Self::Sets(overlap.turned()),
            Self::Bits(_) => self,
        }
    }

    /// The sizes of two sets and of their intersection; `None` if other features were compared.
    pub fn overlap(self) -> Option<Overlap> {
        match self {
            Self::Sets(overlap) => Some(overlap),
            Self::Bits(_) => None,
        }
    }
}
