//! Sets of elements as bytes: the first byte of each element is told by counting, as in the code of Elias (1974) and
//! Fano (1971).
//!
//! ```text
//! lows    the lower 7 bytes of each element, in order
//! highs   a bit for each element and each value of the first byte: the i-th element has the first byte h if bit
//!         h + i is set
//! ```
//!
//! That is 7.3 bytes an element for 250 of them; hashes are random, so nothing takes less than 7.2. Sets of fewer than
//! 64 elements stand as they are.

const MIN_PACKED: usize = 64;
const VALUES: usize = 1 << u8::BITS;
const LOW_BYTES: usize = 7;
const LOW_MASK: u64 = (1 << (8 * LOW_BYTES)) - 1;

/// Bytes of a set of `size` elements.
pub(super) fn packed_bytes(size: usize) -> usize {
    if size < MIN_PACKED { 8 * size } else { LOW_BYTES * size + (size + VALUES).div_ceil(8) }
}

/// Appends the bytes of a set, whose elements strictly ascend.
pub(super) fn pack(set: &[u64], bytes: &mut Vec<u8>) {
    if set.len() < MIN_PACKED {
        return bytes.extend_from_slice(bytemuck::cast_slice(set));
    }
    set.iter().for_each(|element| bytes.extend_from_slice(&element.to_le_bytes()[..LOW_BYTES]));
    let begin = bytes.len();
    bytes.resize(begin + (set.len() + VALUES).div_ceil(8), 0);
    let highs = &mut bytes[begin..];
    for (index, element) in set.iter().enumerate() {
        let bit = (element >> (8 * LOW_BYTES)) as usize + index;
        highs[bit / 8] |= 1 << (bit % 8);
    }
}

/// Puts the `size` elements of a packed set in place of `elements`; false if the bytes are none of such a set.
pub(super) fn unpack(bytes: &[u8], size: usize, elements: &mut Vec<u64>) -> bool {
    elements.clear();
    if bytes.len() != packed_bytes(size) {
        return false;
    }
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
            for set in [set, narrow, [0, u64::MAX].into()] {
                let set: Vec<u64> = set.into_iter().collect();
                let (mut bytes, mut back) = (Vec::new(), vec![7]);
                pack(&set, &mut bytes);
                prop_assert_eq!(bytes.len(), packed_bytes(set.len()));
                prop_assert!(unpack(&bytes, set.len(), &mut back));
                prop_assert_eq!(back, set);
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
