//! Recall of a method, measured on a sample.
//!
//! For some documents all near-duplicates are counted exactly ([`lookalike_core::comparison::Sample`]); found are those
//! with which they share a key, since whatever shares a key is verified. Documents with equal sets are one here: no
//! method misses them.

use crate::base::Result;
use crate::run::Session;
use crate::threads::{Pace, ordered_map};
use lookalike_core::comparison::{EqualSets, Sample, VerifiedPair, Verifier};
use lookalike_core::keys::plan::binomial_interval;
use lookalike_core::keys::{Bounds, SharedKey, SharedKeys};
use lookalike_core::sets::Side;
use lookalike_core::{DocId, counted};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

/// Documents in the sample; the table of their prefix elements fits a cache.
const SAMPLED_DOCUMENTS: usize = 500;
/// Documents of a sample that would otherwise take too much work, as where everything is like everything.
const MIN_SAMPLED_DOCUMENTS: usize = 10;
/// Elements that may be compared for each element of the corpus; without such crowds it is less than one.
const MAX_WORK_PER_ELEMENT: f64 = 20.0;
/// Documents on which the work is tried.
const PILOT_DOCUMENTS: usize = 1000;
/// Documents that a thread takes at a time: few, because long documents stand together.
const CHUNK_DOCUMENTS: usize = 64;
const CONFIDENCE: f64 = 0.95;

/// The recall that was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MeasuredRecall {
    /// Documents in the sample.
    pub sampled_documents: u64,
    /// Pairs of a sampled and any other document that reach the threshold.
    pub true_pairs: u64,
    /// Pairs of them that share a key and so are found.
    pub found_pairs: u64,
    /// Bounds of the recall with a confidence of 95 % (Clopper, Pearson 1934), as if the pairs were independent.
    pub interval: (f64, f64),
}

impl MeasuredRecall {
    /// Recall of a sample with so many true pairs, of which so many were found.
    pub(crate) fn from_counts(sampled_documents: u64, found_pairs: u64, true_pairs: u64) -> Self {
        let interval = binomial_interval(found_pairs, true_pairs, CONFIDENCE);
        Self { sampled_documents, true_pairs, found_pairs, interval }
    }
}

impl fmt::Display for MeasuredRecall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sampled_documents, true_pairs, found_pairs, interval: (low, high) } = self;
        let documents = counted(*sampled_documents, "sampled document");
        if *true_pairs == 0 {
            return write!(formatter, "recall: no near-duplicates among {documents} to measure it on");
        }
        let recall = *found_pairs as f64 / *true_pairs as f64;
        let pairs = counted(*true_pairs, "pair");
        write!(
            formatter,
            "recall: {recall:.4} measured ({found_pairs} of {pairs} of {documents}; 95 % interval {low:.4} to \
             {high:.4})"
        )
    }
}

/// Measures the recall of the keys on a sample that is drawn from `seed`.
pub(crate) fn measure(
    verifier: Verifier<'_>,
    groups: &EqualSets,
    keys: &SharedKeys,
    seed: u64,
    session: &Session<'_>,
) -> Result<MeasuredRecall> {
    let documents = groups.representatives();
    // The truth is looked for without what refuses candidates.
    let are_found = |pair: VerifiedPair| {
        !verifier.is_refused_by_planes([pair.a, pair.b]) && share_key(keys.get(pair.a), keys.get(pair.b))
    };
    count(verifier.without_plane_bits(), [documents, documents], are_found, seed, session)
}

