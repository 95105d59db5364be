//! Where two texts differ although their features are equal: in punctuation, case or spacing, or in the order of what
//! their features do not count.
//!
//! ```text
//! tokens   if   a    b   return  x   y
//! left     if ( a == b ) return  x + y ;
//! right    if ( a != b ) return  x - y ;
//!                 ^^               ^         what stands between two tokens, or a token as it is written
//! ```

use std::ops::Range;

/// A place where two texts differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextDifference {
    /// Byte range in the left text.
    pub left: Range<usize>,
    /// Byte range in the right text.
    pub right: Range<usize>,
}

/// A text and where its tokens stand.
#[derive(Clone, Copy)]
pub(super) struct TokenPlaces<'a> {
    pub(super) text: &'a str,
    pub(super) hashes: &'a [u64],
    pub(super) sources: &'a [Range<usize>],
}

impl TokenPlaces<'_> {
    /// What stands before a token, and behind the one before it; behind the last one for the number of tokens.
    fn gap(&self, token: usize) -> Range<usize> {
        let start = token.checked_sub(1).map_or(0, |before| self.sources[before].end);
        // Tokens of a character that became several have one source.
        let end = self.sources.get(token).map_or(self.text.len(), |source| source.start);
        start..end.max(start)
    }
}

/// The places where two texts differ, in order; adjacent ones are one. Of texts with the same tokens in the same order
/// these are gaps and spellings; of others it is one place, from the first token that differs to the last.
pub(super) fn differences(left: TokenPlaces<'_>, right: TokenPlaces<'_>) -> Vec<TextDifference> {
    if left.hashes != right.hashes {
        return between_common_ends(left, right);
    }
    let tokens = left.hashes.len();
    let mut found: Vec<TextDifference> = Vec::new();
    let mut add = |left_range: Range<usize>, right_range: Range<usize>| {
        if left.text[left_range.clone()] == right.text[right_range.clone()] {
            return;
        }
        match found.last_mut() {
            Some(last) if last.left.end == left_range.start && last.right.end == right_range.start => {
                (last.left.end, last.right.end) = (left_range.end, right_range.end);
            }
            _ => found.push(TextDifference { left: left_range, right: right_range }),
        }
    };
    for token in 0..tokens {
        add(left.gap(token), right.gap(token));
        add(left.sources[token].clone(), right.sources[token].clone());
    }
    add(left.gap(tokens), right.gap(tokens));
    found
}

fn between_common_ends(left: TokenPlaces<'_>, right: TokenPlaces<'_>) -> Vec<TextDifference> {
    let common = |pairs: &mut dyn Iterator<Item = (&u64, &u64)>| pairs.take_while(|(a, b)| a == b).count();
    let first = common(&mut left.hashes.iter().zip(right.hashes));
    let [left_tokens, right_tokens] = [left.hashes, right.hashes].map(|hashes| &hashes[first..]);
    let last = common(&mut left_tokens.iter().rev().zip(right_tokens.iter().rev()));
    let range = |places: TokenPlaces<'_>| {
        let end = places.hashes.len() - last;
        places.gap(first).start..places.gap(end).end
    };
    vec![TextDifference { left: range(left), right: range(right) }]
}

#[cfg(test)]
mod tests {
    use crate::evidence::compare;
    use crate::features::{Features, ShingleOptions};
    use crate::text::{Mask, TextOptions};
    use std::collections::BTreeSet;

    fn found(left: &str, right: &str) -> Vec<(String, String)> {
        let found = compare(&Features::default(), left, right).unwrap();
        let show = |place: &super::TextDifference| {
            (found.left_text[place.left.clone()].to_owned(), found.right_text[place.right.clone()].to_owned())
        };
        found.differences.iter().map(show).collect()
    }

    fn texts<const N: usize>(pairs: [(&str, &str); N]) -> Vec<(String, String)> {
        pairs.map(|(left, right)| (left.to_owned(), right.to_owned())).into()
    }

    #[test]
    fn gaps_and_spellings_are_shown() {
        let code = found("if (a == b) return x + y;", "if (a != b) return x - y;");
        assert_eq!(code, texts([(" == ", " != "), (" + ", " - ")]));
        assert_eq!(found("No comment.", "no  comment"), texts([("No ", "no  "), (".", "")]));
        assert_eq!(found("same", "same"), []);
        assert_eq!(found("!!", "{};"), texts([("!!", "{};")]));
        assert_eq!(found("ﬁne one", "fine one"), texts([("ﬁne", "fine")]));
    }

    #[test]
    fn renamed_identifiers_and_masked_numbers_are_shown() {
        let text = TextOptions { keywords: Some(BTreeSet::new()), mask: Some(Mask::Numbers), ..TextOptions::code() };
        let features = Features::Set { text, shingle: ShingleOptions::default() };
        let found = compare(&features, "sum += a * 2;", "s += b*17;").unwrap();
        let sides = found.differences.iter().map(|place| &found.right_text[place.right.clone()]);
        assert_eq!(sides.collect::<Vec<_>>(), ["s", "b", "17"]);
        let code = Features::Set { text: TextOptions::code(), shingle: ShingleOptions::default() };
        assert_eq!(compare(&code, "if (a == b)", "if (a != b)").unwrap().differences, []);
    }

    #[test]
    fn texts_that_are_only_similar_have_none() {
        assert_eq!(found("one two three four five six", "one two three four five seven"), []);
    }

    #[test]
    fn repeated_passages_are_one_place() {
        // Six words over and over have the same six shingles, however often.
        let six = "a b c d e f ";
        assert_eq!(found(&six.repeat(3), &six.repeat(4)).len(), 1);
    }
}
