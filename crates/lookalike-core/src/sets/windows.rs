//! The windows of consecutive tokens that are the shingles of a text, over tokens that come in pieces.

use super::{HashBits, ShingleOptions};
use crate::base::hash::ShingleHasher;
use std::ops::Range;

/// Tokens of a piece, at least: a buffer of half a megabyte.
pub(super) const PIECE_TOKENS: usize = 1 << 16;

/// The windows of one text. The tokens that later windows begin with stay in the buffer between two pieces:
///
/// ```text
/// taken away    in the buffer
/// - - - - - - | t t t t t t t t t     next: where the next window begins
///                   ^ next            covered: the tokens up to here were in a window
/// ```
#[derive(Debug)]
pub(crate) struct Windows<'h> {
    hasher: &'h ShingleHasher,
    hash_bits: HashBits,
    size: usize,
    stride: usize,
    /// Tokens that are worth a call of [`Windows::hash_full`].
    pub(super) min_piece_tokens: usize,
    /// Number of tokens that were seen and taken away; of all, at the end.
    pub(super) tokens: usize,
    next: usize,
    covered: usize,
}

impl<'h> Windows<'h> {
    /// The windows of a text of which no token is there yet.
    pub(crate) fn new(options: &ShingleOptions, hasher: &'h ShingleHasher) -> Self {
        let size = options.size.tokens.max(1);
        let stride = options.stride.max(1);
        // Most of a piece must be new, however large the window that stays.
        let min_piece_tokens = PIECE_TOKENS.max(size.saturating_mul(2));
        Self { hasher, hash_bits: options.hash_bits, size, stride, min_piece_tokens, tokens: 0, next: 0, covered: 0 }
    }

    /// Calls `emit` with the hash of each window that is complete, in order, and takes away the tokens that no later
    /// window needs.
    pub(super) fn hash_full(&mut self, tokens: &mut Vec<u64>, emit: impl FnMut(u64)) {
        self.hash_complete(tokens, emit);
        let gone = self.next.min(tokens.len());
        tokens.drain(..gone);
        self.tokens += gone;
        self.next -= gone;
        self.covered = self.covered.saturating_sub(gone);
    }

    /// Calls `emit` with the hash of each window that is left at the end of the text: the last one may be shorter.
    pub(crate) fn hash_rest(&mut self, tokens: &[u64], mut emit: impl FnMut(u64)) {
        self.hash_complete(tokens, &mut emit);
        if self.next < tokens.len() && self.covered < tokens.len() {
            emit(narrowed(self.hasher.hash(&tokens[self.next..]), self.hash_bits));
        }
        self.tokens += tokens.len();
    }

    fn hash_complete(&mut self, tokens: &[u64], mut emit: impl FnMut(u64)) {
        let Self { hasher, hash_bits, size, stride, .. } = *self;
        let mut emit = |hash| emit(narrowed(hash, hash_bits));
        if stride == 1 && tokens.len() - self.next >= size {
            hasher.roll(&tokens[self.next..], &mut emit);
            (self.next, self.covered) = (tokens.len() - size + 1, tokens.len());
        }
        while let Some(window) = self.next.checked_add(size).and_then(|end| tokens.get(self.next..end)) {
            emit(hasher.hash(window));
            self.covered = self.next + size;
            self.next = self.next.saturating_add(stride);
        }
    }
}

/// The hash of a shingle with as many bits as the options ask for.
#[inline]
pub(super) fn narrowed(hash: u64, bits: HashBits) -> u64 {
    match bits {
        HashBits::Bits64 => hash,
        // The upper half is retained in place, because sorting and frequency counters use the upper bits.
        HashBits::Bits32 => hash & !0 << 32,
    }
}

/// The tokens of each shingle of a text: one every stride; a shorter one covers what the others leave over, and a short
/// text has one.
pub(crate) fn shingle_ranges(tokens: usize, options: ShingleOptions) -> impl Iterator<Item = Range<usize>> {
    let size = options.size.tokens.max(1);
    let stride = options.stride.max(1);
    let mut covered = 0;
    (0..tokens).step_by(stride).filter_map(move |start| {
        let end = start.saturating_add(size).min(tokens);
        let is_new = end > covered;
        covered = end;
        is_new.then_some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::HashKey;
    use proptest::prelude::{any, prop_assert_eq, proptest};

    /// The definition: a window at each multiple of the stride, if it has a token that no earlier one has.
    fn by_definition(tokens: &[u64], size: usize, stride: usize, hasher: &ShingleHasher) -> Vec<u64> {
        let mut hashes = Vec::new();
        let mut covered = 0;
        for start in (0..tokens.len()).step_by(stride) {
            let end = start.saturating_add(size).min(tokens.len());
            if end > covered {
                hashes.push(hasher.hash(&tokens[start..end]));
                covered = end;
            }
        }
        hashes
    }

    proptest! {
        #[test]
        fn windows_over_pieces_are_those_over_the_whole(
            pieces in proptest::collection::vec(proptest::collection::vec(any::<u64>(), 0..12), 0..8),
            size in 1usize..9,
            stride in 1usize..14,
        ) {
            let mut options = ShingleOptions::words(size);
            options.stride = stride;
            let hasher = ShingleHasher::new(size, &HashKey::BATCH);
            let mut windows = Windows::new(&options, &hasher);
            let mut tokens = Vec::new();
            let mut hashes = Vec::new();
            for piece in &pieces {
                tokens.extend_from_slice(piece);
                windows.hash_full(&mut tokens, |hash| hashes.push(hash));
            }
            windows.hash_rest(&tokens, |hash| hashes.push(hash));
            let whole = pieces.concat();
            prop_assert_eq!(windows.tokens, whole.len());
            prop_assert_eq!(hashes, by_definition(&whole, size, stride, &hasher));
        }
    }
}
