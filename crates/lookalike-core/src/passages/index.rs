//! The windows of queries, looked up by those of sources.
//!
//! Most windows of most sources are in no query, and one look at a *part* tells that of several windows: each window of
//! m tokens has m - k + 1 parts of k tokens, so of as many consecutive windows all have the part in common that begins
//! with the last of them.
//!
//! ```text
//! windows  b.........   b+1........   ...   b+m-k......      m = 12, k = 6: seven windows
//! part                                      b+m-k...         not in a query: none of the windows is
//! ```

use crate::base::hash::{HashKey, ShingleHasher};
use crate::base::{Error, Ragged, Result};
use hashbrown::HashTable;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// Bits of the filter for each window: one in sixteen of those that are not there passes it.
const FILTER_BITS: usize = 16;

/// No place: there are fewer.
const NO_PLACE: u32 = u32::MAX;

/// Windows of a source that are remembered before repetitions are dropped.
const MAX_FOUND: usize = 1 << 16;

/// A window of the index. Half of its hash is kept, for the table is most of the memory of an index.
#[derive(Debug, Clone, Copy)]
struct IndexedWindow {
    half_hash: u32,
    place: u32,
}

impl IndexedWindow {
    /// The hash under which the table has the window.
    fn hash(self) -> u64 {
        table_hash(self.half_hash.into())
    }
}

/// The hash of a window in the table and its filter: its lower half, twice.
fn table_hash(hash: u64) -> u64 {
    let half = hash & u64::from(u32::MAX);
    half << u32::BITS | half
}

/// The windows of m consecutive tokens of some documents, the queries. *Places* number all windows, query after query;
/// equal windows are known by the first of their places.
#[derive(Debug)]
pub struct WindowIndex {
    queries: QueryTokens,
    /// One entry for each place: the first place of an equal window.
    windows: Vec<u32>,
    table: HashTable<IndexedWindow>,
    /// Filter of windows.
    filter: Vec<u64>,
    /// Filter of parts.
    part_filter: Vec<u64>,
    /// One entry for each place: the next one with an equal window, or [`NO_PLACE`].
    next_equal: Vec<u32>,
}

/// The tokens of all queries, and the windows at their places.
#[derive(Debug)]
struct QueryTokens {
    size: usize,
    hasher: ShingleHasher,
    /// One entry for each query: the hashes of its tokens.
    tokens: Ragged<u64>,
    /// One entry for each query: its first place; the number of places behind the last.
    begins: Vec<u32>,
}

impl QueryTokens {
    /// Number of windows of a query.
    fn windows_in(&self, query: usize) -> usize {
        (self.tokens.size(query) + 1).saturating_sub(self.size)
    }

    fn query_of(&self, place: u32) -> usize {
        self.begins.partition_point(|&begin| begin <= place) - 1
    }

    /// Number of tokens of a part of a window: about half, so that few of them are common phrases.
    fn part_size(&self) -> usize {
        self.size.div_ceil(2)
    }

    /// Enters the windows of the next query.
    fn enter(&self, query: usize, windows: &mut Vec<u32>, table: &mut HashTable<IndexedWindow>) {
        let of_query = self.tokens.get(query);
        let mut offset = 0;
        self.hasher.roll(of_query, |hash| {
            let window = &of_query[offset..offset + self.size];
            let place = self.begins[query] + offset as u32;
            offset += 1;
            let new = IndexedWindow { half_hash: hash as u32, place };
            let is_equal =
                |known: &IndexedWindow| known.half_hash == new.half_hash && self.window(known.place) == window;
            let first = match table.find(new.hash(), is_equal) {
                Some(known) => known.place,
                None => table.insert_unique(new.hash(), new, |known| known.hash()).get().place,
            };
            windows.push(first);
        });
    }

    /// The tokens of the window at a place.
    fn window(&self, place: u32) -> &[u64] {
        let query = self.query_of(place);
        let at = (place - self.begins[query]) as usize;
        self.tokens.part(query, at..at + self.size)
    }
}

/// Consecutive windows of a source that stand one after the other in a query, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowRun {
    /// Number of the first token in the source.
    pub at: u32,
    /// The place of the first window in the index.
    pub place: u32,
    /// Number of windows.
    pub windows: u32,
}

impl WindowRun {
    /// The tokens of the source that are in these windows of `size` tokens.
    pub fn tokens(&self, size: usize) -> Range<usize> {
        self.at as usize..(self.at + self.windows) as usize + size - 1
    }
}

