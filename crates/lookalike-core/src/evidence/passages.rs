//! The evidence for a pair: which stretches of the two texts are the same.
//!
//! Every position of the left text where a shingle of the right text starts is extended as long as tokens agree, and the
//! longest such run is taken; the search goes on behind the last shingle of the run. Neighbouring passages may therefore
//! share up to n - 1 tokens. Passages use overlapping shingles even if the similarity was computed with a stride.

use crate::features::{Counts, ElementSets, Features, Shingler};
use crate::ground::hash::{ShingleHasher, hash_token};
use crate::ground::{DocId, Result};
use crate::kernel::Kernel;
use crate::measure::Overlap;
use std::ops::Range;

/// A text repeated thousands of times must not cost its square: of a shingle's places in the right text the first ones
/// are tried.
const MOST_PLACES: usize = 64;

/// A stretch that two texts share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Bytes of the left text.
    pub left: Range<usize>,
    /// Bytes of the right text.
    pub right: Range<usize>,
    /// Length in tokens.
    pub tokens: usize,
}

/// Two texts, side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// Tokens and elements of the left text.
    pub left: Counts,
    /// Tokens and elements of the right text.
    pub right: Counts,
    /// Sizes of the sets and of their intersection.
    pub overlap: Overlap,
    /// Left text as tokens and passages see it: without tags if HTML was to be stripped.
    pub left_text: String,
    /// Right text as tokens and passages see it.
    pub right_text: String,
    /// Common stretches in the order of the left text.
    pub passages: Vec<Passage>,
}

/// Compares two texts in full.
///
/// ```
/// use lookalike_core::{evidence::compare, features::{Features, ShingleOptions}};
///
/// let features = Features::shingles(ShingleOptions::words(2));
/// let found = compare(&features, "The dog chased the cat", "the cat chased the dog!")?;
/// assert_eq!(found.overlap.jaccard(), 3.0 / 5.0);
/// assert_eq!(&found.left_text[found.passages[0].left.clone()], "The dog");
/// # Ok::<(), lookalike_core::Error>(())
/// ```
///
/// # Errors
/// As [`Features::check`].
pub fn compare(features: &Features, left: &str, right: &str) -> Result<Comparison> {
    features.check()?;
    let mut shingler = features.shingler(Kernel::detect());
    let mut sets = ElementSets::new();
    let (left_counts, right_counts) = (shingler.push(left, &mut sets)?, shingler.push(right, &mut sets)?);
    let left_tokens = Tokens::of(left, &mut shingler);
    let right_tokens = Tokens::of(right, &mut shingler);
    let passages = find_passages(&left_tokens, &right_tokens, features.shingle().size.tokens);
    Ok(Comparison {
        left: left_counts,
        right: right_counts,
        overlap: Overlap::of(sets.get(DocId(0)), sets.get(DocId(1))),
        left_text: left_tokens.text,
        right_text: right_tokens.text,
        passages,
    })
}

struct Tokens {
    text: String,
    hashes: Vec<u64>,
    sources: Vec<Range<usize>>,
}

impl Tokens {
    fn of(text: &str, shingler: &mut Shingler) -> Self {
        let unit = shingler.options().size.unit;
        let tokenizer = shingler.tokenizer();
        let mut tokens = Self { text: tokenizer.visible_text(text).into_owned(), hashes: vec![], sources: vec![] };
        tokenizer.tokenize(&tokens.text, unit, |token| {
            tokens.hashes.push(hash_token(token.text.as_bytes()));
            tokens.sources.push(token.source);
        });
        tokens
    }

    /// Bytes from the first to the last token of a range.
    fn source(&self, tokens: Range<usize>) -> Range<usize> {
        match &self.sources[tokens] {
            [] => 0..0,
            [first, .., last] => first.start..last.end,
            [only] => only.clone(),
        }
    }
}

