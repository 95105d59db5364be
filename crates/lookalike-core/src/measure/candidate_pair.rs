//! A pair of documents before it is verified.

use crate::ground::DocId;

/// Two documents that are worth verifying: they share a blocking key, or all pairs are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CandidatePair {
    /// One document.
    pub a: DocId,
    /// The other document; the order of the two has no meaning here.
    pub b: DocId,
}
