//! Estimates against the work that a search really has, and the choices that follow from them.

use super::pair_sample::{self, DrawnPair};
use super::*;
use crate::base::hash::{SplitMix64, mix64};
use crate::comparison::tests::{band_keys, prefix_keys};
use crate::comparison::{Measure, Verifier};
use crate::documents::ElementSets;
use crate::kernel::Kernel;
use crate::keys::{BlockingKeys, Bounds, Extent, KeyIndex, SharedKey, SharedKeys, VisitMarks};
use crate::similarity::SearchFilters;
use crate::{Array, ArrayStorage, DocId, Ragged};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Documents of 60 elements that many have and up to 40 of their own; every third is an edit of the one before.
fn sets(count: u64) -> ElementSets {
    let mut random = SplitMix64::new(5);
    let mut elements: Vec<u64> = Vec::new();
    (0..count)
        .map(|number| {
            if number % 3 == 2 {
                let place = random.next_below(elements.len() as u64) as usize;
                elements[place] = mix64(number << 32);
            } else {
                let common = (0..60).map(|_| mix64(random.next_below(200)));
                elements = common.collect();
                elements.extend((0..random.next_below(40)).map(|own| mix64((number << 32) + own + 1)));
            }
            elements.clone()
        })
        .collect()
}

fn banding() -> Banding {
    Banding::new(20, 5).unwrap()
}

fn measure() -> Measure {
    Measure::jaccard(0.6.try_into().unwrap())
}

fn estimate(keys: &SharedKeys, verifier: Verifier<'_>, compared: ComparedPairs, seed: u64) -> Work {
    Work::estimate(keys, verifier, compared, seed, || Ok::<(), Infallible>(())).unwrap()
}

/// Postings that pass the filter, and distinct candidates, of a search of all pairs.
fn counted(sets: &ElementSets, keys: &SharedKeys) -> (f64, f64) {
    let mut index = KeyIndex::new(keys, measure());
    let (mut writer, reader) = index.split();
    let mut passing = 0.0;
    let mut candidates = 0.0;
    let mut marks = VisitMarks::new(sets.len());
    for document in DocId::all(sets.len()) {
        marks.clear();
        let mut found = Vec::new();
        reader.probe(sets.size(document), keys.get(document), 0..document.0, &mut found);
        passing += found.len() as f64;
        candidates += found.into_iter().filter(|&rank| marks.mark(rank)).count() as f64;
        writer.insert(document.0, sets.size(document), keys.get(document));
    }
    (passing, candidates)
}

/// The share p of 1000 sampled pairs has a standard error of sqrt(p (1 - p) / 1000) at most, here taken five times;
/// about one in a million of right estimates would be refused, and the seeds are fixed.
#[test]
fn estimates_are_near_what_is_counted() {
    let sets = sets(1500);
    let space = measure().space(&sets, Kernel::detect());
    let verifier = space.verifier();
    for keys in [prefix_keys(&sets, measure()), band_keys(&sets, banding())] {
        let total = keys.total_postings() as f64;
        let (passing, candidates) = counted(&sets, &keys);
        for seed in 0..4 {
            let work = estimate(&keys, verifier, ComparedPairs::All, seed);
            let tolerance = |share: f64| 5.0 * (share * (1.0 - share) / 900.0).sqrt() * total;
            assert!((work.postings - total).abs() < 1e-6 * total, "{work:?}");
            assert!((work.passing - passing).abs() <= tolerance(passing / total), "{work:?}, {passing} passing");
            let share = candidates / total;
            assert!((work.candidates - candidates).abs() <= tolerance(share), "{work:?}, {candidates} candidates");
            assert!(work.checks == work.candidates && work.checked_elements >= work.checks, "{work:?}");
        }
    }
}

#[test]
fn near_duplicates_are_no_work_among_keepers_and_sketches_spare_checks() {
    let sets = sets(1500);
    let space = measure().space(&sets, Kernel::detect());
    let plain = space.verifier();
    let keys = prefix_keys(&sets, measure());
    let [all, keepers] =
        [ComparedPairs::All, ComparedPairs::Keepers].map(|compared| estimate(&keys, plain, compared, 3));
    assert!(keepers.candidates < all.candidates && keepers.postings < all.postings, "{keepers:?} {all:?}");
    let filters = SearchFilters { max_sketch_bytes: Some(usize::MAX), short: None };
    let sketched = measure().space_with(&sets, Kernel::detect(), filters);
    let sketched = estimate(&keys, sketched.verifier(), ComparedPairs::Keepers, 3);
    assert_eq!(sketched.candidates, keepers.candidates);
    assert!(sketched.checks < keepers.checks / 4.0, "{sketched:?}");
    assert!(sketched.cost() < keepers.cost());
}

