//! The hash functions behind all stored data: named, frozen by tests, identical on every machine.
//!
//! *Token hash 2* multiplies the two halves of each 16 bytes of a token, under a key, as NH (Black et al. 1999) and
//! wyhash do: one multiplication for most words. *Shingle hash 1* is a polynomial in the token hashes modulo 2^64,
//! which rolls from one shingle to the next with two multiplications at any shingle length, followed by the finalizer
//! of MurmurHash3. We turned down general-purpose hashers (`std`, ahash): their values may change between versions;
//! SipHash and AES: three times the cost of a word where there is no instruction for them.
//!
//! Token hash 1 let the hash of the first 16 bytes into the factors of the next, so a text could be found that made one
//! of them 0, and its eight bytes counted for nothing. In token hash 2 a factor is eight bytes of the token and eight
//! of the key and nothing else, and its upper byte is never 0.
//!
//! The key of batch jobs is the same for all, so that their files fit together, and it stands in this source. Who reads
//! it can search for shingles with equal hashes (some 2^32 trials for a pair, fewer for sums of several tokens), and so
//! for documents whose similarity is overstated: a verified pair is verified on these hashes. `--check-texts` believes
//! none.

use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};
use std::fmt;
use std::ops::Range;

/// The names of the hashes that elements are made by, for what is stored with them.
pub const ELEMENT_HASH: &str = "token hash 2, shingle hash 1";

const TOKEN_LENGTH_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
const SHINGLE_LENGTH_FACTOR: u64 = 0xA076_1D64_78BD_642F;
/// The byte that no UTF-8 text contains, as the upper byte of eight.
const NO_TEXT: u64 = 0xFF << 56;

/// The key of the element hash, by which tokens and shingles are hashed.
///
/// ```text
/// token hash 2 of w1 w2 ... (words of eight bytes, the last ones padded with zeros), l bytes long:
///     sum  of  f(w1, w2) P^(n-1) + f(w3, w4) P^(n-2) + ... + f(..)  +  l L        modulo 2^64
///     f(v, w) = upper half of (v ^ A) (w ^ B)  ^  lower half  +  (v ^ A)
/// ```
///
/// A and B have 0xFF as their upper byte, which does not occur in UTF-8: so the upper byte of a factor is at least
/// 0xFF ^ 0xF4 = 0x0B, whatever the text, and no word vanishes in a product with 0 or with little else. P is odd, so no
/// block vanishes in the sum. The last term tells the factors apart.
///
/// Who does not know the key cannot choose texts that collide but by chance, about 2^-64 for a pair of tokens; who
/// knows it can, with some effort, as for every hash of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashKey {
    /// A and B.
    factors: [u64; 2],
    /// P.
    block_factor: u64,
    /// The base of the shingle polynomial: odd, and 3 modulo 4, so that differences of its powers lose one bit at most.
    shingle_base: u64,
}

impl HashKey {
    /// The key of batch jobs: the same on every machine, so that parts of a job and its files fit together.
    pub const BATCH: Self =
        Self::from_words([0xFFA5_C3F7_FBE9_F5C1, 0xFFE3_DDC5_17B1_8ED3, 0xB492_B66F_BE98_F273, 0xD6E8_FEB8_6659_FD93]);

    /// A key of random bits.
    pub const fn from_words([first, second, block_factor, shingle_base]: [u64; 4]) -> Self {
        Self {
            factors: [first | NO_TEXT, second | NO_TEXT],
            block_factor: block_factor | 3,
            shingle_base: shingle_base | 3,
        }
    }

    /// Hashes the UTF-8 bytes of one token (token hash 2).
    pub fn token(&self, token: &[u8]) -> u64 {
        let mut blocks = token.chunks_exact(16);
        let whole = blocks.by_ref().fold(0, |sum, block| self.add_block(sum, load(&block[..8]), load(&block[8..])));
        let rest = blocks.remainder();
        let (low, high) = rest.split_at(rest.len().min(8));
        let sum = if rest.is_empty() { whole } else { self.add_block(whole, load(low), load(high)) };
        with_length(sum, token.len())
    }

