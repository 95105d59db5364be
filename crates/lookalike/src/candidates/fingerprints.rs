//! What is made of the elements of each document, in the order of the documents: fingerprints, signatures.

use super::chunks::DocumentChunks;
use crate::corpus::Corpus;
use crate::ground::Result;
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
    (words, seed): (usize, u64),
    session: &Session<'_>,
    mut visit: impl FnMut(DocId, &[u64]) -> Result<()> + Send,
) -> Result<()> {
    let sets = &corpus.sets;
    let new_hasher = || (SimHasher::new(words, seed), Vec::new());
    let fill = |(hasher, one): &mut (SimHasher, Vec<u64>), document: DocId, made: &mut Vec<u64>| {
        hasher.fill(sets.weighted(document), one);
        made.extend_from_slice(one);
    };
    for_each_made(corpus, words, session, (new_hasher, fill), |document, words| {
        visit(document, if sets.size(document) == 0 { &[] } else { words })
    })
}

/// Calls `visit` with each document in order and its signature of `num_perm` components.
///
/// # Errors
/// Those of `visit`; if the job is cancelled.
pub(crate) fn for_each_signature(
    corpus: &Corpus,
    (signer, num_perm): (&Signer, usize),
    session: &Session<'_>,
    visit: impl FnMut(DocId, &[u32]) -> Result<()> + Send,
) -> Result<()> {
    let fill = |(): &mut (), document: DocId, made: &mut Vec<u32>| {
        let start = made.len();
        made.resize(start + num_perm, 0);
        signer.fill(corpus.sets.get(document).elements(), &mut made[start..]);
    };
    for_each_made(corpus, num_perm, session, (|| (), fill), visit)
}

/// Calls `visit` with each document in order and the `width` numbers that `fill` appends for it.
fn for_each_made<T: Copy + Send, S>(
    corpus: &Corpus,
    width: usize,
    session: &Session<'_>,
    (new_state, fill): (impl Fn() -> S + Sync, impl Fn(&mut S, DocId, &mut Vec<T>) + Sync),
    mut visit: impl FnMut(DocId, &[T]) -> Result<()> + Send,
) -> Result<()> {
    let make = |state: &mut S, chunk: Range<usize>| -> Result<(Range<usize>, Vec<T>)> {
        session.stages.check()?;
        let mut made = Vec::with_capacity(chunk.len() * width);
        chunk.clone().for_each(|index| fill(state, DocId(index as u32), &mut made));
        session.stages.progress.advance(chunk.len() as u64);
        Ok((chunk, made))
    };
    let pace = session.pace_for(CHUNK_DOCUMENTS * width * size_of::<T>());
    ordered_map(DocumentChunks::of(&corpus.sets, CHUNK_DOCUMENTS), pace, new_state, make, |made: Result<_>| {
        let (chunk, made) = made?;
        chunk.zip(made.chunks_exact(width)).try_for_each(|(index, of_document)| visit(DocId(index as u32), of_document))
    })
}