#[test]
fn references_are_compared_with_other_documents_only() {
    let sets = sets(600);
    let space = measure().space(&sets, Kernel::detect());
    let verifier = space.verifier();
    let keys = prefix_keys(&sets, measure());
    let of = |references| estimate(&keys, verifier, ComparedPairs::References { references }, 1);
    assert_eq!(of(0), Work::default());
    assert_eq!(of(600), Work::default());
    // Two hundred documents with four hundred others: 4 of 9 of the pairs, or a little less.
    let share = of(200).postings / keys.total_postings() as f64;
    assert!((0.3..0.6).contains(&share), "{share}");
}

#[test]
fn estimates_depend_on_the_seed_only() {
    let sets = sets(600);
    let space = measure().space(&sets, Kernel::Scalar);
    let verifier = space.verifier();
    let keys = prefix_keys(&sets, measure());
    // Renumbered keys, as another run has them.
    let mut renumbered = BlockingKeys::new();
    for document in DocId::all(sets.len()) {
        renumbered.push_with(|out| {
            out.extend(keys.get(document).iter().map(|key| crate::keys::BlockingKey {
                hash: mix64(u64::from(key.number) ^ 77),
                position: key.position,
            }));
        });
    }
    let renumbered = renumbered.share().unwrap();
    for seed in 0..5 {
        let expected = estimate(&keys, verifier, ComparedPairs::All, seed);
        assert_eq!(estimate(&renumbered, verifier, ComparedPairs::All, seed), expected);
    }
    assert_ne!(estimate(&keys, verifier, ComparedPairs::All, 0), estimate(&keys, verifier, ComparedPairs::All, 1));
}

#[test]
fn no_common_key_is_no_work() {
    let sets: ElementSets = (0..10u64).map(|number| vec![mix64(number)]).collect();
    let space = measure().space(&sets, Kernel::detect());
    let verifier = space.verifier();
    assert_eq!(estimate(&prefix_keys(&sets, measure()), verifier, ComparedPairs::All, 1), Work::default());
    let none = ElementSets::new();
    let space = measure().space(&none, Kernel::detect());
    let verifier = space.verifier();
    assert_eq!(estimate(&SharedKeys::default(), verifier, ComparedPairs::All, 1), Work::default());
}

#[test]
fn an_interrupted_estimate_ends() {
    let sets = sets(100);
    let space = measure().space(&sets, Kernel::detect());
    let verifier = space.verifier();
    let stopped = Work::estimate(&prefix_keys(&sets, measure()), verifier, ComparedPairs::All, 1, || Err("stop"));
    assert_eq!(stopped, Err("stop"));
}

#[test]
fn exact_is_accepted_up_to_a_fifth_of_a_second_or_twice_minhash() {
    let work = |cost: f64| Work { postings: cost / 2.0, ..Work::default() };
    let small = Scale { elements: 1000, documents: 10, banding: banding() };
    assert_eq!(small.accepted_cost(), 200_000_000);
    assert!(small.accepts(&work(2e8)) && !small.accepts(&work(2e8 + 2.0)));
    // 10 documents of 100 elements: 2 + 12 for a posting, 40 for a sketch, 100 + 1.3 x 200 for an exact check.
    assert!(small.accepts_all(200_000_000 / 414) && !small.accepts_all(200_000_000 / 414 + 1));
    // 3 x 10^9 for the elements, 40 x 20 x 10^6 for the band keys.
    let large = Scale { elements: 1_000_000_000, documents: 1_000_000, banding: banding() };
    assert_eq!(large.accepted_cost(), 7_600_000_000);
    // Of MinHash, 3.8 s without candidates and 1 s with them.
    assert!(!large.prefers_minhash(&work(9.6e9), &work(1e9)));
    assert!(large.prefers_minhash(&work(9.7e9), &work(1e9)));
    assert_eq!(large.most_for_minhash(&work(9.7e9)), 9_700_000_000);
    assert_eq!(large.most_for_minhash(&work(1.0)), 7_600_000_000);
}

