//! Documents that are sets of items, not texts: baskets, tags, features.
//!
//! Readers bring all of them to one form, which takes the way of a text through the program: each item followed by
//! [`ITEM_END`]. An end, not a separator, tells a set of one empty item from a set of none.

use crate::error::Problem;
use lookalike_core::text::ITEM_END;
use std::str::FromStr;

/// What stands between the items of a set that is written as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemSeparator {
    /// Any white space.
    Blanks,
    /// One character; white space around items does not count.
    Character(char),
}

impl FromStr for ItemSeparator {
    type Err = String;

    /// Reads one character, or the word `tab`.
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
    /// The items of a line, in the common form. Nothing between two separators is no item.
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

/// Appends an item to others in the common form.
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
