//! From tokens to shingle sets: n consecutive tokens, hashed, as a sorted set.
//!
//! A shingle (Broder 1997) is a run of n tokens. A document with fewer than n tokens has one shingle of all its tokens, so
//! that short copies are found too; one without tokens has none and is similar to nothing. With a stride above 1 a last,
//! shorter shingle takes what the others left over: every token counts.

use super::ElementSets;
use crate::ground::hash::{ShingleHasher, hash_occurrence};
use crate::ground::{Error, Result, Sorter};
use crate::text::{TextOptions, TokenUnit, Tokenizer};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Whether repeated shingles count; stored as `bag`: false or true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "bool", into = "bool")]
pub enum Multiplicity {
    /// A shingle is in the set or not.
    Set,
    /// The i-th occurrence of a shingle is an element of its own, so that Jaccard becomes weighted Jaccard.
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

/// Width of the shingle hashes; stored as 32 or 64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub enum HashBits {
    /// 32 bits: for comparison with tools that use them; collisions appear from some ten thousand shingles on.
    Bits32,
    /// 64 bits.
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

/// How long shingles are, and of what; stored as `word:5`, `char:9` or `items`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ShingleSize {
    /// Words, characters or items.
    pub unit: TokenUnit,
    /// Tokens in a shingle, at least 1.
    pub tokens: usize,
}

impl From<ShingleSize> for String {
    fn from(size: ShingleSize) -> Self {
        size.to_string()
    }
}

impl TryFrom<String> for ShingleSize {
    type Error = Error;

    /// Reads what is printed, `items` included.
    fn try_from(text: String) -> Result<Self> {
        if text == "items" { Ok(ShingleOptions::items().size) } else { text.parse() }
    }
}

impl FromStr for ShingleSize {
    type Err = Error;

    /// Reads `word:N` or `char:N`.
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
    /// Tokens from the start of one shingle to the next; as many as the size for shingles that do not overlap.
    pub stride: usize,
    /// Set or bag.
    #[serde(rename = "bag")]
    pub multiplicity: Multiplicity,
    /// Width of the hashes.
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

    /// Items as they stand, as a set of 64-bit hashes.
    pub fn items() -> Self {
        let size = ShingleSize { unit: TokenUnit::Item, tokens: 1 };
        Self { size, ..Self::words(1) }
    }

    /// Checks that the options make sense, by themselves and with those of the text.
    ///
    /// # Errors
    /// [`Error::Shingle`] for a size or stride of 0; [`Error::WordsNeeded`] for stop words or stems of anything but words.
    pub fn check(&self, text: &TextOptions) -> Result<()> {
        if self.size.tokens == 0 || self.stride == 0 {
            return Err(Error::Shingle { size: self.size.tokens, stride: self.stride });
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

/// What shingling found in one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Tokens of the text.
    pub tokens: usize,
    /// Elements of its set.
    pub elements: usize,
}

/// Turns texts into sorted sets of shingle hashes. Holds buffers: make one a thread and use it for many texts.
#[derive(Debug, Clone)]
pub struct Shingler {
    options: ShingleOptions,
    tokenizer: Tokenizer,
    hasher: ShingleHasher,
    tokens: Vec<u64>,
    sorter: Sorter,
}

impl Shingler {
    /// A shingler that cuts texts with `tokenizer`. A size or stride of 0 counts as 1; see [`ShingleOptions::check`].
    pub fn new(options: ShingleOptions, tokenizer: Tokenizer) -> Self {
        Self {
            options,
            tokenizer,
            hasher: ShingleHasher::new(options.size.tokens.max(1)),
            tokens: Vec::new(),
            sorter: Sorter::default(),
        }
    }

    /// The set of `text`, strictly ascending.
    pub fn shingle(&mut self, text: &str) -> Vec<u64> {
        let mut set = Vec::new();
        self.append(text, &mut set);
        set
    }

    /// Appends the set of `text` as the next document.
    ///
    /// # Errors
    /// [`Error::TooManyDocuments`] when there is no number left for it.
    pub fn push(&mut self, text: &str, sets: &mut ElementSets) -> Result<Counts> {
        sets.push_with(|elements| self.append(text, elements))
    }

    /// Appends the set of `text` to `elements`, strictly ascending.
    pub fn append(&mut self, text: &str, elements: &mut Vec<u64>) -> Counts {
        let visible = self.tokenizer.visible_text(text);
        self.tokens.clear();
        self.tokenizer.hash_tokens(&visible, self.options.size.unit, &mut self.tokens);
        let start = elements.len();
        self.for_each_shingle(&self.tokens, |hash| elements.push(hash));
        sort_into_set(elements, start, self.options.multiplicity, &mut self.sorter);
        Counts { tokens: self.tokens.len(), elements: elements.len() - start }
    }

    /// The tokenizer, for callers that need the tokens too.
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
            // The upper half, where it is: order and slots are taken from upper bits.
            HashBits::Bits32 => emit(hash & !0 << 32),
        };
        if stride == 1 && tokens.len() >= size {
            return self.hasher.roll(tokens, emit);
        }
        let mut covered = 0;
        for start in (0..tokens.len()).step_by(stride) {
            let end = (start + size).min(tokens.len());
            if end > covered {
                emit(self.hasher.hash(&tokens[start..end]));
                covered = end;
            }
        }
    }
}

fn sort_into_set(elements: &mut Vec<u64>, start: usize, multiplicity: Multiplicity, sorter: &mut Sorter) {
    sorter.sort(&mut elements[start..]);
    if multiplicity == Multiplicity::Bag {
        for run in elements[start..].chunk_by_mut(|a, b| a == b) {
            number_copies(run);
        }
        sorter.sort(&mut elements[start..]);
    }
    let mut kept = start;
    for at in start..elements.len() {
        let element = elements[at];
        let is_new = kept == start || element != elements[kept - 1];
        elements[kept] = element;
        kept += usize::from(is_new);
    }
    elements.truncate(kept);
}

/// Gives the 2nd, 3rd, ... copy of a shingle a hash of its own.
fn number_copies(run: &mut [u64]) {
    for (copy, occurrence) in run.iter_mut().zip(1..).skip(1) {
        *copy = hash_occurrence(*copy, occurrence);
    }
}

#[cfg(test)]
mod tests;
