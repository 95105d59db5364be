//! The words of plain text, cut by bit masks of its classes, 64 bytes at a time.
//!
//! ```text
//! text      I t ' s   3 . 1 4 !        word bits: letters, digits, underscores, joiners of two letters or digits
//! words     1 1 1 1 0 1 1 1 1 0
//! starts    1 0 0 0 0 1 0 0 0 0        words AND NOT (words << 1), and starts of words directly after another
//! ends      0 0 0 0 1 0 0 0 0 1        (words << 1) AND NOT words, and the same
//! ```
//!
//! The masks become lists of places before any word is looked at: a loop from bit to bit would end at another time in
//! each block, which the processor cannot predict.

use super::stretches::OtherCharacter;
use crate::kernel::{AsciiBlocks, BLOCK, ByteClasses, Kernel};
use std::ops::Range;

/// The words of one plain stretch. Owns reusable buffers.
#[derive(Debug, Default, Clone)]
pub(in crate::text) struct PlainWords {
    start_masks: Vec<u64>,
    end_masks: Vec<u64>,
    /// One entry for each word, in bytes from the begin of the stretch.
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// The starts in the source, where a word is shorter than its source; else empty.
    source_starts: Vec<u32>,
}

impl PlainWords {
    /// Replaces the words by those of a plain text that has been classified and is shorter than 2^32 bytes.
    pub(in crate::text) fn cut(&mut self, blocks: &AsciiBlocks, kernel: Kernel) {
        let Self { start_masks, end_masks, starts, ends, source_starts } = self;
        starts.clear();
        ends.clear();
        source_starts.clear();
        let masks = &blocks.masks;
        start_masks.resize(masks.len(), 0);
        end_masks.resize(masks.len(), 0);
        let mut before = ByteClasses::default();
        let mut last_bit = 0;
        let mut any_underscore = false;
        let behind = masks.iter().skip(1).copied().chain([ByteClasses::default()]);
        let out = start_masks.iter_mut().zip(end_masks.iter_mut());
        masks.iter().zip(behind).zip(out).for_each(|((&here, after), (start_mask, end_mask))| {
            let words = word_bits(before, here, after);
            let shifted = words << 1 | last_bit;
            let again = here.starts & words & shifted;
            *start_mask = words & !shifted | again;
            *end_mask = !words & shifted | again;
            any_underscore |= *start_mask & here.underscores != 0;
            last_bit = words >> (BLOCK - 1);
            before = here;
        });
        kernel.append_places(start_masks, starts);
        kernel.append_places(end_masks, ends);
        if last_bit == 1 {
            ends.push((masks.len() * BLOCK) as u32);
        }
        if any_underscore {
            self.drop_underscores(&blocks.bytes);
        }
    }

    /// Replaces the apostrophes of several bytes in words by those of one: what is before them in the word moves up to
    /// them.
    ///
    /// ```text
    /// bytes   l ’ . . e a u        l ’ . . e a u
    ///         word = 0..7      ->  . . l ' e a u   word = 2..7
    /// ```
    pub(in crate::text) fn fold_apostrophes(&mut self, bytes: &mut [u8], others: &[OtherCharacter]) {
        for place in others.iter().filter_map(OtherCharacter::place_of_apostrophe) {
            let behind = self.starts.partition_point(|&start| (start as usize) < place.start);
            let Some(word) = behind.checked_sub(1).filter(|&word| self.ends[word] as usize >= place.end) else {
                continue;
            };
            if self.source_starts.is_empty() {
                self.source_starts.extend_from_slice(&self.starts);
            }
            let start = self.starts[word] as usize;
            let last = place.end - 1;
            bytes.copy_within(start..place.start, start + place.len() - 1);
            bytes[last] = b'\'';
            self.starts[word] += place.len() as u32 - 1;
        }
    }

    /// Drops the words that consist of underscores.
    fn drop_underscores(&mut self, bytes: &[u8]) {
        let mut kept = 0;
        for word in 0..self.starts.len() {
            let start = self.starts[word];
            let end = self.ends[word];
            (self.starts[kept], self.ends[kept]) = (start, end);
            kept += usize::from(!is_of_underscores(&bytes[start as usize..end as usize]));
        }
        self.starts.truncate(kept);
        self.ends.truncate(kept);
    }

    /// The range of each word in the classified bytes.
    pub(in crate::text) fn iter(&self) -> impl ExactSizeIterator<Item = Range<usize>> {
        self.starts.iter().zip(&self.ends).map(|(&start, &end)| start as usize..end as usize)
    }

    /// The range of each word in the stretch.
    pub(in crate::text) fn sources(&self) -> impl ExactSizeIterator<Item = Range<usize>> {
        let starts = if self.source_starts.is_empty() { &self.starts } else { &self.source_starts };
        starts.iter().zip(&self.ends).map(|(&start, &end)| start as usize..end as usize)
    }
}

fn is_of_underscores(word: &[u8]) -> bool {
    word.starts_with(b"_") && !word.iter().any(|&byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

/// The mask of the bytes that belong to words: rules WB5 to WB13 of Unicode Standard Annex 29, for plain text.
fn word_bits(before: ByteClasses, here: ByteClasses, after: ByteClasses) -> u64 {
    let joined = |joiners: u64, kind: fn(&ByteClasses) -> u64| {
        let from_left = kind(&here) << 1 | kind(&before) >> (BLOCK - 1);
        let from_right = kind(&here) >> 1 | kind(&after) << (BLOCK - 1);
        joiners & from_left & from_right
    };
    here.letters
        | here.digits
        | here.underscores
        | joined(here.between_letters, |classes| classes.letters)
        | joined(here.between_digits, |classes| classes.digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Apostrophes, AsciiForm, LetterCase};
    use crate::text::cut::cut_unicode;
    use proptest::prelude::{prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn ascii_is_cut_as_unicode_is(text in "[a-c1-3_.:,;' \n\"-]{0,300}|[ -~]{0,200}|[a-c_]{0,200}") {
            let form = AsciiForm { case: LetterCase::AsIs, apostrophes: Apostrophes::AsIs };
            let mut by_unicode = Vec::new();
            cut_unicode(&text, |range| by_unicode.push(&text[range]));
            for &kernel in Kernel::available() {
                let mut blocks = AsciiBlocks::default();
                let mut words = PlainWords::default();
                kernel.classify_ascii("a longer stretch ".repeat(40).as_bytes(), form, &mut blocks);
                words.cut(&blocks, kernel);
                kernel.classify_ascii(text.as_bytes(), form, &mut blocks);
                // The words of an earlier stretch have no effect.
                for _ in 0..2 {
                    words.cut(&blocks, kernel);
                    prop_assert_eq!(words.iter().map(|range| &text[range]).collect::<Vec<_>>(), by_unicode.clone());
                }
            }
        }
    }
}
