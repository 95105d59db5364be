//! Documents that are sets of items instead of texts: baskets, tags, features.

use crate::base::Problem;
use lookalike_core::text::{CountedItem, Items, NulInItem};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// Maximum number of copies of an item of a record or a group. In a bag each copy is an element of its own.
pub const MAX_COPIES: u32 = 65_535;
/// Maximum number of copies of the items of a record or a group beyond the first of each, where each copy is an
/// element: a set of so many takes two megabytes, however short its record is, and sixty groups of a million took two
/// minutes and five gigabytes.
pub const MAX_REPEATS: u64 = 1 << 18;

/// The separator of the items in a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemSeparator {
    /// Any white space.
    Blanks,
    /// One character; items are trimmed.
    Character(char),
    /// No separator: a string is one item, and the empty string none.
    Whole,
}

impl FromStr for ItemSeparator {
    type Err = String;

    /// Parses one character, or the word `tab`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut characters = text.chars();
        match (text, characters.next(), characters.next()) {
            ("tab", ..) => Ok(Self::Character('\t')),
            (_, Some(only), None) if only != '\0' && only != '\n' => Ok(Self::Character(only)),
            _ => Err("expected one character, or `tab`".to_owned()),
        }
    }
}

impl ItemSeparator {
    /// Character between the items of a string that is written.
    pub(crate) fn character(self) -> char {
        match self {
            Self::Blanks | Self::Whole => ' ',
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
            Self::Whole => false,
        };
        match item {
            "" => Err("an empty item".to_owned()),
            _ if item.contains(separates) => Err(format!("an item `{item}`, in which the separator occurs")),
            _ if item.trim() != item => Err(format!("an item `{item}`, whose blanks at its ends would be lost")),
            _ => Ok(()),
        }
    }

    /// The items of a string, without empty ones.
    pub(crate) fn items(self, text: &str, counts: ItemCounts) -> Result<Items<'static>, Problem> {
        let mut items = Items::with_capacity(text.len() + 1);
        match self {
            Self::Blanks => text.split_whitespace().try_for_each(|item| counts.push(&mut items, item))?,
            Self::Character(separator) => {
                let found = text.split(separator).map(str::trim).filter(|item| !item.is_empty());
                found.into_iter().try_for_each(|item| counts.push(&mut items, item))?;
            }
            Self::Whole if text.is_empty() => {}
            Self::Whole => counts.push(&mut items, text)?,
        }
        Ok(items)
    }
}

impl Display for ItemSeparator {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blanks => formatter.write_str("blanks"),
            Self::Character('\t') => formatter.write_str("tab"),
            Self::Character(character) => write!(formatter, "`{}`", character.escape_debug()),
            Self::Whole => formatter.write_str("nothing"),
        }
    }
}

/// Presence of counts beside items.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemCounts {
    /// An item is what is written; it occurs as often as it stands there.
    #[default]
    Absent,
    /// Counts behind each item and a colon, or beside it in an object or a map.
    Written,
}

/// Stands between an item and its count.
const COUNT_SIGN: char = ':';

impl ItemCounts {
    /// Default, which [`crate::sources::Inputs`] does not store.
    pub(crate) fn is_absent(&self) -> bool {
        *self == Self::Absent
    }

    /// Appends an item as it is written in a list.
    pub(crate) fn push(self, items: &mut Items<'_>, written: &str) -> Result<(), Problem> {
        match self {
            Self::Absent => Ok(items.push(written, 1)?),
            Self::Written => {
                let split = written.rsplit_once(COUNT_SIGN);
                let (item, count) = split.ok_or_else(|| Problem::NoCount { item: written.to_owned() })?;
                push_counted(items, item.trim_end(), count.trim_start())
            }
        }
    }

    /// An item as it is written in a list.
    pub(crate) fn written(self, item: &CountedItem<'_>) -> String {
        match self {
            Self::Absent => item.text.to_owned(),
            Self::Written => with_count(item.text, item.count),
        }
    }
}

/// The items of a list that a program gives.
///
/// # Errors
/// [`Problem::NulInItem`]; of items with counts what is wrong with one, and [`Problem::RepeatsTooMuch`].
pub fn items_of_list(list: &[String], counts: ItemCounts) -> Result<Items<'static>, Problem> {
    let mut items = Items::default();
    list.iter().try_for_each(|item| counts.push(&mut items, item))?;
    let repeats: u64 = items.iter().map(|item| u64::from(item.count).saturating_sub(1)).sum();
    match counts {
        ItemCounts::Written if repeats > MAX_REPEATS => Err(Problem::RepeatsTooMuch { max: MAX_REPEATS }),
        ItemCounts::Absent | ItemCounts::Written => Ok(items),
    }
}

/// An item and its count as they are written in a list.
pub(crate) fn with_count(item: &str, count: impl Display) -> String {
    format!("{item}{COUNT_SIGN}{count}")
}

/// Appends an item with its count in decimal.
pub(crate) fn push_counted(items: &mut Items<'_>, item: &str, count: &str) -> Result<(), Problem> {
    let is_whole = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
    let number = count.parse().ok().filter(|_| is_whole);
    match number {
        Some(count) if count <= MAX_COPIES => Ok(items.push(item, count)?),
        _ if is_whole => {
            Err(Problem::CountTooLarge { item: item.to_owned(), found: count.to_owned(), max: MAX_COPIES })
        }
        _ => Err(Problem::WrongCount { item: item.to_owned(), found: count.to_owned() }),
    }
}

impl From<NulInItem> for Problem {
    fn from(NulInItem: NulInItem) -> Self {
        Self::NulInItem
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_into_items() {
        let comma: ItemSeparator = ",".parse().unwrap();
        for (separator, text, expected) in [
            (ItemSeparator::Blanks, " a  b\tc\u{a0}d \r\n", &["a", "b", "c", "d"][..]),
            (comma, "a b , c,,\u{e9},\n", &["a b", "c", "\u{e9}"]),
            ("tab".parse().unwrap(), "a b\tc", &["a b", "c"]),
            (comma, " ", &[]),
        ] {
            let found = separator.items(text, ItemCounts::Absent).unwrap();
            assert!(found.iter().map(|item| item.text).eq(expected.iter().copied()), "{text}");
        }
        assert_eq!(comma.items("a\0,b", ItemCounts::Absent), Err(Problem::NulInItem));
        for wrong in ["", "ab", "\n", "\0", "TAB"] {
            assert!(wrong.parse::<ItemSeparator>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn counts_are_taken_from_behind_the_last_colon() {
        let items = |text| ItemSeparator::Character(',').items(text, ItemCounts::Written);
        let counted = |text| {
            let found = items(text).unwrap();
            found.iter().map(|item| (item.text.to_owned(), item.count)).collect::<Vec<_>>()
        };
        let item = |text: &str, count| (text.to_owned(), count);
        assert_eq!(counted("a:2, b c : 1 ,http://x:0,d:e:03,"), [item("a", 2), item("b c", 1), item("d:e", 3)]);
        assert_eq!(counted("a:65535"), [item("a", 65_535)]);
        assert!(matches!(items("a"), Err(Problem::NoCount { item }) if item == "a"));
        for wrong in ["a:-1", "a:1.5", "a:", "a:+1", "a:1e3", "a:\u{662}"] {
            assert!(matches!(items(wrong), Err(Problem::WrongCount { .. })), "{wrong}");
        }
        for large in ["a:65536", "a:4294967296", "a:99999999999999999999999"] {
            assert!(matches!(items(large), Err(Problem::CountTooLarge { max: 65_535, .. })), "{large}");
        }
    }
}
