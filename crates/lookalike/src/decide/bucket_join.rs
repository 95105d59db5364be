//! The candidates of cosines, bucket by bucket: far less reading from memory than document by document.
//!
//! A bucket holds the documents with one key. The sides of planes of all of them are gathered side by side, so that its
//! pairs are refused at the speed of counting bits, and only the few others are looked up in memory. Of those, a pair
//! is verified in the first band in which its documents meet.
//!
//! ```text
//! numbers of keys   | 0 1 2 ...     | ...         |     a round: the keys whose buckets fit into memory together
//! buckets           | d d d | d d | |               documents of one key, in order
//! task              | several small buckets, or some rows of a large one
//! ```

use crate::base::Result;
use crate::run::Session;
use crate::spill::Share;
use crate::threads::{Pace, ordered_map, try_each};
use lookalike_core::DocId;
use lookalike_core::comparison::{VerifiedPair, Verifier};
use lookalike_core::keys::{Runs, SharedKey, SharedKeys};
use lookalike_core::rule::SharedUnionFind;
use lookalike_core::similarity::CandidatePair;
use lookalike_core::vectors::PlaneBits;
use std::cmp::Ordering;
use std::ops::Range;

/// Pairs that a thread looks at in a task, about.
const TASK_PAIRS: u64 = 1 << 22;
/// Documents that are compared with one at a time, where components are looked for.
const PIECE_DOCUMENTS: usize = 64;
/// Documents of the buckets of a task, about.
const TASK_DOCUMENTS: u64 = 1 << 14;

/// A join of the documents of all buckets.
pub(super) struct BucketJoin<'a> {
    pub(super) keys: &'a SharedKeys,
    /// The documents that are compared, in input order.
    pub(super) documents: &'a [DocId],
    pub(super) planes: &'a PlaneBits,
    /// The check of what the planes leave.
    pub(super) verifier: Verifier<'a>,
    /// The components so far, if only what connects them is wanted.
    pub(super) components: Option<&'a SharedUnionFind>,
    pub(super) session: &'a Session<'a>,
}

/// Results of a task.
pub(super) struct BucketPairs {
    pub(super) pairs: Vec<VerifiedPair>,
    /// Number of pairs that were verified.
    pub(super) candidates: u64,
    /// Number of documents of buckets that were compared with those behind them.
    rows: u64,
}

/// A document of a bucket, which is compared with those behind it.
#[derive(Debug, Clone, Copy)]
struct BucketRow {
    /// The number of the bucket.
    bucket: usize,
    row: usize,
}

/// Buckets, or some rows of one: the documents that are compared with all that follow.
struct Task {
    numbers: Range<usize>,
    /// Rows of a single bucket; `None` for all rows of several.
    rows: Option<Range<usize>>,
}

/// The buckets of a round.
struct Round<'a> {
    numbers: Range<usize>,
    /// Prefix sums of the sizes of all buckets.
    starts: &'a [u32],
    documents: Vec<DocId>,
    /// Runs of connected documents of a bucket; empty unless components are looked for.
    runs: Runs,
}

impl Round<'_> {
    fn bucket(&self, number: usize) -> &[DocId] {
        &self.documents[self.place(number)..self.place(number + 1)]
    }

    /// Begin of a bucket.
    fn place(&self, number: usize) -> usize {
        (self.starts[number] - self.starts[self.numbers.start]) as usize
    }
}

/// Buffers of a thread.
#[derive(Default)]
struct BucketScratch {
    sides: Vec<[u64; PlaneBits::WORDS]>,
    near: Vec<u32>,
}