    /// [`HashKey::token`] of the token at `range` of a longer text. Faster if the text has 16 bytes from each multiple
    /// of 16 bytes of the token on: a mask replaces the copying of single bytes.
    #[inline]
    pub(crate) fn padded_token(&self, text: &[u8], range: Range<usize>) -> u64 {
        let length = range.len();
        let window = text.get(range.start..).and_then(|rest| rest.first_chunk::<16>());
        match window {
            Some(window) if (1..=16).contains(&length) => with_length(self.add_window(0, window, length), length),
            _ => self.padded_long_token(text, range),
        }
    }

    /// Adds the first `length` bytes of a window, 1 to 16.
    #[inline]
    fn add_window(&self, sum: u64, window: &[u8; 16], length: usize) -> u64 {
        let word = u128::from_le_bytes(*window);
        self.add_block(sum, word as u64 & FIRST_OF_LOW[length], (word >> 64) as u64 & FIRST_OF_HIGH[length])
    }

    fn padded_long_token(&self, text: &[u8], range: Range<usize>) -> u64 {
        let mut sum = 0;
        let mut at = range.start;
        while let Some(left) = range.end.checked_sub(at).filter(|&left| left > 0)
            && let Some(window) = text.get(at..).and_then(|rest| rest.first_chunk::<16>())
        {
            sum = self.add_window(sum, window, left.min(16));
            if left <= 16 {
                return with_length(sum, range.len());
            }
            at += 16;
        }
        self.token(&text[range])
    }

    #[inline]
    fn add_block(&self, sum: u64, low: u64, high: u64) -> u64 {
        let [first, second] = [low ^ self.factors[0], high ^ self.factors[1]];
        sum.wrapping_mul(self.block_factor).wrapping_add(fold(first, second)).wrapping_add(first)
    }
}

/// The random words of a [`HashKey`] that is secret: stored with what was hashed by it, and shown nowhere else.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HashSecret([u64; 4]);

impl HashSecret {
    /// A secret of random bits.
    pub const fn new(words: [u64; 4]) -> Self {
        Self(words)
    }

    /// The key that is made of it.
    pub const fn key(self) -> HashKey {
        HashKey::from_words(self.0)
    }
}

impl fmt::Debug for HashSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("HashSecret")
    }
}

#[inline]
fn with_length(sum: u64, length: usize) -> u64 {
    sum.wrapping_add((length as u64).wrapping_mul(TOKEN_LENGTH_FACTOR))
}

/// Hashes bytes under the key of batch jobs ([`HashKey::token`]).
pub fn hash_token(token: &[u8]) -> u64 {
    HashKey::BATCH.token(token)
}

/// Masks of the first 0, 1, ... 16 bytes of a little-endian word of 16 bytes, for its lower half. Two tables, because
/// the compiler would move both halves to a vector register and back if they stood beside each other.
const FIRST_OF_LOW: [u64; 17] = first_bytes(0);
/// Masks of the same bytes for its upper half.
const FIRST_OF_HIGH: [u64; 17] = first_bytes(8);

const fn first_bytes(before: u32) -> [u64; 17] {
    let mut masks = [u64::MAX; 17];
    let mut length = 0;
    while length < before + 8 {
        masks[length as usize] = (1 << (8 * length.saturating_sub(before))) - 1;
        length += 1;
    }
    masks
}

