//! From tokens to shingle sets: sorted sets of the hashes of n consecutive tokens.
//!
//! A shingle (Broder 1997) is a sequence of n consecutive tokens. A document with fewer than n tokens has one shingle
//! of all its tokens, so that short copies are found too; a document without tokens has the empty set. With a stride
//! above 1, a last, shorter shingle covers the remaining tokens, so that every token is covered.

use super::ElementSets;
use crate::ground::hash::{ShingleHasher, hash_occurrence};
use crate::ground::{Error, Result, Sorter};
use crate::text::{TextOptions, TokenUnit, Tokenizer};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Whether repeated shingles count. Stored as the boolean `bag`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "bool", into = "bool")]
pub enum Multiplicity {
    /// A set: repetitions of a shingle have no effect.
    Set,
    /// A bag: the i-th occurrence of a shingle is a separate element, which turns Jaccard similarity into weighted
    /// Jaccard similarity.
    Bag,
}

impl From<bool> for Multiplicity {
    fn from(is_bag: bool) -> Self {
        if is_bag { Self::Bag } else { Self::Set }
    }
}

impl From<Multiplicity> for bool {
    fn from(multiplicity: Multiplicity) -> Self {
        multiplicity == Multiplicity::Bag
    }
}

/// Width of shingle hashes. Stored as the number of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub enum HashBits {
    /// 32 bits, for comparison with other tools. Collisions become noticeable from some ten thousand distinct shingles
    /// on.
    Bits32,
    /// 64 bits, the default.
    Bits64,
}

impl From<HashBits> for u32 {
    fn from(bits: HashBits) -> Self {
        match bits {
            HashBits::Bits32 => 32,
            HashBits::Bits64 => 64,
        }
    }
}

impl TryFrom<u32> for HashBits {
    type Error = Error;

    fn try_from(bits: u32) -> Result<Self> {
        match bits {
            32 => Ok(Self::Bits32),
            64 => Ok(Self::Bits64),
            found => Err(Error::HashBits { found }),
        }
    }
}

/// Length and unit of shingles. Printed and stored as `word:5`, `char:9` or `items`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ShingleSize {
    /// The unit: words, characters or items.
    pub unit: TokenUnit,
    /// Tokens per shingle, at least 1.
    pub tokens: usize,
}

impl From<ShingleSize> for String {
    fn from(size: ShingleSize) -> Self {
        size.to_string()
    }
}

impl TryFrom<String> for ShingleSize {
    type Error = Error;

    /// Parses the printed form, including `items`.
    fn try_from(text: String) -> Result<Self> {
        if text == "items" { Ok(ShingleOptions::items().size) } else { text.parse() }
    }
}

impl FromStr for ShingleSize {
    type Err = Error;

    /// Parses `word:N` or `char:N`, N at least 1.
    fn from_str(text: &str) -> Result<Self> {
        let error = || Error::ShingleSyntax { found: text.to_owned() };
        let (unit, tokens) = text.split_once(':').ok_or_else(error)?;
        let unit = match unit {
            "word" => TokenUnit::Word,
            "char" => TokenUnit::Character,
            _ => return Err(error()),
        };
        let tokens = tokens.parse().ok().filter(|&tokens| tokens > 0).ok_or_else(error)?;
        Ok(Self { unit, tokens })
    }
}

impl fmt::Display for ShingleSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.unit {
            TokenUnit::Word => "word",
            TokenUnit::Character => "char",
            TokenUnit::Item => return formatter.write_str("items"),
        };
        write!(formatter, "{unit}:{}", self.tokens)
    }
}

/// How tokens become elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShingleOptions {
    /// Length and unit of a shingle.
    #[serde(rename = "shingle")]
    pub size: ShingleSize,
    /// Tokens from the start of one shingle to the start of the next. A stride equal to the size gives disjoint
    /// shingles.
    pub stride: usize,
    /// Whether repeated shingles count.
    #[serde(rename = "bag")]
    pub multiplicity: Multiplicity,
    /// Width of the shingle hashes.
    pub hash_bits: HashBits,
}

impl ShingleOptions {
    /// Overlapping shingles of `tokens` words, as a set of 64-bit hashes.
    pub fn words(tokens: usize) -> Self {
        let size = ShingleSize { unit: TokenUnit::Word, tokens };
        Self { size, stride: 1, multiplicity: Multiplicity::Set, hash_bits: HashBits::Bits64 }
    }

    /// Overlapping shingles of `tokens` characters, as a set of 64-bit hashes.
    pub fn characters(tokens: usize) -> Self {
        let size = ShingleSize { unit: TokenUnit::Character, tokens };
        Self { size, ..Self::words(1) }
    }

    /// Unchanged items, as a set of 64-bit hashes.
    pub fn items() -> Self {
        let size = ShingleSize { unit: TokenUnit::Item, tokens: 1 };
        Self { size, ..Self::words(1) }
    }

