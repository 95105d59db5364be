//! The features of a job: what a document becomes.

use super::Extractor;
use crate::base::Result;
use crate::base::hash::{HashKey, HashSecret};
use crate::documents::{Content, Form, Multiplicity, check_width};
use crate::kernel::Kernel;
use crate::sets::{ShingleOptions, ShingleSize, Shingler, SpelledShingler};
use crate::signatures::{SignatureElements, SignatureScheme};
use crate::text::{Items, TextOptions, TokenUnit, Tokenizer};
use crate::vectors::VectorWords;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::LazyLock;

/// Form that a document takes: the first parameter of a job. Stored flat, as fields of one JSON object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "features", rename_all = "snake_case")]
pub enum Features {
    /// A set of hashed shingles of a text, or of hashed items. In a bag, the i-th copy of an element is a separate
    /// element.
    Set {
        /// Rules for cutting the text into tokens. Items are used unchanged.
        #[serde(flatten)]
        text: TextOptions,
        /// Rules for making elements of tokens or items.
        #[serde(flatten)]
        shingle: ShingleOptions,
    },
    /// A set of hashes of spelled shingles ([`crate::sets::SpelledShingler`]), of which signatures are made that other
    /// programs understand.
    Spelled {
        /// Rules for cutting the text into tokens. Items are used unchanged.
        #[serde(flatten)]
        text: TextOptions,
        /// Rules for making elements of tokens or items.
        #[serde(flatten)]
        shingle: ShingleOptions,
    },
    /// A given fingerprint: a string of bits, kept as elements ([`crate::documents::parse_bits`]).
    Bits {
        /// Number of bits.
        width: u32,
    },
    /// A given vector of floats ([`crate::documents::Vector`]); all documents have equally many dimensions.
    Vector,
    /// A given MinHash signature, kept as a set ([`SignatureElements`]); all documents have equally many components.
    Signature,
    /// The text as it stands, without any elements: only texts that are equal byte for byte are alike.
    WholeText,
}

/// Text options where no text is cut: points and whole texts are taken as they are.
static NO_TEXT: LazyLock<TextOptions> = LazyLock::new(TextOptions::default);

impl Features {
    /// Shingles by the given options, of texts with default [`TextOptions`].
    pub fn shingles(shingle: ShingleOptions) -> Self {
        Self::Set { text: TextOptions::default(), shingle }
    }

    /// Returns these features, made of items in place of shingles of tokens.
    #[must_use]
    pub fn of_items(self) -> Self {
        self.changed(|_, shingle| shingle.size = ShingleOptions::items().size)
    }

    /// Returns these features with other counting of repetitions.
    #[must_use]
    pub fn with_multiplicity(self, multiplicity: Multiplicity) -> Self {
        self.changed(|_, shingle| shingle.multiplicity = multiplicity)
    }

    /// Returns these features of texts that are readable already: HTML was dropped.
    #[must_use]
    pub fn of_readable_texts(&self) -> Self {
        self.clone().changed(|text, _| (text.strip_html, text.main_content) = (false, false))
    }

    /// Returns these features with shingles of another size, one at each token.
    #[must_use]
    pub fn with_shingle_size(&self, size: ShingleSize) -> Self {
        self.clone().changed(|_, shingle| (shingle.size, shingle.stride) = (size, 1))
    }

    /// Returns these features, each copy of an element being an element of its own.
    #[must_use]
    pub fn in_bags(self) -> Self {
        self.with_multiplicity(Multiplicity::Bag)
    }

    /// Returns these features, whose tokens and shingles are hashed by a secret: who does not know it cannot make texts
    /// that collide with those of others. Sets of other secrets, or of none, cannot be compared with them.
    #[must_use]
    pub fn with_hash_secret(&self, secret: HashSecret) -> Self {
        self.clone().changed(|_, shingle| shingle.hash_secret = Some(secret))
    }

    /// Returns these features without the secret, to be shown.
    #[must_use]
    pub fn without_hash_secret(&self) -> Self {
        self.clone().changed(|_, shingle| shingle.hash_secret = None)
    }

