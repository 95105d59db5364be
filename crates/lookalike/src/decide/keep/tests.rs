//! The parallel rule against its definition, for any size of chunk, number of threads and method.

use super::*;
use crate::base::Silent;
use crate::candidates::KeySource;
use crate::corpus::Corpus;
use crate::decide::order_of;
use crate::pipeline;
use crate::testing::{self, corpus_of, jaccard, session, session_with};
use lookalike_core::comparison::{ComparedPairs, Features, Measure, Method, MinHash, SearchPlan};
use lookalike_core::documents::TextHash;
use lookalike_core::hash::SplitMix64;
use lookalike_core::rule::{Order, Reason};
use lookalike_core::similarity::{Limit, Overlap, Threshold};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};

/// Texts with planted copies, edits, truncations and shuffles of a few originals.
fn planted(seed: u64, count: usize) -> Vec<(String, String)> {
    let mut random = SplitMix64::new(seed);
    let mut words = |length: u64| (0..length).map(|_| format!("w{}", random.next_below(500))).collect::<Vec<_>>();
    let originals: Vec<Vec<String>> = [0, 3, 12, 40, 80, 200].map(&mut words).into();
    let mut random = SplitMix64::new(seed ^ 1);
    let text = |number: usize| {
        let mut text = originals[random.next_below(6) as usize].clone();
        let length = text.len() as u64;
        match random.next_below(5) {
            0 => {}
            1 => (0..=random.next_below(4)).for_each(|_| {
                if let Some(word) = text.get_mut(random.next_below(length.max(1)) as usize) {
                    *word = format!("x{number}");
                }
            }),
            2 => text.truncate((length - length * random.next_below(30) / 100) as usize),
            3 => text.rotate_left((length / 2) as usize),
            _ => text.extend((0..random.next_below(20)).map(|i| format!("y{number}z{i}"))),
        }
        (format!("d{number}"), text.join(" "))
    };
    (0..count).map(text).collect()
}

fn corpus(texts: &[(String, String)]) -> Corpus {
    corpus_of(&Features::default(), texts)
}

/// The threshold of a measure of similarity.
fn threshold_of(measure: Measure) -> Threshold {
    match measure.limit() {
        Limit::Similarity(threshold) => threshold,
        other => panic!("{other}"),
    }
}

/// Returns whether two documents reach the threshold, and how similar they are.
fn similarity(corpus: &Corpus, measure: Measure, [a, b]: [DocId; 2]) -> Option<f64> {
    let overlap = Overlap::new(corpus.sets.get(a), corpus.sets.get(b));
    let is_near = overlap.union() > 0 && threshold_of(measure).is_reached_by(overlap.common, overlap.union());
    is_near.then(|| overlap.jaccard())
}

/// The most similar of some documents, the first of several.
fn closest(corpus: &Corpus, measure: Measure, document: DocId, others: &[DocId]) -> Option<DocId> {
    let with_similarity = |&other: &DocId| similarity(corpus, measure, [document, other]).map(|found| (found, other));
    let found = others.iter().filter_map(with_similarity);
    found.reduce(|best, other| if other.0 > best.0 { other } else { best }).map(|(_, other)| other)
}

/// (document, kept) by the definition of the rule, over all pairs.
fn by_definition(corpus: &Corpus, order: &[DocId], measure: Measure) -> Vec<Option<DocId>> {
    let mut kept: Vec<DocId> = Vec::new();
    let mut decisions = vec![None; corpus.len()];
    for (rank, &document) in order.iter().enumerate() {
        let set = corpus.sets.get(document);
        let equal = order[..rank].iter().find(|&&earlier| !set.is_empty() && corpus.sets.get(earlier) == set);
        decisions[document.index()] = match equal {
            Some(&first) => Some(decisions[first.index()].unwrap_or(first)),
            None => closest(corpus, measure, document, &kept),
        };
        if decisions[document.index()].is_none() {
            kept.push(document);
        }
    }
    decisions
}

fn kept_for(decisions: &[Decision]) -> Vec<Option<DocId>> {
    let kept = |decision: &Decision| match *decision {
        Decision::Kept => None,
        Decision::Removed { kept, .. } => Some(kept),
    };
    decisions.iter().map(kept).collect()
}

