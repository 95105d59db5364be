//! Candidate pairs of hyperplane bands, bucket by bucket: reads far less memory than document by document.
//!
//! A bucket holds the documents with one key. The sides of planes of all of them are gathered side by side, so that
//! most of its pairs are refused at the speed of counting bits, and only the few others are looked up in memory. Of
//! those, a pair is verified in the bucket of the first key that its documents share.
//!
//! ```text
//! key numbers   | 0 1 2 ...     | ...         |     a round: the keys whose buckets fit into memory together
//! buckets       | d d d | d d | |                   documents of one key, in order; each has a place in its bucket
//! task          | several small buckets, or some places of a large one
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

/// Approximate number of pairs compared by a task.
const TASK_PAIRS: u64 = 1 << 22;
/// Documents that one document is compared with at a time when components are searched for.
const PIECE_DOCUMENTS: usize = 64;
/// Approximate number of documents in the buckets of a task.
const TASK_DOCUMENTS: u64 = 1 << 14;

/// A join of the documents of all buckets.
pub(super) struct BucketJoin<'a> {
    pub(super) keys: &'a SharedKeys,
    /// The documents that are compared, in input order.
    pub(super) documents: &'a [DocId],
    pub(super) planes: &'a PlaneBits,
    /// The check of the pairs that the planes do not refuse.
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
    /// Number of places of buckets whose documents were compared with those behind them.
    compared_documents: u64,
}

/// Buckets, or some places of one: their documents are compared with all behind them in the bucket.
struct Task {
    key_numbers: Range<usize>,
    /// Places in a single bucket; `None` for all places of several buckets.
    places: Option<Range<usize>>,
}

/// The buckets of a round.
struct Round<'a> {
    key_numbers: Range<usize>,
    /// Prefix sums of the sizes of all buckets.
    starts: &'a [u32],
    documents: Vec<DocId>,
    /// Runs of connected documents of a bucket; empty unless components are searched for.
    runs: Runs,
}

