//! Norm sketches: a second filter of cosines, which refuses most candidates without reading their terms.
//!
//! The terms of all documents are dealt into buckets ([`super::dealing`]). The sketch of a document has the norm of its
//! terms in each bucket, as a share of the norm of all. Terms of different buckets are not common, and within a bucket
//! the inequality of Cauchy and Schwarz bounds the dot product:
//!
//! ```text
//! x = {a:3 b:4 c:12}    buckets {a b} {c}    norms  5 12   of 13
//! y = {a:6 d:8 e:24}    buckets {a d} {e}    norms 10 24   of 26    cosine <= 5/13 10/26 + 12/13 24/26 = 1
//! z = {a:6 d:8 f:24}    buckets {a d f}      norms 26  0   of 26    cosine <= 5/13
//! ```
//!
//! Shares are rounded up (those of small sketches to the nearest, and what that loses is added), so a bound below the
//! threshold is a proof, and no answer depends on sketches, nor on when they are made. With about as many buckets as a
//! document has terms, most of the pairs that share nothing but common words are refused; sketches with four times as
//! many are asked about the rest. Turned down: buckets that only the terms that weigh most may use, which leave too few
//! for the others and refuse less.
//!
//! They are made once they are worth it, as odd sketches of sets are, each chunk of documents when one of them is first
//! needed.

use super::dealing::{ABOVE_ROUNDINGS, Dealing};
use super::small_sketches::{self, CHUNK_DOCUMENTS, ROWS, SmallSketch, SmallSketches};
use crate::base::DocId;
use crate::documents::ElementSets;
use crate::kernel::Kernel;
use crate::similarity::{CandidatePair, SketchMemory, SketchWorth};
use crate::terms::{Cosine, Terms};
use std::ops::Range;
use std::sync::OnceLock;

/// Numbers of buckets that are worth a look; sums of squared shares stay below 2^31, also with four times as many.
const MIN_BUCKETS: usize = 16;
const MAX_BUCKETS: usize = 1024;
/// Factor by which the largest sketches have to spare more than the large ones: they are used only for pairs that
/// have passed those, and have four times as many buckets.
const WORTH_OF_LARGEST: u64 = 8;
/// The share of the whole norm that stands for 1.
const WHOLE: i16 = i16::MAX;

/// The norm sketches of the documents of one search, made when they are worth it; shared by all threads.
#[derive(Debug)]
pub struct NormSketches {
    large: Sketches,
    /// Sketches with four times as many buckets, for pairs that `large` does not refuse; `None` where memory is short.
    largest: Option<Sketches>,
    /// Small sketches, for two documents and many; `None` where memory is short.
    small: Option<SmallSketches>,
    worth: SketchWorth,
    /// Worth of the largest sketches, beside the others.
    worth_of_largest: SketchWorth,
}

/// Sketches with one number of buckets, each chunk made when it is first needed.
#[derive(Debug)]
struct Sketches {
    /// The shares of consecutive documents, bucket by bucket.
    chunks: Vec<OnceLock<Vec<i16>>>,
    buckets: usize,
    dealing: OnceLock<Dealing>,
}

/// A document that is compared with many by its sketches.
#[derive(Debug, Clone, Copy)]
pub struct SketchedDocument {
    /// Number of the document.
    pub document: DocId,
    small: SmallSketch,
}

impl SketchedDocument {
    /// Makes an entry without a sketch.
    pub(crate) fn unsketched(document: DocId) -> Self {
        Self { document, small: [[0; 4]; ROWS] }
    }
}

impl NormSketches {
    /// No sketches yet for the documents of `sets`, of at most `max_bytes` together: with fewer buckets where memory is
    /// short, or none.
    pub fn new(sets: &ElementSets, max_bytes: usize) -> Self {
        let documents = sets.len().next_multiple_of(CHUNK_DOCUMENTS).max(1);
        let mean_terms = sets.total_elements() / sets.len().max(1);
        let unlimited = mean_terms.next_power_of_two().clamp(4 * MIN_BUCKETS, MAX_BUCKETS);
        let bytes_of_chunks = documents.div_ceil(CHUNK_DOCUMENTS) * size_of::<OnceLock<Vec<i16>>>();
        let bytes_of_all = 3 * (bytes_of_chunks + Dealing::BYTES);
        let max_buckets = max_bytes.saturating_sub(bytes_of_all) / size_of::<i16>() / documents;
        // The greatest power of two that is small enough.
        let buckets = unlimited.min((max_buckets / 2 + 1).next_power_of_two());
        let large = Sketches::new(sets, buckets);
        let have_memory = buckets >= MIN_BUCKETS;
        let memory = if have_memory { SketchMemory::Available } else { SketchMemory::Missing };
        let small_buckets = SmallSketches::BYTES / size_of::<i16>();
        let has_small = have_memory && max_buckets >= buckets + small_buckets;
        let has_largest = have_memory && max_buckets >= 5 * buckets + small_buckets;
        Self {
            large,
            largest: has_largest.then(|| Sketches::new(sets, 4 * buckets)),
            small: has_small.then(|| SmallSketches::new(sets)),
            worth: SketchWorth::new(sets, memory),
            worth_of_largest: SketchWorth::new(sets, memory).times(WORTH_OF_LARGEST),
        }
    }

