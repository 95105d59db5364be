//! Where two texts differ, word by word.
//!
//! Both texts are cut into words and signs, and a common subsequence is looked for by the histogram algorithm of
//! imara-diff, which takes rare words for anchors. White space is not looked at: a text with other line breaks differs
//! in nothing.
//!
//! ```text
//! left     if ( a == b ) return  x + y ;
//! right    if ( a != b ) return  x - y ;
//!                 ^^               ^
//! ```
//!
//! Its time grows with the product of the lengths for texts of the same few words in another order. So of long texts
//! sentences are aligned first and words only where these differ; what is still too long is one difference.

use crate::text::{TextUnit, text_units};
use imara_diff::{Algorithm, Diff, Hunk, InternedInput};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// A place where two texts differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextDifference {
    /// Byte range in the left text; empty for what only the right one has.
    pub left: Range<usize>,
    /// Byte range in the right text.
    pub right: Range<usize>,
}

/// A part of two texts that stand side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aligned {
    /// The same words in both, perhaps with other white space between.
    Common(TextDifference),
    /// A place where they differ.
    Changed(TextDifference),
}

/// Product of the numbers of words, or sentences, of two texts up to which these are aligned: some tenths of a second.
const MAX_PRODUCT: u64 = 1 << 31;

/// A common part stands for itself if it has this share of the words of a difference beside it: a third.
const SHORTEST_ISLAND: usize = 3;

/// The places where two texts differ in words or punctuation, in order. Between two of them there is always a word or a
/// sign that both texts have; a few of these between long differences count as part of one.
pub fn word_differences(left: &str, right: &str) -> Vec<TextDifference> {
    let whole = TextDifference { left: 0..left.len(), right: 0..right.len() };
    if let Some(found) = differing_words([left, right], &whole) {
        return found;
    }
    let sentences = [left, right].map(Segments::of_sentences);
    let places = differing(&sentences).unwrap_or_else(|| vec![whole]);
    let words = |place: TextDifference| differing_words([left, right], &place).unwrap_or_else(|| vec![place]);
    places.into_iter().flat_map(words).collect()
}

/// The differing words in some place of two texts; `None` if it is too long.
fn differing_words([left, right]: [&str; 2], place: &TextDifference) -> Option<Vec<TextDifference>> {
    let words = |text, place: &Range<usize>| Segments::of_words(text, place.clone());
    differing(&[words(left, &place.left), words(right, &place.right)])
}

/// Where two texts differ in their segments; `None` if they have too many.
fn differing(sides: &[Segments<'_>; 2]) -> Option<Vec<TextDifference>> {
    let [left, right] = sides;
    let ends = left.common_ends(right);
    if [left, right].map(|side| (side.places.len() - ends) as u64).iter().product::<u64>() > MAX_PRODUCT {
        return None;
    }
    let mut input = InternedInput::default();
    input.update_before(left.texts());
    input.update_after(right.texts());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let mut found: Vec<Hunk> = Vec::new();
    for hunk in diff.hunks() {
        match found.last_mut() {
            Some(last) if is_island(last, &hunk) => {
                (last.before.end, last.after.end) = (hunk.before.end, hunk.after.end)
            }
            _ => found.push(hunk),
        }
    }
    let difference = |Hunk { before, after }| TextDifference { left: left.bytes(before), right: right.bytes(after) };
    Some(found.into_iter().map(difference).collect())
}

/// Whether what two texts have between two differences is so much shorter than these that it is no part of the text
/// that was kept: an "and" that both happen to have.
fn is_island(before: &Hunk, behind: &Hunk) -> bool {
    let segments = |hunk: &Hunk| hunk.before.len().max(hunk.after.len());
    let common = behind.before.start - before.before.end;
    common as usize * SHORTEST_ISLAND < segments(before).min(segments(behind))
}

/// The whole of two texts, of these lengths in bytes, cut where they differ.
pub fn aligned(differences: &[TextDifference], [left, right]: [usize; 2]) -> Vec<Aligned> {
    let (mut parts, mut at) = (Vec::new(), (0, 0));
    let end = TextDifference { left: left..left, right: right..right };
    for (number, difference) in differences.iter().chain([&end]).enumerate() {
        let common = TextDifference { left: at.0..difference.left.start, right: at.1..difference.right.start };
        if !common.left.is_empty() || !common.right.is_empty() {
            parts.push(Aligned::Common(common));
        }
        if number < differences.len() {
            parts.push(Aligned::Changed(difference.clone()));
        }
        at = (difference.left.end, difference.right.end);
    }
    parts
}

/// What of a text is aligned with another: its words and signs, or its sentences, without white space between.
struct Segments<'a> {
    text: &'a str,
    places: Vec<Range<usize>>,
    /// Where the next segment would begin.
    end: usize,
}

impl<'a> Segments<'a> {
    fn of_words(text: &'a str, part: Range<usize>) -> Self {
        let (mut places, mut last): (Vec<Range<usize>>, _) = (Vec::new(), Kind::Space);
        for (start, segment) in text[part.clone()].split_word_bound_indices() {
            let (kind, start) = (Kind::of(segment), part.start + start);
            match places.last_mut() {
                Some(operator) if kind == Kind::Punctuation && kind == last => operator.end = start + segment.len(),
                _ if kind != Kind::Space => places.push(start..start + segment.len()),
                _ => {}
            }
            last = kind;
        }
        Self { text, places, end: part.end }
    }

