//! The tokens of queries, and what sources have of them.

use super::hashes::hashes_of;
use super::hits::{FoundHits, SourceHits};
use crate::base::{Result, Stage};
use crate::corpus::{StoredPlaces, TextsAgain, TokenChunk, TokensToSave, open_tokens, saved_places};
use crate::run::Session;
use crate::spill::{Share, SpillColumn};
use crate::threads::ordered_map;
use lookalike_core::comparison::Features;
use lookalike_core::hash::hash_sequence;
use lookalike_core::passages::{TokenSpans, WindowCounts, WindowIndex};
use lookalike_core::sets::Shingler;
use lookalike_core::{Array, DocId, Ragged};

/// Documents whose sources are looked for.
pub(super) struct PassageQueries {
    pub(super) documents: Vec<DocId>,
    pub(super) index: WindowIndex,
    /// Places of its tokens, by query.
    pub(super) spans: Vec<TokenSpans>,
    /// Hash of all its tokens, by query.
    pub(super) contents: Vec<u64>,
}

/// A number that two documents have in common if their tokens are the same.
pub(super) fn content_of(tokens: &[u64]) -> u64 {
    hash_sequence(tokens.len() as u64, tokens.iter().copied())
}

/// Buffers of a thread.
struct QueryBuffers {
    shingler: Shingler,
    hashes: Array<u64>,
}

impl QueryBuffers {
    fn new(features: &Features, session: &Session<'_>) -> Self {
        Self { shingler: features.shingler(session.kernel()), hashes: Array::default() }
    }

    /// The hashes of the tokens of a text.
    fn hash(&mut self, text: &str, session: &Session<'_>) -> Result<&[u64]> {
        self.hashes = hashes_of(text, &mut self.shingler, std::mem::take(&mut self.hashes), session)?;
        Ok(self.hashes.as_slice())
    }
}

/// Reads the tokens of the wanted documents, as a stage.
pub(super) fn read_queries(texts: TextsAgain<'_>, session: &Session<'_>) -> Result<PassageQueries> {
    let spill = &session.spill;
    let max_bytes = spill.budget().max_corpus_bytes() as usize / 2;
    let mut tokens = SpillColumn::default();
    let mut ends = vec![0];
    let mut spans = Vec::with_capacity(texts.wanted.len());
    let mut contents = Vec::with_capacity(texts.wanted.len());
    texts.for_each(
        session,
        || texts.features.shingler(session.kernel()),
        |shingler, _, text| {
            let text = text.text()?;
            let hashes = hashes_of(text, shingler, Array::default(), session)?;
            Ok((hashes, TokenSpans::new(text, shingler)))
        },
        |_, (hashes, of_tokens): (Array<u64>, TokenSpans)| {
            if tokens.memory_bytes() + 8 * hashes.len() > max_bytes {
                tokens.move_to_file(spill)?;
            }
            hashes.chunks().try_for_each(|chunk| tokens.extend(chunk, spill))?;
            ends.push(tokens.len() as u64);
            contents.push(content_of(hashes.as_slice()));
            spans.push(of_tokens);
            Ok(())
        },
    )?;
    let tokens = Ragged::from_parts(ends, tokens.finish(spill)?)?;
    let tokenizer = texts.features.tokenizer(session.kernel());
    let index = WindowIndex::new(texts.features.shingle().size.tokens, tokenizer.key(), tokens)?;
    Ok(PassageQueries { documents: texts.wanted.to_vec(), index, spans, contents })
}

/// Windows of queries that are looked for.
#[derive(Clone, Copy)]
struct QueryWindows<'a> {
    index: &'a WindowIndex,
    counts: &'a WindowCounts,
}

/// Looks for the windows of queries in the wanted documents, as a stage that begins anew for each snapshot.
pub(super) fn find_hits<'s>(
    texts: TextsAgain<'_>,
    index: &WindowIndex,
    counts: &WindowCounts,
    session: &'s Session<'_>,
) -> Result<FoundHits<'s>> {
    let source_of = |document: &DocId| texts.records.place(*document).source as usize;
    let is_stored = |document: &DocId| texts.records.sources[source_of(document)].is_stored();
    let (stored, with_texts): (Vec<DocId>, Vec<DocId>) = texts.wanted.iter().copied().partition(is_stored);
    let windows = QueryWindows { index, counts };
    let mut all = FoundHits::new(&session.spill, session.spill.budget().share(Share::Windows));
    if !with_texts.is_empty() || stored.is_empty() {
        find_in_texts(TextsAgain { wanted: &with_texts, ..texts }, windows, &mut all, session)?;
    }
    for of_source in stored.chunk_by(|a, b| source_of(a) == source_of(b)) {
        let snapshot = &texts.records.sources[source_of(&of_source[0])];
        let (tokens, places) = open_tokens(&snapshot.file, texts.features)?;
        if tokens.documents() != of_source.len() {
            return Err(lookalike_io::Error::Changed { path: snapshot.path.to_path_buf() }.into());
        }
        let stage = Stage::over_bytes(texts.stage, tokens.bytes());
        let stored = StoredSource { places: &places, documents: of_source };
        session.stage(stage, || find_in_tokens(tokens, stored, windows, &mut all, session))?;
    }
    Ok(all)
}

/// A chunk of a snapshot, while it is read.
const BYTES_PER_CHUNK: usize = 1 << 21;

/// The documents of a snapshot, which are references.
#[derive(Clone, Copy)]
struct StoredSource<'a> {
    places: &'a StoredPlaces,
    documents: &'a [DocId],
}

