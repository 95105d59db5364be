//! All verified pairs, in parallel.

use crate::error::Result;
use crate::progress::{Stage, Unit};
use crate::session::Session;
use lookalike_core::DocId;
use lookalike_core::candidates::{CandidatePair, IndexKeys, KeyIndex, ProbeScratch};
use lookalike_core::equal_sets::EqualSets;
use lookalike_core::verify::{VerifiedPair, Verifier};
use rayon::iter::ParallelIterator;
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
    keys: &IndexKeys,
    session: &Session<'_>,
) -> Result<Joined> {
    let total = groups.representatives().len() as u64;
    session.stages.run(Stage { name: "comparing", total, unit: Unit::Documents }, || {
        let mut documents = groups.representatives().to_vec();
        documents.sort_unstable();
        let mut index = KeyIndex::new(verifier.threshold());
        for &document in &documents {
            index.insert(document, verifier.size(document), keys.get(document))?;
        }
        let parts = session.pool.install(|| {
            let scratch = || ProbeScratch::new(groups.len());
            let chunks = documents.par_chunks(CHUNK_DOCUMENTS).map_init(scratch, |scratch, chunk| {
                session.stages.check()?;
                let part = join_chunk(chunk, &index, keys, verifier, scratch);
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

fn join_chunk(
    chunk: &[DocId],
    index: &KeyIndex,
    keys: &IndexKeys,
    verifier: Verifier<'_>,
    scratch: &mut ProbeScratch,
) -> Joined {
    let mut joined = Joined::default();
    let mut found = Vec::new();
    for &b in chunk {
        found.clear();
        index.probe(verifier.size(b), keys.get(b), scratch, &mut found);
        // The index holds all documents: each pair is looked at from its later member.
        for &a in found.iter().filter(|&&a| a < b) {
            joined.candidates += 1;
            joined.pairs.extend(verifier.verify(CandidatePair { a, b }));
        }
    }
    joined
}