    fn of_sentences(text: &'a str) -> Self {
        let trimmed = |place: Range<usize>| {
            let start = place.end - text[place.clone()].trim_start().len();
            start..start + text[place].trim().len()
        };
        let places = text_units(text, TextUnit::Sentence).map(trimmed).filter(|place| !place.is_empty()).collect();
        Self { text, places, end: text.len() }
    }

    fn texts(&self) -> impl DoubleEndedIterator<Item = &'a str> {
        self.places.iter().map(|place| &self.text[place.clone()])
    }

    /// Number of segments at the begin and at the end that another text has, too.
    fn common_ends(&self, other: &Segments<'_>) -> usize {
        let first = self.texts().zip(other.texts()).take_while(|(left, right)| left == right).count();
        let most = self.places.len().min(other.places.len()) - first;
        let last = self.texts().rev().zip(other.texts().rev()).take(most).take_while(|(left, right)| left == right);
        first + last.count()
    }

    /// From the first to the last of some segments; of none, where the next one begins.
    fn bytes(&self, segments: Range<u32>) -> Range<usize> {
        let next = |segment: u32| self.places.get(segment as usize).map_or(self.end, |place| place.start);
        match segments.end.checked_sub(1).filter(|_| !segments.is_empty()) {
            Some(last) => next(segments.start)..self.places[last as usize].end,
            None => next(segments.start)..next(segments.start),
        }
    }
}

/// What a segment between two word boundaries of Unicode is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Space,
    /// Of ASCII, joined with its neighbours: an operator, or the end of a quotation.
    Punctuation,
}

impl Kind {
    fn of(segment: &str) -> Self {
        match () {
            () if segment.chars().all(char::is_whitespace) => Self::Space,
            () if segment.bytes().all(|byte| byte.is_ascii_punctuation() && byte != b'_') => Self::Punctuation,
            () => Self::Word,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    fn found<'a>(left: &'a str, right: &'a str) -> Vec<(&'a str, &'a str)> {
        let show = |place: TextDifference| (&left[place.left], &right[place.right]);
        word_differences(left, right).into_iter().map(show).collect()
    }

    #[test]
    fn words_and_signs_are_shown() {
        assert_eq!(found("if (a == b) return x + y;", "if (a != b) return x - y;"), [("==", "!="), ("+", "-")]);
        assert_eq!(found("No comment.", "no  comment"), [("No", "no"), (".", "")]);
        assert_eq!(found("!!", "{};"), [("!!", "{};")]);
        assert_eq!(found("\u{fb01}ne one", "fine one"), [("\u{fb01}ne", "fine")]);
        assert_eq!(found("漢字一", "漢一"), [("字", "")]);
    }

    #[test]
    fn white_space_is_no_difference() {
        assert_eq!(found("same", "same"), []);
        assert_eq!(found("one two\nthree\n", "one\n\ttwo three"), []);
        assert_eq!(found("", " \n"), []);
    }

    #[test]
    fn neighbouring_words_are_one_place() {
        assert_eq!(found("the old salt bridge", "the new iron bridge"), [("old salt", "new iron")]);
        assert_eq!(found("one two three", "one three"), [("two", "")]);
        assert_eq!(found("", "all of it"), [("", "all of it")]);
    }

    #[test]
    fn common_words_amid_long_differences_are_no_anchors() {
        let (left, right) = ("a b c d and e f g h", "k l m n and o p q r");
        assert_eq!(found(left, right), [(left, right)]);
        let pairs = [("a b c", "k l m"), ("e f g", "o p q")];
        assert_eq!(found("a b c and e f g", "k l m and o p q"), pairs);
    }

    #[test]
    fn long_texts_are_aligned_by_sentences_first() {
        let text = |changed: &str| -> String {
            let sentence = |number| match number {
                30_000 => format!("The {changed} one. "),
                _ => format!("Sentence number {number}. "),
            };
            (0..60_000).map(sentence).collect()
        };
        assert_eq!(found(&text("old"), &text("new")), [("old", "new")]);
        // One sentence of the same two words in another order: too long to be aligned, and one place.
        let (left, right) = (format!("{}c", "a b ".repeat(50_000)), format!("d {}", "b a ".repeat(50_000)));
        assert_eq!(found(&left, &right), [(left.as_str(), right.trim_end())]);
    }

    proptest! {
        #[test]
        fn what_lies_between_differences_is_common(left in "[ab .\n]{0,40}", right in "[ab .\n]{0,40}") {
            let differences = word_differences(&left, &right);
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            let (mut rebuilt, mut changed) = ([String::new(), String::new()], 0);
            for part in aligned(&differences, [left.len(), right.len()]) {
                let (Aligned::Common(places) | Aligned::Changed(places)) = &part;
                let texts = [&left[places.left.clone()], &right[places.right.clone()]];
                if let Aligned::Common(_) = &part {
                    prop_assert_eq!(squeezed(texts[0]), squeezed(texts[1]));
                } else {
                    changed += 1;
                    prop_assert!(texts[0] != texts[1]);
                }
                rebuilt[0].push_str(texts[0]);
                rebuilt[1].push_str(texts[1]);
            }
            prop_assert_eq!(rebuilt, [left, right]);
            prop_assert_eq!(changed, differences.len());
        }
    }
}
