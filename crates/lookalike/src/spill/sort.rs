//! Sorting more items than memory holds: sorted runs in a file, merged into another.

use super::{Spill, SpillColumn};
use crate::base::Result;
use bytemuck::Pod;
use lookalike_core::Array;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fmt::Debug;
use std::ops::Range;

/// Items that are copied at a time.
const CHUNK_ITEMS: usize = 1 << 10;

/// Fate of equal items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeats {
    /// Every item stays.
    Kept,
    /// One of them stays.
    Dropped,
}

/// Sorts items in memory, or in files once they exceed a limit.
#[derive(Debug)]
pub(crate) struct ExternalSort<'a, T> {
    spill: &'a Spill,
    repeats: Repeats,
    max_items: usize,
    held: Vec<T>,
    runs: SpillColumn<T>,
    ends: Vec<usize>,
}

impl<'a, T: Pod + Ord + Debug + Send + Sync> ExternalSort<'a, T> {
    /// An empty sort that holds at most `max_bytes` of items in memory.
    pub(crate) fn new(spill: &'a Spill, repeats: Repeats, max_bytes: usize) -> Self {
        let max_items = (max_bytes / size_of::<T>()).max(CHUNK_ITEMS);
        Self { spill, repeats, max_items, held: Vec::new(), runs: SpillColumn::default(), ends: Vec::new() }
    }

    pub(crate) fn extend(&mut self, items: impl IntoIterator<Item = T>) -> Result<()> {
        for item in items {
            if self.held.len() == self.max_items {
                self.sort_held();
                // Half of it free is room enough.
                if self.held.len() > self.max_items / 2 {
                    self.end_run()?;
                }
            }
            self.held.push(item);
        }
        Ok(())
    }

    fn sort_held(&mut self) {
        self.held.sort_unstable();
        if self.repeats == Repeats::Dropped {
            self.held.dedup();
        }
    }

    /// Writes the items that are held, which are sorted, as a run.
    fn end_run(&mut self) -> Result<()> {
        self.runs.move_to_file(self.spill)?;
        self.runs.extend(&self.held, self.spill)?;
        self.held.clear();
        self.ends.push(self.runs.len());
        Ok(())
    }

    /// Items, sorted.
    pub(crate) fn finish(mut self) -> Result<Array<T>> {
        if self.ends.is_empty() {
            self.sort_held();
            return Ok(Array::Owned(self.held));
        }
        let spill = self.spill;
        let mut chunk = Vec::with_capacity(CHUNK_ITEMS);
        let mut merged = SpillColumn::in_file(spill)?;
        self.for_each_sorted(|item| {
            chunk.push(item);
            if chunk.len() == CHUNK_ITEMS {
                merged.extend(&chunk, spill)?;
                chunk.clear();
            }
            Ok(())
        })?;
        merged.extend(&chunk, spill)?;
        merged.finish(spill)
    }

    /// Calls `visit` with all items, sorted.
    pub(crate) fn for_each_sorted(mut self, mut visit: impl FnMut(T) -> Result<()>) -> Result<()> {
        self.sort_held();
        if self.ends.is_empty() {
            return self.held.into_iter().try_for_each(visit);
        }
        self.end_run()?;
        self.held = Vec::new();
        let items = self.runs.finish(self.spill)?;
        let mut last = None;
        merge(SortedRuns::new(&items, &self.ends), |item| {
            if self.repeats == Repeats::Dropped && last == Some(item) {
                return Ok(());
            }
            last = Some(item);
            visit(item)
        })
    }
}

fn merge<T: Copy + Ord>(mut runs: SortedRuns<'_, T>, mut visit: impl FnMut(T) -> Result<()>) -> Result<()> {
    let mut heads: BinaryHeap<Reverse<(T, usize)>> =
        (0..runs.len()).filter_map(|run| Some(Reverse((runs.next(run)?, run)))).collect();
    while let Some(mut head) = heads.peek_mut() {
        let Reverse((item, run)) = *head;
        // The next of the same run takes its place, which is less work than taking one out and another in.
        match runs.next(run) {
            Some(next) => *head = Reverse((next, run)),
            None => drop(PeekMut::pop(head)),
        }
        visit(item)?;
    }
    Ok(())
}

/// The sorted runs of one array, each read forward on its own.
#[derive(Debug)]
struct SortedRuns<'a, T> {
    items: &'a Array<T>,
    runs: Vec<SortedRun<T>>,
}

#[derive(Debug)]
struct SortedRun<T> {
    /// The items that are not copied yet.
    rest: Range<usize>,
    /// Copied items that are not consumed yet, in reverse.
    copied: Vec<T>,
}

impl<'a, T: Copy> SortedRuns<'a, T> {
    /// The runs that end at `ends`, each beginning at the end of the one before.
    fn new(items: &'a Array<T>, ends: &[usize]) -> Self {
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let run = |(start, &end): (usize, &usize)| SortedRun { rest: start..end, copied: Vec::new() };
        Self { items, runs: starts.zip(ends).map(run).collect() }
    }

    fn len(&self) -> usize {
        self.runs.len()
    }

    /// The next item of a run, if there is one.
    fn next(&mut self, run: usize) -> Option<T> {
        let SortedRun { rest, copied } = &mut self.runs[run];
        if copied.is_empty() {
            let end = rest.end.min(rest.start + CHUNK_ITEMS);
            copied.extend(self.items.slice(rest.start..end).iter().rev());
            rest.start = end;
        }
        copied.pop()
    }
}
