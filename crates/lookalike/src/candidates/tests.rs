//! The cost model sees the same keys in every run.

use super::KeySource;
use crate::testing::{corpus_of, session_with, texts};
use lookalike_core::comparison::{EqualSets, Features, Measure, Meeting, Search, Work};
use lookalike_core::documents::TextHash;
use lookalike_core::keys::Banding;
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
}
