//! Parsers of values that several flags share. Each says in plain words what it expects.
//!
//! The line around a message names the flag and the value, so no message repeats them.

use bytesize::ByteSize;
use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use lookalike::{
    Resources,
    doors::{local_path, printed_path},
    inputs::MAX_WIDTH,
    measures::Weights,
    methods::{MinHash, SimHash},
    outputs::RowFormat,
    texts::ShingleSize,
};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

const MIN_MEMORY: ByteSize = ByteSize(Resources::MIN_MEMORY_BYTES);

/// Parser of a closed set of words, each with its help and its value.
pub(crate) fn one_of<T, const N: usize>(
    values: [(&'static str, &'static str, T); N],
) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    let words = values.each_ref().map(|&(word, help, _)| {
        let word = PossibleValue::new(word);
        if help.is_empty() { word } else { word.help(help) }
    });
    let value_of = move |given: String| {
        let found = values.iter().find(|(word, ..)| *word == given);
        found.map(|(.., value)| value.clone()).ok_or("no such value")
    };
    PossibleValuesParser::new(words).try_map(value_of)
}

/// Formats of rows and records.
pub(crate) fn row_formats() -> impl TypedValueParser<Value = RowFormat> {
    one_of([
        ("jsonl", "JSON Lines", RowFormat::JsonLines),
        ("csv", "Comma-separated values", RowFormat::Csv),
        ("tsv", "Tab-separated values", RowFormat::Tsv),
        ("parquet", "Apache Parquet", RowFormat::Parquet),
        ("arrow", "Arrow IPC", RowFormat::Arrow),
    ])
}

/// Weights of shingles or items.
pub(crate) fn weights() -> impl TypedValueParser<Value = Weights> {
    one_of([
        ("tf", "How often the document has the shingle or item", Weights::Tf),
        ("tfidf", "That times the inverse document frequency", Weights::TfIdf),
        ("binary", "1", Weights::Binary),
    ])
}

/// The name of a document, or an id, as they are printed: an argument of other bytes than UTF-8 names what is printed
/// so.
pub(crate) fn document_name() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().map(|given| printed_path(Path::new(&given)).into_owned())
}

/// A path, or the URL of a local file or folder. URLs of objects are left to those who read them.
pub(crate) fn local_name() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|given| local_path(Path::new(&given)))
}

/// A number of components of a signature, of bands, or of rows in a band.
pub(crate) fn permutations(text: &str) -> Result<usize, String> {
    number_in(1..=MinHash::MAX_PERMUTATIONS, text)
}

/// A number of bits of SimHash.
pub(crate) fn fingerprint_bits(text: &str) -> Result<usize, String> {
    number_in(1..=SimHash::MAX_BITS, text)
}

/// A number of common elements, or of documents.
pub(crate) fn count(text: &str) -> Result<usize, String> {
    number_in(1..=u32::MAX as usize, text)
}

/// A number of documents.
pub(crate) fn count32(text: &str) -> Result<u32, String> {
    number_in(1..=u32::MAX - 1, text)
}

/// A number of tokens that are left, or none.
pub(crate) fn tokens_left(text: &str) -> Result<u32, String> {
    number_in(0..=u32::MAX - 1, text)
}

/// A number of tokens between passages.
pub(crate) fn gap(text: &str) -> Result<usize, String> {
    number_in(0..=ShingleSize::MAX_TOKENS, text)
}

/// A number of words, or the size of a shingle.
pub(crate) fn min_match(text: &str) -> Result<ShingleSize, String> {
    let size = if text.contains(':') { text.to_owned() } else { format!("word:{text}") };
    size.parse().map_err(|_| {
        format!("expected N words or UNIT:N, as sentence:2, with N between 1 and {}", ShingleSize::MAX_TOKENS)
    })
}

/// A share in percent.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').parse().ok().filter(|&number: &f64| (0.0..=100.0).contains(&number));
    number.ok_or_else(|| "expected a number between 0 and 100".to_owned())
}

/// A number of pairs or clusters.
pub(crate) fn top(text: &str) -> Result<NonZeroUsize, String> {
    let max = NonZeroUsize::try_from(u32::MAX as usize).unwrap_or(NonZeroUsize::MAX);
    number_in(NonZeroUsize::MIN..=max, text)
}

/// A maximum number of pairs.
pub(crate) fn max_pairs(text: &str) -> Result<u64, String> {
    number_in(0..=u64::MAX, text)
}

/// A width in bits.
pub(crate) fn width(text: &str) -> Result<u32, String> {
    number_in(1..=MAX_WIDTH, text)
}

/// A distance in bits, or of vectors.
pub(crate) fn any_distance(text: &str) -> Result<f64, String> {
    let distance = text.parse().ok().filter(|distance: &f64| *distance >= 0.0 && distance.is_finite());
    distance.ok_or_else(|| "expected a number from 0 on".to_owned())
}

/// A seed.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    number_in(0..=u64::MAX, text)
}

/// A number of threads.
pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    number_in(NonZeroUsize::MIN..=NonZeroUsize::new(Resources::MAX_THREADS).unwrap_or(NonZeroUsize::MIN), text)
}

/// A distance in tokens.
pub(crate) fn stride(text: &str) -> Result<NonZeroUsize, String> {
    number_in(NonZeroUsize::MIN..=NonZeroUsize::MAX, text)
}

fn number_in<N: FromStr + PartialOrd + std::fmt::Display>(range: RangeInclusive<N>, text: &str) -> Result<N, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected a whole number between {} and {}", range.start(), range.end()))
}

/// A probability that is neither 0 nor 1.
pub(crate) fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number > 0.0 && number < 1.0);
    number.ok_or_else(|| "expected a number between 0 and 1, both excluded".to_owned())
}

/// A size of memory.
pub(crate) fn memory(text: &str) -> Result<ByteSize, String> {
    size_from(MIN_MEMORY, text).ok_or_else(|| format!("expected a positive size like 512MiB, {MIN_MEMORY:.0} or more"))
}

/// A size of a record.
pub(crate) fn record_size(text: &str) -> Result<ByteSize, String> {
    size_from(ByteSize(1), text).ok_or_else(|| "expected a positive size like 64MiB".to_owned())
}

fn size_from(min: ByteSize, text: &str) -> Option<ByteSize> {
    text.parse().ok().filter(|&size| size >= min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_belong_to_the_range() {
        assert_eq!((permutations("1"), permutations("10000")), (Ok(1), Ok(10_000)));
        assert_eq!(permutations("0"), Err("expected a whole number between 1 and 10000".to_owned()));
        assert_eq!(threads("1024").map(NonZeroUsize::get), Ok(1024));
        assert!(threads("0").is_err() && threads("1025").is_err() && stride("0").is_err());
        assert_eq!(seed(&u64::MAX.to_string()), Ok(u64::MAX));
        assert!(probability("0").is_err() && probability("1").is_err() && probability("nan").is_err());
        assert_eq!((memory("32MiB"), record_size("1")), (Ok(ByteSize::mib(32)), Ok(ByteSize(1))));
        assert_eq!(memory("31MiB"), Err("expected a positive size like 512MiB, 32 MiB or more".to_owned()));
        assert!(record_size("0").is_err() && record_size("-1").is_err());
    }
}
