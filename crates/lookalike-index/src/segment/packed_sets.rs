//! Sets of elements as bytes: a sketch, then the elements, of which the first byte follows by counting, as in the code
//! of Elias (1974) and Fano (1971).
//!
//! ```text
//! sketch  an odd sketch ([`OddSketches`]), by which most candidates are refused without reading what follows
//! lows    the lower 7 bytes of each element, in order
//! highs   a bit for each element and each value of the first byte: the i-th element has the first byte h if bit
//!         h + i is set
//! zeros   up to a multiple of 8 bytes, so that sketches are aligned
//! ```
//!
//! That is 7.3 bytes an element for 250 of them; hashes are random, so nothing takes less than 7.2. Sets of fewer than
//! 64 elements stand as they are, without a sketch; so do the words of vectors.

use lookalike_core::comparison::Measure;
use lookalike_core::documents::{ElementSet, Form};
use lookalike_core::sets::OddSketches;
use lookalike_core::signatures::ByteSignatures;

const MIN_PACKED: usize = 64;
const VALUES: usize = 1 << u8::BITS;
const LOW_BYTES: usize = 7;
const LOW_MASK: u64 = (1 << (8 * LOW_BYTES)) - 1;

/// Bytes of the elements of a set of `size` elements, zeros included.
fn element_bytes(size: usize) -> usize {
    let bytes = if size < MIN_PACKED { 8 * size } else { LOW_BYTES * size + (size + VALUES).div_ceil(8) };
    bytes.next_multiple_of(8)
}

fn sketch_words(size: usize, measure: Measure) -> usize {
    if size < MIN_PACKED { 0 } else { OddSketches::words_of(measure, size) }
}

/// Bytes of a set of `size` elements in an index of this measure.
fn packed_bytes(size: usize, measure: Measure) -> usize {
    if measure.is_of_vectors() {
        return 8 * size;
    }
    8 * sketch_words(size, measure) + element_bytes(size)
}

/// Appends the bytes of a set to `bytes`, whose length is a multiple of 8.
fn pack(set: ElementSet<'_>, measure: Measure, bytes: &mut Vec<u8>) {
    let elements = set.elements();
    let end = bytes.len() + packed_bytes(elements.len(), measure);
    if elements.len() < MIN_PACKED || measure.is_of_vectors() {
        return bytes.extend_from_slice(bytemuck::cast_slice(elements));
    }
    let mut sketch = vec![0; sketch_words(elements.len(), measure)];
    if !sketch.is_empty() {
        OddSketches::toggle(&mut sketch, set);
        bytes.extend_from_slice(bytemuck::cast_slice(&sketch));
    }
    elements.iter().for_each(|element| bytes.extend_from_slice(&element.to_le_bytes()[..LOW_BYTES]));
    let begin = bytes.len();
    bytes.resize(end, 0);
    let highs = &mut bytes[begin..];
    for (index, element) in elements.iter().enumerate() {
        let bit = (element >> (8 * LOW_BYTES)) as usize + index;
        highs[bit / 8] |= 1 << (bit % 8);
    }
}

/// The sketch of a packed set of `size` elements; empty if it has none, or the bytes are none of such a set.
#[inline]
pub(super) fn sketch_of(bytes: &[u8], size: usize) -> &[u64] {
    let length = bytes.len().saturating_sub(element_bytes(size));
    let words = bytemuck::try_cast_slice(&bytes[..length]).unwrap_or(&[]);
    if words.len().is_power_of_two() { words } else { &[] }
}

/// Puts the `size` words of a vector, which stand as they are, in place of `words`; false if the bytes are not so many.
pub(super) fn unpack_words(bytes: &[u8], size: usize, words: &mut Vec<u64>) -> bool {
    words.clear();
    words.extend(bytes.as_chunks::<8>().0.iter().map(|&word| u64::from_le_bytes(word)));
    bytes.len() == 8 * size
}

