//! Sets of items, packed: baskets have many short ones, so all of a set stand in one string.
//!
//! ```text
//! item  U+0000                         one copy of an item
//! U+0001  count  U+0001  item  U+0000  `count` copies, in decimal; also one copy of an item that begins with U+0001
//! ```
//!
//! A terminator, not a separator, distinguishes a set of one empty item from the empty set. A count is handed on as it
//! is, because what it means is decided by the features: copies in a bag, nothing in a set, a weight in a vector.

use std::borrow::Cow;
use std::ops::Range;

/// The terminator of an item.
const ITEM_END: char = '\0';
/// Stands before and behind a count.
const COUNT_MARK: char = '\u{1}';

/// A set of items, each with the number of its copies, in order; one that was pushed several times comes several times.
///
/// ```
/// use lookalike_core::text::Items;
///
/// let mut items = Items::default();
/// items.push("apple", 2)?;
/// items.push("pear", 1)?;
/// let found: Vec<_> = items.iter().map(|item| (item.text, item.count)).collect();
/// assert_eq!(found, [("apple", 2), ("pear", 1)]);
/// assert_eq!(items.copies(), 3);
/// # Ok::<(), lookalike_core::text::NulInItem>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Items<'a> {
    packed: Cow<'a, str>,
}

/// An item of a set, and how often it occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedItem<'a> {
    /// The item.
    pub text: &'a str,
    /// Number of copies.
    pub count: u32,
    /// Byte range of the item in the stored form of the set.
    pub source: Range<usize>,
}

/// An item with U+0000, which no set can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an item must not contain U+0000")]
pub struct NulInItem;

impl<'a> Items<'a> {
    /// The set with this stored form.
    pub fn from_stored(stored: impl Into<Cow<'a, str>>) -> Self {
        Self { packed: stored.into() }
    }

    /// An empty set; holds `bytes` bytes of items, one more for each item, before it grows.
    pub fn with_capacity(bytes: usize) -> Self {
        Self { packed: Cow::Owned(String::with_capacity(bytes)) }
    }

    /// The string that stands for the set where it is stored or hashed.
    pub fn stored(&self) -> &str {
        &self.packed
    }

    /// The string that stands for the set, without the set.
    pub fn into_stored(self) -> Cow<'a, str> {
        self.packed
    }

    /// Borrows this set.
    pub fn borrowed(&self) -> Items<'_> {
        Items { packed: Cow::Borrowed(&self.packed) }
    }

    /// Returns this set, owned.
    pub fn into_owned(self) -> Items<'static> {
        Items { packed: Cow::Owned(self.packed.into_owned()) }
    }

    /// Appends copies of an item; nothing for a count of 0.
    ///
    /// # Errors
    /// [`NulInItem`].
    #[inline]
    pub fn push(&mut self, item: &str, count: u32) -> Result<(), NulInItem> {
        if item.contains(ITEM_END) {
            return Err(NulInItem);
        }
        self.push_copies(item, count);
        Ok(())
    }

    /// Appends copies of an item that stands in a set.
    fn push_copies(&mut self, item: &str, count: u32) {
        if count == 0 {
            return;
        }
        let packed = self.packed.to_mut();
        if count > 1 || item.starts_with(COUNT_MARK) {
            packed.push(COUNT_MARK);
            packed.push_str(&count.to_string());
            packed.push(COUNT_MARK);
        }
        packed.push_str(item);
        packed.push(ITEM_END);
    }

    /// The items, in order.
    pub fn iter(&self) -> impl Iterator<Item = CountedItem<'_>> {
        let mut end = 0;
        self.packed.split_terminator(ITEM_END).map(move |entry| {
            let entry_start = end;
            end += entry.len() + ITEM_END.len_utf8();
            let (count, text) = count_of(entry).unwrap_or((1, entry));
            let start = entry_start + entry.len() - text.len();
            CountedItem { text, count, source: start..start + text.len() }
        })
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// Number of copies of all items.
    pub fn copies(&self) -> u64 {
        self.iter().map(|item| u64::from(item.count)).sum()
    }

    /// The items, each once, and the number of copies of each.
    pub(crate) fn split_counts(&self) -> (Items<'static>, Vec<u32>) {
        let mut once = Items::with_capacity(self.packed.len());
        let mut counts = Vec::new();
        for item in self.iter() {
            once.push_copies(item.text, 1);
            counts.push(item.count);
        }
        (once, counts)
    }

    /// The items in ascending order of bytes, each once with the number of its copies.
    #[must_use]
    pub fn sorted(&self) -> Items<'static> {
        let mut all: Vec<_> = self.iter().collect();
        all.sort_unstable_by_key(|item| item.text);
        let mut sorted = Items::with_capacity(self.packed.len());
        for copies in all.chunk_by(|a, b| a.text == b.text) {
            let count = copies.iter().fold(0, |sum: u32, item| sum.saturating_add(item.count));
            sorted.push_copies(copies.first().map_or("", |item| item.text), count);
        }
        sorted
    }
}