/// Up to eight bytes as a little-endian number.
fn load(bytes: &[u8]) -> u64 {
    if let Ok(word) = bytes.try_into() {
        return u64::from_le_bytes(word);
    }
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

#[inline]
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

/// The value of which [`mix64`] makes this one.
pub(crate) fn unmix64(mut value: u64) -> u64 {
    // The inverses of the factors modulo 2^64; a shift by more than half of the bits is its own inverse.
    value ^= value >> 33;
    value = value.wrapping_mul(0x9CB4_B2F8_1293_37DB);
    value ^= value >> 33;
    value = value.wrapping_mul(0x4F74_430C_22A5_4005);
    value ^ value >> 33
}

/// Hashes the `occurrence`-th copy (counted from 1) of a shingle in a bag.
pub fn hash_occurrence(shingle: u64, occurrence: u64) -> u64 {
    mix64(shingle ^ occurrence.wrapping_mul(TOKEN_LENGTH_FACTOR))
}

/// Rolling hash of a window of n tokens (shingle hash 1), with an odd constant L and an odd B of the key:
///
/// ```text
/// H(t1 .. tn) = mix( t1 B^(n-1) + t2 B^(n-2) + ... + tn  +  n L )      modulo 2^64
/// ```
#[derive(Debug, Clone)]
pub struct ShingleHasher {
    size: usize,
    /// B.
    base: u64,
    /// B^n, the weight of the token that leaves a full window.
    leaving_weight: u64,
}

impl ShingleHasher {
    /// A hasher of windows of `size` tokens.
    pub fn new(size: usize, key: &HashKey) -> Self {
        let base = key.shingle_base;
        Self { size, base, leaving_weight: power(base, size) }
    }

    /// Hash of one window of any length, which may differ from `size`.
    pub fn hash(&self, tokens: &[u64]) -> u64 {
        finish(tokens.iter().fold(0, |sum, &token| self.push(sum, token)), tokens.len())
    }

    /// Calls `emit` with the hash of each full window, in order; never for fewer tokens than `size`.
    pub fn roll(&self, tokens: &[u64], mut emit: impl FnMut(u64)) {
        if tokens.len() < self.size {
            return;
        }
        let (head, tail) = tokens.split_at(self.size);
        let mut sum = head.iter().fold(0, |sum, &token| self.push(sum, token));
        emit(finish(sum, self.size));
        for (&entering, &leaving) in tail.iter().zip(tokens) {
            sum = self.push(sum, entering).wrapping_sub(leaving.wrapping_mul(self.leaving_weight));
            emit(finish(sum, self.size));
        }
    }

    #[inline]
    fn push(&self, sum: u64, token: u64) -> u64 {
        sum.wrapping_mul(self.base).wrapping_add(token)
    }
}

/// Hash of a sequence of tokens that come one by one: shingle hash 1 of all of them ([`ShingleHasher::hash`]).
#[derive(Debug, Clone)]
pub struct SequenceHasher {
    base: u64,
    sum: u64,
    tokens: usize,
}

impl SequenceHasher {
    /// A hasher of a sequence of which no token is there yet.
    pub fn new(key: &HashKey) -> Self {
        Self { base: key.shingle_base, sum: 0, tokens: 0 }
    }

    /// Adds the hash of the next token.
    #[inline]
    pub fn push(&mut self, token: u64) {
        self.sum = self.sum.wrapping_mul(self.base).wrapping_add(token);
        self.tokens += 1;
    }

    /// The hash of the tokens so far; `None` if there are none.
    pub fn finish(&self) -> Option<u64> {
        (self.tokens > 0).then(|| finish(self.sum, self.tokens))
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

fn finish(sum: u64, length: usize) -> u64 {
    mix64(sum.wrapping_add((length as u64).wrapping_mul(SHINGLE_LENGTH_FACTOR)))
}

const SEQUENCE_FACTOR: u64 = 0xFFA5_C3F7_FBE9_F5C1;

/// Order-dependent hash of a sequence of numbers, such as the rows of a band.
pub fn hash_sequence(seed: u64, values: impl IntoIterator<Item = u64>) -> u64 {
    let start = mix64(seed ^ TOKEN_LENGTH_FACTOR);
    mix64(values.into_iter().fold(start, |state, value| fold(state ^ value, SEQUENCE_FACTOR) ^ state.rotate_left(23)))
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

/// The state of SHA-1 before the first block (FIPS 180-4, section 5.3.1).
pub(crate) const SHA1_START: [u32; 5] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0];
/// The longest message of one block, which is padded by at least nine bytes (section 5.1.1).
pub(crate) const MAX_SHA1_BLOCK: usize = 55;

/// The hash of a string of bytes that datasketch takes unless it is given another: the first four bytes of its SHA-1,
/// little endian.
pub fn sha1_hash32(bytes: &[u8]) -> u32 {
    const BLOCK: usize = 64;
    const LENGTH: usize = size_of::<u64>();
    let mut state = SHA1_START;
    let mut block = [0; BLOCK];
    let first = match block[..MAX_SHA1_BLOCK].get_mut(..bytes.len()) {
        // One block holds nearly every word: in half the time of a general hasher.
        Some(place) => {
            place.copy_from_slice(bytes);
            block[bytes.len()] = 0x80;
            block[BLOCK - LENGTH..].copy_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());
            sha1::block_api::compress(&mut state, &[block]);
            state[0]
        }
        None => {
            let digest = Sha1::digest(bytes);
            u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
        }
    };
    first.swap_bytes()
}

#[cfg(test)]
mod tests;