fn groups_of(corpus: &Corpus, order: impl IntoIterator<Item = DocId>) -> EqualSets {
    EqualSets::group(&corpus.sets, order, |_| TextHash::UNKNOWN, Measure::default(), 1)
}

fn exact_keys(corpus: &Corpus, groups: &EqualSets, measure: Measure, session: &Session<'_>) -> MethodKeys {
    let space = measure.space(&corpus.sets, session.kernel());
    let source = KeySource { verifier: space.verifier(), groups, prepared: &corpus.prepared, session };
    source.make_keys(SearchPlan::new(measure, Method::Exact).unwrap(), ComparedPairs::Keepers).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn chunks_and_threads_do_not_change_the_result(
        seed in 0u64..1_000_000, percent in 40u32..=100, chunk in 1u32..40, threads in 1usize..4,
        budget in 1u64 << 12..1 << 16,
    ) {
        let measure = testing::percent(percent);
        let session = session_with(threads, budget);
        let corpus = corpus(&planted(seed, 60));
        let order: Vec<DocId> = order_of(&corpus.listing, &Order::Last, &Silent).unwrap();
        let groups = groups_of(&corpus, order.iter().copied());
        let keys = exact_keys(&corpus, &groups, measure, &session);
        let space = measure.space(&corpus.sets, session.kernel());
        let verifier = space.verifier();
        let trial = KeepTrial::new(Compare::WithKeepers, verifier, &groups, &keys, &session).with_chunks_of(chunk);
        let decisions = trial.run().unwrap().unwrap().decisions;
        prop_assert_eq!(kept_for(&decisions), by_definition(&corpus, &order, measure));
        for (document, decision) in corpus.documents().zip(&decisions) {
            if let Decision::Removed { kept, similarity, reason } = *decision {
                prop_assert_eq!(similarity, verifier.similarity_of(document, kept));
                prop_assert_eq!(reason == Reason::Equal, corpus.sets.get(document) == corpus.sets.get(kept));
            }
        }
    }

    #[test]
    fn a_trial_is_given_up_for_any_number_of_threads_and_blocks_or_none(
        seed in 0u64..1_000_000, most in 0u64..40_000, references in proptest::option::of(1usize..60),
    ) {
        let compare = references.map_or(Compare::WithKeepers, |references| Compare::WithReferences { references });
        // Little memory makes several blocks.
        let given_up = [(1, 1 << 30), (2, 1 << 30), (3, 1 << 12)].map(|(threads, budget): (usize, u64)| {
            let measure = Measure::default();
            let session = session_with(threads, budget);
            let corpus = corpus(&planted(seed, 60));
            let groups = groups_of(&corpus, corpus.documents());
            let keys = exact_keys(&corpus, &groups, measure, &session);
            let keys = MethodKeys { max_cost: Some(most), ..keys };
            let space = measure.space(&corpus.sets, session.kernel());
            let verifier = space.verifier();
            let trial = KeepTrial::new(compare, verifier, &groups, &keys, &session).with_chunks_of(7);
            trial.run().unwrap().is_none()
        });
        prop_assert_eq!(given_up, [given_up[0]; 3]);
    }

    #[test]
    fn a_trial_that_goes_on_asks_once_and_decides_like_one_without_a_limit(
        seed in 0u64..1_000_000, most in 0u64..40_000, references in proptest::option::of(1usize..60),
        threads in 1usize..4,
    ) {
        let compare = references.map_or(Compare::WithKeepers, |references| Compare::WithReferences { references });
        let measure = Measure::default();
        let session = session_with(threads, 1 << 12);
        let corpus = corpus(&planted(seed, 60));
        let groups = groups_of(&corpus, corpus.documents());
        let unlimited = exact_keys(&corpus, &groups, measure, &session);
        let limited = MethodKeys { max_cost: Some(most), ..unlimited.clone() };
        let space = measure.space(&corpus.sets, session.kernel());
        let trial = |keys| KeepTrial::new(compare, space.verifier(), &groups, keys, &session);
        let calls = AtomicU32::new(0);
        let goes_on = || {
            calls.fetch_add(1, Ordering::Relaxed);
            true
        };
        let gone_on = trial(&limited).with_chunks_of(7).going_on_if(&goes_on).run().unwrap().unwrap();
        let is_given_up = trial(&limited).run().unwrap().is_none();
        prop_assert_eq!(gone_on.decisions, trial(&unlimited).run().unwrap().unwrap().decisions);
        prop_assert_eq!(calls.into_inner(), u32::from(is_given_up));
    }

    #[test]
    fn minhash_removes_true_duplicates_only(seed in 0u64..1_000_000) {
        let measure = Measure::default();
        let method = Method::MinHash(MinHash::default());
        let corpus = corpus(&planted(seed, 60));
        let dedup = pipeline::dedup(&corpus, measure, method, &Order::Longest, &session()).unwrap();
        for (document, decision) in corpus.documents().zip(&dedup.decisions) {
            if let Decision::Removed { kept, similarity, .. } = *decision {
                let overlap = Overlap::new(corpus.sets.get(document), corpus.sets.get(kept));
                prop_assert_eq!(similarity, overlap.jaccard());
                prop_assert!(threshold_of(measure).is_reached_by(overlap.common, overlap.union()));
                prop_assert_eq!(dedup.decisions[kept.index()], Decision::Kept);
            }
        }
    }

    #[test]
    fn against_removes_what_is_like_a_reference_and_nothing_else(seed in 0u64..1_000_000, references in 0usize..60) {
        let measure = jaccard("0.6");
        let mut corpus = corpus(&planted(seed, 60));
        corpus.listing.references = references;
        let dedup = pipeline::dedup_against(&corpus, measure, Method::default(), &session()).unwrap();
        let all: Vec<DocId> = corpus.documents().take(references).collect();
        let witness = |document: DocId| closest(&corpus, measure, document, &all);
        let expected = |document| if corpus.listing.is_reference(document) { None } else { witness(document) };
        let expected: Vec<Option<DocId>> = corpus.documents().map(expected).collect();
        prop_assert_eq!(kept_for(&dedup.decisions), expected);
    }

    #[test]
    fn beside_references_documents_are_compared_with_each_other_too(
        seed in 0u64..1_000_000, references in 0usize..60, is_last_first in proptest::bool::ANY,
    ) {
        let measure = jaccard("0.6");
        let mut corpus = corpus(&planted(seed, 60));
        corpus.listing.references = references;
        let keep = if is_last_first { Order::Last } else { Order::First };
        let dedup = pipeline::dedup_beside(&corpus, measure, Method::default(), &keep, &session()).unwrap();
        let mut kept: Vec<DocId> = corpus.documents().take(references).collect();
        let mut inputs: Vec<DocId> = corpus.documents().skip(references).collect();
        if is_last_first {
            inputs.reverse();
        }
        for (rank, &document) in inputs.iter().enumerate() {
            match dedup.decisions[document.index()] {
                Decision::Kept => {
                    prop_assert_eq!(closest(&corpus, measure, document, &kept), None);
                    kept.push(document);
                }
                Decision::Removed { similarity: found, kept: witness, .. } => {
                    // The most similar document that stays before it, or before the first one that equals it.
                    let expected = closest(&corpus, measure, document, &kept);
                    let expected = expected.and_then(|other| similarity(&corpus, measure, [document, other]));
                    let set = corpus.sets.get(document);
                    let is_first = inputs[..rank].iter().all(|&earlier| corpus.sets.get(earlier) != set);
                    prop_assert!(!is_first || Some(found) == expected);
                    prop_assert!(kept.contains(&witness));
                }
            }
        }
        prop_assert!(dedup.decisions[..references].iter().all(Decision::is_kept));
    }

    #[test]
    fn connected_keeps_one_of_each_component(seed in 0u64..1_000_000) {
        let measure = jaccard("0.6");
        let method = Method::default();
        let session = session();
        let corpus = corpus(&planted(seed, 50));
        let dedup = pipeline::dedup_connected(&corpus, measure, method, &Order::First, &session).unwrap();
        let clusters = pipeline::clusters(&corpus, measure, method, &session).unwrap().clusters;
        let mut expected = vec![None; corpus.len()];
        for cluster in &clusters {
            cluster.members[1..].iter().for_each(|member| expected[member.index()] = Some(cluster.members[0]));
        }
        prop_assert_eq!(kept_for(&dedup.decisions), expected);
    }
}
