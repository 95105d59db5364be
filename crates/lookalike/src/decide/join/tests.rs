//! Comparing all pairs finds what the blocking keys find.

use super::*;
use crate::candidates::KeySource;
use crate::corpus::Corpus;
use crate::testing::{corpus_of, session_with, single_words, texts};
use lookalike_core::comparison::{ComparedPairs, Measure, Method, SearchPlan};
use lookalike_core::documents::{Multiplicity, TextHash};
use lookalike_core::similarity::{EmptyPolicy, SearchFilters, Weights};
use lookalike_core::terms::Cosine;

/// Candidate pairs by the keys.
type Which = for<'k> fn(&'k SharedKeys) -> Candidates<'k>;

/// Pairs and the number of candidates; `max_bytes` are those of the sketches.
fn joined(corpus: &Corpus, measure: Measure, which: Which, max_bytes: usize) -> (Vec<PackedPair>, u64) {
    let session = session_with(2, 1 << 30);
    let groups = EqualSets::group(&corpus.sets, corpus.documents(), |_| TextHash::UNKNOWN, measure, 1);
    assert!(groups.representatives().len() < corpus.len(), "equal documents are there");
    let filters = SearchFilters { max_sketch_bytes: Some(max_bytes), short: None };
    let space = measure.space_with(&corpus.sets, session.kernel(), filters);
    let verifier = space.verifier();
    let source = KeySource { verifier, groups: &groups, prepared: &corpus.prepared, session: &session };
    let keys = source.make_keys(SearchPlan::new(measure, Method::Exact).unwrap(), ComparedPairs::All).unwrap().keys;
    let candidates = which(&keys);
    let pairs =
        PairsToJoin { verifier, groups: &groups, sides: GroupSides::default(), candidates, wanted: JoinGoal::All };
    let joining = Joining::new(pairs, &session);
    let found = joining.run().unwrap();
    let pairs = found.pairs.chunks().flatten().copied().collect();
    (pairs, found.candidates)
}

#[test]
fn all_pairs_are_those_of_the_blocking_keys() {
    let features = single_words().with_multiplicity(Multiplicity::Counted);
    for (seed, threshold) in [(1, "0.8"), (2, "0.3"), (3, "1")] {
        // Several chunks of sketches, the last of which is not full.
        let mut corpus = corpus_of(&features, &texts(seed, 700));
        let cosine = Cosine { threshold: threshold.parse().unwrap(), weights: Weights::Tf, empty: EmptyPolicy::Keep };
        let measure = Measure::Cosine(cosine);
        corpus.weigh(measure, None, &session_with(2, 1 << 30)).unwrap();
        let (expected, _) = joined(&corpus, measure, |keys| Candidates::OfKeys(keys), usize::MAX);
        assert_eq!(expected.len() > 300, threshold != "1", "{}", expected.len());
        for max_bytes in [usize::MAX, 700_000, 0] {
            let (pairs, candidates) = joined(&corpus, measure, |_| Candidates::All, max_bytes);
            assert_eq!(pairs, expected, "{threshold}, {max_bytes}");
            assert!(candidates > 100_000, "{candidates}");
        }
    }
}
