//! What changes single tokens of code after they are cut: renaming, masks.

use super::cut::CodeToken;
use crate::text::characters::{MASKED, Mask, without_digits};
use std::borrow::Cow;
use std::collections::HashSet;

/// The token that stands for all identifiers: one that no source contains, for tokens of code have no blanks.
const RENAMED: &str = "any identifier";

/// Renames identifiers and masks numbers in source code.
#[derive(Debug)]
pub(in crate::text) struct CodeFilter {
    keywords: Option<HashSet<String>>,
    mask: Option<Mask>,
}

impl CodeFilter {
    /// A filter that makes one token of all identifiers but `keywords`, which are in normal form; none of them if there
    /// is no list.
    pub(in crate::text) fn new(keywords: Option<HashSet<String>>, mask: Option<Mask>) -> Self {
        Self { keywords, mask }
    }

    /// What counts of a token.
    pub(in crate::text) fn apply<'a>(&self, token: &'a str, kind: CodeToken) -> Cow<'a, str> {
        match (kind, &self.keywords, self.mask) {
            (CodeToken::Identifier, Some(keywords), _) if !keywords.contains(token) => Cow::Borrowed(RENAMED),
            (CodeToken::Identifier, _, Some(Mask::Numbers)) => without_digits(Cow::Borrowed(token)),
            (CodeToken::Number, _, Some(Mask::Numbers)) => Cow::Borrowed(MASKED),
            (CodeToken::Identifier | CodeToken::Number, _, None) | (CodeToken::Sign, ..) => Cow::Borrowed(token),
        }
    }
}
