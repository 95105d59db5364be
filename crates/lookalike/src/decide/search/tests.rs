//! A search as the user sees it: its stages, and what a work folder keeps of them.

use super::*;
use crate::base::{Progress, StageNumber, WorkFolderError};
use crate::testing::{corpus_of, jaccard, session, single_words, texts};
use lookalike_core::comparison::Features;
use lookalike_core::documents::Multiplicity;
use lookalike_core::hash::SplitMix64;
use lookalike_core::similarity::{EmptyPolicy, Weights};
use lookalike_core::terms::Cosine;
use lookalike_core::{DocId, Resources};
use std::path::Path;
use std::sync::Mutex;

/// Notes the stages, each with its amount of work and how much of it was done.
#[derive(Default)]
struct Noted(Mutex<Vec<(String, u64, u64)>>);

impl Noted {
    fn last(&self, change: impl FnOnce(&mut (String, u64, u64))) {
        self.0.lock().unwrap().last_mut().map(change);
    }
}

impl Progress for Noted {
    fn begin(&self, stage: Stage, StageNumber { number, stages }: StageNumber) {
        self.0.lock().unwrap().push((format!("{number}/{stages} {}", stage.name), stage.total, 0));
    }

    fn extend(&self, amount: u64) {
        self.last(|stage| stage.1 += amount);
    }

    fn advance(&self, amount: u64) {
        self.last(|stage| stage.2 += amount);
    }
}

/// The decisions by the keepers rule, when the first keys are worth `max_cost`, and the method that led to them.
fn decided(corpus: &Corpus, max_cost: Option<u64>, folder: &Path, noted: &Noted) -> (Vec<Decision>, MethodUsed) {
    let resources = Resources { work_folder: Some(folder.to_owned()), ..Resources::default() };
    let session = Session::new(&resources, noted).unwrap();
    session.stages.expect(vec![Stage::GROUPING, Stage::SKETCHING, Stage::COMPARING]);
    let keep = Order::First;
    // `auto` would not give up what it accepts in full.
    let search = DuplicateSearch::group(corpus, &keep, jaccard("0.5"), Method::Exact, &session).unwrap();
    let keys = MethodKeys { max_cost, ..search.keys(ComparedPairs::Keepers).unwrap() };
    let (kept, keys) = search.decide(Compare::WithKeepers, &Rule::Keepers { keep }, keys).unwrap();
    (kept.decisions, keys.method)
}

#[test]
fn a_search_that_is_given_up_is_one_stage_with_the_result_of_the_next() {
    let corpus = corpus_of(&Features::default(), &texts(3, 400));
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let noted = Noted::default();
    let given_up = Noted::default();
    let expected = decided(&corpus, None, folders[0].path(), &noted);
    assert_eq!(decided(&corpus, Some(300), folders[1].path(), &given_up), expected);
    let names = |noted: &Noted| noted.0.lock().unwrap().iter().map(|stage| stage.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&given_up), ["1/3 grouping", "2/3 sketching", "3/3 comparing"]);
    assert_eq!(names(&given_up), names(&noted));
    let [whole, (_, total, done)] = [&noted, &given_up].map(|noted| noted.0.lock().unwrap()[2].clone());
    assert_eq!(whole.1, whole.2);
    assert!(total > whole.1 && done == total, "{done} of {total}");
    // What was saved is the result.
    let again = Noted::default();
    assert_eq!(decided(&corpus, Some(300), folders[1].path(), &again), expected);
    assert_eq!(again.0.lock().unwrap()[2].2, 0);
}

/// Documents of some 590 words, 50 of them their own, which have some two thirds of their words in common, and a near
/// copy of each tenth of them. Exact meets them by many keys, most of which the position filter refuses; MinHash meets
/// them as candidates, which cost little by the estimate, because their sketches refuse them, and much by the count of
/// a trial.
fn two_thirds_alike(count: usize) -> Vec<(String, String)> {
    let mut random = SplitMix64::new(7);
    let mut texts: Vec<(String, String)> = Vec::new();
    for number in 0..count {
        let text = match number % 10 {
            9 => format!("{} y{number}", texts[number - 9].1),
            _ => {
                let own = (0..50).map(|word| format!("x{number}w{word}"));
                let some = (0..270).filter(|_| random.next_below(3) > 0).map(|word| format!("s{word}"));
                let common = (0..360).map(|word| format!("c{word}"));
                own.chain(some.collect::<Vec<_>>()).chain(common).collect::<Vec<_>>().join(" ")
            }
        };
        texts.push((format!("d{number}"), text));
    }
    texts
}

#[test]
fn minhash_is_given_up_in_turn_where_it_costs_more_than_exact_would() {
    let corpus = corpus_of(&single_words(), &two_thirds_alike(1600));
    let noted = Noted::default();
    let session = Session::new(&Resources::default(), &noted).unwrap();
    let keep = Order::First;
    let measure = jaccard("0.8");
    let search = DuplicateSearch::group(&corpus, &keep, measure, Method::default(), &session).unwrap();
    let first = search.keys(ComparedPairs::Keepers).unwrap();
    let SearchPlan::Sets { by: SetSearch::Cheapest(bands), .. } = search.plan else { panic!("{:?}", search.plan) };
    // Exact is given up for MinHash, which promises to be cheaper, and is given up, too.
    let second = search.key_source().cheaper_than(&first, bands, ComparedPairs::Keepers).unwrap().unwrap();
    for keys in [&first, &second] {
        let trial = KeepTrial::new(Compare::WithKeepers, search.verifier(keys), &search.groups, keys, &session);
        assert!(trial.run().unwrap().is_none(), "{}", keys.method);
    }
    let (kept, keys) = search.decide(Compare::WithKeepers, &Rule::Keepers { keep: keep.clone() }, first).unwrap();
    assert!(matches!(keys.method, MethodUsed::Exact { .. }), "{}", keys.method);
    let (_, total, done) = noted.0.lock().unwrap().last().unwrap().clone();
    assert_eq!((total, done), (3 * 1600 + 1600, total), "band keys, and three trials");
    let exact = DuplicateSearch::group(&corpus, &keep, measure, Method::Exact, &session).unwrap();
    let keys = exact.keys(ComparedPairs::Keepers).unwrap();
    let (expected, _) = exact.decide(Compare::WithKeepers, &Rule::Keepers { keep }, keys).unwrap();
    assert_eq!(kept.decisions, expected.decisions);
    assert_eq!(kept.decisions.iter().filter(|decision| !decision.is_kept()).count(), 160);
}

