//! The fingerprint method against brute force: nothing but true pairs, all that it promises, and its recall.

use super::{brute_force, families, join, keepers_with, measures};
use crate::DocId;
use crate::base::hash::mix64;
use crate::comparison::{Measure, Roles};
use crate::documents::ElementSets;
use crate::keys::{BlockingKeys, Extent, FrequencyTable, SharedKeys};
use crate::sets::{
    ContainedElements, Containment, ContainmentKeys, FingerprintPlan, FingerprintPrefixes, PrefixKeys, Selected,
    Selection, Side,
};
use crate::similarity::{EmptyPolicy, Overlap};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};

/// Fingerprints by document.
fn fingerprints(sets: &ElementSets, selection: Selection) -> Vec<Vec<u64>> {
    let selected = |set: &[u64]| set.iter().copied().filter(|&element| selection.takes(element)).collect();
    sets.iter().map(|set| selected(&set)).collect()
}

/// Blocking keys of all documents.
fn keys(sets: &ElementSets, fingerprints: &[Vec<u64>], measure: Measure, plan: &FingerprintPlan) -> SharedKeys {
    let frequencies = FrequencyTable::from_elements(sets.elements().values().slice(0..sets.total_elements()));
    let prefixes = FingerprintPrefixes::new(PrefixKeys::new(&frequencies, measure), plan);
    let contained = ContainedElements::sized_for(sets.total_elements(), 1 << 20);
    let counts_of = |set: &[u64]| {
        let mut counts = vec![0; set.len()];
        frequencies.first_counts(set, &mut counts);
        counts
    };
    let mut maker = prefixes.clone();
    let mut of_set = Vec::new();
    for (set, fingerprints) in sets.iter().zip(fingerprints) {
        of_set.clear();
        maker.append(Selected { set: &set, fingerprints, counts: &counts_of(&set) }, &mut of_set);
        contained.insert(&of_set);
    }
    let mut maker = ContainmentKeys::with_prefixes(prefixes, &contained);
    let mut keys = BlockingKeys::new();
    for (set, fingerprints) in sets.iter().zip(fingerprints) {
        let counts = counts_of(&set);
        let selected = Selected { set: &set, fingerprints, counts: &counts };
        keys.push_with(|out| {
            maker.append_behind(&set, Extent::BEHIND, out, |prefixes, out| prefixes.append(selected, out));
        });
    }
    keys.share().unwrap()
}

fn common(a: &[u64], b: &[u64]) -> usize {
    a.iter().filter(|element| b.binary_search(element).is_ok()).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn pairs_are_true_and_those_with_enough_common_fingerprints_are_found(
        seed in 0u64..1_000_000, count in 0usize..40, percent in 1u32..=100, divisor in 1u64..6,
    ) {
        let sets = families(seed, count);
        let selection: Selection = format!("mod:{divisor}").parse().unwrap();
        let selected = fingerprints(&sets, selection);
        let threshold = (f64::from(percent) / 100.0).try_into().unwrap();
        let plan = FingerprintPlan::new(selection, threshold, 0.9);
        for measure in measures(percent, 1).into_iter().skip(2) {
            let containment = measure.contained().unwrap();
            let found = join(&sets, &keys(&sets, &selected, measure, &plan), measure);
            let true_pairs = brute_force(&sets, measure);
            prop_assert!(found.iter().all(|pair| true_pairs.contains(pair)), "{:?}", measure);
            for &(a, b) in &true_pairs {
                // The later document probes: it is the one in the reference.
                let is_enough = |contained: DocId, container: DocId| {
                    let of_contained = &selected[contained.index()];
                    common(of_contained, sets.get(container).elements()) >= plan.min_common(of_contained.len())
                };
                let is_sure = match containment.contained {
                    Side::InReference => is_enough(b, a),
                    Side::OfReference => is_enough(a, b),
                    Side::Either if sets.size(a) < sets.size(b) => is_enough(a, b),
                    Side::Either => is_enough(b, a),
                };
                prop_assert!(!is_sure || found.contains(&(a, b)), "{a:?} {b:?} {measure:?}");
            }
            if divisor == 1 && percent == 100 {
                prop_assert_eq!(found, true_pairs);
            }
        }
    }

    /// Whole before parts: the contained document probes by its prefix only.
    #[test]
    fn keepers_by_fingerprints_are_apart_from_what_goes(seed in 0u64..1_000_000, count in 1usize..40) {
        let sets = families(seed, count);
        let selection = "mod:3".parse().unwrap();
        let measure = measures(60, 1)[2];
        let plan = FingerprintPlan::new(selection, "0.6".parse().unwrap(), 0.9);
        let shared = keys(&sets, &fingerprints(&sets, selection), measure, &plan);
        let mut order: Vec<DocId> = DocId::all(count).collect();
        order.sort_by_key(|&document| std::cmp::Reverse(sets.size(document)));
        let by_roles = [Roles::Same, Roles::ContainedProbes].map(|roles| {
            keepers_with(&sets, &shared, &order, measure, roles)
        });
        for decisions in by_roles {
            for (document, witness) in decisions {
                let near = |kept| measure.is_reached(Overlap::new(sets.get(document), sets.get(kept)));
                prop_assert!(witness.is_none_or(near));
            }
        }
    }
}

