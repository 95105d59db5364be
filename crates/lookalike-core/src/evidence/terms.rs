//! The evidence for a cosine: the common terms of two documents with their weights, and the SimHash of both.

use super::tokens::Tokens;
use crate::features::{ElementSets, Features, Multiplicity, WeightedSet, narrowed};
use crate::ground::hash::{HashKey, ShingleHasher};
use crate::ground::{DocId, Error, Result};
use crate::kernel::Kernel;
use crate::measure::{DocumentFrequencies, Weights, cosine};
use crate::signatures::SimHasher;
use std::collections::{HashMap, HashSet};

/// Two documents as vectors of weighted terms.
#[derive(Debug, Clone, PartialEq)]
pub struct TermComparison {
    /// The exact cosine.
    pub cosine: f64,
    /// Number of different terms of each document.
    pub terms: [usize; 2],
    /// The squared norm of each document.
    pub squared_norms: [u64; 2],
    /// The common terms, those with the largest part in the dot product first; of equal ones in the order of the left
    /// text.
    pub common: Vec<CommonTerm>,
    /// The SimHash of each document, of 64 bits.
    pub fingerprints: [u64; 2],
}

/// A term of both documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommonTerm {
    /// The shingle as it stands first in the left text, or the item.
    pub text: String,
    /// The weight in each document: a count, 1, or a count times the inverse document frequency in 1024ths.
    pub weights: [u32; 2],
}

impl CommonTerm {
    /// Its part in the dot product.
    pub fn product(&self) -> u64 {
        u64::from(self.weights[0]) * u64::from(self.weights[1])
    }
}

impl TermComparison {
    /// The dot product.
    pub fn dot_product(&self) -> u64 {
        self.common.iter().map(CommonTerm::product).sum()
    }

    /// Number of bits in which the fingerprints differ.
    pub fn differing_bits(&self) -> u32 {
        (self.fingerprints[0] ^ self.fingerprints[1]).count_ones()
    }
}

/// Compares two documents as vectors of weighted terms. Without `frequencies`, those of `tfidf` are over these two
/// documents; the fingerprints have the given seed.
///
/// ```
/// use lookalike_core::evidence::compare_terms;
/// use lookalike_core::{features::{Features, ShingleOptions}, measure::Weights};
///
/// let words = Features::shingles(ShingleOptions::words(1));
/// let found = compare_terms(&words, (Weights::Tf, None), ["tea and tea and milk", "tea and honey"], 1)?;
/// assert_eq!(found.common[0].text, "tea");
/// assert_eq!((found.common[0].weights, found.dot_product()), ([2, 1], 4));
/// # Ok::<(), lookalike_core::Error>(())
/// ```
///
/// # Errors
/// The errors of [`Features::check`]; [`Error::CountTooLarge`] for weights whose squares exceed 64 bits in all.
pub fn compare_terms(
    features: &Features,
    (weights, frequencies): (Weights, Option<&DocumentFrequencies>),
    texts: [&str; 2],
    seed: u64,
) -> Result<TermComparison> {
    features.check()?;
    let features = features.clone().with_multiplicity(Multiplicity::Counted);
    let (mut shingler, mut counted) = (features.shingler(Kernel::detect()), ElementSets::new());
    texts.iter().try_for_each(|text| shingler.push(text, &mut counted).map(drop))?;
    let own;
    let frequencies = match frequencies {
        Some(given) => given,
        None => {
            own = frequencies_of(&counted)?;
            &own
        }
    };
    let weighed = |document: DocId| {
        let weight = |(term, count)| {
            let weight = match weights {
                Weights::Tf => u64::from(count),
                Weights::TfIdf => frequencies.weight(term, count),
                Weights::Binary => 1,
            };
            Ok((term, u32::try_from(weight).map_err(|_| Error::CountTooLarge { found: weight })?))
        };
        counted.weighted(document).iter().map(weight).collect::<Result<Vec<_>>>()
    };
    let vectors = ElementSets::of_counted([weighed(DocId(0))?, weighed(DocId(1))?])?;
    let sides = [vectors.weighted(DocId(0)), vectors.weighted(DocId(1))];
    let squared_norms = [squared_norm(sides[0])?, squared_norm(sides[1])?];
    let common = common_terms(sides, terms_of(&features, texts[0]));
    let found = TermComparison {
        cosine: 0.0,
        terms: sides.map(|side| side.elements().len()),
        squared_norms,
        common,
        fingerprints: sides.map(|side| fingerprint(side, seed)),
    };
    Ok(TermComparison { cosine: cosine(found.dot_product(), squared_norms), ..found })
}

/// In how many of the documents each term is.
fn frequencies_of(sets: &ElementSets) -> Result<DocumentFrequencies> {
    let mut terms: Vec<u64> = sets.iter().flat_map(|set| set.to_vec()).collect();
    terms.sort_unstable();
    let (terms, counts) = terms.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).unzip();
    DocumentFrequencies::new(sets.len() as u64, crate::Array::Owned(terms), crate::Array::Owned(counts))
}