    /// Returns whether the sketches are worth being built and used.
    #[inline]
    pub(crate) fn are_in_use(&self) -> bool {
        self.worth.is_reached()
    }

    /// Returns whether there is memory for the sketches.
    pub(crate) fn can_be_made(&self) -> bool {
        self.worth.is_ever_reached()
    }

    /// Counts an exact check that has refused a pair in spite of the sketches in use; its sets have `elements`
    /// together.
    pub(crate) fn note_refusal(&self, elements: usize) {
        let worth = if self.are_in_use() { &self.worth_of_largest } else { &self.worth };
        worth.note_refusal(elements);
    }

    /// Returns whether two documents are no near-duplicates by their sketches; never true for near-duplicates.
    pub(crate) fn refuse(&self, terms: Terms<'_>, pair: [DocId; 2]) -> bool {
        let Terms { sets, measure, kernel } = terms;
        let are_worth_it = |_: &&Sketches| self.worth_of_largest.is_reached();
        let sketches = [Some(&self.large), self.largest.as_ref().filter(are_worth_it)];
        let min = min_bound(measure, WHOLE);
        sketches.into_iter().flatten().any(|sketches| sketches.sum_of_products(sets, kernel, pair) < min)
    }

    /// A document of `sets` with what it takes to compare it with many.
    pub(crate) fn sketched(&self, sets: &ElementSets, document: DocId) -> SketchedDocument {
        let unsketched = SketchedDocument::unsketched(document);
        self.small.as_ref().map_or(unsketched, |small| SketchedDocument { document, small: small.get(sets, document) })
    }

    /// Calls `found` with those of the documents `others`, all of one chunk, that the small sketches do not refuse as
    /// near-duplicates of one of `two`, and with 0 or 1 for which of them; with all of them without small sketches.
    pub(crate) fn find(
        &self,
        terms: Terms<'_>,
        two: [&SketchedDocument; 2],
        others: Range<usize>,
        mut found: impl FnMut(usize, DocId),
    ) {
        let Terms { sets, measure, kernel } = terms;
        let first = others.start / CHUNK_DOCUMENTS * CHUNK_DOCUMENTS;
        let mut find = |which: usize, place: usize| {
            if others.contains(&(first + place)) {
                found(which, DocId((first + place) as u32));
            }
        };
        let Some(small) = &self.small else {
            // Both entries of `two` may be the same document, which then comes twice.
            let places = others.start - first..others.end - first;
            return places.for_each(|place| (0..2).for_each(|which| find(which, place)));
        };
        let many = small.chunk(sets, first / CHUNK_DOCUMENTS);
        kernel.find_products(two.map(|one| &one.small), many, min_bound(measure, small_sketches::WHOLE.into()), find);
    }

    /// Removes the pairs that the large and largest sketches refuse; the first document of each is of the `number`-th
    /// chunk.
    pub(crate) fn retain_near(&self, terms: Terms<'_>, number: usize, pairs: &mut Vec<CandidatePair>) {
        let Terms { sets, measure, kernel } = terms;
        let min = min_bound(measure, WHOLE);
        for sketches in [Some(&self.large), self.largest.as_ref()].into_iter().flatten() {
            let sums = sketches.sums_of_products(sets, kernel, number, pairs);
            let mut near = 0;
            // Branch-free code: a branch would be mispredicted half of the time.
            for (place, sum) in sums.into_iter().enumerate() {
                pairs[near] = pairs[place];
                near += usize::from(sum >= min);
            }
            pairs.truncate(near);
        }
    }
}

/// The minimum sum of products of shares that near-duplicates have, where `whole` stands for 1.
fn min_bound(measure: Cosine, whole: i16) -> u32 {
    let (numerator, denominator) = measure.threshold.fraction();
    let whole = u128::from(whole.unsigned_abs()).pow(2);
    // A threshold is at most 1.
    (whole * u128::from(numerator)).div_ceil(denominator.into()) as u32
}

