//! Differences of two texts, word by word.
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
//! Its time grows with the product of the lengths for texts that differ everywhere, or have the same few words in
//! another order. So long texts are cut first at words that occur once in each, as in patience diff (Cohen); what is
//! still too much, of the same few words, is one difference.

use imara_diff::{Algorithm, Diff, Hunk, InternedInput, Token};
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
    /// Equal words in both, perhaps with other white space between.
    Common(TextDifference),
    /// A place where they differ.
    Changed(TextDifference),
}

/// Product of the numbers of words of two texts up to which these are aligned as they are: half a second, if they are
/// as badly ordered as they can be.
const MAX_PRODUCT: u64 = 1 << 29;

/// Product of the numbers of words of a gap before which it is looked whether the comparison goes on: a millisecond.
const LONG_GAP: u64 = 1 << 20;

/// A common run between two differences is a difference, too, if it has less than this share of the words of the
/// shorter one: a third.
const SHORTEST_ISLAND: usize = 3;

/// The places where two texts differ in words or punctuation, in order. Between two of them there is always a word or a
/// sign that both texts have; a few of these between long differences count as part of one. Once `goes_on` is false,
/// which it stays, the places are a useless part.
pub(super) fn word_differences(left: &str, right: &str, goes_on: &dyn Fn() -> bool) -> Vec<TextDifference> {
    let [left, right] = [left, right].map(TextWords::split);
    let mut input = InternedInput::default();
    input.update_before(left.texts());
    input.update_after(right.texts());
    let whole = Hunk { before: 0..input.before.len() as u32, after: 0..input.after.len() as u32 };
    let hunks = if product(&whole) <= MAX_PRODUCT { histogram(&input) } else { between_anchors(&input, goes_on) };
    let mut found: Vec<Hunk> = Vec::new();
    for hunk in hunks {
        match found.last_mut() {
            Some(last) if is_island(last, &hunk) => {
                (last.before.end, last.after.end) = (hunk.before.end, hunk.after.end);
            }
            _ => found.push(hunk),
        }
    }
    let difference = |Hunk { before, after }| TextDifference { left: left.bytes(before), right: right.bytes(after) };
    found.into_iter().map(difference).collect()
}

fn product(hunk: &Hunk) -> u64 {
    hunk.before.len() as u64 * hunk.after.len() as u64
}

/// Finds where two texts differ, by the histogram algorithm.
fn histogram(input: &InternedInput<&str>) -> Vec<Hunk> {
    Diff::compute(Algorithm::Histogram, input).hunks().collect()
}

/// Finds where long texts differ: words that occur once in each are anchors, as many as come in one order in both
/// (patience diff), and only what lies between is aligned.
fn between_anchors(input: &InternedInput<&str>, goes_on: &dyn Fn() -> bool) -> Vec<Hunk> {
    let mut hunks = Vec::new();
    let mut at = [0u32, 0];
    let end = [input.before.len() as u32, input.after.len() as u32];
    for [left, right] in anchors(input).into_iter().chain([end]) {
        let gap = Hunk { before: at[0]..left, after: at[1]..right };
        if product(&gap) > LONG_GAP && !goes_on() {
            return hunks;
        }
        at = [left + 1, right + 1];
        match product(&gap) {
            0 if gap.before.is_empty() && gap.after.is_empty() => {}
            1..=MAX_PRODUCT => hunks.extend(gap_hunks(input, gap)),
            _ => hunks.push(gap),
        }
    }
    hunks
}

/// Finds where two texts differ between two anchors. Most gaps have a word or two, for which no table is made.
fn gap_hunks(input: &InternedInput<&str>, gap: Hunk) -> Vec<Hunk> {
    const FEW: usize = 1;
    let is_small = gap.before.len() <= FEW && gap.after.len() <= FEW;
    if !is_small {
        histogram_of_part(input, &gap)
    } else if input.before[gap.before.start as usize] == input.after[gap.after.start as usize] {
        Vec::new()
    } else {
        vec![gap]
    }
}