impl WindowIndex {
    /// The windows of `size` tokens of queries, which are given by the hashes of their tokens; windows are hashed with
    /// `key`.
    ///
    /// # Errors
    /// [`Error::TooManyWindows`] if all queries have more than 2^32 of them.
    pub fn new(size: usize, key: &HashKey, tokens: Ragged<u64>) -> Result<Self> {
        let size = size.max(1);
        let mut queries = QueryTokens { size, hasher: ShingleHasher::new(size, key), tokens, begins: vec![0] };
        for query in 0..queries.tokens.len() {
            let end = queries.begins[query] as usize + queries.windows_in(query);
            queries.begins.push(u32::try_from(end).map_err(|_| Error::TooManyWindows)?);
        }
        let mut windows = Vec::with_capacity(queries.begins.last().map_or(0, |&end| end as usize));
        let mut table = HashTable::new();
        (0..queries.tokens.len()).for_each(|query| queries.enter(query, &mut windows, &mut table));
        let filter = filter_of(table.len(), table.iter().map(|known| known.hash()));
        let with_windows = (0..queries.tokens.len()).filter(|&query| queries.windows_in(query) > 0);
        let parts = with_windows.flat_map(|query| queries.tokens.get(query).windows(queries.part_size()));
        let part_filter = filter_of(queries.tokens.values().len(), parts.map(|part| queries.hasher.hash(part)));
        let next_equal = next_equal(&windows);
        Ok(Self { queries, windows, table, filter, part_filter, next_equal })
    }
}

/// Returns for each place the next one with an equal window, or [`NO_PLACE`].
fn next_equal(windows: &[u32]) -> Vec<u32> {
    let mut next = vec![NO_PLACE; windows.len()];
    // Each place comes behind the first one, before those that follow it.
    for (place, &window) in windows.iter().enumerate().rev() {
        if window as usize != place {
            next[place] = std::mem::replace(&mut next[window as usize], place as u32);
        }
    }
    next
}

/// A filter of some hashes, of which there are about `expected`.
fn filter_of(expected: usize, hashes: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut filter = vec![0; (expected * FILTER_BITS).next_power_of_two().max(64) / 64];
    for hash in hashes {
        let (word, bit) = filter_place(&filter, hash);
        filter[word] |= bit;
    }
    filter
}

/// The word and the bit of a hash; the number of words is a power of two. The table takes the upper and lower bits.
#[inline]
fn filter_place(filter: &[u64], hash: u64) -> (usize, u64) {
    ((hash >> 20) as usize & (filter.len() - 1), 1 << (hash >> 14 & 63))
}

impl WindowIndex {
    /// Number of tokens of a window.
    pub fn size(&self) -> usize {
        self.queries.size
    }

    /// Number of queries.
    pub fn queries(&self) -> usize {
        self.queries.tokens.len()
    }

    /// Number of tokens of a query.
    pub fn tokens_of(&self, query: usize) -> usize {
        self.queries.tokens.size(query)
    }

    /// Counts for its windows, of no source yet. Those in more than `max` sources are common.
    pub fn counts(&self, max: u32) -> WindowCounts {
        WindowCounts::new(self.windows.len(), max)
    }

    /// The places of a query.
    pub(super) fn places_of(&self, query: usize) -> Range<u32> {
        self.queries.begins[query]..self.queries.begins[query + 1]
    }

    /// The first place of an equal window.
    #[inline]
    pub(super) fn window(&self, place: u32) -> u32 {
        self.windows[place as usize]
    }

