//! Another threshold or another choice of what is kept, from saved pairs: nothing is read or compared again.
//!
//! The pairs hold all that the keepers rule and the components need, as long as the new threshold is not below the one they
//! were found with. Of the order of the documents they say enough for `first` and `last`: rows are sorted by a and then by b,
//! both in the order of the documents, and a comes before b.

use crate::corpus::{Corpus, DocumentInfo, Keys};
use crate::error::{Error, Result};
use crate::options::KeepPolicy;
use crate::priority::{priority, ranks};
use hashbrown::HashTable;
use lookalike_core::decide::{Cluster, Decision, Reason, clusters};
use lookalike_core::hash::hash_token;
use lookalike_core::{DocId, Threshold};
use lookalike_io::{Span, read_pairs};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

/// Pairs of documents with their similarities, as a job has written them.
#[derive(Debug, Clone)]
pub struct SavedPairs {
    /// The documents: those that were read, or those that the pairs name.
    pub corpus: Corpus,
    /// The earlier document first.
    pairs: Vec<(DocId, DocId, f64)>,
    /// The least similarity of all pairs in the file; 1 if there are none.
    pub least_similarity: f64,
}

impl SavedPairs {
    /// Reads those pairs of a file that reach the threshold; the documents are those that they name.
    ///
    /// # Errors
    /// If the file cannot be read, or a row is no pair.
    pub fn read(path: &Path, threshold: Threshold) -> Result<Self> {
        let mut names = Names::default();
        let mut pairs = Vec::new();
        let least_similarity = for_each_row(path, |a, b, similarity| {
            let (a, b) = (names.number(a)?, names.number(b)?);
            names.note_order(a, b);
            if similarity >= threshold.as_f64() {
                pairs.push((a, b, similarity));
            }
            Ok(())
        })?;
        let (corpus, renumbered) = names.into_corpus()?;
        for (a, b, _) in &mut pairs {
            (*a, *b) = (renumbered[a.index()], renumbered[b.index()]);
        }
        Ok(Self { corpus, pairs, least_similarity })
    }

    /// Reads those pairs of documents that reach the threshold.
    ///
    /// # Errors
    /// If the file cannot be read, a row is no pair, or [`Error::UnknownKey`] if it names none of the documents.
    pub fn read_for(path: &Path, threshold: Threshold, corpus: Corpus) -> Result<Self> {
        let mut table = KeyTable::default();
        corpus.ids().for_each(|document| table.insert(&corpus.keys, document));
        let find = |key: &str| {
            let found = table.find(&corpus.keys, key);
            found.ok_or_else(|| Error::UnknownKey { path: path.to_owned(), key: key.to_owned() })
        };
        let mut pairs = Vec::new();
        let least_similarity = for_each_row(path, |a, b, similarity| {
            let (a, b) = (find(a)?, find(b)?);
            if similarity >= threshold.as_f64() {
                pairs.push((a.min(b), a.max(b), similarity));
            }
            Ok(())
        })?;
        Ok(Self { corpus, pairs, least_similarity })
    }

    /// Number of pairs that reach the threshold.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether no pair reaches the threshold.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The connected components, ordered by their first document.
    pub fn clusters(&self) -> Vec<Cluster> {
        clusters(self.corpus.len(), self.pairs.iter().map(|&(a, b, _)| (a, b)))
    }

    /// Decides by the keepers rule, as [`crate::pipeline::dedup`] would at this threshold.
    ///
    /// # Errors
    /// If the policy needs scores that are not there.
    pub fn decide(&self, policy: &KeepPolicy, score_field: Option<&str>) -> Result<Vec<Decision>> {
        let order = priority(&self.corpus, policy, score_field)?;
        let rank = ranks(&order, self.corpus.len());
        let both = self.pairs.iter().flat_map(|&(a, b, similarity)| [(a, b, similarity), (b, a, similarity)]);
        let mut earlier: Vec<_> = both.filter(|(from, to, _)| rank[to.index()] < rank[from.index()]).collect();
        earlier.sort_unstable_by_key(|&(from, to, _)| (rank[from.index()], rank[to.index()]));
        let mut decisions = vec![Decision::Kept; self.corpus.len()];
        for candidates in earlier.chunk_by(|left, right| left.0 == right.0) {
            let kept = candidates.iter().find(|(_, to, _)| decisions[to.index()] == Decision::Kept);
            if let Some(&(from, kept, similarity)) = kept {
                let reason = if similarity >= 1.0 { Reason::Exact } else { Reason::Near };
                decisions[from.index()] = Decision::Removed { kept, similarity, reason };
            }
        }
        Ok(decisions)
    }
}

