//! The evidence for a cosine: the common terms of two documents with their weights, and the SimHash of both.

use super::compare::Tokens;
use super::verdict::{ElementRelation, TextRelation, Verdict};
use crate::base::hash::{HashKey, ShingleHasher};
use crate::base::{Array, DocId, Error, Result};
use crate::comparison::Features;
use crate::documents::{Content, ElementSets, WeightedSet};
use crate::kernel::Kernel;
use crate::sets::{ShingleOptions, Windows};
use crate::similarity::Weights;
use crate::terms::{Cosine, DocumentFrequencies, SimHasher, cosine, weigh};
use std::cmp::Reverse;
use std::collections::HashSet;

/// Two documents as vectors of weighted terms.
#[derive(Debug, Clone, PartialEq)]
pub struct TermComparison {
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
    /// Contribution of the term to the dot product.
    pub fn product(&self) -> u64 {
        u64::from(self.weights[0]) * u64::from(self.weights[1])
    }
}

impl TermComparison {
    /// The exact cosine.
    pub fn cosine(&self) -> f64 {
        cosine(self.dot_product(), self.squared_norms)
    }

    /// The dot product.
    pub fn dot_product(&self) -> u64 {
        self.common.iter().map(CommonTerm::product).sum()
    }

    /// Returns whether these two texts are near-duplicates.
    pub fn verdict(&self, measure: Cosine, [left, right]: [&str; 2]) -> Verdict {
        let texts = TextRelation::compare(left, right);
        if self.terms == [0, 0] {
            return Verdict::without_elements(texts, measure.empty, 1.0);
        }
        let is_found = measure.reaches(self.dot_product(), self.squared_norms);
        Verdict { similarity: self.cosine(), reason: is_found.then(|| texts.reason(self.relation())) }
    }

