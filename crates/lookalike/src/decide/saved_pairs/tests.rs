//! Decisions from saved pairs are those of a new run.

use super::*;
use crate::base::Silent;
use crate::corpus::Corpus;
use crate::decide::order_of;
use crate::job::Outputs;
use crate::pipeline;
use crate::run::Session;
use crate::testing::{self, corpus_of, jaccard, session};
use crate::write::{PairOutput, RowNames};
use lookalike_core::comparison::{Features, Method};
use lookalike_core::hash::SplitMix64;
use lookalike_core::rule::{Order, Reason};
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
fn saved(seed: u64, session: &Session<'_>) -> (Corpus, tempfile::TempDir) {
    let corpus = corpus_of(&Features::default(), &texts(seed));
    let measure = jaccard("0.3");
    let pairs = pipeline::pairs(&corpus, measure, Method::default(), session).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pairs.csv");
    let output = PairOutput::create(Some(&path), &Outputs::default(), measure, &session.staging()).unwrap();
    let names = RowNames::of_ids(&corpus.listing);
    let listed = output.write_as_stage(&names, &corpus, &pairs, session).unwrap();
    listed.file.unwrap().publish().unwrap();
    (corpus, folder)
}

/// Removed id, kept id, similarity, reason; sorted.
fn removals(listing: &Listing, decisions: &[Decision]) -> Vec<(String, String, f64, Reason)> {
    let name = |document| listing.ids.get(document).to_owned();
    let removal = |(document, decision): (DocId, &Decision)| match *decision {
        Decision::Removed { kept, similarity, reason } => Some((name(document), name(kept), similarity, reason)),
        Decision::Kept => None,
    };
    let mut removals: Vec<_> = listing.documents().zip(decisions).filter_map(removal).collect();
    removals.sort_by(|left, right| left.0.cmp(&right.0));
    removals
}

/// Ids of the members of each cluster, all sorted.
fn names(listing: &Listing, clusters: &[Cluster]) -> Vec<Vec<String>> {
    let members = |cluster: &Cluster| {
        let mut names: Vec<String> = cluster.members.iter().map(|&member| listing.ids.get(member).to_owned()).collect();
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
        let session = session();
        let measure = testing::percent(percent);
        let method = Method::default();
        let (corpus, folder) = saved(seed, &session);
        let path = folder.path().join("pairs.csv");
        let (named, pairs) = SavedPairs::read(&path, measure, &session).unwrap();
        let given = SavedPairs::read_for(&path, measure, &corpus.listing, &session).unwrap();
        for keep in [Order::First, Order::Last] {
            let dedup = pipeline::dedup(&corpus, measure, method, &keep, &session).unwrap();
            let expected = removals(&corpus.listing, &dedup.decisions);
            let decided = |saved: &SavedPairs, listing| {
                removals(listing, &saved.decide(&order_of(listing, &keep, &Silent).unwrap()))
            };
            prop_assert_eq!(decided(&pairs, &named), expected.clone());
            prop_assert_eq!(decided(&given, &corpus.listing), expected);
        }
        let expected = pipeline::clusters(&corpus, measure, method, &session).unwrap();
        let expected = names(&corpus.listing, &expected.clusters);
        prop_assert_eq!(names(&named, &pairs.clusters(named.len())), expected.clone());
        prop_assert_eq!(names(&corpus.listing, &given.clusters(corpus.len())), expected);
    }
}

#[test]
fn rows_that_contradict_each_other_still_give_every_document() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pairs.csv");
    std::fs::write(&path, "a,b,similarity\nx,y,0.9\ny,x,0.9\nz,y,0.5\n").unwrap();
    let (listing, saved) = SavedPairs::read(&path, jaccard("0.5"), &session()).unwrap();
    assert_eq!((listing.len(), saved.len(), saved.min_similarity), (3, 3, 0.5));
    assert_eq!(saved.clusters(listing.len()).len(), 1);
}

#[test]
fn an_id_of_no_document_is_named() {
    let session = session();
    let (corpus, folder) = saved(1, &session);
    let path = folder.path().join("pairs.csv");
    std::fs::write(&path, "a,b,similarity\nd1,nobody,0.9\n").unwrap();
    let error = SavedPairs::read_for(&path, jaccard("0.3"), &corpus.listing, &session).unwrap_err();
    assert!(matches!(error, Error::UnknownId { id, .. } if id == "nobody"));
}