/// Measures the recall of the keys for containments, in which the contained document needs a key of its prefix in
/// common with the container, on a sample that is drawn from `seed`. The documents before number `references`, if there
/// are any, are compared with the others only.
pub(crate) fn measure_containment(
    (verifier, keys): (Verifier<'_>, &SharedKeys),
    groups: &EqualSets,
    references: usize,
    seed: u64,
    session: &Session<'_>,
) -> Result<MeasuredRecall> {
    let mut inputs = groups.representatives().to_vec();
    let mut sampled = inputs.clone();
    if references > 0 {
        // An input is compared as the first of a pair.
        inputs.retain(|document| document.index() >= references);
        sampled.retain(|document| document.index() < references);
    }
    let are_found = |pair: VerifiedPair| have_common_prefix(verifier, keys, pair);
    count(verifier, [&inputs, &sampled], are_found, seed, session)
}

/// Counts the pairs of a document and one of a sample of others, and those of them that are found.
fn count(
    verifier: Verifier<'_>,
    [documents, others]: [&[DocId]; 2],
    are_found: impl Fn(VerifiedPair) -> bool + Sync,
    seed: u64,
    session: &Session<'_>,
) -> Result<MeasuredRecall> {
    let sample = draw_sample(verifier, [documents, others], seed);
    let count_chunk = |buffers: &mut _, chunk: &[DocId]| {
        let mut found = 0;
        let mut all = 0;
        sample.near_all(chunk, buffers, |pair| {
            all += 1;
            found += u64::from(are_found(pair));
        });
        (found, all, chunk.len() as u64)
    };
    let mut found_pairs = 0;
    let mut true_pairs = 0;
    let add = |(found, all, documents)| {
        found_pairs += found;
        true_pairs += all;
        session.stages.progress.advance(documents);
        session.stages.check()
    };
    let chunks = documents.chunks(CHUNK_DOCUMENTS);
    ordered_map(chunks, Pace::for_threads(session.threads()), || sample.buffers(), count_chunk, add)?;
    Ok(MeasuredRecall::from_counts(sample.len() as u64, found_pairs, true_pairs))
}

/// Draws as many documents as the work allows.
fn draw_sample<'a>(verifier: Verifier<'a>, [documents, others]: [&[DocId]; 2], seed: u64) -> Sample<'a> {
    let sets = verifier.sets();
    let draw = |size| Sample::draw(verifier, others, size, seed);
    let sample = draw(SAMPLED_DOCUMENTS);
    let mut buffers = sample.buffers();
    let pilots = documents.iter().step_by((documents.len() / PILOT_DOCUMENTS).max(1));
    let (work, elements) = pilots.fold((0, 0), |(work, elements), &document| {
        (work + sample.work(document, &mut buffers), elements + sets.size(document))
    });
    let crowding = work as f64 / (elements as f64 * MAX_WORK_PER_ELEMENT);
    if crowding <= 1.0 {
        return sample;
    }
    draw(((SAMPLED_DOCUMENTS as f64 / crowding) as usize).max(MIN_SAMPLED_DOCUMENTS))
}

/// Returns whether the contained document of a pair has a key of its prefix in common with the other one. Of two that
/// may be contained in each other either may be the one that probes: both must have one then.
fn have_common_prefix(verifier: Verifier<'_>, keys: &SharedKeys, VerifiedPair { a, b, .. }: VerifiedPair) -> bool {
    let measure = verifier.measure();
    let is_found_in = |contained: DocId, container: DocId| {
        let length = measure.prefix_length(verifier.size(contained));
        let of_contained = keys.get(contained);
        let prefix = of_contained.iter().take_while(|key| (key.position as usize) < length);
        let of_container = keys.get(container);
        prefix.into_iter().any(|key| of_container.iter().any(|other| other.number == key.number))
    };
    match (measure.contained().map(|containment| containment.contained), verifier.size(a).cmp(&verifier.size(b))) {
        (Some(Side::InReference), _) => is_found_in(a, b),
        (Some(Side::OfReference), _) => is_found_in(b, a),
        (Some(Side::Either) | None, Ordering::Less) => is_found_in(a, b),
        (Some(Side::Either) | None, Ordering::Greater) => is_found_in(b, a),
        (Some(Side::Either) | None, Ordering::Equal) => is_found_in(a, b) && is_found_in(b, a),
    }
}

/// Returns whether two documents have a key in common. They have a few dozen at most.
fn share_key(left: &[SharedKey], right: &[SharedKey]) -> bool {
    left.iter().any(|a| right.iter().any(|b| a.number == b.number))
}