fn squared_norm(vector: WeightedSet<'_>) -> Result<u64> {
    let sum: u128 = vector.iter().map(|(_, weight)| u128::from(weight) * u128::from(weight)).sum();
    u64::try_from(sum).map_err(|_| Error::CountTooLarge { found: u64::MAX })
}

fn fingerprint(vector: WeightedSet<'_>, seed: u64) -> u64 {
    let mut words = Vec::with_capacity(1);
    SimHasher::new(1, seed).fill(vector, &mut words);
    words.first().copied().unwrap_or_default()
}

/// The terms of a text in the order in which they first stand there, each with its text.
fn terms_of(features: &Features, text: &str) -> Vec<(u64, String)> {
    let (options, mut shingler) = (features.shingle(), features.shingler(Kernel::detect()));
    let tokens = Tokens::of(text, &mut shingler);
    // A document shorter than a shingle is one shingle.
    let size = options.size.tokens.min(tokens.hashes.len());
    let (mut terms, mut seen, mut start) = (Vec::new(), HashSet::new(), 0);
    if size > 0 {
        ShingleHasher::new(size, &HashKey::BATCH).roll(&tokens.hashes, |hash| {
            let term = narrowed(hash, options.hash_bits);
            if seen.insert(term) {
                terms.push((term, tokens.text[tokens.source(start..start + size)].to_owned()));
            }
            start += 1;
        });
    }
    terms
}

fn common_terms([left, right]: [WeightedSet<'_>; 2], texts: Vec<(u64, String)>) -> Vec<CommonTerm> {
    let right: HashMap<u64, u32> = right.iter().collect();
    let left: HashMap<u64, u32> = left.iter().collect();
    let term = |(term, text)| Some(CommonTerm { text, weights: [*left.get(&term)?, *right.get(&term)?] });
    let mut common: Vec<CommonTerm> = texts.into_iter().filter_map(term).collect();
    // Stable: of equal products, the first in the text stays first.
    common.sort_by_key(|term| std::cmp::Reverse(term.product()));
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::ShingleOptions;
    use crate::measure::Overlap;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    fn compared(features: &Features, weights: Weights, texts: [&str; 2]) -> TermComparison {
        compare_terms(features, (weights, None), texts, 1).unwrap()
    }

    #[test]
    fn terms_are_shown_as_they_stand_by_their_part_in_the_dot_product() {
        let words = Features::shingles(ShingleOptions::words(1));
        let found = compared(&words, Weights::Tf, ["A b, B b c", "c B b d"]);
        let terms: Vec<_> = found.common.iter().map(|term| (term.text.as_str(), term.weights)).collect();
        assert_eq!(terms, [("b", [3, 2]), ("c", [1, 1])]);
        assert_eq!((found.terms, found.squared_norms), ([3, 3], [11, 6]));
        assert_eq!(found.cosine, 7.0 / 66.0f64.sqrt());
        let pairs = Features::shingles(ShingleOptions::words(2));
        let found = compared(&pairs, Weights::Binary, ["one, Two three", "zero one two"]);
        assert_eq!(found.common, [CommonTerm { text: "one, Two".to_owned(), weights: [1, 1] }]);
    }

    #[test]
    fn frequencies_are_those_of_the_two_unless_given() {
        let words = Features::shingles(ShingleOptions::words(1));
        let found = compared(&words, Weights::TfIdf, ["a b", "a c"]);
        // Both have `a`: ln(3 / 3) + 1 in 1024ths.
        assert_eq!(found.common, [CommonTerm { text: "a".to_owned(), weights: [1024, 1024] }]);
        let mut sets = ElementSets::new();
        words.shingler(Kernel::Scalar).push("a", &mut sets).unwrap();
        let term = crate::Array::Owned(sets.get(DocId(0)).to_vec());
        let rare = DocumentFrequencies::new(9, term, crate::Array::Owned(vec![1]));
        let found = compare_terms(&words, (Weights::TfIdf, Some(&rare.unwrap())), ["a b", "a c"], 1).unwrap();
        // ln(10 / 2) + 1 in 1024ths.
        assert_eq!(found.common[0].weights, [2672, 2672]);
    }

    #[test]
    fn documents_without_common_terms_have_none() {
        let found = compared(&Features::default(), Weights::Tf, ["", "one two three"]);
        assert_eq!((found.cosine, found.terms, found.common), (0.0, [0, 1], vec![]));
    }

    proptest! {
        #[test]
        fn all_common_elements_are_shown(left in "[ab ]{0,30}", right in "[ab ]{0,30}", size in 1usize..4) {
            let features = Features::shingles(ShingleOptions::words(size));
            let found = compared(&features, Weights::Binary, [&left, &right]);
            let (mut shingler, mut sets) = (features.shingler(Kernel::Scalar), ElementSets::new());
            shingler.push(&left, &mut sets).unwrap();
            shingler.push(&right, &mut sets).unwrap();
            let overlap = Overlap::of(sets.get(DocId(0)), sets.get(DocId(1)));
            prop_assert_eq!(found.common.len(), overlap.common);
            prop_assert_eq!(found.terms, [overlap.left, overlap.right]);
            prop_assert!(found.cosine <= 1.0);
            prop_assert_eq!(found.differing_bits() == 0 || overlap.common < overlap.left.max(overlap.right), true);
        }
    }
}
