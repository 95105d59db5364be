//! Element frequencies that are counted in parts are those of one table.

use super::chunks::DocumentChunks;
use super::frequencies::CountedElements;
use crate::testing::{corpus_of, session_with};
use lookalike_core::DocId;
use lookalike_core::features::Features;
use lookalike_core::hash::SplitMix64;
use lookalike_core::measure::{EmptyPolicy, EqualSets};
use lookalike_core::method::FrequencyTable;
use proptest::prelude::{ProptestConfig, any, prop_assert, proptest};

/// Texts of which many share passages, and some are equal or empty.
fn texts(seed: u64, count: usize) -> Vec<(String, String)> {
    let mut random = SplitMix64::new(seed);
    let pages: Vec<Vec<String>> = (0..count / 8 + 1)
        .map(|page| (0..random.next_below(60)).map(|word| format!("p{page}w{word}")).collect())
        .collect();
    let text = |number: usize| {
        let mut words = pages[random.next_below(pages.len() as u64) as usize].clone();
        for _ in 0..random.next_below(4) {
            let length = words.len() as u64;
            if let Some(word) = words.get_mut(random.next_below(length.max(1)) as usize) {
                *word = format!("x{number}");
            }
        }
        (format!("d{number}"), words.join(" "))
    };
    (0..count).map(text).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn counting_in_parts_counts_the_same(seed in any::<u64>()) {
        let session = session_with(2, 1 << 14);
        let corpus = corpus_of(&Features::default(), &texts(seed, 150));
        let groups = EqualSets::group(&corpus.sets, corpus.documents(), EmptyPolicy::Keep);
        let mut whole = FrequencyTable::sized_for(corpus.sets.total_elements());
        for mut partition in whole.partitions(1) {
            groups.representatives().iter().for_each(|&document| partition.count_set(&corpus.sets.get(document)));
        }
        let chunks = DocumentChunks::of(&corpus.sets, 16);
        let counted = CountedElements::count(&corpus.sets, &groups, &chunks, &session).unwrap();
        let mut counts = Vec::new();
        for (number, chunk) in chunks.enumerate() {
            let mut next = counted.chunk(number);
            for document in chunk.map(|index| DocId(index as u32)) {
                if !groups.is_representative(document) {
                    continue;
                }
                let set = corpus.sets.get(document);
                next.next(&set, &mut counts);
                let found = set.iter().zip(&counts).map(|(&element, &first)| counted.table.complete(element, first));
                prop_assert!(found.eq(set.iter().map(|&element| whole.count(element))));
            }
        }
    }
}
