//! The evidence for a pair: the passages that both texts contain.
//!
//! A greedy search from left to right: at each position of the left text where a shingle of the right text starts, the
//! match is extended while tokens agree, and the longest match is a passage; the search continues after the last
//! shingle of the passage. So neighbouring passages may share up to n - 1 tokens. Passages use overlapping shingles
//! even if the similarity was computed with a stride.

use super::differences::{TextDifference, differences};
use super::items::{ComparedItem, compared_items};
use super::tokens::Tokens;
use crate::features::{Counts, ElementSets, Features};
use crate::ground::hash::{HashKey, ShingleHasher};
use crate::ground::{DocId, Result};
use crate::kernel::Kernel;
use crate::measure::Overlap;
use std::ops::Range;

/// Maximum number of places of a shingle in the right text that are tried; bounds the cost of texts that repeat a
/// shingle thousands of times.
const MAX_PLACES: usize = 64;

/// A token sequence that two texts share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Byte range of the passage in the left text.
    pub left: Range<usize>,
    /// Byte range of the passage in the right text.
    pub right: Range<usize>,
    /// Length in tokens.
    pub tokens: usize,
}

/// The comparison of two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// Numbers of tokens and elements of the left text.
    pub left: Counts,
    /// Numbers of tokens and elements of the right text.
    pub right: Counts,
    /// Sizes of the sets and of their intersection.
    pub overlap: Overlap,
    /// The left text that passages refer to: the displayed text if HTML is stripped.
    pub left_text: String,
    /// The right text that passages refer to.
    pub right_text: String,
    /// Common passages in the order of the left text; none of sets of items.
    pub passages: Vec<Passage>,
    /// Of texts with equal features: where they differ all the same, in order; empty for identical ones.
    pub differences: Vec<TextDifference>,
    /// Of sets of items: the items of both; `None` for texts.
    pub items: Option<Vec<ComparedItem>>,
}

/// Compares two texts: sizes, overlap and common passages.
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
/// The errors of [`Features::check`].
pub fn compare(features: &Features, left: &str, right: &str) -> Result<Comparison> {
    features.check()?;
    let mut shingler = features.shingler(Kernel::detect());
    let mut sets = ElementSets::new();
    let (left_counts, right_counts) = (shingler.push(left, &mut sets)?, shingler.push(right, &mut sets)?);
    let overlap = Overlap::of(sets.get(DocId(0)), sets.get(DocId(1)));
    if features.are_of_items() {
        return Ok(Comparison {
            left: left_counts,
            right: right_counts,
            overlap,
            left_text: left.to_owned(),
            right_text: right.to_owned(),
            passages: Vec::new(),
            differences: Vec::new(),
            items: Some(compared_items(left, right)),
        });
    }
    let left_tokens = Tokens::of(left, &mut shingler);
    let right_tokens = Tokens::of(right, &mut shingler);
    let passages = find_passages(&left_tokens, &right_tokens, features.shingle().size.tokens);
    let is_equal = overlap.is_of_equal_sets() && left_tokens.text != right_tokens.text;
    let differences = if is_equal { differences(left_tokens.places(), right_tokens.places()) } else { Vec::new() };
    Ok(Comparison {
        left: left_counts,
        right: right_counts,
        overlap,
        differences,
        left_text: left_tokens.text,
        right_text: right_tokens.text,
        passages,
        items: None,
    })
}