    /// The places with a window, ascending.
    pub(super) fn occurrences(&self, window: u32) -> impl Iterator<Item = u32> + '_ {
        let next = |&place: &u32| Some(self.next_equal[place as usize]).filter(|&next| next != NO_PLACE);
        std::iter::successors(Some(window), next)
    }

    /// Number of windows that are equal from two places on, at most `most`.
    pub(super) fn equal_windows(&self, place: u32, other: u32, most: u32) -> u32 {
        if place == other {
            return most;
        }
        let windows = |from: u32| &self.windows[from as usize..(from + most) as usize];
        let differs = windows(place).iter().zip(windows(other)).position(|(a, b)| a != b);
        differs.map_or(most, |equal| equal as u32)
    }

    pub(super) fn query_of(&self, place: u32) -> usize {
        self.queries.query_of(place)
    }

    /// The place of a window, if a query has one with these tokens.
    #[inline]
    fn find(&self, hash: u64, tokens: &[u64]) -> Option<u32> {
        let is_equal = |known: &IndexedWindow| known.hash() == hash && self.queries.window(known.place) == tokens;
        self.table.find(hash, is_equal).map(|known| known.place)
    }

    /// Puts the windows of a source that queries have, and that are not common so far, in place of `runs`, in order,
    /// and counts the source for these and for common ones.
    pub fn find_runs(&self, tokens: &[u64], counts: &WindowCounts, runs: &mut Vec<WindowRun>) {
        let mut found = self.look_up(tokens, runs, |window| !counts.is_common(window));
        found.sort_unstable();
        found.dedup();
        counts.count(&found);
    }

    /// Makes all windows of a text common: a template, or a quotation.
    pub fn ignore(&self, tokens: &[u64], counts: &WindowCounts) {
        counts.ignore(&self.look_up(tokens, &mut Vec::new(), |_| false));
    }

    /// Puts the selected windows of a source in place of `runs`; returns all that queries have, by their first places
    /// and with repetitions.
    fn look_up(&self, tokens: &[u64], runs: &mut Vec<WindowRun>, is_searched: impl Fn(u32) -> bool) -> Vec<u32> {
        runs.clear();
        let mut found = Vec::new();
        let mut max_found = MAX_FOUND;
        let mut begin = 0;
        let part_size = self.queries.part_size();
        let QueryTokens { size, hasher, .. } = &self.queries;
        // Behind the last window that was found: the place, and the tokens of its query behind those of that window.
        let mut next: Option<(u32, &[u64])> = None;
        while begin + size <= tokens.len() {
            let last = (begin + size - part_size).min(tokens.len() - size);
            let mut at = std::mem::replace(&mut begin, last + 1);
            // Nearly all windows end here.
            if next.is_none() && !may_have(&self.part_filter, hasher.hash(&tokens[last..last + part_size])) {
                continue;
            }
            hasher.roll(&tokens[at..last + size], |hash| {
                let window = at..at + size;
                at += 1;
                // All tokens but the last were compared with the window before.
                let follows = next.filter(|(_, rest)| rest.first() == tokens[window.clone()].last());
                next = follows.or_else(|| self.find_by_hash(hash, &tokens[window.clone()]));
                if let Some((place, rest)) = next {
                    let at = window.start as u32;
                    let number = self.window(place);
                    if found.len() == max_found {
                        found.sort_unstable();
                        found.dedup();
                        max_found = MAX_FOUND.max(2 * found.len());
                    }
                    found.push(number);
                    if is_searched(number) {
                        match runs.last_mut() {
                            Some(run) if run.at + run.windows == at && run.place + run.windows == place => {
                                run.windows += 1;
                            }
                            _ => runs.push(WindowRun { at, place, windows: 1 }),
                        }
                    }
                    next = Some((place + 1, &rest[1..]));
                }
            });
        }
        found
    }

    /// The place of a window with this hash and these tokens, and the tokens of its query from its last one on.
    fn find_by_hash(&self, hash: u64, tokens: &[u64]) -> Option<(u32, &[u64])> {
        let hash = table_hash(hash);
        if !may_have(&self.filter, hash) {
            return None;
        }
        let place = self.find(hash, tokens)?;
        let QueryTokens { size, tokens: of_queries, begins, .. } = &self.queries;
        let query = self.query_of(place);
        let last = (place - begins[query]) as usize + size - 1;
        Some((place, &of_queries.get(query)[last..]))
    }
}

/// Returns whether a hash may be among those of a filter; of those that are not there one in sixteen may.
#[inline]
fn may_have(filter: &[u64], hash: u64) -> bool {
    let (word, bit) = filter_place(filter, hash);
    filter[word] & bit != 0
}

/// Counts of the sources that have each window of an index; any number of threads may count.
#[derive(Debug)]
pub struct WindowCounts {
    /// One entry for each place of the index: the number of sources with its window, at the first place of each window.
    counts: Vec<AtomicU32>,
    max: u32,
}

impl WindowCounts {
    /// No source is counted yet.
    fn new(places: usize, max: u32) -> Self {
        Self { counts: (0..places).map(|_| AtomicU32::new(0)).collect(), max }
    }

    /// Counts a source with these windows, each of which is named once.
    fn count(&self, windows: &[u32]) {
        windows.iter().for_each(|&window| {
            let count = &self.counts[window as usize];
            // Far from the largest number, so that no count begins anew.
            if count.load(Ordering::Relaxed) <= u32::MAX / 2 {
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
    }

    /// Makes windows common, in whatever number of sources they stand.
    fn ignore(&self, windows: &[u32]) {
        windows.iter().for_each(|&window| self.counts[window as usize].store(u32::MAX, Ordering::Relaxed));
    }

    /// Returns in how many sources a common window stands, once all are counted; `None` for others, and for those that
    /// are ignored.
    pub(super) fn sources_of_common(&self, window: u32) -> Option<u32> {
        let count = self.counts[window as usize].load(Ordering::Relaxed);
        (count > self.max && count < u32::MAX).then_some(count)
    }

    /// Returns whether a window stands in more sources than the limit; until all are counted, it may become so.
    #[inline]
    pub(super) fn is_common(&self, window: u32) -> bool {
        self.counts[window as usize].load(Ordering::Relaxed) > self.max
    }
}
