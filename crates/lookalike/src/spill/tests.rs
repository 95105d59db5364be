//! What was spilled gives what memory gives: arrays, sorts, links, counts, and whole jobs.

use super::*;
use crate::chunks::DocumentChunks;
use crate::corpus::{Corpus, Keys};
use crate::counted::CountedElements;
use crate::options::{ClusterRule, KeepPolicy, Method, Options};
use crate::pipeline;
use crate::progress::Silent;
use crate::session::Session;
use bytemuck::Pod;
use lookalike_core::DocId;
use lookalike_core::array::Array;
use lookalike_core::candidates::FrequencyTable;
use lookalike_core::equal_sets::{EmptyPolicy, EqualSets};
use lookalike_core::hash::{SplitMix64, mix64};
use lookalike_core::shingle_sets::ShingleSets;
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

/// So little that everything is spilled, in several parts, runs and blocks.
const LITTLE_BYTES: u64 = 1 << 14;

fn memory(budget_bytes: u64) -> MemoryOptions {
    MemoryOptions { budget_bytes: Some(budget_bytes), temporary_folder: None }
}

fn in_file<T: Pod + std::fmt::Debug + Send + Sync>(items: &[T], spill: &Spill) -> Array<T> {
    let mut column = Column::in_file(spill).unwrap();
    column.extend(items, spill).unwrap();
    column.finish(spill).unwrap()
}

/// The corpus with all its arrays in files.
fn spilled(corpus: &Corpus, spill: &Spill) -> Corpus {
    let (ends, fingerprints) = corpus.sets.ends_and_fingerprints();
    let elements = in_file(corpus.sets.all_elements(), spill);
    let (mut text, mut key_ends) = (String::new(), Vec::new());
    for document in corpus.ids() {
        text.push_str(corpus.keys.get(document));
        key_ends.push(text.len() as u64);
    }
    Corpus {
        sets: ShingleSets::from_parts(ends.to_vec(), fingerprints.to_vec(), elements),
        keys: Keys::from_parts(in_file(text.as_bytes(), spill), key_ends),
        infos: in_file(corpus.infos.slice(0..corpus.len()), spill),
        ..corpus.clone()
    }
}

/// Texts of which many share stretches, and some are equal or empty.
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

#[test]
fn columns_give_back_what_was_put_in_before_and_after_they_move() {
    let spill = Spill::new(&memory(LITTLE_BYTES), None);
    let items: Vec<u64> = (0..40_000).map(mix64).collect();
    let mut column = Column::default();
    for (number, stretch) in items.chunks(777).enumerate() {
        if number == 3 {
            column.move_to_file(&spill).unwrap();
        }
        column.extend(stretch, &spill).unwrap();
        let last = column.len() - 1;
        assert_eq!(column.read(last, &spill).unwrap(), items[last]);
        assert!(column.is_equal(0..2, &items[..2], &spill).unwrap());
        assert!(!column.is_equal(0..2, &items[1..3], &spill).unwrap());
    }
    let array = column.finish(&spill).unwrap();
    assert_eq!(array.len(), items.len());
    for start in (0..items.len() - 100).step_by(99) {
        assert_eq!(array.slice(start..start + 100), &items[start..start + 100]);
    }
    assert!(Column::<u64>::in_file(&spill).unwrap().finish(&spill).unwrap().is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let options = MemoryOptions { temporary_folder: Some("/nonexistent/folder".into()), ..memory(LITTLE_BYTES) };
    let error = Column::<u64>::in_file(&Spill::new(&options, None)).unwrap_err();
    assert_eq!(error.to_string(), "cannot write temporary data to /nonexistent/folder");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn sorting_in_runs_is_sorting(items in proptest::collection::vec(any::<u32>(), 0..9000)) {
        let spill = Spill::new(&memory(LITTLE_BYTES), None);
        let mut sort = ExternalSort::new(&spill, 0);
        sort.extend(items.iter().copied()).unwrap();
        let sorted = sort.finish().unwrap();
        let mut expected = items;
        expected.sort_unstable();
        prop_assert_eq!(sorted.slice(0..sorted.len()), &expected[..]);
    }

    #[test]
    fn counting_in_parts_counts_the_same(seed in any::<u64>()) {
        let options = Options { memory: memory(LITTLE_BYTES), ..Options::default() };
        let session = Session::new(&options, &Silent).unwrap();
        let texts = texts(seed, 150);
        let corpus = Corpus::from_texts(&options, texts.iter().map(|(k, t)| (k.as_str(), t.as_str()))).unwrap();
        let groups = EqualSets::group(&corpus.sets, corpus.ids(), EmptyPolicy::Keep);
        let mut whole = FrequencyTable::sized_for(corpus.sets.total_elements());
        for mut partition in whole.partitions(1) {
            groups.representatives().iter().for_each(|&document| partition.count_set(corpus.sets.get(document)));
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
                next.next(set, &mut counts);
                let found = set.iter().zip(&counts).map(|(&element, &first)| counted.table.complete(element, first));
                prop_assert!(found.eq(set.iter().map(|&element| whole.count(element))));
            }
        }
    }

    #[test]
    fn jobs_give_the_same_answers_with_little_memory(
        seed in any::<u64>(), exact in any::<bool>(), percent in 30u32..=100, threads in 1usize..4,
    ) {
        let options = |budget_bytes| Options {
            threshold: (f64::from(percent) / 100.0).to_string().parse().unwrap(),
            method: if exact { Method::Exact } else { Method::MinHash },
            minhash: crate::MinHashOptions { recall: 0.6, ..Default::default() },
            memory: memory(budget_bytes),
            threads: threads.try_into().ok(),
            ..Options::default()
        };
        let texts = texts(seed, 700);
        let texts = texts.iter().map(|(key, text)| (key.as_str(), text.as_str()));
        let (much, little) = (options(1 << 30), options(LITTLE_BYTES));
        let corpus = Corpus::from_texts(&much, texts).unwrap();
        let (roomy, tight) = (Session::new(&much, &Silent).unwrap(), Session::new(&little, &Silent).unwrap());
        let in_files = spilled(&corpus, &tight.spill);
        for policy in [KeepPolicy::First, KeepPolicy::Last, KeepPolicy::Longest] {
            for rule in [ClusterRule::Keepers, ClusterRule::Connected] {
                let expected = pipeline::dedup_by(rule, &corpus, &policy, &roomy).unwrap();
                let found = pipeline::dedup_by(rule, &in_files, &policy, &tight).unwrap();
                prop_assert_eq!(&found.decisions, &expected.decisions);
                prop_assert_eq!(found.candidates, expected.candidates);
                prop_assert_eq!(found.method, expected.method);
            }
        }
        let (expected, found) = (pipeline::pairs(&corpus, &roomy).unwrap(), pipeline::pairs(&in_files, &tight).unwrap());
        prop_assert!(found.joined.pairs().eq(expected.joined.pairs()));
        prop_assert_eq!((found.joined.candidates, found.recall), (expected.joined.candidates, expected.recall));
    }
}
