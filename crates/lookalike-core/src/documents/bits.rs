//! Fingerprints: strings of a fixed number of bits that somebody else has made, as perceptual hashes.
//!
//! A fingerprint is stored as the elements of a set, so that corpora, snapshots and groups of equal documents hold it
//! unchanged. Up to 64 bits are one element; more are cut into pieces of 48 bits, below the number of the piece, so
//! that the elements strictly ascend:
//!
//! ```text
//! width <= 64     [ bits 0..width ]
//! width >  64     [ 0 | bits 0..48 ] [ 1 | bits 48..96 ] [ 2 | bits 96..width ]
//!                  16   48
//! ```
//!
//! Bit 0 is the last bit of the last digit. All fingerprints of a width have equally many elements, so two of them
//! differ in the bits that the exclusive or of their elements has.

use super::ElementSet;
use crate::base::{Error, MAX_WIDTH, NotBits, Result};
use std::borrow::Cow;

/// Maximum width of a fingerprint that is one element.
const ELEMENT_BITS: u32 = u64::BITS;
/// Bits of a piece of a wider fingerprint.
const PIECE_BITS: u32 = 48;
/// Bits of a hexadecimal digit.
const DIGIT_BITS: u32 = 4;

/// Checks a width in bits.
///
/// # Errors
/// [`Error::Width`] unless it is from 1 to [`MAX_WIDTH`].
pub(crate) fn check_width(width: u32) -> Result<()> {
    if (1..=MAX_WIDTH).contains(&width) { Ok(()) } else { Err(Error::Width { found: width }) }
}

/// Returns for each element the bits that are bits of the fingerprint, and the number of the first of them.
pub fn element_masks(width: u32) -> impl Iterator<Item = (u64, u32)> {
    let step = if width <= ELEMENT_BITS { ELEMENT_BITS } else { PIECE_BITS };
    (0..width).step_by(step as usize).map(move |first| (u64::MAX >> (u64::BITS - step.min(width - first)), first))
}

/// The digits of a hexadecimal text, without `0x`.
fn digits_of(text: &str) -> &str {
    let text = text.trim_ascii();
    text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text)
}

/// Characters of a text that an error quotes.
const QUOTED_CHARACTERS: usize = 40;

fn quoted(text: &str) -> String {
    text.chars().take(QUOTED_CHARACTERS).collect()
}

/// Appends the elements of a fingerprint, given by exactly as many hexadecimal digits as it needs, with or without
/// `0x`.
///
/// # Errors
/// The text is no fingerprint of that width; nothing is appended.
pub fn parse_bits(text: &str, width: u32, elements: &mut Vec<u64>) -> std::result::Result<(), NotBits> {
    let digits = digits_of(text).as_bytes();
    let start = elements.len();
    for (number, part) in (0..).zip(digits.rchunks(digits_per_element(width))) {
        let Some(bits) = hexadecimal(part) else {
            elements.truncate(start);
            return Err(NotBits::NotHexadecimal { found: quoted(text) });
        };
        elements.push(number << PIECE_BITS | bits);
    }
    let expected = width.div_ceil(DIGIT_BITS) as usize;
    let beyond = || {
        element_masks(width).last().is_some_and(|(mask, first)| {
            let number = if first == 0 { 0 } else { u64::from(first / PIECE_BITS) << PIECE_BITS };
            elements.last().is_some_and(|&last| (last ^ number) & !mask != 0)
        })
    };
    let problem = if digits.is_empty() {
        Some(NotBits::NotHexadecimal { found: quoted(text) })
    } else if digits.len() != expected {
        Some(NotBits::Width { digits: digits.len(), expected: width })
    } else if beyond() {
        Some(NotBits::TooWide { found: quoted(text), expected: width })
    } else {
        None
    };
    problem.map_or(Ok(()), |problem| {
        elements.truncate(start);
        Err(problem)
    })
}

fn digits_per_element(width: u32) -> usize {
    let bits = if width <= ELEMENT_BITS { ELEMENT_BITS } else { PIECE_BITS };
    (bits / DIGIT_BITS) as usize
}

/// The number that at most sixteen digits spell; `None` if one is no digit.
fn hexadecimal(digits: &[u8]) -> Option<u64> {
    let append = |number, &digit: &u8| Some(number << DIGIT_BITS | u64::from(char::from(digit).to_digit(16)?));
    digits.iter().try_fold(0, append)
}

/// The hexadecimal digits of a fingerprint, the inverse of [`parse_bits`].
pub fn bits_to_text(elements: ElementSet<'_>, width: u32) -> String {
    let mut left = width.div_ceil(DIGIT_BITS) as usize;
    let parts = element_masks(width).zip(elements.elements()).map(|((mask, _), element)| {
        let digits = left.min(digits_per_element(width));
        left -= digits;
        format!("{:0digits$x}", element & mask)
    });
    let parts: Vec<String> = parts.collect();
    parts.into_iter().rev().collect()
}

/// Number of bits in which two fingerprints of equal width differ.
#[inline]
pub fn count_differing(left: ElementSet<'_>, right: ElementSet<'_>) -> u32 {
    left.iter().zip(right.elements()).map(|(left, right)| (left ^ right).count_ones()).sum()
}

/// The bits in which two fingerprints of equal width differ, ascending; bit 0 is the last of the last digit.
pub fn differing_bits(left: ElementSet<'_>, right: ElementSet<'_>, width: u32) -> Vec<u32> {
    let pairs = left.elements().iter().zip(right.elements());
    let differing = element_masks(width).zip(pairs).map(|((_, first), (left, right))| (first, left ^ right));
    differing
        .flat_map(|(first, bits)| (0..u64::BITS).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| first + bit))
        .collect()
}