    /// Checks the options for validity, by themselves and in combination with those of the text.
    ///
    /// # Errors
    /// [`Error::Shingle`] for a size or stride of 0; [`Error::Stride`] for a stride that leaves tokens out between
    /// shingles; [`Error::WordsNeeded`] for stop words or stemming with another
    /// unit than words.
    pub fn check(&self, text: &TextOptions) -> Result<()> {
        if self.size.tokens == 0 || self.stride == 0 {
            return Err(Error::Shingle { size: self.size.tokens, stride: self.stride });
        }
        if self.stride > self.size.tokens {
            return Err(Error::Stride { size: self.size.tokens, stride: self.stride });
        }
        let filters_words = !text.stop_words.is_empty() || text.stem.is_some();
        if self.size.unit != TokenUnit::Word && filters_words {
            return Err(Error::WordsNeeded);
        }
        Ok(())
    }
}

impl Default for ShingleOptions {
    /// `word:5`, overlapping, as a set.
    fn default() -> Self {
        Self::words(5)
    }
}

/// Numbers of tokens and elements of one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Number of tokens of the text, stop words excluded.
    pub tokens: usize,
    /// Number of elements of its set.
    pub elements: usize,
}

/// Turns texts into sorted sets of shingle hashes. Owns reusable buffers: create one per thread and use it for many
/// texts.
#[derive(Debug, Clone)]
pub struct Shingler {
    options: ShingleOptions,
    tokenizer: Tokenizer,
    hasher: ShingleHasher,
    tokens: Vec<u64>,
    sorter: Sorter,
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
            sorter: Sorter::default(),
        }
    }

    /// The elements of `text`, strictly ascending.
    pub fn shingle(&mut self, text: &str) -> Vec<u64> {
        let mut set = Vec::new();
        self.append(text, &mut set);
        set
    }

    /// Appends the set of `text` to `sets` as the next document.
    ///
    /// # Errors
    /// [`Error::TooManyDocuments`] if all document numbers are in use.
    pub fn push(&mut self, text: &str, sets: &mut ElementSets) -> Result<Counts> {
        sets.push_with(|elements| self.append(text, elements))
    }

    /// Appends the elements of `text` to `elements`, strictly ascending among themselves.
    pub fn append(&mut self, text: &str, elements: &mut Vec<u64>) -> Counts {
        let visible = self.tokenizer.visible_text(text);
        self.tokens.clear();
        self.tokenizer.hash_tokens(&visible, self.options.size.unit, &mut self.tokens);
        let start = elements.len();
        self.for_each_shingle(&self.tokens, |hash| elements.push(hash));
        sort_into_set(elements, start, self.options.multiplicity, &mut self.sorter);
        Counts { tokens: self.tokens.len(), elements: elements.len() - start }
    }

    /// The tokenizer, for callers that also need the tokens.
    pub(crate) fn tokenizer(&mut self) -> &mut Tokenizer {
        &mut self.tokenizer
    }

    pub(crate) fn options(&self) -> &ShingleOptions {
        &self.options
    }

    /// Calls `emit` with each shingle hash of a token sequence, in order and with repetitions.
    pub(crate) fn for_each_shingle(&self, tokens: &[u64], mut emit: impl FnMut(u64)) {
        let (size, stride) = (self.options.size.tokens.max(1), self.options.stride.max(1));
        let mut emit = |hash: u64| match self.options.hash_bits {
            HashBits::Bits64 => emit(hash),
            // The upper half is retained in place, because sorting and frequency counters use the upper bits.
            HashBits::Bits32 => emit(hash & !0 << 32),
        };
        if stride == 1 && tokens.len() >= size {
            return self.hasher.roll(tokens, emit);
        }
        let mut covered = 0;
        for start in (0..tokens.len()).step_by(stride) {
            let end = start.saturating_add(size).min(tokens.len());
            if end > covered {
                emit(self.hasher.hash(&tokens[start..end]));
                covered = end;
            }
        }
    }
}

/// Turns the shingle hashes from `start` on into a set or bag: sorted, without repetitions.
fn sort_into_set(elements: &mut Vec<u64>, start: usize, multiplicity: Multiplicity, sorter: &mut Sorter) {
    sorter.sort(&mut elements[start..]);
    if multiplicity == Multiplicity::Bag {
        for copies in elements[start..].chunk_by_mut(|a, b| a == b) {
            number_copies(copies);
        }
        sorter.sort(&mut elements[start..]);
    }
    let mut end = start;
    for at in start..elements.len() {
        let element = elements[at];
        let is_new = end == start || element != elements[end - 1];
        elements[end] = element;
        end += usize::from(is_new);
    }
    elements.truncate(end);
}

/// Replaces the 2nd, 3rd, ... copy of a shingle by separate elements ([`hash_occurrence`]).
fn number_copies(copies: &mut [u64]) {
    for (copy, occurrence) in copies.iter_mut().zip(1..).skip(1) {
        *copy = hash_occurrence(*copy, occurrence);
    }
}

#[cfg(test)]
mod tests;