impl Sketches {
    fn new(sets: &ElementSets, buckets: usize) -> Self {
        let chunks = (0..sets.len().div_ceil(CHUNK_DOCUMENTS)).map(|_| OnceLock::new()).collect();
        Self { chunks, buckets, dealing: OnceLock::new() }
    }

    fn chunk(&self, sets: &ElementSets, number: usize) -> &[i16] {
        self.chunks[number].get_or_init(|| {
            let first = number * CHUNK_DOCUMENTS;
            let documents = first..sets.len().min(first + CHUNK_DOCUMENTS);
            let mut shares = Vec::with_capacity(documents.len() * self.buckets);
            let dealing = self.dealing.get_or_init(|| Dealing::new(sets, self.buckets));
            let mut squares = vec![0; self.buckets];
            for document in documents.map(|index| DocId(index as u32)) {
                let of_document = dealing.shares(sets.weighted(document), &mut squares);
                shares.extend(of_document.map(rounded_up));
            }
            shares
        })
    }

    fn sum_of_products(&self, sets: &ElementSets, kernel: Kernel, pair: [DocId; 2]) -> u32 {
        let [a, b] = pair.map(|document| self.get(sets, document));
        kernel.sum_of_products(a, b)
    }

    /// The sums of all `pairs`, whose first documents are of the `number`-th chunk. None is decided upon before all are
    /// made, so that the processor reads the next sketches while it waits for one.
    fn sums_of_products(&self, sets: &ElementSets, kernel: Kernel, number: usize, pairs: &[CandidatePair]) -> Vec<u32> {
        let of_first = self.chunk(sets, number);
        let mut of_second = (number, of_first);
        let sum = |&CandidatePair { a, b }: &CandidatePair| {
            let number = b.index() / CHUNK_DOCUMENTS;
            if number != of_second.0 {
                of_second = (number, self.chunk(sets, number));
            }
            kernel.sum_of_products(self.in_chunk(of_first, a), self.in_chunk(of_second.1, b))
        };
        pairs.iter().map(sum).collect()
    }

    fn get(&self, sets: &ElementSets, document: DocId) -> &[i16] {
        self.in_chunk(self.chunk(sets, document.index() / CHUNK_DOCUMENTS), document)
    }

    /// The sketch of a document in its chunk.
    fn in_chunk<'a>(&self, chunk: &'a [i16], document: DocId) -> &'a [i16] {
        let place = document.index() % CHUNK_DOCUMENTS;
        &chunk[place * self.buckets..(place + 1) * self.buckets]
    }
}

