use super::partition::FIRST_PER_SECOND;
use super::*;
use crate::base::Error;
use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};

#[test]
fn frequent_elements_are_distinguished() {
    let frequent = crate::base::hash::mix64(1);
    let rare = crate::base::hash::mix64(2);
    let mut elements = vec![frequent; 70_000];
    elements.extend([rare; 300]);
    let table = FrequencyTable::from_elements(&elements);
    assert_eq!((table.count(frequent), table.count(rare)), (70_000, 300));
}

#[test]
fn counters_of_no_table_are_refused() {
    for (first, second) in [(0, 0), (2048, 32), (4095, 63), (4096, 63), (4096, 65), (6144, 96), (8192, 64)] {
        let refused = FrequencyTable::from_counters(vec![0; first], vec![0; second]);
        let expected = Error::TableSize { expected: first / FIRST_PER_SECOND, found: second };
        assert_eq!(refused.map(|_| ()), Err(expected), "{first} {second}");
    }
    for counters in [4096, 8192] {
        let table = FrequencyTable::from_counters(vec![1; counters], vec![0; counters / 64]).unwrap();
        assert_eq!((table.count(0), table.count(u64::MAX)), (1, 1));
    }
}

proptest! {
    #[test]
    fn counts_are_never_too_low_and_do_not_depend_on_partitions(
        elements in proptest::collection::vec((0u64..400).prop_map(crate::base::hash::mix64), 0..600),
        repetitions in 1usize..400,
        parts in 1usize..5,
    ) {
        let mut all = elements.clone();
        all.extend(std::iter::repeat_n(elements.first().copied().unwrap_or_default(), repetitions));
        let whole = FrequencyTable::from_elements(&all);
        let mut parted = FrequencyTable::sized_for(all.len());
        parted.partitions(parts).for_each(|mut partition| all.iter().for_each(|&e| partition.count_set(&[e])));
        prop_assert_eq!(&whole.first[..], &parted.first[..]);
        prop_assert_eq!(&whole.second, &parted.second);
        // Part by part, with saved first counts.
        let mut set = elements.clone();
        set.sort_unstable();
        set.dedup();
        let divided = TableParts::new(all.len(), parts);
        let mut aside = Vec::new();
        let mut seconds = Vec::new();
        for number in 0..divided.count() {
            let of_part = |elements: &[u64]| -> Vec<u32> {
                let elements = elements.iter().filter(|&&element| divided.part_of(element) == number);
                elements.map(|&element| divided.slot_of(element)).collect()
            };
            let mut part = divided.part();
            of_part(&all).chunks(100).for_each(|slots| part.count(slots));
            part.append_first_counts(&of_part(&set), &mut aside);
            seconds.extend(part.into_second_counters());
        }
        let joined = divided.whole(seconds);
        let counts: Vec<u32> = set.iter().zip(&aside).map(|(&e, &first)| joined.complete(e, first)).collect();
        prop_assert_eq!(counts, set.iter().map(|&e| whole.count(e)).collect::<Vec<_>>());
        // Sum of the tables of two halves.
        let (left, right) = all.split_at(all.len() / 3);
        let mut merged = FrequencyTable::sized_for(all.len());
        for half in [left, right] {
            let mut table = FrequencyTable::sized_for(all.len());
            table.partitions(1).for_each(|mut partition| half.iter().for_each(|&e| partition.count(e)));
            let (first, second) = table.counters();
            merged.merge(&FrequencyTable::from_counters(first.to_vec(), second.to_vec()).unwrap()).unwrap();
        }
        prop_assert_eq!(merged.counters(), whole.counters());
        prop_assert!(merged.merge(&FrequencyTable::sized_for(1 << 20)).is_err());
        for &element in &all {
            let truth = all.iter().filter(|&&other| other == element).count();
            prop_assert!(whole.count(element) as usize >= truth);
        }
    }
}
