//! The errors of this crate: invalid parameters, exceeded limits, and stored arrays that contradict themselves. No text
//! is an error.

use super::details::{Instead, MethodKind};
use super::{ContentKind, counted};
use std::ops::RangeInclusive;

/// Checks that a parameter lies within its range.
pub(crate) fn check_range(name: &'static str, found: u64, range: RangeInclusive<u64>) -> Result<()> {
    let (min, max) = range.into_inner();
    if (min..=max).contains(&found) { Ok(()) } else { Err(Error::OutOfRange { name, min, max, found }) }
}

/// Checks that a parameter lies in (0, 1).
pub(crate) fn check_probability(name: &'static str, found: f64) -> Result<()> {
    let fits = found > 0.0 && found < 1.0;
    if fits { Ok(()) } else { Err(Error::NotAProbability { name, found }) }
}

/// A result with the [`enum@Error`] of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// An invalid parameter, an exceeded limit, or an inconsistent stored array.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The threshold is not a decimal number in (0, 1].
    #[error("threshold must be a decimal number above 0 and at most 1, with at most 18 decimals; found `{found}`")]
    Threshold {
        /// The value as given.
        found: String,
    },
    /// The width of fingerprints is out of range.
    #[error("fingerprints have 1 to {} bits; found a width of {found}", MAX_WIDTH)]
    Width {
        /// The value as given.
        found: u32,
    },
    /// Fingerprints of that width never differ in more bits than that.
    #[error(
        "a distance of {} holds for any two fingerprints of {}; it is at most {}",
        counted((*found).into(), "bit"),
        counted((*width).into(), "bit"),
        width.saturating_sub(1)
    )]
    Distance {
        /// The value as given.
        found: u32,
        /// Width of the fingerprints.
        width: u32,
    },
    /// A distance of vectors is out of range.
    #[error("a distance of vectors is a number above 0; found {found}")]
    VectorDistance {
        /// The value as given.
        found: String,
    },
    /// A content of another kind than the features are made of.
    #[error("expected {expected}, found {found}")]
    OtherContent {
        /// Kind of content that the features are made of.
        expected: ContentKind,
        /// Kind of content that was given.
        found: ContentKind,
    },
    /// A text is no fingerprint.
    #[error(transparent)]
    NotBits(#[from] NotBits),
    /// A content that is no vector, or words that are none.
    #[error("not a vector of 1 to {} finite numbers", MAX_WIDTH)]
    NotAVector,
    /// A content that is no MinHash signature.
    #[error("not a signature of whole numbers from 0 to 4294967295")]
    NotASignature,
    /// A minimum of 0 common elements, which all documents would reach.
    #[error("the minimum number of common elements is at least 1; found 0")]
    NoCommonElements,
    /// The method finds no near-duplicates by this measure with a recall that it can promise.
    #[error("the method {method} does not fit the measure {measure}; {instead}")]
    MethodAndMeasure {
        /// The method.
        method: MethodKind,
        /// Name of the measure, as [`Measure::name`](crate::comparison::Measure::name) gives it.
        measure: &'static str,
        /// Value that would do.
        instead: Instead,
    },
    /// The selection of fingerprints is neither a divisor nor a window.
    #[error("fingerprints are selected by `mod:P` or `winnow:W` with P and W of at least 1; found `{found}`")]
    SelectionSyntax {
        /// The value as given.
        found: String,
    },
    /// Windows of winnowing over elements without an order.
    #[error("winnow:W selects from consecutive shingles, which {found} do not have; mod:P selects by the hash alone")]
    WinnowedFeatures {
        /// The elements: items or bags.
        found: &'static str,
    },
    /// Blocking keys of one set were requested for a method that needs those of all.
    #[error("the method {method} takes its keys from the sets of all documents, not from one")]
    AllSetsNeeded {
        /// The method, as it follows the word.
        method: &'static str,
    },
    /// The size or the stride of shingles is 0.
    #[error("a shingle needs a size and a stride of at least 1; found size {size}, stride {stride}")]
    Shingle {
        /// Tokens per shingle.
        size: usize,
        /// Tokens from the start of one shingle to the start of the next.
        stride: usize,
    },
    /// The stride is longer than a shingle.
    #[error("a stride of {stride} leaves out tokens between shingles of {size}; it is {size} at most")]
    Stride {
        /// Tokens of a shingle.
        size: usize,
        /// Tokens from one shingle to the next.
        stride: usize,
    },
    /// The shingle size is not a unit and a number.
    #[error(
        "shingles are written `word:N`, `char:N`, `line:N`, `sentence:N` or `paragraph:N` with N from 1 to \
        {max_tokens}; found `{found}`"
    )]
    ShingleSyntax {
        /// The largest number of tokens in a shingle.
        max_tokens: usize,
        /// The value as given.
        found: String,
    },
    /// The width of shingle hashes is neither 32 nor 64 bits.
    #[error("shingle hashes have 32 or 64 bits; found {found}")]
    HashBits {
        /// The value as given.
        found: u32,
    },
    /// Stop words or stemming were combined with shingles of characters or items, or with tokens of code.
    #[error("stop words and stemming need words: not char:N, items, or tokens of code")]
    WordsNeeded,
    /// Tokens of code were combined with shingles of characters or items.
    #[error("tokens of code are counted by word:N, line:N, sentence:N or paragraph:N, not by char:N or as items")]
    CodeWithoutTokens,
    /// Keywords were given for texts that are cut into words.
    #[error("only tokens of code have keywords and other identifiers")]
    CodeNeeded,
    /// The language has no stemmer.
    #[error("no stemmer for language `{found}`; known are {known}")]
    StemLanguage {
        /// The value as given.
        found: String,
        /// Codes and names of the accepted languages.
        known: &'static str,
    },
    /// The version of the inner loops is unknown.
    #[error("no kernel `{found}`; known are scalar, avx2, avx512, neon")]
    Kernel {
        /// The value as given.
        found: String,
    },
    /// The number of bands or of rows is 0.
    #[error(
        "banding needs at least 1 band and 1 row; found {} of {}",
        counted(*bands as u64, "band"),
        counted(*rows as u64, "row")
    )]
    Banding {
        /// Number of bands.
        bands: usize,
        /// Rows per band.
        rows: usize,
    },
    /// The bands need more components than the signature has.
    #[error(
        "{} x {} need {}, but the maximum is {permutations}",
        counted(*bands as u64, "band"),
        counted(*rows as u64, "row"),
        counted(bands.saturating_mul(*rows) as u64, "permutation")
    )]
    BandingTooLarge {
        /// Number of bands.
        bands: usize,
        /// Rows per band.
        rows: usize,
        /// Components of the signature.
        permutations: usize,
    },
    /// The bands need more sampled bits than there may be.
    #[error(
        "{} of {} need {}, but the maximum is {sampled_bits}",
        counted(*bands as u64, "band"),
        counted(*bits as u64, "bit"),
        counted(bands.saturating_mul(*bits) as u64, "sampled bit")
    )]
    SampledBitsTooMany {
        /// Number of bands.
        bands: usize,
        /// Bits in a band.
        bits: usize,
        /// Maximum number of sampled bits.
        sampled_bits: usize,
    },
    /// No bands within the number of sampled bits reach the recall at the distance.
    #[error(
        "no bands within {} find {recall} of the pairs at a distance of {distance} of {}",
        counted(*sampled_bits as u64, "sampled bit"),
        counted((*width).into(), "bit")
    )]
    NoSampledBits {
        /// Maximum number of sampled bits.
        sampled_bits: usize,
        /// Minimum probability of a shared band at the distance.
        recall: f64,
        /// The distance.
        distance: u32,
        /// Width of the fingerprints.
        width: u32,
    },
    /// No banding within the permutations reaches the requested rates.
    #[error(
        "no bands and rows within {} find {recall} of the pairs at similarity {threshold}{}",
        counted(*permutations as u64, "permutation"),
        low.map(|(s, p)| format!(" and at most {p} of those at {s}")).unwrap_or_default()
    )]
    NoBanding {
        /// Components of the signature.
        permutations: usize,
        /// Minimum probability of a shared band at the threshold.
        recall: f64,
        /// Similarity at which the recall is required.
        threshold: f64,
        /// A low similarity and the maximum probability of a shared band there.
        low: Option<(f64, f64)>,
    },
    /// A probability or similarity lies outside its range.
    #[error("{name} must lie between 0 and 1 (both excluded); found {found}")]
    NotAProbability {
        /// Name of the parameter.
        name: &'static str,
        /// The value as given.
        found: f64,
    },
    /// A number lies outside of its range.
    #[error("{name}: expected a number between {min} and {max}; found {found}")]
    OutOfRange {
        /// Name of the parameter.
        name: &'static str,
        /// Minimum.
        min: u64,
        /// Maximum.
        max: u64,
        /// The number as given.
        found: u64,
    },
    /// Exact blocking keys were requested without the frequencies of elements.
    #[error("the exact method takes its keys by the frequencies of elements, which were not given")]
    FrequenciesNeeded,
    /// Blocking keys were requested for the method `auto`, before it was resolved.
    #[error("the method auto is decided by the keys of all documents: choose exact or minhash")]
    UndecidedMethod,
    /// Two signatures differ in length and cannot be compared or merged.
    #[error("signatures differ in length: expected {expected} components, found {found}")]
    SignatureMismatch {
        /// Components of the first signature.
        expected: usize,
        /// Components of the second.
        found: usize,
    },
    /// The bands of a signature do not have as many bytes as those of the others.
    #[error("the bands of a signature have {found} bytes, and those of the others {expected}")]
    BandBytes {
        /// Bytes of the others; 0 if there are none, and there must be as many for each band.
        expected: usize,
        /// Bytes of this one.
        found: usize,
    },
    /// A Bloom filter that exceeds the memory.
    #[error("a Bloom filter for so many values and so low a rate needs {bytes} bytes, for which there is no memory")]
    FilterTooLarge {
        /// Bytes of its bits.
        bytes: u64,
    },
    /// The order of documents is unknown.
    #[error(
        "expected first, last, longest, shortest, source, max:FIELD or min:FIELD, or several with commas between them; \
         found `{found}`"
    )]
    Order {
        /// The value as given.
        found: String,
    },
    /// The documents have more blocking keys than a `u32` can number.
    #[error("more than {} blocking keys in one job; a higher threshold or shorter documents give fewer", u32::MAX)]
    TooManyKeys,
    /// More documents than a [`crate::DocId`] can number.
    #[error("more than {} documents in one job", u32::MAX)]
    TooManyDocuments,
    /// Documents whose passages are looked for have more windows than can be numbered.
    #[error("more than {} windows of tokens at a time", u32::MAX)]
    TooManyWindows,
    /// Two frequency tables differ in size, or the counters of one do not fit each other.
    #[error("frequency tables differ in size: expected {expected} counters, found {found}")]
    TableSize {
        /// Number of counters of the first table, or of second counters that fit its first ones.
        expected: usize,
        /// Number of counters found instead.
        found: usize,
    },
    /// The offsets of a ragged array do not ascend from 0 to the number of values.
    #[error("the offsets of a ragged array do not ascend from 0 to the number of values")]
    Offsets,
    /// The elements of a set do not strictly ascend.
    #[error("the elements of a set do not strictly ascend")]
    UnsortedSet,
    /// The weights of elements are not as many as the elements.
    #[error("{} for {}", counted(*found as u64, "weight"), counted(*expected as u64, "element"))]
    Weights {
        /// Number of elements.
        expected: usize,
        /// Number of weights.
        found: usize,
    },
    /// A document has a term more often than a `u32` counts.
    #[error("a term occurs {found} times in one document; {} is the maximum", u32::MAX)]
    CountTooLarge {
        /// The count.
        found: u64,
    },
    /// Weights whose squares a dot product cannot hold.
    #[error("a document has terms too often: a weight is below 2^32, and the sum of the squares of all below 2^64")]
    WeightsTooLarge,
    /// Document frequencies that no documents have.
    #[error("terms do not strictly ascend, or occur in none or in more than all documents")]
    DocumentFrequencies,
    /// Sets without counts were given to a measure that weighs terms by their counts.
    #[error("cosine weighs terms by their counts, which these sets do not have; only binary weights fit")]
    CountsNeeded,
    /// The bits of a fingerprint do not suffice for the recall.
    #[error(
        "SimHash of {} does not find {recall} of the pairs at cosine {threshold}: by the law it takes {}",
        counted(*found as u64, "bit"),
        counted(*needed as u64, "bit")
    )]
    TooFewBits {
        /// Maximum number of bits.
        found: usize,
        /// The number that suffices.
        needed: usize,
        /// The recall.
        recall: f64,
        /// The requested cosine.
        threshold: f64,
    },
}

/// Maximum width of a fingerprint in bits.
pub const MAX_WIDTH: u32 = 1 << 16;

/// Reason why a text is no fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotBits {
    /// Has other characters than digits.
    #[error("`{found}` is not hexadecimal")]
    NotHexadecimal {
        /// The text, or its beginning.
        found: String,
    },
    /// Has another width.
    #[error(
        "{} {} {} bits; a fingerprint of {} has {}",
        counted(*digits as u64, "hexadecimal digit"),
        if *digits == 1 { "has" } else { "have" },
        digits * 4,
        counted((*expected).into(), "bit"),
        expected.div_ceil(4)
    )]
    Width {
        /// Number of its digits.
        digits: usize,
        /// The requested width in bits.
        expected: u32,
    },
    /// Has bits beyond the width, which is no multiple of four.
    #[error("`{found}` has more than {}", counted((*expected).into(), "bit"))]
    TooWide {
        /// The text.
        found: String,
        /// The requested width in bits.
        expected: u32,
    },
}
