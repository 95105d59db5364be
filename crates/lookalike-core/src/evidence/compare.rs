//! The evidence for a pair: how much two texts have in common, the passages that stand in both, and where they differ.

use super::differences::{TextDifference, word_differences};
use super::verdict::{TextRelation, Verdict};
use crate::base::{DocId, Ragged, Result};
use crate::comparison::{Features, Measure};
use crate::documents::{Content, Counts, ElementSets};
use crate::kernel::Kernel;
use crate::passages::{TokenPassage, TokenSpan, TokenSpans, WindowIndex, passages_while, token_hashes};
use crate::sets::{ShingleSize, Shingler};
use crate::similarity::Overlap;
use crate::text::Items;
use std::collections::HashMap;
use std::ops::Range;

/// A run of tokens that stands in two texts and cannot be extended in both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Place in the left text.
    pub left: TokenSpan,
    /// Place in the right text.
    pub right: TokenSpan,
    /// Length in tokens.
    pub tokens: usize,
}

/// The comparison of two texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Numbers of tokens and elements of the left text.
    pub left: Counts,
    /// Numbers of tokens and elements of the right text.
    pub right: Counts,
    /// Sizes of the sets and of their intersection.
    pub overlap: Overlap,
    /// True if the texts are equal byte for byte.
    pub are_identical: bool,
    /// True if the left text has no bytes.
    is_left_empty: bool,
    /// The left text that passages refer to: the displayed text if HTML is stripped; empty for items.
    pub left_text: String,
    /// The right text that passages refer to; empty for items.
    pub right_text: String,
    /// Common passages in the order of the left text; none of sets of items. Neighbouring ones may share tokens, fewer
    /// than the shortest passage has.
    pub passages: Vec<Passage>,
    /// Differences of the texts in words or punctuation, in order; none of sets of items.
    pub differences: Vec<TextDifference>,
    /// Items of both sets of items; `None` for texts.
    pub items: Option<Vec<ComparedItem>>,
}

impl Comparison {
    fn texts(&self) -> TextRelation {
        match (self.are_identical, self.is_left_empty) {
            (false, _) => TextRelation::Different,
            (true, false) => TextRelation::Identical,
            (true, true) => TextRelation::BothEmpty,
        }
    }

    /// Returns whether the documents are near-duplicates by a measure of their sets, which have this overlap: that of
    /// the comparison, or for containment one that looks short texts up in longer ones.
    pub fn verdict(&self, measure: Measure, overlap: Overlap) -> Verdict {
        Verdict::of_sets(measure, overlap, self.texts())
    }
}

/// Compares two texts: sizes, overlap, the passages that stand in both, and where they differ. A passage has at least
/// as many tokens as a shingle.
///
/// ```
/// use lookalike_core::comparison::Features;
/// use lookalike_core::evidence::compare;
/// use lookalike_core::sets::ShingleOptions;
///
/// let features = Features::shingles(ShingleOptions::words(2));
/// let found = compare(&features, "The dog chased the cat", "the cat chased the dog!")?;
/// assert_eq!(found.overlap.jaccard(), 3.0 / 5.0);
/// assert_eq!(&found.left_text[found.passages[0].left.bytes()], "The dog");
/// # Ok::<(), lookalike_core::Error>(())
/// ```
///
/// # Errors
/// The errors of [`Features::check`].
pub fn compare<'c>(
    features: &Features,
    left: impl Into<Content<'c>>,
    right: impl Into<Content<'c>>,
) -> Result<Comparison> {
    compare_while(features, None, [left.into(), right.into()], &|| true)
}

