//! The AVX2 and AVX-512 versions; those that need VBMI2 are in `vbmi2.rs`. Signatures need no intrinsics: the compiler
//! vectorizes the scalar body.

#![expect(unsafe_code, reason = "vector loads and stores, and calls of functions for a detected processor")]

use super::blocks::{AsciiBlocks, AsciiForm, ByteClasses};
use super::blocks::{LANES, LaneRow};
use super::scalar::{count_common_at_least, sum_of_products};
use super::strings::unescape_inline;
use super::tables::{BY_HIGH, BY_LOW, by_class, for_each_block};
#[allow(clippy::wildcard_imports, reason = "the names of the instructions are unmistakable; tests do not warn")]
use std::arch::x86_64::*;

/// Calls `loops`, compiled for AVX2 and POPCNT.
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn with_avx2<R>(loops: impl FnOnce() -> R) -> R {
    loops()
}

/// Calls `loops`, compiled for AVX-512 F, BW, DQ and VL.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt")]
pub(super) fn with_avx512<R>(loops: impl FnOnce() -> R) -> R {
    loops()
}

#[target_feature(enable = "avx2")]
pub(super) fn unescape_avx2(rest: &str, at: usize, text: &mut String) -> usize {
    let quote = _mm256_set1_epi8(b'"' as i8);
    let backslash = _mm256_set1_epi8(b'\\' as i8);
    unescape_inline::<32>(rest, at, text, |block| {
        // SAFETY: the block has the 32 bytes that are read.
        let bytes = unsafe { _mm256_loadu_si256(block.as_ptr().cast()) };
        let special = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, quote), _mm256_cmpeq_epi8(bytes, backslash));
        (_mm256_movemask_epi8(special) as u32).trailing_zeros() as usize
    })
}

/// Moves the numbers of the bits that are set in 16 bits of a mask to the begin of a register, which is stored whole:
/// the next store begins where the right ones end.
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
pub(super) fn append_places_avx512(masks: &[u64], places: &mut Vec<u32>) {
    const LANES: usize = 16;
    let mut len = places.len();
    let count: usize = masks.iter().map(|mask| mask.count_ones() as usize).sum();
    places.reserve(count + LANES);
    let step = _mm512_set1_epi32(LANES as i32);
    let mut numbers = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for &mask in masks {
        for part in [mask as u16, (mask >> 16) as u16, (mask >> 32) as u16, (mask >> 48) as u16] {
            let set = _mm512_maskz_compress_epi32(part, numbers);
            // SAFETY: up to `count` places are in use before the last store, and there is memory for 16 more.
            unsafe { _mm512_storeu_si512(places.as_mut_ptr().add(len).cast(), set) };
            len += part.count_ones() as usize;
            numbers = _mm512_add_epi32(numbers, step);
        }
    }
    // SAFETY: the places up to `len` were stored, within the memory that was reserved.
    unsafe { places.set_len(len) };
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn sum_of_products_avx512(left: &[i16], right: &[i16]) -> u32 {
    const REGISTER: usize = 32;
    let left = left.as_chunks::<REGISTER>();
    let right = right.as_chunks::<REGISTER>();
    let sums = left.0.iter().zip(right.0).fold(_mm512_setzero_si512(), |sums, (a, b)| {
        // SAFETY: both have the 64 bytes that are read.
        let [a, b] = unsafe { [a, b].map(|numbers| _mm512_loadu_si512(numbers.as_ptr().cast())) };
        _mm512_add_epi32(sums, _mm512_madd_epi16(a, b))
    });
    _mm512_reduce_add_epi32(sums).cast_unsigned() + sum_of_products(left.1, right.1)
}

pub(super) fn find_products_avx2<const ROWS: usize>(
    two: [&[[i8; 4]; ROWS]; 2],
    many: &[LaneRow],
    min: u32,
    found: impl FnMut(usize, usize),
) {
    #[target_feature(enable = "avx2")]
    fn find<const ROWS: usize>(one: &[[i8; 4]; ROWS], rows: &[LaneRow], min: u32) -> u64 {
        const REGISTERS: usize = LANES / 8;
        // Sums and `min` are below 2^31, so that a comparison with a sign is right.
        let below = _mm256_set1_epi32(min.cast_signed() - 1);
        let ones = _mm256_set1_epi16(1);
        let mut sums = [_mm256_setzero_si256(); REGISTERS];
        for (&four, row) in one.iter().zip(rows) {
            let four = _mm256_set1_epi32(bytemuck::cast(four));
            for (register, sum) in sums.iter_mut().enumerate() {
                // SAFETY: a row has as many bytes as all registers, and begins at a multiple of 64.
                let numbers = unsafe { _mm256_load_si256(row.0.as_ptr().cast::<__m256i>().add(register)) };
                // Two products of numbers up to 127 are below 2^15 together.
                let sums_of_two = _mm256_maddubs_epi16(numbers, four);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(sums_of_two, ones));
            }
        }
        let masks = sums.map(|sum| _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(sum, below))));
        masks.iter().rev().fold(0, |mask, &of_register| mask << 8 | u64::from(of_register.cast_unsigned()))
    }
    // SAFETY: `Kernel::checked` has found AVX2 on this processor.
    find_by_masks(many.chunks_exact(ROWS), |rows| two.map(|one| unsafe { find(one, rows, min) }), found);
}

