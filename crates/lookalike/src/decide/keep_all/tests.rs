//! Comparing all pairs decides as an index of keepers does.

use super::*;
use crate::candidates::KeySource;
use crate::corpus::Corpus;
use crate::decide::keep::KeepTrial;
use crate::testing::{corpus_of, session_with, single_words, texts};
use lookalike_core::comparison::{Measure, Method, SearchPlan};
use lookalike_core::documents::{Multiplicity, TextHash};
use lookalike_core::similarity::{EmptyPolicy, SearchFilters, Weights};
use lookalike_core::terms::Cosine;

/// The decisions of all pairs and of an index; `max_bytes` are those of the sketches.
fn decided(
    corpus: &Corpus,
    measure: Measure,
    compare: Compare,
    order: Vec<DocId>,
    max_bytes: usize,
) -> [KeepDecisions; 2] {
    let session = session_with(2, 1 << 30);
    let groups = EqualSets::group(&corpus.sets, order, |_| TextHash::UNKNOWN, measure, 1);
    assert!(groups.representatives().len() < corpus.len(), "equal documents are there");
    let filters = SearchFilters { max_sketch_bytes: Some(max_bytes), short: None };
    let space = measure.space_with(&corpus.sets, session.kernel(), filters);
    let verifier = space.verifier();
    let source = KeySource { verifier, groups: &groups, prepared: &corpus.prepared, session: &session };
    let keys = source.make_keys(SearchPlan::new(measure, Method::Exact).unwrap(), compare.meeting()).unwrap();
    let by_index = KeepTrial::new(compare, verifier, &groups, &keys, &session).run_to_the_end().unwrap();
    let all = KeepingAll::new(compare, verifier, &groups, &session);
    assert_eq!(all.work(), compare.inputs(&groups).len());
    [all.run().unwrap(), by_index]
}

#[test]
fn all_pairs_decide_as_an_index_of_keepers() {
    let features = single_words().with_multiplicity(Multiplicity::Counted);
    for (seed, threshold, weights) in [(1, "0.8", Weights::Tf), (2, "0.3", Weights::Tf), (3, "0.6", Weights::TfIdf)] {
        let mut corpus = corpus_of(&features, &texts(seed, 700));
        let cosine = Cosine { threshold: threshold.parse().unwrap(), weights, empty: EmptyPolicy::Keep };
        let measure = Measure::Cosine(cosine);
        corpus.weigh(measure, None, &session_with(2, 1 << 30)).unwrap();
        let first: Vec<DocId> = corpus.documents().collect();
        let last = first.iter().rev().copied().collect();
        let mixed = first.iter().map(|document| DocId((document.0 * 311 + 5) % 700)).collect();
        let mut candidates = Vec::new();
        for (order, name) in [(first.clone(), "first"), (last, "last"), (mixed, "mixed")] {
            for max_bytes in [usize::MAX, 700_000, 0] {
                let [all, index] = decided(&corpus, measure, Compare::WithKeepers, order.clone(), max_bytes);
                assert_eq!(all.decisions, index.decisions, "{threshold}, {name}, {max_bytes}");
                assert!(all.decisions.iter().any(|decision| !decision.is_kept()));
                candidates.push((name, all.candidates));
            }
        }
        candidates.dedup();
        assert_eq!(candidates.len(), 3, "the same with any memory: {candidates:?}");
        for references in [1, 90, 350] {
            let compare = Compare::WithReferences { references };
            let [all, index] = decided(&corpus, measure, compare, first.clone(), usize::MAX);
            assert_eq!(all.decisions, index.decisions, "{threshold}, {references} references");
        }
    }
}
