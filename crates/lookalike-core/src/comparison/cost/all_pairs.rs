//! Decision whether all pairs of weighted sets are compared by their norm sketches sooner than by blocking keys.
//!
//! Frequent terms can weigh so much that the prefix of a document has most of its terms, and two documents share
//! several of them. A sample tells so before keys are made of all: the postings of a pair do not depend on how many
//! documents there are, but for terms that only few of them have, of which hardly any postings come.

use crate::DocId;
use crate::documents::ElementSets;
use crate::keys::FrequencyTable;
use crate::terms::{Cosine, WeightedKeys};
use std::collections::HashMap;

/// Postings of weighted terms that cost as much as a look at the small norm sketches of a pair, or more: 0.5 ns of
/// processor time (bench/results, cosine).
const POSTINGS_PER_PAIR: u64 = 2;
/// Documents of the sample.
const SAMPLED_DOCUMENTS: usize = 1024;
/// Elements that are read of the sample, but for those of its last document.
const SAMPLED_ELEMENTS: usize = 1 << 20;
/// Documents, for each of the sample, from which on a sample is drawn; of fewer all have keys in no time.
const DOCUMENTS_PER_SAMPLED: usize = 8;

/// Returns whether all pairs of `documents` are compared by their norm sketches sooner than the `postings` of their
/// exact keys are followed. A function of the documents alone, not of the memory: without any for sketches all pairs
/// are verified.
pub fn prefers_all_pairs(postings: u64, documents: usize) -> bool {
    let documents = documents as u64;
    postings / POSTINGS_PER_PAIR > documents * documents.saturating_sub(1) / 2
}

/// Returns whether that holds of a sample of the `documents` of `sets`, the search being one for near-duplicates by
/// `measure`; false if there are too few to draw one. A function of the documents alone.
pub fn sample_prefers_all_pairs(sets: &ElementSets, documents: &[DocId], measure: Cosine) -> bool {
    let step = documents.len() / SAMPLED_DOCUMENTS;
    if step < DOCUMENTS_PER_SAMPLED {
        return false;
    }
    let mut sampled = Vec::new();
    let mut elements = Vec::new();
    for &document in documents.iter().step_by(step) {
        sampled.push(document);
        elements.extend_from_slice(&sets.get(document));
        if elements.len() > SAMPLED_ELEMENTS {
            break;
        }
    }
    let frequencies = FrequencyTable::from_elements(&elements);
    let mut maker = WeightedKeys::new(&frequencies, measure);
    let mut keys = Vec::new();
    let mut documents_of_key = HashMap::new();
    for &document in &sampled {
        keys.clear();
        maker.append(sets.weighted(document), &mut keys);
        keys.iter().for_each(|key| *documents_of_key.entry(key.hash).or_insert(0u64) += 1);
    }
    let postings = documents_of_key.into_values().map(|count| count * (count - 1) / 2).sum();
    prefers_all_pairs(postings, sampled.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::mix64;
    use crate::similarity::{EmptyPolicy, Weights};

    /// Documents with `common` of 20 terms that weigh much, by turns, and 30 terms of their own.
    fn sets(documents: u64, common: u64) -> ElementSets {
        let set = |document: u64| {
            let often = (0..common).map(move |turn| (mix64((document * 7 + turn) % 20), 9));
            often.chain((0..30).map(move |own| (mix64((document << 8) + own + 20), 1)))
        };
        ElementSets::of_counted((0..documents).map(set))
    }

    fn prefers(sets: &ElementSets) -> bool {
        let threshold = "0.8".parse().unwrap();
        let cosine = Cosine { threshold, weights: Weights::Tf, empty: EmptyPolicy::Keep };
        sample_prefers_all_pairs(sets, &DocId::all(sets.len()).collect::<Vec<_>>(), cosine)
    }

    #[test]
    fn all_pairs_are_preferred_where_each_has_several_postings() {
        // Ten documents have 45 pairs.
        assert!(!prefers_all_pairs(91, 10) && prefers_all_pairs(92, 10));
        assert!(!prefers_all_pairs(0, 0) && !prefers_all_pairs(1, 1));
    }

    #[test]
    fn a_sample_tells_frequent_terms_from_rare_ones() {
        assert!(prefers(&sets(10_000, 12)));
        assert!(!prefers(&sets(10_000, 1)));
        assert!(!prefers(&sets(8_000, 12)), "too few documents for a sample");
        assert!(!prefers(&ElementSets::new()));
    }
}
