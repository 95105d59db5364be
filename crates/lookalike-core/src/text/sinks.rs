//! What becomes of tokens: they are emitted as text, hashed, filtered, or gathered to text units.

use super::filter::WordFilter;
use super::plain::PlainWords;
use crate::ground::hash::{HashKey, SequenceHasher};
use crate::kernel::AsciiBlocks;
use std::convert::Infallible;
use std::ops::Range;

/// One token of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// The token after normalization and filters.
    pub text: &'a str,
    /// Byte range of the token in the visible text.
    pub source: Range<usize>,
}

/// A consumer of tokens. Words of plain stretches come as a range of the surrounding bytes, which makes hashing them
/// fast.
pub(super) trait TokenSink {
    /// Why tokenizing may end early.
    type Error;

    /// The words of a stretch whose sources count from `start`.
    fn plain_words(&mut self, blocks: &AsciiBlocks, words: &PlainWords, start: usize) {
        for (word, source) in words.iter().zip(words.sources()) {
            self.plain_word(blocks, word, start + source.start..start + source.end);
        }
    }

    fn plain_word(&mut self, blocks: &AsciiBlocks, word: Range<usize>, source: Range<usize>) {
        // Words end at character boundaries; this check is cheap compared with a callback per token.
        self.token(std::str::from_utf8(&blocks.bytes[word]).unwrap_or_default(), source);
    }

    fn token(&mut self, token: &str, source: Range<usize>);

    /// Called from time to time, after some ten thousand tokens at most in all but unusual texts.
    fn pause(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// A consumer of tokens that come text unit by text unit.
pub(super) trait UnitSink: TokenSink {
    /// The next tokens are those of a text unit that starts at `start`; their sources count from there.
    fn begin_unit(&mut self, start: usize);
    fn end_unit(&mut self);
}

/// Emits each token.
pub(super) struct EmitTokens<F>(pub(super) F);

impl<F: FnMut(Token<'_>)> TokenSink for EmitTokens<F> {
    type Error = Infallible;

    fn token(&mut self, text: &str, source: Range<usize>) {
        (self.0)(Token { text, source });
    }
}

/// Appends the hash of each token.
pub(super) struct HashTokens<'a, D> {
    pub(super) key: HashKey,
    pub(super) hashes: &'a mut Vec<u64>,
    pub(super) drain: D,
}

impl<E, D: FnMut(&mut Vec<u64>) -> Result<(), E>> TokenSink for HashTokens<'_, D> {
    type Error = E;

    fn plain_words(&mut self, blocks: &AsciiBlocks, words: &PlainWords, _: usize) {
        self.hashes.extend(words.iter().map(|word| self.key.padded_token(&blocks.bytes, word)));
    }

    fn token(&mut self, token: &str, _: Range<usize>) {
        self.hashes.push(self.key.token(token.as_bytes()));
    }

    fn pause(&mut self) -> Result<(), E> {
        (self.drain)(self.hashes)
    }
}

/// Applies stop words, stemming and masks before a sink.
pub(super) struct Filtered<'a, S> {
    pub(super) filter: &'a WordFilter,
    pub(super) sink: &'a mut S,
}

impl<S: TokenSink> TokenSink for Filtered<'_, S> {
    type Error = S::Error;

    fn plain_words(&mut self, blocks: &AsciiBlocks, words: &PlainWords, start: usize) {
        if self.filter.is_idle() {
            return self.sink.plain_words(blocks, words, start);
        }
        for (word, source) in words.iter().zip(words.sources()) {
            let source = start + source.start..start + source.end;
            self.token(std::str::from_utf8(&blocks.bytes[word]).unwrap_or_default(), source);
        }
    }

    fn token(&mut self, word: &str, source: Range<usize>) {
        if self.filter.is_idle() {
            self.sink.token(word, source);
        } else if let Some(token) = self.filter.apply(word) {
            self.sink.token(&token, source);
        }
    }

    fn pause(&mut self) -> Result<(), S::Error> {
        self.sink.pause()
    }
}

/// Where the text unit stands whose tokens come.
#[derive(Default)]
pub(super) struct UnitPlace {
    /// Start of the text unit.
    offset: usize,
    /// From its first token to its last; `None` before the first.
    source: Option<Range<usize>>,
}

impl UnitPlace {
    fn begin(&mut self, start: usize) {
        *self = Self { offset: start, source: None };
    }

    fn add(&mut self, token: &Range<usize>) {
        let start = self.offset + token.start;
        let end = self.offset + token.end;
        self.source = Some(self.source.as_ref().map_or(start, |source| source.start)..end);
    }
}

/// The separator of tokens in the text of a text unit: no token contains a line feed, whatever cuts it.
const BETWEEN_TOKENS: char = '\n';

/// Emits each text unit that has tokens, as its tokens with separators.
pub(super) struct EmitUnits<F> {
    pub(super) text: String,
    pub(super) place: UnitPlace,
    pub(super) emit: F,
}

impl<F: FnMut(Token<'_>)> TokenSink for EmitUnits<F> {
    type Error = Infallible;

    fn token(&mut self, token: &str, source: Range<usize>) {
        if self.place.source.is_some() {
            self.text.push(BETWEEN_TOKENS);
        }
        self.text.push_str(token);
        self.place.add(&source);
    }
}

impl<F: FnMut(Token<'_>)> UnitSink for EmitUnits<F> {
    fn begin_unit(&mut self, start: usize) {
        self.text.clear();
        self.place.begin(start);
    }

    fn end_unit(&mut self) {
        if let Some(source) = self.place.source.take() {
            (self.emit)(Token { text: &self.text, source });
        }
    }
}

/// Appends the hash of each text unit that has tokens: that of its tokens in order. A text unit may be as long as the
/// text, so its text is not held.
pub(super) struct HashUnits<'a, D> {
    pub(super) key: HashKey,
    pub(super) hashes: &'a mut Vec<u64>,
    pub(super) drain: D,
    pub(super) unit: SequenceHasher,
}

impl<E, D: FnMut(&mut Vec<u64>) -> Result<(), E>> TokenSink for HashUnits<'_, D> {
    type Error = E;

    fn plain_word(&mut self, blocks: &AsciiBlocks, word: Range<usize>, _: Range<usize>) {
        self.unit.push(self.key.padded_token(&blocks.bytes, word));
    }

    fn token(&mut self, token: &str, _: Range<usize>) {
        self.unit.push(self.key.token(token.as_bytes()));
    }

    fn pause(&mut self) -> Result<(), E> {
        (self.drain)(self.hashes)
    }
}

impl<E, D: FnMut(&mut Vec<u64>) -> Result<(), E>> UnitSink for HashUnits<'_, D> {
    fn begin_unit(&mut self, _: usize) {
        self.unit = SequenceHasher::new(&self.key);
    }

    fn end_unit(&mut self) {
        self.hashes.extend(self.unit.finish());
    }
}