/// Compares two documents with passages of another minimum length, `None` for that of a shingle, while `goes_on`: once
/// that is false, which it stays, the comparison is a useless part.
///
/// # Errors
/// As [`compare`].
pub fn compare_while(
    features: &Features,
    min_match: Option<ShingleSize>,
    [left, right]: [Content<'_>; 2],
    goes_on: &dyn Fn() -> bool,
) -> Result<Comparison> {
    features.check()?;
    let mut shingler = features.shingler(Kernel::detect());
    let mut sets = ElementSets::new();
    let left_counts = shingler.push(&left, &mut sets)?;
    let right_counts = shingler.push(&right, &mut sets)?;
    let mut found = Comparison {
        left: left_counts,
        right: right_counts,
        overlap: Overlap::new(sets.get(DocId(0)), sets.get(DocId(1))),
        are_identical: left == right,
        is_left_empty: left.stored().is_empty(),
        left_text: String::new(),
        right_text: String::new(),
        passages: Vec::new(),
        differences: Vec::new(),
        items: None,
    };
    if let (Content::Items(left), Content::Items(right)) = (&left, &right) {
        found.items = Some(compared_items(left, right));
        return Ok(found);
    }
    if !goes_on() {
        return Ok(found);
    }
    let [left, right] = [left.text()?, right.text()?];
    let of_passages = min_match.map(|size| features.with_shingle_size(size));
    let mut shingler = of_passages.as_ref().unwrap_or(features).shingler(Kernel::detect());
    let [left, right] = [left, right].map(|text| Tokens::cut(text, &mut shingler));
    found.passages = common_passages([&left, &right], &mut shingler, goes_on)?;
    (found.left_text, found.right_text) = (left.text, right.text);
    if goes_on() {
        found.differences = word_differences(&found.left_text, &found.right_text, goes_on);
    }
    Ok(found)
}

/// The passages of at least as many tokens as a shingle that stand in both texts, in the order of the left one. A text
/// of fewer tokens is looked for as a whole.
///
/// # Errors
/// [`crate::Error::TooManyWindows`] for a text of more than 2^32 tokens.
fn common_passages(
    [left, right]: [&Tokens; 2],
    shingler: &mut Shingler,
    goes_on: &dyn Fn() -> bool,
) -> Result<Vec<Passage>> {
    let size = shingler.options().size.tokens.min(left.hashes.len()).min(right.hashes.len());
    if size == 0 {
        return Ok(Vec::new());
    }
    let mut tokens = Ragged::default();
    tokens.push(&left.hashes);
    let index = WindowIndex::new(size, shingler.tokenizer().key(), tokens)?;
    let counts = index.counts(1);
    let mut runs = Vec::new();
    index.find_runs(&right.hashes, &counts, &mut runs);
    let found = passages_while(&index, &counts, &runs, goes_on).into_iter().flat_map(|of_left| of_left.passages);
    let passage = |tokens: TokenPassage| {
        let tokens_of_passage = tokens.query.len();
        let left = left.spans.get(&tokens.query)?;
        let right = right.spans.get(&tokens.source)?;
        Some(Passage { left, right, tokens: tokens_of_passage })
    };
    Ok(found.filter_map(passage).collect())
}

/// An item, and its number of copies in each of two sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedItem {
    /// The item.
    pub item: String,
    /// Number of copies in the left set.
    pub left: u64,
    /// Number of copies in the right set.
    pub right: u64,
}

/// The items of two sets, each once, in the order in which they first occur: those of the left set, then the others.
fn compared_items(left: &Items<'_>, right: &Items<'_>) -> Vec<ComparedItem> {
    let mut all: Vec<ComparedItem> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut place_of = |all: &mut Vec<ComparedItem>, text| {
        *places.entry(text).or_insert_with(|| {
            all.push(ComparedItem { item: String::from(text), left: 0, right: 0 });
            all.len() - 1
        })
    };
    for found in left.iter() {
        let place = place_of(&mut all, found.text);
        all[place].left += u64::from(found.count);
    }
    for found in right.iter() {
        let place = place_of(&mut all, found.text);
        all[place].right += u64::from(found.count);
    }
    all
}

/// The tokens of a text.
pub(super) struct Tokens {
    /// The text that is compared: the displayed one if HTML is stripped.
    pub(super) text: String,
    pub(super) hashes: Vec<u64>,
    pub(super) spans: TokenSpans,
}

impl Tokens {
    pub(super) fn cut(text: &str, shingler: &mut Shingler) -> Self {
        let mut hashes = Vec::new();
        token_hashes(text, shingler, &mut hashes);
        let spans = TokenSpans::new(text, shingler);
        Self { text: shingler.tokenizer().visible_text(text).into_owned(), hashes, spans }
    }

