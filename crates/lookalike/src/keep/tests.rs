//! The parallel rule against its definition, for any size of group, number of threads and method.

use super::*;
use crate::corpus::Corpus;
use crate::keys::{Meeting, make_keys};
use crate::options::{ClusterRule, KeepPolicy, MemoryOptions, Method, Options};
use crate::pipeline;
use crate::progress::Silent;
use lookalike_core::hash::SplitMix64;
use lookalike_core::similarity::Overlap;
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

fn corpus(options: &Options, texts: &[(String, String)]) -> Corpus {
    Corpus::from_texts(options, texts.iter().map(|(key, text)| (key.as_str(), text.as_str()))).unwrap()
}

/// (document, kept) by the definition of the rule, over all pairs.
fn by_definition(corpus: &Corpus, order: &[DocId], options: &Options) -> Vec<Option<DocId>> {
    let near = |a: DocId, b: DocId| {
        let overlap = Overlap::of(corpus.sets.get(a), corpus.sets.get(b));
        overlap.union() > 0 && options.threshold.reached_by(overlap.common, overlap.union())
    };
    let mut kept: Vec<DocId> = Vec::new();
    let mut decisions = vec![None; corpus.len()];
    for &document in order {
        match kept.iter().find(|&&keeper| near(document, keeper)) {
            Some(&keeper) => decisions[document.index()] = Some(keeper),
            None => kept.push(document),
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn groups_and_threads_do_not_change_the_result(seed in 0u64..1_000_000, percent in 40u32..=100, group in 1u32..40, threads in 1usize..4,
        budget in 1u64 << 12..1 << 16,
    ) {
        let options = Options {
            threshold: f64::from(percent).mul_add(0.01, 0.0).to_string()[..].parse().unwrap_or_default(),
            method: Method::Exact,
            threads: threads.try_into().ok(),
            memory: MemoryOptions { budget_bytes: Some(budget), temporary_folder: None },
            ..Options::default()
        };
        let corpus = corpus(&options, &planted(seed, 60));
        let session = Session::new(&options, &Silent).unwrap();
        let order: Vec<DocId> = crate::priority::priority(&corpus, &KeepPolicy::Last, None).unwrap();
        let groups = EqualSets::group(&corpus.sets, order.iter().copied(), options.empty);
        let keys = make_keys(&corpus.sets, &groups, Meeting::Keepers, None, &session).unwrap();
        let verifier = Verifier::new(&corpus.sets, options.threshold);
        let decisions = keep_in_groups(verifier, &groups, &keys, &session, group).unwrap().unwrap().decisions;
        prop_assert_eq!(kept_for(&decisions), by_definition(&corpus, &order, &options));
        for (document, decision) in corpus.ids().zip(&decisions) {
            if let Decision::Removed { kept, similarity, reason } = *decision {
                prop_assert_eq!(similarity, verifier.overlap(document, kept).jaccard());
                prop_assert_eq!(reason == Reason::Exact, corpus.sets.get(document) == corpus.sets.get(kept));
            }
        }
    }

    #[test]
    fn a_trial_is_given_up_for_any_number_of_threads_and_blocks_or_none(seed in 0u64..1_000_000, most in 0u64..400) {
        // Little memory makes several blocks.
        let given_up = [(1, 1 << 30), (2, 1 << 30), (3, 1 << 12)].map(|(threads, budget): (usize, u64)| {
            let memory = MemoryOptions { budget_bytes: Some(budget), temporary_folder: None };
            let threads = threads.try_into().ok();
            let options = Options { method: Method::Exact, threads, memory, ..Options::default() };
            let corpus = corpus(&options, &planted(seed, 60));
            let session = Session::new(&options, &Silent).unwrap();
            let groups = EqualSets::group(&corpus.sets, corpus.ids(), options.empty);
            let keys = make_keys(&corpus.sets, &groups, Meeting::Keepers, None, &session).unwrap();
            let keys = MadeKeys { most_postings: most, ..keys };
            let verifier = Verifier::new(&corpus.sets, options.threshold);
            keep_in_groups(verifier, &groups, &keys, &session, 7).unwrap().is_none()
        });
        prop_assert_eq!(given_up, [given_up[0]; 3]);
    }

    #[test]
    fn minhash_removes_true_duplicates_only(seed in 0u64..1_000_000) {
        let options = Options { method: Method::MinHash, ..Options::default() };
        let corpus = corpus(&options, &planted(seed, 60));
        let session = Session::new(&options, &Silent).unwrap();
        let dedup = pipeline::dedup(&corpus, &KeepPolicy::Longest, &session).unwrap();
        for (document, decision) in corpus.ids().zip(&dedup.decisions) {
            if let Decision::Removed { kept, similarity, .. } = *decision {
                let overlap = Overlap::of(corpus.sets.get(document), corpus.sets.get(kept));
                prop_assert_eq!(similarity, overlap.jaccard());
                prop_assert!(options.threshold.reached_by(overlap.common, overlap.union()));
                prop_assert_eq!(dedup.decisions[kept.index()], Decision::Kept);
            }
        }
    }

    #[test]
    fn against_removes_what_is_like_a_reference_and_nothing_else(seed in 0u64..1_000_000, references in 0usize..60) {
        let options = Options { threshold: "0.6".parse().unwrap(), ..Options::default() };
        let mut corpus = corpus(&options, &planted(seed, 60));
        corpus.references.documents = references;
        let session = Session::new(&options, &Silent).unwrap();
        let dedup = pipeline::dedup_against(&corpus, &session).unwrap();
        let near = |a: DocId, b: DocId| {
            let overlap = Overlap::of(corpus.sets.get(a), corpus.sets.get(b));
            overlap.union() > 0 && options.threshold.reached_by(overlap.common, overlap.union())
        };
        // The witness of an exact copy is the first equal reference, else the first similar one.
        let witness = |document: DocId| {
            let equal = |reference: &DocId| corpus.sets.get(*reference) == corpus.sets.get(document);
            let alike = || corpus.ids().take(references).filter(|&reference| near(document, reference));
            alike().find(equal).or_else(|| alike().next())
        };
        let expected: Vec<Option<DocId>> =
            corpus.ids().map(|document| if corpus.is_reference(document) { None } else { witness(document) }).collect();
        prop_assert_eq!(kept_for(&dedup.decisions), expected);
    }

    #[test]
    fn connected_keeps_one_of_each_component(seed in 0u64..1_000_000) {
        let options = Options { threshold: "0.6".parse().unwrap(), ..Options::default() };
        let corpus = corpus(&options, &planted(seed, 50));
        let session = Session::new(&options, &Silent).unwrap();
        let dedup = pipeline::dedup_by(ClusterRule::Connected, &corpus, &KeepPolicy::First, &session).unwrap();
        let clusters = pipeline::clusters(&corpus, &session).unwrap().clusters;
        let mut expected = vec![None; corpus.len()];
        for cluster in &clusters {
            cluster.members[1..].iter().for_each(|member| expected[member.index()] = Some(cluster.members[0]));
        }
        prop_assert_eq!(kept_for(&dedup.decisions), expected);
    }
}
