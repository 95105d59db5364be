//! The choice of a version of the inner loops, at run time.
#![cfg_attr(
    any(target_arch = "x86_64", target_arch = "aarch64"),
    expect(unsafe_code, reason = "calls of functions for a detected processor")
)]

use super::blocks::LaneRow;
use super::blocks::{AsciiBlocks, AsciiForm};
use super::minima::{Dimension, Samples};
#[cfg(target_arch = "aarch64")]
use super::neon;
use super::sha1::{BLOCK_WORDS, Lanes};
use super::{minima, scalar, sha1, strings};
#[cfg(target_arch = "x86_64")]
use super::{vbmi2, x86};
use crate::base::{Error, Result};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A version of the inner loops, by instruction set. Its stored name is the variant in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kernel {
    /// Portable code without intrinsics.
    Scalar,
    /// x86-64 with AVX2 and POPCNT.
    Avx2,
    /// x86-64 with AVX-512 F, BW, DQ and VL; VBMI2 is used where it is there.
    Avx512,
    /// 64-bit ARM, all of which has NEON.
    Neon,
}

impl Kernel {
    /// The fastest version that this processor supports.
    pub fn detect() -> Self {
        *Self::available().last().unwrap_or(&Self::Scalar)
    }

    /// Returns all versions that this processor supports, from scalar to the fastest.
    pub fn available() -> &'static [Self] {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            let has_avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            return if has_avx512 { &[Self::Scalar, Self::Avx2, Self::Avx512] } else { &[Self::Scalar, Self::Avx2] };
        }
        #[cfg(target_arch = "aarch64")]
        return &[Self::Scalar, Self::Neon];
        #[cfg(not(target_arch = "aarch64"))]
        &[Self::Scalar]
    }

    /// The version itself if this processor supports it, else scalar. This makes the calls of vector code sound.
    pub(super) fn checked(self) -> Self {
        if Self::available().contains(&self) { self } else { Self::Scalar }
    }

    /// Calls `loops`, compiled for the instruction set of this version: the compiler vectorizes what is inlined there,
    /// so the closure must be `#[inline(always)]`, as must all that it calls.
    #[inline(always)]
    fn compiled<R>(self, loops: impl FnOnce() -> R) -> R {
        match self.checked() {
            // SAFETY: `checked` has found the instructions of this version on this processor, here and below.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { x86::with_avx2(loops) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { x86::with_avx512(loops) },
            _ => loops(),
        }
    }

    /// Fills `blocks` with the bytes of `text` in the given case and their classes; only ASCII bytes get a class.
    pub(crate) fn classify_ascii(self, text: &[u8], form: AsciiForm, blocks: &mut AsciiBlocks) {
        blocks.prepare(text.len());
        match self.checked() {
            // SAFETY: as in `compiled`.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { x86::classify_ascii_avx2(text, form, blocks) },
            // SAFETY: as in `compiled`.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { x86::classify_ascii_avx512(text, form, blocks) },
            // SAFETY: every 64-bit ARM processor has NEON.
            #[cfg(target_arch = "aarch64")]
            Self::Neon => unsafe { neon::classify_ascii(text, form, blocks) },
            _ => scalar::classify_ascii(text, form, blocks),
        }
    }

    /// Appends the place of each bit that is set in a sequence of masks, from the lowest bit of the first one on.
    pub(crate) fn append_places(self, masks: &[u64], places: &mut Vec<u32>) {
        match self.checked() {
            // SAFETY: as in `compiled`, and `is_available` has found the rest.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 if vbmi2::is_available() => unsafe { vbmi2::append_places(masks, places) },
            // SAFETY: as in `compiled`.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { x86::append_places_avx512(masks, places) },
            _ => scalar::append_places(masks, places),
        }
    }

    /// Appends the place of the first byte of each character that is not ASCII, in bytes of UTF-8.
    pub(crate) fn append_non_ascii(self, text: &[u8], places: &mut Vec<u32>) {
        match self.checked() {
            // SAFETY: as in `compiled`, and `is_available` has found the rest.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 if vbmi2::is_available() => unsafe { vbmi2::append_non_ascii(text, places) },
            _ => scalar::append_non_ascii(text, places),
        }
    }

    /// Appends a JSON string to `text`, of which `rest` is the part after the opening quotation mark, from the byte
    /// `at` on: with the escapes of one character resolved (RFC 8259, section 7), up to the first quotation mark,
    /// escape of another kind or the end. Returns where that stands.
    pub fn unescape(self, rest: &str, at: usize, text: &mut String) -> usize {
        match self.checked() {
            // SAFETY: as in `compiled`, and `is_available` has found the rest.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 if vbmi2::is_available() => unsafe { vbmi2::unescape(rest, at, text) },
            // SAFETY: as in `compiled`.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 | Self::Avx512 => unsafe { x86::unescape_avx2(rest, at, text) },
            _ => strings::unescape(rest, at, text),
        }
    }

    /// Fills the components of a one-permutation signature; see [`crate::signatures::OnePermutationMinHash`]. `factors`
    /// has one odd number per component.
    pub(crate) fn fill_signature(self, elements: &[u64], seed: u64, factors: &[u32], components: &mut [u32]) {
        self.compiled(
            #[inline(always)]
            || scalar::fill_signature(elements, seed, factors, components),
        );
    }

    /// Lowers each component to the minimum over all elements x of (a x + b) mod 2^32, with the numbers a and b of the
    /// component.
    pub(crate) fn lower_by_affine(self, elements: &[u32], numbers: [&[u32]; 2], components: &mut [u32]) {
        self.compiled(
            #[inline(always)]
            || minima::lower_by_affine(elements, numbers, components),
        );
    }

    /// Lowers each component to the minimum over all elements x of (((a x + b) mod 2^64) mod (2^61 - 1)) mod 2^32, with
    /// the numbers a and b of the component.
    pub(crate) fn lower_by_prime(self, elements: &[u64], numbers: [&[u64]; 2], components: &mut [u32]) {
        self.compiled(
            #[inline(always)]
            || minima::lower_by_prime(elements, numbers, components),
        );
    }

    /// Lowers samples to those of a dimension where its values are lower.
    pub(crate) fn lower_by_dimension(self, dimension: Dimension<'_>, samples: &mut Samples) {
        self.compiled(
            #[inline(always)]
            || minima::lower_by_dimension(dimension, samples),
        );
    }

    /// Returns whether [`Self::sha1_first_words`] takes less time than one message after the other.
    pub(crate) fn has_wide_sha1(self) -> bool {
        self.checked() == Self::Avx512
    }

    /// The first words of the SHA-1 of messages of one block each, given by the words of their blocks.
    pub(crate) fn sha1_first_words(self, words: [Lanes; BLOCK_WORDS]) -> Lanes {
        self.compiled(
            #[inline(always)]
            || sha1::sha1_first_words(words),
        )
    }

    /// Number of common elements of two strictly ascending slices; `None` as soon as it is known to be below
    /// `required`. A count below `required` that was noticed only at the end is returned.
    pub(crate) fn count_common_at_least(self, left: &[u64], right: &[u64], required: usize) -> Option<usize> {
        match self.checked() {
            // SAFETY: as in `compiled`.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 | Self::Avx512 => unsafe { x86::count_common_avx2(left, right, required) },
            _ => scalar::count_common_at_least(left, right, required),
        }
    }

    /// Appends the places of those of `others` that differ from `one` in at most `max` bits.
    pub(crate) fn append_near<const W: usize>(
        self,
        one: &[u64; W],
        others: &[[u64; W]],
        max: u32,
        near: &mut Vec<u32>,
    ) {
        self.min(Self::Avx2).compiled(
            #[inline(always)]
            || scalar::append_near(one, others, max, near),
        );
    }

    /// Number of bits in which two odd sketches differ, after `long` is folded to the length of `short`; both lengths
    /// are powers of two.
    pub(crate) fn count_differing_bits(self, short: &[u64], long: &[u64]) -> u32 {
        self.min(Self::Avx2).compiled(
            #[inline(always)]
            || scalar::count_differing_bits(short, long),
        )
    }

    /// The sum of the products of numbers that are not negative, place by place; it must be below 2^31.
    pub(crate) fn sum_of_products(self, left: &[i16], right: &[i16]) -> u32 {
        match self.checked() {
            // SAFETY: as in `compiled`.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { x86::sum_of_products_avx512(left, right) },
            other => other.compiled(
                #[inline(always)]
                || scalar::sum_of_products(left, right),
            ),
        }
    }

    /// Calls `found` with 0 or 1 and the place of each document of `many` whose sum of products with the first or the
    /// second of `two` is `min` or more, where `min` is above 0; the places of each of the two ascend. No number is
    /// negative, and sums must be below 2^31. Of each [`super::LANES`] documents there are `ROWS` rows.
    pub(crate) fn find_products<const ROWS: usize>(
        self,
        two: [&[[i8; 4]; ROWS]; 2],
        many: &[LaneRow],
        min: u32,
        found: impl FnMut(usize, usize),
    ) {
        match self.checked() {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => x86::find_products_avx2(two, many, min, found),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => x86::find_products_avx512(two, many, min, found),
            _ => scalar::find_products(two, many, min, found),
        }
    }
}

