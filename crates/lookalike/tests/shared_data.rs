//! The jobs on real documents, where they are at hand: in `../shared/data` beside the checkout, or in the folder that
//! `LOOKALIKE_DATA` names. Elsewhere these tests say so and pass.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use lookalike::{
    Corpus, Decision, DocId, Features, Measure, Method, Order, Resources, Session, Silent,
    measures::{Containment, EmptyPolicy, Overlap, Side, Threshold},
    methods::{Banding, Fingerprint, MinHash},
    pipeline,
    texts::ShingleOptions,
};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

/// The decompressed lines of a data file, or a notice.
fn lines(name: &str) -> Option<Vec<String>> {
    let folder = std::env::var_os("LOOKALIKE_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let path = folder.join(name);
    let Ok(file) = File::open(&path) else {
        eprintln!("SKIPPED: no {name} in the folder of real documents");
        return None;
    };
    let reader = BufReader::new(zstd::Decoder::new(file).unwrap());
    Some(reader.lines().map(Result::unwrap).collect())
}

fn documents(name: &str) -> Option<Vec<(String, String)>> {
    let parse = |line: String| {
        let record: serde_json::Value = serde_json::from_str(&line).unwrap();
        let field = |name: &str| record[name].as_str().unwrap().to_owned();
        (field("id"), field("text"))
    };
    Some(lines(name)?.into_iter().map(parse).collect())
}

fn corpus(tokens: usize, documents: &[(String, String)]) -> Corpus {
    let features = Features::shingles(ShingleOptions::words(tokens));
    Corpus::from_texts(&features, documents.iter().map(|(id, text)| (id.as_str(), text.as_str()))).unwrap()
}

fn jaccard(threshold: &str) -> Measure {
    Measure::jaccard(threshold.parse().unwrap())
}

fn session() -> Session<'static> {
    Session::new(&Resources::default(), &Silent).unwrap()
}

fn near_pairs(corpus: &Corpus, measure: Measure, method: Method) -> BTreeMap<(DocId, DocId), f64> {
    let found = pipeline::pairs(corpus, measure, method, &session()).unwrap();
    let members = found.groups.members();
    let mut pairs = BTreeMap::new();
    let mut add = |left: &[DocId], right: &[DocId], similarity: f64| {
        for &a in left {
            pairs.extend(right.iter().filter(|&&b| b != a).map(|&b| ((a.min(b), a.max(b)), similarity)));
        }
    };
    for &group in found.groups.representatives() {
        add(members.get(group.index()), members.get(group.index()), 1.0);
    }
    for pair in found.joined.pairs() {
        add(members.get(pair.a.index()), members.get(pair.b.index()), pair.found.overlap().unwrap().jaccard());
    }
    pairs
}

/// The words that `\w+` of Python sees, set apart by blanks, so that no rule about punctuation inside words applies. An
/// underscore becomes a letter: a row of them is a word for `\w+`, not for us.
fn only_word_characters(text: &str) -> String {
    let plain = |c: char| match c {
        '_' => 'ø',
        _ if c.is_alphanumeric() => c,
        _ => ' ',
    };
    text.chars().map(plain).collect()
}

#[test]
fn license_pairs_agree_with_the_independent_list() {
    let (Some(documents), Some(list)) =
        (documents("license_texts.jsonl.zst"), lines("license_texts.pairs_w3_050.tsv.zst"))
    else {
        return;
    };
    let plain: Vec<_> = documents.iter().map(|(id, text)| (id.clone(), only_word_characters(text))).collect();
    let corpus = corpus(3, &plain);
    let ids: HashMap<&str, DocId> = corpus.documents().map(|id| (corpus.listing().ids().get(id), id)).collect();
    // The one license in Chinese: here every Han character is a token, for `\w+` a whole clause is.
    let is_chinese = |id: DocId| corpus.listing().ids().get(id).starts_with("mulanpsl-");
    let ours = near_pairs(&corpus, jaccard("0.5"), Method::default());
    let ours: HashMap<_, _> = ours.into_iter().filter(|((a, b), _)| !is_chinese(*a) && !is_chinese(*b)).collect();
    let mut listed = HashSet::new();
    for line in &list {
        let [a, b, similarity] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let a = ids[a];
        let b = ids[b];
        if is_chinese(a) || is_chinese(b) {
            continue;
        }
        let pair = (a.min(b), a.max(b));
        let similarity: f64 = similarity.parse().unwrap();
        assert!((ours[&pair] - similarity).abs() < 0.000_051, "{line}: {}", ours[&pair]);
        listed.insert(pair);
    }
    assert!(listed.len() > 7000);
    assert_eq!(ours.len(), listed.len());
}

#[test]
fn kept_licenses_are_pairwise_different_and_removed_ones_have_a_witness() {
    let Some(documents) = documents("license_texts.jsonl.zst") else { return };
    let threshold: Threshold = "0.8".parse().unwrap();
    let corpus = corpus(5, &documents);
    let measure = Measure::jaccard(threshold);
    let dedup = pipeline::dedup(&corpus, measure, Method::default(), &Order::Longest, &session()).unwrap();
    let decisions = dedup.decisions;
    let kept: Vec<DocId> = corpus.documents().filter(|id| decisions[id.index()] == Decision::Kept).collect();
    let overlap = |a: DocId, b: DocId| Overlap::new(corpus.sets().get(a), corpus.sets().get(b));
    for (index, &a) in kept.iter().enumerate() {
        for &b in &kept[..index] {
            let found = overlap(a, b);
            assert!(!threshold.is_reached_by(found.common, found.union()), "{a:?} {b:?}");
        }
    }
    for id in corpus.documents() {
        if let Decision::Removed { kept, similarity, .. } = decisions[id.index()] {
            let claimed = overlap(id, kept);
            assert_eq!(similarity, claimed.jaccard());
            assert!(threshold.is_reached_by(claimed.common, claimed.union()));
            assert_eq!(decisions[kept.index()], Decision::Kept);
        }
    }
}

