//! A text without some of its tokens.

use super::packed_spans::TokenSpan;
use super::repeats::{Repeat, TokenPlace};
use super::spans::TokenSpans;
use std::borrow::Borrow;
use std::ops::Range;

/// Tokens that are cut, and where they stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutPiece {
    /// Numbers of the tokens in the document.
    pub tokens: Range<u32>,
    /// Place where the first of them stood first; `None` if they go because they stand between two cuts.
    pub first: Option<TokenPlace>,
}

/// Limits for the runs of pieces that are cut, in words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CutLimits {
    /// Shorter runs stay, and so do shorter tokens at the end of a run, if text follows: a heading goes with what it
    /// heads, and not with what stands before it. In a run of shorter tokens only, as a navigation is, headings are
    /// those at the end that are shorter than all before them.
    pub min_cut: u32,
    /// Number of words up to which text between two cuts goes as well.
    pub min_between: u32,
}

impl CutLimits {
    /// The pieces that are cut of those of a document, which ascend. `words` gives the number of words of a token, and
    /// `end` is the number of tokens of the document.
    ///
    /// ```text
    /// repeats  [Heading] own text [paragraph][Heading] own text [Heading][paragraph]     min_cut 8, min_between 0
    /// cut                         [paragraph]                   [Heading][paragraph]
    /// ```
    pub fn apply(self, pieces: &[CutPiece], words: impl Fn(u32) -> u32, end: u32) -> Vec<CutPiece> {
        let words_in = |tokens: Range<u32>| tokens.map(|token| u64::from(words(token))).sum::<u64>();
        let mut cut: Vec<CutPiece> = Vec::with_capacity(pieces.len());
        for run in pieces.chunk_by(|a, b| a.tokens.end == b.tokens.start) {
            let tokens = self.without_headings(tokens_of(run), &words, end);
            if words_in(tokens.clone()) < self.min_cut.into() {
                continue;
            }
            if let Some(last) = cut.last().filter(|_| self.min_between > 0) {
                let between = last.tokens.end..tokens.start;
                if words_in(between.clone()) <= self.min_between.into() {
                    cut.push(CutPiece { tokens: between, first: None });
                }
            }
            let pieces = run.iter().map(|CutPiece { tokens: Range { start, end }, first }| CutPiece {
                tokens: *start..tokens.end.min(*end),
                first: *first,
            });
            cut.extend(pieces.filter(|piece| !piece.tokens.is_empty()));
        }
        cut
    }

    /// A run of tokens without the headings at its end: up to the last token that is long enough to be cut alone; if
    /// none is, without those that are shorter than all before them. The whole run if the text ends with it.
    fn without_headings(self, run: Range<u32>, words: impl Fn(u32) -> u32, end: u32) -> Range<u32> {
        if run.end >= end {
            return run;
        }
        let last = run.clone().rev().find(|&token| words(token) >= self.min_cut);
        let behind = last.map_or_else(|| before_shorter(run.clone(), words), |last| last + 1);
        run.start..behind
    }
}

/// The end of the fewest tokens of a run, one at least, each of which has more words than every token behind them.
fn before_shorter(run: Range<u32>, words: impl Fn(u32) -> u32) -> u32 {
    let mut end = run.start;
    // Fewest words of a token before `end`, and of all that were looked at.
    let mut fewest = 0;
    let mut fewest_of_all = u32::MAX;
    for token in run {
        let count = words(token);
        fewest_of_all = fewest_of_all.min(count);
        if count >= fewest {
            fewest = fewest_of_all;
            end = token + 1;
        }
    }
    end
}

/// The tokens of pieces that touch each other.
fn tokens_of(run: &[CutPiece]) -> Range<u32> {
    let end = run.last().map_or(0, |last| last.tokens.end);
    run.first().map_or(end, |first| first.tokens.start)..end
}

/// The pieces that are cut out of a document with these repeats of windows of `size` tokens, which ascend. They ascend,
/// and no token is in two: of several repeats, a token is of the first.
pub fn cut_pieces(repeats: &[Repeat], size: usize) -> CutPieces<'_> {
    CutPieces { repeats: repeats.iter(), size: size as u32, end: 0, open: None }
}

/// The pieces that are cut out of a document, made one by one: a text that repeats one word has one for each.
#[derive(Debug, Clone)]
pub struct CutPieces<'r> {
    repeats: std::slice::Iter<'r, Repeat>,
    /// Number of tokens of a window.
    size: u32,
    /// End of `open`: the place behind its last token.
    end: u32,
    /// The piece that the next repeat may go on with.
    open: Option<CutPiece>,
}

