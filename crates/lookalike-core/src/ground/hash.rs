//! The hash functions behind all stored data: named, frozen by tests, identical on every machine.
//!
//! *Token hash 1* reads a token 16 bytes at a time and folds the halves of a 64 x 64 -> 128 bit product, as wyhash
//! does: one multiplication for most words. *Shingle hash 1* is a polynomial in the token hashes modulo 2^64, which
//! rolls from one shingle to the next with two multiplications at any shingle length, followed by the finalizer of
//! MurmurHash3. We turned down general-purpose hashers (`std`, ahash): their values may change between versions.

use std::ops::Range;

/// Odd constants whose bytes cannot occur at their place in UTF-8, so that XOR with a text never yields a zero factor.
const TOKEN_KEY_LOW: u64 = 0xFFA5_C3F7_FBE9_F5C1;
const TOKEN_KEY_HIGH: u64 = 0xF9E3_FDC5_F7B1_FFD3;
const TOKEN_LENGTH_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
/// Base of the shingle polynomial: odd, and 3 modulo 4, so that differences of its powers lose one bit at most.
const SHINGLE_BASE: u64 = 0xD6E8_FEB8_6659_FD93;
const SHINGLE_LENGTH_FACTOR: u64 = 0xA076_1D64_78BD_642F;

/// Hashes the bytes of one token (token hash 1, after wyhash: Wang Yi).
pub fn hash_token(token: &[u8]) -> u64 {
    let mut state = (token.len() as u64).wrapping_mul(TOKEN_LENGTH_FACTOR);
    let mut chunks = token.chunks_exact(16);
    for chunk in &mut chunks {
        state = absorb(state, load(&chunk[..8]), load(&chunk[8..]));
    }
    let rest = chunks.remainder();
    if !rest.is_empty() || token.is_empty() {
        let (low, high) = rest.split_at(rest.len().min(8));
        state = absorb(state, load(low), load(high));
    }
    state
}

/// [`hash_token`] of the token at `range` of a longer text. Faster for at most 16 bytes if the text has 16 bytes from
/// `range.start` on: a mask replaces the copying of single bytes.
pub(crate) fn hash_padded_token(text: &[u8], range: Range<usize>) -> u64 {
    let length = range.len();
    let window = text.get(range.start..range.start + 16).and_then(|window| <[u8; 16]>::try_from(window).ok());
    match (window, FIRST_BYTES.get(length)) {
        (Some(window), Some(mask)) => {
            let word = u128::from_le_bytes(window) & mask;
            absorb((length as u64).wrapping_mul(TOKEN_LENGTH_FACTOR), word as u64, (word >> 64) as u64)
        }
        _ => hash_token(&text[range]),
    }
}

/// Masks of the first 0, 1, ... 16 bytes of a little-endian word.
const FIRST_BYTES: [u128; 17] = {
    let mut masks = [u128::MAX; 17];
    let mut length = 0;
    while length < 16 {
        masks[length] = (1 << (8 * length)) - 1;
        length += 1;
    }
    masks
};

fn absorb(state: u64, low: u64, high: u64) -> u64 {
    fold(low ^ TOKEN_KEY_LOW, high ^ TOKEN_KEY_HIGH ^ state) ^ state.rotate_left(23)
}