/// Calls `visit` with each row; returns the least similarity.
fn for_each_row(path: &Path, mut visit: impl FnMut(&str, &str, f64) -> Result<()>) -> Result<f64> {
    let mut least: f64 = 1.0;
    let mut outcome = Ok(());
    read_pairs(path, |row| {
        least = least.min(row.similarity);
        if outcome.is_ok() {
            outcome = visit(&row.a, &row.b, row.similarity);
        }
    })?;
    outcome.map(|()| least)
}

/// Documents by their keys, which stand elsewhere.
#[derive(Default)]
struct KeyTable(HashTable<DocId>);

impl KeyTable {
    fn find(&self, keys: &Keys, key: &str) -> Option<DocId> {
        self.0.find(hash_token(key.as_bytes()), |&document| keys.get(document) == key).copied()
    }

    fn insert(&mut self, keys: &Keys, document: DocId) {
        let hash = |document: &DocId| hash_token(keys.get(*document).as_bytes());
        self.0.insert_unique(hash(&document), document, hash);
    }
}

/// Keys in the order in which they are met.
#[derive(Default)]
struct Names {
    corpus: Corpus,
    table: KeyTable,
    /// The row before.
    last: Option<(DocId, DocId)>,
    /// Documents of which the first comes before the second.
    order: Vec<(DocId, DocId)>,
}

impl Names {
    fn number(&mut self, key: &str) -> Result<DocId> {
        let Self { corpus, table, .. } = self;
        if let Some(known) = table.find(&corpus.keys, key) {
            return Ok(known);
        }
        let document = DocId::from_index(corpus.len())?;
        corpus.push_key(key, unplaced(document))?;
        table.insert(&corpus.keys, document);
        Ok(document)
    }

    /// Notes what a row says: a stands before b, and behind the a of the row before; if that is the same, its b stands
    /// before this one.
    fn note_order(&mut self, a: DocId, b: DocId) {
        match self.last.replace((a, b)) {
            Some((same, partner)) if same == a => self.order.push((partner, b)),
            Some((earlier, _)) => self.order.extend([(earlier, a), (a, b)]),
            None => self.order.push((a, b)),
        }
    }

    /// The documents in an order that agrees with all rows; of a file whose rows contradict each other, in that of their
    /// keys as far as they do. Returns the new number of each as well.
    fn into_corpus(self) -> Result<(Corpus, Vec<DocId>)> {
        let mut corpus = Corpus::default();
        let mut renumbered: Vec<DocId> = self.corpus.ids().collect();
        for (old, new) in sorted(self.corpus.len(), self.order).into_iter().zip(self.corpus.ids()) {
            renumbered[old.index()] = new;
            corpus.push_key(self.corpus.keys.get(old), unplaced(new))?;
        }
        Ok((corpus, renumbered))
    }
}

/// Topological order (Kahn 1962): of the documents that nothing must come before any more, always the lowest number.
fn sorted(documents: usize, mut order: Vec<(DocId, DocId)>) -> Vec<DocId> {
    order.sort_unstable();
    let mut waiting_for = vec![0u32; documents];
    order.iter().for_each(|(_, later)| waiting_for[later.index()] += 1);
    let is_free = |document: &DocId| waiting_for[document.index()] == 0;
    let mut free: BinaryHeap<Reverse<DocId>> = DocId::all(documents).filter(is_free).map(Reverse).collect();
    let mut sorted = Vec::with_capacity(documents);
    while let Some(Reverse(document)) = free.pop() {
        sorted.push(document);
        let first = order.partition_point(|&(earlier, _)| earlier < document);
        for (_, later) in order[first..].iter().take_while(|&&(earlier, _)| earlier == document) {
            waiting_for[later.index()] -= 1;
            if waiting_for[later.index()] == 0 {
                free.push(Reverse(*later));
            }
        }
    }
    sorted.extend(DocId::all(documents).filter(|document| waiting_for[document.index()] > 0));
    sorted
}

/// A document of which nobody knows where it stands.
fn unplaced(document: DocId) -> DocumentInfo {
    DocumentInfo { source: 0, number: document.0.into(), span: Span { offset: 0, length: 0 }, characters: 0 }
}

#[cfg(test)]
mod tests;