/// Documents of 110 of 200 words: all meet, by keys that most documents have, and no two are near-duplicates.
fn of_few_words(count: usize) -> Vec<(String, String)> {
    let mut random = SplitMix64::new(11);
    let mut text = || (0..160).map(|_| format!("w{}", random.next_below(200))).collect::<Vec<_>>().join(" ");
    (0..count).map(|number| (format!("d{number}"), text())).collect()
}

#[test]
fn exact_is_not_given_up_where_it_would_be_accepted_after_all() {
    let corpus = corpus_of(&single_words(), &of_few_words(1800));
    let noted = Noted::default();
    let session = Session::new(&Resources::default(), &noted).unwrap();
    let keep = Order::First;
    let search = DuplicateSearch::group(&corpus, &keep, jaccard("0.9"), Method::default(), &session).unwrap();
    let keys = search.keys(ComparedPairs::Keepers).unwrap();
    // The count of a trial, which knows no sketches, is beyond what is accepted without a look at MinHash.
    let limited = MethodKeys { max_cost: Some(200_000_000), ..keys.clone() };
    let trial = KeepTrial::new(Compare::WithKeepers, search.verifier(&limited), &search.groups, &limited, &session);
    assert!(trial.run().unwrap().is_none());
    session.stages.expect(vec![Stage::COMPARING]);
    assert!(keys.max_cost.is_some(), "it is bounded until the estimate is asked for");
    let limited = MethodKeys { max_cost: Some(200_000_000), ..keys };
    let (kept, keys) = search.decide(Compare::WithKeepers, &Rule::Keepers { keep }, limited).unwrap();
    assert!(matches!(keys.method, MethodUsed::Exact { .. }) && kept.candidates > 0, "{}", keys.method);
    let (_, total, done) = noted.0.lock().unwrap().last().unwrap().clone();
    assert_eq!((total, done), (1800, 1800), "one trial");
}

/// Documents of 20 of 60 words, each of them nine times, and of some words of their own.
fn of_heavy_words(count: usize) -> Vec<(String, String)> {
    let text = |number: usize| {
        let heavy = (0..20).map(|turn| format!("heavy{} ", (number * 7 + turn * (1 + number % 11)) % 60).repeat(9));
        heavy.chain((0..number % 40).map(|own| format!("own{number}x{own} "))).collect()
    };
    (0..count).map(|number| (number.to_string(), text(number))).collect()
}

/// The method and the pairs of a search for cosines.
fn joined(corpus: &Corpus, measure: Measure, refused: Refused, folder: &Path) -> (MethodUsed, Vec<[DocId; 2]>) {
    let resources = Resources { work_folder: Some(folder.to_owned()), ..Resources::default() };
    let session = Session::new(&resources, &crate::Silent).unwrap();
    let search =
        DuplicateSearch::group(corpus, &Order::First, measure, Method::Exact, &session).unwrap().with_refused(refused);
    let keys = search.keys(ComparedPairs::All).unwrap();
    let joined = search.join(&keys).unwrap();
    (keys.method, joined.pairs().map(|pair| [pair.a, pair.b]).collect())
}

#[test]
fn all_pairs_are_compared_where_frequent_terms_weigh_much() {
    let cosine = Cosine { threshold: "0.6".parse().unwrap(), weights: Weights::Tf, empty: EmptyPolicy::Keep };
    let measure = Measure::Cosine(cosine);
    // The first are too few for a sample: their keys are made, and not used.
    for count in [500, 8200] {
        let features = single_words().with_multiplicity(Multiplicity::Counted);
        let mut corpus = corpus_of(&features, &of_heavy_words(count));
        corpus.weigh(measure, None, &session()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (method, pairs) = joined(&corpus, measure, Refused::Forgotten, folder.path());
        assert_eq!(method, MethodUsed::AllPairs);
        assert!(pairs.len() > count, "{}", pairs.len());
        assert_eq!(joined(&corpus, measure, Refused::Forgotten, folder.path()), (method, pairs.clone()), "resumed");
        assert_eq!(joined(&corpus, measure, Refused::Sampled, folder.path()), (method, pairs), "a histogram");
    }
}

#[test]
fn another_corpus_in_the_same_work_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = [3, 4].map(|seed| corpus_of(&Features::default(), &texts(seed, 100)));
    decided(&first, None, folder.path(), &Noted::default());
    let resources = Resources { work_folder: Some(folder.path().to_owned()), ..Resources::default() };
    let session = Session::new(&resources, &crate::Silent).unwrap();
    let search = DuplicateSearch::group(&second, &Order::First, jaccard("0.5"), Method::Exact, &session).unwrap();
    let error = search.keys(ComparedPairs::Keepers).unwrap_err();
    assert!(matches!(error, crate::Error::WorkFolder(WorkFolderError::OtherJob { .. })), "{error}");
}
