//! Tokenization: a text becomes a sequence of tokens.
//!
//! The text is split into stretches whose ends no word and no normalization crosses. A plain stretch is cut by bit
//! masks; only the others go through the tables of Unicode. So a single "™" slows down one stretch, not the page. No
//! token or stretch allocates memory.

use super::TextOptions;
use super::cut::{cut_plain, cut_unicode};
use super::filter::WordFilter;
use super::html::strip_html;
use super::items::counted_items;
use super::normalize::Normalized;
use super::pieces::{PIECE_BYTES, Pieces};
use super::plain::{OtherCharacter, Stretches, add_others};
use crate::ground::hash::HashKey;
use crate::kernel::{AsciiBlocks, Kernel, LetterCase};
use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::Range;

/// The unit of tokenization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenUnit {
    /// Words by Unicode word boundaries (Unicode Standard Annex 29); single characters in scripts without spaces.
    Word,
    /// Characters of the normalized text; consecutive white space is one blank, and is dropped at both ends of the
    /// text.
    Character,
    /// Items of a set in the form of [`push_items`](super::push_items), unchanged, a token for each copy: for records
    /// that are sets instead of texts.
    Item,
}

/// One token of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// The token after normalization and filters.
    pub text: &'a str,
    /// Byte range of the token in the visible text.
    pub source: Range<usize>,
}

/// Cuts texts into tokens. Owns reusable buffers: create one per thread and use it for many texts.
#[derive(Debug)]
pub struct Tokenizer {
    options: TextOptions,
    kernel: Kernel,
    filter: WordFilter,
    others: Vec<OtherCharacter>,
    blocks: AsciiBlocks,
    normalized: Normalized,
    key: HashKey,
}

impl Clone for Tokenizer {
    fn clone(&self) -> Self {
        Self::with_kernel(self.options.clone(), self.kernel).with_key(self.key)
    }
}

/// A consumer of tokens. Words of plain stretches come as a range of the surrounding bytes, which makes hashing them
/// fast.
trait TokenSink {
    /// Why tokenizing may end early.
    type Error;

    fn plain_word(&mut self, blocks: &AsciiBlocks, word: Range<usize>, source: Range<usize>);
    fn token(&mut self, token: &str, source: Range<usize>);

    /// Called from time to time, after some ten thousand tokens at most in all but unusual texts.
    fn pause(&mut self) -> Result<(), Self::Error>;
}

impl Tokenizer {
    /// A tokenizer with the given options, on the fastest kernel of this processor.
    pub fn new(options: TextOptions) -> Self {
        Self::with_kernel(options, Kernel::detect())
    }

    /// A tokenizer on a given version of the inner loops; the tokens do not depend on it.
    pub fn with_kernel(options: TextOptions, kernel: Kernel) -> Self {
        let mut normalized = Normalized::default();
        let mut normalize = |word: &String| {
            normalized.fill(word, &options);
            normalized.text.clone()
        };
        let stop_words = options.stop_words.iter().map(&mut normalize).collect();
        let filter = WordFilter::new(stop_words, options.stem);
        let (others, blocks, key) = (Vec::new(), AsciiBlocks::default(), HashKey::BATCH);
        Self { options, kernel, filter, others, blocks, normalized, key }
    }

    /// The same with another key for the hashes of tokens than [`HashKey::BATCH`].
    pub fn with_key(self, key: HashKey) -> Self {
        Self { key, ..self }
    }

    /// The key for the hashes of tokens.
    pub fn key(&self) -> &HashKey {
        &self.key
    }

    /// The options of the tokenizer.
    pub fn options(&self) -> &TextOptions {
        &self.options
    }

