//! Tokens of a text, in order.
//!
//! The text is taken in stretches that end where neither a word nor a normalization can reach across. A plain stretch is cut by
//! bit masks; only stretches with other characters go through Unicode tables. So a page pays for its one "™" and not for the
//! rest. Nothing is allocated by token or stretch.

use super::TextOptions;
use super::cut::{cut_plain, cut_unicode};
use super::filter::WordFilter;
use super::html::strip_html;
use super::normalize::Normalized;
use super::plain::{OtherCharacter, Stretches, add_others};
use crate::ground::hash::{hash_padded_token, hash_token};
use crate::kernel::{AsciiBlocks, Kernel, LetterCase};
use std::borrow::Cow;
use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenUnit {
    /// Words by Unicode word boundaries; single characters in scripts without spaces.
    Word,
    /// Characters of the normalized text, with a run of white space counted as one blank and none at the ends.
    Character,
    /// What stands before each [`ITEM_END`], as it stands: the items of a set that is no text.
    Item,
}

/// Ends an item of a set.
pub const ITEM_END: char = '\0';

/// One token of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// The token after normalization and filters.
    pub text: &'a str,
    /// Bytes of the source that it came from.
    pub source: Range<usize>,
}

/// Cuts texts into tokens. Holds buffers: make one a thread and use it for many texts.
#[derive(Debug)]
pub struct Tokenizer {
    options: TextOptions,
    kernel: Kernel,
    filter: WordFilter,
    others: Vec<OtherCharacter>,
    blocks: AsciiBlocks,
    normalized: Normalized,
}

impl Clone for Tokenizer {
    fn clone(&self) -> Self {
        Self::with_kernel(self.options.clone(), self.kernel)
    }
}

fn tokenize_items(items: &str, mut emit: impl FnMut(Token<'_>)) {
    let mut start = 0;
    for text in items.split_terminator(ITEM_END) {
        emit(Token { text, source: start..start + text.len() });
        start += text.len() + ITEM_END.len_utf8();
    }
}

/// Receives words before they become tokens; plain words come with their surroundings, which makes hashing them fast.
trait WordSink {
    fn plain_word(&mut self, blocks: &AsciiBlocks, word: Range<usize>, source: Range<usize>);
    fn word(&mut self, word: &str, source: Range<usize>);
}

impl Tokenizer {
    /// A tokenizer with the given options.
    pub fn new(options: TextOptions) -> Self {
        Self::with_kernel(options, Kernel::detect())
    }

    /// The same with a given version of the inner loops; the tokens do not depend on it.
    pub fn with_kernel(options: TextOptions, kernel: Kernel) -> Self {
        let mut normalized = Normalized::default();
        let mut normalize = |word: &String| {
            normalized.fill(word, &options);
            normalized.text.clone()
        };
        let stop_words = options.stop_words.iter().map(&mut normalize).collect();
        let filter = WordFilter::new(stop_words, options.stem);
        Self { options, kernel, filter, others: Vec::new(), blocks: AsciiBlocks::default(), normalized }
    }

    /// The options it was made with.
    pub fn options(&self) -> &TextOptions {
        &self.options
    }

    /// The text that tokens point into: the readable part of HTML if that was asked for, else `text` itself.
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

    /// Appends the hash of each token of a visible text to `hashes`.
    pub fn hash_tokens(&mut self, visible: &str, unit: TokenUnit, hashes: &mut Vec<u64>) {
        if unit == TokenUnit::Word && self.filter.is_idle() {
            self.walk_words(visible, &mut HashWords(hashes));
        } else {
            self.tokenize(visible, unit, |token| hashes.push(hash_token(token.text.as_bytes())));
        }
    }

    fn walk_words(&mut self, text: &str, sink: &mut impl WordSink) {
        let Self { options, kernel, filter, others, blocks, normalized } = self;
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

/// Hands words on as tokens.
struct EmitTokens<F>(F);

impl<F: FnMut(Token<'_>)> WordSink for EmitTokens<F> {
    fn plain_word(&mut self, blocks: &AsciiBlocks, word: Range<usize>, source: Range<usize>) {
        // Words begin and end between characters; the check costs little where tokens are looked at one by one.
        self.word(std::str::from_utf8(&blocks.bytes[word]).unwrap_or_default(), source);
    }

    fn word(&mut self, text: &str, source: Range<usize>) {
        (self.0)(Token { text, source });
    }
}

/// Hashes words.
struct HashWords<'a>(&'a mut Vec<u64>);

impl WordSink for HashWords<'_> {
    fn plain_word(&mut self, blocks: &AsciiBlocks, word: Range<usize>, _: Range<usize>) {
        self.0.push(hash_padded_token(&blocks.bytes, word));
    }

    fn word(&mut self, word: &str, _: Range<usize>) {
        self.0.push(hash_token(word.as_bytes()));
    }
}

/// Drops stop words and stems the others on their way to a sink.
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
        } else if let Some(kept) = self.filter.apply(word) {
            self.sink.word(&kept, source);
        }
    }
}

#[cfg(test)]
mod tests;