impl Round<'_> {
    fn bucket(&self, key_number: usize) -> &[DocId] {
        &self.documents[self.begin_of(key_number)..self.begin_of(key_number + 1)]
    }

    /// Begin of a bucket in the documents of the round.
    fn begin_of(&self, key_number: usize) -> usize {
        (self.starts[key_number] - self.starts[self.key_numbers.start]) as usize
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
        let mut compared_documents = 0;
        let starts = self.keys.starts().as_slice();
        for key_numbers in rounds(starts, session.spill.budget().share(Share::Index) / size_of::<DocId>()) {
            let round = self.round(key_numbers, starts)?;
            let work = |scratch: &mut BucketScratch, task: Task| self.find(&round, &task, &is_wanted, scratch);
            ordered_map(
                tasks(&round),
                Pace::for_threads(session.threads()),
                BucketScratch::default,
                work,
                |found: Result<BucketPairs>| {
                    let found = found?;
                    // Progress counts documents, each of which is compared once for each of its shared keys.
                    let documents = self.documents.len() as u64;
                    let share = |compared: u64| compared * documents / self.keys.total_keys().max(1) as u64;
                    let compared_before = compared_documents;
                    compared_documents += found.compared_documents;
                    session.stages.progress.advance(share(compared_documents) - share(compared_before));
                    add(found)
                },
            )?;
        }
        Ok(())
    }

    /// Puts the documents into the buckets of some keys, each thread into those of some of them.
    fn round<'s>(&self, key_numbers: Range<usize>, starts: &'s [u32]) -> Result<Round<'s>> {
        let first = starts[key_numbers.start];
        let threads = self.session.threads() as u32;
        let mut documents = vec![DocId(0); (starts[key_numbers.end] - first) as usize];
        let total = documents.len() as u32;
        let mut parts = Vec::new();
        let mut rest = &mut documents[..];
        let mut begin = key_numbers.start;
        for thread in 1..=threads {
            let upto = first + (u64::from(total) * u64::from(thread) / u64::from(threads)) as u32;
            let end = if thread == threads { key_numbers.end } else { starts.partition_point(|&start| start < upto) };
            let end = end.clamp(begin, key_numbers.end);
            let (part, behind) = std::mem::take(&mut rest).split_at_mut((starts[end] - starts[begin]) as usize);
            parts.push((begin..end, part));
            rest = behind;
            begin = end;
        }
        try_each(parts.into_iter(), self.session.threads(), |(part_numbers, part)| {
            self.fill(&part_numbers, starts, part)
        })?;
        let runs = Runs::new(if self.components.is_some() { documents.len() } else { 0 });
        Ok(Round { key_numbers, starts, documents, runs })
    }

    /// Puts the documents into the buckets of these keys, which `part` holds one behind the other.
    fn fill(&self, key_numbers: &Range<usize>, starts: &[u32], part: &mut [DocId]) -> Result<()> {
        let first = starts[key_numbers.start];
        let mut ends: Vec<u32> = starts[key_numbers.clone()].iter().map(|start| start - first).collect();
        for (index, &document) in self.documents.iter().enumerate() {
            if index % TASK_DOCUMENTS as usize == 0 {
                self.session.stages.check()?;
            }
            for key in self.keys.get(document) {
                let key_number = key.number as usize;
                if key_numbers.contains(&key_number) {
                    let end = &mut ends[key_number - key_numbers.start];
                    part[*end as usize] = document;
                    *end += 1;
                }
            }
        }
        Ok(())
    }

    /// Finds the pairs of a task: all verified ones, or those that connect components.
    fn find(
        &self,
        round: &Round<'_>,
        task: &Task,
        is_wanted: impl Fn(&CandidatePair) -> bool,
        BucketScratch { sides, near }: &mut BucketScratch,
    ) -> Result<BucketPairs> {
        let mut found = BucketPairs { pairs: Vec::new(), candidates: 0, compared_documents: 0 };
        for key_number in task.key_numbers.clone() {
            self.session.stages.check()?;
            let bucket = round.bucket(key_number);
            sides.clear();
            sides.extend(bucket.iter().map(|&document| self.planes.get(document)));
            let places = task.places.clone().unwrap_or(0..bucket.len());
            found.compared_documents += places.len() as u64;
            let is_wanted = &is_wanted;
            let mut search = BucketSearch { join: self, round, key_number, bucket, is_wanted, sides, near, found };
            for place in places {
                match self.components {
                    Some(components) => search.connect(components, place),
                    None => search.verify_near(place),
                }
            }
            found = search.found;
        }
        Ok(found)
    }

    /// Returns whether the key with this number is the first that two documents share.
    fn is_first_shared_key(&self, CandidatePair { a, b }: CandidatePair, key_number: usize) -> bool {
        let mut left = self.keys.get(a);
        let mut right = self.keys.get(b);
        while let ([mine, left_rest @ ..], [other, right_rest @ ..]) = (left, right) {
            if mine.number == other.number {
                return mine.number as usize == key_number;
            }
            let by_band = |key: &SharedKey| key.position;
            match by_band(mine).cmp(&by_band(other)) {
                Ordering::Less => left = left_rest,
                Ordering::Greater => right = right_rest,
                Ordering::Equal => {
                    left = left_rest;
                    right = right_rest;
                }
            }
        }
        false
    }
}

/// The search for pairs in one bucket.
struct BucketSearch<'a, F> {
    join: &'a BucketJoin<'a>,
    round: &'a Round<'a>,
    /// The number of the key of the bucket.
    key_number: usize,
    bucket: &'a [DocId],
    is_wanted: &'a F,
    /// Sides of planes of the documents of the bucket.
    sides: &'a [[u64; PlaneBits::WORDS]],
    /// Buffer: the places of near documents, counted from the begin of a range of places.
    near: &'a mut Vec<u32>,
    found: BucketPairs,
}

