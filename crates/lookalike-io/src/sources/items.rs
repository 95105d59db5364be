//! Documents that are sets of items instead of texts: baskets, tags, features.
//!
//! Readers convert all of them to one form, which the program handles like a text: each item followed by [`ITEM_END`].
//! A terminator, not a separator, distinguishes a set of one empty item from the empty set.

use crate::ground::Problem;
use lookalike_core::text::ITEM_END;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The separator of the items in a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemSeparator {
    /// Any white space.
    Blanks,
    /// One character; items are trimmed.
    Character(char),
}

impl FromStr for ItemSeparator {
    type Err = String;

    /// Parses one character, or the word `tab`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut characters = text.chars();
        match (text, characters.next(), characters.next()) {
            ("tab", ..) => Ok(Self::Character('\t')),
            (_, Some(only), None) if only != ITEM_END && only != '\n' => Ok(Self::Character(only)),
            _ => Err("expected one character, or `tab`".to_owned()),
        }
    }
}

impl ItemSeparator {
    /// What stands between the items of a string that is written.
    pub(crate) fn character(self) -> char {
        match self {
            Self::Blanks => ' ',
            Self::Character(character) => character,
        }
    }

    /// Checks that an item of a string that is written would be read again as it is.
    ///
    /// # Errors
    /// What it is, for a message.
    pub(crate) fn check(self, item: &str) -> Result<(), String> {
        let separates = |character: char| match self {
            Self::Blanks => character.is_whitespace(),
            Self::Character(separator) => character == separator,
        };
        match item {
            "" => Err("an empty item".to_owned()),
            _ if item.contains(separates) => Err(format!("an item `{item}`, in which the separator occurs")),
            _ if item.trim() != item => Err(format!("an item `{item}`, whose blanks at its ends would be lost")),
            _ => Ok(()),
        }
    }

    /// The items of a string in the common form, without empty ones.
    pub(crate) fn items(self, text: &str) -> Result<String, Problem> {
        let mut items = String::with_capacity(text.len() + 1);
        match self {
            Self::Blanks => text.split_whitespace().try_for_each(|item| push_item(&mut items, item))?,
            Self::Character(separator) => {
                let found = text.split(separator).map(str::trim).filter(|item| !item.is_empty());
                found.into_iter().try_for_each(|item| push_item(&mut items, item))?;
            }
        }
        Ok(items)
    }
}

/// Appends an item in the common form.
pub(crate) fn push_item(items: &mut String, item: &str) -> Result<(), Problem> {
    if item.contains(ITEM_END) {
        return Err(Problem::NulInItem);
    }
    items.push_str(item);
    items.push(ITEM_END);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_into_items() {
        let comma: ItemSeparator = ",".parse().unwrap();
        for (separator, text, expected) in [
            (ItemSeparator::Blanks, " a  b\tc\u{a0}d \r\n", "a\0b\0c\0d\0"),
            (comma, "a b , c,,\u{e9},\n", "a b\0c\0\u{e9}\0"),
            ("tab".parse().unwrap(), "a b\tc", "a b\0c\0"),
            (comma, " ", ""),
        ] {
            assert_eq!(separator.items(text).unwrap(), expected);
        }
        assert_eq!(comma.items("a\0,b"), Err(Problem::NulInItem));
        for wrong in ["", "ab", "\n", "\0", "TAB"] {
            assert!(wrong.parse::<ItemSeparator>().is_err(), "{wrong:?}");
        }
    }
}
