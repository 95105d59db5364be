//! The searches as wholes: with little memory, on many threads, with every method.

use super::*;
use crate::base::{Contradiction, Error};
use crate::candidates::MethodUsed;
use crate::corpus::{Ids, Listing};
use crate::spill::{Spill, SpillColumn};
use crate::testing::{self, corpus_of, jaccard, session, session_with, single_words, texts};
use crate::write::FoundPairs;
use bytemuck::Pod;
use lookalike_core::comparison::{Features, MinHash};
use lookalike_core::documents::{ElementSets, Multiplicity};
use lookalike_core::hash::SplitMix64;
use lookalike_core::kernel::Kernel;
use lookalike_core::keys::Banding;
use lookalike_core::sets::{Containment, Fingerprint, Side};
use lookalike_core::similarity::{EmptyPolicy, Weights};
use lookalike_core::terms::Cosine;
use lookalike_core::{Array, Ragged};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use std::sync::Arc;

fn in_file<T: Pod + std::fmt::Debug + Send + Sync>(items: &[T], spill: &Spill) -> Array<T> {
    let mut column = SpillColumn::in_file(spill).unwrap();
    column.extend(items, spill).unwrap();
    column.finish(spill).unwrap()
}

/// The corpus with all its arrays in files.
fn spilled(corpus: &Corpus, spill: &Spill) -> Corpus {
    let whole = |array: &Array<u64>| in_file(array.as_slice(), spill);
    let elements = corpus.sets.elements();
    let elements = Ragged::from_parts(elements.offsets().to_vec(), whole(elements.values())).unwrap();
    let (offsets, text) = corpus.listing.ids.parts();
    let sets = ElementSets::from_parts(elements, corpus.sets.hashes().to_vec());
    Corpus {
        sets: match corpus.sets.all_weights() {
            Some(weights) => sets.with_weights(in_file(weights.as_slice(), spill), None).unwrap(),
            None => sets,
        },
        listing: Listing {
            ids: Ids::from_parts(offsets.to_vec(), in_file(text.as_slice(), spill)).unwrap(),
            characters: whole(&corpus.listing.characters),
            ..corpus.listing.clone()
        },
        ..corpus.clone()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn jobs_give_the_same_answers_with_little_memory(
        seed in any::<u64>(), exact in any::<bool>(), percent in 30u32..=100, threads in 1usize..4,
    ) {
        let measure = testing::percent(percent);
        let minhash = MinHash { recall: 0.6, ..MinHash::default() };
        let method = if exact { Method::Exact } else { Method::MinHash(minhash) };
        let corpus = corpus_of(&Features::default(), &texts(seed, 700));
        let roomy = session_with(threads, 1 << 30);
        let tight = session_with(threads, 1 << 14);
        let in_files = spilled(&corpus, &tight.spill);
        for keep in [Order::First, Order::Last, Order::Longest] {
            for search in [dedup, dedup_connected] {
                let expected = search(&corpus, measure, method, &keep, &roomy).unwrap();
                let found = search(&in_files, measure, method, &keep, &tight).unwrap();
                prop_assert_eq!(&found.decisions, &expected.decisions);
                prop_assert_eq!(found.candidates, expected.candidates);
                prop_assert_eq!(found.method, expected.method);
            }
        }
        let (expected, found) =
            (pairs(&corpus, measure, method, &roomy).unwrap(), pairs(&in_files, measure, method, &tight).unwrap());
        prop_assert!(found.joined.pairs().eq(expected.joined.pairs()));
        prop_assert_eq!((found.joined.candidates, found.recall), (expected.joined.candidates, expected.recall));
    }
}

fn containment(percent: u32) -> Measure {
    let threshold = (f64::from(percent) / 100.0).try_into().unwrap();
    Measure::Containment(Containment { threshold, contained: Side::Either, empty: EmptyPolicy::Keep })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Counts of elements and keys in files give the keys of those in memory, and no pair that exact does not find.
    #[test]
    fn fingerprints_are_the_same_with_little_memory(
        seed in any::<u64>(), percent in 30u32..=100, threads in 1usize..4, divisor in 1u64..8,
        of_windows in any::<bool>(),
    ) {
        let measure = containment(percent);
        let select = if of_windows { format!("winnow:{divisor}") } else { format!("mod:{divisor}") };
        let select = select.parse().unwrap();
        let method = Method::Fingerprint(Fingerprint { select, recall: 0.8, ..Fingerprint::default() });
        let texts = texts(seed, 700);
        let mut corpus = corpus_of(&Features::default(), &texts);
        if of_windows {
            let mut shingler = Features::default().shingler(Kernel::detect());
            let mut of_text = |(_, text): &(String, String)| select.of_text(text, &mut shingler).unwrap();
            let mut winnowed = Ragged::default();
            texts.iter().for_each(|text| winnowed.push(&of_text(text)));
            corpus.prepared.prepare_containment(|prepared| prepared.winnowed = Some(Arc::new(winnowed)));
        }
        let roomy = session_with(threads, 1 << 30);
        let tight = session_with(threads, 1 << 14);
        let in_files = spilled(&corpus, &tight.spill);
        let expected = dedup(&corpus, measure, method, &Order::First, &roomy).unwrap();
        let found = dedup(&in_files, measure, method, &Order::First, &tight).unwrap();
        prop_assert_eq!(&found.decisions, &expected.decisions);
        prop_assert_eq!((found.candidates, found.method), (expected.candidates, expected.method));
        let (expected, found) =
            (pairs(&corpus, measure, method, &roomy).unwrap(), pairs(&in_files, measure, method, &tight).unwrap());
        prop_assert!(found.joined.pairs().eq(expected.joined.pairs()));
        prop_assert_eq!((found.joined.candidates, found.recall), (expected.joined.candidates, expected.recall));
        let all: Vec<_> = pairs(&corpus, measure, Method::Exact, &roomy).unwrap().joined.pairs().collect();
        prop_assert!(found.joined.pairs().all(|pair| all.contains(&pair)));
        prop_assert!(divisor > 1 || of_windows || found.joined.len() == all.len());
    }
}

#[test]
fn windows_need_texts_that_were_winnowed() {
    let corpus = corpus_of(&Features::default(), &texts(1, 20));
    let method = Method::Fingerprint(Fingerprint { select: "winnow:4".parse().unwrap(), ..Fingerprint::default() });
    assert!(matches!(
        pairs(&corpus, containment(80), method, &session()),
        Err(Error::Contradiction(Contradiction::NotWinnowed))
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn cosines_are_the_same_with_little_memory(
        seed in any::<u64>(), percent in 30u32..=100, threads in 1usize..4, of_idf in any::<bool>(),
    ) {
        let weights = if of_idf { Weights::TfIdf } else { Weights::Tf };
        let threshold = (f64::from(percent) / 100.0).try_into().unwrap();
        let measure = Measure::Cosine(Cosine { threshold, weights, empty: EmptyPolicy::Keep });
        let features = single_words().with_multiplicity(Multiplicity::Counted);
        let roomy = session_with(threads, 1 << 30);
        let tight = session_with(threads, 1 << 14);
        let mut corpus = corpus_of(&features, &texts(seed, 700));
        let mut in_files = spilled(&corpus, &tight.spill);
        corpus.weigh(measure, None, &roomy).unwrap();
        in_files.weigh(measure, None, &tight).unwrap();
        let expected = pairs(&corpus, measure, Method::Exact, &roomy).unwrap();
        let found = pairs(&in_files, measure, Method::Exact, &tight).unwrap();
        prop_assert!(found.joined.pairs().eq(expected.joined.pairs()));
        prop_assert_eq!(found.joined.candidates, expected.joined.candidates);
        let expected = dedup(&corpus, measure, Method::Exact, &Order::Last, &roomy).unwrap();
        let found = dedup(&in_files, measure, Method::Exact, &Order::Last, &tight).unwrap();
        prop_assert_eq!(found.decisions, expected.decisions);
    }
}

/// Texts of 60 of 240 words: any two share some, and no element is rare.
fn crowded(count: usize) -> Vec<(String, String)> {
    let mut random = SplitMix64::new(3);
    let mut text = || (0..60).map(|_| format!("w{}", random.next_below(240))).collect::<Vec<_>>().join(" ");
    (0..count).map(|number| (format!("d{number}"), text())).collect()
}

#[test]
fn auto_turns_to_minhash_where_exact_keys_meet_far_more_often() {
    let corpus = corpus_of(&single_words(), &crowded(6000));
    let measure = jaccard("0.6");
    let method = Method::default();
    let session = session();
    let pairs = pairs(&corpus, measure, method, &session).unwrap();
    assert!(matches!(pairs.method, MethodUsed::MinHash { exact_postings: Some(_), .. }), "{}", pairs.method);
    let dedup = dedup(&corpus, measure, method, &Order::First, &session).unwrap();
    assert!(matches!(dedup.method, MethodUsed::MinHash { exact_postings: Some(_), .. }), "{}", dedup.method);
}

#[test]
fn auto_stays_exact_where_all_meet_but_few_are_kept() {
    let common: Vec<String> = (0..200).map(|word| format!("w{word}")).collect();
    let copy = |number: usize| {
        let mut words = common.clone();
        words[number % 200] = format!("x{number}");
        (format!("d{number}"), words.join(" "))
    };
    let texts: Vec<(String, String)> = (0..4000).map(copy).collect();
    let corpus = corpus_of(&Features::default(), &texts);
    let measure = Measure::default();
    let method = Method::default();
    let session = session();
    let dedup = dedup(&corpus, measure, method, &Order::First, &session).unwrap();
    let MethodUsed::Exact { postings } = dedup.method else { panic!("{}", dedup.method) };
    assert!(postings > 100_000_000, "{postings}");
}

#[test]
fn auto_stays_exact_where_minhash_would_save_a_moment() {
    let corpus = corpus_of(&single_words(), &crowded(600));
    let pairs = pairs(&corpus, jaccard("0.6"), Method::default(), &session()).unwrap();
    assert!(matches!(pairs.method, MethodUsed::Exact { .. }), "{}", pairs.method);
}

#[test]
fn measured_recall_follows_the_s_curve() {
    let mut random = SplitMix64::new(5);
    // Pairs of texts of 100 words with 10 changed: single words share 90 of 110.
    let texts: Vec<(String, String)> = (0..600)
        .flat_map(|pair| {
            let words: Vec<String> = (0..100).map(|_| format!("w{}", random.next_u64())).collect();
            let mut edited = words.clone();
            edited[..10].iter_mut().for_each(|word| word.push('x'));
            [(format!("a{pair}"), words.join(" ")), (format!("b{pair}"), edited.join(" "))]
        })
        .collect();
    let banding = Banding::new(9, 13).unwrap();
    let method = Method::MinHash(MinHash { banding: Some(banding), ..MinHash::default() });
    let corpus = corpus_of(&single_words(), &texts);
    let found = pairs(&corpus, Measure::default(), method, &session()).unwrap();
    let recall = found.recall.unwrap();
    let expected = banding.probability(90.0 / 110.0);
    // Each of the 600 pairs is counted from both sides.
    // Each sampled document has one partner.
    assert_eq!(recall.true_pairs, recall.sampled_documents);
    assert!(recall.interval.0 < expected && expected < recall.interval.1, "{recall:?} for {expected}");
    let rate = found.joined.len() as f64 / 600.0;
    let deviation = (expected * (1.0 - expected) / 600.0).sqrt();
    assert!((rate - expected).abs() < 5.0 * deviation, "{rate} for {expected}");
}

#[test]
fn candidates_that_are_refused_leave_the_sample_large() {
    let mut random = SplitMix64::new(7);
    // Each text shares a quarter of its 400 words with seven others, another quarter with seven others, and so on.
    let mut texts = vec![String::new(); 640];
    for quarter in 0..4 {
        let mut order: Vec<(u64, usize)> = (0..texts.len()).map(|text| (random.next_u64(), text)).collect();
        order.sort_unstable();
        for (group, members) in order.chunks(8).enumerate() {
            let words: String = (0..100).map(|word| format!("w{quarter}x{group}x{word} ")).collect();
            members.iter().for_each(|&(_, text)| texts[text].push_str(&words));
        }
    }
    let texts: Vec<_> = (0..).zip(texts).map(|(number, text): (u32, String)| (number.to_string(), text)).collect();
    let corpus = corpus_of(&single_words(), &texts);
    let method = Method::MinHash(MinHash::default());
    let recall = pairs(&corpus, Measure::default(), method, &session()).unwrap().recall.unwrap();
    assert_eq!((recall.sampled_documents, recall.true_pairs), (500, 0));
}

/// Texts that differ in one word, which are all near-duplicates of each other.
fn alike(count: usize) -> Vec<(String, String)> {
    let words: Vec<String> = (0..40).map(|word| format!("w{word}")).collect();
    (0..count).map(|number| (format!("d{number}"), format!("u{number} {}", words.join(" ")))).collect()
}

#[test]
fn documents_that_are_all_alike_are_connected_by_one_verified_pair_each() {
    for method in [Method::Exact, Method::MinHash(MinHash::default())] {
        for count in [200, 800] {
            let corpus = corpus_of(&single_words(), &alike(count));
            let found = clusters(&corpus, testing::percent(70), method, &session_with(1, 1 << 30)).unwrap();
            assert_eq!(found.clusters.iter().map(|cluster| cluster.members.len()).collect::<Vec<_>>(), [count]);
            // Of count * (count - 1) / 2 pairs. Keys of MinHash are shared by most documents, and not by all.
            assert!(found.candidates < 3 * count as u64, "{method:?}: {}", found.candidates);
            let found = clusters(&corpus, testing::percent(70), method, &session_with(4, 1 << 14)).unwrap();
            assert_eq!(found.clusters.iter().map(|cluster| cluster.members.len()).collect::<Vec<_>>(), [count]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn clusters_are_the_components_of_all_pairs(
        seed in any::<u64>(), families in 1u64..5, percent in 40u32..=90, threads in 1usize..5,
        is_tight in any::<bool>(),
    ) {
        let mut random = SplitMix64::new(seed);
        // Members of a family have some of its words: some are alike, some connected by others only.
        let mut text = |number: usize| {
            let family = random.next_below(families);
            let words = (0..30).filter(|_| random.next_below(8) > 0).map(|word| format!("f{family}w{word}"));
            (format!("d{number}"), words.collect::<Vec<_>>().join(" "))
        };
        let mut documents: Vec<_> = (0..300).map(&mut text).collect();
        documents.extend(alike(60));
        let corpus = corpus_of(&single_words(), &documents);
        let session = session_with(threads, if is_tight { 1 << 14 } else { 1 << 30 });
        let measure = testing::percent(percent);
        let all = pairs(&corpus, measure, Method::Exact, &session).unwrap();
        let near = all.joined.pairs().map(|pair| (pair.a, pair.b));
        let equal = corpus.documents().map(|document| (all.groups.representative(document), document));
        let expected = lookalike_core::rule::clusters(corpus.len(), near.chain(equal));
        let found = clusters(&corpus, measure, Method::Exact, &session).unwrap();
        prop_assert_eq!(found.clusters, expected);
        let mut listed = 0;
        let add = |_| {
            listed += 1;
            Ok(())
        };
        FoundPairs::new(&all, &corpus, measure, &session).unwrap().for_each(&session, add).unwrap();
        prop_assert_eq!(all.count(0), listed);
    }
}