/// The common passages of at least `size` tokens, in the order of the left text.
fn find_passages(left: &Tokens, right: &Tokens, size: usize) -> Vec<Passage> {
    // A document shorter than a shingle is compared as one shingle.
    let size = size.min(left.hashes.len()).min(right.hashes.len());
    if size == 0 {
        return Vec::new();
    }
    let hasher = ShingleHasher::new(size, &HashKey::BATCH);
    let places = places_by_shingle(&hasher, &right.hashes);
    let mut left_shingles = Vec::new();
    hasher.roll(&left.hashes, |shingle| left_shingles.push(shingle));
    let mut passages = Vec::new();
    let mut at = 0;
    while let Some(&shingle) = left_shingles.get(at) {
        let first = places.partition_point(|&(other, _)| other < shingle);
        let starts = places[first..].iter().take_while(|&&(other, _)| other == shingle).take(MAX_PLACES);
        let match_length = |start: usize| common_prefix(&left.hashes[at..], &right.hashes[start..]);
        // The first of the longest matches.
        let best = starts
            .map(|&(_, start)| (match_length(start), start))
            .max_by_key(|&(length, start)| (length, usize::MAX - start));
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

/// All shingles of a token sequence with their places, sorted.
fn places_by_shingle(hasher: &ShingleHasher, tokens: &[u64]) -> Vec<(u64, usize)> {
    let mut places = Vec::new();
    hasher.roll(tokens, |shingle| places.push((shingle, places.len())));
    places.sort_unstable();
    places
}

/// Length of the common prefix of two token sequences.
fn common_prefix(left: &[u64], right: &[u64]) -> usize {
    left.iter().zip(right).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::ShingleOptions;
    use crate::text::{Mask, TextOptions, TextUnit};
    use proptest::prelude::{prop_assert, proptest};

    fn passages(size: usize, left: &str, right: &str) -> Vec<(String, String, usize)> {
        let found = compare(&Features::shingles(ShingleOptions::words(size)), left, right).unwrap();
        let text = |text: &str, range: Range<usize>| text[range].to_owned();
        let show = |p: Passage| (text(&found.left_text, p.left), text(&found.right_text, p.right), p.tokens);
        found.passages.clone().into_iter().map(show).collect()
    }

    #[test]
    fn moved_and_edited_passages_are_found() {
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

    #[test]
    fn passages_of_code_and_of_lines_are_shown_as_they_stand() {
        let (left, right) = ("int f() { return a >>= 0x1F; }", "x = 1;\nreturn a>>=0x1F; // done");
        let shown = |features: &Features| {
            let found = compare(features, left, right).unwrap();
            let passage = found.passages.into_iter().next().unwrap();
            (found.left_text[passage.left].to_owned(), found.right_text[passage.right].to_owned(), passage.tokens)
        };
        let code = Features::Set { text: TextOptions::code(), shingle: ShingleOptions::words(3) };
        assert_eq!(shown(&code), ("return a >>= 0x1F;".to_owned(), "return a>>=0x1F;".to_owned(), 5));
        let (log, other) = ("start\n10:05 Stop now.\nEnd", "x\n11:17 stop NOW\nend\ny");
        let text = TextOptions { mask: Some(Mask::Numbers), ..TextOptions::default() };
        let lines = Features::Set { text, shingle: ShingleOptions::text_units(TextUnit::Line, 2) };
        let found = compare(&lines, log, other).unwrap();
        assert_eq!((found.left.tokens, found.right.tokens, found.passages.len()), (3, 4, 1));
        assert_eq!(&log[found.passages[0].left.clone()], "10:05 Stop now.\nEnd");
        assert_eq!(&other[found.passages[0].right.clone()], "11:17 stop NOW\nend");
    }

    proptest! {
        #[test]
        fn passages_cover_exactly_the_common_shingles(
            left in "([a-c] ){0,40}", right in "([a-c] ){0,40}", size in 1usize..4,
        ) {
            let found = compare(&Features::shingles(ShingleOptions::words(size)), &left, &right).unwrap();
            let words: Vec<&str> = left.split_whitespace().collect();
            let others: Vec<&str> = right.split_whitespace().collect();
            let texts = |p: &Passage| (&found.left_text[p.left.clone()], &found.right_text[p.right.clone()]);
            prop_assert!(found.passages.iter().map(texts).all(|(left, right)| left == right));
            if words.len() < size || others.len() < size {
                return Ok(());
            }
            for (start, window) in words.windows(size).enumerate() {
                // A word and a blank take two bytes.
                let (begin, end) = (2 * start, 2 * (start + size) - 1);
                let covered = found.passages.iter().any(|p| p.left.start <= begin && end <= p.left.end);
                prop_assert!(covered == others.windows(size).any(|other| other == window));
            }
        }
    }
}
