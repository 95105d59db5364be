//! Shingle sets of tokens: sorted sets of the hashes of n consecutive tokens.
//!
//! A shingle (Broder 1997) is a sequence of n consecutive tokens. A document with fewer than n tokens has one shingle
//! of all its tokens, so that short copies are found too; a document without tokens has the empty set. With a stride
//! above 1, a last, shorter shingle covers the remaining tokens, so that every token is covered.

use super::windows::{PIECE_TOKENS, narrowed};
use super::{ShingleOptions, Windows};
use crate::base::hash::{ShingleHasher, hash_occurrence};
use crate::base::{Error, Result, SetMaker, drop_repetitions};
use crate::documents::{Content, Counts, ElementSets, LoneElements, Multiplicity};
use crate::text::{Items, Tokenizer};
use std::convert::Infallible;

/// Turns texts into sorted sets of shingle hashes. Owns reusable buffers: create one per thread and use it for many
/// texts.
#[derive(Debug, Clone)]
pub struct Shingler {
    options: ShingleOptions,
    tokenizer: Tokenizer,
    hasher: ShingleHasher,
    tokens: Vec<u64>,
    maker: SetMaker,
}

impl Shingler {
    /// A shingler of the tokens of `tokenizer`. A size or stride of 0 is treated as 1; [`ShingleOptions::check`]
    /// refuses it.
    pub fn new(options: ShingleOptions, tokenizer: Tokenizer) -> Self {
        Self {
            options,
            hasher: ShingleHasher::new(options.size.tokens.max(1), tokenizer.key()),
            tokenizer,
            tokens: Vec::new(),
            maker: SetMaker::default(),
        }
    }

