//! The overlap of two texts by their tokens themselves: no hash is believed.
//!
//! Element sets hold hashes of shingles under a key that anybody can know, so texts can be made whose sets have more in
//! common than the texts. Here the distinct tokens of both texts are numbered by a table that compares them byte by
//! byte; shingles are sequences of these numbers, and they are compared as sequences.

use crate::base::Result;
use crate::comparison::Features;
use crate::documents::{Content, Multiplicity};
use crate::kernel::Kernel;
use crate::sets::{ShingleOptions, shingle_ranges};
use crate::similarity::Overlap;
use crate::text::Tokenizer;
use std::collections::BTreeMap;

/// Computes overlaps of texts by their tokens. Owns reusable buffers: create one per thread.
#[derive(Debug, Clone)]
pub struct TokenOverlaps {
    options: ShingleOptions,
    tokenizer: Tokenizer,
    short: ShortTokens,
    /// True if a text as a whole is all that is compared of it.
    are_whole: bool,
}

/// Relation of a text of fewer tokens than a shingle to a longer one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ShortTokens {
    /// The one shingle of the text has the length of the text, which shingles of longer texts do not have.
    #[default]
    Apart,
    /// A text that has its tokens inside has its shingle as one more element: for containment.
    LookedUp,
}

impl TokenOverlaps {
    /// Makes the overlap of texts with these features; [`Features::check`] must hold.
    pub fn new(features: &Features, kernel: Kernel) -> Self {
        let options = features.shingle();
        let tokenizer = features.tokenizer(kernel);
        Self { options, tokenizer, short: ShortTokens::Apart, are_whole: *features == Features::WholeText }
    }

    /// Sets another rule for short texts.
    #[must_use]
    pub fn with_short(self, short: ShortTokens) -> Self {
        Self { short, ..self }
    }

