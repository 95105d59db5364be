//! AVX2 and AVX-512 versions.
//!
//! A byte gets its class from two tables of 16 entries, one for each half of it: the class is the AND of both entries. Each
//! bit of the class stands for one rectangle of the ASCII table:
//!
//! ```text
//! bit  halves                     bytes         bit  halves                 bytes
//!  0   high 4 6, low 1-f          A-O a-o        4   high 2, low 7 e        ' .
//!  1   high 5 7, low 0-a          P-Z p-z        5   high 3, low a          :
//!  2   high 3, low 0-9            0-9            6   high 3, low b          ;
//!  3   high 5, low f              _              7   high 2, low c          ,
//! ```

#![expect(unsafe_code, reason = "vector loads and stores, and calls of functions for a detected processor")]

use super::scalar::{count_common_at_least, fill_signature_inline};
use super::{AsciiBlocks, BLOCK, ByteClasses, LetterCase};
#[allow(clippy::wildcard_imports, reason = "the names of the instructions are unmistakable; tests do not warn")]
use std::arch::x86_64::*;

const LETTERS: i8 = 0b0000_0011;
const DIGITS: i8 = 0b0000_0100;
const UNDERSCORES: i8 = 0b0000_1000;
const BETWEEN_LETTERS: i8 = 0b0011_0000;
const BETWEEN_DIGITS: i8 = 0b1101_0000_u8 as i8;

/// Class bits by the lower half of a byte.
const BY_LOW: [u8; 16] = {
    let mut table = [0b0000_0001u8; 16];
    table[0] = 0;
    let mut low = 0;
    while low < 16 {
        if low <= 0xA {
            table[low] |= 0b10;
        }
        if low <= 9 {
            table[low] |= 0b100;
        }
        low += 1;
    }
    table[0xF] |= 0b1000;
    table[0x7] |= 0b1_0000;
    table[0xE] |= 0b1_0000;
    table[0xA] |= 0b10_0000;
    table[0xB] |= 0b100_0000;
    table[0xC] |= 0b1000_0000;
    table
};

/// Class bits by the upper half of a byte; none from 8 on, which is not ASCII.
const BY_HIGH: [u8; 16] = {
    let mut table = [0u8; 16];
    table[2] = 0b1001_0000;
    table[3] = 0b0110_0100;
    table[4] = 0b0001;
    table[5] = 0b1010;
    table[6] = 0b0001;
    table[7] = 0b0010;
    table
};

pub(super) fn classify_ascii_avx2(text: &[u8], case: LetterCase, blocks: &mut AsciiBlocks) {
    // SAFETY: `Kernel::checked` has found AVX2 on this processor.
    unsafe { classify_avx2(text, case, blocks) }
}

pub(super) fn classify_ascii_avx512(text: &[u8], case: LetterCase, blocks: &mut AsciiBlocks) {
    // SAFETY: `Kernel::checked` has found AVX-512 F and BW on this processor.
    unsafe { classify_avx512(text, case, blocks) }
}

pub(super) fn fill_signature_avx2(elements: &[u64], seed: u64, factors: &[u32], components: &mut [u32]) {
    #[target_feature(enable = "avx2")]
    fn fill(elements: &[u64], seed: u64, factors: &[u32], components: &mut [u32]) {
        fill_signature_inline(elements, seed, factors, components);
    }
    // SAFETY: `Kernel::checked` has found AVX2 on this processor.
    unsafe { fill(elements, seed, factors, components) }
}

pub(super) fn fill_signature_avx512(elements: &[u64], seed: u64, factors: &[u32], components: &mut [u32]) {
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn fill(elements: &[u64], seed: u64, factors: &[u32], components: &mut [u32]) {
        fill_signature_inline(elements, seed, factors, components);
    }
    // SAFETY: `Kernel::checked` has found these features on this processor.
    unsafe { fill(elements, seed, factors, components) }
}

pub(super) fn count_common_avx2(left: &[u64], right: &[u64], required: usize) -> Option<usize> {
    // SAFETY: `Kernel::checked` has found AVX2 on this processor.
    unsafe { count_common_by_blocks(left, right, required) }
}

/// Intersects two ascending slices block by block: compares all pairs of elements of two blocks at once and goes on to the
/// next block on the side whose last element is smaller (Inoue, Ohara, Taura, "Faster Set Intersection with SIMD
/// Instructions", PVLDB 2014, of which this is the simplest form). The scalar merge does what is left. Blocks of eight in
/// AVX-512 registers took half as long again.
#[target_feature(enable = "avx2")]
fn count_common_by_blocks(left: &[u64], right: &[u64], required: usize) -> Option<usize> {
    const LANES: usize = 4;
    let (mut left_rest, mut right_rest, mut common) = (left, right, 0);
    while let (Some(a), Some(b)) = (left_rest.first_chunk::<LANES>(), right_rest.first_chunk::<LANES>()) {
        if common + left_rest.len().min(right_rest.len()) < required {
            return None;
        }
        common += common_of_blocks(a, b) as usize;
        let (last_a, last_b) = (a[LANES - 1], b[LANES - 1]);
        left_rest = &left_rest[if last_a <= last_b { LANES } else { 0 }..];
        right_rest = &right_rest[if last_b <= last_a { LANES } else { 0 }..];
    }
    let rest = count_common_at_least(left_rest, right_rest, required.saturating_sub(common))?;
    Some(common + rest)
}