/// A fingerprint, and how it is spelled: two spellings of one are equal, and not identical.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bits<'a> {
    spelled: Cow<'a, str>,
    width: u32,
    elements: Cow<'a, [u64]>,
}

impl<'a> Bits<'a> {
    /// The fingerprint of `width` bits that hexadecimal digits spell.
    ///
    /// # Errors
    /// As [`parse_bits`].
    pub fn parse(spelled: impl Into<Cow<'a, str>>, width: u32) -> std::result::Result<Self, NotBits> {
        let spelled = spelled.into();
        let mut elements = Vec::with_capacity(1);
        parse_bits(&spelled, width, &mut elements)?;
        Ok(Self { spelled, width, elements: Cow::Owned(elements) })
    }

    /// The fingerprint of 64 bits.
    pub fn from_hash(hash: u64) -> Bits<'static> {
        Bits { spelled: Cow::Owned(format!("{hash:016x}")), width: ELEMENT_BITS, elements: Cow::Owned(vec![hash]) }
    }

    /// Digits of the fingerprint as they were read.
    pub fn spelled(&self) -> &str {
        &self.spelled
    }

    /// Digits in the canonical spelling: small letters without `0x`.
    pub(crate) fn plain_digits(&self) -> String {
        digits_of(&self.spelled).to_ascii_lowercase()
    }

    pub(crate) fn borrowed(&self) -> Bits<'_> {
        let Self { spelled, width, elements } = self;
        Bits { spelled: Cow::Borrowed(spelled), width: *width, elements: Cow::Borrowed(elements) }
    }

    pub(crate) fn into_owned(self) -> Bits<'static> {
        let Self { spelled, width, elements } = self;
        Bits { spelled: Cow::Owned(spelled.into_owned()), width, elements: Cow::Owned(elements.into_owned()) }
    }

    /// Elements of the fingerprint among those of this width.
    pub(crate) fn elements(&self, width: u32) -> Result<ElementSet<'_>> {
        if width != self.width {
            return Err(NotBits::Width { digits: digits_of(&self.spelled).len(), expected: width }.into());
        }
        ElementSet::new(&self.elements)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::DocId;
    use crate::documents::ElementSets;
    use proptest::prelude::{any, prop_assert_eq, proptest};

    fn parsed(text: &str, width: u32) -> std::result::Result<Vec<u64>, NotBits> {
        let mut elements = vec![7];
        let result = parse_bits(text, width, &mut elements);
        assert_eq!(elements[0], 7);
        result.map(|()| elements[1..].to_vec())
    }

    #[test]
    fn digits_become_elements() {
        assert_eq!(parsed("00ff", 16).unwrap(), [255]);
        assert_eq!(parsed(" 0X00Ff\n", 16).unwrap(), [255]);
        assert_eq!(parsed("3ff", 10).unwrap(), [0x3ff]);
        assert_eq!(parsed("ffffffffffffffff", 64).unwrap(), [u64::MAX]);
        assert_eq!(parsed("10000000000000002", 65).unwrap(), [2, 1 << 48 | 1 << 16]);
    }

    #[test]
    fn what_is_no_fingerprint_of_the_width_is_refused() {
        assert_eq!(parsed("ff", 16), Err(NotBits::Width { digits: 2, expected: 16 }));
        assert_eq!(parsed("0xfffff", 16), Err(NotBits::Width { digits: 5, expected: 16 }));
        assert_eq!(parsed("7ff", 10), Err(NotBits::TooWide { found: "7ff".to_owned(), expected: 10 }));
        assert_eq!(
            parsed("30000000000000000", 65).unwrap_err().to_string(),
            "`30000000000000000` has more than 65 bits"
        );
        for text in ["", "0x", "zz", "é", "-1", "0x-f", "ff ff"] {
            assert!(matches!(parsed(text, 8), Err(NotBits::NotHexadecimal { .. })), "{text}");
        }
        let words = parsed("fffffffffffffff", 64).unwrap_err().to_string();
        assert_eq!(words, "15 hexadecimal digits have 60 bits; a fingerprint of 64 bits has 16");
    }

    proptest! {
        #[test]
        fn fingerprints_come_back_and_differ_in_the_bits_that_differ(
            width in 1u32..300, words in any::<[[u64; 5]; 2]>(),
        ) {
            let bit = |words: &[u64; 5], bit: u32| words[(bit / 64) as usize] >> (bit % 64) & 1;
            let digit = |words: &[u64; 5], digit: u32| {
                let places = (0..4).filter(|at| digit * 4 + at < width);
                let value = places.map(|at| bit(words, digit * 4 + at) << at).sum::<u64>();
                char::from_digit(value as u32, 16).unwrap()
            };
            let text = |words| (0..width.div_ceil(4)).rev().map(|at| digit(words, at)).collect::<String>();
            let mut sets = ElementSets::new();
            for words in &words {
                sets.push(Bits::parse(text(words), width).unwrap().elements(width).unwrap()).unwrap();
            }
            let [a, b] = [sets.get(DocId(0)), sets.get(DocId(1))];
            prop_assert_eq!(bits_to_text(a, width), text(&words[0]));
            prop_assert_eq!(a.len(), element_masks(width).count());
            let differing: Vec<u32> = (0..width).filter(|&at| bit(&words[0], at) != bit(&words[1], at)).collect();
            prop_assert_eq!(count_differing(a, b) as usize, differing.len());
            prop_assert_eq!(differing_bits(a, b, width), differing);
        }
    }
}