    /// Returns these features with other options, where texts are cut.
    fn changed(mut self, change: impl FnOnce(&mut TextOptions, &mut ShingleOptions)) -> Self {
        match &mut self {
            Self::Set { text, shingle } | Self::Spelled { text, shingle } => change(text, shingle),
            Self::Bits { .. } | Self::Vector | Self::Signature | Self::WholeText => {}
        }
        self
    }

    /// Returns these features, hashed as this family of signatures has it.
    #[must_use]
    pub fn hashed_for(self, scheme: SignatureScheme) -> Self {
        match (scheme, self) {
            (SignatureScheme::Datasketch(_), Self::Set { text, shingle }) => Self::Spelled { text, shingle },
            (SignatureScheme::Lookalike | SignatureScheme::Datasketch(_), features) => features,
        }
    }

    /// Returns the options for cutting texts and for making elements of their tokens; `None` for points and whole
    /// texts, which are not cut.
    fn cut(&self) -> Option<(&TextOptions, &ShingleOptions)> {
        match self {
            Self::Set { text, shingle } | Self::Spelled { text, shingle } => Some((text, shingle)),
            Self::Bits { .. } | Self::Vector | Self::Signature | Self::WholeText => None,
        }
    }

    /// Returns whether elements are made of items.
    pub fn are_of_items(&self) -> bool {
        self.cut().is_some_and(|(_, shingle)| shingle.size.unit == TokenUnit::Item)
    }

    /// The text or the items that a stored string stands for ([`Content::stored`]).
    pub fn content_of_stored<'a>(&self, stored: impl Into<Cow<'a, str>>) -> Content<'a> {
        if self.are_of_items() { Items::from_stored(stored).into() } else { Content::Text(stored.into()) }
    }

    /// The width of given fingerprints; `None` for other features.
    pub fn width(&self) -> Option<u32> {
        match self {
            Self::Bits { width } => Some(*width),
            Self::Set { .. } | Self::Spelled { .. } | Self::Vector | Self::Signature | Self::WholeText => None,
        }
    }

    /// Returns the form in which documents are kept as words.
    pub fn form(&self) -> Form {
        match self {
            Self::Vector => Form::Vector,
            Self::Set { .. } | Self::Spelled { .. } | Self::Bits { .. } | Self::Signature | Self::WholeText => {
                Form::Elements
            }
        }
    }

    /// Returns the options for cutting texts into tokens; the default for points and whole texts, which are not cut.
    pub fn text(&self) -> &TextOptions {
        self.cut().map_or(&NO_TEXT, |(text, _)| text)
    }

    /// Returns the options for making elements of tokens; the default for points and whole texts, which have no tokens.
    pub fn shingle(&self) -> ShingleOptions {
        self.cut().map_or_else(ShingleOptions::default, |(_, shingle)| *shingle)
    }

    /// Checks the options for validity, each by itself and in combination.
    ///
    /// # Errors
    /// The errors of [`ShingleOptions::check`]; [`crate::Error::Width`].
    pub fn check(&self) -> Result<()> {
        match self {
            Self::Set { text, shingle } | Self::Spelled { text, shingle } => shingle.check(text),
            Self::Bits { width } => check_width(*width),
            Self::Vector | Self::Signature | Self::WholeText => Ok(()),
        }
    }

    /// A tokenizer with these options, to be used by one thread; the tokens do not depend on the kernel.
    pub fn tokenizer(&self, kernel: Kernel) -> Tokenizer {
        let key = self.shingle().hash_secret.map_or(HashKey::BATCH, HashSecret::key);
        Tokenizer::with_kernel(self.text().clone(), kernel).with_key(key)
    }

    /// An extractor of elements from contents, for one thread; the sets do not depend on the kernel.
    pub fn extractor(&self, kernel: Kernel) -> Extractor {
        match self {
            Self::Set { .. } => Extractor::Shingles(Box::new(self.shingler(kernel))),
            Self::Spelled { shingle, .. } => {
                Extractor::Spelled(Box::new(SpelledShingler::new(*shingle, self.tokenizer(kernel))))
            }
            Self::Bits { width } => Extractor::Bits { width: *width },
            Self::Vector => Extractor::Vectors(VectorWords::new(kernel)),
            Self::Signature => Extractor::Signatures(SignatureElements::default()),
            Self::WholeText => Extractor::Nothing,
        }
    }

    /// A shingler with these options, to be used by one thread; the sets do not depend on the kernel.
    pub fn shingler(&self, kernel: Kernel) -> Shingler {
        Shingler::new(self.shingle(), self.tokenizer(kernel))
    }
}

