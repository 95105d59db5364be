//! How much of the truth a method found, measured on a sample.
//!
//! For some documents all near-duplicates are counted exactly ([`lookalike_core::sample`]); found are those with which they
//! share a key, since whatever shares a key is verified. Documents with equal sets are one here: no method misses them.

use crate::error::Result;
use crate::options::Options;
use crate::session::Session;
use crate::threads::{Pace, ordered_map};
use lookalike_core::DocId;
use lookalike_core::candidates::{LinkedKey, LinkedKeys};
use lookalike_core::equal_sets::EqualSets;
use lookalike_core::plan::binomial_interval;
use lookalike_core::sample::Sample;
use lookalike_core::shingle_sets::ShingleSets;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Documents in the sample: their elements fill a cache, not more.
const SAMPLED_DOCUMENTS: usize = 500;
/// Where everything is like everything, fewer documents have as many pairs: so many at least.
const LEAST_SAMPLED_DOCUMENTS: usize = 10;
/// Elements that may be compared for each element of the corpus; without such crowds it is less than one.
const MOST_WORK_PER_ELEMENT: f64 = 20.0;
/// Documents on which the work is tried.
const PILOT_DOCUMENTS: usize = 1000;
/// Few: long documents stand together.
const CHUNK_DOCUMENTS: usize = 64;
const CONFIDENCE: f64 = 0.95;

/// The recall that was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MeasuredRecall {
    /// Documents in the sample.
    pub sampled_documents: u64,
    /// Pairs of a sampled and any other document that reach the threshold.
    pub true_pairs: u64,
    /// Those that share a key and so are found.
    pub found_pairs: u64,
    /// Bounds of the recall with a confidence of 95 % (Clopper, Pearson 1934), as if the pairs were independent.
    pub interval: (f64, f64),
}

impl fmt::Display for MeasuredRecall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sampled_documents, true_pairs, found_pairs, interval: (low, high) } = self;
        if *true_pairs == 0 {
            return write!(
                formatter,
                "recall: no near-duplicates among {sampled_documents} sampled documents to measure it on"
            );
        }
        let recall = *found_pairs as f64 / *true_pairs as f64;
        write!(
            formatter,
            "recall: {recall:.4} measured ({found_pairs} of {true_pairs} pairs of {sampled_documents} sampled documents; \
             95 % interval {low:.4} to {high:.4})"
        )
    }
}

/// Measures the recall of the keys.
pub(crate) fn measure(
    sets: &ShingleSets,
    groups: &EqualSets,
    keys: &LinkedKeys,
    session: &Session<'_>,
) -> Result<MeasuredRecall> {
    let documents = groups.representatives();
    let sample = draw_sample(sets, documents, session.options);
    let count_chunk = |buffers: &mut _, chunk: &[DocId]| {
        let (mut found, mut all) = (0, 0);
        for &document in chunk {
            sample.near(document, buffers, |other, _| {
                all += 1;
                found += u64::from(share_key(keys.get(document), keys.get(other)));
            });
        }
        (found, all)
    };
    let (mut found_pairs, mut true_pairs) = (0, 0);
    let add = |(found, all)| {
        found_pairs += found;
        true_pairs += all;
        session.stages.check()
    };
    let chunks = documents.chunks(CHUNK_DOCUMENTS);
    ordered_map(chunks, Pace::of(session.threads()), || sample.buffers(), count_chunk, add)?;
    let interval = binomial_interval(found_pairs, true_pairs, CONFIDENCE);
    Ok(MeasuredRecall { sampled_documents: sample.len() as u64, true_pairs, found_pairs, interval })
}

/// Draws as many documents as the work allows.
fn draw_sample<'a>(sets: &'a ShingleSets, documents: &[DocId], options: &Options) -> Sample<'a> {
    let draw = |size| Sample::draw(sets, documents, size, options.threshold, options.minhash.seed);
    let sample = draw(SAMPLED_DOCUMENTS);
    let mut buffers = sample.buffers();
    let pilots = documents.iter().step_by((documents.len() / PILOT_DOCUMENTS).max(1));
    let (work, elements) = pilots.fold((0, 0), |(work, elements), &document| {
        (work + sample.work(document, &mut buffers), elements + sets.size(document))
    });
    let crowding = work as f64 / (elements as f64 * MOST_WORK_PER_ELEMENT);
    if crowding <= 1.0 {
        return sample;
    }
    draw(((SAMPLED_DOCUMENTS as f64 / crowding) as usize).max(LEAST_SAMPLED_DOCUMENTS))
}

/// Whether two documents have a key in common. They have a few dozen at most.
fn share_key(left: &[LinkedKey], right: &[LinkedKey]) -> bool {
    left.iter().any(|a| right.iter().any(|b| a.key == b.key))
}

#[cfg(test)]
mod tests {
    use crate::pipeline;
    use crate::{Corpus, Method, MinHashOptions, Options, Session, Silent};
    use lookalike_core::hash::SplitMix64;
    use lookalike_core::sketch::Banding;

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
        let options = Options {
            method: Method::MinHash,
            shingle: lookalike_core::shingle::ShingleOptions::words(1),
            minhash: MinHashOptions { banding: Some(banding), ..MinHashOptions::default() },
            ..Options::default()
        };
        let session = Session::new(&options, &Silent).unwrap();
        let corpus =
            Corpus::from_texts(&options, texts.iter().map(|(key, text)| (key.as_str(), text.as_str()))).unwrap();
        let found = pipeline::pairs(&corpus, &session).unwrap();
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
        let options = Options {
            method: Method::MinHash,
            shingle: lookalike_core::shingle::ShingleOptions::words(1),
            ..Options::default()
        };
        let session = Session::new(&options, &Silent).unwrap();
        let keys: Vec<String> = (0..texts.len()).map(|number| number.to_string()).collect();
        let texts = keys.iter().zip(&texts).map(|(key, text)| (key.as_str(), text.as_str()));
        let corpus = Corpus::from_texts(&options, texts).unwrap();
        let recall = pipeline::pairs(&corpus, &session).unwrap().recall.unwrap();
        assert_eq!((recall.sampled_documents, recall.true_pairs), (super::SAMPLED_DOCUMENTS as u64, 0));
    }
}
