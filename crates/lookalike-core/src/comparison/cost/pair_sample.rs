//! A sample of postings: pairs of documents with a common blocking key, from which the work of a search is estimated.
//!
//! A search follows one posting for each common key of a pair, refuses most of them by size and position, and verifies
//! a pair once, however many keys it shares. The number of postings is known; what becomes of them is seen on a sample
//! that is drawn uniformly: a document and one of its keys, weighted by the number of documents that have the key, and
//! then one of these documents. A pair that shares m keys which pass the filter is drawn m times as often as one that
//! shares one, so it counts 1/m.
//!
//! The sample is a function of the documents, their keys and the seed: numbers of keys, which differ from run to run,
//! have no influence on it.

use crate::base::DocId;
use crate::base::hash::{SplitMix64, mix64};
use crate::comparison::Measure;
use crate::documents::ElementSets;
use crate::keys::{Bounds, Extent, SharedKey, SharedKeys};
use std::collections::HashMap;

/// Pairs that are drawn; some of them are of a document with itself and are dropped.
const SAMPLED_PAIRS: usize = 1000;
/// Keys among which they are drawn, about: those of some documents if there are more.
const MAX_WEIGHED_KEYS: usize = 1 << 21;
/// Words of a bit map that rules out keys which are under which no pair is drawn.
const FILTER_WORDS: usize = 1 << 11;
/// Documents between two calls of `check`.
const DOCUMENTS_PER_CHECK: usize = 1 << 14;
/// Keys whose occurrences are looked up together.
const KEYS_PER_LOOK_UP: usize = 1 << 16;
/// Common keys of a pair at which their number is estimated instead of counted.
const COUNTED_KEYS: usize = 256;

/// Two documents that share a blocking key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DrawnPair {
    pub(super) a: DocId,
    pub(super) b: DocId,
    /// True if the pair passes the size and position filter under the key by which it was drawn.
    pub(super) passes: bool,
    /// Number of common keys under which it passes.
    pub(super) passing_keys: u32,
}

/// The occurrence of a key that the second document of a drawn pair is to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct DrawnOccurrence {
    /// Number of the occurrence, counted over the documents in order.
    occurrence: u32,
    document: DocId,
    position: u32,
}

/// Draws pairs; `check` is called now and then, and its error ends the drawing.
pub(super) fn draw<E>(
    keys: &SharedKeys,
    sets: &ElementSets,
    measure: Measure,
    seed: u64,
    check: &mut impl FnMut() -> Result<(), E>,
) -> Result<Vec<DrawnPair>, E> {
    let drawn = DrawnKeys::draw(keys, sets.len(), seed, check)?;
    let mut found = Vec::new();
    let mut sample = Vec::new();
    let mut passing = PassingKeys::new(keys, sets, measure);
    drawn.find(keys, sets.len(), check, |drawn, b, key| found.push((drawn, b, key)))?;
    for (DrawnOccurrence { document: a, position, .. }, b, key) in
        found.into_iter().filter(|(drawn, b, _)| drawn.document != *b)
    {
        check()?;
        let [left, right] = [a, b].map(|document| sets.size(document) as u32);
        let extents = (Extent { size: left, position }, Extent { size: right, position: key.position });
        let passes = measure.may_reach(extents.0, extents.1);
        let passing_keys = if passes { passing.count([a, b]).max(1) } else { 0 };
        sample.push(DrawnPair { a, b, passes, passing_keys });
    }
    Ok(sample)
}

/// Counts the common keys of pairs under which they pass the filter.
///
/// Long documents have millions of keys, and few documents with common keys are in few pairs: each pair is counted
/// once, and the keys of its second document are sorted once as long as that stays the same. The keys of the first
/// document are looked up in an order that spreads evenly over all of them, until [`COUNTED_KEYS`] have passed: fewer
/// are counted exactly, and of more the standard error is 6 %. So the work for all pairs is proportional to the number
/// of keys: those of a document are in other documents too, so either the pairs are many or the common keys of a pair
/// are.
struct PassingKeys<'a> {
    keys: &'a SharedKeys,
    sets: &'a ElementSets,
    measure: Measure,
    /// Pairs that were counted.
    counted: HashMap<[DocId; 2], u32>,
    /// The second document of the last pair.
    second: Option<DocId>,
    /// Keys of `second` by number.
    sorted: Vec<SharedKey>,
}

impl<'a> PassingKeys<'a> {
    fn new(keys: &'a SharedKeys, sets: &'a ElementSets, measure: Measure) -> Self {
        Self { keys, sets, measure, counted: HashMap::new(), second: None, sorted: Vec::new() }
    }

