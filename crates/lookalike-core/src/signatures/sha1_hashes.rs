//! The hashes of many elements that datasketch takes unless it is given another function.

use crate::base::hash::{MAX_SHA1_BLOCK, sha1_hash32};
use crate::kernel::{BLOCK_WORDS, Kernel, Lanes, SHA1_LANES};

/// Hashes elements by the first four bytes of their SHA-1, little endian: several at once where the processor has the
/// registers.
#[derive(Debug, Clone, Copy)]
pub struct Sha1Hasher {
    kernel: Kernel,
}

impl Default for Sha1Hasher {
    fn default() -> Self {
        Self { kernel: Kernel::detect() }
    }
}

impl Sha1Hasher {
    /// Appends the hashes of elements that lie one after the other in `bytes` from `start` on, given by their ends.
    pub fn hash_each(self, bytes: &[u8], mut start: usize, ends: &[usize], hashes: &mut Vec<u32>) {
        for ends in ends.chunks(SHA1_LANES) {
            let mut elements: [&[u8]; SHA1_LANES] = [&[]; SHA1_LANES];
            for (element, &end) in elements.iter_mut().zip(ends) {
                *element = &bytes[start..end];
                start = end;
            }
            self.hash_some(&elements[..ends.len()], hashes);
        }
    }

    /// Appends the hashes of at most as many elements as there are lanes.
    fn hash_some(self, elements: &[&[u8]], hashes: &mut Vec<u32>) {
        // Few are faster alone.
        let is_wide = self.kernel.has_wide_sha1() && elements.len() > SHA1_LANES / 4;
        if !is_wide || elements.iter().any(|element| element.len() > MAX_SHA1_BLOCK) {
            return hashes.extend(elements.iter().map(|element| sha1_hash32(element)));
        }
        let mut words = [[0; SHA1_LANES]; BLOCK_WORDS];
        elements.iter().enumerate().for_each(|(lane, element)| put_block(element, lane, &mut words));
        let first_words = self.kernel.sha1_first_words(words);
        hashes.extend(first_words[..elements.len()].iter().map(|word| word.swap_bytes()));
    }
}

/// Puts the block of a short element into its lane, padded (FIPS 180-4, section 5.1.1).
fn put_block(element: &[u8], lane: usize, words: &mut [Lanes; BLOCK_WORDS]) {
    let (whole, rest) = element.as_chunks();
    for (word, &bytes) in words.iter_mut().zip(whole) {
        word[lane] = u32::from_be_bytes(bytes);
    }
    let mut last = [0; 4];
    last[..rest.len()].copy_from_slice(rest);
    last[rest.len()] = 0x80;
    words[whole.len()][lane] = u32::from_be_bytes(last);
    words[BLOCK_WORDS - 1][lane] = 8 * element.len() as u32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_each_alone() {
        let text: Vec<u8> = (0..5000u32).map(|i| (i * i % 251) as u8).collect();
        // Lengths up to those of two blocks, some of which share a group with none of them.
        for longest in [1, 9, MAX_SHA1_BLOCK, MAX_SHA1_BLOCK + 1, 120] {
            for count in [0, 1, 4, 5, 15, 16, 17, 33, 100] {
                let lengths = (0..count).map(|i| (i * 7 + count) % (longest + 1));
                let ends: Vec<usize> = lengths
                    .scan(3, |end, length| {
                        *end += length;
                        Some(*end)
                    })
                    .collect();
                let ends: Vec<usize> = ends.into_iter().filter(|&end| end <= text.len()).collect();
                let starts = [3].into_iter().chain(ends.iter().copied());
                let expected: Vec<u32> =
                    starts.zip(&ends).map(|(start, &end)| sha1_hash32(&text[start..end])).collect();
                for &kernel in Kernel::available() {
                    let mut found = Vec::new();
                    Sha1Hasher { kernel }.hash_each(&text, 3, &ends, &mut found);
                    assert_eq!(found, expected, "{kernel:?} {longest} {count}");
                }
            }
        }
    }
}
