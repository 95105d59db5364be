//! Sorting more items than memory holds: sorted runs in a file, merged into another.

use super::{Column, Spill};
use crate::ground::Result;
use bytemuck::Pod;
use lookalike_core::Array;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Debug;
use std::ops::Range;

/// Items that are copied at a time.
const CHUNK_ITEMS: usize = 1 << 10;

/// Sorts items in memory, or in files once they exceed a limit.
#[derive(Debug)]
pub(crate) struct ExternalSort<'a, T> {
    spill: &'a Spill,
    max_items: usize,
    held: Vec<T>,
    runs: Column<T>,
    ends: Vec<usize>,
}

impl<'a, T: Pod + Ord + Debug + Send + Sync> ExternalSort<'a, T> {
    /// An empty sort that holds at most `max_bytes` of items in memory.
    pub(crate) fn new(spill: &'a Spill, max_bytes: usize) -> Self {
        let max_items = (max_bytes / size_of::<T>()).max(CHUNK_ITEMS);
        Self { spill, max_items, held: Vec::new(), runs: Column::default(), ends: Vec::new() }
    }

    pub(crate) fn extend(&mut self, items: impl IntoIterator<Item = T>) -> Result<()> {
        for item in items {
            if self.held.len() == self.max_items {
                self.end_run()?;
            }
            self.held.push(item);
        }
        Ok(())
    }

    fn end_run(&mut self) -> Result<()> {
        self.runs.move_to_file(self.spill)?;
        self.held.sort_unstable();
        self.runs.extend(&self.held, self.spill)?;
        self.held.clear();
        self.ends.push(self.runs.len());
        Ok(())
    }

    /// All items, sorted.
    pub(crate) fn finish(mut self) -> Result<Array<T>> {
        if self.ends.is_empty() {
            self.held.sort_unstable();
            return Ok(Array::Owned(self.held));
        }
        self.end_run()?;
        self.held = Vec::new();
        let items = self.runs.finish(self.spill)?;
        merge(Runs::new(&items, &self.ends), self.spill)
    }
}

fn merge<T: Pod + Ord + Debug + Send + Sync>(mut runs: Runs<'_, T>, spill: &Spill) -> Result<Array<T>> {
    let mut heads: BinaryHeap<Reverse<(T, usize)>> =
        (0..runs.len()).filter_map(|run| Some(Reverse((runs.next_if(run, |_| true)?, run)))).collect();
    let mut merged = Column::in_file(spill)?;
    let mut chunk = Vec::with_capacity(CHUNK_ITEMS);
    while let Some(Reverse((item, run))) = heads.pop() {
        chunk.push(item);
        if chunk.len() == CHUNK_ITEMS {
            merged.extend(&chunk, spill)?;
            chunk.clear();
        }
        heads.extend(runs.next_if(run, |_| true).map(|item| Reverse((item, run))));
    }
    merged.extend(&chunk, spill)?;
    merged.finish(spill)
}

/// The sorted runs of one array, each read forward on its own.
#[derive(Debug)]
struct Runs<'a, T> {
    items: &'a Array<T>,
    runs: Vec<Run<T>>,
}

#[derive(Debug)]
struct Run<T> {
    /// The items that are not copied yet.
    rest: Range<usize>,
    /// Copied items that are not consumed yet, in reverse.
    copied: Vec<T>,
}

impl<'a, T: Copy> Runs<'a, T> {
    /// The runs that end at `ends`, each beginning at the end of the one before.
    fn new(items: &'a Array<T>, ends: &[usize]) -> Self {
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let run = |(start, &end): (usize, &usize)| Run { rest: start..end, copied: Vec::new() };
        Self { items, runs: starts.zip(ends).map(run).collect() }
    }

    fn len(&self) -> usize {
        self.runs.len()
    }

    /// The next item of a run, if there is one and it is wanted.
    fn next_if(&mut self, run: usize, is_wanted: impl Fn(&T) -> bool) -> Option<T> {
        let Run { rest, copied } = &mut self.runs[run];
        if copied.is_empty() {
            let end = rest.end.min(rest.start + CHUNK_ITEMS);
            copied.extend(self.items.slice(rest.start..end).iter().rev());
            rest.start = end;
        }
        copied.pop_if(|item| is_wanted(item))
    }
}
