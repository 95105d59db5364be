//! The tokens of a text with their places.

use crate::passages::{TokenSpans, token_hashes};
use crate::sets::Shingler;
use std::ops::Range;

/// The tokens of a text.
pub(super) struct Tokens {
    /// The text that is compared: the displayed one if HTML is stripped.
    pub(super) text: String,
    pub(super) hashes: Vec<u64>,
    pub(super) spans: TokenSpans,
}

impl Tokens {
    pub(super) fn of(text: &str, shingler: &mut Shingler) -> Self {
        let mut hashes = Vec::new();
        token_hashes(text, shingler, &mut hashes);
        let spans = TokenSpans::of(text, shingler);
        Self { text: shingler.tokenizer().visible_text(text).into_owned(), hashes, spans }
    }

    /// The text from the first to the last token of a range.
    pub(super) fn text_of(&self, tokens: &Range<usize>) -> &str {
        self.spans.get(tokens).and_then(|span| self.text.get(span.bytes())).unwrap_or_default()
    }
}