/// Pairs of a container and a document of which exactly the threshold is in it, each with a family of its own.
fn quotations(pairs: u64, elements: u64, common: u64) -> ElementSets {
    let element = |pair: u64, i: u64| mix64(pair << 32 | i);
    let sets = (0..pairs).flat_map(|pair| {
        let container = (0..3 * elements).map(|i| element(pair, i)).collect();
        let contained = (0..common).chain(10_000..10_000 + elements - common).map(|i| element(pair, i)).collect();
        [container, contained]
    });
    sets.collect()
}

/// Recall of n pairs at the threshold: at least `recall * n` are found, but for five standard deviations.
#[test]
fn recall_at_the_threshold_is_the_requested_one() {
    let pairs = 1000;
    let empty = EmptyPolicy::Keep;
    for (divisor, elements, percent, recall) in
        [(4, 100, 80u32, 0.9), (16, 400, 80, 0.9), (16, 90, 80, 0.95), (8, 200, 50, 0.8), (16, 20, 90, 0.99)]
    {
        let selection = format!("mod:{divisor}").parse().unwrap();
        let threshold = (f64::from(percent) / 100.0).try_into().unwrap();
        let measure = Measure::Containment(Containment { threshold, contained: Side::Either, empty });
        let sets = quotations(pairs, elements, elements * u64::from(percent) / 100);
        let plan = FingerprintPlan::new(selection, threshold, recall);
        let shared = keys(&sets, &fingerprints(&sets, selection), measure, &plan);
        let found = join(&sets, &shared, measure).len() as f64;
        let pairs = pairs as f64;
        let slack = 5.0 * (pairs * recall * (1.0 - recall)).sqrt();
        assert!(found >= pairs * recall - slack, "mod:{divisor}, {elements} elements: {found}");
    }
}

/// A method that found every pair would keep any promise: with one key in place of enough, pairs far below the
/// threshold become candidates, and with the prefix of the plan few do.
#[test]
fn pairs_far_below_the_threshold_are_seldom_candidates() {
    let empty = EmptyPolicy::Keep;
    let selection = "mod:4".parse().unwrap();
    let threshold = "0.9".parse().unwrap();
    let measure = Measure::Containment(Containment { threshold, contained: Side::Either, empty });
    let plan = FingerprintPlan::new(selection, threshold, 0.95);
    let sets = quotations(500, 400, 20);
    let shared = keys(&sets, &fingerprints(&sets, selection), measure, &plan);
    let share_key = |pair: u32| {
        let [container, contained] = [2 * pair, 2 * pair + 1].map(|document| shared.get(DocId(document)));
        contained.iter().any(|key| key.position == 0 && container.iter().any(|other| other.number == key.number))
    };
    let candidates = (0..500).filter(|&pair| share_key(pair)).count();
    let with_common = (0..500u32).filter(|&pair| {
        let [a, b] = [2 * pair, 2 * pair + 1].map(|document| sets.get(DocId(document)));
        let selected = |set: &[u64]| set.iter().copied().filter(|&e| selection.takes(e)).collect::<Vec<_>>();
        common(&selected(b.elements()), &selected(a.elements())) > 0
    });
    let with_common = with_common.count();
    // All of them have 20 common elements, 5 fingerprints in the mean; shared ones are the last in the common order.
    assert!(with_common > 480 && candidates < 50, "{candidates} of {with_common}");
}
