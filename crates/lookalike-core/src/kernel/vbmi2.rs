//! The versions of AVX-512 for processors that also have VBMI2, whose instructions bring the selected bytes of a
//! register together in one step, wherever they stand.

#![expect(unsafe_code, reason = "vector loads and stores")]

use super::scalar::FIRST_LEADING_BYTE;
use super::strings::ESCAPED;
#[allow(clippy::wildcard_imports, reason = "the names of the instructions are unmistakable; tests do not warn")]
use std::arch::x86_64::*;

/// Bytes of a register.
const BYTES: usize = 64;

/// Returns whether the processor has VBMI2 and the other instructions of this file beside AVX-512 F, BW, DQ and VL.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

/// Resolves the escapes of 64 bytes at once:
///
/// ```text
/// string       a b c \ n d e \ \ \ " f         escapes begin at the one before n, and at the 1st and 3rd of three
/// characters   . . . . LF. . . \ . " .         by a table, of the bytes behind them
/// text         a b c LF d e \ " f              the first is dropped, the second becomes its character
/// ```
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(super) fn unescape(rest: &str, mut at: usize, text: &mut String) -> usize {
    if !rest.is_char_boundary(at) {
        return at;
    }
    let rest = rest.as_bytes();
    // SAFETY: as in `unescape_inline`.
    let text = unsafe { text.as_mut_vec() };
    // SAFETY: both halves of the table that are read are in its 256 bytes.
    let (lower, upper) = unsafe {
        (_mm512_loadu_si512(ESCAPED.as_ptr().cast()), _mm512_loadu_si512(ESCAPED.as_ptr().add(BYTES).cast()))
    };
    loop {
        let len = (rest.len() - at).min(BYTES);
        // SAFETY: the mask has a bit for each of the `len` bytes that are left; other bytes are not read.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(ones(len), rest.as_ptr().add(at).cast()) };
        let equal_to = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte.cast_signed()));
        let escapes = begins_of_escapes(equal_to(b'\\'));
        let escaped = escapes << 1;
        // Only ASCII has a place of its own in the table of 128 bytes.
        let characters = _mm512_permutex2var_epi8(lower, bytes, upper);
        let resolved = _mm512_test_epi8_mask(characters, characters) & !_mm512_movepi8_mask(bytes);
        // An escape whose character is in the next block is left to it.
        let last = escapes & (ones(len) ^ ones(len) >> 1);
        let stops = equal_to(b'"') & !escaped | (escaped & !resolved) >> 1 | last;
        let plain = _mm512_mask_mov_epi8(bytes, escaped, characters);
        // Most blocks have no stop: a branch is predicted, so that the next block is read before the stops are known.
        if stops == 0 && len == BYTES {
            append(text, plain, !escapes);
            at += BYTES;
            continue;
        }
        let end = len.min(stops.trailing_zeros() as usize);
        append(text, plain, ones(end) & !escapes);
        at += end;
        let is_left_to_next = end == BYTES - 1 && last != 0;
        if !is_left_to_next {
            return at;
        }
    }
}

/// Appends those bytes whose bit is set.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi2,popcnt")]
#[inline]
fn append(text: &mut Vec<u8>, bytes: __m512i, kept: u64) {
    let count = kept.count_ones() as usize;
    text.reserve(count);
    // SAFETY: `count` bytes are written into the memory that was reserved, and are initialized then.
    unsafe {
        let end = text.as_mut_ptr().add(text.len());
        _mm512_mask_storeu_epi8(end.cast(), ones(count), _mm512_maskz_compress_epi8(kept, bytes));
        text.set_len(text.len() + count);
    }
}

/// A mask whose lowest `count` bits are set, all of them from 64 on.
#[target_feature(enable = "bmi2")]
fn ones(count: usize) -> u64 {
    _bzhi_u64(u64::MAX, count as u32)
}

/// Selects the backslashes that begin an escape, if none before them does: the 1st, 3rd and so on of a row.
fn begins_of_escapes(backslashes: u64) -> u64 {
    if backslashes & backslashes << 1 == 0 {
        return backslashes;
    }
    let mut begins = 0;
    let mut rest = backslashes;
    while rest != 0 {
        let first = rest & rest.wrapping_neg();
        begins |= first;
        rest &= !(first | first << 1);
    }
    begins
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
pub(super) fn append_places(masks: &[u64], places: &mut Vec<u32>) {
    for (&mask, first) in masks.iter().zip((0..).step_by(BYTES)) {
        append_places_of(mask, first, places);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi2,popcnt")]
pub(super) fn append_non_ascii(text: &[u8], places: &mut Vec<u32>) {
    for (block, first) in text.chunks(BYTES).zip((0..).step_by(BYTES)) {
        // SAFETY: the block has as many bytes as are read.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(ones(block.len()), block.as_ptr().cast()) };
        let begins = _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(FIRST_LEADING_BYTE.cast_signed()));
        if begins != 0 {
            append_places_of(begins, first, places);
        }
    }
}

/// Appends the place of each bit of a mask, counted from `first`: brings the numbers of the bits together as bytes, and
/// widens 16 of them at a time; few masks have more.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
#[inline]
fn append_places_of(mask: u64, first: u32, places: &mut Vec<u32>) {
    const LANES: usize = 16;
    places.reserve(BYTES);
    // SAFETY: the 64 bytes that are read are those of the array.
    let numbers = unsafe { _mm512_loadu_si512(NUMBERS.as_ptr().cast()) };
    let of_mask = _mm512_maskz_compress_epi8(mask, numbers);
    let count = mask.count_ones() as usize;
    let first = _mm512_set1_epi32(first.cast_signed());
    // SAFETY: the places lie in one allocation, which goes on behind the last.
    let end = unsafe { places.as_mut_ptr().add(places.len()) };
    // SAFETY: there is memory for 64 places behind the last.
    let store = |at: usize, sixteen: __m128i| unsafe {
        let sixteen = _mm512_add_epi32(first, _mm512_cvtepu8_epi32(sixteen));
        _mm512_storeu_si512(end.add(at).cast(), sixteen);
    };
    store(0, _mm512_castsi512_si128(of_mask));
    if count > LANES {
        store(LANES, _mm512_extracti32x4_epi32::<1>(of_mask));
    }
    if count > 2 * LANES {
        store(2 * LANES, _mm512_extracti32x4_epi32::<2>(of_mask));
        store(3 * LANES, _mm512_extracti32x4_epi32::<3>(of_mask));
    }
    // SAFETY: `count` more places were stored, within the memory that was reserved.
    unsafe { places.set_len(places.len() + count) };
}

/// The numbers of the bytes of a register.
const NUMBERS: [u8; BYTES] = {
    let mut numbers = [0; BYTES];
    let mut number = 0;
    while number < BYTES {
        numbers[number] = number as u8;
        number += 1;
    }
    numbers
};
