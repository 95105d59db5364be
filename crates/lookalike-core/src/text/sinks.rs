//! Sinks of tokens: they are emitted as text, hashed, filtered, or gathered to text units.

use super::filter::WordFilter;
use super::plain::PlainWords;
use crate::base::hash::{HashKey, SequenceHasher};
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
    /// Reason why tokenizing may end early.
    type Error;

    /// The words of a stretch whose sources count from `start`.
    fn plain_words(&mut self, blocks: &AsciiBlocks, words: &PlainWords, start: usize) {
        pass_each(self, blocks, words, start);
    }

    fn token(&mut self, token: &str, source: Range<usize>);

    /// Called from time to time, after some ten thousand tokens at most in all but unusual texts.
    fn pause(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The next tokens, up to the end of the unit, are those of a text unit that starts at `start`; their sources count
    /// from there.
    fn begin_unit(&mut self, _start: usize) {}

    fn end_unit(&mut self) {}
}

/// Passes each word of a plain stretch as a token.
fn pass_each(sink: &mut (impl TokenSink + ?Sized), blocks: &AsciiBlocks, words: &PlainWords, start: usize) {
    for (word, source) in words.iter().zip(words.sources()) {
        // Words end at character boundaries; this check is cheap compared with a callback per token.
        let token = std::str::from_utf8(&blocks.bytes[word]).unwrap_or_default();
        sink.token(token, start + source.start..start + source.end);
    }
}

/// The separator of tokens in the text of a text unit: no token contains a line feed, whatever cuts it.
const BETWEEN_TOKENS: char = '\n';

/// Emits each token, or each text unit that has tokens, as its tokens with separators.
pub(super) struct EmitTokens<F> {
    emit: F,
    /// Tokens of the text unit so far.
    text: String,
    unit: Option<UnitPlace>,
}

/// Place of the text unit whose tokens come.
struct UnitPlace {
    /// Start of the text unit.
    offset: usize,
    /// Range from its first token to its last; `None` before the first.
    source: Option<Range<usize>>,
}

impl<F> EmitTokens<F> {
    pub(super) fn new(emit: F) -> Self {
        Self { emit, text: String::new(), unit: None }
    }
}

impl<F: FnMut(Token<'_>)> TokenSink for EmitTokens<F> {
    type Error = Infallible;

    fn token(&mut self, text: &str, source: Range<usize>) {
        let Some(UnitPlace { offset, source: so_far }) = &mut self.unit else {
            return (self.emit)(Token { text, source });
        };
        if so_far.is_some() {
            self.text.push(BETWEEN_TOKENS);
        }
        self.text.push_str(text);
        let start = so_far.as_ref().map_or(*offset + source.start, |source| source.start);
        *so_far = Some(start..*offset + source.end);
    }

    fn begin_unit(&mut self, start: usize) {
        self.text.clear();
        self.unit = Some(UnitPlace { offset: start, source: None });
    }

    fn end_unit(&mut self) {
        if let Some(source) = self.unit.take().and_then(|unit| unit.source) {
            (self.emit)(Token { text: &self.text, source });
        }
    }
}

/// Appends the hash of each token, or of each text unit that has tokens: that of its tokens in order. A text unit may
/// be as long as the text, so its text is not held.
pub(super) struct HashTokens<'a, D> {
    pub(super) key: HashKey,
    pub(super) hashes: &'a mut Vec<u64>,
    pub(super) drain: D,
    /// The text unit whose tokens come.
    pub(super) unit: Option<SequenceHasher>,
}

impl<E, D: FnMut(&mut Vec<u64>) -> Result<(), E>> TokenSink for HashTokens<'_, D> {
    type Error = E;

    fn plain_words(&mut self, blocks: &AsciiBlocks, words: &PlainWords, _: usize) {
        let tokens = words.iter().map(|word| self.key.padded_token(&blocks.bytes, word));
        match &mut self.unit {
            Some(unit) => tokens.for_each(|token| unit.push(token)),
            None => self.hashes.extend(tokens),
        }
    }

    fn token(&mut self, token: &str, _: Range<usize>) {
        let token = self.key.token(token.as_bytes());
        match &mut self.unit {
            Some(unit) => unit.push(token),
            None => self.hashes.push(token),
        }
    }

    fn pause(&mut self) -> Result<(), E> {
        (self.drain)(self.hashes)
    }

    fn begin_unit(&mut self, _: usize) {
        self.unit = Some(SequenceHasher::new(&self.key));
    }

    fn end_unit(&mut self) {
        self.hashes.extend(self.unit.take().and_then(|unit| unit.finish()));
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
            self.sink.plain_words(blocks, words, start);
        } else {
            pass_each(self, blocks, words, start);
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
