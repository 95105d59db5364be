//! Table keys against brute force, with hot keys and without.

use super::*;
use crate::DocId;
use crate::base::hash::SplitMix64;
use crate::comparison::Features;
use crate::documents::{ElementSets, count_differing};
use crate::kernel::Kernel;
use crate::keys::BlockingKeys;
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use std::collections::BTreeSet;

/// Fingerprints of which only the last `random` bits are random, in families of near copies.
fn fingerprints(seed: u64, count: usize, [width, random]: [u32; 2], distance: u32) -> ElementSets {
    let mut source = SplitMix64::new(seed);
    let mut sets = ElementSets::new();
    let mut extractor = Features::Bits { width }.extractor(Kernel::Scalar);
    let mut bits: Vec<bool> = vec![true; width as usize];
    for _ in 0..count {
        if source.next_below(3) == 0 {
            (0..random as usize).for_each(|at| bits[at] = source.next_below(2) == 0);
        }
        for _ in 0..source.next_below(u64::from(distance) + 2) {
            let at = source.next_below(u64::from(width)) as usize;
            bits[at] = !bits[at];
        }
        let digit = |nibble: &[bool]| {
            let value = nibble.iter().zip(0..).map(|(&bit, at)| u32::from(bit) << at).sum();
            char::from_digit(value, 16).unwrap()
        };
        let text: String = bits.chunks(4).rev().map(digit).collect();
        extractor.push(&text, &mut sets).unwrap();
    }
    sets
}

fn counted(sets: &ElementSets, hamming: Hamming) -> Vec<KeyCounts> {
    let mut counts: Vec<KeyCounts> = Vec::new();
    while TableKeys::needs_counts(&counts) {
        let next = KeyCounts::sized_for(1000);
        let mut maker = TableKeys::new(hamming, sets.len() as u64, &counts);
        let keys: usize = sets.iter().map(|set| maker.count(&set, &next)).sum();
        if keys == 0 {
            break;
        }
        counts.push(next);
    }
    counts
}

/// Near-duplicates that share a key, and the largest number of keys of a document.
fn found(sets: &ElementSets, hamming: Hamming, counts: &[KeyCounts]) -> (BTreeSet<(u32, u32)>, usize) {
    let mut maker = TableKeys::new(hamming, sets.len() as u64, counts);
    let mut keys = BlockingKeys::new();
    sets.iter().for_each(|set| keys.push_with(|out| maker.append(&set, out)));
    let max = keys.iter().map(<[_]>::len).max().unwrap_or(0);
    let shared = keys.share().unwrap();
    let mut by_key = vec![Vec::new(); shared.distinct_keys()];
    for document in DocId::all(sets.len()) {
        shared.get(document).iter().for_each(|key| by_key[key.number as usize].push(document));
    }
    let mut pairs = BTreeSet::new();
    for documents in by_key {
        for (at, &b) in documents.iter().enumerate() {
            let near = documents[..at]
                .iter()
                .filter(|&&a| hamming.differing(sets.get(a), sets.get(b)).differing <= hamming.distance);
            pairs.extend(near.map(|a| (a.0, b.0)));
        }
    }
    (pairs, max)
}

fn brute_force(sets: &ElementSets, distance: u32) -> BTreeSet<(u32, u32)> {
    let all = DocId::all(sets.len()).flat_map(|b| DocId::all(b.index()).map(move |a| (a, b)));
    let near = all.filter(|&(a, b)| count_differing(sets.get(a), sets.get(b)) <= distance);
    near.map(|(a, b)| (a.0, b.0)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn all_near_duplicates_share_a_key(
        seed in 0u64..1_000_000, count in 1usize..120, width in 1u32..300, share in 0.0f64..1.0, random in 0.0f64..1.0,
    ) {
        let distance = ((f64::from(width) * share * share) as u32).min(width - 1);
        let sets = fingerprints(seed, count, [width, (f64::from(width) * random) as u32], distance);
        let hamming = Hamming { distance, width };
        let (pairs, _) = found(&sets, hamming, &[]);
        prop_assert_eq!(pairs, brute_force(&sets, distance));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// More documents than make a key hot, with few bits that are not constant.
    #[test]
    fn nothing_is_missed_where_keys_are_hot(
        seed in 0u64..1_000_000, width in 16u32..200, random in 9u32..40, distance in 0u32..7,
    ) {
        let random = random.min(width);
        let distance = distance.min(width - 1);
        let sets = fingerprints(seed, 900, [width, random], distance);
        let hamming = Hamming { distance, width };
        let counts = counted(&sets, hamming);
        let (pairs, max) = found(&sets, hamming, &counts);
        prop_assert!(max <= MAX_KEYS);
        prop_assert_eq!(pairs, brute_force(&sets, distance));
    }
}

#[test]
fn hot_keys_are_replaced_by_finer_ones() {
    // All documents agree in 32 of 64 bits, and would collide 4000 * 3999 / 2 times in one table.
    let mut random = SplitMix64::new(5);
    let sets: ElementSets = (0..4000).map(|_| vec![0xABCD_EF01 << 32 | random.next_u64() >> 32]).collect();
    let hamming = Hamming { distance: 3, width: 64 };
    let counts = counted(&sets, hamming);
    assert!(counts.len() > 1, "{}", counts.len());
    let postings = |counts| {
        let mut maker = TableKeys::new(hamming, 4000, counts);
        let mut keys = BlockingKeys::new();
        sets.iter().for_each(|set| keys.push_with(|out| maker.append(&set, out)));
        keys.share().unwrap().total_postings()
    };
    let square = postings(&[]);
    assert!(square >= 4000 * 3999 / 2);
    assert!(postings(&counts) < square / 20, "{} of {square}", postings(&counts));
}

#[test]
fn divisions_are_chosen_by_cost() {
    let cut = |bits, distance, documents| {
        let cut = Cut::choose(bits, distance, documents, TableCosts::SORTED);
        cut.map(|cut| (cut.blocks, cut.tables()))
    };
    assert_eq!(cut(64, 3, 10_000_000), Some((5, 10)));
    assert_eq!(cut(64, 3, 1000), Some((4, 4)));
    assert_eq!(cut(64, 0, 1000), Some((1, 1)));
    assert_eq!(cut(300, 299, 1 << 30), Some((300, 300)));
    assert_eq!(cut(3, 3, 1000), None);
    let mut choices = Vec::new();
    for_each_choice(4, 2, |choice| choices.push(choice.to_vec()));
    assert_eq!(choices, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
}
