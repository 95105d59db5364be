//! The buckets of terms: heavy terms are dealt so that all buckets weigh about the same, the others by their hashes.
//!
//! The bound of a norm sketch is too high by what Cauchy and Schwarz lose in each bucket, which is most where two heavy
//! terms share one. So the terms that weigh most in a sample of the documents go, heaviest first, each into the bucket
//! that weighs least so far (the rule of the longest processing time: Graham, "Bounds on multiprocessing timing
//! anomalies", 1969). On German laws, by single words and their frequencies, 256 buckets by hashes leave 0.24 % of all
//! pairs at a cosine of 0.8, and dealt ones 0.11 %.

use crate::base::DocId;
use crate::base::hash::mix64;
use crate::documents::{ElementSets, WeightedSet};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Factor of shares before they are rounded up: more than all roundings of 64-bit floats take off.
pub(super) const ABOVE_ROUNDINGS: f64 = 1.0 + 1e-9;

/// Documents of the sample.
const SAMPLED_DOCUMENTS: usize = 1024;
/// Terms that are read of the sample, but for those of its last document.
const SAMPLED_TERMS: usize = 1 << 18;
/// Terms that are dealt. Four times as many leave a twentieth fewer pairs.
const MAX_HEAVY: usize = 2048;
/// Places of heavy terms. Of as many terms as there may be, one in fifty finds both of its places taken.
const PLACES: usize = 4 * MAX_HEAVY;
/// The mass of a whole document.
const WHOLE: f64 = (1u64 << 32) as f64;

/// The terms that weigh most in a sample of documents, heaviest first, each with its mass: the sum of its shares of the
/// squared norms.
fn heavy_terms(sets: &ElementSets) -> Vec<(u64, u64)> {
    let mut masses = HashMap::new();
    let mut terms = 0;
    for document in DocId::all(sets.len()).step_by(sets.len().div_ceil(SAMPLED_DOCUMENTS).max(1)) {
        let set = sets.weighted(document);
        let whole = set.squared_norm().max(1) as f64;
        for (term, weight) in set.iter() {
            *masses.entry(term).or_insert(0) += (f64::from(weight).powi(2) / whole * WHOLE) as u64;
        }
        terms += set.elements().len();
        if terms > SAMPLED_TERMS {
            break;
        }
    }
    let mut masses: Vec<(u64, u64)> = masses.into_iter().collect();
    masses.sort_unstable_by_key(|&(term, mass)| (Reverse(mass), term));
    masses.truncate(MAX_HEAVY);
    masses
}

/// A map from terms to buckets.
#[derive(Debug)]
pub(super) struct Dealing {
    /// The heavy terms, each in one of its two places. One whose places are both taken, by heavier ones, goes by its
    /// hash, so that no choice of terms makes a lookup slow.
    heavy: Vec<Option<HeavyTerm>>,
    buckets: usize,
}

/// A term that is dealt.
#[derive(Debug, Clone, Copy)]
struct HeavyTerm {
    term: u64,
    bucket: u32,
}

impl Dealing {
    /// Size in bytes of the table of heavy terms.
    pub(super) const BYTES: usize = PLACES * size_of::<Option<HeavyTerm>>();

    /// Deals the terms of `sets` into `buckets` buckets; their number is a power of two.
    pub(super) fn new(sets: &ElementSets, buckets: usize) -> Self {
        Self::from_heavy(&heavy_terms(sets), buckets)
    }

    fn from_heavy(heavy: &[(u64, u64)], buckets: usize) -> Self {
        let mut lightest: BinaryHeap<_> = (0..buckets as u32).map(|bucket| Reverse((0, bucket))).collect();
        let mut dealing = Self { heavy: vec![None; PLACES], buckets };
        for &(term, mass) in heavy {
            let is_free = |&place: &usize| dealing.heavy[place].is_none();
            let Some(free) = places(mix64(term)).into_iter().find(is_free) else { continue };
            let Some(mut bucket) = lightest.peek_mut() else { break };
            let Reverse((total, number)) = &mut *bucket;
            *total += mass;
            dealing.heavy[free] = Some(HeavyTerm { term, bucket: *number });
        }
        dealing
    }

    /// The bucket of a term.
    fn bucket(&self, term: u64) -> usize {
        let hash = mix64(term);
        let in_places = places(hash).into_iter().filter_map(|place| self.heavy[place]);
        let dealt = in_places.filter(|heavy| heavy.term == term).map(|heavy| heavy.bucket as usize).next();
        dealt.unwrap_or(hash as usize & (self.buckets - 1))
    }

    /// The norm of the terms of a set in each bucket, as a share of the norm of all; `squares` is scratch memory, with
    /// a place for each bucket.
    pub(super) fn shares(&self, set: WeightedSet<'_>, squares: &mut [u64]) -> impl Iterator<Item = f64> {
        squares.fill(0);
        for (term, weight) in set.iter() {
            squares[self.bucket(term)] += u64::from(weight).pow(2);
        }
        let whole = set.squared_norm().max(1) as f64;
        // Most buckets of large sketches are empty, and a square root takes long.
        squares.iter().map(move |&square| if square == 0 { 0.0 } else { (square as f64 / whole).sqrt() })
    }
}

/// The places of a heavy term with this hash, by upper bits, which do not choose the bucket of others.
fn places(hash: u64) -> [usize; 2] {
    [32, 48].map(|bits| (hash >> bits) as usize % PLACES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Documents with the term 0 forty times, 1 to 3 ten times each, and 60 terms of their own.
    fn sets(documents: u64) -> ElementSets {
        let own = |document: u64| (0..60).map(move |term| (mix64(document * 100 + term + 4), 1));
        let text = |document| [(mix64(0), 40)].into_iter().chain((1..4).map(|t| (mix64(t), 10))).chain(own(document));
        ElementSets::of_counted((0..documents).map(text))
    }

    #[test]
    fn heavy_terms_have_buckets_of_their_own() {
        let heavy = heavy_terms(&sets(100));
        assert_eq!(heavy[0].0, mix64(0));
        for buckets in [4, 16, 64] {
            let dealing = Dealing::from_heavy(&heavy, buckets);
            let of_heaviest: HashSet<usize> = (0..4).map(|term| dealing.bucket(mix64(term))).collect();
            assert_eq!(of_heaviest.len(), 4, "{buckets} buckets");
        }
    }

    #[test]
    fn buckets_weigh_about_the_same() {
        let heavy = heavy_terms(&sets(1000));
        let dealing = Dealing::from_heavy(&heavy, 4);
        let mut totals = [0; 4];
        heavy.iter().for_each(|&(term, mass)| totals[dealing.bucket(term)] += mass);
        // The first term weighs 1600 of 1960 and is alone; the rule evens out the others.
        let lightest = totals[1].min(totals[2]).min(totals[3]);
        let heaviest = totals[1].max(totals[2]).max(totals[3]);
        assert!(heaviest - lightest <= heavy[3].1 && totals[0] > 10 * heaviest, "{totals:?}");
    }

    #[test]
    fn every_term_has_a_bucket() {
        for documents in [0, 1, 3000] {
            let heavy = heavy_terms(&sets(documents));
            assert!(heavy.len() <= MAX_HEAVY);
            let dealing = Dealing::from_heavy(&heavy, 16);
            assert!((0..10_000).all(|term| dealing.bucket(mix64(term)) < 16));
        }
    }
}