/// Finds where two parts of texts differ, with their tokens numbered anew: the tables of [`histogram`] have the size of
/// the number of tokens.
fn histogram_of_part(input: &InternedInput<&str>, part: &Hunk) -> Vec<Hunk> {
    let texts = |all: &[Token], range: &Range<u32>| -> Vec<&str> {
        all[range.start as usize..range.end as usize].iter().map(|&token| input.interner[token]).collect()
    };
    let mut of_part = InternedInput::default();
    of_part.update_before(texts(&input.before, &part.before).into_iter());
    of_part.update_after(texts(&input.after, &part.after).into_iter());
    let moved = |range: Range<u32>, by: u32| range.start + by..range.end + by;
    let hunks = histogram(&of_part).into_iter().map(|Hunk { before, after }| Hunk {
        before: moved(before, part.before.start),
        after: moved(after, part.after.start),
    });
    hunks.collect()
}

/// The places of words that occur once in each text, in a longest order that both have.
fn anchors(input: &InternedInput<&str>) -> Vec<[u32; 2]> {
    let mut places = vec![[WordOccurrences::None; 2]; input.interner.num_tokens() as usize];
    for (side, tokens) in [&input.before, &input.after].into_iter().enumerate() {
        for (place, token) in (0..).zip(tokens) {
            let known = &mut places[token.0 as usize][side];
            *known =
                if *known == WordOccurrences::None { WordOccurrences::One(place) } else { WordOccurrences::Several };
        }
    }
    let mut unique: Vec<[u32; 2]> = places
        .into_iter()
        .filter_map(|places| match places {
            [WordOccurrences::One(left), WordOccurrences::One(right)] => Some([left, right]),
            _ => None,
        })
        .collect();
    unique.sort_unstable();
    longest_ascending(&unique)
}

/// Occurrences of a word in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordOccurrences {
    None,
    One(u32),
    Several,
}

/// A longest subsequence whose second numbers ascend (patience sorting: the smallest end for each length).
fn longest_ascending(pairs: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (number, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end][1] < pair[1]);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(number);
        } else {
            ends[length] = number;
        }
    }
    let mut found: Vec<[u32; 2]> =
        std::iter::successors(ends.last().copied(), |&last| before[last]).map(|number| pairs[number]).collect();
    found.reverse();
    found
}

/// Returns whether the common words between two differences are a chance match, an "and" that both happen to have: they
/// are fewer than a third of the words of the shorter difference.
fn is_island(before: &Hunk, behind: &Hunk) -> bool {
    let segments = |hunk: &Hunk| hunk.before.len().max(hunk.after.len());
    let common = behind.before.start - before.before.end;
    common as usize * SHORTEST_ISLAND < segments(before).min(segments(behind))
}

/// The whole of two texts, of these lengths in bytes, cut where they differ.
pub fn aligned(differences: &[TextDifference], [left, right]: [usize; 2]) -> Vec<Aligned> {
    let mut parts = Vec::new();
    let mut at = (0, 0);
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

/// The lines of two texts, one beside the other; `None` unless both have as many, each with as many words.
pub fn paired_lines<'a>(left: &'a str, right: &'a str) -> Option<Vec<[&'a str; 2]>> {
    let words = |line: &str| line.split_whitespace().count();
    let mut pairs = Vec::new();
    let mut rest = right.split('\n');
    for line in left.split('\n') {
        let beside = rest.next().filter(|beside| words(beside) == words(line))?;
        pairs.push([line, beside]);
    }
    rest.next().is_none().then_some(pairs)
}

/// The words and signs of a text, without white space between.
struct TextWords<'a> {
    text: &'a str,
    places: Vec<Range<usize>>,
}

impl<'a> TextWords<'a> {
    fn split(text: &'a str) -> Self {
        let mut places: Vec<Range<usize>> = Vec::new();
        let mut last = SegmentKind::Space;
        for (start, segment) in text.split_word_bound_indices() {
            let kind = SegmentKind::from_segment(segment);
            match places.last_mut() {
                Some(operator) if kind == SegmentKind::Punctuation && kind == last => {
                    operator.end = start + segment.len()
                }
                _ if kind != SegmentKind::Space => places.push(start..start + segment.len()),
                _ => {}
            }
            last = kind;
        }
        Self { text, places }
    }

