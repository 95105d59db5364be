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

use super::dot_product_at_least;
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
    slots: Vec<Slot>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
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
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Unmade,
    Made,
    /// The set is large, or its elements crowd.
    Impossible,
}

impl WeightTable {
    /// A set whose dot products are wanted.
    pub(crate) fn of<'a>(&'a mut self, set: WeightedSet<'a>) -> TabledSet<'a> {
        let state = if set.elements().len() > MAX_ELEMENTS { State::Impossible } else { State::Unmade };
        TabledSet { set, table: self, state }
    }

    fn home(&self, element: u64) -> usize {
        // The upper half, on which all bits of the element have an influence.
        (element.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (self.slots.len() - 1)
    }

    fn fill(&mut self, set: WeightedSet<'_>) -> State {
        self.slots.clear();
        self.slots.resize((set.elements().len().max(1) * SLOTS_OF_ELEMENT).next_power_of_two(), Slot::default());
        let mask = self.slots.len() - 1;
        for (element, weight) in set.iter() {
            let home = self.home(element);
            let is_empty = |&step: &usize| self.slots[(home + step) & mask].weight == 0;
            let Some(step) = (0..=MAX_STEPS).find(is_empty) else { return State::Impossible };
            self.slots[home].max_steps = self.slots[home].max_steps.max(step as u32);
            let slot = &mut self.slots[(home + step) & mask];
            (slot.element, slot.weight) = (element, weight);
        }
        State::Made
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
    /// The same as [`dot_product_at_least`] of the set and `other`.
    pub(crate) fn dot_product_at_least(&mut self, other: WeightedSet<'_>, required: u64) -> Option<u64> {
        if self.state == State::Unmade {
            self.state = self.table.fill(self.set);
        }
        if self.state == State::Impossible || other.elements().len() > MAX_ELEMENTS {
            return dot_product_at_least(self.set, other, required);
        }
        Some(self.table.dot_product(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::ElementSets;
    use crate::ground::DocId;
    use proptest::prelude::{prop_assert, proptest};

    fn check(sets: &[Vec<(u64, u32)>]) -> Vec<State> {
        let sets = ElementSets::of_counted(sets.iter().map(|set| set.iter().copied())).unwrap();
        let mut table = WeightTable::default();
        let states = DocId::all(sets.len()).map(|a| {
            let mut tabled = table.of(sets.weighted(a));
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
            let made = check(&sets).into_iter().filter(|&state| state == State::Made).count();
            prop_assert!(made + 1 >= sets.len());
        }
    }

    #[test]
    fn elements_that_crowd_are_merged() {
        let sets = [crowding(9), crowding(10), crowding(3000), vec![(0, 7)], vec![]];
        let states = check(&sets);
        assert_eq!(states, [State::Made, State::Impossible, State::Impossible, State::Made, State::Made]);
    }

    #[test]
    fn large_sets_are_merged() {
        let set = |elements: usize| (0..elements as u64).map(|element| (element, 2)).collect();
        let states = check(&[set(MAX_ELEMENTS), set(MAX_ELEMENTS + 1)]);
        assert_eq!(states, [State::Made, State::Impossible]);
    }
}
