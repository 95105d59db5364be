//! What is done to a text before it is cut into tokens, and to the tokens.

use super::StemLanguage;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Changes whenever the same text and options give other tokens, or other hashes of them.
const VERSION: u32 = 1;

/// What tokens depend on beside text and options: this program and the versions of the Unicode tables. Sets that were made of
/// other tokens cannot be compared.
pub fn version_of_tokens() -> String {
    let (normal, words) = (unicode_normalization::UNICODE_VERSION, unicode_segmentation::UNICODE_VERSION);
    format!("{VERSION} with Unicode {}.{}.{} and {}.{}.{}", normal.0, normal.1, normal.2, words.0, words.1, words.2)
}

/// What is done to a text before it is cut into tokens, and to the tokens.
///
/// ```
/// # use lookalike_core::text::TextOptions;
/// let options = TextOptions { lowercase: false, ..TextOptions::default() };
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextOptions {
    /// Bring compatible characters to one form (Unicode NFKC).
    pub nfkc: bool,
    /// Map letters to lower case.
    pub lowercase: bool,
    /// Take the text as HTML and keep what a reader sees.
    pub strip_html: bool,
    /// Words that are no tokens; they are normalized like the text before they are compared.
    pub stop_words: BTreeSet<String>,
    /// Reduce words to their stems (Snowball).
    pub stem: Option<StemLanguage>,
}

impl Default for TextOptions {
    /// NFKC and lower case, nothing dropped.
    fn default() -> Self {
        Self { nfkc: true, lowercase: true, strip_html: false, stop_words: BTreeSet::new(), stem: None }
    }
}