/// Up to eight bytes as a little-endian number.
fn load(bytes: &[u8]) -> u64 {
    if let Ok(word) = bytes.try_into() {
        return u64::from_le_bytes(word);
    }
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

/// Finalizer of MurmurHash3 (Appleby, public domain): a bijection on 64 bits in which every input bit affects every
/// output bit.
pub fn mix64(mut value: u64) -> u64 {
    value ^= value >> 33;
    value = value.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    value ^= value >> 33;
    value = value.wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    value ^ value >> 33
}

/// Hashes the `occurrence`-th copy (counted from 1) of a shingle in a bag.
pub fn hash_occurrence(shingle: u64, occurrence: u64) -> u64 {
    mix64(shingle ^ occurrence.wrapping_mul(TOKEN_LENGTH_FACTOR))
}

/// Rolling hash of a window of n tokens (shingle hash 1), with odd constants B and L:
///
/// ```text
/// H(t1 .. tn) = mix( t1 B^(n-1) + t2 B^(n-2) + ... + tn  +  n L )      modulo 2^64
/// ```
#[derive(Debug, Clone)]
pub struct ShingleHasher {
    size: usize,
    /// B^n, the weight of the token that leaves a full window.
    leaving_weight: u64,
}

impl ShingleHasher {
    /// A hasher of windows of `size` tokens.
    pub fn new(size: usize) -> Self {
        Self { size, leaving_weight: power(SHINGLE_BASE, size) }
    }

    /// Hash of one window of any length, which may differ from `size`.
    pub fn hash(&self, tokens: &[u64]) -> u64 {
        finish(tokens.iter().fold(0, |sum, &token| push(sum, token)), tokens.len())
    }

    /// Calls `emit` with the hash of each full window, in order; never for fewer tokens than `size`.
    pub fn roll(&self, tokens: &[u64], mut emit: impl FnMut(u64)) {
        if tokens.len() < self.size {
            return;
        }
        let (head, tail) = tokens.split_at(self.size);
        let mut sum = head.iter().fold(0, |sum, &token| push(sum, token));
        emit(finish(sum, self.size));
        for (&entering, &leaving) in tail.iter().zip(tokens) {
            sum = push(sum, entering).wrapping_sub(leaving.wrapping_mul(self.leaving_weight));
            emit(finish(sum, self.size));
        }
    }
}

/// base^exponent, modulo 2^64, by squaring: the size of a window may be any number that a user writes.
fn power(mut base: u64, mut exponent: usize) -> u64 {
    let mut product = 1u64;
    while exponent > 0 {
        if exponent % 2 == 1 {
            product = product.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent /= 2;
    }
    product
}

fn push(sum: u64, token: u64) -> u64 {
    sum.wrapping_mul(SHINGLE_BASE).wrapping_add(token)
}

fn finish(sum: u64, length: usize) -> u64 {
    mix64(sum.wrapping_add((length as u64).wrapping_mul(SHINGLE_LENGTH_FACTOR)))
}

/// Order-dependent hash of a sequence of numbers, such as the rows of a band.
pub fn hash_sequence(seed: u64, values: impl IntoIterator<Item = u64>) -> u64 {
    let start = mix64(seed ^ TOKEN_LENGTH_FACTOR);
    mix64(values.into_iter().fold(start, |state, value| fold(state ^ value, TOKEN_KEY_LOW) ^ state.rotate_left(23)))
}

/// The generator SplitMix64 (Steele, Lea, Flood 2014): the source of all pseudo-random parameters, drawn from the seed
/// of the job.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator that starts from `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        value ^ value >> 31
    }

    /// A number below `limit` (0 if `limit` is 0), with a bias under `limit` / 2^64.
    pub fn next_below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(limit)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn stored_hash_values_are_frozen() {
        assert_eq!(hash_token(b""), FROZEN[0]);
        assert_eq!(hash_token(b"a"), FROZEN[1]);
        assert_eq!(hash_token("straße".as_bytes()), FROZEN[2]);
        assert_eq!(hash_token(b"a token of more than sixteen bytes"), FROZEN[3]);
        assert_eq!(ShingleHasher::new(3).hash(&[1, 2, 3]), FROZEN[4]);
        assert_eq!(hash_sequence(7, [1, 2, 3]), FROZEN[5]);
        assert_eq!(hash_occurrence(42, 2), FROZEN[6]);
    }
    const FROZEN: [u64; 7] = [
        0xB5EE_A5B2_B290_4E61,
        0x64FF_7444_8C92_06B3,
        0xF51D_B60C_4C29_B212,
        0x9475_2EB5_1691_DF28,
        0x1999_7272_7B74_001B,
        0xE832_B02C_7AF6_0705,
        0x8AB6_D848_4CA9_972F,
    ];

    #[test]
    fn splitmix64_gives_the_published_sequence() {
        let mut random = SplitMix64::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(expected, [(); 3].map(|()| random.next_u64()));
    }

    #[test]
    fn rolled_hashes_equal_those_of_each_window() {
        let tokens: Vec<u64> = (0..50).map(|i| mix64(i % 7)).collect();
        for size in 1..8 {
            let hasher = ShingleHasher::new(size);
            let mut rolled = Vec::new();
            hasher.roll(&tokens, |hash| rolled.push(hash));
            let each: Vec<u64> = tokens.windows(size).map(|window| hasher.hash(window)).collect();
            assert_eq!(rolled, each, "size {size}");
        }
    }

    #[test]
    fn powers_are_repeated_products() {
        let mut product = 1u64;
        for exponent in 0..200 {
            assert_eq!(power(SHINGLE_BASE, exponent), product, "exponent {exponent}");
            product = product.wrapping_mul(SHINGLE_BASE);
        }
        assert_eq!(ShingleHasher::new(usize::MAX).hash(&[1]), ShingleHasher::new(1).hash(&[1]));
    }

    #[test]
    fn short_tokens_never_collide_and_fill_all_bits() {
        let mut seen = HashSet::new();
        let mut ones = [0u32; 64];
        let letters = b"abcdefghijklmnopqrstuvwxyz0123456789'_";
        for &a in letters {
            for &b in letters {
                for &c in letters {
                    let hash = hash_token(&[a, b, c]);
                    assert!(seen.insert(hash));
                    for (bit, count) in ones.iter_mut().enumerate() {
                        *count += (hash >> bit & 1) as u32;
                    }
                }
            }
        }
        // 54,872 fair coins: standard deviation 117; six of them leave one false alarm in 10^7 runs of 64 bits.
        let half = seen.len() as f64 / 2.0;
        assert!(ones.iter().all(|&count| (f64::from(count) - half).abs() < 6.0 * 117.2));
    }

    #[test]
    fn tokens_in_a_text_hash_like_tokens_alone() {
        let text: Vec<u8> = (0..200u8).collect();
        for length in 0..=40 {
            for start in [0, 1, 7, 100] {
                let alone = hash_token(&text[start..start + length]);
                assert_eq!(hash_padded_token(&text, start..start + length), alone, "{length}");
            }
        }
        assert_eq!(hash_padded_token(b"short", 2..5), hash_token(b"ort"));
    }

    #[test]
    fn zero_padding_is_told_from_zero_bytes() {
        assert_ne!(hash_token(b"a"), hash_token(b"a\0"));
        assert_ne!(hash_token(&[b'a'; 16]), hash_token(&[b'a'; 17]));
    }
}