/// Number of equal pairs of two blocks: one is compared with each rotation of the other.
#[target_feature(enable = "avx2")]
fn common_of_blocks(a: &[u64; 4], b: &[u64; 4]) -> u32 {
    // SAFETY: both blocks have the 32 bytes that are read.
    let (a, b) = unsafe { (_mm256_loadu_si256(a.as_ptr().cast()), _mm256_loadu_si256(b.as_ptr().cast())) };
    let equal = |turned: __m256i| _mm256_cmpeq_epi64(a, turned);
    let any = _mm256_or_si256(
        _mm256_or_si256(equal(b), equal(_mm256_permute4x64_epi64::<0b00_11_10_01>(b))),
        _mm256_or_si256(
            equal(_mm256_permute4x64_epi64::<0b01_00_11_10>(b)),
            equal(_mm256_permute4x64_epi64::<0b10_01_00_11>(b)),
        ),
    );
    _mm256_movemask_pd(_mm256_castsi256_pd(any)).count_ones()
}

/// Calls `classify` with each block of the text; the last one is filled up with zeros, which have no class.
#[inline(always)]
fn for_each_block(
    text: &[u8],
    blocks: &mut AsciiBlocks,
    classify: impl Fn(&[u8; BLOCK], &mut [u8; BLOCK]) -> ByteClasses,
) {
    let (whole, rest) = text.as_chunks::<BLOCK>();
    let (out, _) = blocks.bytes.as_chunks_mut::<BLOCK>();
    for (block, out) in whole.iter().zip(out.iter_mut()) {
        blocks.masks.push(classify(block, out));
    }
    if let (false, Some(out)) = (rest.is_empty(), out.get_mut(whole.len())) {
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        blocks.masks.push(classify(&last, out));
    }
}

#[target_feature(enable = "avx2")]
fn classify_avx2(text: &[u8], case: LetterCase, blocks: &mut AsciiBlocks) {
    let difference = _mm256_set1_epi8(if case == LetterCase::Lower { 0x20 } else { 0 });
    let by_low = broadcast_avx2(&BY_LOW);
    let by_high = broadcast_avx2(&BY_HIGH);
    for_each_block(text, blocks, |block, out| {
        let mut halves = [ByteClasses::default(); 2];
        for (half, classes) in halves.iter_mut().enumerate() {
            // SAFETY: both halves of 32 bytes lie in the 64 bytes of the block.
            let bytes = unsafe { _mm256_loadu_si256(block.as_ptr().add(32 * half).cast()) };
            let is_capital = _mm256_and_si256(
                _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(b'A' as i8 - 1)),
                _mm256_cmpgt_epi8(_mm256_set1_epi8(b'Z' as i8 + 1), bytes),
            );
            let cased = _mm256_or_si256(bytes, _mm256_and_si256(is_capital, difference));
            // SAFETY: as for the load, in `out`.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().add(32 * half).cast(), cased) };
            let low = _mm256_and_si256(bytes, _mm256_set1_epi8(0x0F));
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(0x0F));
            let class = _mm256_and_si256(_mm256_shuffle_epi8(by_low, low), _mm256_shuffle_epi8(by_high, high));
            let members = |wanted: i8| {
                let none = _mm256_cmpeq_epi8(_mm256_and_si256(class, _mm256_set1_epi8(wanted)), _mm256_setzero_si256());
                u64::from(!_mm256_movemask_epi8(none) as u32)
            };
            *classes = by_class(members);
        }
        let [low, high] = halves;
        join_halves(low, high)
    });
}

#[target_feature(enable = "avx512f,avx512bw")]
fn classify_avx512(text: &[u8], case: LetterCase, blocks: &mut AsciiBlocks) {
    let difference = _mm512_set1_epi8(if case == LetterCase::Lower { 0x20 } else { 0 });
    // SAFETY: the tables have the 16 bytes that are read.
    let [by_low, by_high] =
        unsafe { [&BY_LOW, &BY_HIGH].map(|table| _mm512_broadcast_i32x4(_mm_loadu_si128(table.as_ptr().cast()))) };
    for_each_block(text, blocks, |block, out| {
        // SAFETY: the block has the 64 bytes that are read.
        let bytes = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
        let from_a = _mm512_sub_epi8(bytes, _mm512_set1_epi8(b'A' as i8));
        let is_capital = _mm512_cmplt_epu8_mask(from_a, _mm512_set1_epi8(26));
        let cased = _mm512_mask_add_epi8(bytes, is_capital, bytes, difference);
        // SAFETY: `out` has the 64 bytes that are written.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), cased) };
        let low = _mm512_and_si512(bytes, _mm512_set1_epi8(0x0F));
        let high = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), _mm512_set1_epi8(0x0F));
        let class = _mm512_and_si512(_mm512_shuffle_epi8(by_low, low), _mm512_shuffle_epi8(by_high, high));
        by_class(|wanted| _mm512_test_epi8_mask(class, _mm512_set1_epi8(wanted)))
    });
}

#[target_feature(enable = "avx2")]
fn broadcast_avx2(table: &[u8; 16]) -> __m256i {
    // SAFETY: the table has the 16 bytes that are read.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}

#[inline(always)]
fn by_class(members: impl Fn(i8) -> u64) -> ByteClasses {
    ByteClasses {
        letters: members(LETTERS),
        digits: members(DIGITS),
        underscores: members(UNDERSCORES),
        between_letters: members(BETWEEN_LETTERS),
        between_digits: members(BETWEEN_DIGITS),
    }
}

#[inline(always)]
fn join_halves(low: ByteClasses, high: ByteClasses) -> ByteClasses {
    ByteClasses {
        letters: low.letters | high.letters << 32,
        digits: low.digits | high.digits << 32,
        underscores: low.underscores | high.underscores << 32,
        between_letters: low.between_letters | high.between_letters << 32,
        between_digits: low.between_digits | high.between_digits << 32,
    }
}
