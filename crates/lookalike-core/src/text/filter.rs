//! Filters that change single words after they are cut: stop words, stemming, masks.

use super::characters::{Mask, without_digits};
use crate::base::{Error, Result};
use rust_stemmers::{Algorithm, Stemmer};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

/// Codes and names of the languages with a stemmer, as listed in messages.
const STEM_LANGUAGES: &str = "ar (arabic), da (danish), nl (dutch), en (english), fi (finnish), fr (french), \
    de (german), el (greek), hu (hungarian), it (italian), no (norwegian), pt (portuguese), ro (romanian), \
    ru (russian), es (spanish), sv (swedish), ta (tamil), tr (turkish)";

const LANGUAGES: [(&str, &str, Algorithm); 18] = [
    ("ar", "arabic", Algorithm::Arabic),
    ("da", "danish", Algorithm::Danish),
    ("nl", "dutch", Algorithm::Dutch),
    ("en", "english", Algorithm::English),
    ("fi", "finnish", Algorithm::Finnish),
    ("fr", "french", Algorithm::French),
    ("de", "german", Algorithm::German),
    ("el", "greek", Algorithm::Greek),
    ("hu", "hungarian", Algorithm::Hungarian),
    ("it", "italian", Algorithm::Italian),
    ("no", "norwegian", Algorithm::Norwegian),
    ("pt", "portuguese", Algorithm::Portuguese),
    ("ro", "romanian", Algorithm::Romanian),
    ("ru", "russian", Algorithm::Russian),
    ("es", "spanish", Algorithm::Spanish),
    ("sv", "swedish", Algorithm::Swedish),
    ("ta", "tamil", Algorithm::Tamil),
    ("tr", "turkish", Algorithm::Turkish),
];

/// A language with a Snowball stemmer. Parsed from its ISO 639-1 code or English name in any case; stored as the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StemLanguage(Algorithm);

impl From<StemLanguage> for String {
    /// The ISO 639-1 code.
    fn from(language: StemLanguage) -> Self {
        let found = LANGUAGES.iter().find(|&&(_, _, algorithm)| algorithm == language.0);
        found.map_or("", |&(code, _, _)| code).to_owned()
    }
}

impl TryFrom<String> for StemLanguage {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl FromStr for StemLanguage {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        LANGUAGES
            .iter()
            .find(|(code, name, _)| text.eq_ignore_ascii_case(code) || text.eq_ignore_ascii_case(name))
            .map(|&(_, _, algorithm)| Self(algorithm))
            .ok_or_else(|| Error::StemLanguage { found: text.to_owned(), known: STEM_LANGUAGES })
    }
}

/// Drops stop words, stems all other words, and masks numbers in them.
pub(super) struct WordFilter {
    stop_words: HashSet<String>,
    stemmer: Option<Stemmer>,
    mask: Option<Mask>,
}

impl WordFilter {
    /// A filter for `stop_words` in normal form.
    pub(super) fn new(stop_words: HashSet<String>, stem: Option<StemLanguage>, mask: Option<Mask>) -> Self {
        Self { stop_words, stemmer: stem.map(|StemLanguage(algorithm)| Stemmer::create(algorithm)), mask }
    }

    /// Returns whether the filter changes no word.
    pub(super) fn is_idle(&self) -> bool {
        self.stop_words.is_empty() && self.stemmer.is_none() && self.mask.is_none()
    }

    /// The token for `word`; `None` for a stop word.
    pub(super) fn apply<'a>(&self, word: &'a str) -> Option<Cow<'a, str>> {
        if self.stop_words.contains(word) {
            return None;
        }
        let stem = self.stemmer.as_ref().map_or(Cow::Borrowed(word), |stemmer| stemmer.stem(word));
        Some(match self.mask {
            Some(Mask::Numbers) => without_digits(stem),
            None => stem,
        })
    }
}

impl fmt::Debug for WordFilter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "WordFilter({} stop words, stems: {})", self.stop_words.len(), self.stemmer.is_some())
    }
}
