//! The dot products of one weighted set with many, by a table of its weights.
//!
//! A merge of two sets takes one step for each element of both, and waits for each. Where one set meets many, its
//! weights are put into a hash table once, and each other set is one lookup for each of its elements, which do not wait
//! for one another:
//!
//! ```text
//! slots   | a 3 |     | b 4 | c 1 |        c has the home of b, and stands one slot further; b's slot says so
//! lookup  element == slot.element ? weight * slot.weight : 0, and as many slots further as this one says
//! ```
//!
//! At most a quarter of the slots are full, so nearly all elements stand at home and a lookup has no branch that is
//! hard to foretell. Sets whose elements crowd (they may be chosen to), and large ones, are merged instead.

use crate::documents::WeightedSet;
use std::hint::select_unpredictable;

/// Elements of the largest sets that are looked up, which have a table of 256 KiB.
const MAX_ELEMENTS: usize = 4096;
/// Slots for each element, at least.
const SLOTS_OF_ELEMENT: usize = 4;
/// Slots after its home in which an element may stand.
const MAX_STEPS: usize = 8;

/// Memory for the table of one set after another.
#[derive(Debug, Default)]
pub struct WeightTable {
    /// A power of two of them.
    slots: Vec<WeightSlot>,
}

#[derive(Debug, Clone, Copy, Default)]
struct WeightSlot {
    element: u64,
    /// 0 in an empty slot.
    weight: u32,
    /// Steps to the furthest slot of an element that has its home here.
    max_steps: u32,
}

/// A set and its table, which is made when it is first needed.
#[derive(Debug)]
pub(crate) struct TabledSet<'a> {
    set: WeightedSet<'a>,
    table: &'a mut WeightTable,
    state: TableState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TableState {
    Unmade,
    Made,
    /// The set is large, or its elements crowd.
    Impossible,
}

impl WeightTable {
    /// A set whose dot products are computed.
    pub(crate) fn load<'a>(&'a mut self, set: WeightedSet<'a>) -> TabledSet<'a> {
        let state = if set.elements().len() > MAX_ELEMENTS { TableState::Impossible } else { TableState::Unmade };
        TabledSet { set, table: self, state }
    }

    fn home(&self, element: u64) -> usize {
        // The upper half, on which all bits of the element have an influence.
        (element.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (self.slots.len() - 1)
    }

    fn fill(&mut self, set: WeightedSet<'_>) -> TableState {
        self.slots.clear();
        self.slots.resize((set.elements().len().max(1) * SLOTS_OF_ELEMENT).next_power_of_two(), WeightSlot::default());
        let mask = self.slots.len() - 1;
        for (element, weight) in set.iter() {
            let home = self.home(element);
            let is_empty = |&step: &usize| self.slots[(home + step) & mask].weight == 0;
            let Some(step) = (0..=MAX_STEPS).find(is_empty) else { return TableState::Impossible };
            self.slots[home].max_steps = self.slots[home].max_steps.max(step as u32);
            let slot = &mut self.slots[(home + step) & mask];
            (slot.element, slot.weight) = (element, weight);
        }
        TableState::Made
    }

    fn dot_product(&self, set: WeightedSet<'_>) -> u64 {
        let product = |(element, weight): (u64, u32)| {
            let home = self.home(element);
            let slot = self.slots[home];
            // A branch here would be wrong half of the time, and as slow as the merge.
            let found = select_unpredictable(slot.element == element, slot.weight, 0);
            let found = if slot.max_steps > 0 { found | self.displaced_weight(element, home) } else { found };
            u64::from(weight) * u64::from(found)
        };
        set.iter().map(product).sum()
    }

    /// The weight of an element if it stands after its home; 0 if it stands at home or nowhere.
    #[cold]
    fn displaced_weight(&self, element: u64, home: usize) -> u32 {
        let steps = 1..=self.slots[home].max_steps as usize;
        let slots = steps.map(|step| self.slots[(home + step) & (self.slots.len() - 1)]);
        slots.filter(|slot| slot.element == element).map(|slot| slot.weight).max().unwrap_or(0)
    }
}

impl TabledSet<'_> {
    /// Does what [`dot_product_at_least`] does for the set and `other`.
    pub(crate) fn dot_product_at_least(&mut self, other: WeightedSet<'_>, required: u64) -> Option<u64> {
        if self.state == TableState::Unmade {
            self.state = self.table.fill(self.set);
        }
        if self.state == TableState::Impossible || other.elements().len() > MAX_ELEMENTS {
            return dot_product_at_least(self.set, other, required);
        }
        Some(self.table.dot_product(other))
    }
}

