//! Methods of sets, and the keepers rule on top of them, against brute force. A new measure of sets calls
//! [`check_measure_of_sets`] from its own tests; nothing is added here.

mod fingerprints;

use super::{Measure, RankedDocuments, Roles, VerifiedPair};
use crate::DocId;
use crate::base::hash::{SplitMix64, mix64};
use crate::documents::{ElementSet, ElementSets};
use crate::kernel::Kernel;
use crate::keys::{Banding, BlockingKeys, FrequencyTable, KeyIndex, KeyIndexReader, KeyProbe, SharedKeys, VisitMarks};
use crate::rule::KeeperIndex;
use crate::sets::{CommonElements, ContainedElements, Containment, ContainmentKeys, PrefixKeys, Side};
use crate::signatures::BandKeys;
use crate::similarity::{CandidatePair, EmptyPolicy, Overlap, Weights};
use crate::terms::{Cosine, WeightedKeys};
use proptest::prelude::{prop_assert_eq, proptest};
use std::collections::HashMap;

pub(super) fn prefix_keys(sets: &ElementSets, measure: Measure) -> SharedKeys {
    let frequencies = FrequencyTable::from_elements(sets.elements().values().slice(0..sets.total_elements()));
    let mut keys = BlockingKeys::new();
    if let Some(cosine) = measure.weighted() {
        let mut maker = WeightedKeys::new(&frequencies, cosine);
        DocId::all(sets.len()).for_each(|d| keys.push_with(|out| maker.append(sets.weighted(d), out)));
        return keys.share().unwrap();
    }
    let mut maker = PrefixKeys::new(&frequencies, measure);
    sets.iter().for_each(|set| keys.push_with(|out| maker.append(&set, out)));
    keys.share().unwrap()
}

/// The exact keys for a measure, whichever it is.
fn exact_keys(sets: &ElementSets, measure: Measure) -> SharedKeys {
    if measure.contained().is_none() {
        return prefix_keys(sets, measure);
    }
    let frequencies = FrequencyTable::from_elements(sets.elements().values().slice(0..sets.total_elements()));
    let contained = ContainedElements::sized_for(sets.total_elements(), 1 << 20);
    let mut prefixes = PrefixKeys::new(&frequencies, measure);
    let mut of_set = Vec::new();
    for set in sets.iter() {
        of_set.clear();
        prefixes.append(&set, &mut of_set);
        contained.insert(&of_set);
    }
    let mut maker = ContainmentKeys::new(&frequencies, measure, &contained);
    let mut keys = BlockingKeys::new();
    sets.iter().for_each(|set| keys.push_with(|out| maker.append(&set, out)));
    keys.share().unwrap()
}

pub(super) fn band_keys(sets: &ElementSets, banding: Banding) -> SharedKeys {
    let mut maker = BandKeys::new(banding, 1, crate::kernel::Kernel::detect());
    let mut keys = BlockingKeys::new();
    sets.iter().for_each(|set| keys.push_with(|out| maker.append(&set, out)));
    keys.share().unwrap()
}

/// Verified pairs (earlier, later) of a join that inserts the documents one by one.
fn join(sets: &ElementSets, keys: &SharedKeys, measure: Measure) -> Vec<(DocId, DocId)> {
    let mut index = KeyIndex::new(keys, measure);
    let (mut writer, reader) = index.split();
    let documents = DocId::all(sets.len());
    let partners = documents.map(|b| {
        let found = partners(reader, sets, keys, measure, b);
        writer.insert(b.0, sets.get(b).len(), keys.get(b));
        found
    });
    sorted(partners.flatten())
}

/// Verified pairs with one of the first documents, which several writers have inserted in parallel.
fn join_by_writers(
    sets: &ElementSets,
    keys: &SharedKeys,
    measure: Measure,
    first: usize,
    writers: usize,
) -> Vec<(DocId, DocId)> {
    let mut index = KeyIndex::over(keys, measure, DocId::all(first));
    std::thread::scope(|scope| {
        for mut writer in index.writers(writers) {
            scope.spawn(move || {
                DocId::all(first).for_each(|a| writer.insert(a.0, sets.get(a).len(), keys.get(a)));
            });
        }
    });
    sorted(DocId::all(sets.len()).flat_map(|b| partners(index.reader(), sets, keys, measure, b)))
}

fn sorted(pairs: impl Iterator<Item = (DocId, DocId)>) -> Vec<(DocId, DocId)> {
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_unstable();
    pairs
}

