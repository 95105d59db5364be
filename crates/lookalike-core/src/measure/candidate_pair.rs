//! A pair of documents before it is verified.

use crate::ground::DocId;

/// Two documents that share a blocking key and are worth verifying.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CandidatePair {
    /// One document.
    pub a: DocId,
    /// The other document; the order of the two has no meaning here.
    pub b: DocId,
}
