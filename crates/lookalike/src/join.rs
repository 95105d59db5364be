//! All verified pairs, in parallel.

use crate::error::Result;
use crate::progress::{Stage, Unit};
use crate::session::Session;
use lookalike_core::DocId;
use lookalike_core::candidates::{CandidatePair, KeyIndex, LinkedKeys, VisitMarks};
use lookalike_core::equal_sets::EqualSets;
use lookalike_core::verify::{VerifiedPair, Verifier};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

const CHUNK_DOCUMENTS: usize = 256;

/// What a join found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Joined {
    /// Verified pairs of documents that stand for a group, the earlier document first, sorted.
    pub pairs: Vec<VerifiedPair>,
    /// Number of candidates that were verified.
    pub candidates: u64,
}

/// Finds all pairs of groups that reach the threshold.
pub(crate) fn join(
    verifier: Verifier<'_>,
    groups: &EqualSets,
    keys: &LinkedKeys,
    session: &Session<'_>,
) -> Result<Joined> {
    let total = groups.representatives().len() as u64;
    session.stages.run(Stage { name: "comparing", total, unit: Unit::Documents }, || {
        let mut documents = groups.representatives().to_vec();
        documents.sort_unstable();
        let mut index = KeyIndex::new(keys, verifier.threshold());
        for (rank, &document) in (0..).zip(&documents) {
            index.insert(rank, verifier.size(document), keys.get(document));
        }
        let probe = Probe { documents: &documents, index: &index, keys, verifier };
        let parts = session.pool.install(|| {
            let marks = || VisitMarks::new(documents.len());
            let chunks = documents.par_chunks(CHUNK_DOCUMENTS).enumerate().map_init(marks, |marks, (number, chunk)| {
                let part = probe.join_chunk(number * CHUNK_DOCUMENTS, chunk, marks, session)?;
                session.stages.progress.advance(chunk.len() as u64);
                Ok(part)
            });
            chunks.collect::<Result<Vec<Joined>>>()
        })?;
        let candidates = parts.iter().map(|part| part.candidates).sum();
        let mut pairs: Vec<VerifiedPair> = parts.into_iter().flat_map(|part| part.pairs).collect();
        pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
        Ok(Joined { pairs, candidates })
    })
}

struct Probe<'a> {
    /// By rank.
    documents: &'a [DocId],
    index: &'a KeyIndex<'a>,
    keys: &'a LinkedKeys,
    verifier: Verifier<'a>,
}

impl Probe<'_> {
    /// The pairs of some documents, whose first one has rank `first`, with all earlier documents.
    fn join_chunk(
        &self,
        first: usize,
        chunk: &[DocId],
        marks: &mut VisitMarks,
        session: &Session<'_>,
    ) -> Result<Joined> {
        let mut joined = Joined::default();
        for (rank, &b) in (first as u32..).zip(chunk) {
            session.stages.check()?;
            marks.clear();
            self.index.probe(self.verifier.size(b), self.keys.get(b), 0..rank, |earlier| {
                if marks.mark(earlier) {
                    let a = self.documents[earlier as usize];
                    joined.candidates += 1;
                    joined.pairs.extend(self.verifier.verify(CandidatePair { a, b }));
                }
            });
        }
        Ok(joined)
    }
}