    /// The text from the first to the last token of a range.
    pub(super) fn text_of(&self, tokens: &Range<usize>) -> &str {
        self.spans.get(tokens).and_then(|span| self.text.get(span.bytes())).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::ShingleOptions;
    use crate::text::{Mask, TextOptions, TextUnit};
    use proptest::prelude::{prop_assert, proptest};

    fn words(size: usize) -> Features {
        Features::shingles(ShingleOptions::words(size))
    }

    fn passages(features: &Features, left: &str, right: &str) -> Vec<(String, String, usize)> {
        let found = compare(features, left, right).unwrap();
        let text = |text: &str, place: TokenSpan| text[place.bytes()].to_owned();
        let show = |p: Passage| (text(&found.left_text, p.left), text(&found.right_text, p.right), p.tokens);
        found.passages.clone().into_iter().map(show).collect()
    }

    #[test]
    fn moved_and_edited_passages_are_found() {
        let left = "One two three four. Alpha beta gamma delta!";
        let right = "ALPHA beta gamma delta, and then: one two three five";
        let found = passages(&words(3), left, right);
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
        assert_eq!(
            passages(&words(5), "No comment.", "no comment"),
            [("No comment".to_owned(), "no comment".to_owned(), 2)]
        );
        assert_eq!(passages(&words(5), "", "no comment"), []);
        assert_eq!(passages(&words(5), "yes", "no"), []);
    }

    #[test]
    fn passages_of_code_and_of_lines_are_shown_as_they_stand() {
        let code = Features::Set { text: TextOptions::code(), shingle: ShingleOptions::words(3) };
        assert_eq!(
            passages(&code, "int f() { return a >>= 0x1F; }", "x = 1;\nreturn a>>=0x1F; // done"),
            [("return a >>= 0x1F;".to_owned(), "return a>>=0x1F;".to_owned(), 5)]
        );
        let log = "start\n10:05 Stop now.\nEnd";
        let other = "x\n11:17 stop NOW\nend\ny";
        let text = TextOptions { mask: Some(Mask::Numbers), ..TextOptions::default() };
        let lines = Features::Set { text, shingle: ShingleOptions::text_units(TextUnit::Line, 2) };
        let found = compare(&lines, log, other).unwrap();
        assert_eq!((found.left.tokens, found.right.tokens, found.passages.len()), (3, 4, 1));
        assert_eq!(&log[found.passages[0].left.bytes()], "10:05 Stop now.\nEnd");
        assert_eq!(&other[found.passages[0].right.bytes()], "11:17 stop NOW\nend");
    }

    #[test]
    fn a_comparison_ends_soon_after_it_is_cancelled() {
        // Each word stands in twenty places of the other text, in another order.
        let text = |step: usize| -> String { (0..20_000).map(|at| format!("w{} ", at * step % 997)).collect() };
        let left = text(7);
        let right = text(11);
        let looks = |limit: usize| {
            let looks = std::cell::Cell::new(0);
            let goes_on = || {
                looks.set(looks.get() + 1);
                looks.get() <= limit
            };
            compare_while(&words(1), None, [&left, &right].map(Content::from), &goes_on).unwrap();
            looks.get()
        };
        let all = looks(usize::MAX);
        assert!(all > 10, "{all} looks");
        for limit in 0..all {
            assert!(looks(limit) <= limit + 4, "{} of {all} looks after the limit of {limit}", looks(limit));
        }
    }

    proptest! {
        #[test]
        fn passages_cover_exactly_the_common_shingles(
            left in "([a-c] ){0,40}", right in "([a-c] ){0,40}", size in 1usize..4,
        ) {
            let found = compare(&words(size), &left, &right).unwrap();
            let words: Vec<&str> = left.split_whitespace().collect();
            let others: Vec<&str> = right.split_whitespace().collect();
            let texts = |p: &Passage| (&found.left_text[p.left.bytes()], &found.right_text[p.right.bytes()]);
            prop_assert!(found.passages.iter().map(texts).all(|(left, right)| left == right));
            if words.len() < size || others.len() < size {
                return Ok(());
            }
            for (start, window) in words.windows(size).enumerate() {
                // A word and a blank take two bytes.
                let begin = 2 * start;
                let end = 2 * (start + size) - 1;
                let covered = found.passages.iter().any(|p| p.left.bytes().start <= begin && end <= p.left.bytes().end);
                prop_assert!(covered == others.windows(size).any(|other| other == window));
            }
        }
    }

    fn items(all: &[(&str, u32)]) -> Items<'static> {
        let mut items = Items::default();
        all.iter().for_each(|&(item, count)| items.push(item, count).unwrap());
        items
    }

    #[test]
    fn copies_are_counted_in_each_set() {
        let counts = |item: &str, left, right| ComparedItem { item: item.to_owned(), left, right };
        let found =
            compared_items(&items(&[("b", 1), ("a", 1), ("b", 3)]), &items(&[("c", 1), ("b", 1), ("", 1), ("c", 1)]));
        assert_eq!(found, [counts("b", 4, 1), counts("a", 1, 0), counts("c", 0, 2), counts("", 0, 1)]);
        assert_eq!(compared_items(&items(&[]), &items(&[])), []);
    }
}
