//! The plain versions: what the others have to agree with.

use super::{AsciiBlocks, BLOCK, ByteClasses, EMPTY_COMPONENT, LetterCase};

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

pub(super) fn fill_signature(elements: &[u64], seed: u64, factors: &[u32], components: &mut [u32]) {
    fill_signature_inline(elements, seed, factors, components);
}

/// Marks a component of the second round.
const FALLBACK: u32 = 1 << 31;

/// Sets with fewer elements go through the second round by element, larger ones by slot: whatever fills vectors better.
const FEW_ELEMENTS: usize = 64;

/// The body of all versions: compiled once for each set of instructions, it becomes different machine code.
#[inline(always)]
pub(super) fn fill_signature_inline(elements: &[u64], seed: u64, factors: &[u32], components: &mut [u32]) {
    components.fill(EMPTY_COMPONENT);
    if elements.is_empty() {
        return;
    }
    throw(elements, seed, components);
    if components.contains(&EMPTY_COMPONENT) {
        fill_empty(elements, seed, factors, components);
    }
}

/// The first round: each element falls into one slot and competes there. The hashes of a chunk are computed before any is
/// used, for vectors to do it.
#[inline(always)]
fn throw(elements: &[u64], seed: u64, components: &mut [u32]) {
    const CHUNK: usize = 128;
    let count = components.len() as u64;
    let (mut slots, mut ranks) = ([0u32; CHUNK], [0u32; CHUNK]);
    for chunk in elements.chunks(CHUNK) {
        for ((slot, rank), &element) in slots.iter_mut().zip(&mut ranks).zip(chunk) {
            let hash = spread(element, seed);
            // The upper half chooses the slot (a multiplication instead of a division), the lower half is the rank.
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

/// The second round: least g_j for each slot j without an element. All of them carry the mark, and only they.
#[inline(always)]
fn fill_empty(elements: &[u64], seed: u64, factors: &[u32], components: &mut [u32]) {
    const CHUNK: usize = 256;
    let mut values = [0; CHUNK];
    for chunk in elements.chunks(CHUNK) {
        let values = &mut values[..chunk.len()];
        values.iter_mut().zip(chunk).for_each(|(value, &element)| *value = spread(element, seed) as u32);
        if values.len() < FEW_ELEMENTS {
            lower_by_element(values, factors, components);
        } else {
            lower_by_slot(values, factors, components);
        }
    }
}

#[inline(always)]
fn lower_by_slot(values: &[u32], factors: &[u32], components: &mut [u32]) {
    const SLOTS: usize = 128;
    for (components, factors) in components.chunks_mut(SLOTS).zip(factors.chunks(SLOTS)) {
        // Listed first, without a branch: which slots are empty is anybody's guess.
        let (mut empty, mut count) = ([0u8; SLOTS], 0);
        for (slot, &component) in (0..).zip(&*components) {
            empty[count] = slot;
            count += usize::from(component >= FALLBACK);
        }
        for &slot in &empty[..count] {
            let factor = factors[slot as usize];
            let least = values.iter().fold(u32::MAX, |least, &value| least.min(value.wrapping_mul(factor)));
            components[slot as usize] = components[slot as usize].min(marked(least));
        }
    }
}

#[inline(always)]
fn lower_by_element(values: &[u32], factors: &[u32], components: &mut [u32]) {
    const LANES: usize = 128;
    for (components, factors) in components.chunks_mut(LANES).zip(factors.chunks(LANES)) {
        let (mut least, mut lanes) = ([u32::MAX; LANES], [0; LANES]);
        lanes[..factors.len()].copy_from_slice(factors);
        for &value in values {
            for (least, &factor) in least.iter_mut().zip(&lanes) {
                *least = (*least).min(value.wrapping_mul(factor));
            }
        }
        for (component, least) in components.iter_mut().zip(least) {
            *component = if *component >= FALLBACK { (*component).min(marked(least)) } else { *component };
        }
    }
}

/// Never the mark of an empty set: that one value is shared with its neighbour.
#[inline(always)]
fn marked(least: u32) -> u32 {
    (FALLBACK | least >> 1).min(EMPTY_COMPONENT - 1)
}

/// Two products of halves, crossed: enough for elements that are hashes already, and vectors have such products.
#[inline(always)]
fn spread(element: u64, seed: u64) -> u64 {
    const LOWER_FACTOR: u64 = 0x9E37_79B1;
    const UPPER_FACTOR: u64 = 0x85EB_CA77;
    let lower = (element ^ element >> 32 ^ seed) & 0xFFFF_FFFF;
    let upper = (element ^ seed) >> 32;
    (lower * LOWER_FACTOR) ^ (upper * UPPER_FACTOR).rotate_left(32)
}

/// How many merge steps pass between two looks at the bound: a look costs about as much as a step.
const STEPS_PER_LOOK: usize = 16;

/// Number of common elements of two strictly ascending slices, merged; gives up when even a match of all that remains could not reach `required`.
pub(super) fn count_common_at_least(left: &[u64], right: &[u64], required: usize) -> Option<usize> {
    let (mut i, mut j, mut common) = (0, 0, 0);
    loop {
        let remaining = (left.len() - i).min(right.len() - j);
        if common + remaining < required {
            return None;
        }
        if remaining == 0 {
            return Some(common);
        }
        // No step passes an end: each index moves by at most one a step.
        for _ in 0..remaining.min(STEPS_PER_LOOK) {
            let (a, b) = (left[i], right[j]);
            common += usize::from(a == b);
            i += usize::from(a <= b);
            j += usize::from(b <= a);
        }
    }
}
