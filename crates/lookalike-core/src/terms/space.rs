//! The space of weighted terms.
//!
//! Two documents of a block at a time are compared with small norm sketches of many others, which stay in the cache.

use super::cosine::WeightTable;
use super::norm_sketches::SketchedDocument;
use super::{NormSketches, Terms, cosine, dot_product_at_least};
use crate::base::DocId;
use crate::documents::{ElementSets, WeightedSet};
use crate::similarity::{Agreement, CandidatePair, DocumentBlock, MANY, Space};
use std::ops::Range;

/// The space of these terms.
#[derive(Debug)]
pub(crate) struct TermSpace<'a> {
    terms: Terms<'a>,
    /// `None` where few pairs are checked.
    sketches: Option<NormSketches>,
}

impl<'a> TermSpace<'a> {
    pub(crate) fn new(terms: Terms<'a>, sketches: Option<NormSketches>) -> Self {
        Self { terms, sketches }
    }

    /// Sketches, if there is memory for them.
    fn sketches(&self) -> Option<&NormSketches> {
        self.sketches.as_ref().filter(|sketches| sketches.can_be_made())
    }
}

impl Space for TermSpace<'_> {
    fn sets(&self) -> &ElementSets {
        self.terms.sets
    }

    fn verify(&self, pair: CandidatePair) -> Option<Agreement> {
        let documents = [pair.a, pair.b];
        let in_use = self.sketches.as_ref().filter(|sketches| sketches.are_in_use());
        if in_use.is_some_and(|sketches| sketches.refuse(self.terms, documents)) {
            return None;
        }
        let [left, right] = documents.map(|document| self.sets().weighted(document));
        let found = self.terms.measure.verify_terms(left, right, dot_product_at_least);
        if let (None, Some(sketches)) = (found, &self.sketches) {
            sketches.note_refusal(documents.map(|document| self.sets().size(document)).iter().sum());
        }
        found
    }

    fn compare(&self, pair: CandidatePair) -> Agreement {
        let left = self.sets().weighted(pair.a);
        let right = self.sets().weighted(pair.b);
        let dot = dot_product_at_least(left, right, 0).unwrap_or(0);
        Agreement::Cosine(cosine(dot, [left.squared_norm(), right.squared_norm()]))
    }

    fn block(&self) -> Box<dyn DocumentBlock + '_> {
        Box::new(TermBlock { space: self, documents: Vec::new(), table: WeightTable::default() })
    }
}

/// Sketches of the documents of a block, and the table of weights of the one that is verified.
struct TermBlock<'a> {
    space: &'a TermSpace<'a>,
    documents: Vec<SketchedDocument>,
    table: WeightTable,
}

impl DocumentBlock for TermBlock<'_> {
    fn fill(&mut self, documents: &[DocId]) {
        let space = self.space;
        let sketched = |&document: &DocId| match space.sketches() {
            Some(sketches) => sketches.sketched(space.sets(), document),
            None => SketchedDocument::unsketched(document),
        };
        self.documents.clear();
        self.documents.extend(documents.iter().map(sketched));
    }

    fn find_near(&mut self, others: &[DocId], near: &mut Vec<CandidatePair>) {
        let Some(number) = others.first().map(|other| other.index() / MANY) else { return };
        let space = self.space;
        let first = number * MANY;
        let others = first..space.sets().len().min(first + MANY);
        for two in self.documents.chunks(2) {
            let two = [&two[0], &two[two.len() - 1]];
            let is_one = two[0].document == two[1].document;
            let mut add = |which: usize, other: DocId| {
                let document = two[which].document;
                if other != document && !(is_one && which == 1) {
                    near.push(CandidatePair { a: other, b: document });
                }
            };
            match space.sketches() {
                Some(sketches) => sketches.find(space.terms, two, others.clone(), add),
                None => all(others.clone()).for_each(|other| [0, 1].into_iter().for_each(|which| add(which, other))),
            }
        }
    }

    fn retain_near(&self, near: &mut Vec<CandidatePair>) {
        let space = self.space;
        let Some(number) = near.first().map(|pair| pair.a.index() / MANY) else { return };
        if let Some(sketches) = space.sketches() {
            sketches.retain_near(space.terms, number, near);
        }
    }

    fn verify(&mut self, document: DocId, others: &[DocId], found: &mut dyn FnMut(DocId, Agreement)) {
        let Terms { sets, measure, .. } = self.space.terms;
        let right = sets.weighted(document);
        let mut tabled = self.table.load(right);
        for &other in others {
            let product = |left: WeightedSet<'_>, _: WeightedSet<'_>, min| tabled.dot_product_at_least(left, min);
            if let Some(agreement) = measure.verify_terms(sets.weighted(other), right, product) {
                found(other, agreement);
            }
        }
    }
}

fn all(documents: Range<usize>) -> impl Iterator<Item = DocId> {
    documents.map(|index| DocId(index as u32))
}