    fn texts(&self) -> impl Iterator<Item = &'a str> {
        self.places.iter().map(|place| &self.text[place.clone()])
    }

    /// Returns the bytes from the first to the last of some words; for none, the place where the next one begins.
    fn bytes(&self, words: Range<u32>) -> Range<usize> {
        let next = |word: u32| self.places.get(word as usize).map_or(self.text.len(), |place| place.start);
        match words.end.checked_sub(1).filter(|_| !words.is_empty()) {
            Some(last) => next(words.start)..self.places[last as usize].end,
            None => next(words.start)..next(words.start),
        }
    }
}

/// Kind of a segment between two word boundaries of Unicode.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SegmentKind {
    Word,
    Space,
    /// ASCII punctuation, joined with its neighbours: an operator, or the end of a quotation.
    Punctuation,
}

impl SegmentKind {
    fn from_segment(segment: &str) -> Self {
        if segment.chars().all(char::is_whitespace) {
            Self::Space
        } else if segment.bytes().all(|byte| byte.is_ascii_punctuation() && byte != b'_') {
            Self::Punctuation
        } else {
            Self::Word
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    fn found<'a>(left: &'a str, right: &'a str) -> Vec<(&'a str, &'a str)> {
        let show = |place: TextDifference| (&left[place.left], &right[place.right]);
        word_differences(left, right, &|| true).into_iter().map(show).collect()
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
        let left = "a b c d and e f g h";
        let right = "k l m n and o p q r";
        assert_eq!(found(left, right), [(left, right)]);
        let pairs = [("a b c", "k l m"), ("e f g", "o p q")];
        assert_eq!(found("a b c and e f g", "k l m and o p q"), pairs);
    }

    #[test]
    fn lines_are_pairs_if_their_words_are() {
        assert_eq!(paired_lines("a b\nc", "a  b\n c"), Some(vec![["a b", "a  b"], ["c", " c"]]));
        assert_eq!(paired_lines("a b\nc", "a\nb c"), None);
        assert_eq!(paired_lines("a\n", "a"), None);
    }

    #[test]
    fn long_texts_are_aligned_in_time() {
        let text = |changed: &str| -> String {
            let sentence = |number| match number {
                30_000 => format!("The {changed} one. "),
                _ => format!("Sentence number {number}. "),
            };
            (0..60_000).map(sentence).collect()
        };
        assert_eq!(found(&text("old"), &text("new")), [("old", "new")]);
        // Many words, and a word at each end that differs.
        let words = |first: &str, last: &str| {
            let middle: String = (0..60_000).map(|number| format!("v{number} ")).collect();
            format!("{first} {middle}{last}")
        };
        assert_eq!(found(&words("a", "b"), &words("c", "d")), [("a", "c"), ("b", "d")]);
        // Each second word differs.
        let changed = |word: &str| (0..60_000).map(|number| format!("v{number} {word} ")).collect::<String>();
        assert_eq!(found(&changed("a"), &changed("b")).len(), 60_000);
        // Two words in another order, without any anchor: one place.
        let left = format!("{}c", "a b ".repeat(50_000));
        let right = format!("d {}", "b a ".repeat(50_000));
        assert_eq!(found(&left, &right), [(left.as_str(), right.trim_end())]);
    }

    proptest! {
        #[test]
        fn anchors_are_a_longest_common_order(pairs in proptest::collection::btree_map(0u32..40, 0u32..40, 0..14)) {
            let pairs: Vec<[u32; 2]> = pairs.into_iter().map(|(left, right)| [left, right]).collect();
            let is_before = |two: &[[u32; 2]]| two[0][0] < two[1][0] && two[0][1] < two[1][1];
            let ascends = |chosen: &[[u32; 2]]| chosen.windows(2).all(is_before);
            let chosen = |set: u32| -> Vec<[u32; 2]> {
                pairs.iter().enumerate().filter(|(number, _)| set >> number & 1 == 1).map(|(_, &pair)| pair).collect()
            };
            let longest = (0..1 << pairs.len()).map(chosen).filter(|set| ascends(set)).map(|set| set.len()).max();
            let found = longest_ascending(&pairs);
            prop_assert!(ascends(&found));
            prop_assert_eq!(Some(found.len()), longest);
        }

        #[test]
        fn what_lies_between_differences_is_common(left in "[ab .\n]{0,40}", right in "[ab .\n]{0,40}") {
            let differences = word_differences(&left, &right, &|| true);
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            let mut rebuilt = [String::new(), String::new()];
            let mut changed = 0;
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
