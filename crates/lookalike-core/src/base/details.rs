//! Values that errors carry in place of words: each has its words here, and nowhere else. Numbers as people read them,
//! with the names of what they count.

use std::fmt::{self, Display, Formatter};

/// The methods, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MethodKind {
    /// Every near-duplicate.
    #[error("exact")]
    Exact,
    /// Bands of MinHash signatures.
    #[error("minhash")]
    MinHash,
    /// Tables of SimHash fingerprints.
    #[error("simhash")]
    SimHash,
    /// Selected elements.
    #[error("fingerprint")]
    Fingerprint,
    /// Bands of sampled bits.
    #[error("bit-sampling")]
    BitSampling,
    /// Bands of sides of random hyperplanes.
    #[error("hyperplanes")]
    Hyperplanes,
    /// Bands of cells of random projections.
    #[error("p-stable")]
    PStable,
}

/// Methods and measures to take in place of two that do not fit each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Instead {
    /// Other methods.
    #[error("{}", fitting(.0))]
    Methods(&'static [MethodKind]),
    /// Other methods, because the documents are vectors.
    #[error("of vectors {}", fitting(.0))]
    MethodsOfVectors(&'static [MethodKind]),
    /// One projection, or all pairs.
    #[error("{0} and exact do")]
    Projection(MethodKind),
    /// The measure containment.
    #[error("containment does")]
    Containment,
    /// The measure cosine.
    #[error("cosine does")]
    Cosine,
    /// Methods of sets: this one is for fingerprints.
    #[error("it is for fingerprints: exact and minhash are for sets")]
    MethodsOfSets,
    /// Vectors as documents: the method is for them.
    #[error("it is for vectors")]
    Vectors,
}

fn fitting(methods: &[MethodKind]) -> String {
    let names: Vec<String> = methods.iter().map(MethodKind::to_string).collect();
    format!("{} {}", names.join(" and "), if names.len() == 1 { "does" } else { "do" })
}

/// Documents that are no texts and no sets of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PointKind {
    /// Strings of bits.
    #[error("fingerprints")]
    Fingerprints,
    /// Vectors of floats.
    #[error("vectors")]
    Vectors,
    /// MinHash signatures.
    #[error("signatures")]
    Signatures,
}

/// Kind of what a document holds. Displayed in the plural.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentKind {
    /// A text.
    Text,
    /// A set of items.
    Items,
    /// A fingerprint.
    Bits,
    /// A vector of floats.
    Vector,
    /// A MinHash signature.
    Signature,
}

impl ContentKind {
    /// Name of one such content, in words.
    pub fn one(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Items => "items",
            Self::Bits => "a fingerprint",
            Self::Vector => "a vector",
            Self::Signature => "a signature",
        }
    }
}

impl Display for ContentKind {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Text => "texts",
            Self::Items => "items",
            Self::Bits => "fingerprints",
            Self::Vector => "vectors",
            Self::Signature => "signatures",
        })
    }
}

/// A number with its thousands apart: 1,234,567.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with the name of what it counts, as "1 document" and "2 documents".
///
/// ```
/// use lookalike_core::counted;
///
/// assert_eq!([0, 1, 2].map(|number| counted(number, "bit")), ["0 bits", "1 bit", "2 bits"]);
/// assert_eq!(counted(3000, "query"), "3,000 queries");
/// ```
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {}", thousands(number), with_number(number, noun))
}

/// A share from 0 to 1 in percent, rounded to whole ones: what is not nothing is not called 0 %, and what is not all is
/// not called 100 %.
///
/// ```
/// use lookalike_core::percent;
///
/// assert_eq!([0.0, 0.004, 0.567, 0.996, 1.0].map(percent), ["0 %", "< 1 %", "57 %", "> 99 %", "100 %"]);
/// ```
pub fn percent(share: f64) -> String {
    match (100.0 * share).round() {
        whole if whole <= 0.0 && share > 0.0 => "< 1 %".to_owned(),
        whole if whole >= 100.0 && share < 1.0 => "> 99 %".to_owned(),
        whole => format!("{whole} %"),
    }
}

/// The singular or plural that stands behind a number.
pub fn with_number(number: u64, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if number == 1 => noun.to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")];
        assert!(cases.iter().all(|&(number, text)| thousands(number) == text));
        assert_eq!((counted(1, "pair"), counted(2000, "pair")), ("1 pair".to_owned(), "2,000 pairs".to_owned()));
    }
}