/// The AVX2 version on processors that cannot multiply and add four bytes in one step.
pub(super) fn find_products_avx512<const ROWS: usize>(
    two: [&[[i8; 4]; ROWS]; 2],
    many: &[LaneRow],
    min: u32,
    found: impl FnMut(usize, usize),
) {
    #[target_feature(enable = "avx512f,avx512vnni")]
    fn find<const ROWS: usize>([a, b]: [&[[i8; 4]; ROWS]; 2], rows: &[LaneRow], min: u32) -> [u64; 2] {
        const REGISTERS: usize = LANES / 16;
        let mut sums = [[_mm512_setzero_si512(); REGISTERS]; 2];
        for ((&of_a, &of_b), row) in a.iter().zip(b).zip(rows) {
            let fours = [of_a, of_b].map(|four| _mm512_set1_epi32(bytemuck::cast(four)));
            for register in 0..REGISTERS {
                // SAFETY: a row has as many bytes as all registers, and begins at a multiple of 64.
                let numbers = unsafe { _mm512_load_si512(row.0.as_ptr().cast::<__m512i>().add(register)) };
                for (sums, four) in sums.iter_mut().zip(fours) {
                    sums[register] = _mm512_dpbusd_epi32(sums[register], numbers, four);
                }
            }
        }
        let min = _mm512_set1_epi32(min.cast_signed());
        sums.map(|sums| {
            let [a, b, c, d] = sums.map(|sum| u64::from(_mm512_cmpge_epu32_mask(sum, min)));
            a | b << 16 | c << 32 | d << 48
        })
    }
    if !is_x86_feature_detected!("avx512vnni") {
        return find_products_avx2(two, many, min, found);
    }
    // SAFETY: `Kernel::checked` has found AVX-512 F on this processor, and it has VNNI.
    find_by_masks(many.chunks_exact(ROWS), |rows| unsafe { find(two, rows, min) }, found);
}

/// Calls `found` with 0 or 1 and the places of the bits that are set in the first or the second mask of each group of
/// [`LANES`] documents.
fn find_by_masks<'a>(
    groups: impl Iterator<Item = &'a [LaneRow]>,
    masks: impl Fn(&[LaneRow]) -> [u64; 2],
    mut found: impl FnMut(usize, usize),
) {
    for (rows, first) in groups.zip((0..).step_by(LANES)) {
        for (which, mut mask) in masks(rows).into_iter().enumerate() {
            while mask != 0 {
                found(which, first + mask.trailing_zeros() as usize);
                mask &= mask - 1;
            }
        }
    }
}

/// Intersects two ascending slices block by block: compares all pairs of elements of two blocks at once and advances to
/// the next block on the side whose last element is smaller (Inoue, Ohara, Taura, "Faster Set Intersection with SIMD
/// Instructions", PVLDB 2014, of which this is the simplest form). The scalar merge handles the rest. Blocks of eight
/// elements in AVX-512 registers took 1.5 times as long.
#[target_feature(enable = "avx2")]
pub(super) fn count_common_avx2(left: &[u64], right: &[u64], required: usize) -> Option<usize> {
    const LANES: usize = 4;
    let mut left_rest = left;
    let mut right_rest = right;
    let mut common = 0;
    while let (Some(a), Some(b)) = (left_rest.first_chunk::<LANES>(), right_rest.first_chunk::<LANES>()) {
        if common + left_rest.len().min(right_rest.len()) < required {
            return None;
        }
        common += common_of_blocks(a, b) as usize;
        let last_a = a[LANES - 1];
        let last_b = b[LANES - 1];
        left_rest = &left_rest[if last_a <= last_b { LANES } else { 0 }..];
        right_rest = &right_rest[if last_b <= last_a { LANES } else { 0 }..];
    }
    let rest = count_common_at_least(left_rest, right_rest, required.saturating_sub(common))?;
    Some(common + rest)
}

