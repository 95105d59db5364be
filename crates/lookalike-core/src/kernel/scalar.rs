//! The plain versions: what the others have to agree with.

use super::{AsciiBlocks, BLOCK, ByteClasses, EMPTY_COMPONENT, LetterCase};
use crate::hash::mix64;

pub(super) fn classify_ascii(text: &[u8], case: LetterCase, blocks: &mut AsciiBlocks) {
    for (block, out) in text.chunks(BLOCK).zip(blocks.bytes.chunks_mut(BLOCK)) {
        let mut classes = ByteClasses::default();
        for (at, (&byte, out)) in block.iter().zip(out).enumerate() {
            *out = if case == LetterCase::Lower { byte.to_ascii_lowercase() } else { byte };
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

pub(super) fn fill_signature(elements: &[u64], seed: u64, slot_seeds: &[u32], components: &mut [u32]) {
    fill_signature_inline(elements, seed, slot_seeds, components);
}

/// Marks a component of the second round.
const FALLBACK: u32 = 1 << 31;

/// Sets with fewer elements go through the second round by element, larger ones by slot: whatever fills vectors better.
const FEW_ELEMENTS: usize = 24;

/// The body of all versions: compiled once for each set of instructions, it becomes different machine code.
#[inline(always)]
pub(super) fn fill_signature_inline(elements: &[u64], seed: u64, slot_seeds: &[u32], components: &mut [u32]) {
    components.fill(EMPTY_COMPONENT);
    if elements.is_empty() {
        return;
    }
    let slots = components.len() as u64;
    for &element in elements {
        let hash = mix64(element ^ seed);
        // The upper half chooses the slot (a multiplication instead of a division), the lower half is the rank.
        let slot = ((hash >> 32) * slots) >> 32;
        if let Some(component) = components.get_mut(slot as usize) {
            *component = (*component).min(hash as u32 >> 1);
        }
    }
    if elements.len() < FEW_ELEMENTS {
        fill_empty_by_element(elements, slot_seeds, components);
    } else {
        fill_empty_by_slot(elements, slot_seeds, components);
    }
}

#[inline(always)]
fn fill_empty_by_slot(elements: &[u64], slot_seeds: &[u32], components: &mut [u32]) {
    for (component, &slot_seed) in components.iter_mut().zip(slot_seeds) {
        if *component == EMPTY_COMPONENT {
            let least =
                elements.iter().fold(u32::MAX, |least, &element| least.min(scatter(upper(element) ^ slot_seed)));
            *component = marked(least);
        }
    }
}

#[inline(always)]
fn fill_empty_by_element(elements: &[u64], slot_seeds: &[u32], components: &mut [u32]) {
    const LANES: usize = 64;
    for (components, slot_seeds) in components.chunks_mut(LANES).zip(slot_seeds.chunks(LANES)) {
        let mut least = [u32::MAX; LANES];
        for &element in elements {
            for (least, &slot_seed) in least.iter_mut().zip(slot_seeds) {
                *least = (*least).min(scatter(upper(element) ^ slot_seed));
            }
        }
        for (component, least) in components.iter_mut().zip(least) {
            *component = if *component == EMPTY_COMPONENT { marked(least) } else { *component };
        }
    }
}

/// Never the mark of an empty set: that one value is shared with its neighbour.
#[inline(always)]
fn marked(least: u32) -> u32 {
    (FALLBACK | least >> 1).min(EMPTY_COMPONENT - 1)
}

#[inline(always)]
fn upper(element: u64) -> u32 {
    (element >> 32) as u32
}

/// A bijection on 32 bits by two multiplications ("lowbias32", Wellons 2018): vector units are slow at 64-bit ones.
#[inline(always)]
fn scatter(mut value: u32) -> u32 {
    value ^= value >> 16;
    value = value.wrapping_mul(0x7FEB_352D);
    value ^= value >> 15;
    value = value.wrapping_mul(0x846C_A68B);
    value ^ value >> 16
}
