//! Element frequencies that are counted in parts are those of one table, and the cost model sees the same keys in every
//! run.

use super::KeySource;
use super::chunks::DocumentChunks;
use super::frequencies::save_counts;
use crate::testing::{corpus_of, session_with, texts};
use lookalike_core::DocId;
use lookalike_core::features::{Features, TextHash};
use lookalike_core::measure::{EqualSets, Measure};
use lookalike_core::method::{Banding, FrequencyTable, Meeting, Search, Work};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// `auto` chooses by these estimates: they must not depend on threads, memory and the random numbers of the run.
    #[test]
    fn the_estimated_work_is_the_same_in_every_run(seed in any::<u64>()) {
        let corpus = corpus_of(&Features::default(), &texts(seed, 150));
        let minhash = Search::MinHash { banding: Banding::new(24, 4).unwrap(), seed: 1 };
        for search in [Search::Exact, minhash] {
            let runs = [(1, 1 << 30), (3, 1 << 30), (2, 1 << 13), (2, 1 << 13)];
            let estimates = runs.map(|(threads, budget): (usize, u64)| {
                let session = session_with(threads, budget);
                let (order, text) = (corpus.documents(), |_| TextHash::UNKNOWN);
                let groups = EqualSets::group(&corpus.sets, order, text, Measure::default(), budget);
                let verifier = session.verifier(&corpus.sets, Measure::default());
                let (winnowed, signatures) = (None, None);
                let source = KeySource { verifier, groups: &groups, winnowed, signatures, session: &session };
                let keys = source.make_keys(search, Meeting::All).unwrap().keys;
                Work::estimate(&keys, verifier, Meeting::All, 7, || session.stages.check()).unwrap()
            });
            prop_assert!(estimates[0].postings > 0.0);
            prop_assert_eq!(estimates, [estimates[0]; 4]);
        }
    }

    #[test]
    fn counting_in_parts_counts_the_same(seed in any::<u64>()) {
        let session = session_with(2, 1 << 14);
        let corpus = corpus_of(&Features::default(), &texts(seed, 150));
        let groups = EqualSets::group(&corpus.sets, corpus.documents(), |_| TextHash::UNKNOWN, Measure::default(), 1);
        let mut whole = FrequencyTable::sized_for(corpus.sets.total_elements());
        for mut partition in whole.partitions(1) {
            groups.representatives().iter().for_each(|&document| partition.count_set(&corpus.sets.get(document)));
        }
        let chunks = DocumentChunks::of(&corpus.sets, 16);
        let counted = save_counts(&corpus.sets, &groups, &chunks, &session).unwrap();
        let mut counts = Vec::new();
        for (number, chunk) in chunks.enumerate() {
            let mut next = counted.chunk(number, &session.spill).unwrap();
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
