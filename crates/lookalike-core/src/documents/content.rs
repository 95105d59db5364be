//! Contents of documents: texts, and what others have made of documents.
//!
//! Where contents are stored or hashed, each is a string. Texts and fingerprints are as they are spelled, items packed
//! ([`Items`]), and of vectors and signatures each component is a word of 32 bits in five characters of seven bits, the
//! lowest bits first; the last of them has four bits, and one that makes it a control character, so that no text is
//! taken for a vector. Text hashes and names are defined over these strings, so they stay as they are.

use super::{Bits, TextHash, content_name};
use crate::base::{ContentKind, Error, Result};
use crate::text::{Items, TokenUnit};
use std::borrow::Cow;

/// The content of a document, borrowed or owned.
#[derive(Debug, Clone, PartialEq)]
pub enum Content<'a> {
    /// A text.
    Text(Cow<'a, str>),
    /// A set of items.
    Items(Items<'a>),
    /// A fingerprint.
    Bits(Bits<'a>),
    /// The components of a vector, all finite.
    Vector(Cow<'a, [f32]>),
    /// The components of a MinHash signature.
    Signature(Cow<'a, [u32]>),
}

impl<'a> Content<'a> {
    /// Kind of the content.
    pub fn kind(&self) -> ContentKind {
        match self {
            Self::Text(_) => ContentKind::Text,
            Self::Items(_) => ContentKind::Items,
            Self::Bits(_) => ContentKind::Bits,
            Self::Vector(_) => ContentKind::Vector,
            Self::Signature(_) => ContentKind::Signature,
        }
    }

    /// Borrows this content.
    pub fn borrowed(&self) -> Content<'_> {
        match self {
            Self::Text(text) => Content::Text(Cow::Borrowed(text)),
            Self::Items(items) => Content::Items(items.borrowed()),
            Self::Bits(bits) => Content::Bits(bits.borrowed()),
            Self::Vector(components) => Content::Vector(Cow::Borrowed(components)),
            Self::Signature(components) => Content::Signature(Cow::Borrowed(components)),
        }
    }

    /// Returns this content, owned.
    pub fn into_owned(self) -> Content<'static> {
        match self {
            Self::Text(text) => Content::Text(Cow::Owned(text.into_owned())),
            Self::Items(items) => Content::Items(items.into_owned()),
            Self::Bits(bits) => Content::Bits(bits.into_owned()),
            Self::Vector(components) => Content::Vector(Cow::Owned(components.into_owned())),
            Self::Signature(components) => Content::Signature(Cow::Owned(components.into_owned())),
        }
    }

    /// The text.
    ///
    /// # Errors
    /// [`Error::OtherContent`] for all that is none.
    pub fn text(&self) -> Result<&str> {
        let Self::Text(text) = self else { return Err(self.instead_of(ContentKind::Text)) };
        Ok(text)
    }

    /// The items.
    ///
    /// # Errors
    /// [`Error::OtherContent`] for all that is no set of items.
    pub fn items(&self) -> Result<&Items<'a>> {
        let Self::Items(items) = self else { return Err(self.instead_of(ContentKind::Items)) };
        Ok(items)
    }

    /// The string that a tokenizer cuts at units of this kind: a text, or a set of items.
    ///
    /// # Errors
    /// [`Error::OtherContent`] for items where tokens of texts are expected, and so on.
    pub(crate) fn to_cut(&self, unit: TokenUnit) -> Result<&str> {
        match unit {
            TokenUnit::Item => self.items().map(Items::stored),
            TokenUnit::Word | TokenUnit::Character | TokenUnit::TextUnit(_) => self.text(),
        }
    }

    pub(crate) fn instead_of(&self, expected: ContentKind) -> Error {
        Error::OtherContent { expected, found: self.kind() }
    }

    /// Number of components; `None` for all that is no vector or signature.
    pub fn dimensions(&self) -> Option<usize> {
        match self {
            Self::Vector(components) => Some(components.len()),
            Self::Signature(components) => Some(components.len()),
            Self::Text(_) | Self::Items(_) | Self::Bits(_) => None,
        }
    }

    /// Number of characters of the stored string, by which keepers may be chosen.
    pub fn characters(&self) -> u64 {
        let of_components = self.dimensions().map(|components| components * CHARACTERS);
        of_components.unwrap_or_else(|| self.stored().chars().count()) as u64
    }

    /// The string that stands for it where it is stored.
    pub fn stored(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Items(items) => Cow::Borrowed(items.stored()),
            Self::Bits(bits) => Cow::Borrowed(bits.spelled()),
            // There is one zero: the sum turns -0 into 0 and leaves all others as they are.
            Self::Vector(components) => stored_words(components.iter().map(|component| (component + 0.0).to_bits())),
            Self::Signature(components) => stored_words(components.iter().copied()),
        }
    }

    /// The hash by which equal contents are known, for one with this number of elements; two documents with one
    /// signature need not be the same.
    pub fn text_hash(&self, elements: usize) -> TextHash {
        let is_known = !matches!(self, Self::Signature(_));
        if is_known { TextHash::new(&self.stored(), elements) } else { TextHash::UNKNOWN }
    }

    /// The name of a record without an id in an index. Of a fingerprint it does not depend on the spelling.
    pub fn name(&self) -> String {
        if let Self::Bits(bits) = self { content_name(&bits.plain_digits()) } else { content_name(&self.stored()) }
    }
}

