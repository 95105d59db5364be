//! Documents that are groups of rows: baskets out of lines like `customer,product`.
//!
//! ```text
//! row      group, items   in any order; the id of the group is known by the builder of the corpus
//! sort     (group, item)  in files, if there are more than memory holds
//! sorted   the elements of the first group, of the second, ...
//! ```
//!
//! The rows of a group need not be adjacent, and no group is held while rows are read. The places of all rows are kept:
//! records are written row by row.
//!
//! A group is a document at the place of its first row, and records are written by the decisions of their groups
//! (`Records::of_rows`). A work folder does not hold the sort, so each run reads the rows once more; it knows the input
//! files by their checksums (known_inputs.rs), and the stages that follow are resumed.

use super::records::{GroupedRows, RecordPlace};
use super::shard::RowItems;
use crate::base::Result;
use crate::spill::{ExternalSort, Repeats, Share, Spill, SpillColumn};
use bytemuck::{Pod, Zeroable};
use lookalike_core::documents::{ElementSet, ElementSets, Multiplicity};
use lookalike_core::hash::hash_occurrence;
use lookalike_core::{Array, DocId};
use lookalike_io::sources::{MAX_COPIES, MAX_REPEATS};

/// Size of the sets that are appended at a time.
const APPENDED_BYTES: usize = 1 << 20;

/// An item of a group: the halves of its hash, so that items sort by group and then by hash without padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct GroupItem {
    group: u32,
    upper: u32,
    lower: u32,
    count: u32,
}

impl GroupItem {
    fn hash(&self) -> u64 {
        u64::from(self.upper) << 32 | u64::from(self.lower)
    }
}

/// The rows of all groups, while they are read.
pub(super) struct GroupCollector<'a> {
    items: ExternalSort<'a, GroupItem>,
    places: SpillColumn<RecordPlace>,
    groups: SpillColumn<u32>,
    spill: &'a Spill,
}

/// A group has too many copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TooMany {
    /// Copies of one item: more than [`MAX_COPIES`].
    OfItem { group: DocId, copies: u64 },
    /// Repeated items in all: more than [`MAX_REPEATS`].
    OfAll { group: DocId },
}

impl<'a> GroupCollector<'a> {
    /// No row is known yet.
    pub(super) fn new(spill: &'a Spill) -> Result<Self> {
        let items = ExternalSort::new(spill, Repeats::Kept, spill.budget().share(Share::Pairs));
        Ok(Self { items, places: SpillColumn::in_file(spill)?, groups: SpillColumn::in_file(spill)?, spill })
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.groups.len()
    }

    /// Adds a row of a group: its items with their counts.
    pub(super) fn push(&mut self, group: DocId, place: RecordPlace, items: RowItems<'_>) -> Result<()> {
        let RowItems { hashes, count } = items;
        self.places.extend(&[place], self.spill)?;
        self.groups.extend(&[group.0], self.spill)?;
        let halves = |hash: u64| GroupItem { group: group.0, upper: (hash >> 32) as u32, lower: hash as u32, count };
        self.items.extend(hashes.iter().filter(|_| count > 0).map(|&hash| halves(hash)))
    }

    /// Calls `append` with the sets of all groups, some at a time, in order, and gives the rows.
    ///
    /// # Errors
    /// What `too_many` makes of a group with too many copies.
    pub(super) fn finish(
        self,
        groups: usize,
        multiplicity: Multiplicity,
        mut append: impl FnMut(&ElementSets) -> Result<()>,
        too_many: impl Fn(TooMany) -> Result<()>,
    ) -> Result<GroupedRows> {
        let Self { items, places, groups: of_rows, spill } = self;
        let mut sets = GroupSets::new(spill, multiplicity);
        let mut group = 0;
        let mut copies = 0u64;
        let mut last = None;
        let mut repeats = 0u64;
        items.for_each_sorted(|item| {
            while group < item.group {
                sets.end_group(&mut append)?;
                group += 1;
                last = None;
                repeats = 0;
            }
            let hash = item.hash();
            let before = if last == Some(hash) { copies } else { 0 };
            copies = before + u64::from(item.count);
            last = Some(hash);
            repeats += u64::from(item.count) - u64::from(before == 0);
            match multiplicity {
                Multiplicity::Bag | Multiplicity::Counted if copies > MAX_COPIES.into() => {
                    too_many(TooMany::OfItem { group: DocId(group), copies })
                }
                Multiplicity::Bag if repeats > MAX_REPEATS => too_many(TooMany::OfAll { group: DocId(group) }),
                Multiplicity::Set if before == 0 => sets.growing.extend([hash]),
                Multiplicity::Set => Ok(()),
                Multiplicity::Bag => (before + 1..=copies).try_for_each(|copy| {
                    sets.growing.extend([if copy == 1 { hash } else { hash_occurrence(hash, copy) }])
                }),
                Multiplicity::Counted => sets.count(hash, before, copies as u32),
            }
        })?;
        (group as usize..groups).try_for_each(|_| sets.end_group(&mut append))?;
        append(&sets.done)?;
        Ok(GroupedRows { places: places.finish(spill)?, groups: of_rows.finish(spill)? })
    }
}

/// The sets of groups that are complete and not appended yet, and that of the present one.
struct GroupSets<'a> {
    done: ElementSets,
    /// The elements of the present group, in files if they are too many.
    growing: ExternalSort<'a, u64>,
    /// Counts of the growing elements but the last, in their order; unless counts do not matter.
    counts: SpillColumn<u32>,
    last_count: Option<u32>,
    multiplicity: Multiplicity,
    spill: &'a Spill,
}

