//! Options of tokenization: preprocessing of a text, and filters on its tokens.

use super::{Mask, StemLanguage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Display;

/// Version of tokenization; changes whenever equal texts and options give other tokens or token hashes.
const VERSION: u32 = 2;

/// Version of what the article of a page is; changes whenever a page has another article.
const ARTICLES: u32 = 2;

/// The version of tokenization and of the Unicode tables behind it, as text for provenance. Sets from different
/// versions are not comparable.
pub fn version_of_tokens(options: &TextOptions) -> String {
    fn dotted(version: (impl Display, impl Display, impl Display)) -> String {
        format!("{}.{}.{}", version.0, version.1, version.2)
    }
    let normal = dotted(unicode_normalization::UNICODE_VERSION);
    let words = dotted(unicode_segmentation::UNICODE_VERSION);
    let mut version = format!("{VERSION} with Unicode {normal} and {words}");
    if options.main_content {
        version += &format!(", articles {ARTICLES}");
    }
    // Tables that words without a mask do not depend on; the sets of earlier programs stay comparable.
    if options.tokens == TokenKind::Words && options.mask.is_none() {
        return version;
    }
    let names = dotted(unicode_ident::UNICODE_VERSION);
    let digits = dotted(unicode_properties::UNICODE_VERSION);
    format!("{version}, code {names} and {digits}")
}

/// The kind of tokens that a text is cut into. Stored as `words` or `code`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TokenKind {
    /// Words: punctuation and other signs only separate them.
    #[default]
    Words,
    /// Tokens of source code in any language: identifiers, numbers, operators, and every other sign by itself.
    Code,
}

/// Preprocessing of a text before it is cut into tokens, and filters on its tokens.
///
/// ```
/// # use lookalike_core::text::TextOptions;
/// let options = TextOptions { lowercase: false, ..TextOptions::default() };
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextOptions {
    /// The kind of tokens.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tokens: TokenKind,
    /// Normalize to Unicode form NFKC, which unifies compatible characters, and drop characters that cannot be seen
    /// (Default_Ignorable_Code_Point). In words and characters, signs that look like an apostrophe or a quotation mark
    /// become one; in source code they are tokens that a compiler tells apart.
    pub nfkc: bool,
    /// Fold the case of letters, in full: ß is ss, and a final sigma is a sigma.
    pub lowercase: bool,
    /// Parse the text as HTML and use its displayed text only.
    pub strip_html: bool,
    /// Words that are dropped; normalized like the text before the comparison.
    pub stop_words: BTreeSet<String>,
    /// Reduce words to their stems (Snowball).
    pub stem: Option<StemLanguage>,
    /// Makes one token of all identifiers of source code but these keywords, which are normalized like the text; `None`
    /// to keep identifiers as they are.
    #[serde(default, skip_serializing_if = "is_default")]
    pub keywords: Option<BTreeSet<String>>,
    /// Parts of the text whose value does not count.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mask: Option<Mask>,
    /// Drop the points of Arabic and Hebrew (harakat, niqqud, accents and marks of recitation) and the tatweel; hamza
    /// and madda are kept.
    #[serde(default, skip_serializing_if = "is_default")]
    pub strip_marks: bool,
    /// Compares the article of an HTML page alone. Readers of pages find it, the tokenizer does not; a page without one
    /// is compared as a whole.
    #[serde(default, skip_serializing_if = "is_default")]
    pub main_content: bool,
}

/// Options that came later are absent where they are not in use: what was stored before means the same, and compares as
/// equal.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl TextOptions {
    /// Source code as it stands: neither NFKC nor lower case, for both would make one of names and literals that are
    /// different to a compiler.
    pub fn code() -> Self {
        Self { tokens: TokenKind::Code, nfkc: false, lowercase: false, ..Self::default() }
    }

    /// Returns whether normalization makes one sign of those that look like an apostrophe or a quotation mark.
    pub(super) fn has_apostrophes_alike(&self) -> bool {
        self.nfkc && self.tokens == TokenKind::Words
    }
}

impl Default for TextOptions {
    /// NFKC and lower case, no filters.
    fn default() -> Self {
        Self {
            tokens: TokenKind::Words,
            nfkc: true,
            lowercase: true,
            strip_html: false,
            stop_words: BTreeSet::new(),
            stem: None,
            keywords: None,
            mask: None,
            strip_marks: false,
            main_content: false,
        }
    }
}