/// Verified pairs of `b` with earlier documents of an index.
fn partners(
    index: KeyIndexReader<'_>,
    sets: &ElementSets,
    keys: &SharedKeys,
    measure: Measure,
    b: DocId,
) -> Vec<(DocId, DocId)> {
    let space = measure.space(sets, Kernel::detect());
    let verifier = space.verifier();
    let mut marks = VisitMarks::new(sets.len());
    marks.clear();
    let mut found = Vec::new();
    index.probe(verifier.size(b), keys.get(b), 0..b.0, &mut found);
    found.retain(|&rank| marks.mark(rank));
    // The probing document comes first, as in the keepers rule.
    let verified = found.into_iter().filter_map(|a| verifier.verify(CandidatePair { a: b, b: DocId(a) }));
    verified.map(|pair| (pair.b, pair.a)).collect()
}

fn brute_force(sets: &ElementSets, measure: Measure) -> Vec<(DocId, DocId)> {
    let is_near = |Overlap { common, left, right }| match measure {
        Measure::Jaccard(jaccard) => common > 0 && jaccard.threshold.is_reached_by(common, left + right - common),
        Measure::Containment(containment) => {
            let reaches = |size| common > 0 && containment.threshold.is_reached_by(common, size);
            match containment.contained {
                Side::Either => reaches(left) || reaches(right),
                Side::InReference => reaches(left),
                Side::OfReference => reaches(right),
            }
        }
        Measure::Overlap(overlap) => common >= overlap.min_common,
        Measure::Cosine(cosine) => {
            common > 0 && reaches_root(cosine.threshold.to_string().parse().unwrap(), common, [left, right])
        }
        Measure::Signature(mine) => common > 0 && mine.threshold.is_reached_by(common, left.max(right)),
        _ => unreachable!("compared in the module of its documents"),
    };
    let pairs = DocId::all(sets.len()).flat_map(|b| DocId::all(b.index()).map(move |a| (a, b)));
    if let Some(cosine) = measure.weighted() {
        let threshold = cosine.threshold.to_string().parse().unwrap();
        return sorted(pairs.filter(|&(a, b)| is_near_by_weights(sets, threshold, [a, b])));
    }
    near_by(sets, is_near)
}

/// Returns all pairs of sets that are near by a definition.
fn near_by(sets: &ElementSets, is_near: impl Fn(Overlap) -> bool) -> Vec<(DocId, DocId)> {
    let pairs = DocId::all(sets.len()).flat_map(|b| DocId::all(b.index()).map(move |a| (a, b)));
    // The later one is the probing document.
    sorted(pairs.filter(|&(a, b)| is_near(Overlap::new(sets.get(b), sets.get(a)))))
}

/// Holds a measure of sets to its definition: the exact keys find all pairs and nothing else, on the whole and among
/// keepers; so do bands of MinHash, as far as they find, and they find equal sets always.
pub(crate) fn check_measure_of_sets(seed: u64, count: usize, measure: Measure, is_near: impl Fn(Overlap) -> bool) {
    let sets = families(seed, count);
    let expected = near_by(&sets, is_near);
    let keys = exact_keys(&sets, measure);
    assert_eq!(join(&sets, &keys, measure), expected, "{measure:?}");
    let mut order: Vec<DocId> = DocId::all(count).collect();
    order.reverse();
    order.rotate_left(count / 3);
    assert_eq!(keepers(&sets, &keys, &order, measure), keepers_among(&expected, &order), "{measure:?}");
    let found = join(&sets, &band_keys(&sets, Banding::new(10, 4).unwrap()), measure);
    assert!(found.iter().all(|pair| expected.contains(pair)), "{measure:?}");
    assert!(expected.iter().filter(|&&(a, b)| sets.get(a) == sets.get(b)).all(|pair| found.contains(pair)));
}

/// Returns whether x.y >= t |x| |y|, in integers, for a threshold of two decimals.
fn reaches_root(threshold: f64, dot: usize, [left, right]: [usize; 2]) -> bool {
    let percent = (threshold * 100.0).round() as usize;
    (100 * dot).pow(2) >= percent.pow(2) * left * right
}