/// No elements of a group yet.
fn growing(spill: &Spill) -> ExternalSort<'_, u64> {
    ExternalSort::new(spill, Repeats::Dropped, spill.budget().share(Share::Chunk))
}

impl<'a> GroupSets<'a> {
    fn new(spill: &'a Spill, multiplicity: Multiplicity) -> Self {
        let done = ElementSets::new();
        let growing = growing(spill);
        let counts = SpillColumn::default();
        Self { done, growing, counts, last_count: None, multiplicity, spill }
    }

    /// Counts `copies` of the item with this hash, of which `before` were known. Items come in order of their hashes.
    fn count(&mut self, hash: u64, before: u64, copies: u32) -> Result<()> {
        if before == 0 {
            self.end_count()?;
            self.growing.extend([hash])?;
        }
        self.last_count = Some(copies);
        Ok(())
    }

    fn end_count(&mut self) -> Result<()> {
        if let Some(count) = self.last_count.take() {
            self.counts.extend(&[count], self.spill)?;
            if self.counts.memory_bytes() > self.spill.budget().share(Share::Chunk) {
                self.counts.move_to_file(self.spill)?;
            }
        }
        Ok(())
    }

    /// The counts of the present group, if they matter.
    fn take_counts(&mut self) -> Result<Option<Array<u32>>> {
        self.end_count()?;
        let counts = std::mem::take(&mut self.counts).finish(self.spill)?;
        Ok((self.multiplicity == Multiplicity::Counted).then_some(counts))
    }

    fn end_group(&mut self, append: &mut impl FnMut(&ElementSets) -> Result<()>) -> Result<()> {
        let counts = self.take_counts()?;
        match std::mem::replace(&mut self.growing, growing(self.spill)).finish()? {
            Array::Owned(elements) => match counts {
                None => self.done.push(ElementSet::new(&elements)?)?,
                Some(counts) => self.done.push_counted(ElementSet::new(&elements)?, &counts.into_vec())?,
            },
            large => {
                append(&std::mem::take(&mut self.done))?;
                append(&ElementSets::of_one(large, counts)?)?;
            }
        }
        if self.done.memory_bytes() > APPENDED_BYTES || self.done.len() > APPENDED_BYTES / size_of::<u64>() {
            append(&std::mem::take(&mut self.done))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spill::Budget;
    use std::collections::BTreeMap;

    fn spill(bytes: u64) -> Spill {
        Spill::new(Budget::new(bytes), std::env::temp_dir())
    }

    fn sets_of(rows: &[(u32, u64, u32)], groups: usize, multiplicity: Multiplicity, bytes: u64) -> Vec<Vec<u64>> {
        let spill = spill(bytes);
        let mut all = GroupCollector::new(&spill).unwrap();
        for &(group, hash, count) in rows {
            let place = RecordPlace { source: 0, number: 0, offset: 0, length: 0 };
            all.push(DocId(group), place, RowItems { hashes: &[hash], count }).unwrap();
        }
        let mut sets = Vec::new();
        let append = |part: &ElementSets| {
            sets.extend(part.iter().map(|set| set.to_vec()));
            Ok(())
        };
        let rows = all.finish(groups, multiplicity, append, |_| Ok(())).unwrap();
        assert_eq!(rows.groups.len(), rows.places.len());
        sets
    }

    #[test]
    fn rows_of_a_group_need_not_be_adjacent() {
        let mut rows = Vec::new();
        let mut expected: Vec<BTreeMap<u64, u64>> = vec![BTreeMap::new(); 302];
        for number in 0..200_000u32 {
            // Group 1 and the last one have no items.
            let group = match number.wrapping_mul(2_654_435_761) % 300 {
                1 => 0,
                other => other,
            };
            let hash = u64::from(number % 97) << 40 | 5;
            let count = number % 3;
            rows.push((group, hash, count));
            if count > 0 {
                *expected[group as usize].entry(hash).or_default() += u64::from(count);
            }
        }
        let plain: Vec<Vec<u64>> = expected.iter().map(|items| items.keys().copied().collect()).collect();
        let bag = |items: &BTreeMap<u64, u64>| -> Vec<u64> {
            let copies = |(&hash, &count): (&u64, &u64)| -> Vec<u64> {
                (1..=count).map(|copy| if copy == 1 { hash } else { hash_occurrence(hash, copy) }).collect()
            };
            let mut elements: Vec<u64> = items.iter().flat_map(copies).collect();
            elements.sort_unstable();
            elements
        };
        for bytes in [16 << 20, 1 << 30] {
            assert_eq!(sets_of(&rows, 302, Multiplicity::Set, bytes), plain);
            assert_eq!(sets_of(&rows, 302, Multiplicity::Bag, bytes), expected.iter().map(bag).collect::<Vec<_>>());
        }
    }

    #[test]
    fn too_many_copies_are_told() {
        let spill = spill(16 << 20);
        let mut all = GroupCollector::new(&spill).unwrap();
        let place = RecordPlace { source: 0, number: 0, offset: 0, length: 0 };
        for count in [65_535, 1] {
            all.push(DocId(3), place, RowItems { hashes: &[7], count }).unwrap();
        }
        let problem = std::cell::Cell::new(None);
        let tell = |found| {
            problem.set(Some(found));
            Ok(())
        };
        all.finish(4, Multiplicity::Bag, |_| Ok(()), tell).unwrap();
        assert_eq!(problem.get(), Some(TooMany::OfItem { group: DocId(3), copies: 65_536 }));
    }
}
