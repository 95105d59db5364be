//! The NEON version of classification. Every 64-bit ARM processor has NEON, so the compiler vectorizes the scalar
//! versions of the other loops with it; only the step from bytes to bit masks needs intrinsics.

#![expect(unsafe_code, reason = "vector loads and stores")]

use super::blocks::{AsciiBlocks, AsciiForm};
use super::tables::{BY_HIGH, BY_LOW, by_class, for_each_block};
#[allow(clippy::wildcard_imports, reason = "the names of the instructions are unmistakable; tests do not warn")]
use std::arch::aarch64::*;

/// Bytes per vector.
const LANES: usize = 16;

#[target_feature(enable = "neon")]
pub(super) fn classify_ascii(text: &[u8], form: AsciiForm, blocks: &mut AsciiBlocks) {
    let [of_grave, of_capitals] =
        [form.difference_of_grave(), form.difference_of_capitals()].map(|difference| vdupq_n_u8(difference));
    // SAFETY: the tables have the 16 bytes that are read.
    let [by_low, by_high] = unsafe { [&BY_LOW, &BY_HIGH].map(|table| vld1q_u8(table.as_ptr())) };
    for_each_block(text, blocks, |block, out| {
        let mut classes = [vdupq_n_u8(0); 4];
        for (quarter, class) in classes.iter_mut().enumerate() {
            // SAFETY: all four quarters of 16 bytes lie in the 64 bytes of the block.
            let bytes = unsafe { vld1q_u8(block.as_ptr().add(LANES * quarter)) };
            let bytes = veorq_u8(bytes, vandq_u8(vceqq_u8(bytes, vdupq_n_u8(b'`')), of_grave));
            let is_capital = vcltq_u8(vsubq_u8(bytes, vdupq_n_u8(b'A')), vdupq_n_u8(26));
            let cased = vaddq_u8(bytes, vandq_u8(is_capital, of_capitals));
            // SAFETY: as for the load, in `out`.
            unsafe { vst1q_u8(out.as_mut_ptr().add(LANES * quarter), cased) };
            let low = vandq_u8(bytes, vdupq_n_u8(0x0F));
            let high = vshrq_n_u8::<4>(bytes);
            *class = vandq_u8(vqtbl1q_u8(by_low, low), vqtbl1q_u8(by_high, high));
        }
        by_class(|of_class| mask(classes.map(|class| vtstq_u8(class, vdupq_n_u8(of_class)))))
    });
}

/// One bit per byte of 64 bytes, each of them 0xFF or 0: a byte is reduced to the bit of its place among eight,
/// and three rounds of adding neighbours turn each eight into one byte of the mask.
#[target_feature(enable = "neon")]
fn mask(bytes: [uint8x16_t; 4]) -> u64 {
    const PLACES: [u8; LANES] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
    // SAFETY: the table has the 16 bytes that are read.
    let places = unsafe { vld1q_u8(PLACES.as_ptr()) };
    let [a, b, c, d] = bytes.map(|bytes| vandq_u8(bytes, places));
    let pairs = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
    let mut mask = [0; 8];
    // SAFETY: `mask` has the 8 bytes that are written.
    unsafe { vst1_u8(mask.as_mut_ptr(), vget_low_u8(vpaddq_u8(pairs, pairs))) };
    u64::from_le_bytes(mask)
}