impl Default for Features {
    /// Shingles of five words.
    fn default() -> Self {
        Self::shingles(ShingleOptions::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::ShingleSize;
    use crate::stored::Provenance;
    use crate::text::{Mask, TextUnit};

    const DEFAULT: &str = concat!(
        r#"{"features":"set","nfkc":true,"lowercase":true,"strip_html":false,"stop_words":[],"stem":null,"#,
        r#""shingle":"word:5","stride":1,"bag":false,"hash_bits":64}"#
    );

    #[test]
    fn stored_names_are_frozen() {
        for (features, expected) in [
            (Features::default(), DEFAULT),
            (Features::Bits { width: 64 }, r#"{"features":"bits","width":64}"#),
            (Features::Vector, r#"{"features":"vector"}"#),
            (Features::Signature, r#"{"features":"signature"}"#),
            (Features::WholeText, r#"{"features":"whole_text"}"#),
        ] {
            assert_eq!(serde_json::to_string(&features).unwrap(), expected);
            assert_eq!(serde_json::from_str::<Features>(expected).unwrap(), features);
        }
        assert!(Features::Bits { width: 1 }.check().is_ok() && Features::Bits { width: 0 }.check().is_err());
        let bags = ShingleOptions { multiplicity: Multiplicity::Bag, ..ShingleOptions::items() };
        let text = TextOptions {
            stop_words: ["the", "of"].map(str::to_owned).into(),
            stem: Some("de".parse().unwrap()),
            ..TextOptions::default()
        };
        let features = Features::Set { text, shingle: bags };
        let json = serde_json::to_string(&features).unwrap();
        assert!(
            json.contains(r#""stop_words":["of","the"],"stem":"de","shingle":"items","stride":1,"bag":true"#),
            "{json}"
        );
        assert_eq!(serde_json::from_str::<Features>(&json).unwrap(), features);
        let features = features.with_multiplicity(Multiplicity::Counted);
        let json = serde_json::to_string(&features).unwrap();
        assert!(json.contains(r#""bag":"counted""#), "{json}");
        assert_eq!(serde_json::from_str::<Features>(&json).unwrap(), features);
        assert!(serde_json::from_str::<Features>(&json.replace("counted", "often")).is_err());
    }

    #[test]
    fn names_of_later_options_are_frozen_and_absent_by_default() {
        let keywords = ["if", "fn"].map(str::to_owned).into();
        let text = TextOptions {
            keywords: Some(keywords),
            mask: Some(Mask::Numbers),
            strip_marks: true,
            main_content: true,
            ..TextOptions::code()
        };
        let features = Features::Set { text, shingle: ShingleOptions::text_units(TextUnit::Paragraph, 2) };
        let json = serde_json::to_string(&features).unwrap();
        let expected = concat!(
            r#"{"features":"set","tokens":"code","nfkc":false,"lowercase":false,"strip_html":false,"stop_words":[],"#,
            r#""stem":null,"keywords":["fn","if"],"mask":"numbers","strip_marks":true,"main_content":true,"#,
            r#""shingle":"paragraph:2","stride":1,"bag":false,"hash_bits":64}"#
        );
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<Features>(&json).unwrap(), features);
        for unit in ["word:3", "char:3", "line:3", "sentence:3", "paragraph:3", "items"] {
            let size: ShingleSize = serde_json::from_str(&format!("\"{unit}\"")).unwrap();
            assert_eq!(size.to_string(), unit);
        }
    }

    #[test]
    fn what_earlier_programs_stored_means_the_same() {
        let stored: Provenance = serde_json::from_str(DEFAULT).unwrap();
        let difference = |features: &Features| Provenance::new().with(features).unwrap().difference(&stored);
        assert_eq!(difference(&Features::default()), None);
        let code = Features::Set { text: TextOptions::code(), shingle: ShingleOptions::default() };
        assert!(difference(&code).is_some());
        let text = TextOptions { main_content: true, ..TextOptions::default() };
        assert!(difference(&Features::Set { text, shingle: ShingleOptions::default() }).is_some());
    }
}
