//! Options of tokenization: preprocessing of a text, and filters on its tokens.

use super::StemLanguage;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Version of tokenization; changes whenever equal texts and options give other tokens or token hashes.
const VERSION: u32 = 1;

/// The version of tokenization and of the Unicode tables behind it, as text for provenance. Sets from different
/// versions are not comparable.
pub fn version_of_tokens() -> String {
    let (normal, words) = (unicode_normalization::UNICODE_VERSION, unicode_segmentation::UNICODE_VERSION);
    format!("{VERSION} with Unicode {}.{}.{} and {}.{}.{}", normal.0, normal.1, normal.2, words.0, words.1, words.2)
}

/// Preprocessing of a text before it is cut into tokens, and filters on its tokens.
///
/// ```
/// # use lookalike_core::text::TextOptions;
/// let options = TextOptions { lowercase: false, ..TextOptions::default() };
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextOptions {
    /// Normalize to Unicode form NFKC, which unifies compatible characters.
    pub nfkc: bool,
    /// Map letters to lower case.
    pub lowercase: bool,
    /// Parse the text as HTML and use its displayed text only.
    pub strip_html: bool,
    /// Words that are dropped; normalized like the text before the comparison.
    pub stop_words: BTreeSet<String>,
    /// Reduce words to their stems (Snowball).
    pub stem: Option<StemLanguage>,
}

impl Default for TextOptions {
    /// NFKC and lower case, no filters.
    fn default() -> Self {
        Self { nfkc: true, lowercase: true, strip_html: false, stop_words: BTreeSet::new(), stem: None }
    }
}