#[test]
fn band_recall_on_bible_chapters_follows_the_s_curve() {
    let Some(documents) = documents("bible_en.jsonl.zst") else { return };
    // A chapter has the same name in each translation: those pairs are graded from unlike to alike.
    let chapters: Vec<_> =
        documents.into_iter().filter(|(id, _)| id.contains("/Psalms/") || id.contains("/Genesis/")).collect();
    let corpus = corpus(2, &chapters);
    let measure = jaccard("0.1");
    let truth = near_pairs(&corpus, measure, Method::Exact);
    let banding = Banding::new(20, 5).unwrap();
    let mut bins: BTreeMap<u32, (f64, f64, u32)> = BTreeMap::new();
    let seeds = 4;
    for seed in 1..=seeds {
        let minhash = MinHash { banding: Some(banding), seed, ..MinHash::default() };
        let found = near_pairs(&corpus, measure, Method::MinHash(minhash));
        for (pair, &similarity) in truth.iter().filter(|&(_, &similarity)| similarity < 1.0) {
            let bin = bins.entry((similarity * 10.0) as u32).or_default();
            *bin = (
                bin.0 + f64::from(u8::from(found.contains_key(pair))),
                bin.1 + banding.probability(similarity),
                bin.2 + 1,
            );
        }
    }
    assert!(bins.len() >= 6, "the chapters should cover many similarities: {bins:?}");
    for (bin, (found, expected, pairs)) in bins {
        // Pairs that share a chapter are not independent: five deviations, and 2 % for that.
        let deviation = (expected * (1.0 - expected / f64::from(pairs))).max(0.0).sqrt();
        let allowed = 5.0 * deviation + 0.02 * f64::from(pairs) + 2.0;
        assert!((found - expected).abs() <= allowed, "0.{bin}: {found} of {pairs} pairs found, {expected} expected");
    }
}

/// Licenses quote each other; most contained pairs are above the threshold, and found with more than the recall.
#[test]
fn fingerprints_find_contained_licenses_with_the_recall() {
    let Some(documents) = documents("license_texts.jsonl.zst") else { return };
    let corpus = corpus(5, &documents);
    for (percent, select, recall) in [("0.8", "mod:8", 0.9), ("0.5", "mod:16", 0.95), ("0.9", "mod:32", 0.99)] {
        let threshold = percent.parse().unwrap();
        let contained = Side::Either;
        let empty = EmptyPolicy::Keep;
        let measure = Measure::Containment(Containment { threshold, contained, empty });
        let truth = near_pairs(&corpus, measure, Method::Exact);
        let fingerprint = Fingerprint { select: select.parse().unwrap(), recall, ..Fingerprint::default() };
        let found = near_pairs(&corpus, measure, Method::Fingerprint(fingerprint));
        assert!(found.keys().all(|pair| truth.contains_key(pair)), "{select}: a pair is not true");
        let share = found.len() as f64 / truth.len() as f64;
        eprintln!("{select} at {percent}: {} of {} pairs, {share:.4}", found.len(), truth.len());
        assert!(truth.len() > 1500 && share >= recall, "{select} at {percent}: {share}");
        let measured = pipeline::pairs(&corpus, measure, Method::Fingerprint(fingerprint), &session()).unwrap().recall;
        let (low, high) = measured.unwrap().interval;
        // The sample has some hundred documents, whose pairs are not independent.
        assert!(low - 0.05 <= share && share <= high + 0.05, "{select} at {percent}: {share}, {low} to {high}");
    }
}

#[test]
fn versions_of_a_page_are_found() {
    let (Some(documents), Some(truth)) =
        (documents("reactnative_versions.jsonl.zst"), lines("reactnative_versions.truth.tsv.zst"))
    else {
        return;
    };
    let threshold: Threshold = "0.5".parse().unwrap();
    let corpus = corpus(5, &documents);
    let measure = Measure::jaccard(threshold);
    let ids: HashMap<&str, DocId> = corpus.documents().map(|id| (corpus.listing().ids().get(id), id)).collect();
    let pairs = near_pairs(&corpus, measure, Method::default());
    let found = truth.iter().filter(|line| {
        let (a, b) = line.split_once('\t').unwrap();
        let a = ids[a];
        let b = ids[b];
        let is_near = pairs.contains_key(&(a.min(b), a.max(b)));
        let overlap = Overlap::new(corpus.sets().get(a), corpus.sets().get(b));
        assert_eq!(is_near, threshold.is_reached_by(overlap.common, overlap.union()) && overlap.union() > 0, "{line}");
        is_near
    });
    // Some pages were rewritten from one version to the next; the others are found.
    assert!(found.count() * 10 > truth.len() * 9);
}