fn is_near_by_weights(sets: &ElementSets, threshold: f64, [a, b]: [DocId; 2]) -> bool {
    let [x, y] = [a, b].map(|document| sets.weighted(document).iter().collect::<HashMap<u64, u32>>());
    let dot: usize = x.iter().map(|(e, &weight)| weight as usize * y.get(e).map_or(0, |&other| other as usize)).sum();
    let norm = |set: &HashMap<u64, u32>| set.values().map(|&weight| (weight as usize).pow(2)).sum();
    dot > 0 && reaches_root(threshold, dot, [norm(&x), norm(&y)])
}

/// The keepers rule by its definition: (document, first similar keeper).
fn keepers_by_definition(sets: &ElementSets, order: &[DocId], measure: Measure) -> Vec<(DocId, Option<DocId>)> {
    keepers_among(&brute_force(sets, measure), order)
}

/// The keepers rule by its definition, given all pairs.
fn keepers_among(near: &[(DocId, DocId)], order: &[DocId]) -> Vec<(DocId, Option<DocId>)> {
    let is_near = |a: DocId, b: DocId| near.contains(&(a.min(b), a.max(b)));
    let mut kept: Vec<DocId> = Vec::new();
    let mut decisions = Vec::new();
    for &document in order {
        let witness = kept.iter().copied().find(|&keeper| is_near(document, keeper));
        if witness.is_none() {
            kept.push(document);
        }
        decisions.push((document, witness));
    }
    decisions
}

fn keepers(sets: &ElementSets, keys: &SharedKeys, order: &[DocId], measure: Measure) -> Vec<(DocId, Option<DocId>)> {
    keepers_with(sets, keys, order, measure, Roles::Same)
}

fn keepers_with(
    sets: &ElementSets,
    keys: &SharedKeys,
    order: &[DocId],
    measure: Measure,
    roles: Roles,
) -> Vec<(DocId, Option<DocId>)> {
    let space = measure.space(sets, Kernel::detect());
    let verifier = space.verifier();
    let ranked = RankedDocuments { order, keys, verifier, roles };
    let mut kept = KeeperIndex::new(ranked, 0..order.len() as u32);
    let (mut writer, finder) = kept.split();
    let mut decide = |(&document, rank): (&DocId, u32)| {
        let witness = finder.find(rank, 0..rank, &mut Vec::new()).pair.map(|VerifiedPair { b, .. }| b);
        if witness.is_none() {
            writer.keep(rank);
        }
        (document, witness)
    };
    order.iter().zip(0..).map(&mut decide).collect()
}

/// Families of sets: each is a base set with some elements replaced, so that all similarities occur.
fn families(seed: u64, count: usize) -> ElementSets {
    let mut random = SplitMix64::new(seed);
    let bases: Vec<Vec<u64>> =
        (0..4u64).map(|family| (0..random.next_below(40)).map(|i| mix64(family * 1000 + i)).collect()).collect();
    (0..count)
        .map(|_| {
            let base = &bases[random.next_below(4) as usize];
            let dropped = random.next_below(8);
            let common =
                (0..random.next_below(4)).map(|_| mix64(9_000_000 + random.clone().next_below(6))).collect::<Vec<_>>();
            let kept = base.iter().copied().filter(|_| random.next_below(12) >= dropped / 2).collect::<Vec<_>>();
            [kept, common].concat()
        })
        .collect()
}

/// Sets with counts that depend on element and document, most of them small.
fn counted_families(seed: u64, count: usize) -> ElementSets {
    let mut random = SplitMix64::new(seed ^ 77);
    let sets = families(seed, count);
    let counted = sets.iter().map(|set| {
        let terms = set.iter().map(|&element| (element, (1 + element % 5 + random.next_below(2)) as u32));
        terms.collect::<Vec<_>>()
    });
    ElementSets::of_counted(counted.collect::<Vec<_>>())
}

fn cosine(percent: u32, weights: Weights) -> Measure {
    let threshold = (f64::from(percent) / 100.0).try_into().unwrap();
    Measure::Cosine(Cosine { threshold, weights, empty: EmptyPolicy::Keep })
}

proptest! {
    #[test]
    fn exact_method_finds_all_pairs_by_cosine(
        seed in 0u64..1_000_000, count in 0usize..40, percent in 1u32..=100, is_counted in proptest::bool::ANY,
    ) {
        let sets = if is_counted { counted_families(seed, count) } else { families(seed, count) };
        let weights = if is_counted { Weights::Tf } else { Weights::Binary };
        let measure = cosine(percent, weights);
        let keys = prefix_keys(&sets, measure);
        prop_assert_eq!(join(&sets, &keys, measure), brute_force(&sets, measure));
        let mut order: Vec<DocId> = DocId::all(count).collect();
        order.reverse();
        prop_assert_eq!(keepers(&sets, &keys, &order, measure), keepers_by_definition(&sets, &order, measure));
    }

}

