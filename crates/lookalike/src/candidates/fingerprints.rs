//! The SimHash fingerprints of all documents.

use super::chunks::DocumentChunks;
use crate::corpus::Corpus;
use crate::ground::Result;
use crate::run::Session;
use crate::threads::ordered_map;
use lookalike_core::DocId;
use lookalike_core::signatures::SimHasher;
use std::ops::Range;

/// Documents whose fingerprints a thread makes at a time.
const CHUNK_DOCUMENTS: usize = 1 << 10;

/// Calls `visit` with each document in order and the words of its fingerprint; without words for one that has no
/// elements.
///
/// # Errors
/// Those of `visit`; if the job is cancelled.
pub(crate) fn for_each_fingerprint(
    corpus: &Corpus,
    (words, seed): (usize, u64),
    session: &Session<'_>,
    mut visit: impl FnMut(DocId, &[u64]) -> Result<()> + Send,
) -> Result<()> {
    let sets = &corpus.sets;
    let make = |hasher: &mut SimHasher, chunk: Range<usize>| -> Result<(Range<usize>, Vec<u64>)> {
        session.stages.check()?;
        let (mut made, mut one) = (Vec::with_capacity(chunk.len() * words), Vec::new());
        for document in chunk.clone().map(|index| DocId(index as u32)) {
            hasher.fill(sets.weighted(document), &mut one);
            made.extend_from_slice(&one);
        }
        session.stages.progress.advance(chunk.len() as u64);
        Ok((chunk, made))
    };
    let pace = session.pace_for(CHUNK_DOCUMENTS * words * size_of::<u64>());
    let new_hasher = || SimHasher::new(words, seed);
    ordered_map(DocumentChunks::of(sets, CHUNK_DOCUMENTS), pace, new_hasher, make, |made: Result<_>| {
        let (chunk, made) = made?;
        chunk.zip(made.chunks_exact(words)).try_for_each(|(index, words)| {
            let document = DocId(index as u32);
            visit(document, if sets.size(document) == 0 { &[] } else { words })
        })
    })
}
