//! Tokenization: a text becomes a sequence of tokens.
//!
//! The text is split into stretches whose ends no word and no normalization crosses. A plain stretch is cut by bit
//! masks; only the others go through the tables of Unicode. So a single "™" slows down one stretch, not the page. No
//! token or stretch allocates memory.

use super::TextOptions;
use super::cut::{cut_plain, cut_unicode};
use super::filter::WordFilter;
use super::html::strip_html;
use super::normalize::Normalized;
use super::plain::{OtherCharacter, Stretches, add_others};
use crate::ground::hash::HashKey;
use crate::kernel::{AsciiBlocks, Kernel, LetterCase};
use std::borrow::Cow;
use std::ops::Range;

/// The unit of tokenization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenUnit {
    /// Words by Unicode word boundaries (Unicode Standard Annex 29); single characters in scripts without spaces.
    Word,
    /// Characters of the normalized text; consecutive white space is one blank, and is dropped at both ends of the
    /// text.
    Character,
    /// Items of a set, each ended by [`ITEM_END`], unchanged: for records that are sets instead of texts.
    Item,
}

/// The terminator of an item ([`TokenUnit::Item`]).
pub const ITEM_END: char = '\0';

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

/// Emits the items of a set in order.
fn tokenize_items(items: &str, mut emit: impl FnMut(Token<'_>)) {
    let mut start = 0;
    for text in items.split_terminator(ITEM_END) {
        emit(Token { text, source: start..start + text.len() });
        start += text.len() + ITEM_END.len_utf8();
    }
}

/// A consumer of words. Words of plain stretches come as a range of the surrounding bytes, which makes hashing them
/// fast.
trait WordSink {
    fn plain_word(&mut self, blocks: &AsciiBlocks, word: Range<usize>, source: Range<usize>);
    fn word(&mut self, word: &str, source: Range<usize>);
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
    pub fn tokenize(&mut self, visible: &str, unit: TokenUnit, mut emit: impl FnMut(Token<'_>)) {
        match unit {
            TokenUnit::Word => self.walk_words(visible, &mut EmitTokens(emit)),
            TokenUnit::Character => self.tokenize_characters(visible, &mut emit),
            TokenUnit::Item => tokenize_items(visible, emit),
        }
    }

    /// Appends the hash of each token of a visible text to `hashes` (token hash 2, [`HashKey::token`]).
    pub fn hash_tokens(&mut self, visible: &str, unit: TokenUnit, hashes: &mut Vec<u64>) {
        let key = self.key;
        if unit == TokenUnit::Word && self.filter.is_idle() {
            self.walk_words(visible, &mut HashWords { key, hashes });
        } else {
            self.tokenize(visible, unit, |token| hashes.push(key.token(token.text.as_bytes())));
        }
    }

    /// Passes the words of a text to `sink`, in order.
    fn walk_words(&mut self, text: &str, sink: &mut impl WordSink) {
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
                    filtered.word(&normalized.text[word], start + from..start + to);
                });
            }
        }
    }

    fn tokenize_characters(&mut self, text: &str, emit: &mut impl FnMut(Token<'_>)) {
        self.normalized.fill(text, &self.options);
        let normalized = &self.normalized;
        let mut blank: Option<Range<usize>> = None;
        let mut begun = false;
        for (offset, character) in normalized.text.char_indices() {
            let end = offset + character.len_utf8();
            let source = normalized.source_start(offset)..normalized.source_end(end);
            if character.is_whitespace() {
                blank = Some(blank.map_or(source.clone(), |earlier| earlier.start..source.end));
                continue;
            }
            if let Some(source) = blank.take().filter(|_| begun) {
                emit(Token { text: " ", source });
            }
            begun = true;
            emit(Token { text: &normalized.text[offset..end], source });
        }
    }
}

/// Emits each word as a token.
struct EmitTokens<F>(F);

impl<F: FnMut(Token<'_>)> WordSink for EmitTokens<F> {
    fn plain_word(&mut self, blocks: &AsciiBlocks, word: Range<usize>, source: Range<usize>) {
        // Words end at character boundaries; this check is cheap compared with a callback per token.
        self.word(std::str::from_utf8(&blocks.bytes[word]).unwrap_or_default(), source);
    }

    fn word(&mut self, text: &str, source: Range<usize>) {
        (self.0)(Token { text, source });
    }
}

/// Appends the hash of each word.
struct HashWords<'a> {
    key: HashKey,
    hashes: &'a mut Vec<u64>,
}

impl WordSink for HashWords<'_> {
    fn plain_word(&mut self, blocks: &AsciiBlocks, word: Range<usize>, _: Range<usize>) {
        self.hashes.push(self.key.padded_token(&blocks.bytes, word));
    }

    fn word(&mut self, word: &str, _: Range<usize>) {
        self.hashes.push(self.key.token(word.as_bytes()));
    }
}

/// Applies stop words and stemming before a sink.
struct Filtered<'a, S> {
    filter: &'a WordFilter,
    sink: &'a mut S,
}

impl<S: WordSink> WordSink for Filtered<'_, S> {
    fn plain_word(&mut self, blocks: &AsciiBlocks, word: Range<usize>, source: Range<usize>) {
        if self.filter.is_idle() {
            self.sink.plain_word(blocks, word, source);
        } else {
            self.word(std::str::from_utf8(&blocks.bytes[word]).unwrap_or_default(), source);
        }
    }

    fn word(&mut self, word: &str, source: Range<usize>) {
        if self.filter.is_idle() {
            self.sink.word(word, source);
        } else if let Some(token) = self.filter.apply(word) {
            self.sink.word(&token, source);
        }
    }
}

#[cfg(test)]
mod tests;
