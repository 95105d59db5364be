//! Tokenization: a text becomes a sequence of tokens.
//!
//! The text is split into stretches whose ends no word and no normalization crosses. A plain stretch is cut by bit
//! masks; only the others go through the tables of Unicode. So a single "™" slows down one stretch, not the page. No
//! token or stretch allocates memory.

use super::characters::{MASKED, Mask, is_digit, is_point};
use super::code::{CodeFilter, cut_code};
use super::cut::cut_unicode;
use super::filter::WordFilter;
use super::html::strip_html;
use super::items::Items;
use super::normalize::Normalized;
use super::pieces::{PIECE_BYTES, Pieces};
use super::plain::{OtherCharacter, OtherPlaces, PlainWords, Stretches, add_others};
use super::sinks::{EmitTokens, Filtered, HashTokens, Token, TokenSink};
use super::text_units::{TextUnit, text_units};
use super::{TextOptions, TokenKind};
use crate::base::hash::HashKey;
use crate::kernel::{Apostrophes, AsciiBlocks, AsciiForm, Kernel, LetterCase};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ops::Range;

/// The unit of tokenization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenUnit {
    /// Tokens of the kind that [`TextOptions::tokens`] says. Words are those of Unicode word boundaries (Unicode
    /// Standard Annex 29), and single characters in scripts without spaces.
    Word,
    /// Characters of the normalized text; consecutive white space is one blank, and is dropped at both ends of the
    /// text.
    Character,
    /// Text units of the text. Each is what its words (or tokens of code) are in their order; one without any is left
    /// out.
    TextUnit(TextUnit),
    /// Items of a set ([`Items`]), unchanged, a token for each copy: for records that are sets instead of texts. What
    /// is cut is the stored form of the set.
    Item,
}

/// Cuts texts into tokens. Owns reusable buffers: create one per thread and use it for many texts.
#[derive(Debug)]
pub struct Tokenizer {
    options: TextOptions,
    kernel: Kernel,
    filter: WordFilter,
    code_filter: CodeFilter,
    places: OtherPlaces,
    others: Vec<OtherCharacter>,
    blocks: AsciiBlocks,
    words: PlainWords,
    normalized: Normalized,
    key: HashKey,
}

impl Clone for Tokenizer {
    fn clone(&self) -> Self {
        Self::with_kernel(self.options.clone(), self.kernel).with_key(self.key)
    }
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
        let keywords = options.keywords.as_ref().map(|words| words.iter().map(&mut normalize).collect());
        let filter = WordFilter::new(stop_words, options.stem, options.mask);
        let code_filter = CodeFilter::new(keywords, options.mask);
        let places = OtherPlaces::default();
        let others = Vec::new();
        let blocks = AsciiBlocks::default();
        let words = PlainWords::default();
        Self { options, kernel, filter, code_filter, places, others, blocks, words, normalized, key: HashKey::BATCH }
    }

    /// Sets another key for the hashes of tokens than [`HashKey::BATCH`].
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
        let Ok(()) = self.walk(visible, unit, &mut EmitTokens::new(emit));
    }

    /// Appends the hash of each token of a visible text to `hashes` (token hash 2, [`HashKey::token`]; of a text unit,
    /// shingle hash 1 of its tokens, [`SequenceHasher`](crate::base::hash::SequenceHasher)).
    pub fn hash_tokens(&mut self, visible: &str, unit: TokenUnit, hashes: &mut Vec<u64>) {
        let Ok(()) = self.hash_in_pieces(visible, unit, hashes, |_| Ok::<_, Infallible>(()));
    }

    /// Does what [`Tokenizer::hash_tokens`] does, with a call of `drain` whenever a piece of a long text is hashed,
    /// which may take hashes away.
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
        self.walk(visible, unit, &mut HashTokens { key, hashes, drain, unit: None })
    }

    /// Passes the tokens of a text to `sink`, in order; those that text units are made of between begin and end of
    /// each.
    fn walk<S: TokenSink>(&mut self, text: &str, unit: TokenUnit, sink: &mut S) -> Result<(), S::Error> {
        match (unit, self.options.tokens) {
            (TokenUnit::Word, TokenKind::Words) => self.walk_words(text, sink),
            (TokenUnit::Word, TokenKind::Code) => self.walk_code(text, sink),
            (TokenUnit::TextUnit(kind), _) => self.walk_units(text, kind, sink),
            (TokenUnit::Character, _) => self.walk_characters(text, sink),
            (TokenUnit::Item, _) => walk_items(text, sink),
        }
    }

    fn walk_units<S: TokenSink>(&mut self, text: &str, kind: TextUnit, sink: &mut S) -> Result<(), S::Error> {
        for place in text_units(text, kind) {
            sink.begin_unit(place.start);
            self.walk(&text[place], TokenUnit::Word, sink)?;
            sink.end_unit();
        }
        sink.pause()
    }

    fn walk_words<S: TokenSink>(&mut self, text: &str, sink: &mut S) -> Result<(), S::Error> {
        let Self { options, kernel, filter, places, others, blocks, words, normalized, .. } = self;
        let mut filtered = Filtered { filter, sink };
        let case = if options.lowercase { LetterCase::Lower } else { LetterCase::AsIs };
        let apostrophes = if options.has_apostrophes_alike() { Apostrophes::Alike } else { Apostrophes::AsIs };
        let mut stretches = Stretches::new(text, *kernel, apostrophes, places);
        while let Some(stretch) = stretches.next(others) {
            let source = &text[stretch.range.clone()];
            let start = stretch.range.start;
            // Points are characters of words, so none is missing from `others`.
            let has_points = options.strip_marks && !others.is_empty() && source.contains(is_point);
            if stretch.is_plain && !has_points {
                kernel.classify_ascii(source.as_bytes(), AsciiForm { case, apostrophes }, blocks);
                add_others(blocks, source, others, case);
                words.cut(blocks, *kernel);
                words.fold_apostrophes(&mut blocks.bytes, others);
                filtered.plain_words(blocks, words, start);
            } else {
                normalized.fill(source, options);
                cut_unicode(&normalized.text, |word| {
                    let from = normalized.source_start(word.start);
                    let to = normalized.source_end(word.end);
                    filtered.token(&normalized.text[word], start + from..start + to);
                });
            }
            filtered.pause()?;
        }
        Ok(())
    }

    fn walk_code<S: TokenSink>(&mut self, text: &str, sink: &mut S) -> Result<(), S::Error> {
        let Self { options, code_filter, normalized, .. } = self;
        let as_is = !options.nfkc && !options.lowercase && !options.strip_marks;
        for piece in Pieces::of_code(text) {
            let source = &text[piece.clone()];
            let start = piece.start;
            if as_is {
                cut_code(source, |token, kind| {
                    sink.token(
                        &code_filter.apply(&source[token.clone()], kind),
                        start + token.start..start + token.end,
                    );
                });
            } else {
                normalized.fill(source, options);
                cut_code(&normalized.text, |token, kind| {
                    let from = normalized.source_start(token.start);
                    let to = normalized.source_end(token.end);
                    sink.token(&code_filter.apply(&normalized.text[token], kind), start + from..start + to);
                });
            }
            sink.pause()?;
        }
        Ok(())
    }

    fn walk_characters<S: TokenSink>(&mut self, text: &str, sink: &mut S) -> Result<(), S::Error> {
        let mut runs = CharacterRuns::new(self.options.mask);
        for piece in Pieces::of_characters(text) {
            self.normalized.fill(&text[piece.clone()], &self.options);
            let normalized = &self.normalized;
            for (offset, character) in normalized.text.char_indices() {
                let end = offset + character.len_utf8();
                let source = piece.start + normalized.source_start(offset)..piece.start + normalized.source_end(end);
                runs.push(character, &normalized.text[offset..end], source, sink);
            }
            sink.pause()?;
        }
        runs.end_number(sink);
        Ok(())
    }
}

