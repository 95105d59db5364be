//! Rules for making elements of tokens: length, unit and stride of shingles, and whether repetitions count.

use crate::base::hash::HashSecret;
use crate::base::{Error, Result};
use crate::documents::Multiplicity;
use crate::text::{TextOptions, TextUnit, TokenKind, TokenUnit};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

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

/// Length and unit of shingles. Printed and stored as `word:5`, `char:9`, `line:3`, `sentence:1`, `paragraph:1` or
/// `items`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ShingleSize {
    /// The unit: words (or tokens of code), characters, text units or items.
    pub unit: TokenUnit,
    /// Tokens per shingle, at least 1.
    pub tokens: usize,
}

/// Units that shingles have several of, by name.
const UNITS: [(&str, TokenUnit); 5] = [
    ("word", TokenUnit::Word),
    ("char", TokenUnit::Character),
    ("line", TokenUnit::TextUnit(TextUnit::Line)),
    ("sentence", TokenUnit::TextUnit(TextUnit::Sentence)),
    ("paragraph", TokenUnit::TextUnit(TextUnit::Paragraph)),
];

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

impl ShingleSize {
    /// Maximum number of tokens: a text of fewer has no shingle but itself.
    pub const MAX_TOKENS: usize = 1 << 16;
}

impl FromStr for ShingleSize {
    type Err = Error;

    /// Parses `word:N`, `char:N`, `line:N`, `sentence:N` or `paragraph:N`, N from 1 to [`Self::MAX_TOKENS`].
    fn from_str(text: &str) -> Result<Self> {
        let error = || Error::ShingleSyntax { max_tokens: Self::MAX_TOKENS, found: text.to_owned() };
        let (unit, tokens) = text.split_once(':').ok_or_else(error)?;
        let &(_, unit) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(error)?;
        let tokens = tokens.parse().ok().filter(|tokens| (1..=Self::MAX_TOKENS).contains(tokens)).ok_or_else(error)?;
        Ok(Self { unit, tokens })
    }
}

impl fmt::Display for ShingleSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match UNITS.iter().find(|(_, unit)| *unit == self.unit) {
            Some((name, _)) => write!(formatter, "{name}:{}", self.tokens),
            None => formatter.write_str("items"),
        }
    }
}

/// Rules for making elements of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShingleOptions {
    /// Length and unit of a shingle.
    #[serde(rename = "shingle")]
    pub size: ShingleSize,
    /// Tokens from the start of one shingle to the start of the next. A stride equal to the size gives disjoint
    /// shingles.
    pub stride: usize,
    /// True if repeated shingles count.
    #[serde(rename = "bag")]
    pub multiplicity: Multiplicity,
    /// Width of the shingle hashes.
    pub hash_bits: HashBits,
    /// The secret by which tokens and shingles are hashed; `None` for the key of batch jobs, which everybody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash_secret: Option<HashSecret>,
}

impl ShingleOptions {
    /// Overlapping shingles of `tokens` words, as a set of 64-bit hashes.
    pub fn words(tokens: usize) -> Self {
        let size = ShingleSize { unit: TokenUnit::Word, tokens };
        Self { size, stride: 1, multiplicity: Multiplicity::Set, hash_bits: HashBits::Bits64, hash_secret: None }
    }

    /// Overlapping shingles of `tokens` characters, as a set of 64-bit hashes.
    pub fn characters(tokens: usize) -> Self {
        let size = ShingleSize { unit: TokenUnit::Character, tokens };
        Self { size, ..Self::words(1) }
    }

    /// Overlapping shingles of `tokens` text units, as a set of 64-bit hashes.
    pub fn text_units(kind: TextUnit, tokens: usize) -> Self {
        let size = ShingleSize { unit: TokenUnit::TextUnit(kind), tokens };
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
    /// shingles; [`Error::CodeWithoutTokens`] for tokens of code with shingles of characters or items;
    /// [`Error::CodeNeeded`] for keywords without tokens of code; [`Error::WordsNeeded`] for stop words or stemming
    /// where there are no words.
    pub fn check(&self, text: &TextOptions) -> Result<()> {
        if self.size.tokens == 0 || self.stride == 0 {
            return Err(Error::Shingle { size: self.size.tokens, stride: self.stride });
        }
        if self.stride > self.size.tokens {
            return Err(Error::Stride { size: self.size.tokens, stride: self.stride });
        }
        let has_tokens = matches!(self.size.unit, TokenUnit::Word | TokenUnit::TextUnit(_));
        let filters_words = !text.stop_words.is_empty() || text.stem.is_some();
        match text.tokens {
            TokenKind::Code if !has_tokens => Err(Error::CodeWithoutTokens),
            TokenKind::Words if text.keywords.is_some() => Err(Error::CodeNeeded),
            TokenKind::Words if has_tokens => Ok(()),
            TokenKind::Words | TokenKind::Code if filters_words => Err(Error::WordsNeeded),
            TokenKind::Words | TokenKind::Code => Ok(()),
        }
    }
}

impl Default for ShingleOptions {
    /// `word:5`, overlapping, as a set.
    fn default() -> Self {
        Self::words(5)
    }
}