impl BucketJoin<'_> {
    /// Hands on the wanted pairs, each once, in no particular order.
    ///
    /// # Errors
    /// Those of `add`; if the job is cancelled.
    pub(super) fn run(
        &self,
        is_wanted: impl Fn(&CandidatePair) -> bool + Sync,
        mut add: impl FnMut(BucketPairs) -> Result<()> + Send,
    ) -> Result<()> {
        let session = self.session;
        let mut rows = 0;
        let starts = self.keys.starts().slice(0..self.keys.starts().len());
        for numbers in rounds(starts, session.spill.budget().share(Share::Index) / size_of::<DocId>()) {
            let round = self.round(numbers, starts)?;
            let work = |scratch: &mut BucketScratch, task: Task| self.find(&round, &task, &is_wanted, scratch);
            ordered_map(
                tasks(&round),
                Pace::for_threads(session.threads()),
                BucketScratch::default,
                work,
                |found: Result<BucketPairs>| {
                    let found = found?;
                    // Of the documents, as many as their share of all rows.
                    let share = |rows: u64| rows * self.documents.len() as u64 / self.keys.total_keys().max(1) as u64;
                    session.stages.progress.advance(share(rows + found.rows) - share(rows));
                    rows += found.rows;
                    add(found)
                },
            )?;
        }
        Ok(())
    }

    /// Puts the documents into the buckets of some keys, each thread into those of some of them.
    fn round<'s>(&self, numbers: Range<usize>, starts: &'s [u32]) -> Result<Round<'s>> {
        let first = starts[numbers.start];
        let threads = self.session.threads() as u32;
        let mut documents = vec![DocId(0); (starts[numbers.end] - first) as usize];
        let total = documents.len() as u32;
        let mut parts = Vec::new();
        let mut rest = &mut documents[..];
        let mut begin = numbers.start;
        for thread in 1..=threads {
            let upto = first + (u64::from(total) * u64::from(thread) / u64::from(threads)) as u32;
            let end = if thread == threads { numbers.end } else { starts.partition_point(|&start| start < upto) };
            let end = end.clamp(begin, numbers.end);
            let (part, behind) = std::mem::take(&mut rest).split_at_mut((starts[end] - starts[begin]) as usize);
            parts.push((begin..end, part));
            rest = behind;
            begin = end;
        }
        try_each(parts.into_iter(), self.session.threads(), |(numbers, part)| self.fill(&numbers, starts, part))?;
        let runs = Runs::new(if self.components.is_some() { documents.len() } else { 0 });
        Ok(Round { numbers, starts, documents, runs })
    }

    fn fill(&self, numbers: &Range<usize>, starts: &[u32], part: &mut [DocId]) -> Result<()> {
        let first = starts[numbers.start];
        let mut ends: Vec<u32> = starts[numbers.clone()].iter().map(|start| start - first).collect();
        for (count, &document) in self.documents.iter().enumerate() {
            if count % TASK_DOCUMENTS as usize == 0 {
                self.session.stages.check()?;
            }
            for key in self.keys.get(document) {
                let number = key.number as usize;
                if numbers.contains(&number) {
                    let end = &mut ends[number - numbers.start];
                    part[*end as usize] = document;
                    *end += 1;
                }
            }
        }
        Ok(())
    }

    fn find(
        &self,
        round: &Round<'_>,
        task: &Task,
        is_wanted: impl Fn(&CandidatePair) -> bool,
        scratch: &mut BucketScratch,
    ) -> Result<BucketPairs> {
        let mut found = BucketPairs { pairs: Vec::new(), candidates: 0, rows: 0 };
        for number in task.numbers.clone() {
            self.session.stages.check()?;
            let bucket = round.bucket(number);
            scratch.sides.clear();
            scratch.sides.extend(bucket.iter().map(|&document| self.planes.get(document)));
            let rows = task.rows.clone().unwrap_or(0..bucket.len());
            found.rows += rows.len() as u64;
            for row in rows {
                if self.components.is_some() {
                    let of_row = BucketRow { bucket: number, row };
                    self.connect(round, of_row, (&is_wanted, scratch), &mut found);
                    continue;
                }
                let BucketScratch { sides, near } = &mut *scratch;
                near.clear();
                self.planes.append_near(self.session.kernel(), &sides[row], &sides[row + 1..], near);
                for &place in &*near {
                    let pair = CandidatePair { a: bucket[row], b: bucket[row + 1 + place as usize] };
                    if self.meet_first(pair, number) && is_wanted(&pair) {
                        found.candidates += 1;
                        found.pairs.extend(self.verifier.verify(pair));
                    }
                }
            }
        }
        Ok(found)
    }

    /// Adds the pairs that connect a document of a bucket with those behind it. Runs of documents with which it is
    /// connected are stepped over.
    fn connect(
        &self,
        round: &Round<'_>,
        BucketRow { bucket: number, row }: BucketRow,
        (is_wanted, BucketScratch { sides, near }): (impl Fn(&CandidatePair) -> bool, &mut BucketScratch),
        found: &mut BucketPairs,
    ) {
        let Some(components) = self.components else { return };
        let bucket = round.bucket(number);
        let place = round.place(number);
        let is_connected = |other: usize| components.are_joined(bucket[row], bucket[other]);
        let mut at = row + 1;
        while at < bucket.len() {
            if !is_connected(at) {
                let end = bucket.len().min(at + PIECE_DOCUMENTS);
                near.clear();
                self.planes.append_near(self.session.kernel(), &sides[row], &sides[at..end], near);
                for &near in &*near {
                    let pair = CandidatePair { a: bucket[row], b: bucket[at + near as usize] };
                    // A pair that another bucket has refused is verified again: were it left to the first bucket in
                    // which it meets, a bucket that is joined before that one would be walked from each of its rows.
                    let is_open = !components.are_joined(pair.a, pair.b);
                    if is_open && is_wanted(&pair) {
                        found.candidates += 1;
                        let connects = |pair: &VerifiedPair| components.union(pair.a, pair.b);
                        found.pairs.extend(self.verifier.verify(pair).filter(connects));
                    }
                }
                if !is_connected(at) {
                    at = end;
                    continue;
                }
            }
            at = round.runs.extend(place + at, place + bucket.len(), |item| is_connected(item - place)) - place;
        }
    }

    /// Returns whether the key with this number is that of the first band in which two documents meet.
    fn meet_first(&self, CandidatePair { a, b }: CandidatePair, number: usize) -> bool {
        let mut left = self.keys.get(a);
        let mut right = self.keys.get(b);
        while let ([mine, left_rest @ ..], [other, right_rest @ ..]) = (left, right) {
            if mine.number == other.number {
                return mine.number as usize == number;
            }
            let by_band = |key: &SharedKey| key.position;
            match by_band(mine).cmp(&by_band(other)) {
                Ordering::Less => left = left_rest,
                Ordering::Greater => right = right_rest,
                Ordering::Equal => (left, right) = (left_rest, right_rest),
            }
        }
        false
    }
}