/// A share of the whole norm, rounded up.
fn rounded_up(share: f64) -> i16 {
    let exact = share * f64::from(WHOLE) * ABOVE_ROUNDINGS;
    // In 32 bits a number is cut off in one step; `ceil` would be a call.
    let cut_off = exact as i32;
    (cut_off + i32::from(f64::from(cut_off) < exact)).min(WHOLE.into()) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::mix64;
    use crate::comparison::Measure;
    use crate::similarity::{EmptyPolicy, Weights};
    use proptest::prelude::{prop_assert, proptest};

    fn cosine(percent: u32) -> Cosine {
        let threshold = (f64::from(percent) / 100.0).try_into().unwrap();
        Cosine { threshold, weights: Weights::Tf, empty: EmptyPolicy::Keep }
    }

    impl NormSketches {
        fn bytes_of(&self, sets: &ElementSets, document: DocId) -> usize {
            let small = self.small.as_ref().map_or(0, |made| size_of_val(&made.get(sets, document)));
            let largest = self.largest.as_ref().map_or(0, |made| size_of_val(made.get(sets, document)));
            small + largest + size_of_val(self.large.get(sets, document))
        }
    }

    fn sets_of(sets: &[Vec<(u64, u32)>]) -> ElementSets {
        let hashed = |set: &Vec<(u64, u32)>| set.iter().map(|&(term, count)| (mix64(term), count)).collect::<Vec<_>>();
        ElementSets::of_counted(sets.iter().map(hashed))
    }

    proptest! {
        /// Edits of one text, with weights up to the largest, so that pairs around the threshold are common.
        #[test]
        fn no_near_duplicate_is_refused(
            text in proptest::collection::vec((0u64..400, 1u32..9, 0u32..30), 1..200),
            edits in proptest::collection::vec((0usize..200, 0u64..60), 2..6), percent in 1u32..=100,
            max_bytes in 9_000 + 3 * Dealing::BYTES..600_000 + 3 * Dealing::BYTES,
        ) {
            let grown = |(term, count, power): (u64, u32, u32)| (term, count << (power / 8 * 8));
            let text: Vec<(u64, u32)> = text.into_iter().map(grown).collect();
            let family: Vec<Vec<(u64, u32)>> = edits
                .iter()
                .zip(1u64..)
                .map(|(&(without, new), number)| {
                    let own = (0..new).map(|term| (number * 1000 + term, 2));
                    text[without.min(text.len() - 1)..].iter().copied().chain(own).collect()
                })
                .collect();
            let sets = sets_of(&family);
            let cosine = cosine(percent);
            let sketches = NormSketches::new(&sets, max_bytes);
            let space = Measure::Cosine(cosine).space(&sets, Kernel::Scalar);
            let verifier = space.verifier();
            prop_assert!(sketches.worth.is_ever_reached());
            for pair in DocId::all(sets.len()).flat_map(|a| DocId::all(sets.len()).map(move |b| [a, b])) {
                let near = verifier.similarity_of(pair[0], pair[1]) >= f64::from(percent) / 100.0;
                for &kernel in Kernel::available() {
                    let terms = Terms { sets: &sets, measure: cosine, kernel };
                    prop_assert!(!(near && sketches.refuse(terms, pair)), "{pair:?}");
                    let mut found = Vec::new();
                    let others = pair[1].index()..sets.len();
                    let find = |which, other| found.push((which, other));
                    let two = pair.map(|document| sketches.sketched(&sets, document));
                    sketches.find(terms, two.each_ref(), others, find);
                    prop_assert!(!near || found.contains(&(0, pair[1])), "{pair:?}");
                    let mut pairs = vec![CandidatePair { a: pair[0], b: pair[1] }; 2];
                    sketches.retain_near(terms, pair[0].index() / CHUNK_DOCUMENTS, &mut pairs);
                    prop_assert!(!near || pairs.len() == 2, "{pair:?}");
                    prop_assert!(found.contains(&(1, pair[1])), "a document reaches itself");
                    prop_assert!(found.iter().all(|(_, other)| *other >= pair[1] && other.index() < sets.len()));
                }
            }
        }

        #[test]
        fn memory_is_kept(terms in proptest::collection::vec(0u64..3000, 1..600), max_bytes in 0usize..2_000_000) {
            let text = |&terms: &u64| (0..terms.min(40)).map(|term| (term, 1)).collect();
            let sets = sets_of(&terms.iter().map(text).collect::<Vec<_>>());
            let sketches = NormSketches::new(&sets, max_bytes);
            if sketches.worth.is_ever_reached() {
                let shares: usize = DocId::all(sets.len()).map(|document| sketches.bytes_of(&sets, document)).sum();
                let chunks = 3 * sketches.large.chunks.len() * size_of::<OnceLock<Vec<i16>>>();
                prop_assert!(shares + chunks + 3 * Dealing::BYTES <= max_bytes);
            }
        }
    }

    #[test]
    fn pairs_of_common_words_only_are_refused() {
        // Twenty words that all have, one of them often, and 120 own ones: a cosine of .54.
        let text = |own: u64| {
            (0..20).map(|term| (term, 1 + 4 / (term as u32 + 1) * 2)).chain((0..120).map(move |t| (own * 1000 + t, 1)))
        };
        let sets = sets_of(&(1..200).map(|own| text(own).collect()).collect::<Vec<_>>());
        let sketches = NormSketches::new(&sets, usize::MAX);
        let space = Measure::Cosine(cosine(80)).space(&sets, Kernel::detect());
        let verifier = space.verifier();
        let similarity = verifier.similarity_of(DocId(0), DocId(1));
        assert!((0.5..0.6).contains(&similarity), "{similarity}");
        let pairs = (1..sets.len() as u32).map(|b| [DocId(0), DocId(b)]);
        let terms = Terms { sets: &sets, measure: cosine(80), kernel: Kernel::detect() };
        let refused = pairs.filter(|&pair| sketches.refuse(terms, pair)).count();
        assert!(refused > 180, "{refused} of 198");
    }

    #[test]
    fn memory_that_does_not_suffice_makes_none() {
        let sets = sets_of(&[vec![(1, 1)], vec![(2, 1)]]);
        for max_bytes in [0, 100, 8000] {
            assert!(!NormSketches::new(&sets, max_bytes).worth.is_ever_reached(), "{max_bytes}");
        }
        assert!(!NormSketches::new(&ElementSets::new(), 0).worth.is_ever_reached());
    }
}