    /// Number of common keys under which two documents pass.
    fn count(&mut self, pair: [DocId; 2]) -> u32 {
        if let Some(&count) = self.counted.get(&pair) {
            return count;
        }
        let [_, b] = pair;
        if self.second != Some(b) {
            self.sorted.clear();
            self.sorted.extend_from_slice(self.keys.get(b));
            self.sorted.sort_unstable_by_key(|key| key.number);
            self.second = Some(b);
        }
        let count = self.count_sorted(pair);
        self.counted.insert(pair, count);
        count
    }

    /// Counts the common keys of a pair that is not known yet, once the keys of the second document are sorted.
    fn count_sorted(&self, pair: [DocId; 2]) -> u32 {
        let [left, right] = pair.map(|document| self.sets.size(document) as u32);
        let passes = |key: SharedKey| {
            let other = self.sorted.binary_search_by_key(&key.number, |other| other.number);
            other.is_ok_and(|other| {
                let other = Extent { size: right, position: self.sorted[other].position };
                self.measure.may_reach(Extent { size: left, position: key.position }, other)
            })
        };
        let keys = self.keys.get(pair[0]);
        let passing = spread_over(keys.len()).enumerate().filter(|&(_, place)| passes(keys[place]));
        let mut count = 0;
        let mut seen = keys.len();
        for (looked_up, _) in passing.take(COUNTED_KEYS) {
            count += 1;
            if count == COUNTED_KEYS {
                seen = looked_up + 1;
            }
        }
        (count * keys.len()).checked_div(seen).unwrap_or(0) as u32
    }
}

/// The places of `length` items in an order of which any beginning is spread evenly over all: by their bits, reversed.
fn spread_over(length: usize) -> impl Iterator<Item = usize> {
    let all = length.next_power_of_two();
    let place = move |number: usize| number.reverse_bits().checked_shr(usize::BITS - all.trailing_zeros()).unwrap_or(0);
    (0..all).map(place).filter(move |&place| place < length)
}

/// A key some of whose occurrences are drawn.
#[derive(Default)]
struct DrawnKey {
    /// Number of occurrences that were passed.
    passed: u32,
    /// Drawn occurrences, the next one last.
    occurrences: Vec<DrawnOccurrence>,
}

/// The keys some of whose occurrences are drawn, with a filter before them.
struct DrawnKeys {
    keys: HashMap<u32, DrawnKey>,
    filter: Vec<u64>,
}

impl DrawnKeys {
    /// Draws occurrences of keys, weighted by the occurrences that the key has.
    fn draw<E>(
        keys: &SharedKeys,
        documents: usize,
        seed: u64,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut random = SplitMix64::new(seed);
        // Few documents with very many keys are all weighed.
        let one_of = keys.total_keys().div_ceil(MAX_WEIGHED_KEYS).min(documents / SAMPLED_PAIRS).max(1) as u64;
        let salt = random.next_u64();
        let weighed = move |document: DocId| mix64(u64::from(document.0) ^ salt).is_multiple_of(one_of);
        let mut total = 0;
        each_weighed_key(keys, documents, weighed, check, |_, _, occurrences| total += u64::from(occurrences))?;
        let mut targets: Vec<u64> = (0..SAMPLED_PAIRS).map(|_| random.next_below(total.max(1))).collect();
        targets.sort_unstable();
        let mut passed = 0;
        let mut targets = targets.into_iter().peekable();
        let mut drawn = Self { keys: HashMap::new(), filter: vec![0; FILTER_WORDS] };
        each_weighed_key(keys, documents, weighed, check, |document, key, occurrences| {
            let first = passed;
            passed += u64::from(occurrences);
            while let Some(target) = targets.next_if(|&target| target < passed) {
                let occurrence =
                    DrawnOccurrence { occurrence: (target - first) as u32, document, position: key.position };
                drawn.add(key.number, occurrence);
            }
        })?;
        drawn.keys.values_mut().for_each(|key| key.occurrences.sort_unstable_by(|a, b| b.cmp(a)));
        Ok(drawn)
    }

    fn add(&mut self, number: u32, occurrence: DrawnOccurrence) {
        self.filter[number as usize / 64 % FILTER_WORDS] |= 1 << (number % 64);
        self.keys.entry(number).or_default().occurrences.push(occurrence);
    }