/// Elements of both sets that are passed between two looks at what is left.
const STEPS: usize = 64;

/// The dot product of two weighted sets if it can be `required` or more. It may be less than `required` all the same,
/// and `None` is proof that it is less.
///
/// The sets are merged in the order of their elements. What is left of the two can add no more than the product of its
/// norms (Cauchy and Schwarz).
pub fn dot_product_at_least(left: WeightedSet<'_>, right: WeightedSet<'_>, required: u64) -> Option<u64> {
    let xs = left.elements().elements();
    let ys = right.elements().elements();
    let mut i = 0;
    let mut j = 0;
    let mut dot = 0u64;
    let mut left_rest = left.squared_norm();
    let mut right_rest = right.squared_norm();
    while i < xs.len() && j < ys.len() {
        if is_out_of_reach(required.saturating_sub(dot), [left_rest, right_rest]) {
            return None;
        }
        for _ in 0..STEPS {
            let (Some(&x), Some(&y)) = (xs.get(i), ys.get(j)) else { break };
            let a = u64::from(left.weight(i));
            let b = u64::from(right.weight(j));
            let is_left = x <= y;
            let is_right = y <= x;
            // Branch-free code: which set goes on cannot be predicted.
            dot += if is_left & is_right { a * b } else { 0 };
            left_rest -= if is_left { a * a } else { 0 };
            right_rest -= if is_right { b * b } else { 0 };
            i += usize::from(is_left);
            j += usize::from(is_right);
        }
    }
    Some(dot)
}

fn is_out_of_reach(missing: u64, [left, right]: [u64; 2]) -> bool {
    u128::from(missing).pow(2) > u128::from(left) * u128::from(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::DocId;
    use crate::documents::ElementSets;
    use proptest::prelude::{prop_assert, proptest};

    fn check(sets: &[Vec<(u64, u32)>]) -> Vec<TableState> {
        let sets = ElementSets::of_counted(sets.iter().map(|set| set.iter().copied()));
        let mut table = WeightTable::default();
        let states = DocId::all(sets.len()).map(|a| {
            let mut tabled = table.load(sets.weighted(a));
            for b in DocId::all(sets.len()) {
                let expected = dot_product_at_least(sets.weighted(a), sets.weighted(b), 0);
                assert_eq!(tabled.dot_product_at_least(sets.weighted(b), 0), expected);
            }
            tabled.state
        });
        states.collect()
    }

    /// Elements that all have the first slot as their home in tables of at most 2^12 slots, as long as their products
    /// with the factor of `home` have zeros there.
    fn crowding(elements: u64) -> Vec<(u64, u32)> {
        let mut inverse = 1u64;
        for _ in 0..6 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(inverse)));
        }
        (0..elements).map(|number| (number.wrapping_mul(inverse), 1)).collect()
    }

    proptest! {
        #[test]
        fn products_are_those_of_the_merge(
            sets in
                proptest::collection::vec(proptest::collection::vec((0u64..300, 1u32..u32::MAX / 64), 0..200), 1..6),
        ) {
            // By chance, even few elements crowd.
            let made = check(&sets).into_iter().filter(|&state| state == TableState::Made).count();
            prop_assert!(made + 1 >= sets.len());
        }
    }

    #[test]
    fn elements_that_crowd_are_merged() {
        let sets = [crowding(9), crowding(10), crowding(3000), vec![(0, 7)], vec![]];
        let states = check(&sets);
        assert_eq!(
            states,
            [TableState::Made, TableState::Impossible, TableState::Impossible, TableState::Made, TableState::Made]
        );
    }

    #[test]
    fn large_sets_are_merged() {
        let set = |elements: usize| (0..elements as u64).map(|element| (element, 2)).collect();
        let states = check(&[set(MAX_ELEMENTS), set(MAX_ELEMENTS + 1)]);
        assert_eq!(states, [TableState::Made, TableState::Impossible]);
    }
}