impl Iterator for CutPieces<'_> {
    type Item = CutPiece;

    fn next(&mut self) -> Option<CutPiece> {
        for &Repeat { place, first, windows } in self.repeats.by_ref() {
            let begin = place.token.max(self.end);
            let behind = place.token + windows + self.size - 1;
            if begin >= behind {
                continue;
            }
            self.end = behind;
            let first = first.behind(begin - place.token);
            match &mut self.open {
                Some(last) if last.tokens.end == begin && continues(last, first) => last.tokens.end = behind,
                open => {
                    let next = CutPiece { tokens: begin..behind, first: Some(first) };
                    if let Some(piece) = open.replace(next) {
                        return Some(piece);
                    }
                }
            }
        }
        self.open.take()
    }
}

/// Returns whether the tokens from `first` on are those behind a piece, at the place where it stays.
fn continues(piece: &CutPiece, first: TokenPlace) -> bool {
    piece.first.is_some_and(|begin| begin.behind(piece.tokens.len() as u32) == first)
}

/// The runs of tokens that pieces cut, none of which touches another.
pub fn cut_runs(pieces: impl IntoIterator<Item = impl Borrow<CutPiece>>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for piece in pieces {
        let Range { start, end } = piece.borrow().tokens;
        match runs.last_mut() {
            Some(last) if last.end == start as usize => last.end = end as usize,
            _ => runs.push(start as usize..end as usize),
        }
    }
    runs
}

/// The tokens whose places tell what is cut with runs: the first and the last ones, and their neighbours.
pub fn cut_edges(runs: &[Range<usize>]) -> impl Iterator<Item = Range<usize>> + '_ {
    runs.iter().flat_map(|run| {
        let last = run.end.saturating_sub(1);
        [run.start.saturating_sub(1)..run.start + 1, last..run.end + 1]
    })
}

/// The text without runs of its tokens, which ascend and do not touch; `separator` stands between what was on both
/// sides of a cut.
///
/// ```text
/// cut b c in    a, (b c). d     stays   a, (d           what follows on the last token goes with it
///        with separator "|"     stays   a, (|d          white space before it goes as well
/// cut c d in    a, b; c d.\n    stays   a, b;\n         at the end, white space before the cut, not behind it
/// cut a b in    "a b" c         stays   c               at the begin, what precedes
/// ```
///
/// Nothing but white space is left of a text without tokens.
pub fn text_without(text: &str, spans: &TokenSpans, runs: &[Range<usize>], separator: Option<&str>) -> String {
    let mut left = String::with_capacity(text.len());
    let mut from = 0;
    for run in runs {
        let Some(CutText { bytes: Range { start, end }, follows }) = cut_of(text, spans, run) else { continue };
        let before = text.get(from..start.max(from)).unwrap_or_default();
        match separator.filter(|_| run.start > 0 && follows) {
            Some(separator) => {
                left.push_str(before.trim_end());
                left.push_str(separator);
            }
            None => left.push_str(before),
        }
        from = end.max(from);
    }
    left.push_str(text.get(from..).unwrap_or_default());
    left
}

/// Bytes and words that go with a run of tokens.
struct CutText {
    bytes: Range<usize>,
    /// True if a token stands behind it.
    follows: bool,
}

fn cut_of(text: &str, spans: &TokenSpans, run: &Range<usize>) -> Option<CutText> {
    let first = spans.at(run.start)?;
    let last = spans.at(run.end.checked_sub(1)?)?;
    let before = run.start.checked_sub(1).and_then(|token| spans.at(token)).map(|TokenSpan { end, .. }| end as usize);
    let behind = spans.at(run.end).map(|next| next.start as usize);
    // A character stays of which a token before the run, or behind it, is made as well.
    let own = before.unwrap_or(0).max(first.start as usize)..behind.unwrap_or(text.len()).min(last.end as usize);
    if own.is_empty() {
        return None;
    }
    let start = before.map_or(0, |_| own.start);
    let bytes = match (before, behind) {
        (_, Some(behind)) => start..behind,
        (None, None) => 0..text.trim_end().len(),
        (Some(before), None) => {
            let start = text.get(before..start).map_or(start, |between| before + between.trim_end().len());
            start..text.trim_end().len()
        }
    };
    Some(CutText { bytes, follows: behind.is_some() })
}

/// The bytes that go with runs of tokens, as [`text_without`] cuts them without a separator.
pub fn cut_bytes(text: &str, spans: &TokenSpans, runs: &[Range<usize>]) -> Vec<Range<usize>> {
    let cuts = runs.iter().filter_map(|run| cut_of(text, spans, run)).map(|cut| cut.bytes);
    cuts.filter(|bytes| bytes.start < bytes.end).collect()
}