impl FromStr for Kernel {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "scalar" => Ok(Self::Scalar),
            "avx2" => Ok(Self::Avx2),
            "avx512" => Ok(Self::Avx512),
            "neon" => Ok(Self::Neon),
            _ => Err(Error::Kernel { found: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::blocks::LANES;
    use super::super::blocks::{Apostrophes, BLOCK, ByteClasses, LetterCase};
    use super::*;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
    use std::collections::BTreeSet;

    const FORMS: [AsciiForm; 4] = [
        AsciiForm { case: LetterCase::AsIs, apostrophes: Apostrophes::AsIs },
        AsciiForm { case: LetterCase::AsIs, apostrophes: Apostrophes::Alike },
        AsciiForm { case: LetterCase::Lower, apostrophes: Apostrophes::AsIs },
        AsciiForm { case: LetterCase::Lower, apostrophes: Apostrophes::Alike },
    ];

    fn classes(kernel: Kernel, text: &[u8], form: AsciiForm) -> (Vec<u8>, Vec<ByteClasses>) {
        let mut blocks = AsciiBlocks::default();
        kernel.classify_ascii(text, form, &mut blocks);
        (blocks.bytes[..text.len()].to_vec(), blocks.masks)
    }

    fn signature(kernel: Kernel, elements: &[u64], components: usize) -> Vec<u32> {
        let seeds: Vec<u32> = (0..components as u32).map(|slot| slot.wrapping_mul(0x9E37_79B9)).collect();
        let mut signature = vec![7; components];
        kernel.fill_signature(elements, 99, &seeds, &mut signature);
        signature
    }

    #[test]
    fn every_byte_has_its_class_in_every_kernel() {
        let text: Vec<u8> = (0..=255).cycle().take(600).collect();
        for &kernel in Kernel::available() {
            for form in FORMS {
                let (bytes, masks) = classes(kernel, &text, form);
                for (at, (&byte, &source)) in bytes.iter().zip(&text).enumerate() {
                    let has = |mask: u64| mask >> (at % BLOCK) & 1 == 1;
                    let found = masks[at / BLOCK];
                    let is_grave = source == b'`' && form.apostrophes == Apostrophes::Alike;
                    let source = if is_grave { b'\'' } else { source };
                    assert_eq!(byte, if form.case == LetterCase::Lower { source.to_ascii_lowercase() } else { source });
                    assert_eq!(has(found.letters), source.is_ascii_alphabetic());
                    assert_eq!(has(found.digits), source.is_ascii_digit());
                    assert_eq!(has(found.underscores), source == b'_');
                    assert_eq!(has(found.between_letters), b".':".contains(&source));
                    assert_eq!(has(found.between_digits), b".',;".contains(&source));
                }
            }
        }
    }

    #[test]
    fn kernels_agree_around_the_ends_of_blocks() {
        let text = b"Ab_1.,;:'` -Z".repeat(30);
        let elements: Vec<u64> = (0..300).map(crate::base::hash::mix64).collect();
        for &kernel in Kernel::available() {
            for length in [0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300] {
                let text = &text[..length];
                for form in FORMS {
                    assert_eq!(classes(kernel, text, form), classes(Kernel::Scalar, text, form), "{kernel:?} {length}");
                }
                for components in [1, 16, 17, 128] {
                    let elements = &elements[..length];
                    let expected = signature(Kernel::Scalar, elements, components);
                    assert_eq!(signature(kernel, elements, components), expected, "{kernel:?} {length} {components}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn common_elements_are_counted_alike(
            left in proptest::collection::btree_set(0u64..120, 0..90),
            right in proptest::collection::btree_set(0u64..120, 0..90),
            required in 0usize..60,
        ) {
            let common = left.intersection(&right).count();
            let [left, right] = [left, right].map(|set| set.into_iter().collect::<Vec<u64>>());
            for &kernel in Kernel::available() {
                prop_assert_eq!(kernel.count_common_at_least(&left, &right, 0), Some(common));
                // A count below the bound may be noticed late, but no reachable bound is given up.
                let found = kernel.count_common_at_least(&left, &right, required);
                prop_assert!(found == Some(common) || found.is_none() && common < required);
            }
        }

        #[test]
        fn products_are_added_alike(
            numbers in proptest::collection::vec((0i16..=i16::MAX, 0i16..=i16::MAX), 0..2),
            small in proptest::collection::vec((0i16..2000, 0i16..2000), 0..250),
        ) {
            // One of the largest products and 250 small ones are below 2^31 together.
            let pairs: Vec<(i16, i16)> = numbers.into_iter().chain(small).collect();
            let (left, right): (Vec<i16>, Vec<i16>) = pairs.iter().copied().unzip();
            let product = |&(a, b): &(i16, i16)| u64::from(a.unsigned_abs()) * u64::from(b.unsigned_abs());
            let expected: u64 = pairs.iter().map(product).sum();
            for &kernel in Kernel::available() {
                prop_assert_eq!(u64::from(kernel.sum_of_products(&left, &right)), expected);
            }
        }

        #[test]
        fn documents_are_found_alike(
            two in proptest::array::uniform2(proptest::array::uniform5(proptest::array::uniform4(0i8..=127))),
            seed in any::<u64>(), groups in 0usize..4, largest in 0usize..8,
        ) {
            const ROWS: usize = 5;
            let number = |at: usize| (crate::base::hash::mix64(seed ^ at as u64) % 128) as i8;
            let four = |at: usize| std::array::from_fn(|place| number(4 * at + place));
            let of_random = |at: usize| LaneRow(std::array::from_fn(|lane| four(at * LANES + lane)));
            let of_largest = LaneRow([[i8::MAX; 4]; LANES]);
            let row = |at: usize| if at % ROWS == largest { of_largest } else { of_random(at) };
            let many: Vec<LaneRow> = (0..groups * ROWS).map(row).collect();
            let product = |which: usize, place: usize| {
                let rows = many[place / LANES * ROWS..][..ROWS].iter();
                let numbers = two[which].iter().flatten().zip(rows.flat_map(|row| row.0[place % LANES]));
                numbers.map(|(&a, b)| u32::from(a.unsigned_abs()) * u32::from(b.unsigned_abs())).sum::<u32>()
            };
            let all = || (0..groups * LANES).flat_map(|place| [(0, place), (1, place)]);
            let some = all().step_by(17).map(|(which, place)| product(which, place).max(1));
            for min in some.chain([1, 1 << 30]) {
                let reaching = all().filter(|&(which, place)| product(which, place) >= min);
                let expected: BTreeSet<(usize, usize)> = reaching.collect();
                for &kernel in Kernel::available() {
                    let mut found = Vec::new();
                    kernel.find_products(two.each_ref(), &many, min, |which, place| found.push((which, place)));
                    prop_assert!((0..2).all(|one| found.iter().filter(|&&(which, _)| which == one).is_sorted()));
                    prop_assert_eq!(found.len(), expected.len());
                    prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected.clone(), "{:?}", kernel);
                }
            }
        }

        #[test]
        fn strings_are_copied_up_to_what_is_not_simple(
            rest in r#"([a-zé€ ]{0,70}(\\["\\/bfnrtuxé€漢]|"|\\u00e9|(\\\\){1,70}|(\\n){1,70})?){0,9}\\?"#,
            from in any::<proptest::sample::Index>(),
        ) {
            let starts: Vec<usize> = rest.char_indices().map(|(at, _)| at).chain([rest.len()]).collect();
            let from = *from.get(&starts);
            let mut expected = "before".to_owned();
            let mut characters = rest[from..].char_indices();
            let stop = loop {
                let Some((at, character)) = characters.next() else { break rest.len() };
                match (character, characters.clone().next().map(|(_, next)| next)) {
                    ('"', _) => break from + at,
                    ('\\', Some(next)) if "\"\\/bfnrt".contains(next) => {
                        characters.next();
                        let spelled = format!("\"\\{next}\"");
                        expected += &serde_json::from_str::<String>(&spelled).unwrap();
                    }
                    ('\\', _) => break from + at,
                    (plain, _) => expected.push(plain),
                }
            };
            for &kernel in Kernel::available() {
                let mut text = "before".to_owned();
                prop_assert_eq!(kernel.unescape(&rest, from, &mut text), stop);
                prop_assert_eq!(&text, &expected);
            }
        }

        #[test]
        fn characters_are_found_where_they_begin(text in "([a-z ]{0,70}[é€𝄞漢]{0,3}){0,9}[a-z]{0,9}") {
            let mut expected = vec![7];
            expected.extend(text.char_indices().filter(|(_, it)| !it.is_ascii()).map(|(place, _)| place as u32));
            for &kernel in Kernel::available() {
                let mut places = vec![7];
                kernel.append_non_ascii(text.as_bytes(), &mut places);
                prop_assert_eq!(&places, &expected);
            }
        }

        #[test]
        fn places_are_those_of_the_bits(masks in proptest::collection::vec(proptest::option::of(any::<u64>()), 0..40)) {
            let masks: Vec<u64> = masks.into_iter().map(Option::unwrap_or_default).collect();
            let is_set = |&place: &u32| masks[place as usize / 64] >> (place % 64) & 1 == 1;
            let mut expected = vec![7, 8];
            expected.extend((0..64 * masks.len() as u32).filter(is_set));
            for &kernel in Kernel::available() {
                let mut places = vec![7, 8];
                kernel.append_places(&masks, &mut places);
                prop_assert_eq!(&places, &expected);
            }
            // Processors with VBMI2 never choose this version.
            #[cfg(target_arch = "x86_64")]
            if Kernel::available().contains(&Kernel::Avx512) {
                let mut places = vec![7, 8];
                // SAFETY: the processor has AVX-512 F and BW.
                unsafe { x86::append_places_avx512(&masks, &mut places) };
                prop_assert_eq!(&places, &expected);
            }
        }

        #[test]
        fn kernels_agree(
            text in "[ -~\t\n]{0,140}", elements in proptest::collection::vec(any::<u64>(), 0..140),
            components in 1usize..140,
        ) {
            for &kernel in Kernel::available() {
                for form in FORMS {
                    let expected = classes(Kernel::Scalar, text.as_bytes(), form);
                    prop_assert_eq!(classes(kernel, text.as_bytes(), form), expected);
                }
                let expected = signature(Kernel::Scalar, &elements, components);
                prop_assert_eq!(signature(kernel, &elements, components), expected);
            }
        }
    }
}
