//! What comes from saved pairs is what a new run gives.

use super::*;
use crate::options::Options;
use crate::pipeline;
use crate::progress::Silent;
use crate::session::Session;
use lookalike_core::hash::SplitMix64;
use lookalike_io::RowWriter;
use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};

/// Texts of 30 words of a few families, with some words changed.
fn texts(seed: u64) -> Vec<(String, String)> {
    let mut random = SplitMix64::new(seed);
    let text = |number: usize| {
        let family = random.next_below(4);
        let mut words: Vec<String> = (0..30).map(|word| format!("f{family}w{word}")).collect();
        for _ in 0..random.next_below(7) {
            words[random.next_below(30) as usize] = format!("x{number}");
        }
        (format!("d{number}"), words.join(" "))
    };
    (0..40).map(text).collect()
}

/// The corpus, and a folder with its pairs at 0.3.
fn saved(options: &Options, seed: u64) -> (Corpus, tempfile::TempDir) {
    let texts = texts(seed);
    let corpus = Corpus::from_texts(options, texts.iter().map(|(key, text)| (&key[..], &text[..]))).unwrap();
    let session = Session::new(options, &Silent).unwrap();
    let pairs = pipeline::pairs(&corpus, &session).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let writer = RowWriter::create(&folder.path().join("pairs.csv"), crate::PAIRS_HEADER).unwrap();
    crate::write_pairs(writer, &corpus, &pairs, &session).unwrap().0.publish().unwrap();
    (corpus, folder)
}

/// Removed key, kept key, similarity, reason; sorted.
fn removals(corpus: &Corpus, decisions: &[Decision]) -> Vec<(String, String, f64, Reason)> {
    let name = |document| corpus.keys.get(document).to_owned();
    let removal = |(document, decision): (DocId, &Decision)| match *decision {
        Decision::Removed { kept, similarity, reason } => Some((name(document), name(kept), similarity, reason)),
        Decision::Kept => None,
    };
    let mut removals: Vec<_> = corpus.ids().zip(decisions).filter_map(removal).collect();
    removals.sort_by(|left, right| left.0.cmp(&right.0));
    removals
}

/// Keys of the members of each cluster, all sorted.
fn names(corpus: &Corpus, clusters: &[Cluster]) -> Vec<Vec<String>> {
    let members = |cluster: &Cluster| {
        let mut names: Vec<String> = cluster.members.iter().map(|&member| corpus.keys.get(member).to_owned()).collect();
        names.sort();
        names
    };
    let mut all: Vec<_> = clusters.iter().map(members).collect();
    all.sort();
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn saved_pairs_give_what_a_run_at_the_threshold_gives(seed in 0u64..1_000_000, percent in 30u32..=100) {
        let low = Options { threshold: "0.3".parse().unwrap(), ..Options::default() };
        let (corpus, folder) = saved(&low, seed);
        let path = folder.path().join("pairs.csv");
        let threshold = Threshold::try_from(f64::from(percent) / 100.0).unwrap();
        let options = Options { threshold, ..Options::default() };
        let session = Session::new(&options, &Silent).unwrap();

        let named = SavedPairs::read(&path, threshold).unwrap();
        let given = SavedPairs::read_for(&path, threshold, corpus.clone()).unwrap();
        for policy in [KeepPolicy::First, KeepPolicy::Last] {
            let expected = removals(&corpus, &pipeline::dedup(&corpus, &policy, &session).unwrap().decisions);
            prop_assert_eq!(removals(&named.corpus, &named.decide(&policy, None).unwrap()), expected.clone());
            prop_assert_eq!(removals(&given.corpus, &given.decide(&policy, None).unwrap()), expected);
        }
        let expected = names(&corpus, &pipeline::clusters(&corpus, &session).unwrap().clusters);
        prop_assert_eq!(names(&named.corpus, &named.clusters()), expected.clone());
        prop_assert_eq!(names(&given.corpus, &given.clusters()), expected);
    }
}

#[test]
fn rows_that_contradict_each_other_still_give_every_document() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pairs.csv");
    std::fs::write(&path, "a,b,similarity\nx,y,0.9\ny,x,0.9\nz,y,0.5\n").unwrap();
    let saved = SavedPairs::read(&path, Threshold::try_from(0.5).unwrap()).unwrap();
    assert_eq!((saved.corpus.len(), saved.len(), saved.least_similarity), (3, 3, 0.5));
    assert_eq!(saved.clusters().len(), 1);
}

#[test]
fn a_key_of_no_document_is_named() {
    let options = Options { threshold: "0.3".parse().unwrap(), ..Options::default() };
    let (corpus, folder) = saved(&options, 1);
    let path = folder.path().join("pairs.csv");
    std::fs::write(&path, "a,b,similarity\nd1,nobody,0.9\n").unwrap();
    let error = SavedPairs::read_for(&path, options.threshold, corpus).unwrap_err();
    assert!(matches!(error, Error::UnknownKey { key, .. } if key == "nobody"));
}