    /// The relation of the terms with their weights.
    fn relation(&self) -> ElementRelation {
        let is_equal = |term: &CommonTerm| term.weights[0] == term.weights[1];
        if self.terms == [self.common.len(); 2] && self.common.iter().all(is_equal) {
            ElementRelation::Equal
        } else {
            ElementRelation::Different
        }
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
/// use lookalike_core::comparison::Features;
/// use lookalike_core::documents::Content;
/// use lookalike_core::sets::ShingleOptions;
/// use lookalike_core::similarity::Weights;
///
/// let words = Features::shingles(ShingleOptions::words(1));
/// let texts = ["tea and tea and milk", "tea and honey"].map(Content::from);
/// let found = compare_terms(&words, (Weights::Tf, None), texts, 1)?;
/// assert_eq!(found.common[0].text, "tea");
/// assert_eq!((found.common[0].weights, found.dot_product()), ([2, 1], 4));
/// # Ok::<(), lookalike_core::Error>(())
/// ```
///
/// # Errors
/// The errors of [`Features::check`]; [`Error::WeightsTooLarge`].
pub fn compare_terms(
    features: &Features,
    (weights, frequencies): (Weights, Option<&DocumentFrequencies>),
    contents: [Content<'_>; 2],
    seed: u64,
) -> Result<TermComparison> {
    features.check()?;
    let features = features.clone().with_multiplicity(weights.multiplicity());
    let mut shingler = features.shingler(Kernel::detect());
    let mut counted = ElementSets::new();
    contents.iter().try_for_each(|content| shingler.push(content, &mut counted).map(drop))?;
    let is_by_frequency = weights == Weights::TfIdf;
    let own = (is_by_frequency && frequencies.is_none()).then(|| frequencies_of(&counted)).transpose()?;
    let frequencies = frequencies.filter(|_| is_by_frequency).or(own.as_ref());
    let mut values = Vec::new();
    let mut squared_norms = [0; 2];
    for (document, squared_norm) in DocId::all(2).zip(&mut squared_norms) {
        *squared_norm = weigh(counted.weighted(document), frequencies, &mut values).ok_or(Error::WeightsTooLarge)?;
    }
    let vectors = counted.with_weights(Array::Owned(values), Some(squared_norms.to_vec()))?;
    let sides = [vectors.weighted(DocId(0)), vectors.weighted(DocId(1))];
    Ok(TermComparison {
        terms: sides.map(|side| side.elements().len()),
        squared_norms,
        common: common_terms(
            sides,
            &Tokens::cut(contents[0].to_cut(features.shingle().size.unit)?, &mut shingler),
            features.shingle(),
        ),
        fingerprints: sides.map(|side| fingerprint(side, seed)),
    })
}

/// Counts in how many of the documents each term is.
fn frequencies_of(sets: &ElementSets) -> Result<DocumentFrequencies> {
    let mut terms: Vec<u64> = sets.iter().flat_map(|set| set.to_vec()).collect();
    terms.sort_unstable();
    let (terms, counts) = terms.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).unzip();
    DocumentFrequencies::new(sets.len() as u64, Array::Owned(terms), Array::Owned(counts))
}

fn fingerprint(vector: WeightedSet<'_>, seed: u64) -> u64 {
    let mut words = Vec::with_capacity(1);
    SimHasher::new(1, seed).fill(vector, &mut words);
    words.first().copied().unwrap_or_default()
}

/// The terms that both vectors have, with the text of each where it first stands in the `tokens` of the left document.
fn common_terms(sides: [WeightedSet<'_>; 2], tokens: &Tokens, shingle: ShingleOptions) -> Vec<CommonTerm> {
    let hasher = ShingleHasher::new(shingle.size.tokens, &HashKey::BATCH);
    let mut common = Vec::new();
    let mut seen = HashSet::new();
    let mut starts = (0..).step_by(shingle.stride);
    Windows::new(&shingle, &hasher).hash_rest(&tokens.hashes, |term| {
        let start: usize = starts.next().unwrap_or_default();
        let weights = sides.map(|side| side.elements().binary_search(&term).map(|at| side.weight(at)));
        if let [Ok(left), Ok(right)] = weights
            && seen.insert(term)
        {
            // The last shingle of a stride, and the only one of a short document, has fewer tokens than others.
            let end = start.saturating_add(shingle.size.tokens).min(tokens.hashes.len());
            let text = tokens.text_of(&(start..end)).to_owned();
            common.push(CommonTerm { text, weights: [left, right] });
        }
    });
    // Stable: of equal products, the first in the text stays first.
    common.sort_by_key(|term| Reverse(term.product()));
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::similarity::Overlap;
    use crate::text::TextUnit;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    fn compared(features: &Features, weights: Weights, texts: [&str; 2]) -> TermComparison {
        compare_terms(features, (weights, None), texts.map(Content::from), 1).unwrap()
    }

    #[test]
    fn terms_are_shown_as_they_stand_by_their_part_in_the_dot_product() {
        let words = Features::shingles(ShingleOptions::words(1));
        let found = compared(&words, Weights::Tf, ["A b, B b c", "c B b d"]);
        let terms: Vec<_> = found.common.iter().map(|term| (term.text.as_str(), term.weights)).collect();
        assert_eq!(terms, [("b", [3, 2]), ("c", [1, 1])]);
        assert_eq!((found.terms, found.squared_norms), ([3, 3], [11, 6]));
        assert_eq!(found.cosine(), 7.0 / 66.0f64.sqrt());
        let pairs = Features::shingles(ShingleOptions::words(2));
        let found = compared(&pairs, Weights::Binary, ["one, Two three", "zero one two"]);
        assert_eq!(found.common, [CommonTerm { text: "one, Two".to_owned(), weights: [1, 1] }]);
    }

    #[test]
    fn lines_and_sentences_are_terms_too() {
        for unit in [TextUnit::Line, TextUnit::Sentence, TextUnit::Paragraph] {
            let features = Features::shingles(ShingleOptions::text_units(unit, 1));
            let found = compared(&features, Weights::Tf, ["One two.\n\nthree", "one, two\n\nfour"]);
            let terms: Vec<_> = found.common.iter().map(|term| term.text.as_str()).collect();
            assert_eq!((found.cosine(), terms), (0.5, vec!["One two"]), "{unit:?}");
        }
    }

    #[test]
    fn frequencies_are_those_of_the_two_unless_given() {
        let words = Features::shingles(ShingleOptions::words(1));
        let found = compared(&words, Weights::TfIdf, ["a b", "a c"]);
        // Both have `a`: ln(3 / 3) + 1 in 1024ths.
        assert_eq!(found.common, [CommonTerm { text: "a".to_owned(), weights: [1024, 1024] }]);
        let mut sets = ElementSets::new();
        words.shingler(Kernel::Scalar).push("a", &mut sets).unwrap();
        let term = Array::Owned(sets.get(DocId(0)).to_vec());
        let rare = DocumentFrequencies::new(9, term, Array::Owned(vec![1]));
        let found = compare_terms(&words, (Weights::TfIdf, Some(&rare.unwrap())), ["a b", "a c"].map(Content::from), 1)
            .unwrap();
        // ln(10 / 2) + 1 in 1024ths.
        assert_eq!(found.common[0].weights, [2672, 2672]);
    }

    #[test]
    fn documents_without_common_terms_have_none() {
        let found = compared(&Features::default(), Weights::Tf, ["", "one two three"]);
        assert_eq!((found.cosine(), found.terms, found.common), (0.0, [0, 1], vec![]));
    }

    proptest! {
        #[test]
        fn all_common_elements_are_shown(
            left in "[ab ]{0,30}", right in "[ab ]{0,30}", size in 1usize..4, stride in 1usize..4,
        ) {
            let stride = stride.min(size);
            let features = Features::shingles(ShingleOptions { stride, ..ShingleOptions::words(size) });
            let found = compared(&features, Weights::Binary, [&left, &right]);
            let mut shingler = features.shingler(Kernel::Scalar);
            let mut sets = ElementSets::new();
            shingler.push(&left, &mut sets).unwrap();
            shingler.push(&right, &mut sets).unwrap();
            let overlap = Overlap::new(sets.get(DocId(0)), sets.get(DocId(1)));
            prop_assert_eq!(found.common.len(), overlap.common);
            prop_assert_eq!(found.terms, [overlap.left, overlap.right]);
            prop_assert!(found.cosine() <= 1.0);
            prop_assert_eq!(found.differing_bits() == 0 || overlap.common < overlap.left.max(overlap.right), true);
        }
    }
}