    /// The elements of a text, or of items, strictly ascending.
    ///
    /// # Errors
    /// [`Error::OtherContent`].
    pub fn shingle<'c>(&mut self, content: impl Into<Content<'c>>) -> Result<Vec<u64>> {
        let content = content.into();
        let mut set = Vec::new();
        self.append(content.to_cut(self.options.size.unit)?, &mut set);
        Ok(set)
    }

    /// Appends the set of a text, or of items, to `sets` as the next document.
    ///
    /// # Errors
    /// [`Error::TooManyDocuments`] if all document numbers are in use; [`Error::OtherContent`];
    /// [`Error::CountTooLarge`] for an element with 2^32 occurrences.
    pub fn push<'c>(&mut self, content: impl Into<Content<'c>>, sets: &mut ElementSets) -> Result<Counts> {
        let content = content.into();
        let cut = content.to_cut(self.options.size.unit)?;
        match (self.options.multiplicity, &content) {
            (Multiplicity::Set | Multiplicity::Bag, _) => sets.push_with(|elements| self.append(cut, elements)),
            (Multiplicity::Counted, Content::Items(items)) => {
                sets.push_counted_with(|elements, counts| self.append_items(items, elements, counts))
            }
            (Multiplicity::Counted, _) => {
                sets.push_counted_with(|elements, counts| self.append_counted(cut, elements, counts))
            }
        }
    }

    /// Appends the elements of `text` to `elements`, strictly ascending among themselves, and their counts to `counts`.
    fn append_counted(&mut self, text: &str, elements: &mut Vec<u64>, counts: &mut Vec<u32>) -> Result<Counts> {
        let start = elements.len();
        let Ok(tokens) = self.hash_cut(text, elements, |_| Ok::<_, Infallible>(()));
        self.maker.sorter().sort(&mut elements[start..]);
        for copies in elements[start..].chunk_by(|a, b| a == b) {
            let found = copies.len() as u64;
            counts.push(u32::try_from(found).map_err(|_| Error::CountTooLarge { found })?);
        }
        let distinct = drop_repetitions(&mut elements[start..]);
        elements.truncate(start + distinct);
        Ok(Counts { tokens, elements: elements.len() - start })
    }

    /// [`Self::append_counted`] for items: counts are taken as they are, not copy by copy.
    fn append_items(&mut self, items: &Items<'_>, elements: &mut Vec<u64>, counts: &mut Vec<u32>) -> Result<Counts> {
        let (once, counts_of_items) = items.split_counts();
        let mut hashes = Vec::with_capacity(counts_of_items.len());
        let Ok(_) = self.hash_cut(once.stored(), &mut hashes, |_| Ok::<_, Infallible>(()));
        let mut counted: Vec<(u64, u32)> = hashes.into_iter().zip(counts_of_items).collect();
        counted.sort_unstable();
        let start = elements.len();
        let mut tokens = 0;
        for of_element in counted.chunk_by(|a, b| a.0 == b.0) {
            let found = of_element.iter().map(|(_, count)| u64::from(*count)).sum::<u64>();
            counts.push(u32::try_from(found).map_err(|_| Error::CountTooLarge { found })?);
            elements.push(of_element[0].0);
            tokens += found as usize;
        }
        Ok(Counts { tokens, elements: elements.len() - start })
    }

    /// Appends the elements of `text` to `elements`, strictly ascending among themselves.
    fn append(&mut self, text: &str, elements: &mut Vec<u64>) -> Counts {
        let start = elements.len();
        let Ok(tokens) = self.hash_cut(text, elements, |_| Ok::<_, Infallible>(()));
        sort_into_set(elements, start, self.options.multiplicity, &mut self.maker);
        Counts { tokens, elements: elements.len() - start }
    }

    /// Appends the hash of each shingle of a text, or of each item, to `hashes`, in order and with repetitions, and
    /// returns the number of tokens. `drain` is called after each piece of a long text and may take hashes away: what
    /// is held of the text is little then, whatever its length.
    ///
    /// # Errors
    /// [`Error::OtherContent`]; those of `drain`, which end the work.
    pub fn hash_shingles<'c, E: From<Error>>(
        &mut self,
        content: impl Into<Content<'c>>,
        hashes: &mut Vec<u64>,
        drain: impl FnMut(&mut Vec<u64>) -> std::result::Result<(), E>,
    ) -> std::result::Result<usize, E> {
        let content = content.into();
        self.hash_cut(content.to_cut(self.options.size.unit)?, hashes, drain)
    }

    fn hash_cut<E>(
        &mut self,
        text: &str,
        hashes: &mut Vec<u64>,
        mut drain: impl FnMut(&mut Vec<u64>) -> std::result::Result<(), E>,
    ) -> std::result::Result<usize, E> {
        let Self { options, tokenizer, hasher, tokens, .. } = self;
        let visible = tokenizer.visible_text(text);
        let mut windows = Windows::new(options, hasher);
        tokens.clear();
        tokenizer.hash_in_pieces(&visible, options.size.unit, tokens, |tokens| {
            if tokens.len() < windows.min_piece_tokens {
                return Ok(());
            }
            windows.hash_full(tokens, |hash| hashes.push(hash));
            drain(hashes)
        })?;
        windows.hash_rest(tokens, |hash| hashes.push(hash));
        Ok(windows.tokens)
    }

    /// Appends to `found` those of the `searched` elements that are the shingle of fewer than n consecutive tokens of
    /// the text, with repetitions; returns the number of its tokens.
    pub fn find_short(&mut self, text: &str, searched: &LoneElements, found: &mut Vec<u64>) -> usize {
        let Self { options, tokenizer, tokens, .. } = self;
        let lengths = 1..options.size.tokens;
        let key = *tokenizer.key();
        let hashers: Vec<ShingleHasher> = lengths.map(|length| ShingleHasher::new(length, &key)).collect();
        let visible = tokenizer.visible_text(text);
        let mut taken = 0;
        let keep = options.size.tokens.saturating_sub(2);
        let mut look = |tokens: &[u64]| {
            for hasher in &hashers {
                hasher.roll(tokens, |hash| {
                    let element = narrowed(hash, options.hash_bits);
                    found.extend(searched.contains(element).then_some(element));
                });
            }
        };
        tokens.clear();
        let Ok(()) = tokenizer.hash_in_pieces(&visible, options.size.unit, tokens, |tokens| {
            if tokens.len() >= PIECE_TOKENS.max(2 * keep) {
                look(tokens);
                // Later runs may begin with the last tokens.
                let gone = tokens.len() - keep;
                tokens.drain(..gone);
                taken += gone;
            }
            Ok::<_, Infallible>(())
        });
        look(tokens);
        taken + tokens.len()
    }

    /// The tokenizer, for callers that also need the tokens.
    pub(crate) fn tokenizer(&mut self) -> &mut Tokenizer {
        &mut self.tokenizer
    }

    /// The most tokens that a content can have, each of which is held while its set is made; exact for items, whose
    /// counts are not copied where they are weights.
    pub fn max_tokens(&self, content: &Content<'_>) -> u64 {
        match content {
            Content::Items(items) if self.options.multiplicity == Multiplicity::Counted => items.iter().count() as u64,
            Content::Items(items) => items.copies(),
            Content::Text(text) => text.len() as u64,
            // Such contents are refused.
            Content::Bits(_) | Content::Vector(_) | Content::Signature(_) => 0,
        }
    }

    /// Returns whether it makes sets or bags.
    pub fn multiplicity(&self) -> Multiplicity {
        self.options.multiplicity
    }

    pub(crate) fn options(&self) -> &ShingleOptions {
        &self.options
    }
}

/// Turns the shingle hashes from `start` on into a set or bag: sorted, without repetitions.
pub(super) fn sort_into_set(elements: &mut Vec<u64>, start: usize, multiplicity: Multiplicity, maker: &mut SetMaker) {
    if multiplicity == Multiplicity::Bag {
        maker.sorter().sort(&mut elements[start..]);
        for copies in elements[start..].chunk_by_mut(|a, b| a == b) {
            number_copies(copies);
        }
    }
    maker.make(elements, start);
}

/// Replaces the 2nd, 3rd, ... copy of a shingle by separate elements ([`hash_occurrence`]).
fn number_copies(copies: &mut [u64]) {
    for (copy, occurrence) in copies.iter_mut().zip(1..).skip(1) {
        *copy = hash_occurrence(*copy, occurrence);
    }
}

#[cfg(test)]
mod tests;