/// The numbers of keys, cut so that the buckets of each range hold `max_documents` together, or a single bucket more.
fn rounds(starts: &[u32], max_documents: usize) -> impl Iterator<Item = Range<usize>> {
    let keys = starts.len().saturating_sub(1);
    let mut begin = 0;
    std::iter::from_fn(move || {
        let start = begin;
        (start < keys).then(|| {
            let max = (starts[start] as usize).saturating_add(max_documents);
            let end = starts.partition_point(|&bound| bound as usize <= max) - 1;
            begin = end.clamp(start + 1, keys);
            start..begin
        })
    })
}

/// The tasks of a round.
fn tasks<'r>(round: &'r Round<'_>) -> impl Iterator<Item = Task> + Send + 'r {
    let mut at = round.numbers.start;
    // The next row of a bucket that is too large for a task.
    let mut row = 0;
    std::iter::from_fn(move || {
        if at >= round.numbers.end {
            return None;
        }
        let first = at;
        let size = round.bucket(first).len();
        if row > 0 || pairs_of(size) > TASK_PAIRS {
            let rows = row..size.min(row + (TASK_PAIRS / size as u64).max(1) as usize);
            (at, row) = if rows.end == size { (at + 1, 0) } else { (at, rows.end) };
            return Some(Task { numbers: first..first + 1, rows: Some(rows) });
        }
        let mut pairs = 0;
        let mut documents = 0;
        while at < round.numbers.end && pairs < TASK_PAIRS && documents < TASK_DOCUMENTS {
            let size = round.bucket(at).len();
            if pairs_of(size) > TASK_PAIRS {
                break;
            }
            pairs += pairs_of(size);
            documents += size as u64;
            at += 1;
        }
        Some(Task { numbers: first..at, rows: None })
    })
}

fn pairs_of(documents: usize) -> u64 {
    documents as u64 * (documents as u64).saturating_sub(1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn rounds_and_tasks_have_every_row_of_every_bucket_once(
            sizes in proptest::collection::vec(2u32..5000, 0..60),
            max_documents in 0usize..9000,
        ) {
            let starts: Vec<u32> = std::iter::once(0).chain(sizes.iter().scan(0, |sum, size| {
                *sum += size;
                Some(*sum)
            })).collect();
            let mut rows = Vec::new();
            for numbers in rounds(&starts, max_documents) {
                let documents = starts[numbers.end] - starts[numbers.start];
                prop_assert!(documents as usize <= max_documents || numbers.len() == 1);
                let documents = vec![DocId(0); documents as usize];
                let round = Round { numbers, starts: &starts, documents, runs: Runs::new(0) };
                for task in tasks(&round) {
                    for number in task.numbers.clone() {
                        let all = 0..round.bucket(number).len();
                        rows.extend(task.rows.clone().unwrap_or(all).map(|row| (number, row)));
                    }
                }
            }
            let all_rows = |(number, &size): (usize, &u32)| (0..size as usize).map(move |row| (number, row));
            prop_assert_eq!(rows, sizes.iter().enumerate().flat_map(all_rows).collect::<Vec<_>>());
        }
    }
}
