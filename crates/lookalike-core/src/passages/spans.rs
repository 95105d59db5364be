//! Where the tokens of a text stand.

use crate::features::Shingler;
use crate::text::{TokenUnit, text_units};
use std::ops::Range;

/// Where a token stands in the text that is compared: the displayed one if HTML is stripped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenSpan {
    /// Its first byte.
    pub start: u64,
    /// Behind its last byte.
    pub end: u64,
    /// The line in which it begins, from 1.
    pub line: u64,
    /// The line in which it ends.
    pub end_line: u64,
}

impl TokenSpan {
    /// Its bytes in the text.
    pub fn bytes(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The places of tokens: of all tokens of a text, or of some runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenSpans {
    /// Number of the first token of each run, ascending, and where its tokens stand.
    runs: Vec<(usize, Vec<TokenSpan>)>,
}

impl TokenSpans {
    /// All tokens of a text, those of which [`token_hashes`] gives the hashes.
    pub fn of(text: &str, shingler: &mut Shingler) -> Self {
        let unit = shingler.options().size.unit;
        let tokenizer = shingler.tokenizer();
        let visible = tokenizer.visible_text(text).into_owned();
        let (mut spans, mut at, mut line) = (Vec::new(), 0, 1);
        let mut line_at = |offset: usize| {
            // Several tokens of one character stand at the same place, and tokens come in order.
            let passed = visible.as_bytes().get(at..offset).unwrap_or(&[]);
            line += memchr::memchr_iter(b'\n', passed).count() as u64;
            at = at.max(offset);
            line
        };
        tokenizer.tokenize(&visible, unit, |token| {
            let Range { start, end } = token.source;
            let line = line_at(start);
            spans.push(TokenSpan { start: start as u64, end: end as u64, line, end_line: line_at(end) });
        });
        Self { runs: vec![(0, spans)] }
    }

    /// The same places, each widened to its whole text unit without trailing white space; for tokens that are lines,
    /// sentences or paragraphs.
    #[must_use]
    pub fn widened(mut self, visible: &str, unit: TokenUnit) -> Self {
        let TokenUnit::TextUnit(kind) = unit else { return self };
        let mut units = text_units(visible, kind).peekable();
        for span in self.runs.iter_mut().flat_map(|(_, spans)| spans) {
            while units.next_if(|place| (place.end as u64) < span.end).is_some() {}
            if let Some(place) = units.peek() {
                let content = visible.get(place.clone()).unwrap_or_default().trim_end();
                (span.start, span.end) = (place.start as u64, (place.start + content.len()) as u64);
            }
        }
        self
    }

    /// The places of the tokens in these ranges, which ascend by their beginnings.
    #[must_use]
    pub fn only(&self, ranges: impl IntoIterator<Item = Range<usize>>) -> Self {
        let mut joined: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => joined.push(range),
            }
        }
        let run = |range: Range<usize>| (range.start, range.filter_map(|token| self.at(token)).collect());
        Self { runs: joined.into_iter().map(run).collect() }
    }

    /// The places of all tokens, in order.
    pub fn all(&self) -> impl Iterator<Item = TokenSpan> {
        self.runs.iter().flat_map(|(_, spans)| spans).copied()
    }

    /// The places of all tokens of a text.
    pub(super) fn from_all(spans: Vec<TokenSpan>) -> Self {
        Self { runs: vec![(0, spans)] }
    }

    pub(super) fn at(&self, token: usize) -> Option<TokenSpan> {
        let run = self.runs.partition_point(|&(first, _)| first <= token).checked_sub(1)?;
        let (first, spans) = self.runs.get(run)?;
        spans.get(token - first).copied()
    }

    /// The place from the first to the last token of a range; `None` if the range is empty, or an end of it is not
    /// here.
    pub fn get(&self, tokens: &Range<usize>) -> Option<TokenSpan> {
        let (first, last) = (self.at(tokens.start)?, self.at(tokens.end.checked_sub(1)?)?);
        Some(TokenSpan { end: last.end, end_line: last.end_line, ..first })
    }
}

/// Appends the hashes of the tokens of a text, which follow each other as in [`TokenSpans::of`].
pub fn token_hashes(text: &str, shingler: &mut Shingler, hashes: &mut Vec<u64>) {
    let unit = shingler.options().size.unit;
    let tokenizer = shingler.tokenizer();
    let visible = tokenizer.visible_text(text);
    tokenizer.hash_tokens(&visible, unit, hashes);
}

/// By token of a text that is cut into text units, the number of its words; empty where tokens are words or characters.
pub fn token_words(text: &str, shingler: &mut Shingler) -> Vec<u32> {
    let TokenUnit::TextUnit(kind) = shingler.options().size.unit else { return Vec::new() };
    let tokenizer = shingler.tokenizer();
    let visible = tokenizer.visible_text(text).into_owned();
    let mut words = Vec::new();
    let counts = text_units(&visible, kind).map(|place| {
        words.clear();
        tokenizer.hash_tokens(&visible[place], TokenUnit::Word, &mut words);
        words.len() as u32
    });
    // A unit without words is no token.
    counts.filter(|&count| count > 0).collect()
}
