//! SHA-1 of several short messages at once, a lane of a vector register for each (FIPS 180-4, section 6.1.2).
//!
//! There are no intrinsics: the compiler vectorizes the body.

use crate::base::hash::SHA1_START;

/// Messages at once: numbers of 32 bits in a register of AVX-512.
pub(crate) const SHA1_LANES: usize = 16;
/// Words of a block.
pub(crate) const BLOCK_WORDS: usize = 16;
/// Constant that is added in each quarter of the rounds (section 4.2.1).
const CONSTANTS: [u32; 4] = [0x5A82_7999, 0x6ED9_EBA1, 0x8F1B_BCDC, 0xCA62_C1D6];

/// A word of each message.
pub(crate) type Lanes = [u32; SHA1_LANES];

/// The first words of the digests of messages of one block each, given by the words of their blocks.
#[inline(always)]
pub(super) fn sha1_first_words(mut words: [Lanes; BLOCK_WORDS]) -> Lanes {
    let mut state = SHA1_START.map(|word| [word; SHA1_LANES]);
    for (quarter, constant) in CONSTANTS.into_iter().enumerate() {
        for round in 20 * quarter..20 * (quarter + 1) {
            let at = round % BLOCK_WORDS;
            if round >= BLOCK_WORDS {
                let [third, eighth, fourteenth] = [13, 8, 2].map(|ahead| words[(at + ahead) % BLOCK_WORDS]);
                for (lane, word) in words[at].iter_mut().enumerate() {
                    *word = (third[lane] ^ eighth[lane] ^ fourteenth[lane] ^ *word).rotate_left(1);
                }
            }
            let [a, b, c, d, e] = state;
            let mut next = a;
            for lane in 0..SHA1_LANES {
                let b = b[lane];
                let c = c[lane];
                let d = d[lane];
                let mixed = match quarter {
                    0 => (b & c) | (!b & d),
                    2 => (b & c) | (b & d) | (c & d),
                    _ => b ^ c ^ d,
                };
                let sum = mixed.wrapping_add(e[lane]).wrapping_add(constant).wrapping_add(words[at][lane]);
                next[lane] = a[lane].rotate_left(5).wrapping_add(sum);
            }
            state = [next, a, b.map(|word| word.rotate_left(30)), c, d];
        }
    }
    state[0].map(|word| word.wrapping_add(SHA1_START[0]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::mix64;
    use crate::kernel::Kernel;
    use sha1::block_api::compress;

    #[test]
    fn every_kernel_gives_the_digests_of_the_standard() {
        let words: [Lanes; BLOCK_WORDS] =
            std::array::from_fn(|word| std::array::from_fn(|lane| mix64((word * 100 + lane) as u64) as u32));
        let expected: Lanes = std::array::from_fn(|lane| {
            let mut block = [0; 64];
            for (place, lanes) in block.chunks_exact_mut(4).zip(&words) {
                place.copy_from_slice(&lanes[lane].to_be_bytes());
            }
            let mut state = SHA1_START;
            compress(&mut state, &[block]);
            state[0]
        });
        for &kernel in Kernel::available() {
            assert_eq!(kernel.sha1_first_words(words), expected, "{kernel:?}");
        }
    }
}
