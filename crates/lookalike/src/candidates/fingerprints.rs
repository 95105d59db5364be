//! Fingerprints and signatures of all documents, made in their order.

use super::chunks::DocumentChunks;
use crate::base::Result;
use crate::corpus::Corpus;
use crate::run::Session;
use crate::threads::ordered_map;
use lookalike_core::DocId;
use lookalike_core::signatures::Signer;
use lookalike_core::terms::SimHasher;
use std::ops::Range;

/// Documents of which a thread makes something at a time.
const CHUNK_DOCUMENTS: usize = 1 << 10;

/// Calls `visit` with each document in order and the words of its SimHash; without words for one that has no elements.
///
/// # Errors
/// Those of `visit`; if the job is cancelled.
pub(crate) fn for_each_fingerprint(
    corpus: &Corpus,
    words: usize,
    seed: u64,
    session: &Session<'_>,
    mut visit: impl FnMut(DocId, &[u64]) -> Result<()> + Send,
) -> Result<()> {
    let sets = &corpus.sets;
    let new_fill = || {
        let mut hasher = SimHasher::new(words, seed);
        let mut one = Vec::new();
        move |document: DocId, all: &mut Vec<u64>| {
            hasher.fill(sets.weighted(document), &mut one);
            all.extend_from_slice(&one);
        }
    };
    for_each_filled(corpus, words, session, new_fill, |document, words| {
        visit(document, if sets.size(document) == 0 { &[] } else { words })
    })
}

/// Calls `visit` with each document in order and its signature of `num_perm` components.
///
/// # Errors
/// Those of `visit`; if the job is cancelled.
pub(crate) fn for_each_signature(
    corpus: &Corpus,
    signer: &Signer,
    num_perm: usize,
    session: &Session<'_>,
    visit: impl FnMut(DocId, &[u32]) -> Result<()> + Send,
) -> Result<()> {
    let new_fill = || {
        |document: DocId, all: &mut Vec<u32>| {
            let start = all.len();
            all.resize(start + num_perm, 0);
            signer.fill(corpus.sets.get(document).elements(), &mut all[start..]);
        }
    };
    for_each_filled(corpus, num_perm, session, new_fill, visit)
}

/// Calls `visit` with each document in order and the `width` numbers that a fill function appends for it; each thread
/// has one.
fn for_each_filled<T: Copy + Send, F: FnMut(DocId, &mut Vec<T>)>(
    corpus: &Corpus,
    width: usize,
    session: &Session<'_>,
    new_fill: impl Fn() -> F + Sync,
    mut visit: impl FnMut(DocId, &[T]) -> Result<()> + Send,
) -> Result<()> {
    let fill_chunk = |fill: &mut F, chunk: Range<usize>| -> Result<(Range<usize>, Vec<T>)> {
        session.stages.check()?;
        let mut all = Vec::with_capacity(chunk.len() * width);
        chunk.clone().for_each(|index| fill(DocId(index as u32), &mut all));
        session.stages.progress.advance(chunk.len() as u64);
        Ok((chunk, all))
    };
    let pace = session.pace_for(CHUNK_DOCUMENTS * width * size_of::<T>());
    let chunks = DocumentChunks::new(&corpus.sets, CHUNK_DOCUMENTS);
    ordered_map(chunks, pace, new_fill, fill_chunk, |filled: Result<_>| {
        let (chunk, all) = filled?;
        chunk.zip(all.chunks_exact(width)).try_for_each(|(index, of_document)| visit(DocId(index as u32), of_document))
    })
}
