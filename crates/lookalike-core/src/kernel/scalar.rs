//! The scalar versions: the reference for all others, and the body of those that the compiler vectorizes.

use super::blocks::{AsciiBlocks, AsciiForm, BLOCK, ByteClasses, EMPTY_COMPONENT};
use super::blocks::{LANES, LaneRow};

pub(super) fn classify_ascii(text: &[u8], form: AsciiForm, blocks: &mut AsciiBlocks) {
    let [of_grave, of_capitals] = [form.difference_of_grave(), form.difference_of_capitals()];
    for (block, out) in text.chunks(BLOCK).zip(blocks.bytes.chunks_mut(BLOCK)) {
        let mut classes = ByteClasses::default();
        for (at, (&byte, out)) in block.iter().zip(out).enumerate() {
            let byte = if byte == b'`' { byte ^ of_grave } else { byte };
            *out = if byte.is_ascii_uppercase() { byte ^ of_capitals } else { byte };
            let bit = |is_member: bool| u64::from(is_member) << at;
            classes.letters |= bit(byte.is_ascii_alphabetic());
            classes.digits |= bit(byte.is_ascii_digit());
            classes.underscores |= bit(byte == b'_');
            classes.between_letters |= bit(matches!(byte, b'.' | b'\'' | b':'));
            classes.between_digits |= bit(matches!(byte, b'.' | b'\'' | b',' | b';'));
        }
        blocks.masks.push(classes);
    }
}

/// Appends eight places at a time, of which the last ones may be wrong until they are cut off: a loop from bit to bit
/// would end at another time for each mask.
pub(super) fn append_places(masks: &[u64], places: &mut Vec<u32>) {
    for (&mask, first) in masks.iter().zip((0..).step_by(BLOCK)) {
        let end = places.len() + mask.count_ones() as usize;
        let mut rest = mask;
        while places.len() < end {
            let mut eight = [0; 8];
            for place in &mut eight {
                *place = first + rest.trailing_zeros();
                rest &= rest.wrapping_sub(1);
            }
            places.extend_from_slice(&eight);
        }
        places.truncate(end);
    }
}

/// Bytes that begin a character of several bytes in UTF-8 are at or above it, the others of the character below.
pub(super) const FIRST_LEADING_BYTE: u8 = 0xC0;

pub(super) fn append_non_ascii(text: &[u8], places: &mut Vec<u32>) {
    const WORD: usize = size_of::<u64>();
    const UPPER_BITS: u64 = u64::from_le_bytes([0x80; WORD]);
    for (block, first) in text.chunks(BLOCK).zip((0..).step_by(BLOCK)) {
        // The loop reads the whole block, so that the compiler vectorizes it.
        if block.iter().fold(0, |all, byte| all | byte).is_ascii() {
            continue;
        }
        let (words, rest) = block.as_chunks::<WORD>();
        for (word, first) in words.iter().zip((first..).step_by(WORD)) {
            // The first byte is the lowest; leading bytes have both of their upper bits set.
            let word = u64::from_le_bytes(*word);
            let mut leading = word & word << 1 & UPPER_BITS;
            while leading != 0 {
                places.push(first + leading.trailing_zeros() / u8::BITS);
                leading &= leading - 1;
            }
        }
        let rest = (first + words.as_flattened().len() as u32..).zip(rest);
        places.extend(rest.filter(|&(_, &byte)| byte >= FIRST_LEADING_BYTE).map(|(place, _)| place));
    }
}

/// The bit that marks a component of the second round.
const FALLBACK: u32 = 1 << 31;

/// Maximum size of sets whose second round goes element by element. Larger sets leave few slots empty and go slot by
/// slot.
const FEW_ELEMENTS: usize = 128;

/// The body of all versions, compiled once per instruction set. The algorithm is described in
/// `signatures/one_permutation.rs`.
#[inline(always)]
pub(super) fn fill_signature(elements: &[u64], seed: u64, factors: &[u32], components: &mut [u32]) {
    components.fill(EMPTY_COMPONENT);
    if elements.is_empty() {
        return;
    }
    throw(elements, seed, components);
    if components.contains(&EMPTY_COMPONENT) {
        fill_empty(elements, seed, factors, components);
    }
}

