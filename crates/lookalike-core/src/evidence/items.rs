//! Two sets of items side by side: which items they share, and how often each has them.

use crate::text::Items;
use std::collections::HashMap;

/// An item, and its number of copies in each of two sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedItem {
    /// The item.
    pub item: String,
    /// Number of copies in the left set.
    pub left: u64,
    /// Number of copies in the right set.
    pub right: u64,
}

/// The items of two sets, each once, in the order in which they first occur: those of the left set, then the others.
pub(super) fn compared_items(left: &Items<'_>, right: &Items<'_>) -> Vec<ComparedItem> {
    let mut all: Vec<ComparedItem> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut place_of = |all: &mut Vec<ComparedItem>, text| {
        *places.entry(text).or_insert_with(|| {
            all.push(ComparedItem { item: String::from(text), left: 0, right: 0 });
            all.len() - 1
        })
    };
    for found in left.iter() {
        let place = place_of(&mut all, found.text);
        all[place].left += u64::from(found.count);
    }
    for found in right.iter() {
        let place = place_of(&mut all, found.text);
        all[place].right += u64::from(found.count);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(all: &[(&str, u32)]) -> Items<'static> {
        let mut items = Items::default();
        all.iter().for_each(|&(item, count)| items.push(item, count).unwrap());
        items
    }

    #[test]
    fn copies_are_counted_in_each_set() {
        let counts = |item: &str, left, right| ComparedItem { item: item.to_owned(), left, right };
        let found =
            compared_items(&items(&[("b", 1), ("a", 1), ("b", 3)]), &items(&[("c", 1), ("b", 1), ("", 1), ("c", 1)]));
        assert_eq!(found, [counts("b", 4, 1), counts("a", 1, 0), counts("c", 0, 2), counts("", 0, 1)]);
        assert_eq!(compared_items(&items(&[]), &items(&[])), []);
    }
}
