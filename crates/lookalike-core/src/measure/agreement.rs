//! What the exact check of two documents finds: the input of every similarity.

mod overlap;

pub use overlap::Overlap;

/// What the exact check of two documents finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Agreement {
    /// Of two sets: their sizes and that of the intersection.
    Sets(Overlap),
    /// Of two weighted sets: their cosine.
    Cosine(f64),
}

impl Agreement {
    /// The same with the two documents exchanged.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Sets(overlap) => Self::Sets(overlap.turned()),
            Self::Cosine(cosine) => Self::Cosine(cosine),
        }
    }

    /// The sizes of two sets and of their intersection; `None` if other features were compared.
    pub fn overlap(self) -> Option<Overlap> {
        match self {
            Self::Sets(overlap) => Some(overlap),
            Self::Cosine(_) => None,
        }
    }
}
