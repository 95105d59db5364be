//! The places of consecutive tokens in three or four bytes each.
//!
//! ```text
//! token     distance of its begin from that of the token before, zigzag    LEB128
//!           its bytes                                                      LEB128
//!           2 (lines passed since the token before) + [it ends in another line]   LEB128
//!           lines from its begin to its end, if it ends in another one     LEB128
//! ```
//!
//! A [`TokenSpan`] takes 32 bytes, more than most tokens have. So places are held as they are stored, and one is found
//! by decoding from the last of the marks before it.

use bytemuck::{Pod, Zeroable};
use std::ops::Range;

/// Place of a token in the text that is compared: the displayed one if HTML is stripped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct TokenSpan {
    /// First byte of the token.
    pub start: u64,
    /// End of the token: the place behind its last byte.
    pub end: u64,
    /// The line in which it begins, from 1.
    pub line: u64,
    /// The line in which it ends.
    pub end_line: u64,
}

impl TokenSpan {
    /// Bytes of the token in the text.
    pub fn bytes(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Tokens from one mark to the next: as many are decoded for one place, at most.
const MARK_TOKENS: usize = 32;

/// The places of consecutive tokens of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PackedSpans {
    bytes: Vec<u8>,
    tokens: usize,
    /// One entry for every `MARK_TOKENS` tokens: the place where the first of them is encoded.
    marks: Vec<SpanMark>,
    last: Before,
}

/// A place in the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SpanMark {
    at: usize,
    before: Before,
}

/// The begin of the token before, from which the next one is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Before {
    start: u64,
    line: u64,
}

impl Default for Before {
    fn default() -> Self {
        Self { start: 0, line: 1 }
    }
}

impl PackedSpans {
    /// The places of `tokens` tokens that were encoded as `bytes`; `None` if these are damaged.
    pub(super) fn from_bytes(bytes: &[u8], tokens: usize) -> Option<Self> {
        if tokens > bytes.len() {
            return None;
        }
        let mut rest = bytes;
        let mut marks = Vec::with_capacity(tokens.div_ceil(MARK_TOKENS));
        let mut last = Before::default();
        for token in 0..tokens {
            if token % MARK_TOKENS == 0 {
                marks.push(SpanMark { at: bytes.len() - rest.len(), before: last });
            }
            last.decode(&mut rest)?;
        }
        rest.is_empty().then(|| Self { bytes: bytes.to_vec(), tokens, marks, last })
    }

    /// Adds the next token.
    pub(super) fn push(&mut self, span: TokenSpan) {
        if self.tokens.is_multiple_of(MARK_TOKENS) {
            self.marks.push(SpanMark { at: self.bytes.len(), before: self.last });
        }
        self.last.encode(span, &mut self.bytes);
        self.tokens += 1;
    }

    /// Number of tokens.
    pub(super) fn len(&self) -> usize {
        self.tokens
    }

    /// The encoded places.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The place of a token; `None` behind the last one.
    pub(super) fn get(&self, token: usize) -> Option<TokenSpan> {
        self.from(token).next()
    }

    /// The places of a token and of those behind it.
    pub(super) fn from(&self, token: usize) -> impl Iterator<Item = TokenSpan> + '_ {
        let mark = self.marks.get(token / MARK_TOKENS).filter(|_| token < self.tokens);
        let mut rest = mark.map_or(&[][..], |mark| &self.bytes[mark.at..]);
        let mut before = mark.map_or(Before::default(), |mark| mark.before);
        std::iter::from_fn(move || before.decode(&mut rest)).skip(token % MARK_TOKENS)
    }
}

impl Before {
    fn encode(&mut self, span: TokenSpan, bytes: &mut Vec<u8>) {
        let distance = span.start.wrapping_sub(self.start) as i64;
        push_number(((distance << 1) ^ (distance >> 63)) as u64, bytes);
        push_number(span.end.saturating_sub(span.start), bytes);
        let lines = span.end_line.saturating_sub(span.line);
        push_number(span.line.saturating_sub(self.line) << 1 | u64::from(lines > 0), bytes);
        if lines > 0 {
            push_number(lines, bytes);
        }
        *self = Self { start: span.start, line: span.line };
    }

    fn decode(&mut self, rest: &mut &[u8]) -> Option<TokenSpan> {
        let zigzag = take_number(rest)?;
        let distance = (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64);
        let start = self.start.checked_add_signed(distance)?;
        let end = start.checked_add(take_number(rest)?)?;
        let lines = take_number(rest)?;
        let line = self.line.checked_add(lines >> 1)?;
        let end_line = if lines & 1 == 1 { line.checked_add(take_number(rest)?)? } else { line };
        *self = Self { start, line };
        Some(TokenSpan { start, end, line, end_line })
    }
}

/// Appends a number as LEB128.
pub(super) fn push_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 1 << 7 {
        bytes.push(number as u8 | 1 << 7);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number from the begin of `bytes`; `None` if there is none.
pub(super) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 1 << 7 {
            return Some(number);
        }
    }
    None
}
