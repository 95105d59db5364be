//! The tokens of a text with their places.

use crate::features::Shingler;
use std::ops::Range;

/// The tokens of a text.
pub(super) struct Tokens {
    /// The text that is compared: the displayed one if HTML is stripped.
    pub(super) text: String,
    pub(super) hashes: Vec<u64>,
    /// Byte range of each token in the text.
    pub(super) sources: Vec<Range<usize>>,
}

impl Tokens {
    pub(super) fn of(text: &str, shingler: &mut Shingler) -> Self {
        let unit = shingler.options().size.unit;
        let tokenizer = shingler.tokenizer();
        let key = *tokenizer.key();
        let mut tokens = Self { text: tokenizer.visible_text(text).into_owned(), hashes: vec![], sources: vec![] };
        tokenizer.tokenize(&tokens.text, unit, |token| {
            tokens.hashes.push(key.token(token.text.as_bytes()));
            tokens.sources.push(token.source);
        });
        tokens
    }

    /// Byte range from the first to the last token of a range.
    pub(super) fn source(&self, tokens: Range<usize>) -> Range<usize> {
        match &self.sources[tokens] {
            [] => 0..0,
            [first, .., last] => first.start..last.end,
            [only] => only.clone(),
        }
    }
}