    /// The text that token ranges refer to: the displayed text if HTML is to be stripped, else `text` itself.
    pub fn visible_text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.options.strip_html { Cow::Owned(strip_html(text)) } else { Cow::Borrowed(text) }
    }

    /// Calls `emit` with each token of a visible text (see [`Tokenizer::visible_text`]), in order.
    pub fn tokenize(&mut self, visible: &str, unit: TokenUnit, emit: impl FnMut(Token<'_>)) {
        let Ok(()) = self.walk(visible, unit, &mut EmitTokens(emit));
    }

    /// Appends the hash of each token of a visible text to `hashes` (token hash 2, [`HashKey::token`]).
    pub fn hash_tokens(&mut self, visible: &str, unit: TokenUnit, hashes: &mut Vec<u64>) {
        let Ok(()) = self.hash_in_pieces(visible, unit, hashes, |_| Ok::<_, Infallible>(()));
    }

    /// As [`Tokenizer::hash_tokens`], with a call of `drain` whenever a piece of a long text is hashed, which may take
    /// hashes away.
    ///
    /// # Errors
    /// Those of `drain`, which end the tokenization.
    pub(crate) fn hash_in_pieces<E>(
        &mut self,
        visible: &str,
        unit: TokenUnit,
        hashes: &mut Vec<u64>,
        drain: impl FnMut(&mut Vec<u64>) -> Result<(), E>,
    ) -> Result<(), E> {
        let key = self.key;
        self.walk(visible, unit, &mut HashTokens { key, hashes, drain })
    }

    /// Passes the tokens of a text to `sink`, in order.
    fn walk<S: TokenSink>(&mut self, text: &str, unit: TokenUnit, sink: &mut S) -> Result<(), S::Error> {
        match unit {
            TokenUnit::Word => self.walk_words(text, sink),
            TokenUnit::Character => self.walk_characters(text, sink),
            TokenUnit::Item => walk_items(text, sink),
        }
    }

    fn walk_words<S: TokenSink>(&mut self, text: &str, sink: &mut S) -> Result<(), S::Error> {
        let Self { options, kernel, filter, others, blocks, normalized, key: _ } = self;
        let mut filtered = Filtered { filter, sink };
        let case = if options.lowercase { LetterCase::Lower } else { LetterCase::AsIs };
        let mut stretches = Stretches::of(text);
        while let Some(stretch) = stretches.next(others) {
            let (source, start) = (&text[stretch.range.clone()], stretch.range.start);
            if stretch.is_plain {
                kernel.classify_ascii(source.as_bytes(), case, blocks);
                add_others(blocks, source, others, case);
                cut_plain(blocks, |word| {
                    filtered.plain_word(blocks, word.clone(), start + word.start..start + word.end)
                });
            } else {
                normalized.fill(source, options);
                cut_unicode(&normalized.text, |word| {
                    let (from, to) = (normalized.source_start(word.start), normalized.source_end(word.end));
                    filtered.token(&normalized.text[word], start + from..start + to);
                });
            }
            filtered.pause()?;
        }
        Ok(())
    }

    fn walk_characters<S: TokenSink>(&mut self, text: &str, sink: &mut S) -> Result<(), S::Error> {
        let mut blank: Option<Range<usize>> = None;
        let mut begun = false;
        for piece in Pieces::of_characters(text) {
            self.normalized.fill(&text[piece.clone()], &self.options);
            let normalized = &self.normalized;
            for (offset, character) in normalized.text.char_indices() {
                let end = offset + character.len_utf8();
                let source = piece.start + normalized.source_start(offset)..piece.start + normalized.source_end(end);
                if character.is_whitespace() {
                    blank = Some(blank.map_or(source.clone(), |earlier| earlier.start..source.end));
                    continue;
                }
                if let Some(source) = blank.take().filter(|_| begun) {
                    sink.token(" ", source);
                }
                begun = true;
                sink.token(&normalized.text[offset..end], source);
            }
            sink.pause()?;
        }
        Ok(())
    }
}

/// Passes the items of a set to `sink`, in order.
fn walk_items<S: TokenSink>(items: &str, sink: &mut S) -> Result<(), S::Error> {
    for piece in Pieces::of_items(items) {
        let (start, mut tokens) = (piece.start, 0);
        for item in counted_items(&items[piece]) {
            for _ in 0..item.count {
                sink.token(item.text, start + item.source.start..start + item.source.end);
                tokens += 1;
                // Few items may stand for many tokens.
                if tokens % PIECE_BYTES == 0 {
                    sink.pause()?;
                }
            }
        }
        sink.pause()?;
    }
    Ok(())
}

/// Emits each token.
struct EmitTokens<F>(F);

impl<F: FnMut(Token<'_>)> TokenSink for EmitTokens<F> {
    type Error = Infallible;

    fn plain_word(&mut self, blocks: &AsciiBlocks, word: Range<usize>, source: Range<usize>) {
        // Words end at character boundaries; this check is cheap compared with a callback per token.
        self.token(std::str::from_utf8(&blocks.bytes[word]).unwrap_or_default(), source);
    }

    fn token(&mut self, text: &str, source: Range<usize>) {
        (self.0)(Token { text, source });
    }

    fn pause(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Appends the hash of each token.
struct HashTokens<'a, D> {
    key: HashKey,
    hashes: &'a mut Vec<u64>,
    drain: D,
}

impl<E, D: FnMut(&mut Vec<u64>) -> Result<(), E>> TokenSink for HashTokens<'_, D> {
    type Error = E;

    fn plain_word(&mut self, blocks: &AsciiBlocks, word: Range<usize>, _: Range<usize>) {
        self.hashes.push(self.key.padded_token(&blocks.bytes, word));
    }

    fn token(&mut self, token: &str, _: Range<usize>) {
        self.hashes.push(self.key.token(token.as_bytes()));
    }

    fn pause(&mut self) -> Result<(), E> {
        (self.drain)(self.hashes)
    }
}

/// Applies stop words and stemming before a sink.
struct Filtered<'a, S> {
    filter: &'a WordFilter,
    sink: &'a mut S,
}

impl<S: TokenSink> TokenSink for Filtered<'_, S> {
    type Error = S::Error;

    fn plain_word(&mut self, blocks: &AsciiBlocks, word: Range<usize>, source: Range<usize>) {
        if self.filter.is_idle() {
            self.sink.plain_word(blocks, word, source);
        } else {
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

#[cfg(test)]
mod tests;
