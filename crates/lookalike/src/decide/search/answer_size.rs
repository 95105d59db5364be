//! Number of pairs of an answer, known before its rows are written: those of equal documents before anything is
//! compared, all others when the pairs of groups are found. n equal documents have n (n - 1) / 2 pairs, which may take
//! hours to write and more than the disk has.

use super::{DuplicateSearch, FoldedPairs};
use crate::base::Result;
use crate::decide::join::Joined;
use crate::decide::pair_limit::PairLimit;
use crate::run::Session;
use lookalike_core::DocId;
use lookalike_core::comparison::EqualSets;

/// Numbers of documents of groups, by representative.
struct GroupSizes {
    references: Vec<u32>,
    inputs: Vec<u32>,
    /// True if pairs are those of a reference and an input.
    are_beside_references: bool,
}

impl GroupSizes {
    /// The sizes of groups of documents, of which the first `references` are references.
    fn new(groups: &EqualSets, references: usize) -> Self {
        let are_beside_references = references > 0;
        let of_references = if are_beside_references { groups.len() } else { 0 };
        let mut sizes =
            Self { references: vec![0; of_references], inputs: vec![0; groups.len()], are_beside_references };
        for document in DocId::all(groups.len()) {
            let side = if document.index() < references { &mut sizes.references } else { &mut sizes.inputs };
            side[groups.representative(document).index()] += 1;
        }
        sizes
    }

    /// Number of pairs of documents that are in one group.
    fn within_groups(&self) -> u64 {
        let pairs = |group: usize| {
            let inputs = u64::from(self.inputs[group]);
            if self.are_beside_references {
                u64::from(self.references[group]) * inputs
            } else {
                inputs * inputs.saturating_sub(1) / 2
            }
        };
        (0..self.inputs.len()).map(pairs).sum()
    }

    /// Number of pairs of documents of two groups.
    fn between(&self, a: DocId, b: DocId) -> u64 {
        let product = |left: &[u32], right: &[u32]| u64::from(left[a.index()]) * u64::from(right[b.index()]);
        if self.are_beside_references {
            product(&self.references, &self.inputs) + product(&self.inputs, &self.references)
        } else {
            product(&self.inputs, &self.inputs)
        }
    }

    fn between_groups(&self, joined: &Joined) -> u64 {
        joined.pairs().map(|pair| self.between(pair.a, pair.b)).sum()
    }
}

impl DuplicateSearch<'_> {
    /// Says how many pairs equal documents have, before others are looked for. Where texts may refuse some, nothing is
    /// known yet.
    ///
    /// # Errors
    /// [`Error::TooManyPairs`](crate::Error).
    pub(crate) fn check_equal_pairs(&self) -> Result<()> {
        if self.corpus.texts.is_some() {
            return Ok(());
        }
        let pairs = GroupSizes::new(&self.groups, self.corpus.listing.references).within_groups();
        self.pair_limit.say(pairs, false, self.session)
    }
}

impl FoldedPairs {
    /// Number of pairs of documents, of which the first `references` are references.
    pub(crate) fn count(&self, references: usize) -> u64 {
        let sizes = GroupSizes::new(&self.groups, references);
        sizes.within_groups() + sizes.between_groups(&self.joined)
    }

    /// Says how many pairs of documents there are, before they are written.
    ///
    /// # Errors
    /// [`Error::TooManyPairs`](crate::Error).
    pub(crate) fn check_size(&self, references: usize, limit: PairLimit, session: &Session<'_>) -> Result<()> {
        limit.say(self.count(references), true, session)
    }
}