/// Characters of a component.
const CHARACTERS: usize = 5;
/// Bits of a character.
const CHARACTER_BITS: usize = 7;
/// The last character of a component, beside its bits.
const LAST: u8 = 0x10;

/// The stored string of the components of a vector or signature.
fn stored_words(words: impl ExactSizeIterator<Item = u32>) -> Cow<'static, str> {
    let mut characters = Vec::with_capacity(words.len() * CHARACTERS);
    for word in words {
        let low = |place: usize| (word >> (place * CHARACTER_BITS)) as u8 & 0x7F;
        characters.extend_from_slice(&[low(0), low(1), low(2), low(3), LAST | low(4)]);
    }
    // The digits are ASCII.
    Cow::Owned(String::from_utf8(characters).unwrap_or_default())
}

impl<'a> From<&'a str> for Content<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a String> for Content<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl<'a> From<Items<'a>> for Content<'a> {
    fn from(items: Items<'a>) -> Self {
        Self::Items(items)
    }
}

impl<'a> From<&'a Content<'_>> for Content<'a> {
    fn from(content: &'a Content<'_>) -> Self {
        content.borrowed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert_eq, proptest};

    fn vector(components: &[f32]) -> Content<'_> {
        Content::Vector(components.into())
    }

    #[test]
    fn stored_strings_are_frozen() {
        assert_eq!(Content::from("a b").stored(), "a b");
        let mut items = Items::default();
        items.push("b", 2).unwrap();
        assert_eq!(Content::from(items).stored(), "\u{1}2\u{1}b\0");
        let bits = Content::Bits(Bits::parse(" 0X0F", 8).unwrap());
        assert_eq!(bits.stored(), " 0X0F");
        assert_eq!(bits.name(), content_name("0f"));
        assert_eq!(vector(&[1.0, -2.5]).stored(), "\0\0\0|\u{13}\0\0\0\u{1}\u{1c}");
        let signature = Content::Signature(Cow::Borrowed(&[0, 1, u32::MAX]));
        assert_eq!(signature.stored(), "\0\0\0\0\u{10}\u{1}\0\0\0\u{10}\u{7f}\u{7f}\u{7f}\u{7f}\u{1f}");
        assert_eq!(signature.text_hash(3), TextHash::UNKNOWN);
    }

    #[test]
    fn there_is_one_zero() {
        assert_eq!(vector(&[-0.0, 1.0]).stored(), vector(&[0.0, 1.0]).stored());
        assert!(vector(&[-0.0]).text_hash(3).is_same(vector(&[0.0]).text_hash(3)));
    }

    #[test]
    fn items_and_texts_are_not_cut_as_each_other() {
        let text = Content::from("a");
        let items = Content::from(Items::default());
        assert!(text.to_cut(TokenUnit::Item).is_err() && items.to_cut(TokenUnit::Word).is_err());
        assert_eq!((text.to_cut(TokenUnit::Word), items.to_cut(TokenUnit::Item)), (Ok("a"), Ok("")));
        let refused = items.text().unwrap_err();
        assert_eq!(refused, Error::OtherContent { expected: ContentKind::Text, found: ContentKind::Items });
        assert_eq!(refused.to_string(), "expected texts, found items");
    }

    proptest! {
        #[test]
        fn characters_are_those_of_the_stored_string(
            components in proptest::collection::vec(any::<u32>(), 0..40), text: String,
        ) {
            for content in [Content::Signature(components.into()), Content::from(&text)] {
                prop_assert_eq!(content.characters(), content.stored().chars().count() as u64);
            }
        }
    }
}
