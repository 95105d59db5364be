//! A text without some of its tokens.

use super::repeats::{Repeat, TokenPlace};
use super::spans::{TokenSpan, TokenSpans};
use std::ops::Range;

/// Tokens that are cut, and where they stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutPiece {
    /// Numbers of the tokens in the document.
    pub tokens: Range<u32>,
    /// Where the first of them stood first.
    pub first: TokenPlace,
}

/// The pieces that are cut out of a document with these repeats of windows of `size` tokens, which ascend. They ascend,
/// and no token is in two: of several repeats, a token is of the first.
pub fn cut_pieces(repeats: &[Repeat], size: usize) -> Vec<CutPiece> {
    let (mut pieces, mut end): (Vec<CutPiece>, u32) = (Vec::new(), 0);
    for &Repeat { place, first, windows } in repeats {
        let (begin, behind) = (place.token.max(end), place.token + windows + size as u32 - 1);
        if begin >= behind {
            continue;
        }
        let first = first.behind(begin - place.token);
        match pieces.last_mut() {
            Some(last) if last.tokens.end == begin && continues(last, first) => last.tokens.end = behind,
            _ => pieces.push(CutPiece { tokens: begin..behind, first }),
        }
        end = behind;
    }
    pieces
}

/// Whether the tokens from `first` on are those behind a piece, at the place where it stays.
fn continues(piece: &CutPiece, first: TokenPlace) -> bool {
    piece.first.behind(piece.tokens.len() as u32) == first
}

/// The runs of tokens that pieces cut, none of which touches another.
pub fn cut_runs(pieces: &[CutPiece]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for CutPiece { tokens: Range { start, end }, .. } in pieces {
        match runs.last_mut() {
            Some(last) if last.end == *start as usize => last.end = *end as usize,
            _ => runs.push(*start as usize..*end as usize),
        }
    }
    runs
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
    let (mut left, mut from) = (String::with_capacity(text.len()), 0);
    for run in runs {
        let Some(Cut { bytes: Range { start, end }, follows }) = cut_of(text, spans, run) else { continue };
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

/// What goes with a run of tokens.
struct Cut {
    bytes: Range<usize>,
    /// Whether a token stands behind it.
    follows: bool,
}

fn cut_of(text: &str, spans: &TokenSpans, run: &Range<usize>) -> Option<Cut> {
    let (first, last) = (spans.at(run.start)?, spans.at(run.end.checked_sub(1)?)?);
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
    Some(Cut { bytes, follows: behind.is_some() })
}

/// The bytes that go with runs of tokens, as [`text_without`] cuts them without a separator.
pub fn cut_bytes(text: &str, spans: &TokenSpans, runs: &[Range<usize>]) -> Vec<Range<usize>> {
    let cuts = runs.iter().filter_map(|run| cut_of(text, spans, run)).map(|cut| cut.bytes);
    cuts.filter(|bytes| bytes.start < bytes.end).collect()
}
