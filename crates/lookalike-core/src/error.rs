//! What can be wrong with parameters; data itself never fails here.

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// A parameter that cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The threshold is no decimal number in (0, 1].
    #[error("threshold must be a decimal number above 0 and at most 1, with at most 18 decimals; found `{found}`")]
    Threshold {
        /// What was given.
        found: String,
    },
    /// A shingle has to span at least one token and to start at least one token after the one before.
    #[error("a shingle needs a size and a stride of at least 1; found size {size}, stride {stride}")]
    Shingle {
        /// Tokens in a shingle.
        size: usize,
        /// Tokens from the start of one shingle to the next.
        stride: usize,
    },
    /// The shingle description is not `word:N` or `char:N`.
    #[error("shingles are written `word:N` or `char:N` with N of at least 1; found `{found}`")]
    ShingleSyntax {
        /// What was given.
        found: String,
    },
    /// Stop words and stems are properties of words, not of characters or items.
    #[error("stop words and stemming need word shingles, not char:N or items")]
    WordsNeeded,
    /// No stemmer exists for the language.
    #[error("no stemmer for language `{found}`; known are {known}")]
    StemLanguage {
        /// What was given.
        found: String,
        /// All that would have been accepted.
        known: &'static str,
    },
    /// Bands of rows need at least one of each.
    #[error("banding needs at least 1 band and 1 row; found {bands} bands of {rows} rows")]
    Banding {
        /// Number of bands.
        bands: usize,
        /// Rows in each band.
        rows: usize,
    },
    /// The bands need more signature components than there are.
    #[error("{bands} bands x {rows} rows need {} permutations, but there are {permutations}", bands.saturating_mul(*rows))]
    BandingTooLarge {
        /// Number of bands.
        bands: usize,
        /// Rows in each band.
        rows: usize,
        /// Components of the signature.
        permutations: usize,
    },
    /// No banding within the permutations reaches the wanted rates.
    #[error(
        "no bands and rows within {permutations} permutations find {recall} of the pairs at similarity {threshold}{}",
        low.map(|(s, p)| format!(" and at most {p} of those at {s}")).unwrap_or_default()
    )]
    NoBanding {
        /// Components of the signature.
        permutations: usize,
        /// Wanted probability of a shared band at the threshold.
        recall: f64,
        /// Similarity at which the recall is wanted.
        threshold: f64,
        /// A low similarity and the highest rate wanted there.
        low: Option<(f64, f64)>,
    },
    /// A probability or similarity lies outside its range.
    #[error("{name} must lie between 0 and 1 (both excluded); found {found}")]
    NotAProbability {
        /// Name of the parameter.
        name: &'static str,
        /// What was given.
        found: f64,
    },
    /// Signatures of different lengths or families cannot be compared or merged.
    #[error("signatures do not fit: expected {expected} components, found {found}")]
    SignatureMismatch {
        /// Components of the first signature.
        expected: usize,
        /// Components of the second.
        found: usize,
    },
    /// A permutation of n rows must name each of 1..=n once.
    #[error("permutation {index} does not name each of 1 to {expected} once")]
    Permutation {
        /// Index of the permutation in the list.
        index: usize,
        /// Number of rows that it must order.
        expected: usize,
    },
    /// More keys than can be numbered.
    #[error("more than {} keys in one run; a higher threshold or shorter documents give fewer", u32::MAX)]
    TooManyKeys,
    /// More documents than a [`crate::DocId`] can number.
    #[error("more than {} documents in one run", u32::MAX)]
    TooManyDocuments,
}