fn measures(percent: u32, min_common: usize) -> [Measure; 5] {
    let threshold = (f64::from(percent) / 100.0).try_into().unwrap();
    let empty = EmptyPolicy::Keep;
    let containment = |contained| Measure::Containment(Containment { threshold, contained, empty });
    [
        Measure::jaccard(threshold),
        Measure::Overlap(CommonElements { min_common, empty }),
        containment(Side::Either),
        containment(Side::InReference),
        containment(Side::OfReference),
    ]
}

proptest! {
    /// The probing document is the later one for a containment of one side.
    #[test]
    fn exact_keys_of_these_measures_find_all_pairs_and_nothing_else(
        seed in 0u64..1_000_000, count in 0usize..40, percent in 1u32..=100, min_common in 1usize..30,
        first in 0usize..40, writers in 1usize..20,
    ) {
        let sets = families(seed, count);
        let first = first.min(count);
        for measure in measures(percent, min_common) {
            let keys = exact_keys(&sets, measure);
            let mut expected = brute_force(&sets, measure);
            prop_assert_eq!(&join(&sets, &keys, measure), &expected, "{:?}", measure);
            expected.retain(|(a, _)| a.index() < first);
            prop_assert_eq!(join_by_writers(&sets, &keys, measure, first, writers), expected, "{:?}", measure);
        }
    }

    /// Documents by falling size: the whole before its parts.
    #[test]
    fn roles_of_keys_change_no_answer(seed in 0u64..1_000_000, count in 1usize..40, percent in 20u32..=100) {
        let sets = families(seed, count);
        let measure = measures(percent, 1)[2];
        let keys = exact_keys(&sets, measure);
        let mut order: Vec<DocId> = DocId::all(count).collect();
        order.sort_by_key(|&document| std::cmp::Reverse(sets.size(document)));
        let expected = keepers_by_definition(&sets, &order, measure);
        for roles in [Roles::Same, Roles::ContainedProbes] {
            prop_assert_eq!(keepers_with(&sets, &keys, &order, measure, roles), expected.clone());
        }
    }
}

#[test]
fn families_cover_all_similarities() {
    let sets = families(3, 60);
    for (low, high) in [(0.05, 0.4), (0.4, 0.7), (0.7, 0.9), (0.9, 1.0)] {
        let pairs = |t: f64| brute_force(&sets, Measure::jaccard(t.try_into().unwrap())).len();
        assert!(pairs(low) > pairs(high), "no pair between {low} and {high}");
    }
}

#[test]
fn a_family_costs_a_step_a_key_even_where_the_position_filter_refuses() {
    use crate::rule::SharedUnionFind;

    // Documents of 60 words that differ in one: some of the keys that all have stand too far behind to reach 0.8.
    let postings_looked_at = |documents: u64| {
        let mut sets = ElementSets::new();
        for document in 0..documents {
            let own = (0..5).map(|place| mix64(1_000_000 + 5 * document + place));
            let mut set: Vec<u64> = (0..52).map(mix64).chain(own).collect();
            set.sort_unstable();
            sets.push(ElementSet::new(&set).unwrap()).unwrap();
        }
        let measure = Measure::jaccard("0.8".parse().unwrap());
        let keys = prefix_keys(&sets, measure);
        let mut index = KeyIndex::new(&keys, measure).with_runs();
        let (mut writer, reader) = index.split();
        let components = SharedUnionFind::new(sets.len());
        let mut looked_at = 0;
        for document in DocId::all(sets.len()) {
            let is_connected = |earlier| components.are_joined(DocId(earlier), document);
            for &key in keys.get(document) {
                let probe = KeyProbe { size: 57, key, end: document.0 };
                let connect = |earlier| components.union(DocId(earlier), document);
                looked_at += reader.probe_apart(probe, is_connected, connect);
            }
            writer.insert(document.0, 57, keys.get(document));
        }
        assert!(DocId::all(sets.len()).all(|document| components.are_joined(DocId(0), document)));
        looked_at
    };
    let [few, many] = [500, 2000].map(postings_looked_at);
    assert!(many < 5 * few, "{few} postings for 500 documents, {many} for 2000");
}