    /// The sizes of the shingle sets (or bags) of two texts and of their intersection. A whole text is one element.
    /// Takes time in proportion to n log n for n tokens.
    ///
    /// ```
    /// use lookalike_core::comparison::Features;
    /// use lookalike_core::evidence::TokenOverlaps;
    /// use lookalike_core::kernel::Kernel;
    /// use lookalike_core::sets::ShingleOptions;
    ///
    /// let features = Features::shingles(ShingleOptions::words(2));
    /// let mut overlaps = TokenOverlaps::new(&features, Kernel::detect());
    /// let overlap = overlaps.overlap("The dog chased the cat", "the cat chased the dog!")?;
    /// assert_eq!(overlap.jaccard(), 3.0 / 5.0);
    /// # Ok::<(), lookalike_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::OtherContent`].
    pub fn overlap<'c>(&mut self, left: impl Into<Content<'c>>, right: impl Into<Content<'c>>) -> Result<Overlap> {
        let [left, right] = [left.into(), right.into()];
        if self.are_whole {
            return Ok(Overlap { common: usize::from(left == right), left: 1, right: 1 });
        }
        let mut numbers = BTreeMap::new();
        let left = self.numbered(left.to_cut(self.options.size.unit)?, &mut numbers);
        let right = self.numbered(right.to_cut(self.options.size.unit)?, &mut numbers);
        let short = [&left, &right].map(|tokens| (1..self.options.size.tokens).contains(&tokens.len()));
        let stands_in = |text: &[u32], other: &[u32]| text != other && other.windows(text.len()).any(|run| run == text);
        let is_inside = self.short == ShortTokens::LookedUp;
        let inside =
            [is_inside && short[0] && stands_in(&left, &right), is_inside && short[1] && stands_in(&right, &left)];
        let [left, right] = [&left, &right].map(|tokens| self.shingles(tokens));
        match inside {
            [true, _] => return Ok(Overlap { common: 1, left: 1, right: right.values().sum::<usize>() + 1 }),
            [_, true] => return Ok(Overlap { common: 1, left: left.values().sum::<usize>() + 1, right: 1 }),
            [false, false] => {}
        }
        let common = left.iter().map(|(shingle, &count)| count.min(right.get(shingle).copied().unwrap_or(0)));
        Ok(Overlap { common: common.sum(), left: left.values().sum(), right: right.values().sum() })
    }

    /// The tokens of a text as numbers, equal ones under equal numbers.
    fn numbered(&mut self, text: &str, numbers: &mut BTreeMap<String, u32>) -> Vec<u32> {
        let visible = self.tokenizer.visible_text(text).into_owned();
        let mut tokens = Vec::new();
        self.tokenizer.tokenize(&visible, self.options.size.unit, |token| {
            let number = numbers.get(token.text).copied().unwrap_or_else(|| {
                let new = numbers.len() as u32;
                numbers.insert(token.text.to_owned(), new);
                new
            });
            tokens.push(number);
        });
        tokens
    }

    /// The distinct shingles of a text, with the number of their occurrences in a bag and 1 in a set.
    fn shingles<'t>(&self, tokens: &'t [u32]) -> BTreeMap<&'t [u32], usize> {
        let mut shingles = BTreeMap::new();
        for range in shingle_ranges(tokens.len(), self.options) {
            let count = shingles.entry(&tokens[range]).or_insert(0);
            *count = match self.options.multiplicity {
                Multiplicity::Set | Multiplicity::Counted => 1,
                Multiplicity::Bag => *count + 1,
            };
        }
        shingles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::{HashBits, ShingleSize};
    use crate::text::{Items, Mask, TextOptions, TextUnit, TokenUnit};
    use proptest::prelude::{prop_assert_eq, prop_oneof, proptest};
    use proptest::strategy::Just;

    fn by_hashes(features: &Features, left: &str, right: &str) -> Overlap {
        crate::evidence::compare(features, left, right).unwrap().overlap
    }

    proptest! {
        #[test]
        fn tokens_have_the_overlap_that_hashes_say(
            left in "[a-c]{0,3}([ .][a-c]{1,2}){0,12}", right in "[a-cé漢字]{0,3}([ .][a-c]{1,2}){0,12}",
            tokens in 1usize..6, stride in 1usize..6,
            unit in prop_oneof![
                Just(TokenUnit::Word), Just(TokenUnit::Character), Just(TokenUnit::TextUnit(TextUnit::Sentence)),
            ],
            multiplicity in prop_oneof![Just(Multiplicity::Set), Just(Multiplicity::Bag)],
        ) {
            // A larger stride is refused.
            let size = ShingleSize { unit, tokens };
            let stride = stride.min(tokens);
            let options = ShingleOptions { size, stride, multiplicity, ..ShingleOptions::default() };
            let features = Features::shingles(options);
            let mut overlaps = TokenOverlaps::new(&features, Kernel::detect());
            prop_assert_eq!(overlaps.overlap(&left, &right).unwrap(), by_hashes(&features, &left, &right));
        }
    }

    proptest! {
        #[test]
        fn tokens_of_code_and_lines_of_them_have_the_overlap_that_hashes_say(
            left in "([a-c =!;(1.]|\n){0,40}", right in "([a-c =!;(1.]|\n){0,40}", size in 1usize..4,
            is_blind: bool, unit in prop_oneof![Just(TokenUnit::Word), Just(TokenUnit::TextUnit(TextUnit::Line))],
        ) {
            let keywords = is_blind.then(|| ["a".to_owned()].into());
            let text = TextOptions { keywords, mask: Some(Mask::Numbers), ..TextOptions::code() };
            let size = ShingleSize { unit, tokens: size };
            let features = Features::Set { text, shingle: ShingleOptions { size, ..ShingleOptions::default() } };
            let mut overlaps = TokenOverlaps::new(&features, Kernel::detect());
            prop_assert_eq!(overlaps.overlap(&left, &right).unwrap(), by_hashes(&features, &left, &right));
        }
    }

    #[test]
    fn items_are_compared_as_they_are() {
        let features = Features::shingles(ShingleOptions::items());
        let mut overlaps = TokenOverlaps::new(&features, Kernel::detect());
        let [left, right] = ["milk\0Bread\0", "bread\0milk\0eggs\0"].map(Items::from_stored);
        assert_eq!(overlaps.overlap(left, right).unwrap(), Overlap { common: 1, left: 2, right: 3 });
        assert!(overlaps.overlap("milk", "milk").is_err());
    }

    /// Some 80,000 words are enough for a pair of equal hashes of 32 bits; for 64 bits the key is in the source.
    #[test]
    fn texts_with_equal_hashes_are_distinguished() {
        let options = ShingleOptions { hash_bits: HashBits::Bits32, ..ShingleOptions::words(1) };
        let features = Features::shingles(options);
        let mut shingler = features.shingler(Kernel::detect());
        let mut words: Vec<(Vec<u64>, String)> = (0..200_000)
            .map(|number| format!("word{number}"))
            .map(|word| (shingler.shingle(&word).unwrap(), word))
            .collect();
        words.sort_unstable();
        let pair = words.windows(2).find(|pair| pair[0].0 == pair[1].0).unwrap();
        assert_eq!(by_hashes(&features, &pair[0].1, &pair[1].1).common, 1);
        let mut overlaps = TokenOverlaps::new(&features, Kernel::detect());
        assert_eq!(
            overlaps.overlap(&pair[0].1, &pair[1].1).unwrap(),
            Overlap { common: 0, left: 1, right: 1 },
            "{pair:?}"
        );
    }
}
