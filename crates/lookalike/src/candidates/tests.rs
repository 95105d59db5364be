//! The cost model sees the same keys in every run.

use super::KeySource;
use crate::testing::{corpus_of, session_with, texts};
use lookalike_core::comparison::{ComparedPairs, EqualSets, Features, Measure, Method, MinHash, SearchPlan, Work};
use lookalike_core::documents::TextHash;
use lookalike_core::keys::Banding;
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// `auto` chooses by these estimates: they must not depend on threads, memory and the random numbers of the run.
    #[test]
    fn the_estimated_work_is_the_same_in_every_run(seed in any::<u64>()) {
        let corpus = corpus_of(&Features::default(), &texts(seed, 150));
        let minhash = Method::MinHash(MinHash { banding: Banding::new(24, 4).ok(), ..MinHash::default() });
        for plan in [Method::Exact, minhash].map(|method| SearchPlan::new(Measure::default(), method).unwrap()) {
            let runs = [(1, 1 << 30), (3, 1 << 30), (2, 1 << 13), (2, 1 << 13)];
            let estimates = runs.map(|(threads, budget): (usize, u64)| {
                let session = session_with(threads, budget);
                let order = corpus.documents();
                let text = |_| TextHash::UNKNOWN;
                let groups = EqualSets::group(&corpus.sets, order, text, Measure::default(), budget);
                let space = Measure::default().space(&corpus.sets, session.kernel());
                let verifier = space.verifier();
                let source = KeySource { verifier, groups: &groups, prepared: &corpus.prepared, session: &session };
                let keys = source.make_keys(plan, ComparedPairs::All).unwrap().keys;
                Work::estimate(&keys, verifier, ComparedPairs::All, 7, || session.stages.check()).unwrap()
            });
            prop_assert!(estimates[0].postings > 0.0);
            prop_assert_eq!(estimates, [estimates[0]; 4]);
        }
    }
}