impl<F: Fn(&CandidatePair) -> bool> BucketSearch<'_, F> {
    /// Verifies the pairs of a document and those behind it, each pair in the bucket of its first shared key.
    fn verify_near(&mut self, place: usize) {
        self.find_near(place, place + 1..self.bucket.len());
        let Self { join, key_number, bucket, is_wanted, near, found, .. } = self;
        for &offset in &**near {
            let pair = CandidatePair { a: bucket[place], b: bucket[place + 1 + offset as usize] };
            if join.is_first_shared_key(pair, *key_number) && is_wanted(&pair) {
                found.candidates += 1;
                found.pairs.extend(join.verifier.verify(pair));
            }
        }
    }

    /// Adds the pairs that connect a document with those behind it. Runs of documents with which it is connected are
    /// stepped over.
    fn connect(&mut self, components: &SharedUnionFind, place: usize) {
        let bucket = self.bucket;
        let begin = self.round.begin_of(self.key_number);
        let is_connected = |other: usize| components.are_joined(bucket[place], bucket[other]);
        let mut at = place + 1;
        while at < bucket.len() {
            if !is_connected(at) {
                let end = bucket.len().min(at + PIECE_DOCUMENTS);
                self.connect_piece(components, place, at..end);
                if !is_connected(at) {
                    at = end;
                    continue;
                }
            }
            at = self.round.runs.extend(begin + at, begin + bucket.len(), |item| is_connected(item - begin)) - begin;
        }
    }

    /// Adds the pairs that connect a document with those in a range of places.
    fn connect_piece(&mut self, components: &SharedUnionFind, place: usize, others: Range<usize>) {
        let first = others.start;
        self.find_near(place, others);
        let Self { join, bucket, is_wanted, near, found, .. } = self;
        for &offset in &**near {
            let pair = CandidatePair { a: bucket[place], b: bucket[first + offset as usize] };
            // A pair that another bucket has refused is verified again: were it left to the bucket of its first shared
            // key, a bucket that is joined before that one would be walked from each of its places.
            let is_unconnected = !components.are_joined(pair.a, pair.b);
            if is_unconnected && is_wanted(&pair) {
                found.candidates += 1;
                let connects = |pair: &VerifiedPair| components.union(pair.a, pair.b);
                found.pairs.extend(join.verifier.verify(pair).filter(connects));
            }
        }
    }

    /// Finds the documents in a range of places that planes do not refuse as neighbours of the one in `place`.
    #[inline]
    fn find_near(&mut self, place: usize, others: Range<usize>) {
        self.near.clear();
        let BucketJoin { planes, session, .. } = self.join;
        planes.append_near(session.kernel(), &self.sides[place], &self.sides[others], self.near);
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
    let mut at = round.key_numbers.start;
    // The next place in a bucket that is too large for a task.
    let mut place = 0;
    std::iter::from_fn(move || {
        if at >= round.key_numbers.end {
            return None;
        }
        let first = at;
        let size = round.bucket(first).len();
        if place > 0 || pairs_of(size) > TASK_PAIRS {
            let places = place..size.min(place + (TASK_PAIRS / size as u64).max(1) as usize);
            place = places.end;
            if place == size {
                at += 1;
                place = 0;
            }
            return Some(Task { key_numbers: first..first + 1, places: Some(places) });
        }
        let mut pairs = 0;
        let mut documents = 0;
        while at < round.key_numbers.end && pairs < TASK_PAIRS && documents < TASK_DOCUMENTS {
            let size = round.bucket(at).len();
            if pairs_of(size) > TASK_PAIRS {
                break;
            }
            pairs += pairs_of(size);
            documents += size as u64;
            at += 1;
        }
        Some(Task { key_numbers: first..at, places: None })
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
        fn rounds_and_tasks_have_every_place_of_every_bucket_once(
            sizes in proptest::collection::vec(2u32..5000, 0..60),
            max_documents in 0usize..9000,
        ) {
            let starts: Vec<u32> = std::iter::once(0).chain(sizes.iter().scan(0, |sum, size| {
                *sum += size;
                Some(*sum)
            })).collect();
            let mut places = Vec::new();
            for key_numbers in rounds(&starts, max_documents) {
                let documents = starts[key_numbers.end] - starts[key_numbers.start];
                prop_assert!(documents as usize <= max_documents || key_numbers.len() == 1);
                let documents = vec![DocId(0); documents as usize];
                let round = Round { key_numbers, starts: &starts, documents, runs: Runs::new(0) };
                for task in tasks(&round) {
                    for key_number in task.key_numbers.clone() {
                        let all = 0..round.bucket(key_number).len();
                        places.extend(task.places.clone().unwrap_or(all).map(|place| (key_number, place)));
                    }
                }
            }
            let all_places = |(bucket, &size): (usize, &u32)| (0..size as usize).map(move |place| (bucket, place));
            prop_assert_eq!(places, sizes.iter().enumerate().flat_map(all_places).collect::<Vec<_>>());
        }
    }
}