/// The first round: each element is hashed to one slot, which takes the minimum rank. The hashes of a chunk are
/// computed before any is used, so that the compiler vectorizes the loop.
#[inline(always)]
fn throw(elements: &[u64], seed: u64, components: &mut [u32]) {
    const CHUNK: usize = 128;
    let count = components.len() as u64;
    let mut slots = [0u32; CHUNK];
    let mut ranks = [0u32; CHUNK];
    for chunk in elements.chunks(CHUNK) {
        for ((slot, rank), &element) in slots.iter_mut().zip(&mut ranks).zip(chunk) {
            let hash = spread(element, seed);
            // The upper half chooses the slot (by multiplication instead of division), the lower half is the rank.
            *slot = (((hash >> 32) * (count & 0xFFFF_FFFF)) >> 32) as u32;
            *rank = hash as u32 >> 1;
        }
        for (&slot, &rank) in slots[..chunk.len()].iter().zip(&ranks) {
            if let Some(component) = components.get_mut(slot as usize) {
                *component = (*component).min(rank);
            }
        }
    }
}

/// The second round: the minimum of g_j for each slot j without an element. Exactly these slots get the mark.
#[inline(always)]
fn fill_empty(elements: &[u64], seed: u64, factors: &[u32], components: &mut [u32]) {
    if elements.len() <= FEW_ELEMENTS {
        let mut values = [0; FEW_ELEMENTS];
        lower_by_element(lower_halves(elements, seed, &mut values), factors, components);
        return;
    }
    const SLOTS: usize = 256;
    const CHUNK: usize = 256;
    for (components, factors) in components.chunks_mut(SLOTS).zip(factors.chunks(SLOTS)) {
        let mut list = [0; SLOTS];
        let mut values = [0; CHUNK];
        let empty = list_empty(components, &mut list);
        if empty.is_empty() {
            continue;
        }
        for chunk in elements.chunks(CHUNK) {
            lower_by_slot(lower_halves(chunk, seed, &mut values), empty, factors, components);
        }
    }
}

/// The lower halves of the hashes, which the second round multiplies by the factor of a slot.
#[inline(always)]
fn lower_halves<'a>(elements: &[u64], seed: u64, values: &'a mut [u32]) -> &'a [u32] {
    let values = &mut values[..elements.len()];
    values.iter_mut().zip(elements).for_each(|(value, &element)| *value = spread(element, seed) as u32);
    values
}

/// The slots without an element among at most 256 components. A chunk without empty slots is skipped by one test;
/// within the other chunks the loop has no branch per slot, because it would be unpredictable.
#[inline(always)]
fn list_empty<'a>(components: &[u32], list: &'a mut [u8; 256]) -> &'a [u8] {
    const CHUNK: usize = 16;
    let mut count = 0;
    for (chunk, first) in components.chunks(CHUNK).zip((0..).step_by(CHUNK)) {
        if chunk.iter().fold(0, |any, component| any | component) < FALLBACK {
            continue;
        }
        for (&component, slot) in chunk.iter().zip(first..) {
            list[count & 0xFF] = slot as u8;
            count += usize::from(component >= FALLBACK);
        }
    }
    &list[..count]
}

/// Lowers the components of the given empty slots by the values of all elements.
#[inline(always)]
fn lower_by_slot(values: &[u32], empty: &[u8], factors: &[u32], components: &mut [u32]) {
    for &slot in empty {
        let factor = factors[slot as usize];
        let min = values.iter().fold(u32::MAX, |min, &value| min.min(value.wrapping_mul(factor)));
        components[slot as usize] = components[slot as usize].min(marked(min));
    }
}

/// Lowers all components by the values of all elements, in chunks of fixed length.
#[inline(always)]
fn lower_by_element(values: &[u32], factors: &[u32], components: &mut [u32]) {
    let (factors, components) = lower_chunks::<128>(values, factors, components);
    let (factors, components) = lower_chunks::<16>(values, factors, components);
    lower_chunks::<1>(values, factors, components);
}

/// Lowers the components that fill whole chunks of `LANES`; returns the remaining components and their factors.
#[inline(always)]
fn lower_chunks<'a, const LANES: usize>(
    values: &[u32],
    factors: &'a [u32],
    components: &'a mut [u32],
) -> (&'a [u32], &'a mut [u32]) {
    let ((factors, other_factors), (components, others)) =
        (factors.as_chunks::<LANES>(), components.as_chunks_mut::<LANES>());
    components.iter_mut().zip(factors).for_each(|(components, factors)| lower_lanes(values, factors, components));
    (other_factors, others)
}