#[test]
fn keys_under_which_a_drawn_pair_passes_are_all_counted() {
    let sets = sets(300);
    for keys in [prefix_keys(&sets, measure()), band_keys(&sets, banding())] {
        let drawn = pair_sample::draw(&keys, &sets, measure(), 3, &mut || Ok::<(), Infallible>(())).unwrap();
        let passing = drawn.iter().filter(|drawn| drawn.passes);
        assert!(passing.clone().count() > 100);
        for &DrawnPair { a, b, passing_keys, .. } in passing {
            let extent = |document, position| Extent { size: sets.size(document) as u32, position };
            let are_common = |left: &SharedKey, right: &SharedKey| {
                left.number == right.number && measure().may_reach(extent(a, left.position), extent(b, right.position))
            };
            let of_b = keys.get(b).to_vec();
            let count = keys.get(a).iter().filter(|left| of_b.iter().any(|right| are_common(left, right))).count();
            assert_eq!(passing_keys as usize, count);
        }
    }
}

/// An array outside memory that knows what was read of it.
#[derive(Debug)]
struct Watched<T> {
    items: Vec<T>,
    read_items: AtomicUsize,
    /// Start of the last slice.
    last: AtomicUsize,
    /// Slices that began before the one that was read before them.
    backward: AtomicUsize,
}

impl<T: std::fmt::Debug + Send + Sync + 'static> Watched<T> {
    fn new(items: Vec<T>) -> Arc<Self> {
        let [read_items, last, backward] = [0; 3].map(AtomicUsize::new);
        Arc::new(Self { items, read_items, last, backward })
    }
}

impl<T: std::fmt::Debug + Send + Sync> ArrayStorage<T> for Watched<T> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn slice(&self, range: std::ops::Range<usize>) -> &[T] {
        self.read_items.fetch_add(range.len(), Ordering::Relaxed);
        let last = self.last.swap(range.start, Ordering::Relaxed);
        self.backward.fetch_add(usize::from(range.start < last), Ordering::Relaxed);
        &self.items[range]
    }
}

#[test]
fn two_long_documents_are_estimated_by_few_passes_over_them() {
    let set: Vec<u64> = (0..200_000).map(mix64).collect();
    let sets = ElementSets::from([set[1..].to_vec(), set[..set.len() - 1].to_vec()]);
    let keys = prefix_keys(&sets, measure());
    let space = measure().space(&sets, Kernel::detect());
    let verifier = space.verifier();
    let in_memory = estimate(&keys, verifier, ComparedPairs::All, 1);
    // Keys in storage, with starts in storage.
    let elements = Watched::new(sets.elements().values().slice(0..sets.total_elements()).to_vec());
    let starts = Watched::new(keys.starts().slice(0..keys.starts().len()).to_vec());
    let all = || DocId::all(2).flat_map(|document| keys.get(document).to_vec());
    let offsets = vec![0, keys.get(DocId(0)).len() as u64, all().count() as u64];
    let of_documents = Ragged::from_parts(offsets, Array::Owned(all().collect())).unwrap();
    let stored_keys = SharedKeys::from_parts(of_documents, Array::Stored(starts.clone()));
    let offsets = sets.elements().offsets().to_vec();
    let stored = Ragged::from_parts(offsets, Array::Stored(elements.clone())).unwrap();
    let stored_sets = ElementSets::from_parts(stored, sets.hashes().to_vec());
    let space = measure().space(&stored_sets, Kernel::detect());
    let verifier = space.verifier();
    assert_eq!(estimate(&stored_keys, verifier, ComparedPairs::All, 1), in_memory);
    let passes = elements.read_items.load(Ordering::Relaxed) / sets.total_elements();
    assert!(passes <= 6, "{passes} passes over the sets");
    let backward = starts.backward.load(Ordering::Relaxed);
    assert!(all().count() > 100_000 && backward < 20, "{backward} of {} reads went back", all().count());
}

#[test]
fn many_common_keys_of_a_pair_are_estimated() {
    let set: Vec<u64> = (0..20_000).map(mix64).collect();
    let sets = ElementSets::from([set[..15_000].to_vec(), set[2000..].to_vec()]);
    // All elements are keys.
    let mut keys = BlockingKeys::new();
    let key = |(position, &hash): (u32, &u64)| crate::keys::BlockingKey { hash, position };
    sets.iter().for_each(|set| keys.push_with(|out| out.extend((0..).zip(&*set).map(key))));
    let keys = keys.share().unwrap();
    let measure = Measure::jaccard(0.1.try_into().unwrap());
    let drawn = pair_sample::draw(&keys, &sets, measure, 3, &mut || Ok::<(), Infallible>(())).unwrap();
    let passing: Vec<u32> = drawn.iter().filter(|drawn| drawn.passes).map(|drawn| drawn.passing_keys).collect();
    // 13,000, but for those of the last positions; five standard errors.
    assert!(!passing.is_empty());
    assert!(passing.iter().all(|&keys| (8_500..17_000).contains(&keys)), "{:?}", passing.iter().max());
}
