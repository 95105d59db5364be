//! A search as the user sees it: its stages, and what a work folder keeps of them.

use super::*;
use crate::ground::{Progress, StageNumber};
use crate::testing::{corpus_of, jaccard, texts};
use lookalike_core::Resources;
use lookalike_core::features::Features;
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
    session.stages.expect(3);
    let keep = Order::First;
    let search = Search::group(corpus, &keep, jaccard("0.5"), Method::default(), &session).unwrap();
    let keys = MadeKeys { max_cost, ..search.keys(Meeting::Keepers).unwrap() };
    let (kept, keys) = search.decide(Compare::WithKeepers, &Rule::Keepers { keep }, keys).unwrap();
    (kept.decisions, keys.method)
}

#[test]
fn a_search_that_is_given_up_is_one_stage_with_the_result_of_the_next() {
    let corpus = corpus_of(&Features::default(), &texts(3, 400));
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (noted, given_up) = (Noted::default(), Noted::default());
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

#[test]
fn another_corpus_in_the_same_work_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = [3, 4].map(|seed| corpus_of(&Features::default(), &texts(seed, 100)));
    decided(&first, None, folder.path(), &Noted::default());
    let resources = Resources { work_folder: Some(folder.path().to_owned()), ..Resources::default() };
    let session = Session::new(&resources, &crate::Silent).unwrap();
    let search = Search::group(&second, &Order::First, jaccard("0.5"), Method::default(), &session).unwrap();
    let error = search.keys(Meeting::Keepers).unwrap_err();
    assert!(matches!(error, crate::Error::OtherJob { .. }), "{error}");
}
