//! Values that errors carry in place of words: each has its words here, and nowhere else.

use lookalike_core::comparison::MeasureName;
use lookalike_io::base::details::PointKind;

/// Alternative to a measure that does not fit documents without texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InsteadOfPoints {
    /// Hamming distance, of fingerprints of this width.
    #[error("hamming does, by their width")]
    Hamming,
    /// The measures of vectors.
    #[error("{} do", measures_of_vectors())]
    OfVectors,
    /// The agreement of signatures.
    #[error("the share in which they agree estimates jaccard, and nothing else")]
    Agreement,
    /// Texts and items, of which signatures are made.
    #[error("signatures are made of texts and items")]
    SignaturesOfTexts,
    /// Texts and items, of which SimHash fingerprints are made.
    #[error("SimHash is made of texts and items")]
    SimHashOfTexts,
}

/// The names of the measures of vectors.
fn measures_of_vectors() -> String {
    let names = MeasureName::ALL.into_iter().filter(|name| name.compares(Some(PointKind::Vectors)));
    let names: Vec<&str> = names.map(MeasureName::as_str).collect();
    names.split_last().map_or_else(String::new, |(last, others)| format!("{} and {last}", others.join(", ")))
}

/// Documents without texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Textless {
    /// Sets of items.
    #[error("sets of items")]
    Items,
    /// Fingerprints, vectors or signatures.
    #[error("{0}")]
    Points(PointKind),
}

/// Conflict with documents that are groups of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GroupConflict {
    /// Documents that are no sets of items.
    #[error("documents without texts: groups are made of items")]
    Points,
    /// A check of answers on texts.
    #[error("a check on texts: items have none but their names")]
    CheckOnTexts,
    /// Another order than the one of input.
    #[error("an order by length or by a field, for a group has many rows")]
    Order,
    /// Unique ids.
    #[error("unique ids: all rows of a group have the id of the group")]
    UniqueIds,
    /// Options of shingles and texts.
    #[error("shingles, or options of texts: items are compared as they stand")]
    TextOptions,
    /// A snapshot among the inputs.
    #[error("snapshots")]
    Snapshots,
    /// Texts or fields that an index stores.
    #[error("texts or fields that an index stores")]
    StoredContent,
    /// Cuts.
    #[error("cuts, which are made in texts")]
    Cuts,
    /// Checksums.
    #[error("checksums, which are those of texts")]
    Checksums,
    /// A decision by saved pairs.
    #[error("a choice from saved pairs")]
    SavedPairs,
}

/// Conflict with documents in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MemoryConflict {
    /// Files among the inputs.
    #[error("files as inputs")]
    Inputs,
    /// Files among the references.
    #[error("files as references")]
    References,
    /// A choice of files.
    #[error("files that are left out")]
    LeftOut,
    /// An output of records.
    #[error("an output of records")]
    Records,
    /// Images.
    #[error("images, which are files")]
    Images,
    /// A work folder.
    #[error("a work folder")]
    WorkFolder,
}

/// Conflict with a comparison of whole texts, byte for byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WholeTextConflict {
    /// Passages.
    #[error("passages")]
    Passages,
    /// A comparison of two documents.
    #[error("passages to compare")]
    ComparedPassages,
    /// An index.
    #[error("an index")]
    Index,
    /// A search.
    #[error("a search")]
    Search,
    /// Documents without texts.
    #[error("{0}")]
    Textless(Textless),
    /// Another measure.
    #[error("another measure than jaccard")]
    Measure,
    /// A method that is not complete.
    #[error("a method that may miss copies")]
    Method,
}

/// Conflict with candidates that are found by given signatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureConflict {
    /// References.
    #[error("a comparison with references")]
    References,
    /// Documents that are no texts.
    #[error("a document that is no text")]
    Points,
    /// Whole texts.
    #[error("a comparison of whole texts")]
    WholeTexts,
    /// Another method.
    #[error("another method than minhash")]
    Method,
    /// Another measure.
    #[error("another measure than jaccard")]
    Measure,
}

/// Request that needs texts, and cannot be had of signatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OfTexts {
    /// A checksum.
    #[error("a checksum")]
    Checksum,
    /// An index.
    #[error("an index")]
    Index,
    /// A comparison of two documents.
    #[error("compare")]
    Comparison,
}

/// Parameter that an index has, so that a question may not bring another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IndexParameter {
    /// The method.
    #[error("method")]
    Method,
    /// The document frequencies of terms.
    #[error("document frequencies")]
    Frequencies,
    /// The threshold.
    #[error("threshold")]
    Threshold,
    /// The side of a containment.
    #[error("side of a containment")]
    Side,
}

/// The two sides of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum JobSide {
    /// The inputs.
    #[error("the inputs")]
    Inputs,
    /// The references.
    #[error("the references")]
    References,
}

/// The values by which the documents of a snapshot or an index can be ordered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoredScores {
    /// Values of a field.
    #[error("{}", lookalike_io::base::shown(.0))]
    Field(String),
    /// No values: the snapshot was made without a field.
    #[error("nothing")]
    Absent,
    /// No values: an index has no such field.
    #[error("none")]
    OfIndex,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_measures_of_vectors_are_named_in_place_of_another() {
        assert_eq!(InsteadOfPoints::OfVectors.to_string(), "cosine, euclidean and manhattan do");
    }
}