/// Looks for the windows of queries in the documents of a snapshot.
fn find_in_tokens(
    tokens: impl Iterator<Item = Result<TokenChunk>> + Send,
    StoredSource { places, documents }: StoredSource<'_>,
    QueryWindows { index, counts }: QueryWindows<'_>,
    all: &mut FoundHits<'_>,
    session: &Session<'_>,
) -> Result<()> {
    let look = |(): &mut (), chunk: Result<TokenChunk>| -> Result<(Vec<Vec<u8>>, u64, u64)> {
        session.stages.check()?;
        let chunk = chunk?;
        let mut found = Vec::new();
        let mut short_references = 0;
        for (number, tokens) in chunk.iter() {
            short_references += u64::from(tokens.len() < index.size());
            let mut runs = Vec::new();
            index.find_runs(tokens, counts, &mut runs);
            if let Some(&source) = documents.get(number).filter(|_| !runs.is_empty()) {
                let spans = places.spans_of(number)?.only(runs.iter().map(|run| run.tokens(index.size())));
                found.push(SourceHits { source, runs, spans, stored_content: Some(content_of(tokens)) }.encode());
            }
        }
        Ok((found, short_references, chunk.bytes()))
    };
    let take = |found: Result<(Vec<Vec<u8>>, u64, u64)>| {
        let (found, short_references, bytes) = found?;
        found.iter().try_for_each(|hits| all.push(hits))?;
        all.short_references += short_references;
        session.stages.progress.advance(bytes);
        Result::Ok(())
    };
    ordered_map(tokens, session.pace_for(BYTES_PER_CHUNK), || (), look, take)
}

/// Reads the tokens of the wanted documents with their places, to be saved: of texts, or of snapshots that have them.
pub(crate) fn save_tokens(texts: TextsAgain<'_>, session: &Session<'_>) -> Result<TokensToSave> {
    let source_of = |document: &DocId| texts.records.place(*document).source as usize;
    let mut saved = TokensToSave::new(session)?;
    // Sources are in the order of their documents.
    for of_source in texts.wanted.chunk_by(|a, b| source_of(a) == source_of(b)) {
        let source = &texts.records.sources[source_of(&of_source[0])];
        if source.is_stored() {
            let (tokens, places) = open_tokens(&source.file, texts.features)?;
            let stage = Stage::over_bytes(texts.stage, tokens.bytes());
            session.stage(stage, || copy_tokens(tokens, &places, &mut saved, session))?;
        } else {
            read_tokens(TextsAgain { wanted: of_source, ..texts }, &mut saved, session)?;
        }
    }
    Ok(saved)
}

/// Copies all tokens of a snapshot.
fn copy_tokens(
    tokens: impl Iterator<Item = Result<TokenChunk>>,
    places: &StoredPlaces,
    saved: &mut TokensToSave,
    session: &Session<'_>,
) -> Result<()> {
    for chunk in tokens {
        session.stages.check()?;
        let chunk = chunk?;
        for (number, tokens) in chunk.iter() {
            saved.push(tokens, &saved_places(&places.spans_of(number)?), session)?;
        }
        session.stages.progress.advance(chunk.bytes());
    }
    Ok(())
}

fn read_tokens(texts: TextsAgain<'_>, saved: &mut TokensToSave, session: &Session<'_>) -> Result<()> {
    texts.for_each(
        session,
        || texts.features.shingler(session.kernel()),
        |shingler, _, text| {
            let text = text.text()?;
            let hashes = hashes_of(text, shingler, Array::default(), session)?;
            Ok((hashes, saved_places(&TokenSpans::new(text, shingler))))
        },
        |_, (hashes, places): (Array<u64>, Vec<u8>)| saved.push(hashes.as_slice(), &places, session),
    )
}

fn find_in_texts(
    texts: TextsAgain<'_>,
    QueryWindows { index, counts }: QueryWindows<'_>,
    all: &mut FoundHits<'_>,
    session: &Session<'_>,
) -> Result<()> {
    texts.for_each(
        session,
        || QueryBuffers::new(texts.features, session),
        |buffers, source, text| {
            let text = text.text()?;
            let hashes = buffers.hash(text, session)?;
            let is_short = hashes.len() < index.size() && texts.records.is_reference(source);
            let mut runs = Vec::new();
            index.find_runs(hashes, counts, &mut runs);
            // Where tokens stand is asked of few sources.
            let hits = (!runs.is_empty()).then(|| {
                let tokens = runs.iter().map(|run| run.tokens(index.size()));
                let spans = TokenSpans::of_ranges(text, &mut buffers.shingler, tokens);
                SourceHits { source, runs, spans, stored_content: None }.encode()
            });
            Ok((hits, is_short))
        },
        |_, (hits, is_short)| {
            all.short_references += u64::from(is_short);
            hits.iter().try_for_each(|hits| all.push(hits))
        },
    )
}

/// Makes the windows of the wanted documents common, as a stage: templates, and quotations.
pub(super) fn ignore(
    texts: TextsAgain<'_>,
    index: &WindowIndex,
    counts: &WindowCounts,
    session: &Session<'_>,
) -> Result<()> {
    texts.for_each(
        session,
        || QueryBuffers::new(texts.features, session),
        |buffers, _, text| {
            index.ignore(buffers.hash(text.text()?, session)?, counts);
            Ok(())
        },
        |_, ()| Ok(()),
    )
}