/// Lowers `LANES` components. The fixed length leaves all minima in registers during the loop over the values.
#[inline(always)]
fn lower_lanes<const LANES: usize>(values: &[u32], factors: &[u32; LANES], components: &mut [u32; LANES]) {
    let mut minima = [u32::MAX; LANES];
    for &value in values {
        for (min, &factor) in minima.iter_mut().zip(factors) {
            *min = (*min).min(value.wrapping_mul(factor));
        }
    }
    for (component, min) in components.iter_mut().zip(minima) {
        *component = if *component >= FALLBACK { (*component).min(marked(min)) } else { *component };
    }
}

/// A component of the second round. The largest one is lowered by 1, so that it never equals [`EMPTY_COMPONENT`].
#[inline(always)]
fn marked(min: u32) -> u32 {
    (FALLBACK | min >> 1).min(EMPTY_COMPONENT - 1)
}

/// Mixes element and seed by two crossed 32 x 32 -> 64 bit products: sufficient for elements that are hashes, and
/// available as vector instructions.
#[inline(always)]
fn spread(element: u64, seed: u64) -> u64 {
    const LOWER_FACTOR: u64 = 0x9E37_79B1;
    const UPPER_FACTOR: u64 = 0x85EB_CA77;
    let lower = (element ^ element >> 32 ^ seed) & 0xFFFF_FFFF;
    let upper = (element ^ seed) >> 32;
    (lower * LOWER_FACTOR) ^ (upper * UPPER_FACTOR).rotate_left(32)
}

/// Appends the places of those of `others` that differ from `one` in at most `max` bits.
#[inline(always)]
pub(super) fn append_near<const W: usize>(one: &[u64; W], others: &[[u64; W]], max: u32, near: &mut Vec<u32>) {
    for (place, other) in (0..).zip(others) {
        let differing: u32 = one.iter().zip(other).map(|(a, b)| (a ^ b).count_ones()).sum();
        if differing <= max {
            near.push(place);
        }
    }
}

/// Number of bits in which two sketches differ, after `long` is folded to the length of `short`.
#[inline(always)]
pub(super) fn count_differing_bits(short: &[u64], long: &[u64]) -> u32 {
    if short.len() == long.len() {
        return short.iter().zip(long).map(|(a, b)| (a ^ b).count_ones()).sum();
    }
    let folded = |at: usize| long[at..].iter().step_by(short.len()).fold(0, |folded, word| folded ^ word);
    short.iter().enumerate().map(|(at, word)| (word ^ folded(at)).count_ones()).sum()
}

/// The sum of the products of numbers that are not negative, place by place. In 32 bits with a sign: of 16 bits with a
/// sign, processors multiply and add pairs in one step.
#[inline(always)]
pub(super) fn sum_of_products(left: &[i16], right: &[i16]) -> u32 {
    let products = left.iter().zip(right).map(|(&a, &b)| i32::from(a) * i32::from(b));
    products.fold(0, i32::wrapping_add).unsigned_abs()
}

/// Calls `found` with 0 or 1 and the place of each document of `many` whose sum of products with the first or the
/// second of `two` is `min` or more.
pub(super) fn find_products<const ROWS: usize>(
    two: [&[[i8; 4]; ROWS]; 2],
    many: &[LaneRow],
    min: u32,
    mut found: impl FnMut(usize, usize),
) {
    for (rows, first) in many.chunks_exact(ROWS).zip((0..).step_by(LANES)) {
        for (which, one) in two.iter().enumerate() {
            let mut sums = [0i32; LANES];
            for (of_one, row) in one.iter().zip(rows) {
                for (sum, of_other) in sums.iter_mut().zip(&row.0) {
                    *sum += of_one.iter().zip(of_other).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum::<i32>();
                }
            }
            let places = (first..).zip(sums).filter(|&(_, sum)| sum.unsigned_abs() >= min);
            places.for_each(|(place, _)| found(which, place));
        }
    }
}

/// Merge steps between two checks of the bound; a check costs about as much as a step.
const STEPS_PER_CHECK: usize = 16;

/// Number of common elements of two strictly ascending slices, by merging; `None` when even a match of all remaining
/// elements could not reach `required`.
pub(super) fn count_common_at_least(left: &[u64], right: &[u64], required: usize) -> Option<usize> {
    let mut i = 0;
    let mut j = 0;
    let mut common = 0;
    loop {
        let remaining = (left.len() - i).min(right.len() - j);
        if common + remaining < required {
            return None;
        }
        if remaining == 0 {
            return Some(common);
        }
        // No step passes an end: each index moves by at most one per step.
        for _ in 0..remaining.min(STEPS_PER_CHECK) {
            let a = left[i];
            let b = right[j];
            common += usize::from(a == b);
            i += usize::from(a <= b);
            j += usize::from(b <= a);
        }
    }
}
