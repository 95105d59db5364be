//! Sets of items as texts, the form in which they pass through a program for texts.
//!
//! ```text
//! item  U+0000                         one copy of an item
//! U+0001  count  U+0001  item  U+0000  `count` copies, in decimal; also one copy of an item that begins with U+0001
//! ```
//!
//! A terminator, not a separator, distinguishes a set of one empty item from the empty set. A count is handed on as it
//! is, because what it means is decided by the features: copies in a bag, nothing in a set, a weight in a vector.

use super::pieces::ITEM_END;
use std::ops::Range;

/// Stands before and behind a count.
const COUNT_MARK: char = '\u{1}';

/// An item of a set, and how often it occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedItem<'a> {
    /// The item.
    pub text: &'a str,
    /// Number of copies.
    pub count: u32,
    /// Byte range of the item in the set.
    pub source: Range<usize>,
}

/// Appends copies of an item, which must not contain [`ITEM_END`], to a set; nothing for a count of 0.
///
/// ```
/// use lookalike_core::text::{counted_items, push_items};
///
/// let mut set = String::new();
/// push_items(&mut set, "apple", 2);
/// push_items(&mut set, "pear", 1);
/// let found: Vec<_> = counted_items(&set).map(|item| (item.text, item.count)).collect();
/// assert_eq!(found, [("apple", 2), ("pear", 1)]);
/// ```
pub fn push_items(set: &mut String, item: &str, count: u32) {
    if count == 0 {
        return;
    }
    if count > 1 || item.starts_with(COUNT_MARK) {
        set.push(COUNT_MARK);
        set.push_str(&count.to_string());
        set.push(COUNT_MARK);
    }
    set.push_str(item);
    set.push(ITEM_END);
}

/// The items of a set, in order; one that stands there several times comes several times.
pub fn counted_items(set: &str) -> impl Iterator<Item = CountedItem<'_>> {
    let mut end = 0;
    set.split_terminator(ITEM_END).map(move |entry| {
        let entry_start = end;
        end += entry.len() + ITEM_END.len_utf8();
        let (count, text) = count_of(entry).unwrap_or((1, entry));
        let start = entry_start + entry.len() - text.len();
        CountedItem { text, count, source: start..start + text.len() }
    })
}

/// Number of copies of all items of a set.
pub fn copies(set: &str) -> u64 {
    counted_items(set).map(|item| u64::from(item.count)).sum()
}

/// The count in an entry that has one, and the item.
fn count_of(entry: &str) -> Option<(u32, &str)> {
    let (count, item) = entry.strip_prefix(COUNT_MARK)?.split_once(COUNT_MARK)?;
    Some((count.parse().ok()?, item))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{TextOptions, TokenUnit, Tokenizer};
    use proptest::prelude::{prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn sets_give_back_what_was_pushed(items in proptest::collection::vec(("[\u{1}0-2a]{0,4}", 0u32..4), 0..9)) {
            let mut set = String::new();
            items.iter().for_each(|(item, count)| push_items(&mut set, item, *count));
            let found: Vec<_> = counted_items(&set).map(|item| (item.text.to_owned(), item.count)).collect();
            let expected: Vec<_> = items.into_iter().filter(|(_, count)| *count > 0).collect();
            prop_assert_eq!(copies(&set), expected.iter().map(|(_, count)| u64::from(*count)).sum::<u64>());
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn each_copy_is_a_token_with_the_place_of_its_item() {
        let mut set = String::new();
        push_items(&mut set, "a", 3);
        push_items(&mut set, "", 1);
        push_items(&mut set, "b", 1);
        let mut tokens = Vec::new();
        Tokenizer::new(TextOptions::default())
            .tokenize(&set, TokenUnit::Item, |token| tokens.push((token.text.to_owned(), token.source)));
        let token = |text: &str, source| (text.to_owned(), source);
        assert_eq!(tokens, [token("a", 3..4), token("a", 3..4), token("a", 3..4), token("", 5..5), token("b", 6..7)]);
        assert_eq!(counted_items("\u{1}x\0").next().map(|item| (item.text, item.count)), Some(("\u{1}x", 1)));
    }
}