    /// Calls `found` with each drawn occurrence and the document that has it.
    fn find<E>(
        mut self,
        keys: &SharedKeys,
        documents: usize,
        check: &mut impl FnMut() -> Result<(), E>,
        mut found: impl FnMut(DrawnOccurrence, DocId, SharedKey),
    ) -> Result<(), E> {
        each_key(
            keys,
            documents,
            |_| true,
            check,
            |document, key| {
                let number = key.number;
                if self.filter[number as usize / 64 % FILTER_WORDS] >> (number % 64) & 1 == 0 {
                    return;
                }
                if let Some(known) = self.keys.get_mut(&number) {
                    while let Some(drawn) = known.occurrences.pop_if(|drawn| drawn.occurrence == known.passed) {
                        found(drawn, document, key);
                    }
                    known.passed += 1;
                }
            },
        )
    }
}

/// Looks up how many documents have each of some keys.
///
/// The keys of a document have random numbers, and where keys are in files, the starts of all of them are: they are
/// looked up in ascending order there, many at a time, so that the pages of the file come one after the other.
struct OccurrenceLookup<'a> {
    keys: &'a SharedKeys,
    waiting: Vec<(DocId, SharedKey)>,
    /// Places of the waiting keys, by number.
    by_number: Vec<u32>,
    /// One entry for each waiting key.
    occurrences: Vec<u32>,
}

impl<'a> OccurrenceLookup<'a> {
    fn new(keys: &'a SharedKeys) -> Self {
        Self { keys, waiting: Vec::new(), by_number: Vec::new(), occurrences: Vec::new() }
    }

    /// Calls `visit` with the waiting keys, in the order in which they came.
    fn visit(&mut self, visit: &mut impl FnMut(DocId, SharedKey, u32)) {
        let Self { keys, waiting, by_number, occurrences } = self;
        by_number.clear();
        by_number.extend(0..waiting.len() as u32);
        by_number.sort_unstable_by_key(|&place| waiting[place as usize].1.number);
        occurrences.clear();
        occurrences.resize(waiting.len(), 0);
        for &place in &*by_number {
            occurrences[place as usize] = occurrences_of(keys, waiting[place as usize].1);
        }
        waiting.drain(..).zip(&*occurrences).for_each(|((document, key), &number)| visit(document, key, number));
    }
}

/// Number of documents that have a key.
fn occurrences_of(keys: &SharedKeys, key: SharedKey) -> u32 {
    let number = key.number as usize;
    match keys.starts().slice(number..number + 2) {
        [start, end] => end - start,
        _ => 0,
    }
}

/// Calls `visit` with each key of the `chosen` documents, in order, and the number of documents that have it.
fn each_weighed_key<E>(
    keys: &SharedKeys,
    documents: usize,
    chosen: impl Fn(DocId) -> bool,
    check: &mut impl FnMut() -> Result<(), E>,
    mut visit: impl FnMut(DocId, SharedKey, u32),
) -> Result<(), E> {
    if keys.starts().is_in_memory() {
        let visit = |document, key| visit(document, key, occurrences_of(keys, key));
        return each_key(keys, documents, chosen, check, visit);
    }
    let mut lookup = OccurrenceLookup::new(keys);
    each_key(keys, documents, chosen, check, |document, key| {
        lookup.waiting.push((document, key));
        if lookup.waiting.len() == KEYS_PER_LOOK_UP {
            lookup.visit(&mut visit);
        }
    })?;
    lookup.visit(&mut visit);
    Ok(())
}

/// Calls `visit` with each key of the `chosen` documents, in order.
fn each_key<E>(
    keys: &SharedKeys,
    documents: usize,
    chosen: impl Fn(DocId) -> bool,
    check: &mut impl FnMut() -> Result<(), E>,
    mut visit: impl FnMut(DocId, SharedKey),
) -> Result<(), E> {
    for document in DocId::all(documents) {
        if document.index().is_multiple_of(DOCUMENTS_PER_CHECK) {
            check()?;
        }
        if chosen(document) {
            keys.get(document).iter().for_each(|&key| visit(document, key));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_places_are_each_there_once() {
        for length in [0, 1, 2, 3, 64, 65, 1000] {
            let mut places: Vec<usize> = spread_over(length).collect();
            if length == 1000 {
                let low = places[..250].iter().filter(|&&place| place < 250).count();
                let quarter = 250 / 4;
                assert!(low.abs_diff(quarter) <= 2, "{low}");
            }
            places.sort_unstable();
            assert!(places.iter().copied().eq(0..length), "{length}");
        }
    }
}