/// Number of equal pairs of two blocks: one block is compared with each rotation of the other.
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

#[target_feature(enable = "avx2")]
pub(super) fn classify_ascii_avx2(text: &[u8], form: AsciiForm, blocks: &mut AsciiBlocks) {
    let [of_grave, of_capitals] = [form.difference_of_grave(), form.difference_of_capitals()]
        .map(|difference| _mm256_set1_epi8(difference.cast_signed()));
    let by_low = broadcast_avx2(&BY_LOW);
    let by_high = broadcast_avx2(&BY_HIGH);
    for_each_block(text, blocks, |block, out| {
        let mut halves = [ByteClasses::default(); 2];
        for (half, classes) in halves.iter_mut().enumerate() {
            // SAFETY: both halves of 32 bytes lie in the 64 bytes of the block.
            let bytes = unsafe { _mm256_loadu_si256(block.as_ptr().add(32 * half).cast()) };
            let is_grave = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'`' as i8));
            let bytes = _mm256_xor_si256(bytes, _mm256_and_si256(is_grave, of_grave));
            let is_capital = _mm256_and_si256(
                _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(b'A' as i8 - 1)),
                _mm256_cmpgt_epi8(_mm256_set1_epi8(b'Z' as i8 + 1), bytes),
            );
            let cased = _mm256_xor_si256(bytes, _mm256_and_si256(is_capital, of_capitals));
            // SAFETY: as for the load, in `out`.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().add(32 * half).cast(), cased) };
            let low = _mm256_and_si256(bytes, _mm256_set1_epi8(0x0F));
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(0x0F));
            let class = _mm256_and_si256(_mm256_shuffle_epi8(by_low, low), _mm256_shuffle_epi8(by_high, high));
            let members = |of_class: u8| {
                let found = _mm256_and_si256(class, _mm256_set1_epi8(of_class.cast_signed()));
                let none = _mm256_cmpeq_epi8(found, _mm256_setzero_si256());
                u64::from(!_mm256_movemask_epi8(none) as u32)
            };
            *classes = by_class(members);
        }
        let [low, high] = halves;
        join_halves(low, high)
    });
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn classify_ascii_avx512(text: &[u8], form: AsciiForm, blocks: &mut AsciiBlocks) {
    let of_capitals = _mm512_set1_epi8(form.difference_of_capitals().cast_signed());
    let replaced_grave = _mm512_set1_epi8((b'`' ^ form.difference_of_grave()).cast_signed());
    // SAFETY: the tables have the 16 bytes that are read.
    let [by_low, by_high] =
        unsafe { [&BY_LOW, &BY_HIGH].map(|table| _mm512_broadcast_i32x4(_mm_loadu_si128(table.as_ptr().cast()))) };
    for_each_block(text, blocks, |block, out| {
        // SAFETY: the block has the 64 bytes that are read.
        let bytes = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
        let is_grave = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(b'`' as i8));
        let bytes = _mm512_mask_mov_epi8(bytes, is_grave, replaced_grave);
        let from_a = _mm512_sub_epi8(bytes, _mm512_set1_epi8(b'A' as i8));
        let is_capital = _mm512_cmplt_epu8_mask(from_a, _mm512_set1_epi8(26));
        let cased = _mm512_mask_add_epi8(bytes, is_capital, bytes, of_capitals);
        // SAFETY: `out` has the 64 bytes that are written.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), cased) };
        let low = _mm512_and_si512(bytes, _mm512_set1_epi8(0x0F));
        let high = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), _mm512_set1_epi8(0x0F));
        let class = _mm512_and_si512(_mm512_shuffle_epi8(by_low, low), _mm512_shuffle_epi8(by_high, high));
        by_class(|of_class| _mm512_test_epi8_mask(class, _mm512_set1_epi8(of_class.cast_signed())))
    });
}

#[target_feature(enable = "avx2")]
fn broadcast_avx2(table: &[u8; 16]) -> __m256i {
    // SAFETY: the table has the 16 bytes that are read.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}

#[inline(always)]
fn join_halves(low: ByteClasses, high: ByteClasses) -> ByteClasses {
    ByteClasses {
        letters: low.letters | high.letters << 32,
        digits: low.digits | high.digits << 32,
        underscores: low.underscores | high.underscores << 32,
        between_letters: low.between_letters | high.between_letters << 32,
        between_digits: low.between_digits | high.between_digits << 32,
        starts: 0,
    }
}