/// The first end of an entry of a packed set behind an offset at a character boundary.
pub(super) fn entry_end_beyond(packed: &str, from: usize) -> usize {
    packed[from..].find(ITEM_END).map_or(packed.len(), |offset| from + offset + ITEM_END.len_utf8())
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

    fn items(all: &[(&str, u32)]) -> Items<'static> {
        let mut items = Items::default();
        all.iter().for_each(|&(item, count)| items.push(item, count).unwrap());
        items
    }

    proptest! {
        #[test]
        fn sets_give_back_what_was_pushed(all in proptest::collection::vec(("[\u{1}0-2a]{0,4}", 0u32..4), 0..9)) {
            let mut set = Items::default();
            all.iter().for_each(|(item, count)| set.push(item, *count).unwrap());
            let found: Vec<_> = set.iter().map(|item| (item.text.to_owned(), item.count)).collect();
            let expected: Vec<_> = all.into_iter().filter(|(_, count)| *count > 0).collect();
            prop_assert_eq!(set.copies(), expected.iter().map(|(_, count)| u64::from(*count)).sum::<u64>());
            prop_assert_eq!(found, expected);
            prop_assert_eq!(Items::from_stored(set.stored()), set.borrowed());
        }
    }

    #[test]
    fn stored_form_is_frozen() {
        let set = items(&[("b c", 1), ("", 1), ("a", 12), ("\u{1}x", 1), ("gone", 0)]);
        assert_eq!(set.stored(), "b c\0\0\u{1}12\u{1}a\0\u{1}1\u{1}\u{1}x\0");
        assert_eq!(Items::default().push("a\0b", 1), Err(NulInItem));
    }

    #[test]
    fn sets_with_the_same_copies_of_items_have_one_sorted_form() {
        let sorted = items(&[("b", 1), ("a", 1), ("b", 1), ("b", 1)]).sorted();
        assert_eq!(sorted, items(&[("b", 2), ("a", 1), ("b", 1)]).sorted());
        assert_ne!(sorted, items(&[("a", 1), ("b", 1)]).sorted());
        assert_eq!(items(&[("b", 1), ("a", 1)]).sorted().stored(), "a\0b\0");
    }

    #[test]
    fn each_copy_is_a_token_with_the_place_of_its_item() {
        let set = items(&[("a", 3), ("", 1), ("b", 1)]);
        let mut tokens = Vec::new();
        Tokenizer::new(TextOptions::default())
            .tokenize(set.stored(), TokenUnit::Item, |token| tokens.push((token.text.to_owned(), token.source)));
        let token = |text: &str, source| (text.to_owned(), source);
        assert_eq!(tokens, [token("a", 3..4), token("a", 3..4), token("a", 3..4), token("", 5..5), token("b", 6..7)]);
        let odd = Items::from_stored("\u{1}x\0");
        assert_eq!(odd.iter().next().map(|item| (item.text, item.count)), Some(("\u{1}x", 1)));
    }
}
