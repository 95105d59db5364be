//! Element frequencies that are counted in parts are those of one table.

use super::chunks::DocumentChunks;
use super::frequencies::CountedElements;
use crate::testing::{corpus_of, session_with, texts};
use lookalike_core::DocId;
use lookalike_core::features::Features;
use lookalike_core::measure::{EmptyPolicy, EqualSets};
use lookalike_core::method::FrequencyTable;
use proptest::prelude::{ProptestConfig, any, prop_assert, proptest};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn counting_in_parts_counts_the_same(seed in any::<u64>()) {
        let session = session_with(2, 1 << 14);
        let corpus = corpus_of(&Features::default(), &texts(seed, 150));
        let groups = EqualSets::group(&corpus.sets, corpus.documents(), EmptyPolicy::Keep, 1);
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
