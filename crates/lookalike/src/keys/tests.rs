//! When `auto` gives up completeness, and when it does not.

use super::MethodChoice;
use crate::corpus::Corpus;
use crate::options::{KeepPolicy, Options};
use crate::pipeline;
use crate::progress::Silent;
use crate::session::Session;
use lookalike_core::hash::SplitMix64;
use lookalike_core::shingle::ShingleOptions;

/// Texts of 60 of 240 words: any two share some, and no element is rare.
fn crowded(count: usize) -> Vec<(String, String)> {
    let mut random = SplitMix64::new(3);
    let mut text = || (0..60).map(|_| format!("w{}", random.next_below(240))).collect::<Vec<_>>().join(" ");
    (0..count).map(|number| (format!("d{number}"), text())).collect()
}

fn corpus(options: &Options, texts: &[(String, String)]) -> Corpus {
    Corpus::from_texts(options, texts.iter().map(|(key, text)| (key.as_str(), text.as_str()))).unwrap()
}

#[test]
fn auto_turns_to_minhash_where_exact_keys_meet_far_more_often() {
    let options =
        Options { shingle: ShingleOptions::words(1), threshold: "0.6".parse().unwrap(), ..Options::default() };
    let corpus = corpus(&options, &crowded(6000));
    let session = Session::new(&options, &Silent).unwrap();
    let pairs = pipeline::pairs(&corpus, &session).unwrap();
    assert!(matches!(pairs.method, MethodChoice::MinHash { exact_postings: Some(_), .. }), "{}", pairs.method);
    let dedup = pipeline::dedup(&corpus, &KeepPolicy::First, &session).unwrap();
    assert!(matches!(dedup.method, MethodChoice::MinHash { exact_postings: Some(_), .. }), "{}", dedup.method);
}

#[test]
fn auto_stays_exact_where_all_meet_but_few_are_kept() {
    let options = Options::default();
    let common: Vec<String> = (0..200).map(|word| format!("w{word}")).collect();
    let copy = |number: usize| {
        let mut words = common.clone();
        words[number % 200] = format!("x{number}");
        (format!("d{number}"), words.join(" "))
    };
    let texts: Vec<(String, String)> = (0..4000).map(copy).collect();
    let corpus = corpus(&options, &texts);
    let session = Session::new(&options, &Silent).unwrap();
    let dedup = pipeline::dedup(&corpus, &KeepPolicy::First, &session).unwrap();
    let MethodChoice::Exact { postings } = dedup.method else { panic!("{}", dedup.method) };
    assert!(postings > 1e8, "{postings}");
}

#[test]
fn auto_stays_exact_where_minhash_would_save_a_moment() {
    let options =
        Options { shingle: ShingleOptions::words(1), threshold: "0.6".parse().unwrap(), ..Options::default() };
    let corpus = corpus(&options, &crowded(600));
    let pairs = pipeline::pairs(&corpus, &Session::new(&options, &Silent).unwrap()).unwrap();
    assert!(matches!(pairs.method, MethodChoice::Exact { .. }), "{}", pairs.method);
}