/// Puts the `size` elements of a packed set in place of `elements`; false if the bytes are none of such a set.
pub(super) fn unpack(bytes: &[u8], size: usize, elements: &mut Vec<u64>) -> bool {
    elements.clear();
    let Some(begin) = bytes.len().checked_sub(element_bytes(size)) else { return false };
    let bytes = &bytes[begin..];
    if size < MIN_PACKED {
        elements.extend(bytes.as_chunks::<8>().0.iter().map(|&element| u64::from_le_bytes(element)));
        return true;
    }
    elements.reserve(size);
    let highs = &bytes[LOW_BYTES * size..];
    for (base, chunk) in (0..).step_by(64).zip(highs.chunks(8)) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let mut word = u64::from_le_bytes(word);
        while word != 0 {
            let index = elements.len();
            let high = (base + u64::from(word.trailing_zeros())).wrapping_sub(index as u64);
            // The highs follow, so eight bytes are there.
            let Some(Ok(low)) = bytes.get(LOW_BYTES * index..LOW_BYTES * index + 8).map(<[u8; 8]>::try_from) else {
                return false;
            };
            elements.push(high << (8 * LOW_BYTES) | u64::from_le_bytes(low) & LOW_MASK);
            word &= word - 1;
        }
    }
    elements.len() == size
}

/// Stored form of the set of a document.
#[derive(Debug, Clone)]
pub(crate) enum SetForm {
    /// Elements of the set, packed, with the sketch for a measure.
    Elements(Measure),
    /// Signature of the set, by which similarities are estimated; nothing for a set without elements.
    Signature(ByteSignatures),
}

impl SetForm {
    /// Bytes of a signature; 0 if elements are stored.
    pub(super) fn signature_bytes(&self) -> usize {
        match self {
            Self::Elements(_) => 0,
            Self::Signature(signatures) => signatures.num_perm(),
        }
    }

    /// Form of the words of documents.
    pub(crate) fn words(&self) -> Form {
        match self {
            Self::Elements(measure) if measure.is_of_vectors() => Form::Vector,
            Self::Elements(_) | Self::Signature(_) => Form::Elements,
        }
    }

    /// Bytes of a set of `size` elements: a multiple of 8 of packed ones.
    pub(super) fn bytes_of(&self, size: usize) -> usize {
        match self {
            Self::Elements(measure) => packed_bytes(size, *measure),
            Self::Signature(_) if size == 0 => 0,
            Self::Signature(signatures) => signatures.num_perm(),
        }
    }

    /// Appends the bytes of a set.
    pub(super) fn append(&mut self, set: ElementSet<'_>, bytes: &mut Vec<u8>) {
        match self {
            Self::Elements(measure) => pack(set, *measure, bytes),
            Self::Signature(_) if set.is_empty() => {}
            Self::Signature(signatures) => signatures.append(set.elements(), bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn a_packed_set_is_that_set(
            set in proptest::collection::btree_set(any::<u64>(), 0..300),
            narrow in proptest::collection::btree_set(0u64..2000, 0..300),
        ) {
            let measure = Measure::default();
            for set in [set, narrow, [0, u64::MAX].into()] {
                let set: Vec<u64> = set.into_iter().collect();
                let mut bytes = Vec::new();
                let mut back = vec![7];
                let set = ElementSet::new(&set).unwrap();
                pack(set, measure, &mut bytes);
                prop_assert_eq!(bytes.len(), packed_bytes(set.len(), measure));
                prop_assert!(unpack(&bytes, set.len(), &mut back));
                prop_assert_eq!(&back[..], set.elements());
                let mut sketch = sketch_of(&bytes, set.len()).to_vec();
                prop_assert_eq!(sketch.is_empty(), set.len() < MIN_PACKED);
                if !sketch.is_empty() {
                    OddSketches::toggle(&mut sketch, set);
                    prop_assert!(sketch.iter().all(|&word| word == 0));
                }
            }
        }

        #[test]
        fn bytes_that_are_none_are_refused_or_some_set(bytes in proptest::collection::vec(any::<u8>(), 0..800)) {
            for size in 0..100 {
                let mut elements = Vec::new();
                let is_set = unpack(&bytes, size, &mut elements);
                prop_assert!(!is_set || elements.len() == size);
            }
        }
    }
}