fn find_passages(left: &Tokens, right: &Tokens, size: usize) -> Vec<Passage> {
    // Documents shorter than a shingle are compared whole.
    let size = size.min(left.hashes.len()).min(right.hashes.len());
    if size == 0 {
        return Vec::new();
    }
    let hasher = ShingleHasher::new(size);
    let places = places_by_shingle(&hasher, &right.hashes);
    let mut left_shingles = Vec::new();
    hasher.roll(&left.hashes, |shingle| left_shingles.push(shingle));
    let mut passages = Vec::new();
    let mut at = 0;
    while let Some(&shingle) = left_shingles.get(at) {
        let first = places.partition_point(|&(other, _)| other < shingle);
        let starts = places[first..].iter().take_while(|&&(other, _)| other == shingle).take(MOST_PLACES);
        let run = |start: usize| common_prefix(&left.hashes[at..], &right.hashes[start..]);
        // The first of the longest runs.
        let best =
            starts.map(|&(_, start)| (run(start), start)).max_by_key(|&(length, start)| (length, usize::MAX - start));
        match best {
            Some((length, start)) if length >= size => {
                let (left, right) = (left.source(at..at + length), right.source(start..start + length));
                passages.push(Passage { left, right, tokens: length });
                at += length - size + 1;
            }
            _ => at += 1,
        }
    }
    passages
}

/// (shingle, place) of all shingles, sorted.
fn places_by_shingle(hasher: &ShingleHasher, tokens: &[u64]) -> Vec<(u64, usize)> {
    let mut places = Vec::new();
    hasher.roll(tokens, |shingle| places.push((shingle, places.len())));
    places.sort_unstable();
    places
}

fn common_prefix(left: &[u64], right: &[u64]) -> usize {
    left.iter().zip(right).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::ShingleOptions;
    use proptest::prelude::{prop_assert, proptest};

    fn passages(size: usize, left: &str, right: &str) -> Vec<(String, String, usize)> {
        let found = compare(&Features::shingles(ShingleOptions::words(size)), left, right).unwrap();
        let text = |text: &str, range: Range<usize>| text[range].to_owned();
        let show = |p: Passage| (text(&found.left_text, p.left), text(&found.right_text, p.right), p.tokens);
        found.passages.clone().into_iter().map(show).collect()
    }

    #[test]
    fn moved_and_edited_stretches_are_found() {
        let left = "One two three four. Alpha beta gamma delta!";
        let right = "ALPHA beta gamma delta, and then: one two three five";
        let found = passages(3, left, right);
        assert_eq!(
            found,
            [
                ("One two three".to_owned(), "one two three".to_owned(), 3),
                ("Alpha beta gamma delta".to_owned(), "ALPHA beta gamma delta".to_owned(), 4),
            ]
        );
    }

    #[test]
    fn short_documents_are_compared_whole() {
        assert_eq!(passages(5, "No comment.", "no comment"), [("No comment".to_owned(), "no comment".to_owned(), 2)]);
        assert_eq!(passages(5, "", "no comment"), []);
        assert_eq!(passages(5, "yes", "no"), []);
    }

    #[test]
    fn longest_of_several_places_is_taken() {
        let found = passages(2, "a b c d", "a b x a b c d");
        assert_eq!(found, [("a b c d".to_owned(), "a b c d".to_owned(), 4)]);
    }

    proptest! {
        #[test]
        fn passages_cover_exactly_the_common_shingles(left in "([a-c] ){0,40}", right in "([a-c] ){0,40}", size in 1usize..4) {
            let found = compare(&Features::shingles(ShingleOptions::words(size)), &left, &right).unwrap();
            let words: Vec<&str> = left.split_whitespace().collect();
            let others: Vec<&str> = right.split_whitespace().collect();
            prop_assert!(found.passages.iter().all(|p| found.left_text[p.left.clone()] == found.right_text[p.right.clone()]));
            if words.len() < size || others.len() < size {
                return Ok(());
            }
            for (start, window) in words.windows(size).enumerate() {
                // A word and a blank take two bytes.
                let covered = found.passages.iter().any(|p| p.left.start <= 2 * start && 2 * (start + size) - 1 <= p.left.end);
                prop_assert!(covered == others.windows(size).any(|other| other == window));
            }
        }
    }
}