/// The stop words that equal no token: those of several, as `new york` or most of a script without spaces, and those
/// with signs that are part of no word.
pub fn unmatched_stop_words(options: &TextOptions) -> Vec<&str> {
    if options.tokens == TokenKind::Code {
        return Vec::new();
    }
    let unfiltered = TextOptions { stop_words: BTreeSet::new(), stem: None, mask: None, ..options.clone() };
    let mut tokenizer = Tokenizer::new(unfiltered);
    let mut normalized = Normalized::default();
    let mut matches = |word: &str| {
        normalized.fill(word, options);
        let mut tokens = Vec::new();
        tokenizer.tokenize(word, TokenUnit::Word, |token| tokens.push(token.text.to_owned()));
        tokens == [normalized.text.as_str()]
    };
    options.stop_words.iter().map(String::as_str).filter(|word| !matches(word)).collect()
}

/// Folds runs of white space to one blank, without those at the ends of the text, and runs of digits if they are
/// masked. A run may go on in the next piece.
struct CharacterRuns {
    mask: Option<Mask>,
    has_begun: bool,
    blank: Option<Range<usize>>,
    number: Option<Range<usize>>,
}

impl CharacterRuns {
    fn new(mask: Option<Mask>) -> Self {
        Self { mask, has_begun: false, blank: None, number: None }
    }

    fn push<S: TokenSink>(&mut self, character: char, text: &str, source: Range<usize>, sink: &mut S) {
        let extended = |run: Option<Range<usize>>| run.map_or(source.clone(), |run| run.start..source.end);
        if self.mask == Some(Mask::Numbers) && is_digit(character) {
            self.end_blank(sink);
            self.number = Some(extended(self.number.take()));
            return;
        }
        self.end_number(sink);
        if character.is_whitespace() {
            self.blank = Some(extended(self.blank.take()));
            return;
        }
        self.end_blank(sink);
        sink.token(text, source);
    }

    /// Emits the blank before another character.
    fn end_blank<S: TokenSink>(&mut self, sink: &mut S) {
        if let Some(source) = self.blank.take().filter(|_| self.has_begun) {
            sink.token(" ", source);
        }
        self.has_begun = true;
    }

    fn end_number<S: TokenSink>(&mut self, sink: &mut S) {
        if let Some(source) = self.number.take() {
            sink.token(MASKED, source);
        }
    }
}

/// Passes the items of a set to `sink`, in order.
fn walk_items<S: TokenSink>(items: &str, sink: &mut S) -> Result<(), S::Error> {
    for piece in Pieces::of_items(items) {
        let start = piece.start;
        let mut tokens = 0;
        for item in Items::from_stored(&items[piece]).iter() {
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

#[cfg(test)]
mod tests;
